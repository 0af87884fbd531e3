//! Times `stats` of the variant `by-3`.

harness::bench_main!(slowed::By3, stats);
