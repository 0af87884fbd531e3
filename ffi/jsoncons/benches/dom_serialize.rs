//! Times serializing with `jsoncons::json`.

harness::bench_main!(codec_jsoncons::Dom, serialize);
