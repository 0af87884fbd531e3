//! Times parsing with `jsoncons::json`.

harness::bench_main!(codec_jsoncons::Dom, parse);
