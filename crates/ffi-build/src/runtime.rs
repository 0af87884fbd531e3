//! The standard library of C++.

use std::path::PathBuf;
use std::process::Command;

/// Links the standard library of C++, statically where there is an archive.
///
/// The adapter's manifest asks for `link-cplusplus` with the feature `nothing`; else the `cxx` crate would link it a second time, dynamically.
pub(crate) fn link(compiler: &cc::Tool) {
    if cfg!(target_vendor = "apple") {
        println!("cargo::warning=no static C++ runtime on this system; the shared libc++ is used");
        println!("cargo::rustc-link-arg=-lc++");
        return;
    }
    match file_of(compiler, "libstdc++.a") {
        // As an argument, which comes last: not every linker looks back for what the `cxx` crate needs of it.
        // It reaches the programs of the adapter's own package, and there are no others.
        Some(archive) => println!("cargo::rustc-link-arg={}", archive.display()),
        None => {
            println!(
                "cargo::warning=the C++ compiler has no static libstdc++; the shared one is used"
            );
            println!("cargo::rustc-link-arg=-lstdc++");
        }
    }
}

/// Where the compiler keeps a file of its own; gcc and clang answer with the bare name if they have none.
pub(crate) fn file_of(compiler: &cc::Tool, name: &str) -> Option<PathBuf> {
    let question = format!("-print-file-name={name}");
    let output = Command::new(compiler.path()).arg(question).output().ok()?;
    let path = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    (path.is_absolute() && path.exists()).then_some(path)
}
