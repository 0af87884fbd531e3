//! Answers for the variant `by-0`.

harness::answer_main!(slowed::By0);
