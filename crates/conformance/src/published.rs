//! Scores that others publish, to set ours beside.

use std::{fs, path::Path};

use anyhow::Context as _;
use serde::Deserialize;

/// The score that pack-benchmark publishes for a library.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// Id of the codec.
    pub codec: String,
    /// The version that was tried there.
    pub version: String,
    /// Its score.
    pub points: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    published: Vec<Published>,
}

impl Published {
    /// Reads `data/conformance/published.toml` below `root`, the root of the repository.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, and an unknown key.
    pub fn read(root: &Path) -> anyhow::Result<Vec<Published>> {
        let file = root.join("data/conformance/published.toml");
        let text =
            fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let File { published } =
            toml::from_str(&text).with_context(|| format!("in {}", file.display()))?;
        Ok(published)
    }
}
