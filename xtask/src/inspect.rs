//! `inspect`: prints a message byte by byte.

use std::fs;
use std::io::{self, BufWriter, ErrorKind, Read as _, Write};
use std::path::Path;

use crate::usage::Usage;
use anyhow::{Context as _, bail};
use oracle::msgpack::{Line, Role, explain};

/// Most bytes shown per line; the rest is counted.
const BYTES_SHOWN: usize = 9;
/// Deeper levels are numbered instead of indented further, else the output grows with the square of the depth.
const LEVELS_INDENTED: usize = 32;

/// Prints offset, bytes and meaning of every token of a message; says whether it is valid.
///
/// `input` is a file, `-` for standard input, or the message itself in hex.
/// A reader who stops reading, such as `head`, is no error.
///
/// # Errors
///
/// An input that cannot be read, or is neither file nor hex.
pub(crate) fn run(input: &str, out: &mut impl Write) -> anyhow::Result<bool> {
    let message = read(input)?;
    match print(&message, out) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        written => written.context("cannot write the explanation")?,
    }
    Ok(explain(&message).all(|line| line.error.is_none()))
}

/// The bytes of a file, of standard input (`-`), or of hexadecimal digits.
///
/// # Errors
///
/// An input that is neither.
pub(crate) fn read(input: &str) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if input == "-" {
        io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?;
        return Ok(bytes);
    }
    if Path::new(input).exists() {
        return fs::read(input).with_context(|| format!("cannot read `{input}`"));
    }
    from_hex(input).map_err(|error| Usage(format!("{error:#}")).into())
}

/// Reads `81 a1 61`, `0x81, 0xa1, 0x61` or `81a161`.
fn from_hex(text: &str) -> anyhow::Result<Vec<u8>> {
    const FIX: &str = "  fix: name a file, or give two hex digits per byte, such as `81 a1 61 c3`";
    let mut digits = Vec::new();
    for group in text.split(|c: char| c.is_whitespace() || c == ',') {
        let group = group.strip_prefix("0x").or(group.strip_prefix("0X")).unwrap_or(group);
        for character in group.chars() {
            match character.to_digit(16) {
                // A digit is below 16.
                Some(digit) => digits.push(digit as u8),
                None => {
                    bail!("`{text}` is no file, and `{character}` in it is no hex digit\n{FIX}")
                }
            }
        }
    }
    if digits.len() % 2 != 0 {
        bail!(
            "`{text}` is no file, and has {} hex digits, which is no even number\n{FIX}",
            digits.len()
        );
    }
    Ok(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

pub(crate) fn print(message: &[u8], out: &mut impl Write) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    let offset_width = message.len().to_string().len().max("offset".len());
    let bytes_width = 3 * BYTES_SHOWN + 8;
    writeln!(out, "{:>offset_width$}  {:<bytes_width$}meaning", "offset", "bytes")?;
    let (mut values, mut valid) = (0_u64, true);
    for line in explain(message) {
        let (offset, bytes) = (line.offset, shown(line.bytes));
        let (indent, role) = (indent(line.depth), role(&line));
        let meaning = line.meaning;
        writeln!(out, "{offset:>offset_width$}  {bytes:<bytes_width$}{indent}{role}{meaning}")?;
        values += 1;
        valid &= line.error.is_none();
    }
    if valid {
        writeln!(out, "one valid message: bytes {}, values {values}", message.len())?;
    }
    out.flush()
}

fn shown(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(3 * BYTES_SHOWN + 8);
    for (position, byte) in bytes.iter().take(BYTES_SHOWN).enumerate() {
        text.push_str(if position == 0 { "" } else { " " });
        text.push_str(&format!("{byte:02x}"));
    }
    match bytes.len().saturating_sub(BYTES_SHOWN) {
        0 => text,
        hidden => format!("{text} +{hidden}"),
    }
}

fn indent(depth: usize) -> String {
    if depth <= LEVELS_INDENTED {
        "  ".repeat(depth)
    } else {
        format!("{}(level {depth}) ", "  ".repeat(LEVELS_INDENTED))
    }
}

fn role(line: &Line<'_>) -> String {
    let error = if line.error.is_some() { "error: " } else { "" };
    match line.role {
        Role::Root => error.into(),
        Role::Item(number) => format!("[{number}] {error}"),
        Role::Key(_) => format!("key: {error}"),
        Role::Value(_) => format!("value: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(input: &str) -> (bool, String) {
        let mut out = Vec::new();
        let valid = run(input, &mut out).unwrap();
        (valid, String::from_utf8(out).unwrap())
    }

    #[test]
    fn a_message_in_hex_is_printed_token_by_token() {
        let expected = "\
offset  bytes                              meaning
     0  82                                 map of 2 entries (fixmap)
     1  a7 63 6f 6d 70 61 63 74              key: string of 7 bytes (fixstr): \"compact\"
     9  c3                                   value: true
    10  a1 61                                key: string of 1 byte (fixstr): \"a\"
    12  92                                   value: array of 2 elements (fixarray)
    13  cc 05                                  [0] integer 5 (uint 8, longer than needed)
    15  aa 30 31 32 33 34 35 36 37 +2          [1] string of 10 bytes (fixstr): \"0123456789\"
one valid message: bytes 26, values 7
";
        let hex = "82 a7636f6d70616374 c3 a161 92 cc05 aa30313233343536373839";
        assert_eq!(printed(hex), (true, expected.to_owned()));
    }

    #[test]
    fn an_invalid_message_is_printed_up_to_its_error() {
        let (valid, text) = printed("92 01 c1 ff");
        assert!(!valid);
        let last = text.lines().last().unwrap();
        let expected = "     2  c1                                   [1] error: byte `c1` at offset 2, which is never used";
        assert_eq!(last, expected);
        assert_eq!(text.lines().count(), 4);
    }

    #[test]
    fn every_spelling_of_hex_is_read() {
        for text in
            ["81a161c0", "81 a1 61 c0", "0x81, 0xA1, 0x61,0xC0", "0x81a161c0", "81\na1\t61 c0\n"]
        {
            assert_eq!(from_hex(text).unwrap(), [0x81, 0xa1, 0x61, 0xc0], "{text:?}");
        }
        assert!(!printed("").0, "no bytes are no message");
    }

    #[test]
    fn what_is_neither_file_nor_hex_is_refused_with_a_fix() {
        for text in ["no-such-file.msgpack", "81 a", "81 é"] {
            let error = run(text, &mut Vec::new()).unwrap_err().to_string();
            assert!(error.contains(text) && error.contains("\n  fix: "), "{error}");
        }
    }

    #[test]
    fn a_file_is_read_and_a_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("c0");
        fs::write(&file, [0x93, 1, 2, 3]).unwrap();
        let (valid, text) = printed(file.to_str().unwrap());
        assert!(valid && text.contains("array of 3 elements"), "{text}");
        assert!(run(folder.path().to_str().unwrap(), &mut Vec::new()).is_err());
    }

    #[test]
    fn deep_messages_are_not_indented_without_end() {
        let (valid, text) = printed(&("91".repeat(10_000) + "c0"));
        assert!(valid);
        assert!(text.contains("(level 10000) [0] nil"));
        assert!(text.len() < 2_000_000);
    }

    #[test]
    fn a_reader_that_stops_reading_is_no_error() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        assert!(run("c0", &mut Closed).unwrap());
        assert!(!run("c1", &mut Closed).unwrap());
    }
}
