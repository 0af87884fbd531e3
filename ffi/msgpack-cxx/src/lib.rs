//! Adapter for msgpack-cxx.

mod ffi;

use codec::{Capabilities, Codec, Rejected, Stats, Sums};
use cxx::{Exception, UniquePtr};

pub use ffi::{Buffer, Document, Released};

const CAPABILITIES: Capabilities = Capabilities {
    binary: true,
    ext: true,
    non_string_keys: true,
    checks_utf8: false,
    borrows_input: false,
    keeps_key_order: true,
    narrows_floats: false,
    max_depth: None,
};

/// `msgpack::object` in a zone that owns all it holds, and a fresh `msgpack::sbuffer`.
#[derive(Default)]
pub struct Copying;

/// `msgpack::object` whose strings, binaries and extensions point into the input, and a fresh `msgpack::sbuffer`.
#[derive(Default)]
pub struct ZeroCopy;

/// As `Copying`, with a zone and a buffer that are cleared and used again.
#[derive(Default)]
pub struct CopyingReused {
    document: Option<UniquePtr<Document<'static>>>,
    buffer: Option<UniquePtr<Buffer>>,
}

/// What all variants do alike.
macro_rules! alike {
    ($i:lifetime, $document:ty) => {
        type Document<$i> = UniquePtr<$document>;

        fn version() -> String {
            ffi::version()
        }

        fn stats(document: &Self::Document<'_>) -> Stats {
            ffi::stats(document).into()
        }

        fn sums(document: &Self::Document<'_>) -> Sums {
            ffi::sums(document).into()
        }
    };
}

impl Codec for Copying {
    alike!('i, Document<'static>);

    type Output = Released;

    const CAPABILITIES: Capabilities = CAPABILITIES;

    fn parse(&mut self, input: &[u8]) -> Result<Self::Document<'static>, Rejected> {
        ffi::parse(input).map_err(rejected)
    }

    fn serialize(&mut self, document: &Self::Document<'_>) -> Result<Released, Rejected> {
        Released::serialize(document).map_err(rejected)
    }

    fn bytes(output: &Released) -> &[u8] {
        output.bytes()
    }
}

impl Codec for ZeroCopy {
    alike!('i, Document<'i>);

    type Output = Released;

    const CAPABILITIES: Capabilities = Capabilities { borrows_input: true, ..CAPABILITIES };

    fn parse<'i>(&mut self, input: &'i [u8]) -> Result<Self::Document<'i>, Rejected> {
        ffi::parse_borrowing(input).map_err(rejected)
    }

    fn serialize(&mut self, document: &Self::Document<'_>) -> Result<Released, Rejected> {
        Released::serialize(document).map_err(rejected)
    }

    fn bytes(output: &Released) -> &[u8] {
        output.bytes()
    }
}

impl Codec for CopyingReused {
    alike!('i, Document<'static>);

    type Output = UniquePtr<Buffer>;

    const CAPABILITIES: Capabilities = CAPABILITIES;
    const KEEPS_DOCUMENTS: bool = true;
    const KEEPS_OUTPUTS: bool = true;

    fn parse(&mut self, input: &[u8]) -> Result<Self::Document<'static>, Rejected> {
        let Some(mut document) = self.document.take() else {
            return Copying.parse(input);
        };
        ffi::parse_again(document.pin_mut(), input).map_err(rejected)?;
        Ok(document)
    }

    fn serialize(&mut self, document: &Self::Document<'_>) -> Result<Self::Output, Rejected> {
        let mut buffer = self.buffer.take().unwrap_or_else(ffi::make_buffer);
        ffi::serialize_into(document, buffer.pin_mut()).map_err(rejected)?;
        Ok(buffer)
    }

    fn bytes(output: &UniquePtr<Buffer>) -> &[u8] {
        ffi::buffer_bytes(output)
    }

    fn reclaim_document(&mut self, document: Self::Document<'_>) {
        self.document = Some(document);
    }

    fn reclaim_output(&mut self, output: Self::Output) {
        self.buffer = Some(output);
    }
}

fn rejected(exception: Exception) -> Rejected {
    Rejected(exception.what().to_owned())
}
