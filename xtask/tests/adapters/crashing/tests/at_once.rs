//! Answers for the variant `at-once`.

harness::answer_main!(crashing::AtOnce);
