//! What is fetched: a package of a client, the paths to copy out of it, and their licence.

use std::fmt;
use std::path::{Component, Path};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

/// The package manager that carries a source; its lock file pins and verifies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Client {
    Cargo,
    Pip,
    Npm,
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Client::Cargo => "cargo",
            Client::Pip => "pip",
            Client::Npm => "npm",
        })
    }
}

/// The language of a library, hence the compiler that its adapter needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) enum Language {
    #[serde(rename = "c")]
    C,
    #[serde(rename = "c++")]
    Cxx,
}

/// A file or folder to copy; a folder with all that is in it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CopyPath {
    /// Path inside the package.
    pub(crate) from: String,
    /// Path inside the folder of the source.
    pub(crate) to: String,
}

/// One folder under `vendor/fetched`.
///
/// An adapter declares its own as `[package.metadata.source]`, the others stand in `vendor/sources.toml`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Source {
    /// Name of the library or data, and of the folder.
    pub(crate) name: String,
    pub(crate) client: Client,
    /// Name of the package; its version and hash stand in the client's lock file.
    pub(crate) package: String,
    pub(crate) copy: Vec<CopyPath>,
    /// Licence of what is copied, as an SPDX expression.
    pub(crate) licence: String,
    /// Copied files that hold the licence or, where the package has no text of it, the notice that names it.
    pub(crate) licence_text: Vec<String>,
    /// The compiler that builds it; absent for data and tools.
    pub(crate) language: Option<Language>,
    /// Names of other sources without which it cannot be built.
    #[serde(default)]
    pub(crate) needs: Vec<String>,
    /// Size of the download in bytes, measured.
    pub(crate) download_bytes: u64,
    /// Most disk in use while it is fetched, in bytes, measured: cache of the client, unpacked package and copy.
    pub(crate) disk_bytes: u64,
    /// What it is here for, where no adapter says so.
    pub(crate) why: Option<String>,
}

impl Source {
    /// Refuses a description that would write outside the folder of the source.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        anyhow::ensure!(
            !self.name.starts_with('.') && is_inside(&self.name) && !self.name.contains('/'),
            "`{}` is not the name of a folder",
            self.name
        );
        for path in self.copy.iter().flat_map(|copy| [&copy.from, &copy.to]) {
            anyhow::ensure!(is_inside(path), "source `{}`: `{path}` leads outside", self.name);
        }
        anyhow::ensure!(!self.copy.is_empty(), "source `{}` copies nothing", self.name);
        anyhow::ensure!(!self.licence_text.is_empty(), "source `{}`: no licence text", self.name);
        Ok(())
    }
}

fn is_inside(path: &str) -> bool {
    !path.is_empty()
        && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

/// Reads `vendor/sources.toml`: what is fetched and belongs to no adapter.
///
/// # Errors
///
/// If the file cannot be read, holds an unknown key, or a source without its `why`.
pub(crate) fn of_no_adapter(root: &Path) -> anyhow::Result<Vec<Source>> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        source: Vec<Source>,
    }

    let path = root.join("vendor/sources.toml");
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("cannot read {}", path.display()))?;
    let file: File = toml::from_str(&text).with_context(|| format!("in {}", path.display()))?;
    for source in &file.source {
        source.check().with_context(|| format!("in {}", path.display()))?;
        anyhow::ensure!(
            source.why.is_some(),
            "source `{}` in {} has no `why`",
            source.name,
            path.display()
        );
    }
    Ok(file.source)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A source that copies `include` and `LICENSE`.
    pub(crate) fn example(name: &str) -> Source {
        let copy = |path: &str| CopyPath { from: path.to_owned(), to: path.to_owned() };
        Source {
            name: name.to_owned(),
            client: Client::Cargo,
            package: "carrier".to_owned(),
            copy: vec![copy("include"), copy("LICENSE")],
            licence: "MIT".to_owned(),
            licence_text: vec!["LICENSE".to_owned()],
            language: None,
            needs: Vec::new(),
            download_bytes: 1_000_000,
            disk_bytes: 2_000_000,
            why: None,
        }
    }

    #[test]
    fn our_own_list_is_readable_and_has_reasons() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let names: Vec<_> = of_no_adapter(&root).unwrap().into_iter().map(|s| s.name).collect();
        assert_eq!(names, ["documents", "libclang", "msgpack-test-suite", "echarts"]);
    }

    #[test]
    fn unknown_keys_are_errors() {
        let text = toml::to_string(&example("toy")).unwrap();
        toml::from_str::<Source>(&text).unwrap();
        let error = toml::from_str::<Source>(&format!("licens = \"MIT\"\n{text}")).unwrap_err();
        assert!(error.to_string().contains("unknown field `licens`"), "{error}");
    }

    #[test]
    fn a_path_that_leads_outside_is_refused() {
        example("toy").check().unwrap();
        for path in ["../toy", "/etc", "a/../../b", ""] {
            let mut source = example("toy");
            source.copy[0].to = path.to_owned();
            source.check().unwrap_err();
        }
        for name in ["..", ".", ".toy", "a/b", ""] {
            example(name).check().unwrap_err();
        }
    }
}
