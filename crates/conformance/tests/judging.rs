//! Every rule of the judge, tried with an answer that is right and with one that is wrong.

use std::{path::Path, time::Duration};

use conformance::{Bound, Case, Ended, Expect, Meaning, Observed, Verdict, Writes, judge};
use oracle::{Value, msgpack};

fn case(inputs: &[&[u8]], expect: Expect) -> Case {
    Case {
        id: "a/a".into(),
        inputs: inputs.iter().map(|input| input.to_vec()).collect(),
        expect,
        category: None,
        writes: None,
        bound: None,
        probe: None,
        section: "s".into(),
        why: "w".into(),
        reports: Vec::new(),
    }
}

fn accept(value: Value) -> Expect {
    Expect::Accept(Meaning { value, or: Vec::new() })
}

/// The outcome when a message is accepted and these bytes are written.
fn outcome(case: &Case, written: &[u8]) -> String {
    judge(case, &[Ended::Accepted(Ok(written.to_vec())).into()]).outcome
}

/// Whether an output that says `got` passes for a message that says `expected`.
fn passes(expected: &Value, got: &Value) -> bool {
    let case = case(&[&msgpack::encode(expected)], accept(expected.clone()));
    let judgement = judge(&case, &[Ended::Accepted(Ok(msgpack::encode(got))).into()]);
    judgement.verdict == Verdict::Passed
}

fn map(entries: &[(&str, i64)]) -> Value {
    Value::Map(entries.iter().map(|&(key, value)| (key.into(), value.into())).collect())
}

#[test]
fn a_roundtrip_may_not_change_the_value() {
    let list = |numbers: &[i64]| Value::Array(numbers.iter().map(|&n| n.into()).collect());
    let differing = [
        (Value::from(1_i64), Value::from(2_i64)),
        (Value::from(1_i64), Value::from(1.0_f64)),
        (Value::from(-1_i64), Value::from(u64::MAX)),
        (Value::from(1_i64), Value::from(true)),
        (Value::Nil, Value::from(false)),
        (Value::Nil, Value::from("")),
        (Value::from(-0.0_f64), Value::from(0.0_f64)),
        (Value::from(0.1_f64), Value::from(0.1_f32)),
        (Value::F64(0x7ff8_0000_0000_0000), Value::F64(0x7ff8_0000_0000_0001)),
        (Value::F32(0x7fa0_0000), Value::F32(0x7fe0_0000)),
        (Value::from("a"), Value::from("b")),
        (Value::from("a"), Value::Bin(b"a".to_vec())),
        (Value::Bin(vec![1]), Value::Bin(vec![1, 0])),
        (Value::Ext(5, vec![1]), Value::Ext(6, vec![1])),
        (Value::Ext(5, vec![1]), Value::Ext(5, vec![2])),
        (Value::Ext(-1, vec![0; 4]), Value::from(0_i64)),
        (list(&[1, 2]), list(&[2, 1])),
        (list(&[1, 2]), list(&[1])),
        (list(&[]), map(&[])),
        (map(&[("a", 1)]), map(&[("a", 2)])),
        (map(&[("a", 1)]), map(&[("b", 1)])),
        (map(&[("a", 1), ("a", 2)]), map(&[("a", 2)])),
        (map(&[("a", 1), ("b", 2)]), map(&[("a", 2), ("b", 1)])),
        (Value::Map(vec![(1_i64.into(), Value::Nil)]), Value::Map(vec![("1".into(), Value::Nil)])),
    ];
    for (expected, got) in differing {
        assert!(passes(&expected, &expected), "{expected}");
        assert!(!passes(&expected, &got), "{expected} and {got}");
        assert!(!passes(&got, &expected), "{got} and {expected}");
    }
}

