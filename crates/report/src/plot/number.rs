//! Numbers as they stand in pictures, each kind in its unit.

/// What the numbers of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Stored in nanoseconds, shown in what fits the largest of a column.
    Time,
    /// Shown whole.
    Bytes,
    /// Shown whole.
    Count,
    /// Of 1, shown in percent.
    Share,
}

/// How one column shows its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shown {
    unit: Unit,
    divisor: f64,
    name: &'static str,
}

impl Unit {
    /// The name of the stored unit, for the CSV.
    pub(super) fn stored(self) -> &'static str {
        match self {
            Unit::Time => "ns",
            Unit::Bytes => "bytes",
            Unit::Count => "count",
            Unit::Share => "share",
        }
    }

    /// How to show numbers between these: in a unit that fits the largest, and leaves the smallest its digits.
    pub(super) fn shown(self, smallest: f64, largest: f64) -> Shown {
        let fits = |unit: f64| largest >= unit && smallest * 10.0 >= unit;
        let (divisor, name) = match self {
            Unit::Time if fits(1e9) => (1e9, "s"),
            Unit::Time if fits(1e6) => (1e6, "ms"),
            Unit::Time if fits(1e3) => (1e3, "µs"),
            Unit::Time => (1.0, "ns"),
            Unit::Bytes if largest >= 1e6 => (1e6, "MB"),
            Unit::Bytes if largest >= 1e3 => (1e3, "kB"),
            Unit::Bytes => (1.0, "B"),
            Unit::Count => (1.0, ""),
            Unit::Share => (0.01, "%"),
        };
        Shown { unit: self, divisor, name }
    }
}

impl Shown {
    /// The label at the end of a bar.
    pub(super) fn label(self, value: f64) -> String {
        match self.unit {
            Unit::Bytes | Unit::Count => whole(value),
            Unit::Share => format!("{} %", percent(value)),
            Unit::Time => format!("{} {}", three_digits(value / self.divisor), self.name),
        }
    }

    /// Where lines of the scale stand up to `end`, each with its label; zero is the first.
    pub(super) fn ticks(self, end: f64, most: usize) -> Vec<(f64, String)> {
        let end = end / self.divisor;
        let (step, decimals) = match step(end, most) {
            (_, 1..) if self.unit == Unit::Count => (1.0, 0),
            step => step,
        };
        let mut ticks = vec![(0.0, "0".to_owned())];
        for place in 1.. {
            let value = step * f64::from(place);
            if value > end * 1.000_001 {
                break;
            }
            let label = match decimals {
                0 => whole(value),
                _ => format!("{value:.decimals$}"),
            };
            ticks.push((value * self.divisor, format!("{label} {}", self.name).trim_end().into()));
        }
        ticks
    }
}

/// The smallest step of 1, 2 or 5 times a power of ten of which at most `most` fit, and how many decimals its multiples have.
///
/// If not even one fits, `most` was too small, and more are allowed.
fn step(end: f64, most: usize) -> (f64, usize) {
    let powers = (-6..19).map(|exponent: i32| {
        let power = (0..exponent.unsigned_abs()).fold(1.0, |power, _| power * 10.0);
        let decimals = (-exponent).max(0).unsigned_abs() as usize;
        (if exponent < 0 { 1.0 / power } else { power }, decimals)
    });
    let steps = powers.flat_map(|(power, decimals)| [1.0, 2.0, 5.0].map(|n| (n * power, decimals)));
    let mut fitting = steps.skip_while(|(step, _)| end / step > most as f64);
    match fitting.next() {
        Some((step, _)) if step > end && most < 10 => self::step(end, most + 1),
        Some(step) => step,
        None => (end, 0),
    }
}

fn three_digits(value: f64) -> String {
    match value {
        v if v >= 99.95 => whole(v),
        v if v >= 9.995 => format!("{v:.1}"),
        v if v >= 0.9995 => format!("{v:.2}"),
        v => format!("{v:.3}"),
    }
}

/// A share in percent; only all is 100, and only nothing is 0.
pub(super) fn percent(share: f64) -> String {
    let text = format!("{:.1}", share * 100.0);
    match text.as_str() {
        "100.0" if share < 1.0 => ">99.9".into(),
        "0.0" if share > 0.0 => "<0.1".into(),
        "100.0" => "100".into(),
        "0.0" => "0".into(),
        _ => text,
    }
}

/// A whole number in groups of three digits.
pub(super) fn whole(value: f64) -> String {
    let digits = format!("{:.0}", value.abs());
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if value < 0.0 && digits != "0" { format!("−{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_groups_and_three_digits() {
        assert_eq!(
            [0.0, 999.0, 1000.0, 1_234_567.0, -1234.0].map(whole),
            ["0", "999", "1,000", "1,234,567", "−1,234"]
        );
        let shown = Unit::Time.shown(1e5, 25e6);
        assert_eq!(
            [2_345_678.0, 25e6, 999_900.0, 50_000.0].map(|ns| shown.label(ns)),
            ["2.35 ms", "25.0 ms", "1.00 ms", "0.050 ms"]
        );
    }

    #[test]
    fn one_slow_value_takes_no_digits_from_the_others() {
        assert_eq!(Unit::Time.shown(21e6, 1.4e9).label(21e6), "21.0 ms");
        assert_eq!(Unit::Time.shown(21e6, 1.4e9).label(1.4e9), "1,400 ms");
    }

    #[test]
    fn only_all_is_a_hundred_percent() {
        assert_eq!(
            [1.0, 0.9999, 0.5, 0.0001, 0.0].map(percent),
            ["100", ">99.9", "50.0", "<0.1", "0"]
        );
    }

    #[test]
    fn a_scale_begins_at_zero_and_ends_before_its_end() {
        let ticks = |unit: Unit, end: f64, most| -> Vec<String> {
            unit.shown(end, end).ticks(end, most).into_iter().map(|(_, label)| label).collect()
        };
        assert_eq!(ticks(Unit::Time, 26.1e6, 3), ["0", "10 ms", "20 ms"]);
        assert_eq!(ticks(Unit::Time, 4.41e6, 2), ["0", "2 ms", "4 ms"]);
        assert_eq!(ticks(Unit::Time, 1.3e6, 3), ["0", "0.5 ms", "1.0 ms"]);
        assert_eq!(ticks(Unit::Share, 1.0, 4), ["0", "50 %", "100 %"]);
        assert_eq!(ticks(Unit::Count, 7.0, 2), ["0", "5"]);
        assert_eq!(ticks(Unit::Count, 1.0, 3), ["0", "1"]);
    }
}
