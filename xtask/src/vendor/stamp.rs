//! The stamp in a fetched folder, and the hash of the folder that it is held against.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use walkdir::WalkDir;

use super::pin::Pin;
use super::source::{Client, CopyPath, Source};

const FILE: &str = ".stamp.json";

/// What a fetched folder was made from, and what it was then.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stamp {
    pub(crate) client: Client,
    pub(crate) package: String,
    pub(crate) version: String,
    pub(crate) copy: Vec<CopyPath>,
    pub(crate) pin_sha256: String,
    pub(crate) tree_sha256: String,
    /// Date of the newest file in the package, in seconds since 1970; `None` where packages of the client do not keep it.
    pub(crate) packed_s: Option<u64>,
}

impl Stamp {
    /// Reads the stamp in `folder`; `None` if there is none that this version can read.
    pub(crate) fn read(folder: &Path) -> Option<Stamp> {
        serde_json::from_slice(&fs::read(folder.join(FILE)).ok()?).ok()
    }

    /// Whether `source`, fetched by `pin`, would be the same again.
    pub(crate) fn fits(&self, source: &Source, pin: &Pin) -> bool {
        self.client == source.client
            && self.package == source.package
            && self.copy == source.copy
            && self.pin_sha256 == pin.sha256
    }
}

/// Copies what `source` names out of `package` into `folder` and stamps it.
///
/// The copy is made beside `folder` and moved there last, so that an interruption leaves nothing that looks whole.
///
/// # Errors
///
/// If a path is not in the package, the licence text is not among what was copied, or the disk refuses.
pub(crate) fn install(
    package: &Path,
    source: &Source,
    pin: &Pin,
    packed_s: Option<u64>,
    folder: &Path,
) -> anyhow::Result<Stamp> {
    let partial = folder.with_file_name(format!(".{}.partial", source.name));
    remove(&partial)?;
    for CopyPath { from, to } in &source.copy {
        copy(&package.join(from), &partial.join(to)).with_context(|| {
            format!("cannot copy `{from}` of package `{}` {}", source.package, pin.version)
        })?;
    }
    for text in &source.licence_text {
        ensure!(
            partial.join(text).is_file(),
            "licence text `{text}` is not among the copied files"
        );
    }

    let stamp = Stamp {
        client: source.client,
        package: source.package.clone(),
        version: pin.version.clone(),
        copy: source.copy.clone(),
        pin_sha256: pin.sha256.clone(),
        tree_sha256: tree_sha256(&partial)?,
        packed_s,
    };
    fs::write(partial.join(FILE), serde_json::to_string_pretty(&stamp)? + "\n")?;
    remove(folder)?;
    fs::rename(&partial, folder)
        .with_context(|| format!("cannot move the copy to {}", folder.display()))?;
    Ok(stamp)
}

