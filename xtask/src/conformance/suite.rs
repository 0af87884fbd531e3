//! A suite that nobody here wrote: the values and encodings of npm's `msgpack-test-suite`.
//!
//! Its file is fetched and never kept; records hold the numbers of its cases and what became of them.

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::{Context as _, ensure};
use conformance::{
    Known, Surprise,
    fuzz::{Claims, Finding, compare},
    surprise,
};
use oracle::{Value, msgpack};
use serde_json::Value as Json;

use super::asker::Asker;
use crate::vendor::{self, Edited};

/// Where the suite lies, from the root of the repository.
const FILE: &str = "vendor/fetched/msgpack-test-suite/msgpack-test-suite.json";

/// One encoding of one value.
pub(crate) struct Encoding {
    /// `suite/<group>/<value>/<encoding>`, numbers from 0.
    pub(crate) id: String,
    /// The message.
    pub(crate) bytes: Vec<u8>,
}

/// What became of one encoding.
pub(crate) struct Row {
    /// See `Encoding`.
    pub(crate) id: String,
    /// What the codec should not have done, if it claims what the message needs.
    pub(crate) finding: Option<Finding>,
}

/// Puts every encoding to a codec.
///
/// # Errors
///
/// A program that cannot be started.
pub(crate) fn try_all(
    asker: &mut Asker,
    encodings: &[Encoding],
    claims: &Claims,
) -> anyhow::Result<Vec<Row>> {
    let ask = |Encoding { id, bytes }: &Encoding| {
        let observed = asker.observe(bytes)?;
        Ok(Row { id: id.clone(), finding: compare(bytes, &observed.ended, claims) })
    };
    encodings.iter().map(ask).collect()
}

/// What is not as it is known to be.
pub(crate) fn surprises(
    rows: &[Row],
    known: &[Known],
    variant: &str,
    version: &str,
) -> Vec<Surprise> {
    let of = |row: &Row| {
        let kind = row.finding.as_ref().map(Finding::kind);
        surprise(known, variant, version, &row.id, kind)
    };
    rows.iter().filter_map(of).collect()
}

/// Fetches the suite if it is not there, then reads it.
///
/// # Errors
///
/// A suite that cannot be had, and those of `read`.
pub(crate) fn fetch_and_read(root: &Path) -> anyhow::Result<Vec<Encoding>> {
    let mut sources = vendor::of_no_adapter(root)?;
    sources.retain(|source| source.name == "msgpack-test-suite");
    for (_, result) in vendor::fetch(root, &sources, Edited::Report, &|line| eprintln!("{line}"))? {
        result?;
    }
    read(root)
}

/// Reads the suite; every encoding is tried on the oracle first.
///
/// # Errors
///
/// A file that is not there or has another form, and an encoding that the oracle reads as another value.
fn read(root: &Path) -> anyhow::Result<Vec<Encoding>> {
    let file = root.join(FILE);
    let text = fs::read(&file).with_context(|| {
        format!("cannot read {}\n  fix: `cargo xtask vendor msgpack-test-suite`", file.display())
    })?;
    let groups: BTreeMap<String, Vec<serde_json::Map<String, Json>>> =
        serde_json::from_slice(&text).with_context(|| format!("in {}", file.display()))?;
    let mut encodings = Vec::new();
    let mut wrong = Vec::new();
    for (group, values) in groups {
        let group = group.trim_end_matches(".yaml").replace('.', "-");
        for (number, value) in values.iter().enumerate() {
            let texts = value.get("msgpack").and_then(Json::as_array).context("no encodings")?;
            for (place, text) in texts.iter().enumerate() {
                let id = format!("suite/{group}/{number}/{place}");
                let bytes = hex(text.as_str().context("an encoding is no text")?)
                    .with_context(|| format!("{id} is no hexadecimal text"))?;
                match msgpack::decode(&bytes) {
                    Ok(decoded) if says(&decoded, value) => {}
                    Ok(decoded) => wrong.push(format!("{id} is read as {decoded}")),
                    Err(error) => wrong.push(format!("{id} is rejected: {error}")),
                }
                encodings.push(Encoding { id, bytes });
            }
        }
    }
    ensure!(
        wrong.is_empty(),
        "the oracle disagrees with the public suite\n  {}",
        wrong.join("\n  ")
    );
    ensure!(encodings.len() == 233, "the public suite has {} encodings, not 233", encodings.len());
    Ok(encodings)
}

