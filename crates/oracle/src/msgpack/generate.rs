//! Random values and random valid documents, the same for the same seed on every platform.

use super::encode::write_alone;
use crate::build::Builder;
use crate::{Random, Value};

/// How large and how wild generated values may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most nodes in a value, at least 1.
    pub nodes: usize,
    /// Most containers around a node.
    pub depth: usize,
    /// Most bytes in all strings, binaries and extensions together.
    pub payload_bytes: usize,
    /// Whether strings may hold bytes that are not UTF-8.
    pub invalid_utf8: bool,
    /// Whether map keys may be anything; else they are strings.
    pub any_key: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { nodes: 40, depth: 8, payload_bytes: 300, invalid_utf8: true, any_key: true }
    }
}

/// A valid document and what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The message; its formats are as often longer than needed as not.
    pub bytes: Vec<u8>,
    /// What the message says.
    pub value: Value,
}

/// Makes one value or document after the other.
pub struct Generator {
    random: Random,
    limits: Limits,
    /// Nodes of the current value that no open container has claimed yet.
    free_nodes: usize,
    /// Payload bytes that the current value may still have.
    free_bytes: usize,
}

impl Generator {
    /// Starts the sequence that belongs to `seed`.
    pub fn new(seed: u64, limits: Limits) -> Generator {
        Generator { random: Random::new(seed), limits, free_nodes: 0, free_bytes: 0 }
    }

    /// A value within the limits.
    pub fn value(&mut self) -> Value {
        self.free_nodes = self.any_size(self.limits.nodes.saturating_sub(1));
        self.free_bytes = self.limits.payload_bytes;
        let mut builder = Builder::default();
        loop {
            if let Some(value) = self.node(&mut builder) {
                return value;
            }
        }
    }

    /// A value, and a message that says it in formats chosen at random from all that can hold it.
    pub fn document(&mut self) -> Document {
        let value = self.value();
        let mut bytes = Vec::new();
        for node in value.nodes() {
            write_alone(&mut bytes, node, |headers| {
                let headers: Vec<_> = headers.collect();
                headers.get(self.random.index(headers.len())).copied()
            });
        }
        Document { bytes, value }
    }

    /// Adds the next node; returns the value if this completes it.
    fn node(&mut self, builder: &mut Builder) -> Option<Value> {
        // Even where any key is allowed most are strings, as in real documents.
        if builder.key_is_due() && !(self.limits.any_key && self.random.one_in(4)) {
            let text = self.text();
            return builder.add(Value::Str(text));
        }
        // A root that could have children has them, else most documents were one leaf.
        let must_hold = builder.depth() == 0 && self.free_nodes > 0;
        if builder.depth() < self.limits.depth && (must_hold || self.random.one_in(3)) {
            return self.container(builder);
        }
        let leaf = self.leaf();
        builder.add(leaf)
    }

    fn container(&mut self, builder: &mut Builder) -> Option<Value> {
        if self.random.one_in(2) {
            let length = self.size(self.free_nodes);
            self.free_nodes -= length;
            builder.array(length as u64, length)
        } else {
            let length = self.size(self.free_nodes / 2);
            self.free_nodes -= 2 * length;
            builder.map(length as u64, length)
        }
    }

    fn leaf(&mut self) -> Value {
        match self.random.below(12) {
            0 => Value::Nil,
            1 => Value::Bool(self.random.one_in(2)),
            2..=4 => self.integer(),
            5 => Value::F32(self.float32()),
            6 | 7 => Value::F64(self.float64()),
            8 | 9 => Value::Str(self.text()),
            10 => Value::Bin(self.payload()),
            _ => {
                // The specification gives -1 a meaning of its own.
                let kind = if self.random.one_in(4) { -1 } else { self.random.bits() as i8 };
                Value::Ext(kind, self.ext_payload())
            }
        }
    }

    /// An integer of any number of bits, so that every format is met and often its bounds.
    fn integer(&mut self) -> Value {
        let shift = self.random.below(64);
        let magnitude = match self.random.below(4) {
            0 => u64::MAX >> shift,
            1 => 1_u64 << shift,
            2 => self.random.bits() >> shift,
            // Around the bounds of the fixint formats.
            _ => return Value::from(self.random.below(256).cast_signed() - 64),
        };
        if self.random.one_in(2) {
            Value::from(magnitude)
        } else {
            // The complement is negative, except for the largest magnitudes.
            Value::from((!magnitude).cast_signed())
        }
    }

    fn float32(&mut self) -> u32 {
        const SPECIAL: [u32; 8] = [
            0,
            0x8000_0000, // -0.0
            0x7f80_0000, // infinity
            0xff80_0000, // -infinity
            0x7fc0_0000, // quiet NaN
            0x7f80_0001, // signalling NaN
            0x0000_0001, // smallest subnormal
            0x3fc0_0000, // 1.5
        ];
        if self.random.one_in(2) {
            SPECIAL[self.random.index(SPECIAL.len())]
        } else {
            self.random.bits() as u32
        }
    }

    fn float64(&mut self) -> u64 {
        match self.random.below(4) {
            // Those that a float32 can hold as well, where libraries narrow.
            0 | 1 => crate::widened(self.float32()),
            2 => (self.random.below(2_000_000) as f64 / 1_000.0).to_bits(),
            _ => self.random.bits(),
        }
    }

    fn text(&mut self) -> Vec<u8> {
        const CHARACTERS: [char; 12] =
            ['a', 'b', 'k', 'Z', '0', ' ', '"', '\0', 'é', '漢', '😀', '\u{fffd}'];
        if self.limits.invalid_utf8 && self.random.one_in(16) {
            return self.payload();
        }
        let bytes = self.size(self.free_bytes);
        self.free_bytes -= bytes;
        let mut text = String::with_capacity(bytes);
        while text.len() < bytes {
            let character = CHARACTERS[self.random.index(CHARACTERS.len())];
            text.push(if text.len() + character.len_utf8() > bytes { '.' } else { character });
        }
        text.into_bytes()
    }

    fn payload(&mut self) -> Vec<u8> {
        let bytes = self.size(self.free_bytes);
        self.bytes(bytes)
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        self.free_bytes -= count;
        (0..count).map(|_| self.random.bits() as u8).collect()
    }

    /// A payload that often has a length for which there is a format, or a timestamp.
    fn ext_payload(&mut self) -> Vec<u8> {
        const LENGTHS: [usize; 6] = [1, 2, 4, 8, 12, 16];
        if self.random.one_in(2) {
            return self.payload();
        }
        let length = LENGTHS[self.random.index(LENGTHS.len())];
        self.bytes(length.min(self.free_bytes))
    }

    /// A size up to `most`: mostly small, sometimes at a bound of a format, sometimes anything.
    fn size(&mut self, most: usize) -> usize {
        const BOUNDS: [usize; 8] = [15, 16, 31, 32, 255, 256, 65_535, 65_536];
        let size = match self.random.below(16) {
            0 => BOUNDS[self.random.index(BOUNDS.len())],
            1 | 2 => self.any_size(most),
            _ => self.random.index(9),
        };
        size.min(most)
    }

    /// A size up to `most`, of any order of magnitude with the same chance.
    fn any_size(&mut self, most: usize) -> usize {
        let magnitude = most >> self.random.below(u64::from(usize::BITS - most.leading_zeros()));
        self.random.index(magnitude + 1)
    }
}
