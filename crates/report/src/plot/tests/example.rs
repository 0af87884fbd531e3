//! Records for tests, made by rule: any number of codecs, datasets and rounds.

use std::{collections::BTreeMap, fs, path::Path};

use protocol::{
    METHOD,
    answer::{Capabilities, Description},
    conformance::{CASES_FILE, CaseLine, Conformance},
    job::{Content, Operation, Stats, WarmUp},
    machine::{Answer, Check, Machine},
    outcome::Outcome,
    record::{Canary, Counters, Measurement, Row},
    run::{
        CANARY_FILE, CodecInfo, DatasetInfo, MACHINE_FILE, Output, Profile, Program, RUN_FILE, Run,
        Stored, Tools, sample_file,
    },
};
use serde_json::to_string;

use crate::record::Record;

/// A record of these codecs and datasets, all measured and nothing wrong.
pub(super) fn record(codecs: &[&str], datasets: &[&str], rounds: u32) -> Record {
    let operations = vec![Operation::Parse, Operation::Read];
    let run = Run {
        method: METHOD,
        profile: Profile::Default,
        started_unix_ms: 1_800_000_000_000,
        seed: 7,
        rounds,
        minutes: None,
        lock_step: false,
        relinks: 0,
        pairs: Vec::new(),
        cpu: Some(1),
        time_limit_s: 120,
        warm_up: WarmUp { least_ns: 1, least_operations: 1, most_ns: 1 },
        operations: operations.clone(),
        datasets: datasets.iter().enumerate().map(|(place, id)| dataset(id, place)).collect(),
        codecs: codecs.iter().enumerate().map(|(place, id)| codec(id, place, datasets)).collect(),
        tools: Tools {
            commit: None,
            modified: false,
            rustc: "rustc 1.95.0 (a build)".into(),
            rust_flags: Vec::new(),
            environment: BTreeMap::new(),
            locks: BTreeMap::new(),
        },
    };
    let stored = Stored {
        folder: "record".into(),
        rows: rows(&run),
        canary: canary(&operations, rounds),
        run,
        machine: machine(),
        skipped: Vec::new(),
    };
    let cases = codecs.iter().enumerate().flat_map(|(place, id)| cases(id, place)).collect();
    Record { stored, conformance: Conformance { cases, ..Conformance::default() } }
}

/// Writes a record as the driver would.
pub(super) fn write(record: &Record, folder: &Path) -> anyhow::Result<()> {
    let stored = &record.stored;
    fs::create_dir_all(folder)?;
    fs::write(folder.join(RUN_FILE), to_string(&stored.run)?)?;
    fs::write(folder.join(MACHINE_FILE), to_string(&stored.machine)?)?;
    let lines = |lines: Vec<String>| lines.into_iter().map(|line| line + "\n").collect::<String>();
    let canary = stored.canary.iter().map(to_string).collect::<Result<_, _>>()?;
    fs::write(folder.join(CANARY_FILE), lines(canary))?;
    let cases = record.conformance.cases.iter().map(to_string).collect::<Result<_, _>>()?;
    fs::write(folder.join(CASES_FILE), lines(cases))?;
    for codec in &stored.run.codecs {
        let own = stored.rows.iter().filter(|row| row.codec == codec.id);
        let file = sample_file(folder, &codec.id);
        fs::create_dir_all(file.parent().unwrap())?;
        fs::write(file, lines(own.map(to_string).collect::<Result<_, _>>()?))?;
    }
    Ok(())
}

fn dataset(id: &str, place: usize) -> DatasetInfo {
    let size = 400_000 + 300_000 * place as u64;
    let stats = Stats { maps: 10, strings: 12_345, numbers: size / 10, ..Stats::default() };
    DatasetInfo {
        id: id.into(),
        input_bytes: size,
        sha256: id.into(),
        json_bytes: Some(2 * size),
        json_gzip_bytes: Some(size / 2),
        json_zstd_bytes: None,
        content: Content { stats, ..Content::default() },
        batch: 1,
        samples: 2,
        file: None,
    }
}

