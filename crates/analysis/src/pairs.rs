//! Two codecs of one run, or one codec in two runs.

use protocol::{
    job::Operation,
    run::{Pair, Stored},
};
use verdict::{Comparison, Word, floor_from_aa};

use crate::{
    figures::figures,
    line::{Class, Line, Of},
};

/// One cell of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// The codec.
    pub codec: String,
    /// What it is compared with, which stands for 1.
    pub base: String,
    /// What was timed.
    pub operation: Operation,
    /// Id of the dataset; `None` for the sum over all.
    pub dataset: Option<String>,
    /// The ratio of the times; `None` if either side lacks it.
    pub comparison: Option<Comparison>,
    /// No verdict turns on less, as a difference.
    pub margin: f64,
    /// The verdict on the codec.
    pub word: Word,
}

impl Compared {
    fn new(
        (codec, base): (&str, &str),
        (operation, dataset): (Operation, Option<String>),
        comparison: Option<Comparison>,
        margin: f64,
    ) -> Self {
        Compared {
            codec: codec.into(),
            base: base.into(),
            operation,
            dataset,
            comparison,
            margin,
            word: comparison.map_or(Word::NotResolved, |comparison| comparison.word(margin)),
        }
    }
}

/// Compares codecs of one run, round by round.
///
/// A codec and its own twin are compared at the smallest margin: what this pair shows must not be its own yardstick.
/// Intervals are widened for the number of pairs.
pub fn within_run(stored: &Stored, pairs: &[Pair]) -> Vec<Compared> {
    let mut all = Vec::new();
    for &operation in &stored.run.operations {
        let figures = figures(stored, operation);
        let find = |id: &str| figures.lines.iter().find(|line| line.codec.id == id);
        for pair in pairs {
            let (Some(codec), Some(base)) = (find(&pair.codec), find(&pair.base)) else { continue };
            let is_twin = |a: &Line, b: &Line| a.codec.twin_of.as_ref() == Some(&b.codec.id);
            let twins = is_twin(codec, base) || is_twin(base, codec);
            let margin = if twins { verdict::SMALLEST_MARGIN } else { figures.margin };
            for (of, dataset) in cells(stored) {
                let logs = codec.log_ratios(base, of, stored.run.lock_step);
                let comparison = Comparison::of(&logs, pairs.len());
                let ids = (pair.codec.as_str(), pair.base.as_str());
                all.push(Compared::new(ids, (operation, dataset), comparison, margin));
            }
        }
    }
    all
}

/// By how much the canary of one run differs from that of another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drift {
    /// Median of the second over median of the first.
    pub ratio: f64,
}

impl Drift {
    fn between(a: &Stored, b: &Stored) -> Option<Drift> {
        let median = |stored: &Stored| {
            let values = stored.canary.iter().filter_map(|line| Some(line.value_ns()? as f64));
            verdict::median(&values.collect::<Vec<_>>())
        };
        Some(Drift { ratio: median(b)? / median(a)? })
    }

    /// As a difference, in whichever direction.
    pub fn difference(self) -> f64 {
        floor_from_aa(&[self.ratio.ln()]).unwrap_or_default()
    }
}

/// Compares run `b` with run `a`, cell by cell, for what both hold; the drift of the canary between them comes along.
///
/// Rounds of two runs are no pairs, and the machine may have changed between them: the margin is at least the drift.
pub fn between_runs(a: &Stored, b: &Stored) -> (Vec<Compared>, Option<Drift>) {
    let drift = Drift::between(a, b);
    let mut all = Vec::new();
    for operation in
        a.run.operations.iter().filter(|operation| b.run.operations.contains(operation))
    {
        let (old, new) = (figures(a, *operation), figures(b, *operation));
        let margin = old.margin.max(new.margin).max(drift.map_or(0.0, Drift::difference));
        let both: Vec<(&Line, &Line)> = old
            .lines
            .iter()
            .filter(|line| line.class != Class::Control && line.codec.twin_of.is_none())
            .filter_map(|old| {
                Some((old, new.lines.iter().find(|line| line.codec.id == old.codec.id)?))
            })
            .collect();
        let same_datasets = a.run.datasets.iter().map(|dataset| &dataset.sha256).eq(b
            .run
            .datasets
            .iter()
            .map(|dataset| &dataset.sha256));
        for (old, new) in &both {
            for (of, dataset) in cells(a) {
                let there = match (&dataset, same_datasets) {
                    (_, true) => Some(of),
                    (None, false) => None,
                    (Some(id), false) => place(a, b, id),
                };
                let Some(of_new) = there else { continue };
                let present = |line: &Line, of| -> Vec<f64> {
                    line.values(of).into_iter().flatten().collect()
                };
                let comparison =
                    Comparison::unpaired(&present(new, of_new), &present(old, of), both.len());
                let id = old.codec.id.as_str();
                all.push(Compared::new((id, id), (*operation, dataset), comparison, margin));
            }
        }
    }
    (all, drift)
}

