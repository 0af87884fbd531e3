//! The report: a whole run in one HTML file that needs nothing else.

mod conditions;
mod conformance;
mod notes;
mod pairs;
mod timing;

use std::{borrow::Cow, fs, path::Path};

use analysis::{Of, short_name};
use anyhow::Context as _;
use protocol::run::Run;
use serde_json::{Value, json};

use crate::record::Record;

/// The page, with places in double braces for what follows.
const PAGE: &str = include_str!("html/page.html");
const STYLE: [&str; 3] = [
    include_str!("html/css/page.css"),
    include_str!("html/css/tables.css"),
    include_str!("html/css/conformance.css"),
];
const SCRIPT: [&str; 13] = [
    include_str!("html/js/elements.js"),
    include_str!("html/js/format.js"),
    include_str!("html/js/table.js"),
    include_str!("html/js/chart.js"),
    include_str!("html/js/overview.js"),
    include_str!("html/js/timing.js"),
    include_str!("html/js/strip.js"),
    include_str!("html/js/pair.js"),
    include_str!("html/js/matrix.js"),
    include_str!("html/js/conformance.js"),
    include_str!("html/js/canary.js"),
    include_str!("html/js/conditions.js"),
    include_str!("html/js/start.js"),
];

/// Writes the report of a record, with the chart library that lies at `echarts` inside it.
///
/// # Errors
///
/// A chart library that is missing or cannot stand inside a page, and a file that cannot be written.
pub(crate) fn write(record: &Record, echarts: &Path, out: &Path) -> anyhow::Result<()> {
    let library = fs::read_to_string(echarts).with_context(|| {
        format!("cannot read {}\n  fix: cargo xtask vendor echarts", echarts.display())
    })?;
    fs::write(out, page(record, &library)?)
        .with_context(|| format!("cannot write {}", out.display()))
}

fn page(record: &Record, library: &str) -> anyhow::Result<String> {
    anyhow::ensure!(
        !library.contains("</script"),
        "the chart library holds the end of a script and cannot stand inside a page"
    );
    // Without `<` no text of a record can end the script that holds it.
    let data = serde_json::to_string(&data(record))?.replace('<', "\\u003c");
    let mut page = String::new();
    for (index, part) in PAGE.split("{{").enumerate() {
        let Some((place, rest)) = part.split_once("}}").filter(|_| index > 0) else {
            page += part;
            continue;
        };
        page += &match place {
            "style" => Cow::from(STYLE.concat()),
            "library" => Cow::from(library),
            "data" => Cow::from(&data),
            "script" => Cow::from(SCRIPT.concat()),
            _ => anyhow::bail!("the page has a place `{place}` that nothing belongs into"),
        };
        page += rest;
    }
    Ok(page)
}

/// All that the page shows.
fn data(record: &Record) -> Value {
    let Record { stored, conformance } = record;
    json!({
        "run": conditions::run(stored),
        "machine": conditions::machine(stored),
        "notes": notes::notes(record),
        "datasets": stored.run.datasets,
        "cells": cells(&stored.run).iter().map(|cell| &cell.name).collect::<Vec<_>>(),
        "codecs": conditions::codecs(stored),
        "operations": timing::operations(stored),
        "pairs": pairs::pairs(stored),
        "canary": conditions::canary(stored),
        "conformance": conformance::all(&stored.run, conformance),
    })
}

/// A column of figures.
struct CellOf {
    of: Of,
    /// Id of the dataset; `None` for the sum over all.
    dataset: Option<String>,
    name: String,
}

/// The sum over all datasets and each of them; a dataset that is alone is its own sum.
fn cells(run: &Run) -> Vec<CellOf> {
    let each = run.datasets.iter().enumerate().map(|(place, dataset)| CellOf {
        of: Of::Dataset(place),
        dataset: Some(dataset.id.clone()),
        name: dataset.id.rsplit('/').next().unwrap_or(&dataset.id).to_owned(),
    });
    let overall = CellOf { of: Of::Overall, dataset: None, name: "overall".into() };
    (run.datasets.len() != 1).then_some(overall).into_iter().chain(each).collect()
}

/// Name of a codec as it stands on the page.
fn name(run: &Run, id: &str) -> String {
    let codec = run.codecs.iter().find(|codec| codec.id == id);
    codec.map_or(id, |codec| short_name(run, codec)).to_owned()
}

/// A time without the digits that no clock gives: to a thousandth of a nanosecond.
fn ns(time: f64) -> f64 {
    (time * 1e3).round() / 1e3
}

/// A number without unit, to six digits behind the point.
fn plain(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}
