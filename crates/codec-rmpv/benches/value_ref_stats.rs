//! Times the walk that counts with `rmpv::ValueRef`.

harness::bench_main!(codec_rmpv::ValueRef, stats);
