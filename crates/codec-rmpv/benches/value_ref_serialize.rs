//! Times serializing with `rmpv::ValueRef`.

harness::bench_main!(codec_rmpv::ValueRef, serialize);
