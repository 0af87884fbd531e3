//! One command of a client: its output is kept in files, its time is limited.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Longest that one command may take; chosen, for 60 MB over a line of 1 Mbit/s.
pub(crate) const LIMIT: Duration = Duration::from_secs(10 * 60);

/// How many of its last lines are shown when a command fails.
const SHOWN_LINES: usize = 12;

/// How a command failed.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    /// The command as one would type it.
    pub(crate) command: String,
    /// How it ended.
    pub(crate) ended: String,
    /// The last lines that it printed.
    pub(crate) last_lines: String,
}

/// Runs `command` and returns what it printed on stdout; both streams are kept as `NAME.out` and `NAME.err` in `log`.
///
/// # Errors
///
/// If it cannot be started, ends with anything but success, or takes longer than `limit`.
pub(crate) fn run(
    command: &mut Command,
    log: &Path,
    name: &str,
    limit: Duration,
) -> Result<String, Failure> {
    let out = log.join(format!("{name}.out"));
    let err = log.join(format!("{name}.err"));
    let failure = |command: &Command, ended: String| Failure {
        command: as_typed(command),
        ended,
        last_lines: last_lines(&[&err, &out]),
    };

    // Files rather than pipes: nobody has to read them for the command to go on.
    let opened =
        fs::create_dir_all(log).and_then(|()| Ok((File::create(&out)?, File::create(&err)?)));
    let started = opened.and_then(|(out, err)| {
        command.stdin(Stdio::null()).stdout(out).stderr(err);
        command.spawn()
    });
    let mut child =
        started.map_err(|error| failure(command, format!("could not be started: {error}")))?;
    match wait(&mut child, limit) {
        Ok(Some(status)) if status.success() => fs::read_to_string(&out)
            .map_err(|error| failure(command, format!("left no readable output: {error}"))),
        Ok(Some(status)) => Err(failure(command, format!("ended with {status}"))),
        Ok(None) => {
            Err(failure(command, format!("was stopped after {} s without an end", limit.as_secs())))
        }
        Err(error) => Err(failure(command, format!("could not be waited for: {error}"))),
    }
}

fn wait(child: &mut std::process::Child, limit: Duration) -> std::io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        sleep(Duration::from_millis(20));
    }
}

fn as_typed(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// The end of the first of `files` that holds anything.
fn last_lines(files: &[&Path]) -> String {
    let texts = files.iter().filter_map(|file| fs::read(file).ok());
    let text = texts.map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned());
    let text = text.into_iter().find(|text| !text.is_empty()).unwrap_or_default();
    let lines: Vec<_> = text.lines().collect();
    lines[lines.len().saturating_sub(SHOWN_LINES)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Result<String, Failure> {
        let log = tempfile::tempdir().unwrap();
        run(Command::new("sh").args(["-c", script]), log.path(), "test", limit)
    }

    #[test]
    fn stdout_comes_back_alone() {
        assert_eq!(shell("echo data; echo progress >&2", LIMIT).unwrap(), "data\n");
    }

    #[test]
    fn a_failure_shows_the_end_of_stderr() {
        let failure = shell("seq 100 >&2; echo data; exit 3", LIMIT).unwrap_err();
        assert_eq!(failure.ended, "ended with exit status: 3");
        assert!(failure.last_lines.starts_with("89\n") && failure.last_lines.ends_with("\n100"));
    }

    #[test]
    fn without_stderr_it_shows_the_end_of_stdout() {
        assert_eq!(shell("echo why; exit 1", LIMIT).unwrap_err().last_lines, "why");
    }

    #[test]
    fn a_command_that_does_not_end_is_stopped() {
        let failure = shell("exec sleep 600", Duration::ZERO).unwrap_err();
        assert!(failure.ended.starts_with("was stopped"), "{}", failure.ended);
    }

    #[test]
    fn a_program_that_is_not_there_is_a_failure() {
        let log = tempfile::tempdir().unwrap();
        let mut command = Command::new("no-such-program-anywhere");
        let failure = run(&mut command, log.path(), "test", LIMIT).unwrap_err();
        assert!(failure.ended.starts_with("could not be started"), "{}", failure.ended);
    }
}
