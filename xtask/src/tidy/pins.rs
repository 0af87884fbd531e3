//! Pins: exact versions, each with a hash, and no address.

use serde_json::Value;

use super::{foreign::usual_registry, tree::File};

/// Lock files and manifests of npm.
pub(super) fn npm(files: &[File]) -> Vec<String> {
    let mut faults = Vec::new();
    for file in files.iter().filter(|file| file.name() == "package-lock.json") {
        let lock: Value = serde_json::from_str(&file.text).unwrap_or_default();
        let Some(packages) = lock["packages"].as_object() else {
            faults.push(file.fault(
                1,
                "is no lock file of npm 7 or later",
                "make it with `npm install --package-lock-only`",
            ));
            continue;
        };
        for (place, package) in packages.iter().filter(|(place, _)| !place.is_empty()) {
            let key = format!("\"{place}\"");
            if package.get("resolved").is_some() {
                let what = format!("`{place}` has an address");
                faults.push(file.fault_at(&key, &what, "take the line `resolved` out, and set `omit-lockfile-registry-resolved` in .npmrc"));
            }
            if !package["integrity"].as_str().is_some_and(|hash| hash.starts_with("sha512-")) {
                let what = format!("`{place}` has no hash");
                faults.push(file.fault_at(
                    &key,
                    &what,
                    "lock it again with `npm install --package-lock-only`",
                ));
            }
        }
    }
    for file in files.iter().filter(|file| file.name() == "package.json") {
        let manifest: Value = serde_json::from_str(&file.text).unwrap_or_default();
        for (name, version) in manifest["dependencies"].as_object().into_iter().flatten() {
            if !version.as_str().is_some_and(is_exact) {
                let what = format!("`{name}` may be any of several versions");
                faults.push(file.fault_at(
                    &format!("\"{name}\":"),
                    &what,
                    "name one version, without `^` and `~`",
                ));
            }
        }
    }
    faults
}

/// Requirements of pip.
pub(super) fn pip(files: &[File]) -> Vec<String> {
    let is_list = |file: &&File| file.name().ends_with("requirements.txt");
    let mut faults = Vec::new();
    for file in files.iter().filter(is_list) {
        let joined = file.text.replace("\\\n", " ");
        for entry in joined.lines().map(str::trim) {
            if entry.is_empty() || entry.starts_with('#') {
                continue;
            }
            let mut words = entry.split_whitespace();
            let package = words.next().unwrap_or_default();
            let exact = package.split_once("==").is_some_and(|(_, version)| is_exact(version));
            let hashes: Vec<&str> = words.collect();
            if !exact {
                let what = format!("`{package}` is no package with one version");
                faults.push(file.fault_at(
                    package,
                    &what,
                    "write `name==version`, and nothing but packages",
                ));
            }
            if hashes.is_empty() || !hashes.iter().all(|word| is_hash(word)) {
                let what = format!("`{package}` has no hash");
                faults.push(file.fault_at(
                    package,
                    &what,
                    "add `--hash=sha256:…`, which `python3 -m pip hash FILE` prints",
                ));
            }
        }
    }
    faults
}

