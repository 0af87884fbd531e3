//! Tells the adapter which version of rmp-serde it is built with, since rmp-serde itself does not say.

use std::{env, error::Error, fs, path::Path, process};

fn main() {
    if let Err(error) = tell_version() {
        println!("cargo::error={error}");
        process::exit(0);
    }
}

/// Cargo builds what the lock file says, so the lock file knows.
fn tell_version() -> Result<(), Box<dyn Error>> {
    let folder = env::var("CARGO_MANIFEST_DIR")?;
    let lock = Path::new(&folder)
        .ancestors()
        .map(|folder| folder.join("Cargo.lock"))
        .find(|lock| lock.exists())
        .ok_or("no `Cargo.lock` at or above the adapter")?;
    println!("cargo::rerun-if-changed={}", lock.display());
    println!("cargo::rerun-if-changed=build.rs");

    let text = fs::read_to_string(&lock)?;
    let versions: Vec<&str> = text
        .split("[[package]]")
        .filter(|package| package.contains("\nname = \"rmp-serde\"\n"))
        .filter_map(|package| package.split("\nversion = \"").nth(1)?.split('"').next())
        .collect();
    let [version] = versions[..] else {
        return Err(
            format!("{} versions of `rmp-serde` in {}", versions.len(), lock.display()).into()
        );
    };
    println!("cargo::rustc-env=RMP_SERDE_VERSION={version}");
    Ok(())
}
