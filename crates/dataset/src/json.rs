//! Reads JSON text as the oracle's tree.

use std::fmt;

use oracle::Value;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// Reads one JSON document.
///
/// Map entries keep their order and their duplicates.
/// A number without fraction and exponent is an integer if an int64 or uint64 can hold it; every other number, `-0` among them, is the nearest float64.
///
/// # Errors
///
/// Text that is no JSON, a float beyond the range of float64, half a surrogate pair, nesting of 128 or more, and anything after the document.
pub(crate) fn read(text: &[u8]) -> serde_json::Result<Value> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    let value = Node.deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// Any value, map keys included.
struct Node;

impl<'de> DeserializeSeed<'de> for Node {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Nil)
    }

    fn visit_bool<E: Error>(self, truth: bool) -> Result<Value, E> {
        Ok(truth.into())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(Node)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry_seed(Node, Node)? {
            entries.push(entry);
        }
        Ok(Value::Map(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        read(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn each_kind_of_json_value_has_its_own_kind_of_node() {
        let items = vec![
            Value::Nil,
            true.into(),
            false.into(),
            7_u64.into(),
            1.5_f64.into(),
            "a".into(),
            Value::Array(vec![]),
            Value::Map(vec![]),
        ];
        assert!(
            read(br#" [null, true, false, 7, 1.5, "a", [], {}] "#).unwrap() == Value::Array(items)
        );
    }

    #[test]
    fn map_entries_keep_their_order_and_their_duplicates() {
        let entries = vec![
            ("z".into(), 1_u64.into()),
            ("a".into(), 2_u64.into()),
            ("z".into(), 3_u64.into()),
        ];
        assert!(read(br#"{"z":1,"a":2,"z":3}"#).unwrap() == Value::Map(entries));
    }

    #[test]
    fn integers_keep_their_value_over_int64_and_uint64() {
        for (text, number) in [("0", 0_u64), ("18446744073709551615", u64::MAX)] {
            assert!(read(text.as_bytes()).unwrap() == number.into(), "{text}");
        }
        for (text, number) in [("-1", -1_i64), ("-9223372036854775808", i64::MIN)] {
            assert!(read(text.as_bytes()).unwrap() == number.into(), "{text}");
        }
    }

    #[test]
    fn every_other_number_is_a_float64() {
        for (text, number) in [
            ("18446744073709551616", 18_446_744_073_709_551_616.0_f64),
            ("-9223372036854775809", -9_223_372_036_854_775_808.0),
            ("1.0", 1.0),
            ("1e2", 100.0),
            ("-0", -0.0),
            ("-0.0", -0.0),
            ("1e-400", 0.0),
            ("5e-324", f64::from_bits(1)),
        ] {
            assert!(read(text.as_bytes()).unwrap() == number.into(), "{text}");
        }
    }

    #[test]
    fn a_float_beyond_the_range_of_float64_is_an_error() {
        assert!(error("[1e400]").contains("number out of range"), "{}", error("[1e400]"));
    }

    /// The reference is the standard library, which rounds correctly.
    /// Without the feature `float_roundtrip` this fails.
    #[test]
    fn floats_are_rounded_to_the_nearest() {
        for text in ["122.416294033786585", "-65.613616999999977", "43.420273000000009"] {
            let nearest: f64 = text.parse().unwrap();
            assert!(read(text.as_bytes()).unwrap() == nearest.into(), "{text}");
        }
    }

    #[test]
    fn escapes_become_the_characters_that_they_stand_for() {
        let value = read(br#""\"\\\/\b\f\n\r\t\u0000\u00e9\u20ac\ud83d\ude00""#).unwrap();
        assert_eq!(value.text(), Some("\"\\/\u{8}\u{c}\n\r\t\0é€😀"));
    }

    #[test]
    fn text_that_is_no_single_json_document_is_an_error() {
        for text in ["", "[1,]", "nul", "1 2", r#""\ud83d""#, r#"{"a" 1}"#, "NaN", "01", "\"\n\""] {
            assert!(read(text.as_bytes()).is_err(), "{text}");
        }
        assert!(read(b"\"\xff\"").is_err());
    }

    #[test]
    fn nesting_without_end_is_an_error_and_no_crash() {
        assert!(error(&"[".repeat(1_000_000)).contains("recursion limit"));
    }
}
