//! Writes the folder of a run.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use protocol::{
    machine::Machine,
    record::Row,
    run::{MACHINE_FILE, RUN_FILE, Run, Stored, sample_file},
};
use serde::Serialize;

/// The folder of a run, open for more samples.
#[derive(Debug)]
pub(crate) struct Store {
    /// Where it is.
    pub(crate) folder: PathBuf,
    /// Held as long as this process writes.
    _lock: File,
}

impl Store {
    /// Makes the folder of a new run.
    ///
    /// # Errors
    ///
    /// A folder that cannot be written.
    pub(crate) fn create(results: &Path, run: &Run, machine: &Machine) -> anyhow::Result<Self> {
        let started = std::time::UNIX_EPOCH + std::time::Duration::from_millis(run.started_unix_ms);
        let name = humantime::format_rfc3339_millis(started).to_string().replace([':', '.'], "-");
        let folder = results.join(name);
        let make = || -> io::Result<File> {
            fs::create_dir_all(results)?;
            fs::create_dir(&folder)?;
            lock(&folder)
        };
        let lock = make().with_context(|| {
            let place = folder.display();
            format!("cannot write to {place}\n  fix: make `results/` writable, or free some space")
        })?;
        write_whole(&folder.join(MACHINE_FILE), machine)?;
        write_whole(&folder.join(RUN_FILE), run)?;
        Ok(Store { folder, _lock: lock })
    }

    /// Opens the folder of a run that was cut short, and cuts off what was torn.
    ///
    /// # Errors
    ///
    /// A folder that is no run, or that another process writes to.
    pub(crate) fn reopen(folder: &Path) -> anyhow::Result<(Self, Stored)> {
        let lock = lock(folder).with_context(|| {
            let place = folder.display();
            format!("cannot lock {place}\n  fix: wait for the process that measures, or end it")
        })?;
        let stored = Stored::read(folder)?;
        for codec in &stored.run.codecs {
            mend(&sample_file(folder, &codec.id))?;
        }
        Ok((Store { folder: folder.into(), _lock: lock }, stored))
    }

    /// Adds a sample: one line, one write, there before this returns.
    ///
    /// # Errors
    ///
    /// A disk that is full or a folder that vanished.
    pub(crate) fn append(&self, row: &Row) -> anyhow::Result<()> {
        let file = sample_file(&self.folder, &row.codec);
        let mut line = serde_json::to_vec(row).context("a sample is no JSON")?;
        line.push(b'\n');
        let write = || -> io::Result<()> {
            if let Some(parent) = file.parent() {
                fs::create_dir_all(parent)?;
            }
            OpenOptions::new().append(true).create(true).open(&file)?.write_all(&line)
        };
        write().with_context(|| {
            let (place, run) = (file.display(), self.folder.display());
            format!(
                "cannot write to {place}; what was measured before is kept\n  fix: free some space, then `cargo xtask bench --resume {run}`"
            )
        })
    }
}

/// Cuts off a last line without an end.
fn mend(file: &Path) -> anyhow::Result<()> {
    let Ok(bytes) = fs::read(file) else { return Ok(()) };
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    if whole < bytes.len() {
        let context = || format!("cannot cut the torn line off {}", file.display());
        let open = OpenOptions::new().write(true).open(file).with_context(context)?;
        open.set_len(whole as u64).with_context(context)?;
    }
    Ok(())
}

fn lock(folder: &Path) -> io::Result<File> {
    let file = File::create(folder.join(".lock"))?;
    file.try_lock()?;
    Ok(file)
}

/// Writes a file that is there whole or not at all.
///
/// # Errors
///
/// A folder that cannot be written.
pub(crate) fn write_whole(file: &Path, content: &impl Serialize) -> anyhow::Result<()> {
    let context = || {
        format!(
            "cannot write {}\n  fix: free some space, or make the folder writable",
            file.display()
        )
    };
    let folder = file.parent().with_context(context)?;
    let mut temporary = tempfile::NamedTempFile::new_in(folder).with_context(context)?;
    serde_json::to_writer_pretty(&mut temporary, content).with_context(context)?;
    temporary.write_all(b"\n").with_context(context)?;
    temporary.persist(file).with_context(context)?;
    Ok(())
}

#[test]
fn a_torn_line_is_cut_off_and_whole_ones_stay() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jsonl");
    for (before, after) in [("a\nb\nc", "a\nb\n"), ("a\n", "a\n"), ("c", ""), ("", "")] {
        fs::write(&file, before).unwrap();
        mend(&file).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), after);
    }
}
