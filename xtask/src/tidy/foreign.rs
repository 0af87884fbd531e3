//! What must not be in the repository: others' source, registries' addresses, traces of a machine.

use std::collections::BTreeMap;

use super::tree::File;

/// Hosts of package registries, in two parts, so that this file does not name them either.
const HOSTS: &[[&str; 2]] = &[
    ["crates", ".io"],
    ["pypi", ".org"],
    ["pythonhosted", ".org"],
    ["npmjs", ".org"],
    ["npmjs", ".com"],
    ["yarnpkg", ".com"],
    ["debian", ".org"],
];

/// Folders in which people keep their checkouts, in two parts like the hosts.
const FOLDERS: &[[&str; 2]] = &[["/ho", "me/"], ["/ro", "ot/"], ["/Us", "ers/"], ["/wo", "rk/"]];

/// Extensions of C and C++; the first three are those of bridges.
const C_FAMILY: &[&str] =
    &["c", "cc", "h", "hpp", "hh", "hxx", "h++", "cpp", "cxx", "c++", "inl", "ipp", "tpp"];

/// Most files of C or C++ in an adapter; chosen.
const MOST_FILES: usize = 6;

/// Largest file; chosen.
const MOST_BYTES: usize = 100_000;

/// The line of a lock file that cargo writes for each crate of the usual registry.
pub(super) fn usual_registry() -> String {
    format!("source = \"registry+https://github.com/rust-lang/{}-index\"", HOSTS[0].concat())
}

/// No address of a registry: clients are set up with mirrors and proxies, and know where to go.
pub(super) fn hosts(files: &[File]) -> Vec<String> {
    let usual = usual_registry();
    let hosts: Vec<String> = HOSTS.iter().map(|parts| parts.concat()).collect();
    let mut faults = Vec::new();
    for file in files {
        for (number, line) in file.lines() {
            if file.name() == "Cargo.lock" && line == usual {
                continue;
            }
            let lower = line.to_lowercase();
            for host in hosts.iter().filter(|host| lower.contains(*host)) {
                let what = format!("names the registry `{host}`");
                faults.push(file.fault(number, &what, "name the client and the package instead"));
            }
        }
    }
    faults
}

/// No path that exists on one machine only.
pub(super) fn machine_paths(files: &[File]) -> Vec<String> {
    let mut faults = Vec::new();
    for file in files {
        for (number, line) in file.lines() {
            for folder in FOLDERS.iter().map(|parts| parts.concat()) {
                if line.match_indices(&folder).any(|(at, _)| begins_path(&line[..at])) {
                    let what = format!("a path below `{folder}` exists on one machine only");
                    let fix = "begin at the root of the repository, or in a temporary folder";
                    faults.push(file.fault(number, &what, fix));
                }
            }
        }
    }
    faults
}

/// Whether a slash after `before` is the first of its path.
fn begins_path(before: &str) -> bool {
    !before.ends_with(|c: char| c.is_alphanumeric() || "._-~*})>".contains(c))
}

/// C and C++ is ours, and lies in the adapters.
pub(super) fn source(files: &[File]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut by_adapter: BTreeMap<&str, Vec<&File>> = BTreeMap::new();
    for file in files.iter().filter(|file| C_FAMILY.contains(&file.extension())) {
        match adapter(file).filter(|_| C_FAMILY[..3].contains(&file.extension())) {
            Some(adapter) => by_adapter.entry(adapter).or_default().push(file),
            None => {
                let what = "looks like third-party source";
                let fix = "have it fetched, see vendor/README.md; shims are .c, .cc or .h in ffi/<library>/src";
                faults.push(file.fault(1, what, fix));
            }
        }
    }
    for (adapter, files) in by_adapter.iter().filter(|(_, files)| files.len() > MOST_FILES) {
        let what = format!(
            "one of {} files of C or C++ in ffi/{adapter}, but {MOST_FILES} are the most",
            files.len()
        );
        faults.push(files[MOST_FILES].fault(
            1,
            &what,
            "keep the shim small, and fetch what is not ours",
        ));
    }
    faults
}

