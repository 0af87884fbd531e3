//! Times `parse` of the variant `parse`.

harness::bench_main!(faulty::Parse, parse);
