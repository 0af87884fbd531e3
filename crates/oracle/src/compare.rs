//! The judge's comparison: whether two documents are the same, and where they first differ if not.

use std::collections::HashMap;
use std::fmt;

use crate::classes::{Classes, Entry, Flat};
use crate::{Value, show, widened};

/// How two equal documents differ in what is not part of their value; all zero if they do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Equality {
    /// Expected a float64, got a float32 of the same value.
    pub floats_narrowed: u64,
    /// Expected a float32, got a float64 of the same value.
    pub floats_widened: u64,
    /// Maps whose keys came in another order.
    pub keys_reordered: u64,
}

/// Where two documents first differ, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Like `$.statuses[3].user.id`; a key that is no plain word stands in braces: `$.ids{5}`.
    pub path: String,
    /// What stands there in the expected document.
    pub expected: String,
    /// What stands there in the other.
    pub got: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { path, expected, got } = self;
        writeln!(f, "differs at `{path}`")?;
        writeln!(f, "  expected: {expected}")?;
        write!(f, "  got:      {got}")
    }
}

impl std::error::Error for Difference {}

/// Compares value by value.
///
/// - Integers are equal by value, whatever their format; an integer never equals a float.
/// - Floats are equal if their bits are, after [`widened`]; so -0.0 is not 0.0, and every NaN equals itself only.
/// - A string never equals a binary; extensions are equal by type and payload.
/// - Maps are equal if they have the same entries in any order, each as often; their keys are compared by these rules too.
///
/// # Errors
///
/// The first difference, in the order of the expected document.
pub fn compare(expected: &Value, got: &Value) -> Result<Equality, Difference> {
    if let Some(equality) = compare_in_order(expected, got) {
        return Ok(equality);
    }
    let mut classes = Classes::new();
    let expected = Flat::new(expected, &mut classes);
    let got = Flat::new(got, &mut classes);
    if expected.classes[0] == got.classes[0] {
        Ok(leniencies(&expected, &got))
    } else {
        Err(first_difference(&expected, &got))
    }
}

/// Compares two nodes without their children; containers by their length.
pub(crate) fn equal_alone(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Nil, Value::Nil) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::F32(a), Value::F32(b)) => a == b,
        (Value::F64(a), Value::F64(b)) => a == b,
        (Value::F32(narrow), Value::F64(wide)) | (Value::F64(wide), Value::F32(narrow)) => {
            widened(*narrow) == *wide
        }
        (Value::Str(a), Value::Str(b)) | (Value::Bin(a), Value::Bin(b)) => a == b,
        (Value::Ext(a_kind, a), Value::Ext(b_kind, b)) => a_kind == b_kind && a == b,
        (Value::Array(a), Value::Array(b)) => a.len() == b.len(),
        (Value::Map(a), Value::Map(b)) => a.len() == b.len(),
        _ => false,
    }
}

impl Equality {
    fn note_float_width(&mut self, expected: &Value, got: &Value) {
        match (expected, got) {
            (Value::F64(_), Value::F32(_)) => self.floats_narrowed += 1,
            (Value::F32(_), Value::F64(_)) => self.floats_widened += 1,
            _ => {}
        }
    }
}

/// The quick way for documents whose map entries have the same order; `None` means that it cannot tell.
fn compare_in_order(expected: &Value, got: &Value) -> Option<Equality> {
    let mut equality = Equality::default();
    // Containers of equal length keep the two walks in step.
    for (expected, got) in expected.nodes().zip(got.nodes()) {
        if !equal_alone(expected, got) {
            return None;
        }
        equality.note_float_width(expected, got);
    }
    Some(equality)
}

/// Walks two equal trees, entry beside equal entry.
fn leniencies(expected: &Flat<'_>, got: &Flat<'_>) -> Equality {
    let mut equality = Equality::default();
    let mut pairs = vec![(0, 0)];
    while let Some((in_expected, in_got)) = pairs.pop() {
        equality.note_float_width(expected.nodes[in_expected], got.nodes[in_got]);
        if !matches!(expected.nodes[in_expected], Value::Map(_)) {
            pairs.extend(expected.children(in_expected).zip(got.children(in_got)));
            continue;
        }
        let sorted = |flat: &Flat<'_>, position| {
            let mut entries: Vec<_> = flat.entries(position).into_iter().enumerate().collect();
            entries.sort_by_key(|(_, entry)| flat.entry_class(*entry));
            entries
        };
        let mut reordered = false;
        for (a, b) in sorted(expected, in_expected).into_iter().zip(sorted(got, in_got)) {
            reordered |= a.0 != b.0;
            pairs.extend([(a.1.key, b.1.key), (a.1.value, b.1.value)]);
        }
        equality.keys_reordered += u64::from(reordered);
    }
    equality
}

/// A step from a container to one of its children.
enum Step<'v> {
    Item(usize),
    Key(&'v Value),
}

