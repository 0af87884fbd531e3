//! From the samples of a run to one table for each operation.

use std::collections::BTreeMap;

use protocol::{
    job::Operation,
    record::Row,
    run::{CodecInfo, Run, Stored},
};
use verdict::{Summary, summarize};

use crate::{
    adapters::CONTROL,
    table::{Cell, Column, Table},
};

/// Share of a process's time without a CPU from which on its row says so; chosen.
const WAITED: f64 = 0.02;

/// One codec in one operation.
struct Line<'r> {
    codec: &'r CodecInfo,
    rows: Vec<&'r Row>,
    datasets: Vec<Option<Summary>>,
    overall: Option<Summary>,
}

/// The tables of a run, one for each operation.
pub(crate) fn tables(stored: &Stored) -> Vec<Table> {
    stored.run.operations.iter().map(|&operation| table(stored, operation)).collect()
}

fn table(stored: &Stored, operation: Operation) -> Table {
    let run = &stored.run;
    let mut lines: Vec<Line> = run
        .codecs
        .iter()
        .map(|codec| {
            let rows = stored.rows.iter();
            let rows = rows.filter(|row| row.operation == operation && row.codec == codec.id);
            line(run, codec, rows.collect())
        })
        .collect();
    let minimum = |line: &Line| line.overall.map_or(f64::INFINITY, |overall| overall.minimum);
    lines.sort_by(|a, b| class(a.codec).cmp(&class(b.codec)).then(minimum(a).total_cmp(&minimum(b))));

    let contestants = lines.iter().filter(|line| class(line.codec) != Class::Control);
    let best = contestants.map(minimum).fold(f64::INFINITY, f64::min);
    let unit = Unit::for_ns(best);
    let mut columns = vec![
        Column::left("codec", "codec"),
        Column::right(&format!("overall {}", unit.name), "overall_minimum_ns"),
        Column::right("ratio", "ratio"),
        Column::right("MB/s", "bytes_per_second"),
        Column::right("median", "overall_median_ns"),
        Column::right("spread", "overall_spread"),
    ];
    for dataset in &run.datasets {
        let name = dataset.id.rsplit('/').next().unwrap_or_default();
        columns.push(Column::right(name, &format!("{}_minimum_ns", dataset.id)));
    }
    columns.extend([Column::left("strings", "strings"), Column::left("notes", "notes")]);

    let input_bytes: u64 = run.datasets.iter().map(|dataset| dataset.input_bytes).sum();
    let rows = lines.iter().map(|line| {
        let peers = lines.iter().filter(|peer| class(peer.codec) == class(line.codec));
        let best = peers.map(minimum).fold(f64::INFINITY, f64::min);
        let mut cells = vec![Cell::from(line.codec.id.as_str())];
        match line.overall {
            Some(overall) => cells.extend([
                unit.cell(overall.minimum),
                match class(line.codec) {
                    Class::Control => Cell::missing(),
                    _ => number(overall.minimum / best, 2),
                },
                match class(line.codec) {
                    Class::Control => Cell::missing(),
                    _ => {
                        let rate = input_bytes as f64 / overall.minimum * 1e9;
                        Cell::number(rate, format!("{:.0}", rate / 1e6))
                    }
                },
                unit.cell(overall.median),
                Cell::number(overall.spread, format!("{:.1} %", overall.spread * 100.0)),
            ]),
            None => cells.extend(std::iter::repeat_n(Cell::missing(), 5)),
        }
        let datasets = line.datasets.iter();
        cells.extend(datasets.map(|summary| match summary {
            Some(summary) => unit.cell(summary.minimum),
            None => Cell::missing(),
        }));
        cells.push(strings(line.codec).into());
        cells.push(notes(run, line).into());
        cells
    });
    Table { title: operation.to_string(), columns, rows: rows.collect(), notes: below(run) }
}

fn line<'r>(run: &Run, codec: &'r CodecInfo, rows: Vec<&'r Row>) -> Line<'r> {
    // By dataset and round; a value that is missing makes the sum of its round missing too.
    let values: Vec<BTreeMap<u32, f64>> = run
        .datasets
        .iter()
        .map(|dataset| {
            let rows = rows.iter().filter(|row| row.measurement.dataset == dataset.id);
            rows.filter_map(|row| Some((row.round, row.value_ns()?))).collect()
        })
        .collect();
    let sums: Vec<f64> = (0..run.rounds)
        .filter_map(|round| values.iter().map(|values| values.get(&round).copied()).sum())
        .collect();
    let datasets = values
        .iter()
        .map(|values| summarize(&values.values().copied().collect::<Vec<f64>>()))
        .collect();
    Line { codec, rows, datasets, overall: summarize(&sums) }
}

