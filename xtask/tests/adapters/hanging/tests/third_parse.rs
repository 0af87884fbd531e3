//! Answers for the variant `third-parse`.

harness::answer_main!(hanging::ThirdParse);
