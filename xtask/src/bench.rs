//! `bench`: plans a run, has every output checked, measures, and prints what came out.

pub(crate) mod conditions;
mod resume;

use std::{
    io,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, ensure};
use protocol::{
    METHOD,
    job::{Operation, WarmUp},
    outcome::Outcome,
    run::{CodecInfo, Run, Stored},
};

use crate::{
    check_machine,
    flags::Bench,
    identity,
    measure::{Places, measure, now_unix_ms, show_command},
    prepare::{self, Contestant, Wish},
    store::Store,
    summary, table,
    usage::{End, Usage},
};

/// Processes for each codec and operation, if not said otherwise: what the verdicts of a table of nine codecs need.
const ROUNDS: u32 = 9;

const WARM_UP: WarmUp =
    WarmUp { least_ns: 200_000_000, least_operations: 5, most_ns: 2_000_000_000 };

const QUICK_WARM_UP: WarmUp =
    WarmUp { least_ns: 50_000_000, least_operations: 5, most_ns: 500_000_000 };

/// Longest time for one process, if not said otherwise.
const TIME_LIMIT_S: u64 = 120;

/// Runs the command.
///
/// # Errors
///
/// A wrong command line, and everything that keeps a run from being started or recorded.
pub(crate) fn run(root: &Path, flags: &Bench, out: &mut impl io::Write) -> anyhow::Result<End> {
    let format = flags.format.unwrap_or_default();
    if let Some(name) = &flags.resume {
        resume::refuse_other(flags)?;
        return resume::run(root, &results(root, flags), name, format, out);
    }
    ensure!(flags.rounds != Some(0), Usage("`--rounds 0` measures nothing".into()));
    let operations = if flags.operation.is_empty() {
        Operation::ALL.to_vec()
    } else {
        Operation::ALL.into_iter().filter(|known| flags.operation.contains(known)).collect()
    };
    let wish = Wish {
        codecs: &flags.codec,
        adapters: &flags.adapter,
        sources: &flags.source,
        operations: &operations,
        native: false,
        controls: true,
    };
    let contestants = prepare::contestants(root, &wish)?;
    let twin = flags.aa.as_deref().map(|id| twin(&contestants, id)).transpose()?;
    let cpu = conditions::cpu(flags.cpu)?;
    if flags.list {
        return list(root, flags, &contestants, &operations, out);
    }

    let messages = prepare::messages(root, &flags.dataset, &flags.input)?;
    let ready = prepare::build(root, &wish, contestants)?;
    let scratch = scratch(root)?;
    let mut codecs = conditions::codecs(&ready, &messages, &operations, &scratch)?;
    if let Some(twin) = twin {
        let original = codecs.iter().find(|codec| codec.id == twin).cloned();
        codecs.extend(original.map(|original| CodecInfo {
            id: format!("{twin}-again"),
            twin_of: Some(twin),
            ..original
        }));
    }
    let run = Run {
        method: METHOD,
        quick: flags.quick,
        started_unix_ms: now_unix_ms(),
        seed: flags.seed.unwrap_or_else(|| fastrand::u64(..)),
        rounds: flags.rounds.unwrap_or(if flags.quick { 1 } else { ROUNDS }),
        cpu,
        time_limit_s: flags.time_limit.unwrap_or(TIME_LIMIT_S),
        warm_up: if flags.quick { QUICK_WARM_UP } else { WARM_UP },
        datasets: conditions::datasets(&messages, flags)?,
        codecs,
        tools: identity::tools(root)?,
        operations,
    };
    let places = conditions::places(&ready, &run.operations, &messages, scratch);
    if flags.show_command {
        return show_commands(&run, &places, out);
    }
    let machine = conditions::examine(cpu);
    if machine.is_bad() && !flags.allow_noisy && std::env::var_os("ALLOW_NOISY").is_none() {
        eprintln!("error: {}", machine.summary());
        check_machine::remedies(&machine).iter().for_each(|line| eprintln!("  {line}"));
        eprintln!("  fix: the above, or `--allow-noisy` to measure all the same");
        return Ok(End::Refused);
    }
    eprintln!("machine: {}", machine.summary());
    conditions::settle(cpu);

    let store = Store::create(&results(root, flags), &run, &machine)?;
    let lacking = ready
        .iter()
        .any(|ready| ready.built.is_err() && (ready.contestant.by_name || flags.require_all));
    finish(&store, &places, lacking, format, out)
}

