//! Cases in, verdicts out: what is asked of every library, and what its answers are worth.
//!
//! A [`Case`] comes from a file below `data/conformance/`; the driver puts its inputs to a library and writes down what was [`Observed`].
//! [`judge`] compares the two, [`scores`] adds up, [`surprises`] compares with what is known, and [`row`] tells how a library behaves where the specification leaves it free.
//! [`fuzz`] makes messages that no file holds, and judges them by the oracle alone.

mod behaviour;
mod case;
mod clip;
pub mod fuzz;
mod judge;
mod known;
mod notation;
mod published;
mod score;

pub use behaviour::{Column, Observation, answer, row};
pub use case::{Answer, Bound, Case, Category, Expect, Meaning, Probe, Writes, read, read_file};
pub use judge::{Ended, Judgement, Observed, Verdict, judge};
pub use known::{Known, Surprise, surprise, surprises, unknown_cases};
pub use published::Published;
pub use score::{Score, scores, total};
