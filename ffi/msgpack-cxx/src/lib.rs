//! Adapter for msgpack-cxx.

mod ffi;

use codec::{Capabilities, Codec, Rejected, Stats, Sums};

use ffi::Document;
pub use ffi::{Buffer, Tree};

/// `msgpack::object` in a `msgpack::zone`, and `msgpack::sbuffer`.
///
/// `REFERS`: strings, binaries and extensions point into the input.
/// `REUSES`: zone and buffer are cleared and used again.
#[derive(Default)]
pub struct MsgpackCxx<const REFERS: bool, const REUSES: bool> {
    memory: Option<Document>,
    buffer: Option<Buffer>,
}

/// A fresh zone that owns all it holds, and a fresh buffer.
pub type Copying = MsgpackCxx<false, false>;

/// A fresh zone that points into the input, and a fresh buffer.
pub type ZeroCopy = MsgpackCxx<true, false>;

/// As `Copying`, with a zone and a buffer that are used again.
pub type CopyingReused = MsgpackCxx<false, true>;

impl<const REFERS: bool, const REUSES: bool> Codec for MsgpackCxx<REFERS, REUSES> {
    type Document<'i> = Tree<'i>;
    type Output = Buffer;

    const CAPABILITIES: Capabilities = Capabilities {
        binary: true,
        ext: true,
        non_string_keys: true,
        checks_utf8: false,
        borrows_input: REFERS,
        keeps_key_order: true,
        narrows_floats: false,
        max_depth: None,
    };
    const KEEPS_DOCUMENTS: bool = REUSES;
    const KEEPS_OUTPUTS: bool = REUSES;

    fn version() -> String {
        ffi::version()
    }

    fn parse<'i>(&mut self, input: &'i [u8]) -> Result<Tree<'i>, Rejected> {
        match self.memory.take() {
            None => Tree::parse(input, REFERS),
            Some(memory) => Tree::parse_into(memory, input, REFERS),
        }
        .map_err(Rejected::because)
    }

    fn serialize(&mut self, document: &Tree<'_>) -> Result<Buffer, Rejected> {
        let Some(mut buffer) = self.buffer.take() else {
            return ffi::serialize(&document.document).map_err(Rejected::because);
        };
        ffi::serialize_into(&document.document, &mut buffer).map_err(Rejected::because)?;
        Ok(buffer)
    }

    fn bytes(output: &Buffer) -> &[u8] {
        ffi::buffer_bytes(output)
    }

    fn stats(document: &Tree<'_>) -> Stats {
        ffi::stats(&document.document).into()
    }

    fn sums(document: &Tree<'_>) -> Sums {
        ffi::sums(&document.document).into()
    }

    fn reclaim_document(&mut self, document: Tree<'_>) {
        self.memory = REUSES.then_some(document.document);
    }

    fn reclaim_output(&mut self, output: Buffer) {
        self.buffer = REUSES.then_some(output);
    }
}
