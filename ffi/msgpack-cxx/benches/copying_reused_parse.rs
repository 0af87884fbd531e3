//! Times parsing with msgpack-cxx and a zone and a buffer that are used again.

harness::bench_main!(codec_msgpack_cxx::CopyingReused, parse);
