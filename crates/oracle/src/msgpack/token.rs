//! Reads one token: a header, and the payload that belongs to it.

use super::DecodeError;
use crate::{Integer, Value};

/// What stands at one place of a message; a container's children are tokens of their own.
#[derive(Clone, Copy)]
pub(super) enum Token<'i> {
    Nil,
    Bool(bool),
    Int(Integer),
    F32(u32),
    F64(u64),
    Str(&'i [u8]),
    Bin(&'i [u8]),
    Ext(i8, &'i [u8]),
    /// Number of elements.
    Array(u32),
    /// Number of entries.
    Map(u32),
}

impl Token<'_> {
    /// The value that this token alone stands for: a container without its children.
    pub(super) fn alone(self) -> Value {
        match self {
            Token::Nil => Value::Nil,
            Token::Bool(truth) => Value::Bool(truth),
            Token::Int(integer) => Value::Int(integer),
            Token::F32(bits) => Value::F32(bits),
            Token::F64(bits) => Value::F64(bits),
            Token::Str(bytes) => Value::Str(bytes.to_vec()),
            Token::Bin(bytes) => Value::Bin(bytes.to_vec()),
            Token::Ext(kind, bytes) => Value::Ext(kind, bytes.to_vec()),
            Token::Array(_) => Value::Array(Vec::new()),
            Token::Map(_) => Value::Map(Vec::new()),
        }
    }
}

/// Reads the token at `offset`; returns it and the offset after it.
pub(super) fn read(input: &[u8], offset: usize) -> Result<(Token<'_>, usize), DecodeError> {
    let mut reader = Reader { input, start: offset, at: offset };
    let first = reader.unsigned(1)? as u8;
    let token = match first {
        0x00..=0x7f => Token::Int(u64::from(first).into()),
        0x80..=0x8f => Token::Map(u32::from(first & 0x0f)),
        0x90..=0x9f => Token::Array(u32::from(first & 0x0f)),
        0xa0..=0xbf => Token::Str(reader.take(u64::from(first & 0x1f))?),
        0xc0 => Token::Nil,
        0xc1 => return Err(DecodeError::NeverUsed { offset }),
        0xc2 | 0xc3 => Token::Bool(first == 0xc3),
        0xc4..=0xc6 => Token::Bin(reader.sized(1 << (first - 0xc4))?),
        0xc7..=0xc9 => {
            let length = reader.unsigned(1 << (first - 0xc7))?;
            reader.ext(length)?
        }
        0xca => Token::F32(reader.unsigned(4)? as u32),
        0xcb => Token::F64(reader.unsigned(8)?),
        0xcc..=0xcf => Token::Int(reader.unsigned(1 << (first - 0xcc))?.into()),
        0xd0..=0xd3 => Token::Int(reader.signed(1 << (first - 0xd0))?.into()),
        0xd4..=0xd8 => reader.ext(1 << (first - 0xd4))?,
        0xd9..=0xdb => Token::Str(reader.sized(1 << (first - 0xd9))?),
        0xdc | 0xdd => Token::Array(reader.unsigned(2 << (first - 0xdc))? as u32),
        0xde | 0xdf => Token::Map(reader.unsigned(2 << (first - 0xde))? as u32),
        0xe0..=0xff => Token::Int(i64::from(first.cast_signed()).into()),
    };
    Ok((token, reader.at))
}

struct Reader<'i> {
    input: &'i [u8],
    /// Where the token starts.
    start: usize,
    /// Where the next byte is.
    at: usize,
}

impl<'i> Reader<'i> {
    fn take(&mut self, length: u64) -> Result<&'i [u8], DecodeError> {
        let left = &self.input[self.at..];
        if length > left.len() as u64 {
            return Err(DecodeError::Truncated {
                offset: self.start,
                needed: (self.at - self.start) as u64 + length,
                available: (self.input.len() - self.start) as u64,
            });
        }
        // Not longer than a slice, so it fits into a usize.
        let taken = &left[..length as usize];
        self.at += taken.len();
        Ok(taken)
    }

    /// A big-endian number of up to 8 bytes.
    fn unsigned(&mut self, bytes: u64) -> Result<u64, DecodeError> {
        let taken = self.take(bytes)?;
        Ok(taken.iter().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }

    /// A big-endian number in two's complement of up to 8 bytes.
    fn signed(&mut self, bytes: u64) -> Result<i64, DecodeError> {
        let unused_bits = 64 - 8 * bytes;
        Ok((self.unsigned(bytes)? << unused_bits).cast_signed() >> unused_bits)
    }

    /// A payload behind a length of `length_bytes`.
    fn sized(&mut self, length_bytes: u64) -> Result<&'i [u8], DecodeError> {
        let length = self.unsigned(length_bytes)?;
        self.take(length)
    }

    fn ext(&mut self, length: u64) -> Result<Token<'i>, DecodeError> {
        let kind = (self.unsigned(1)? as u8).cast_signed();
        Ok(Token::Ext(kind, self.take(length)?))
    }
}
