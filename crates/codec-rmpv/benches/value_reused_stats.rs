//! Times the walk that counts with `rmpv::Value` and a buffer that is used again.

harness::bench_main!(codec_rmpv::ValueReused, stats);
