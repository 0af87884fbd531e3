//! `bench`: plans a run, has every output checked, measures, and prints what came out.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, ensure};
use dataset::Built as Message;
use protocol::{
    METHOD,
    job::{Operation, WarmUp},
    machine::Machine,
    outcome::Outcome,
    run::{CodecInfo, DatasetInfo, Run, Stored},
};

use crate::{
    check, check_machine, identity, interrupt,
    flags::Bench,
    measure::{Places, measure, now_unix_ms, show_command},
    prepare::{self, Contestant, Ready, Wish},
    progress::Progress,
    store::Store,
    summary, table,
    usage::{End, Usage},
};

/// Processes for each codec and operation, if not said otherwise: what the verdicts of a table of nine codecs need.
const ROUNDS: u32 = 9;

/// Clock readings per process; chosen, because rounds buy more certainty than long samples.
const SAMPLES: u32 = 20;

/// The fewest that the sampling engine accepts.
const QUICK_SAMPLES: u32 = 10;

/// Bytes that a clock reading covers at least, so that no sample is shorter than 20 µs below 3 GB/s.
const BATCH_BYTES: u64 = 64 << 10;

const WARM_UP: WarmUp =
    WarmUp { least_ns: 200_000_000, least_operations: 5, most_ns: 2_000_000_000 };

const QUICK_WARM_UP: WarmUp =
    WarmUp { least_ns: 50_000_000, least_operations: 5, most_ns: 500_000_000 };

/// Share of its maximum at which a clock counts as settled, and the longest time to wait for that.
const SETTLED: f64 = 0.98;
const SETTLE: Duration = Duration::from_secs(120);

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
        refuse_with_resume(flags)?;
        return resume(root, name, format, out);
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
    let cpu = cpu(flags.cpu)?;
    if flags.list {
        return list(root, flags, &contestants, &operations, out);
    }

    let messages = prepare::messages(root, &flags.dataset, &flags.input)?;
    let ready = prepare::build(root, &wish, contestants)?;
    let scratch = scratch(root)?;
    let mut codecs = judge(&ready, &messages, &operations, &scratch)?;
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
        datasets: dataset_infos(&messages, flags)?,
        codecs,
        tools: identity::tools(root)?,
        operations,
    };
    let places = places(&ready, &run.operations, &messages, scratch);
    if flags.show_command {
        return show_commands(&run, &places, out);
    }
    let machine = examine(cpu);
    if machine.is_bad() && !flags.allow_noisy && std::env::var_os("ALLOW_NOISY").is_none() {
        eprintln!("error: {}", machine.summary());
        check_machine::remedies(&machine).iter().for_each(|line| eprintln!("  {line}"));
        eprintln!("  fix: the above, or `--allow-noisy` to measure all the same");
        return Ok(End::Refused);
    }
    eprintln!("machine: {}", machine.summary());
    settle(cpu);

    let store = Store::create(&root.join("results"), &run, &machine)?;
    let lacking = ready.iter().any(|ready| {
        ready.built.is_err() && (ready.contestant.by_name || flags.require_all)
    });
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

