//! The C++ side of the adapter, as Rust sees it.

#![expect(unsafe_code, reason = "the bridge to C++")]
#![expect(unreachable_pub, reason = "the bridge makes every function public")]

pub use shim::Document;
pub(crate) use shim::{parse, pegtl_version, serialize, stats, sums};

#[cxx::bridge(namespace = "codec_taocpp_json")]
mod shim {
    // SAFETY: the declarations are checked against the header when the bridge is compiled; a document owns all that is in it, and no function keeps what it is given.
    unsafe extern "C++" {
        include!("shim.h");

        /// A tree that owns all that is in it.
        type Document;

        fn pegtl_version() -> String;
        fn parse(input: &[u8]) -> Result<UniquePtr<Document>>;
        fn serialize(document: &Document) -> Result<UniquePtr<CxxString>>;
        fn stats(document: &Document) -> [u64; 8];
        fn sums(document: &Document) -> [u64; 3];
    }
}
