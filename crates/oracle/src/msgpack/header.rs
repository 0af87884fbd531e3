//! The first bytes of values: which exist, what they can announce, what they are called.

use crate::Integer;

/// Headers of one family, shortest first: first byte, number of bytes behind it, largest length.
///
/// Where no byte follows, the length stands in the first byte itself.
pub(super) type Family = [(u8, usize, u32)];

pub(super) const STR: &Family =
    &[(0xa0, 0, 31), (0xd9, 1, 0xff), (0xda, 2, 0xffff), (0xdb, 4, u32::MAX)];
pub(super) const BIN: &Family = &[(0xc4, 1, 0xff), (0xc5, 2, 0xffff), (0xc6, 4, u32::MAX)];
pub(super) const ARRAY: &Family = &[(0x90, 0, 15), (0xdc, 2, 0xffff), (0xdd, 4, u32::MAX)];
pub(super) const MAP: &Family = &[(0x80, 0, 15), (0xde, 2, 0xffff), (0xdf, 4, u32::MAX)];
const EXT: &Family = &[(0xc7, 1, 0xff), (0xc8, 2, 0xffff), (0xc9, 4, u32::MAX)];
/// First bytes of extensions without a length of their own, and the length they stand for.
const FIXEXT: [(u8, u32); 5] = [(0xd4, 1), (0xd5, 2), (0xd6, 4), (0xd7, 8), (0xd8, 16)];

/// First byte, number of bytes behind it, smallest and largest integer; shortest first, unsigned first.
const INTEGERS: [(u8, usize, i128, i128); 8] = [
    (0xcc, 1, 0, 0xff),
    (0xd0, 1, i8::MIN as i128, i8::MAX as i128),
    (0xcd, 2, 0, 0xffff),
    (0xd1, 2, i16::MIN as i128, i16::MAX as i128),
    (0xce, 4, 0, 0xffff_ffff),
    (0xd2, 4, i32::MIN as i128, i32::MAX as i128),
    (0xcf, 8, 0, u64::MAX as i128),
    (0xd3, 8, i64::MIN as i128, i64::MAX as i128),
];

/// A first byte and the low bytes of a number that follow it, big-endian.
#[derive(Clone, Copy)]
pub(super) struct Header {
    first: u8,
    number: u64,
    number_bytes: usize,
}

impl Header {
    pub(super) fn of_float32(bits: u32) -> Header {
        Header { first: 0xca, number: bits.into(), number_bytes: 4 }
    }

    pub(super) fn of_float64(bits: u64) -> Header {
        Header { first: 0xcb, number: bits, number_bytes: 8 }
    }

    /// Length in bytes, without the type of an extension.
    pub(super) fn size(self) -> usize {
        1 + self.number_bytes
    }

    pub(super) fn write(self, out: &mut Vec<u8>) {
        out.push(self.first);
        out.extend_from_slice(&self.number.to_be_bytes()[8 - self.number_bytes..]);
    }
}

/// Every header that can announce this length, shortest first.
pub(super) fn of_length(family: &'static Family, length: u32) -> impl Iterator<Item = Header> {
    let fitting = family.iter().filter(move |(_, _, largest)| length <= *largest);
    fitting.map(move |&(first, number_bytes, _)| {
        // Only lengths up to 31 have no bytes of their own.
        let first = if number_bytes == 0 { first | length as u8 } else { first };
        Header { first, number: length.into(), number_bytes }
    })
}

/// Every header for an extension payload of this length, shortest first; the type is not part of it.
pub(super) fn of_ext(length: u32) -> impl Iterator<Item = Header> {
    let fixed = FIXEXT.into_iter().filter(move |(_, fixed_length)| length == *fixed_length);
    fixed
        .map(|(first, _)| Header { first, number: 0, number_bytes: 0 })
        .chain(of_length(EXT, length))
}

/// Every way to write this integer, shortest first.
pub(super) fn of_integer(integer: Integer) -> impl Iterator<Item = Header> {
    let number = integer.number();
    // Both fixint formats are the low byte of two's complement.
    let fix = (-32..=127).contains(&number).then_some(Header {
        first: integer.bits() as u8,
        number: 0,
        number_bytes: 0,
    });
    let fitting = INTEGERS
        .iter()
        .filter(move |(_, _, smallest, largest)| (*smallest..=*largest).contains(&number));
    fix.into_iter().chain(fitting.map(move |&(first, number_bytes, _, _)| Header {
        first,
        number: integer.bits(),
        number_bytes,
    }))
}

/// What the specification calls the format that starts with this byte.
pub(super) fn format_name(first: u8) -> &'static str {
    const FROM_C0: [&str; 32] = [
        "nil",
        "never used",
        "false",
        "true",
        "bin 8",
        "bin 16",
        "bin 32",
        "ext 8",
        "ext 16",
        "ext 32",
        "float 32",
        "float 64",
        "uint 8",
        "uint 16",
        "uint 32",
        "uint 64",
        "int 8",
        "int 16",
        "int 32",
        "int 64",
        "fixext 1",
        "fixext 2",
        "fixext 4",
        "fixext 8",
        "fixext 16",
        "str 8",
        "str 16",
        "str 32",
        "array 16",
        "array 32",
        "map 16",
        "map 32",
    ];
    match first {
        0x00..=0x7f => "positive fixint",
        0x80..=0x8f => "fixmap",
        0x90..=0x9f => "fixarray",
        0xa0..=0xbf => "fixstr",
        0xc0..=0xdf => FROM_C0[usize::from(first - 0xc0)],
        0xe0..=0xff => "negative fixint",
    }
}
