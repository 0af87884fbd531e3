//! Outcome: how an attempt to measure or to ask a library ended.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// How an attempt ended; text in the record, such as `crashed: SIGSEGV`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Outcome {
    /// There are samples.
    Measured,
    /// The library refused a valid message, in these words.
    Rejected(String),
    /// The library read or wrote something else than it should have.
    WrongOutput(String),
    /// The process died of this signal, or left with a status that it should not have.
    Crashed(String),
    /// The process was ended because it did not come back.
    TimedOut,
    /// The library asked for more memory than it may have.
    OutOfMemory,
    /// The program could not be built, or its source could not be had.
    NotBuilt(String),
    /// The harness itself failed; this is our fault and no fact about the library.
    HarnessFailed(String),
}

impl Outcome {
    /// Whether there is a number.
    pub fn is_measured(&self) -> bool {
        *self == Outcome::Measured
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Measured => f.write_str("measured"),
            Outcome::Rejected(why) => write!(f, "rejected: {why}"),
            Outcome::WrongOutput(why) => write!(f, "wrong-output: {why}"),
            Outcome::Crashed(why) => write!(f, "crashed: {why}"),
            Outcome::TimedOut => f.write_str("timed-out"),
            Outcome::OutOfMemory => f.write_str("out-of-memory"),
            Outcome::NotBuilt(why) => write!(f, "not-built: {why}"),
            Outcome::HarnessFailed(why) => write!(f, "harness-failed: {why}"),
        }
    }
}

impl FromStr for Outcome {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (word, why) = text.split_once(": ").unwrap_or((text, ""));
        let why = why.to_owned();
        Ok(match word {
            "measured" => Outcome::Measured,
            "rejected" => Outcome::Rejected(why),
            "wrong-output" => Outcome::WrongOutput(why),
            "crashed" => Outcome::Crashed(why),
            "timed-out" => Outcome::TimedOut,
            "out-of-memory" => Outcome::OutOfMemory,
            "not-built" => Outcome::NotBuilt(why),
            "harness-failed" => Outcome::HarnessFailed(why),
            _ => return Err(format!("`{text}` is no outcome")),
        })
    }
}

impl From<Outcome> for String {
    fn from(outcome: Outcome) -> String {
        outcome.to_string()
    }
}

impl TryFrom<String> for Outcome {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

#[test]
fn an_outcome_survives_its_text() {
    for outcome in [
        Outcome::Measured,
        Outcome::Rejected("bad byte: c1".into()),
        Outcome::WrongOutput("one number off".into()),
        Outcome::Crashed("SIGSEGV".into()),
        Outcome::TimedOut,
        Outcome::OutOfMemory,
        Outcome::NotBuilt("no compiler".into()),
        Outcome::HarnessFailed("disk full".into()),
    ] {
        assert_eq!(outcome.to_string().parse(), Ok(outcome));
    }
}
