//! Times `stats` of the variant `parse`.

harness::bench_main!(faulty::Parse, stats);
