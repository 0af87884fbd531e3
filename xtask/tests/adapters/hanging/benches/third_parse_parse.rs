//! Times `parse` of the variant `third-parse`.

harness::bench_main!(hanging::ThirdParse, parse);
