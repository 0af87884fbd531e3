//! Times `stats` of the variant `at-once`.

harness::bench_main!(crashing::AtOnce, stats);
