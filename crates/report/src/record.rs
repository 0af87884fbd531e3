//! What all pictures and reports are made from: a run, and its conformance.

use std::path::Path;

use protocol::{METHOD, conformance::Conformance, run::Stored};

/// A run as it lies on the disk, with what its folder holds of the conformance suite.
pub(crate) struct Record {
    /// Samples and conditions.
    pub(crate) stored: Stored,
    /// Verdicts; empty if the suite was not run into this record.
    pub(crate) conformance: Conformance,
}

impl Record {
    /// Reads the folder of a run.
    ///
    /// # Errors
    ///
    /// A folder that is no run, a file that cannot be read, and a run of another METHOD.
    pub(crate) fn read(folder: &Path) -> anyhow::Result<Self> {
        let stored = Stored::read(folder)?;
        anyhow::ensure!(
            stored.run.method == METHOD,
            "{} was measured by METHOD {}, this is METHOD {METHOD}\n  fix: measure again",
            folder.display(),
            stored.run.method
        );
        Ok(Record { stored, conformance: Conformance::read(folder)? })
    }
}
