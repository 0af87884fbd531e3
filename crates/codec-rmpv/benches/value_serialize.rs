//! Times serializing with `rmpv::Value`.

harness::bench_main!(codec_rmpv::Value, serialize);
