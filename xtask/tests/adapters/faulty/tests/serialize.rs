//! Answers for the variant `serialize`.

harness::answer_main!(faulty::Serialize);
