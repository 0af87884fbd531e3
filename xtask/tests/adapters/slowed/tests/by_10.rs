//! Answers for the variant `by-10`.

harness::answer_main!(slowed::By10);
