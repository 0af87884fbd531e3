//! The body of a program that times one operation of one codec.

use std::{
    env, fs,
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, bail, ensure};
use protocol::{
    job::{Job, Task},
    outcome::Outcome,
    record::Measurement,
};

use crate::{
    check::{self, rejected},
    operations::Timed,
    process, sampling,
    turns::Turns,
};

/// Does the job that the command line names; exits with 1 if it could not write all its lines, and 2 if there is no job.
pub fn main<T: Timed>() -> ExitCode {
    let job = match job_of_the_command_line() {
        Ok(job) => job,
        Err(error) => return failed(&error, 2),
    };
    match run::<T>(&job) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error, 1),
    }
}

fn failed(error: &anyhow::Error, code: u8) -> ExitCode {
    eprintln!("error: {error:#}");
    ExitCode::from(code)
}

fn job_of_the_command_line() -> anyhow::Result<Job> {
    let arguments: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [path] = &arguments[..] else {
        bail!(
            "this program takes the path of a job, and nothing else\n  \
             fix: `cargo xtask bench`, which writes jobs and starts this program"
        );
    };
    read_job(path).with_context(|| format!("cannot read the job `{}`", path.display()))
}

fn read_job(path: &Path) -> anyhow::Result<Job> {
    Ok(serde_json::from_slice(&fs::read(path)?)?)
}

/// Writes one line per dataset, whatever happens.
fn run<T: Timed>(job: &Job) -> anyhow::Result<()> {
    process::die_with_parent()?;
    process::take_from_the_heap(job.heap_offset_bytes);
    let mut out = process::take_stdout()?;
    let mut turns = Turns::begin(job.lock_step, &out)?;
    let ready = prepare::<T>(job).map_err(ours);
    measure_all::<T>(job, &ready, &mut turns, &mut out)
}

/// Writes each line as soon as its dataset is done.
fn measure_all<T: Timed>(
    job: &Job,
    ready: &Result<(), Outcome>,
    turns: &mut Turns,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    for (number, task) in job.datasets.iter().enumerate() {
        let measured = ready.clone().and_then(|()| {
            process::deeper_on_the_stack(job.stack_offset_frames, || {
                measure::<T>(job, task, number, turns)
            })
        });
        let measurement =
            measured.unwrap_or_else(|outcome| Measurement::failed(&task.dataset, outcome));
        let mut line = serde_json::to_vec(&measurement)?;
        line.push(b'\n');
        out.write_all(&line).and_then(|()| out.flush()).context("cannot write a measurement")?;
    }
    Ok(())
}

fn prepare<T: Timed>(job: &Job) -> anyhow::Result<()> {
    ensure!(
        job.operation == T::OPERATION,
        "the job is about `{}`, but this program times `{}`",
        job.operation,
        T::OPERATION
    );
    job.cpu.map_or(Ok(()), process::pin)?;
    job.memory_limit_bytes.map_or(Ok(()), process::limit_memory)
}

/// A failure of our own, with all its causes.
pub(crate) fn ours(error: anyhow::Error) -> Outcome {
    Outcome::HarnessFailed(format!("{error:#}"))
}

/// Checks first, then samples, then checks again.
fn measure<T: Timed>(
    job: &Job,
    task: &Task,
    number: usize,
    turns: &mut Turns,
) -> Result<Measurement, Outcome> {
    let input = fs::read(&task.input)
        .with_context(|| format!("cannot read `{}`", task.input.display()))
        .map_err(ours)?;
    // It stays until the process ends, and so may documents that borrow from it.
    let input: &'static [u8] = input.leak();

    let mut codec = T::Codec::default();
    check::message(&mut codec, input, &task.expect)?;

    let folder = job.scratch.join(number.to_string());
    let engine = sampling::engine(task, &folder).map_err(ours)?;
    let mut timed = T::prepare(codec, input, task.batch).map_err(rejected)?;

    let samples = sampling::sample(engine, &mut timed, job, task, &folder, turns)?;
    timed.check_last(&task.expect).map_err(Outcome::WrongOutput)?;

    Ok(Measurement {
        dataset: task.dataset.clone(),
        outcome: Outcome::Measured,
        operations_per_sample: samples.operations_per_sample,
        counters: Some(samples.counters),
        samples_ns: samples.ns,
    })
}

#[cfg(test)]
mod tests {
    use protocol::job::{Content, Operation, Stats, Sums, WarmUp};

    use super::*;
    use crate::{Nothing, operations::Parse};

    /// Measures `Nothing` on three datasets, of which the first holds something and the second is not there.
    fn measure(operation: Operation) -> Vec<Measurement> {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("input");
        fs::write(&input, b"\xc0").unwrap();
        let task = Task {
            dataset: "one".into(),
            input,
            expect: Content { stats: Stats { nils: 1, ..Stats::default() }, sums: Sums::default() },
            batch: 7,
            samples: 11,
        };
        let job = Job {
            codec: "control/harness/nothing".into(),
            operation,
            cpu: None,
            memory_limit_bytes: None,
            stack_offset_frames: 3,
            heap_offset_bytes: 16,
            scratch: folder.path().join("scratch"),
            datasets: vec![
                task.clone(),
                Task { dataset: "two".into(), input: "not/there".into(), ..task.clone() },
                Task { dataset: "three".into(), expect: Content::default(), ..task },
            ],
            warm_up: WarmUp { least_ns: 1, least_operations: 70, most_ns: 1_000_000_000 },
            lock_step: false,
        };
        let mut out = Vec::new();
        let mut turns = Turns::begin(false, &tempfile::tempfile().unwrap()).unwrap();
        let ready = prepare::<Parse<Nothing>>(&job).map_err(ours);
        measure_all::<Parse<Nothing>>(&job, &ready, &mut turns, &mut out).unwrap();
        serde_json::Deserializer::from_slice(&out).into_iter().map(|line| line.unwrap()).collect()
    }

    #[test]
    fn what_is_wrong_with_one_dataset_leaves_the_next_its_samples() {
        let [one, two, three] = <[Measurement; 3]>::try_from(measure(Operation::Parse)).unwrap();

        assert_eq!(one.outcome, Outcome::WrongOutput("nils: 0 instead of 1".into()));
        assert!(one.samples_ns.is_empty() && one.counters.is_none());

        let Outcome::HarnessFailed(why) = &two.outcome else { panic!("{two:?}") };
        assert!(why.starts_with("cannot read `not/there`: No such file"), "{why}");

        assert_eq!((three.dataset.as_str(), &three.outcome), ("three", &Outcome::Measured));
        assert_eq!((three.samples_ns.len(), three.operations_per_sample), (11, 7));
        assert!(three.counters.unwrap().warm_up_operations >= 70);
    }

    #[test]
    fn a_job_about_another_operation_is_refused_for_every_dataset() {
        let measurements = measure(Operation::Stats);
        assert_eq!(measurements.len(), 3);
        for Measurement { outcome, .. } in measurements {
            let Outcome::HarnessFailed(why) = outcome else { panic!("{outcome}") };
            assert!(why.contains("about `stats`, but this program times `parse`"), "{why}");
        }
    }
}
