//! Answers for the variant `parse`.

harness::answer_main!(faulty::Parse);
