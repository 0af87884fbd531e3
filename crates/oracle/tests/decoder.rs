//! The decoder, first byte by first byte, and everything it refuses.

use oracle::Value;
use oracle::msgpack::{DecodeError, Generator, Limits, decode, decode_prefix, explain};

/// Decodes a message that is given in hex, and checks that all of it was used.
fn read(hex: &str) -> Value {
    let bytes = bytes(hex);
    let (value, used) = decode_prefix(&bytes).expect(hex);
    assert_eq!(used, bytes.len(), "{hex}");
    value
}

fn bytes(hex: &str) -> Vec<u8> {
    hex.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).expect(hex)).collect()
}

#[test]
fn one_byte_values_mean_what_the_table_of_first_bytes_says() {
    for first in 0..=255_u8 {
        let expected = match first {
            0x00..=0x7f => Value::from(u64::from(first)),
            0x80 => Value::Map(vec![]),
            0x90 => Value::Array(vec![]),
            0xa0 => Value::from(""),
            0xc0 => Value::Nil,
            0xc2 => Value::from(false),
            0xc3 => Value::from(true),
            0xe0..=0xff => Value::from(i64::from(first) - 256),
            0xc1 => {
                assert_eq!(decode(&[first]), Err(DecodeError::NeverUsed { offset: 0 }));
                continue;
            }
            _ => {
                let error = decode(&[first]).unwrap_err();
                assert!(matches!(error, DecodeError::Truncated { .. }), "{first:02x}: {error}");
                continue;
            }
        };
        assert_eq!(decode(&[first]), Ok(expected), "{first:02x}");
    }
}

#[test]
fn integers_of_every_width_are_read_at_their_bounds() {
    for (hex, number) in [
        ("cc 00", 0),
        ("cc ff", 255),
        ("cd ff ff", 65_535),
        ("ce ff ff ff ff", 4_294_967_295),
        ("cf 7f ff ff ff ff ff ff ff", i64::MAX),
        ("d0 80", -128),
        ("d0 7f", 127),
        ("d1 80 00", -32_768),
        ("d1 7f ff", 32_767),
        ("d2 80 00 00 00", -2_147_483_648),
        ("d2 7f ff ff ff", 2_147_483_647),
        ("d3 80 00 00 00 00 00 00 00", i64::MIN),
        ("d3 7f ff ff ff ff ff ff ff", i64::MAX),
        ("d3 ff ff ff ff ff ff ff ff", -1),
    ] {
        assert_eq!(read(hex), Value::from(number), "{hex}");
    }
    assert_eq!(read("cf ff ff ff ff ff ff ff ff"), Value::from(u64::MAX));
}

#[test]
fn floats_keep_their_bits() {
    assert_eq!(read("ca 7f 80 00 01"), Value::F32(0x7f80_0001));
    assert_eq!(read("cb 80 00 00 00 00 00 00 00"), Value::F64(1 << 63));
}

#[test]
fn strings_binaries_and_extensions_of_every_width_are_read() {
    for hex in ["a2 61 ff", "d9 02 61 ff", "da 00 02 61 ff", "db 00 00 00 02 61 ff"] {
        assert_eq!(read(hex), Value::Str(vec![0x61, 0xff]), "{hex}");
    }
    for hex in ["c4 02 61 ff", "c5 00 02 61 ff", "c6 00 00 00 02 61 ff"] {
        assert_eq!(read(hex), Value::Bin(vec![0x61, 0xff]), "{hex}");
    }
    for hex in ["d5 80 61 ff", "c7 02 80 61 ff", "c8 00 02 80 61 ff", "c9 00 00 00 02 80 61 ff"] {
        assert_eq!(read(hex), Value::Ext(-128, vec![0x61, 0xff]), "{hex}");
    }
    for (first, length) in [(0xd4, 1), (0xd5, 2), (0xd6, 4), (0xd7, 8), (0xd8, 16)] {
        let mut message = vec![first, 0x7f];
        message.extend(vec![9; length]);
        assert_eq!(decode(&message), Ok(Value::Ext(127, vec![9; length])));
    }
}

