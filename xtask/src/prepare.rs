//! From filters to programs and messages: selects, fetches, builds.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    rc::Rc,
};

use anyhow::ensure;
use dataset::{Built as Message, Definitions};
use protocol::{job::Operation, outcome::Outcome, run::SourceInfo};
use xshell::Shell;

use crate::{
    adapters::{self, Adapter, Entry},
    compile::{self, Built},
    filter::{names, select},
    interrupt,
    progress::Progress,
    sources::Overrides,
    usage::{Stopped, Usage},
    vendor::{self, Edited, Fetched, Source},
};

/// What the user asks for, in the same words on every command that builds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wish<'w> {
    /// Values of `--codec`.
    pub(crate) codecs: &'w [String],
    /// Values of `--adapter`.
    pub(crate) adapters: &'w [PathBuf],
    /// Values of `--source`.
    pub(crate) sources: &'w [String],
    /// What is to be built besides the answering programs.
    pub(crate) operations: &'w [Operation],
    /// Whether the programs in the libraries' own languages are wanted too.
    pub(crate) native: bool,
    /// Whether the rows are wanted that no library stands behind.
    pub(crate) controls: bool,
    /// Whether this is the other side of `--against-source`, which is built apart and knows no daily choices.
    pub(crate) against: bool,
    /// In how many layouts each timed program is linked besides.
    pub(crate) relinks: u32,
}

/// A codec that was asked for.
#[derive(Clone, Debug)]
pub(crate) struct Contestant {
    /// Its registration.
    pub(crate) entry: Entry,
    /// Its package.
    pub(crate) adapter: Rc<Adapter>,
    /// Whether a filter named it.
    pub(crate) by_name: bool,
}

/// A codec that was built, or could not be.
#[derive(Clone, Debug)]
pub(crate) struct Ready {
    /// Which.
    pub(crate) contestant: Contestant,
    /// Its programs.
    pub(crate) built: Result<Rc<Built>, Outcome>,
    /// Where its source came from.
    pub(crate) source: Option<SourceInfo>,
}

impl Contestant {
    /// `format/library/variant`.
    pub(crate) fn id(&self) -> String {
        self.entry.id()
    }
}

/// The codecs that a wish is about.
///
/// # Errors
///
/// A filter that matches nothing, a source of no library, and a manifest with a mistake.
pub(crate) fn contestants(root: &Path, wish: &Wish) -> anyhow::Result<Vec<Contestant>> {
    refuse_unknown(&overrides(root, wish)?, root, wish)?;
    let sh = Shell::new()?;
    let mut all = Vec::new();
    for adapter in adapters::find(&sh, root, wish.adapters)? {
        let adapter = Rc::new(adapter);
        all.extend(adapter.codecs.iter().map(|entry| Contestant {
            entry: entry.clone(),
            adapter: adapter.clone(),
            by_name: wish.codecs.iter().any(|filter| names(filter, &entry.id()))
                || adapter.outside.is_some(),
        }));
    }
    let selected = select("--codec", wish.codecs, &all, Contestant::id)?;
    let is_selected = |contestant: &&Contestant| {
        let id = contestant.id();
        match contestant.entry.is_control() {
            true => wish.controls,
            false => selected.iter().any(|selected| selected.id() == id),
        }
    };
    Ok(all.iter().filter(is_selected).cloned().collect())
}

/// Fetches and builds; what cannot be had is an outcome and is told on standard error.
///
/// # Errors
///
/// A folder of ours that cannot be written.
pub(crate) fn build(
    root: &Path,
    wish: &Wish,
    contestants: Vec<Contestant>,
) -> anyhow::Result<Vec<Ready>> {
    let overrides = overrides(root, wish)?;
    let wanted = sources_of(root, &contestants, &overrides)?;
    let missing = vendor::toolchain::missing(&vendor::tools(root, &wanted));
    if !missing.is_empty() {
        eprintln!("missing on this machine:");
        missing.iter().for_each(|missing| eprintln!("{missing}"));
    }
    let fetched = vendor::fetch(root, &wanted, Edited::Report, &|line| eprintln!("{line}"))?;

    let mut packages: Vec<Rc<Adapter>> = Vec::new();
    for contestant in &contestants {
        if packages.iter().all(|package| !Rc::ptr_eq(package, &contestant.adapter)) {
            packages.push(contestant.adapter.clone());
        }
    }
    let mut progress = Progress::new(packages.len() as u64);
    let mut ready = Vec::new();
    for package in packages {
        progress.now(&format!("building {}", package.package));
        let members: Vec<&Contestant> = contestants
            .iter()
            .filter(|contestant| Rc::ptr_eq(&package, &contestant.adapter))
            .collect();
        let entries: Vec<&Entry> = members.iter().map(|member| &member.entry).collect();
        let lacks = package.source.iter().flat_map(|source| needs(source, &overrides));
        let lacks: Vec<String> = lacks
            .filter_map(|name| fetched.get(name)?.as_ref().err().map(ToString::to_string))
            .collect();
        let built = if lacks.is_empty() {
            let folder = if wish.against { "against" } else { "codecs" };
            compile::Order {
                root,
                adapter: &package,
                codecs: &entries,
                operations: wish.operations,
                overrides: &overrides,
                native: wish.native,
                folder,
                relinks: wish.relinks,
            }
            .build()
            .map_err(|error| format!("{error:#}"))
        } else {
            Err(lacks.join("\n"))
        };
        // Ctrl-C reaches the compiler too, whose end says nothing about the library then.
        ensure!(!interrupt::wished(), Stopped);
        let built = built.map(Rc::new).map_err(|why| {
            progress.say(&format!("error: cannot build {}: {why}", package.package));
            Outcome::NotBuilt(first_error(&why))
        });
        let source = package.source.as_ref().and_then(|source| {
            let folder = overrides.get(&source.name).map(|folder| SourceInfo {
                client: "folder".into(),
                package: folder.display().to_string(),
                tree_sha256: None,
                published_unix_ms: None,
            });
            folder.or_else(|| Some(info(fetched.get(&source.name)?.as_ref().ok()?)))
        });
        ready.extend(members.into_iter().map(|member| Ready {
            contestant: member.clone(),
            built: built.clone(),
            source: source.clone(),
        }));
        progress.step();
    }
    progress.finish();
    Ok(ready)
}

