//! Answers questions about `jsoncons::json`.

harness::answer_main!(codec_jsoncons::Dom);
