//! One timed process: its job, its command line, and the rows that come of it.

use std::{path::Path, process::Command, time::Duration};

use anyhow::Context as _;
use protocol::{
    job::{Content, Job, Operation, Task},
    outcome::Outcome,
    record::{Measurement, Row},
    run::{CodecInfo, DatasetInfo, Run},
};

use super::{Go, Places, now_unix_ms};
use crate::{
    interrupt,
    plan::Luck,
    spawn::{self, Ended, environment},
    store::{Store, write_whole},
};

/// One process, and its place in the run.
pub(super) struct Process<'r> {
    pub(super) run: &'r Run,
    pub(super) info: &'r CodecInfo,
    pub(super) operation: Operation,
    pub(super) round: u32,
    pub(super) position: u32,
    pub(super) luck: Luck,
}

impl Process<'_> {
    /// Measures these datasets, and hands over each row as soon as it is there.
    ///
    /// # Errors
    ///
    /// What `on_row` says, and a program that cannot be started.
    pub(super) fn measure(
        &self,
        datasets: &[&DatasetInfo],
        store: &Store,
        places: &Places,
        on_row: &mut dyn FnMut(Row) -> anyhow::Result<()>,
    ) -> anyhow::Result<Go> {
        let scratch = tempfile::tempdir_in(&places.scratch).with_context(|| {
            let place = places.scratch.display();
            format!("cannot write to {place}\n  fix: free some space, then `cargo xtask bench --resume {}`", store.folder.display())
        })?;
        let started_unix_ms = now_unix_ms();
        let mut open: Vec<&str> = datasets.iter().map(|dataset| dataset.id.as_str()).collect();
        let mut command = self.command(datasets, places, scratch.path())?;
        let limit = Duration::from_secs(self.run.time_limit_s);
        let errors = scratch.path().join("errors");
        let ended = spawn::run(&mut command, &errors, limit, |line| {
            let measurement: Measurement = serde_json::from_str(&line)
                .with_context(|| format!("{} speaks another language: {line}", self.info.id))?;
            open.retain(|dataset| *dataset != measurement.dataset);
            on_row(self.row(started_unix_ms, measurement))
        })?;
        let outcome = match ended {
            Ended::Interrupted => return Ok(Go::Stop),
            Ended::Badly(outcome) => outcome,
            Ended::Well => Outcome::HarnessFailed("ended without a word".into()),
        };
        // What the process could not say about the datasets that it did not reach.
        for dataset in open {
            on_row(self.row(started_unix_ms, Measurement::failed(dataset, outcome.clone())))?;
        }
        Ok(if interrupt::wished() { Go::Stop } else { Go::On })
    }

    /// A line of the record.
    pub(super) fn row(&self, started_unix_ms: u64, measurement: Measurement) -> Row {
        Row {
            codec: self.info.id.clone(),
            operation: self.operation,
            round: self.round,
            position: self.position,
            started_unix_ms,
            environment_bytes: self.luck.environment_bytes,
            stack_offset_frames: self.luck.stack_offset_frames,
            heap_offset_bytes: self.luck.heap_offset_bytes,
            measurement,
        }
    }

    /// The command that runs it.
    ///
    /// # Errors
    ///
    /// A job that cannot be written.
    pub(super) fn command(
        &self,
        datasets: &[&DatasetInfo],
        places: &Places,
        scratch: &Path,
    ) -> anyhow::Result<Command> {
        let job = self.job(datasets, places, scratch)?;
        let file = scratch.join("job.json");
        write_whole(&file, &job)?;
        let key =
            (self.info.twin_of.clone().unwrap_or_else(|| self.info.id.clone()), self.operation);
        let layouts = places.programs.get(&key).filter(|layouts| !layouts.is_empty());
        let layouts = layouts.with_context(|| format!("no program for {key:?}"))?;
        let program = &layouts[self.round as usize % layouts.len()];
        let mut command = Command::new(program);
        command.arg(file).env_clear().envs(environment());
        command.env("LUCK", "x".repeat(self.luck.environment_bytes as usize));
        Ok(command)
    }

    fn job(
        &self,
        datasets: &[&DatasetInfo],
        places: &Places,
        scratch: &Path,
    ) -> anyhow::Result<Job> {
        let control = analysis::is_control(&self.info.id);
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
            stack_offset_frames: self.luck.stack_offset_frames,
            heap_offset_bytes: self.luck.heap_offset_bytes,
            scratch: scratch.into(),
            datasets: datasets.iter().map(task).collect::<anyhow::Result<_>>()?,
            warm_up: self.run.warm_up,
            lock_step: self.run.lock_step,
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
    let luck = Luck::default();
    let process = Process { run, info, operation, round: 0, position: 0, luck };
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
