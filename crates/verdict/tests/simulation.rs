//! The verdicts on simulated runs whose truth is known.
//!
//! Each bound follows from theory and each seed is fixed, so a test gives the same answer every time.

use verdict::{Comparison, Word, floor_from_aa, log_ratios, margin, median, tiers, void_rounds};

/// Seeded random numbers: splitmix64.
struct Random(u64);

impl Random {
    /// Uniform, from 0 up to 1.
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Nearly normal, with mean 0 and standard deviation 1: the sum of twelve uniforms.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }

    /// Symmetric, without mean or variance: Cauchy.
    fn heavy(&mut self) -> f64 {
        (std::f64::consts::PI * (self.uniform() - 0.5)).tan()
    }
}

/// What a machine does to the logarithm of a process value.
#[derive(Clone, Copy, Debug)]
enum Noise {
    /// Normal.
    Even,
    /// Heavy tails on both sides.
    Heavy,
    /// Normal, and one process in seven takes half as long again.
    Spikes,
    /// Normal, while the machine slows down by 60 % over the run, within rounds too.
    Drift,
}

use Noise::{Drift, Even, Heavy, Spikes};

/// Values by codec and round, as the driver collects them: the order of the codecs is shifted by one in every round.
fn run(
    random: &mut Random,
    truth: &[f64],
    rounds: usize,
    noise: Noise,
    sd: f64,
) -> Vec<Vec<Option<f64>>> {
    let codecs = truth.len();
    let mut values = vec![vec![None; rounds]; codecs];
    for step in 0..rounds * codecs {
        let (round, position) = (step / codecs, step % codecs);
        let codec = (round + position) % codecs;
        let log = match noise {
            Even => sd * random.normal(),
            Heavy => sd * random.heavy(),
            Spikes if random.uniform() < 1.0 / 7.0 => 0.4 + sd * random.normal(),
            Spikes => sd * random.normal(),
            Drift => 0.47 * step as f64 / (rounds * codecs) as f64 + sd * random.normal(),
        };
        values[codec][round] = Some(truth[codec] * log.exp());
    }
    values
}

/// In what share of so many runs something happens.
fn share(runs: usize, mut happens: impl FnMut() -> bool) -> f64 {
    (0..runs).filter(|_| happens()).count() as f64 / runs as f64
}

/// Four standard deviations of a share: a bound that chance passes once in 16,000 seeds.
fn four_sd(probability: f64, runs: usize) -> f64 {
    4.0 * (probability * (1.0 - probability) / runs as f64).sqrt()
}

/// Log ratios of one pair whose noise has this standard deviation.
fn pair(random: &mut Random, ratio: f64, rounds: usize, sd: f64) -> Vec<f64> {
    (0..rounds).map(|_| f64::ln(ratio) + sd * random.normal()).collect()
}

/// 2 · P(at most `rank − 1` heads): 2/64, 2 · 10/512, and 2 · 21700/2^20 (ranks 1, 2 and 6).
#[test]
fn an_interval_misses_the_truth_as_often_as_the_binomial_says() {
    const RUNS: usize = 8000;
    let mut random = Random(1);
    for (rounds, error) in [(6, 0.03125), (9, 0.0390625), (20, 0.0413895)] {
        for heavy in [false, true] {
            let missed = share(RUNS, || {
                let draw = |_| if heavy { random.heavy() } else { random.normal() };
                let logs: Vec<f64> = (0..rounds).map(draw).collect();
                let interval = Comparison::of(&logs, 1).unwrap().interval.unwrap();
                interval.low > 1.0 || interval.high < 1.0
            });
            let tolerance = four_sd(error, RUNS);
            assert!((missed - error).abs() < tolerance, "{rounds} rounds: {missed} for {error}");
        }
    }
}

/// The table's error, with no margin to help: each of the eight is compared with a codec named beforehand.
#[test]
fn the_comparisons_of_a_table_are_wrong_together_in_five_percent_of_runs_at_most() {
    const RUNS: usize = 2000;
    let mut random = Random(2);
    for noise in [Even, Heavy, Spikes] {
        let wrong = share(RUNS, || {
            let table = run(&mut random, &[1.0; 9], 9, noise, 0.04);
            table[1..].iter().any(|codec| {
                let word = Comparison::of(&log_ratios(codec, &table[0]), 8).unwrap().word(0.0);
                matches!(word, Word::Faster | Word::Slower)
            })
        });
        assert!(wrong <= 0.05, "{noise:?}: {wrong}");
    }
}

/// A whole table as the driver judges it: nine equal codecs, the last of them also under a second name for the floor.
#[test]
fn equal_codecs_are_put_into_one_tier() {
    const RUNS: usize = 300;
    let mut random = Random(3);
    for noise in [Even, Heavy, Spikes, Drift] {
        for sd in [0.005, 0.02, 0.05] {
            let wrong = share(RUNS, || {
                let table = run(&mut random, &[1.0; 10], 9, noise, sd);
                let floor = floor_from_aa(&log_ratios(&table[9], &table[8])).unwrap();
                let values =
                    |codec: usize| -> Vec<f64> { table[codec].iter().copied().flatten().collect() };
                let medians: Vec<_> = (0..9).map(|codec| median(&values(codec))).collect();
                let ratios = |a: usize, b: usize| log_ratios(&table[a], &table[b]);
                let standings = tiers(&medians, ratios, margin(&[floor]));
                standings.iter().flatten().any(|standing| standing.tier > 1)
            });
            assert!(wrong <= 0.05, "{noise:?} with {sd}: {wrong}");
        }
    }
}

