//! A decoded message as a tree of values.

use std::cmp::Ordering;
use std::fmt;
use std::mem;

use crate::build::Builder;

/// A decoded message, or a part of one.
///
/// `==` asks for the same kinds, the same bits and the same order of map entries; [`crate::compare`] is the judge's comparison.
///
/// The type has a `Drop` of its own, so its parts can be borrowed but not moved out by a pattern.
pub enum Value {
    /// Nil.
    Nil,
    /// A boolean.
    Bool(bool),
    /// An integer, whatever its width on the wire.
    Int(Integer),
    /// A float32, as its bits.
    F32(u32),
    /// A float64, as its bits.
    F64(u64),
    /// A string, as its bytes; they need not be UTF-8.
    Str(Vec<u8>),
    /// A binary.
    Bin(Vec<u8>),
    /// An extension: its type and its payload.
    Ext(i8, Vec<u8>),
    /// An array.
    Array(Vec<Value>),
    /// A map: its entries in the order of the message, duplicates kept.
    Map(Vec<(Value, Value)>),
}

impl Value {
    /// The string in a `Str` that is UTF-8.
    pub fn text(&self) -> Option<&str> {
        match self {
            Value::Str(bytes) => std::str::from_utf8(bytes).ok(),
            _ => None,
        }
    }

    /// Whether every string in the tree, map keys among them, is UTF-8.
    pub fn is_utf8(&self) -> bool {
        self.nodes().all(|node| !matches!(node, Value::Str(_)) || node.text().is_some())
    }

    /// Moves the children that have children themselves to `pending`, and leaves nil in their place.
    fn detach(&mut self, pending: &mut Vec<Value>) {
        let mut take = |child: &mut Value| match child {
            Value::Array(items) if !items.is_empty() => {
                pending.push(mem::replace(child, Value::Nil))
            }
            Value::Map(entries) if !entries.is_empty() => {
                pending.push(mem::replace(child, Value::Nil));
            }
            _ => {}
        };
        match self {
            Value::Array(items) => items.iter_mut().for_each(take),
            Value::Map(entries) => entries.iter_mut().for_each(|(key, value)| {
                take(key);
                take(value);
            }),
            _ => {}
        }
    }
}

/// Dropping by recursion, as the compiler would, overflows the stack on deep trees.
impl Drop for Value {
    fn drop(&mut self) {
        let mut pending = Vec::new();
        self.detach(&mut pending);
        while let Some(mut value) = pending.pop() {
            value.detach(&mut pending);
        }
    }
}

impl Clone for Value {
    fn clone(&self) -> Value {
        let mut builder = Builder::default();
        let mut root = None;
        for node in self.nodes() {
            root = match node {
                Value::Nil => builder.add(Value::Nil),
                Value::Bool(truth) => builder.add(Value::Bool(*truth)),
                Value::Int(integer) => builder.add(Value::Int(*integer)),
                Value::F32(bits) => builder.add(Value::F32(*bits)),
                Value::F64(bits) => builder.add(Value::F64(*bits)),
                Value::Str(bytes) => builder.add(Value::Str(bytes.clone())),
                Value::Bin(bytes) => builder.add(Value::Bin(bytes.clone())),
                Value::Ext(kind, bytes) => builder.add(Value::Ext(*kind, bytes.clone())),
                Value::Array(items) => builder.array(items.len() as u64, items.len()),
                Value::Map(entries) => builder.map(entries.len() as u64, entries.len()),
            };
        }
        root.expect("the last node completes the tree")
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        // Containers of equal length keep the two walks in step.
        self.nodes().zip(other.nodes()).all(|(a, b)| {
            mem::discriminant(a) == mem::discriminant(b) && crate::compare::equal_alone(a, b)
        })
    }
}

impl Eq for Value {}

impl From<bool> for Value {
    fn from(truth: bool) -> Value {
        Value::Bool(truth)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Int(number.into())
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Value {
        Value::Int(number.into())
    }
}

impl From<f32> for Value {
    fn from(number: f32) -> Value {
        Value::F32(number.to_bits())
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Value {
        Value::F64(number.to_bits())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Str(text.as_bytes().to_vec())
    }
}

/// An integer from the smallest int64 to the largest uint64.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Integer {
    // Two's complement. An i128 would do the same and align every value to 16 bytes.
    bits: u64,
    negative: bool,
}

impl Integer {
    /// The number itself.
    pub fn number(self) -> i128 {
        if self.negative { i128::from(self.bits.cast_signed()) } else { i128::from(self.bits) }
    }

