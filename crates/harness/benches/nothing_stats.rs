//! Times what the harness itself costs in `stats`.

harness::bench_main!(harness::Nothing, stats);
