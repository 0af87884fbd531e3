//! Measures what a run lacks: a fresh process for each codec, operation and round.

use std::{
    collections::{BTreeMap, HashSet},
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use anyhow::Context as _;
use protocol::{
    job::{Content, Job, Operation, Task},
    outcome::Outcome,
    record::{Measurement, Row},
    run::{Cell, CodecInfo, DatasetInfo, Run, Stored},
};

use crate::{
    adapters::CONTROL,
    interrupt, plan,
    progress::Progress,
    spawn::{self, Ended, environment},
    store::Store,
};

/// Where the things of a run are on this disk.
#[derive(Debug)]
pub(crate) struct Places {
    /// Timed programs.
    pub(crate) programs: BTreeMap<(String, Operation), PathBuf>,
    /// Messages, by dataset.
    pub(crate) inputs: BTreeMap<String, PathBuf>,
    /// A folder for what lives as long as a process.
    pub(crate) scratch: PathBuf,
}

/// Measures all cells that are missing; false if the user wished to stop before.
///
/// # Errors
///
/// A record that cannot be written, or a program that cannot be started.
pub(crate) fn measure(store: &Store, stored: &Stored, places: &Places) -> anyhow::Result<bool> {
    let run = &stored.run;
    let missing: HashSet<Cell> = stored.missing().into_iter().collect();
    let processes: HashSet<(&str, Operation, u32)> =
        missing.iter().map(|cell| (cell.codec.as_str(), cell.operation, cell.round)).collect();
    let codecs: Vec<&CodecInfo> =
        run.codecs.iter().filter(|codec| codec.excluded.is_none()).collect();

    let mut progress = Progress::new(processes.len() as u64);
    for round in 0..run.rounds {
        for &operation in &run.operations {
            let order = plan::order(run.seed, operation, round, codecs.len());
            for (position, codec) in order.into_iter().enumerate() {
                let info = codecs[codec];
                let lacks = |dataset: &&DatasetInfo| {
                    missing.contains(&Cell {
                        codec: info.id.clone(),
                        operation,
                        round,
                        dataset: dataset.id.clone(),
                    })
                };
                let datasets: Vec<&DatasetInfo> = run.datasets.iter().filter(lacks).collect();
                if datasets.is_empty() {
                    continue;
                }
                progress.now(&format!("round {}: {operation} {}", round + 1, info.id));
                let process = Process {
                    run,
                    info,
                    operation,
                    round,
                    position: position as u32,
                    luck: plan::luck(run.seed, operation, round, codec),
                };
                if !process.measure(&datasets, store, places)? {
                    progress.finish();
                    return Ok(false);
                }
                progress.step();
            }
        }
    }
    progress.finish();
    Ok(true)
}

/// One process, and its place in the run.
struct Process<'r> {
    run: &'r Run,
    info: &'r CodecInfo,
    operation: Operation,
    round: u32,
    position: u32,
    luck: (u32, u32),
}

