//! Answers for msgpack-cxx with strings that point into the input.

harness::answer_main!(codec_msgpack_cxx::ZeroCopy);
