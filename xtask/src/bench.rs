//! `bench`: plans a run, has every output checked, measures, and prints what came out.

pub(crate) mod conditions;
mod other;
mod profile;
mod resume;

use std::{
    io,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use protocol::{
    METHOD,
    job::Operation,
    machine::Machine,
    outcome::Outcome,
    run::{CodecInfo, Pair, Profile, Run, Stored},
};
use verdict::Word;

use crate::{
    check_machine,
    flags::Bench,
    identity,
    measure::{Places, measure, now_unix_ms, show_command},
    prepare::{self, Contestant, Wish},
    store::{self, Store},
    summary, table,
    usage::{End, Usage},
};
use other::Other;

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
    profile::refuse_contradictions(flags)?;
    let amount = profile::amount(flags);
    let operations = if flags.operation.is_empty() {
        Operation::ALL.to_vec()
    } else {
        Operation::ALL.into_iter().filter(|known| flags.operation.contains(known)).collect()
    };
    let mut filters = flags.codec.clone();
    if !filters.is_empty() {
        filters.extend(flags.against.clone());
    }
    let wish = Wish {
        codecs: &filters,
        adapters: &flags.adapter,
        sources: &flags.source,
        operations: &operations,
        controls: true,
        relinks: amount.relinks,
        ..Wish::default()
    };
    let contestants = prepare::contestants(root, &wish)?;
    let named = |flag, id: &Option<String>| {
        id.as_deref().map(|id| one_codec(flag, id, &contestants)).transpose()
    };
    let (twin, base) = (named("--aa", &flags.aa)?, named("--against", &flags.against)?);
    let other = Other::asked(&flags.against_source, &contestants)?;
    let cpu = conditions::cpu(flags.cpu)?;
    if flags.list {
        return list(root, flags, &contestants, &operations, out);
    }
    let messages = prepare::messages(root, &flags.dataset, &flags.input)?;
    let datasets = conditions::datasets(&messages, &flags.input, amount.samples)?;
    // Before the build, which takes minutes; the record holds what is seen after it.
    if !flags.show_command {
        store::require_writable(&results(root, flags))?;
        if is_refused(&conditions::examine(cpu), flags.allow_noisy) {
            return Ok(End::Refused);
        }
    }

    let ready = prepare::build(root, &wish, contestants)?;
    let against = other.build(root, &wish)?;
    let scratch = scratch(root)?;
    let mut codecs = conditions::codecs(&ready, &messages, &operations, &scratch)?;
    let others = conditions::codecs(&against, &messages, &operations, &scratch)?;
    let pairs = match &base {
        Some(base) => pairs_with(base, &codecs),
        None => others
            .iter()
            .map(|other| Pair { codec: other.id.clone(), base: conditions::against_id(&other.id) })
            .collect(),
    };
    codecs.extend(others.into_iter().map(other::second_name));
    codecs.extend(twin_of(twin.as_deref(), &codecs));
    let run = Run {
        method: METHOD,
        profile: amount.profile,
        started_unix_ms: now_unix_ms(),
        seed: flags.seed.unwrap_or_else(|| fastrand::u64(..)),
        rounds: profile::rounds(flags, &codecs, &pairs),
        minutes: flags.minutes,
        lock_step: flags.lock_step,
        relinks: amount.relinks,
        pairs,
        cpu,
        time_limit_s: flags.time_limit.unwrap_or(TIME_LIMIT_S),
        warm_up: amount.warm_up,
        datasets,
        codecs,
        tools: identity::tools(root)?,
        operations,
    };
    let places = conditions::places(&ready, &against, &run.operations, &messages, scratch)?;
    if flags.show_command {
        return show_commands(&run, &places, out);
    }
    let lock = conditions::lock_cpu(cpu, flags.allow_noisy)?;
    let machine = conditions::examine(cpu);
    if is_refused(&machine, flags.allow_noisy) {
        return Ok(End::Refused);
    }
    eprintln!("machine: {}", machine.summary());
    conditions::settle(cpu);

    let store = Store::create(&results(root, flags), &run, &machine)?;
    let lacking = ready
        .iter()
        .chain(&against)
        .any(|ready| ready.built.is_err() && (ready.contestant.by_name || flags.require_all));
    let end = finish(&store, &places, lacking, format, out)?;
    drop(lock);
    if run.profile == Profile::Publish && end != End::Interrupted {
        return with_conformance(root, flags, &store.folder, end, out);
    }
    Ok(end)
}

