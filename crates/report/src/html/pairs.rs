//! The verdict on every pair of codecs, each looked at by itself.

use analysis::{Compared, is_control, within_run};
use protocol::run::{Pair, Stored};
use serde_json::{Value, json};
use verdict::Word;

use super::{cells, plain};

/// All words that a verdict may be.
const WORDS: [Word; 4] = [Word::Faster, Word::Slower, Word::Same, Word::NotResolved];

/// Every pair, with what belongs to all of them.
pub(super) fn pairs(stored: &Stored) -> Value {
    json!({
        "words": WORDS.map(|word| word.to_string()),
        "rounds_needed": verdict::fewest_rounds(1),
        "all": all(stored),
    })
}

/// Every pair once, the later codec of the run against the earlier; the page turns it round.
///
/// `[codec, base, verdicts]`, with codecs by their places in the run and verdicts by operation and cell.
fn all(stored: &Stored) -> Vec<Value> {
    let codecs: Vec<(usize, &str)> = stored
        .run
        .codecs
        .iter()
        .enumerate()
        .filter(|(_, codec)| codec.excluded.is_none() && !is_control(&codec.id))
        .map(|(place, codec)| (place, codec.id.as_str()))
        .collect();
    let mut pairs = Vec::new();
    for (index, (codec, id)) in codecs.iter().enumerate() {
        for (base, base_id) in &codecs[..index] {
            let pair = Pair { codec: (*id).into(), base: (*base_id).into() };
            // One pair for each call: the interval is that of a pair by itself.
            let compared = within_run(stored, &[pair]);
            pairs.push(json!([codec, base, by_operation(stored, &compared)]));
        }
    }
    pairs
}

fn by_operation(stored: &Stored, compared: &[Compared]) -> Vec<Vec<Value>> {
    let cells = cells(&stored.run);
    let operations = stored.run.operations.iter().map(|&operation| {
        let of = |dataset: &Option<String>| {
            compared.iter().find(|one| one.operation == operation && one.dataset == *dataset)
        };
        cells.iter().map(|cell| of(&cell.dataset).map_or(Value::Null, verdict)).collect()
    });
    operations.collect()
}

/// `[ratio, low, high, word, margin, rounds]`, the word by its place in [`WORDS`]; nothing where a side lacks values.
///
/// Ratios have five digits behind the point, because forty codecs make twelve thousand of these.
fn verdict(compared: &Compared) -> Value {
    let Some(seen) = compared.comparison else { return Value::Null };
    let short = |ratio: f64| (ratio * 1e5).round() / 1e5;
    let interval = seen.interval.ok();
    json!([
        short(seen.ratio),
        interval.map(|interval| short(interval.low)),
        interval.map(|interval| short(interval.high)),
        WORDS.iter().position(|word| *word == compared.word),
        plain(compared.margin),
        seen.rounds,
    ])
}
