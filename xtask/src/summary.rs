//! The tables of a run, one for each operation, and those of comparisons.

use analysis::{Class, Compared, Figures, Line, Of, figures, run_doubts, short_name};
use protocol::run::Stored;

use crate::table::{Cell, Column, Place, Table};

/// The tables of a run, one for each operation.
pub(crate) fn tables(stored: &Stored) -> Vec<Table> {
    let operations = stored.run.operations.iter();
    operations.map(|&operation| table(stored, &figures(stored, operation))).collect()
}

fn table(stored: &Stored, figures: &Figures) -> Table {
    let run = &stored.run;
    let contestants = [Class::Fresh, Class::Reused].into_iter();
    let best = contestants.filter_map(|class| figures.best_ns(class, Of::Overall)).reduce(f64::min);
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
    Table {
        title: format!("{}, {}", figures.operation, unit.name),
        name: figures.operation.to_string(),
        columns,
        rows: figures.lines.iter().map(|line| row(stored, figures, line, &unit)).collect(),
        notes: below(stored, figures),
    }
}

fn row(stored: &Stored, figures: &Figures, line: &Line, unit: &Unit) -> Vec<Cell> {
    let input_bytes: u64 = stored.run.datasets.iter().map(|dataset| dataset.input_bytes).sum();
    let name = short_name(&stored.run, line.codec);
    let mut cells = vec![Cell { text: name.into(), value: line.codec.id.as_str().into() }];
    let is_contestant = line.class != Class::Control;
    match line.overall {
        Some(overall) => {
            let best = figures.best_ns(line.class, Of::Overall).unwrap_or(overall.minimum);
            let rate = input_bytes as f64 / overall.minimum * 1e9;
            let of_contestant = |cell| if is_contestant { cell } else { Cell::missing() };
            cells.extend([
                unit.cell(overall.minimum),
                of_contestant(number(overall.minimum / best, 2)),
                line.tier().map_or(Cell::missing(), |tier| Cell::number(tier, tier.to_string())),
                of_contestant(Cell::number(rate, format!("{:.0}", rate / 1e6))),
                unit.cell(overall.median),
                Cell::number(overall.spread, format!("{:.1} %", overall.spread * 100.0)),
            ]);
        }
        None => cells.extend(std::iter::repeat_n(Cell::missing(), 6)),
    }
    let datasets = line.datasets.iter();
    cells.extend(datasets.map(|summary| match summary {
        Some(summary) => unit.cell(summary.minimum),
        None => Cell::missing(),
    }));
    cells.push(line.strings().into());
    cells.push(line.doubts(figures).join("; ").into());
    cells
}

/// The notes of a table: what its numbers are, what could be resolved, and what is doubtful.
fn below(stored: &Stored, figures: &Figures) -> Vec<String> {
    let run = &stored.run;
    let least =
        "minimum over the processes; ratio to the best of its kind; lower is better, except MB/s";
    let rounds = figures.rounds.used.len();
    let step = if run.lock_step { ", in lock-step" } else { "" };
    let mut notes =
        vec![format!("{}{step}, METHOD {}: {least}", count(rounds, "round"), run.method)];
    let floor = if figures.floors.is_empty() {
        "no A/A pair was measured"
    } else {
        "from the A/A pair and 1 %"
    };
    let margin_text = format!("margin {:.1} %, {floor}", figures.margin * 100.0);
    match figures.smallest_resolvable() {
        Some(least) => notes.push(format!(
            "a tier ends before the first that is slower than its best beyond doubt, so neighbours in two tiers may lie close; the steadiest pair resolves differences from {:.1} %, the most restless from {:.1} % ({margin_text})",
            least.finest * 100.0,
            least.coarsest * 100.0
        )),
        None if figures.compared.is_empty() => {}
        None => notes.push(format!(
            "no tiers: a verdict on {} needs {}",
            count(figures.compared.len() + 1, "codec"),
            count(verdict::fewest_rounds(figures.compared.len()), "round")
        )),
    }
    notes.extend(figures.layout_note(run));
    notes.extend(figures.round_doubts(stored));
    notes.extend(run_doubts(stored));
    notes
}

/// The pairs that a run was asked to compare.
pub(crate) fn pairs_table(stored: &Stored, compared: &[Compared]) -> Table {
    let run = &stored.run;
    let how = if run.lock_step {
        "ratio of the times: the median over the rounds of the median over the steps"
    } else {
        "ratio of the times: the median over the rounds"
    };
    let widened = match run.pairs.len() {
        1 => "one pair, looked at by itself: intervals of 95 %".to_owned(),
        pairs => format!("intervals of 95 % for {pairs} pairs together"),
    };
    let base = run.pairs.first().map(|pair| pair.base.as_str());
    let title = match base.filter(|base| run.pairs.iter().all(|pair| pair.base == *base)) {
        Some(base) => format!("against {base}"),
        None => "against".into(),
    };
    comparison_table(&title, compared, vec![how.into(), widened])
}

/// The table of comparisons, with the words for them.
pub(crate) fn comparison_table(title: &str, compared: &[Compared], notes: Vec<String>) -> Table {
    let same_name = compared.iter().all(|one| one.codec == one.base);
    let rows = compared.iter().map(|one| {
        let mut cells = vec![Cell::from(one.codec.as_str())];
        if !same_name {
            cells.push(one.base.as_str().into());
        }
        cells.push(one.operation.name().into());
        let dataset = one.dataset.as_deref().unwrap_or("overall");
        let short = dataset.rsplit('/').next().unwrap_or_default();
        cells.push(Cell { text: short.into(), value: dataset.into() });
        let interval = one.comparison.and_then(|comparison| comparison.interval.ok());
        let end = |end: Option<f64>| end.map_or(Cell::missing(), |end| number(end, 3));
        cells.extend([
            end(one.comparison.map(|comparison| comparison.ratio)),
            end(interval.map(|interval| interval.low)),
            end(interval.map(|interval| interval.high)),
            Cell::number(one.margin, format!("{:.1} %", one.margin * 100.0)),
            one.comparison.map_or(Cell::missing(), |comparison| {
                Cell::number(comparison.rounds, comparison.rounds.to_string())
            }),
            one.word.to_string().into(),
        ]);
        cells
    });
    let mut columns = vec![Column::left("codec", "codec")];
    if !same_name {
        columns.push(Column::left("against", "against").at(Place::WideTable));
    }
    columns.extend([
        Column::left("operation", "operation"),
        Column::left("dataset", "dataset"),
        Column::right("ratio", "ratio"),
        Column::right("from", "interval_low").at(Place::WideTable),
        Column::right("to", "interval_high").at(Place::WideTable),
        Column::right("margin", "margin").at(Place::WideTable),
        Column::right("rounds", "rounds").at(Place::WideTable),
        Column::left("verdict", "verdict"),
    ]);
    Table { title: title.into(), name: "comparison".into(), columns, rows: rows.collect(), notes }
}

/// `1 round`, `2 rounds`.
fn count(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// The unit of a table's times.
struct Unit {
    name: &'static str,
    ns: f64,
}

impl Unit {
    fn for_ns(value: Option<f64>) -> Self {
        match value {
            Some(value) if value >= 1e6 => Unit { name: "ms", ns: 1e6 },
            Some(value) if value >= 1e3 => Unit { name: "µs", ns: 1e3 },
            // Short, or nothing was measured.
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
