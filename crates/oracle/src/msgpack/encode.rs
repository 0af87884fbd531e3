//! The encoder: every value in its shortest format.

use super::header::{self, Header};
use crate::Value;

/// Encodes a document; integers, lengths and extensions take their shortest format, floats keep their width.
///
/// # Panics
///
/// If a length does not fit into 32 bits: no MessagePack can hold it.
pub fn encode(document: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    encode_onto(&mut out, document);
    out
}

/// Encodes a document onto the end of `out`, otherwise as [`encode`].
pub fn encode_onto(out: &mut Vec<u8>, document: &Value) {
    for node in document.nodes() {
        write_alone(out, node, |headers| headers.next());
    }
}

/// Writes a node without its children, with the header that `choose` takes from those that fit.
///
/// The headers come shortest first, and there is always one.
pub(super) fn write_alone(
    out: &mut Vec<u8>,
    node: &Value,
    mut choose: impl FnMut(&mut dyn Iterator<Item = Header>) -> Option<Header>,
) {
    let header = match node {
        Value::Nil => return out.push(0xc0),
        Value::Bool(truth) => return out.push(0xc2 | u8::from(*truth)),
        Value::F32(bits) => Some(Header::of_float32(*bits)),
        Value::F64(bits) => Some(Header::of_float64(*bits)),
        Value::Int(integer) => choose(&mut header::of_integer(*integer)),
        Value::Str(bytes) => choose(&mut header::of_length(header::STR, length(bytes))),
        Value::Bin(bytes) => choose(&mut header::of_length(header::BIN, length(bytes))),
        Value::Ext(_, bytes) => choose(&mut header::of_ext(length(bytes))),
        Value::Array(items) => choose(&mut header::of_length(header::ARRAY, length(items))),
        Value::Map(entries) => choose(&mut header::of_length(header::MAP, length(entries))),
    };
    header.expect("the widest header fits every value").write(out);
    match node {
        Value::Str(bytes) | Value::Bin(bytes) => out.extend_from_slice(bytes),
        Value::Ext(kind, bytes) => {
            out.push(kind.cast_unsigned());
            out.extend_from_slice(bytes);
        }
        _ => {}
    }
}

fn length<T>(children: &[T]) -> u32 {
    u32::try_from(children.len()).expect("lengths fit into 32 bits, as documented")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_take_their_shortest_format_at_every_bound() {
        let cases: [(i128, &[u8]); 20] = [
            (0, &[0x00]),
            (127, &[0x7f]),
            (128, &[0xcc, 0x80]),
            (255, &[0xcc, 0xff]),
            (256, &[0xcd, 0x01, 0x00]),
            (65_535, &[0xcd, 0xff, 0xff]),
            (65_536, &[0xce, 0, 1, 0, 0]),
            (4_294_967_295, &[0xce, 0xff, 0xff, 0xff, 0xff]),
            (4_294_967_296, &[0xcf, 0, 0, 0, 1, 0, 0, 0, 0]),
            (u64::MAX.into(), &[0xcf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
            (-1, &[0xff]),
            (-32, &[0xe0]),
            (-33, &[0xd0, 0xdf]),
            (-128, &[0xd0, 0x80]),
            (-129, &[0xd1, 0xff, 0x7f]),
            (-32_768, &[0xd1, 0x80, 0x00]),
            (-32_769, &[0xd2, 0xff, 0xff, 0x7f, 0xff]),
            (i32::MIN.into(), &[0xd2, 0x80, 0, 0, 0]),
            (-2_147_483_649, &[0xd3, 0xff, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff]),
            (i64::MIN.into(), &[0xd3, 0x80, 0, 0, 0, 0, 0, 0, 0]),
        ];
        for (number, bytes) in cases {
            let value = match u64::try_from(number) {
                Ok(unsigned) => Value::from(unsigned),
                Err(_) => Value::from(number as i64),
            };
            assert_eq!(encode(&value), bytes, "{number}");
        }
    }

    #[test]
    fn lengths_take_their_shortest_header_at_every_bound() {
        let header = |value: Value, bytes: usize| encode(&value)[..bytes].to_vec();
        let text = |length| Value::Str(vec![b'a'; length]);
        let bin = |length| Value::Bin(vec![0; length]);
        let array = |length| Value::Array(vec![Value::Nil; length]);
        let map = |length| Value::Map(vec![(Value::Nil, Value::Nil); length]);
        let ext = |length| Value::Ext(-2, vec![0; length]);

        assert_eq!(header(text(31), 1), [0xbf]);
        assert_eq!(header(text(32), 2), [0xd9, 32]);
        assert_eq!(header(text(255), 2), [0xd9, 255]);
        assert_eq!(header(text(256), 3), [0xda, 1, 0]);
        assert_eq!(header(text(65_536), 5), [0xdb, 0, 1, 0, 0]);
        assert_eq!(header(bin(0), 2), [0xc4, 0]);
        assert_eq!(header(bin(256), 3), [0xc5, 1, 0]);
        assert_eq!(header(bin(65_536), 5), [0xc6, 0, 1, 0, 0]);
        assert_eq!(header(array(15), 1), [0x9f]);
        assert_eq!(header(array(16), 3), [0xdc, 0, 16]);
        assert_eq!(header(array(65_536), 5), [0xdd, 0, 1, 0, 0]);
        assert_eq!(header(map(15), 1), [0x8f]);
        assert_eq!(header(map(16), 3), [0xde, 0, 16]);
        assert_eq!(header(map(65_536), 5), [0xdf, 0, 1, 0, 0]);
        for (length, first) in [(1, 0xd4), (2, 0xd5), (4, 0xd6), (8, 0xd7), (16, 0xd8)] {
            assert_eq!(header(ext(length), 2), [first, 0xfe]);
        }
        assert_eq!(header(ext(0), 3), [0xc7, 0, 0xfe]);
        assert_eq!(header(ext(17), 3), [0xc7, 17, 0xfe]);
        assert_eq!(header(ext(256), 4), [0xc8, 1, 0, 0xfe]);
        assert_eq!(header(ext(65_536), 6), [0xc9, 0, 1, 0, 0, 0xfe]);
    }

    #[test]
    fn floats_keep_their_width() {
        assert_eq!(encode(&Value::from(1.0_f32)), [0xca, 0x3f, 0x80, 0, 0]);
        assert_eq!(encode(&Value::from(1.0_f64)), [0xcb, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn a_tree_is_written_in_document_order() {
        let tree = Value::Map(vec![
            (Value::from("a"), Value::Array(vec![Value::Nil, Value::from(true)])),
            (Value::from(false), Value::Map(vec![])),
        ]);
        assert_eq!(encode(&tree), [0x82, 0xa1, b'a', 0x92, 0xc0, 0xc3, 0xc2, 0x80]);
    }
}
