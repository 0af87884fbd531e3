//! Run: one folder in `results/`, and how it is read.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use crate::{
    answer::Description,
    job::{Content, Operation, WarmUp},
    outcome::Outcome,
    record::Row,
};

/// Name of the file with the conditions of a run.
pub const RUN_FILE: &str = "run.json";
/// Name of the file with the state of the machine.
pub const MACHINE_FILE: &str = "machine.json";
/// Name of the folder with the samples.
pub const SAMPLES_FOLDER: &str = "samples";

/// The conditions of a run, written before its first sample and never changed afterwards.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// See `METHOD`.
    pub method: u32,
    /// Short samples and one round: a look, no evidence.
    pub quick: bool,
    /// Start, in milliseconds since 1970-01-01 UTC.
    pub started_unix_ms: u64,
    /// Seed of the order, the environment sizes and the stack offsets.
    pub seed: u64,
    /// Processes for each codec and operation.
    pub rounds: u32,
    /// The only CPU that was used; `None` where the system cannot pin.
    pub cpu: Option<usize>,
    /// Longest time for one process, in seconds.
    pub time_limit_s: u64,
    /// How long each process warmed up for a dataset.
    pub warm_up: WarmUp,
    /// What was timed.
    pub operations: Vec<Operation>,
    /// On which messages.
    pub datasets: Vec<DatasetInfo>,
    /// With which codecs, those among them that could not run.
    pub codecs: Vec<CodecInfo>,
    /// With which tools.
    pub tools: Tools,
}

/// A message of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatasetInfo {
    /// `group/name`.
    pub id: String,
    /// Length of the message.
    pub input_bytes: u64,
    /// Hash of the message, in hexadecimal digits.
    pub sha256: String,
    /// Length of the JSON text that the message was made from.
    pub json_bytes: Option<u64>,
    /// What is in it.
    pub content: Content,
    /// Operations per clock reading, for all codecs.
    pub batch: u64,
    /// Clock readings per process.
    pub samples: u32,
    /// File of the user's, if it is none of our datasets.
    pub file: Option<PathBuf>,
}

/// A codec of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CodecInfo {
    /// `format/library/variant`.
    pub id: String,
    /// The codec whose program this one runs under a second name, as a control.
    pub twin_of: Option<String>,
    /// Name of the adapter's package.
    pub package: String,
    /// Folder of the adapter, if it is none of ours.
    pub adapter: Option<PathBuf>,
    /// What the library says of itself; `None` if it could not be asked.
    pub description: Option<Description>,
    /// Where the source came from; `None` for what cargo builds as an ordinary dependency.
    pub source: Option<SourceInfo>,
    /// Its programs, by operation.
    pub programs: BTreeMap<Operation, Program>,
    /// C and C++ compilers with their flags, from the adapter's build.
    pub compilers: Vec<serde_json::Value>,
    /// What the oracle says of its output, by dataset.
    pub outputs: BTreeMap<String, Output>,
    /// Why it was not measured at all.
    pub excluded: Option<Outcome>,
}

/// Where the source of a library came from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceInfo {
    /// `cargo`, `pip` or `npm`, or `folder` for a folder of the user's.
    pub client: String,
    /// Package and version, or the folder.
    pub package: String,
    /// Hash of the tree that was compiled.
    pub tree_sha256: Option<String>,
    /// When the pinned package was published, as far as its files say, in milliseconds since 1970-01-01 UTC.
    pub published_unix_ms: Option<u64>,
}

/// A program that was run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// Length of the file.
    pub bytes: u64,
    /// What of it is loaded into memory: code and data without symbols.
    pub loaded_bytes: u64,
    /// By how much that is more than in the same program without a library; `None` if there is none to compare with.
    pub added_bytes: Option<i64>,
    /// Hash of the file, in hexadecimal digits.
    pub sha256: String,
}

/// What the oracle says of a codec's output for one dataset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// `Measured` if the output is right.
    pub outcome: Outcome,
    /// Length of the output; `None` if there is none, as for the next two.
    pub bytes: Option<u64>,
    /// Length after gzip at level 6.
    pub gzip_bytes: Option<u64>,
    /// Length after zstd at level 3.
    pub zstd_bytes: Option<u64>,
    /// The output is the input, byte by byte.
    pub identical: bool,
    /// Floats that were written in fewer bytes without loss.
    pub floats_narrowed: u64,
    /// Maps whose entries changed places.
    pub keys_reordered: u64,
}

