//! The picture of one operation: overall, each dataset, and what is in the documents.

use analysis::{Class, Figures, Line, Of, figures};
use protocol::{
    job::Operation,
    run::{DatasetInfo, Run, Stored},
};

use super::{
    conditions::{Names, conditions, dataset_name, groups, is_zero_copy, sentence, tag, warnings},
    content,
    grid::{Bar, Block, Cell, Column, Grid, Notes, Row},
    number::{Unit, percent, whole},
    page::{Key, Page, Sign},
};
use crate::record::Record;

/// Name of the files of an operation.
pub(super) fn name(operation: Operation) -> String {
    format!("performance_{operation}")
}

/// The picture of an operation.
pub(super) fn page(record: &Record, operation: Operation) -> Page {
    let stored = &record.stored;
    let run = &stored.run;
    let figures = figures(stored, operation);
    let mut notes = Notes::default();
    let mut grids = Vec::new();
    let several = run.datasets.len() > 1;
    if groups(run) == 1 {
        grids.push(overall(stored, &figures, &mut notes));
    }
    if several {
        grids.push(each(stored, &figures, &mut notes));
    }
    if run.operations.first() == Some(&operation) && !run.datasets.is_empty() {
        grids.push(content::grid(run));
    }
    let mut warnings = warnings(record);
    warnings.extend(figures.round_doubts(stored));
    let mut lines = resolved(&figures);
    lines.extend(noise(&figures, run));
    lines.extend(figures.layout_note(run).map(|note| sentence(&note)));
    lines.extend(conditions(record, Some(figures.rounds.used.len())));
    let legend = legend(&figures, &grids, &notes);
    let (title, question) = question(operation);
    Page {
        name: name(operation),
        title: title.into(),
        question: format!(
            "{question} Shorter bars are better. MB/s: 10⁶ bytes of the messages per second."
        ),
        warnings,
        legend,
        grids,
        notes,
        conditions: lines,
    }
}

fn question(operation: Operation) -> (&'static str, &'static str) {
    match operation {
        Operation::Parse => {
            ("Parse: from bytes to a document", "Time to decode a message and build its document.")
        }
        Operation::Serialize => {
            ("Serialize: from a document to bytes", "Time to walk a document and write it.")
        }
        Operation::Stats => (
            "Stats: a walk over a document",
            "Time to visit every value of a parsed document and count it by kind.",
        ),
        Operation::Read => (
            "Read: from bytes to every value",
            "Time to parse a message and read all of its values: fair also to codecs that do their work on access.",
        ),
    }
}

fn overall(stored: &Stored, figures: &Figures, notes: &mut Notes) -> Grid {
    let run = &stored.run;
    let bytes: u64 = run.datasets.iter().map(|dataset| dataset.input_bytes).sum();
    let datasets: Vec<&str> = run.datasets.iter().map(|d| dataset_name(run, d)).collect();
    let cell = |line: &Line| match bar(line, Of::Overall) {
        Some(bar) => {
            let rate = bytes as f64 / bar.value * 1e3;
            Cell::Bar(Bar { beside: format!("{} MB/s", whole(rate)), ..bar })
        }
        None => Cell::Words(why_no_sum(line, run)),
    };
    let title = match datasets.as_slice() {
        [alone] => (*alone).to_owned(),
        all => format!("All datasets: the sum of {}", all.join(", ")),
    };
    Grid {
        title,
        remark: if run.datasets.len() > 1 {
            "Added up within each round: the smallest sum can be more than the sum of the smallest values below.".into()
        } else {
            String::new()
        },
        columns: vec![Column { title: String::new(), unit: Unit::Time, full: None }],
        blocks: blocks(stored, figures, notes, true, |line| vec![cell(line)]),
        one_scale: false,
    }
}

