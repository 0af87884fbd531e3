//! `vendor`: third-party source and data, fetched by the clients' lock files and verified on every use.

mod clients;
mod command;
mod error;
mod pin;
mod source;
mod stamp;
pub(crate) mod toolchain;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::Context as _;

pub(crate) use error::VendorError;
pub(crate) use source::{Client, Language, Source, of_no_adapter};

use crate::usage::Usage;
use clients::Clients;
use pin::Pin;
use stamp::Stamp;
use toolchain::Tool;

/// Line on which the time of a first fetch is reckoned, in bytes per second: 100 Mbit/s, chosen.
const LINE_BYTES_PER_S: u64 = 12_500_000;

/// Time per source besides the download: all nine took 19 s over a quick line on a machine with 2 cores.
const SECONDS_PER_SOURCE: u64 = 2;

/// Disk that the virtual environment of pip takes, in bytes, measured.
const VENV_BYTES: u64 = 30_000_000;

/// A source as it stands in `vendor/fetched`, verified.
#[derive(Clone, Debug)]
pub(crate) struct Fetched {
    pub(crate) client: Client,
    pub(crate) package: String,
    /// Version of the package, which need not be that of the library.
    pub(crate) version: String,
    /// Date of the newest file in the package, in seconds since 1970; only some packages of pip keep it.
    pub(crate) packed_s: Option<u64>,
    pub(crate) tree_sha256: String,
    /// Fetched by this call; `false` if it was there already.
    pub(crate) now: bool,
}

/// What to do with a tree that was changed after it had been fetched.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edited {
    /// Say so, and leave it alone: it may be somebody's work.
    Report,
    /// Fetch it again.
    Replace,
}

/// One result per source: the others go on when one fails.
pub(crate) type Results = BTreeMap<String, Result<Fetched, VendorError>>;

/// Verifies `sources` and fetches those that are missing or whose pin has changed.
///
/// `say` gets a line before each step that takes time.
///
/// # Errors
///
/// Only if `target/vendor` cannot be written; what concerns one source is in its result.
pub(crate) fn fetch(
    root: &Path,
    sources: &[Source],
    edited: Edited,
    say: &dyn Fn(&str),
) -> anyhow::Result<Results> {
    // Two of us at work would empty each other's folders; the lock ends with the process.
    let work = root.join("target/vendor");
    fs::create_dir_all(&work).with_context(|| format!("cannot make {}", work.display()))?;
    let lock = File::create(work.join("lock")).context("cannot make a lock in target/vendor")?;
    lock.lock().context("cannot lock target/vendor")?;

    let mut results = Results::new();
    let mut missing = Vec::new();
    for (source, state) in states(root, sources) {
        match state {
            State::Missing(pin) => missing.push((source, pin)),
            State::Edited(pin, _) if edited == Edited::Replace => missing.push((source, pin)),
            State::Edited(_, error) | State::Unusable(error) => {
                results.insert(source.name.clone(), Err(error));
            }
            State::Whole(fetched) => {
                results.insert(source.name.clone(), Ok(fetched));
            }
        }
    }
    if !missing.is_empty() {
        say(&forecast(&missing));
    }
    let mut clients = Clients::new(root);
    for (source, pin) in missing {
        say(&format!("fetching `{}` with {}", source.name, source.client));
        let result = fetch_one(root, &mut clients, source, &pin);
        results.insert(source.name.clone(), result);
    }
    Ok(results)
}

fn fetch_one(
    root: &Path,
    clients: &mut Clients<'_>,
    source: &Source,
    pin: &Pin,
) -> Result<Fetched, VendorError> {
    let folder = folder(root, source);
    let package = clients.get(source, pin)?;
    stamp::install(&package.folder, source, pin, package.packed_s, &folder)
        .and_then(|stamp| clients.clear(source).map(|()| fetched(stamp, true)))
        .map_err(|error| VendorError::other(&source.name, &error))
}

/// What has to come from the system to fetch and to build `sources`.
///
/// A source that is there already needs no client.
pub(crate) fn tools(root: &Path, sources: &[Source]) -> BTreeSet<Tool> {
    let mut tools = BTreeSet::new();
    for source in sources {
        tools.extend(source.language.map(|language| match language {
            Language::C => Tool::CCompiler,
            Language::Cxx => Tool::CxxCompiler,
        }));
        let there = pin::read(root, source).is_ok_and(|pin| {
            Stamp::read(&folder(root, source)).is_some_and(|stamp| stamp.fits(source, &pin))
        });
        if !there {
            tools.insert(match source.client {
                Client::Cargo => Tool::Cargo,
                Client::Pip => Tool::Python,
                Client::Npm => Tool::Npm,
            });
        }
    }
    tools
}