fn overrides(root: &Path, wish: &Wish) -> anyhow::Result<Overrides> {
    if wish.against {
        return Overrides::of_flags(wish.sources);
    }
    Overrides::read(wish.sources, &root.join("packbench.toml"))
}

fn info(fetched: &Fetched) -> SourceInfo {
    SourceInfo {
        client: fetched.client.to_string(),
        package: format!("{} {}", fetched.package, fetched.version),
        tree_sha256: Some(fetched.tree_sha256.clone()),
        published_unix_ms: fetched.packed_s.map(|seconds| seconds * 1000),
    }
}

/// The line of a long message that names the error, for the tables; the whole message was printed.
fn first_error(message: &str) -> String {
    let mut lines = message.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.clone().next().unwrap_or_default();
    lines.find(|line| line.starts_with("error")).unwrap_or(first).to_owned()
}

fn needs<'s>(source: &'s Source, overrides: &Overrides) -> Vec<&'s str> {
    let own = overrides.get(&source.name).is_none().then_some(source.name.as_str());
    own.into_iter().chain(source.needs.iter().map(String::as_str)).collect()
}

fn sources_of(
    root: &Path,
    contestants: &[Contestant],
    overrides: &Overrides,
) -> anyhow::Result<Vec<Source>> {
    let others = vendor::of_no_adapter(root)?;
    let mut wanted: Vec<Source> = Vec::new();
    for source in contestants.iter().filter_map(|contestant| contestant.adapter.source.as_ref()) {
        for name in needs(source, overrides) {
            let described = [source].into_iter().chain(&others).find(|other| other.name == name);
            if let Some(source) = described.filter(|source| !wanted.contains(source)) {
                wanted.push(source.clone());
            }
        }
    }
    Ok(wanted)
}

fn refuse_unknown(overrides: &Overrides, root: &Path, wish: &Wish) -> anyhow::Result<()> {
    let all = adapters::find(&Shell::new()?, root, wish.adapters)?;
    let known: BTreeSet<&str> =
        all.iter().filter_map(|adapter| Some(adapter.source.as_ref()?.name.as_str())).collect();
    match overrides.libraries().find(|library| !known.contains(library)) {
        None => Ok(()),
        Some(library) => {
            let known = known.into_iter().collect::<Vec<_>>().join(", ");
            Err(Usage(format!(
                "`--source` or `packbench.toml` names `{library}`, whose source is not fetched\n  fix: one of {known}; what cargo builds is replaced with `[patch]`"
            ))
            .into())
        }
    }
}

/// Everything that can be fetched.
///
/// # Errors
///
/// A manifest with a mistake.
pub(crate) fn all_sources(root: &Path) -> anyhow::Result<Vec<Source>> {
    let mut all = vendor::of_no_adapter(root)?;
    let adapters = adapters::find(&Shell::new()?, root, &[])?;
    all.extend(adapters.into_iter().filter_map(|adapter| adapter.source));
    Ok(all)
}

/// The ids of the datasets that filters name, without making them.
///
/// # Errors
///
/// A filter that matches nothing.
pub(crate) fn dataset_ids(root: &Path, filters: &[String]) -> anyhow::Result<Vec<String>> {
    let definitions = Definitions::read(root)?;
    let selected =
        select("--dataset", filters, &definitions.datasets, |definition| definition.id.clone())?;
    Ok(selected.into_iter().map(|definition| definition.id.clone()).collect())
}

/// The messages that filters name, or files of the user's, fetched and verified.
///
/// # Errors
///
/// A filter that matches nothing, a source that cannot be had, a message that is not what it was, a file that is no message.
pub(crate) fn messages(
    root: &Path,
    filters: &[String],
    files: &[PathBuf],
) -> anyhow::Result<Vec<Message>> {
    if let Some(file) = files.iter().find(|file| !file.is_file()) {
        let why = "is no file\n  fix: name a MessagePack or JSON file";
        return Err(Usage(format!("`--input {}` {why}", file.display())).into());
    }
    if !files.is_empty() {
        let scratch = root.join("target/packbench");
        return files.iter().map(|file| dataset::from_file(file, &scratch)).collect();
    }
    let definitions = Definitions::read(root)?;
    let selected =
        select("--dataset", filters, &definitions.datasets, |definition| definition.id.clone())?;
    let others = vendor::of_no_adapter(root)?;
    let wanted: Vec<Source> = others
        .into_iter()
        .filter(|source| {
            selected.iter().any(|definition| match &definition.source {
                dataset::Source::Json { file, .. } => file.split('/').next() == Some(&source.name),
            })
        })
        .collect();
    for (_, result) in vendor::fetch(root, &wanted, Edited::Report, &|line| eprintln!("{line}"))? {
        result?;
    }
    selected.into_iter().map(|definition| dataset::build(root, definition)).collect()
}
