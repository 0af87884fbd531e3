//! Adapter for MPack.

mod ffi;

use std::mem;

use codec::{Capabilities, Codec, Rejected, Stats, Sums};

pub use ffi::{Buffer, Tree as Document};
use ffi::{Failure, Memory};

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

/// MPack's node tree and growable writer, both fresh for every message.
#[derive(Default)]
pub struct Tree;

impl Codec for Tree {
    type Document<'i> = Document<'i>;
    type Output = Buffer;

    const CAPABILITIES: Capabilities = CAPABILITIES;

    fn version() -> String {
        ffi::version()
    }

    fn parse<'i>(&mut self, input: &'i [u8]) -> Result<Document<'i>, Rejected> {
        parse(Memory::new(), input)
    }

    fn serialize(&mut self, document: &Document<'_>) -> Result<Buffer, Rejected> {
        document.write().map_err(rejected)
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
}

/// MPack's node tree in a pool of nodes, and its writer into a buffer, both kept for the next message.
#[derive(Default)]
pub struct TreeReused {
    memory: Option<Box<Memory>>,
    buffer: Vec<u8>,
}

/// The first size of the buffer in bytes: that of MPack's growable writer (`MPACK_BUFFER_SIZE`).
const FIRST_BUFFER: usize = 4096;

impl Codec for TreeReused {
    type Document<'i> = Document<'i>;
    type Output = Vec<u8>;

    const CAPABILITIES: Capabilities = CAPABILITIES;
    const KEEPS_DOCUMENTS: bool = true;
    const KEEPS_OUTPUTS: bool = true;

    fn version() -> String {
        ffi::version()
    }

    fn parse<'i>(&mut self, input: &'i [u8]) -> Result<Document<'i>, Rejected> {
        let mut memory = self.memory.take().unwrap_or_else(Memory::new);
        // Every node takes at least one byte of the message, and MPack wants a pool of at least one node.
        memory.reserve(input.len().max(1));
        parse(memory, input)
    }

    fn serialize(&mut self, document: &Document<'_>) -> Result<Vec<u8>, Rejected> {
        let mut buffer = mem::take(&mut self.buffer);
        let mut wanted = FIRST_BUFFER;
        loop {
            buffer.reserve(wanted);
            match document.write_into(&mut buffer) {
                Ok(()) => return Ok(buffer),
                Err(Failure::TOO_BIG) => wanted = 2 * buffer.capacity(),
                Err(failure) => return Err(rejected(failure)),
            }
        }
    }

    fn bytes(output: &Vec<u8>) -> &[u8] {
        output
    }

    fn stats(document: &Document<'_>) -> Stats {
        document.stats()
    }

    fn sums(document: &Document<'_>) -> Sums {
        document.sums()
    }

    fn reclaim_document(&mut self, document: Document<'_>) {
        self.memory = Some(document.into_memory());
    }

    fn reclaim_output(&mut self, output: Vec<u8>) {
        self.buffer = output;
    }
}

fn parse(memory: Box<Memory>, input: &[u8]) -> Result<Document<'_>, Rejected> {
    let document = Document::parse(memory, input).map_err(rejected)?;
    match input.len() - document.size() {
        0 => Ok(document),
        more => Err(Rejected(format!("{more} bytes after the end of the message"))),
    }
}

fn rejected(failure: Failure) -> Rejected {
    Rejected(failure.to_string())
}