/// Goes down two unequal trees, always to the first child that is not equal.
fn first_difference(expected: &Flat<'_>, got: &Flat<'_>) -> Difference {
    let (mut in_expected, mut in_got) = (0, 0);
    let mut steps = Vec::new();
    loop {
        let (a, b) = (expected.nodes[in_expected], got.nodes[in_got]);
        let next = match (a, b) {
            (Value::Array(_), Value::Array(_)) if equal_alone(a, b) => {
                let mut pairs = expected.children(in_expected).zip(got.children(in_got));
                let unequal = pairs.position(|(a, b)| expected.classes[a] != got.classes[b]);
                unequal.and_then(|index| {
                    steps.push(Step::Item(index));
                    Some((
                        expected.children(in_expected).nth(index)?,
                        got.children(in_got).nth(index)?,
                    ))
                })
            }
            (Value::Map(_), Value::Map(_)) => {
                match unequal_entries(expected, in_expected, got, in_got) {
                    Unequal::Values(entry, other) => {
                        steps.push(Step::Key(expected.nodes[entry.key]));
                        Some((entry.value, other.value))
                    }
                    Unequal::Counts(key, class) => {
                        let count = |flat: &Flat<'_>, map| {
                            let entries = flat.entries(map).into_iter();
                            entries.filter(|entry| flat.classes[entry.key] == class).count()
                        };
                        let key = show::tree(key, 60);
                        return Difference {
                            path: path(&steps),
                            expected: entries_with(count(expected, in_expected), &key),
                            got: entries_with(count(got, in_got), &key),
                        };
                    }
                }
            }
            _ => None,
        };
        match next {
            Some(positions) => (in_expected, in_got) = positions,
            None => {
                let from = common_start(a, b);
                let (expected, got) = (show::node(a, from), show::node(b, from));
                return Difference { path: path(&steps), expected, got };
            }
        }
    }
}

enum Unequal<'v> {
    /// The same key, but another value.
    Values(Entry, Entry),
    /// A key that is there more often or less often than expected, and its class.
    Counts(&'v Value, usize),
}

/// Why two maps are not equal: the first reason in the order of the expected one, else in that of the other.
fn unequal_entries<'v>(
    expected: &Flat<'v>,
    in_expected: usize,
    got: &Flat<'v>,
    in_got: usize,
) -> Unequal<'v> {
    let missing = without_partner(expected, in_expected, got, in_got);
    let extra = without_partner(got, in_got, expected, in_expected);
    let Some(&first) = missing.first() else {
        let key = extra[0].key;
        return Unequal::Counts(got.nodes[key], got.classes[key]);
    };
    let class = expected.classes[first.key];
    match extra.into_iter().find(|entry| got.classes[entry.key] == class) {
        Some(other) => Unequal::Values(first, other),
        None => Unequal::Counts(expected.nodes[first.key], class),
    }
}

fn entries_with(count: usize, key: &str) -> String {
    format!("{count} {} with the key {key}", if count == 1 { "entry" } else { "entries" })
}

/// The entries of one map that the other map has not, or not as often.
fn without_partner(flat: &Flat<'_>, map: usize, other: &Flat<'_>, other_map: usize) -> Vec<Entry> {
    let mut partners: HashMap<_, usize> = HashMap::new();
    for entry in other.entries(other_map) {
        *partners.entry(other.entry_class(entry)).or_default() += 1;
    }
    let mut entries = flat.entries(map);
    entries.retain(|entry| match partners.get_mut(&flat.entry_class(*entry)) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    });
    entries
}

/// From which byte on two payloads are worth showing, so that their first difference is seen.
fn common_start(a: &Value, b: &Value) -> usize {
    const SHOWN_BEFORE: usize = 10;
    match (a, b) {
        (Value::Str(a), Value::Str(b))
        | (Value::Bin(a), Value::Bin(b))
        | (Value::Ext(_, a), Value::Ext(_, b)) => {
            let common = a.iter().zip(b).take_while(|(a, b)| a == b).count();
            common.saturating_sub(SHOWN_BEFORE)
        }
        _ => 0,
    }
}

/// The path to a node; the middle of a very long one is left out.
fn path(steps: &[Step<'_>]) -> String {
    const SHOWN_AT_EACH_END: usize = 20;
    let mut path = "$".to_owned();
    let skipped = steps.len().saturating_sub(2 * SHOWN_AT_EACH_END);
    for (number, step) in steps.iter().enumerate() {
        if skipped > 0 && number == SHOWN_AT_EACH_END {
            path.push_str(&format!("…{skipped} levels…"));
        }
        if (SHOWN_AT_EACH_END..SHOWN_AT_EACH_END + skipped).contains(&number) {
            continue;
        }
        match step {
            Step::Item(index) => path.push_str(&format!("[{index}]")),
            Step::Key(key) => match key.text().filter(|text| is_plain_word(text)) {
                Some(word) => path.push_str(&format!(".{word}")),
                None => path.push_str(&format!("{{{}}}", show::tree(key, 40))),
            },
        }
    }
    path
}

fn is_plain_word(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    !text.is_empty() && text.len() <= 60 && text.chars().all(plain)
}
