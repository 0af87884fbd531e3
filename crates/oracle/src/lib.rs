//! The judge: wire formats from their specifications, without dependencies.
//!
//! One [`Value`] for all formats, one module per format.
//! Nothing here recurses: every walk keeps its own stack on the heap, so nesting is bounded by memory only.

mod build;
mod classes;
mod compare;
pub mod msgpack;
mod random;
mod show;
mod value;
mod walk;

pub use compare::{Difference, Equality, compare};
pub use random::Random;
pub use value::{Integer, Value, widened};
pub use walk::{Nodes, Stats, Sums};
