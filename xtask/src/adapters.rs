//! Finds the adapters in the manifests of the workspace.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use serde::Deserialize;
use xshell::{Shell, cmd};

use crate::{usage::Usage, vendor::Source};

/// Wire format of the rows that no library stands behind.
pub(crate) const CONTROL: &str = "control";

/// A package around a library, or around one variant of it.
#[derive(Clone, Debug)]
pub(crate) struct Adapter {
    /// Its package.
    pub(crate) package: String,
    /// Its manifest.
    pub(crate) manifest: PathBuf,
    /// Its folder, if it is none of ours.
    pub(crate) outside: Option<PathBuf>,
    /// Its codecs.
    pub(crate) codecs: Vec<Entry>,
    /// Where the library's source comes from; `None` if cargo builds it as an ordinary dependency.
    pub(crate) source: Option<Source>,
}

/// A `[[package.metadata.codec]]` table.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    /// Wire format; also the name of the folder of its cases.
    pub(crate) format: String,
    /// Name of the library; also of its folder under `vendor/fetched`.
    pub(crate) library: String,
    /// Which interface of the library, such as `tree` or `borrowed`.
    pub(crate) variant: String,
    /// Part of a mangled symbol that only programs with this library hold.
    pub(crate) symbol: String,
    /// Whether the adapter's native program can do what this variant does.
    #[serde(default)]
    pub(crate) native: bool,
}

impl Entry {
    /// `format/library/variant`.
    pub(crate) fn id(&self) -> String {
        format!("{}/{}/{}", self.format, self.library, self.variant)
    }

    /// Start of the names of its cargo targets.
    pub(crate) fn target(&self) -> String {
        self.variant.replace('-', "_")
    }

    /// Whether no library stands behind it.
    pub(crate) fn is_control(&self) -> bool {
        self.format == CONTROL
    }
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
    metadata: Option<serde_json::Map<String, serde_json::Value>>,
}

/// Adapters of this workspace, and those in the folders `outside`.
///
/// # Errors
///
/// A manifest that cannot be read, a table with a mistake, and an id that stands twice.
pub(crate) fn find(sh: &Shell, root: &Path, outside: &[PathBuf]) -> anyhow::Result<Vec<Adapter>> {
    let mut adapters = read(sh, root, None)?;
    for folder in outside {
        let manifest =
            folder.canonicalize().ok().filter(|folder| folder.join("Cargo.toml").is_file());
        let place = manifest.ok_or_else(|| {
            let folder = folder.display();
            Usage(format!(
                "no adapter in {folder}\n  fix: give the folder of its `Cargo.toml` to `--adapter`"
            ))
        })?;
        let found = read(sh, &place, Some(&place))?;
        ensure!(
            !found.is_empty(),
            "{} has no `[[package.metadata.codec]]` table\n  fix: add one, as CONTRIBUTING says under \"A library\"",
            place.join("Cargo.toml").display()
        );
        adapters.extend(found);
    }
    let mut ids: Vec<String> =
        adapters.iter().flat_map(|adapter| adapter.codecs.iter().map(Entry::id)).collect();
    ids.sort();
    if let Some(pair) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
        anyhow::bail!("two adapters register `{}`\n  fix: rename the variant of one", pair[0]);
    }
    Ok(adapters)
}

fn read(sh: &Shell, folder: &Path, outside: Option<&Path>) -> anyhow::Result<Vec<Adapter>> {
    let manifest = folder.join("Cargo.toml");
    let json = cmd!(sh, "cargo metadata --no-deps --format-version 1 --manifest-path {manifest}")
        .quiet()
        .ignore_stderr()
        .read()
        .with_context(|| format!("cargo cannot read {}", manifest.display()))?;
    let metadata: Metadata =
        serde_json::from_str(&json).context("cargo speaks another language")?;
    let mut adapters = Vec::new();
    for package in metadata.packages {
        let place = || format!("in the metadata of {}", package.manifest_path.display());
        let Some(mut tables) = package.metadata else { continue };
        let Some(codecs) = tables.remove("codec") else { continue };
        let source = tables.remove("source").map(serde_json::from_value);
        if outside.is_some_and(|folder| !package.manifest_path.starts_with(folder)) {
            continue;
        }
        adapters.push(Adapter {
            codecs: serde_json::from_value(codecs).with_context(place)?,
            source: source.transpose().with_context(place)?,
            package: package.name,
            outside: outside.map(Path::to_owned),
            manifest: package.manifest_path,
        });
    }
    Ok(adapters)
}
