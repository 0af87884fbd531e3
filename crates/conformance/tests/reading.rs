//! Case files and `known.toml` files with faults in them.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::fs;

use conformance::{Case, Ended, Known, Surprise, judge};

const GOOD: &str = "name = 'a'\nbytes = 'c0'\nexpect = { nil = true }\nsection = 's'\nwhy = 'w'\n";

fn read(name: &str, text: &str) -> anyhow::Result<Vec<Case>> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    fs::write(&file, text).unwrap();
    conformance::read_file(&file)
}

/// The error of a file with one case, which is the good one after a change.
fn error(from: &str, to: &str) -> String {
    let changed = GOOD.replacen(from, to, 1);
    assert_ne!(changed, GOOD);
    format!("{:#}", read("a.toml", &format!("[[case]]\n{changed}")).unwrap_err())
}

#[test]
fn an_id_is_the_name_of_the_file_and_the_case() {
    let cases = read("simple.toml", &format!("[[case]]\n{GOOD}")).unwrap();
    assert_eq!(cases[0].id, "simple/a");
}

#[test]
fn the_same_name_twice_is_an_error() {
    let error = read("a.toml", &format!("[[case]]\n{GOOD}[[case]]\n{GOOD}")).unwrap_err();
    assert!(error.to_string().contains("`a/a` is there twice"), "{error}");
}

#[test]
fn files_are_read_in_the_order_of_their_names_and_others_are_left_alone() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("data/conformance/msgpack");
    fs::create_dir_all(&folder).unwrap();
    assert!(conformance::read(root.path(), "msgpack").is_err(), "no case");
    for name in ["b.toml", "a.toml", "README.md"] {
        fs::write(folder.join(name), format!("[[case]]\n{GOOD}")).unwrap();
    }
    let cases = conformance::read(root.path(), "msgpack").unwrap();
    let ids: Vec<_> = cases.iter().map(|case| case.id.as_str()).collect();
    assert_eq!(ids, ["a/a", "b/a"]);
    assert!(conformance::read(root.path(), "cbor").is_err());
}

#[test]
fn what_no_case_can_be_is_an_error() {
    for (from, to, expected) in [
        ("'a'", "'A b'", "lower-case words"),
        ("'a'", "''", "lower-case words"),
        ("why = 'w'", "why = ' '", "`why` is empty"),
        ("section", "sections", "unknown field"),
        ("bytes = 'c0'", "", "one of `bytes`"),
        ("bytes = 'c0'", "bytes = 'c0'\neach = ['c0', 'c0']", "one of `bytes`"),
        ("bytes = 'c0'", "each = ['c0']", "for several messages"),
        ("bytes = 'c0'", "prefixes_of = ''", "no prefix"),
        ("bytes = 'c0'", "bytes = 'c'", "pairs of hexadecimal digits"),
        ("{ nil = true }", "'accept'", "is not known"),
        ("{ nil = true }", "'open'", "is not known"),
        ("{ nil = true }", "'reject'", "`error` is for the one input"),
        ("{ nil = true }", "{ nil = true }\nvalue = 1", "there twice"),
        ("{ nil = true }", "{ nil = true }\nerror = 'e'", "`error` is for the one input"),
        ("{ nil = true }", "{ nil = true }\nscore = 'reject'", "cannot be scored as `reject`"),
        ("{ nil = true }", "'reject'\nerror = 'e'\nscore = 'core'", "cannot be scored as `core`"),
        ("{ nil = true }", "{ nil = true }\nscore = 'others'", "unknown variant"),
        ("{ nil = true }", "{ nil = true }\nmust_not = ['00']", "go with `writes`"),
        ("{ nil = true }", "'reject'\nerror = 'e'\nwrites = '00'", "what is accepted is written"),
        ("{ nil = true }", "{ nil = true }\nprobe = 'p'", "a probe expects"),
        ("{ nil = true }", "'open'\nvalue = 1\nanswers = [{ answer = 'a', value = 1 }]", "`probe`"),
        (
            "{ nil = true }",
            "'open'\nvalue = 1\nprobe = 'p'\nanswers = [{ answer = 'a' }]",
            "either `value` or `bytes`",
        ),
    ] {
        let error = error(from, to);
        assert!(error.contains(expected), "{to}: {error}");
    }
}

const KNOWN: &str = "[[known]]\ncases = ['a/a']\nvariant = 'tree'\nversions = '1.1.0 to 1.1.1'\noutcome = 'rejected'\nwhy = 'w'\nlink = 'l'\n";

fn known(text: &str) -> anyhow::Result<Vec<Known>> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("known.toml"), text).unwrap();
    Known::read(folder.path())
}

#[test]
fn a_known_toml_with_faults_is_an_error_and_a_missing_one_is_empty() {
    assert_eq!(Known::read(tempfile::tempdir().unwrap().path()).unwrap(), []);
    assert_eq!(known("").unwrap(), []);
    assert_eq!(known(KNOWN).unwrap().len(), 1);
    for (from, to) in [
        ("why = 'w'", ""),
        ("link = 'l'", "link = ''"),
        ("variant", "variants"),
        ("['a/a']", "[]"),
        ("['a/a']", "['a/a', 'a/a']"),
    ] {
        assert!(known(&KNOWN.replacen(from, to, 1)).is_err(), "{to}");
    }
}

#[test]
fn what_is_known_must_go_on_failing_and_in_the_same_way() {
    let cases = read("a.toml", &format!("[[case]]\n{GOOD}")).unwrap();
    let surprises = |variant: &str, version: &str, ended: Ended| {
        let judgement = judge(&cases[0], &[ended.into()]);
        let known = known(KNOWN).unwrap();
        conformance::surprises(&known, variant, version, [(&cases[0], &judgement)])
    };
    let rejected = || Ended::Rejected("no".into());
    let accepted = || Ended::Accepted(Ok(vec![0xc0]));
    let crashed = || Ended::Lost("crashed: SIGSEGV".into());
    let case = || "a/a".to_owned();
    let fails = |outcome: &str| vec![Surprise::Fails { case: case(), outcome: outcome.into() }];

    assert_eq!(surprises("tree", "1.1.1", rejected()), []);
    assert_eq!(surprises("tree", "1.1.1", accepted()), [Surprise::Passes { case: case() }]);
    let (known_outcome, outcome) = ("rejected".into(), "crashed: SIGSEGV".into());
    let otherwise = Surprise::FailsOtherwise { case: case(), known: known_outcome, outcome };
    assert_eq!(surprises("tree", "1.1.1", crashed()), [otherwise]);
    assert_eq!(surprises("tree", "1.2.0", rejected()), fails("rejected"));
    assert_eq!(surprises("other", "1.1.1", rejected()), fails("rejected"));
    assert_eq!(surprises("other", "1.1.1", accepted()), []);
}

#[test]
fn a_known_case_that_does_not_exist_is_found() {
    let cases = read("a.toml", &format!("[[case]]\n{GOOD}")).unwrap();
    let known = known(&KNOWN.replacen("'a/a'", "'a/a', 'a/b'", 1)).unwrap();
    assert_eq!(conformance::unknown_cases(&known, &cases), ["a/b"]);
}
