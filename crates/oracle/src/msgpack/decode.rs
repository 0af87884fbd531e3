//! A strict decoder that trusts no length and never recurses.

use std::fmt;

use super::token::{self, Token};
use crate::Value;
use crate::build::Builder;

/// Why bytes are no message, and where; offsets count bytes from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// The input ends within a value, or where a value is due.
    Truncated {
        /// Where the value starts; the length of the input if nothing of it is there.
        offset: usize,
        /// Bytes the value has at least, as far as the bytes that are there tell.
        needed: u64,
        /// Bytes of the value that are there.
        available: u64,
    },
    /// The byte c1, which the specification never uses.
    NeverUsed {
        /// Where it stands.
        offset: usize,
    },
    /// Bytes after the end of the message.
    Trailing {
        /// Where the message ends.
        offset: usize,
        /// How many bytes follow.
        bytes: usize,
    },
}

impl DecodeError {
    /// Where it went wrong, in bytes from the start of the input.
    pub fn offset(&self) -> usize {
        match *self {
            DecodeError::Truncated { offset, .. }
            | DecodeError::NeverUsed { offset }
            | DecodeError::Trailing { offset, .. } => offset,
        }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DecodeError::Truncated { offset: 0, available: 0, .. } => {
                write!(f, "empty input, a message has at least 1 byte")
            }
            DecodeError::Truncated { offset, available: 0, .. } => {
                write!(f, "input ends at offset {offset}, where a value is due")
            }
            DecodeError::Truncated { offset, needed, available } => write!(
                f,
                "truncated: the value at offset {offset} has at least {needed} bytes, {available} are there"
            ),
            DecodeError::NeverUsed { offset } => {
                write!(f, "byte `c1` at offset {offset}, which is never used")
            }
            DecodeError::Trailing { offset, bytes } => {
                let (noun, verb) =
                    if *bytes == 1 { ("byte", "follows") } else { ("bytes", "follow") };
                write!(f, "the message ends at offset {offset}, but {bytes} {noun} {verb}")
            }
        }
    }
}

impl std::error::Error for DecodeError {}

/// Decodes exactly one message.
///
/// Strings need not be UTF-8 (see [`Value::is_utf8`]), map keys may repeat, and extensions of type -1 need not be timestamps (see [`super::timestamp`]): the specification leaves these to the application.
///
/// # Errors
///
/// Everything that is not one complete message; nothing is allocated for values that are only promised.
pub fn decode(input: &[u8]) -> Result<Value, DecodeError> {
    let (value, used) = decode_prefix(input)?;
    match input.len() - used {
        0 => Ok(value),
        bytes => Err(DecodeError::Trailing { offset: used, bytes }),
    }
}

/// Decodes the message at the start of the input; returns it and its length in bytes.
///
/// # Errors
///
/// As for [`decode`], without the error for bytes that follow.
pub fn decode_prefix(input: &[u8]) -> Result<(Value, usize), DecodeError> {
    let mut builder = Builder::default();
    let mut offset = 0;
    // Values that open containers promise; each has at least one byte.
    let mut due: u64 = 1;
    loop {
        let (token, end) = token::read(input, offset)?;
        offset = end;
        due = due.saturating_sub(1);
        let complete = match token {
            Token::Array(length) => {
                due = due.saturating_add(length.into());
                builder.array(length.into(), affordable(length, due, input.len() - offset))
            }
            Token::Map(length) => {
                due = due.saturating_add(2 * u64::from(length));
                builder.map(length.into(), affordable(length, due, input.len() - offset))
            }
            leaf => builder.add(leaf.alone()),
        };
        if let Some(value) = complete {
            return Ok((value, offset));
        }
    }
}

/// How many children to make room for at once.
///
/// All of them if the bytes left could hold all values that are due, as in every valid message.
/// Else the message is surely invalid: then room grows with what is really found.
fn affordable(length: u32, due: u64, bytes_left: usize) -> usize {
    // Not more than `bytes_left`, so it fits into a usize.
    if due <= bytes_left as u64 { length as usize } else { 0 }
}
