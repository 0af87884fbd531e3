//! The picture of sizes: messages on the wire, and programs.

use std::collections::{BTreeMap, BTreeSet};

use analysis::short_name;
use protocol::{
    job::Operation,
    run::{CodecInfo, DatasetInfo, Output, Run},
};

use super::{
    conditions::{Names, conditions, contestants, dataset_name, warnings},
    grid::{Bar, Block, Cell, Column, Grid, Notes, Row},
    look::SAMPLE,
    number::{Unit, whole},
    page::Page,
};
use crate::{palette::library, record::Record};

/// The picture of sizes.
pub(super) fn page(record: &Record) -> Page {
    let run = &record.stored.run;
    let mut grids: Vec<Grid> = run.datasets.iter().map(|dataset| wire(run, dataset)).collect();
    let mut operations: Vec<Operation> = run.operations.clone();
    operations
        .retain(|operation| contestants(run).any(|codec| codec.programs.contains_key(operation)));
    if let Some(&first) = operations.first() {
        grids.extend([added(run, &operations), whole_program(run, first)]);
    }
    Page {
        name: "sizes".into(),
        title: "Sizes: messages on the wire, and programs".into(),
        question:
            "Bytes. Shorter bars are better. Compressed with gzip at level 6 and zstd at level 3."
                .into(),
        warnings: warnings(record),
        grids,
        notes: Notes::default(),
        conditions: conditions(record, None),
        ..Page::default()
    }
}

/// What every codec writes for a dataset; codecs of one library that write equally many bytes share a row.
fn wire(run: &Run, dataset: &DatasetInfo) -> Grid {
    let source = Row {
        name: "source JSON".into(),
        cells: vec![
            size(dataset.json_bytes),
            size(dataset.json_gzip_bytes),
            size(dataset.json_zstd_bytes),
        ],
        ..plain(SAMPLE.into())
    };
    let columns = ["as written", "after gzip", "after zstd"];
    Grid {
        title: format!("{}: bytes of a message", dataset_name(run, dataset)),
        remark: remark(run, dataset),
        columns: columns.map(bytes_column).to_vec(),
        blocks: vec![
            Block { title: String::new(), rows: vec![source] },
            Block { title: String::new(), rows: written(run, dataset) },
        ],
        one_scale: true,
    }
}

fn remark(run: &Run, dataset: &DatasetInfo) -> String {
    let mut text =
        "One scale for all three. Codecs of one library that write equally many bytes share a row."
            .to_owned();
    let mut narrowed: BTreeMap<u64, BTreeSet<&str>> = BTreeMap::new();
    for codec in contestants(run) {
        let floats = codec.outputs.get(&dataset.id).map_or(0, |output| output.floats_narrowed);
        if floats > 0 {
            narrowed.entry(floats).or_default().insert(library(short_name(run, codec)));
        }
    }
    for (floats, libraries) in narrowed {
        let libraries = libraries.into_iter().collect::<Vec<_>>().join(", ");
        text += &format!(
            " Without loss, in fewer bytes: {} floats by {libraries}.",
            whole(floats as f64)
        );
    }
    text
}

fn written(run: &Run, dataset: &DatasetInfo) -> Vec<Row> {
    let names = Names::new(run);
    let mut codecs: Vec<&CodecInfo> = contestants(run).collect();
    codecs.sort_by_key(|codec| &codec.id);
    let mut rows = Vec::new();
    for library_codecs in codecs.chunk_by(|a, b| library(&a.id) == library(&b.id)) {
        let mut alike: Vec<(Vec<Cell>, Vec<&CodecInfo>)> = Vec::new();
        for &codec in library_codecs {
            let cells = cells(codec, codec.outputs.get(&dataset.id));
            match alike.iter_mut().find(|(known, _)| *known == cells) {
                Some((_, codecs)) => codecs.push(codec),
                None => alike.push((cells, vec![codec])),
            }
        }
        for (cells, codecs) in alike {
            let name = if codecs.len() == library_codecs.len() {
                library(names.of(codecs[0])).to_owned()
            } else {
                codecs.iter().map(|codec| names.of(codec)).collect::<Vec<_>>().join(", ")
            };
            rows.push(Row { name, cells, ..plain(names.colour(codecs[0])) });
        }
    }
    rows
}

fn cells(codec: &CodecInfo, output: Option<&Output>) -> Vec<Cell> {
    match (&codec.excluded, output) {
        (_, Some(output)) if output.bytes.is_some() => {
            [output.bytes, output.gzip_bytes, output.zstd_bytes].map(size).to_vec()
        }
        (Some(outcome), _) => vec![Cell::Words(outcome.to_string()); 3],
        (None, Some(output)) => vec![Cell::Words(output.outcome.to_string()); 3],
        (None, None) => vec![Cell::Unknown("not in the record".into()); 3],
    }
}

fn added(run: &Run, operations: &[Operation]) -> Grid {
    let columns = operations.iter().map(|operation| bytes_column(operation.name()));
    let cells = |codec: &CodecInfo| {
        let added =
            |operation| codec.programs.get(operation).and_then(|program| program.added_bytes);
        operations
            .iter()
            .map(|operation| match added(operation) {
                Some(bytes) => Cell::Bar(Bar::of(bytes as f64)),
                None => missing(codec),
            })
            .collect()
    };
    Grid {
        title: "What a library adds to a program that runs one operation".into(),
        remark: "Loaded bytes of code and data beyond those of the same program without a library. Stats: a walk over a document; read: parse, then every value. One scale for all.".into(),
        columns: columns.collect(),
        blocks: vec![Block { title: String::new(), rows: program_rows(run, cells) }],
        one_scale: true,
    }
}

fn whole_program(run: &Run, operation: Operation) -> Grid {
    let cells = |codec: &CodecInfo| match codec.programs.get(&operation) {
        Some(program) => {
            [program.loaded_bytes, program.bytes].map(|bytes| size(Some(bytes))).to_vec()
        }
        None => vec![missing(codec); 2],
    };
    Grid {
        title: format!("The whole program for {operation}"),
        remark: "Most of it is the harness, the same for all. One scale for both.".into(),
        columns: ["loaded: code and data", "the file, symbols included"].map(bytes_column).to_vec(),
        blocks: vec![Block { title: String::new(), rows: program_rows(run, cells) }],
        one_scale: true,
    }
}

fn program_rows(run: &Run, cells: impl Fn(&CodecInfo) -> Vec<Cell>) -> Vec<Row> {
    let names = Names::new(run);
    let mut codecs: Vec<&CodecInfo> = contestants(run).collect();
    codecs.sort_by_key(|codec| &codec.id);
    let row = |codec| Row {
        name: names.of(codec).to_owned(),
        cells: cells(codec),
        ..plain(names.colour(codec))
    };
    codecs.into_iter().map(row).collect()
}

fn missing(codec: &CodecInfo) -> Cell {
    match &codec.excluded {
        Some(outcome) => Cell::Words(outcome.to_string()),
        None => Cell::Unknown("not in the record".into()),
    }
}

fn size(bytes: Option<u64>) -> Cell {
    match bytes {
        Some(bytes) => Cell::Bar(Bar::of(bytes as f64)),
        None => Cell::Unknown("not in the record".into()),
    }
}

fn bytes_column(title: &str) -> Column {
    Column { title: title.to_owned(), unit: Unit::Bytes, full: None }
}

fn plain(colour: String) -> Row {
    Row {
        name: String::new(),
        tag: String::new(),
        notes: Vec::new(),
        tier: None,
        colour,
        hatched: false,
        cells: Vec::new(),
    }
}
