//! Whether a document points into its input: the input is changed behind the document's back.

use std::hint::black_box;

use codec::Codec;

use crate::answers::guarded;

/// Long enough that no library keeps it inside a node instead of pointing to it.
const TEXT_BYTES: u8 = 200;

/// Parses a string, changes its bytes in the input, and reads the document again.
pub(crate) fn borrows_input<C: Codec>() -> Result<bool, String> {
    let mut message = vec![0xd9, TEXT_BYTES];
    message.resize(2 + usize::from(TEXT_BYTES), b'a');

    let mut codec = C::default();
    let document = guarded(|| codec.parse(black_box(&message)))
        .map_err(|why| format!("a string is rejected: {why}"))?;
    let before = C::sums(black_box(&document)).bytes;
    overwrite(&message[2..], b'b')?;
    let after = C::sums(black_box(&document)).bytes;

    let sum_of = |letter: u8| u64::from(letter) * u64::from(TEXT_BYTES);
    match (before == sum_of(b'a'), after) {
        (true, after) if after == sum_of(b'a') => Ok(false),
        (true, after) if after == sum_of(b'b') => Ok(true),
        _ => Err(format!("the bytes of the string sum up to {before}, and then to {after}")),
    }
}

/// Lets the kernel write over memory of this process.
///
/// Rust has no way to change what is borrowed, and that is good; but the kernel writes where it is told to, as another process could.
#[cfg(target_os = "linux")]
fn overwrite(target: &[u8], letter: u8) -> Result<(), String> {
    use std::io::IoSlice;

    use nix::{
        sys::uio::{RemoteIoVec, process_vm_writev},
        unistd::getpid,
    };

    let letters = vec![letter; target.len()];
    let place = RemoteIoVec { base: target.as_ptr().expose_provenance(), len: target.len() };
    let written = process_vm_writev(getpid(), &[IoSlice::new(&letters)], &[place])
        .map_err(|error| format!("the kernel does not write into this process: {error}"))?;
    if written != target.len() {
        return Err(format!("the kernel wrote {written} of {} bytes", target.len()));
    }
    Ok(())
}

/// The self-test leaves this probe out where there is no such call.
#[cfg(not(target_os = "linux"))]
fn overwrite(_: &[u8], _: u8) -> Result<(), String> {
    Err("only Linux has a call that writes into a process".into())
}
