//! Reads from the clients' lock files which version of a package is pinned, and by what hash.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use serde_json::Value;

use super::source::{Client, Source};
use super::stamp::sha256_of;

/// What a lock file says of one package.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Pin {
    pub(crate) version: String,
    /// Hash of everything that decides what is fetched: whole lock files, or the entry of the package.
    pub(crate) sha256: String,
    /// Folder or file that a person edits to change the pin.
    pub(crate) place: PathBuf,
    /// The entry in `requirements.txt`; empty for other clients.
    pub(crate) requirement: String,
}

/// Finds the pin of `source` under `root/vendor`.
///
/// # Errors
///
/// If the package is not pinned with a hash.
pub(crate) fn read(root: &Path, source: &Source) -> anyhow::Result<Pin> {
    let package = source.package.as_str();
    let folder = root.join("vendor").join(source.client.to_string());
    match source.client {
        Client::Cargo => cargo(folder, package),
        Client::Pip => pip(&folder, package),
        Client::Npm => npm(folder.join(package), package),
    }
}

fn cargo(folder: PathBuf, package: &str) -> anyhow::Result<Pin> {
    let manifest = text(&folder.join("Cargo.toml"))?;
    let lock = text(&folder.join("Cargo.lock"))?;
    let tables: toml::Table = lock.parse().context("in vendor/cargo/Cargo.lock")?;
    let entry = tables.get("package").and_then(toml::Value::as_array).and_then(|all| {
        all.iter().find(|e| e.get("name").and_then(|n| n.as_str()) == Some(package))
    });
    let word = |key: &str| entry.and_then(|entry| entry.get(key)).and_then(toml::Value::as_str);
    let (Some(version), Some(_)) = (word("version"), word("checksum")) else {
        bail!("crate `{package}` is not pinned with a checksum in vendor/cargo/Cargo.lock");
    };
    Ok(Pin {
        version: version.to_owned(),
        sha256: sha256_of(&[&manifest, &lock]),
        place: folder.join("Cargo.toml"),
        requirement: String::new(),
    })
}

fn pip(folder: &Path, package: &str) -> anyhow::Result<Pin> {
    let place = folder.join("requirements.txt");
    let build = text(&folder.join("build-requirements.txt"))?;
    let all = text(&place)?;
    let start = format!("{package}==");
    let mut lines = all.lines().skip_while(|line| !line.starts_with(&start));
    let mut requirement = String::new();
    for line in lines.by_ref() {
        requirement += line;
        requirement.push('\n');
        if !line.ends_with('\\') {
            break;
        }
    }
    ensure!(
        requirement.contains("--hash=sha256:"),
        "package `{package}` is not pinned with a hash in vendor/pip/requirements.txt"
    );
    let version = requirement[start.len()..].split_whitespace().next().unwrap_or_default();
    Ok(Pin {
        version: version.to_owned(),
        sha256: sha256_of(&[&build, &requirement]),
        place,
        requirement,
    })
}

fn npm(folder: PathBuf, package: &str) -> anyhow::Result<Pin> {
    let manifest = text(&folder.join("package.json"))?;
    let lock = text(&folder.join("package-lock.json"))?;
    let place = format!("vendor/npm/{package}/package-lock.json");
    let tree: Value = serde_json::from_str(&lock).with_context(|| format!("in {place}"))?;
    let packages = tree.get("packages").and_then(Value::as_object);
    // With the optional packages of other platforms in it, `npm ci` fails.
    ensure!(
        packages.is_some_and(|packages| packages.len() == 2),
        "{place} must hold only the root and `{package}`, without what the package depends on"
    );
    let entry = packages.and_then(|packages| packages.get(&format!("node_modules/{package}")));
    let word = |key: &str| entry.and_then(|entry| entry.get(key)).and_then(Value::as_str);
    let (Some(version), Some(_)) = (word("version"), word("integrity")) else {
        bail!("package `{package}` is not pinned with its integrity in {place}");
    };
    Ok(Pin {
        version: version.to_owned(),
        sha256: sha256_of(&[&manifest, &lock]),
        place: folder.join("package-lock.json"),
        requirement: String::new(),
    })
}

fn text(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::super::source::{of_no_adapter, tests::example};
    use super::*;

    #[test]
    fn every_source_of_no_adapter_is_pinned() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for source in of_no_adapter(&root).unwrap() {
            let pin = read(&root, &source).unwrap();
            assert!(pin.version.starts_with(|c: char| c.is_ascii_digit()), "{pin:?}");
            assert!(pin.place.is_file(), "{pin:?}");
        }
    }

    #[test]
    fn a_pip_pin_is_one_entry_with_all_its_hashes() {
        let root = tempfile::tempdir().unwrap();
        let pip = root.path().join("vendor/pip");
        std::fs::create_dir_all(&pip).unwrap();
        std::fs::write(pip.join("build-requirements.txt"), "wheel==1\n").unwrap();
        let requirements = "# note\ntoy-two==2.0 \\\n  --hash=sha256:aa \\\n  --hash=sha256:bb\ntoy==1.0 --hash=sha256:cc\nbare==3\n";
        std::fs::write(pip.join("requirements.txt"), requirements).unwrap();
        let pin = |package: &str| {
            let mut source = example("toy");
            source.client = Client::Pip;
            source.package = package.to_owned();
            read(root.path(), &source)
        };

        assert_eq!(pin("toy").unwrap().requirement, "toy==1.0 --hash=sha256:cc\n");
        let two = pin("toy-two").unwrap();
        assert_eq!((two.version.as_str(), two.requirement.matches("--hash").count()), ("2.0", 2));
        pin("bare").unwrap_err();
        pin("absent").unwrap_err();
    }

    #[test]
    fn a_changed_lock_file_is_another_pin() {
        let root = tempfile::tempdir().unwrap();
        let cargo = root.path().join("vendor/cargo");
        std::fs::create_dir_all(&cargo).unwrap();
        std::fs::write(cargo.join("Cargo.toml"), "").unwrap();
        let pin = |lock: &str| {
            std::fs::write(cargo.join("Cargo.lock"), lock).unwrap();
            read(root.path(), &example("toy"))
        };

        let one =
            pin("[[package]]\nname = 'carrier'\nversion = '1.0.0'\nchecksum = 'aa'\n").unwrap();
        let two =
            pin("[[package]]\nname = 'carrier'\nversion = '1.0.0'\nchecksum = 'ab'\n").unwrap();
        assert_eq!(one.version, two.version);
        assert_ne!(one.sha256, two.sha256);
        pin("[[package]]\nname = 'carrier'\nversion = '1.0.0'\n").unwrap_err();
    }
}
