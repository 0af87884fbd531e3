//! Adapter for taocpp/json.

mod ffi;

use codec::{Capabilities, Codec, Rejected, Stats, Sums};
use cxx::{CxxString, UniquePtr};

pub use ffi::Document;

/// `tao::json::value`, from `msgpack::from_string` and into the fresh `std::string` of `msgpack::to_string`.
#[derive(Default)]
pub struct Dom;

impl Codec for Dom {
    type Document<'i> = UniquePtr<Document>;
    type Output = UniquePtr<CxxString>;

    const CAPABILITIES: Capabilities = Capabilities {
        binary: true,
        ext: false,
        non_string_keys: false,
        checks_utf8: true,
        borrows_input: false,
        keeps_key_order: false,
        narrows_floats: false,
        max_depth: None,
    };

    fn version() -> String {
        format!("{} with PEGTL {}", env!("TAOCPP_JSON_RELEASE"), ffi::pegtl_version())
    }

    fn parse(&mut self, input: &[u8]) -> Result<UniquePtr<Document>, Rejected> {
        ffi::parse(input).map_err(Rejected::because)
    }

    fn serialize(
        &mut self,
        document: &UniquePtr<Document>,
    ) -> Result<UniquePtr<CxxString>, Rejected> {
        ffi::serialize(document).map_err(Rejected::because)
    }

    fn bytes(output: &UniquePtr<CxxString>) -> &[u8] {
        output.as_bytes()
    }

    fn stats(document: &UniquePtr<Document>) -> Stats {
        ffi::stats(document).into()
    }

    fn sums(document: &UniquePtr<Document>) -> Sums {
        ffi::sums(document).into()
    }
}