#[test]
fn a_roundtrip_may_change_the_order_of_keys_and_the_width_of_floats_and_headers() {
    assert!(passes(&map(&[("a", 1), ("b", 2)]), &map(&[("b", 2), ("a", 1)])));
    assert!(passes(&Value::from(1.5_f64), &Value::from(1.5_f32)));
    assert!(passes(&Value::from(1.5_f32), &Value::from(1.5_f64)));
    let case = case(&[&[0x01]], accept(1_i64.into()));
    assert_eq!(outcome(&case, &[0xd1, 0x00, 0x01]), "accepted");
}

#[test]
fn another_value_passes_only_where_the_case_allows_it() {
    let signalling = Value::F32(0x7fa0_0000);
    let (quiet, other) = (Value::F32(0x7fe0_0000), Value::F32(0x7fc0_0000));
    let expect = Expect::Accept(Meaning { value: signalling, or: vec![quiet.clone()] });
    let case = case(&[&[0xca, 0x7f, 0xa0, 0, 0]], expect);
    assert_eq!(outcome(&case, &msgpack::encode(&quiet)), "accepted");
    assert_eq!(outcome(&case, &msgpack::encode(&other)), "changed");
}

#[test]
fn an_encoder_must_write_the_canonical_bytes_or_others_that_are_good() {
    let mut case = case(&[&[0xd1, 0x00, 0x80]], accept(128_i64.into()));
    case.writes = Some(Writes {
        canonical: vec![0xcc, 0x80],
        also_ok: vec![vec![0xd1, 0x00, 0x80]],
        must_not: vec![vec![0xd0, 0x80]],
    });
    assert_eq!(outcome(&case, &[0xcc, 0x80]), "accepted");
    assert_eq!(outcome(&case, &[0xd1, 0x00, 0x80]), "accepted");
    assert_eq!(outcome(&case, &[0xcd, 0x00, 0x80]), "longer-than-needed");
    assert_eq!(outcome(&case, &[0xd0, 0x80]), "changed");
    let judgement = judge(&case, &[Ended::Accepted(Ok(vec![0xcd, 0x00, 0x80])).into()]);
    assert_eq!(judgement.verdict, Verdict::Failed);
    assert_eq!(judgement.expected, "accepted as 128, and written as cc 80 or d1 00 80");
    assert_eq!(judgement.observed, "wrote cd 00 80");
}

#[test]
fn what_costs_too_much_fails_however_right_the_answer() {
    let mut case = case(&[&[0xdd]], Expect::Reject(Some("e".into())));
    case.bound = Some(Bound { extra_mib: 4, seconds: 0.5 });
    let judged = |memory_bytes: u64, milliseconds: u64| {
        let ended = Ended::Rejected("no".into());
        let time = Some(Duration::from_millis(milliseconds));
        let judgement = judge(&case, &[Observed { ended, memory_bytes: Some(memory_bytes), time }]);
        (judgement.verdict, judgement.outcome)
    };
    assert_eq!(judged(4 << 20, 500), (Verdict::Passed, "rejected".into()));
    assert_eq!(judged((4 << 20) + 1, 0), (Verdict::Failed, "too-much-memory".into()));
    assert_eq!(judged(0, 501), (Verdict::Failed, "too-slow".into()));
    let free = Observed::from(Ended::Rejected("no".into()));
    assert_eq!(judge(&case, &[free]).verdict, Verdict::Passed);
}

#[test]
fn a_wrong_answer_that_also_costs_too_much_is_known_by_the_wrong_answer() {
    let mut case = case(&[&[0xdd]], Expect::Reject(Some("e".into())));
    case.bound = Some(Bound { extra_mib: 4, seconds: 0.5 });
    let ended = Ended::Lost("out-of-memory".into());
    let judgement = judge(&case, &[Observed { ended, memory_bytes: Some(5 << 20), time: None }]);
    assert_eq!(judgement.outcome, "out-of-memory");
}