/// What a run was built with.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tools {
    /// Commit of this project; `None` outside of a checkout.
    pub commit: Option<String>,
    /// Whether files differed from that commit.
    pub modified: bool,
    /// `rustc -vV`.
    pub rustc: String,
    /// Flags for all Rust code of the programs.
    pub rust_flags: Vec<String>,
    /// Environment of every process that was timed.
    pub environment: BTreeMap<String, String>,
    /// Hashes of the files that pin versions.
    pub locks: BTreeMap<String, String>,
}

/// A run as it lies on the disk.
#[derive(Clone, Debug)]
pub struct Stored {
    /// Its folder.
    pub folder: PathBuf,
    /// Its conditions.
    pub run: Run,
    /// All samples.
    pub rows: Vec<Row>,
    /// What was skipped on reading, each with its place.
    pub skipped: Vec<String>,
}

/// A sample that a run has or lacks.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// Id of the codec.
    pub codec: String,
    /// What is timed.
    pub operation: Operation,
    /// Which round.
    pub round: u32,
    /// Id of the dataset.
    pub dataset: String,
}

impl Row {
    /// The cell that this row fills.
    pub fn cell(&self) -> Cell {
        Cell {
            codec: self.codec.clone(),
            operation: self.operation,
            round: self.round,
            dataset: self.measurement.dataset.clone(),
        }
    }
}

impl Run {
    /// All cells that a complete record of this run has.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        (0..self.rounds).flat_map(move |round| {
            self.operations.iter().flat_map(move |&operation| {
                let measured = self.codecs.iter().filter(|codec| codec.excluded.is_none());
                measured.flat_map(move |codec| {
                    self.datasets.iter().map(move |dataset| Cell {
                        codec: codec.id.clone(),
                        operation,
                        round,
                        dataset: dataset.id.clone(),
                    })
                })
            })
        })
    }
}

impl Stored {
    /// Reads a folder of `results/`.
    ///
    /// A last line that was torn by the end of its writer is left out and named in `skipped`.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, and any other line that is no sample.
    pub fn read(folder: &Path) -> anyhow::Result<Self> {
        let file = folder.join(RUN_FILE);
        let text = fs::read_to_string(&file)
            .with_context(|| format!("`{}` is no record of a run", folder.display()))?;
        let run = serde_json::from_str(&text).with_context(|| format!("in {}", file.display()))?;
        let mut stored =
            Stored { folder: folder.into(), run, rows: Vec::new(), skipped: Vec::new() };
        for codec in &stored.run.codecs {
            let file = sample_file(folder, &codec.id);
            if let Ok(bytes) = fs::read(&file) {
                let (rows, torn) =
                    rows(&bytes).with_context(|| format!("in {}", file.display()))?;
                stored.rows.extend(rows);
                if let Some(line) = torn {
                    let place = file.display();
                    stored.skipped.push(format!("{place}: line {line} is torn and was left out"));
                }
            }
        }
        Ok(stored)
    }

    /// Cells without a sample.
    pub fn missing(&self) -> Vec<Cell> {
        let there: std::collections::HashSet<Cell> = self.rows.iter().map(Row::cell).collect();
        self.run.cells().filter(|cell| !there.contains(cell)).collect()
    }
}

/// Where the samples of a codec lie.
pub fn sample_file(folder: &Path, codec: &str) -> PathBuf {
    folder.join(SAMPLES_FOLDER).join(format!("{codec}.jsonl"))
}

/// The lines of a sample file, and the number of its last line if that is torn.
///
/// # Errors
///
/// A line that is no sample, other than a torn last one.
pub fn rows(bytes: &[u8]) -> anyhow::Result<(Vec<Row>, Option<usize>)> {
    let mut rows = Vec::new();
    for (index, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        if !line.ends_with(b"\n") {
            return Ok((rows, Some(index + 1)));
        }
        rows.push(serde_json::from_slice(line).with_context(|| format!("line {}", index + 1))?);
    }
    Ok((rows, None))
}

#[test]
fn a_torn_last_line_is_named_and_any_other_bad_line_is_an_error() {
    let row = Row {
        codec: "f/l/v".into(),
        operation: Operation::Parse,
        round: 0,
        position: 0,
        started_unix_ms: 0,
        environment_bytes: 0,
        stack_offset_frames: 0,
        measurement: crate::record::Measurement {
            dataset: "g/d".into(),
            outcome: Outcome::Measured,
            operations_per_sample: 2,
            samples_ns: vec![7, 5],
            counters: None,
        },
    };
    let line = serde_json::to_string(&row).unwrap() + "\n";
    assert_eq!(row.value_ns(), Some(2.5));
    assert_eq!(rows(line.as_bytes()).unwrap(), (vec![row.clone()], None));
    let torn = format!("{line}{}", &line[..20]);
    assert_eq!(rows(torn.as_bytes()).unwrap(), (vec![row], Some(2)));
    assert!(rows(b"{}\n").is_err());
}
