//! Job: what one benchmark process has to do.

use std::{fmt, path::PathBuf, str::FromStr};

use serde::{Deserialize, Serialize};

/// What is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// Bytes to document.
    Parse,
    /// Document to bytes.
    Serialize,
    /// A walk over a document that counts its nodes.
    Stats,
    /// Bytes to document, then a walk that reads all values.
    Read,
}

impl Operation {
    /// Every operation, in the order of the tables.
    pub const ALL: [Operation; 4] =
        [Operation::Parse, Operation::Serialize, Operation::Stats, Operation::Read];

    /// The word in ids, flags, file names and tables.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Parse => "parse",
            Operation::Serialize => "serialize",
            Operation::Stats => "stats",
            Operation::Read => "read",
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Operation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Operation::ALL
            .into_iter()
            .find(|operation| operation.name() == text)
            .ok_or_else(|| format!("`{text}` is no operation"))
    }
}

/// What one benchmark process measures: one codec, one operation, all selected datasets of a group.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// Id of the codec as the record will call it; the same program may run under two names.
    pub codec: String,
    /// Must be the operation that the program was built for.
    pub operation: Operation,
    /// The only CPU that the process may use; `None` where the system cannot pin.
    pub cpu: Option<usize>,
    /// Address space that the process may use, in bytes; `None` for no limit.
    pub memory_limit_bytes: Option<u64>,
    /// Frames of a fixed size that lie on the stack below the measurement; differs from process to process.
    pub stack_offset_frames: u32,
    /// Length of an allocation that is made before all others and kept, in bytes; differs from process to process.
    pub heap_offset_bytes: u32,
    /// Folder of this process, for what its sampling engine writes.
    pub scratch: PathBuf,
    /// In the order in which they are measured.
    pub datasets: Vec<Task>,
    /// How long to warm up.
    pub warm_up: WarmUp,
    /// Work only when it is this process's turn: a line on its standard input begins a turn, a `TURN_OVER` ends it.
    pub lock_step: bool,
}

/// The line with which a process in lock-step ends its turn.
pub const TURN_OVER: &str = "null";

/// One dataset of a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// Id of the dataset.
    pub dataset: String,
    /// File with the message.
    pub input: PathBuf,
    /// What every codec must find in the message, by the oracle.
    pub expect: Content,
    /// Operations per clock reading; the same for all codecs of a dataset.
    pub batch: u64,
    /// Clock readings, 10 at least because the sampling engine insists on it.
    pub samples: u32,
}

/// When the clock may start: after the least of both has passed and the heap has its steady size, or else after the most.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WarmUp {
    /// In nanoseconds.
    pub least_ns: u64,
    /// Operations.
    pub least_operations: u64,
    /// In nanoseconds; the measurement then starts with whatever state there is.
    pub most_ns: u64,
}

/// What is in a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Content {
    /// Counts of nodes.
    pub stats: Stats,
    /// Sums over their values.
    pub sums: Sums,
}

/// How many nodes of each kind; a map key counts as a value of its own type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Stats {
    pub maps: u64,
    pub arrays: u64,
    pub strings: u64,
    pub binaries: u64,
    pub extensions: u64,
    pub numbers: u64,
    pub booleans: u64,
    pub nils: u64,
}

/// Wrapping sums over all values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sums {
    /// Integers, each as 64 bits of two's complement.
    pub integers: u64,
    /// Bits of the floats, each widened to a float64.
    pub float_bits: u64,
    /// Every byte of strings, binaries and extension payloads.
    pub bytes: u64,
}
