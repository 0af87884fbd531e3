//! Ranks that the evidence supports: codecs of a table in tiers.

use crate::compare::{Comparison, Word};

/// Where a codec stands in its table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// From 1, the fastest.
    pub tier: usize,
    /// Whether it is the best of its tier, which the others of the tier are compared with.
    pub best: bool,
    /// What it was compared with; `None` for the best of tier 1, and where no round has both.
    pub against: Option<Against>,
}

/// A codec compared with the best of its tier, or a tier's best with that of the tier above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Against {
    /// Index of the other codec.
    pub codec: usize,
    /// The time of this codec over that of the other.
    pub comparison: Comparison,
    /// The verdict on this codec.
    pub word: Word,
}

/// Sorts the codecs of a table into tiers.
///
/// `medians` holds one value for each codec, `None` if it has none; `log_ratios` gives, for two of them, the logarithms of the first one's time over the second one's, one for each round that has both.
///
/// The best of a tier is the codec with the lowest median, and with it are all that are not resolved to be slower.
/// Those that are slower form the tiers below in the same way, so whoever stands in a lower tier is slower, beyond the margin, than the best of every tier above.
/// If a codec with a higher median is yet faster round by round, which takes missing rounds or a strange distribution, the rounds are believed.
///
/// Intervals are widened for `codecs − 1` comparisons, codecs without any value not counted.
/// That is enough for all tiers together: until a codec is wrongly put below an equal, only that one comparison of it can go wrong.
/// The best is chosen by the same values, which at a margin of 0 would put equal codecs into two tiers in 6 to 7 % of simulated runs; with the margin of 1 % it is less than 5 %, with a floor less still.
/// Pass no controls.
///
/// One standing for each codec, in the order given; `None` for one without any value.
pub fn tiers(
    medians: &[Option<f64>],
    log_ratios: impl Fn(usize, usize) -> Vec<f64>,
    margin: f64,
) -> Vec<Option<Standing>> {
    let mut by_median: Vec<(f64, usize)> =
        (0..medians.len()).filter_map(|codec| Some((medians[codec]?, codec))).collect();
    by_median.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut left: Vec<usize> = by_median.into_iter().map(|(_, codec)| codec).collect();

    let comparisons = left.len().saturating_sub(1);
    let against = |codec: usize, other: usize| {
        let comparison = Comparison::of(&log_ratios(codec, other), comparisons)?;
        Some(Against { codec: other, comparison, word: comparison.word(margin) })
    };
    let is = |codec, word, other| against(codec, other).is_some_and(|seen| seen.word == word);

    let mut standings = vec![None; medians.len()];
    let mut above = None;
    for tier in 1.. {
        let faster = |best, codec| if is(codec, Word::Faster, best) { codec } else { best };
        let Some(best) = left.iter().copied().reduce(faster) else { break };
        let (slower, others): (Vec<_>, Vec<_>) =
            left.into_iter().partition(|&codec| codec != best && is(codec, Word::Slower, best));
        for codec in others {
            let other = if codec == best { above } else { Some(best) };
            let against = other.and_then(|other| against(codec, other));
            standings[codec] = Some(Standing { tier, best: codec == best, against });
        }
        above = Some(best);
        left = slower;
    }
    standings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{log_ratios, median};

    fn tiers(values: &[Vec<Option<f64>>], margin: f64) -> Vec<Option<Standing>> {
        let present =
            |values: &Vec<Option<f64>>| values.iter().copied().flatten().collect::<Vec<_>>();
        let medians: Vec<Option<f64>> =
            values.iter().map(|values| median(&present(values))).collect();
        super::tiers(&medians, |a, b| log_ratios(&values[a], &values[b]), margin)
    }

    /// Nine rounds around a value, up and down by a part of it, out of step with those of another `step`.
    fn rounds(value: f64, part: f64, step: usize) -> Vec<Option<f64>> {
        (0..9).map(|round| Some(value * (1.0 + part * ((round * step % 9) as f64 - 4.0)))).collect()
    }

    fn tier_numbers(standings: &[Option<Standing>]) -> Vec<usize> {
        standings.iter().map(|standing| standing.map_or(0, |standing| standing.tier)).collect()
    }

    #[test]
    fn a_new_tier_starts_where_the_interval_excludes_the_margin() {
        let table = [
            rounds(300.0, 0.001, 2),
            rounds(100.0, 0.001, 1),
            rounds(200.0, 0.001, 4),
            rounds(101.0, 0.001, 5),
        ];
        let standings = tiers(&table, 0.03);
        assert_eq!(tier_numbers(&standings), [3, 1, 2, 1]);
        let against = |codec: usize| standings[codec].unwrap().against;
        assert_eq!(against(1), None);
        let words =
            [0, 2, 3].map(|codec| (against(codec).unwrap().codec, against(codec).unwrap().word));
        assert_eq!(words, [(2, Word::Slower), (1, Word::Slower), (1, Word::Same)]);
        assert!([0, 1, 2].iter().all(|&codec| standings[codec].unwrap().best));
        assert!((against(0).unwrap().comparison.ratio - 1.5).abs() < 0.01);
        assert_eq!(against(0).unwrap().comparison.comparisons, 3);
    }

    #[test]
    fn a_restless_codec_is_not_put_below_a_best_that_it_may_equal() {
        // By its median the first one is slowest, but not in every round.
        let table = [rounds(120.0, 0.08, 4), rounds(110.0, 0.001, 2), rounds(100.0, 0.001, 1)];
        let standings = tiers(&table, 0.01);
        assert_eq!(tier_numbers(&standings), [1, 2, 1]);
        let against = standings[0].unwrap().against.unwrap();
        assert_eq!((against.codec, against.word), (2, Word::NotResolved));
    }

    #[test]
    fn too_few_rounds_make_one_tier_without_verdicts() {
        let short = |value| rounds(value, 0.001, 1)[..5].to_vec();
        let standings = tiers(&[short(100.0), short(200.0)], 0.01);
        assert_eq!(tier_numbers(&standings), [1, 1]);
        let against = standings[1].unwrap().against.unwrap();
        assert_eq!(against.word, Word::NotResolved);
        assert_eq!(against.comparison.interval.unwrap_err().needed, 6);
        assert!((against.comparison.ratio - 2.0).abs() < 1e-12);
    }

    #[test]
    fn a_codec_without_values_has_no_standing_and_widens_no_interval() {
        let table = [rounds(100.0, 0.001, 1), vec![None; 9], rounds(200.0, 0.001, 2)];
        let standings = tiers(&table, 0.01);
        assert_eq!(tier_numbers(&standings), [1, 0, 2]);
        assert_eq!(standings[2].unwrap().against.unwrap().comparison.comparisons, 1);
        assert!(tiers(&[], 0.01).is_empty());
    }

    #[test]
    fn the_rounds_are_believed_when_missing_ones_turn_the_medians_round() {
        // Twelve quiet rounds, then eight that take twice as long; the second codec has only these.
        let drift = |round: usize| if round < 12 { 100.0 } else { 200.0 };
        let steady = (0..20).map(|round| Some(drift(round))).collect();
        let late = (0..20).map(|round| (round >= 12).then(|| 0.8 * drift(round))).collect();
        let standings = tiers(&[steady, late], 0.01);
        assert_eq!(tier_numbers(&standings), [2, 1]);
        assert!((standings[0].unwrap().against.unwrap().comparison.ratio - 1.25).abs() < 1e-12);
    }

    #[test]
    fn codecs_that_share_no_round_are_not_told_apart() {
        let (mut first, mut second) = (rounds(100.0, 0.001, 1), rounds(200.0, 0.001, 1));
        first[..5].fill(None);
        second[5..].fill(None);
        let standings = tiers(&[first, second], 0.01);
        assert_eq!(tier_numbers(&standings), [1, 1]);
        assert_eq!(standings[1].unwrap().against, None);
    }
}
