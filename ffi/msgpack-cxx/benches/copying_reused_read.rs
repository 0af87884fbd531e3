//! Times parsing and reading all with msgpack-cxx and a zone and a buffer that are used again.

harness::bench_main!(codec_msgpack_cxx::CopyingReused, read);
