//! What a program asks of the system for its own process.

use std::{
    fs::{File, OpenOptions},
    hint::black_box,
    io,
    os::fd::AsFd,
};

use anyhow::{Context, ensure};
use nix::{
    poll::{PollFd, PollFlags, PollTimeout, poll},
    unistd::dup2_stdout,
};

/// Lets the process die with the driver, and fails if nobody reads its output any more.
///
/// An orphan would measure on, and disturb what the next run measures on the same CPU.
pub(crate) fn die_with_parent() -> anyhow::Result<()> {
    #[cfg(target_os = "linux")]
    nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL)
        .context("cannot ask for a signal when the driver dies")?;

    // The driver may have died before; then the pipe to it has no reader.
    let stdout = io::stdout();
    let mut readers = [PollFd::new(stdout.as_fd(), PollFlags::empty())];
    poll(&mut readers, PollTimeout::ZERO).context("cannot look at the standard output")?;
    let gone = readers[0].revents().is_some_and(|events| events.contains(PollFlags::POLLERR));
    ensure!(!gone, "the driver is gone");
    Ok(())
}

/// Limits the address space of the process.
pub(crate) fn limit_memory(bytes: u64) -> anyhow::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use nix::sys::resource::{Resource, setrlimit};
        setrlimit(Resource::RLIMIT_AS, bytes, bytes)
            .with_context(|| format!("cannot limit the memory to {bytes} bytes"))
    }
    #[cfg(not(target_os = "linux"))]
    anyhow::bail!("cannot limit the memory to {bytes} bytes on this system")
}

/// Keeps the process on one CPU.
pub(crate) fn pin(cpu: usize) -> anyhow::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use nix::{
            sched::{CpuSet, sched_setaffinity},
            unistd::Pid,
        };
        let mut only = CpuSet::new();
        only.set(cpu)
            .and_then(|()| sched_setaffinity(Pid::from_raw(0), &only))
            .with_context(|| format!("cannot stay on CPU {cpu}"))
    }
    #[cfg(not(target_os = "linux"))]
    anyhow::bail!("cannot stay on CPU {cpu} on this system")
}

/// A copy of the standard output for our own lines; what others print there from now on is lost.
///
/// Criterion prints its own report there.
pub(crate) fn take_stdout() -> anyhow::Result<File> {
    let stdout = io::stdout();
    let ours =
        stdout.as_fd().try_clone_to_owned().context("cannot duplicate the standard output")?;
    let null =
        OpenOptions::new().write(true).open("/dev/null").context("cannot open `/dev/null`")?;
    dup2_stdout(&null).context("cannot redirect the standard output")?;
    Ok(File::from(ours))
}

/// Takes so many bytes from the heap and keeps them, so that all that follows lies elsewhere.
pub(crate) fn take_from_the_heap(bytes: u32) {
    black_box(vec![0_u8; bytes as usize].leak());
}

/// Calls `run` with that many more frames of a fixed size on the stack.
#[inline(never)]
pub(crate) fn deeper_on_the_stack<T>(frames: u32, run: impl FnOnce() -> T) -> T {
    // Looked at before and after, so that the frame is there during the call and the call is no tail call.
    let mut frame = [0_u64; 2];
    black_box(&mut frame);
    let result = match frames {
        0 => run(),
        _ => deeper_on_the_stack(frames - 1, run),
    };
    black_box(&mut frame);
    result
}

#[test]
fn every_frame_moves_the_stack_by_the_same_multiple_of_16_bytes() {
    fn here() -> usize {
        let local = 0_u8;
        std::ptr::from_ref(black_box(&local)).addr()
    }
    let places = [0, 1, 2, 7].map(|frames| deeper_on_the_stack(frames, here));
    let frame = places[0] - places[1];
    assert!(frame > 0 && frame.is_multiple_of(16), "{frame}");
    assert_eq!(places[1] - places[2], frame);
    assert_eq!(places[0] - places[3], 7 * frame);
}

#[cfg(target_os = "linux")]
#[test]
fn a_cpu_that_does_not_exist_is_an_error() {
    let error = pin(1_000_000).unwrap_err().to_string();
    assert!(error.contains("CPU 1000000"), "{error}");
}
