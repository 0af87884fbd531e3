//! What a walk over a document saw.

/// How many nodes of each kind a document has; a map key counts as a value of its own type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Maps.
    pub maps: u64,
    /// Arrays.
    pub arrays: u64,
    /// Strings.
    pub strings: u64,
    /// Binaries.
    pub binaries: u64,
    /// Extensions, timestamps among them.
    pub extensions: u64,
    /// Integers and floats.
    pub numbers: u64,
    /// Booleans.
    pub booleans: u64,
    /// Nils.
    pub nils: u64,
}

impl From<[u64; 8]> for Stats {
    /// The fields in their order, as walks in other languages return them (`ffi/walk.h`).
    #[inline]
    fn from(fields: [u64; 8]) -> Stats {
        let [maps, arrays, strings, binaries, extensions, numbers, booleans, nils] = fields;
        Stats { maps, arrays, strings, binaries, extensions, numbers, booleans, nils }
    }
}

/// Sums over all that a document holds, so that nothing can be left unread.
///
/// All sums wrap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Integers, each as 64 bits of two's complement.
    pub integers: u64,
    /// Bits of the floats, each widened to a float64.
    pub float_bits: u64,
    /// Every byte of strings, binaries and extension payloads.
    pub bytes: u64,
}

impl From<[u64; 3]> for Sums {
    /// As for [`Stats`].
    #[inline]
    fn from([integers, float_bits, bytes]: [u64; 3]) -> Sums {
        Sums { integers, float_bits, bytes }
    }
}

impl Sums {
    /// Adds an integer, a signed one as its two's complement.
    #[inline]
    pub fn add_integer(&mut self, integer: u64) {
        self.integers = self.integers.wrapping_add(integer);
    }

    /// Adds a float; a float32 is widened first.
    #[inline]
    pub fn add_float(&mut self, float: f64) {
        self.float_bits = self.float_bits.wrapping_add(float.to_bits());
    }

    /// Adds each byte of a string, binary or extension.
    #[inline]
    pub fn add_bytes(&mut self, bytes: &[u8]) {
        let sum: u64 = bytes.iter().map(|byte| u64::from(*byte)).sum();
        self.bytes = self.bytes.wrapping_add(sum);
    }
}
