//! Compares what a library did with the case and with the oracle.

use std::{fmt, time::Duration};

use oracle::{Value, compare, msgpack};

use crate::case::{Case, Expect, Meaning, Writes};
use crate::{Score, clip};

/// What a library did with one message, and what it cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    /// What became of the message.
    pub ended: Ended,
    /// Most memory that the library had asked for at any one time, in bytes, if it was counted.
    pub memory_bytes: Option<u64>,
    /// How long it took, if it was measured; best CPU time, which does not depend on who else is there.
    pub time: Option<Duration>,
}

/// What became of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The library refused it, in these words.
    Rejected(String),
    /// The library read it, and wrote these bytes for what it had read, or refused to in these words.
    Accepted(Result<Vec<u8>, String>),
    /// The process did not come back with an answer: `crashed: SIGSEGV`, `timed-out`, `out-of-memory`.
    Lost(String),
}

impl From<Ended> for Observed {
    fn from(ended: Ended) -> Observed {
        Observed { ended, memory_bytes: None, time: None }
    }
}

/// What an answer is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// As it should be.
    Passed,
    /// Not as it should be.
    Failed,
    /// The specification leaves it to the library: shown, not judged.
    Shown,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Passed => "passed",
            Verdict::Failed => "failed",
            Verdict::Shown => "shown",
        })
    }
}

/// An answer, judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// What it is worth.
    pub verdict: Verdict,
    /// What the library did, in a word: `rejected`, `accepted` (and wrote the same value), `changed`, `not-written`, `longer-than-needed`, `too-much-memory`, `too-slow`, or how its process was lost.
    ///
    /// Of an expected rejection everything that is not one is `accepted`.
    pub outcome: String,
    /// Points; none of none if the case is not scored.
    pub points: Score,
    /// What should have come, for people.
    pub expected: String,
    /// What came, for people.
    pub observed: String,
}

/// Judges the answers to a case, one for each of its inputs.
///
/// Of several inputs the first that failed speaks for all.
///
/// # Panics
///
/// If there are not as many answers as inputs.
pub fn judge(case: &Case, observed: &[Observed]) -> Judgement {
    assert_eq!(case.inputs.len(), observed.len(), "one answer for each input of `{}`", case.id);
    let judged = observed.iter().map(|observed| judge_one(case, observed));
    let mut first = None;
    for (number, (mut judgement, input)) in judged.zip(&case.inputs).enumerate() {
        if observed.len() > 1 {
            judgement.observed = format!(
                "{} (message {} of {}: {})",
                judgement.observed,
                number + 1,
                observed.len(),
                clip::hex(input)
            );
        }
        if judgement.verdict == Verdict::Failed {
            return judgement;
        }
        first.get_or_insert(judgement);
    }
    // A case without inputs asks nothing; `read` lets none through, and this says so.
    first.expect("a case has at least one input")
}

fn judge_one(case: &Case, observed: &Observed) -> Judgement {
    let found = found(case, &observed.ended);
    let over = over_bound(case, observed);
    let is_right = match &case.expect {
        Expect::Accept(_) => found.outcome == "accepted",
        Expect::Reject(_) => found.outcome == "rejected",
        Expect::Either(_) => matches!(found.outcome.as_str(), "accepted" | "rejected"),
        Expect::Open(_) => !matches!(observed.ended, Ended::Lost(_)),
    };
    let is_open = matches!(case.expect, Expect::Open(_));
    let verdict = match (is_right && over.is_none(), is_open) {
        (false, _) => Verdict::Failed,
        (true, true) => Verdict::Shown,
        (true, false) => Verdict::Passed,
    };
    let points = points(case, &observed.ended, is_right);
    let expected = expected(case);
    match over {
        // What costs too much failed by that, unless the answer was wrong as well.
        Some((word, why)) if is_right => {
            let observed = format!("{}, {why}", found.words);
            Judgement { verdict, outcome: word.into(), points, expected, observed }
        }
        _ => Judgement { verdict, outcome: found.outcome, points, expected, observed: found.words },
    }
}

/// What a library did, in a word and in a sentence.
struct Found {
    outcome: String,
    words: String,
}

