//! `native`: what the harness and the foreign boundary cost, against a program in the library's own language.
//!
//! Three processes per round: the native program, the native program again, and ours.
//! The second one shows what two programs that are the same differ by on this machine.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::{Context as _, bail, ensure};
use protocol::{
    job::{Job, Operation, Task, WarmUp},
    record::Measurement,
};
use verdict::{geometric_mean, median, summarize};

use crate::{
    check, check_machine,
    flags::Native,
    interrupt,
    prepare::{self, Wish},
    progress::Progress,
    spawn::{self, Ended, environment},
    store::write_whole,
    table::{self, Cell, Column, Table},
    usage::{End, Usage},
};

/// Pairs, if not said otherwise: enough to resolve about 3 % on a noisy machine.
const ROUNDS: u32 = 30;

/// The same for both sides, as all that decides what is timed.
const SAMPLES: u32 = 20;
const WARM_UP_MS: u64 = 200;
const LIMIT: Duration = Duration::from_secs(120);

/// What runs in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Native,
    NativeAgain,
    Ours,
}

/// Process values by round, for a codec, operation and dataset.
type Values = BTreeMap<(String, Operation, String), BTreeMap<u32, [Option<f64>; 3]>>;

/// Runs the command.
///
/// # Errors
///
/// A wrong command line, a program that cannot be built, and one that fails.
pub(crate) fn run(root: &Path, flags: &Native, out: &mut impl io::Write) -> anyhow::Result<End> {
    let operations = if flags.operation.is_empty() {
        vec![Operation::Parse, Operation::Serialize, Operation::Stats]
    } else {
        flags.operation.clone()
    };
    let wish = Wish {
        codecs: &flags.codec,
        sources: &flags.source,
        operations: &operations,
        native: true,
        ..Wish::default()
    };
    ensure!(
        flags.rounds != Some(0),
        Usage("`--rounds 0` measures nothing\n  fix: 1 or more, or leave it out".into())
    );
    let mut contestants = prepare::contestants(root, &wish)?;
    contestants.retain(|contestant| contestant.entry.native);
    ensure!(
        !contestants.is_empty(),
        Usage("none of these codecs has a native program\n  fix: leave `--codec` out to see those that have".into())
    );
    let cpu = match flags.cpu {
        Some(cpu) => cpu,
        None => check_machine::quietest_cpu(Path::new("/")),
    };
    check_machine::require_cpu(Path::new("/"), cpu).map_err(|error| Usage(error.to_string()))?;
    let machine = crate::bench::conditions::examine(Some(cpu));
    eprintln!("machine: {}", machine.summary());
    let messages = prepare::messages(root, &flags.dataset, &flags.input)?;
    let scratch = tempfile::tempdir().context("no folder for temporary files")?;
    let rounds = flags.rounds.unwrap_or(ROUNDS);

    let ready = prepare::build(root, &wish, contestants)?;
    let mut progress =
        Progress::new(u64::from(rounds) * ready.len() as u64 * operations.len() as u64);
    let mut values = Values::new();
    let mut random = fastrand::Rng::new();
    for round in 0..rounds {
        for ready in &ready {
            let id = ready.contestant.id();
            let Ok(built) = &ready.built else { bail!("{id} was not built") };
            for &operation in &operations {
                if interrupt::wished() {
                    progress.finish();
                    table::print(&[table(&values, rounds)], flags.format.unwrap_or_default(), out)?;
                    return Ok(End::Interrupted);
                }
                progress.now(&format!("round {}: {operation} {id}", round + 1));
                let ours = built.timed(&ready.contestant.entry, operation);
                let ours = ours.with_context(|| format!("no program of {id} for {operation}"))?;
                let native =
                    built.native().with_context(|| format!("{id} has no native program"))?;
                let mut sides = [Side::Native, Side::NativeAgain, Side::Ours];
                random.shuffle(&mut sides);
                for side in sides {
                    let variant = &ready.contestant.entry.variant;
                    let mut command = match side {
                        Side::Ours => {
                            our_command(ours, &id, operation, cpu, &messages, scratch.path())?
                        }
                        _ => native_command(&native, variant, operation, cpu, &messages),
                    };
                    command.env_clear().envs(environment());
                    // The same spread of layouts on all sides.
                    command.env("LUCK", "x".repeat(random.usize(..4096)));
                    for (dataset, value) in measure(&mut command, &messages, scratch.path())? {
                        let key = (id.clone(), operation, dataset);
                        let cell = values.entry(key).or_default().entry(round).or_default();
                        cell[side as usize] = Some(value);
                    }
                }
                progress.step();
            }
        }
    }
    progress.finish();
    table::print(&[table(&values, rounds)], flags.format.unwrap_or_default(), out)?;
    Ok(End::Good)
}

fn batch(message: &dataset::Built) -> u64 {
    crate::bench::conditions::batch(message.bytes.len() as u64)
}

fn native_command(
    program: &Path,
    variant: &str,
    operation: Operation,
    cpu: usize,
    messages: &[dataset::Built],
) -> Command {
    let mut command = Command::new(program);
    command.args([variant, operation.name(), &cpu.to_string()]);
    command.args([WARM_UP_MS.to_string(), SAMPLES.to_string()]);
    for message in messages {
        command.arg(batch(message).to_string()).arg(&message.path);
    }
    command
}

