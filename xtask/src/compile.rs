//! Builds the programs of one adapter alone.
//!
//! Alone, because cargo merges the features of all that one command builds: together, an adapter could switch on a feature in the library that another one measures.

use std::{
    collections::BTreeMap,
    env,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::Context as _;
use protocol::job::Operation;
use serde::Deserialize;

use crate::{
    adapters::{Adapter, Entry},
    interrupt,
    sources::Overrides,
};

/// Flags of every Rust program that is timed; the equal of what `ffi-build` gives to C and C++.
///
/// - Functions begin at cache lines, as `-falign-functions=64` has it: where they come to lie otherwise decides up to several percent.
/// - The system's linker and not the one that rustc brings on one platform, because programs in C and C++ are linked with it.
pub(crate) const RUST_FLAGS: &str = if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
    "-C target-cpu=native -C llvm-args=-align-all-functions=6 -C linker-features=-lld"
} else {
    "-C target-cpu=native -C llvm-args=-align-all-functions=6"
};

/// Profile of every Rust program that is timed, in cargo's variables, so that adapters of other workspaces get it too.
pub(crate) const PROFILE: &[(&str, &str)] = &[
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "3"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1"),
    ("CARGO_PROFILE_RELEASE_DEBUG", "0"),
    ("CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS", "false"),
    ("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", "false"),
    ("CARGO_PROFILE_RELEASE_INCREMENTAL", "false"),
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_PANIC", "unwind"),
    ("CARGO_PROFILE_RELEASE_STRIP", "none"),
];

/// Cargo target of the canary, in the package of the harness.
const CANARY: &str = "canary";

/// What one command built.
#[derive(Debug, Default)]
pub(crate) struct Built {
    /// By target name, such as `tree_parse` or `tree`.
    executables: BTreeMap<String, PathBuf>,
    /// The same programs in other layouts.
    layouts: BTreeMap<String, Vec<PathBuf>>,
    /// Where the adapter's build script left its files.
    out_dir: Option<PathBuf>,
}

impl Built {
    /// The program that times an operation.
    pub(crate) fn timed(&self, entry: &Entry, operation: Operation) -> Option<&PathBuf> {
        self.executables.get(&timed_target(entry, operation))
    }

    /// The same program in other layouts; none if it was linked once.
    pub(crate) fn layouts(&self, entry: &Entry, operation: Operation) -> &[PathBuf] {
        self.layouts.get(&timed_target(entry, operation)).map_or(&[], Vec::as_slice)
    }

    /// The program that says whether the machine is as it was.
    pub(crate) fn canary(&self) -> Option<&PathBuf> {
        self.executables.get(CANARY)
    }

    /// The program that answers questions.
    pub(crate) fn answering(&self, entry: &Entry) -> Option<&PathBuf> {
        self.executables.get(&entry.target())
    }

    /// Every program of a codec.
    pub(crate) fn all(&self, entry: &Entry) -> impl Iterator<Item = &PathBuf> {
        let timed = Operation::ALL.into_iter().filter_map(|operation| self.timed(entry, operation));
        timed.chain(self.answering(entry))
    }

    /// The program in the library's own language, if the adapter has one.
    pub(crate) fn native(&self) -> Option<PathBuf> {
        self.out_dir.as_ref().map(|folder| folder.join("native")).filter(|file| file.is_file())
    }

    /// C and C++ compilers with their flags, as the build script wrote them down.
    pub(crate) fn compilers(&self) -> Vec<serde_json::Value> {
        let flags = self.out_dir.as_ref().and_then(|folder| {
            serde_json::from_slice(&std::fs::read(folder.join("flags.json")).ok()?).ok()
        });
        match flags {
            None => Vec::new(),
            Some(serde_json::Value::Array(all)) => all,
            Some(one) => vec![one],
        }
    }
}

#[derive(Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
enum Message {
    CompilerArtifact {
        target: Target,
        executable: Option<PathBuf>,
    },
    BuildScriptExecuted {
        package_id: String,
        out_dir: PathBuf,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

/// What one build is about.
#[derive(Debug)]
pub(crate) struct Order<'o> {
    /// The root of the repository.
    pub(crate) root: &'o Path,
    /// The adapter that is built alone.
    pub(crate) adapter: &'o Adapter,
    /// Its codecs.
    pub(crate) codecs: &'o [&'o Entry],
    /// What is timed; the answering programs are always built.
    pub(crate) operations: &'o [Operation],
    /// Sources of the user's.
    pub(crate) overrides: &'o Overrides,
    /// Whether the program in the library's own language is wanted.
    pub(crate) native: bool,
    /// Where under `target/`: builds from other sources lie apart.
    pub(crate) folder: &'o str,
    /// In how many layouts each timed program is linked besides.
    pub(crate) relinks: u32,
}

