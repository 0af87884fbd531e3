//! Page: title, warnings, legend, grids, notes and conditions, from the top to the foot.

use super::{
    bars,
    canvas::{Anchor, Canvas},
    font::Fonts,
    grid::{Grid, Notes},
    look::*,
};

/// All that one picture shows.
#[derive(Clone, Debug, Default)]
pub(super) struct Page {
    /// Name of its files.
    pub(super) name: String,
    pub(super) title: String,
    /// What it answers, in which unit.
    pub(super) question: String,
    /// What speaks against believing it.
    pub(super) warnings: Vec<String>,
    pub(super) legend: Vec<Key>,
    pub(super) grids: Vec<Grid>,
    pub(super) notes: Notes,
    /// What was measured, where and how.
    pub(super) conditions: Vec<String>,
}

/// A sign of the legend, with its meaning.
#[derive(Clone, Debug)]
pub(super) struct Key {
    pub(super) sign: Sign,
    pub(super) meaning: String,
}

/// What a legend explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Bar,
    MarkedBar,
    Hatched,
    Tier,
    Mark,
}

impl Key {
    pub(super) fn new(sign: Sign, meaning: &str) -> Self {
        Key { sign, meaning: meaning.to_owned() }
    }
}

/// Draws a page; the canvas and its height come back.
///
/// # Errors
///
/// A font that cannot be read.
pub(super) fn draw(page: &Page) -> anyhow::Result<(Canvas, f64)> {
    let mut canvas = Canvas::new(Fonts::load()?, WIDTH);
    let width = inner(&canvas);
    let mut y = 24.0;
    let mut paragraph = |canvas: &mut Canvas, text: &str, style, step: f64| {
        let lines = canvas.paragraph(text, (MARGIN, y + 0.8 * step), style, width, step);
        y += step * lines as f64;
    };
    paragraph(&mut canvas, &page.title, TITLE, 30.0);
    paragraph(&mut canvas, &page.question, QUESTION, 19.0);
    for warning in &page.warnings {
        paragraph(&mut canvas, warning, WARNING, 17.0);
    }
    y = legend(&mut canvas, &page.legend, y + 10.0);
    for grid in &page.grids {
        y = bars::draw(&mut canvas, grid, y + 18.0);
    }
    y += 8.0;
    canvas.line((MARGIN, y), (MARGIN + width, y), TICK_LINE, 1.0);
    y += 8.0;
    for (place, note) in page.notes.texts().iter().enumerate() {
        let number = (place + 1).to_string();
        canvas.text(&number, (MARGIN + 12.0, y + 9.0), MARK, Anchor::End);
        let at = (MARGIN + 17.0, y + 12.0);
        let lines = canvas.paragraph(note, at, SMALL, width - 17.0, 15.0);
        y += 15.0 * lines as f64;
    }
    if !page.notes.texts().is_empty() {
        y += 6.0;
    }
    for condition in &page.conditions {
        let lines = canvas.paragraph(condition, (MARGIN, y + 12.0), SMALL, width, 15.0);
        y += 15.0 * lines as f64;
    }
    Ok((canvas, y + 22.0))
}

fn legend(canvas: &mut Canvas, keys: &[Key], top: f64) -> f64 {
    let (mut x, mut y) = (MARGIN, top + 11.0);
    for key in keys {
        let sign = match key.sign {
            Sign::MarkedBar => 44.0,
            Sign::Bar | Sign::Hatched => 22.0,
            Sign::Tier => 16.0,
            Sign::Mark => 6.0,
        };
        let width = sign + 7.0 + canvas.fonts.width(&key.meaning, SMALL);
        if x > MARGIN && x + width > MARGIN + inner(canvas) {
            (x, y) = (MARGIN, y + 18.0);
        }
        match key.sign {
            Sign::MarkedBar | Sign::Bar | Sign::Hatched => {
                let hatched = key.sign == Sign::Hatched;
                bars::sample(canvas, (x, y), hatched, key.sign == Sign::MarkedBar);
            }
            Sign::Tier => {
                canvas.text("1", (x + 7.0, y), NUMBER_OF_TIER, Anchor::End);
                bars::bracket(canvas, x + 11.0, y - 11.0, y + 2.0);
            }
            Sign::Mark => {
                canvas.text("1", (x, y - 3.0), MARK, Anchor::Start);
            }
        }
        let room = MARGIN + inner(canvas) - x - sign - 7.0;
        let lines = canvas.paragraph(&key.meaning, (x + sign + 7.0, y), SMALL, room, 15.0);
        y += 15.0 * (lines - 1) as f64;
        x += width + 22.0;
    }
    if keys.is_empty() { top } else { y + 6.0 }
}
