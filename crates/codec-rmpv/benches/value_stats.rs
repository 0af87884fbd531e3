//! Times the walk that counts with `rmpv::Value`.

harness::bench_main!(codec_rmpv::Value, stats);
