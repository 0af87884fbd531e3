//! Times `read` of the variant `at-once`.

harness::bench_main!(crashing::AtOnce, read);
