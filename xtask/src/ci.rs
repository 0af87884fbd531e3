//! `ci`: everything that must hold, in order; the same for people and for machines.

use std::{
    io::{self, BufRead as _, BufReader},
    path::Path,
    process::{Command, Stdio},
};

use anyhow::Context as _;
use xshell::Shell;

use crate::{
    adapters::{self, Adapter},
    compile, identity, interrupt,
    prepare::{self, Wish},
    sources::Overrides,
    usage::End,
    vendor::{self, Edited},
};

/// Time for random messages, for each codec.
const FUZZ_SECONDS: &str = "5";

/// And no more than these, so that a faster machine finds nothing that a slower one did not.
const FUZZ_MESSAGES: &str = "50000";

/// How many checks held and how many did not.
#[derive(Debug, Default)]
struct Tally {
    passed: u64,
    failed: Vec<String>,
}

impl Tally {
    fn add(&mut self, what: &str, holds: bool) {
        if holds {
            self.passed += 1;
        } else {
            eprintln!("FAILED: {what}");
            self.failed.push(what.to_owned());
        }
    }

    /// Adds the counts of a test runner's closing line.
    fn add_closing_line(&mut self, what: &str, line: &str) {
        let Some((passed, failed)) = counts(line) else { return };
        self.passed += passed;
        for _ in 0..failed {
            self.failed.push(format!("a test of {what}"));
        }
    }
}

/// `test result: ok. 3 passed; 0 failed; …`
fn counts(line: &str) -> Option<(u64, u64)> {
    let rest = line.strip_prefix("test result: ")?;
    let number = |word: &str| {
        let before = rest.split(word).next()?;
        before.trim_end().rsplit(' ').next()?.parse().ok()
    };
    Some((number(" passed")?, number(" failed")?))
}

/// Runs the command.
///
/// # Errors
///
/// Only what keeps it from running at all; what does not hold is counted.
pub(crate) fn run(root: &Path, out: &mut impl io::Write) -> anyhow::Result<End> {
    let mut tally = Tally::default();
    let cargo = |arguments: &[&str]| {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(arguments).current_dir(root);
        command
    };
    step(&mut tally, "formatting", &mut cargo(&["fmt", "--all", "--check"]))?;
    let lint = ["clippy", "--locked", "--all-targets", "--", "--deny", "warnings"];
    step(&mut tally, "clippy", &mut cargo(&lint))?;
    let sources = prepare::all_sources(root)?;
    let missing = vendor::toolchain::missing(&vendor::tools(root, &sources));
    missing.iter().for_each(|missing| eprintln!("{missing}"));
    let fetched = vendor::fetch(root, &sources, Edited::Report, &|line| eprintln!("{line}"))?;
    for (name, result) in fetched {
        if let Err(error) = &result {
            eprintln!("error: {error}");
        }
        tally.add(&format!("source {name}"), result.is_ok());
    }
    match prepare::messages(root, &[], &[]) {
        Ok(messages) => {
            messages.iter().for_each(|message| tally.add(&format!("dataset {}", message.id), true));
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            tally.add("datasets", false);
        }
    }

    // After the sources: the tests of the report put the chart library into a page.
    step(&mut tally, "tests", &mut cargo(&["test", "--locked", "--no-fail-fast"]))?;
    if interrupt::wished() {
        return Ok(End::Interrupted);
    }
    for adapter in adapters::find(&Shell::new()?, root, &[])? {
        lint_and_test(root, &adapter, &mut tally)?;
    }
    if interrupt::wished() {
        return Ok(End::Interrupted);
    }
    identity_of_all(root, &mut tally)?;
    let conformance = ["xtask", "conformance", "--require-all"];
    step(&mut tally, "conformance", &mut cargo(&conformance))?;
    let fuzz = ["xtask", "conformance", "--require-all", "--seed", "1"];
    let limits = ["--fuzz", FUZZ_SECONDS, "--messages", FUZZ_MESSAGES];
    step(&mut tally, "fuzz", cargo(&fuzz).args(limits))?;
    let bench = ["xtask", "bench", "--quick", "--allow-noisy", "--require-all"];
    step(&mut tally, "bench --quick", &mut cargo(&bench))?;

    for what in &tally.failed {
        eprintln!("failed: {what}");
    }
    writeln!(out, "{} passed, {} failed", tally.passed, tally.failed.len())?;
    Ok(match () {
        () if interrupt::wished() => End::Interrupted,
        () => End::good_if(tally.failed.is_empty()),
    })
}

/// Each adapter alone, with the flags and in the folder of the programs that are timed.
fn lint_and_test(root: &Path, adapter: &Adapter, tally: &mut Tally) -> anyhow::Result<()> {
    let name = &adapter.package;
    for (word, after) in
        [("clippy", &["--all-targets", "--", "--deny", "warnings"][..]), ("test", &[])]
    {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args([word, "--locked", "--release", "--package", name]).current_dir(root);
        command.arg("--target-dir").arg(root.join("target/codecs")).args(after);
        compile::settings(root, &Overrides::default(), false, &mut command);
        step(tally, &format!("{word} of {name}"), &mut command)?;
    }
    Ok(())
}

/// Every program holds the symbols of its own library and of no other.
fn identity_of_all(root: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let operations = protocol::job::Operation::ALL;
    let wish = Wish { operations: &operations, controls: true, ..Wish::default() };
    let ready = prepare::build(root, &wish, prepare::contestants(root, &wish)?)?;
    let entries: Vec<_> = ready.iter().map(|ready| &ready.contestant.entry).collect();
    for one in &ready {
        let id = one.contestant.id();
        let Ok(built) = &one.built else {
            tally.add(&format!("programs of {id}"), false);
            continue;
        };
        for program in built.all(&one.contestant.entry) {
            let faults = identity::faults(program, &one.contestant.entry, &entries)?;
            faults.iter().for_each(|fault| eprintln!("{}: {fault}", program.display()));
            tally.add(&format!("symbols of {}", program.display()), faults.is_empty());
        }
    }
    Ok(())
}

/// Runs a command, shows what it prints, and counts it and the tests that it ran.
fn step(tally: &mut Tally, what: &str, command: &mut Command) -> anyhow::Result<()> {
    if interrupt::wished() {
        return Ok(());
    }
    eprintln!("== {what}");
    let started = std::time::Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    let stdout = child.stdout.take().context("the child has no output")?;
    for line in BufReader::new(stdout).lines() {
        let line = line?;
        tally.add_closing_line(what, &line);
        eprintln!("{line}");
    }
    let status = child.wait()?;
    tally.add(what, status.success());
    eprintln!("== {what}: {status}, {:.0} s", started.elapsed().as_secs_f64());
    Ok(())
}

#[test]
fn the_closing_line_of_a_test_runner_is_counted() {
    let line = "test result: FAILED. 12 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out";
    assert_eq!(counts(line), Some((12, 3)));
    assert_eq!(counts("test result: ok. 0 passed; 0 failed; 0 ignored"), Some((0, 0)));
    assert_eq!(counts("12 passed, 3 failed"), None);
}
