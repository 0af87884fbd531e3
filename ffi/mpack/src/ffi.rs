//! MPack made safe. No other file of this crate may hold `unsafe`.

#![expect(unsafe_code, reason = "this is the file for it")]

use std::ffi::{CStr, c_char};
use std::mem::{ManuallyDrop, MaybeUninit};
use std::{cell::UnsafeCell, marker::PhantomData, ptr, slice};

use codec::{Rejected, Stats, Sums};

#[allow(warnings, clippy::all, clippy::undocumented_unsafe_blocks, reason = "bindgen writes it")]
mod raw {
    include!(concat!(env!("OUT_DIR"), "/bindings.rs"));
}

pub(crate) fn version() -> String {
    // SAFETY: a constant string.
    unsafe { CStr::from_ptr(raw::shim_version()) }.to_string_lossy().into_owned()
}

fn result(error: raw::mpack_error_t) -> Result<(), Rejected> {
    if error == raw::mpack_error_t_mpack_ok {
        return Ok(());
    }
    // SAFETY: MPack has a constant string for every error.
    let word = unsafe { CStr::from_ptr(raw::mpack_error_to_string(error)) };
    Err(Rejected::because(word.to_string_lossy()))
}

/// The memory of a parsed message: MPack's tree object, and a pool of nodes.
///
/// While the pool has no capacity, MPack allocates pages of nodes as it needs them.
pub(crate) struct Memory {
    // Mutable through a shared reference, because MPack notes errors in the tree even where it only reads.
    tree: UnsafeCell<MaybeUninit<raw::mpack_tree_t>>,
    pub(crate) pool: Vec<MaybeUninit<raw::mpack_node_data_t>>,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory { tree: UnsafeCell::new(MaybeUninit::uninit()), pool: Vec::new() }
    }
}

/// A parsed message; strings point into the input.
pub struct Document<'i> {
    // One word, at an address that stays: MPack keeps pointers into the tree object.
    memory: Box<Memory>,
    input: PhantomData<&'i [u8]>,
}

impl<'i> Document<'i> {
    pub(crate) fn parse(memory: Box<Memory>, input: &'i [u8]) -> Result<Self, Rejected> {
        let mut parsed = Document { memory, input: PhantomData };
        let (tree, pool) = (parsed.tree(), &mut parsed.memory.pool);
        let (pool, nodes) = (pool.as_mut_ptr().cast(), pool.capacity());
        let (data, length) = (input.as_ptr().cast(), input.len());
        // SAFETY: the input lives as long as `'i`, the pool as long as the tree, and MPack writes a node before it reads it.
        let (error, used) = unsafe {
            match nodes {
                0 => raw::mpack_tree_init_data(tree, data, length),
                _ => raw::mpack_tree_init_pool(tree, data, length, pool, nodes),
            }
            raw::mpack_tree_parse(tree);
            (raw::mpack_tree_error(tree), raw::mpack_tree_size(tree))
        };
        result(error)?;
        codec::at_end(length - used)?;
        Ok(parsed)
    }

    pub(crate) fn into_memory(self) -> Box<Memory> {
        let parsed = ManuallyDrop::new(self);
        // SAFETY: `parsed` is used no more and not dropped, so the tree is destroyed once and its memory has one owner.
        unsafe {
            raw::mpack_tree_destroy(parsed.tree());
            ptr::read(&raw const parsed.memory)
        }
    }

    fn tree(&self) -> *mut raw::mpack_tree_t {
        self.memory.tree.get().cast()
    }

    pub(crate) fn stats(&self) -> Stats {
        let mut stats = [0; 8];
        // SAFETY: parsed without an error, and as many numbers as `walk.h` has places.
        unsafe { raw::shim_count(self.tree(), stats.as_mut_ptr()) };
        stats.into()
    }

    pub(crate) fn sums(&self) -> Sums {
        let mut sums = [0; 3];
        // SAFETY: as above.
        unsafe { raw::shim_sum(self.tree(), sums.as_mut_ptr()) };
        sums.into()
    }

    /// Writes into the buffer that was kept if the message fits, else into a fresh one that MPack grows.
    pub(crate) fn write(&self, kept: Option<Buffer>) -> Result<Buffer, Rejected> {
        let kept = ManuallyDrop::new(kept);
        let (mut data, capacity) =
            kept.as_ref().map_or((ptr::null_mut(), 0), |kept| (kept.data, kept.capacity));
        let (tree, mut length) = (self.tree(), 0);
        // SAFETY: parsed without an error; the buffer is MPack's and has that capacity.
        result(unsafe { raw::shim_write(tree, &raw mut data, &raw mut length, capacity) })?;
        Ok(Buffer { data, length, capacity: capacity.max(length) })
    }
}

impl Drop for Document<'_> {
    fn drop(&mut self) {
        // SAFETY: `parse` made it, a tree may be destroyed in every state, and nothing uses it after this.
        unsafe { raw::mpack_tree_destroy(self.tree()) };
    }
}

/// A message in memory that MPack allocated.
pub struct Buffer {
    data: *mut c_char,
    length: usize,
    capacity: usize,
}

impl Buffer {
    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: MPack wrote that many bytes there.
        unsafe { slice::from_raw_parts(self.data.cast(), self.length) }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: it came from MPack's allocator and is freed once.
        unsafe { raw::shim_free(self.data) }
    }
}
