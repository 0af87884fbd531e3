//! Times parsing with `rmpv::Value`.

harness::bench_main!(codec_rmpv::Value, parse);
