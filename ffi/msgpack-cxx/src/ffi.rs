//! The C++ side of the adapter, as Rust sees it.

#![expect(unsafe_code, reason = "the bridge to C++")]
#![expect(unreachable_pub, reason = "cxx makes public what it writes")]

use std::slice;

use cxx::{Exception, UniquePtr};

pub use shim::{Buffer, Document};
pub(crate) use shim::{
    buffer_bytes, make_buffer, parse, parse_again, serialize_into, stats, sums, version,
};

#[cxx::bridge(namespace = "codec_msgpack_cxx")]
mod shim {
    /// As `codec::Stats`.
    struct Stats {
        maps: u64,
        arrays: u64,
        strings: u64,
        binaries: u64,
        extensions: u64,
        numbers: u64,
        booleans: u64,
        nils: u64,
    }

    /// As `codec::Sums`.
    struct Sums {
        integers: u64,
        float_bits: u64,
        bytes: u64,
    }

    /// What a buffer released.
    struct Bytes {
        data: *mut u8,
        size: usize,
    }

    // SAFETY: the declarations are checked against the header when the bridge is compiled.
    // A document owns all that is in it, except one from `parse_borrowing`; no other function keeps what it is given.
    unsafe extern "C++" {
        include!("shim.h");

        /// A tree and the zone in which it lies; its strings, binaries and extensions may lie in an input that lives as long as `'i`.
        type Document<'i>;

        /// A buffer that grows, the library's own.
        type Buffer;

        fn version() -> String;
        fn parse(input: &[u8]) -> Result<UniquePtr<Document<'static>>>;
        unsafe fn parse_borrowing<'i>(input: &'i [u8]) -> Result<UniquePtr<Document<'i>>>;
        fn parse_again(document: Pin<&mut Document<'static>>, input: &[u8]) -> Result<()>;
        fn serialize(document: &Document) -> Result<Bytes>;
        unsafe fn free_bytes(data: *mut u8);
        fn make_buffer() -> UniquePtr<Buffer>;
        fn serialize_into(document: &Document, buffer: Pin<&mut Buffer>) -> Result<()>;
        fn buffer_bytes(buffer: &Buffer) -> &[u8];
        fn stats(document: &Document) -> Stats;
        fn sums(document: &Document) -> Sums;
    }
}

/// Parses into a document that points into `input`.
pub(crate) fn parse_borrowing(input: &[u8]) -> Result<UniquePtr<Document<'_>>, Exception> {
    // SAFETY: the document carries the lifetime of what it points to.
    unsafe { shim::parse_borrowing(input) }
}

/// A message in memory that a fresh buffer released, so that the buffer itself needs no allocation.
pub struct Released(shim::Bytes);

impl Released {
    pub(crate) fn serialize(document: &Document<'_>) -> Result<Released, Exception> {
        shim::serialize(document).map(Released)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: the library wrote that many bytes there, at least one.
        unsafe { slice::from_raw_parts(self.0.data, self.0.size) }
    }
}

impl Drop for Released {
    fn drop(&mut self) {
        // SAFETY: the library allocated it, and nobody else frees it.
        unsafe { shim::free_bytes(self.0.data) }
    }
}

impl From<shim::Stats> for codec::Stats {
    fn from(seen: shim::Stats) -> codec::Stats {
        let shim::Stats { maps, arrays, strings, binaries, extensions, numbers, booleans, nils } =
            seen;
        codec::Stats { maps, arrays, strings, binaries, extensions, numbers, booleans, nils }
    }
}

impl From<shim::Sums> for codec::Sums {
    fn from(seen: shim::Sums) -> codec::Sums {
        let shim::Sums { integers, float_bits, bytes } = seen;
        codec::Sums { integers, float_bits, bytes }
    }
}
