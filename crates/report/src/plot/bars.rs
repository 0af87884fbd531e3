//! Draws a grid.

use super::{
    canvas::{Anchor, Area, Canvas},
    grid::{Bar, Block, Cell, Grid, Row},
    look::*,
    number::Shown,
};

/// Where the parts of a grid stand from left to right; the same for all its bands.
struct Frame {
    left: f64,
    name: f64,
    tag: f64,
    columns: f64,
    right: f64,
    /// Columns side by side.
    across: usize,
}

/// How one column turns numbers into places.
struct Scale {
    /// Left end, where all bars begin.
    zero: f64,
    right: f64,
    points_per_unit: f64,
    shown: Shown,
    end: f64,
    /// Where a full bar ends, if that is known.
    full: Option<f64>,
}

/// Draws a grid from `top` downwards; where it ends comes back.
pub(super) fn draw(canvas: &mut Canvas, grid: &Grid, top: f64) -> f64 {
    let mut y = top;
    if !grid.title.is_empty() {
        let lines = canvas.paragraph(&grid.title, (MARGIN, y + 15.0), HEADING, inner(canvas), 19.0);
        y += 19.0 * lines as f64 + 3.0;
    }
    if !grid.remark.is_empty() {
        let lines = canvas.paragraph(&grid.remark, (MARGIN, y + 11.0), SMALL, inner(canvas), 14.0);
        y += 14.0 * lines as f64 + 3.0;
    }
    let frame = Frame::new(canvas, grid);
    let all: Vec<usize> = (0..grid.columns.len()).collect();
    for band in all.chunks(frame.across) {
        y = draw_band(canvas, grid, &frame, band, y + 4.0) + 10.0;
    }
    y
}

fn draw_band(canvas: &mut Canvas, grid: &Grid, frame: &Frame, band: &[usize], top: f64) -> f64 {
    let scales: Vec<Scale> = band
        .iter()
        .enumerate()
        .map(|(place, &column)| Scale::new(canvas, grid, frame, column, place))
        .collect();
    let titles: Vec<Vec<String>> = band
        .iter()
        .zip(&scales)
        .map(|(&column, scale)| match grid.columns[column].title.as_str() {
            "" => Vec::new(),
            title => canvas.fonts.wrap(title, TITLE_OF_COLUMN, scale.right - scale.zero),
        })
        .collect();
    let most = titles.iter().map(Vec::len).max().unwrap_or(0);
    for (lines, scale) in titles.iter().zip(&scales) {
        // Titles of fewer lines stand low, next to their scale.
        let first = top + 11.0 + 15.0 * (most - lines.len()) as f64;
        for (place, line) in lines.iter().enumerate() {
            let at = (scale.zero, first + 15.0 * place as f64);
            canvas.text(line, at, TITLE_OF_COLUMN, Anchor::Start);
        }
    }
    let heads = top + 15.0 * most as f64 + 11.0;
    if grid.rows().any(|row| row.tier.is_some()) {
        canvas.text("tier", (frame.left, heads), FAINT, Anchor::Start);
    }
    let first_row = heads + 5.0;
    for scale in &scales {
        scale.numbers(canvas, heads);
    }
    let mut y = first_row;
    for block in &grid.blocks {
        if !block.title.is_empty() {
            canvas.text(&block.title, (frame.name, y + 15.0), TITLE_OF_BLOCK, Anchor::Start);
            y += BLOCK_TITLE;
        }
        tiers(canvas, frame, block, y);
        let height: f64 = block.rows.iter().map(|row| frame.row_height(canvas, row)).sum();
        for scale in &scales {
            scale.lines(canvas, y, y + height);
        }
        let first = y;
        for row in &block.rows {
            let lines = draw_name(canvas, frame, row, y);
            for (&column, scale) in band.iter().zip(&scales) {
                draw_cell(canvas, scale, row, &row.cells[column], y);
            }
            y += row_height(lines);
        }
        for scale in &scales {
            canvas.line((scale.zero, first), (scale.zero, y), AXIS, 1.0);
        }
        y += BLOCK_GAP;
    }
    y - BLOCK_GAP
}

