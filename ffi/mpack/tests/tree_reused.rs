//! Answers questions about MPack's node tree in kept memory.

harness::answer_main!(codec_mpack::TreeReused);
