//! The interface between this benchmark and a library under test.

mod capabilities;
pub mod lock;
mod walk;

use std::fmt;

pub use capabilities::Capabilities;
pub use walk::{Stats, Sums};

/// The first size in bytes of the output buffer of a library that has none of its own; from there it doubles.
pub const OUTPUT_BYTES: usize = 8 * 1024;

/// A library under test, seen through one of its interfaces.
///
/// A value lives for one process.
/// It owns what the library lets a caller keep between calls, such as a parser object.
///
/// Every method is called many times; a call must not leave anything behind that changes a later one, except in a variant whose purpose is reuse.
pub trait Codec: Default {
    /// The library's own tree. It may borrow from the input.
    type Document<'i>;

    /// The library's own output buffer, or the adapter's where the library has none.
    type Output;

    /// What the library does with the inputs on which libraries differ; probes test each answer.
    const CAPABILITIES: Capabilities;

    /// Whether `reclaim_document` keeps something for the next document.
    ///
    /// Then reclaiming is on the clock, because it stands for the allocation that it saves.
    /// A variant that keeps documents or outputs has an id that ends in `-reused`.
    const KEEPS_DOCUMENTS: bool = false;

    /// Whether `reclaim_output` keeps something for the next output; on the clock then, as above.
    const KEEPS_OUTPUTS: bool = false;

    /// Version of the library as it runs, from its own code or headers.
    fn version() -> String;

    /// Reads exactly one message.
    ///
    /// # Errors
    ///
    /// What the library says about an input that it refuses, and bytes after the end of the message.
    fn parse<'i>(&mut self, input: &'i [u8]) -> Result<Self::Document<'i>, Rejected>;

    /// Writes the document into a freshly made output buffer.
    ///
    /// # Errors
    ///
    /// What the library says about a document that it cannot write.
    fn serialize(&mut self, document: &Self::Document<'_>) -> Result<Self::Output, Rejected>;

    /// The message in an output buffer.
    fn bytes(output: &Self::Output) -> &[u8];

    /// Visits every node once, in the library's own language, and counts.
    fn stats(document: &Self::Document<'_>) -> Stats;

    /// Visits every value in the library's own language and reads all of it.
    fn sums(document: &Self::Document<'_>) -> Sums;

    /// Takes back a document that is no longer needed.
    fn reclaim_document(&mut self, document: Self::Document<'_>) {
        drop(document);
    }

    /// Takes back an output buffer that is no longer needed.
    fn reclaim_output(&mut self, output: Self::Output) {
        drop(output);
    }
}

/// A refusal, in the library's own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected(pub String);

impl Rejected {
    /// A refusal in these words.
    #[cold]
    pub fn because(why: impl fmt::Display) -> Rejected {
        Rejected(why.to_string())
    }
}

/// For a library that reads one message and leaves what follows: refuses an input of which that many bytes are left.
///
/// # Errors
///
/// Any byte is left.
#[inline]
pub fn at_end(bytes_left: usize) -> Result<(), Rejected> {
    match bytes_left {
        0 => Ok(()),
        more => Err(Rejected::because(format_args!("{more} bytes after the end of the message"))),
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Rejected {}