/// Background of every other tier, and a bracket with the number of each.
fn tiers(canvas: &mut Canvas, frame: &Frame, block: &Block, top: f64) {
    let mut y = top;
    for tier in block.rows.chunk_by(|a, b| a.tier == b.tier) {
        let height: f64 = tier.iter().map(|row| frame.row_height(canvas, row)).sum();
        if let Some(number) = tier[0].tier {
            if number.is_multiple_of(2) {
                let (x, width) = (frame.left - 4.0, frame.right - frame.left + 8.0);
                canvas.fill(Area { x, y, width, height }, STRIPE);
            }
            let at = (frame.left + 15.0, y + height / 2.0 + 4.5);
            canvas.text(&number.to_string(), at, NUMBER_OF_TIER, Anchor::End);
            bracket(canvas, frame.left + 21.0, y + 3.0, y + height - 3.0);
        }
        y += height;
    }
}

/// The sign of a tier, left of its rows.
pub(super) fn bracket(canvas: &mut Canvas, x: f64, top: f64, bottom: f64) {
    canvas.line((x, top), (x, bottom), AXIS, 1.5);
    for end in [top, bottom] {
        canvas.line((x - 0.75, end), (x + 4.0, end), AXIS, 1.5);
    }
}

/// The number of lines comes back.
fn draw_name(canvas: &mut Canvas, frame: &Frame, row: &Row, y: f64) -> usize {
    let lines = frame.name_lines(canvas, row);
    for (place, line) in lines.iter().enumerate() {
        let at = (frame.name, y + BASE + LINE * place as f64);
        let width = canvas.text(line, at, NAME, Anchor::Start);
        if place + 1 == lines.len() && !row.notes.is_empty() {
            canvas.text(&marks(row), (at.0 + width + 3.0, at.1 - 3.0), MARK, Anchor::Start);
        }
    }
    canvas.text(&row.tag, (frame.tag, y + BASE), FAINT, Anchor::Start);
    lines.len()
}

fn draw_cell(canvas: &mut Canvas, scale: &Scale, row: &Row, cell: &Cell, y: f64) {
    match cell {
        Cell::Words(words) | Cell::Unknown(words) => {
            let style = if matches!(cell, Cell::Words(_)) { WORDS } else { FAINT };
            let at = (scale.zero + 5.0, y + BASE);
            let room = scale.right - at.0;
            let fits = canvas.fonts.width(words, style) <= room;
            let kind = words.split(": ").next().unwrap_or(words);
            canvas.text(if fits { words } else { kind }, at, style, Anchor::Start);
        }
        Cell::Bar(bar) => {
            let length = scale.place(bar.value) - scale.zero;
            let area = Area { x: scale.zero, y: y + 4.5, width: length, height: BAR };
            let track = scale.full.map_or(0.0, |full| {
                let width = full * scale.points_per_unit;
                canvas.fill(Area { width, ..area }, TRACK);
                scale.zero + width
            });
            if row.hatched {
                canvas.hatch(area, &row.colour);
            } else {
                canvas.fill(area, &row.colour);
            }
            let end = whisker(canvas, |value| scale.place(value), bar, y + 4.5).max(track);
            let at = (end + LABEL_GAP, y + BASE);
            let label = scale.shown.label(bar.value);
            let width = canvas.text(&label, at, VALUE, Anchor::Start);
            canvas.text(&bar.beside, (at.0 + width + LABEL_GAP, at.1), FAINT, Anchor::Start);
        }
    }
}

/// The thin marks behind a bar; where they end comes back.
fn whisker(canvas: &mut Canvas, place: impl Fn(f64) -> f64, bar: &Bar, top: f64) -> f64 {
    let middle = top + BAR / 2.0;
    if let Some(highest) = bar.highest {
        let end = place(highest);
        canvas.line((place(bar.value), middle), (end, middle), INK, 1.0);
        canvas.line((end, middle - 2.5), (end, middle + 2.5), INK, 1.0);
    }
    if let Some(median) = bar.median {
        let x = place(median);
        canvas.line((x, top - 1.0), (x, top + BAR + 1.0), INK, 1.6);
    }
    place(bar.end())
}

