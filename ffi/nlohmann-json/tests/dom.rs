//! Answers questions about `nlohmann::json`.

harness::answer_main!(codec_nlohmann_json::Dom);
