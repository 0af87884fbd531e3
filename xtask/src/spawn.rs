//! One child process: its environment, its time limit, and how it ended.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, BufRead, BufReader},
    os::unix::process::{CommandExt as _, ExitStatusExt as _},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use protocol::outcome::Outcome;

use crate::interrupt;

/// Settings of the allocator, the same for every process: no returning of memory, no mapping for each large block.
pub(crate) const TUNABLES: &str =
    "glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=4294967296";

/// The whole environment of every process that runs a library.
///
/// Nothing else is in it, because its size shifts the stack and with it the times.
pub(crate) fn environment() -> BTreeMap<String, String> {
    [("GLIBC_TUNABLES", TUNABLES), ("LC_ALL", "C")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into()
}

/// How a child ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// By itself.
    Well,
    /// In a way that is an outcome.
    Badly(Outcome),
    /// Because the user wants to stop.
    Interrupted,
}

/// Runs a program, hands over each line of its output as it comes, and sees to its end.
///
/// This thread sleeps while the child works.
///
/// # Errors
///
/// A program that cannot be started, and what `on_line` says; the child is dead then.
pub(crate) fn run(
    command: &mut Command,
    errors: &Path,
    limit: Duration,
    mut on_line: impl FnMut(String) -> anyhow::Result<()>,
) -> anyhow::Result<Ended> {
    let (sender, events) = mpsc::channel();
    let _registration = interrupt::tell(sender.clone());
    let mut child = start(command, errors)?;
    let stdout = child.stdout.take().context("the child has no output")?;
    let reader = thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if sender.send(Event::Line(line)).is_err() {
                return;
            }
        }
        // The receiver is gone if the child was ended on purpose.
        let _ = sender.send(Event::End);
    });

    let deadline = Instant::now() + limit;
    let mut cut_short = None;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match events.recv_timeout(left) {
            Ok(Event::Line(line)) => {
                if let Err(error) = on_line(line) {
                    end(&mut child);
                    return Err(error);
                }
                continue;
            }
            Ok(Event::End) => break,
            Ok(Event::Interrupt) => cut_short = Some(Ended::Interrupted),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                cut_short = Some(Ended::Badly(Outcome::TimedOut));
            }
        }
        // What the child had measured before is in the pipe and is not lost.
        end(&mut child);
        for event in events.iter().take_while(|event| !matches!(event, Event::End)) {
            if let Event::Line(line) = event {
                on_line(line)?;
            }
        }
        break;
    }
    let status = wait(&mut child, deadline)?;
    let _ = reader.join();
    Ok(cut_short.unwrap_or_else(|| judge(status, errors)))
}

/// What a process says to the thread that waits for it.
#[derive(Debug)]
pub(crate) enum Event {
    /// A line of its output.
    Line(String),
    /// Its output ended.
    End,
    /// The user wants to stop.
    Interrupt,
}

/// Starts a program that must not outlive this one.
///
/// Its own process group keeps Ctrl-C away from it, so that it can still say what it has measured.
///
/// # Errors
///
/// A program that cannot be started.
pub(crate) fn start(command: &mut Command, errors: &Path) -> anyhow::Result<Child> {
    let log = File::create(errors).with_context(|| format!("cannot write {}", errors.display()))?;
    command
        .stdout(Stdio::piped())
        .stderr(log)
        .process_group(0)
        .spawn()
        .with_context(|| format!("cannot start {}", command.get_program().display()))
}

fn end(child: &mut Child) {
    // It may have ended by itself meanwhile.
    let _ = child.kill();
}

/// Waits for a child whose output has ended: a process can close it and still hang.
fn wait(child: &mut Child, deadline: Instant) -> io::Result<ExitStatus> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if Instant::now() >= deadline {
            end(child);
            return child.wait();
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// What the end of a process means.
pub(crate) fn judge(status: ExitStatus, errors: &Path) -> Ended {
    if status.success() {
        return Ended::Well;
    }
    let said = fs::read_to_string(errors).unwrap_or_default();
    // Rust's own words before it aborts; C++ throws, which the adapter reports.
    if said.contains("memory allocation of") {
        return Ended::Badly(Outcome::OutOfMemory);
    }
    // Rust's handler of the signal says this and aborts; without it the signal would be SIGSEGV.
    if said.contains("has overflowed its stack") {
        return Ended::Badly(Outcome::Crashed("stack overflow".into()));
    }
    let how = match (status.signal(), status.code()) {
        (Some(signal), _) => match signal_hook::low_level::signal_name(signal) {
            Some(name) => name.to_owned(),
            None => format!("signal {signal}"),
        },
        (None, code) => {
            let last = said.lines().last().unwrap_or_default();
            format!("exit status {}: {last}", code.unwrap_or_default())
        }
    };
    Ended::Badly(Outcome::Crashed(how))
}
