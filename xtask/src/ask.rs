//! Asks a library about one message at a time, in a process of its own.

use std::{
    io::{BufReader, Write as _},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::Duration,
};

use anyhow::Context as _;
use protocol::{
    answer::{Answer, Description, Question, receive, send},
    outcome::Outcome,
};

use crate::{
    compile::last_lines,
    spawn::{Ended, environment, judge, start},
};

/// What an answering program may take.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    /// Longest time for one answer.
    pub(crate) patience: Duration,
    /// Address space, in bytes.
    pub(crate) memory_bytes: Option<u64>,
    /// What counts its allocations: a library to preload, and the file that it counts in.
    pub(crate) meter: Option<(PathBuf, PathBuf)>,
}

impl Default for Limits {
    /// For documents: a hundred times what the slowest library needs, chosen.
    fn default() -> Self {
        Limits { patience: Duration::from_secs(20), memory_bytes: None, meter: None }
    }
}

/// What the thread that reads got: an answer with its bytes, the end, or an error.
type Received = std::io::Result<Option<(Answer, Vec<u8>)>>;

/// An answering program that is running.
#[derive(Debug)]
pub(crate) struct Session {
    child: Child,
    to: Option<ChildStdin>,
    answers: Receiver<Received>,
    errors: PathBuf,
    patience: Duration,
}

impl Session {
    /// Starts the program; `errors` is a file for what it says on its standard error.
    ///
    /// # Errors
    ///
    /// A program that cannot be started.
    pub(crate) fn open(program: &Path, errors: &Path, limits: &Limits) -> anyhow::Result<Self> {
        let mut command = Command::new(program);
        command.arg("--answer").env_clear().envs(environment()).stdin(Stdio::piped());
        if let Some(bytes) = limits.memory_bytes {
            command.args(["--memory-limit", &bytes.to_string()]);
        }
        if let Some((library, file)) = &limits.meter {
            command.env("LD_PRELOAD", library).env("PACKBENCH_METER", file);
        }
        let mut child = start(&mut command, errors)?;
        let to = child.stdin.take();
        let from = child.stdout.take().context("the child has no output")?;
        let (sender, answers) = mpsc::channel();
        thread::spawn(move || {
            let mut from = BufReader::new(from);
            loop {
                let answer = receive(&mut from);
                let last = !matches!(answer, Ok(Some(_)));
                if sender.send(answer).is_err() || last {
                    return;
                }
            }
        });
        Ok(Session { child, to, answers, errors: errors.into(), patience: limits.patience })
    }

    /// Asks, and waits for the answer and its bytes.
    ///
    /// # Errors
    ///
    /// The outcome, if the process did not come back with an answer; it is dead then.
    pub(crate) fn ask(
        &mut self,
        question: Question,
        message: &[u8],
    ) -> Result<(Answer, Vec<u8>), Outcome> {
        let Some(to) = &mut self.to else {
            return Err(Outcome::HarnessFailed("the program has ended before".into()));
        };
        let (answers, patience) = (&self.answers, self.patience);
        let child = &mut self.child;
        // A program that hangs does not read either, so another thread writes.
        let answer = thread::scope(|scope| {
            scope.spawn(|| send(to, &question, message));
            let answer = answers.recv_timeout(patience);
            if !matches!(answer, Ok(Ok(Some(_)))) {
                // Ends the writing thread too; the process may have ended by itself.
                let _ = child.kill();
            }
            answer
        });
        match answer {
            Ok(Ok(Some(answer))) => Ok(answer),
            Err(mpsc::RecvTimeoutError::Timeout) => {
                self.to = None;
                Err(Outcome::TimedOut)
            }
            Ok(Ok(None) | Err(_)) | Err(mpsc::RecvTimeoutError::Disconnected) => {
                self.to = None;
                Err(self.how_it_ended())
            }
        }
    }

    /// What the library says of itself.
    ///
    /// # Errors
    ///
    /// The outcome, if there is no answer.
    pub(crate) fn describe(&mut self) -> Result<Description, Outcome> {
        match self.ask(Question::Describe, b"")? {
            (Answer::Description(description), _) => Ok(description),
            (other, _) => {
                Err(Outcome::HarnessFailed(format!("an answer to no question: {other:?}")))
            }
        }
    }

    fn how_it_ended(&mut self) -> Outcome {
        match self.child.wait() {
            Ok(status) => match judge(status, &self.errors) {
                Ended::Badly(outcome) => outcome,
                Ended::Well | Ended::Interrupted => {
                    let said = std::fs::read_to_string(&self.errors).unwrap_or_default();
                    Outcome::HarnessFailed(format!(
                        "ended without an answer: {}",
                        last_lines(&said, 3)
                    ))
                }
            },
            Err(error) => Outcome::HarnessFailed(error.to_string()),
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(mut to) = self.to.take() {
            // The end of its input is the sign to leave.
            let _ = to.flush();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
