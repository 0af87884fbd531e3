//! Times the walk that counts with msgpack-cxx and a zone that owns all.

harness::bench_main!(codec_msgpack_cxx::Copying, stats);
