//! Times `read` of the variant `by-10`.

harness::bench_main!(slowed::By10, read);
