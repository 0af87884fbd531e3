//! Folders of the user's that take the place of fetched sources: `--source` and `packbench.toml`.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use serde::Deserialize;

use crate::usage::Usage;

/// Which libraries are built from a folder of the user's, for their authors' working trees or another version.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Overrides(BTreeMap<String, PathBuf>);

/// `packbench.toml`, local and ignored by git.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Folder per library; a relative one starts at the folder of the file.
    #[serde(default)]
    source: BTreeMap<String, PathBuf>,
}

impl Overrides {
    /// Reads `file`, which may be absent, and the values of `--source`, each `LIBRARY=FOLDER`; a flag wins.
    ///
    /// # Errors
    ///
    /// If a flag or the file cannot be understood, or a folder is none.
    pub(crate) fn read(flags: &[String], file: &Path) -> anyhow::Result<Overrides> {
        let mut folders = BTreeMap::new();
        let text = match std::fs::read_to_string(file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            read => read.with_context(|| format!("cannot read {}", file.display()))?,
        };
        let base = file.parent().unwrap_or(Path::new("."));
        let parsed: File = toml::from_str(&text).map_err(|error| {
            let error = error.to_string();
            Usage(format!(
                "{} cannot be understood: {}\n  fix: lines below `[source]` are `library = \"folder\"`",
                file.display(),
                error.trim_end()
            ))
        })?;
        for (library, folder) in parsed.source {
            let place = format!("`{library}` in {}", file.display());
            folders.insert(library, existing(&base.join(folder), &place)?);
        }

        folders.extend(Overrides::of_flags(flags)?.0);
        Ok(Overrides(folders))
    }

    /// Reads the values of `--source` alone.
    ///
    /// # Errors
    ///
    /// If one cannot be understood, or its folder is none.
    pub(crate) fn of_flags(flags: &[String]) -> anyhow::Result<Overrides> {
        let mut folders = BTreeMap::new();
        for flag in flags {
            let (library, folder) = split(flag)?;
            let place = format!("`--source {flag}`");
            let folder = existing(Path::new(folder), &place)
                .map_err(|error| Usage(format!("{error:#}\n  fix: name a folder that exists")))?;
            ensure!(
                folders.insert(library.to_owned(), folder).is_none(),
                Usage(format!("`--source {library}=` is given twice\n  fix: give it once"))
            );
        }
        Ok(Overrides(folders))
    }

    /// The user's folder for `library`, absolute.
    pub(crate) fn get(&self, library: &str) -> Option<&Path> {
        self.0.get(library).map(PathBuf::as_path)
    }

    /// Every library with its folder.
    pub(crate) fn folders(&self) -> impl Iterator<Item = (&str, &Path)> {
        self.0.iter().map(|(library, folder)| (library.as_str(), folder.as_path()))
    }

    /// All libraries named; whether each exists is for the caller to check.
    pub(crate) fn libraries(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

/// `LIBRARY=FOLDER`.
///
/// # Errors
///
/// A value without `=`.
pub(crate) fn split(flag: &str) -> anyhow::Result<(&str, &str)> {
    let parts = flag.split_once('=');
    parts.ok_or_else(|| Usage(format!("`{flag}` has no `=`\n  fix: `LIBRARY=FOLDER`")).into())
}

fn existing(folder: &Path, place: &str) -> anyhow::Result<PathBuf> {
    let absolute = folder
        .canonicalize()
        .with_context(|| format!("{place}: cannot open {}", folder.display()))?;
    ensure!(absolute.is_dir(), "{place}: {} is not a folder", folder.display());
    Ok(absolute)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("mine")).unwrap();
        std::fs::create_dir(dir.path().join("other")).unwrap();
        let file = dir.path().join("packbench.toml");
        std::fs::write(&file, text).unwrap();
        (dir, file)
    }

    #[test]
    fn a_flag_wins_over_the_file() {
        let (dir, file) = written("[source]\nmpack = 'mine'\njsoncons = 'mine'\n");
        let flag = format!("mpack={}", dir.path().join("other").display());
        let overrides = Overrides::read(&[flag], &file).unwrap();
        let folder = |name: &str| dir.path().join(name).canonicalize().unwrap();
        assert_eq!(overrides.get("mpack"), Some(folder("other").as_path()));
        assert_eq!(overrides.get("jsoncons"), Some(folder("mine").as_path()));
        assert_eq!(overrides.libraries().collect::<Vec<_>>(), ["jsoncons", "mpack"]);
        assert_eq!(overrides.get("rmpv"), None);
    }

    #[test]
    fn no_file_and_no_flag_override_nothing() {
        let overrides = Overrides::read(&[], Path::new("no-such-file.toml")).unwrap();
        assert_eq!(overrides, Overrides::default());
    }

    #[test]
    fn unknown_keys_are_errors_with_the_name_of_the_file() {
        for text in ["[sources]\nmpack = 'mine'\n", "mpack = 'mine'\n", "[source]\nmpack = 3\n"] {
            let (_dir, file) = written(text);
            let error = format!("{:#}", Overrides::read(&[], &file).unwrap_err());
            assert!(error.contains("packbench.toml"), "{error}");
        }
    }

    #[test]
    fn what_is_no_folder_is_an_error_that_names_its_place() {
        let (_dir, file) = written("[source]\nmpack = 'packbench.toml'\njsoncons = 'mine'\n");
        let error = format!("{:#}", Overrides::read(&[], &file).unwrap_err());
        assert!(error.contains("`mpack` in") && error.contains("is not a folder"), "{error}");
        let flag = ["mpack=nowhere".to_owned()];
        let error = Overrides::read(&flag, Path::new("no-such-file.toml")).unwrap_err();
        assert!(format!("{error:#}").contains("`--source mpack=nowhere`"), "{error:#}");
    }

    #[test]
    fn a_flag_without_folder_or_given_twice_is_an_error() {
        let (dir, file) = written("");
        Overrides::read(&["mpack".to_owned()], &file).unwrap_err();
        let flag = format!("mpack={}", dir.path().display());
        Overrides::read(&[flag.clone(), flag], &file).unwrap_err();
    }
}
