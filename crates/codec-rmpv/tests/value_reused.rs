//! Answers for `rmpv::Value` and a buffer that is used again.

harness::answer_main!(codec_rmpv::ValueReused);
