//! Times parsing and reading all with `rmpv::ValueRef`.

harness::bench_main!(codec_rmpv::ValueRef, read);
