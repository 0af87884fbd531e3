//! The generator of messages, the comparison with the oracle, and how findings are made small.

use std::collections::BTreeSet;

use conformance::Ended;
use conformance::fuzz::{Claims, Finding, Fuzzer, compare, shrink};
use oracle::msgpack;

fn oracle_answer(input: &[u8]) -> Ended {
    match msgpack::decode(input) {
        Ok(value) => Ended::Accepted(Ok(msgpack::encode(&value))),
        Err(error) => Ended::Rejected(error.to_string()),
    }
}

/// What is found when these bytes are accepted and those are written.
fn written(input: &[u8], output: &[u8]) -> Option<String> {
    let ended = Ended::Accepted(Ok(output.to_vec()));
    compare(input, &ended, &Claims::ALL).map(|finding| finding.kind().to_owned())
}

#[test]
fn the_same_seed_gives_the_same_messages_and_each_can_be_made_alone() {
    let messages: Vec<_> = Fuzzer::new(7).take(100).collect();
    assert_eq!(messages, Fuzzer::new(7).take(100).collect::<Vec<_>>());
    assert_ne!(messages, Fuzzer::new(8).take(100).collect::<Vec<_>>());
    assert_eq!(messages[99], Fuzzer::message(7, 99));
}

#[test]
fn the_oracle_has_no_findings_and_meets_valid_and_invalid_messages_of_every_format() {
    let (mut valid, mut invalid) = (0, BTreeSet::new());
    let mut first_bytes = BTreeSet::new();
    for message in Fuzzer::new(1).take(20_000) {
        let ended = oracle_answer(&message);
        assert_eq!(compare(&message, &ended, &Claims::ALL), None, "{message:02x?}");
        match msgpack::decode(&message) {
            Ok(_) => valid += 1,
            Err(error) => {
                let words = error.to_string();
                invalid.insert(words.split(' ').next().unwrap_or_default().to_owned());
            }
        }
        first_bytes.extend(msgpack::explain(&message).map(|line| line.bytes.first().copied()));
    }
    assert!((8_000..15_000).contains(&valid), "{valid} valid");
    let kinds: Vec<_> = invalid.iter().map(String::as_str).collect();
    assert_eq!(kinds, ["byte", "empty", "input", "the", "truncated:"]);
    assert!((0..=255_u8).all(|byte| first_bytes.contains(&Some(byte))), "{first_bytes:?}");
}

#[test]
fn every_kind_of_fault_is_found() {
    let kind = |input: &[u8], ended: Ended| {
        compare(input, &ended, &Claims::ALL).map(|finding| finding.kind().to_owned())
    };
    let lost = || Ended::Lost("crashed: SIGSEGV".into());
    assert_eq!(kind(&[0xc1], lost()).as_deref(), Some("crashed: SIGSEGV"));
    assert_eq!(kind(&[0xc0], lost()).as_deref(), Some("crashed: SIGSEGV"));
    assert_eq!(written(&[0xc1], &[0xc0]).as_deref(), Some("accepted-invalid"));
    let rejected = Ended::Rejected("no".into());
    assert_eq!(kind(&[0xc0], rejected.clone()).as_deref(), Some("rejected-valid"));
    assert_eq!(kind(&[0xc1], rejected), None);
    assert_eq!(kind(&[0xc0], Ended::Accepted(Err("no".into()))).as_deref(), Some("not-written"));
    assert_eq!(written(&[0xc0], &[0xc1]).as_deref(), Some("wrote-invalid"));
    assert_eq!(written(&[0xc0], &[0xc2]).as_deref(), Some("changed"));
    assert_eq!(written(&[0xc0], &[0xc0]), None);
}