    /// The number as 64 bits of two's complement; from 2^63 on these are also the bits of a negative number.
    pub fn bits(self) -> u64 {
        self.bits
    }
}

impl From<i64> for Integer {
    fn from(number: i64) -> Integer {
        Integer { bits: number.cast_unsigned(), negative: number < 0 }
    }
}

impl From<u64> for Integer {
    fn from(number: u64) -> Integer {
        Integer { bits: number, negative: false }
    }
}

impl Ord for Integer {
    fn cmp(&self, other: &Integer) -> Ordering {
        self.number().cmp(&other.number())
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Integer) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

impl fmt::Debug for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

/// The bits of a float32 as those of the float64 of the same value.
///
/// A signalling NaN stays one: its payload moves up 29 bits as it is, where a cast by hardware would set the quiet bit.
pub fn widened(bits: u32) -> u64 {
    const EXPONENT: u64 = 0x7ff << 52;
    let float = f32::from_bits(bits);
    if float.is_nan() {
        let sign = u64::from(bits >> 31) << 63;
        let payload = u64::from(bits & 0x007f_ffff) << 29;
        sign | EXPONENT | payload
    } else {
        f64::from(float).to_bits()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_has_the_size_of_four_words() {
        assert_eq!(size_of::<Value>(), 32);
    }

    #[test]
    fn integers_are_ordered_and_shown_by_value_over_both_ranges() {
        let (lowest, highest) = (Integer::from(i64::MIN), Integer::from(u64::MAX));
        assert!(lowest < Integer::from(-1_i64) && Integer::from(-1_i64) < highest);
        assert_eq!(lowest.to_string(), "-9223372036854775808");
        assert_eq!(highest.to_string(), "18446744073709551615");
    }

    #[test]
    fn minus_one_and_the_largest_uint64_share_their_bits_but_differ() {
        let (minus_one, largest) = (Integer::from(-1_i64), Integer::from(u64::MAX));
        assert_eq!(minus_one.bits(), largest.bits());
        assert_ne!(minus_one, largest);
    }

    #[test]
    fn an_integer_is_the_same_whether_it_came_signed_or_unsigned() {
        assert_eq!(Integer::from(7_i64), Integer::from(7_u64));
    }

    #[test]
    fn widening_keeps_subnormals_zeros_and_infinities() {
        for float in [f32::from_bits(1), -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::MIN_POSITIVE]
        {
            assert_eq!(widened(float.to_bits()), f64::from(float).to_bits());
        }
    }

    #[test]
    fn widening_does_not_quiet_a_signalling_nan() {
        assert_eq!(widened(0x7f80_0001), 0x7ff0_0000_2000_0000);
        assert_eq!(widened(0xffc0_0000), 0xfff8_0000_0000_0000);
    }

    #[test]
    fn equality_is_strict_about_kind_order_and_float_width() {
        let map = |pairs: [(i64, i64); 2]| {
            Value::Map(pairs.map(|(key, value)| (key.into(), value.into())).into())
        };
        assert_eq!(map([(1, 2), (3, 4)]), map([(1, 2), (3, 4)]).clone());
        assert_ne!(map([(1, 2), (3, 4)]), map([(3, 4), (1, 2)]));
        assert_ne!(Value::from(1.0_f32), Value::from(1.0_f64));
        assert_ne!(Value::Str(vec![1]), Value::Bin(vec![1]));
        assert_ne!(Value::Array(vec![]), Value::Array(vec![Value::Nil]));
    }

    #[test]
    fn text_and_is_utf8_tell_where_a_string_is_not_utf8() {
        let good = Value::from("grün");
        let bad = Value::Str(vec![0xff]);
        assert_eq!((good.text(), bad.text()), (Some("grün"), None));
        assert!(Value::Array(vec![good.clone()]).is_utf8());
        assert!(!Value::Map(vec![(bad, good)]).is_utf8());
    }
}
