//! Small changes to a message, most of which make it invalid.

use oracle::Random;

/// Headers that promise much, with lengths at which readers went wrong; from the section on limits of our own cases.
const LONG_HEADERS: [u8; 10] = [0xc5, 0xc6, 0xc8, 0xc9, 0xda, 0xdb, 0xdc, 0xdd, 0xde, 0xdf];
const LONG_LENGTHS: [u32; 8] = [
    0xffff_ffff,
    0xffff_fffb, // with its header of 5 bytes 2^32
    0x8000_0000,
    0x8000_0001, // times two 2^32 + 2
    0x7fff_ffff,
    0x4000_0000,
    0x1000_0000, // times 16 2^32
    0x0010_0000,
];

/// Changes a message once.
pub(super) fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.index(bytes.len());
    match random.below(8) {
        0 => flip(bytes, at, random),
        1 => bytes.truncate(at),
        2 => drop(bytes.drain(at..range_end(bytes, at, random))),
        3 => {
            let inserted: Vec<_> = (0..=random.index(4)).map(|_| random.bits() as u8).collect();
            bytes.splice(at..at, inserted);
        }
        4 => {
            let range = bytes[at..range_end(bytes, at, random)].to_vec();
            bytes.splice(at..at, range);
        }
        5 => replace(bytes, at, any_header(random)),
        6 => long_header(bytes, at, random),
        _ => bytes.push(any_header(random)),
    }
}

fn flip(bytes: &mut [u8], at: usize, random: &mut Random) {
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 1 << random.below(8);
    }
}

fn replace(bytes: &mut [u8], at: usize, with: u8) {
    if let Some(byte) = bytes.get_mut(at) {
        *byte = with;
    }
}

/// The end of a short range that starts at `at`.
fn range_end(bytes: &[u8], at: usize, random: &mut Random) -> usize {
    (at + 1 + random.index(8)).min(bytes.len())
}

/// A byte that starts a value: of the formats with a byte of their own, or a short container or string.
fn any_header(random: &mut Random) -> u8 {
    match random.below(4) {
        0 => 0x80 | random.below(0x40) as u8,
        _ => 0xc0 | random.below(0x20) as u8,
    }
}

/// Puts a header that promises much in the place of a value.
fn long_header(bytes: &mut Vec<u8>, at: usize, random: &mut Random) {
    let first = LONG_HEADERS[random.index(LONG_HEADERS.len())];
    let length = LONG_LENGTHS[random.index(LONG_LENGTHS.len())].to_be_bytes();
    let is_short = matches!(first, 0xc5 | 0xc8 | 0xda | 0xdc | 0xde);
    let length = if is_short { &length[..2] } else { &length[..] };
    let end = (at + 1).min(bytes.len());
    bytes.splice(at..end, [first].into_iter().chain(length.iter().copied()));
}
