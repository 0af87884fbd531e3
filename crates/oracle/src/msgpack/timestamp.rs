//! The timestamp extension, type -1.

use std::fmt;

use crate::Value;

/// A moment: seconds since 1970-01-01 00:00:00 UTC without leap seconds, and nanoseconds after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timestamp {
    /// Seconds; negative before 1970.
    pub seconds: i64,
    /// Nanoseconds, at most 999,999,999.
    pub nanoseconds: u32,
}

/// Why an extension of type -1 is no timestamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidTimestamp {
    /// The payload has this many bytes instead of 4, 8 or 12.
    Length(usize),
    /// There are this many nanoseconds, a second or more.
    Nanoseconds(u32),
}

impl fmt::Display for InvalidTimestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidTimestamp::Length(bytes) => {
                write!(f, "a timestamp has 4, 8 or 12 bytes, this one {bytes}")
            }
            InvalidTimestamp::Nanoseconds(count) => {
                write!(f, "a timestamp has at most 999999999 nanoseconds, this one {count}")
            }
        }
    }
}

impl std::error::Error for InvalidTimestamp {}

/// Reads a value as a timestamp; `None` if it is no extension of type -1.
///
/// # Errors
///
/// A payload that is none of the three formats of the specification's section "Timestamp extension type".
pub fn timestamp(value: &Value) -> Option<Result<Timestamp, InvalidTimestamp>> {
    match value {
        Value::Ext(-1, payload) => Some(read(payload)),
        _ => None,
    }
}

pub(super) fn read(payload: &[u8]) -> Result<Timestamp, InvalidTimestamp> {
    let number = |bytes: &[u8]| bytes.iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
    let (seconds, nanoseconds) = match payload.len() {
        4 => (number(payload), 0),
        // 30 bits of nanoseconds, then 34 bits of seconds.
        8 => (number(payload) & 0x3_ffff_ffff, number(payload) >> 34),
        12 => (number(&payload[4..]), number(&payload[..4])),
        other => return Err(InvalidTimestamp::Length(other)),
    };
    let nanoseconds = nanoseconds as u32;
    if nanoseconds > 999_999_999 {
        return Err(InvalidTimestamp::Nanoseconds(nanoseconds));
    }
    Ok(Timestamp { seconds: seconds.cast_signed(), nanoseconds })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(payload: &[u8]) -> Result<Timestamp, InvalidTimestamp> {
        timestamp(&Value::Ext(-1, payload.to_vec())).unwrap()
    }

    #[test]
    fn all_three_formats_are_read_at_their_bounds() {
        let moment = |seconds, nanoseconds| Ok(Timestamp { seconds, nanoseconds });
        assert_eq!(of(&[0xff; 4]), moment(0xffff_ffff, 0));
        let most_nanoseconds = 999_999_999_u64 << 34 | 0x3_ffff_ffff;
        assert_eq!(of(&most_nanoseconds.to_be_bytes()), moment(0x3_ffff_ffff, 999_999_999));
        let mut twelve = 999_999_999_u32.to_be_bytes().to_vec();
        twelve.extend((-1_i64).to_be_bytes());
        assert_eq!(of(&twelve), moment(-1, 999_999_999));
    }

    #[test]
    fn a_full_second_of_nanoseconds_is_refused() {
        let full = Err(InvalidTimestamp::Nanoseconds(1_000_000_000));
        assert_eq!(of(&(1_000_000_000_u64 << 34).to_be_bytes()), full);
        let mut twelve = 1_000_000_000_u32.to_be_bytes().to_vec();
        twelve.extend([0; 8]);
        assert_eq!(of(&twelve), full);
    }

    #[test]
    fn other_lengths_are_refused_and_other_types_are_no_timestamps() {
        assert_eq!(of(&[]), Err(InvalidTimestamp::Length(0)));
        assert_eq!(of(&[0; 5]), Err(InvalidTimestamp::Length(5)));
        assert_eq!(timestamp(&Value::Ext(1, vec![0; 4])), None);
        assert_eq!(timestamp(&Value::Nil), None);
    }
}
