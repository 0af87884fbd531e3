//! Measures what a run lacks, round by round: a fresh process of every codec, between two canaries.

mod canary;
mod lock_step;
mod process;

use std::{
    collections::{BTreeMap, HashSet},
    path::PathBuf,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use protocol::{
    job::Operation,
    record::{Canary, Row},
    run::{Cell, CodecInfo, DatasetInfo, Run, Stored},
};

use crate::{plan, progress::Progress, store::Store};
use process::Process;

pub(crate) use process::show_command;

/// Where the things of a run are on this disk.
#[derive(Debug)]
pub(crate) struct Places {
    /// Timed programs; several for each codec and operation if they were linked in several layouts.
    pub(crate) programs: BTreeMap<(String, Operation), Vec<PathBuf>>,
    /// The program that says whether the machine is as it was.
    pub(crate) canary: PathBuf,
    /// Messages, by dataset.
    pub(crate) inputs: BTreeMap<String, PathBuf>,
    /// A folder for what lives as long as a process.
    pub(crate) scratch: PathBuf,
}

/// Whether there is more to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Go {
    On,
    /// The user wishes to stop.
    Stop,
}

/// Measures all that is missing, and adds it to what is stored; false if the user wished to stop before.
///
/// # Errors
///
/// A record that cannot be written, or a program that cannot be started.
pub(crate) fn measure(store: &Store, stored: &mut Stored, places: &Places) -> anyhow::Result<bool> {
    let started = Instant::now();
    let processes = processes(&stored.run);
    let mut progress = Progress::new(left(stored) * processes);
    eprintln!("time needed: {}", time_needed(stored));
    let mut first = true;
    while let Some((round, operation)) = analysis::next(stored) {
        if !first && is_out_of_time(stored, (round, operation), started) {
            break;
        }
        first = false;
        if left(stored) == 0 {
            progress
                .say(&format!("{operation}: void rounds are repeated, the canary left its fence"));
        }
        let go = measure_round(store, stored, places, (round, operation), &mut progress)?;
        if go == Go::Stop {
            progress.finish();
            return Ok(false);
        }
        progress.expect(left(stored) * processes);
    }
    progress.finish();
    Ok(true)
}

/// Processes of one round.
fn processes(run: &Run) -> u64 {
    run.codecs.iter().filter(|codec| codec.excluded.is_none()).count() as u64
}

/// Rounds of all operations that are known to be left, void ones not counted.
fn left(stored: &Stored) -> u64 {
    let of = |&operation: &Operation| {
        let rounds = analysis::rounds(stored, operation);
        let whole = rounds.used.len() + rounds.void.len() - rounds.unfinished.len();
        u64::from(stored.run.rounds).saturating_sub(whole as u64)
    };
    stored.run.operations.iter().map(of).sum()
}

/// What is said at the start: how long it takes, as far as can be known before.
///
/// A process warms up, samples and starts; the last two are a third of the first on the machine where this was tried.
fn time_needed(stored: &Stored) -> String {
    let run = &stored.run;
    if let Some(minutes) = run.minutes {
        return format!("{minutes} min, as many whole rounds as fit");
    }
    let samples: u32 = run.datasets.iter().map(|dataset| dataset.samples).sum();
    let of_process = Duration::from_nanos(run.warm_up.least_ns) * run.datasets.len() as u32
        + Duration::from_millis(10) * samples / 2
        + Duration::from_millis(10);
    let processes = u32::try_from(left(stored) * processes(run)).unwrap_or(u32::MAX);
    format!("about {}", crate::progress::minutes(of_process * processes))
}

/// Whether another round of all operations would no longer end in time.
fn is_out_of_time(stored: &Stored, (round, operation): (u32, Operation), started: Instant) -> bool {
    let Some(minutes) = stored.run.minutes else { return false };
    // Only before the first operation: rounds are whole, and equal for all operations.
    if stored.run.operations.first() != Some(&operation) {
        return false;
    }
    let took = |of: u32| {
        let starts = stored.canary.iter().filter(|line| line.round == of);
        starts.map(|line| line.started_unix_ms).min()
    };
    let one_round = match (round.checked_sub(1).and_then(took), round.checked_sub(2).and_then(took))
    {
        (Some(last), Some(before)) => Duration::from_millis(last.saturating_sub(before)),
        (Some(last), None) => Duration::from_millis(now_unix_ms().saturating_sub(last)),
        _ => Duration::ZERO,
    };
    started.elapsed() + one_round > Duration::from_secs(60 * u64::from(minutes))
}

/// What a round lacks, then the line that says that it is whole.
fn measure_round(
    store: &Store,
    stored: &mut Stored,
    places: &Places,
    (round, operation): (u32, Operation),
    progress: &mut Progress,
) -> anyhow::Result<Go> {
    let run = stored.run.clone();
    let codecs: Vec<&CodecInfo> =
        run.codecs.iter().filter(|codec| codec.excluded.is_none()).collect();
    let there: HashSet<Cell> = stored.rows.iter().map(Row::cell).collect();
    let missing: HashSet<Cell> =
        run.cells(operation, round).filter(|cell| !there.contains(cell)).collect();
    let lacks = |info: &CodecInfo| -> Vec<&DatasetInfo> {
        let is_missing = |dataset: &&DatasetInfo| {
            let codec = info.id.clone();
            missing.contains(&Cell { codec, operation, round, dataset: dataset.id.clone() })
        };
        run.datasets.iter().filter(is_missing).collect()
    };
    let process = |position: usize, codec: usize| Process {
        run: &run,
        info: codecs[codec],
        operation,
        round,
        position: position as u32,
        luck: plan::luck(run.seed, operation, round, codec),
    };
    let order = plan::order(run.seed, operation, round, codecs.len());

    let started_unix_ms = now_unix_ms();
    let before_ns = canary::sing(&run, places)?;
    if run.lock_step {
        progress.now(&format!("round {}: {operation}, in lock-step", round + 1));
        let all: Vec<Process> = order
            .into_iter()
            .enumerate()
            .map(|(position, codec)| process(position, codec))
            .collect();
        let Some(rows) = lock_step::measure(&all, places)? else { return Ok(Go::Stop) };
        for row in rows {
            store.append(&row)?;
            stored.rows.push(row);
        }
        all.iter().for_each(|_| progress.step());
    } else {
        for (position, codec) in order.into_iter().enumerate() {
            let datasets = lacks(codecs[codec]);
            if datasets.is_empty() {
                continue;
            }
            progress.now(&format!("round {}: {operation} {}", round + 1, codecs[codec].id));
            let rows = &mut stored.rows;
            let go = process(position, codec).measure(&datasets, store, places, &mut |row| {
                store.append(&row)?;
                rows.push(row);
                Ok(())
            })?;
            if go == Go::Stop {
                return Ok(Go::Stop);
            }
            progress.step();
        }
    }
    let after_ns = canary::sing(&run, places)?;
    let line = Canary { operation, round, started_unix_ms, before_ns, after_ns };
    store.append_canary(&line)?;
    stored.canary.push(line);
    Ok(if crate::interrupt::wished() { Go::Stop } else { Go::On })
}

/// Milliseconds since 1970-01-01 UTC.
pub(crate) fn now_unix_ms() -> u64 {
    // A clock before 1970 is no time at all.
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}
