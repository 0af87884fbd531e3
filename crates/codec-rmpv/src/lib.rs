//! Adapter for rmpv.

use codec::{Capabilities, Codec, OUTPUT_BYTES, Rejected, Stats, Sums};
use rmpv::{Integer, decode, encode};

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
pub struct Owned<const REUSES: bool> {
    output: Vec<u8>,
}

/// With a fresh output buffer for every message.
pub type Value = Owned<false>;

/// With one output buffer that is cleared and used again.
pub type ValueReused = Owned<true>;

/// `rmpv::ValueRef`, a tree whose strings, binaries and extensions point into the input.
#[derive(Default)]
pub struct ValueRef;

/// What all variants do alike; rmpv's two trees have the same shape and no trait in common.
macro_rules! alike {
    ($tree:ident) => {
        fn version() -> String {
            env!("RMPV_VERSION").into()
        }

        fn bytes(output: &Vec<u8>) -> &[u8] {
            output
        }

        fn stats(document: &Self::Document<'_>) -> Stats {
            use rmpv::$tree as Tree;

            fn count(node: &Tree, stats: &mut Stats) {
                match node {
                    Tree::Nil => stats.nils += 1,
                    Tree::Boolean(_) => stats.booleans += 1,
                    Tree::Integer(_) | Tree::F32(_) | Tree::F64(_) => stats.numbers += 1,
                    Tree::String(_) => stats.strings += 1,
                    Tree::Binary(_) => stats.binaries += 1,
                    Tree::Ext(..) => stats.extensions += 1,
                    Tree::Array(items) => {
                        stats.arrays += 1;
                        items.iter().for_each(|item| count(item, stats));
                    }
                    Tree::Map(entries) => {
                        stats.maps += 1;
                        for (key, value) in entries {
                            count(key, stats);
                            count(value, stats);
                        }
                    }
                }
            }

            let mut stats = Stats::default();
            count(document, &mut stats);
            stats
        }

        fn sums(document: &Self::Document<'_>) -> Sums {
            use rmpv::$tree as Tree;

            fn add(node: &Tree, sums: &mut Sums) {
                match node {
                    Tree::Nil | Tree::Boolean(_) => {}
                    Tree::Integer(number) => sums.add_integer(bits(*number)),
                    Tree::F32(number) => sums.add_float(f64::from(*number)),
                    Tree::F64(number) => sums.add_float(*number),
                    Tree::String(text) => sums.add_bytes(text.as_bytes()),
                    Tree::Binary(bytes) | Tree::Ext(_, bytes) => sums.add_bytes(bytes),
                    Tree::Array(items) => items.iter().for_each(|item| add(item, sums)),
                    Tree::Map(entries) => {
                        for (key, value) in entries {
                            add(key, sums);
                            add(value, sums);
                        }
                    }
                }
            }

            let mut sums = Sums::default();
            add(document, &mut sums);
            sums
        }
    };
}

impl<const REUSES: bool> Codec for Owned<REUSES> {
    type Document<'i> = rmpv::Value;
    type Output = Vec<u8>;

    const CAPABILITIES: Capabilities = CAPABILITIES;
    const KEEPS_OUTPUTS: bool = REUSES;

    alike!(Value);

    fn parse(&mut self, mut input: &[u8]) -> Result<rmpv::Value, Rejected> {
        let document = decode::read_value(&mut input).map_err(Rejected::because)?;
        codec::at_end(input.len())?;
        Ok(document)
    }

    fn serialize(&mut self, document: &rmpv::Value) -> Result<Vec<u8>, Rejected> {
        let mut output = match REUSES {
            true => std::mem::take(&mut self.output),
            false => Vec::with_capacity(OUTPUT_BYTES),
        };
        encode::write_value(&mut output, document).map_err(Rejected::because)?;
        Ok(output)
    }

    fn reclaim_output(&mut self, mut output: Vec<u8>) {
        if REUSES {
            output.clear();
            self.output = output;
        }
    }
}

impl Codec for ValueRef {
    type Document<'i> = rmpv::ValueRef<'i>;
    type Output = Vec<u8>;

    const CAPABILITIES: Capabilities = Capabilities { borrows_input: true, ..CAPABILITIES };

    alike!(ValueRef);

    fn parse<'i>(&mut self, mut input: &'i [u8]) -> Result<rmpv::ValueRef<'i>, Rejected> {
        let document = decode::read_value_ref(&mut input).map_err(Rejected::because)?;
        codec::at_end(input.len())?;
        Ok(document)
    }

    fn serialize(&mut self, document: &rmpv::ValueRef<'_>) -> Result<Vec<u8>, Rejected> {
        let mut output = Vec::with_capacity(OUTPUT_BYTES);
        encode::write_value_ref(&mut output, document).map_err(Rejected::because)?;
        Ok(output)
    }
}

fn bits(number: Integer) -> u64 {
    number.as_u64().or_else(|| number.as_i64().map(i64::cast_unsigned)).unwrap_or_default()
}
