//! `report`: a run as one HTML file.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::Context as _;

use crate::{
    flags, runs,
    usage::End,
    vendor::{self, Edited},
};

/// Name of the chart library, as a source and as the folder of what was fetched.
const ECHARTS: &str = "echarts";

/// Fetches the chart library if it is missing, has the program of the reports write the file, and prints where it is.
///
/// # Errors
///
/// A run that there is not, a chart library that cannot be had, a program that fails.
pub(crate) fn run(
    root: &Path,
    flags: &flags::Report,
    out: &mut impl io::Write,
) -> anyhow::Result<End> {
    let folder = runs::find_run(root, flags.run.as_deref())?;
    let name = folder.file_name().context("the folder of the run has no name")?;
    let file = flags
        .out
        .clone()
        .unwrap_or_else(|| root.join("target/report").join(name).with_added_extension("html"));
    if let Some(parent) = file.parent() {
        fs::create_dir_all(parent).with_context(|| {
            format!(
                "cannot make the folder {}\n  fix: `--out` with a file in a folder that can be written",
                parent.display()
            )
        })?;
    }
    let echarts = echarts(root)?;
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(root)
        .args(["run", "--quiet", "--locked", "--release", "--package", "report", "--", "html"])
        .arg("--record")
        .arg(std::path::absolute(&folder)?)
        .arg("--out")
        .arg(std::path::absolute(&file)?)
        .arg("--echarts")
        .arg(echarts)
        .status()
        .context("cannot start cargo")?;
    if !status.success() {
        return Ok(End::Bad);
    }
    writeln!(out, "{}", file.display())?;
    Ok(End::Good)
}

/// The chart library, fetched and verified.
fn echarts(root: &Path) -> anyhow::Result<PathBuf> {
    let mut sources = vendor::of_no_adapter(root)?;
    sources.retain(|source| source.name == ECHARTS);
    let results = vendor::fetch(root, &sources, Edited::Report, &|line| eprintln!("{line}"))?;
    for (_, result) in results {
        result?;
    }
    let script = sources
        .iter()
        .flat_map(|source| &source.copy)
        .find(|copy| copy.to.ends_with(".js"))
        .context("`echarts` in vendor/sources.toml copies no script")?;
    Ok(root.join("vendor/fetched").join(ECHARTS).join(&script.to))
}
