//! MPack made safe. No other file of this crate may hold `unsafe`.

#![expect(unsafe_code, reason = "this is the file for it")]

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

/// The memory of a tree: MPack's tree object, which must not move while in use, and a pool of nodes.
pub(crate) struct Memory {
    tree: MaybeUninit<raw::mpack_tree_t>,
    pool: Vec<MaybeUninit<raw::mpack_node_data_t>>,
}

impl Memory {
    /// Without a pool: MPack allocates pages of nodes as it needs them.
    pub(crate) fn new() -> Box<Memory> {
        Box::new(Memory { tree: MaybeUninit::uninit(), pool: Vec::new() })
    }

    /// Makes room in the pool, and thereby makes MPack use it.
    pub(crate) fn reserve(&mut self, nodes: usize) {
        self.pool.reserve(nodes.max(1));
    }
}

/// A parsed message; strings point into the input.
pub struct Tree<'i> {
    memory: NonNull<Memory>,
    input: PhantomData<&'i [u8]>,
}

impl<'i> Tree<'i> {
    pub(crate) fn parse(memory: Box<Memory>, input: &'i [u8]) -> Result<Tree<'i>, Failure> {
        let memory = NonNull::from(Box::leak(memory));
        let parsed = Tree { memory, input: PhantomData };
        let (data, size, tree) = (input.as_ptr().cast::<c_char>(), input.len(), parsed.raw());
        // SAFETY: `tree` and the pool stay where they are until `Tree` is dropped, and the input lives as long as `'i`.
        // MPack writes to the pool before it reads, and destroying is allowed in every state after `init`.
        let error = unsafe {
            let pool = &mut (*memory.as_ptr()).pool;
            match pool.capacity() {
                0 => raw::mpack_tree_init_data(tree, data, size),
                nodes => raw::mpack_tree_init_pool(tree, data, size, pool.as_mut_ptr().cast(), nodes),
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
        unsafe { mem::transmute::<raw::shim_stats, Stats>(raw::shim_count(self.raw())) }
    }

    pub(crate) fn sums(&self) -> Sums {
        // SAFETY: as in `stats`.
        unsafe { mem::transmute::<raw::shim_sums, Sums>(raw::shim_sum(self.raw())) }
    }

    /// Writes into a fresh buffer that MPack grows.
    pub(crate) fn write(&self) -> Result<Buffer, Failure> {
        let mut writer = MaybeUninit::uninit();
        let writer = writer.as_mut_ptr();
        let (mut data, mut size) = (ptr::null_mut(), 0);
        // SAFETY: the writer and the two results live in this frame, where the writer is made and destroyed.
        let error = unsafe {
            raw::mpack_writer_init_growable(writer, &raw mut data, &raw mut size);
            raw::shim_write(self.raw(), writer);
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
            raw::shim_write(self.raw(), writer);
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
        // SAFETY: nobody has the tree any more, and `drop` is not called.
        unsafe { ManuallyDrop::new(self).release() }
    }

    /// # Safety
    ///
    /// The tree must not be used afterwards.
    unsafe fn release(&mut self) -> Box<Memory> {
        // SAFETY: `parse` made the tree and leaked the box.
        unsafe {
            raw::mpack_tree_destroy(self.raw());
            Box::from_raw(self.memory.as_ptr())
        }
    }

    fn raw(&self) -> *mut raw::mpack_tree_t {
        // SAFETY: the memory is there until `release`.
        unsafe { (*self.memory.as_ptr()).tree.as_mut_ptr() }
    }
}

impl Drop for Tree<'_> {
    fn drop(&mut self) {
        // SAFETY: the last use.
        drop(unsafe { self.release() });
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
