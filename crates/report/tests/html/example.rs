//! Small records with made-up numbers, written to a folder as a run writes them.

use std::{collections::BTreeMap, fs, path::Path};

use protocol::{
    METHOD,
    answer::{Capabilities, Description},
    conformance::{BehaviourLine, CaseLine, FuzzFinding, FuzzLine, SuiteLine},
    job::{Content, Operation, WarmUp},
    machine::{Answer, Check, Machine},
    outcome::Outcome,
    record::{Canary, Counters, Measurement, Row},
    run::{CodecInfo, DatasetInfo, Profile, Run, SourceInfo, Tools, sample_file},
};
use serde::Serialize;

/// Operations of every example.
pub(crate) const OPERATIONS: [Operation; 2] = [Operation::Parse, Operation::Read];
/// Datasets, with the operations for each sample.
pub(crate) const DATASETS: [(&str, u64); 2] = [("made-up/long", 1), ("made-up/short", 4)];
/// Codecs that are measured, with the time of the first in nanoseconds.
pub(crate) const CODECS: [(&str, u64); 5] = [
    ("msgpack/alpha/tree", 200_000),
    ("msgpack/beta/view", 300_000),
    ("msgpack/beta/tree-reused", 250_000),
    ("msgpack/alpha/tree-again", 200_100),
    ("control/harness/nothing", 40),
];
/// A text that would end a script if it stood in one as it is.
pub(crate) const HOSTILE: &str =
    "rejected: </script><script>document.title = 'taken'</script> <!-- & \"";

/// A record before it is written; tests spoil it.
pub(crate) struct Example {
    pub(crate) run: Run,
    pub(crate) machine: Machine,
    pub(crate) rows: Vec<Row>,
    pub(crate) canary: Vec<Canary>,
    pub(crate) cases: Vec<CaseLine>,
    pub(crate) behaviour: Vec<BehaviourLine>,
    pub(crate) suite: Vec<SuiteLine>,
    pub(crate) fuzz: Vec<FuzzLine>,
}

impl Example {
    /// So many rounds; in `void`, of the first operation, the canary is far above its fence.
    pub(crate) fn new(rounds: u32, void: Option<u32>) -> Example {
        let mut example = Example {
            run: run(rounds - u32::from(void.is_some())),
            machine: machine(),
            rows: Vec::new(),
            canary: Vec::new(),
            cases: Vec::new(),
            behaviour: Vec::new(),
            suite: Vec::new(),
            fuzz: Vec::new(),
        };
        for operation in OPERATIONS {
            let wanted = if operation == OPERATIONS[0] { rounds } else { example.run.rounds };
            for round in 0..wanted {
                example.round(operation, round, void == Some(round) && operation == OPERATIONS[0]);
            }
        }
        example
    }

    /// With answers to everything.
    pub(crate) fn asked(mut self) -> Example {
        let contestants = ["msgpack/alpha/tree", "msgpack/beta/view", "msgpack/beta/tree-reused"];
        for (place, codec) in contestants.into_iter().enumerate() {
            let mut case = |case: &str, category: Option<&str>, verdict: &str, observed: &str| {
                let won = verdict == "passed" && category.is_some();
                self.cases.push(CaseLine {
                    codec: codec.into(),
                    version: Some("1.0".into()),
                    case: case.into(),
                    category: category.map(str::to_owned),
                    verdict: verdict.into(),
                    outcome: "accepted".into(),
                    points: if won { 2 } else { 0 },
                    of: if category.is_some() { 2 } else { 0 },
                    expected: format!("accepted as {case}"),
                    observed: observed.into(),
                    known: (verdict == "failed").then(|| "reported to its authors".into()),
                    memory_bytes: Some(1024 * (place as u64 + 1)),
                    wall_ns: Some(50_000),
                });
            };
            case("integer/fixint-zero", Some("core"), "passed", "accepted, and wrote 00");
            let verdict = if place == 1 { "failed" } else { "passed" };
            case("ext/empty", Some("binary-and-ext"), verdict, HOSTILE);
            case("limits/array-of-many", None, "passed", "rejected: too many");
            case("behaviour/odd-string", None, "shown", "accepted");
            self.behaviour.push(BehaviourLine {
                codec: codec.into(),
                question: "duplicate keys".into(),
                answer: "both".into(),
            });
            self.suite.push(SuiteLine {
                codec: codec.into(),
                encoding: "suite/10-nil/0/0".into(),
                finding: (place == 2).then(|| "changed: at $".into()),
            });
            self.fuzz.push(FuzzLine {
                codec: codec.into(),
                seed: 7,
                messages: 100,
                findings: vec![],
            });
        }
        self.fuzz[1].findings.push(FuzzFinding {
            kind: "accepted-invalid".into(),
            what: "c1 is never used".into(),
            message: "c1".into(),
        });
        self
    }

    /// Writes the files of the record.
    pub(crate) fn write(&self, folder: &Path) {
        write_json(&folder.join("run.json"), &self.run);
        write_json(&folder.join("machine.json"), &self.machine);
        for codec in &self.run.codecs {
            let rows: Vec<&Row> = self.rows.iter().filter(|row| row.codec == codec.id).collect();
            write_lines(&sample_file(folder, &codec.id), &rows);
        }
        write_lines(&folder.join("canary.jsonl"), &self.canary);
        write_lines(&folder.join("conformance.jsonl"), &self.cases);
        write_lines(&folder.join("behaviour.jsonl"), &self.behaviour);
        write_lines(&folder.join("suite.jsonl"), &self.suite);
        write_lines(&folder.join("fuzz.jsonl"), &self.fuzz);
    }

