//! Adapter for rmp-serde.

use codec::{Capabilities, Codec, OUTPUT_BYTES, Rejected, Stats, Sums};
use rmp_serde::{Deserializer, decode, encode};
use serde::Deserialize;
use serde_json::{Number, Value};

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
        let document = Value::deserialize(&mut deserializer).map_err(Rejected::because)?;
        // rmp-serde does not tell how much it has read, but at the end there is no marker to read.
        match <()>::deserialize(&mut deserializer) {
            Err(decode::Error::InvalidMarkerRead(_)) => Ok(document),
            _ => Err(Rejected("bytes are left after the message".into())),
        }
    }

    fn serialize(&mut self, document: &Value) -> Result<Vec<u8>, Rejected> {
        let mut output = Vec::with_capacity(OUTPUT_BYTES);
        encode::write(&mut output, document).map_err(Rejected::because)?;
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
        Value::String(text) => sums.add_bytes(text.as_bytes()),
        Value::Array(items) => items.iter().for_each(|item| add(item, sums)),
        Value::Object(entries) => {
            for (key, value) in entries {
                sums.add_bytes(key.as_bytes());
                add(value, sums);
            }
        }
    }
}

fn add_number(number: &Number, sums: &mut Sums) {
    if let Some(unsigned) = number.as_u64() {
        sums.add_integer(unsigned);
    } else if let Some(signed) = number.as_i64() {
        sums.add_integer(signed.cast_unsigned());
    } else if let Some(float) = number.as_f64() {
        sums.add_float(float);
    }
}
