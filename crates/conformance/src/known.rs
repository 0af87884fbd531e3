//! Failures we know of; they must still fail, and in the way that is known.

use std::{cmp::Ordering, collections::HashSet, fmt, fs, io::ErrorKind, path::Path};

use anyhow::{Context as _, ensure};
use serde::Deserialize;

use crate::{Case, Judgement, Verdict};

/// A `[[known]]` table in an adapter's `known.toml`: cases that fail, and why.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// Ids of the cases.
    pub cases: Vec<String>,
    /// The variant that fails; without it, every variant of the library does.
    pub variant: Option<String>,
    /// Versions of the library: `1.1.0`, `1.1.0 to 1.1.1`, or `all`.
    pub versions: String,
    /// What it does instead, as in [`Judgement::outcome`].
    pub outcome: String,
    /// Why that is so.
    pub why: String,
    /// Where to read more: a report, or the library's documentation.
    pub link: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "known", default)]
    known: Vec<Known>,
}

impl Known {
    /// Reads `known.toml` in an adapter's folder; without that file nothing is known.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, an unknown key, an empty text, and a case that is there twice for the same variant and versions.
    pub fn read(folder: &Path) -> anyhow::Result<Vec<Known>> {
        let file = folder.join("known.toml");
        let shown = file.display();
        let text = match fs::read_to_string(&file) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            other => other.with_context(|| format!("cannot read {shown}"))?,
        };
        let File { known } = toml::from_str(&text).with_context(|| format!("in {shown}"))?;
        let mut seen = HashSet::new();
        for known in &known {
            let Known { cases, variant, versions, outcome, why, link } = known;
            for (key, text) in
                [("versions", versions), ("outcome", outcome), ("why", why), ("link", link)]
            {
                ensure!(!text.trim().is_empty(), "in {shown}: `{key}` is empty for {cases:?}");
            }
            ensure!(!cases.is_empty(), "in {shown}: an entry without cases");
            for case in cases {
                let is_new = seen.insert((case, variant, versions));
                ensure!(is_new, "in {shown}: `{case}` is there twice");
            }
        }
        Ok(known)
    }

    fn speaks_of(&self, case: &str, variant: &str, version: &str) -> bool {
        self.cases.iter().any(|known| known == case)
            && self.variant.as_deref().is_none_or(|known| known == variant)
            && is_within(version, &self.versions)
    }
}

/// What is not as it is known to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Surprise {
    /// A case failed, and nobody knew.
    Fails {
        /// Its id.
        case: String,
        /// What the library did.
        outcome: String,
    },
    /// A case that is known to fail did not.
    Passes {
        /// Its id.
        case: String,
    },
    /// A case failed in another way than it is known to.
    FailsOtherwise {
        /// Its id.
        case: String,
        /// What the library was known to do.
        known: String,
        /// What it did.
        outcome: String,
    },
}

impl fmt::Display for Surprise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Surprise::Fails { case, outcome } => write!(
                f,
                "`{case}` failed, and is not known to: {outcome}\n  fix: mend it, or add it to the adapter's known.toml with a reason and a link"
            ),
            Surprise::Passes { case } => write!(
                f,
                "`{case}` is known to fail, and passed\n  fix: take it out of the adapter's known.toml, or end its `versions` before this one"
            ),
            Surprise::FailsOtherwise { case, known, outcome } => write!(
                f,
                "`{case}` is known to be {known}, and was {outcome}\n  fix: correct its `outcome` in the adapter's known.toml"
            ),
        }
    }
}

/// Compares judgements of one codec with what is known of it; only cases that were judged count.
pub fn surprises<'a>(
    known: &[Known],
    variant: &str,
    version: &str,
    judged: impl IntoIterator<Item = (&'a Case, &'a Judgement)>,
) -> Vec<Surprise> {
    let judged = judged.into_iter().filter_map(|(case, judgement)| {
        let failed = judgement.verdict == Verdict::Failed;
        surprise(known, variant, version, &case.id, failed.then_some(judgement.outcome.as_str()))
    });
    judged.collect()
}

/// The same for one question that no case file holds, by its id and the outcome if it failed.
pub fn surprise(
    known: &[Known],
    variant: &str,
    version: &str,
    id: &str,
    failure: Option<&str>,
) -> Option<Surprise> {
    let known = known.iter().find(|known| known.speaks_of(id, variant, version));
    let case = id.to_owned();
    match (failure, known) {
        (Some(outcome), Some(known)) if known.outcome != outcome => {
            let (known, outcome) = (known.outcome.clone(), outcome.to_owned());
            Some(Surprise::FailsOtherwise { case, known, outcome })
        }
        (Some(outcome), None) => Some(Surprise::Fails { case, outcome: outcome.to_owned() }),
        (None, Some(_)) => Some(Surprise::Passes { case }),
        (Some(_), Some(_)) | (None, None) => None,
    }
}

/// Cases that a `known.toml` names and that do not exist.
pub fn unknown_cases<'a>(known: &'a [Known], cases: &[Case]) -> Vec<&'a str> {
    let exist: HashSet<_> = cases.iter().map(|case| case.id.as_str()).collect();
    let named = known.iter().flat_map(|known| &known.cases).map(String::as_str);
    named.filter(|named| !exist.contains(named)).collect()
}

/// Whether a version is one of `1.1.0`, of `1.1.0 to 1.1.1`, or of `all`.
fn is_within(version: &str, versions: &str) -> bool {
    let versions = versions.trim();
    match versions.split_once(" to ") {
        _ if versions == "all" => true,
        Some((first, last)) => {
            order(first.trim(), version).is_le() && order(version, last.trim()).is_le()
        }
        None => order(versions, version).is_eq(),
    }
}

/// Orders versions part by part, numbers as numbers; a pre-release such as `1.0.0-beta.14` comes before its release.
fn order(a: &str, b: &str) -> Ordering {
    fn split(version: &str) -> (Vec<Part<'_>>, bool, Vec<Part<'_>>) {
        let version = version.split('+').next().unwrap_or_default();
        let (release, pre) = version.split_once('-').unwrap_or((version, ""));
        (parts(release), pre.is_empty(), parts(pre))
    }
    split(a).cmp(&split(b))
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Part<'v> {
    Number(u64),
    Word(&'v str),
}

fn parts(version: &str) -> Vec<Part<'_>> {
    version.split('.').map(|part| part.parse().map_or(Part::Word(part), Part::Number)).collect()
}

#[test]
fn versions_are_ordered_as_numbers_and_pre_releases_come_first() {
    assert!(is_within("1.10.0", "1.9.0 to 1.11.0"));
    assert!(!is_within("1.12.0", "1.9.0 to 1.11.0"));
    assert!(!is_within("1.8", "1.9.0 to 1.11.0"));
    assert!(is_within("1.0.0-beta.14", "1.0.0-beta.9 to 1.0.0"));
    assert!(!is_within("1.0.0", "1.0.0-beta.14"));
    assert!(is_within("1.0.0", "1.0.0") && is_within("9", "all"));
}
