//! Times `read` of the variant `parse`.

harness::bench_main!(faulty::Parse, read);