/// Takes up a run that was cut short.
fn resume(
    root: &Path,
    name: &str,
    format: table::Format,
    out: &mut impl io::Write,
) -> anyhow::Result<End> {
    let inside = root.join("results").join(name);
    let folder = if Path::new(name).is_dir() { PathBuf::from(name) } else { inside };
    ensure!(folder.is_dir(), Usage(format!(
        "there is no run `{name}`\n  fix: name a folder, such as one of those in {}",
        root.join("results").display()
    )));
    let (store, stored) = Store::reopen(&folder)?;
    let run = &stored.run;
    ensure!(
        run.method == METHOD,
        "{} was measured by METHOD {}, this is METHOD {METHOD}\n  fix: start a new run",
        folder.display(),
        run.method
    );
    stored.skipped.iter().for_each(|line| eprintln!("{line}"));

    let included: Vec<&CodecInfo> =
        run.codecs.iter().filter(|codec| codec.excluded.is_none() && codec.twin_of.is_none()).collect();
    let ids: Vec<String> = included.iter().map(|codec| codec.id.clone()).collect();
    let mut adapters: Vec<PathBuf> =
        included.iter().filter_map(|codec| codec.adapter.clone()).collect();
    adapters.dedup();
    let sources: Vec<String> = included
        .iter()
        .filter_map(|codec| {
            let source = codec.source.as_ref().filter(|source| source.client == "folder")?;
            Some(format!("{}={}", codec.id.split('/').nth(1)?, source.package))
        })
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect();
    let wish = Wish {
        codecs: &ids,
        adapters: &adapters,
        sources: &sources,
        operations: &run.operations,
        native: false,
        controls: true,
    };
    let files: Vec<PathBuf> =
        run.datasets.iter().filter_map(|dataset| dataset.file.clone()).collect();
    let filters: Vec<String> = run.datasets.iter().map(|dataset| dataset.id.clone()).collect();
    let messages = prepare::messages(root, &filters, &files)?;
    for dataset in &run.datasets {
        let same = messages.iter().any(|message| message.sha256 == dataset.sha256);
        ensure!(same, "`{}` is not the message that this run began with\n  fix: start a new run", dataset.id);
    }
    let ready = prepare::build(root, &wish, prepare::contestants(root, &wish)?)?;
    let places = places(&ready, &run.operations, &messages, scratch(root)?);
    for codec in included {
        for (&operation, program) in &codec.programs {
            let path = places.programs.get(&(codec.id.clone(), operation));
            let now = path.map(|path| identity::program(path)).transpose()?;
            ensure!(
                now.as_ref() == Some(program),
                "the program of `{}` for `{operation}` is not the one that this run began with\n  fix: go back to the state of that run, or start a new one",
                codec.id
            );
        }
    }
    finish(&store, &places, false, format, out)
}

fn refuse_with_resume(flags: &Bench) -> anyhow::Result<()> {
    let other = !flags.codec.is_empty()
        || !flags.dataset.is_empty()
        || !flags.operation.is_empty()
        || !flags.input.is_empty()
        || !flags.adapter.is_empty()
        || !flags.source.is_empty()
        || flags.rounds.is_some()
        || flags.seed.is_some()
        || flags.cpu.is_some()
        || flags.aa.is_some()
        || flags.quick
        || flags.list
        || flags.show_command;
    ensure!(
        !other,
        Usage("`--resume` takes everything from the record\n  fix: leave the other flags out, or start a new run".into())
    );
    Ok(())
}

/// What is known of each codec before the clock: programs, and the oracle's word on its output.
fn judge(
    ready: &[Ready],
    messages: &[Message],
    operations: &[Operation],
    scratch: &Path,
) -> anyhow::Result<Vec<CodecInfo>> {
    let mut progress = Progress::new(ready.len() as u64);
    let mut codecs = Vec::new();
    for ready in ready {
        ensure!(!interrupt::wished(), "stopped before anything was measured");
        let contestant = &ready.contestant;
        progress.now(&format!("checking {}", contestant.id()));
        let mut info = CodecInfo {
            id: contestant.id(),
            twin_of: None,
            package: contestant.adapter.package.clone(),
            adapter: contestant.adapter.outside.clone(),
            description: None,
            source: ready.source.clone(),
            programs: BTreeMap::new(),
            compilers: Vec::new(),
            outputs: BTreeMap::new(),
            excluded: None,
        };
        match &ready.built {
            Err(outcome) => info.excluded = Some(outcome.clone()),
            Ok(built) => {
                let judged = check::of_contestant(contestant, built, messages, scratch)?;
                if let Some((dataset, outcome)) = judged.fault() {
                    progress.say(&format!("error: {} with {dataset}: {outcome}", info.id));
                    info.excluded = Some(outcome.clone());
                }
                info.description = judged.description;
                info.outputs = judged.outputs;
                info.compilers = built.compilers();
                for &operation in operations {
                    let path = built.timed(&contestant.entry, operation);
                    let path = path.with_context(|| {
                        format!("{} has no program for `{operation}`", info.id)
                    })?;
                    info.programs.insert(operation, identity::program(path)?);
                }
            }
        }
        codecs.push(info);
        progress.step();
    }
    progress.finish();
    Ok(codecs)
}

