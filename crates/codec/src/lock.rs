//! For the build script of an adapter whose library does not say its version.

use std::{env, error::Error, fs, path::Path, process};

/// Sets the environment variable `variable`, for the compilation of the adapter, to the version of the crate `library`.
///
/// Cargo builds what the lock file says, so the lock file knows.
/// The build ends here, with a message, if there is not exactly one version in it.
pub fn tell_version(library: &str, variable: &str) {
    match version(library) {
        Ok(version) => println!("cargo::rustc-env={variable}={version}"),
        Err(error) => {
            println!("cargo::error={error}");
            // Cargo prints the whole output of a script that fails.
            process::exit(0);
        }
    }
}

fn version(library: &str) -> Result<String, Box<dyn Error>> {
    let folder = env::var("CARGO_MANIFEST_DIR")?;
    let lock = Path::new(&folder)
        .ancestors()
        .map(|folder| folder.join("Cargo.lock"))
        .find(|lock| lock.exists())
        .ok_or("no `Cargo.lock` at or above the adapter")?;
    println!("cargo::rerun-if-changed={}", lock.display());
    println!("cargo::rerun-if-changed=build.rs");

    let text = fs::read_to_string(&lock)?;
    match versions(&text, library)[..] {
        [version] => Ok(version.to_owned()),
        ref all => {
            Err(format!("{} versions of `{library}` in {}", all.len(), lock.display()).into())
        }
    }
}

fn versions<'t>(lock: &'t str, library: &str) -> Vec<&'t str> {
    let name = format!("\nname = \"{library}\"\n");
    let packages = lock.split("[[package]]").filter(|package| package.contains(&name));
    packages
        .filter_map(|package| package.split("\nversion = \"").nth(1)?.split('"').next())
        .collect()
}

#[test]
fn versions_are_those_of_the_whole_name() {
    let lock = "[[package]]\nname = \"rmp\"\nversion = \"1.0.0\"\n\n[[package]]\nname = \"rmpv\"\nversion = \"2.0.0\"\n";
    assert_eq!(versions(lock, "rmp"), ["1.0.0"]);
    assert_eq!(versions(lock, "rmpv"), ["2.0.0"]);
    assert!(versions(lock, "mpv").is_empty());
}