/// Measures what is missing, then prints the tables.
fn finish(
    store: &Store,
    places: &Places,
    lacking: bool,
    format: table::Format,
    out: &mut impl io::Write,
) -> anyhow::Result<End> {
    let folder = &store.folder;
    let whole = measure(store, &Stored::read(folder)?, places)?;
    let stored = Stored::read(folder)?;
    table::print(&summary::tables(&stored), format, out)?;
    stored.skipped.iter().for_each(|line| eprintln!("{line}"));
    eprintln!("record: {}", folder.display());
    if !whole {
        eprintln!(
            "stopped with {} samples to go; `cargo xtask bench --resume {}` measures them",
            stored.missing().len(),
            folder.display()
        );
        return Ok(End::Interrupted);
    }
    let not_built = |codec: &&CodecInfo| matches!(codec.excluded, Some(Outcome::NotBuilt(_)));
    for codec in stored.run.codecs.iter().filter(not_built) {
        eprintln!("skipped: {}: {}", codec.id, excluded(codec));
    }
    let wrong = stored
        .run
        .codecs
        .iter()
        .any(|codec| !matches!(codec.excluded, None | Some(Outcome::NotBuilt(_))));
    let failed = stored.rows.iter().any(|row| !row.measurement.outcome.is_measured());
    Ok(End::good_if(!lacking && !wrong && !failed))
}

fn excluded(codec: &CodecInfo) -> String {
    codec.excluded.as_ref().map(ToString::to_string).unwrap_or_default()
}

/// The codec that `--aa` names; it must be one.
fn twin(contestants: &[Contestant], id: &str) -> anyhow::Result<String> {
    let all: Vec<String> = contestants.iter().map(Contestant::id).collect();
    let named = crate::filter::select("--aa", &[id.to_owned()], &all, String::clone)?;
    match named[..] {
        [one] => Ok(one.clone()),
        _ => {
            Err(Usage(format!("`--aa {id}` names {} codecs\n  fix: name one", named.len())).into())
        }
    }
}

fn results(root: &Path, flags: &Bench) -> PathBuf {
    flags.results.clone().unwrap_or_else(|| root.join("results"))
}

fn scratch(root: &Path) -> anyhow::Result<PathBuf> {
    let scratch = root.join("target/packbench");
    std::fs::create_dir_all(&scratch)
        .with_context(|| format!("cannot write to {}", scratch.display()))?;
    Ok(scratch)
}

fn list(
    root: &Path,
    flags: &Bench,
    contestants: &[Contestant],
    operations: &[Operation],
    out: &mut impl io::Write,
) -> anyhow::Result<End> {
    let datasets = if flags.input.is_empty() {
        prepare::dataset_ids(root, &flags.dataset)?
    } else {
        flags.input.iter().map(|file| file.display().to_string()).collect()
    };
    for contestant in contestants {
        for operation in operations {
            for dataset in &datasets {
                writeln!(out, "{} {operation} {dataset}", contestant.id())?;
            }
        }
    }
    Ok(End::Good)
}

fn show_commands(run: &Run, places: &Places, out: &mut impl io::Write) -> anyhow::Result<End> {
    for codec in run.codecs.iter().filter(|codec| codec.excluded.is_none()) {
        for &operation in &run.operations {
            writeln!(out, "{}", show_command(run, codec, operation, places)?)?;
        }
    }
    Ok(End::Good)
}
