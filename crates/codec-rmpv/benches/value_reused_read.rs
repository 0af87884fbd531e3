//! Times parsing and reading all with `rmpv::Value` and a buffer that is used again.

harness::bench_main!(codec_rmpv::ValueReused, read);
