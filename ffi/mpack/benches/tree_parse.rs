//! Times parsing with MPack's node tree.

harness::bench_main!(codec_mpack::Tree, parse);
