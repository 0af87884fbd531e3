//! Lock-step: all processes of a round are alive, and take turns sample by sample.
//!
//! What disturbs the machine for longer than a sample disturbs all of them alike.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::Duration,
};

use anyhow::Context as _;
use protocol::{
    job::TURN_OVER,
    outcome::Outcome,
    record::{Measurement, Row},
    run::DatasetInfo,
};
use tempfile::TempDir;

use super::{Places, now_unix_ms, process::Process};
use crate::{
    interrupt,
    spawn::{self, Ended, Event},
};

/// One process, asleep unless it is its turn.
struct Player<'p> {
    process: &'p Process<'p>,
    child: Child,
    turns: Option<ChildStdin>,
    events: Receiver<Event>,
    scratch: TempDir,
    started_unix_ms: u64,
    measured: Vec<Measurement>,
    outcome: Option<Outcome>,
}

/// The rows of a round; `None` if the user wishes to stop, because half a round in lock-step is no evidence.
///
/// # Errors
///
/// A program that cannot be started, and a folder that cannot be written.
pub(super) fn measure(processes: &[Process], places: &Places) -> anyhow::Result<Option<Vec<Row>>> {
    let mut players = processes
        .iter()
        .map(|process| Player::start(process, places))
        .collect::<anyhow::Result<Vec<Player>>>()?;
    let Some(first) = processes.first() else { return Ok(Some(Vec::new())) };
    let seed = first.run.seed ^ u64::from(first.round) << 8 ^ first.operation as u64;
    let mut random = fastrand::Rng::with_seed(seed);
    let limit = Duration::from_secs(first.run.time_limit_s);
    loop {
        // Whoever is done with a dataset before the others, because it failed, waits for them.
        let behind =
            players.iter().filter(|player| player.is_on()).map(|player| player.measured.len());
        let Some(behind) = behind.min() else { break };
        let mut order: Vec<usize> = (0..players.len())
            .filter(|&place| players[place].is_on() && players[place].measured.len() == behind)
            .collect();
        random.shuffle(&mut order);
        for place in order {
            players[place].take_turn(limit)?;
            if interrupt::wished() {
                return Ok(None);
            }
        }
    }
    Ok(Some(players.into_iter().flat_map(Player::rows).collect()))
}

impl<'p> Player<'p> {
    fn start(process: &'p Process, places: &Places) -> anyhow::Result<Self> {
        let scratch = tempfile::tempdir_in(&places.scratch)
            .with_context(|| format!("cannot write to {}", places.scratch.display()))?;
        let datasets: Vec<&DatasetInfo> = process.run.datasets.iter().collect();
        let mut command = process.command(&datasets, places, scratch.path())?;
        command.stdin(Stdio::piped());
        let started_unix_ms = now_unix_ms();
        let mut child = spawn::start(&mut command, &scratch.path().join("errors"))?;
        let stdout = child.stdout.take().context("the child has no output")?;
        let turns = child.stdin.take();
        let (sender, events) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(Event::Line(line)).is_err() {
                    return;
                }
            }
            // The receiver is gone if the round was given up.
            let _ = sender.send(Event::End);
        });
        let (measured, outcome) = (Vec::new(), None);
        Ok(Player { process, child, turns, events, scratch, started_unix_ms, measured, outcome })
    }

    fn is_on(&self) -> bool {
        self.turns.is_some()
    }

    /// Lets it work until it says that its turn is over, or until its end.
    fn take_turn(&mut self, limit: Duration) -> anyhow::Result<()> {
        // A child that died meanwhile has closed its end; its own end is told below.
        let _ = self.turns.as_mut().map(|turns| turns.write_all(b"\n"));
        loop {
            match self.events.recv_timeout(limit) {
                Ok(Event::Line(line)) if line == TURN_OVER => return Ok(()),
                Ok(Event::Line(line)) => {
                    self.measured.push(serde_json::from_str(&line).with_context(|| {
                        format!("{} speaks another language: {line}", self.process.info.id)
                    })?);
                }
                Ok(Event::Interrupt) => {}
                Ok(Event::End) | Err(RecvTimeoutError::Disconnected) => {
                    self.turns = None;
                    let status = self.child.wait()?;
                    self.outcome = match spawn::judge(status, &self.scratch.path().join("errors")) {
                        Ended::Badly(outcome) => Some(outcome),
                        Ended::Well | Ended::Interrupted => None,
                    };
                    return Ok(());
                }
                Err(RecvTimeoutError::Timeout) => {
                    self.turns = None;
                    self.outcome = Some(Outcome::TimedOut);
                    return Ok(());
                }
            }
        }
    }

    fn rows(self) -> Vec<Row> {
        let ended = self.outcome.clone();
        let ended = ended.unwrap_or_else(|| Outcome::HarnessFailed("ended without a word".into()));
        let measurement = |dataset: &DatasetInfo| {
            let said = self.measured.iter().find(|said| said.dataset == dataset.id).cloned();
            said.unwrap_or_else(|| Measurement::failed(&dataset.id, ended.clone()))
        };
        let datasets = self.process.run.datasets.iter();
        datasets
            .map(|dataset| self.process.row(self.started_unix_ms, measurement(dataset)))
            .collect()
    }
}

impl Drop for Player<'_> {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
