//! Nothing: this package pins crates whose files are fetched, and is never compiled.
