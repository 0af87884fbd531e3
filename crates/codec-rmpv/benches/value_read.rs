//! Times parsing and reading all with `rmpv::Value`.

harness::bench_main!(codec_rmpv::Value, read);
