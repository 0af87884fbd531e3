//! A small run for tests: two codecs, the twin of one, a control, two datasets, two operations.

use std::collections::BTreeMap;

use protocol::{
    job::{Content, Operation, WarmUp},
    machine::Machine,
    outcome::Outcome,
    record::{Canary, Measurement, Row},
    run::{CodecInfo, DatasetInfo, Profile, Run, Stored, Tools},
};

pub(crate) struct Example {
    pub(crate) stored: Stored,
}

impl Example {
    /// Nothing is measured yet.
    pub(crate) fn new(rounds: u32) -> Self {
        let codec = |id: &str, twin_of: Option<&str>| CodecInfo {
            id: id.into(),
            twin_of: twin_of.map(str::to_owned),
            against_of: None,
            package: "codec-a".into(),
            adapter: None,
            description: None,
            source: None,
            programs: BTreeMap::new(),
            relinked: BTreeMap::new(),
            compilers: Vec::new(),
            outputs: BTreeMap::new(),
            excluded: None,
        };
        let dataset = |id: &str| DatasetInfo {
            id: id.into(),
            input_bytes: 1000,
            sha256: id.into(),
            json_bytes: None,
            json_gzip_bytes: None,
            json_zstd_bytes: None,
            content: Content::default(),
            batch: 1,
            samples: 2,
            file: None,
        };
        let run = Run {
            method: 1,
            profile: Profile::Default,
            started_unix_ms: 0,
            seed: 0,
            rounds,
            minutes: None,
            lock_step: false,
            relinks: 0,
            pairs: Vec::new(),
            cpu: None,
            time_limit_s: 1,
            warm_up: WarmUp { least_ns: 1, least_operations: 1, most_ns: 1 },
            operations: vec![Operation::Parse, Operation::Read],
            datasets: vec![dataset("g/one"), dataset("g/two")],
            codecs: vec![
                codec("msgpack/a/v", None),
                codec("msgpack/b/v", None),
                codec("msgpack/a/v-again", Some("msgpack/a/v")),
                codec("control/harness/nothing", None),
            ],
            tools: Tools {
                commit: None,
                modified: false,
                rustc: String::new(),
                rust_flags: Vec::new(),
                environment: BTreeMap::new(),
                locks: BTreeMap::new(),
            },
        };
        let machine = Machine {
            cpu: 0,
            cpu_model: None,
            cpus: None,
            cores: None,
            clock_hz: None,
            max_clock_hz: None,
            caches: Vec::new(),
            memory_bytes: None,
            kernel: None,
            hypervisor: None,
            checks: Vec::new(),
        };
        let (rows, canary, skipped) = (Vec::new(), Vec::new(), Vec::new());
        Example { stored: Stored { folder: "run".into(), run, machine, rows, canary, skipped } }
    }

    /// All rounds, with values in microseconds by codec and round.
    pub(crate) fn measured(rounds: u32, value: impl Fn(&str, u64) -> u64) -> Self {
        let mut example = Example::new(rounds);
        for round in 0..rounds {
            for operation in [Operation::Parse, Operation::Read] {
                example.round(operation, round, 100, &value);
            }
        }
        example
    }

    /// One round, in which every process takes as long.
    pub(crate) fn measure(&mut self, operation: Operation, round: u32, canary_ns: u64) {
        self.round(operation, round, canary_ns, &|_, _| 100);
    }

    fn round(
        &mut self,
        operation: Operation,
        round: u32,
        canary_ns: u64,
        value: &dyn Fn(&str, u64) -> u64,
    ) {
        for cell in self.stored.run.cells(operation, round).collect::<Vec<_>>() {
            let ns = value(&cell.codec, u64::from(round)) * 1000;
            self.stored.rows.push(Row {
                codec: cell.codec,
                operation,
                round,
                position: 0,
                started_unix_ms: 0,
                environment_bytes: 0,
                stack_offset_frames: 0,
                heap_offset_bytes: 0,
                measurement: Measurement {
                    dataset: cell.dataset,
                    outcome: Outcome::Measured,
                    operations_per_sample: 1,
                    samples_ns: vec![ns + 5, ns],
                    counters: None,
                },
            });
        }
        let (before_ns, after_ns) = (vec![canary_ns], vec![canary_ns - 1]);
        self.stored.canary.push(Canary {
            operation,
            round,
            started_unix_ms: 0,
            before_ns,
            after_ns,
        });
    }
}
