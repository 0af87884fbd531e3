//! What a record keeps of the conformance suite: lines of files in its folder.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::run::lines;

/// Name of the file with the verdicts on all cases.
pub const CASES_FILE: &str = "conformance.jsonl";
/// Name of the file with what codecs do where the specification leaves them free.
pub const BEHAVIOUR_FILE: &str = "behaviour.jsonl";
/// Name of the file with the answers to the public suite.
pub const SUITE_FILE: &str = "suite.jsonl";
/// Name of the file with what random messages found.
pub const FUZZ_FILE: &str = "fuzz.jsonl";

/// The verdict on a codec's answer to a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseLine {
    /// Id of the codec.
    pub codec: String,
    /// Version of its library; `None` if it could not be asked.
    pub version: Option<String>,
    /// Id of the case: its file and its name.
    pub case: String,
    /// What it is scored as; `None` if it is not scored.
    pub category: Option<String>,
    /// `passed`, `failed`, or `shown` where the specification leaves it to the library.
    pub verdict: String,
    /// What the library did, in a word.
    pub outcome: String,
    /// Points won: of a valid message one if it is accepted and one more if it came back the same.
    pub points: u32,
    /// Points to be won.
    pub of: u32,
    /// What should have come, in words.
    pub expected: String,
    /// What came, in words.
    pub observed: String,
    /// Reason from the adapter's `known.toml`, if it is known to fail.
    pub known: Option<String>,
    /// Most memory that the program asked for while it answered.
    pub memory_bytes: Option<u64>,
    /// Time of the answer, with the way to the program and back.
    pub wall_ns: Option<u64>,
}

/// What a codec does where the specification leaves it free.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BehaviourLine {
    /// Id of the codec.
    pub codec: String,
    /// What was asked.
    pub question: String,
    /// What it does.
    pub answer: String,
}

/// The answer of a codec to one encoding of the public suite.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteLine {
    /// Id of the codec.
    pub codec: String,
    /// `suite/<group>/<value>/<encoding>`, numbers from 0.
    pub encoding: String,
    /// What it should not have done; `None` if it was right, or does not claim what the message needs.
    pub finding: Option<String>,
}

/// What random messages said about a codec.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FuzzLine {
    /// Id of the codec.
    pub codec: String,
    /// Seed of the messages.
    pub seed: u64,
    /// How many were tried.
    pub messages: u64,
    /// Kinds of difference from the oracle, each with its smallest message in hexadecimal digits; empty if there was none.
    pub findings: Vec<FuzzFinding>,
}

/// A difference between a codec and the oracle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FuzzFinding {
    /// What kind, in a word.
    pub kind: String,
    /// The difference, in words.
    pub what: String,
    /// The smallest message that shows it.
    pub message: String,
}

/// What a folder of `results/` holds of the conformance suite.
#[derive(Clone, Debug, Default)]
pub struct Conformance {
    /// Verdicts on cases.
    pub cases: Vec<CaseLine>,
    /// Behaviour.
    pub behaviour: Vec<BehaviourLine>,
    /// The public suite.
    pub suite: Vec<SuiteLine>,
    /// Random messages.
    pub fuzz: Vec<FuzzLine>,
    /// What was skipped on reading, each with its place.
    pub skipped: Vec<String>,
}

impl Conformance {
    /// Reads what is there; a file that is missing has no lines.
    ///
    /// # Errors
    ///
    /// A line that is none of its file's, other than a torn last one.
    pub fn read(folder: &Path) -> anyhow::Result<Self> {
        let mut skipped = Vec::new();
        let (cases, torn) = lines(&folder.join(CASES_FILE))?;
        skipped.extend(torn);
        let (behaviour, torn) = lines(&folder.join(BEHAVIOUR_FILE))?;
        skipped.extend(torn);
        let (suite, torn) = lines(&folder.join(SUITE_FILE))?;
        skipped.extend(torn);
        let (fuzz, torn) = lines(&folder.join(FUZZ_FILE))?;
        skipped.extend(torn);
        Ok(Conformance { cases, behaviour, suite, fuzz, skipped })
    }
}
