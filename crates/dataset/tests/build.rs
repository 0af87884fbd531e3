//! Builds a tiny document in a root of its own, well and badly.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::{fs, path::Path};

use dataset::{Built, Definitions, build};
use oracle::{Stats, Sums, Value};
use tempfile::TempDir;

const JSON: &str = r#"{"a":[1,-0.0,"é"],"a":null}"#;

/// [`JSON`] by hand, from the MessagePack specification.
const MESSAGE: &[u8] =
    b"\x82\xa1a\x93\x01\xcb\x80\x00\x00\x00\x00\x00\x00\x00\xa2\xc3\xa9\xa1a\xc0";

/// Of [`MESSAGE`], by `sha256sum`.
const SHA256: &str = "24d6f9efd29bfa738945896a2ea3f3cb34207a415cfecf0dd781ef7bb6682b1a";

/// [`JSON`], by `xz`.
const XZ: &[u8] = &[
    0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x04, 0xe6, 0xd6, 0xb4, 0x46, 0x02, 0x00, 0x21, 0x01,
    0x16, 0x00, 0x00, 0x00, 0x74, 0x2f, 0xe5, 0xa3, 0x01, 0x00, 0x1b, 0x7b, 0x22, 0x61, 0x22, 0x3a,
    0x5b, 0x31, 0x2c, 0x2d, 0x30, 0x2e, 0x30, 0x2c, 0x22, 0xc3, 0xa9, 0x22, 0x5d, 0x2c, 0x22, 0x61,
    0x22, 0x3a, 0x6e, 0x75, 0x6c, 0x6c, 0x7d, 0x00, 0x51, 0x94, 0x19, 0xb7, 0xea, 0xc3, 0xc5, 0xcf,
    0x00, 0x01, 0x34, 0x1c, 0x93, 0x1a, 0xad, 0x8f, 0x1f, 0xb6, 0xf3, 0x7d, 0x01, 0x00, 0x00, 0x00,
    0x00, 0x04, 0x59, 0x5a,
];

const DEFINITION: &str = r#"
[[dataset]]
id = "small/tiny"
input_bytes = 20
sha256 = "24d6f9efd29bfa738945896a2ea3f3cb34207a415cfecf0dd781ef7bb6682b1a"
counts = { maps = 1, arrays = 1, strings = 3, binaries = 0, extensions = 0, numbers = 2, booleans = 0, nils = 1 }
source.json = { file = "tiny/tiny.json.xz", bytes = 28 }
licence = "ours"
shape = "one small map"
why = "a test"
"#;

/// A repository root that has the definition and its source, and nothing else.
fn root() -> TempDir {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir_all(root.path().join("data")).unwrap();
    fs::create_dir_all(root.path().join("vendor/fetched/tiny")).unwrap();
    fs::write(root.path().join("vendor/fetched/tiny/tiny.json.xz"), XZ).unwrap();
    root
}

/// Builds after one change to the definition.
fn build_with(root: &Path, from: &str, to: &str) -> anyhow::Result<Built> {
    assert!(DEFINITION.contains(from), "nothing to change: {from}");
    fs::write(root.join("data/datasets.toml"), DEFINITION.replace(from, to)).unwrap();
    let definitions = Definitions::read(root).unwrap();
    build(root, &definitions.datasets[0])
}

fn build_it(root: &Path) -> anyhow::Result<Built> {
    build_with(root, "", "")
}

/// All causes, as a user reads them.
fn error(built: anyhow::Result<Built>) -> String {
    match built {
        Ok(built) => panic!("built {} bytes", built.bytes.len()),
        Err(error) => format!("{error:#}"),
    }
}

#[test]
fn a_document_becomes_the_message_that_the_specification_asks_for() {
    let root = root();
    let built = build_it(root.path()).unwrap();
    assert_eq!(built.bytes, MESSAGE);
    assert_eq!(built.sha256, SHA256);
    assert_eq!(fs::read(&built.path).unwrap(), MESSAGE);
    assert_eq!(built.path, root.path().join("data/generated/small/tiny.msgpack"));
    assert_eq!(built.source_json.as_deref(), Some(JSON.as_bytes()));

    let items = vec![Value::from(1_u64), Value::from(-0.0_f64), Value::from("é")];
    let entries = vec![("a".into(), Value::Array(items)), ("a".into(), Value::Nil)];
    assert!(built.value == Value::Map(entries));
    let stats = Stats { maps: 1, arrays: 1, strings: 3, numbers: 2, nils: 1, ..Stats::default() };
    assert_eq!(built.stats, stats);
    let bytes = 2 * u64::from(b'a') + 0xc3 + 0xa9;
    assert_eq!(built.sums, Sums { integers: 1, float_bits: 1 << 63, bytes });
}

