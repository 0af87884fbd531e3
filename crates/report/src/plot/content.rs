//! The panel of what is in the documents.

use protocol::run::{DatasetInfo, Run};

use super::{
    conditions::dataset_name,
    grid::{Bar, Block, Cell, Column, Grid, Row},
    look::SAMPLE,
    number::Unit,
};

/// Sizes of the datasets, and how many nodes of each kind they hold.
pub(super) fn grid(run: &Run) -> Grid {
    let datasets = &run.datasets;
    let (there, absent): (Vec<_>, Vec<_>) =
        KINDS.iter().partition(|(_, count)| datasets.iter().any(|dataset| count(dataset) > 0));
    let column = |title: &str, unit| Column { title: title.to_owned(), unit, full: None };
    let sizes = ["bytes of MessagePack", "bytes of JSON"].map(|title| column(title, Unit::Bytes));
    let counts = there.iter().map(|(name, _)| column(name, Unit::Count));
    let row = |dataset: &DatasetInfo| {
        let json = match dataset.json_bytes {
            Some(bytes) => Cell::Bar(Bar::of(bytes as f64)),
            None => Cell::Unknown("not in the record".into()),
        };
        let counts = there.iter().map(|(_, count)| Cell::Bar(Bar::of(count(dataset) as f64)));
        Row {
            name: dataset_name(run, dataset).to_owned(),
            tag: String::new(),
            notes: Vec::new(),
            tier: None,
            colour: SAMPLE.into(),
            hatched: false,
            cells: [Cell::Bar(Bar::of(dataset.input_bytes as f64)), json]
                .into_iter()
                .chain(counts)
                .collect(),
        }
    };
    let mut remark = "A map key counts as a value of its own type.".to_owned();
    if !absent.is_empty() {
        let absent: Vec<&str> = absent.iter().map(|(name, _)| *name).collect();
        remark += &format!(" None of: {}.", absent.join(", "));
    }
    Grid {
        title: "What is in the documents".into(),
        remark,
        columns: sizes.into_iter().chain(counts).collect(),
        blocks: vec![Block { title: String::new(), rows: datasets.iter().map(row).collect() }],
        one_scale: false,
    }
}

type Count = fn(&DatasetInfo) -> u64;

const KINDS: [(&str, Count); 8] = [
    ("maps", |dataset| dataset.content.stats.maps),
    ("arrays", |dataset| dataset.content.stats.arrays),
    ("strings", |dataset| dataset.content.stats.strings),
    ("numbers", |dataset| dataset.content.stats.numbers),
    ("booleans", |dataset| dataset.content.stats.booleans),
    ("nils", |dataset| dataset.content.stats.nils),
    ("binaries", |dataset| dataset.content.stats.binaries),
    ("extensions", |dataset| dataset.content.stats.extensions),
];