/// `a1-62` and `a162` are the same bytes.
fn hex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<char> = text.chars().filter(|digit| *digit != '-').collect();
    let pairs = digits.chunks(2).map(|pair| {
        let pair: String = pair.iter().collect();
        (pair.len() == 2).then(|| u8::from_str_radix(&pair, 16).ok()).flatten()
    });
    pairs.collect()
}

/// Whether a decoded message is what the suite says of it, in the suite's conventions.
///
/// Numbers are equal by value, because the suite gives the same number as integers and floats.
fn says(decoded: &Value, said: &serde_json::Map<String, Json>) -> bool {
    said.iter().any(|(kind, said)| match kind.as_str() {
        "nil" | "bool" | "string" | "array" | "map" | "number" => json_says(decoded, said),
        "bignum" => match (decoded, said.as_str()) {
            (Value::Int(integer), Some(text)) => integer.number().to_string() == text,
            _ => false,
        },
        "binary" => matches!(decoded, Value::Bin(bytes) if Some(bytes) == said.as_str().and_then(hex).as_ref()),
        "ext" => match (decoded, said.get(0).and_then(Json::as_i64), said.get(1).and_then(Json::as_str)) {
            (Value::Ext(kind, bytes), Some(said_kind), Some(text)) => {
                i64::from(*kind) == said_kind && Some(bytes) == hex(text).as_ref()
            }
            _ => false,
        },
        "timestamp" => match msgpack::timestamp(decoded) {
            Some(Ok(time)) => {
                said.get(0).and_then(Json::as_i64) == Some(time.seconds)
                    && said.get(1).and_then(Json::as_u64) == Some(u64::from(time.nanoseconds))
            }
            _ => false,
        },
        _ => false,
    })
}

fn json_says(decoded: &Value, said: &Json) -> bool {
    match (decoded, said) {
        (Value::Nil, Json::Null) => true,
        (Value::Bool(decoded), Json::Bool(said)) => decoded == said,
        (Value::Str(bytes), Json::String(said)) => bytes == said.as_bytes(),
        (Value::Int(integer), Json::Number(said)) => said.as_f64() == Some(integer.number() as f64),
        (Value::F32(bits), Json::Number(said)) => {
            said.as_f64() == Some(f64::from(f32::from_bits(*bits)))
        }
        (Value::F64(bits), Json::Number(said)) => said.as_f64() == Some(f64::from_bits(*bits)),
        (Value::Array(items), Json::Array(said)) => {
            items.len() == said.len()
                && items.iter().zip(said).all(|(item, said)| json_says(item, said))
        }
        (Value::Map(entries), Json::Object(said)) => {
            entries.len() == said.len()
                && entries.iter().all(|(key, value)| {
                    let name = match key {
                        Value::Str(bytes) => std::str::from_utf8(bytes).ok(),
                        _ => None,
                    };
                    name.and_then(|name| said.get(name)).is_some_and(|said| json_says(value, said))
                })
        }
        _ => false,
    }
}

#[test]
fn the_conventions_of_the_suite_are_understood() {
    let said = |text: &str| serde_json::from_str::<serde_json::Map<String, Json>>(text).unwrap();
    let fits = |bytes: &[u8], text: &str| says(&msgpack::decode(bytes).unwrap(), &said(text));
    assert!(fits(b"\xcb\x3f\xf0\0\0\0\0\0\0", r#"{"number": 1}"#));
    assert!(fits(b"\x01", r#"{"number": 1, "bignum": "1"}"#));
    assert!(!fits(b"\x02", r#"{"number": 1}"#));
    assert!(fits(b"\xc4\x02\x0a\x0b", r#"{"binary": "0a-0b"}"#));
    assert!(!fits(b"\xc4\x02\x0a\x0c", r#"{"binary": "0a-0b"}"#));
    assert!(fits(b"\xd4\x05\x07", r#"{"ext": [5, "07"]}"#));
    assert!(!fits(b"\xd4\x06\x07", r#"{"ext": [5, "07"]}"#));
    assert!(fits(b"\xd6\xff\0\0\0\x01", r#"{"timestamp": [1, 0]}"#));
    assert!(!fits(b"\xd6\xff\0\0\0\x01", r#"{"timestamp": [1, 1]}"#));
    assert!(fits(b"\x81\xa1a\x91\xc0", r#"{"map": {"a": [null]}}"#));
    assert!(!fits(b"\x81\xa1b\x91\xc0", r#"{"map": {"a": [null]}}"#));
}
