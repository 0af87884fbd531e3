//! Writes the folder of a run.

use std::{
    collections::HashSet,
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use protocol::{
    machine::Machine,
    record::{Canary, Row},
    run::{CANARY_FILE, MACHINE_FILE, RUN_FILE, Run, Stored, sample_file},
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
        let mut stored = Stored::read(folder)?;
        mend(&folder.join(CANARY_FILE))?;
        for codec in &stored.run.codecs {
            mend(&sample_file(folder, &codec.id))?;
        }
        if stored.run.lock_step {
            drop_torn_round(&mut stored)?;
        }
        Ok((Store { folder: folder.into(), _lock: lock }, stored))
    }

    /// Adds a sample: one line, one write, there before this returns.
    ///
    /// # Errors
    ///
    /// A disk that is full or a folder that vanished.
    pub(crate) fn append(&self, row: &Row) -> anyhow::Result<()> {
        self.append_line(&sample_file(&self.folder, &row.codec), row)
    }

    /// Adds the canary of a round, which says that the round is whole.
    ///
    /// # Errors
    ///
    /// As those of `append`.
    pub(crate) fn append_canary(&self, canary: &Canary) -> anyhow::Result<()> {
        self.append_line(&self.folder.join(CANARY_FILE), canary)
    }

    fn append_line(&self, file: &Path, line: &impl Serialize) -> anyhow::Result<()> {
        let mut line = serde_json::to_vec(line).context("a sample is no JSON")?;
        line.push(b'\n');
        let write = || -> io::Result<()> {
            if let Some(parent) = file.parent() {
                fs::create_dir_all(parent)?;
            }
            OpenOptions::new().append(true).create(true).open(file)?.write_all(&line)
        };
        write().with_context(|| {
            let (place, run) = (file.display(), self.folder.display());
            format!(
                "cannot write to {place}; what was measured before is kept\n  fix: free some space, then `cargo xtask bench --resume {run}`"
            )
        })
    }
}

/// Fails early if there could be no record in this folder.
///
/// # Errors
///
/// A folder that cannot be made or written.
pub(crate) fn require_writable(results: &Path) -> anyhow::Result<()> {
    let try_it = || -> io::Result<()> {
        fs::create_dir_all(results)?;
        tempfile::tempfile_in(results).map(drop)
    };
    try_it().with_context(|| {
        let place = results.display();
        format!("cannot write to {place}\n  fix: make it writable, or name another folder with `--results`")
    })
}

/// Takes out the rows of a round in lock-step that was not written to its end: its processes cannot be brought into step again.
fn drop_torn_round(stored: &mut Stored) -> anyhow::Result<()> {
    let whole: HashSet<_> = stored.canary.iter().map(|line| (line.operation, line.round)).collect();
    let is_whole = |row: &Row| whole.contains(&(row.operation, row.round));
    for codec in &stored.run.codecs {
        let rows: Vec<&Row> = stored.rows.iter().filter(|row| row.codec == codec.id).collect();
        if rows.iter().all(|row| is_whole(row)) {
            continue;
        }
        let mut text = Vec::new();
        for row in rows.into_iter().filter(|row| is_whole(row)) {
            serde_json::to_writer(&mut text, row).context("a sample is no JSON")?;
            text.push(b'\n');
        }
        write_bytes(&sample_file(&stored.folder, &codec.id), &text)?;
    }
    stored.rows.retain(is_whole);
    Ok(())
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
    let mut text = serde_json::to_vec_pretty(content).context("a record is no JSON")?;
    text.push(b'\n');
    write_bytes(file, &text)
}

/// Writes bytes that are there whole or not at all.
///
/// # Errors
///
/// A folder that cannot be written.
pub(crate) fn write_bytes(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let context = || {
        format!(
            "cannot write {}\n  fix: free some space, or make the folder writable",
            file.display()
        )
    };
    let folder = file.parent().with_context(context)?;
    let mut temporary = tempfile::NamedTempFile::new_in(folder).with_context(context)?;
    temporary.write_all(bytes).with_context(context)?;
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