fn places(
    ready: &[Ready],
    operations: &[Operation],
    messages: &[Message],
    scratch: PathBuf,
) -> Places {
    let mut programs = BTreeMap::new();
    for ready in ready {
        let Ok(built) = &ready.built else { continue };
        for &operation in operations {
            if let Some(path) = built.timed(&ready.contestant.entry, operation) {
                programs.insert((ready.contestant.id(), operation), path.clone());
            }
        }
    }
    let inputs =
        messages.iter().map(|message| (message.id.clone(), message.path.clone())).collect();
    Places { programs, inputs, scratch }
}

fn dataset_infos(messages: &[Message], flags: &Bench) -> anyhow::Result<Vec<DatasetInfo>> {
    let mut infos: Vec<DatasetInfo> = Vec::new();
    for (place, message) in messages.iter().enumerate() {
        ensure!(
            infos.iter().all(|info| info.id != message.id),
            "two input files would both be called `{}`\n  fix: rename one",
            message.id
        );
        infos.push(DatasetInfo {
            id: message.id.clone(),
            input_bytes: message.bytes.len() as u64,
            sha256: message.sha256.clone(),
            json_bytes: message.source_json_bytes,
            content: check::content(message),
            batch: batch(message.bytes.len() as u64),
            samples: if flags.quick { QUICK_SAMPLES } else { SAMPLES },
            file: flags.input.get(place).map(std::path::absolute).transpose()?,
        });
    }
    Ok(infos)
}

/// Operations per clock reading for a message of so many bytes, whatever the codec.
pub(crate) fn batch(message_bytes: u64) -> u64 {
    BATCH_BYTES.div_ceil(message_bytes)
}

/// The codec that `--aa` names; it must be one.
fn twin(contestants: &[Contestant], id: &str) -> anyhow::Result<String> {
    let all: Vec<String> = contestants.iter().map(Contestant::id).collect();
    let named = crate::filter::select("--aa", &[id.to_owned()], &all, String::clone)?;
    match named[..] {
        [one] => Ok(one.clone()),
        _ => Err(Usage(format!("`--aa {id}` names {} codecs\n  fix: name one", named.len())).into()),
    }
}

fn cpu(asked: Option<usize>) -> anyhow::Result<Option<usize>> {
    if !cfg!(target_os = "linux") {
        return Ok(None);
    }
    let root = Path::new("/");
    match asked {
        Some(cpu) => {
            check_machine::require_cpu(root, cpu).map_err(|error| Usage(error.to_string()))?;
            Ok(Some(cpu))
        }
        None => Ok(Some(check_machine::quietest_cpu(root))),
    }
}

fn examine(cpu: Option<usize>) -> Machine {
    let mut machine = check_machine::examine(Path::new("/"), cpu.unwrap_or(0));
    machine.replace(check_machine::build_profile("3", false));
    machine
}

/// Waits until the clock is back at its maximum after the build, where the system tells.
fn settle(cpu: Option<usize>) {
    let ratio = || check_machine::clock_ratio(Path::new("/"), cpu.unwrap_or(0));
    let deadline = Instant::now() + SETTLE;
    let mut told = false;
    while ratio().is_some_and(|ratio| ratio < SETTLED) && Instant::now() < deadline {
        if interrupt::wished() {
            return;
        }
        if !std::mem::replace(&mut told, true) {
            eprintln!("waiting for the clock to come back to 98 % of its maximum, 2 minutes at most");
        }
        thread::sleep(Duration::from_secs(1));
    }
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
