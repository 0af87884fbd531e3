//! What a walk over a document saw.

/// How many nodes of each kind a document has; a map key counts as a value of its own type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
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

/// Sums over all that a document holds, so that nothing can be left unread.
///
/// All sums wrap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Sums {
    /// Integers, each as 64 bits of two's complement.
    pub integers: u64,
    /// Bits of the floats, each widened to a float64.
    pub float_bits: u64,
    /// Every byte of strings, binaries and extension payloads.
    pub bytes: u64,
}
