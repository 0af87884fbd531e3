//! Walks over a tree in document order: nodes, counts, sums.

use std::slice;

use crate::{Value, widened};

impl Value {
    /// Every node in document order: a container before its children, a key before its value.
    pub fn nodes(&self) -> Nodes<'_> {
        Nodes { pending: vec![Pending::Items(slice::from_ref(self))] }
    }
}

/// Iterator over the nodes of a tree; see [`Value::nodes`].
pub struct Nodes<'v> {
    /// What is left of each open container; none of them is empty.
    pending: Vec<Pending<'v>>,
}

enum Pending<'v> {
    Items(&'v [Value]),
    Entries(&'v [(Value, Value)]),
}

impl<'v> Iterator for Nodes<'v> {
    type Item = &'v Value;

    fn next(&mut self) -> Option<&'v Value> {
        let node = match self.pending.pop()? {
            Pending::Items(items) => {
                let (node, rest) = items.split_first()?;
                if !rest.is_empty() {
                    self.pending.push(Pending::Items(rest));
                }
                node
            }
            Pending::Entries(entries) => {
                let ((key, value), rest) = entries.split_first()?;
                if !rest.is_empty() {
                    self.pending.push(Pending::Entries(rest));
                }
                self.pending.push(Pending::Items(slice::from_ref(value)));
                key
            }
        };
        match node {
            Value::Array(items) if !items.is_empty() => self.pending.push(Pending::Items(items)),
            Value::Map(entries) if !entries.is_empty() => {
                self.pending.push(Pending::Entries(entries));
            }
            _ => {}
        }
        Some(node)
    }
}

/// How many nodes of each kind a document has; a map key counts as a value of its own type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Maps.
    pub maps: u64,
    /// Arrays.
    pub arrays: u64,
    /// Strings.
    pub strings: u64,
    /// Binaries.
    pub binaries: u64,
    /// Extensions, timestamps among them.
    pub extensions: u64,
    /// Integers and floats.
    pub numbers: u64,
    /// Booleans.
    pub booleans: u64,
    /// Nils.
    pub nils: u64,
}

impl Stats {
    /// Counts the nodes of a document.
    pub fn of(document: &Value) -> Stats {
        let mut stats = Stats::default();
        for node in document.nodes() {
            let count = match node {
                Value::Nil => &mut stats.nils,
                Value::Bool(_) => &mut stats.booleans,
                Value::Int(_) | Value::F32(_) | Value::F64(_) => &mut stats.numbers,
                Value::Str(_) => &mut stats.strings,
                Value::Bin(_) => &mut stats.binaries,
                Value::Ext(..) => &mut stats.extensions,
                Value::Array(_) => &mut stats.arrays,
                Value::Map(_) => &mut stats.maps,
            };
            *count += 1;
        }
        stats
    }
}

/// Sums over all that a document holds, map keys included, so that nothing can be left unread.
///
/// All sums wrap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Integers, each as 64 bits of two's complement.
    pub integers: u64,
    /// Bits of the floats, each widened to a float64 by [`widened`].
    ///
    /// A library that widens by a cast quiets a signalling float32 NaN and gets another sum; no dataset holds one.
    pub float_bits: u64,
    /// Every byte of strings, binaries and extension payloads.
    pub bytes: u64,
}

impl Sums {
    /// Adds up what a document holds.
    pub fn of(document: &Value) -> Sums {
        let mut sums = Sums::default();
        for node in document.nodes() {
            match node {
                Value::Nil | Value::Bool(_) | Value::Array(_) | Value::Map(_) => {}
                Value::Int(integer) => sums.integers = sums.integers.wrapping_add(integer.bits()),
                Value::F32(bits) => sums.float_bits = sums.float_bits.wrapping_add(widened(*bits)),
                Value::F64(bits) => sums.float_bits = sums.float_bits.wrapping_add(*bits),
                Value::Str(bytes) | Value::Bin(bytes) | Value::Ext(_, bytes) => {
                    let sum: u64 = bytes.iter().map(|&byte| u64::from(byte)).sum();
                    sums.bytes = sums.bytes.wrapping_add(sum);
                }
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_of_each() -> Value {
        Value::Array(vec![
            Value::Nil,
            Value::Bool(true),
            Value::Map(vec![
                (Value::from("k"), Value::from(-1_i64)),
                (Value::from(5_u64), Value::Bin(vec![200, 100])),
                (Value::Array(vec![]), Value::Ext(-1, vec![1])),
            ]),
            Value::from(1.0_f32),
            Value::from(2.0_f64),
        ])
    }

    #[test]
    fn nodes_come_in_document_order_with_keys_before_their_values() {
        let tree = one_of_each();
        let kinds: String = tree
            .nodes()
            .map(|node| match node {
                Value::Nil => 'n',
                Value::Bool(_) => 'b',
                Value::Int(_) => 'i',
                Value::F32(_) | Value::F64(_) => 'f',
                Value::Str(_) => 's',
                Value::Bin(_) => 'x',
                Value::Ext(..) => 'e',
                Value::Array(_) => 'A',
                Value::Map(_) => 'M',
            })
            .collect();
        assert_eq!(kinds, "AnbMsiixAeff");
    }

    #[test]
    fn stats_count_every_node_and_a_key_as_its_own_type() {
        let expected = Stats {
            maps: 1,
            arrays: 2,
            strings: 1,
            binaries: 1,
            extensions: 1,
            numbers: 4,
            booleans: 1,
            nils: 1,
        };
        assert_eq!(Stats::of(&one_of_each()), expected);
    }

    #[test]
    fn sums_wrap_and_take_in_keys_and_payloads() {
        let float_bits = 1.0_f64.to_bits().wrapping_add(2.0_f64.to_bits());
        let expected = Sums { integers: 4, float_bits, bytes: u64::from(b'k') + 301 };
        assert_eq!(Sums::of(&one_of_each()), expected);
    }
}
