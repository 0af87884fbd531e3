//! From the samples of a run to one table for each operation.

use std::collections::BTreeMap;

use protocol::{
    job::Operation,
    record::Row,
    run::{CodecInfo, DatasetInfo, Run, Stored},
};
use verdict::{
    Comparison, Standing, Summary, floor_from_aa, log_ratios, order_conflicts, summarize,
};

use crate::{
    adapters::CONTROL,
    table::{Cell, Column, Place, Table},
};

/// Share of a process's time without a CPU from which on its row says so; chosen.
const WAITED: f64 = 0.02;

/// One codec in one operation.
struct Line<'r> {
    codec: &'r CodecInfo,
    rows: Vec<&'r Row>,
    datasets: Vec<Option<Summary>>,
    /// By dataset and round.
    values: Vec<Vec<Option<f64>>>,
    /// Sum over the datasets, by round.
    rounds: Vec<Option<f64>>,
    overall: Option<Summary>,
    standing: Option<Standing>,
    /// Whether median and minimum put it and another codec in different orders.
    conflict: bool,
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
    let floors = floors(&lines);
    let margin = verdict::margin(&floors);
    let mut resolvable = Vec::new();
    for class in [Class::Fresh, Class::Reused] {
        resolvable.extend(rank(&mut lines, class, margin));
    }
    let minimum = |line: &Line| line.overall.map_or(f64::INFINITY, |overall| overall.minimum);
    let tier = |line: &Line| line.standing.map_or(usize::MAX, |standing| standing.tier);
    lines.sort_by(|a, b| {
        let by_class = class(a.codec).cmp(&class(b.codec));
        by_class.then(tier(a).cmp(&tier(b))).then(minimum(a).total_cmp(&minimum(b)))
    });

    let contestants = lines.iter().filter(|line| class(line.codec) != Class::Control);
    let best = contestants.map(minimum).fold(f64::INFINITY, f64::min);
    let unit = Unit::for_ns(best);
    let mut columns = vec![
        Column::left("codec", "codec"),
        Column::right("overall", "overall_minimum_ns"),
        Column::right("ratio", "ratio"),
        Column::right("tier", "tier"),
        Column::right("MB/s", "bytes_per_second").at(Place::WideTable),
        Column::right("median", "overall_median_ns").at(Place::WideTable),
        Column::right("spread", "overall_spread"),
    ];
    for dataset in &run.datasets {
        let name = dataset.id.rsplit('/').next().unwrap_or_default();
        columns.push(Column::right(name, &format!("{}_minimum_ns", dataset.id)));
    }
    columns.extend([
        Column::left("strings", "strings").at(Place::WideTable),
        Column::left("notes", "notes").at(Place::Below),
    ]);

    let input_bytes: u64 = run.datasets.iter().map(|dataset| dataset.input_bytes).sum();
    let rows = lines.iter().map(|line| {
        let peers = lines.iter().filter(|peer| class(peer.codec) == class(line.codec));
        let best = peers.map(minimum).fold(f64::INFINITY, f64::min);
        let mut cells = vec![name(run, line.codec)];
        match line.overall {
            Some(overall) => cells.extend([
                unit.cell(overall.minimum),
                match class(line.codec) {
                    Class::Control => Cell::missing(),
                    _ => number(overall.minimum / best, 2),
                },
                tier_cell(line),
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
            None => cells.extend(std::iter::repeat_n(Cell::missing(), 6)),
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
    let title = format!("{operation}, {}", unit.name);
    let notes = below(run, margin, &floors, &resolvable);
    Table { title, columns, rows: rows.collect(), notes }
}

/// The A/A floors of an operation: by how much two processes of one program differ, for the sum and for each dataset.
fn floors(lines: &[Line]) -> Vec<f64> {
    let twins = lines.iter().filter_map(|line| {
        let original = line.codec.twin_of.as_ref()?;
        Some((line, lines.iter().find(|line| line.codec.id == *original)?))
    });
    let cells = twins.flat_map(|(twin, original)| {
        let datasets = twin.values.iter().zip(&original.values);
        datasets.chain([(&twin.rounds, &original.rounds)])
    });
    cells.filter_map(|(twin, original)| floor_from_aa(&log_ratios(twin, original))).collect()
}

/// Gives the codecs of a class their tiers; what they were compared with comes back.
fn rank(lines: &mut [Line], wanted: Class, margin: f64) -> Vec<Comparison> {
    // A twin is a control: it takes no place from a contestant.
    let is_wanted = |line: &&mut Line| class(line.codec) == wanted && line.codec.twin_of.is_none();
    let mut ranked: Vec<&mut Line> = lines.iter_mut().filter(is_wanted).collect();
    let values: Vec<Vec<Option<f64>>> = ranked.iter().map(|line| line.rounds.clone()).collect();
    let summaries: Vec<Option<Summary>> = ranked.iter().map(|line| line.overall).collect();
    let standings = verdict::tiers(&values, margin);
    let conflicts = order_conflicts(&summaries);
    let mut comparisons = Vec::new();
    for ((line, standing), conflict) in ranked.iter_mut().zip(standings).zip(conflicts) {
        comparisons.extend(standing.and_then(|standing| Some(standing.against?.comparison)));
        (line.standing, line.conflict) = (standing, conflict);
    }
    comparisons
}

/// The id, without the format that all codecs of a run share; programs get all of it.
fn name(run: &Run, codec: &CodecInfo) -> Cell {
    let mut formats = run.codecs.iter().map(|codec| codec.id.split('/').next());
    let own = codec.id.split('/').next();
    let alone = formats.all(|format| format == own || format == Some(CONTROL));
    let text = match codec.id.split_once('/') {
        Some((format, rest)) if alone && format != CONTROL => rest,
        _ => &codec.id,
    };
    Cell { text: text.into(), value: codec.id.as_str().into() }
}

fn tier_cell(line: &Line) -> Cell {
    match line.standing {
        Some(standing) if line.standing_is_evidence() => {
            Cell::number(standing.tier, standing.tier.to_string())
        }
        _ => Cell::missing(),
    }
}

impl Line<'_> {
    /// Whether there were rounds enough for the tier to mean anything.
    fn standing_is_evidence(&self) -> bool {
        self.overall.is_some_and(|overall| overall.rounds >= verdict::fewest_rounds(1))
            && self.standing.is_some_and(|standing| {
                standing.against.is_none_or(|against| against.comparison.interval.is_ok())
            })
    }
}

fn line<'r>(run: &Run, codec: &'r CodecInfo, rows: Vec<&'r Row>) -> Line<'r> {
    let by_round = |dataset: &DatasetInfo| -> Vec<Option<f64>> {
        let mut values = vec![None; run.rounds as usize];
        for row in rows.iter().filter(|row| row.measurement.dataset == dataset.id) {
            if let Some(value) = values.get_mut(row.round as usize) {
                *value = row.value_ns();
            }
        }
        values
    };
    let values: Vec<Vec<Option<f64>>> = run.datasets.iter().map(by_round).collect();
    // A value that is missing makes the sum of its round missing too.
    let rounds: Vec<Option<f64>> = (0..run.rounds as usize)
        .map(|round| values.iter().map(|values| values[round]).sum())
        .collect();
    let summary = |values: &Vec<Option<f64>>| {
        summarize(&values.iter().copied().flatten().collect::<Vec<f64>>())
    };
    let datasets = values.iter().map(summary).collect();
    let overall = summary(&rounds);
    Line { codec, rows, datasets, values, rounds, overall, standing: None, conflict: false }
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
    let faults: u64 =
        counters().map(|(_, counted)| counted.minor_faults + counted.major_faults).sum();
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
    if line.conflict {
        notes.push("minimum and median order it differently".into());
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

fn below(run: &Run, margin: f64, floors: &[f64], compared: &[Comparison]) -> Vec<String> {
    let least =
        "minimum over the processes; ratio to the best of its kind; lower is better, except MB/s";
    let mut notes = vec![format!("{}, METHOD {}: {least}", rounds(run.rounds), run.method)];
    let floor =
        if floors.is_empty() { "no A/A pair was measured" } else { "from the A/A pair and 1 %" };
    let margin_text = format!("margin {:.1} %, {floor}", margin * 100.0);
    match verdict::smallest_resolvable(compared, margin) {
        Some(least) => notes.push(format!(
            "a new tier starts where the best of the one above is faster beyond doubt; differences below {:.1} % could not be resolved ({margin_text})",
            least * 100.0
        )),
        None if compared.is_empty() => {}
        None => notes.push(format!(
            "no tiers: a verdict on {} codecs needs {} rounds",
            compared.len() + 1,
            verdict::fewest_rounds(compared.len())
        )),
    }
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
        let digits = match scaled {
            // What the harness itself costs, in a table of documents.
            _ if scaled < 0.001 => 6,
            _ if scaled < 10.0 => 3,
            _ if scaled < 100.0 => 2,
            _ => 1,
        };
        Cell::number(ns, format!("{scaled:.digits$}"))
    }
}

fn number(value: f64, digits: usize) -> Cell {
    Cell::number(value, format!("{value:.digits$}"))
}
