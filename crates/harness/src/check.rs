//! What a document holds, and what is different from what it should hold.

use codec::{Codec, Rejected};
use protocol::{
    job::{Content, Stats, Sums},
    outcome::Outcome,
};
use serde::Serialize;
use serde_json::Value;

/// What the library's own walks find in a document.
pub(crate) fn content<C: Codec>(document: &C::Document<'_>) -> Content {
    Content { stats: stats(C::stats(document)), sums: sums(C::sums(document)) }
}

pub(crate) fn stats(seen: codec::Stats) -> Stats {
    let codec::Stats { maps, arrays, strings, binaries, extensions, numbers, booleans, nils } =
        seen;
    Stats { maps, arrays, strings, binaries, extensions, numbers, booleans, nils }
}

pub(crate) fn sums(seen: codec::Sums) -> Sums {
    let codec::Sums { integers, float_bits, bytes } = seen;
    Sums { integers, float_bits, bytes }
}

/// Parses a message once and compares what was found in it.
pub(crate) fn message<C: Codec>(
    codec: &mut C,
    input: &[u8],
    expect: &Content,
) -> Result<(), Outcome> {
    let document = codec.parse(input).map_err(rejected)?;
    let found = content::<C>(&document);
    codec.reclaim_document(document);
    same(expect, &found).map_err(Outcome::WrongOutput)
}

pub(crate) fn rejected(why: Rejected) -> Outcome {
    Outcome::Rejected(why.0)
}

/// Names every number that is different, as `numbers: 4 instead of 3`.
pub(crate) fn same<T: PartialEq + Serialize>(expect: &T, found: &T) -> Result<(), String> {
    if expect == found {
        return Ok(());
    }
    let (mut expected_leaves, mut found_leaves) = (Vec::new(), Vec::new());
    leaves("", &serde_json::to_value(expect).unwrap_or_default(), &mut expected_leaves);
    leaves("", &serde_json::to_value(found).unwrap_or_default(), &mut found_leaves);
    let different = expected_leaves
        .iter()
        .zip(&found_leaves)
        .filter(|(expect, found)| expect != found)
        .map(|((name, expect), (_, found))| format!("{name}: {found} instead of {expect}"));
    Err(different.collect::<Vec<_>>().join(", "))
}

fn leaves(name: &str, value: &Value, into: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| leaves(name, value, into));
        }
        leaf => into.push((name.to_owned(), leaf.clone())),
    }
}

#[test]
fn what_differs_is_named_with_both_numbers() {
    let expect = Content { stats: Stats { maps: 1, ..Stats::default() }, sums: Sums::default() };
    let mut found = expect;
    assert_eq!(same(&expect, &found), Ok(()));
    found.stats.nils = 2;
    found.sums.integers = u64::MAX;
    assert_eq!(
        same(&expect, &found),
        Err("nils: 2 instead of 0, integers: 18446744073709551615 instead of 0".into())
    );
}
