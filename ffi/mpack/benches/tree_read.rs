//! Times parsing and reading all values with MPack's node tree.

harness::bench_main!(codec_mpack::Tree, read);
