//! Turns: of several processes in lock-step only one works at a time, and the driver says which.

use std::{
    fs::File,
    io::{self, BufRead, Write},
};

use anyhow::{Context, ensure};
use protocol::job::TURN_OVER;

/// The turns of this process.
pub(crate) struct Turns {
    /// Where it says that a turn is over; `None` if it need not take turns.
    out: Option<File>,
}

impl Turns {
    /// Waits for the first turn, if the job says so.
    pub(crate) fn begin(lock_step: bool, out: &File) -> anyhow::Result<Self> {
        let out = lock_step.then(|| out.try_clone()).transpose();
        let turns = Turns { out: out.context("cannot duplicate the standard output")? };
        turns.wait()?;
        Ok(turns)
    }

    /// Ends the turn, and waits for the next one.
    pub(crate) fn pass(&mut self) -> anyhow::Result<()> {
        if let Some(out) = &mut self.out {
            out.write_all(format!("{TURN_OVER}\n").as_bytes()).context("cannot end a turn")?;
        }
        self.wait()
    }

    /// Whether other processes have worked on this CPU since the last turn.
    pub(crate) fn are_taken(&self) -> bool {
        self.out.is_some()
    }

    fn wait(&self) -> anyhow::Result<()> {
        if self.out.is_some() {
            let mut line = String::new();
            let read = io::stdin().lock().read_line(&mut line).context("cannot wait for a turn")?;
            ensure!(read > 0, "the driver gives no more turns");
        }
        Ok(())
    }
}
