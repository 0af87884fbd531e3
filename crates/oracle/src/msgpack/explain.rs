//! A message token by token, for people; also one that is cut off or wrong.

use super::token::{self, Token};
use super::{DecodeError, header, timestamp};
use crate::show::{counted, hex, quoted};

/// One token of a message, or the error that ends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<'i> {
    /// Where the token starts, in bytes from the start of the input.
    pub offset: usize,
    /// Its bytes: header and payload; for an error the bytes that are wrong, or all that are left.
    pub bytes: &'i [u8],
    /// Number of containers around it.
    pub depth: usize,
    /// What it is to the innermost of them.
    pub role: Role,
    /// What it says, such as `map of 3 entries (fixmap)`.
    pub meaning: String,
    /// The error, on the last line of what is no message; `meaning` has its text.
    pub error: Option<DecodeError>,
}

/// What a value is to the container that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is in none.
    Root,
    /// Element of an array, counted from 0.
    Item(u64),
    /// Key of a map's entry, counted from 0.
    Key(u64),
    /// Value of a map's entry, counted from 0.
    Value(u64),
}

/// Explains the input token by token, up to its end or its first error.
pub fn explain(input: &[u8]) -> Explain<'_> {
    Explain { input, offset: 0, open: vec![Open { kind: Kind::Root, seen: 0, total: 1 }] }
}

/// Iterator over the lines of an explanation; see [`explain`].
pub struct Explain<'i> {
    input: &'i [u8],
    offset: usize,
    /// Containers around the next value, around all of them the input itself; empty at the end.
    open: Vec<Open>,
}

struct Open {
    kind: Kind,
    /// Values seen and values in all; a map has two per entry.
    seen: u64,
    total: u64,
}

enum Kind {
    Root,
    Array,
    Map,
}

impl<'i> Iterator for Explain<'i> {
    type Item = Line<'i>;

    fn next(&mut self) -> Option<Line<'i>> {
        while self.open.last()?.seen == self.open.last()?.total {
            self.open.pop();
            if self.open.is_empty() {
                return self.trailing();
            }
        }
        let depth = self.open.len() - 1;
        let innermost = self.open.last_mut()?;
        let role = match innermost.kind {
            Kind::Root => Role::Root,
            Kind::Array => Role::Item(innermost.seen),
            Kind::Map if innermost.seen % 2 == 0 => Role::Key(innermost.seen / 2),
            Kind::Map => Role::Value(innermost.seen / 2),
        };
        innermost.seen += 1;

        let offset = self.offset;
        match token::read(self.input, offset) {
            Ok((token, end)) => {
                self.offset = end;
                match token {
                    Token::Array(length) => {
                        self.open.push(Open { kind: Kind::Array, seen: 0, total: length.into() });
                    }
                    Token::Map(length) => {
                        let total = 2 * u64::from(length);
                        self.open.push(Open { kind: Kind::Map, seen: 0, total });
                    }
                    _ => {}
                }
                let bytes = &self.input[offset..end];
                Some(Line {
                    offset,
                    bytes,
                    depth,
                    role,
                    meaning: meaning(token, bytes),
                    error: None,
                })
            }
            Err(error) => {
                self.open.clear();
                let rest = &self.input[offset..];
                let bytes = match error {
                    DecodeError::NeverUsed { .. } => &rest[..1],
                    _ => rest,
                };
                Some(Line {
                    offset,
                    bytes,
                    depth,
                    role,
                    meaning: error.to_string(),
                    error: Some(error),
                })
            }
        }
    }
}

impl<'i> Explain<'i> {
    fn trailing(&self) -> Option<Line<'i>> {
        let offset = self.offset;
        let bytes = &self.input[offset..];
        if bytes.is_empty() {
            return None;
        }
        let error = DecodeError::Trailing { offset, bytes: bytes.len() };
        let meaning = error.to_string();
        Some(Line { offset, bytes, depth: 0, role: Role::Root, meaning, error: Some(error) })
    }
}

/// Most characters of a string or of bytes that a meaning shows.
const SHOWN: usize = 100;

fn meaning(token: Token<'_>, bytes: &[u8]) -> String {
    let format = format!("({}{})", header::format_name(bytes[0]), remark(token, bytes));
    let payload = |what: &str, payload: &[u8]| {
        format!("{} {format}: ", counted(what, payload.len(), "byte", "bytes"))
    };
    match token {
        Token::Nil => "nil".into(),
        Token::Bool(truth) => truth.to_string(),
        Token::Int(integer) => format!("integer {integer} {format}"),
        Token::F32(bits) => format!("{:?} {format}", f32::from_bits(bits)),
        Token::F64(bits) => format!("{:?} {format}", f64::from_bits(bits)),
        Token::Str(text) => payload("string", text) + &quoted(text, SHOWN),
        Token::Bin(binary) => payload("binary", binary) + &hex(binary, SHOWN),
        Token::Ext(-1, moment) => payload("extension -1", moment) + &moment_meaning(moment),
        Token::Ext(kind, data) => payload(&format!("extension {kind}"), data) + &hex(data, SHOWN),
        Token::Array(length) => {
            format!("{} {format}", counted("array", length as usize, "element", "elements"))
        }
        Token::Map(length) => {
            format!("{} {format}", counted("map", length as usize, "entry", "entries"))
        }
    }
}

