//! Which crate may use which.

use super::tree::{File, Metadata, Package};

/// Which of our crates may use which; everything else is a fault.
const ARROWS: &[(&str, &[&str])] = &[
    ("codec", &[]),
    ("oracle", &[]),
    ("protocol", &[]),
    ("verdict", &[]),
    ("ffi-build", &[]),
    ("meter", &[]),
    ("conformance", &["oracle"]),
    ("dataset", &["oracle"]),
    ("harness", &["codec", "protocol"]),
    ("analysis", &["protocol", "verdict"]),
    ("report", &["analysis", "protocol", "verdict"]),
    ("xtask", &["analysis", "conformance", "dataset", "oracle", "protocol", "verdict"]),
];

/// What an adapter may use, and in which kind of dependency.
const ADAPTER_ARROWS: &[(&str, Option<&str>)] = &[
    ("codec", None),
    ("codec", Some("build")),
    ("harness", Some("dev")),
    ("ffi-build", Some("build")),
];

/// Crates that others must be able to trust, or to use, without taking anything along.
const INDEPENDENT: &[&str] = &["codec", "oracle", "verdict"];

/// Every package is drawn or an adapter, and uses only what it may.
pub(super) fn arrows(metadata: &Metadata, files: &[File]) -> Vec<String> {
    let mut faults = Vec::new();
    for package in &metadata.packages {
        let drawn = ARROWS.iter().find(|(name, _)| *name == package.name).map(|(_, uses)| *uses);
        if drawn.is_none() && !package.is_adapter() {
            let what = format!("`{}` is neither drawn nor an adapter", package.name);
            let fix = "add it to `ARROWS` in xtask/src/tidy/arrows.rs, or add `[[package.metadata.codec]]`";
            faults.push(package.fault(files, &package.name_line(), &what, fix));
            continue;
        }
        for used in package.dependencies.iter().filter(|used| used.path.is_some()) {
            let kind = used.kind.as_deref();
            let allowed = match drawn {
                Some(uses) => uses.contains(&&*used.name),
                None => ADAPTER_ARROWS.contains(&(&*used.name, kind)),
            };
            if !allowed {
                let kind = kind.map_or(String::new(), |kind| format!(" as a {kind} dependency"));
                let what = format!("`{}` must not use `{}`{kind}", package.name, used.name);
                let fix = "see the arrows in .github/CONTRIBUTING.md, and move what is needed";
                faults.push(package.fault(files, &used.name, &what, fix));
            }
        }
    }
    faults
}

/// Some crates have no dependency at all, ours or not.
pub(super) fn independence(metadata: &Metadata, files: &[File]) -> Vec<String> {
    let independent = |package: &&Package| INDEPENDENT.contains(&&*package.name);
    let packages = metadata.packages.iter().filter(independent);
    packages
        .flat_map(|package| package.dependencies.iter().map(move |used| (package, used)))
        .map(|(package, used)| {
            let what =
                format!("`{}` must depend on nothing, but uses `{}`", package.name, used.name);
            package.fault(files, &used.name, &what, "write the little that is needed")
        })
        .collect()
}

/// What needs a fetched source is built only when asked for.
pub(super) fn default_members(metadata: &Metadata, files: &[File]) -> Vec<String> {
    let by_default = |package: &&Package| {
        package.folder().starts_with("ffi/")
            && metadata.workspace_default_members.contains(&package.id)
    };
    let packages = metadata.packages.iter().filter(by_default);
    packages
        .map(|package| {
            let what = format!("`{}` is built by a plain `cargo build`", package.name);
            package.fault(
                files,
                &package.name_line(),
                &what,
                "take ffi out of `default-members` in Cargo.toml",
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tidy::{found_at, holds, tree::planted};

    fn uses(name: &str, kind: Option<&str>) -> serde_json::Value {
        json!({ "name": name, "kind": kind, "path": "somewhere" })
    }

    #[test]
    fn an_adapter_with_an_arrow_that_is_not_drawn_is_found() {
        let right = [
            uses("codec", None),
            uses("codec", Some("build")),
            uses("harness", Some("dev")),
            uses("ffi-build", Some("build")),
        ];
        holds(&arrows(&planted(json!({ "dependencies": right })), &[]));

        let manifest = File::new("ffi/a/Cargo.toml", b"[package]\n[dependencies]\nharness = 1\n");
        let wrong = [uses("harness", None), uses("oracle", Some("dev")), uses("codec-b", None)];
        let faults = arrows(&planted(json!({ "dependencies": wrong })), &[manifest]);
        found_at(&faults, &["ffi/a/Cargo.toml:3", "ffi/a/Cargo.toml:1", "ffi/a/Cargo.toml:1"]);
    }

    #[test]
    fn a_crate_of_ours_with_an_arrow_that_is_not_drawn_is_found() {
        let used = [uses("oracle", None), uses("codec", None)];
        let package = json!({ "name": "xtask", "metadata": null, "dependencies": used });
        let faults = arrows(&planted(package), &[]);
        found_at(&faults, &["ffi/a/Cargo.toml:1"]);
        assert!(faults[0].contains("`xtask` must not use `codec`"), "{}", faults[0]);
    }

    #[test]
    fn a_crate_that_is_not_drawn_is_found() {
        let faults = arrows(&planted(json!({ "name": "new", "metadata": null })), &[]);
        found_at(&faults, &["ffi/a/Cargo.toml:1"]);
    }

    #[test]
    fn a_judge_with_a_dependency_is_found() {
        let used = json!([{ "name": "serde", "kind": "dev", "path": null }]);
        let faults = independence(&planted(json!({ "name": "oracle", "dependencies": used })), &[]);
        found_at(&faults, &["ffi/a/Cargo.toml:1"]);
    }

    #[test]
    fn an_adapter_in_the_default_members_is_found() {
        found_at(&default_members(&planted(json!({})), &[]), &["ffi/a/Cargo.toml:1"]);
        let rust = planted(json!({ "manifest_path": "crates/codec-a/Cargo.toml" }));
        holds(&default_members(&rust, &[]));
    }
}
