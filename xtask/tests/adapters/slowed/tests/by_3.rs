//! Answers for the variant `by-3`.

harness::answer_main!(slowed::By3);
