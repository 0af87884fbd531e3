//! What the rules look at: the files of the repository, and its manifests as cargo reads them.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde::Deserialize;
use walkdir::WalkDir;

/// A file, with its path from the root.
#[derive(Debug)]
pub(super) struct File {
    pub(super) path: String,
    pub(super) bytes: usize,
    pub(super) text: String,
}

impl File {
    pub(super) fn new(path: &str, content: &[u8]) -> Self {
        let text = String::from_utf8_lossy(content).into_owned();
        File { path: path.into(), bytes: content.len(), text }
    }

    /// The last part of its path.
    pub(super) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// The path of its folder, empty for the root.
    pub(super) fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// What follows the last dot of its name.
    pub(super) fn extension(&self) -> &str {
        self.name().rsplit_once('.').map_or("", |(_, extension)| extension)
    }

    /// Its lines with their numbers, from 1.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(index, line)| (index + 1, line))
    }

    /// A fault in a line.
    pub(super) fn fault(&self, line: usize, what: &str, fix: &str) -> String {
        format!("{}:{line}: {what}\n  fix: {fix}", self.path)
    }

    /// A fault in the first line that contains `needle`, or in the first of all.
    pub(super) fn fault_at(&self, needle: &str, what: &str, fix: &str) -> String {
        let line = self.lines().find(|(_, line)| line.contains(needle));
        self.fault(line.map_or(1, |(number, _)| number), what, fix)
    }
}

/// All files that are in the repository, or would be after `git add .`.
pub(super) fn files(root: &Path) -> Vec<File> {
    let mut paths = listed_by_git(root).unwrap_or_else(|| walked(root));
    paths.sort();
    paths.dedup();
    // Git lists what was deleted and not committed, too.
    let read = |path: &String| Some(File::new(path, &fs::read(root.join(path)).ok()?));
    paths.iter().filter_map(read).collect()
}

/// `None` where git is missing or does not know these files, as in an unpacked archive.
fn listed_by_git(root: &Path) -> Option<Vec<String>> {
    let mut git = Command::new("git");
    git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).current_dir(root);
    let text = String::from_utf8(git.output().ok()?.stdout).ok()?;
    let paths: Vec<String> = text.split_terminator('\0').map(str::to_owned).collect();
    paths.iter().any(|path| path == "Cargo.toml").then_some(paths)
}

/// Leaves out what `.gitignore` names.
fn walked(root: &Path) -> Vec<String> {
    const IGNORED: &[&str] = &["vendor/fetched", "data/generated", "packbench.toml"];
    let relative = |path: &Path| path.strip_prefix(root).unwrap_or(path).display().to_string();
    let ours = |path: &str| {
        let result = path.strip_prefix("results/").and_then(|rest| rest.split('/').next());
        !path.split('/').any(|part| part == "target" || part == ".git")
            && !IGNORED.contains(&path)
            && result.is_none_or(|name| name == "README.md" || name == "reference")
    };
    let entries = WalkDir::new(root).into_iter();
    let entries = entries.filter_entry(|entry| ours(&relative(entry.path())));
    let files = entries.filter_map(Result::ok).filter(|entry| !entry.file_type().is_dir());
    files.map(|entry| relative(entry.path())).collect()
}

/// What `cargo metadata` says.
#[derive(Debug, Deserialize)]
pub(super) struct Metadata {
    pub(super) packages: Vec<Package>,
    pub(super) workspace_default_members: Vec<String>,
    #[serde(default)]
    workspace_root: PathBuf,
}

#[derive(Debug, Deserialize)]
pub(super) struct Package {
    pub(super) id: String,
    pub(super) name: String,
    manifest_path: PathBuf,
    pub(super) dependencies: Vec<Dependency>,
    pub(super) targets: Vec<Target>,
    metadata: Option<Tables>,
}

#[derive(Debug, Deserialize)]
struct Tables {
    #[serde(default)]
    codec: Vec<Codec>,
}

