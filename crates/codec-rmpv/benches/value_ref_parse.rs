//! Times parsing with `rmpv::ValueRef`.

harness::bench_main!(codec_rmpv::ValueRef, parse);
