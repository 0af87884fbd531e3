//! Answers for `rmpv::Value`.

harness::answer_main!(codec_rmpv::Value);
