//! Sampling by criterion, whose samples are read back and compared with our own readings.

use std::{fs, io::ErrorKind, path::Path, time::Duration};

use anyhow::{Context, anyhow, ensure};
use codec::Rejected;
use criterion::{Criterion, SamplingMode};
use protocol::{
    job::{Job, Task},
    outcome::Outcome,
    record::Counters,
};

use crate::{
    check::rejected,
    counters::{Snapshot, Stretch},
    measure::ours,
    operations::Timed,
    saved,
    turns::Turns,
    warm_up::{WarmedUp, warm_up},
};

/// Bootstrap resamples: the fewest of which criterion does not warn; nobody reads what it makes of them.
const RESAMPLES: usize = 1_001;

/// What one call by criterion took.
struct Call {
    iterations: u64,
    /// All iterations together.
    stretch: Stretch,
}

/// The samples of one dataset.
pub(crate) struct Samples {
    pub(crate) operations_per_sample: u64,
    pub(crate) ns: Vec<u64>,
    pub(crate) counters: Counters,
}

/// Criterion, set to one batch per sample, with a fresh folder for what it writes.
pub(crate) fn engine(task: &Task, folder: &Path) -> anyhow::Result<Criterion> {
    ensure!(task.samples >= 10, "criterion takes no fewer than 10 samples, not {}", task.samples);
    ensure!(task.batch >= 1, "a batch of no operations takes no time");
    // What an earlier process left there could be taken for samples of this one.
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(error).with_context(|| format!("cannot empty `{}`", folder.display()));
        }
        _ => {}
    }
    // Criterion would make it too, but not say why it cannot.
    fs::create_dir_all(folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
    // Both times are so small that one iteration is enough for them, and an iteration is one batch.
    Ok(Criterion::default()
        .without_plots()
        .output_directory(folder)
        .sample_size(task.samples as usize)
        .nresamples(RESAMPLES)
        .warm_up_time(Duration::from_nanos(1))
        .measurement_time(Duration::from_nanos(1)))
}

/// Warms up and takes the samples of one dataset.
///
/// The warm-up stands inside criterion's call for the first sample.
/// By then criterion has allocated what it needs, so the heap that was warmed up is the heap that is measured.
///
/// In lock-step a turn ends after the warm-up and after each sample.
/// What criterion computes after the last one belongs to a turn of its own.
pub(crate) fn sample<T: Timed>(
    mut engine: Criterion,
    timed: &mut T,
    job: &Job,
    task: &Task,
    folder: &Path,
    turns: &mut Turns,
) -> Result<Samples, Outcome> {
    let count = task.samples as usize;
    let mut calls: Vec<Call> = Vec::with_capacity(2 * count);
    let mut warmed_up: Option<(Snapshot, WarmedUp)> = None;
    let mut end = None;
    let mut call = |iterations| -> Result<Duration, Outcome> {
        // The first call is criterion's own warm-up, of one iteration.
        // Nothing runs in it: what it made would still be there when criterion allocates, and lie in the way of all that follows.
        if calls.is_empty() {
            let stretch = Stretch { ns: 1, ..Stretch::default() };
            calls.push(Call { iterations, stretch });
            return Ok(Duration::from_nanos(stretch.ns));
        }
        if warmed_up.is_none() {
            let start = Snapshot::take(job.cpu);
            let warm = warm_up(timed, task.batch, job.warm_up).map_err(rejected)?;
            warmed_up = Some((start, warm));
            turns.pass().map_err(ours)?;
        }
        if turns.are_taken() {
            // The caches hold what the other processes left there.
            timed.run(task.batch).map_err(rejected)?;
        }
        let stretch = repeat(timed, task.batch, iterations).map_err(rejected)?;
        calls.push(Call { iterations, stretch });
        // Criterion warms up by one call at least, so the last sample is among these.
        if calls.len() > count {
            end = Some(Snapshot::take(job.cpu));
        }
        turns.pass().map_err(ours)?;
        Ok(Duration::from_nanos(stretch.ns))
    };

    let mut refusal: Option<Outcome> = None;
    let mut group = engine.benchmark_group(saved::GROUP);
    group.sampling_mode(SamplingMode::Flat).bench_function(saved::FUNCTION, |bencher| {
        bencher.iter_custom(|iterations| {
            let time = if refusal.is_none() { call(iterations) } else { Ok(Duration::ZERO) };
            // Criterion has no way to stop, so after a refusal it gets times of no meaning.
            time.unwrap_or_else(|why| {
                refusal = Some(why);
                Duration::ZERO
            })
        });
    });
    group.finish();

    if let Some(why) = refusal {
        return Err(why);
    }
    let saved = saved::samples(folder, count).map_err(ours)?;
    let calls = &calls[calls.len().saturating_sub(count)..];
    agree(calls, &saved).map_err(ours)?;
    let (Some((start, warmed_up)), Some(end)) = (warmed_up, end) else {
        return Err(ours(anyhow!("criterion took samples without a warm-up")));
    };

    let mut all = Stretch::default();
    calls.iter().for_each(|call| all.add(call.stretch));
    Ok(Samples {
        operations_per_sample: calls[0].iterations * task.batch,
        ns: calls.iter().map(|call| call.stretch.ns).collect(),
        counters: start.until(&end, &warmed_up, &all),
    })
}

fn repeat<T: Timed>(timed: &mut T, batch: u64, iterations: u64) -> Result<Stretch, Rejected> {
    let mut sum = Stretch::default();
    for _ in 0..iterations {
        sum.add(timed.run(batch)?);
    }
    // A clock of coarse ticks may read zero, of which criterion makes an error.
    sum.ns = sum.ns.max(1);
    Ok(sum)
}

/// What criterion saved must be what we read, and every sample must hold the same number of operations.
fn agree(calls: &[Call], saved: &[saved::Saved]) -> anyhow::Result<()> {
    ensure!(
        calls.len() == saved.len(),
        "criterion saved {} samples and called {} times",
        saved.len(),
        calls.len()
    );
    for (number, (call, saved)) in calls.iter().zip(saved).enumerate() {
        ensure!(
            call.iterations == saved.iterations && call.stretch.ns == saved.ns,
            "sample {number}: criterion saved {} ns for {} iterations, we read {} ns for {}",
            saved.ns,
            saved.iterations,
            call.stretch.ns,
            call.iterations
        );
        ensure!(
            call.iterations == calls[0].iterations,
            "sample {number}: {} iterations, but {} in the first",
            call.iterations,
            calls[0].iterations
        );
    }
    Ok(())
}

#[test]
fn a_sample_that_criterion_saved_otherwise_is_an_error() {
    let call = |iterations, ns| Call { iterations, stretch: Stretch { ns, ..Stretch::default() } };
    let saved = |iterations, ns| saved::Saved { iterations, ns };

    agree(&[call(1, 5), call(1, 6)], &[saved(1, 5), saved(1, 6)]).unwrap();
    let error = agree(&[call(1, 5)], &[saved(1, 6)]).unwrap_err().to_string();
    assert!(error.contains("criterion saved 6 ns"), "{error}");
    agree(&[call(1, 5), call(2, 6)], &[saved(1, 5), saved(2, 6)]).unwrap_err();
    agree(&[call(1, 5)], &[saved(1, 5), saved(1, 6)]).unwrap_err();
}