/// Rows that are ranked among each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Fresh,
    Reused,
    Control,
}

fn class(codec: &CodecInfo) -> Class {
    if codec.id.split('/').next() == Some(CONTROL) {
        Class::Control
    } else if codec.description.as_ref().is_some_and(|description| description.reuses) {
        Class::Reused
    } else {
        Class::Fresh
    }
}

fn strings(codec: &CodecInfo) -> &'static str {
    match &codec.description {
        _ if class(codec) == Class::Control => "",
        Some(description) if description.capabilities.borrows_input => "zero-copy",
        Some(_) => "copying",
        None => "",
    }
}

/// What a reader must know about a row before he believes it.
fn notes(run: &Run, line: &Line) -> String {
    let mut notes = Vec::new();
    if let Some(outcome) = &line.codec.excluded {
        notes.push(outcome.to_string());
    }
    let mut outcomes = BTreeMap::<String, usize>::new();
    for row in line.rows.iter().filter(|row| !row.measurement.outcome.is_measured()) {
        let name = row.measurement.dataset.rsplit('/').next().unwrap_or_default();
        *outcomes.entry(format!("{name} {}", row.measurement.outcome)).or_default() += 1;
    }
    notes.extend(outcomes.into_iter().map(|(outcome, times)| format!("{outcome} ({times}×)")));
    if let Some(overall) = line.overall
        && overall.rounds < run.rounds as usize
    {
        notes.push(format!("{} of {} rounds", overall.rounds, run.rounds));
    }
    let counters = || line.rows.iter().filter_map(|row| Some((row, row.measurement.counters?)));
    let operations: u64 = counters()
        .map(|(row, _)| {
            row.measurement.operations_per_sample * row.measurement.samples_ns.len() as u64
        })
        .sum();
    let faults: u64 = counters().map(|(_, counted)| counted.minor_faults + counted.major_faults).sum();
    if faults > 0 {
        notes.push(format!("{:.2} page faults/op", faults as f64 / operations as f64));
    }
    let waited: u64 = counters().filter_map(|(_, counted)| counted.waited_ns).sum();
    let stolen: u64 = counters().filter_map(|(_, counted)| counted.steal_ns).sum();
    let busy: u64 = counters().map(|(_, counted)| counted.user_ns + counted.system_ns).sum();
    for (time, word) in [(waited, "waited"), (stolen, "stolen")] {
        let share = time as f64 / busy as f64;
        if share > WAITED {
            notes.push(format!("{word} {:.0} %", share * 100.0));
        }
    }
    if line.rows.iter().any(|row| is_short(row)) {
        notes.push("samples under 20 µs".into());
    }
    notes.join("; ")
}

/// A sample so short that the clock itself shows in it.
fn is_short(row: &Row) -> bool {
    !row.codec.starts_with(CONTROL)
        && row.measurement.samples_ns.iter().any(|&sample| sample < 20_000)
}

fn below(run: &Run) -> Vec<String> {
    let least = "minimum over the processes; ratio to the best of its kind; lower is better, except MB/s";
    let mut notes = vec![format!("{}, METHOD {}: {least}", rounds(run.rounds), run.method)];
    if run.quick {
        notes.push("--quick: a look, no evidence".into());
    }
    notes
}

fn rounds(count: u32) -> String {
    if count == 1 { "1 round".into() } else { format!("{count} rounds") }
}

/// The unit of a table's times.
struct Unit {
    name: &'static str,
    ns: f64,
}

impl Unit {
    fn for_ns(value: f64) -> Self {
        match value {
            // Nothing was measured.
            _ if !value.is_finite() => Unit { name: "ns", ns: 1.0 },
            _ if value >= 1e6 => Unit { name: "ms", ns: 1e6 },
            _ if value >= 1e3 => Unit { name: "µs", ns: 1e3 },
            _ => Unit { name: "ns", ns: 1.0 },
        }
    }

    fn cell(&self, ns: f64) -> Cell {
        let scaled = ns / self.ns;
        let digits = if scaled < 10.0 { 3 } else if scaled < 100.0 { 2 } else { 1 };
        Cell::number(ns, format!("{scaled:.digits$}"))
    }
}

fn number(value: f64, digits: usize) -> Cell {
    Cell::number(value, format!("{value:.digits$}"))
}
