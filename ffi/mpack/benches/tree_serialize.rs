//! Times serializing with MPack's node tree.

harness::bench_main!(codec_mpack::Tree, serialize);
