//! Times parsing and reading all with msgpack-cxx and a zone that owns all.

harness::bench_main!(codec_msgpack_cxx::Copying, read);
