//! Sizes and colours of everything in a picture, in points.

use super::{canvas::Canvas, font::Style};

pub(super) const WIDTH: f64 = 960.0;
pub(super) const MARGIN: f64 = 28.0;

pub(super) const INK: &str = "#1b1f24";
pub(super) const GREY: &str = "#5a6270";
pub(super) const AXIS: &str = "#8b93a1";
pub(super) const TICK_LINE: &str = "#e3e6ea";
pub(super) const STRIPE: &str = "#f3f5f8";
/// What is missing of a full bar.
pub(super) const TRACK: &str = "#e9ecf0";
pub(super) const SAMPLE: &str = "#6b7280";
const RED: &str = "#b3261e";

pub(super) const TITLE: Style = Style::bold(23.0, INK);
pub(super) const QUESTION: Style = Style::regular(13.5, GREY);
pub(super) const HEADING: Style = Style::bold(15.5, INK);
pub(super) const TITLE_OF_COLUMN: Style = Style::bold(12.0, INK);
pub(super) const TITLE_OF_BLOCK: Style = Style::bold(11.5, GREY);
pub(super) const NUMBER_OF_TIER: Style = Style::bold(12.5, GREY);
pub(super) const NAME: Style = Style::regular(12.5, INK);
pub(super) const MARK: Style = Style::regular(9.0, RED);
pub(super) const VALUE: Style = Style::regular(12.0, INK);
pub(super) const WORDS: Style = Style::regular(12.0, RED);
pub(super) const FAINT: Style = Style::regular(11.0, GREY);
pub(super) const SMALL: Style = Style::regular(11.5, GREY);
pub(super) const WARNING: Style = Style::bold(12.0, RED);

/// Height of a row with a name of one line, and of each further line.
pub(super) const ROW: f64 = 20.0;
pub(super) const LINE: f64 = 15.0;
/// From the top of a row to the foot of its letters.
pub(super) const BASE: f64 = 14.5;
pub(super) const BAR: f64 = 11.0;
pub(super) const BLOCK_TITLE: f64 = 22.0;
pub(super) const BLOCK_GAP: f64 = 8.0;
/// Between the end of a bar and its number.
pub(super) const LABEL_GAP: f64 = 6.0;
/// Between two columns.
pub(super) const GUTTER: f64 = 22.0;
/// The room for the longest bar beside its label, at the least.
pub(super) const SHORTEST_BAR: f64 = 90.0;
/// The widest name in one line.
pub(super) const WIDEST_NAME: f64 = 230.0;
/// The least room between two lines of a scale.
pub(super) const TICK: f64 = 60.0;

/// Width between the margins.
pub(super) fn inner(canvas: &Canvas) -> f64 {
    canvas.width - 2.0 * MARGIN
}
