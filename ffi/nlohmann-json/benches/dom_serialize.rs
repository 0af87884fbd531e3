//! Times serializing with `nlohmann::json`.

harness::bench_main!(codec_nlohmann_json::Dom, serialize);
