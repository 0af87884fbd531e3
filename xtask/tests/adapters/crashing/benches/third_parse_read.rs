//! Times `read` of the variant `third-parse`.

harness::bench_main!(crashing::ThirdParse, read);