fn moment_meaning(payload: &[u8]) -> String {
    match timestamp::read(payload) {
        Ok(moment) => format!("timestamp {} s + {} ns", moment.seconds, moment.nanoseconds),
        Err(error) => error.to_string(),
    }
}

/// What is unusual about a valid token, to stand behind the name of its format.
fn remark(token: Token<'_>, bytes: &[u8]) -> &'static str {
    // A payload length fits into 32 bits, because the token was read.
    let (shortest, behind_header) = match token {
        Token::Int(integer) => (header::of_integer(integer).next(), 0),
        Token::Str(text) => (header::of_length(header::STR, text.len() as u32).next(), text.len()),
        Token::Bin(data) => (header::of_length(header::BIN, data.len() as u32).next(), data.len()),
        Token::Ext(_, data) => (header::of_ext(data.len() as u32).next(), 1 + data.len()),
        Token::Array(length) => (header::of_length(header::ARRAY, length).next(), 0),
        Token::Map(length) => (header::of_length(header::MAP, length).next(), 0),
        Token::Nil | Token::Bool(_) | Token::F32(_) | Token::F64(_) => (None, 0),
    };
    let longer = shortest.is_some_and(|header| header.size() < bytes.len() - behind_header);
    let invalid_text = matches!(token, Token::Str(text) if std::str::from_utf8(text).is_err());
    match (longer, invalid_text) {
        (false, false) => "",
        (true, false) => ", longer than needed",
        (false, true) => ", not UTF-8",
        (true, true) => ", longer than needed, not UTF-8",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_has_its_offset_bytes_depth_role_and_meaning() {
        let message = [0x82, 0xa1, b'a', 0x92, 0x07, 0xc0, 0xc3, 0xa1, 0xff];
        let lines: Vec<_> = explain(&message)
            .map(|line| (line.offset, line.bytes.len(), line.depth, line.role, line.meaning))
            .collect();
        let expected = [
            (0, 1, 0, Role::Root, "map of 2 entries (fixmap)"),
            (1, 2, 1, Role::Key(0), "string of 1 byte (fixstr): \"a\""),
            (3, 1, 1, Role::Value(0), "array of 2 elements (fixarray)"),
            (4, 1, 2, Role::Item(0), "integer 7 (positive fixint)"),
            (5, 1, 2, Role::Item(1), "nil"),
            (6, 1, 1, Role::Key(1), "true"),
            (7, 2, 1, Role::Value(1), "string of 1 byte (fixstr, not UTF-8): \"\\xff\""),
        ];
        assert_eq!(lines, expected.map(|(a, b, c, d, e)| (a, b, c, d, e.to_owned())));
    }

    #[test]
    fn formats_that_are_longer_than_needed_are_named() {
        let meaning = |bytes: &[u8]| explain(bytes).next().unwrap().meaning;
        assert_eq!(meaning(&[0xcc, 0x05]), "integer 5 (uint 8, longer than needed)");
        assert_eq!(meaning(&[0xd1, 0x01, 0x00]), "integer 256 (int 16)");
        assert_eq!(meaning(&[0xd9, 0]), "string of 0 bytes (str 8, longer than needed): \"\"");
        assert_eq!(meaning(&[0xc4, 1, 9]), "binary of 1 byte (bin 8): 09");
        assert_eq!(
            meaning(&[0xc7, 1, 9, 8]),
            "extension 9 of 1 byte (ext 8, longer than needed): 08"
        );
        assert_eq!(meaning(&[0xd4, 9, 8]), "extension 9 of 1 byte (fixext 1): 08");
        assert_eq!(meaning(&[0xdc, 0, 0]), "array of 0 elements (array 16, longer than needed)");
        assert_eq!(meaning(&[0xca, 0x3f, 0x80, 0, 0]), "1.0 (float 32)");
    }

    #[test]
    fn timestamps_are_read() {
        let line = explain(&[0xd6, 0xff, 0, 0, 0, 5]).next().unwrap();
        assert_eq!(line.meaning, "extension -1 of 4 bytes (fixext 4): timestamp 5 s + 0 ns");
    }

    #[test]
    fn an_error_is_the_last_line_and_stands_at_its_offset() {
        let last = |bytes: &'static [u8]| explain(bytes).last().unwrap();

        let cut = last(&[0x93, 0x01, 0xa3, b'a']);
        assert_eq!(
            (cut.offset, cut.bytes, cut.depth, cut.role),
            (2, &[0xa3, b'a'][..], 1, Role::Item(1))
        );
        assert!(cut.error.is_some());

        let never_used = last(&[0x92, 0xc1, 0x01]);
        assert_eq!((never_used.offset, never_used.bytes), (1, &[0xc1][..]));

        let trailing = last(&[0xc0, 0x01, 0x02]);
        assert_eq!((trailing.offset, trailing.depth, trailing.bytes), (1, 0, &[1, 2][..]));

        let empty = last(&[]);
        assert_eq!(
            empty.error,
            Some(DecodeError::Truncated { offset: 0, needed: 1, available: 0 })
        );
    }
}
