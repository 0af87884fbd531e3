//! Figures of one operation: its codecs in their order, with tiers and what could be resolved.

use protocol::{
    job::Operation,
    run::{Run, Stored},
};
use verdict::{Comparison, Resolvable, Summary, floor_from_aa, order_conflicts};

use crate::{
    line::{Class, Line, Of, short_name},
    rounds::{Rounds, rounds},
};

/// All that a table or picture of one operation shows.
#[derive(Clone, Debug)]
pub struct Figures<'r> {
    /// Which.
    pub operation: Operation,
    /// Its rounds.
    pub rounds: Rounds,
    /// Fresh codecs, then those that reuse, then controls; each by tier, then by the headline.
    pub lines: Vec<Line<'r>>,
    /// By how much two processes of one program differ, for the sum and for each dataset, as differences.
    pub floors: Vec<f64>,
    /// No verdict turns on less, as a difference.
    pub margin: f64,
    /// All comparisons behind the tiers.
    pub compared: Vec<Comparison>,
    /// Layouts in which each program was linked, one for each round in turn; 0 if it was linked once.
    pub relinks: u32,
}

/// The figures of an operation.
pub fn figures(stored: &Stored, operation: Operation) -> Figures<'_> {
    let rounds = rounds(stored, operation);
    let line = |codec| Line::new(stored, codec, operation, &rounds.used);
    let mut lines: Vec<Line> = stored.run.codecs.iter().map(line).collect();
    let lock_step = stored.run.lock_step;
    let floors = floors(&lines, lock_step);
    let margin = verdict::margin(&floors);
    let mut compared = Vec::new();
    for class in [Class::Fresh, Class::Reused] {
        compared.extend(rank(&mut lines, class, margin, lock_step));
    }
    let tier = |line: &Line| line.standing.map_or(usize::MAX, |standing| standing.tier);
    let headline = |line: &Line| line.overall.map_or(f64::INFINITY, |overall| overall.minimum);
    lines.sort_by(|a, b| {
        let by_tier = a.class.cmp(&b.class).then(tier(a).cmp(&tier(b)));
        by_tier.then(headline(a).total_cmp(&headline(b)))
    });
    Figures { operation, rounds, lines, floors, margin, compared, relinks: stored.run.relinks }
}

impl Figures<'_> {
    /// The smallest headline of a class, in nanoseconds.
    pub fn best_ns(&self, class: Class, of: Of) -> Option<f64> {
        // A twin is a control: nobody is compared with it.
        let is_peer = |line: &&Line| line.class == class && line.codec.twin_of.is_none();
        let peers = self.lines.iter().filter(is_peer);
        peers.filter_map(|line| Some(line.summary(of)?.minimum)).reduce(f64::min)
    }

    /// By how much the layouts of one program differ: the largest over the smallest of their medians, as a difference.
    ///
    /// `None` if it was linked once. The medians hold the noise of their rounds, so this is at most the floor that layout sets.
    pub fn layout_spread(&self, line: &Line) -> Option<f64> {
        let values = line.values(Of::Overall);
        let of_layout = |layout: u32| {
            let rounds = self.rounds.used.iter().zip(&values);
            let its = rounds.filter(|(round, _)| **round % self.relinks == layout);
            verdict::median(&its.filter_map(|(_, value)| *value).collect::<Vec<_>>())
        };
        let medians: Option<Vec<f64>> = (0..self.relinks).map(of_layout).collect();
        Some(verdict::summarize(&medians?)?.spread)
    }

    /// The line below a table about layouts; `None` if programs were linked once.
    pub fn layout_note(&self, run: &Run) -> Option<String> {
        let spreads = self.lines.iter().filter(|line| line.class != Class::Control);
        let spreads = spreads.filter_map(|line| Some((self.layout_spread(line)?, line)));
        let mut spreads: Vec<(f64, &Line)> = spreads.collect();
        spreads.sort_by(|a, b| b.0.total_cmp(&a.0));
        let (most, line) = spreads.first()?;
        let middle =
            verdict::median(&spreads.iter().map(|(spread, _)| *spread).collect::<Vec<_>>())?;
        Some(format!(
            "layout floor, with the noise between rounds: each program was linked in {} layouts, whose medians lie {:.1} % apart for the middle codec, {:.1} % at most ({}); rounds take them in turn, so verdicts hold for all layouts together",
            self.relinks,
            middle * 100.0,
            most * 100.0,
            short_name(run, line.codec)
        ))
    }

    /// The smallest differences that the comparisons behind the tiers could have resolved; `None` without any.
    pub fn smallest_resolvable(&self) -> Option<Resolvable> {
        verdict::smallest_resolvable(&self.compared, self.margin)
    }
}

impl Line<'_> {
    /// Minimum, median and spread, in nanoseconds.
    pub fn summary(&self, of: Of) -> Option<Summary> {
        match of {
            Of::Overall => self.overall,
            Of::Dataset(place) => self.datasets[place],
        }
    }
}

/// The A/A floors of an operation.
fn floors(lines: &[Line], lock_step: bool) -> Vec<f64> {
    let twins = lines.iter().filter_map(|line| {
        let original = line.codec.twin_of.as_ref()?;
        Some((line, lines.iter().find(|line| line.codec.id == *original)?))
    });
    let floors = twins.flat_map(|(twin, original)| {
        let all = (0..twin.datasets.len()).map(Of::Dataset).chain([Of::Overall]);
        all.filter_map(move |of| floor_from_aa(&twin.log_ratios(original, of, lock_step)))
    });
    floors.collect()
}

/// Gives the codecs of a class their tiers; what they were compared with comes back.
fn rank(lines: &mut [Line], class: Class, margin: f64, lock_step: bool) -> Vec<Comparison> {
    // A twin is a control: it takes no place from a contestant.
    let is_ranked = |line: &Line| line.class == class && line.codec.twin_of.is_none();
    let ranked: Vec<usize> = (0..lines.len()).filter(|&place| is_ranked(&lines[place])).collect();
    let summaries: Vec<Option<Summary>> =
        ranked.iter().map(|&place| lines[place].overall).collect();
    let medians: Vec<Option<f64>> =
        summaries.iter().map(|summary| Some(summary.as_ref()?.median)).collect();
    let log_ratios =
        |a: usize, b: usize| lines[ranked[a]].log_ratios(&lines[ranked[b]], Of::Overall, lock_step);
    let standings = verdict::tiers(&medians, log_ratios, margin);
    let conflicts = order_conflicts(&summaries);
    let mut compared = Vec::new();
    for ((place, standing), conflict) in ranked.into_iter().zip(standings).zip(conflicts) {
        compared.extend(standing.and_then(|standing| Some(standing.against?.comparison)));
        (lines[place].standing, lines[place].conflict) = (standing, conflict);
    }
    compared
}
