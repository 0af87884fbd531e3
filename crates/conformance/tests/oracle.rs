//! The oracle is tried first: it must give the right answer to every case.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::{collections::HashMap, path::Path};

use conformance::{Case, Category, Ended, Expect, Judgement, Observed, Verdict};
use oracle::{compare, msgpack};

fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    conformance::read(&root, "msgpack").unwrap()
}

/// What the oracle does with a message.
fn answer(input: &[u8]) -> Observed {
    match msgpack::decode(input) {
        Ok(value) => Ended::Accepted(Ok(msgpack::encode(&value))),
        Err(error) => Ended::Rejected(error.to_string()),
    }
    .into()
}

fn judged(case: &Case) -> Judgement {
    let answers: Vec<_> = case.inputs.iter().map(|input| answer(input)).collect();
    conformance::judge(case, &answers)
}

#[test]
fn oracle_gives_the_right_answer_to_every_case() {
    for case in cases() {
        let judgement = judged(&case);
        let right = match case.expect {
            Expect::Open(_) => Verdict::Shown,
            _ => Verdict::Passed,
        };
        assert_eq!(judgement.verdict, right, "{}: {judgement:#?}", case.id);
    }
}

#[test]
fn oracle_reads_the_very_value_that_is_written_in_the_case() {
    for case in cases() {
        let (Expect::Accept(meaning) | Expect::Either(meaning) | Expect::Open(meaning)) =
            &case.expect
        else {
            continue;
        };
        for input in &case.inputs {
            // Where it is open what becomes of bytes after a message, the case means the message.
            let (value, used) = msgpack::decode_prefix(input).unwrap();
            let may_go_on = matches!(case.expect, Expect::Open(_));
            assert!(used == input.len() || may_go_on, "{}: {used} bytes read", case.id);
            assert_eq!(compare(&meaning.value, &value).err(), None, "{}", case.id);
            // Beyond what the judge compares: order of keys, and width of floats.
            let is_same = value == meaning.value;
            assert!(is_same || case.inputs.len() > 1, "{}: {value}", case.id);
        }
    }
}

#[test]
fn oracle_rejects_in_the_words_that_are_written_in_the_case() {
    for case in cases() {
        let Expect::Reject(expected) = &case.expect else { continue };
        for input in &case.inputs {
            let error = msgpack::decode(input).unwrap_err().to_string();
            if let Some(expected) = expected {
                assert_eq!(&error, expected, "{}", case.id);
            }
        }
    }
}

/// Recorded verdicts mean the messages that were asked then, also where another byte would be rejected as well.
#[test]
fn no_message_changes_unseen() {
    let mut seal = Fnv(0xcbf2_9ce4_8422_2325);
    for case in cases() {
        seal.add(case.id.as_bytes());
        case.inputs.iter().for_each(|input| seal.add(input));
    }
    assert_eq!(
        format!("{:016x}", seal.0),
        SEAL,
        "a case is new or has another message\n  fix: if that is meant, put the new number into `SEAL`"
    );
}

/// Of the ids and messages of all cases.
const SEAL: &str = "60b9fb3be4f56950";

/// Source: the 64-bit FNV-1a hash of Fowler, Noll and Vo.
struct Fnv(u64);

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        let length = (bytes.len() as u64).to_be_bytes();
        for byte in length.iter().chain(bytes) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

#[test]
fn oracle_writes_the_canonical_bytes_and_the_forbidden_ones_say_something_else() {
    let mut encoder_cases = 0;
    for case in cases() {
        let (Some(writes), Expect::Accept(meaning)) = (&case.writes, &case.expect) else {
            continue;
        };
        encoder_cases += 1;
        assert_eq!(msgpack::encode(&meaning.value), writes.canonical, "{}", case.id);
        for ok in &writes.also_ok {
            let value = msgpack::decode(ok).unwrap();
            assert_eq!(compare(&meaning.value, &value).err(), None, "{}", case.id);
        }
        for wrong in &writes.must_not {
            let value = msgpack::decode(wrong).unwrap();
            assert!(compare(&meaning.value, &value).is_err(), "{}", case.id);
        }
    }
    assert_eq!(encoder_cases, 9);
}

#[test]
fn the_scored_suite_has_195_points_and_the_oracle_wins_them_all() {
    let cases = cases();
    let mut counts: HashMap<_, u32> = HashMap::new();
    for category in cases.iter().filter_map(|case| case.category) {
        *counts.entry(category).or_default() += 1;
    }
    let expected = [
        (Category::Core, 55),
        (Category::BinaryAndExt, 16),
        (Category::NonStringKeys, 9),
        (Category::Reject, 35),
    ];
    assert_eq!(counts, HashMap::from(expected));

    let judgements: Vec<_> = cases.iter().map(judged).collect();
    let scores = conformance::scores(cases.iter().zip(&judgements));
    let points = scores.map(|(category, score)| (category.name(), score.to_string()));
    let expected = [
        ("core", "110/110"),
        ("binary-and-ext", "32/32"),
        ("non-string-keys", "18/18"),
        ("reject", "35/35"),
    ];
    assert_eq!(points, expected.map(|(name, score)| (name, score.to_owned())));
    assert_eq!(conformance::total(&scores).to_string(), "195/195");
}

#[test]
fn every_probe_has_the_answer_that_the_oracle_gives() {
    let cases = cases();
    let answers: Vec<_> = cases.iter().map(|case| answer(&case.inputs[0]).ended).collect();
    let row = conformance::row(cases.iter().zip(&answers));
    let found: Vec<_> =
        row.iter().map(|column| (column.question.as_str(), column.answer.as_str())).collect();
    let expected = [
        ("invalid-utf8", "kept"),
        ("duplicate-keys", "both"),
        ("trailing-bytes", "rejected"),
        ("depth-of-1000", "accepted"),
        ("float-narrowing", "kept as float64"),
        ("float-with-an-integer-in-it", "kept as float64"),
        ("float32-on-writing", "kept as float32"),
        ("signalling-nan", "bits kept"),
        ("key-order", "kept"),
        ("shortest-integers", "shortest"),
        ("shortest-strings", "shortest"),
        ("shortest-containers", "shortest"),
        ("shortest-binaries", "shortest"),
        ("shortest-extensions", "shortest"),
        ("timestamps", "kept"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn no_case_passes_whatever_is_answered() {
    for case in cases() {
        let all = |ended: Ended| vec![Observed::from(ended); case.inputs.len()];
        let other = msgpack::encode(&oracle::Value::from("quite another value"));
        let rejected = Ended::Rejected("no".into());
        let lost = Ended::Lost("crashed: SIGSEGV".into());
        let wrong_outputs = [
            Ended::Accepted(Ok(other)),
            Ended::Accepted(Ok(vec![0xc1])),
            Ended::Accepted(Ok(Vec::new())),
            Ended::Accepted(Err("cannot write".into())),
        ];
        let wrong = match case.expect {
            Expect::Accept(_) => [&wrong_outputs[..], &[rejected, lost]].concat(),
            Expect::Either(_) | Expect::Reject(_) => [&wrong_outputs[..], &[lost]].concat(),
            Expect::Open(_) => vec![lost],
        };
        for ended in wrong {
            let judgement = conformance::judge(&case, &all(ended.clone()));
            assert_eq!(judgement.verdict, Verdict::Failed, "{}: {ended:?}", case.id);
            let most = judgement.points.of.saturating_sub(1);
            assert!(judgement.points.points <= most, "{}: {ended:?}", case.id);
        }
    }
}