fn each(stored: &Stored, figures: &Figures, notes: &mut Notes) -> Grid {
    let run = &stored.run;
    let cells = |line: &Line| {
        let datasets = run.datasets.iter().enumerate();
        let cell = |(place, dataset)| match bar(line, Of::Dataset(place)) {
            Some(bar) => Cell::Bar(bar),
            None => Cell::Words(why_no_value(line, dataset)),
        };
        datasets.map(cell).collect()
    };
    let columns = run.datasets.iter().map(|dataset| {
        let size = whole(dataset.input_bytes as f64);
        let title = format!("{} · {size} bytes", dataset_name(run, dataset));
        Column { title, unit: Unit::Time, full: None }
    });
    let remark = if groups(run) == 1 {
        "Each has its own scale. Rows stand as above, not in an order of this dataset."
    } else {
        "Each has its own scale. Datasets of several groups are not added up, so there are no tiers; rows stand by name."
    };
    Grid {
        title: "Each dataset".into(),
        remark: remark.into(),
        columns: columns.collect(),
        blocks: blocks(stored, figures, notes, false, cells),
        one_scale: false,
    }
}

/// Fresh and reused codecs apart, each by tier and within a tier by name.
fn blocks(
    stored: &Stored,
    figures: &Figures,
    notes: &mut Notes,
    show_tiers: bool,
    cells: impl Fn(&Line) -> Vec<Cell>,
) -> Vec<Block> {
    let run = &stored.run;
    let names = Names::new(run);
    let mut blocks = Vec::new();
    for (class, title) in [
        (Class::Fresh, "Fresh: everything is made anew for each message"),
        (Class::Reused, "Reused: memory of the last message is kept for the next"),
    ] {
        let tier = |line: &Line| if groups(run) == 1 { line.tier() } else { None };
        let mut lines: Vec<&Line> = contestants(figures, class).collect();
        lines.sort_by_key(|line| {
            (line.overall.is_none(), tier(line).unwrap_or(usize::MAX), names.of(line.codec))
        });
        let rows: Vec<Row> = lines
            .into_iter()
            .map(|line| {
                let name = names.of(line.codec);
                let doubts = line.doubts(figures);
                let mut marks: Vec<usize> =
                    doubts.iter().map(|doubt| notes.add(&in_full(doubt), name)).collect();
                marks.sort_unstable();
                Row {
                    name: name.to_owned(),
                    tag: tag(line.codec),
                    notes: marks,
                    tier: if show_tiers { tier(line) } else { None },
                    colour: names.colour(line.codec),
                    hatched: is_zero_copy(line.codec),
                    cells: cells(line),
                }
            })
            .collect();
        if !rows.is_empty() {
            blocks.push(Block { title: title.into(), rows });
        }
    }
    blocks
}

fn contestants<'f>(figures: &'f Figures<'f>, class: Class) -> impl Iterator<Item = &'f Line<'f>> {
    figures.lines.iter().filter(move |line| line.class == class && line.codec.twin_of.is_none())
}

fn bar(line: &Line, of: Of) -> Option<Bar> {
    let summary = line.summary(of)?;
    let highest = line.values(of).into_iter().flatten().reduce(f64::max);
    let several = summary.rounds > 1;
    Some(Bar {
        value: summary.minimum,
        median: several.then_some(summary.median),
        highest: highest.filter(|_| several),
        beside: String::new(),
    })
}

fn why_no_sum(line: &Line, run: &Run) -> String {
    if let Some(excluded) = &line.codec.excluded {
        return excluded.to_string();
    }
    let missing = run.datasets.iter().zip(&line.datasets).filter(|(_, value)| value.is_none());
    let why: Vec<String> = missing
        .map(|(dataset, _)| {
            format!("{} {}", dataset_name(run, dataset), why_no_value(line, dataset))
        })
        .collect();
    if why.is_empty() {
        return "no sum: no round has every dataset".into();
    }
    format!("no sum: {}", why.join("; "))
}

