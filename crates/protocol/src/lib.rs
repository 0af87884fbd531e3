//! What the driver and a benchmark process say to each other, and what results hold.

pub mod answer;
pub mod conformance;
pub mod job;
pub mod machine;
pub mod outcome;
pub mod record;
pub mod run;

/// Number of the method of measuring.
///
/// It goes up when anything that is on the clock changes, and no table or chart mixes two of them.
/// `results/README.md` has a paragraph for each.
pub const METHOD: u32 = 2;
