//! Times `stats` of the variant `by-0`.

harness::bench_main!(slowed::By0, stats);
