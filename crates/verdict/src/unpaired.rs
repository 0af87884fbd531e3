//! Two codecs whose rounds have nothing to do with each other, such as those of two runs.
//!
//! The estimate is the median of all ratios of a value of one to a value of the other (Hodges and Lehmann 1963), the interval that of the rank-sum test (Mann and Whitney 1947), with exact probabilities.

use crate::{
    compare::Comparison,
    interval::{ERROR, Interval, TooFewRounds},
    median,
};

impl Comparison {
    /// Compares the values of two codecs without pairing them; `None` if either has none.
    ///
    /// Values that are not positive have no logarithm and are left out.
    pub fn unpaired(values: &[f64], others: &[f64], comparisons: usize) -> Option<Comparison> {
        let logs = |values: &[f64]| -> Vec<f64> {
            values.iter().map(|value| value.ln()).filter(|log| log.is_finite()).collect()
        };
        let (logs, others) = (logs(values), logs(others));
        let mut differences: Vec<f64> =
            logs.iter().flat_map(|log| others.iter().map(move |other| log - other)).collect();
        differences.sort_by(f64::total_cmp);
        let rounds = logs.len().min(others.len());
        let interval = match rank(logs.len(), others.len(), comparisons) {
            Some(rank) => Ok(Interval {
                low: differences[rank - 1].exp(),
                high: differences[differences.len() - rank].exp(),
            }),
            None => Err(TooFewRounds { rounds, needed: fewest(comparisons) }),
        };
        Some(Comparison { rounds, comparisons, ratio: median(&differences)?.exp(), interval })
    }
}

/// Which differences are the ends, counted from 1 and from either side: the innermost whose error is small enough.
fn rank(values: usize, others: usize, comparisons: usize) -> Option<usize> {
    let error = ERROR / comparisons.max(1) as f64;
    let probabilities = rank_sums(values, others);
    let mut tail = 0.0;
    let within = |probability: &&f64| {
        tail += **probability;
        2.0 * tail <= error
    };
    let rank = probabilities.iter().take_while(within).count();
    (rank > 0).then_some(rank)
}

/// The fewest rounds, the same for both, that have an interval.
fn fewest(comparisons: usize) -> usize {
    (1..).find(|&rounds| rank(rounds, rounds, comparisons).is_some()).unwrap_or(usize::MAX)
}

/// For equal codecs, the probability that 0, 1, 2 … of all pairs have the value below the other.
///
/// Adds one value at a time: the largest of all belongs to either side, and if it is a value, it is below no other.
fn rank_sums(values: usize, others: usize) -> Vec<f64> {
    // `table[v]` for `o` others, from the tables of one other less.
    let mut table: Vec<Vec<f64>> = vec![vec![1.0]; values + 1];
    for other in 1..=others {
        let mut next: Vec<Vec<f64>> = vec![vec![1.0]];
        for value in 1..=values {
            let all = (value + other) as f64;
            let mut sums = vec![0.0; value * other + 1];
            // The largest is an other: all values are below it.
            for (sum, probability) in table[value].iter().enumerate() {
                sums[sum + value] += probability * other as f64 / all;
            }
            for (sum, probability) in next[value - 1].iter().enumerate() {
                sums[sum] += probability * value as f64 / all;
            }
            next.push(sums);
        }
        table = next;
    }
    table.swap_remove(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Word;

    /// Counts all orders of two small samples.
    fn counted(values: u32, others: u32) -> Vec<f64> {
        let mut counts = vec![0.0; (values * others + 1) as usize];
        let all = 0_u32..1 << (values + others);
        let orders: Vec<u32> = all.filter(|order| order.count_ones() == values).collect();
        for order in &orders {
            let is_value = |place: u32| order >> place & 1 == 1;
            let below = |place: u32| (place..values + others).filter(|&p| !is_value(p)).count();
            let sum: usize = (0..values + others).filter(|&p| is_value(p)).map(below).sum();
            counts[sum] += 1.0 / orders.len() as f64;
        }
        counts
    }

    #[test]
    fn probabilities_are_those_of_counting_all_orders() {
        for (values, others) in [(1, 1), (2, 3), (3, 2), (4, 4), (5, 3), (6, 6)] {
            let ours = rank_sums(values as usize, others as usize);
            let counted = counted(values, others);
            assert_eq!(ours.len(), counted.len());
            for (ours, counted) in ours.iter().zip(counted) {
                assert!((ours - counted).abs() < 1e-12, "{values} {others}");
            }
        }
    }

    /// Known from tables of the test: at 5 % the critical value for 5 and 5 is 2, for 9 and 9 it is 17, for 15 and 15 it is 64.
    #[test]
    fn ranks_are_those_of_published_tables() {
        assert_eq!([5, 9, 15].map(|n| rank(n, n, 1)), [Some(3), Some(18), Some(65)]);
        assert_eq!((rank(3, 3, 1), fewest(1), fewest(9)), (None, 4, 6));
    }

    #[test]
    fn a_run_compared_with_itself_is_the_same_or_not_resolved() {
        let quiet: Vec<f64> = (0..9).map(|round| 100.0 + 0.1 * f64::from(round)).collect();
        let loud: Vec<f64> = (0..9).map(|round| 100.0 + 5.0 * f64::from(round)).collect();
        let word = |values: &[f64]| Comparison::unpaired(values, values, 1).unwrap().word(0.01);
        assert_eq!((word(&quiet), word(&loud)), (Word::Same, Word::NotResolved));
    }

    #[test]
    fn a_difference_is_seen_whatever_the_order_of_the_rounds() {
        let slow = [110.0, 112.0, 111.0, 113.0, 111.5, 110.5];
        let fast = [101.0, 100.0, 102.0, 100.5, 101.5, 99.0];
        let comparison = Comparison::unpaired(&slow, &fast, 1).unwrap();
        assert_eq!(comparison.word(0.01), Word::Slower);
        assert!((comparison.ratio - 1.104).abs() < 0.005, "{}", comparison.ratio);
        assert_eq!(Comparison::unpaired(&fast, &slow, 1).unwrap().word(0.01), Word::Faster);
        assert_eq!(
            Comparison::unpaired(&fast[..3], &slow, 9).unwrap().word(0.01),
            Word::NotResolved
        );
        assert_eq!(Comparison::unpaired(&[], &slow, 1), None);
    }
}