impl Frame {
    fn new(canvas: &Canvas, grid: &Grid) -> Self {
        let left = MARGIN;
        let has_tiers = grid.rows().any(|row| row.tier.is_some());
        let name = left + if has_tiers { 32.0 } else { 0.0 };
        let width_of = |row: &Row| {
            canvas.fonts.width(&row.name, NAME) + 4.0 + canvas.fonts.width(&marks(row), MARK)
        };
        let names = grid.rows().map(width_of).fold(0.0, f64::max).min(WIDEST_NAME);
        let tag = name + names + 10.0;
        let tags = grid.rows().map(|row| canvas.fonts.width(&row.tag, FAINT)).fold(0.0, f64::max);
        let columns = if tags > 0.0 { tag + tags + 12.0 } else { tag + 2.0 };
        let right = canvas.width - MARGIN;
        let most =
            (((right - columns + GUTTER) / (narrowest(canvas, grid) + GUTTER)) as usize).max(1);
        // Bands of the same number of columns, as far as they go.
        let bands = grid.columns.len().div_ceil(most).max(1);
        let across = grid.columns.len().div_ceil(bands).max(1);
        Frame { left, name, tag, columns, right, across }
    }

    fn name_lines(&self, canvas: &Canvas, row: &Row) -> Vec<String> {
        let room = self.tag - self.name - 14.0 - canvas.fonts.width(&marks(row), MARK);
        canvas.fonts.wrap(&row.name, NAME, room + 4.5)
    }

    fn row_height(&self, canvas: &Canvas, row: &Row) -> f64 {
        row_height(self.name_lines(canvas, row).len())
    }
}

/// The narrowest column that leaves a bar room beside its label.
fn narrowest(canvas: &Canvas, grid: &Grid) -> f64 {
    let of = |column: usize| {
        let shown = grid.columns[column].unit.shown(grid.smallest(column), grid.largest(column));
        let label = |bar| label_width(canvas, shown, bar);
        grid.bars(column).map(label).fold(0.0, f64::max)
    };
    let labels = (0..grid.columns.len()).map(of).fold(0.0, f64::max);
    labels + SHORTEST_BAR
}

/// Room for all that is said behind a bar.
fn label_width(canvas: &Canvas, shown: Shown, bar: &Bar) -> f64 {
    let beside = match bar.beside.as_str() {
        "" => 0.0,
        beside => LABEL_GAP + canvas.fonts.width(beside, FAINT),
    };
    LABEL_GAP + canvas.fonts.width(&shown.label(bar.value), VALUE) + beside
}

fn row_height(lines: usize) -> f64 {
    ROW + LINE * (lines - 1) as f64
}

/// The numbers of a row's notes.
fn marks(row: &Row) -> String {
    row.notes.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
}

impl Scale {
    fn new(canvas: &Canvas, grid: &Grid, frame: &Frame, column: usize, place: usize) -> Self {
        let step = (frame.right - frame.columns + GUTTER) / frame.across as f64;
        let zero = frame.columns + step * place as f64;
        let right = zero + step - GUTTER;
        let alike: Vec<usize> =
            if grid.one_scale { (0..grid.columns.len()).collect() } else { vec![column] };
        let largest = alike.iter().map(|&column| grid.largest(column)).fold(0.0, f64::max);
        let smallest =
            alike.iter().map(|&column| grid.smallest(column)).fold(f64::INFINITY, f64::min);
        let shown = grid.columns[column].unit.shown(smallest, largest);
        // Every bar must leave room for its own label.
        let full = grid.columns[column].full;
        let fits = |bar: &Bar| {
            let room = right - zero - 1.0 - label_width(canvas, shown, bar);
            room / full.unwrap_or(0.0).max(bar.end()).max(0.0)
        };
        let bars = alike.iter().flat_map(|&column| grid.bars(column));
        let points = bars.map(fits).chain([(right - zero) / largest]).fold(f64::INFINITY, f64::min);
        let points_per_unit = if points.is_finite() { points.max(0.0) } else { 0.0 };
        Scale { zero, right, points_per_unit, shown, end: largest, full }
    }

