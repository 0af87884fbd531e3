//! Grid: rows of names, columns of bars. Every picture is made of grids, and its CSV is written from the same.

use super::number::Unit;

/// Rows and columns with a title.
#[derive(Clone, Debug, Default)]
pub(super) struct Grid {
    pub(super) title: String,
    /// What a reader must know of it; may be empty.
    pub(super) remark: String,
    pub(super) columns: Vec<Column>,
    pub(super) blocks: Vec<Block>,
    /// All columns have one scale; else each has its own.
    pub(super) one_scale: bool,
}

/// What is shown from left to right.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) title: String,
    pub(super) unit: Unit,
    /// Where a full bar ends, if that is known; else the longest bar does.
    pub(super) full: Option<f64>,
}

/// Rows that are compared with each other.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// May be empty.
    pub(super) title: String,
    pub(super) rows: Vec<Row>,
}

/// One name, with a cell for each column.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) name: String,
    /// A word beside the name; may be empty.
    pub(super) tag: String,
    /// Numbers of the notes below the picture.
    pub(super) notes: Vec<usize>,
    pub(super) tier: Option<usize>,
    pub(super) colour: String,
    pub(super) hatched: bool,
    pub(super) cells: Vec<Cell>,
}

/// What is shown of one row in one column.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell {
    /// A bar from zero.
    Bar(Bar),
    /// What went wrong, in its place.
    Words(String),
    /// Nothing is known.
    Unknown(String),
}

/// A bar from zero, in the unit of its column.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Bar {
    pub(super) value: f64,
    /// A thin mark.
    pub(super) median: Option<f64>,
    /// Where the whisker ends that begins at the bar's end.
    pub(super) highest: Option<f64>,
    /// What is said behind the number; may be empty.
    pub(super) beside: String,
}

impl Grid {
    pub(super) fn rows(&self) -> impl Iterator<Item = &Row> {
        self.blocks.iter().flat_map(|block| &block.rows)
    }

    /// The bars of a column.
    pub(super) fn bars(&self, column: usize) -> impl Iterator<Item = &Bar> {
        self.rows().filter_map(move |row| match row.cells.get(column)? {
            Cell::Bar(bar) => Some(bar),
            Cell::Words(_) | Cell::Unknown(_) => None,
        })
    }

    /// The shortest bar of a column that is one.
    pub(super) fn smallest(&self, column: usize) -> f64 {
        let bars = self.bars(column).map(|bar| bar.value).filter(|&value| value > 0.0);
        bars.fold(f64::INFINITY, f64::min)
    }

    /// The largest number that a column has to show.
    pub(super) fn largest(&self, column: usize) -> f64 {
        let drawn = self.bars(column).map(Bar::end).fold(0.0, f64::max);
        self.columns[column].full.unwrap_or(0.0).max(drawn)
    }
}

impl Bar {
    pub(super) fn of(value: f64) -> Self {
        Bar { value, ..Bar::default() }
    }

    /// The end of the bar and its whisker.
    pub(super) fn end(&self) -> f64 {
        self.value.max(self.highest.unwrap_or(0.0)).max(self.median.unwrap_or(0.0))
    }
}

/// Remarks on rows, each with a number and those that it is about.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    notes: Vec<(String, Vec<String>)>,
}

impl Notes {
    /// The number of a note that is now also about `name`.
    pub(super) fn add(&mut self, note: &str, name: &str) -> usize {
        let place = self.notes.iter().position(|(text, _)| text == note);
        let place = place.unwrap_or_else(|| {
            self.notes.push((note.to_owned(), Vec::new()));
            self.notes.len() - 1
        });
        let names = &mut self.notes[place].1;
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
        place + 1
    }

    /// The notes in their order, without their numbers.
    pub(super) fn texts(&self) -> Vec<String> {
        self.notes.iter().map(|(note, names)| format!("{}: {note}", names.join(", "))).collect()
    }
}