#[test]
fn what_the_specification_leaves_open_is_no_finding_but_a_crash_there_is() {
    let open: [&[u8]; 6] = [
        &[0xa1, 0xff],
        &[0x82, 0x01, 0xc0, 0xcc, 0x01, 0xc0],
        // 1 and 1.0 as keys, which some libraries hold equal.
        &[0x82, 0x01, 0xc0, 0xca, 0x3f, 0x80, 0, 0, 0xc0],
        &[0x82, 0xa1, b'a', 0xc0, 0xc4, 1, b'a', 0xc0],
        &[0xca, 0x7f, 0x80, 0, 1],
        &[0x91, 0xcb, 0x7f, 0xf4, 0, 0, 0, 0, 0, 0],
    ];
    for message in open {
        assert_eq!(written(message, &[0xc0]), None, "{message:02x?}");
        let lost = Ended::Lost("timed-out".into());
        assert!(compare(message, &lost, &Claims::ALL).is_some(), "{message:02x?}");
    }
    assert!(written(&[0xcb, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0], &[0xc0]).is_some(), "a quiet NaN");
    assert!(written(&[0x82, 0x01, 0xc0, 0x02, 0xc0], &[0xc0]).is_some(), "two keys");
}

#[test]
fn what_is_not_claimed_is_no_finding() {
    let rejected = Ended::Rejected("no".into());
    let without: [(&[u8], Claims); 4] = [
        (&[0xc4, 0x00], Claims { binary: false, ..Claims::ALL }),
        (&[0xd4, 0x05, 0x00], Claims { ext: false, ..Claims::ALL }),
        (&[0x81, 0x01, 0x02], Claims { non_string_keys: false, ..Claims::ALL }),
        (&[0x91, 0x91, 0x90], Claims { max_depth: Some(2), ..Claims::ALL }),
    ];
    for (message, claims) in without {
        assert_eq!(compare(message, &rejected, &claims), None, "{message:02x?}");
        let found = compare(message, &rejected, &Claims::ALL);
        assert_eq!(found, Some(Finding::RejectedValid("no".into())), "{message:02x?}");
    }
    let enough = Claims { max_depth: Some(3), ..Claims::ALL };
    assert!(compare(&[0x91, 0x91, 0x90], &rejected, &enough).is_some());
}

#[test]
fn a_finding_is_cut_to_the_bytes_that_matter() {
    // Stands for a library that loses the sign of a float zero.
    let fails = |bytes: &[u8]| {
        msgpack::decode(bytes).is_ok_and(|value| {
            value.nodes().any(|node| matches!(node, oracle::Value::F32(0x8000_0000)))
        })
    };
    let mut shrunk = 0;
    for (number, message) in Fuzzer::new(3).take(2_000).enumerate() {
        if fails(&message) {
            let small = shrink(&message, 20_000, fails);
            assert_eq!(small, [0xca, 0x80, 0, 0, 0], "message {number}");
            shrunk += 1;
        }
    }
    assert!(shrunk > 10, "{shrunk} shrunk");
}

#[test]
fn a_container_stays_whole_while_its_elements_are_cut() {
    let message = b"\x95\xc3\xa3abc\x84\x01\x02\xa1a\xcd\x01\x02\x05\x06\x07\x08\x91\xc0\x09";
    let fails = |bytes: &[u8]| {
        let is_map = |node: &oracle::Value| matches!(node, oracle::Value::Map(e) if e.len() >= 2);
        msgpack::decode(bytes).is_ok_and(|value| value.nodes().any(is_map))
    };
    assert_eq!(shrink(message, 20_000, fails), [0x82, 0, 0, 0, 0]);
}

#[test]
fn shrinking_asks_no_more_often_than_it_may_and_keeps_what_fails() {
    let mut asked = 0;
    let small = shrink(&[0x93; 500], 50, |bytes| {
        asked += 1;
        bytes.len() > 100
    });
    assert!(asked <= 50 && small.len() > 100, "{asked} {}", small.len());
    assert_eq!(shrink(&[1, 2, 3], 1_000, |_| false), [1, 2, 3]);
    assert_eq!(shrink(&[1, 2, 3], 1_000, |_| true), Vec::<u8>::new());
}