impl Order<'_> {
    /// Builds the programs.
    ///
    /// # Errors
    ///
    /// The last lines of what cargo said.
    pub(crate) fn build(&self) -> anyhow::Result<Built> {
        let mut command = self.cargo("build");
        for entry in self.codecs {
            command.args(["--test", &entry.target()]);
            for &operation in self.operations {
                command.args(["--bench", &timed_target(entry, operation)]);
            }
        }
        if self.codecs.iter().any(|entry| entry.is_control()) && !self.operations.is_empty() {
            command.args(["--bench", CANARY]);
        }
        let mut built = self.run(&mut command)?;
        for entry in self.codecs {
            for &operation in self.operations {
                let layouts = (0..self.relinks)
                    .take_while(|_| !interrupt::wished())
                    .map(|layout| self.relink(entry, operation, layout))
                    .collect::<anyhow::Result<Vec<PathBuf>>>()?;
                built.layouts.insert(timed_target(entry, operation), layouts);
            }
        }
        Ok(built)
    }

    /// Links the program of a codec and operation once more, in another layout for each number.
    ///
    /// The linker shuffles all sections of all objects by a seed; what is in them stays the same.
    ///
    /// # Errors
    ///
    /// The last lines of what cargo said; there is no such linker on every platform.
    fn relink(&self, entry: &Entry, operation: Operation, layout: u32) -> anyhow::Result<PathBuf> {
        let target = timed_target(entry, operation);
        let mut command = self.cargo("rustc");
        command.args(["--bench", &target, "--"]);
        let folder = linker_folder()?;
        command.arg("-C").arg(format!("link-arg=-B{}", folder.display()));
        command.args(["-C", "link-arg=-fuse-ld=lld"]);
        command.arg("-C").arg(format!("link-arg=-Wl,--shuffle-sections=*={}", layout + 1));
        let built = self.run(&mut command)?;
        built.executables.get(&target).cloned().context("cargo named no program")
    }

    fn cargo(&self, what: &str) -> Command {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args([what, "--release", "--message-format", "json-render-diagnostics"]);
        command.arg("--manifest-path").arg(&self.adapter.manifest);
        command.args(["--package", &self.adapter.package]);
        command.arg("--target-dir").arg(self.root.join("target").join(self.folder));
        if self.adapter.outside.is_none() {
            command.arg("--locked");
        }
        settings(self.root, self.overrides, self.native, &mut command);
        command
    }

    fn run(&self, command: &mut Command) -> anyhow::Result<Built> {
        let output =
            command.output().context("cannot start cargo\n  fix: install it with rustup")?;
        if !output.status.success() {
            anyhow::bail!(last_lines(&String::from_utf8_lossy(&output.stderr), 30));
        }
        let mut built = Built::default();
        for line in output.stdout.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            match serde_json::from_slice(line).context("cargo speaks another language")? {
                Message::CompilerArtifact { target, executable: Some(path) } => {
                    built.executables.insert(target.name, path);
                }
                Message::BuildScriptExecuted { package_id, out_dir }
                    if package_id.contains(&format!("{}@", self.adapter.package))
                        || package_id.ends_with(&format!("/{}#0.1.0", self.adapter.package)) =>
                {
                    built.out_dir = Some(out_dir);
                }
                _ => {}
            }
        }
        Ok(built)
    }
}

/// Where the compiler driver finds the linker that comes with rustc.
fn linker_folder() -> anyhow::Result<PathBuf> {
    let rustc = |arguments: &[&str]| -> anyhow::Result<String> {
        let output =
            Command::new("rustc").args(arguments).output().context("cannot start rustc")?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let root = rustc(&["--print", "sysroot"])?;
    let host = rustc(&["--print", "host-tuple"])?;
    let folder = Path::new(&root).join("lib/rustlib").join(host).join("bin/gcc-ld");
    anyhow::ensure!(
        folder.is_dir(),
        "rustc brings no linker that can shuffle sections on this platform\n  fix: leave `--relink` out, or give `--relink 0` with `--publish`"
    );
    Ok(folder)
}

/// What every build of an adapter gets in its environment.
pub(crate) fn settings(root: &Path, overrides: &Overrides, native: bool, command: &mut Command) {
    command.envs(PROFILE.iter().copied());
    command.env("RUSTFLAGS", RUST_FLAGS).env_remove("CARGO_ENCODED_RUSTFLAGS");
    command.env("PACKBENCH_ROOT", root);
    if native {
        command.env("PACKBENCH_NATIVE", "1");
    } else {
        command.env_remove("PACKBENCH_NATIVE");
    }
    for (library, folder) in overrides.folders() {
        let variable = library.to_uppercase().replace('-', "_");
        command.env(format!("PACKBENCH_SOURCE_{variable}"), folder);
    }
}

/// Builds the library that counts allocations; `None` where there is no such way.
///
/// # Errors
///
/// The last lines of what cargo said.
pub(crate) fn meter(root: &Path) -> anyhow::Result<Option<PathBuf>> {
    if !cfg!(all(target_os = "linux", target_env = "gnu")) {
        return Ok(None);
    }
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["build", "--release", "--locked", "--package", "meter"]);
    let target = root.join("target/codecs");
    command.arg("--target-dir").arg(&target).current_dir(root);
    settings(root, &Overrides::default(), false, &mut command);
    let output = command.output().context("cannot start cargo")?;
    if !output.status.success() {
        anyhow::bail!(last_lines(&String::from_utf8_lossy(&output.stderr), 30));
    }
    Ok(Some(target.join("release/libmeter.so")))
}

fn timed_target(entry: &Entry, operation: Operation) -> String {
    format!("{}_{operation}", entry.target())
}

/// The end of a long text, where compilers say what is wrong.
pub(crate) fn last_lines(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}
