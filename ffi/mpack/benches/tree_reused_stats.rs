//! Times counting nodes in MPack's node tree in kept memory.

harness::bench_main!(codec_mpack::TreeReused, stats);
