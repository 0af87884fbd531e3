//! Adapter for jsoncons.

mod ffi;

use codec::{Capabilities, Codec, Rejected, Stats, Sums};
use cxx::{CxxString, UniquePtr};

pub use ffi::Document;

/// `jsoncons::json`, the library's default type, from `msgpack_bytes_reader` and into a fresh `std::string`.
#[derive(Default)]
pub struct Dom;

impl Codec for Dom {
    type Document<'i> = Document;
    type Output = UniquePtr<CxxString>;

    const CAPABILITIES: Capabilities = Capabilities {
        binary: true,
        ext: false,
        non_string_keys: false,
        checks_utf8: true,
        borrows_input: false,
        keeps_key_order: false,
        narrows_floats: true,
        max_depth: Some(1_024),
    };

    fn version() -> String {
        ffi::version()
    }

    fn parse(&mut self, input: &[u8]) -> Result<Document, Rejected> {
        let mut used = 0;
        let document = ffi::parse(input, &mut used).map_err(Rejected::because)?;
        // The library reads one message from what may be a stream.
        codec::at_end(input.len() - used)?;
        Ok(document)
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