fn why_no_value(line: &Line, dataset: &DatasetInfo) -> String {
    let mut rows = line.rows.iter().filter(|row| row.measurement.dataset == dataset.id);
    match (&line.codec.excluded, rows.next()) {
        (Some(excluded), _) => excluded.to_string(),
        (None, Some(row)) => row.measurement.outcome.to_string(),
        (None, None) => "not measured".into(),
    }
}

/// A doubt in words that need no manual.
fn in_full(doubt: &str) -> String {
    match doubt.split_once(" page faults/op") {
        Some((faults, "")) => format!(
            "{faults} page faults per operation; the operating system had to find memory while the clock ran"
        ),
        _ => match doubt.split(' ').next() {
            Some("waited") => format!("{doubt} of its time for a CPU"),
            Some("stolen") => format!("{doubt} of its time by the hypervisor"),
            Some("minimum") => {
                "by the median (mark), another order than by the smallest value (bar)".into()
            }
            _ => doubt.into(),
        },
    }
}

/// What the tiers could tell apart.
fn resolved(figures: &Figures) -> Vec<String> {
    match figures.smallest_resolvable() {
        Some(least) => vec![
            "Tiers: every codec is compared, round by round, with the best of its tier. A tier ends before the first that is slower beyond doubt, so neighbours in two tiers may lie close.".into(),
            format!(
                "Resolution: between rounds, times of two codecs vary against each other. The steadiest pair would have shown a difference of {} %, the most restless only one of {} %.",
                percent(least.finest),
                percent(least.coarsest)
            ),
        ],
        None if figures.compared.is_empty() => Vec::new(),
        None => vec![format!(
            "No tiers: a verdict on {} codecs needs {} rounds. Rows stand by name.",
            figures.compared.len() + 1,
            verdict::fewest_rounds(figures.compared.len())
        )],
    }
}

/// What two processes of one program differ by, and what the harness costs by itself.
fn noise(figures: &Figures, run: &Run) -> Vec<String> {
    let names = Names::new(run);
    let mut lines = Vec::new();
    for twin in &figures.lines {
        let original =
            figures.lines.iter().find(|line| Some(&line.codec.id) == twin.codec.twin_of.as_ref());
        let Some((a, b)) = original.and_then(|line| Some((line.overall?, twin.overall?))) else {
            continue;
        };
        let apart = (a.minimum / b.minimum).max(b.minimum / a.minimum) - 1.0;
        lines.push(format!(
            "Noise: {} ran under two names, and its two bars would lie {} % apart. By the larger of 1 % and such distances, round by round and for each dataset, no verdict turns on less than {} %.",
            original.map_or("", |original| names.of(original.codec)),
            percent(apart),
            percent(figures.margin)
        ));
    }
    for line in figures.lines.iter().filter(|line| line.class == Class::Control) {
        let Some(overall) = line.overall else { continue };
        let cost = Unit::Time.shown(overall.minimum, overall.minimum).label(overall.minimum);
        let name = names.of(line.codec);
        lines.push(format!(
            "Clock: {cost} of the time for all datasets is the clock's own, measured with an operation that does nothing ({name})."
        ));
    }
    lines
}

fn legend(figures: &Figures, grids: &[Grid], notes: &Notes) -> Vec<Key> {
    let any = |holds: fn(&Row) -> bool| grids.iter().flat_map(Grid::rows).any(holds);
    let mut keys = Vec::new();
    if figures.rounds.used.len() > 1 {
        keys.push(Key::new(
            Sign::MarkedBar,
            "bar and number: smallest value of all rounds; mark: median; end of the line: largest",
        ));
    }
    if any(|row| row.hatched) {
        keys.push(Key::new(Sign::Hatched, "zero-copy: strings stay in the message"));
    }
    if any(|row| row.tier.is_some()) {
        keys.push(Key::new(
            Sign::Tier,
            "tier: its rows could not be told from its best; they stand by name, not by speed",
        ));
    }
    if !notes.texts().is_empty() {
        keys.push(Key::new(Sign::Mark, "note at the foot"));
    }
    keys
}
