//! Figures of every operation, and the process values behind them.

use std::collections::{BTreeSet, HashMap};

use analysis::{Class, Figures, Line, Of, figures};
use protocol::{
    job::Operation,
    run::{Cell, Stored},
};
use serde_json::{Value, json};
use verdict::Summary;

use super::{cells, ns, plain};

/// Process values, those of void rounds among them, in nanoseconds.
type Values = HashMap<Cell, f64>;

/// Every operation of the run.
pub(super) fn operations(stored: &Stored) -> Vec<Value> {
    let values: Values =
        stored.rows.iter().filter_map(|row| Some((row.cell(), row.value_ns()?))).collect();
    stored.run.operations.iter().map(|&operation| one(stored, operation, &values)).collect()
}

fn one(stored: &Stored, operation: Operation, values: &Values) -> Value {
    let figures = figures(stored, operation);
    let rounds = &figures.rounds;
    let begun: BTreeSet<u32> =
        [&rounds.used, &rounds.void, &rounds.unfinished].into_iter().flatten().copied().collect();
    let lines = figures.lines.iter().map(|line| {
        let each_round = |of| -> Vec<Option<f64>> {
            let codec = &line.codec.id;
            let at = |&round: &u32| value(stored, values, (codec, operation, round), of);
            begun.iter().map(at).collect()
        };
        let mut seen = line_figures(stored, &figures, line);
        let all: Vec<_> = cells(&stored.run).iter().map(|cell| each_round(cell.of)).collect();
        seen["values"] = json!(all);
        seen
    });
    json!({
        "name": operation.name(),
        "rounds": begun,
        "used": rounds.used,
        "void": rounds.void,
        "unfinished": rounds.unfinished,
        "margin": plain(figures.margin),
        "has_twins": !figures.floors.is_empty(),
        "resolvable": figures.smallest_resolvable().map(|least| [plain(least.finest), plain(least.coarsest)]),
        "doubts": figures.round_doubts(stored),
        "lines": lines.collect::<Vec<_>>(),
    })
}

/// What the table says of a codec.
fn line_figures(stored: &Stored, figures: &Figures, line: &Line) -> Value {
    let best = figures.best_ns(line.class, Of::Overall);
    let is_control = line.class == Class::Control;
    let minimum = line.overall.map(|overall| overall.minimum);
    let ratio = minimum.zip(best).filter(|_| !is_control).map(|(own, best)| plain(own / best));
    let bytes: u64 = stored.run.datasets.iter().map(|dataset| dataset.input_bytes).sum();
    let rate = minimum.filter(|_| !is_control).map(|ns| plain(bytes as f64 / ns * 1e9));
    let cells = cells(&stored.run);
    json!({
        "codec": line.codec.id,
        "class": class_word(line.class),
        "strings": line.strings(),
        "tier": line.tier(),
        "ratio": ratio,
        "bytes_per_s": rate,
        "doubts": line.doubts(figures),
        "cells": cells.iter().map(|cell| line.summary(cell.of).map(summary)).collect::<Vec<_>>(),
    })
}

/// Minimum, median, spread, and of how many rounds.
fn summary(summary: Summary) -> Value {
    let Summary { minimum, median, spread, rounds } = summary;
    json!([ns(minimum), ns(median), plain(spread), rounds])
}

/// What the process of a codec, operation and round said; a value that is missing makes the sum missing too.
fn value(
    stored: &Stored,
    values: &Values,
    (codec, operation, round): (&str, Operation, u32),
    of: Of,
) -> Option<f64> {
    let one = |place: usize| {
        let dataset = stored.run.datasets[place].id.clone();
        values.get(&Cell { codec: codec.into(), operation, round, dataset }).copied()
    };
    let value = match of {
        Of::Dataset(place) => one(place),
        Of::Overall => (0..stored.run.datasets.len()).map(one).sum(),
    };
    value.map(ns)
}

/// Word for whom a codec is ranked with.
pub(super) fn class_word(class: Class) -> &'static str {
    match class {
        Class::Fresh => "fresh",
        Class::Reused => "reused",
        Class::Control => "control",
    }
}
