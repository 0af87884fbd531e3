//! Adapter for rmpv.

use std::fmt::Display;

use codec::{Capabilities, Codec, Rejected, Stats, Sums};
use rmpv::Integer;

/// First size of an output buffer, in bytes; from there `Vec` doubles it.
///
/// rmpv has no buffer of its own, and this is where the adapter of any such library starts.
const OUTPUT_BYTES: usize = 8 * 1024;

const CAPABILITIES: Capabilities = Capabilities {
    binary: true,
    ext: true,
    non_string_keys: true,
    checks_utf8: false,
    borrows_input: false,
    keeps_key_order: true,
    narrows_floats: false,
    // rmpv counts 1,024 calls, two for each container.
    max_depth: Some(512),
};

/// `rmpv::Value`, a tree that owns all it holds.
#[derive(Default)]
pub struct Value;

/// `rmpv::ValueRef`, a tree whose strings, binaries and extensions point into the input.
#[derive(Default)]
pub struct ValueRef;

/// `rmpv::Value`, with one output buffer that is cleared and used again.
#[derive(Default)]
pub struct ValueReused {
    output: Vec<u8>,
}

impl Codec for Value {
    type Document<'i> = rmpv::Value;
    type Output = Vec<u8>;

    const CAPABILITIES: Capabilities = CAPABILITIES;

    fn version() -> String {
        env!("RMPV_VERSION").into()
    }

    fn parse(&mut self, mut input: &[u8]) -> Result<rmpv::Value, Rejected> {
        let document = rmpv::decode::read_value(&mut input).map_err(rejected)?;
        nothing_left(input)?;
        Ok(document)
    }

    fn serialize(&mut self, document: &rmpv::Value) -> Result<Vec<u8>, Rejected> {
        let mut output = Vec::with_capacity(OUTPUT_BYTES);
        rmpv::encode::write_value(&mut output, document).map_err(rejected)?;
        Ok(output)
    }

    fn bytes(output: &Vec<u8>) -> &[u8] {
        output
    }

    fn stats(document: &rmpv::Value) -> Stats {
        let mut stats = Stats::default();
        count(document, &mut stats);
        stats
    }

    fn sums(document: &rmpv::Value) -> Sums {
        let mut sums = Sums::default();
        add(document, &mut sums);
        sums
    }
}

impl Codec for ValueReused {
    type Document<'i> = rmpv::Value;
    type Output = Vec<u8>;

    const CAPABILITIES: Capabilities = CAPABILITIES;
    const KEEPS_OUTPUTS: bool = true;

    fn version() -> String {
        Value::version()
    }

    fn parse(&mut self, input: &[u8]) -> Result<rmpv::Value, Rejected> {
        Value.parse(input)
    }

    fn serialize(&mut self, document: &rmpv::Value) -> Result<Vec<u8>, Rejected> {
        let mut output = std::mem::take(&mut self.output);
        rmpv::encode::write_value(&mut output, document).map_err(rejected)?;
        Ok(output)
    }

    fn bytes(output: &Vec<u8>) -> &[u8] {
        output
    }

    fn stats(document: &rmpv::Value) -> Stats {
        Value::stats(document)
    }

    fn sums(document: &rmpv::Value) -> Sums {
        Value::sums(document)
    }

    fn reclaim_output(&mut self, mut output: Vec<u8>) {
        output.clear();
        self.output = output;
    }
}

impl Codec for ValueRef {
    type Document<'i> = rmpv::ValueRef<'i>;
    type Output = Vec<u8>;

    const CAPABILITIES: Capabilities = Capabilities { borrows_input: true, ..CAPABILITIES };

    fn version() -> String {
        Value::version()
    }

