//! Times the walk that counts with rmp-serde and `serde_json::Value`.

harness::bench_main!(codec_rmp_serde::JsonValue, stats);
