//! The picture of the conformance suite: one score over all, then one small chart for each.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use protocol::conformance::CaseLine;

use super::{
    conditions::{Names, conditions, contestants, is_zero_copy, tag, warnings},
    grid::{Bar, Block, Cell, Column, Grid, Notes, Row},
    look::SAMPLE,
    number::{Unit, whole},
    page::{Key, Page, Sign},
};
use crate::record::Record;

/// What one small chart counts.
struct Score {
    title: String,
    category: String,
    cases: usize,
    /// Points that a case must have won.
    least: u32,
}

/// The picture of the conformance suite.
pub(super) fn page(record: &Record) -> Page {
    let cases = &record.conformance.cases;
    let scored: Vec<&CaseLine> = cases.iter().filter(|case| case.category.is_some()).collect();
    let mut lines = conditions(record, None);
    let all: BTreeSet<&str> = cases.iter().map(|case| case.case.as_str()).collect();
    let counted: BTreeSet<&str> = scored.iter().map(|case| case.case.as_str()).collect();
    let (mut grids, mut notes) = (Vec::new(), Notes::default());
    if scored.is_empty() {
        grids.push(Grid {
            title: "This record holds no answers to the conformance suite".into(),
            ..Grid::default()
        });
    } else {
        lines.insert(
            0,
            format!(
                "{} cases are scored. {} more are not: there the specification leaves it to the library, or the case tests what a codec claims of itself.",
                whole(counted.len() as f64),
                whole((all.len() - counted.len()) as f64)
            ),
        );
        let order = order(record, &scored);
        grids.extend([
            overall(record, &scored, &order, &mut notes),
            each(record, &scored, &order, &mut notes),
        ]);
    }
    let hatched = grids.iter().flat_map(Grid::rows).any(|row| row.hatched);
    let mut legend = Vec::new();
    if hatched {
        legend.push(Key::new(Sign::Bar, "copying"));
        legend.push(Key::new(Sign::Hatched, "zero-copy: strings stay in the message"));
    }
    if !notes.texts().is_empty() {
        legend.push(Key::new(Sign::Mark, "note at the foot"));
    }
    Page {
        name: "conformance".into(),
        title: "Conformance: how far codecs keep to the specification".into(),
        question: "Points for a valid message: one if it is accepted, one more if it comes back with the same value. One point for an invalid message that is rejected. Longer bars are better.".into(),
        warnings: warnings(record),
        legend,
        grids,
        notes,
        conditions: lines,
    }
}

/// All codecs, those with more points first, and by name where they have as many.
fn order(record: &Record, scored: &[&CaseLine]) -> Vec<String> {
    let mut ids: Vec<String> =
        contestants(&record.stored.run).map(|codec| codec.id.clone()).collect();
    // A suite that was run later may have asked more codecs than were measured.
    for case in scored {
        if !record.stored.run.codecs.iter().any(|codec| codec.id == case.codec)
            && !ids.contains(&case.codec)
        {
            ids.push(case.codec.clone());
        }
    }
    let share = |id: &str| points(scored, id).map_or(-1.0, |(won, of)| won / of);
    ids.sort_by(|a, b| share(b).total_cmp(&share(a)).then_with(|| a.cmp(b)));
    ids
}

/// Points won, and to be won; `None` if the codec was not asked.
fn points(scored: &[&CaseLine], id: &str) -> Option<(f64, f64)> {
    let own = || scored.iter().filter(|case| case.codec == id);
    let of: u32 = own().map(|case| case.of).sum();
    let won: u32 = own().map(|case| case.points).sum();
    (of > 0).then(|| (f64::from(won), f64::from(of)))
}

fn overall(record: &Record, scored: &[&CaseLine], order: &[String], notes: &mut Notes) -> Grid {
    let cells = |id: &str| match points(scored, id) {
        Some((won, of)) => {
            vec![cell(won, of, format!("{} of {} points", whole(won), whole(of)))]
        }
        None => vec![not_asked(record, id)],
    };
    Grid {
        title: "All scored cases".into(),
        columns: vec![Column { title: String::new(), unit: Unit::Share, full: Some(1.0) }],
        blocks: vec![Block {
            title: String::new(),
            rows: rows(record, scored, order, notes, cells),
        }],
        ..Grid::default()
    }
}

