//! From the record of a run to figures and verdicts, for every table and picture.
//!
//! Times are in nanoseconds per operation; ratios and differences have no unit.

mod doubts;
mod figures;
mod line;
mod pairs;
mod rounds;

#[cfg(test)]
mod example;

pub use doubts::{run_doubts, smallest_sample_ns};
pub use figures::{Figures, figures};
pub use line::{CONTROL, Class, Line, Of, class, is_control, short_name};
pub use pairs::{Compared, Drift, between_runs, within_run};
pub use rounds::{Rounds, is_complete, next, rounds};
