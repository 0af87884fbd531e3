//! How values are shown to people.

use std::fmt::{self, Write};

use crate::{Value, widened};

/// In full: `{"a": [1, -2.5, 1f32], 5: bin(00 ff), nil: ext(-1: 07)}`.
///
/// A string that is not UTF-8 has `\xff` for such bytes, a NaN its bits.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_tree(f, self)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_tree(f, self)
    }
}

/// What is left to write, the next part last.
enum Part<'v> {
    Text(&'static str),
    Node(&'v Value),
    Items(&'v [Value]),
    Entries(&'v [(Value, Value)]),
}

fn write_tree(out: &mut impl Write, root: &Value) -> fmt::Result {
    let mut parts = vec![Part::Node(root)];
    while let Some(part) = parts.pop() {
        match part {
            Part::Text(text) => out.write_str(text)?,
            Part::Node(Value::Array(items)) => {
                out.write_str("[")?;
                parts.extend([Part::Text("]"), Part::Items(items)]);
            }
            Part::Node(Value::Map(entries)) => {
                out.write_str("{")?;
                parts.extend([Part::Text("}"), Part::Entries(entries)]);
            }
            Part::Node(leaf) => write_leaf(out, leaf)?,
            Part::Items([]) | Part::Entries([]) => {}
            Part::Items([item, rest @ ..]) => {
                parts.extend([Part::Items(rest), Part::Text(separator(rest)), Part::Node(item)]);
            }
            Part::Entries([(key, value), rest @ ..]) => {
                parts.extend([Part::Entries(rest), Part::Text(separator(rest))]);
                parts.extend([Part::Node(value), Part::Text(": "), Part::Node(key)]);
            }
        }
    }
    Ok(())
}

fn separator<T>(rest: &[T]) -> &'static str {
    if rest.is_empty() { "" } else { ", " }
}

fn write_leaf(out: &mut impl Write, leaf: &Value) -> fmt::Result {
    match leaf {
        Value::Nil => out.write_str("nil"),
        Value::Bool(truth) => write!(out, "{truth}"),
        Value::Int(integer) => write!(out, "{integer}"),
        Value::F32(bits) => {
            let float = f32::from_bits(*bits);
            if float.is_nan() {
                write!(out, "nan({bits:08x})f32")
            } else {
                write!(out, "{float:?}f32")
            }
        }
        Value::F64(bits) => {
            let float = f64::from_bits(*bits);
            if float.is_nan() { write!(out, "nan({bits:016x})") } else { write!(out, "{float:?}") }
        }
        Value::Str(bytes) => write_quoted(out, bytes),
        Value::Bin(bytes) => {
            out.write_str("bin(")?;
            write_hex(out, bytes)?;
            out.write_str(")")
        }
        Value::Ext(kind, bytes) => {
            write!(out, "ext({kind}: ")?;
            write_hex(out, bytes)?;
            out.write_str(")")
        }
        Value::Array(_) | Value::Map(_) => Ok(()),
    }
}

fn write_quoted(out: &mut impl Write, bytes: &[u8]) -> fmt::Result {
    out.write_str("\"")?;
    for chunk in bytes.utf8_chunks() {
        write!(out, "{}", chunk.valid().escape_debug())?;
        for byte in chunk.invalid() {
            write!(out, "\\x{byte:02x}")?;
        }
    }
    out.write_str("\"")
}

fn write_hex(out: &mut impl Write, bytes: &[u8]) -> fmt::Result {
    for (position, byte) in bytes.iter().enumerate() {
        let space = if position == 0 { "" } else { " " };
        write!(out, "{space}{byte:02x}")?;
    }
    Ok(())
}

/// A string for people, of which at most about `limit` characters are shown.
pub(crate) fn quoted(bytes: &[u8], limit: usize) -> String {
    shortened(limit, |out| write_quoted(out, bytes))
}

/// Bytes in hex, of which at most about `limit` characters are shown.
pub(crate) fn hex(bytes: &[u8], limit: usize) -> String {
    shortened(limit, |out| write_hex(out, bytes))
}

/// A whole tree, of which at most about `limit` characters are shown.
pub(crate) fn tree(value: &Value, limit: usize) -> String {
    shortened(limit, |out| write_tree(out, value))
}

/// One node alone: what it is, and its value or size; bytes are shown from `from` on.
pub(crate) fn node(value: &Value, from: usize) -> String {
    const LIMIT: usize = 60;
    let start = if from == 0 { String::new() } else { format!(" from byte {from}") };
    match value {
        Value::Nil => "nil".into(),
        Value::Bool(truth) => truth.to_string(),
        Value::Int(integer) => format!("integer {integer}"),
        Value::F32(bits) => {
            format!(
                "float32 {} (bits {bits:08x}, widened {:016x})",
                f32::from_bits(*bits),
                widened(*bits)
            )
        }
        Value::F64(bits) => format!("float64 {} (bits {bits:016x})", f64::from_bits(*bits)),
        Value::Str(bytes) => {
            format!("{}{start}: {}", sized("string", bytes, "byte"), quoted(&bytes[from..], LIMIT))
        }
        Value::Bin(bytes) => {
            format!("{}{start}: {}", sized("binary", bytes, "byte"), hex(&bytes[from..], LIMIT))
        }
        Value::Ext(kind, bytes) => {
            let what = sized(&format!("extension {kind}"), bytes, "byte");
            format!("{what}{start}: {}", hex(&bytes[from..], LIMIT))
        }
        Value::Array(items) => sized("array", items, "element"),
        Value::Map(entries) => counted("map", entries.len(), "entry", "entries"),
    }
}

fn sized<T>(what: &str, parts: &[T], part: &str) -> String {
    counted(what, parts.len(), part, &format!("{part}s"))
}

/// `array of 1 element`, `map of 2 entries`.
pub(crate) fn counted(what: &str, count: usize, one: &str, many: &str) -> String {
    format!("{what} of {count} {}", if count == 1 { one } else { many })
}

/// Runs `write` until the limit is reached, so that a large value costs no more than what is shown of it.
fn shortened(limit: usize, write: impl FnOnce(&mut Limited) -> fmt::Result) -> String {
    let mut out = Limited { text: String::new(), limit };
    let complete = write(&mut out).is_ok();
    if !complete {
        out.text.push('…');
    }
    out.text
}

struct Limited {
    text: String,
    limit: usize,
}

impl Write for Limited {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = self.limit.saturating_sub(self.text.len());
        if text.len() <= room {
            self.text.push_str(text);
            return Ok(());
        }
        self.text.push_str(&text[..text.floor_char_boundary(room)]);
        Err(fmt::Error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_shown_in_one_line() {
        let tree = Value::Map(vec![
            (Value::from("a\n"), Value::Array(vec![Value::from(1_u64), Value::from(-2.5)])),
            (Value::from(5_u64), Value::Bin(vec![0, 255])),
            (Value::Nil, Value::Ext(-1, vec![7])),
            (Value::from(1.0_f32), Value::Str(vec![b'x', 0xff])),
            (Value::F64(0x7ff0_0000_0000_0001), Value::Array(vec![])),
        ]);
        let shown = r#"{"a\n": [1, -2.5], 5: bin(00 ff), nil: ext(-1: 07), 1.0f32: "x\xff", nan(7ff0000000000001): []}"#;
        assert_eq!(tree.to_string(), shown);
        assert_eq!(format!("{tree:?}"), shown);
    }

    #[test]
    fn long_values_are_shortened_at_a_character() {
        assert_eq!(quoted("grün".as_bytes(), 4), "\"gr…");
        assert_eq!(hex(&[1, 2, 3], 5), "01 02…");
        assert_eq!(hex(&[1, 2], 5), "01 02");
    }

    #[test]
    fn a_node_alone_says_what_it_is() {
        assert_eq!(node(&Value::from("abc"), 0), "string of 3 bytes: \"abc\"");
        assert_eq!(node(&Value::from("abc"), 2), "string of 3 bytes from byte 2: \"c\"");
        assert_eq!(node(&Value::Map(vec![(Value::Nil, Value::Nil)]), 0), "map of 1 entry");
        assert_eq!(node(&Value::Array(vec![]), 0), "array of 0 elements");
        assert_eq!(node(&Value::from(1.5_f64), 0), "float64 1.5 (bits 3ff8000000000000)");
    }
}
