//! Times the walk that counts with msgpack-cxx and strings that point into the input.

harness::bench_main!(codec_msgpack_cxx::ZeroCopy, stats);
