//! Times parsing and reading all with the value class of taocpp/json.

harness::bench_main!(codec_taocpp_json::Dom, read);