/// The adapter of a file that lies in its folder or in its `src`; empty for a header that all share.
fn adapter(file: &File) -> Option<&str> {
    if file.folder() == "ffi" && file.extension() == "h" {
        return Some("");
    }
    let folder = file.folder().strip_prefix("ffi/")?;
    let name = folder.strip_suffix("/src").unwrap_or(folder);
    (!name.contains('/')).then_some(name)
}

/// Data and source of others are large; what is written here is not.
pub(super) fn sizes(files: &[File]) -> Vec<String> {
    let may_be_large = |file: &File| {
        file.path.starts_with("results/reference/")
            || file.path.starts_with("plots/")
            || ["Cargo.lock", "package-lock.json"].contains(&file.name())
    };
    let large = files.iter().filter(|file| file.bytes > MOST_BYTES && !may_be_large(file));
    large
        .map(|file| {
            let what = format!("{} bytes, but {MOST_BYTES} are the most", file.bytes);
            file.fault(
                1,
                &what,
                "have it fetched or generated, see vendor/README.md and data/README.md",
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::{found_at, holds};

    fn one(path: &str, text: &str) -> [File; 1] {
        [File::new(path, text.as_bytes())]
    }

    #[test]
    fn every_registry_is_found_whatever_its_case() {
        for host in HOSTS.iter().map(|parts| parts.concat()) {
            let text = format!("\nsee https://{}/a", host.to_uppercase());
            found_at(&hosts(&one("a.md", &text)), &["a.md:2"]);
        }
    }

    #[test]
    fn the_usual_line_of_a_lock_file_is_allowed_there_only() {
        let text = format!("{}\n", usual_registry());
        holds(&hosts(&one("vendor/cargo/Cargo.lock", &text)));
        found_at(&hosts(&one("a.toml", &text)), &["a.toml:1"]);
        let other = text.replace("github.com", "example.org");
        found_at(&hosts(&one("Cargo.lock", &other)), &["Cargo.lock:1"]);
    }

    #[test]
    fn a_path_of_a_machine_is_found() {
        for folder in FOLDERS.iter().map(|parts| parts.concat()) {
            found_at(&machine_paths(&one("a.rs", &format!("\"{folder}a/b\""))), &["a.rs:1"]);
            found_at(&machine_paths(&one("a.rs", &format!("{folder}a/b"))), &["a.rs:1"]);
            holds(&machine_paths(&one("a.rs", &format!("target{folder}a {{root}}{folder}a"))));
        }
    }

    #[test]
    fn c_outside_of_an_adapter_or_in_a_form_of_others_is_found() {
        for path in ["vendor/a.c", "crates/a/src/a.h", "ffi/a/b/c.cc", "ffi/a/src/a.hpp", "ffi/a.c"]
        {
            found_at(&source(&one(path, "")), &[&format!("{path}:1")]);
        }
        holds(&source(&one("ffi/native.h", "")));
        holds(&source(&one("ffi/a/native.c", "")));
        holds(&source(&one("ffi/a/src/shim.cc", "")));
    }

    #[test]
    fn an_adapter_with_more_c_than_a_shim_needs_is_found() {
        let mut files: Vec<File> =
            (0..6).map(|number| File::new(&format!("ffi/a/src/{number}.c"), b"")).collect();
        holds(&source(&files));
        files.push(File::new("ffi/a/native.c", b""));
        found_at(&source(&files), &["ffi/a/native.c:1"]);
    }

    #[test]
    fn a_large_file_is_found_unless_it_is_a_result() {
        let large = "a".repeat(MOST_BYTES + 1);
        found_at(&sizes(&one("data/a.json", &large)), &["data/a.json:1"]);
        holds(&sizes(&one("data/a.json", &large[1..])));
        for path in ["results/reference/samples/a.jsonl", "plots/a.svg", "Cargo.lock"] {
            holds(&sizes(&one(path, &large)));
        }
    }
}
