//! The fence around the canary: which rounds are void.

use crate::median;

/// How far above the median the fence stands at least, as a difference (chosen).
const NEAREST: f64 = 0.05;

/// How many median absolute deviations above the median the fence stands, if that is further (chosen).
const DEVIATIONS: f64 = 5.0;

/// The largest value of the canary that lies inside the fence, in the unit of the values; `None` if there are none.
///
/// There is no fence below: a canary that was faster says nothing against its round.
pub fn fence(canary: &[f64]) -> Option<f64> {
    let median_value = median(canary)?;
    let deviations: Vec<f64> = canary.iter().map(|value| (value - median_value).abs()).collect();
    let deviation = median(&deviations)?;
    Some(median_value + (NEAREST * median_value).max(DEVIATIONS * deviation))
}

/// The rounds, counted from 0, in which the canary left its fence.
pub fn void_rounds(canary: &[f64]) -> Vec<usize> {
    let Some(fence) = fence(canary) else { return Vec::new() };
    (0..canary.len()).filter(|&round| canary[round] > fence).collect()
}

#[test]
fn on_a_quiet_machine_the_fence_stands_five_percent_above_the_median() {
    assert_eq!(fence(&[100.0, 100.0, 101.0, 100.0]), Some(105.0));
    assert_eq!(void_rounds(&[100.0, 100.0, 105.0, 100.0, 105.1, 100.0, 70.0]), [4]);
}

#[test]
fn on_a_restless_machine_it_stands_five_deviations_above() {
    // The median is 100, and half of the values are 2 or more away from it.
    let canary = [96.0, 98.0, 99.0, 100.0, 101.0, 102.0, 111.0];
    assert_eq!(fence(&canary), Some(110.0));
    assert_eq!(void_rounds(&canary), [6]);
}

#[test]
fn without_rounds_there_is_no_fence() {
    assert_eq!(fence(&[]), None);
    assert!(void_rounds(&[]).is_empty());
}
