//! Times parsing and reading all with rmp-serde and `serde_json::Value`.

harness::bench_main!(codec_rmp_serde::JsonValue, read);
