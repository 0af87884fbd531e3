//! Runs `bench` with codecs that misbehave: each must become an outcome, and none may harm the others.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
    time::Duration,
};

use protocol::{outcome::Outcome, run::Stored};
use tempfile::TempDir;

/// `[{"a": 1, "b": [2.5, nil, true]}, "text"]`
const MESSAGE: &[u8] = b"\x92\x82\xa1a\x01\xa1b\x93\xcb\x40\x04\0\0\0\0\0\0\xc0\xc3\xa4text";

/// A folder with a message, and the record of the run that measured it.
struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("message.msgpack"), MESSAGE).unwrap();
        Bench { folder }
    }

    fn results(&self) -> PathBuf {
        self.folder.path().join("results")
    }

    fn command(&self, adapter: &str, codec: &str) -> Command {
        let adapter = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/adapters").join(adapter);
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.args(["bench", "--quick", "--allow-noisy", "--codec", codec]);
        command.arg("--adapter").arg(adapter);
        command.arg("--input").arg(self.folder.path().join("message.msgpack"));
        command.arg("--results").arg(self.results());
        command
    }

    fn resume(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.arg("bench").arg("--resume").arg(self.run_folder().unwrap());
        command
    }

    fn run_folder(&self) -> Option<PathBuf> {
        Some(fs::read_dir(self.results()).ok()?.next()?.unwrap().path())
    }

    fn stored(&self) -> Stored {
        Stored::read(&self.run_folder().unwrap()).unwrap()
    }

    /// Outcomes of the rows of a codec.
    fn outcomes(&self, codec: &str) -> Vec<Outcome> {
        let rows = self.stored().rows.into_iter();
        rows.filter(|row| row.codec == codec).map(|row| row.measurement.outcome).collect()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn output(command: &mut Command) -> Output {
    command.output().unwrap()
}

#[test]
fn a_wrong_output_is_found_by_the_oracle_and_gets_no_number() {
    let bench = Bench::new();
    let output = output(&mut bench.command("faulty", "msgpack/faulty/serialize"));
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("msgpack/faulty/serialize with input/message: wrong-output"), "{said}");
    assert!(said.contains("differs at `$[0].a`"), "{said}");
    let stored = bench.stored();
    let faulty = stored.run.codecs.iter().find(|codec| codec.id == "msgpack/faulty/serialize");
    assert!(matches!(faulty.unwrap().excluded, Some(Outcome::WrongOutput(_))));
    assert_eq!(bench.outcomes("msgpack/faulty/serialize"), []);
    assert!(bench.outcomes("control/harness/nothing").iter().all(Outcome::is_measured));
    assert!(analysis::is_complete(&stored));
}

#[test]
fn a_value_read_wrongly_is_found_before_the_clock() {
    let bench = Bench::new();
    let output = output(&mut bench.command("faulty", "msgpack/faulty/parse"));
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("the oracle as"), "{said}");
    assert_eq!(bench.outcomes("msgpack/faulty/parse"), []);
}

#[test]
fn a_crash_in_a_measured_process_is_an_outcome_and_the_others_go_on() {
    let bench = Bench::new();
    let output = output(&mut bench.command("crashing", "msgpack/crashing/third-parse"));
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    let outcomes = bench.outcomes("msgpack/crashing/third-parse");
    assert!(outcomes.contains(&Outcome::Crashed("SIGSEGV".into())), "{outcomes:?} {said}");
    assert!(bench.outcomes("control/harness/nothing").iter().all(Outcome::is_measured));
    assert!(analysis::is_complete(&bench.stored()));
    assert!(text(&output.stdout).contains("crashed: SIGSEGV"), "{}", text(&output.stdout));
}

#[test]
fn a_crash_before_the_clock_excludes_the_codec() {
    let bench = Bench::new();
    let output = output(&mut bench.command("crashing", "msgpack/crashing/at-once"));
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let stored = bench.stored();
    let codec = stored.run.codecs.iter().find(|codec| codec.id == "msgpack/crashing/at-once");
    assert!(matches!(codec.unwrap().excluded, Some(Outcome::Crashed(_))));
}

#[test]
fn a_process_that_hangs_is_ended() {
    let bench = Bench::new();
    let mut command = bench.command("hanging", "msgpack/hanging");
    let output = output(command.args(["--time-limit", "2", "--operation", "parse"]));
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let stored = bench.stored();
    let hanging: Vec<_> = stored.rows.iter().filter(|row| row.codec.contains("hanging")).collect();
    assert!(!hanging.is_empty());
    assert!(hanging.iter().all(|row| row.measurement.outcome == Outcome::TimedOut));
}

#[test]
fn a_run_that_is_killed_and_resumed_has_every_sample_once() {
    // Builds what it needs, so that the kills below hit the measurement.
    let warm = Bench::new();
    assert!(output(&mut warm.command("faulty", "control/")).status.success());

    for milliseconds in [400, 900, 1500, 2300] {
        let bench = Bench::new();
        let mut command = bench.command("faulty", "control/");
        let mut child = command.args(["--rounds", "8"]).stderr(Stdio::null()).spawn().unwrap();
        while bench.run_folder().is_none_or(|folder| !folder.join("run.json").exists()) {
            thread::sleep(Duration::from_millis(10));
        }
        thread::sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
        let before = bench.stored();

        let resumed = output(&mut bench.resume());
        assert!(resumed.status.success(), "{}", text(&resumed.stderr));
        let after = bench.stored();
        assert!(analysis::is_complete(&after));
        let cells: usize = (after.run.operations.iter())
            .map(|&operation| after.run.cells(operation, 0).count() * after.run.rounds as usize)
            .sum();
        assert_eq!(after.rows.len(), cells);
        assert!(before.rows.iter().all(|row| after.rows.contains(row)));
    }
}

#[test]
fn a_wrong_command_line_ends_with_two_and_says_what_there_is() {
    let bench = Bench::new();
    for (arguments, words) in [
        (["--codec", "msgpack/nobody"], "there are"),
        (["--cpu", "9999"], "usable"),
        (["--rounds", "0"], "measures nothing"),
        (["--operation", "juggle"], "juggle"),
        (["--resume", "no-such-run"], "there is no run"),
        (["--source", "nobody=."], "nobody"),
        (["--dataset", "nobody"], "there are"),
        (["--aa", "nobody"], "there are"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.arg("bench").args(arguments).arg("--results").arg(bench.results());
        let output = output(&mut command);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
}

#[test]
fn a_file_that_is_no_message_is_refused_with_the_byte() {
    let bench = Bench::new();
    fs::write(bench.folder.path().join("message.msgpack"), b"\x93\x01\xc1").unwrap();
    let output = output(&mut bench.command("faulty", "msgpack/faulty"));
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("offset 2") && said.contains("fix:"), "{said}");
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let bench = Bench::new();
    fs::write(bench.results(), b"").unwrap();
    let output = output(&mut bench.command("faulty", "control/"));
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("cannot write to") && said.contains("fix:"), "{said}");
}
