//! Answers questions about MPack's node tree.

harness::answer_main!(codec_mpack::Tree);
