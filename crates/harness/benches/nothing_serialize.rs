//! Times what the harness itself costs in `serialize`.

harness::bench_main!(harness::Nothing, serialize);
