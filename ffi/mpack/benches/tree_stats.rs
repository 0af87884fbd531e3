//! Times counting nodes in MPack's node tree.

harness::bench_main!(codec_mpack::Tree, stats);