/// A registration.
#[derive(Debug, Deserialize)]
pub(super) struct Codec {
    pub(super) format: String,
    pub(super) library: String,
    pub(super) variant: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Dependency {
    pub(super) name: String,
    /// `dev`, `build`, or nothing.
    pub(super) kind: Option<String>,
    pub(super) path: Option<PathBuf>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Target {
    pub(super) name: String,
    pub(super) kind: Vec<String>,
}

impl Package {
    /// From the root of the repository.
    pub(super) fn folder(&self) -> String {
        self.manifest_path.parent().unwrap_or(Path::new("")).display().to_string()
    }

    /// Its registrations.
    pub(super) fn codecs(&self) -> &[Codec] {
        self.metadata.as_ref().map_or(&[], |tables| &tables.codec)
    }

    /// Whether a library stands behind it, and not only a control.
    pub(super) fn is_adapter(&self) -> bool {
        self.codecs().iter().any(|codec| codec.format != crate::adapters::CONTROL)
    }

    /// The line of its manifest that names it.
    pub(super) fn name_line(&self) -> String {
        format!("name = \"{}\"", self.name)
    }

    /// A fault in the first line of its manifest that contains `needle`.
    pub(super) fn fault(&self, files: &[File], needle: &str, what: &str, fix: &str) -> String {
        let path = self.manifest_path.display().to_string();
        match files.iter().find(|file| file.path == path) {
            Some(file) => file.fault_at(needle, what, fix),
            None => File::new(&path, b"").fault(1, what, fix),
        }
    }
}

/// The packages of the workspace, with paths from its root.
pub(super) fn metadata(root: &Path) -> Metadata {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["metadata", "--no-deps", "--format-version", "1"]).current_dir(root);
    let mut metadata: Metadata = serde_json::from_slice(&cargo.output().unwrap().stdout).unwrap();
    for package in &mut metadata.packages {
        let relative = package.manifest_path.strip_prefix(&metadata.workspace_root).unwrap();
        package.manifest_path = relative.into();
    }
    metadata
}

/// A workspace with one package, `codec-a` in `ffi/a`, that registers `f/a/v` and, in the manner of cargo, whatever `more` replaces.
pub(super) fn planted(more: serde_json::Value) -> Metadata {
    let mut package = serde_json::json!({
        "id": "a", "name": "codec-a", "manifest_path": "ffi/a/Cargo.toml",
        "dependencies": [], "targets": [],
        "metadata": { "codec": [{ "format": "f", "library": "a", "variant": "v" }] },
    });
    for (key, value) in more.as_object().unwrap() {
        package[key] = value.clone();
    }
    serde_json::from_value(serde_json::json!({
        "packages": [package], "workspace_default_members": ["a"],
    }))
    .unwrap()
}

#[test]
fn walking_finds_what_git_lists() {
    let folder = tempfile::tempdir().unwrap();
    let kept = ["Cargo.toml", "results/README.md", "results/reference/run.json", "vendor/a"];
    let ignored = [
        "target/a",
        "x/target/a",
        "vendor/fetched/a",
        "data/generated/a",
        "results/run/run.json",
        "packbench.toml",
    ];
    for path in kept.iter().chain(&ignored) {
        fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
        fs::write(folder.path().join(path), "").unwrap();
    }
    let mut paths = walked(folder.path());
    paths.sort();
    assert_eq!(paths, kept);
    assert_eq!(listed_by_git(folder.path()), None);

    let ignore = crate::root().join(".gitignore");
    fs::copy(ignore, folder.path().join(".gitignore")).unwrap();
    // Without git there is nothing to compare with.
    let git = Command::new("git").args(["init", "--quiet"]).current_dir(folder.path()).status();
    if git.is_ok_and(|status| status.success()) {
        let mut paths = listed_by_git(folder.path()).unwrap();
        paths.sort();
        assert_eq!(paths, [&[".gitignore"], &kept[..]].concat());
    }
}
