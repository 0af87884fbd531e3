//! Record: what a run of the suite leaves in `results/`.

use std::{
    fs::{self, OpenOptions},
    io::Write as _,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use conformance::Case;
use protocol::conformance::{
    BEHAVIOUR_FILE, BehaviourLine, CASES_FILE, CaseLine, FUZZ_FILE, FuzzLine, SUITE_FILE, SuiteLine,
};
use serde::Serialize;

use super::{Answer, Tried, report, suite};
use crate::{
    identity,
    measure::now_unix_ms,
    store::{require_writable, write_whole},
};

/// The folder of a record, open for more lines.
pub(super) struct Record {
    /// Where it is.
    pub(super) folder: PathBuf,
}

impl Record {
    /// Makes a new folder, or takes that of a run.
    ///
    /// What a run of the suite left there before gives way, file by file: half of an old one is no record.
    ///
    /// # Errors
    ///
    /// A folder that cannot be written.
    pub(super) fn create(
        root: &Path,
        into: Option<&Path>,
        results: Option<&Path>,
    ) -> anyhow::Result<Self> {
        if let Some(folder) = into {
            require_writable(folder)?;
            return Ok(Record { folder: folder.to_owned() });
        }
        let results = results.map_or_else(|| root.join("results"), Path::to_owned);
        let now = std::time::UNIX_EPOCH + std::time::Duration::from_millis(now_unix_ms());
        let time = humantime::format_rfc3339_millis(now).to_string().replace([':', '.'], "-");
        let folder = results.join(format!("{time}-conformance"));
        require_writable(&folder)?;
        write_whole(&folder.join("tools.json"), &identity::tools(root)?)?;
        Ok(Record { folder })
    }

    /// The verdicts on a codec.
    ///
    /// # Errors
    ///
    /// A disk that is full.
    pub(super) fn cases(&self, codec: &Tried, cases: &[Case]) -> anyhow::Result<()> {
        let lines = codec.answers.iter().map(|answer| line(codec, &cases[answer.case], answer));
        self.replace(CASES_FILE, &codec.id, lines)
    }

    /// What a codec does where it is free.
    ///
    /// # Errors
    ///
    /// A disk that is full.
    pub(super) fn behaviour(&self, codec: &Tried, cases: &[Case]) -> anyhow::Result<()> {
        let answers = report::answers(codec, cases).into_iter();
        let lines = answers.map(|(question, answer)| BehaviourLine {
            codec: codec.id.clone(),
            question,
            answer,
        });
        self.replace(BEHAVIOUR_FILE, &codec.id, lines)
    }

    /// What became of the public suite.
    ///
    /// # Errors
    ///
    /// A disk that is full.
    pub(super) fn suite(&self, codec: &str, rows: &[suite::Row]) -> anyhow::Result<()> {
        let lines = rows.iter().map(|row| SuiteLine {
            codec: codec.to_owned(),
            encoding: row.id.clone(),
            finding: row.finding.as_ref().map(ToString::to_string),
        });
        self.replace(SUITE_FILE, codec, lines)
    }

    /// What random messages found.
    ///
    /// # Errors
    ///
    /// A disk that is full.
    pub(super) fn fuzz(&self, line: FuzzLine) -> anyhow::Result<()> {
        let codec = line.codec.clone();
        self.replace(FUZZ_FILE, &codec, std::iter::once(line))
    }

    /// Writes the lines of a codec in the place of those that were there.
    fn replace<L: Serialize>(
        &self,
        file: &str,
        codec: &str,
        lines: impl Iterator<Item = L>,
    ) -> anyhow::Result<()> {
        let path = self.folder.join(file);
        let start = format!("{{\"codec\":\"{codec}\",");
        let old = fs::read_to_string(&path).unwrap_or_default();
        let mut text = String::new();
        for line in old.split_inclusive('\n').filter(|line| !line.starts_with(&start)) {
            text.push_str(line);
        }
        let is_new = text.len() == old.len();
        let mut new = String::new();
        for line in lines {
            new.push_str(&serde_json::to_string(&line)?);
            new.push('\n');
        }
        let write = || -> std::io::Result<()> {
            if is_new {
                let mut open = OpenOptions::new().append(true).create(true).open(&path)?;
                return open.write_all(new.as_bytes());
            }
            fs::write(&path, text + &new)
        };
        write()
            .with_context(|| format!("cannot write to {}\n  fix: free some space", path.display()))
    }
}

fn line(codec: &Tried, case: &Case, answer: &Answer) -> CaseLine {
    let Answer { observed, judgement, .. } = answer;
    CaseLine {
        codec: codec.id.clone(),
        version: codec.description.as_ref().map(|description| description.version.clone()),
        case: case.id.clone(),
        category: case.category.map(|category| category.name().to_owned()),
        verdict: judgement.verdict.to_string(),
        outcome: judgement.outcome.clone(),
        points: judgement.points.points,
        of: judgement.points.of,
        expected: judgement.expected.clone(),
        observed: judgement.observed.clone(),
        known: codec.known_failure(case).map(|known| known.why.clone()),
        memory_bytes: observed.iter().filter_map(|observed| observed.memory_bytes).max(),
        wall_ns: observed
            .iter()
            .filter_map(|observed| u64::try_from(observed.time?.as_nanos()).ok())
            .max(),
    }
}
