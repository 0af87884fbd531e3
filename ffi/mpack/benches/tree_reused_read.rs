//! Times parsing and reading all values with MPack's node tree in kept memory.

harness::bench_main!(codec_mpack::TreeReused, read);
