//! From process values to minima, medians, intervals, verdicts and tiers.
//!
//! The unit of evidence is the round: one process of every codec.
//! A value is what one process says, such as nanoseconds per operation; less is faster.
//! Ratios and differences have no unit: a ratio of 1.1 is a difference of 0.1, and so is its inverse.

mod compare;
mod fence;
mod interval;
mod summary;
mod tiers;
mod unpaired;

pub use compare::{
    Comparison, Resolvable, SMALLEST_MARGIN, Word, floor_from_aa, log_ratios, margin,
    smallest_resolvable,
};
pub use fence::{fence, void_rounds};
pub use interval::{Interval, TooFewRounds, fewest_rounds};
pub use summary::{Summary, geometric_mean, median, order_conflicts, summarize};
pub use tiers::{Against, Standing, tiers};
