//! What a library did with a message, against what the oracle says about it.

use std::{collections::HashSet, fmt};

use oracle::{Value, msgpack, widened};

use crate::{clip, judge::Ended};

/// What a codec claims to do, so that what it does not claim is no finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claims {
    /// Binaries survive as binaries.
    pub binary: bool,
    /// Extension types survive.
    pub ext: bool,
    /// Map keys that are not strings survive.
    pub non_string_keys: bool,
    /// Deepest nesting accepted, in containers; `None` means no fixed limit.
    pub max_depth: Option<u32>,
}

impl Claims {
    /// All that MessagePack has.
    pub const ALL: Claims =
        Claims { binary: true, ext: true, non_string_keys: true, max_depth: None };
}

/// Something that a library should not have done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The process was lost: `crashed: SIGSEGV`.
    Lost(String),
    /// What is no message was accepted; the oracle's words.
    AcceptedInvalid(String),
    /// A valid message was rejected; the library's words.
    RejectedValid(String),
    /// A valid message was read and could not be written; the library's words.
    NotWritten(String),
    /// What was written is no message; the oracle's words.
    WroteInvalid(String),
    /// What was written has another value; where, and how.
    Changed(String),
}

impl Finding {
    /// Its kind in a word; a finding is made small without changing that.
    pub fn kind(&self) -> &str {
        match self {
            Finding::Lost(how) => how,
            Finding::AcceptedInvalid(_) => "accepted-invalid",
            Finding::RejectedValid(_) => "rejected-valid",
            Finding::NotWritten(_) => "not-written",
            Finding::WroteInvalid(_) => "wrote-invalid",
            Finding::Changed(_) => "changed",
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Lost(how) => f.write_str(how),
            Finding::AcceptedInvalid(why) => write!(f, "accepted what is no message: {why}"),
            Finding::RejectedValid(words) => write!(f, "rejected a valid message: {words}"),
            Finding::NotWritten(words) => write!(f, "could not write what it had read: {words}"),
            Finding::WroteInvalid(why) => write!(f, "wrote what is no message: {why}"),
            Finding::Changed(how) => write!(f, "wrote another value: {how}"),
        }
    }
}

/// Compares what became of a message with what the oracle says; `None` if there is nothing to say.
///
/// Nothing is said about a valid message that holds what the codec does not claim, or what the specification leaves to the library, unless the process was lost.
/// Left to the library are strings that are not UTF-8, duplicate keys, and the bits of a signalling NaN.
pub fn compare(input: &[u8], ended: &Ended, claims: &Claims) -> Option<Finding> {
    let value = match (ended, msgpack::decode(input)) {
        (Ended::Lost(how), _) => return Some(Finding::Lost(how.clone())),
        (Ended::Rejected(_), Err(_)) => return None,
        (Ended::Accepted(_), Err(error)) => {
            return Some(Finding::AcceptedInvalid(error.to_string()));
        }
        (_, Ok(value)) => value,
    };
    if is_beyond(&value, claims) || is_open(&value) {
        return None;
    }
    let bytes = match ended {
        Ended::Accepted(Ok(bytes)) => bytes,
        Ended::Accepted(Err(words)) => return Some(Finding::NotWritten(clip::words(words))),
        Ended::Rejected(words) | Ended::Lost(words) => {
            return Some(Finding::RejectedValid(clip::words(words)));
        }
    };
    match msgpack::decode(bytes) {
        Err(error) => Some(Finding::WroteInvalid(error.to_string())),
        Ok(written) => oracle::compare(&value, &written).err().map(|difference| {
            let oracle::Difference { path, expected, got } = difference;
            Finding::Changed(format!("at `{path}` {got} instead of {expected}"))
        }),
    }
}

/// Whether a value holds what the codec does not claim.
fn is_beyond(value: &Value, claims: &Claims) -> bool {
    let is_unclaimed = |node: &Value| match node {
        Value::Bin(_) => !claims.binary,
        Value::Ext(..) => !claims.ext,
        Value::Map(entries) => {
            let is_text = |(key, _): &(Value, Value)| matches!(key, Value::Str(_));
            !claims.non_string_keys && !entries.iter().all(is_text)
        }
        _ => false,
    };
    value.nodes().any(is_unclaimed)
        || claims.max_depth.is_some_and(|most| depth(value) > u64::from(most))
}

/// Most containers around and including a node.
fn depth(value: &Value) -> u64 {
    let mut deepest = 0;
    let mut pending = vec![(value, 1)];
    while let Some((node, level)) = pending.pop() {
        match node {
            Value::Array(items) => {
                deepest = deepest.max(level);
                pending.extend(items.iter().map(|item| (item, level + 1)));
            }
            Value::Map(entries) => {
                deepest = deepest.max(level);
                let children = entries.iter().flat_map(|(key, content)| [key, content]);
                pending.extend(children.map(|child| (child, level + 1)));
            }
            _ => {}
        }
    }
    deepest
}

/// Whether a value holds what the specification leaves to the library.
fn is_open(value: &Value) -> bool {
    value.nodes().any(|node| match node {
        Value::Str(bytes) => std::str::from_utf8(bytes).is_err(),
        Value::F32(bits) => is_signalling(widened(*bits)),
        Value::F64(bits) => is_signalling(*bits),
        Value::Map(entries) => has_duplicates(entries),
        _ => false,
    })
}

fn is_signalling(bits: u64) -> bool {
    const QUIET: u64 = 1 << 51;
    f64::from_bits(bits).is_nan() && bits & QUIET == 0
}

/// Whether two keys are equal to a library that holds numbers equal by value, whatever their type.
fn has_duplicates(entries: &[(Value, Value)]) -> bool {
    let mut seen = HashSet::new();
    entries.iter().any(|(key, _)| !seen.insert(plain(key)))
}

/// A key in a form that is equal for keys that some library may take for the same.
fn plain(key: &Value) -> Vec<u8> {
    let number = match key {
        Value::Int(integer) => Some(integer.number() as f64),
        Value::F32(bits) => Some(f64::from_bits(widened(*bits))),
        Value::F64(bits) => Some(f64::from_bits(*bits)),
        _ => None,
    };
    match (number, key) {
        // 0.0 and -0.0 are equal, and so is 0.
        (Some(number), _) => [b"n".as_slice(), &(number + 0.0).to_be_bytes()].concat(),
        (None, Value::Str(bytes) | Value::Bin(bytes)) => [b"s".as_slice(), bytes].concat(),
        // Containers as keys are compared as the oracle writes them.
        (None, other) => [b"o".as_slice(), &msgpack::encode(other)].concat(),
    }
}
