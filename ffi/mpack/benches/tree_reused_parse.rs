//! Times parsing with MPack's node tree in kept memory.

harness::bench_main!(codec_mpack::TreeReused, parse);
