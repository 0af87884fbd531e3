//! Declarations for Rust from a C header, by bindgen.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, exit};

use crate::runtime::file_of;
use crate::{Language, Library, flags, out_dir, root, stop, variable_of_build, watch};

impl Library {
    /// Writes `bindings.rs` to the output folder: what `header` declares and the pattern `names` selects, functions and constants, with all types that these need.
    ///
    /// Call it before anything else of the library, because it may start the build script again.
    pub fn bindings(&self, header: &str, names: &str) {
        watch(Path::new(header));
        load_libclang();

        let mut builder = bindgen::Builder::default()
            .header(header)
            .clang_arg(format!("-I{}", root().join("ffi").display()))
            .allowlist_function(names)
            .allowlist_var(names)
            .rust_edition(bindgen::RustEdition::Edition2024)
            .generate_inline_functions(true)
            .generate_comments(false)
            .formatter(bindgen::Formatter::None);
        builder = builder
            .clang_args(self.includes.iter().map(|folder| format!("-I{}", folder.display())))
            .clang_args(self.defines.iter().map(|(name, value)| format!("-D{name}={value}")));
        let compiler = self.configured(cc::Build::new(), Language::C).get_compiler();
        flags::version(&compiler);
        if let Some(headers) = file_of(&compiler, "include") {
            // A libclang without its compiler lacks the headers that belong to a compiler, such as `stddef.h`.
            builder = builder.clang_arg("-isystem").clang_arg(headers.display().to_string());
        }

        let path = out_dir().join("bindings.rs");
        match builder.generate() {
            Err(error) => stop(&format!("bindgen cannot read `{header}`: {error}")),
            Ok(bindings) => bindings.write_to_file(&path).unwrap_or_else(|error| {
                stop(&format!("cannot write `{}`: {error}", path.display()))
            }),
        }
    }
}

/// Makes bindgen find the fetched libclang, unless the environment or the system has one.
///
/// bindgen looks into the environment only, and to change its own environment is unsafe for a process: so the build script starts itself again with the variable set.
fn load_libclang() {
    if variable_of_build("LIBCLANG_PATH").is_none() {
        let fetched = root().join("vendor/fetched/libclang");
        watch(&fetched);
        if let (Some(folder), Ok(script)) = (folder_of_libclang(&fetched), env::current_exe()) {
            let status = Command::new(script).env("LIBCLANG_PATH", folder).status();
            exit(status.ok().and_then(|status| status.code()).unwrap_or(1));
        }
    }
    if std::panic::catch_unwind(bindgen::clang_version).is_err() {
        stop(
            "bindgen needs libclang, which is not here; run `cargo xtask vendor libclang` once, or set `LIBCLANG_PATH` to a folder that holds it, then build again",
        );
    }
}

fn folder_of_libclang(folder: &Path) -> Option<PathBuf> {
    let entries: Vec<PathBuf> =
        fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    let named = ["libclang.so", "libclang.dylib"].map(|name| folder.join(name));
    if entries.iter().any(|entry| named.contains(entry)) {
        return Some(folder.into());
    }
    entries.iter().find_map(|entry| folder_of_libclang(entry))
}
