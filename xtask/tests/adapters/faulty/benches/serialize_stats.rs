//! Times `stats` of the variant `serialize`.

harness::bench_main!(faulty::Serialize, stats);