fn each(record: &Record, scored: &[&CaseLine], order: &[String], notes: &mut Notes) -> Grid {
    let scores = scores(scored);
    let cells = |id: &str| {
        let count = |score: &Score| {
            let own = || {
                scored.iter().filter(|case| {
                    case.codec == id && case.category.as_ref() == Some(&score.category)
                })
            };
            match own().count() {
                0 => not_asked(record, id),
                of => {
                    let won = own().filter(|case| case.points >= score.least).count();
                    let all_asked = of == score.cases;
                    let beside =
                        if all_asked { String::new() } else { format!("{won} of {of} asked") };
                    cell(won as f64, of as f64, beside)
                }
            }
        };
        scores.iter().map(count).collect()
    };
    let columns = scores.iter().map(|score| Column {
        title: score.title.clone(),
        unit: Unit::Share,
        full: Some(1.0),
    });
    let mut cases: Vec<String> =
        scores.iter().map(|score| format!("{} {}", score.category, score.cases)).collect();
    cases.dedup();
    let remark = format!(
        "Share of the cases of each kind ({}). {}Round trip: written back with the same value. Rows stand as above.",
        cases.join(", "),
        meanings(&scores)
    );
    Grid {
        title: "Each score".into(),
        remark,
        columns: columns.collect(),
        blocks: vec![Block {
            title: String::new(),
            rows: rows(record, scored, order, notes, cells),
        }],
        one_scale: false,
    }
}

/// Of valid messages accept and round trip, categories with more cases first; then of invalid ones.
fn scores(scored: &[&CaseLine]) -> Vec<Score> {
    let mut categories: BTreeMap<(u32, &str), BTreeSet<&str>> = BTreeMap::new();
    for case in scored {
        let category = case.category.as_deref().unwrap_or_default();
        categories.entry((case.of, category)).or_default().insert(&case.case);
    }
    let mut categories: Vec<(u32, &str, usize)> =
        categories.into_iter().map(|((of, name), cases)| (of, name, cases.len())).collect();
    categories.sort_by_key(|&(of, name, cases)| (Reverse(of), Reverse(cases), name));
    let mut scores = Vec::new();
    for (of, category, cases) in categories {
        let mut add = |what: &str, least| {
            let title = format!("{category}{what}");
            scores.push(Score { title, category: category.to_owned(), cases, least });
        };
        if of > 1 {
            add(": accepted", 1);
            add(": round trip", of);
        } else {
            add("", 1);
        }
    }
    scores
}

fn cell(won: f64, of: f64, beside: String) -> Cell {
    Cell::Bar(Bar { beside, ..Bar::of(won / of) })
}

fn not_asked(record: &Record, id: &str) -> Cell {
    let codec = record.stored.run.codecs.iter().find(|codec| codec.id == id);
    match codec.and_then(|codec| codec.excluded.as_ref()) {
        Some(excluded) => Cell::Words(excluded.to_string()),
        None => Cell::Unknown("not asked".into()),
    }
}

/// What the categories hold that a name alone does not say.
fn meanings(scores: &[Score]) -> String {
    let has = |name: &str| scores.iter().any(|score| score.category == name);
    let known = [
        ("core", "Core: every type but binaries and extensions, with keys that are strings. "),
        ("reject", "Reject: invalid messages that are refused. "),
    ];
    known.into_iter().filter(|(name, _)| has(name)).map(|(_, meaning)| meaning).collect()
}

/// Failures so few that they can be named.
const NAMED: usize = 2;

/// Names the cases in which a codec lost points, if they are few.
fn note(scored: &[&CaseLine], id: &str, name: &str, notes: &mut Notes) -> Vec<usize> {
    let lost = scored.iter().filter(|case| case.codec == id && case.points < case.of);
    let lost: Vec<&str> = lost.map(|case| case.case.as_str()).collect();
    if lost.is_empty() || lost.len() > NAMED {
        return Vec::new();
    }
    vec![notes.add(&format!("lost points only in {}", lost.join(" and ")), name)]
}

fn rows(
    record: &Record,
    scored: &[&CaseLine],
    order: &[String],
    notes: &mut Notes,
    cells: impl Fn(&str) -> Vec<Cell>,
) -> Vec<Row> {
    let run = &record.stored.run;
    let names = Names::new(run);
    let mut row = |id: &String| {
        let codec = run.codecs.iter().find(|codec| codec.id == *id);
        let name = codec.map_or(id.as_str(), |codec| names.of(codec));
        Row {
            name: name.to_owned(),
            tag: codec.map(tag).unwrap_or_default(),
            notes: note(scored, id, name, notes),
            tier: None,
            colour: codec.map_or_else(|| SAMPLE.into(), |codec| names.colour(codec)),
            hatched: codec.is_some_and(is_zero_copy),
            cells: cells(id),
        }
    };
    order.iter().map(&mut row).collect()
}
