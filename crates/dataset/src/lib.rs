//! From dataset definitions to verified bytes.

mod build;
mod definition;
mod hash;
mod input;
mod json;

pub use build::{Built, build};
pub use definition::{Definition, Definitions, Source};
pub use input::from_file;
