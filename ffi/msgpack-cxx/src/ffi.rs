//! The C++ side of the adapter, as Rust sees it.

#![expect(unsafe_code, reason = "the bridge to C++")]
#![expect(unreachable_pub, reason = "cxx makes public what it writes")]

use std::marker::PhantomData;

use cxx::{Exception, ExternType, kind, type_id};

pub(crate) use shim::{buffer_bytes, serialize, serialize_into, stats, sums, version};

#[cxx::bridge(namespace = "codec_msgpack_cxx")]
mod shim {
    // SAFETY: the declarations are checked against the header when the bridge is compiled.
    // A document owns all that is in it, unless it `refers`; no other function keeps what it is given.
    unsafe extern "C++" {
        include!("shim.h");

        type Document = super::Document;
        type Buffer = super::Buffer;

        fn version() -> String;
        unsafe fn parse(input: &[u8], refers: bool) -> Result<Document>;
        unsafe fn parse_into(document: &mut Document, input: &[u8], refers: bool) -> Result<()>;
        unsafe fn destroy(document: *mut Document);
        fn serialize(document: &Document) -> Result<Buffer>;
        fn serialize_into(document: &Document, buffer: &mut Buffer) -> Result<()>;
        fn buffer_bytes(buffer: &Buffer) -> &[u8];
        unsafe fn destroy_buffer(buffer: *mut Buffer);
        fn stats(document: &Document) -> [u64; 8];
        fn sums(document: &Document) -> [u64; 3];
    }
}

/// A tree and the zone in which it lies, in memory that Rust moves.
#[repr(C)]
pub(crate) struct Document([usize; 10]);

// SAFETY: the shim asserts size and alignment, and says why such a value may be moved byte by byte.
unsafe impl ExternType for Document {
    type Id = type_id!("codec_msgpack_cxx::Document");
    type Kind = kind::Trivial;
}

impl Drop for Document {
    fn drop(&mut self) {
        // SAFETY: the last use of a document that `parse` made.
        unsafe { shim::destroy(self) }
    }
}

/// A tree that owns all it holds, or whose strings, binaries and extensions point into the input.
pub struct Tree<'i> {
    pub(crate) document: Document,
    input: PhantomData<&'i [u8]>,
}

impl<'i> Tree<'i> {
    pub(crate) fn parse(input: &'i [u8], refers: bool) -> Result<Self, Exception> {
        // SAFETY: the tree carries the lifetime of what it may point to.
        let document = unsafe { shim::parse(input, refers) }?;
        Ok(Tree { document, input: PhantomData })
    }

    pub(crate) fn parse_into(
        mut document: Document,
        input: &'i [u8],
        refers: bool,
    ) -> Result<Self, Exception> {
        // SAFETY: as above; what was in the zone is gone, and nothing points there.
        unsafe { shim::parse_into(&mut document, input, refers) }?;
        Ok(Tree { document, input: PhantomData })
    }
}

/// The library's own buffer, in memory that Rust moves.
#[repr(C)]
pub struct Buffer([usize; 3]);

// SAFETY: the shim asserts size and alignment, and says why such a value may be moved byte by byte.
unsafe impl ExternType for Buffer {
    type Id = type_id!("codec_msgpack_cxx::Buffer");
    type Kind = kind::Trivial;
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: the last use of a buffer that `serialize` made.
        unsafe { shim::destroy_buffer(self) }
    }
}