fn codec(id: &str, place: usize, datasets: &[&str]) -> CodecInfo {
    let output = Output {
        outcome: Outcome::Measured,
        bytes: Some(400_000),
        gzip_bytes: Some(50_000),
        zstd_bytes: Some(40_000 + place as u64 % 3),
        identical: false,
        floats_narrowed: 0,
        keys_reordered: 0,
    };
    let program = Program {
        bytes: 5_000_000,
        loaded_bytes: 1_500_000,
        added_bytes: Some(90_000 * place as i64 - 20),
        sha256: String::new(),
    };
    CodecInfo {
        id: id.into(),
        twin_of: id.strip_suffix("-again").map(str::to_owned),
        against_of: None,
        package: "codec-of-a-test".into(),
        adapter: None,
        description: Some(Description {
            version: "1.2.3".into(),
            capabilities: Capabilities {
                binary: true,
                ext: true,
                non_string_keys: true,
                checks_utf8: true,
                borrows_input: place % 3 == 1,
                keeps_key_order: true,
                narrows_floats: false,
                max_depth: None,
            },
            reuses: id.ends_with("reused"),
        }),
        source: None,
        programs: BTreeMap::from([(Operation::Parse, program)]),
        relinked: BTreeMap::new(),
        compilers: Vec::new(),
        outputs: datasets.iter().map(|id| ((*id).to_owned(), output.clone())).collect(),
        excluded: None,
    }
}

/// Each codec is a third slower than the one before the last; two are always alike.
fn rows(run: &Run) -> Vec<Row> {
    let mut rows = Vec::new();
    for &operation in &run.operations {
        for round in 0..run.rounds {
            for (place, codec) in run.codecs.iter().enumerate() {
                let original =
                    run.codecs.iter().position(|c| Some(&c.id) == codec.twin_of.as_ref());
                let place = original.unwrap_or(place);
                for (position, dataset) in run.datasets.iter().enumerate() {
                    let base = 1_000_000 * (3 + place as u64 / 2) / 3 * (position as u64 + 1);
                    // Rounds differ by some permille, by no order.
                    let ns = base + base * ((u64::from(round) * 7 + place as u64 * 5) % 11) / 1000;
                    rows.push(Row {
                        codec: codec.id.clone(),
                        operation,
                        round,
                        position: place as u32,
                        started_unix_ms: 0,
                        environment_bytes: 0,
                        stack_offset_frames: 0,
                        heap_offset_bytes: 0,
                        measurement: Measurement {
                            dataset: dataset.id.clone(),
                            outcome: Outcome::Measured,
                            operations_per_sample: 1,
                            samples_ns: vec![ns, ns + 5],
                            counters: Some(Counters {
                                user_ns: 1_000_000,
                                steady: true,
                                ..Counters::default()
                            }),
                        },
                    });
                }
            }
        }
    }
    rows
}

fn canary(operations: &[Operation], rounds: u32) -> Vec<Canary> {
    let line = |operation, round| Canary {
        operation,
        round,
        started_unix_ms: 0,
        before_ns: vec![1000],
        after_ns: vec![1000],
    };
    let of = |&operation: &Operation| (0..rounds).map(move |round| line(operation, round));
    operations.iter().flat_map(of).collect()
}

fn machine() -> Machine {
    Machine {
        cpu: 1,
        cpu_model: Some("Test 9000".into()),
        cpus: Some(8),
        cores: Some(4),
        clock_hz: None,
        max_clock_hz: None,
        caches: Vec::new(),
        memory_bytes: Some(16 << 30),
        kernel: None,
        hypervisor: None,
        checks: vec![check("governor", Answer::Good), check("steal time", Answer::Unknown)],
    }
}

/// One question about the machine.
pub(super) fn check(name: &str, answer: Answer) -> Check {
    let [name, found, from, why] = [name, "this", "there", "because"].map(String::from);
    Check { name, answer, found, from, remedy: None, why }
}

/// Three scores; the later a codec, the fewer of its points.
fn cases(codec: &str, place: usize) -> Vec<CaseLine> {
    let line = |number: usize, category: Option<&str>, of: u32| {
        let lost = u32::from(number < place % 5);
        let points = of.saturating_sub(lost);
        CaseLine {
            codec: codec.into(),
            version: None,
            case: format!("file/{}-{number}", category.unwrap_or("unscored")),
            category: category.map(str::to_owned),
            verdict: if points == of { "passed" } else { "failed" }.into(),
            outcome: "accepted".into(),
            points,
            of,
            expected: String::new(),
            observed: String::new(),
            known: None,
            memory_bytes: None,
            wall_ns: None,
        }
    };
    let scores =
        [(Some("first-kind"), 2, 8), (Some("second"), 2, 6), (Some("bad"), 1, 5), (None, 0, 3)];
    let of = |(category, of, cases): (Option<&'static str>, u32, usize)| {
        (0..cases).map(move |number| line(number, category, of)).collect::<Vec<_>>()
    };
    scores.into_iter().flat_map(of).collect()
}
