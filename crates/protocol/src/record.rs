//! Record: the lines of a sample file, one per process and dataset.

use serde::{Deserialize, Serialize};

use crate::{job::Operation, outcome::Outcome};

/// What a benchmark process writes on its standard output, one line each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measurement {
    /// Id of the dataset.
    pub dataset: String,
    /// Whether there are samples, and if not, why.
    pub outcome: Outcome,
    /// Operations in each sample.
    pub operations_per_sample: u64,
    /// Clock readings, each for all operations of the sample, in nanoseconds.
    pub samples_ns: Vec<u64>,
    /// What the system counted meanwhile; `None` without samples.
    pub counters: Option<Counters>,
}

impl Measurement {
    /// What is said of a dataset that has no samples.
    pub fn failed(dataset: &str, outcome: Outcome) -> Self {
        Measurement {
            dataset: dataset.into(),
            outcome,
            operations_per_sample: 0,
            samples_ns: Vec::new(),
            counters: None,
        }
    }
}

/// What the system counted around the samples of one dataset in one process.
///
/// `None` where the system does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counters {
    /// Time of the warm-up, in nanoseconds.
    pub warm_up_ns: u64,
    /// Operations of the warm-up.
    pub warm_up_operations: u64,
    /// Whether the last operations of the warm-up were free of page faults.
    pub steady: bool,
    /// Minor page faults while the clock ran, all samples together.
    pub minor_faults: u64,
    /// Major page faults while the clock ran, all samples together.
    pub major_faults: u64,
    /// Times the process gave up its CPU, from the start of the warm-up to the last sample, as all that follows.
    pub voluntary_switches: u64,
    /// Times the process was taken off its CPU.
    pub involuntary_switches: u64,
    /// Times the process came to another CPU.
    pub migrations: Option<u64>,
    /// Time in user code, in nanoseconds.
    pub user_ns: u64,
    /// Time in the kernel, in nanoseconds.
    pub system_ns: u64,
    /// Time that the process could have run but had no CPU, in nanoseconds.
    pub waited_ns: Option<u64>,
    /// Time that the hypervisor gave to others on this CPU, in nanoseconds; the kernel counts in steps of 10 ms.
    pub steal_ns: Option<u64>,
}

/// One line of `samples/<codec>.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Id of the codec: `format/library/variant`.
    pub codec: String,
    /// What was timed.
    pub operation: Operation,
    /// Which round, from 0.
    pub round: u32,
    /// Place within the round, from 0.
    pub position: u32,
    /// Start of the process, in milliseconds since 1970-01-01 UTC.
    pub started_unix_ms: u64,
    /// Bytes by which the environment of this process was longer.
    pub environment_bytes: u32,
    /// See `Job`.
    pub stack_offset_frames: u32,
    /// See `Job`.
    pub heap_offset_bytes: u32,
    /// What the process said, or the driver in its place if it could not.
    pub measurement: Measurement,
}

/// What the canary said around the processes of one round: one line of `canary.jsonl`.
///
/// The canary is a program of a fixed amount of work that no codec has a part in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Canary {
    /// Of which operation.
    pub operation: Operation,
    /// Which round, from 0.
    pub round: u32,
    /// When the first process of the round started, in milliseconds since 1970-01-01 UTC.
    pub started_unix_ms: u64,
    /// Its samples before the first process of the round, in nanoseconds.
    pub before_ns: Vec<u64>,
    /// And after the last one.
    pub after_ns: Vec<u64>,
}

impl Canary {
    /// The worse of the two process values, in nanoseconds; a process value is the smallest sample, as for codecs.
    pub fn value_ns(&self) -> Option<u64> {
        Some(*self.before_ns.iter().min()?.max(self.after_ns.iter().min()?))
    }
}

impl Row {
    /// The process value: the smallest sample, in nanoseconds per operation.
    pub fn value_ns(&self) -> Option<f64> {
        let least = *self.measurement.samples_ns.iter().min()?;
        self.measurement
            .outcome
            .is_measured()
            .then(|| least as f64 / self.measurement.operations_per_sample as f64)
    }
}
