//! Finds the run that a command is about.

use std::path::{Path, PathBuf};

use protocol::run::{Profile, RUN_FILE, Stored};

use crate::usage::Usage;

/// The folder of a run: the one that is named, else the latest that is complete and not quick.
///
/// # Errors
///
/// A name that is no run, and a folder without any.
pub(crate) fn find_run(root: &Path, name: Option<&str>) -> anyhow::Result<PathBuf> {
    let results = root.join("results");
    if let Some(name) = name {
        let folders = [PathBuf::from(name), results.join(name)];
        let found = folders.into_iter().find(|folder| folder.join(RUN_FILE).is_file());
        return found.ok_or_else(|| {
            let why = format!(
                "`{name}` is no run, which has a {RUN_FILE}\n  fix: name a folder, such as one of those in {}",
                results.display()
            );
            Usage(why).into()
        });
    }
    let mut runs: Vec<Stored> = std::fs::read_dir(&results)
        .into_iter()
        .flatten()
        .filter_map(|entry| Stored::read(&entry.ok()?.path()).ok())
        .filter(|stored| stored.run.profile != Profile::Quick && analysis::is_complete(stored))
        .collect();
    runs.sort_by_key(|stored| stored.run.started_unix_ms);
    let latest = runs.pop().map(|stored| stored.folder);
    latest.ok_or_else(|| {
        let why = format!(
            "{} holds no complete run that is not quick\n  fix: `cargo xtask bench`, or name a run",
            results.display()
        );
        Usage(why).into()
    })
}
