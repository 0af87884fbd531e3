//! What cargo, pip and npm have to be told to get a pinned package and nothing else.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;
use serde::Deserialize;

use super::command::{Failure, LIMIT, run};
use super::error::VendorError;
use super::pin::Pin;
use super::source::{Client, Source};

/// A package on the disk, verified by its client.
pub(crate) struct Package {
    pub(crate) folder: PathBuf,
    /// Date of its newest file in seconds since 1970; cargo and npm do not keep it.
    pub(crate) packed_s: Option<u64>,
}

/// The clients at work below `target/vendor`, each started when it is first needed.
pub(crate) struct Clients<'a> {
    root: &'a Path,
    work: PathBuf,
    crates: Option<Result<Vec<Crate>, Failure>>,
    /// The Python of the virtual environment.
    python: Option<Result<PathBuf, Failure>>,
}

/// A package in the output of `cargo metadata`.
#[derive(Clone, Debug, Deserialize)]
struct Crate {
    name: String,
    version: String,
    manifest_path: PathBuf,
}

impl<'a> Clients<'a> {
    pub(crate) fn new(root: &'a Path) -> Clients<'a> {
        Clients { root, work: root.join("target/vendor"), crates: None, python: None }
    }

    /// Gets the package of `source`.
    pub(crate) fn get(&mut self, source: &Source, pin: &Pin) -> Result<Package, VendorError> {
        let got = match source.client {
            Client::Cargo => self.cargo(source, pin),
            Client::Pip => self.pip(source, pin),
            Client::Npm => self.npm(source),
        };
        got.map_err(|error| match error.downcast::<ClientFailed>() {
            Ok(ClientFailed(failure)) => VendorError::Client {
                name: source.name.clone(),
                client: source.client,
                pinned_in: pin.place.strip_prefix(self.root).unwrap_or(&pin.place).to_owned(),
                failure,
            },
            Err(error) => VendorError::other(&source.name, &error),
        })
    }

    /// Removes what was unpacked for `source`; the client's own cache still has the package.
    pub(crate) fn clear(&self, source: &Source) -> anyhow::Result<()> {
        match source.client {
            Client::Cargo => Ok(()),
            Client::Pip | Client::Npm => empty(&self.scratch(source)).map(|_| ()),
        }
    }

    fn scratch(&self, source: &Source) -> PathBuf {
        self.work.join(source.client.to_string()).join(&source.package)
    }

    fn run(&self, command: &mut Command, name: &str) -> Result<String, Failure> {
        run(command, &self.work.join("log"), name, LIMIT)
    }

    fn cargo(&mut self, source: &Source, pin: &Pin) -> anyhow::Result<Package> {
        if self.crates.is_none() {
            self.crates = Some(self.start_cargo());
        }
        let crates = self.crates.as_ref().context("cargo was not started")?;
        let crates = crates.as_ref().map_err(|failure| ClientFailed(failure.clone()))?;
        let found = crates.iter().find(|c| c.name == source.package && c.version == pin.version);
        let manifest = &found.context("cargo does not list the package")?.manifest_path;
        let folder = manifest.parent().context("the crate has no folder")?.to_owned();
        Ok(Package { folder, packed_s: None })
    }

    /// Fetches all crates and asks where they are: they share one lock file, so one call serves them all.
    fn start_cargo(&self) -> Result<Vec<Crate>, Failure> {
        #[derive(Deserialize)]
        struct Metadata {
            packages: Vec<Crate>,
        }
        let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let cargo = |args: &[&str]| {
            let mut command = Command::new(&program);
            command.args(args).current_dir(self.root.join("vendor/cargo"));
            command
        };
        let metadata = ["metadata", "--locked", "--offline", "--format-version=1"];

        // Without the network first: it is quicker, and all there is to do on a train.
        let json = self.run(&mut cargo(&metadata), "cargo-metadata").or_else(|_| {
            self.run(&mut cargo(&["fetch", "--locked"]), "cargo-fetch")?;
            self.run(&mut cargo(&metadata), "cargo-metadata")
        })?;
        let read: Result<Metadata, _> = serde_json::from_str(&json);
        read.map(|metadata| metadata.packages).map_err(|error| Failure {
            command: "cargo metadata".to_owned(),
            ended: format!("printed no metadata: {error}"),
            last_lines: String::new(),
        })
    }

    fn pip(&mut self, source: &Source, pin: &Pin) -> anyhow::Result<Package> {
        if self.python.is_none() {
            self.python = Some(self.start_python());
        }
        let python = self.python.as_ref().context("python was not started")?;
        let python = python.as_ref().map_err(|failure| ClientFailed(failure.clone()))?;

        let scratch = empty(&self.scratch(source))?;
        let (requirement, download, folder) =
            (scratch.join("requirement.txt"), scratch.join("download"), scratch.join("unpacked"));
        fs::create_dir_all(&folder)?;
        fs::write(&requirement, &pin.requirement)?;
        let mut command = Command::new(python);
        // Without isolation the build tools are the ones pinned above, not the newest there are.
        command
            .args(["-m", "pip", "download", "--no-deps", "--no-build-isolation"])
            .args(["--require-hashes", "--disable-pip-version-check", "-r"])
            .args([&requirement, Path::new("-d"), &download]);
        self.run(&mut command, "pip-download").map_err(ClientFailed)?;

        let archive = fs::read_dir(&download)?.next().context("pip downloaded nothing")??.path();
        let mut command = Command::new(python);
        command.arg(self.root.join("vendor/pip/unpack.py")).args([&archive, &folder]);
        command.args(source.copy.iter().map(|copy| &copy.from));
        let date = self.run(&mut command, "pip-unpack").map_err(ClientFailed)?;
        Ok(Package { folder, packed_s: date.trim().parse().ok() })
    }

    /// Makes the virtual environment if it is not there, with the pinned build tools in it.
    fn start_python(&self) -> Result<PathBuf, Failure> {
        let folder = self.work.join("venv");
        let python = folder.join("bin/python");
        let pip = |args: &[&str]| {
            let mut command = Command::new(&python);
            command.args(["-m", "pip", "--disable-pip-version-check"]).args(args);
            command
        };
        // An interrupted making leaves a folder without a working pip.
        if self.run(&mut pip(&["--version"]), "pip-version").is_err() {
            let mut make = Command::new("python3");
            self.run(make.args(["-m", "venv", "--clear"]).arg(&folder), "python-venv")?;
        }
        let mut install = pip(&["install", "--require-hashes", "-r"]);
        install.arg(self.root.join("vendor/pip/build-requirements.txt"));
        self.run(&mut install, "pip-install")?;
        Ok(python)
    }

    fn npm(&self, source: &Source) -> anyhow::Result<Package> {
        // In a copy, so that nothing is written beside the committed lock file.
        let scratch = empty(&self.scratch(source))?;
        fs::create_dir_all(&scratch)?;
        let pins = self.root.join("vendor/npm").join(&source.package);
        for file in ["package.json", "package-lock.json", ".npmrc"] {
            let from = pins.join(file);
            fs::copy(&from, scratch.join(file))
                .with_context(|| format!("cannot copy {}", from.display()))?;
        }
        let mut command = Command::new("npm");
        command.arg("ci").current_dir(&scratch);
        self.run(&mut command, "npm-ci").map_err(ClientFailed)?;
        let folder = scratch.join("node_modules").join(&source.package);
        Ok(Package { folder, packed_s: None })
    }
}

/// Carries a failure through `anyhow`.
#[derive(Debug)]
struct ClientFailed(Failure);

impl std::error::Error for ClientFailed {}

impl std::fmt::Display for ClientFailed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` {}", self.0.command, self.0.ended)
    }
}

/// Removes `folder` and all in it.
fn empty(folder: &Path) -> anyhow::Result<PathBuf> {
    if folder.exists() {
        fs::remove_dir_all(folder)
            .with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    Ok(folder.to_owned())
}
