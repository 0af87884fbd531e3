//! The allocator's functions, which count and then call those of the C library.

#![expect(unsafe_code, reason = "an allocator cannot be replaced without it")]
#![cfg(target_os = "linux")]

use std::{
    ptr,
    sync::atomic::{AtomicI64, AtomicPtr, Ordering::Relaxed},
};

use libc::{c_int, c_void, size_t};

/// What the file of the driver holds.
#[repr(C)]
struct Counters {
    live: AtomicI64,
    most: AtomicI64,
}

/// Null until the file is mapped, and for ever if there is none.
static COUNTERS: AtomicPtr<Counters> = AtomicPtr::new(ptr::null_mut());

// The names under which glibc exports its allocator for such a purpose (`malloc/malloc.c`).
unsafe extern "C" {
    fn __libc_malloc(size: size_t) -> *mut c_void;
    fn __libc_calloc(count: size_t, size: size_t) -> *mut c_void;
    fn __libc_realloc(old: *mut c_void, size: size_t) -> *mut c_void;
    fn __libc_memalign(alignment: size_t, size: size_t) -> *mut c_void;
    fn __libc_free(old: *mut c_void);
}

#[used]
// SAFETY: the loader calls each function of this section once, before `main`.
#[unsafe(link_section = ".init_array")]
static START: extern "C" fn() = start;

/// Maps the file; without one nothing is counted.
extern "C" fn start() {
    // SAFETY: the name is a C string, the descriptor is checked, and the mapping is never undone.
    unsafe {
        let name = libc::getenv(c"PACKBENCH_METER".as_ptr());
        if name.is_null() {
            return;
        }
        let file = libc::open(name, libc::O_RDWR | libc::O_CLOEXEC);
        if file < 0 {
            return;
        }
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let length = size_of::<Counters>();
        let place = libc::mmap(ptr::null_mut(), length, access, libc::MAP_SHARED, file, 0);
        libc::close(file);
        if place != libc::MAP_FAILED {
            COUNTERS.store(place.cast(), Relaxed);
        }
    }
}

/// Counts before the C library is asked: what it refuses was asked for too.
fn ask(more: size_t) {
    // SAFETY: null or the mapping, which stays.
    if let Some(counters) = unsafe { COUNTERS.load(Relaxed).as_ref() } {
        let more = i64::try_from(more).unwrap_or(i64::MAX);
        counters.most.fetch_max(counters.live.load(Relaxed).saturating_add(more), Relaxed);
    }
}

/// Counts what is really there now.
fn note(block: *mut c_void, sign: i64) {
    // SAFETY: null or the mapping, which stays.
    if let Some(counters) = unsafe { COUNTERS.load(Relaxed).as_ref() } {
        // SAFETY: null or a block of the C library's.
        let size = unsafe { libc::malloc_usable_size(block) };
        // No block is larger than an `i64`.
        counters.live.fetch_add(sign * size as i64, Relaxed);
    }
}

/// # Safety
///
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn malloc(size: size_t) -> *mut c_void {
    ask(size);
    // SAFETY: as the caller promises.
    let block = unsafe { __libc_malloc(size) };
    note(block, 1);
    block
}

/// # Safety
///
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn calloc(count: size_t, size: size_t) -> *mut c_void {
    ask(count.saturating_mul(size));
    // SAFETY: as the caller promises.
    let block = unsafe { __libc_calloc(count, size) };
    note(block, 1);
    block
}

/// # Safety
///
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn realloc(old: *mut c_void, size: size_t) -> *mut c_void {
    // Both may be there at once while the old one is copied.
    ask(size);
    note(old, -1);
    // SAFETY: as the caller promises.
    let block = unsafe { __libc_realloc(old, size) };
    let refused = block.is_null() && size > 0;
    note(if refused { old } else { block }, 1);
    block
}

/// # Safety
///
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn memalign(alignment: size_t, size: size_t) -> *mut c_void {
    ask(size);
    // SAFETY: as the caller promises.
    let block = unsafe { __libc_memalign(alignment, size) };
    note(block, 1);
    block
}

/// # Safety
///
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn aligned_alloc(alignment: size_t, size: size_t) -> *mut c_void {
    // SAFETY: as the caller promises.
    unsafe { memalign(alignment, size) }
}

/// # Safety
///
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn posix_memalign(
    place: *mut *mut c_void,
    alignment: size_t,
    size: size_t,
) -> c_int {
    // SAFETY: as the caller promises.
    let block = unsafe { memalign(alignment, size) };
    if block.is_null() && size > 0 {
        return libc::ENOMEM;
    }
    // SAFETY: as the caller promises.
    unsafe { *place = block };
    0
}

/// # Safety
///
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn free(old: *mut c_void) {
    note(old, -1);
    // SAFETY: as the caller promises.
    unsafe { __libc_free(old) };
}
