//! One colour for each library, the same in every picture and report.

use std::collections::BTreeMap;

use analysis::is_control;
use protocol::run::Run;

/// Colours that the colour-blind can tell apart, without black and yellow, which text and paper take.
/// Source: Okabe and Ito, Color Universal Design, 2008.
const FIRST: [&str; 6] = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"];

/// Degrees from one further hue to the next: the golden angle, which never comes back to where it was.
const STEP: f64 = 137.508;

/// The colour of each library that competes, by its id without the variant.
///
/// They are given out by the order of the names, so that the order of a run changes nothing.
pub(crate) fn colours(run: &Run) -> BTreeMap<String, String> {
    let competing = run.codecs.iter().filter(|codec| !is_control(&codec.id));
    let mut colours: BTreeMap<String, String> =
        competing.map(|codec| (library(&codec.id).to_owned(), String::new())).collect();
    for (place, given) in colours.values_mut().enumerate() {
        *given = colour(place);
    }
    colours
}

/// `format/library` of an id.
pub(crate) fn library(id: &str) -> &str {
    id.rsplit_once('/').map_or(id, |(library, _)| library)
}

fn colour(place: usize) -> String {
    match FIRST.get(place) {
        Some(colour) => (*colour).to_owned(),
        None => {
            let further = place - FIRST.len();
            let lightness = [38, 55, 68][further % 3];
            format!("hsl({:.0}, 55%, {lightness}%)", (further as f64 * STEP + 290.0) % 360.0)
        }
    }
}

#[test]
fn forty_libraries_have_forty_colours() {
    let all: std::collections::BTreeSet<String> = (0..40).map(colour).collect();
    assert_eq!(all.len(), 40);
}
