//! Progress: a bar on a terminal, plain lines elsewhere; always on standard error.

use std::{
    io::{IsTerminal as _, stderr},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shows how far a command is.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    done: u64,
    steps: u64,
    started: std::time::Instant,
    /// Time at which the last plain line was printed.
    printed: Option<std::time::Instant>,
}

/// Least time between two plain lines about steps; chosen so that a log stays short.
const PAUSE: Duration = Duration::from_secs(10);

impl Progress {
    /// Starts a progress of so many equal steps.
    pub(crate) fn new(steps: u64) -> Self {
        let bar = stderr().is_terminal().then(|| {
            // No ticks: while a process measures, this one sleeps.
            let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{bar:20} {pos}/{len} {msg}") {
                bar.set_style(style);
            }
            bar
        });
        Progress { bar, done: 0, steps, started: std::time::Instant::now(), printed: None }
    }

    /// Says what happens now.
    pub(crate) fn now(&mut self, what: &str) {
        let left = match self.left() {
            Some(left) => format!(", {} left", minutes(left)),
            None => String::new(),
        };
        match &self.bar {
            Some(bar) => bar.set_message(format!("{what}{left}")),
            None if self.printed.is_none_or(|printed| printed.elapsed() >= PAUSE) => {
                eprintln!("{}/{} {what}{left}", self.done, self.steps);
                self.printed = Some(std::time::Instant::now());
            }
            None => {}
        }
    }

    /// One step is done.
    pub(crate) fn step(&mut self) {
        self.done += 1;
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }

    /// So many steps are still to come.
    pub(crate) fn expect(&mut self, steps: u64) {
        self.steps = self.done + steps;
        if let Some(bar) = &self.bar {
            bar.set_length(self.steps);
        }
    }

    /// Says something that stays on the screen.
    pub(crate) fn say(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| eprintln!("{line}")),
            None => eprintln!("{line}"),
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }

    /// Time left, if the steps to come take as long as those before.
    fn left(&self) -> Option<Duration> {
        let done = u32::try_from(self.done).ok().filter(|&done| done > 0)?;
        let left = u32::try_from(self.steps.saturating_sub(self.done)).ok()?;
        Some(self.started.elapsed() / done * left)
    }
}

/// A time as people say it.
pub(crate) fn minutes(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 90 { format!("{seconds} s") } else { format!("{} min", (seconds + 30) / 60) }
}

#[test]
fn times_are_said_in_seconds_then_in_minutes() {
    assert_eq!(minutes(Duration::from_secs(89)), "89 s");
    assert_eq!(minutes(Duration::from_secs(90)), "2 min");
}
