//! The numbers of a picture as CSV, written from what is drawn.

use anyhow::Context as _;

use super::{
    grid::{Cell, Row},
    page::Page,
};

const HEADER: [&str; 13] = [
    "panel", "block", "row", "tag", "tier", "column", "unit", "value", "median", "highest",
    "beside", "words", "notes",
];

/// One line for each bar, and for each that could not be drawn.
///
/// # Errors
///
/// Text that is no CSV.
pub(super) fn csv(page: &Page) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(HEADER)?;
    let notes = page.notes.texts();
    for grid in &page.grids {
        for block in &grid.blocks {
            for row in &block.rows {
                for (column, cell) in grid.columns.iter().zip(&row.cells) {
                    let mut line = vec![grid.title.clone(), block.title.clone()];
                    line.extend([row.name.clone(), row.tag.clone()]);
                    line.push(row.tier.map(|tier| tier.to_string()).unwrap_or_default());
                    line.extend([column.title.clone(), column.unit.stored().to_owned()]);
                    line.extend(numbers(cell));
                    line.push(noted(row, &notes));
                    writer.write_record(line)?;
                }
            }
        }
    }
    String::from_utf8(writer.into_inner().context("a table in memory cannot fail")?)
        .context("a record holds text that is not UTF-8")
}

fn numbers(cell: &Cell) -> [String; 5] {
    let text = |number: Option<f64>| number.map(|number| number.to_string()).unwrap_or_default();
    match cell {
        Cell::Bar(bar) => [
            bar.value.to_string(),
            text(bar.median),
            text(bar.highest),
            bar.beside.clone(),
            String::new(),
        ],
        Cell::Words(words) | Cell::Unknown(words) => {
            let [value, median, highest, beside] = <[String; 4]>::default();
            [value, median, highest, beside, words.clone()]
        }
    }
}

fn noted(row: &Row, notes: &[String]) -> String {
    let own = row.notes.iter().filter_map(|number| notes.get(number - 1));
    own.map(String::as_str).collect::<Vec<_>>().join("; ")
}