/// Where run `b` has a dataset of run `a`, if its message is the same.
fn place(a: &Stored, b: &Stored, id: &str) -> Option<Of> {
    let message = &a.run.datasets.iter().find(|dataset| dataset.id == id)?.sha256;
    let is_it =
        |dataset: &protocol::run::DatasetInfo| dataset.id == id && dataset.sha256 == *message;
    b.run.datasets.iter().position(is_it).map(Of::Dataset)
}

/// The sum over all datasets, if there are several, and each of them.
fn cells(stored: &Stored) -> Vec<(Of, Option<String>)> {
    let datasets = &stored.run.datasets;
    let each =
        datasets.iter().enumerate().map(|(place, d)| (Of::Dataset(place), Some(d.id.clone())));
    let overall = (datasets.len() > 1).then_some((Of::Overall, None));
    overall.into_iter().chain(each).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::Example;

    fn pair(codec: &str, base: &str) -> Pair {
        Pair { codec: codec.into(), base: base.into() }
    }

    #[test]
    fn a_slower_codec_is_called_slower_and_the_base_faster() {
        let example = Example::measured(6, |codec, round| match codec {
            "msgpack/b/v" => 115 + round % 2,
            _ => 100 + round % 2,
        });
        let pairs = [pair("msgpack/b/v", "msgpack/a/v"), pair("msgpack/a/v", "msgpack/a/v-again")];
        let words = |pairs: &[Pair]| -> Vec<Word> {
            within_run(&example.stored, pairs).iter().map(|compared| compared.word).collect()
        };
        // Two operations, each with the sum and two datasets.
        assert_eq!(words(&pairs[..1]), [Word::Slower; 6]);
        assert_eq!(words(&pairs[1..]), [Word::Same; 6]);
        assert_eq!(words(&[pair("msgpack/a/v", "msgpack/b/v")]), [Word::Faster; 6]);
    }

    #[test]
    fn a_twin_is_judged_at_the_smallest_margin_and_widens_it_for_others() {
        let example = Example::measured(6, |codec, _| match codec {
            "msgpack/a/v-again" => 104,
            "msgpack/b/v" => 103,
            _ => 100,
        });
        let twin = within_run(&example.stored, &[pair("msgpack/a/v-again", "msgpack/a/v")]);
        assert_eq!((twin[0].margin, twin[0].word), (0.01, Word::Slower));
        let other = within_run(&example.stored, &[pair("msgpack/b/v", "msgpack/a/v")]);
        assert!((other[0].margin - 0.04).abs() < 1e-9, "{}", other[0].margin);
        assert_eq!(other[0].word, Word::Same);
    }

    #[test]
    fn a_record_compared_with_itself_is_never_faster() {
        let example =
            Example::measured(
                9,
                |codec, round| {
                    if codec == "msgpack/b/v" { 100 + 7 * (round % 3) } else { 100 }
                },
            );
        let (all, drift) = between_runs(&example.stored, &example.stored);
        assert_eq!(all.len(), 12, "two codecs, two operations, the sum and two datasets");
        assert!(all.iter().all(|one| matches!(one.word, Word::Same | Word::NotResolved)));
        assert_eq!(drift.map(Drift::difference), Some(0.0));
    }

    #[test]
    fn between_runs_a_difference_counts_beyond_what_the_canary_drifted() {
        let old = Example::measured(9, |_, _| 100);
        let mut new =
            Example::measured(9, |codec, _| if codec == "msgpack/b/v" { 120 } else { 104 });
        let words = |new: &Stored| -> Vec<Word> {
            let (all, _) = between_runs(&old.stored, new);
            all.iter().filter(|one| one.dataset.is_none()).map(|one| one.word).collect()
        };
        assert_eq!(words(&new.stored), [Word::Slower; 4]);
        for line in &mut new.stored.canary {
            line.before_ns = vec![105];
        }
        assert_eq!(words(&new.stored), [Word::Same, Word::Slower, Word::Same, Word::Slower]);
        new.stored.run.datasets[1].sha256 = "another message".into();
        let (all, _) = between_runs(&old.stored, &new.stored);
        assert!(all.iter().all(|one| one.dataset.as_deref() == Some("g/one")), "{all:?}");
    }
}
