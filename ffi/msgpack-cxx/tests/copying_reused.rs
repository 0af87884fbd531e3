//! Answers for msgpack-cxx with a zone and a buffer that are used again.

harness::answer_main!(codec_msgpack_cxx::CopyingReused);
