//! The one module that knows criterion's files.

use std::path::Path;

use anyhow::{Context, ensure};
use serde::Deserialize;

/// Names under which criterion files what it samples.
///
/// Constant, because criterion changes long names and names with a `/`; what was measured stands in the job.
pub(crate) const GROUP: &str = "run";
pub(crate) const FUNCTION: &str = "operation";

/// One sample as criterion wrote it down.
#[derive(Debug, PartialEq)]
pub(crate) struct Saved {
    /// How often criterion asked for the routine.
    pub(crate) iterations: u64,
    /// What the routine said that it took, in nanoseconds.
    pub(crate) ns: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SampleFile {
    sampling_mode: String,
    iters: Vec<f64>,
    times: Vec<f64>,
}

/// The samples in criterion's output folder.
///
/// Criterion reports files that it could not write on its output only, and goes on; so a missing file is an error here.
pub(crate) fn samples(folder: &Path, count: usize) -> anyhow::Result<Vec<Saved>> {
    let path = folder.join(GROUP).join(FUNCTION).join("new/sample.json");
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("criterion saved no samples in `{}`", path.display()))?;
    let file: SampleFile = serde_json::from_str(&text).with_context(|| {
        format!("criterion's samples in `{}` have another form", path.display())
    })?;

    ensure!(
        file.sampling_mode == "Flat",
        "criterion sampled in mode `{}` instead of `Flat`",
        file.sampling_mode
    );
    ensure!(
        file.iters.len() == count && file.times.len() == count,
        "criterion saved {} iteration counts and {} times instead of {count} each",
        file.iters.len(),
        file.times.len()
    );
    file.iters
        .iter()
        .zip(&file.times)
        .map(|(iterations, ns)| Ok(Saved { iterations: whole(*iterations)?, ns: whole(*ns)? }))
        .collect()
}

/// Criterion keeps whole numbers as floats, exact up to 2^53.
fn whole(number: f64) -> anyhow::Result<u64> {
    ensure!(
        number >= 1.0 && number.fract() == 0.0 && number < 9_007_199_254_740_992.0,
        "criterion saved {number}, which is no whole number of iterations or nanoseconds"
    );
    Ok(number as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What criterion 0.8.2 left behind after ten samples of `parse` by `Nothing`.
    const RECORDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/recorded/criterion-0.8.2");

    #[test]
    fn the_recorded_folder_of_the_locked_criterion_is_read() {
        let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
        let lock = std::fs::read_to_string(lock).unwrap();
        assert!(
            lock.contains("name = \"criterion\"\nversion = \"0.8.2\"\n"),
            "fix: record a folder of the criterion that is locked now, and say so here"
        );

        let saved = samples(Path::new(RECORDED), 10).unwrap();
        assert_eq!(saved.len(), 10);
        assert_eq!(saved[0], Saved { iterations: 1, ns: 63 });
    }

    #[test]
    fn another_count_a_missing_file_and_a_torn_file_are_errors() {
        let error = samples(Path::new(RECORDED), 11).unwrap_err().to_string();
        assert!(error.contains("saved 10 iteration counts"), "{error}");

        let folder = tempfile::tempdir().unwrap();
        let error = samples(folder.path(), 10).unwrap_err().to_string();
        assert!(error.contains("saved no samples"), "{error}");

        let new = folder.path().join(GROUP).join(FUNCTION).join("new");
        std::fs::create_dir_all(&new).unwrap();
        std::fs::write(new.join("sample.json"), r#"{"sampling_mode":"Flat","iters":[1.0"#).unwrap();
        let error = samples(folder.path(), 10).unwrap_err().to_string();
        assert!(error.contains("have another form"), "{error}");
    }

    #[test]
    fn only_whole_positive_numbers_are_taken() {
        assert_eq!(whole(3.0).unwrap(), 3);
        for bad in [0.0, -1.0, 2.5, f64::NAN, f64::INFINITY] {
            assert!(whole(bad).is_err(), "{bad}");
        }
    }
}
