//! The questions on which libraries differ.

/// Answers to the questions on which libraries differ.
///
/// There is no `Default`: a new question breaks every adapter until its author has answered it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Binaries survive parse and serialize as binaries.
    pub binary: bool,
    /// Extension types survive parse and serialize.
    pub ext: bool,
    /// Map keys that are not strings are accepted and survive parse and serialize.
    pub non_string_keys: bool,
    /// A string that is not UTF-8 is rejected.
    pub checks_utf8: bool,
    /// `Document` points into the input, so the input must outlive it: zero-copy.
    pub borrows_input: bool,
    /// Map entries come out in the order in which they went in.
    pub keeps_key_order: bool,
    /// A float64 is written as float32 where that is exact.
    pub narrows_floats: bool,
    /// Deepest nesting that is accepted, in containers; `None` means no fixed limit.
    pub max_depth: Option<u32>,
}