    fn parse<'i>(&mut self, mut input: &'i [u8]) -> Result<rmpv::ValueRef<'i>, Rejected> {
        let document = rmpv::decode::read_value_ref(&mut input).map_err(rejected)?;
        nothing_left(input)?;
        Ok(document)
    }

    fn serialize(&mut self, document: &rmpv::ValueRef<'_>) -> Result<Vec<u8>, Rejected> {
        let mut output = Vec::with_capacity(OUTPUT_BYTES);
        rmpv::encode::write_value_ref(&mut output, document).map_err(rejected)?;
        Ok(output)
    }

    fn bytes(output: &Vec<u8>) -> &[u8] {
        output
    }

    fn stats(document: &rmpv::ValueRef<'_>) -> Stats {
        let mut stats = Stats::default();
        count_ref(document, &mut stats);
        stats
    }

    fn sums(document: &rmpv::ValueRef<'_>) -> Sums {
        let mut sums = Sums::default();
        add_ref(document, &mut sums);
        sums
    }
}

/// rmpv reads one message and leaves the rest, so the adapter looks.
fn nothing_left(rest: &[u8]) -> Result<(), Rejected> {
    match rest.len() {
        0 => Ok(()),
        bytes => Err(Rejected(format!("{bytes} bytes are left after the message"))),
    }
}

fn rejected(why: impl Display) -> Rejected {
    Rejected(why.to_string())
}

/// Two walks for two enums of the same shape that have no trait in common.
macro_rules! walks {
    ($tree:ident, $count:ident, $add:ident) => {
        fn $count(node: &rmpv::$tree, stats: &mut Stats) {
            match node {
                rmpv::$tree::Nil => stats.nils += 1,
                rmpv::$tree::Boolean(_) => stats.booleans += 1,
                rmpv::$tree::Integer(_) | rmpv::$tree::F32(_) | rmpv::$tree::F64(_) => {
                    stats.numbers += 1;
                }
                rmpv::$tree::String(_) => stats.strings += 1,
                rmpv::$tree::Binary(_) => stats.binaries += 1,
                rmpv::$tree::Ext(..) => stats.extensions += 1,
                rmpv::$tree::Array(items) => {
                    stats.arrays += 1;
                    items.iter().for_each(|item| $count(item, stats));
                }
                rmpv::$tree::Map(entries) => {
                    stats.maps += 1;
                    for (key, value) in entries {
                        $count(key, stats);
                        $count(value, stats);
                    }
                }
            }
        }

        fn $add(node: &rmpv::$tree, sums: &mut Sums) {
            match node {
                rmpv::$tree::Nil | rmpv::$tree::Boolean(_) => {}
                rmpv::$tree::Integer(number) => add_integer(*number, sums),
                rmpv::$tree::F32(number) => add_float(f64::from(*number), sums),
                rmpv::$tree::F64(number) => add_float(*number, sums),
                rmpv::$tree::String(text) => add_bytes(text.as_bytes(), sums),
                rmpv::$tree::Binary(bytes) | rmpv::$tree::Ext(_, bytes) => add_bytes(bytes, sums),
                rmpv::$tree::Array(items) => items.iter().for_each(|item| $add(item, sums)),
                rmpv::$tree::Map(entries) => {
                    for (key, value) in entries {
                        $add(key, sums);
                        $add(value, sums);
                    }
                }
            }
        }
    };
}

walks!(Value, count, add);
walks!(ValueRef, count_ref, add_ref);

fn add_integer(number: Integer, sums: &mut Sums) {
    let bits = number.as_u64().or_else(|| number.as_i64().map(i64::cast_unsigned));
    sums.integers = sums.integers.wrapping_add(bits.unwrap_or_default());
}

fn add_float(number: f64, sums: &mut Sums) {
    sums.float_bits = sums.float_bits.wrapping_add(number.to_bits());
}

fn add_bytes(bytes: &[u8], sums: &mut Sums) {
    let sum: u64 = bytes.iter().map(|byte| u64::from(*byte)).sum();
    sums.bytes = sums.bytes.wrapping_add(sum);
}