    fn round(&mut self, operation: Operation, round: u32, is_void: bool) {
        for (position, (codec, ns)) in CODECS.into_iter().enumerate() {
            for (place, (dataset, batch)) in DATASETS.into_iter().enumerate() {
                // Ups and downs of a few thousandths, others for each codec.
                let wave = (u64::from(round) * 7 + position as u64 * 5) % 11;
                let slowest = if is_void { 3 } else { 1 };
                let own = ns / (place as u64 + 1) * batch + ns * wave / 1000;
                let samples_ns = vec![own * slowest + 900, own * slowest, own * slowest + 350];
                self.rows.push(Row {
                    codec: codec.into(),
                    operation,
                    round,
                    position: position as u32,
                    started_unix_ms: 0,
                    environment_bytes: 0,
                    stack_offset_frames: 0,
                    heap_offset_bytes: 0,
                    measurement: Measurement {
                        dataset: dataset.into(),
                        outcome: Outcome::Measured,
                        operations_per_sample: batch,
                        samples_ns,
                        counters: Some(Counters { user_ns: 1_000_000, ..Counters::default() }),
                    },
                });
            }
        }
        let ns = if is_void { 900_000 } else { 500_000 + u64::from(round) };
        let started_unix_ms = 1_800_000_000_000 + u64::from(round) * 60_000;
        let (before_ns, after_ns) = (vec![ns, ns + 10], vec![ns + 5]);
        self.canary.push(Canary { operation, round, started_unix_ms, before_ns, after_ns });
    }
}

fn run(rounds: u32) -> Run {
    let mut codecs: Vec<CodecInfo> = CODECS.into_iter().map(|(id, _)| codec(id)).collect();
    codecs[3].twin_of = Some("msgpack/alpha/tree".into());
    codecs.push(CodecInfo {
        description: None,
        excluded: Some(Outcome::NotBuilt("no compiler".into())),
        ..codec("msgpack/gamma/dom")
    });
    let dataset = |(id, batch): (&str, u64)| DatasetInfo {
        id: id.into(),
        input_bytes: 1000,
        sha256: "0".repeat(64),
        json_bytes: Some(2000),
        json_gzip_bytes: Some(700),
        json_zstd_bytes: None,
        content: Content::default(),
        batch,
        samples: 3,
        file: None,
    };
    Run {
        method: METHOD,
        profile: Profile::Default,
        started_unix_ms: 1_800_000_000_000,
        seed: u64::MAX,
        rounds,
        minutes: None,
        lock_step: false,
        relinks: 0,
        pairs: Vec::new(),
        cpu: Some(1),
        time_limit_s: 60,
        warm_up: WarmUp { least_ns: 1_000_000, least_operations: 5, most_ns: 2_000_000 },
        operations: OPERATIONS.into(),
        datasets: DATASETS.into_iter().map(dataset).collect(),
        codecs,
        tools: Tools {
            commit: None,
            modified: false,
            rustc: "rustc of these tests".into(),
            rust_flags: vec!["-C target-cpu=native".into()],
            environment: BTreeMap::new(),
            locks: BTreeMap::new(),
        },
    }
}

fn codec(id: &str) -> CodecInfo {
    let capabilities = Capabilities {
        binary: true,
        ext: true,
        non_string_keys: true,
        checks_utf8: false,
        borrows_input: id.ends_with("view"),
        keeps_key_order: true,
        narrows_floats: false,
        max_depth: Some(512),
    };
    let reuses = id.ends_with("reused");
    CodecInfo {
        id: id.into(),
        twin_of: None,
        against_of: None,
        package: "codec-made-up".into(),
        adapter: None,
        description: Some(Description { version: "1.0".into(), capabilities, reuses }),
        source: Some(SourceInfo {
            client: "pip".into(),
            package: "made-up 1.0".into(),
            tree_sha256: None,
            published_unix_ms: Some(1_800_000_000_000 - 10 * 86_400_000),
        }),
        programs: BTreeMap::new(),
        relinked: BTreeMap::new(),
        compilers: Vec::new(),
        outputs: BTreeMap::new(),
        excluded: None,
    }
}

fn machine() -> Machine {
    Machine {
        cpu: 1,
        cpu_model: Some("Made-up 9000".into()),
        cpus: Some(2),
        cores: None,
        clock_hz: None,
        max_clock_hz: None,
        caches: Vec::new(),
        memory_bytes: None,
        kernel: None,
        hypervisor: None,
        checks: vec![check("governor", Answer::Good, None)],
    }
}

/// A check of the machine.
pub(crate) fn check(name: &str, answer: Answer, remedy: Option<&str>) -> Check {
    Check {
        name: name.into(),
        answer,
        found: "something".into(),
        from: "somewhere".into(),
        remedy: remedy.map(str::to_owned),
        why: "it matters".into(),
    }
}

fn write_json(file: &Path, value: &impl Serialize) {
    fs::write(file, serde_json::to_string(value).unwrap()).unwrap();
}

fn write_lines(file: &Path, lines: &[impl Serialize]) {
    if lines.is_empty() {
        return;
    }
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let text: String =
        lines.iter().map(|line| serde_json::to_string(line).unwrap() + "\n").collect();
    fs::write(file, text).unwrap();
}
