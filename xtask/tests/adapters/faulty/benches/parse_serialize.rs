//! Times `serialize` of the variant `parse`.

harness::bench_main!(faulty::Parse, serialize);
