//! Messages that no file holds: a seeded generator, the oracle's judgement of the answers, and how a finding is made small.

mod finding;
mod mutate;
mod shrink;

use oracle::Random;
use oracle::msgpack::{Generator, Limits};

pub use finding::{Claims, Finding, compare};
pub use shrink::shrink;

/// Makes one message after the other, the same for the same seed on every platform.
///
/// Half of them are valid documents, of all formats and as often in a longer form than needed as not; the others are such documents with one to three mutations, few of them still valid.
/// Each depends on the seed and its own number only, so a finding can be made again without those before it.
pub struct Fuzzer {
    seed: u64,
    number: u64,
}

impl Fuzzer {
    /// Starts the sequence that belongs to `seed`.
    pub fn new(seed: u64) -> Fuzzer {
        Fuzzer { seed, number: 0 }
    }

    /// Message `number` of the sequence that belongs to `seed`, counted from 0.
    pub fn message(seed: u64, number: u64) -> Vec<u8> {
        let mut random = Random::new(Random::new(seed).bits() ^ Random::new(number).bits());
        let mut bytes = Generator::new(random.bits(), limits(&mut random)).document().bytes;
        if random.one_in(2) {
            for _ in 0..=random.index(3) {
                mutate::mutate(&mut bytes, &mut random);
            }
        }
        bytes
    }
}

impl Iterator for Fuzzer {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let message = Fuzzer::message(self.seed, self.number);
        self.number += 1;
        Some(message)
    }
}

/// Mostly small documents, which are quick and easy to read; now and then one that reaches the widest headers.
fn limits(random: &mut Random) -> Limits {
    // What a library does not do hides what else it does wrong, so only some documents hold it.
    let invalid_utf8 = random.one_in(8);
    let any_key = random.one_in(4);
    let limits = Limits { invalid_utf8, any_key, ..Limits::default() };
    match random.below(512) {
        0 => Limits { nodes: 140_000, depth: 20, payload_bytes: 140_000, ..limits },
        1..=15 => Limits { nodes: 2_000, depth: 60, payload_bytes: 5_000, ..limits },
        _ => limits,
    }
}
