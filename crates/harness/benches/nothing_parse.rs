//! Times what the harness itself costs in `parse`.

harness::bench_main!(harness::Nothing, parse);