/// `cargo xtask vendor [NAME…]`: one line per source on `out`, errors and progress on stderr.
///
/// A source that is named is fetched again if it was edited.
/// Returns whether all are as they should be.
///
/// # Errors
///
/// If a name is unknown, or `target/vendor` or `out` cannot be written.
pub(crate) fn run(
    root: &Path,
    all: &[Source],
    names: &[String],
    out: &mut dyn Write,
) -> anyhow::Result<bool> {
    if let Some(name) = names.iter().find(|name| all.iter().all(|source| source.name != **name)) {
        let known: Vec<_> = all.iter().map(|source| source.name.as_str()).collect();
        return Err(Usage(format!(
            "no source is named `{name}`\n  fix: one of {}",
            known.join(", ")
        ))
        .into());
    }
    let is_wanted = |source: &&Source| names.is_empty() || names.contains(&source.name);
    let wanted: Vec<_> = all.iter().filter(is_wanted).cloned().collect();
    let edited = if names.is_empty() { Edited::Report } else { Edited::Replace };

    // Compilers are for those who build.
    let mut tools = tools(root, &wanted);
    tools.retain(|tool| !matches!(tool, Tool::CCompiler | Tool::CxxCompiler));
    for missing in toolchain::missing(&tools) {
        eprintln!("{missing}");
    }

    let results = fetch(root, &wanted, edited, &|line| eprintln!("{line}"))?;
    for (name, result) in &results {
        match result {
            Ok(Fetched { version, client, now, .. }) => {
                let state = if *now { "fetched" } else { "already there" };
                writeln!(out, "{name:<20} {version:<14} {client:<6} {state}")?;
            }
            Err(_) => writeln!(out, "{name:<20} {:<14} {:<6} failed", "-", "-")?,
        }
    }
    for error in results.values().filter_map(|result| result.as_ref().err()) {
        eprintln!("error: {error}");
    }
    Ok(results.values().all(Result::is_ok))
}

enum State {
    Whole(Fetched),
    Missing(Pin),
    Edited(Pin, VendorError),
    Unusable(VendorError),
}

/// What is there of each source; a thread for each, since hashing is most of the work.
fn states<'s>(root: &Path, sources: &'s [Source]) -> Vec<(&'s Source, State)> {
    let mut once: BTreeMap<&str, &Source> = BTreeMap::new();
    let mut states = Vec::new();
    for source in sources {
        match once.insert(&source.name, source) {
            Some(other) if other != source => {
                let twice = anyhow::anyhow!("two adapters describe it in different ways");
                let error = VendorError::other(&source.name, &twice);
                states.push((source, State::Unusable(error)));
            }
            _ => {}
        }
    }
    for (source, _) in &states {
        once.remove(source.name.as_str());
    }
    thread::scope(|scope| {
        let threads: Vec<_> = once
            .into_values()
            .map(|source| (source, scope.spawn(move || state(root, source))))
            .collect();
        states.extend(threads.into_iter().map(|(source, thread)| {
            let state = thread.join().unwrap_or_else(|_| Err(anyhow::anyhow!("a panic")));
            let unusable = |error| State::Unusable(VendorError::other(&source.name, &error));
            (source, state.unwrap_or_else(unusable))
        }));
    });
    states
}

fn state(root: &Path, source: &Source) -> anyhow::Result<State> {
    source.check()?;
    let pin = pin::read(root, source)?;
    let folder = folder(root, source);
    let Some(stamp) = Stamp::read(&folder) else { return Ok(State::Missing(pin)) };
    let found_sha256 = stamp::tree_sha256(&folder)?;
    // Before the pin: an edited tree is not replaced unasked, whatever else has changed.
    if found_sha256 != stamp.tree_sha256 {
        let error = VendorError::Edited {
            name: source.name.clone(),
            folder: folder.strip_prefix(root).unwrap_or(&folder).to_owned(),
            locked_sha256: stamp.tree_sha256,
            found_sha256,
        };
        return Ok(State::Edited(pin, error));
    }
    if !stamp.fits(source, &pin) {
        return Ok(State::Missing(pin));
    }
    Ok(State::Whole(fetched(stamp, false)))
}

fn folder(root: &Path, source: &Source) -> PathBuf {
    root.join("vendor/fetched").join(&source.name)
}

fn fetched(stamp: Stamp, now: bool) -> Fetched {
    Fetched {
        client: stamp.client,
        package: stamp.package,
        version: stamp.version,
        packed_s: stamp.packed_s,
        tree_sha256: stamp.tree_sha256,
        now,
    }
}

/// What a fetch will cost, said before it begins.
fn forecast(missing: &[(&Source, Pin)]) -> String {
    let mut text = format!("{} to fetch:\n", missing.len());
    for (source, pin) in missing {
        let Source { name, client, package, download_bytes, .. } = source;
        let size = megabytes(*download_bytes);
        text += &format!("  {name:<20} {size:>6} MB  {client} {package} {}\n", pin.version);
    }
    let download = total(missing, |source| source.download_bytes);
    let mut disk = total(missing, |source| source.disk_bytes);
    if missing.iter().any(|(source, _)| source.client == Client::Pip) {
        disk += VENV_BYTES;
    }
    let seconds = download / LINE_BYTES_PER_S + SECONDS_PER_SOURCE * missing.len() as u64;
    text + &format!(
        "  in all about {} MB to download, at most {} MB of disk, {seconds} s at 100 Mbit/s; \
         less where a client has it in its cache",
        megabytes(download),
        megabytes(disk),
    )
}

/// The sum, in which all crates count once: they share a lock file, so each brings the others along.
fn total(missing: &[(&Source, Pin)], bytes: fn(&Source) -> u64) -> u64 {
    let (crates, others): (Vec<_>, Vec<_>) =
        missing.iter().map(|(source, _)| *source).partition(|s| s.client == Client::Cargo);
    let of_crates = crates.into_iter().map(bytes).max().unwrap_or_default();
    of_crates + others.into_iter().map(bytes).sum::<u64>()
}

/// In units of 1,000,000 bytes, with one digit.
fn megabytes(bytes: u64) -> String {
    format!("{}.{}", bytes / 1_000_000, bytes / 100_000 % 10)
}

#[cfg(test)]
mod tests;
