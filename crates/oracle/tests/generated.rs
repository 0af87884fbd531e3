//! Generated values and documents through the oracle's own encoder and decoder.

use std::collections::BTreeSet;

use oracle::msgpack::{Generator, Limits, decode, encode, explain};
use oracle::{Equality, Random, Value, compare};

/// Enough for every bound of every format.
const LARGE: Limits =
    Limits { nodes: 140_000, depth: 20, payload_bytes: 200_000, invalid_utf8: true, any_key: true };

#[test]
fn what_is_encoded_decodes_to_the_same_value() {
    for seed in 0..50_000 {
        let value = Generator::new(seed, Limits::default()).value();
        assert_eq!(decode(&encode(&value)), Ok(value), "seed {seed}");
    }
}

#[test]
fn documents_decode_to_their_value_and_shrink_when_encoded_again() {
    let mut generator = Generator::new(1, Limits::default());
    for _ in 0..20_000 {
        let document = generator.document();
        assert_eq!(decode(&document.bytes).as_ref(), Ok(&document.value));
        assert!(encode(&document.value).len() <= document.bytes.len());
    }
}

#[test]
fn large_documents_decode_to_their_value() {
    let mut generator = Generator::new(2, LARGE);
    for _ in 0..200 {
        let document = generator.document();
        assert_eq!(decode(&document.bytes).as_ref(), Ok(&document.value));
        assert_eq!(compare(&document.value, &document.value.clone()), Ok(Equality::default()));
    }
}

#[test]
fn every_format_is_generated() {
    let mut seen = BTreeSet::new();
    for (limits, documents) in [(Limits::default(), 20_000), (LARGE, 200)] {
        let mut generator = Generator::new(5, limits);
        for _ in 0..documents {
            let document = generator.document();
            seen.extend(explain(&document.bytes).map(|line| line.bytes[0]));
        }
    }
    let missing: Vec<_> = (0..=255_u8).filter(|first| !seen.contains(first)).collect();
    assert_eq!(missing, [0xc1], "first bytes never generated");
}

#[test]
fn the_same_seed_gives_the_same_documents() {
    let documents = || {
        let mut generator = Generator::new(9, Limits::default());
        (0..100).map(|_| generator.document().bytes).collect::<Vec<_>>()
    };
    assert_eq!(documents(), documents());
    let first = Generator::new(9, Limits::default()).document();
    assert_ne!(first, Generator::new(10, Limits::default()).document());
}

#[test]
fn limits_are_kept() {
    let limits =
        Limits { nodes: 30, depth: 3, payload_bytes: 5, invalid_utf8: false, any_key: false };
    let mut generator = Generator::new(6, limits);
    for _ in 0..10_000 {
        let document = generator.document();
        assert!(document.value.is_utf8());
        assert!(document.value.nodes().count() <= limits.nodes);
        assert!(explain(&document.bytes).all(|line| line.depth <= limits.depth));
        let mut payload_bytes = 0;
        for node in document.value.nodes() {
            match node {
                Value::Str(bytes) | Value::Bin(bytes) | Value::Ext(_, bytes) => {
                    payload_bytes += bytes.len();
                }
                Value::Map(entries) => {
                    assert!(entries.iter().all(|(key, _)| matches!(key, Value::Str(_))));
                }
                _ => {}
            }
        }
        assert!(payload_bytes <= limits.payload_bytes);
    }
}

/// Reverses the entries of every map at the top, and of maps in those.
fn reversed(value: &Value) -> Value {
    match value {
        Value::Map(entries) => {
            Value::Map(entries.iter().rev().map(|(k, v)| (reversed(k), reversed(v))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(reversed).collect()),
        leaf => leaf.clone(),
    }
}

#[test]
fn reversing_the_entries_of_every_map_changes_nothing() {
    let mut generator = Generator::new(7, Limits::default());
    for _ in 0..5_000 {
        let value = generator.value();
        let equality = compare(&value, &reversed(&value)).unwrap();
        assert_eq!((equality.floats_narrowed, equality.floats_widened), (0, 0));
    }
}

#[test]
fn changing_one_byte_of_a_document_is_noticed_unless_the_value_stays() {
    let mut random = Random::new(8);
    let mut generator = Generator::new(8, Limits::default());
    let mut noticed = 0;
    for _ in 0..20_000 {
        let mut changed = generator.document();
        let position = random.index(changed.bytes.len());
        changed.bytes[position] ^= 1 << random.index(8);
        if let Ok(value) = decode(&changed.bytes) {
            // A format of another width or sign can say the same; then the shortest encodings agree.
            let same_bytes = encode(&value) == encode(&changed.value);
            match compare(&changed.value, &value) {
                Ok(_) => assert!(same_bytes, "{} {value}", changed.value),
                Err(_) => noticed += 1,
            }
        }
    }
    assert!(noticed > 1_000, "only {noticed} changes were noticed");
}
