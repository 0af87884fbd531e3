//! Where things lie: the root, what commands make, and where links lead.

use super::tree::File;

/// The names at the root: those of the project, then those that a tool insists on.
const TOP_LEVEL: &[&str] = &[
    "Cargo.toml",
    "README.md",
    "xtask",
    "crates",
    "ffi",
    "vendor",
    "data",
    "results",
    "plots",
    ".cargo",
    ".ci",
    ".github",
    ".gitignore",
    "Cargo.lock",
    "LICENSE",
    "clippy.toml",
    "rust-toolchain.toml",
    "rustfmt.toml",
];

/// The root holds all of these names, and no other.
pub(super) fn top_level(files: &[File]) -> Vec<String> {
    let top = |file: &File| file.path.split('/').next().unwrap_or_default().to_owned();
    let strange = files.iter().filter(|file| !TOP_LEVEL.contains(&&*top(file)));
    let mut faults: Vec<String> = strange
        .map(|file| {
            let what = format!("`{}` has no place at the root", top(file));
            file.fault(1, &what, "move it into the folder that it is about")
        })
        .collect();
    let missing = TOP_LEVEL.iter().filter(|name| files.iter().all(|file| top(file) != **name));
    faults.extend(missing.map(|name| File::new(name, b"").fault(1, "is missing", "put it back")));
    faults
}

/// What is fetched, generated or measured stays out, apart from the reference run.
pub(super) fn made(files: &[File]) -> Vec<String> {
    let is_made = |path: &str| {
        let result = path.strip_prefix("results/");
        path.starts_with("vendor/fetched/")
            || path.starts_with("data/generated/")
            || path.split('/').any(|part| part == "target")
            || result.is_some_and(|name| name != "README.md" && !name.starts_with("reference/"))
    };
    let made = files.iter().filter(|file| is_made(&file.path));
    made.map(|file| {
        let fix = "take it out with `git rm --cached`, and see that .gitignore names its folder";
        file.fault(1, "is made by a command", fix)
    })
    .collect()
}

/// Links in Markdown to files of the repository.
pub(super) fn links(files: &[File]) -> Vec<String> {
    let mut faults = Vec::new();
    for file in files.iter().filter(|file| file.extension() == "md") {
        let mut in_block = false;
        for (number, line) in file.lines() {
            if line.trim_start().starts_with("```") {
                in_block = !in_block;
            }
            if in_block {
                continue;
            }
            for target in targets(line) {
                let path = target.split('#').next().unwrap_or_default();
                if path.is_empty() || has_scheme(path) {
                    continue;
                }
                let place = resolved(file.folder(), path);
                if !place.is_some_and(|place| is_there(files, &place)) {
                    let what = format!("there is no `{target}` in the repository");
                    faults.push(file.fault(number, &what, "correct the link, or take it out"));
                }
            }
        }
    }
    faults
}

/// Where the links of a line lead, those in code left out.
fn targets(line: &str) -> Vec<String> {
    let text: String = line.split('`').step_by(2).collect();
    let mut targets: Vec<String> = text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split([')', ' ']).next())
        .map(str::to_owned)
        .collect();
    if text.starts_with('[')
        && let Some((_, target)) = text.split_once("]: ")
    {
        targets.push(target.trim().into());
    }
    targets
}

fn has_scheme(target: &str) -> bool {
    let scheme = target.split_once(':').map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// The path from the root; `None` if it leads out of the repository.
fn resolved(folder: &str, link: &str) -> Option<String> {
    let (folder, link) = link.strip_prefix('/').map_or((folder, link), |link| ("", link));
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(link.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Whether there is a file or a folder of that path.
fn is_there(files: &[File], path: &str) -> bool {
    path.is_empty()
        || files.iter().any(|file| {
            let rest = file.path.strip_prefix(path);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::{found_at, holds};

    #[test]
    fn a_strange_name_at_the_root_and_a_missing_one_are_found() {
        let mut files: Vec<File> = TOP_LEVEL.iter().map(|name| File::new(name, b"")).collect();
        holds(&top_level(&files));
        files[0] = File::new("docs/a.md", b"");
        found_at(&top_level(&files), &["docs/a.md:1", "Cargo.toml:1"]);
    }

    #[test]
    fn what_commands_make_is_found() {
        let paths = [
            "vendor/fetched/a/a.c",
            "data/generated/a.msgpack",
            "results/2026-01-01T00-00-00Z/run.json",
            "xtask/tests/a/target/a",
        ];
        for path in paths {
            found_at(&made(&[File::new(path, b"")]), &[&format!("{path}:1")]);
        }
        for path in ["results/README.md", "results/reference/run.json", "vendor/cargo/Cargo.lock"] {
            holds(&made(&[File::new(path, b"")]));
        }
    }

    #[test]
    fn a_link_that_leads_nowhere_is_found() {
        let with = |text: &str| {
            links(&[File::new("data/README.md", text.as_bytes()), File::new("ffi/a/b.rs", b"")])
        };
        holds(&with(
            "[a](../ffi/a/b.rs) [b](../ffi/a/) [c](/ffi) [d](README.md#top) [e](#top) [f](..)",
        ));
        holds(&with("[a](https://example.org/a) [b](mailto:a@example.org) `[c](d)`"));
        holds(&with("```\n[a](b)\n```"));
        found_at(&with("\n[a](../ffi/a/c.rs)"), &["data/README.md:2"]);
        found_at(&with("[a](../ffi/a/b) and ![b](c.svg)"), &["data/README.md:1"; 2]);
        found_at(&with("[a](../../shared.md)"), &["data/README.md:1"]);
        found_at(&with("[a]: nowhere.md"), &["data/README.md:1"]);
    }
}
