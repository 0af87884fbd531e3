//! Answers for msgpack-cxx with a zone that owns all.

harness::answer_main!(codec_msgpack_cxx::Copying);
