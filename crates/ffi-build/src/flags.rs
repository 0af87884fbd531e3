//! The compiler flags, and the record of what was used.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use crate::{out_dir, stop};

/// A language in which a library is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C, in the dialect that the compiler takes by itself.
    C,
    /// C++17, with exceptions.
    Cxx,
}

/// Flags for both languages.
///
/// They are all there are: what the `cc` crate would add by itself is left out.
/// No link-time optimization, which cannot cross from gcc to rustc and slows some of these libraries down.
/// No sections per function, for no reason was found to depart from what a C programmer gets.
/// Functions begin on a cache line (`-falign-functions=64`): else the place that a function happens to get in one program or another moved these libraries by up to 8 %, and a comparison would measure that.
/// Code for a program (`-fPIE`, the default of the compilers of Linux distributions) and not for a shared library, where calls between public functions could not be inlined.
const FLAGS: &[&str] = &["-O3", "-march=native", "-falign-functions=64", "-fPIE"];

/// Calls from C++ into shared libraries without a stub in between, as rustc compiles them by itself.
///
/// Not for C: with it the writer of the one C library took 9 to 13 % longer in our program than in the native one, without it as long (`cargo xtask native --codec mpack`).
/// For C++ it is the other way round, by up to 11 % for one library.
/// The reason was not found; how gcc lays out a function is the guess.
const CXX_FLAGS: &[&str] = &["-fno-plt"];

/// Sets the flags and macros with which everything is compiled.
pub(crate) fn apply(build: &mut cc::Build, language: Language, defines: &[(String, String)]) {
    build.no_default_flags(true).inherit_rustflags(false).define("NDEBUG", None);
    for flag in FLAGS {
        build.flag(flag);
    }
    if language == Language::Cxx {
        // The runtime is linked by hand, statically.
        build.cpp(true).std("c++17").cpp_link_stdlib(None);
        for flag in CXX_FLAGS {
            build.flag(flag);
        }
    }
    for (name, value) in defines {
        build.define(name, value.as_str());
    }
}

/// Writes `flags.json`: the library, the compiler, its version, and the flags, those from `CFLAGS` or `CXXFLAGS` included.
pub(crate) fn record(library: &str, language: Language, defines: &[(String, String)]) {
    let mut build = cc::Build::new();
    apply(&mut build, language, defines);
    let tool = build.warnings(false).get_compiler();
    let version = version(&tool);

    let flags: Vec<String> =
        tool.args().iter().map(|flag| quoted(&flag.to_string_lossy())).collect();
    let json = format!(
        "{{\"library\":{},\"language\":{},\"compiler\":{},\"version\":{},\"flags\":[{}]}}\n",
        quoted(library),
        quoted(if language == Language::C { "c" } else { "c++" }),
        quoted(&tool.path().to_string_lossy()),
        quoted(&version),
        flags.join(",")
    );
    let path = out_dir().join("flags.json");
    if let Err(error) = fs::write(&path, json) {
        stop(&format!("cannot write `{}`: {error}", path.display()));
    }
}

/// The line in which a compiler says what it is; the build ends here, with a message, if it cannot be started.
pub(crate) fn version(compiler: &cc::Tool) -> String {
    match Command::new(compiler.path()).arg("--version").output() {
        Ok(output) => {
            String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().into()
        }
        Err(error) => stop(&format!(
            "cannot start the compiler `{}`: {error}; install it, or name another in `CC` and `CXX`, then build again",
            compiler.path().display()
        )),
    }
}

/// A JSON string; a build script that compiles fast is worth these lines.
fn quoted(text: &str) -> String {
    let mut json = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => json.extend(['\\', character]),
            control if control < ' ' => {
                // Writing to a `String` cannot fail.
                let _ = write!(json, "\\u{:04x}", u32::from(control));
            }
            other => json.push(other),
        }
    }
    json.push('"');
    json
}

#[test]
fn quotes_backslashes_and_control_characters_are_escaped() {
    assert_eq!(quoted("-DX=\"a\\b\"\n"), "\"-DX=\\\"a\\\\b\\\"\\u000a\"");
}
