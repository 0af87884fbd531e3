//! Errors of the command line, and how a command ends.

use std::fmt;

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