fn our_command(
    program: &PathBuf,
    id: &str,
    operation: Operation,
    cpu: usize,
    messages: &[dataset::Built],
    scratch: &Path,
) -> anyhow::Result<Command> {
    let least_ns = WARM_UP_MS * 1_000_000;
    let task = |message: &dataset::Built| Task {
        dataset: message.path.display().to_string(),
        input: message.path.clone(),
        expect: check::content(message),
        batch: batch(message),
        samples: SAMPLES,
    };
    let job = Job {
        codec: id.into(),
        operation,
        cpu: Some(cpu),
        memory_limit_bytes: None,
        stack_offset_frames: 0,
        heap_offset_bytes: 0,
        scratch: scratch.into(),
        datasets: messages.iter().map(task).collect(),
        warm_up: WarmUp { least_ns, least_operations: 5, most_ns: least_ns },
        lock_step: false,
    };
    let file = scratch.join("job.json");
    write_whole(&file, &job)?;
    let mut command = Command::new(program);
    command.arg(file);
    Ok(command)
}

fn measure(
    command: &mut Command,
    messages: &[dataset::Built],
    scratch: &Path,
) -> anyhow::Result<Vec<(String, f64)>> {
    let mut values = Vec::new();
    let errors = scratch.join("errors");
    let ended = spawn::run(command, &errors, LIMIT, |line| {
        let measured: Measurement =
            serde_json::from_str(&line).with_context(|| format!("no measurement: {line}"))?;
        ensure!(measured.outcome.is_measured(), "{}", measured.outcome);
        let least = measured.samples_ns.iter().min().context("no sample")?;
        let message =
            messages.iter().find(|message| message.path.display().to_string() == measured.dataset);
        let id =
            message.with_context(|| format!("no such message: {}", measured.dataset))?.id.clone();
        values.push((id, *least as f64 / measured.operations_per_sample as f64));
        Ok(())
    })?;
    match ended {
        Ended::Badly(outcome) => {
            let said = std::fs::read_to_string(errors).unwrap_or_default();
            bail!("{} {outcome}\n{said}", command.get_program().display())
        }
        Ended::Well | Ended::Interrupted => Ok(values),
    }
}

fn table(values: &Values, rounds: u32) -> Table {
    let mut rows = Vec::new();
    let mut medians: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for ((id, operation, dataset), cells) in values {
        let pairs = |side: Side| -> Vec<f64> {
            let pair = |cell: &[Option<f64>; 3]| Some(cell[side as usize]? / cell[0]?);
            cells.values().filter_map(pair).collect()
        };
        let native: Vec<f64> = cells.values().filter_map(|cell| cell[0]).collect();
        let mut row =
            vec![Cell::from(id.as_str()), operation.name().into(), dataset.as_str().into()];
        row.push(match summarize(&native) {
            Some(summary) => Cell::number(summary.minimum, format!("{:.2}", summary.minimum / 1e3)),
            None => Cell::missing(),
        });
        for side in [Side::Ours, Side::NativeAgain] {
            let mut ratios = pairs(side);
            ratios.sort_by(f64::total_cmp);
            let Some(middle) = median(&ratios) else {
                let cells = if side == Side::Ours { 3 } else { 2 };
                row.extend(std::iter::repeat_n(Cell::missing(), cells));
                continue;
            };
            let quarter = ratios.len() / 4;
            let range =
                format!("{:.3} to {:.3}", ratios[quarter], ratios[ratios.len() - 1 - quarter]);
            row.extend([Cell::number(middle, format!("{middle:.3}")), range.into()]);
            if side == Side::Ours {
                let ours: Vec<f64> =
                    cells.values().filter_map(|cell| cell[side as usize]).collect();
                row.push(summarize(&ours).zip(summarize(&native)).map_or(
                    Cell::missing(),
                    |(ours, native)| {
                        let difference = ours.minimum - native.minimum;
                        Cell::number(difference, format!("{difference:+.0}"))
                    },
                ));
            }
            let name = if side == Side::Ours { "ours" } else { "native again" };
            medians.entry(name).or_default().push(middle);
        }
        rows.push(row);
    }
    let mut notes = vec![format!(
        "{rounds} rounds; ratios of process values within a round, their median and the range of their middle half; difference of the minima"
    )];
    for (name, medians) in medians {
        if let Some(mean) = geometric_mean(&medians) {
            notes.push(format!(
                "{name} / native: geometric mean {mean:.4} over {} cells",
                medians.len()
            ));
        }
    }
    let columns = vec![
        Column::left("codec", "codec"),
        Column::left("operation", "operation"),
        Column::left("dataset", "dataset"),
        Column::right("native µs", "native_minimum_ns"),
        Column::right("ours / native", "ours_ratio"),
        Column::left("middle half", "ours_middle_half"),
        Column::right("difference ns", "ours_minus_native_ns"),
        Column::right("native / native", "native_ratio"),
        Column::left("middle half", "native_middle_half"),
    ];
    Table { title: "native".into(), columns, rows, notes, ..Table::default() }
}