/// One round shows the difference with probability p = Φ((ln 1.1 − ln 1.01) / 0.04) = 0.98358.
/// A single pair needs eight of nine rounds, p⁹ + 9 p⁸ (1 − p); one of eight comparisons needs all nine, p⁹.
#[test]
fn nine_rounds_resolve_ten_percent_as_often_as_theory_says() {
    const RUNS: usize = 4000;
    let mut random = Random(4);
    for (comparisons, power) in [(1, 0.9911), (8, 0.8616)] {
        let found = share(RUNS, || {
            let logs = pair(&mut random, 1.1, 9, 0.04);
            Comparison::of(&logs, comparisons).unwrap().word(margin(&[])) == Word::Slower
        });
        // The sum of twelve uniforms is not quite normal: 0.001 in p, which is 0.01 in p⁹.
        let tolerance = four_sd(power, RUNS) + 0.01;
        assert!((found - power).abs() < tolerance, "{comparisons}: {found} for {power}");
    }
}

/// A round hides the difference if only the faster codec has a spike: 6/49.
/// Twenty rounds of a pair may have five such rounds: the binomial sum is 0.9715.
#[test]
fn spikes_do_not_hide_a_difference_from_twenty_rounds() {
    const RUNS: usize = 2000;
    const POWER: f64 = 0.9715;
    let mut random = Random(5);
    let found = share(RUNS, || {
        let table = run(&mut random, &[1.0, 1.2], 20, Spikes, 0.01);
        let comparison = Comparison::of(&log_ratios(&table[1], &table[0]), 1).unwrap();
        comparison.word(margin(&[])) == Word::Slower
    });
    assert!((found - POWER).abs() < four_sd(POWER, RUNS), "{found}");
}

/// The arm reaches from the estimate at least to the near end of the interval, and the estimate is above the truth half of the time.
/// With one arm more, only an interval that misses the truth, on one side, leaves the difference unresolved.
#[test]
fn a_difference_that_is_called_resolvable_is_resolved() {
    const RUNS: usize = 2000;
    let mut random = Random(6);
    for noise in [Even, Heavy, Spikes] {
        let (mut at, mut beyond) = (0, 0);
        for _ in 0..RUNS {
            let table = run(&mut random, &[1.0; 2], 9, noise, 0.03);
            let logs = log_ratios(&table[1], &table[0]);
            let comparison = Comparison::of(&logs, 1).unwrap();
            let smallest = 1.0 + comparison.resolvable(0.02).unwrap();
            let slower = |ratio: f64| {
                let shifted: Vec<f64> = logs.iter().map(|log| log + ratio.ln()).collect();
                Comparison::of(&shifted, 1).unwrap().word(0.02) == Word::Slower
            };
            at += usize::from(slower(smallest));
            beyond += usize::from(slower(smallest * smallest / 1.02));
        }
        for (found, least) in [(at, 0.5), (beyond, 0.975)] {
            let found = found as f64 / RUNS as f64;
            assert!(found >= least - four_sd(least, RUNS), "{noise:?}: {found} for {least}");
        }
    }
}

/// Between rounds the machine changes by far more than the codecs differ, and the pairs do not notice.
#[test]
fn what_slows_a_whole_round_changes_no_comparison() {
    let mut random = Random(7);
    let calm = run(&mut random, &[1.0, 1.05, 1.3], 15, Even, 0.01);
    let weather: Vec<f64> = (0..15).map(|_| random.normal().exp()).collect();
    let stormy: Vec<Vec<_>> = calm
        .iter()
        .map(|codec| codec.iter().zip(&weather).map(|(value, by)| Some((*value)? * by)).collect())
        .collect();
    for (codec, other) in [(1, 0), (2, 0), (2, 1)] {
        let compare = |table: &[Vec<_>]| {
            Comparison::of(&log_ratios(&table[codec], &table[other]), 2).unwrap()
        };
        let (before, after) = (compare(&calm), compare(&stormy));
        assert!((before.ratio / after.ratio - 1.0).abs() < 1e-9);
        assert_eq!((before.word(0.01), after.word(0.01)), (Word::Slower, Word::Slower));
    }
}

#[test]
fn the_rounds_in_which_the_canary_was_disturbed_are_void_and_no_others() {
    let mut random = Random(8);
    for run in 0..1000 {
        let disturbed = [run % 5, 5 + run % 4, 12];
        let canary: Vec<f64> = (0..15)
            .map(|round| {
                let log = 0.008 * random.normal();
                log.exp() * if disturbed.contains(&round) { 1.4 } else { 1.0 }
            })
            .collect();
        assert_eq!(void_rounds(&canary), disturbed, "{canary:?}");
    }
}
