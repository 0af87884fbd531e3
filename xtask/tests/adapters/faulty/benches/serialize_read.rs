//! Times `read` of the variant `serialize`.

harness::bench_main!(faulty::Serialize, read);