/// Removes a folder, its stamp first: what an interruption leaves must not look whole.
fn remove(folder: &Path) -> anyhow::Result<()> {
    let absent_is_fine = |result: io::Result<()>| match result {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    };
    absent_is_fine(fs::remove_file(folder.join(FILE)))
        .and_then(|()| absent_is_fine(fs::remove_dir_all(folder)))
        .with_context(|| format!("cannot remove {}", folder.display()))
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    for entry in WalkDir::new(from).follow_links(true) {
        let entry = entry?;
        // `join` with an empty path would add a slash, which a file must not end in.
        let target = match entry.path().strip_prefix(from)? {
            inside if inside.as_os_str().is_empty() => to.to_owned(),
            inside => to.join(inside),
        };
        if entry.file_type().is_file() {
            if let Some(parent) = target.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Hash of the paths and contents of all files in `folder`, in the order of their paths, without the stamp.
///
/// # Errors
///
/// If a file cannot be read.
pub(crate) fn tree_sha256(folder: &Path) -> anyhow::Result<String> {
    let mut files: Vec<(String, PathBuf)> = Vec::new();
    for entry in WalkDir::new(folder) {
        let entry = entry.with_context(|| format!("cannot read {}", folder.display()))?;
        let path = entry.path().strip_prefix(folder)?;
        if !entry.file_type().is_dir() && path != Path::new(FILE) {
            files.push((path.to_string_lossy().into_owned(), entry.into_path()));
        }
    }
    files.sort();

    let mut hash = Sha256::new();
    for (name, path) in files {
        // Of a link its target counts: what it leads to may lie outside.
        let content = if path.is_symlink() {
            fs::read_link(&path).map(|target| target.into_os_string().into_encoded_bytes())
        } else {
            fs::read(&path)
        };
        let content = content.with_context(|| format!("cannot read {}", path.display()))?;
        add(&mut hash, name.as_bytes());
        add(&mut hash, &content);
    }
    Ok(hex(hash))
}

/// Hash of some texts, each with its length.
pub(crate) fn sha256_of(texts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for text in texts {
        add(&mut hash, text.as_bytes());
    }
    hex(hash)
}

fn add(hash: &mut Sha256, bytes: &[u8]) {
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

fn hex(hash: Sha256) -> String {
    hash.finalize().iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::source::tests::example;
    use super::*;

    /// A package with the files that `example` copies, and one that it does not.
    pub(crate) fn package(folder: &Path) {
        fs::create_dir_all(folder.join("include/deep")).unwrap();
        fs::write(folder.join("include/toy.h"), "int toy(void);\n").unwrap();
        fs::write(folder.join("include/deep/more.h"), "\n").unwrap();
        fs::write(folder.join("LICENSE"), "as you like\n").unwrap();
        fs::write(folder.join("other.c"), "\n").unwrap();
    }

    pub(crate) fn pin() -> Pin {
        Pin {
            version: "1.0.0".to_owned(),
            sha256: "aa".to_owned(),
            place: PathBuf::from("vendor/cargo/Cargo.toml"),
            requirement: String::new(),
        }
    }

    #[test]
    fn only_what_is_named_is_copied_and_the_stamp_holds_its_hash() {
        let dir = tempfile::tempdir().unwrap();
        let (from, to) = (dir.path().join("package"), dir.path().join("fetched/toy"));
        package(&from);
        let source = example("toy");

        let stamp = install(&from, &source, &pin(), Some(7), &to).unwrap();
        assert_eq!(Stamp::read(&to), Some(stamp.clone()));
        assert_eq!(tree_sha256(&to).unwrap(), stamp.tree_sha256);
        assert!(to.join("include/deep/more.h").is_file());
        assert!(!to.join("other.c").exists());
        assert!(stamp.fits(&source, &pin()));
        assert!(!stamp.fits(&source, &Pin { sha256: "ab".to_owned(), ..pin() }));
    }

    #[test]
    fn an_edited_an_added_a_removed_and_a_renamed_file_change_the_hash() {
        let dir = tempfile::tempdir().unwrap();
        package(dir.path());
        let whole = tree_sha256(dir.path()).unwrap();
        let file = dir.path().join("include/toy.h");
        let text = fs::read(&file).unwrap();

        fs::write(&file, "int toy(int);\n").unwrap();
        assert_ne!(tree_sha256(dir.path()).unwrap(), whole);
        fs::remove_file(&file).unwrap();
        assert_ne!(tree_sha256(dir.path()).unwrap(), whole);
        fs::write(dir.path().join("include/toys.h"), &text).unwrap();
        assert_ne!(tree_sha256(dir.path()).unwrap(), whole);
        fs::write(&file, &text).unwrap();
        assert_ne!(tree_sha256(dir.path()).unwrap(), whole);
        fs::remove_file(dir.path().join("include/toys.h")).unwrap();
        assert_eq!(tree_sha256(dir.path()).unwrap(), whole);
    }

    #[test]
    fn a_copy_that_fails_leaves_the_old_folder_alone() {
        let dir = tempfile::tempdir().unwrap();
        let (from, to) = (dir.path().join("package"), dir.path().join("fetched/toy"));
        package(&from);
        let stamp = install(&from, &example("toy"), &pin(), None, &to).unwrap();

        fs::remove_file(from.join("LICENSE")).unwrap();
        let error = install(&from, &example("toy"), &pin(), None, &to).unwrap_err();
        assert!(format!("{error:#}").contains("cannot copy `LICENSE`"), "{error:#}");
        assert_eq!(tree_sha256(&to).unwrap(), stamp.tree_sha256);
    }

    #[test]
    fn a_source_without_its_licence_text_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let (from, to) = (dir.path().join("package"), dir.path().join("fetched/toy"));
        package(&from);
        let mut source = example("toy");
        source.copy.truncate(1);
        install(&from, &source, &pin(), None, &to).unwrap_err();
        assert!(!to.exists());
    }

    #[test]
    fn what_an_interrupted_copy_left_is_cleared_away() {
        let dir = tempfile::tempdir().unwrap();
        let (from, to) = (dir.path().join("package"), dir.path().join("fetched/toy"));
        package(&from);
        let partial = dir.path().join("fetched/.toy.partial/include");
        fs::create_dir_all(&partial).unwrap();
        fs::write(partial.join("left-over.h"), "\n").unwrap();

        install(&from, &example("toy"), &pin(), None, &to).unwrap();
        assert!(!to.join("include/left-over.h").exists());
        assert!(!dir.path().join("fetched/.toy.partial").exists());
    }
}
