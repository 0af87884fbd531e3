//! Run: one folder in `results/`, and how it is read.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    answer::Description,
    job::{Content, Operation, WarmUp},
    machine::Machine,
    outcome::Outcome,
    record::{Canary, Row},
};

/// Name of the file with the conditions of a run.
pub const RUN_FILE: &str = "run.json";
/// Name of the file with the state of the machine.
pub const MACHINE_FILE: &str = "machine.json";
/// Name of the folder with the samples.
pub const SAMPLES_FOLDER: &str = "samples";
/// Name of the file with the canary of each round.
pub const CANARY_FILE: &str = "canary.jsonl";

/// The conditions of a run, written before its first sample and never changed afterwards.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// See `METHOD`.
    pub method: u32,
    /// How much was to be measured.
    pub profile: Profile,
    /// Start, in milliseconds since 1970-01-01 UTC.
    pub started_unix_ms: u64,
    /// Seed of the order, the environment sizes and the stack offsets.
    pub seed: u64,
    /// Rounds that count, for each operation; void ones come on top. With `minutes`, as many as fit.
    pub rounds: u32,
    /// Whole rounds were measured for so many minutes.
    pub minutes: Option<u32>,
    /// The processes of a round took turns, sample by sample.
    pub lock_step: bool,
    /// Each program was linked in so many layouts, one of them for each round in turn; 0 if it was linked once.
    pub relinks: u32,
    /// Which codec was to be compared with which.
    pub pairs: Vec<Pair>,
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

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// Short samples and one round: a look, no evidence.
    Quick,
    /// As many rounds as verdicts need, of short samples.
    Default,
    /// More rounds, of longer samples, each with other layouts of the programs.
    Publish,
}

/// A codec and the one that it is compared with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// Id of the codec.
    pub codec: String,
    /// Id of the codec that stands for 1.
    pub base: String,
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
    /// The same after gzip at level 6.
    pub json_gzip_bytes: Option<u64>,
    /// The same after zstd at level 3.
    pub json_zstd_bytes: Option<u64>,
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
    /// The codec that this is a build of from another source.
    pub against_of: Option<String>,
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
    /// Hashes of the programs that were linked in other layouts, by operation.
    pub relinked: BTreeMap<Operation, Vec<String>>,
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
    /// The machine, before the first sample.
    pub machine: Machine,
    /// All samples.
    pub rows: Vec<Row>,
    /// The canary of every round that was measured to its end.
    pub canary: Vec<Canary>,
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
    /// All cells of a round.
    pub fn cells(&self, operation: Operation, round: u32) -> impl Iterator<Item = Cell> {
        let measured = self.codecs.iter().filter(|codec| codec.excluded.is_none());
        measured.flat_map(move |codec| {
            self.datasets.iter().map(move |dataset| Cell {
                codec: codec.id.clone(),
                operation,
                round,
                dataset: dataset.id.clone(),
            })
        })
    }

    /// C and C++ compilers with their versions, each once.
    pub fn compilers(&self) -> BTreeSet<&str> {
        let compilers = self.codecs.iter().flat_map(|codec| &codec.compilers);
        compilers.filter_map(|compiler| compiler["version"].as_str()).collect()
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
        let mut stored = Stored {
            folder: folder.into(),
            run: whole(folder, RUN_FILE)?,
            machine: whole(folder, MACHINE_FILE)?,
            rows: Vec::new(),
            canary: Vec::new(),
            skipped: Vec::new(),
        };
        for codec in &stored.run.codecs {
            let (rows, torn) = lines(&sample_file(folder, &codec.id))?;
            stored.rows.extend(rows);
            stored.skipped.extend(torn);
        }
        let (canary, torn) = lines(&folder.join(CANARY_FILE))?;
        stored.canary = canary;
        stored.skipped.extend(torn);
        let mut cells = HashSet::new();
        if let Some(twice) =
            stored.rows.iter().map(Row::cell).find(|cell| !cells.insert(cell.clone()))
        {
            let Cell { codec, operation, round, dataset } = twice;
            anyhow::bail!(
                "{} holds {operation} of {dataset} in round {round} twice\n  fix: a record is not edited; restore it",
                sample_file(folder, &codec).display()
            );
        }
        Ok(stored)
    }
}

/// A file of a record that was written whole.
fn whole<T: DeserializeOwned>(folder: &Path, name: &str) -> anyhow::Result<T> {
    let file = folder.join(name);
    let text = fs::read_to_string(&file).with_context(|| {
        format!("`{}` is no record of a run\n  fix: name a folder of `results/`", folder.display())
    })?;
    serde_json::from_str(&text).with_context(|| {
        format!("in {}\n  fix: measure again; the record is of another version of packbench, or was edited", file.display())
    })
}

/// Where the samples of a codec lie.
pub fn sample_file(folder: &Path, codec: &str) -> PathBuf {
    folder.join(SAMPLES_FOLDER).join(format!("{codec}.jsonl"))
}

/// The lines of a file, and a word about the last one if it is torn; none if there is no such file.
pub(crate) fn lines<T: DeserializeOwned>(file: &Path) -> anyhow::Result<(Vec<T>, Option<String>)> {
    let Ok(bytes) = fs::read(file) else { return Ok((Vec::new(), None)) };
    let place = file.display();
    let (lines, torn) = whole_lines(&bytes).with_context(|| format!("in {place}"))?;
    Ok((lines, torn.map(|line| format!("{place}: line {line} is torn and was left out"))))
}

/// The lines of a file, and the number of its last one if that is torn.
fn whole_lines<T: DeserializeOwned>(bytes: &[u8]) -> anyhow::Result<(Vec<T>, Option<usize>)> {
    let mut lines = Vec::new();
    for (index, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        if !line.ends_with(b"\n") {
            return Ok((lines, Some(index + 1)));
        }
        lines.push(serde_json::from_slice(line).with_context(|| {
            format!("line {} is no record\n  fix: a record is not edited; restore it", index + 1)
        })?);
    }
    Ok((lines, None))
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
        heap_offset_bytes: 0,
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
    assert_eq!(whole_lines(line.as_bytes()).unwrap(), (vec![row.clone()], None));
    let torn = format!("{line}{}", &line[..20]);
    assert_eq!(whole_lines(torn.as_bytes()).unwrap(), (vec![row], Some(2)));
    assert!(whole_lines::<Row>(b"{}\n").is_err());
}
