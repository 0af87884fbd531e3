//! Answers for the codec that does nothing.

harness::answer_main!(harness::Nothing, control);
