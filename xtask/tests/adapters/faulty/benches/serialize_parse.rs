//! Times `parse` of the variant `serialize`.

harness::bench_main!(faulty::Serialize, parse);
