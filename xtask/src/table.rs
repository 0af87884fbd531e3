//! Tables: one way to print rows, in every format.

use std::{
    io::{self, IsTerminal as _},
    str::FromStr,
};

use comfy_table::{CellAlignment, ContentArrangement, Table as Grid, presets};
use serde_json::Value;

/// How a table is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Format {
    /// For a terminal.
    #[default]
    Text,
    /// For a document.
    Markdown,
    /// For a spreadsheet.
    Csv,
    /// For a program: an array with an object for each row.
    Json,
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "text" => Ok(Format::Text),
            "markdown" => Ok(Format::Markdown),
            "csv" => Ok(Format::Csv),
            "json" => Ok(Format::Json),
            _ => Err(format!("`{text}` is no format; there are text, markdown, csv, json")),
        }
    }
}

/// A table: what people see is text, what programs read are values.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// Stands above it.
    pub(crate) title: String,
    /// For programs; the title if it is empty.
    pub(crate) name: String,
    /// Its columns.
    pub(crate) columns: Vec<Column>,
    /// Its rows, each as wide as there are columns.
    pub(crate) rows: Vec<Vec<Cell>>,
    /// Lines below it.
    pub(crate) notes: Vec<String>,
}

/// A column of a table.
#[derive(Debug)]
pub(crate) struct Column {
    /// For people, with its unit.
    pub(crate) title: String,
    /// For programs, with its base unit.
    pub(crate) name: String,
    /// Numbers stand to the right.
    pub(crate) right: bool,
    /// Where people see it.
    pub(crate) place: Place,
}

/// Where people see a column; programs see all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Place {
    /// In the table.
    #[default]
    Table,
    /// In the table, unless the terminal is too narrow.
    WideTable,
    /// Below the table, a line for each row that has something there.
    Below,
}

/// A cell of a table.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// For people.
    pub(crate) text: String,
    /// For programs, in base units.
    pub(crate) value: Value,
}

impl Column {
    /// A column of words.
    pub(crate) fn left(title: &str, name: &str) -> Self {
        Column { title: title.into(), name: name.into(), right: false, place: Place::Table }
    }

    /// A column of numbers.
    pub(crate) fn right(title: &str, name: &str) -> Self {
        Column { right: true, ..Column::left(title, name) }
    }

