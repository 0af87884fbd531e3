//! Minimum, median and spread of the values of one cell.

/// What the processes of one cell say together, in the unit of their values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// The headline: the smallest value, since noise only adds.
    pub minimum: f64,
    /// The median.
    pub median: f64,
    /// Largest over smallest value, minus one.
    pub spread: f64,
    /// How many values.
    pub rounds: usize,
}

/// Summarises the values of one cell; `None` if there are none.
pub fn summarize(values: &[f64]) -> Option<Summary> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (minimum, maximum) = (*sorted.first()?, *sorted.last()?);
    Some(Summary {
        minimum,
        median: median_of_sorted(&sorted),
        spread: maximum / minimum - 1.0,
        rounds: sorted.len(),
    })
}

/// The median of values in ascending order: the middle one, or the mean of the middle two.
fn median_of_sorted(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    if sorted.len().is_multiple_of(2) {
        (sorted[middle - 1] + sorted[middle]) / 2.0
    } else {
        sorted[middle]
    }
}

/// The median of any values; `None` if there are none.
pub fn median(values: &[f64]) -> Option<f64> {
    Some(summarize(values)?.median)
}

/// The mean of ratios: the exponential of the mean logarithm; `None` if there are none.
pub fn geometric_mean(ratios: &[f64]) -> Option<f64> {
    let logarithms: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
    (!ratios.is_empty()).then(|| (logarithms / ratios.len() as f64).exp())
}

/// For each row of a table, whether its minimum and its median order it differently against some other row.
///
/// Such a row is marked: its headline is the minimum, and the typical process says otherwise.
/// Equal values are no order, and a row without values has no conflict.
pub fn order_conflicts(rows: &[Option<Summary>]) -> Vec<bool> {
    let conflict = |a: &Summary, b: &Summary| {
        let (by_minimum, by_median) =
            (a.minimum.total_cmp(&b.minimum), a.median.total_cmp(&b.median));
        by_minimum.is_ne() && by_minimum == by_median.reverse()
    };
    rows.iter()
        .map(|row| row.is_some_and(|row| rows.iter().flatten().any(|other| conflict(&row, other))))
        .collect()
}

#[test]
fn the_headline_is_the_minimum_and_the_median_stands_beside_it() {
    assert_eq!(summarize(&[]), None);
    assert_eq!(
        summarize(&[4.0, 2.0, 3.0]),
        Some(Summary { minimum: 2.0, median: 3.0, spread: 1.0, rounds: 3 })
    );
    assert_eq!(median(&[1.0, 4.0, 2.0, 3.0]), Some(2.5));
}

#[test]
fn the_mean_of_a_ratio_and_its_inverse_is_one() {
    let mean = geometric_mean(&[0.5, 2.0]).unwrap();
    assert!((mean - 1.0).abs() < 1e-12, "{mean}");
    assert_eq!(geometric_mean(&[]), None);
}

#[test]
fn rows_that_minimum_and_median_order_differently_are_both_marked() {
    let rows = [
        summarize(&[1.0, 5.0, 6.0]), // lower minimum, higher median than the next
        summarize(&[2.0, 3.0, 4.0]),
        summarize(&[2.0, 3.5, 4.0]), // same minimum as the one before: no order, no conflict with it
        summarize(&[0.5, 0.6, 0.7]), // first by both
        summarize(&[0.4, 0.6, 0.9]), // same median as the one before
        None,
    ];
    assert_eq!(order_conflicts(&rows), [true, true, true, false, false, false]);
    assert_eq!(order_conflicts(&rows[1..]), [false; 5]);
}