/// Whether the machine is known to be bad for measuring, and nobody said that it does not matter.
fn is_refused(machine: &Machine, allow_noisy: bool) -> bool {
    let is_allowed = allow_noisy || std::env::var_os("ALLOW_NOISY").is_some();
    let is_refused = machine.is_bad() && !is_allowed;
    if is_refused {
        eprintln!("error: {}", machine.summary());
        check_machine::remedies(machine).iter().for_each(|line| eprintln!("  {line}"));
        eprintln!("  fix: the above, or `--allow-noisy` to measure all the same");
    }
    is_refused
}

/// Runs the conformance suite into the record of a run.
fn with_conformance(
    root: &Path,
    flags: &Bench,
    folder: &Path,
    end: End,
    out: &mut impl io::Write,
) -> anyhow::Result<End> {
    let flags = crate::flags::Conformance {
        codec: flags.codec.clone(),
        case: Vec::new(),
        adapter: flags.adapter.clone(),
        source: flags.source.clone(),
        require_all: flags.require_all,
        explain: false,
        message: None,
        fuzz: None,
        messages: None,
        seed: None,
        results: None,
        into: Some(folder.to_owned()),
        format: flags.format,
    };
    let conformance = crate::conformance::run(root, &flags, out)?;
    Ok(if conformance == End::Good { end } else { conformance })
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
    let whole = measure(store, &mut Stored::read(folder)?, places)?;
    let stored = Stored::read(folder)?;
    let compared = analysis::within_run(&stored, &stored.run.pairs);
    let mut tables = summary::tables(&stored);
    if !compared.is_empty() {
        tables.push(summary::pairs_table(&stored, &compared));
    }
    table::print(&tables, format, out)?;
    stored.skipped.iter().for_each(|line| eprintln!("{line}"));
    eprintln!("record: {}", folder.display());
    if !whole {
        eprintln!(
            "stopped before the end; `cargo xtask bench --resume {}` measures what is missing",
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
    let several = stored.run.datasets.len() > 1;
    let slower = compared
        .iter()
        .filter(|one| one.dataset.is_none() || !several)
        .any(|one| one.word == Word::Slower);
    Ok(End::good_if(!lacking && !wrong && !failed && !slower))
}

fn excluded(codec: &CodecInfo) -> String {
    codec.excluded.as_ref().map(ToString::to_string).unwrap_or_default()
}

/// The codec that a flag names; it must be one.
fn one_codec(flag: &str, id: &str, contestants: &[Contestant]) -> anyhow::Result<String> {
    let contestants = contestants.iter().filter(|contestant| !contestant.entry.is_control());
    let all: Vec<String> = contestants.map(Contestant::id).collect();
    let named = crate::filter::select(flag, &[id.to_owned()], &all, String::clone)?;
    match named[..] {
        [one] => Ok(one.clone()),
        _ => Err(Usage(format!(
            "`{flag} {id}` names {} codecs\n  fix: name one of them: {}",
            named.len(),
            named.into_iter().cloned().collect::<Vec<_>>().join(", ")
        ))
        .into()),
    }
}

/// The program of a codec under a second name: this one's, or else that of the first that can be measured.
fn twin_of(wanted: Option<&str>, codecs: &[CodecInfo]) -> Option<CodecInfo> {
    let is_it = |codec: &&CodecInfo| match wanted {
        Some(id) => codec.id == id,
        None => {
            !analysis::is_control(&codec.id)
                && codec.excluded.is_none()
                && codec.against_of.is_none()
        }
    };
    let original = codecs.iter().find(is_it)?.clone();
    let (id, twin_of) = (format!("{}-again", original.id), Some(original.id.clone()));
    Some(CodecInfo { id, twin_of, ..original })
}

/// All other contestants, each with the one that stands for 1.
fn pairs_with(base: &str, codecs: &[CodecInfo]) -> Vec<Pair> {
    let others = codecs.iter().filter(|codec| codec.id != base && !analysis::is_control(&codec.id));
    others.map(|codec| Pair { codec: codec.id.clone(), base: base.to_owned() }).collect()
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
