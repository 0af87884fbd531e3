//! Under which conditions a run measures: codecs, messages, CPU.

use std::{
    collections::BTreeMap,
    fs::{File, OpenOptions, TryLockError},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, ensure};
use dataset::Built as Message;
use protocol::{
    job::Operation,
    machine::Machine,
    run::{CodecInfo, DatasetInfo},
};

use crate::{
    check, check_machine, identity, interrupt,
    measure::Places,
    prepare::Ready,
    progress::Progress,
    usage::{Stopped, Usage},
};

/// Bytes that a clock reading covers at least, so that no sample is shorter than 20 µs below 3 GB/s.
const BATCH_BYTES: u64 = 64 << 10;

/// Share of its maximum at which a clock counts as settled, and the longest time to wait for that.
const SETTLED: f64 = 0.98;
const SETTLE: Duration = Duration::from_secs(120);

/// What is known of each codec before the clock: programs, and the oracle's word on its output.
pub(crate) fn codecs(
    ready: &[Ready],
    messages: &[Message],
    operations: &[Operation],
    scratch: &Path,
) -> anyhow::Result<Vec<CodecInfo>> {
    let mut progress = Progress::new(ready.len() as u64);
    let mut codecs = Vec::new();
    for ready in ready {
        ensure!(!interrupt::wished(), Stopped);
        let contestant = &ready.contestant;
        progress.now(&format!("checking {}", contestant.id()));
        let mut info = CodecInfo {
            id: contestant.id(),
            twin_of: None,
            against_of: None,
            package: contestant.adapter.package.clone(),
            adapter: contestant.adapter.outside.clone(),
            description: None,
            source: ready.source.clone(),
            programs: BTreeMap::new(),
            relinked: BTreeMap::new(),
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
                    let path = path
                        .with_context(|| format!("{} has no program for `{operation}`", info.id))?;
                    info.programs.insert(operation, identity::program(path)?);
                    let layouts = built.layouts(&contestant.entry, operation).iter();
                    let hashes: anyhow::Result<Vec<String>> =
                        layouts.map(|path| Ok(identity::program(path)?.sha256)).collect();
                    let hashes = hashes?;
                    if !hashes.is_empty() {
                        info.relinked.insert(operation, hashes);
                    }
                }
            }
        }
        codecs.push(info);
        progress.step();
    }
    progress.finish();
    compare_sizes(&mut codecs);
    Ok(codecs)
}

/// What each library adds to the program that does nothing.
fn compare_sizes(codecs: &mut [CodecInfo]) {
    let is_control = |codec: &&CodecInfo| analysis::is_control(&codec.id);
    let Some(empty) = codecs.iter().find(is_control).map(|codec| codec.programs.clone()) else {
        return;
    };
    for codec in codecs {
        for (operation, program) in &mut codec.programs {
            let empty = empty.get(operation).map(|empty| empty.loaded_bytes);
            program.added_bytes =
                empty.map(|empty| program.loaded_bytes.cast_signed() - empty.cast_signed());
        }
    }
}

/// Where the things of a run are on this disk; `against` are the programs from other sources.
///
/// # Errors
///
/// If the harness itself was not built.
pub(crate) fn places(
    ready: &[Ready],
    against: &[Ready],
    operations: &[Operation],
    messages: &[Message],
    scratch: PathBuf,
) -> anyhow::Result<Places> {
    let mut programs = BTreeMap::new();
    let mut canary = None;
    let ours = ready.iter().map(|ready| (ready, ready.contestant.id()));
    let theirs = against.iter().map(|ready| (ready, against_id(&ready.contestant.id())));
    for (ready, id) in ours.chain(theirs) {
        let Ok(built) = &ready.built else { continue };
        canary = canary.or_else(|| built.canary().cloned());
        let entry = &ready.contestant.entry;
        for &operation in operations {
            let layouts = match built.layouts(entry, operation) {
                [] => built.timed(entry, operation).cloned().into_iter().collect(),
                layouts => layouts.to_vec(),
            };
            programs.insert((id.clone(), operation), layouts);
        }
    }
    let inputs =
        messages.iter().map(|message| (message.id.clone(), message.path.clone())).collect();
    let canary = canary.context("the harness was not built\n  fix: see the error above")?;
    Ok(Places { programs, canary, inputs, scratch })
}

