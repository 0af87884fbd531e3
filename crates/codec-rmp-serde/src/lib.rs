//! Adapter for rmp-serde.

use std::fmt::Display;

use codec::{Capabilities, Codec, Rejected, Stats, Sums};
use rmp_serde::{Deserializer, decode, encode};
use serde::Deserialize;
use serde_json::{Number, Value};

/// First size of an output buffer, in bytes; from there `Vec` doubles it.
///
/// This is where the adapter of any library starts that has no buffer of its own.
const OUTPUT_BYTES: usize = 8 * 1024;

/// rmp-serde into and from `serde_json::Value`, a tree that owns all it holds.
#[derive(Default)]
pub struct JsonValue;

impl Codec for JsonValue {
    type Document<'i> = Value;
    type Output = Vec<u8>;

    const CAPABILITIES: Capabilities = Capabilities {
        binary: false,
        ext: false,
        non_string_keys: false,
        checks_utf8: true,
        borrows_input: false,
        // The map of `serde_json` is sorted, unless a feature is on that is off here.
        keeps_key_order: false,
        narrows_floats: false,
        // rmp-serde counts down from 1,024 and stops at 0.
        max_depth: Some(1023),
    };

    fn version() -> String {
        env!("RMP_SERDE_VERSION").into()
    }

    fn parse(&mut self, input: &[u8]) -> Result<Value, Rejected> {
        let mut deserializer = Deserializer::from_read_ref(input);
        let document = Value::deserialize(&mut deserializer).map_err(rejected)?;
        // rmp-serde does not tell how much it has read, but at the end there is no marker to read.
        match <()>::deserialize(&mut deserializer) {
            Err(decode::Error::InvalidMarkerRead(_)) => Ok(document),
            _ => Err(Rejected("bytes are left after the message".into())),
        }
    }

    fn serialize(&mut self, document: &Value) -> Result<Vec<u8>, Rejected> {
        let mut output = Vec::with_capacity(OUTPUT_BYTES);
        encode::write(&mut output, document).map_err(rejected)?;
        Ok(output)
    }

    fn bytes(output: &Vec<u8>) -> &[u8] {
        output
    }

    fn stats(document: &Value) -> Stats {
        let mut stats = Stats::default();
        count(document, &mut stats);
        stats
    }

    fn sums(document: &Value) -> Sums {
        let mut sums = Sums::default();
        add(document, &mut sums);
        sums
    }
}

fn rejected(why: impl Display) -> Rejected {
    Rejected(why.to_string())
}

fn count(node: &Value, stats: &mut Stats) {
    match node {
        Value::Null => stats.nils += 1,
        Value::Bool(_) => stats.booleans += 1,
        Value::Number(_) => stats.numbers += 1,
        Value::String(_) => stats.strings += 1,
        Value::Array(items) => {
            stats.arrays += 1;
            items.iter().for_each(|item| count(item, stats));
        }
        Value::Object(entries) => {
            stats.maps += 1;
            for value in entries.values() {
                // The key, which can be nothing but a string.
                stats.strings += 1;
                count(value, stats);
            }
        }
    }
}

fn add(node: &Value, sums: &mut Sums) {
    match node {
        Value::Null | Value::Bool(_) => {}
        Value::Number(number) => add_number(number, sums),
        Value::String(text) => add_bytes(text, sums),
        Value::Array(items) => items.iter().for_each(|item| add(item, sums)),
        Value::Object(entries) => {
            for (key, value) in entries {
                add_bytes(key, sums);
                add(value, sums);
            }
        }
    }
}

fn add_number(number: &Number, sums: &mut Sums) {
    if let Some(unsigned) = number.as_u64() {
        sums.integers = sums.integers.wrapping_add(unsigned);
    } else if let Some(signed) = number.as_i64() {
        sums.integers = sums.integers.wrapping_add(signed.cast_unsigned());
    } else if let Some(float) = number.as_f64() {
        sums.float_bits = sums.float_bits.wrapping_add(float.to_bits());
    }
}

fn add_bytes(text: &str, sums: &mut Sums) {
    let sum: u64 = text.bytes().map(u64::from).sum();
    sums.bytes = sums.bytes.wrapping_add(sum);
}
