//! The interval of a median by the sign test: order statistics with exact binomial probabilities.
//!
//! Whatever the distribution, each value lies above the true median with probability one half.
//! So the true median lies below the `rank`-th smallest of `n` values only if fewer than `rank` of `n` fair coins show heads, and the same holds from above.
//! Source: the confidence interval that inverts the sign test, as in textbooks of nonparametric statistics.

use std::fmt;

/// Two-sided error of all intervals of a table together.
pub(crate) const ERROR: f64 = 0.05;

/// An interval of a ratio that holds the true median with a confidence of 95 %, ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end, as a ratio.
    pub low: f64,
    /// Upper end, as a ratio.
    pub high: f64,
}

/// There is no interval: even all rounds agreeing would be no evidence at 95 %.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooFewRounds {
    /// Rounds in which both codecs have a value.
    pub rounds: usize,
    /// The fewest that can support the verdict.
    pub needed: usize,
}

impl std::error::Error for TooFewRounds {}

impl fmt::Display for TooFewRounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of the {} rounds that a verdict needs", self.rounds, self.needed)
    }
}

/// The fewest rounds that can support 95 % in a table of so many comparisons: 6 for one, 9 for nine.
///
/// That is `1 + log2(comparisons / 0.05)`, rounded up.
/// The quotient is a multiple of 20, so never a power of two, and rounding cannot land on the wrong side.
pub fn fewest_rounds(comparisons: usize) -> usize {
    1 + (comparisons.max(1) as f64 / ERROR).log2().ceil() as usize
}

/// The interval of the median of values in ascending order, as one of so many comparisons.
///
/// The error of a table is shared out evenly between its comparisons (Bonferroni), which holds however they depend on each other.
pub(crate) fn interval(sorted: &[f64], comparisons: usize) -> Result<Interval, TooFewRounds> {
    match rank(sorted.len(), comparisons) {
        Some(rank) => Ok(Interval { low: sorted[rank - 1], high: sorted[sorted.len() - rank] }),
        None => Err(TooFewRounds { rounds: sorted.len(), needed: fewest_rounds(comparisons) }),
    }
}

/// Which values are the ends, counted from 1 and from either side: the innermost whose error is small enough.
fn rank(rounds: usize, comparisons: usize) -> Option<usize> {
    let error = ERROR / comparisons.max(1) as f64;
    let mut tail = 0.0;
    let within = |heads: &&f64| {
        tail += **heads;
        2.0 * tail <= error
    };
    let rank = heads(rounds).iter().take_while(within).count();
    (rank > 0).then_some(rank)
}

/// Probabilities of 0, 1, 2 … heads among so many fair coins, up to the middle one.
///
/// Starts at the middle and goes down, where nothing can overflow.
/// What underflows to 0 (beyond a thousand coins) is hundreds of orders of magnitude below any error in use.
/// The product is that of 1/2, 3/4, 5/6 …: the middle of an even number of coins, and of the odd number below it too.
fn heads(coins: usize) -> Vec<f64> {
    let mut probability: f64 =
        (1..=coins.div_ceil(2)).map(|i| (2 * i - 1) as f64 / (2 * i) as f64).product();
    let mut probabilities = vec![0.0; coins / 2 + 1];
    for (heads, place) in probabilities.iter_mut().enumerate().rev() {
        *place = probability;
        probability *= heads as f64 / (coins - heads + 1) as f64;
    }
    probabilities
}

#[test]
fn six_rounds_support_one_pair_and_nine_support_nine() {
    assert_eq!([1, 2, 8, 9, 12, 13].map(fewest_rounds), [6, 7, 9, 9, 9, 10]);
    for comparisons in 1..2000 {
        let needed = fewest_rounds(comparisons);
        assert_eq!(rank(needed, comparisons), Some(1), "{comparisons}");
        assert_eq!(rank(needed - 1, comparisons), None, "{comparisons}");
    }
}

/// The same in integers: 2 · sum / 2^rounds ≤ 1 / (20 · comparisons).
#[test]
fn ranks_are_those_of_exact_arithmetic() {
    for rounds in 0_u128..=100 {
        for comparisons in [1, 2, 8, 9, 100] {
            let (mut ways, mut sum, mut exact) = (1_u128, 0, 0);
            for heads in 0..=rounds / 2 {
                sum += ways;
                if sum <= (1 << rounds) / (40 * comparisons as u128) {
                    exact = heads as usize + 1;
                }
                ways = ways * (rounds - heads) / (heads + 1);
            }
            let got = rank(rounds as usize, comparisons).unwrap_or(0);
            assert_eq!(got, exact, "{rounds} rounds, {comparisons} comparisons");
        }
    }
}

/// Known from the normal approximation, which is good at this size: 2500 − 1.96 · √5000 / 2 + 1/2, rounded down.
#[test]
fn five_thousand_rounds_neither_overflow_nor_vanish() {
    assert_eq!(rank(5000, 1), Some(2431));
    let below: f64 = heads(5000).iter().sum();
    assert!((below - 0.5 - heads(5000)[2500] / 2.0).abs() < 1e-12, "{below}");
}

#[test]
fn the_ends_are_values_that_were_seen() {
    let values: Vec<f64> = (1..=9).map(f64::from).collect();
    assert_eq!(interval(&values, 1), Ok(Interval { low: 2.0, high: 8.0 }));
    assert_eq!(interval(&values, 9), Ok(Interval { low: 1.0, high: 9.0 }));
    let few = interval(&values, 13).unwrap_err();
    assert_eq!(few, TooFewRounds { rounds: 9, needed: 10 });
    assert_eq!(few.to_string(), "9 of the 10 rounds that a verdict needs");
}
