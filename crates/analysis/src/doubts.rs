//! What a reader must know before he believes a row or a run.

use std::collections::BTreeMap;

use protocol::{
    machine::Answer,
    run::{Profile, Stored},
};

use crate::{
    figures::Figures,
    line::{Line, is_control},
};

/// Share of a process's time without a CPU from which on its row says so; chosen.
const WAITED: f64 = 0.02;

/// Shortest sample in which the clock itself does not show, in nanoseconds; chosen.
pub fn smallest_sample_ns() -> u64 {
    20_000
}

impl Line<'_> {
    /// Page faults per operation while the clock ran.
    pub fn faults_per_operation(&self) -> f64 {
        let counted = || self.rows.iter().filter_map(|row| Some((row, row.measurement.counters?)));
        let operations: u64 = counted()
            .map(|(row, _)| {
                row.measurement.operations_per_sample * row.measurement.samples_ns.len() as u64
            })
            .sum();
        let faults: u64 = counted().map(|(_, seen)| seen.minor_faults + seen.major_faults).sum();
        if faults == 0 { 0.0 } else { faults as f64 / operations as f64 }
    }

    /// Why this row is to be read with care; empty if nothing speaks against it.
    pub fn doubts(&self, figures: &Figures) -> Vec<String> {
        let mut doubts: Vec<String> = self.codec.excluded.iter().map(ToString::to_string).collect();
        let mut outcomes = BTreeMap::<String, usize>::new();
        for row in self.rows.iter().filter(|row| !row.measurement.outcome.is_measured()) {
            let name = row.measurement.dataset.rsplit('/').next().unwrap_or_default();
            *outcomes.entry(format!("{name} {}", row.measurement.outcome)).or_default() += 1;
        }
        doubts.extend(outcomes.into_iter().map(|(outcome, times)| format!("{outcome} ({times}×)")));
        let rounds = figures.rounds.used.len();
        if let Some(overall) = self.overall
            && overall.rounds < rounds
        {
            doubts.push(format!("{} of {rounds} rounds", overall.rounds));
        }
        let faults = self.faults_per_operation();
        if faults > 0.0 {
            let faults = if faults < 0.005 { "under 0.01".into() } else { format!("{faults:.2}") };
            doubts.push(format!("{faults} page faults/op"));
        }
        let counted = || self.rows.iter().filter_map(|row| row.measurement.counters);
        let waited: u64 = counted().filter_map(|seen| seen.waited_ns).sum();
        let stolen: u64 = counted().filter_map(|seen| seen.steal_ns).sum();
        let busy: u64 = counted().map(|seen| seen.user_ns + seen.system_ns).sum();
        for (time, word) in [(waited, "waited"), (stolen, "stolen")] {
            let share = time as f64 / busy as f64;
            if share > WAITED {
                doubts.push(format!("{word} {:.0} %", share * 100.0));
            }
        }
        if self.conflict {
            doubts.push("minimum and median order it differently".into());
        }
        let is_short = |&sample: &u64| sample < smallest_sample_ns();
        if !is_control(&self.codec.id)
            && self.rows.iter().any(|row| row.measurement.samples_ns.iter().any(is_short))
        {
            doubts.push("samples under 20 µs".into());
        }
        doubts
    }

    /// What was done about the rounds of its table.
    pub fn is_measured(&self) -> bool {
        self.overall.is_some()
    }
}

impl Figures<'_> {
    /// What became of rounds that were disturbed or not finished; empty if all went as planned.
    pub fn round_doubts(&self, stored: &Stored) -> Vec<String> {
        let mut doubts = Vec::new();
        let (used, wanted) = (self.rounds.used.len(), stored.run.rounds as usize);
        let void = self.rounds.void.len();
        if void > 0 {
            let rounds = if void == 1 { "round was" } else { "rounds were" };
            let repeated = if stored.run.minutes.is_some() { "left out" } else { "repeated" };
            doubts
                .push(format!("{void} {rounds} void, the canary beyond its fence, and {repeated}"));
        }
        if stored.run.minutes.is_none() && used < wanted {
            doubts.push(format!("DISTURBED: {used} of {wanted} rounds count"));
        }
        if !self.rounds.unfinished.is_empty() {
            doubts.push(format!(
                "not finished: {} rounds lack processes",
                self.rounds.unfinished.len()
            ));
        }
        doubts
    }
}

/// What is doubtful about a whole run: its machine, and that it was only a look.
pub fn run_doubts(stored: &Stored) -> Vec<String> {
    let named = |answer: Answer| -> Vec<&str> {
        let checks = stored.machine.checks.iter().filter(|check| check.answer == answer);
        checks.map(|check| check.name.as_str()).collect()
    };
    let mut doubts = Vec::new();
    let (bad, unknown) = (named(Answer::Bad), named(Answer::Unknown));
    if !bad.is_empty() {
        doubts.push(format!("NOISY, measured all the same: {}", bad.join(", ")));
    }
    if !unknown.is_empty() {
        doubts.push(format!("unknown of the machine: {}", unknown.join(", ")));
    }
    if stored.run.profile == Profile::Quick {
        doubts.push("--quick: a look, no evidence".into());
    }
    doubts
}
