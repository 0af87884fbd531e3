//! Errors of the command line, and how a command ends.

use std::{
    fmt,
    io::{self, Write},
};

/// A command line that asks for what does not exist; the program then ends with 2.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// How a command ended, if no error cut it short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// All is well: 0.
    Good,
    /// Something that was measured or checked is bad: 1.
    Bad,
    /// The machine was refused: 3.
    Refused,
    /// The user wished to stop: 130.
    Interrupted,
}

impl End {
    /// `Good` if something holds, else `Bad`.
    pub(crate) fn good_if(holds: bool) -> Self {
        if holds { End::Good } else { End::Bad }
    }

    /// The number that a shell sees.
    pub(crate) fn code(self) -> u8 {
        match self {
            End::Good => 0,
            End::Bad => 1,
            End::Refused => 3,
            End::Interrupted => 130,
        }
    }
}

/// The user wished to stop before there was anything to keep: an error, so that it ends whatever was being prepared.
#[derive(Debug)]
pub(crate) struct Stopped;

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("stopped before anything was measured")
    }
}

impl std::error::Error for Stopped {}

/// An error as a person reads it: what went wrong and why, and below it how to fix it.
pub(crate) fn told(error: &anyhow::Error) -> String {
    let parts: Vec<String> = error.chain().map(ToString::to_string).collect();
    let (mut what, mut fixes) = (Vec::new(), String::new());
    for part in &parts {
        let (said, fix) = part.split_at(part.find("\n  fix:").unwrap_or(part.len()));
        what.push(said);
        fixes.push_str(fix);
    }
    what.join(": ") + &fixes
}

/// Standard output whose errors say that they are its own.
pub(crate) struct Out<W>(pub(crate) W);

impl<W: Write> Out<W> {
    fn named(error: io::Error) -> io::Error {
        let text = format!(
            "cannot write to the standard output: {error}\n  fix: make room where it goes, or send it elsewhere; what was measured is in its record"
        );
        io::Error::new(error.kind(), text)
    }
}

impl<W: Write> Write for Out<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(Self::named)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(Self::named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_stands_before_the_fix() {
        let error = anyhow::anyhow!("disk full").context("cannot write a\n  fix: make room");
        assert_eq!(told(&error), "cannot write a: disk full\n  fix: make room");
        let plain = anyhow::anyhow!("cause").context("what");
        assert_eq!(told(&plain), "what: cause");
    }

    #[test]
    fn an_output_that_is_full_is_named_and_a_closed_one_keeps_its_kind() {
        struct Broken(io::ErrorKind);
        impl Write for Broken {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(self.0.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Err(self.0.into())
            }
        }
        let mut full = Out(Broken(io::ErrorKind::StorageFull));
        let error = writeln!(full, "a").unwrap_err().to_string();
        assert!(error.contains("standard output") && error.contains("fix:"), "{error}");
        let mut closed = Out(Broken(io::ErrorKind::BrokenPipe));
        assert_eq!(closed.flush().unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }
}