#[test]
fn arrays_and_maps_of_every_width_are_read_in_order() {
    for hex in ["92 c0 c3", "dc 00 02 c0 c3", "dd 00 00 00 02 c0 c3"] {
        assert_eq!(read(hex), Value::Array(vec![Value::Nil, Value::from(true)]), "{hex}");
    }
    let entries = Value::Map(vec![
        (Value::from("a"), Value::Nil),
        (Value::Array(vec![]), Value::from(1_i64)),
        (Value::from("a"), Value::from(2_i64)),
    ]);
    for hex in ["83", "de 00 03", "df 00 00 00 03"] {
        assert_eq!(read(&format!("{hex} a1 61 c0 90 01 a1 61 02")), entries, "{hex}");
    }
}

#[test]
fn errors_say_where_and_how_much_is_missing() {
    let truncated =
        |offset, needed, available| Err(DecodeError::Truncated { offset, needed, available });
    for (hex, expected) in [
        ("", truncated(0, 1, 0)),
        ("cd", truncated(0, 3, 1)),
        ("cd 01", truncated(0, 3, 2)),
        ("c0 c0", Err(DecodeError::Trailing { offset: 1, bytes: 1 })),
        ("91 c1", Err(DecodeError::NeverUsed { offset: 1 })),
        ("92 c0", truncated(2, 1, 0)),
        ("92 c0 a3 61", truncated(2, 4, 2)),
        ("81 a1 61", truncated(3, 1, 0)),
        ("d9 05 61 62", truncated(0, 7, 4)),
        ("d8 01 00", truncated(0, 18, 3)),
        ("c7 02", truncated(0, 3, 2)),
        ("c7 02 01 00", truncated(0, 5, 4)),
        ("db ff ff ff ff", truncated(0, 5 + 0xffff_ffff, 5)),
        ("c6 ff ff ff ff 00", truncated(0, 5 + 0xffff_ffff, 6)),
        ("c9 ff ff ff ff 01", truncated(0, 6 + 0xffff_ffff, 6)),
        ("dd ff ff ff ff", truncated(5, 1, 0)),
        ("df ff ff ff ff 01 02", truncated(7, 1, 0)),
    ] {
        assert_eq!(decode(&bytes(hex)), expected, "{hex}");
    }
}

#[test]
fn error_texts_name_the_offset() {
    let text = |hex| decode(&bytes(hex)).unwrap_err().to_string();
    assert_eq!(text(""), "empty input, a message has at least 1 byte");
    assert_eq!(text("92 c0"), "input ends at offset 2, where a value is due");
    assert_eq!(
        text("91 cd 01"),
        "truncated: the value at offset 1 has at least 3 bytes, 2 are there"
    );
    assert_eq!(text("91 c1"), "byte `c1` at offset 1, which is never used");
    assert_eq!(text("c0 c0"), "the message ends at offset 1, but 1 byte follows");
    assert_eq!(text("c0 c0 c0"), "the message ends at offset 1, but 2 bytes follow");
}

#[test]
fn decode_prefix_leaves_what_follows_alone() {
    assert_eq!(decode_prefix(&bytes("92 01 02 c1")), Ok((read("92 01 02"), 3)));
}

/// Each of these headers promises 128 GB of values: making room for them would end the test.
#[test]
fn promised_children_cost_nothing() {
    for header in ["dd ff ff ff ff", "df ff ff ff ff"] {
        let message = bytes(header).repeat(100_000);
        let end = message.len();
        let expected = Err(DecodeError::Truncated { offset: end, needed: 1, available: 0 });
        assert_eq!(decode(&message), expected, "{header}");
    }
}

#[test]
fn no_prefix_of_a_message_is_accepted_and_explain_finds_the_same_error() {
    let mut generator = Generator::new(3, Limits::default());
    for _ in 0..1_000 {
        let document = generator.document();
        for end in 0..document.bytes.len().min(200) {
            let prefix = &document.bytes[..end];
            let error = decode(prefix).unwrap_err();
            assert!(matches!(error, DecodeError::Truncated { .. }), "{prefix:02x?}: {error}");
            let line = explain(prefix).last().unwrap();
            assert_eq!((line.error, line.offset), (Some(error), error.offset()), "{prefix:02x?}");
        }
    }
}

#[test]
fn bytes_after_a_message_are_counted_and_explain_finds_the_same_error() {
    let mut generator = Generator::new(4, Limits::default());
    for _ in 0..1_000 {
        let mut message = generator.document().bytes;
        let end = message.len();
        message.extend([0xc1, 0x00]);
        let expected = DecodeError::Trailing { offset: end, bytes: 2 };
        assert_eq!(decode(&message), Err(expected));
        assert_eq!(explain(&message).last().unwrap().error, Some(expected));
    }
}
