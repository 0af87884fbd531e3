//! Puts messages to one codec, and starts its program anew whenever it was lost.

use std::{
    fs,
    io::Write as _,
    os::unix::fs::FileExt as _,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::Context as _;
use conformance::{Ended, Observed};
use protocol::answer::{Answer, Description, Question, send};

use crate::ask::{Limits, Session};

/// Address space of a program; chosen, so that gigabytes promised in a few bytes are refused and ordinary documents are not.
const MEMORY_BYTES: u64 = 4 << 30;

/// Longest time for one message; the bounds of the cases are 2 s at most.
const PATIENCE: Duration = Duration::from_secs(10);

/// A codec that answers, however often it must be started.
pub(crate) struct Asker {
    program: PathBuf,
    folder: PathBuf,
    limits: Limits,
    session: Option<Session>,
}

impl Asker {
    /// Nothing is started before the first question.
    ///
    /// # Errors
    ///
    /// A folder that cannot be written.
    pub(crate) fn new(
        program: &Path,
        folder: &Path,
        meter: Option<&Path>,
    ) -> anyhow::Result<Asker> {
        let counters = folder.join("meter");
        fs::write(&counters, [0; 16])
            .with_context(|| format!("cannot write {}", counters.display()))?;
        let meter = meter.map(|library| (library.to_owned(), counters));
        let limits = Limits { patience: PATIENCE, memory_bytes: Some(MEMORY_BYTES), meter };
        Ok(Asker { program: program.into(), folder: folder.into(), limits, session: None })
    }

    /// What the library says of itself; `None` if its program was lost on that.
    ///
    /// # Errors
    ///
    /// A program that cannot be started.
    pub(crate) fn describe(&mut self) -> anyhow::Result<Option<Description>> {
        let mut session = self.take()?;
        Ok(session.describe().ok().inspect(|_| self.session = Some(session)))
    }

    /// What becomes of a message, and what it costs.
    ///
    /// # Errors
    ///
    /// A program that cannot be started, and a failure of our own.
    pub(crate) fn observe(&mut self, message: &[u8]) -> anyhow::Result<Observed> {
        let mut session = self.take()?;
        // The exchange before the clock has the program started and warm.
        let before = self.reset_meter()?;
        let started = Instant::now();
        let answer = session.ask(Question::Message, message);
        let time = Some(started.elapsed());
        let memory_bytes = before.map(|before| self.most().saturating_sub(before));
        let ended = match answer {
            Err(outcome) => {
                anyhow::ensure!(
                    !matches!(outcome, protocol::outcome::Outcome::HarnessFailed(_)),
                    "{}: {outcome}",
                    self.program.display()
                );
                return Ok(Observed {
                    ended: Ended::Lost(outcome.to_string()),
                    memory_bytes,
                    time,
                });
            }
            Ok((Answer::Rejected(words), _)) => Ended::Rejected(words),
            Ok((Answer::Written { .. }, bytes)) => Ended::Accepted(Ok(bytes)),
            Ok((Answer::NotWritten { why, .. }, _)) => Ended::Accepted(Err(why)),
            Ok((Answer::Description(_), _)) => anyhow::bail!("a description is no answer"),
        };
        self.session = Some(session);
        Ok(Observed { ended, memory_bytes, time })
    }

    /// The line that puts a message to the program in a debugger.
    ///
    /// # Errors
    ///
    /// A folder that cannot be written.
    pub(crate) fn debug_command(&self, message: &[u8]) -> anyhow::Result<String> {
        let file = self.folder.join("question");
        let mut question = Vec::new();
        send(&mut question, &Question::Message, message)?;
        fs::File::create(&file)
            .and_then(|mut file| file.write_all(&question))
            .with_context(|| format!("cannot write {}", file.display()))?;
        let (program, file) = (self.program.display(), file.display());
        Ok(format!("gdb -ex 'run --answer <{file}' {program}"))
    }

    /// A program that has answered a question already, so that its start is not part of an answer.
    fn take(&mut self) -> anyhow::Result<Session> {
        match self.session.take() {
            Some(session) => Ok(session),
            None => {
                let errors = self.folder.join("errors");
                let mut session = Session::open(&self.program, &errors, &self.limits)?;
                // If it is lost here, the question that follows says so.
                let _ = session.describe();
                Ok(session)
            }
        }
    }

    /// Sets the most to what is there now, which comes back, in bytes.
    fn reset_meter(&self) -> anyhow::Result<Option<u64>> {
        let Some((_, file)) = &self.limits.meter else { return Ok(None) };
        let now = self.counter(0);
        let open = fs::OpenOptions::new().write(true).open(file);
        open.and_then(|file| file.write_all_at(&now.to_ne_bytes(), 8))
            .with_context(|| format!("cannot write {}", file.display()))?;
        Ok(Some(now))
    }

    fn most(&self) -> u64 {
        self.counter(8)
    }

    fn counter(&self, offset: usize) -> u64 {
        let bytes = self.limits.meter.as_ref().and_then(|(_, file)| fs::read(file).ok());
        let number = bytes.and_then(|bytes| bytes.get(offset..offset + 8)?.try_into().ok());
        number.map_or(0, u64::from_ne_bytes)
    }
}