    /// The numbers above the lines.
    fn numbers(&self, canvas: &mut Canvas, y: f64) {
        for (x, label) in self.ticks() {
            // The one of zero stands where the title of the column begins.
            let anchor = if x == self.zero { Anchor::Start } else { Anchor::Middle };
            canvas.text(&label, (x, y), FAINT, anchor);
        }
    }

    /// The lines behind the bars of a block.
    fn lines(&self, canvas: &mut Canvas, top: f64, bottom: f64) {
        for (x, _) in self.ticks() {
            canvas.line((x, top), (x, bottom), TICK_LINE, 1.0);
        }
    }

    /// Where a number is; zero and all that is below it are at the left end.
    fn place(&self, value: f64) -> f64 {
        self.zero + (value * self.points_per_unit).max(0.0)
    }

    fn ticks(&self) -> Vec<(f64, String)> {
        if self.end <= 0.0 {
            return Vec::new();
        }
        let most = ((self.end * self.points_per_unit / TICK) as usize).clamp(2, 6);
        let ticks = self.shown.ticks(self.end, most).into_iter();
        ticks.map(|(value, label)| (self.place(value), label)).collect()
    }
}

/// A sample of a bar for the legend.
pub(super) fn sample(canvas: &mut Canvas, at: (f64, f64), hatched: bool, marked: bool) {
    let area = Area { x: at.0, y: at.1 - 9.0, width: 22.0, height: BAR };
    if hatched {
        canvas.hatch(area, SAMPLE);
    } else {
        canvas.fill(area, SAMPLE);
    }
    if marked {
        let bar = Bar { median: Some(28.0), highest: Some(42.0), ..Bar::of(area.width) };
        whisker(canvas, |value| at.0 + value, &bar, area.y);
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            font::Fonts,
            grid::{Column, Row},
            number::Unit,
        },
        *,
    };

    fn row(name: &str, colour: &str, bar: Bar) -> Row {
        Row {
            name: name.into(),
            tag: String::new(),
            notes: Vec::new(),
            tier: None,
            colour: colour.into(),
            hatched: false,
            cells: vec![Cell::Bar(bar)],
        }
    }

    /// `x` and `width` of the bar of this colour.
    fn bar(svg: &str, colour: &str) -> [f64; 2] {
        let end = format!("fill=\"{colour}\"/>");
        let line = svg.lines().find(|line| line.starts_with("<rect x=") && line.ends_with(&end));
        ["x", "width"].map(|name| {
            let value = line.unwrap().split(&format!(" {name}=\"")).nth(1).unwrap();
            value.split('"').next().unwrap().parse().unwrap()
        })
    }

    #[test]
    fn bars_begin_at_zero_and_are_as_long_as_their_numbers() {
        let whisker = Bar { median: Some(4e6), highest: Some(9e6), ..Bar::of(3e6) };
        let rows = vec![row("a", "#010101", Bar::of(1e6)), row("b", "#020202", whisker)];
        let grid = Grid {
            columns: vec![Column { title: "c".into(), unit: Unit::Time, full: None }],
            blocks: vec![Block { title: "both".into(), rows }],
            ..Grid::default()
        };
        let mut canvas = Canvas::new(Fonts::load().unwrap(), WIDTH);
        let height = draw(&mut canvas, &grid, 0.0);
        let svg = canvas.svg("", height);
        let ([x_a, a], [x_b, b]) = (bar(&svg, "#010101"), bar(&svg, "#020202"));
        assert_eq!(x_a, x_b);
        assert!((b / a - 3.0).abs() < 0.01, "{a} {b}");
        assert!(x_b + 3.0 * b <= WIDTH - MARGIN, "the whisker has room");
    }
}
