//! `check-machine`: one table of checks, each with its remedy.

mod clock;
mod facts;
mod load;
mod memory;
mod neighbours;
mod view;

use std::{io, path::Path};

use protocol::machine::{Answer, Check, Machine};

use crate::{
    flags, table,
    table::{Column, Table},
    usage::{End, Usage},
};
use load::Load;
use view::{View, list};

/// A check: its name, how it is answered, and why a measurement depends on it.
type Question = (&'static str, fn(&Seen<'_>) -> Finding, &'static str);

/// Every check, in the order of the table.
#[rustfmt::skip]
const QUESTIONS: &[Question] = &[
    ("governor", clock::governor,
     "only `performance` keeps the clock from following the load"),
    ("boost", clock::boost,
     "a boosted clock depends on heat and on what the other cores do"),
    ("clock", clock::clock,
     "a CPU that idles below its maximum is throttled or still speeding up when the measurement starts"),
    ("load", neighbours::load,
     "another program takes time and cache from the measured one"),
    ("SMT sibling", neighbours::sibling,
     "two hardware threads share the units and caches of one core"),
    ("isolated CPUs", neighbours::isolated,
     "the scheduler puts no other program on an isolated CPU"),
    ("hybrid cores", neighbours::hybrid,
     "cores of two kinds have two speeds, so a result belongs to one kind"),
    ("virtual machine", neighbours::virtual_machine,
     "other guests share cores, caches and memory, and cannot be seen from inside"),
    ("steal time", neighbours::steal,
     "the hypervisor gave this time to others while the clock went on"),
    ("ASLR", memory::aslr,
     "random addresses turn luck with the layout into noise that rounds average out"),
    ("huge pages", memory::huge_pages,
     "the size of pages decides how often an address must be looked up"),
    ("swap", memory::swap,
     "a page that is fetched from disk costs more than any operation measured"),
    ("memory pressure", memory::pressure,
     "programs that wait for memory are slowed by the kernel, not by their code"),
    ("battery", clock::battery,
     "on battery the firmware lowers clocks to save energy"),
    ("counters", neighbours::counters,
     "hardware counters explain a difference; times do not need them"),
    ("build profile", not_built,
     "a debug build measures the compiler's checks"),
];

/// What the checks look at.
struct Seen<'r> {
    view: View<'r>,
    cpu: usize,
    load: Load,
}

/// An answer without the question.
struct Finding {
    answer: Answer,
    found: String,
    from: String,
    remedy: Option<String>,
}

impl Finding {
    fn good(found: impl Into<String>, from: impl Into<String>) -> Finding {
        Finding { answer: Answer::Good, found: found.into(), from: from.into(), remedy: None }
    }

    fn unknown(found: impl Into<String>, from: impl Into<String>) -> Finding {
        Finding { answer: Answer::Unknown, ..Finding::good(found, from) }
    }

    fn bad(found: impl Into<String>, from: impl Into<String>, remedy: String) -> Finding {
        Finding { answer: Answer::Bad, remedy: Some(remedy), ..Finding::good(found, from) }
    }

    /// The system does not say.
    fn unread(from: impl Into<String>) -> Finding {
        Finding::unknown("nothing to read", from)
    }

    /// Adds something that can be done though it is not needed.
    fn hint(self, remedy: String) -> Finding {
        Finding { remedy: Some(remedy), ..self }
    }

    fn named(self, name: &str, why: &str) -> Check {
        let Finding { answer, found, from, remedy } = self;
        Check { name: name.into(), answer, found, from, remedy, why: why.into() }
    }
}

/// Runs the command.
///
/// # Errors
///
/// A CPU that does not exist.
pub(crate) fn run(flags: &flags::CheckMachine, out: &mut impl io::Write) -> anyhow::Result<End> {
    let root = Path::new("/");
    let cpu = flags.cpu.unwrap_or_else(|| quietest_cpu(root));
    require_cpu(root, cpu).map_err(|error| Usage(error.to_string()))?;
    let machine = examine(root, cpu);
    let (header, rows) = rows(&machine);
    let table = Table {
        title: machine.title(),
        columns: header.iter().map(|title| Column::left(title, title)).collect(),
        rows: rows.into_iter().map(|row| row.into_iter().map(Into::into).collect()).collect(),
        notes: remedies(&machine),
        ..Table::default()
    };
    table::print(&[table], flags.format.unwrap_or_default(), out)?;
    Ok(End::good_if(!machine.is_bad()))
}

