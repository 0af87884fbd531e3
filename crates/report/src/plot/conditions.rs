//! What stands at the foot of every picture: datasets, libraries, machine, date, rounds and METHOD; and what speaks against it.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, UNIX_EPOCH},
};

use analysis::{is_control, run_doubts, short_name};
use protocol::{
    machine::Answer,
    run::{CodecInfo, DatasetInfo, Run},
};

use super::number::whole;
use crate::{
    palette::{colours, library},
    record::Record,
};

/// What colours and names the rows of one record have.
pub(super) struct Names<'r> {
    run: &'r Run,
    colours: BTreeMap<String, String>,
}

impl<'r> Names<'r> {
    pub(super) fn new(run: &'r Run) -> Self {
        Names { run, colours: colours(run) }
    }

    /// As tables call it.
    pub(super) fn of(&self, codec: &'r CodecInfo) -> &'r str {
        short_name(self.run, codec)
    }

    /// The colour of a codec's library.
    pub(super) fn colour(&self, codec: &CodecInfo) -> String {
        self.colours.get(library(&codec.id)).cloned().unwrap_or_else(|| super::look::SAMPLE.into())
    }
}

/// Codecs that compete: no controls, and no second name of another.
pub(super) fn contestants(run: &Run) -> impl Iterator<Item = &CodecInfo> {
    run.codecs.iter().filter(|codec| !is_control(&codec.id) && codec.twin_of.is_none())
}

/// Whether its documents point into the message.
pub(super) fn is_zero_copy(codec: &CodecInfo) -> bool {
    codec.description.as_ref().is_some_and(|description| description.capabilities.borrows_input)
}

/// The word beside the name of a codec.
pub(super) fn tag(codec: &CodecInfo) -> String {
    if is_zero_copy(codec) { "zero-copy".into() } else { String::new() }
}

/// The name of a dataset, with its group only if there are several.
pub(super) fn dataset_name<'d>(run: &Run, dataset: &'d DatasetInfo) -> &'d str {
    let name = dataset.id.rsplit('/').next().unwrap_or(&dataset.id);
    if groups(run) > 1 { &dataset.id } else { name }
}

/// How many groups the datasets are of.
pub(super) fn groups(run: &Run) -> usize {
    let groups = run.datasets.iter().map(|dataset| library(&dataset.id));
    groups.collect::<BTreeSet<_>>().len()
}

/// What speaks against believing any picture of this record.
pub(super) fn warnings(record: &Record) -> Vec<String> {
    let stored = &record.stored;
    let mut warnings = run_doubts(stored);
    // What nobody can know stands at the foot.
    let unknown = unknown(record);
    warnings.retain(|warning| unknown.as_ref() != Some(warning));
    let folder = format!("{}/", stored.folder.display());
    let skipped = stored.skipped.iter().chain(&record.conformance.skipped);
    warnings.extend(skipped.map(|line| format!("left out: {}", line.replace(&folder, ""))));
    warnings
}

/// The line about what nobody can know of the machine.
fn unknown(record: &Record) -> Option<String> {
    let machine = &record.stored.machine;
    let names: Vec<_> =
        machine.answered(Answer::Unknown).map(|check| check.name.as_str()).collect();
    (!names.is_empty()).then(|| format!("unknown of the machine: {}", names.join(", ")))
}

/// The foot of a picture; `rounds` says how many rounds its numbers are from, if they are from rounds.
pub(super) fn conditions(record: &Record, rounds: Option<usize>) -> Vec<String> {
    let (run, machine) = (&record.stored.run, &record.stored.machine);
    let datasets = run.datasets.iter().map(|dataset| {
        let json = dataset.json_bytes.map(|bytes| format!(", {} as JSON", whole(bytes as f64)));
        let name = dataset_name(run, dataset);
        format!("{name} {} bytes{}", whole(dataset.input_bytes as f64), json.unwrap_or_default())
    });
    let mut versions = BTreeSet::new();
    for codec in contestants(run) {
        let Some(description) = &codec.description else { continue };
        let name = library(short_name(run, codec));
        versions.insert(format!("{name} {}", description.version));
    }
    let date =
        humantime::format_rfc3339_seconds(UNIX_EPOCH + Duration::from_millis(run.started_unix_ms))
            .to_string();
    let mut how = vec![date.split('T').next().unwrap_or_default().to_owned()];
    how.extend(rounds.map(|rounds| match rounds {
        1 => "1 round".to_owned(),
        _ => format!("{rounds} rounds"),
    }));
    if run.lock_step {
        how.push("in lock-step".into());
    }
    how.push(format!("METHOD {} (version of the protocol)", run.method));
    how.extend(
        run.tools
            .rustc
            .lines()
            .next()
            .map(|line| line.split(" (").next().unwrap_or(line).to_owned()),
    );
    how.extend(run.compilers().into_iter().map(str::to_owned));
    how.extend(run.tools.commit.as_ref().map(|commit| {
        let changed = if run.tools.modified { " with changes" } else { "" };
        format!("packbench {}{changed}", commit.get(..10).unwrap_or(commit))
    }));
    let mut lines = vec![
        format!("Datasets: {}.", datasets.collect::<Vec<_>>().join("; ")),
        format!("Libraries: {}.", versions.into_iter().collect::<Vec<_>>().join(", ")),
        format!("Machine: {}.", machine.title()),
        format!("Measured {}.", how.join(", ")),
    ];
    lines.extend(unknown(record).map(|line| sentence(&line)));
    lines
}

/// A line of a table as a sentence.
pub(super) fn sentence(line: &str) -> String {
    let mut letters = line.chars();
    letters
        .next()
        .map_or(String::new(), |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}
