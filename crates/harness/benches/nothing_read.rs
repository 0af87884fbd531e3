//! Times what the harness itself costs in `read`.

harness::bench_main!(harness::Nothing, read);
