//! Adapter for JSON for Modern C++ by Niels Lohmann.

mod ffi;

use codec::{Capabilities, Codec, Rejected, Stats, Sums};
use cxx::{CxxString, UniquePtr};

pub use ffi::Document;

/// `nlohmann::json`, the library's default type, from `from_msgpack` and into a fresh `std::string`.
#[derive(Default)]
pub struct Dom;

impl Codec for Dom {
    type Document<'i> = Document;
    type Output = UniquePtr<CxxString>;

    const CAPABILITIES: Capabilities = Capabilities {
        binary: true,
        ext: true,
        non_string_keys: false,
        checks_utf8: false,
        borrows_input: false,
        keeps_key_order: false,
        narrows_floats: true,
        max_depth: None,
    };

    fn version() -> String {
        ffi::version()
    }

    fn parse(&mut self, input: &[u8]) -> Result<Document, Rejected> {
        ffi::parse(input).map_err(Rejected::because)
    }

    fn serialize(&mut self, document: &Document) -> Result<UniquePtr<CxxString>, Rejected> {
        ffi::serialize(document).map_err(Rejected::because)
    }

    fn bytes(output: &UniquePtr<CxxString>) -> &[u8] {
        output.as_bytes()
    }

    fn stats(document: &Document) -> Stats {
        ffi::stats(document).into()
    }

    fn sums(document: &Document) -> Sums {
        ffi::sums(document).into()
    }
}
