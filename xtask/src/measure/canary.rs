//! The canary of a round.

use std::{process::Command, time::Duration};

use anyhow::{Context as _, bail};
use protocol::run::Run;

use super::Places;
use crate::spawn::{self, Ended, environment};

/// It takes some milliseconds; chosen.
const LIMIT: Duration = Duration::from_secs(30);

/// Its samples in nanoseconds, under the conditions of the timed processes; none if the user wishes to stop.
///
/// # Errors
///
/// A program that cannot be started or does not do its work, which is our fault.
pub(super) fn sing(run: &Run, places: &Places) -> anyhow::Result<Vec<u64>> {
    let mut command = Command::new(&places.canary);
    command.args(run.cpu.map(|cpu| cpu.to_string())).env_clear().envs(environment());
    let errors = places.scratch.join("canary-errors");
    let mut samples = Vec::new();
    let ended = spawn::run(&mut command, &errors, LIMIT, |line| {
        samples = serde_json::from_str(&line).context("the canary speaks another language")?;
        Ok(())
    })?;
    match ended {
        Ended::Well | Ended::Interrupted => Ok(samples),
        Ended::Badly(outcome) => bail!(
            "the canary failed: {outcome}\n  see {}\n  fix: `--cpu N` for another CPU, or say so in an issue",
            errors.display()
        ),
    }
}
