//! The other side of `--against-source`: the same adapters, compiled from other sources.

use std::path::Path;

use anyhow::ensure;
use protocol::run::CodecInfo;

use super::conditions::against_id;
use crate::{
    prepare::{self, Contestant, Ready, Wish},
    sources,
    usage::Usage,
};

/// What stands for the source that is pinned.
const PINNED: &str = "pinned";

/// Codecs that are built once more, and from what.
#[derive(Debug, Default)]
pub(super) struct Other {
    codecs: Vec<String>,
    sources: Vec<String>,
}

impl Other {
    /// Reads the values of `--against-source`.
    ///
    /// # Errors
    ///
    /// A value without `=`, and a library that no selected codec is of.
    pub(super) fn asked(flags: &[String], contestants: &[Contestant]) -> anyhow::Result<Self> {
        let mut other = Other::default();
        for flag in flags {
            let (library, folder) = sources::split(flag)?;
            let of_library = contestants.iter().filter(|one| one.entry.library == library);
            let ids: Vec<String> = of_library.map(Contestant::id).collect();
            ensure!(
                !ids.is_empty(),
                Usage(format!(
                    "`--against-source {flag}` names `{library}`, of which no codec is selected\n  fix: name the library of a codec that is measured"
                ))
            );
            other.codecs.extend(ids);
            if folder != PINNED {
                other.sources.push(flag.clone());
            }
        }
        Ok(other)
    }

    /// For a run that is taken up again.
    pub(super) fn of_run(codecs: &[CodecInfo]) -> Self {
        let others = codecs.iter().filter_map(|codec| Some((codec, codec.against_of.clone()?)));
        let (codecs, sources): (Vec<_>, Vec<_>) =
            others.map(|(codec, id)| (id, super::resume::source_flag(codec))).unzip();
        let mut sources: Vec<String> = sources.into_iter().flatten().collect();
        sources.dedup();
        Other { codecs, sources }
    }

    /// Builds them apart from ours.
    ///
    /// # Errors
    ///
    /// As `prepare::build`.
    pub(super) fn build(&self, root: &Path, ours: &Wish) -> anyhow::Result<Vec<Ready>> {
        if self.codecs.is_empty() {
            return Ok(Vec::new());
        }
        let wish = Wish {
            codecs: &self.codecs,
            sources: &self.sources,
            against: true,
            controls: false,
            ..*ours
        };
        prepare::build(root, &wish, prepare::contestants(root, &wish)?)
    }
}

/// Gives the other build of a codec its name in the record.
pub(super) fn second_name(codec: CodecInfo) -> CodecInfo {
    CodecInfo { id: against_id(&codec.id), against_of: Some(codec.id.clone()), ..codec }
}