#[test]
fn a_source_without_compression_gives_the_same_message() {
    let root = root();
    fs::write(root.path().join("vendor/fetched/tiny/tiny.json"), JSON).unwrap();
    let built = build_with(root.path(), "tiny.json.xz", "tiny.json").unwrap();
    assert_eq!(built.bytes, MESSAGE);
}

#[test]
fn a_generated_message_is_used_without_its_source() {
    let root = root();
    build_it(root.path()).unwrap();
    fs::remove_dir_all(root.path().join("vendor")).unwrap();
    assert_eq!(build_it(root.path()).unwrap().bytes, MESSAGE);
}

#[test]
fn a_generated_message_that_is_torn_or_edited_is_made_again() {
    let root = root();
    let path = build_it(root.path()).unwrap().path;
    let mut edited = MESSAGE.to_vec();
    edited[4] ^= 1;
    for damaged in [&MESSAGE[..7], &[], &edited] {
        fs::write(&path, damaged).unwrap();
        assert_eq!(build_it(root.path()).unwrap().bytes, MESSAGE);
        assert_eq!(fs::read(&path).unwrap(), MESSAGE);
    }
}

#[test]
fn nothing_but_the_message_stays_in_its_folder() {
    let root = root();
    let built = build_it(root.path()).unwrap();
    let names: Vec<_> = built.path.parent().unwrap().read_dir().unwrap().collect();
    assert_eq!(names.len(), 1, "{names:?}");
}

#[test]
fn a_wrong_hash_is_an_error_with_both_hashes_and_leaves_no_file() {
    let root = root();
    let wrong = SHA256.replace("24d6", "0000");
    assert_eq!(
        error(build_with(root.path(), SHA256, &wrong)),
        format!(
            "the message of `small/tiny`, made from vendor/fetched/tiny/tiny.json.xz, is not the one that is defined
  defined: 20 bytes, sha256 {wrong}
  made:    20 bytes, sha256 {SHA256}
  fix:     `cargo xtask vendor tiny`, which fetches the source again;
           if data/datasets.toml is what changed, give the dataset a new id there"
        )
    );
    assert!(!root.path().join("data/generated").exists());
}

#[test]
fn a_wrong_size_is_an_error_even_beside_a_message_that_was_right() {
    let root = root();
    build_it(root.path()).unwrap();
    let error = error(build_with(root.path(), "input_bytes = 20", "input_bytes = 21"));
    assert!(error.contains("defined: 21 bytes") && error.contains("made:    20 bytes"), "{error}");
}

#[test]
fn a_wrong_count_is_an_error_with_both_counts_made_or_loaded() {
    let root = root();
    for _ in ["made", "loaded"] {
        let error = error(build_with(root.path(), "nils = 1", "nils = 2"));
        assert!(error.contains("nils: 2") && error.contains("nils: 1"), "{error}");
        assert!(error.contains("fix:     correct `counts` in data/datasets.toml"), "{error}");
    }
}

#[test]
fn a_missing_source_is_an_error_that_names_the_command_that_fetches_it() {
    let root = root();
    fs::remove_dir_all(root.path().join("vendor")).unwrap();
    assert_eq!(
        error(build_it(root.path())),
        "the source of `small/tiny` is not there: vendor/fetched/tiny/tiny.json.xz
  fix: `cargo xtask vendor tiny`"
    );
}

#[test]
fn a_source_of_another_size_is_an_error_that_says_so() {
    let root = root();
    for (bytes, got) in [("bytes = 27 }", "got more"), ("bytes = 29 }", "got 28")] {
        let error = error(build_with(root.path(), "bytes = 28 }", bytes));
        assert!(error.contains(got) && error.contains("`cargo xtask vendor tiny`"), "{error}");
    }
}

#[test]
fn a_source_that_was_edited_or_cut_is_an_error_that_names_it() {
    let root = root();
    let source = root.path().join("vendor/fetched/tiny/tiny.json.xz");
    let mut edited = XZ.to_vec();
    edited[30] ^= 1;
    for damaged in [&XZ[..40], JSON.as_bytes(), &edited] {
        fs::write(&source, damaged).unwrap();
        let error = error(build_it(root.path()));
        assert!(error.contains("vendor/fetched/tiny/tiny.json.xz"), "{error}");
        assert!(error.contains("fix: `cargo xtask vendor tiny`"), "{error}");
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error_with_a_remedy() {
    let root = root();
    // Rights would not stop root, a file in the way stops everybody.
    fs::write(root.path().join("data/generated"), "").unwrap();
    let error = error(build_it(root.path()));
    assert!(
        error.contains("cannot write") && error.contains("fix: make room for 20 bytes"),
        "{error}"
    );
}
