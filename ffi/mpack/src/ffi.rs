//! MPack made safe. No other file of this crate may hold `unsafe`.

#![expect(unsafe_code, reason = "this is the file for it")]

use std::cell::UnsafeCell;
use std::ffi::{CStr, c_char};
use std::marker::PhantomData;
use std::mem::{self, ManuallyDrop, MaybeUninit};
use std::ptr::{self, NonNull};
use std::{fmt, slice};

use codec::{Stats, Sums};

#[allow(warnings, clippy::all, clippy::undocumented_unsafe_blocks, reason = "bindgen writes it")]
mod raw {
    include!(concat!(env!("OUT_DIR"), "/bindings.rs"));
}

/// Levels of nesting that the walks recurse into (chosen): more than real documents have, and some tens of kilobytes of stack.
const RECURSION: usize = 512;

/// An error of MPack; shown in its own word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failure(raw::mpack_error_t);

impl Failure {
    /// The output buffer is too small.
    pub(crate) const TOO_BIG: Failure = Failure(raw::mpack_error_t_mpack_error_too_big);
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: MPack returns a constant string for every number.
        let word = unsafe { CStr::from_ptr(raw::mpack_error_to_string(self.0)) };
        f.write_str(&word.to_string_lossy())
    }
}

pub(crate) fn version() -> String {
    // SAFETY: a constant string.
    unsafe { CStr::from_ptr(raw::shim_version()) }.to_string_lossy().into_owned()
}

/// The memory of a parsed message: MPack's tree object, at a fixed address, and a pool of nodes.
///
/// While the pool has no capacity, MPack allocates pages of nodes as it needs them.
pub(crate) struct Memory {
    // Mutable through a shared reference, because MPack notes errors in the tree even where it only reads.
    tree: MaybeUninit<UnsafeCell<raw::mpack_tree_t>>,
    pool: Vec<MaybeUninit<raw::mpack_node_data_t>>,
}

impl Memory {
    pub(crate) fn new() -> Box<Memory> {
        Box::new(Memory { tree: MaybeUninit::uninit(), pool: Vec::new() })
    }

    /// Makes room for that many nodes in the pool.
    pub(crate) fn reserve(&mut self, nodes: usize) {
        self.pool.reserve(nodes);
    }
}

/// A parsed message; strings point into the input.
pub struct Tree<'i> {
    // One word, so that a document is handed on in a register.
    memory: Box<Memory>,
    input: PhantomData<&'i [u8]>,
}

impl<'i> Tree<'i> {
    pub(crate) fn parse(memory: Box<Memory>, input: &'i [u8]) -> Result<Tree<'i>, Failure> {
        let mut parsed = Tree { memory, input: PhantomData };
        let pool = &mut parsed.memory.pool;
        let (nodes, pool) = (pool.capacity(), pool.as_mut_ptr().cast());
        let (data, size, tree) = (input.as_ptr().cast::<c_char>(), input.len(), parsed.raw());
        // SAFETY: the input lives as long as `'i`, the pool as long as the tree, and MPack writes a node before it reads it.
        // `Tree` is dropped only after one of the `init` functions, and then may be destroyed in every state.
        let error = unsafe {
            match nodes {
                0 => raw::mpack_tree_init_data(tree, data, size),
                _ => raw::mpack_tree_init_pool(tree, data, size, pool, nodes),
            }
            raw::mpack_tree_parse(tree);
            raw::mpack_tree_error(tree)
        };
        if error == raw::mpack_error_t_mpack_ok { Ok(parsed) } else { Err(Failure(error)) }
    }

    /// Length of the message in bytes.
    pub(crate) fn size(&self) -> usize {
        // SAFETY: a live tree.
        unsafe { raw::mpack_tree_size(self.raw()) }
    }

    pub(crate) fn stats(&self) -> Stats {
        // SAFETY: a live tree that was parsed without an error; the two types have the same fields, in the order of C.
        unsafe { mem::transmute::<raw::shim_stats, Stats>(raw::shim_count(self.raw(), RECURSION)) }
    }

    pub(crate) fn sums(&self) -> Sums {
        // SAFETY: as in `stats`.
        unsafe { mem::transmute::<raw::shim_sums, Sums>(raw::shim_sum(self.raw(), RECURSION)) }
    }

    /// Writes into a fresh buffer that MPack grows.
    pub(crate) fn write(&self) -> Result<Buffer, Failure> {
        let mut writer = MaybeUninit::uninit();
        let writer = writer.as_mut_ptr();
        let (mut data, mut size) = (ptr::null_mut(), 0);
        // SAFETY: the writer and the two results live in this frame, where the writer is made and destroyed.
        let error = unsafe {
            raw::mpack_writer_init_growable(writer, &raw mut data, &raw mut size);
            raw::shim_write(self.raw(), writer, RECURSION);
            raw::mpack_writer_destroy(writer)
        };
        NonNull::new(data).map(|data| Buffer { data, size }).ok_or(Failure(error))
    }

    /// Writes into `buffer` as far as its capacity goes.
    pub(crate) fn write_into(&self, buffer: &mut Vec<u8>) -> Result<(), Failure> {
        buffer.clear();
        let mut writer = MaybeUninit::uninit();
        let writer = writer.as_mut_ptr();
        // SAFETY: MPack writes to no more than the capacity, and the first `used` bytes are those that it wrote.
        unsafe {
            raw::mpack_writer_init(writer, buffer.as_mut_ptr().cast(), buffer.capacity());
            raw::shim_write(self.raw(), writer, RECURSION);
            let used = raw::mpack_writer_buffer_used(writer);
            match raw::mpack_writer_destroy(writer) {
                raw::mpack_error_t_mpack_ok => buffer.set_len(used),
                error => return Err(Failure(error)),
            }
        }
        Ok(())
    }

    /// Destroys the tree and gives its memory back.
    pub(crate) fn into_memory(self) -> Box<Memory> {
        let parsed = ManuallyDrop::new(self);
        // SAFETY: `parsed` is used no more, and `drop` is not called, so the tree is destroyed once and its memory has one owner.
        unsafe {
            raw::mpack_tree_destroy(parsed.raw());
            ptr::read(&raw const parsed.memory)
        }
    }

    fn raw(&self) -> *mut raw::mpack_tree_t {
        UnsafeCell::raw_get(self.memory.tree.as_ptr())
    }
}

impl Drop for Tree<'_> {
    fn drop(&mut self) {
        // SAFETY: `parse` made it, and nothing uses it after this.
        unsafe { raw::mpack_tree_destroy(self.raw()) };
    }
}

/// A message in memory that MPack allocated.
pub struct Buffer {
    data: NonNull<c_char>,
    size: usize,
}

impl Buffer {
    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: MPack wrote that many bytes there.
        unsafe { slice::from_raw_parts(self.data.as_ptr().cast(), self.size) }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: it came from MPack's allocator and is freed once.
        unsafe { raw::shim_free(self.data.as_ptr()) }
    }
}
