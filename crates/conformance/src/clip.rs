//! Shows bytes and values to people, cut off where they get long.

use std::fmt::{self, Write};

use oracle::Value;

/// Longest text shown of one value or message, in characters; chosen.
const SHOWN: usize = 160;

/// A text that takes no more than its room, and says so by an error.
struct Clip {
    text: String,
    room: usize,
}

impl Write for Clip {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            if self.room == 0 {
                return Err(fmt::Error);
            }
            self.room -= 1;
            self.text.push(character);
        }
        Ok(())
    }
}

/// The start of what `shown` writes; a tree of a million levels is not written out for it.
fn clipped(shown: impl fmt::Display) -> String {
    let mut clip = Clip { text: String::new(), room: SHOWN };
    if write!(clip, "{shown}").is_err() {
        clip.text.push('…');
    }
    clip.text
}

/// A value as text.
pub(crate) fn value(value: &Value) -> String {
    clipped(value)
}

/// A library's own words.
pub(crate) fn words(words: &str) -> String {
    clipped(words.trim())
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "no bytes".into();
    }
    let shown: Vec<_> = bytes.iter().take(SHOWN / 3).map(|byte| format!("{byte:02x}")).collect();
    match bytes.len() - shown.len() {
        0 => shown.join(" "),
        more => format!("{} … {more} more bytes", shown.join(" ")),
    }
}

#[test]
fn what_is_long_is_cut_off() {
    assert_eq!(value(&Value::from(7_u64)), "7");
    assert_eq!(hex(&[]), "no bytes");
    assert_eq!(hex(&[1, 0xff]), "01 ff");
    assert!(hex(&[0; 200]).ends_with("00 … 147 more bytes"));
    assert_eq!(words(&"é".repeat(161)), format!("{}…", "é".repeat(160)));
}
