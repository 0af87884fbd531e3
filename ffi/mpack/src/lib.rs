//! Adapter for MPack.

mod ffi;

use codec::{Capabilities, Codec, Rejected, Stats, Sums};

use ffi::Memory;
pub use ffi::{Buffer, Document};

/// MPack's node tree and writer; `REUSES` says whether a pool of nodes and a buffer are kept for the next message.
#[derive(Default)]
pub struct MPack<const REUSES: bool> {
    memory: Option<Box<Memory>>,
    buffer: Option<Buffer>,
}

/// Pages of nodes and the growable writer, both fresh for every message.
pub type Tree = MPack<false>;

/// A pool of nodes and a buffer, both kept.
pub type TreeReused = MPack<true>;

impl<const REUSES: bool> Codec for MPack<REUSES> {
    type Document<'i> = Document<'i>;
    type Output = Buffer;

    const CAPABILITIES: Capabilities = Capabilities {
        binary: true,
        ext: true,
        non_string_keys: true,
        checks_utf8: false,
        borrows_input: true,
        keeps_key_order: true,
        narrows_floats: false,
        max_depth: None,
    };
    const KEEPS_DOCUMENTS: bool = REUSES;
    const KEEPS_OUTPUTS: bool = REUSES;

    fn version() -> String {
        ffi::version()
    }

    fn parse<'i>(&mut self, input: &'i [u8]) -> Result<Document<'i>, Rejected> {
        let mut memory = self.memory.take().unwrap_or_default();
        if REUSES {
            // Every node takes at least one byte of the message, and MPack wants a pool of at least one node.
            memory.pool.reserve(input.len().max(1));
        }
        Document::parse(memory, input)
    }

    fn serialize(&mut self, document: &Document<'_>) -> Result<Buffer, Rejected> {
        document.write(self.buffer.take())
    }

    fn bytes(output: &Buffer) -> &[u8] {
        output.bytes()
    }

    fn stats(document: &Document<'_>) -> Stats {
        document.stats()
    }

    fn sums(document: &Document<'_>) -> Sums {
        document.sums()
    }

    fn reclaim_document(&mut self, document: Document<'_>) {
        self.memory = REUSES.then(|| document.into_memory());
    }

    fn reclaim_output(&mut self, output: Buffer) {
        self.buffer = REUSES.then_some(output);
    }
}
