//! The C++ side of the adapter, as Rust sees it.

#![expect(unsafe_code, reason = "the bridge to C++")]
#![expect(unreachable_pub, reason = "the bridge makes every function public")]

use cxx::{ExternType, kind, type_id};

pub(crate) use shim::{parse, serialize, stats, sums, version};

#[cxx::bridge(namespace = "codec_nlohmann_json")]
mod shim {
    // SAFETY: the declarations are checked against the header when the bridge is compiled; a document owns all that is in it, and no function keeps what it is given.
    unsafe extern "C++" {
        include!("shim.h");

        type Document = super::Document;

        fn version() -> String;
        fn parse(input: &[u8]) -> Result<Document>;
        fn serialize(document: &Document) -> Result<UniquePtr<CxxString>>;
        fn stats(document: &Document) -> [u64; 8];
        fn sums(document: &Document) -> [u64; 3];
        unsafe fn destroy(document: *mut Document);
    }
}

/// A tree that owns all that is in it: the library's value itself, in memory that Rust moves.
#[repr(C)]
pub struct Document([u64; 2]);

// SAFETY: the shim asserts the size and the alignment, and says why such a value may be moved byte by byte.
unsafe impl ExternType for Document {
    type Id = type_id!("codec_nlohmann_json::Document");
    type Kind = kind::Trivial;
}

impl Drop for Document {
    fn drop(&mut self) {
        // SAFETY: the last use of a value that `parse` made.
        unsafe { shim::destroy(self) }
    }
}
