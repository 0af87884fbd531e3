//! Times `serialize` of the variant `serialize`.

harness::bench_main!(faulty::Serialize, serialize);