/// The second name of a codec, for its build from another source.
pub(crate) fn against_id(id: &str) -> String {
    format!("{id}-against")
}

/// What the record keeps of each message.
///
/// # Errors
///
/// Two files that would have one id.
pub(crate) fn datasets(
    messages: &[Message],
    files: &[PathBuf],
    samples: u32,
) -> anyhow::Result<Vec<DatasetInfo>> {
    let mut infos: Vec<DatasetInfo> = Vec::new();
    for (place, message) in messages.iter().enumerate() {
        ensure!(
            infos.iter().all(|info| info.id != message.id),
            Usage(format!(
                "two input files would both be called `{}`\n  fix: rename one",
                message.id
            ))
        );
        let json = message.source_json.as_deref();
        infos.push(DatasetInfo {
            id: message.id.clone(),
            input_bytes: message.bytes.len() as u64,
            sha256: message.sha256.clone(),
            json_bytes: json.map(|text| text.len() as u64),
            json_gzip_bytes: json.and_then(check::gzip),
            json_zstd_bytes: json.and_then(check::zstd),
            content: check::content(message),
            batch: batch(message.bytes.len() as u64),
            samples,
            file: files.get(place).map(std::path::absolute).transpose()?,
        });
    }
    Ok(infos)
}

/// Operations per clock reading for a message of so many bytes, whatever the codec.
pub(crate) fn batch(message_bytes: u64) -> u64 {
    BATCH_BYTES.div_ceil(message_bytes)
}

/// The CPU to measure on; `None` where the system cannot pin.
///
/// # Errors
///
/// A CPU that was asked for and does not exist.
pub(crate) fn cpu(asked: Option<usize>) -> anyhow::Result<Option<usize>> {
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

/// What is known of the machine, the flags of the programs included.
pub(crate) fn examine(cpu: Option<usize>) -> Machine {
    let mut machine = check_machine::examine(Path::new("/"), cpu.unwrap_or(0));
    machine.replace(check_machine::build_profile("3", false));
    machine
}

/// Waits until the clock is back at its maximum after the build, where the system tells.
pub(crate) fn settle(cpu: Option<usize>) {
    let ratio = || check_machine::clock_ratio(Path::new("/"), cpu.unwrap_or(0));
    let deadline = Instant::now() + SETTLE;
    let mut told = false;
    while ratio().is_some_and(|ratio| ratio < SETTLED) && Instant::now() < deadline {
        if interrupt::wished() {
            return;
        }
        if !std::mem::replace(&mut told, true) {
            eprintln!(
                "waiting for the clock to come back to 98 % of its maximum, 2 minutes at most"
            );
        }
        thread::sleep(Duration::from_secs(1));
    }
}

/// Keeps other runs off the CPU for as long as it lives; `None` where that cannot be had, or does not matter.
///
/// # Errors
///
/// Another run that measures on the same CPU.
pub(crate) fn lock_cpu(cpu: Option<usize>, allow_noisy: bool) -> anyhow::Result<Option<File>> {
    let Some(cpu) = cpu else { return Ok(None) };
    let path = std::env::temp_dir().join(format!("packbench-cpu-{cpu}.lock"));
    // Another user's file can be locked too, but not written.
    let file =
        OpenOptions::new().create(true).append(true).open(&path).or_else(|_| File::open(&path));
    let Ok(file) = file else { return Ok(None) };
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) if !allow_noisy => anyhow::bail!(
            "another run measures on CPU {cpu}\n  fix: wait for it, take another CPU with `--cpu`, or `--allow-noisy`"
        ),
        Err(_) => Ok(None),
    }
}
