//! Takes files of a user's, as they come.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::{fs, path::Path};

use dataset::{Built, from_file};
use tempfile::TempDir;

/// Gives a file with these bytes to `from_file`.
fn take(folder: &TempDir, name: &str, bytes: &[u8]) -> anyhow::Result<Built> {
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    from_file(&path, &folder.path().join("scratch"))
}

fn error(built: anyhow::Result<Built>) -> String {
    match built {
        Ok(built) => panic!("took {} bytes", built.bytes.len()),
        Err(error) => format!("{error:#}"),
    }
}

#[test]
fn messagepack_is_used_as_it_is_and_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    // The integer 1 in nine bytes, where one would do.
    let bytes = b"\x91\xcf\0\0\0\0\0\0\0\x01";
    let built = take(&folder, "odd.bin", bytes).unwrap();
    assert_eq!(built.bytes, bytes);
    assert_eq!(built.path, folder.path().join("odd.bin"));
    assert_eq!((built.stats.arrays, built.stats.numbers, built.sums.integers), (1, 1, 1));
    assert_eq!(built.source_json, None);
    assert!(!folder.path().join("scratch").exists());
}

#[test]
fn json_is_encoded_into_the_scratch_folder_whatever_its_name() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["text.json", "text.JSON", "text.txt", "text"] {
        let built = take(&folder, name, b" [1]\n").unwrap();
        assert_eq!(built.bytes, b"\x91\x01", "{name}");
        assert_eq!(built.id, "input/text");
        assert_eq!(built.path, folder.path().join("scratch/input/text.msgpack"));
        assert_eq!(fs::read(&built.path).unwrap(), built.bytes);
        assert_eq!(built.source_json.map(|text| text.len()), Some(5));
    }
}

#[test]
fn messagepack_under_the_name_of_json_is_still_messagepack() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(take(&folder, "a.json", b"\x91\x01").unwrap().bytes, b"\x91\x01");
}

/// The byte `7` is the integer 7 in JSON and 55 in MessagePack.
#[test]
fn where_a_file_could_be_both_its_extension_decides() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(take(&folder, "a.json", b"7").unwrap().sums.integers, 7);
    assert_eq!(take(&folder, "a.msgpack", b"7").unwrap().sums.integers, 55);
}

#[test]
fn a_file_that_is_neither_is_an_error_with_the_place_for_both() {
    let folder = tempfile::tempdir().unwrap();
    let cut = error(take(&folder, "cut.msgpack", b"\x92\x01\xa5abc"));
    assert!(cut.contains("offset 2"), "{cut}");
    assert!(cut.contains("line 1 column 1"), "{cut}");
    assert!(cut.contains("fix: `cargo xtask inspect ") && cut.contains("cut.msgpack"), "{cut}");

    let json = error(take(&folder, "bad.json", b"[1,\n2,]"));
    assert!(json.contains("line 2 column 3"), "{json}");
    assert!(json.contains("fix: correct the JSON there"), "{json}");

    let trailing = error(take(&folder, "two", b"\xc0\xc0"));
    assert!(trailing.contains("offset 1"), "{trailing}");
}

#[test]
fn a_number_that_no_float64_can_hold_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let error = error(take(&folder, "huge.json", b"[1e400]"));
    assert!(error.contains("number out of range"), "{error}");
}

#[test]
fn an_empty_file_a_folder_and_no_file_are_errors_that_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let scratch = folder.path().join("scratch");
    for (error, says) in [
        (error(take(&folder, "empty.json", b"")), "is empty"),
        (error(from_file(folder.path(), &scratch)), "is a folder or device"),
        (
            error(from_file(Path::new("no-such-file"), &scratch)),
            "cannot read the input file `no-such-file`",
        ),
    ] {
        assert!(error.contains(says) && error.contains("\n  fix: "), "{error}");
    }
}

#[test]
fn the_id_is_made_from_the_name_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    for (name, id) in [
        ("Sensor rows (2).msgpack", "input/sensor-rows-2"),
        ("citm_catalog.json", "input/citm-catalog"),
        ("--.bin", "input/file"),
        ("größe.bin", "input/gr-e"),
        ("a.tar.gz", "input/a-tar"),
    ] {
        assert_eq!(take(&folder, name, b"\xc0").unwrap().id, id);
    }
}

#[test]
fn a_scratch_folder_that_cannot_be_made_is_an_error_with_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("scratch"), "").unwrap();
    let error = error(take(&folder, "a.json", b"[]"));
    assert!(error.contains("cannot write") && error.contains("fix: make room"), "{error}");
}