fn is_hash(word: &str) -> bool {
    let digits = word.strip_prefix("--hash=sha256:").unwrap_or_default();
    digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Lock files of cargo, and the manifest of what is only fetched.
pub(super) fn cargo(files: &[File]) -> Vec<String> {
    let usual = usual_registry();
    let mut faults = Vec::new();
    for file in files.iter().filter(|file| file.name() == "Cargo.lock") {
        for package in file.text.split("\n[[package]]\n").skip(1) {
            let Some(source) = package.lines().find(|line| line.starts_with("source = ")) else {
                continue;
            };
            let name = package.lines().next().unwrap_or_default();
            if source != usual {
                faults.push(file.fault_at(
                    name,
                    &format!("{name} comes from elsewhere"),
                    "take it from the usual registry",
                ));
            }
            if !package.contains("\nchecksum = \"") {
                faults.push(file.fault_at(
                    name,
                    &format!("{name} has no hash"),
                    "lock it again with `cargo update`",
                ));
            }
        }
    }
    for file in files.iter().filter(|file| file.path == "vendor/cargo/Cargo.toml") {
        let manifest: toml::Table = file.text.parse().unwrap_or_default();
        let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
        for (name, dependency) in dependencies.into_iter().flatten() {
            let version = dependency.get("version").unwrap_or(dependency).as_str();
            if !version.and_then(|version| version.strip_prefix('=')).is_some_and(is_exact) {
                let what = format!("`{name}` may be any of several versions");
                faults.push(file.fault_at(
                    &format!("{name} ="),
                    &what,
                    "write `=` before the version",
                ));
            }
        }
    }
    faults
}

/// The compiler is part of every result.
pub(super) fn toolchain(files: &[File]) -> Vec<String> {
    let path = "rust-toolchain.toml";
    let Some(file) = files.iter().find(|file| file.path == path) else {
        return vec![File::new(path, b"").fault(1, "is missing", "pin the compiler there")];
    };
    let table: toml::Table = file.text.parse().unwrap_or_default();
    let channel = table.get("toolchain").and_then(|toolchain| toolchain.get("channel"));
    let exact = channel.and_then(toml::Value::as_str).is_some_and(|channel| {
        channel.split('.').count() == 3
            && channel.split('.').all(|part| part.parse::<u32>().is_ok())
    });
    if exact {
        return Vec::new();
    }
    vec![file.fault_at("channel", "pins no exact compiler", "name a version with three numbers")]
}

/// Digits and dots, and what may follow them in a version.
fn is_exact(version: &str) -> bool {
    version.starts_with(|c: char| c.is_ascii_digit())
        && version.contains('.')
        && version.chars().all(|c| c.is_ascii_alphanumeric() || ".-+!_".contains(c))
        && version.split('.').all(|part| !["x", "X"].contains(&part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::{found_at, holds};

    fn one(path: &str, text: &str) -> [File; 1] {
        [File::new(path, text.as_bytes())]
    }

    #[test]
    fn an_npm_lock_with_an_address_or_without_a_hash_is_found() {
        let lock = |package: &str| {
            let text =
                format!("{{\"packages\": {{\n\"\": {{}},\n\"node_modules/a\": {package}\n}}}}");
            npm(&one("package-lock.json", &text))
        };
        holds(&lock(r#"{"version": "1.0.0", "integrity": "sha512-AA=="}"#));
        found_at(
            &lock(r#"{"integrity": "sha512-AA==", "resolved": ""}"#),
            &["package-lock.json:3"],
        );
        found_at(&lock(r#"{"version": "1.0.0"}"#), &["package-lock.json:3"]);
        found_at(&lock(r#"{"integrity": "sha1-AA=="}"#), &["package-lock.json:3"]);
        found_at(&npm(&one("package-lock.json", "{}")), &["package-lock.json:1"]);
    }

    #[test]
    fn an_npm_manifest_with_a_range_is_found() {
        let manifest = |version: &str| {
            npm(&one("package.json", &format!("{{\"dependencies\": {{\n\"a\": \"{version}\"}}}}")))
        };
        holds(&manifest("1.0.0-beta.14"));
        for version in ["^1.0.0", "~1.0.0", "1.x", "*", "", ">=1.0.0", "latest", "1"] {
            found_at(&manifest(version), &["package.json:2"]);
        }
    }

    #[test]
    fn a_pip_requirement_without_hash_or_exact_version_is_found() {
        let hash = format!("--hash=sha256:{}", "0f".repeat(32));
        let path = "vendor/pip/requirements.txt";
        let list = |text: &str| pip(&one(path, text));
        holds(&list(&format!("# Why.\na==1.0 \\\n    {hash} \\\n    {hash}\nb==2.0 {hash}\n")));
        let place = format!("{path}:2");
        found_at(&list(&format!("a==1.0 {hash}\nb==2.0\n")), &[&place]);
        found_at(&list(&format!("\nb>=2.0 {hash}\n")), &[&place]);
        found_at(&list(&format!("\nb==2.* {hash}\n")), &[&place]);
        found_at(&list("\nb==2.0 --hash=sha256:0f\n"), &[&place]);
        found_at(&list("\n--index-url https://example.org\n"), &[&place, &place]);
    }

    #[test]
    fn a_cargo_lock_with_another_source_or_without_hash_is_found() {
        let lock = |source: &str, more: &str| {
            cargo(&one(
                "Cargo.lock",
                &format!("version = 4\n\n[[package]]\nname = \"a\"\n{source}\n{more}\n"),
            ))
        };
        holds(&lock(&usual_registry(), "checksum = \"00\""));
        holds(&lock("version = \"0.1.0\"", ""));
        found_at(&lock(&usual_registry(), ""), &["Cargo.lock:4"]);
        found_at(
            &lock("source = \"git+https://example.org\"", "checksum = \"00\""),
            &["Cargo.lock:4"],
        );
    }

    #[test]
    fn a_carrier_without_exact_version_is_found() {
        let path = "vendor/cargo/Cargo.toml";
        let manifest =
            |dependency: &str| cargo(&one(path, &format!("[dependencies]\na = {dependency}\n")));
        holds(&manifest("\"=1.0.0\""));
        holds(&manifest("{ version = \"=1.0.0\" }"));
        for dependency in ["\"1.0.0\"", "\"=1\"", "{ version = \"1.0.0\" }", "{ path = \"b\" }"] {
            found_at(&manifest(dependency), &[&format!("{path}:2")]);
        }
    }

    #[test]
    fn a_compiler_that_is_not_pinned_is_found() {
        let path = "rust-toolchain.toml";
        let file = |channel: &str| {
            toolchain(&one(path, &format!("[toolchain]\nchannel = \"{channel}\"\n")))
        };
        holds(&file("1.95.0"));
        for channel in ["stable", "1.95", "nightly-2026-01-01", "1.95.x"] {
            found_at(&file(channel), &["rust-toolchain.toml:2"]);
        }
        found_at(&toolchain(&[]), &["rust-toolchain.toml:1"]);
    }
}