    /// The same column at another place.
    pub(crate) fn at(self, place: Place) -> Self {
        Column { place, ..self }
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Cell { value: text.clone().into(), text }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl Cell {
    /// A number, and how people see it.
    pub(crate) fn number(value: impl Into<Value>, text: String) -> Self {
        Cell { text, value: value.into() }
    }

    /// A number that is not there.
    pub(crate) fn missing() -> Self {
        Cell { text: "–".into(), value: Value::Null }
    }
}

/// Prints tables one after the other; as JSON, one object with a member for each title.
///
/// # Errors
///
/// What the writer says.
pub(crate) fn print(tables: &[Table], format: Format, out: &mut impl io::Write) -> io::Result<()> {
    match format {
        Format::Text => tables.iter().try_for_each(|table| table.print_text(out)),
        Format::Markdown => tables.iter().try_for_each(|table| table.print_markdown(out)),
        Format::Csv => {
            let mut header = Vec::new();
            tables.iter().try_for_each(|table| table.print_csv(tables.len() > 1, &mut header, out))
        }
        Format::Json => {
            let all: serde_json::Map<_, _> =
                tables.iter().map(|table| (table.name().to_owned(), table.json())).collect();
            serde_json::to_writer_pretty(&mut *out, &all)?;
            writeln!(out)
        }
    }
}

impl Table {
    fn print_text(&self, out: &mut impl io::Write) -> io::Result<()> {
        let width = width();
        let mut grid = self.grid(|place| place != Place::Below);
        if width.is_some_and(|width| natural_width(&grid) > usize::from(width)) {
            grid = self.grid(|place| place == Place::Table);
        }
        if let Some(width) = width {
            grid.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
        }
        writeln!(out, "{}", style(BOLD, &self.title))?;
        for (number, line) in grid.lines().enumerate() {
            let line = line.trim_end();
            writeln!(out, "{}", if number == 0 { style(DIM, line) } else { line.into() })?;
        }
        for line in self.below() {
            let warns = WARNINGS.iter().any(|word| line.contains(word));
            writeln!(out, "{}", style(if warns { YELLOW } else { DIM }, &line))?;
        }
        writeln!(out)
    }

    fn name(&self) -> &str {
        if self.name.is_empty() { &self.title } else { &self.name }
    }

    fn print_markdown(&self, out: &mut impl io::Write) -> io::Result<()> {
        let shown: Vec<usize> = (0..self.columns.len())
            .filter(|&column| self.columns[column].place != Place::Below)
            .collect();
        let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
        writeln!(out, "### {}\n", self.title)?;
        let titles = shown.iter().map(|&column| escape(&self.columns[column].title)).collect();
        writeln!(out, "{}", line(titles))?;
        let rule = |&column: &usize| if self.columns[column].right { "---:" } else { "---" };
        writeln!(out, "{}", line(shown.iter().map(rule).map(str::to_owned).collect()))?;
        for row in &self.rows {
            let cells = shown.iter().map(|&column| escape(&row[column].text)).collect();
            writeln!(out, "{}", line(cells))?;
        }
        writeln!(out)?;
        for line in self.below() {
            writeln!(out, "- {line}")?;
        }
        writeln!(out)
    }

    /// The lines below the table: what its rows have to say, then its notes.
    fn below(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for row in &self.rows {
            for (column, cell) in self.columns.iter().zip(row) {
                if column.place == Place::Below && !cell.text.is_empty() {
                    lines.push(format!("{}: {}", row[0].text, cell.text));
                }
            }
        }
        lines.extend(self.notes.iter().cloned());
        lines
    }

    /// The header is printed where it differs from the one before.
    fn print_csv(
        &self,
        named: bool,
        before: &mut Vec<String>,
        out: &mut impl io::Write,
    ) -> io::Result<()> {
        let mut csv = csv::WriterBuilder::new().flexible(true).from_writer(out);
        let mut header: Vec<String> =
            self.columns.iter().map(|column| column.name.clone()).collect();
        if named {
            header.insert(0, "table".into());
        }
        if header != *before {
            csv.write_record(&header)?;
            *before = header;
        }
        for row in &self.rows {
            let mut cells: Vec<String> = row.iter().map(|cell| plain(&cell.value)).collect();
            if named {
                cells.insert(0, self.name().to_owned());
            }
            csv.write_record(cells)?;
        }
        csv.flush()
    }

    fn json(&self) -> Value {
        let row = |row: &Vec<Cell>| -> Value {
            let members = self.columns.iter().zip(row);
            members.map(|(column, cell)| (column.name.clone(), cell.value.clone())).collect()
        };
        self.rows.iter().map(row).collect()
    }

    /// The columns at some places, as a grid without lines.
    fn grid(&self, shows: impl Fn(Place) -> bool) -> Grid {
        let mut grid = Grid::new();
        let shown: Vec<usize> =
            (0..self.columns.len()).filter(|&column| shows(self.columns[column].place)).collect();
        grid.set_header(shown.iter().map(|&column| &self.columns[column].title));
        for row in &self.rows {
            grid.add_row(shown.iter().map(|&column| &row[column].text));
        }
        grid.load_style(presets::NOTHING);
        for (place, &column) in shown.iter().enumerate() {
            if let Some(grid_column) = grid.column_mut(place) {
                grid_column.set_padding((0, 1));
                if self.columns[column].right {
                    grid_column.set_cell_alignment(CellAlignment::Right);
                }
            }
        }
        grid
    }
}

const BOLD: &str = "1";
const DIM: &str = "2";
const YELLOW: &str = "33";

/// What makes a line below a table a warning.
const WARNINGS: &[&str] = &["NOISY", "DISTURBED", "crashed", "wrong-output", "timed-out"];

/// A line in a style of the terminal; plain elsewhere, and where `NO_COLOR` is set.
fn style(code: &str, line: &str) -> String {
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if plain || !io::stdout().is_terminal() {
        line.into()
    } else {
        format!("\u{1b}[{code}m{line}\u{1b}[0m")
    }
}

/// Columns that the longest line of a grid takes, its last blank not counted.
fn natural_width(grid: &Grid) -> usize {
    let lengths = grid.lines().map(|line| line.trim_end().chars().count());
    lengths.max().unwrap_or_default()
}

/// Columns of the terminal; `None` where the output goes elsewhere, and lines then are as long as they are.
fn width() -> Option<u16> {
    Some(terminal_size::terminal_size_of(io::stdout())?.0.0)
}

fn escape(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[test]
fn every_format_shows_every_cell() {
    let table = Table {
        title: "parse, ms".into(),
        name: "parse".into(),
        columns: vec![
            Column::left("codec", "codec"),
            Column::right("ms", "minimum_ns"),
            Column::left("notes", "notes").at(Place::Below),
        ],
        rows: vec![
            vec!["a/b, c".into(), Cell::number(1_500_000, "1.50".into()), "".into()],
            vec!["d".into(), Cell::missing(), "crashed".into()],
        ],
        notes: vec!["lower is better".into()],
    };
    let print = |format| {
        let mut out = Vec::new();
        print(std::slice::from_ref(&table), format, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    assert_eq!(
        print(Format::Text),
        "parse, ms\ncodec    ms\na/b, c 1.50\nd         –\nd: crashed\nlower is better\n\n"
    );
    assert!(print(Format::Markdown).contains("| a/b, c | 1.50 |"));
    assert_eq!(print(Format::Csv), "codec,minimum_ns,notes\n\"a/b, c\",1500000,\nd,,crashed\n");
    let json: Value = serde_json::from_str(&print(Format::Json)).unwrap();
    assert_eq!(json["parse"][0]["minimum_ns"], 1_500_000);
    assert!(json["parse"][1]["minimum_ns"].is_null());
}