#[test]
fn what_is_left_to_the_library_is_shown_unless_its_process_is_lost() {
    let meaning = Meaning { value: Value::Str(vec![0xff]), or: Vec::new() };
    let case = case(&[&[0xa1, 0xff]], Expect::Open(meaning));
    let verdict = |ended: Ended| judge(&case, &[ended.into()]).verdict;
    assert_eq!(verdict(Ended::Rejected("no".into())), Verdict::Shown);
    assert_eq!(verdict(Ended::Accepted(Ok(vec![0xc0]))), Verdict::Shown);
    assert_eq!(verdict(Ended::Accepted(Err("no".into()))), Verdict::Shown);
    assert_eq!(verdict(Ended::Lost("timed-out".into())), Verdict::Failed);
}

#[test]
fn of_several_messages_the_one_that_failed_speaks() {
    let case = case(&[&[0x01], &[0xcc, 0x01]], accept(1_i64.into()));
    let right = || Observed::from(Ended::Accepted(Ok(vec![0x01])));
    assert_eq!(judge(&case, &[right(), right()]).verdict, Verdict::Passed);
    let wrong = Observed::from(Ended::Rejected("too long".into()));
    let judgement = judge(&case, &[right(), wrong]);
    assert_eq!(judgement.verdict, Verdict::Failed);
    assert_eq!(judgement.observed, "rejected: too long (message 2 of 2: cc 01)");
}

#[test]
fn a_valid_case_has_a_point_for_each_half_and_an_invalid_one_has_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let cases = conformance::read(&root, "msgpack").unwrap();
    let points = |id: &str, ended: Ended| {
        let case = cases.iter().find(|case| case.id == id).unwrap();
        judge(case, &[ended.into()]).points.to_string()
    };
    let accepted = |bytes: &[u8]| Ended::Accepted(Ok(bytes.to_vec()));
    assert_eq!(points("simple/nil", accepted(&[0xc0])), "2/2");
    assert_eq!(points("simple/nil", accepted(&[0xc2])), "1/2");
    assert_eq!(points("simple/nil", Ended::Accepted(Err("no".into()))), "1/2");
    assert_eq!(points("simple/nil", Ended::Rejected("no".into())), "0/2");
    assert_eq!(points("simple/nil", Ended::Lost("crashed: SIGILL".into())), "0/2");
    assert_eq!(points("message/never-used-byte", Ended::Rejected("no".into())), "1/1");
    assert_eq!(points("message/never-used-byte", accepted(&[0xc0])), "0/1");
    assert_eq!(points("message/never-used-byte", Ended::Lost("timed-out".into())), "0/1");
    assert_eq!(points("limits/never-used-byte", Ended::Rejected("no".into())), "0/0");
}

#[test]
fn answers_of_probes_are_put_together_by_question() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let cases = conformance::read(&root, "msgpack").unwrap();
    let is_asked = |case: &&Case| case.probe.as_ref().is_some_and(|p| p.question == "key-order");
    let order = cases.iter().find(is_asked).unwrap();
    let answer = |ended: Ended| conformance::answer(order, &ended).unwrap();

    let mut sorted = vec![0x88];
    (b'a'..=b'h').zip([2, 4, 1, 7, 6, 5, 3, 0]).for_each(|(k, v)| sorted.extend([0xa1, k, v]));
    assert_eq!(answer(Ended::Accepted(Ok(sorted.clone()))), "sorted");
    sorted[1..].rotate_left(3);
    assert_eq!(answer(Ended::Accepted(Ok(sorted))), "another order");
    assert_eq!(answer(Ended::Accepted(Ok(vec![0xc0]))), "other: nil");
    assert_eq!(answer(Ended::Accepted(Err("no".into()))), "not written");
    assert_eq!(answer(Ended::Lost("timed-out".into())), "timed-out");
    assert_eq!(
        conformance::answer(&case(&[&[0xc0]], accept(Value::Nil)), &Ended::Lost("x".into())),
        None
    );

    let duplicates = cases.iter().filter(|case| case.id.contains("/same-key"));
    let answers = [Ended::Rejected("no".into()), Ended::Accepted(Ok(vec![0x90]))];
    let row = conformance::row(duplicates.zip(&answers));
    assert_eq!(row.len(), 1);
    assert_eq!(
        row[0].answer,
        "rejected (same-key-twice); other: [] (same-key-with-another-between)"
    );
}
