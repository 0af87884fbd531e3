//! Identity: with what exactly something was measured.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use object::{Object as _, ObjectSegment as _, ObjectSymbol as _};
use protocol::run::{Program, Tools};
use sha2::{Digest as _, Sha256};
use walkdir::WalkDir;
use xshell::{Shell, cmd};

use crate::{adapters::Entry, compile, spawn};

/// Names of the files that pin versions.
const LOCKS: &[&str] =
    &["Cargo.lock", "package-lock.json", "requirements.txt", "build-requirements.txt"];

/// Libraries that criterion links into every program.
const BROUGHT_ALONG: &[&str] = &["serde-json"];

/// Length and hash of a program.
///
/// # Errors
///
/// A file that cannot be read.
pub(crate) fn program(path: &Path) -> anyhow::Result<Program> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let file = object::File::parse(&*bytes)
        .with_context(|| format!("{} is no program", path.display()))?;
    let loaded = file.segments().map(|segment| segment.size()).sum();
    Ok(Program {
        bytes: bytes.len() as u64,
        loaded_bytes: loaded,
        added_bytes: None,
        sha256: hex(&bytes),
    })
}

/// Versions and flags of everything that builds and runs programs.
///
/// # Errors
///
/// No compiler, or a lock file that cannot be read.
pub(crate) fn tools(root: &Path) -> anyhow::Result<Tools> {
    let sh = Shell::new()?;
    sh.change_dir(root);
    let commit = cmd!(sh, "git rev-parse HEAD").quiet().ignore_stderr().read().ok();
    let changes = cmd!(sh, "git status --porcelain").quiet().ignore_stderr().read();
    let rustc = cmd!(sh, "rustc -vV").quiet().read().context("cannot run rustc")?;
    let profile = compile::PROFILE.iter().map(|(name, value)| format!("{name}={value}"));
    let mut locks = BTreeMap::new();
    for file in lock_files(root) {
        let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let name = file.strip_prefix(root).unwrap_or(&file).display().to_string();
        locks.insert(name, hex(&bytes));
    }
    Ok(Tools {
        commit,
        modified: changes.is_ok_and(|changes| !changes.is_empty()),
        rustc,
        rust_flags: [compile::RUST_FLAGS.to_owned()].into_iter().chain(profile).collect(),
        environment: spawn::environment(),
        locks,
    })
}

/// What is wrong with the symbols of a program: its own library is not in it, or another contestant is.
///
/// Only the name of the library counts: its variants share its code.
///
/// # Errors
///
/// A file that cannot be read or is no program.
pub(crate) fn faults(program: &Path, own: &Entry, all: &[&Entry]) -> anyhow::Result<Vec<String>> {
    let bytes = fs::read(program).with_context(|| format!("cannot read {}", program.display()))?;
    let file = object::File::parse(&*bytes)
        .with_context(|| format!("{} is no program", program.display()))?;
    let names: Vec<&str> = file.symbols().filter_map(|symbol| symbol.name().ok()).collect();
    let holds = |entry: &Entry| names.iter().any(|name| name.contains(&entry.symbol));
    let mut faults = Vec::new();
    if !holds(own) {
        faults.push(format!("holds no symbol with `{}` of `{}`", own.symbol, own.library));
    }
    let mut others: Vec<&Entry> =
        all.iter().copied().filter(|other| other.library != own.library).collect();
    others.dedup_by_key(|other| other.library.clone());
    // The harness is in every program, and brings what criterion brings.
    others.retain(|other| !other.is_control() && !BROUGHT_ALONG.contains(&&*other.library));
    faults.extend(
        others
            .into_iter()
            .filter(|other| holds(other))
            .map(|other| format!("holds a symbol with `{}` of `{}`", other.symbol, other.library)),
    );
    Ok(faults)
}

fn lock_files(root: &Path) -> Vec<PathBuf> {
    let mut files = vec![root.join("Cargo.lock")];
    let pins = WalkDir::new(root.join("vendor"));
    let pins = pins.into_iter().filter_entry(|entry| entry.file_name() != "fetched");
    files.extend(pins.filter_map(Result::ok).map(walkdir::DirEntry::into_path).filter(|path| {
        path.file_name().is_some_and(|name| LOCKS.iter().any(|lock| name == *lock))
    }));
    files
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
