//! For build scripts: where the source of a library is, and one set of compiler flags for all.
//!
//! A build script finds its [`Library`], says which folders and files of it are needed, and calls [`Library::compile_c`] or [`Library::compile_cxx`].
//! Whatever a person can mend is reported through cargo as one line, and the script then ends with 0, because cargo prints the whole output of a script that fails.

mod bindings;
mod flags;
mod native;
mod runtime;

use std::env;
use std::path::{Path, PathBuf};

pub use flags::Language;

/// The source of a library, and how it is compiled.
#[derive(Debug)]
pub struct Library {
    name: String,
    folder: PathBuf,
    includes: Vec<PathBuf>,
    defines: Vec<(String, String)>,
    sources: Vec<PathBuf>,
}

impl Library {
    /// Finds the source of the library `name`.
    ///
    /// It is the folder in the environment variable `PACKBENCH_SOURCE_<NAME>` if that is set (upper case, `-` becomes `_`), else `vendor/fetched/<name>` of the workspace.
    /// The build ends here, with a message that names the remedy, if there is no such folder.
    #[must_use]
    pub fn find(name: &str) -> Library {
        let variable = format!("PACKBENCH_SOURCE_{}", name.to_uppercase().replace('-', "_"));
        let folder = match variable_of_build(&variable) {
            Some(folder) => {
                let folder = PathBuf::from(folder);
                if !folder.is_dir() {
                    stop(&format!(
                        "`{}` is no folder, but `{variable}` says that the source of `{name}` is there; fix: name the folder by its whole path",
                        folder.display()
                    ));
                }
                folder
            }
            None => {
                let folder = root().join("vendor/fetched").join(name);
                if !folder.is_dir() {
                    stop(&format!(
                        "the source of `{name}` is not in vendor/fetched; run `cargo xtask vendor {name}` once, then build again"
                    ));
                }
                folder
            }
        };
        watch(&folder);
        Library { name: name.into(), folder, includes: vec![], defines: vec![], sources: vec![] }
    }

    /// The folder of the library that holds `file`.
    ///
    /// The usual places are tried: the folder itself, `include`, `src`, and a folder of the library's name in the last two.
    /// The build ends here, with a message, if the file is in none of them.
    #[must_use]
    pub fn folder_with(&self, file: &str) -> PathBuf {
        let Library { name, folder, .. } = self;
        let places = ["".into(), "include".into(), "src".into()];
        let named = [format!("include/{name}"), format!("src/{name}")];
        let mut candidates = places.iter().chain(&named).map(|place| folder.join(place));
        candidates.find(|candidate| candidate.join(file).is_file()).unwrap_or_else(|| {
            stop(&format!(
                "the source of `{name}` in `{}` holds no `{file}`; run `cargo xtask vendor {name}`, or name another folder by `--source`",
                folder.display()
            ))
        })
    }

    /// Adds a folder in which the compilers look for the library's headers.
    pub fn include(&mut self, folder: impl Into<PathBuf>) -> &mut Library {
        self.includes.push(folder.into());
        self
    }

    /// Defines a macro for all that is compiled, the shim and the native program included.
    pub fn define(&mut self, name: &str, value: &str) -> &mut Library {
        self.defines.push((name.into(), value.into()));
        self
    }

    /// Adds every C file in `folder` to what is compiled; not needed for a library of headers only.
    pub fn sources_in(&mut self, folder: &Path) -> &mut Library {
        let entries = folder.read_dir().into_iter().flatten().filter_map(Result::ok);
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
        files.sort();
        self.sources.extend(files);
        self
    }

    /// Compiles a C library and the adapter's `files`, which are relative to the adapter's manifest.
    pub fn compile_c(&self, files: &[&str]) {
        self.compile(cc::Build::new(), Language::C, files);
    }

    /// Compiles a C++ library, the cxx bridge in the Rust file `bridge`, and the adapter's `files`.
    ///
    /// The standard library of C++ is linked statically where the compiler has it as an archive, so that the dynamic C library is the only one that a program shares with others.
    pub fn compile_cxx(&self, bridge: &str, files: &[&str]) {
        watch(Path::new(bridge));
        let mut build = cxx_build::bridge(bridge);
        build.include("src");
        self.compile(build, Language::Cxx, files);
        runtime::link(&self.configured(cc::Build::new(), Language::Cxx).get_compiler());
    }

    fn compile(&self, ours: cc::Build, language: Language, files: &[&str]) {
        for file in files {
            watch(Path::new(file));
            watch(&Path::new(file).with_extension("h"));
        }
        let shared = root().join("ffi");
        watch(&shared.join("walk.h"));
        flags::record(&self.name, language, &self.defines);
        self.configured(ours, language)
            .include(shared)
            .warnings(true)
            .extra_warnings(true)
            .files(files)
            .compile(&format!("{}-shim", self.name));
        if !self.sources.is_empty() {
            self.configured(cc::Build::new(), Language::C)
                .warnings(false)
                .files(&self.sources)
                .compile(&format!("{}-library", self.name));
        }
    }

    /// A compilation with the flags of all, and the folders and macros of this library.
    fn configured(&self, mut build: cc::Build, language: Language) -> cc::Build {
        flags::apply(&mut build, language, &self.defines);
        for folder in &self.includes {
            // As a system folder: warnings about the library's headers are for its authors.
            build.flag("-isystem").flag(folder);
        }
        build
    }
}

/// The root of the workspace whose `vendor` folder is used.
///
/// For an adapter that lies elsewhere `xtask` sets `PACKBENCH_ROOT`.
fn root() -> PathBuf {
    variable_of_build("PACKBENCH_ROOT")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."), PathBuf::from)
}

/// Reads a variable on which the build depends.
fn variable_of_build(name: &str) -> Option<String> {
    println!("cargo::rerun-if-env-changed={name}");
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// Builds again when this file, or a file in this folder, changes.
fn watch(path: &Path) {
    // A path that does not exist would be built again every time.
    if path.exists() {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}

/// The folder for all that a build script makes.
fn out_dir() -> PathBuf {
    PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default())
}

/// Ends the build with this line, and with nothing else from the script.
fn stop(message: &str) -> ! {
    println!("cargo::error={message}");
    std::process::exit(0)
}