/// Looks at the machine as the given CPU will see it; takes a fifth of a second.
///
/// Files are read below `root`, which is `/` but for recorded trees.
/// What cannot be read is unknown and never an error; on a system without `/proc` and `/sys` that is everything.
pub(crate) fn examine(root: &Path, cpu: usize) -> Machine {
    let view = View(root);
    let seen = Seen { view, cpu, load: Load::sample(view) };
    let answer = |(name, ask, why): &Question| ask(&seen).named(name, why);
    Machine { checks: QUESTIONS.iter().map(answer).collect(), ..facts::facts(view, cpu) }
}

/// The check of the programs that will be measured, as cargo says it built them; `Machine::replace` takes it.
///
/// Source: `profile` in the `compiler-artifact` messages of `cargo build --message-format json`.
pub(crate) fn build_profile(opt_level: &str, debug_assertions: bool) -> Check {
    let assertions = if debug_assertions { "with" } else { "no" };
    let found = format!("opt-level {opt_level}, {assertions} debug assertions");
    let from = "cargo's messages";
    let finding = if opt_level == "3" && !debug_assertions {
        Finding::good(found, from)
    } else {
        let remedy = "`env | grep CARGO_PROFILE`, and unset what it shows".to_string();
        Finding::bad(found, from, remedy)
    };
    let why = QUESTIONS.iter().find(|(name, ..)| *name == "build profile").map_or("", |q| q.2);
    finding.named("build profile", why)
}

fn not_built(_: &Seen<'_>) -> Finding {
    Finding::unknown("`bench` builds first, then looks", "cargo's messages")
}

/// The CPU to measure on: the least busy one that this process may use and that is not CPU 0.
///
/// CPU 0 takes most interrupts, so it is chosen only if there is no other.
/// Where cores are of two kinds, a fast one is preferred, so that two runs do not end on two kinds.
/// A busy sibling counts as much as a busy CPU; among equals the highest number wins.
pub(crate) fn quietest_cpu(root: &Path) -> usize {
    let view = View(root);
    match neighbours::candidates(view)[..] {
        [] => 0,
        [only] => only,
        ref several => neighbours::quietest(view, &Load::sample(view), several).unwrap_or(0),
    }
}

/// CPUs that are online and that this process may use; empty if the system does not say.
pub(crate) fn allowed_cpus(root: &Path) -> Vec<usize> {
    View(root).allowed()
}

/// Whether `--cpu` names a CPU that can be measured on.
///
/// Isolated CPUs can, though the mask that a process inherits leaves them out.
///
/// # Errors
/// If this process may not use the CPU, or there is none of that number; the error lists those there are.
pub(crate) fn require_cpu(root: &Path, cpu: usize) -> anyhow::Result<()> {
    let mut usable = allowed_cpus(root);
    usable.extend(View(root).cpus(neighbours::ISOLATED).unwrap_or_default());
    usable.sort_unstable();
    usable.dedup();
    anyhow::ensure!(
        usable.is_empty() || usable.contains(&cpu),
        "CPU {cpu} does not exist, or this process may not use it\n  usable: {0}\n  fix:    `--cpu` with one of {0}",
        list(&usable)
    );
    Ok(())
}

/// Current clock of a CPU by its maximum, from 0 to about 1; `None` where cpufreq does not tell.
pub(crate) fn clock_ratio(root: &Path, cpu: usize) -> Option<f64> {
    clock::ratio(View(root), cpu)
}

/// The checks as a table.
pub(crate) fn rows(machine: &Machine) -> ([&'static str; 4], Vec<Vec<String>>) {
    let row = |check: &Check| {
        let answer = check.answer.as_str().to_string();
        vec![check.name.clone(), answer, check.found.clone(), check.from.clone()]
    };
    (["check", "answer", "found", "read from"], machine.checks.iter().map(row).collect())
}

/// The lines below the table: why each bad finding harms and what mends it, then what else could be done.
pub(crate) fn remedies(machine: &Machine) -> Vec<String> {
    let mut lines = Vec::new();
    for check in machine.answered(Answer::Bad) {
        lines.push(format!("{} is bad: {}", check.name, check.why));
        lines.extend(check.remedy.iter().map(|remedy| format!("  fix: {remedy}")));
    }
    for check in machine.checks.iter().filter(|check| check.answer != Answer::Bad) {
        lines
            .extend(check.remedy.iter().map(|hint| format!("{}, if you like: {hint}", check.name)));
    }
    lines
}

#[cfg(test)]
mod tests;
