//! Answers for `rmpv::ValueRef`.

harness::answer_main!(codec_rmpv::ValueRef);