fn found(case: &Case, ended: &Ended) -> Found {
    let of = |outcome: &str, words: String| Found { outcome: outcome.into(), words };
    let written = match ended {
        Ended::Rejected(words) => {
            return of("rejected", format!("rejected: {}", clip::words(words)));
        }
        Ended::Lost(how) => return of(how, how.clone()),
        Ended::Accepted(written) => written,
    };
    let meaning = match &case.expect {
        Expect::Reject(_) => {
            let words = match written {
                Ok(bytes) => format!("accepted, and wrote {}", clip::hex(bytes)),
                Err(why) => format!("accepted, and could not be written: {}", clip::words(why)),
            };
            return of("accepted", words);
        }
        Expect::Accept(meaning) | Expect::Either(meaning) | Expect::Open(meaning) => meaning,
    };
    let bytes = match written {
        Ok(bytes) => bytes,
        Err(why) => {
            let words = format!("accepted, but could not be written: {}", clip::words(why));
            return of("not-written", words);
        }
    };
    if let Err(difference) = says(bytes, meaning) {
        return of("changed", format!("{difference}, in {}", clip::hex(bytes)));
    }
    match &case.writes {
        Some(writes) if !is_good(bytes, writes) => {
            of("longer-than-needed", format!("wrote {}", clip::hex(bytes)))
        }
        _ => of("accepted", format!("accepted, and wrote {}", clip::hex(bytes))),
    }
}

fn is_good(bytes: &[u8], writes: &Writes) -> bool {
    writes.canonical == bytes || writes.also_ok.iter().any(|ok| ok == bytes)
}

/// Whether the bytes are a message that says what is meant; if not, why, for people.
fn says(bytes: &[u8], meaning: &Meaning) -> Result<(), String> {
    let value = match msgpack::decode(bytes) {
        Ok(value) => value,
        Err(error) => return Err(format!("wrote what is no message: {error}")),
    };
    if meaning.or.iter().any(|other| compare(other, &value).is_ok()) {
        return Ok(());
    }
    match compare(&meaning.value, &value) {
        Ok(_) => Ok(()),
        Err(difference) => Err(format!(
            "wrote another value: at `{}` {} instead of {}",
            difference.path, difference.got, difference.expected
        )),
    }
}

fn over_bound(case: &Case, observed: &Observed) -> Option<(&'static str, String)> {
    let bound = case.bound?;
    let memory_bytes = observed.memory_bytes.unwrap_or(0);
    if memory_bytes > bound.extra_mib << 20 {
        let why = format!("but asked for {} MiB", memory_bytes.div_ceil(1 << 20));
        return Some(("too-much-memory", why));
    }
    let seconds = observed.time.unwrap_or_default().as_secs_f64();
    (seconds > bound.seconds).then(|| ("too-slow", format!("but took {seconds:.1} s")))
}

/// A valid case gives one point for being accepted and one for the roundtrip, any other one for being rejected.
fn points(case: &Case, ended: &Ended, is_right: bool) -> Score {
    match (case.category, &case.expect) {
        (None, _) => Score::default(),
        (Some(_), Expect::Accept(_)) => {
            let accepted = matches!(ended, Ended::Accepted(_));
            Score { points: u32::from(accepted) + u32::from(is_right), of: 2 }
        }
        (Some(_), _) => Score { points: u32::from(is_right), of: 1 },
    }
}

fn expected(case: &Case) -> String {
    let value = |value: &Value| clip::value(value);
    let mut expected = match &case.expect {
        Expect::Accept(meaning) => format!("accepted as {}", value(&meaning.value)),
        Expect::Reject(Some(error)) => format!("rejected: {error}"),
        Expect::Reject(None) => "rejected".into(),
        Expect::Either(meaning) => format!("accepted as {}, or rejected", value(&meaning.value)),
        Expect::Open(meaning) => {
            format!("left to the library; the bytes say {}", value(&meaning.value))
        }
    };
    if let Some(writes) = &case.writes {
        expected.push_str(&format!(", and written as {}", clip::hex(&writes.canonical)));
        for other in &writes.also_ok {
            expected.push_str(&format!(" or {}", clip::hex(other)));
        }
    }
    if let Some(bound) = case.bound {
        expected.push_str(&format!(", within {} MiB and {} s", bound.extra_mib, bound.seconds));
    }
    expected
}