impl Process<'_> {
    fn measure(
        &self,
        datasets: &[&DatasetInfo],
        store: &Store,
        places: &Places,
    ) -> anyhow::Result<bool> {
        let scratch = tempfile::tempdir_in(&places.scratch).with_context(|| {
            let place = places.scratch.display();
            format!("cannot write to {place}\n  fix: free some space, then `cargo xtask bench --resume {}`", store.folder.display())
        })?;
        let started_unix_ms = now_unix_ms();
        let row = |measurement| Row {
            codec: self.info.id.clone(),
            operation: self.operation,
            round: self.round,
            position: self.position,
            started_unix_ms,
            environment_bytes: self.luck.0,
            stack_offset_frames: self.luck.1,
            measurement,
        };
        let mut open: Vec<&str> = datasets.iter().map(|dataset| dataset.id.as_str()).collect();
        let mut command = self.command(datasets, places, scratch.path())?;
        let limit = Duration::from_secs(self.run.time_limit_s);
        let errors = scratch.path().join("errors");
        let ended = spawn::run(&mut command, &errors, limit, |line| {
            let measurement: Measurement = serde_json::from_str(&line)
                .with_context(|| format!("{} speaks another language: {line}", self.info.id))?;
            open.retain(|dataset| *dataset != measurement.dataset);
            store.append(&row(measurement))
        })?;
        let outcome = match ended {
            Ended::Interrupted => return Ok(false),
            Ended::Badly(outcome) => outcome,
            Ended::Well => Outcome::HarnessFailed("ended without a word".into()),
        };
        // What the process could not say about the datasets that it did not reach.
        for dataset in open {
            store.append(&row(Measurement {
                dataset: dataset.into(),
                outcome: outcome.clone(),
                operations_per_sample: 0,
                samples_ns: Vec::new(),
                counters: None,
            }))?;
        }
        Ok(!interrupt::wished())
    }

    fn command(
        &self,
        datasets: &[&DatasetInfo],
        places: &Places,
        scratch: &Path,
    ) -> anyhow::Result<Command> {
        let job = self.job(datasets, places, scratch)?;
        let file = scratch.join("job.json");
        crate::store::write_whole(&file, &job)?;
        let key =
            (self.info.twin_of.clone().unwrap_or_else(|| self.info.id.clone()), self.operation);
        let program =
            places.programs.get(&key).with_context(|| format!("no program for {key:?}"))?;
        let mut command = Command::new(program);
        command.arg(file).env_clear().envs(environment());
        command.env("LUCK", "x".repeat(self.luck.0 as usize));
        Ok(command)
    }

    fn job(
        &self,
        datasets: &[&DatasetInfo],
        places: &Places,
        scratch: &Path,
    ) -> anyhow::Result<Job> {
        let control = self.info.id.split('/').next() == Some(CONTROL);
        let task = |dataset: &&DatasetInfo| -> anyhow::Result<Task> {
            Ok(Task {
                dataset: dataset.id.clone(),
                input: places.inputs.get(&dataset.id).context("a dataset without a file")?.clone(),
                // A control reads nothing and must not claim that it did.
                expect: if control { Content::default() } else { dataset.content },
                batch: dataset.batch,
                samples: dataset.samples,
            })
        };
        Ok(Job {
            codec: self.info.id.clone(),
            operation: self.operation,
            cpu: self.run.cpu,
            memory_limit_bytes: Some(MEMORY_BYTES),
            stack_offset_frames: self.luck.1,
            scratch: scratch.into(),
            datasets: datasets.iter().map(task).collect::<anyhow::Result<_>>()?,
            warm_up: self.run.warm_up,
        })
    }
}

/// Address space of a timed process; chosen, far more than any codec needs for a document of ours.
const MEMORY_BYTES: u64 = 8 << 30;

/// Writes the job of the first round's process and returns the line that runs it.
///
/// # Errors
///
/// A folder that cannot be written.
pub(crate) fn show_command(
    run: &Run,
    info: &CodecInfo,
    operation: Operation,
    places: &Places,
) -> anyhow::Result<String> {
    let process = Process { run, info, operation, round: 0, position: 0, luck: (0, 0) };
    let folder = places.scratch.join(info.id.replace('/', "-")).join(operation.name());
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot write to {}", folder.display()))?;
    let datasets: Vec<&DatasetInfo> = run.datasets.iter().collect();
    let command = process.command(&datasets, places, &folder)?;
    let variables: Vec<String> =
        environment().iter().map(|(name, value)| format!("{name}={value}")).collect();
    let arguments: Vec<String> =
        command.get_args().map(|argument| argument.display().to_string()).collect();
    Ok(format!(
        "env -i {} {} {}",
        variables.join(" "),
        command.get_program().display(),
        arguments.join(" ")
    ))
}

/// Milliseconds since 1970-01-01 UTC.
pub(crate) fn now_unix_ms() -> u64 {
    // A clock before 1970 is no time at all.
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}
