//! `plot`: a run as pictures.

use std::{
    io,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::Context as _;

use crate::{runs, usage::End};

/// Has the program of the pictures draw a run into a folder, `plots` unless one is named, and prints where they are.
///
/// # Errors
///
/// A run that there is not, and a cargo that cannot be started.
pub(crate) fn run(
    root: &Path,
    name: Option<&str>,
    folder: Option<&Path>,
    out: &mut impl io::Write,
) -> anyhow::Result<End> {
    let record = runs::find_run(root, name)?;
    let pictures = folder.map_or_else(|| root.join("plots"), PathBuf::from);
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(root)
        .args(["run", "--quiet", "--locked", "--release", "--package", "report", "--", "plot"])
        .arg("--record")
        .arg(std::path::absolute(&record)?)
        .arg("--out")
        .arg(std::path::absolute(&pictures)?)
        .status()
        .context("cannot start cargo")?;
    if !status.success() {
        return Ok(End::Bad);
    }
    writeln!(out, "{} is drawn in {}", record.display(), pictures.display())?;
    Ok(End::Good)
}
