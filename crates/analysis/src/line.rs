//! Line: one codec in one operation, with what its processes said.

use protocol::{
    job::Operation,
    record::Row,
    run::{CodecInfo, DatasetInfo, Run, Stored},
};
use verdict::{Standing, Summary, summarize};

/// Wire format of the rows that no library stands behind.
pub const CONTROL: &str = "control";

/// Codecs that are ranked among each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Makes everything anew for each operation.
    Fresh,
    /// Keeps memory between operations.
    Reused,
    /// No contestant.
    Control,
}

/// What a figure is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// The sum over all datasets.
    Overall,
    /// One dataset, by its place in the run.
    Dataset(usize),
}

/// One codec in one operation.
#[derive(Clone, Debug)]
pub struct Line<'r> {
    /// Which.
    pub codec: &'r CodecInfo,
    /// Whom it is ranked with.
    pub class: Class,
    /// Its rows in the rounds that count.
    pub rows: Vec<&'r Row>,
    /// For each dataset, minimum, median and spread over the processes, in nanoseconds.
    pub datasets: Vec<Option<Summary>>,
    /// The same for the sum over the datasets.
    pub overall: Option<Summary>,
    /// Its tier, by `overall`; `None` for controls and where nothing was measured.
    pub standing: Option<Standing>,
    /// Whether median and minimum put it and another codec in different orders.
    pub conflict: bool,
    /// By dataset and round that counts, nanoseconds per operation of each sample.
    samples: Vec<Vec<Option<Vec<f64>>>>,
}

impl<'r> Line<'r> {
    pub(crate) fn new(
        stored: &'r Stored,
        codec: &'r CodecInfo,
        operation: Operation,
        used: &[u32],
    ) -> Self {
        let is_its = |row: &&Row| {
            row.operation == operation && row.codec == codec.id && used.contains(&row.round)
        };
        let rows: Vec<&Row> = stored.rows.iter().filter(is_its).collect();
        let samples: Vec<Vec<_>> = stored
            .run
            .datasets
            .iter()
            .map(|dataset| used.iter().map(|&round| samples(&rows, dataset, round)).collect())
            .collect();
        let mut line = Line {
            codec,
            class: class(codec),
            rows,
            datasets: Vec::new(),
            overall: None,
            standing: None,
            conflict: false,
            samples,
        };
        let summary = |of| summarize(&line.values(of).into_iter().flatten().collect::<Vec<_>>());
        let datasets = (0..stored.run.datasets.len()).map(|place| summary(Of::Dataset(place)));
        (line.datasets, line.overall) = (datasets.collect(), summary(Of::Overall));
        line
    }

    /// The process values, in nanoseconds, one for each round that counts; `None` where a process gave none.
    pub fn values(&self, of: Of) -> Vec<Option<f64>> {
        match of {
            Of::Dataset(place) => {
                self.samples[place].iter().map(|samples| smallest(samples.as_ref()?)).collect()
            }
            // A value that is missing makes the sum of its round missing too.
            Of::Overall => {
                let rounds = self.samples.first().map_or(0, Vec::len);
                let sum = |round: usize| {
                    self.samples.iter().map(|dataset| smallest(dataset[round].as_ref()?)).sum()
                };
                (0..rounds).map(sum).collect()
            }
        }
    }

    /// The samples of each round that counts, in nanoseconds per operation.
    pub fn samples(&self, of: Of) -> Vec<Option<Vec<f64>>> {
        match of {
            Of::Dataset(place) => self.samples[place].clone(),
            Of::Overall => {
                let rounds = self.samples.first().map_or(0, Vec::len);
                let sum = |round: usize| {
                    let all: Option<Vec<&Vec<f64>>> =
                        self.samples.iter().map(|dataset| dataset[round].as_ref()).collect();
                    let all = all?;
                    let count = all.iter().map(|samples| samples.len()).min()?;
                    Some(
                        (0..count)
                            .map(|step| all.iter().map(|samples| samples[step]).sum())
                            .collect(),
                    )
                };
                (0..rounds).map(sum).collect()
            }
        }
    }

    /// Logarithms of its time over that of another, one for each round that has both.
    ///
    /// Ordinarily of the process values.
    /// In lock-step the samples of a step were taken right after each other, so a round says the median of their ratios.
    pub fn log_ratios(&self, other: &Line, of: Of, lock_step: bool) -> Vec<f64> {
        if !lock_step {
            return verdict::log_ratios(&self.values(of), &other.values(of));
        }
        let (ours, theirs) = (self.samples(of), other.samples(of));
        let rounds = ours.iter().zip(&theirs).filter_map(|(ours, theirs)| {
            let (ours, theirs) = (ours.as_ref()?, theirs.as_ref()?);
            let logs: Vec<f64> = ours.iter().zip(theirs).map(|(a, b)| (a / b).ln()).collect();
            verdict::median(&logs)
        });
        rounds.filter(|log| log.is_finite()).collect()
    }

    /// Who owns the strings of a document: `zero-copy`, `copying`, or nothing for a control.
    pub fn strings(&self) -> &'static str {
        match &self.codec.description {
            _ if self.class == Class::Control => "",
            Some(description) if description.capabilities.borrows_input => "zero-copy",
            Some(_) => "copying",
            None => "",
        }
    }

    /// Its tier, if there were rounds enough for one.
    pub fn tier(&self) -> Option<usize> {
        let standing = self.standing?;
        let rounds = self.overall?.rounds;
        let supported = standing.against.is_none_or(|against| against.comparison.interval.is_ok());
        (supported && rounds >= verdict::fewest_rounds(1)).then_some(standing.tier)
    }
}

fn samples(rows: &[&Row], dataset: &DatasetInfo, round: u32) -> Option<Vec<f64>> {
    let is_it = |row: &&&Row| row.round == round && row.measurement.dataset == dataset.id;
    let measurement = &rows.iter().find(is_it)?.measurement;
    let operations = measurement.operations_per_sample as f64;
    let samples = measurement.samples_ns.iter().map(|&sample| sample as f64 / operations);
    measurement.outcome.is_measured().then(|| samples.collect())
}

fn smallest(samples: &[f64]) -> Option<f64> {
    samples.iter().copied().reduce(f64::min)
}

/// Whom a codec is ranked with.
pub fn class(codec: &CodecInfo) -> Class {
    if is_control(&codec.id) {
        Class::Control
    } else if codec.description.as_ref().is_some_and(|description| description.reuses) {
        Class::Reused
    } else {
        Class::Fresh
    }
}

/// Whether an id is that of a row that no library stands behind.
pub fn is_control(id: &str) -> bool {
    id.split('/').next() == Some(CONTROL)
}

/// The id, without the format if all codecs of the run share it; programs get all of it.
pub fn short_name<'c>(run: &Run, codec: &'c CodecInfo) -> &'c str {
    let mut formats = run.codecs.iter().map(|codec| codec.id.split('/').next());
    let own = codec.id.split('/').next();
    let alone = formats.all(|format| format == own || format == Some(CONTROL));
    match codec.id.split_once('/') {
        Some((format, rest)) if alone && format != CONTROL => rest,
        _ => &codec.id,
    }
}
