//! Answers for the value class of taocpp/json.

harness::answer_main!(codec_taocpp_json::Dom);
