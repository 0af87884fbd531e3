//! Answers for rmp-serde and `serde_json::Value`.

harness::answer_main!(codec_rmp_serde::JsonValue);
