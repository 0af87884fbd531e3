//! `data/datasets.toml` as types.

use std::{
    collections::HashSet,
    fs,
    path::{Component, Path},
};

use anyhow::{Context as _, ensure};
use oracle::Stats;
use serde::Deserialize;

use crate::hash::{is_sha256, sha256};

/// Where the definitions lie, from the root of the repository.
pub(crate) const FILE: &str = "data/datasets.toml";

/// All datasets, in the order of the file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definitions {
    /// One for each `[[dataset]]` table.
    #[serde(rename = "dataset")]
    pub datasets: Vec<Definition>,
}

/// A `[[dataset]]` table: what a message is, and why it is measured.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// Group and name: `documents/canada`.
    pub id: String,
    /// Size of the MessagePack message, in bytes.
    pub input_bytes: u64,
    /// SHA-256 of the MessagePack message, as lower-case hexadecimal digits.
    pub sha256: String,
    /// What a walk over the message finds.
    #[serde(with = "Counts")]
    pub counts: Stats,
    /// What the message is made from.
    pub source: Source,
    /// Under which terms the source came here.
    pub licence: String,
    /// What the message looks like.
    pub shape: String,
    /// What it shows about a library that others do not.
    pub why: String,
}

/// What a message is made from.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Source {
    /// A JSON document that others wrote.
    Json {
        /// Below `vendor/fetched`; a name that ends in `.xz` is compressed.
        file: String,
        /// Size of the JSON text without compression, in bytes.
        bytes: u64,
    },
}

/// [`Stats`] as a table with every key; the oracle has no dependencies and so cannot read one.
#[derive(Deserialize)]
#[serde(remote = "Stats", deny_unknown_fields)]
struct Counts {
    maps: u64,
    arrays: u64,
    strings: u64,
    binaries: u64,
    extensions: u64,
    numbers: u64,
    booleans: u64,
    nils: u64,
}

impl Definitions {
    /// Reads `data/datasets.toml` below `root`, the root of the repository.
    ///
    /// # Errors
    ///
    /// A file that cannot be read or has another form, and everything in it that no dataset can have: all at once.
    pub fn read(root: &Path) -> anyhow::Result<Definitions> {
        let text =
            fs::read_to_string(root.join(FILE)).with_context(|| format!("cannot read {FILE}"))?;
        let definitions: Definitions =
            toml::from_str(&text).with_context(|| format!("in {FILE}"))?;

        let faults = definitions.faults();
        ensure!(
            faults.is_empty(),
            "in {FILE}\n  {}\n  fix: correct these lines",
            faults.join("\n  ")
        );
        Ok(definitions)
    }

    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut seen = HashSet::new();
        for definition in &self.datasets {
            let Definition { id, sha256, source: Source::Json { file, .. }, .. } = definition;
            if !is_id(id) {
                faults.push(format!(
                    "`{id}` is no id: a group and a name in lower case, such as `documents/canada`"
                ));
            }
            if !seen.insert(id) {
                faults.push(format!("`{id}` is there twice"));
            }
            if !is_sha256(sha256) {
                faults.push(format!(
                    "`{id}`: `{sha256}` is no SHA-256 in lower-case hexadecimal digits"
                ));
            }
            if !stays_below(file) {
                faults.push(format!("`{id}`: `{file}` is no file in a folder of vendor/fetched"));
            }
            for (key, text) in definition.texts() {
                if text.trim().is_empty() {
                    faults.push(format!("`{id}`: `{key}` is empty"));
                }
            }
        }
        faults
    }
}

impl Definition {
    /// First part of the id: the datasets that one process measures together.
    pub fn group(&self) -> &str {
        self.id.split_once('/').map_or("", |(group, _)| group)
    }

    /// Whether these are the bytes that the definition speaks of.
    pub(crate) fn fits(&self, message: &[u8]) -> bool {
        message.len() as u64 == self.input_bytes && sha256(message) == self.sha256
    }

    fn texts(&self) -> [(&'static str, &str); 3] {
        [("licence", &self.licence), ("shape", &self.shape), ("why", &self.why)]
    }
}

/// An underscore is allowed, for documents that are known by a name with one.
fn is_id(text: &str) -> bool {
    let is_level = |level: &str| {
        let is_inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
        let is_edge = |c: char| is_inner(c) && c.is_ascii_alphanumeric();
        level.starts_with(is_edge) && level.ends_with(is_edge) && level.chars().all(is_inner)
    };
    text.split_once('/').is_some_and(|(group, name)| is_level(group) && is_level(name))
}

/// At least one folder and a file, so that the folder names what `cargo xtask vendor` has to fetch.
fn stays_below(file: &str) -> bool {
    let mut parts = Path::new(file).components();
    parts.clone().count() >= 2 && parts.all(|part| matches!(part, Component::Normal(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root() -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
    }

    /// The message of the error that a changed copy of the real file gives.
    fn fault(from: &str, to: &str) -> String {
        let text = fs::read_to_string(root().join(FILE)).unwrap();
        assert!(text.contains(from), "nothing to change: {from}");
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("data")).unwrap();
        fs::write(folder.path().join(FILE), text.replacen(from, to, 1)).unwrap();
        format!("{:#}", Definitions::read(folder.path()).unwrap_err())
    }

    #[test]
    fn the_group_documents_has_the_three_known_documents() {
        let definitions = Definitions::read(&root()).unwrap();
        let documents = definitions.datasets.iter().filter(|one| one.group() == "documents");
        let ids: Vec<&str> = documents.map(|one| one.id.as_str()).collect();
        assert_eq!(ids, ["documents/canada", "documents/citm_catalog", "documents/twitter"]);
    }

    #[test]
    fn an_unknown_key_is_an_error_that_names_it() {
        for (right, wrong) in [
            ("shape", "shpae"),
            ("maps", "mapps"),
            ("source.json", "source.jsn"),
            ("bytes = 2", "size = 2"),
        ] {
            let error = fault(right, wrong);
            assert!(error.contains("unknown") || error.contains("unexpected"), "{error}");
            assert!(error.contains(wrong), "{error}");
        }
    }

    #[test]
    fn a_missing_count_is_an_error_that_names_it() {
        assert!(fault("binaries = 0, ", "").contains("binaries"));
    }

    #[test]
    fn all_faults_of_a_file_are_named_at_once() {
        let mut definitions = Definitions::read(&root()).unwrap();
        definitions.datasets[1].id = "documents/canada".to_owned();
        definitions.datasets[1].sha256.make_ascii_uppercase();
        definitions.datasets[1].why = " ".to_owned();
        definitions.datasets[2].id = "Twitter".to_owned();
        definitions.datasets[2].source =
            Source::Json { file: "documents/../../secret.json".to_owned(), bytes: 1 };
        let faults = definitions.faults();
        assert_eq!(faults.len(), 5, "{faults:#?}");
    }

    #[test]
    fn ids_are_a_group_and_a_name_in_lower_case() {
        assert!(is_id("documents/citm_catalog"));
        assert!(is_id("small/rpc-call-2"));
        for wrong in ["canada", "documents/", "/canada", "a/b/c", "a/B", "a/-b", "a/b-", "a/ü", ""]
        {
            assert!(!is_id(wrong), "{wrong}");
        }
    }

    #[test]
    fn a_source_lies_in_a_folder_of_its_own_below_the_fetched_ones() {
        assert!(stays_below("documents/canada.json.xz"));
        for wrong in [
            "canada.json",
            "../documents/canada.json",
            "/documents/canada.json",
            "documents/..",
            "",
        ] {
            assert!(!stays_below(wrong), "{wrong}");
        }
    }
}
