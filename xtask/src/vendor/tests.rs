//! Tests of `vendor` without any client: the sources are put in place as if fetched.

use super::source::tests::example;
use super::stamp::tests::package;
use super::*;

/// A root with a pinned crate and, fetched from it, the source `toy`.
fn root_with_toy() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let cargo = root.path().join("vendor/cargo");
    fs::create_dir_all(&cargo).unwrap();
    fs::write(cargo.join("Cargo.toml"), "").unwrap();
    pin_to(root.path(), "1.0.0");
    package(&root.path().join("package"));
    let source = example("toy");
    let pin = pin::read(root.path(), &source).unwrap();
    let folder = folder(root.path(), &source);
    stamp::install(&root.path().join("package"), &source, &pin, Some(7), &folder).unwrap();
    root
}

fn pin_to(root: &Path, version: &str) {
    let entry = format!("[[package]]\nname = 'carrier'\nversion = '{version}'\nchecksum = 'aa'\n");
    fs::write(root.join("vendor/cargo/Cargo.lock"), entry).unwrap();
}

fn state_of_toy(root: &Path) -> State {
    state(root, &example("toy")).unwrap()
}

#[test]
fn a_matching_stamp_needs_no_client_and_says_nothing() {
    let root = root_with_toy();
    let silent = |line: &str| panic!("said: {line}");
    let results = fetch(root.path(), &[example("toy")], Edited::Report, &silent).unwrap();
    let toy = results["toy"].as_ref().unwrap();
    assert_eq!((toy.version.as_str(), toy.packed_s, toy.now), ("1.0.0", Some(7), false));
    assert!(tools(root.path(), &[example("toy")]).is_empty());
}

#[test]
fn an_edited_an_added_and_a_removed_file_are_reported_and_left_alone() {
    let root = root_with_toy();
    let header = root.path().join("vendor/fetched/toy/include/toy.h");
    let text = fs::read(&header).unwrap();
    let is_reported = || {
        let results =
            fetch(root.path(), &[example("toy")], Edited::Report, &|line| panic!("said: {line}"));
        let error = results.unwrap().remove("toy").unwrap().unwrap_err();
        assert!(matches!(error, VendorError::Edited { .. }), "{error}");
        assert!(error.to_string().contains("in vendor/fetched/toy is not"), "{error}");
    };

    fs::write(&header, "edited\n").unwrap();
    is_reported();
    assert_eq!(fs::read(&header).unwrap(), b"edited\n");
    fs::remove_file(&header).unwrap();
    is_reported();
    fs::write(&header, text).unwrap();
    assert!(matches!(state_of_toy(root.path()), State::Whole(_)));
    fs::write(root.path().join("vendor/fetched/toy/added.h"), "").unwrap();
    is_reported();
}

#[test]
fn another_pin_another_description_and_a_lost_stamp_mean_missing() {
    let root = root_with_toy();
    pin_to(root.path(), "1.0.1");
    assert!(matches!(state_of_toy(root.path()), State::Missing(_)));
    pin_to(root.path(), "1.0.0");
    assert!(matches!(state_of_toy(root.path()), State::Whole(_)));

    let mut source = example("toy");
    source.copy[0].to = "headers".to_owned();
    assert!(matches!(state(root.path(), &source).unwrap(), State::Missing(_)));
    assert_eq!(tools(root.path(), &[source]), BTreeSet::from([Tool::Cargo]));

    fs::remove_file(root.path().join("vendor/fetched/toy/.stamp.json")).unwrap();
    assert!(matches!(state_of_toy(root.path()), State::Missing(_)));
}

#[test]
fn an_edited_tree_is_not_replaced_unasked_by_a_new_pin() {
    let root = root_with_toy();
    fs::write(root.path().join("vendor/fetched/toy/include/toy.h"), "edited\n").unwrap();
    pin_to(root.path(), "1.0.1");
    assert!(matches!(state_of_toy(root.path()), State::Edited(..)));
}

#[test]
fn a_copy_without_a_move_is_missing() {
    let root = root_with_toy();
    let fetched = root.path().join("vendor/fetched");
    fs::rename(fetched.join("toy"), fetched.join(".toy.partial")).unwrap();
    assert!(matches!(state_of_toy(root.path()), State::Missing(_)));
}

#[test]
fn one_source_that_fails_does_not_stop_the_others() {
    let root = root_with_toy();
    let mut unpinned = example("other");
    unpinned.package = "unpinned".to_owned();
    let sources = [unpinned, example("toy")];
    let results = fetch(root.path(), &sources, Edited::Report, &|_| {}).unwrap();
    assert!(results["toy"].is_ok());
    let error = results["other"].as_ref().unwrap_err().to_string();
    assert!(error.contains("`unpinned` is not pinned"), "{error}");

    let mut out = Vec::new();
    assert!(!run(root.path(), &sources, &[], &mut out).unwrap());
    let out = String::from_utf8(out).unwrap();
    let words: Vec<_> = out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(words[0], ["other", "-", "-", "failed"] as [&str; 4]);
    let toy: &Vec<&str> = &words[1];
    assert_eq!(*toy, ["toy", "1.0.0", "cargo", "already", "there"]);
}

#[test]
fn two_descriptions_of_one_source_are_an_error_and_one_twice_is_not() {
    let root = root_with_toy();
    let mut other = example("toy");
    other.package = "another".to_owned();
    let fetch = |sources: &[Source]| fetch(root.path(), sources, Edited::Report, &|_| {}).unwrap();
    assert!(fetch(&[example("toy"), example("toy")])["toy"].is_ok());
    assert!(fetch(&[example("toy"), other])["toy"].is_err());
}

#[test]
fn an_unknown_name_is_an_error_that_lists_the_known_ones() {
    let root = root_with_toy();
    let names = ["toys".to_owned()];
    let error = run(root.path(), &[example("toy")], &names, &mut Vec::new()).unwrap_err();
    assert_eq!(error.to_string(), "no source is named `toys`\n  fix: one of toy");
}

#[test]
fn the_forecast_names_packages_and_sums() {
    let pin = || stamp::tests::pin();
    let (toy, more, mut suite) = (example("toy"), example("more"), example("suite"));
    suite.client = Client::Npm;
    let text = forecast(&[(&toy, pin()), (&more, pin()), (&suite, pin())]);
    assert!(text.contains("1.0 MB  cargo carrier 1.0.0"), "{text}");
    // The two crates come together and count once.
    assert!(text.contains("about 2.0 MB to download, at most 4.0 MB of disk, 6 s"), "{text}");
}

#[test]
fn compilers_are_needed_by_language() {
    let root = root_with_toy();
    let mut source = example("toy");
    source.language = Some(Language::Cxx);
    assert_eq!(tools(root.path(), &[source]), BTreeSet::from([Tool::CxxCompiler]));
}
