//! Numbers of the page against the samples, added up here once more.

use protocol::job::Operation;

use super::{
    Opened,
    example::{CODECS, DATASETS, Example, OPERATIONS},
    open,
};
use crate::browser::Browser;

/// Rounds of the example, and the one of them that is void for the first operation.
const ROUNDS: u32 = 8;
const VOID: u32 = 2;

/// A process value by the rule of `results/README.md`, in nanoseconds.
fn process_value(
    example: &Example,
    codec: &str,
    operation: Operation,
    dataset: usize,
    round: u32,
) -> f64 {
    let is_it = |row: &&protocol::record::Row| {
        row.codec == codec
            && row.operation == operation
            && row.round == round
            && row.measurement.dataset == DATASETS[dataset].0
    };
    let row = example.rows.iter().find(is_it).unwrap();
    *row.measurement.samples_ns.iter().min().unwrap() as f64 / DATASETS[dataset].1 as f64
}

fn used(operation: Operation) -> Vec<u32> {
    let rounds = if operation == OPERATIONS[0] { ROUNDS } else { ROUNDS - 1 };
    (0..rounds).filter(|&round| operation != OPERATIONS[0] || round != VOID).collect()
}

/// By round that counts: of one dataset, or of all together.
fn values(
    example: &Example,
    codec: &str,
    operation: Operation,
    dataset: Option<usize>,
) -> Vec<f64> {
    let value = |round| match dataset {
        Some(dataset) => process_value(example, codec, operation, dataset, round),
        None => (0..DATASETS.len())
            .map(|place| process_value(example, codec, operation, place, round))
            .sum(),
    };
    used(operation).into_iter().map(value).collect()
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

/// The number that a table sorts by, and the text that stands there.
fn cell(browser: &mut Browser, table: &str, codec: &str, column: &str) -> (f64, String) {
    let found = browser.eval(&format!(
        "(() => {{ const table = document.getElementById('{table}'); const heads = [...table.querySelectorAll('thead th')].map((head) => head.innerText.split(/\\s/)[0]); const row = [...table.querySelectorAll('tbody tr')].find((row) => row.cells[0].innerText.trim() === '{codec}'); const cell = row.cells[heads.indexOf('{column}')]; return [cell.dataset.value, cell.innerText]; }})()"
    ));
    (found[0].as_str().unwrap().parse().unwrap(), found[1].as_str().unwrap().to_owned())
}

fn short(codec: &str) -> &str {
    codec.strip_prefix("msgpack/").unwrap_or(codec)
}

#[track_caller]
fn assert_near(seen: f64, expected: f64) {
    assert!((seen - expected).abs() <= 0.0011, "{seen} instead of {expected}");
}

#[test]
fn minimum_median_spread_ratio_and_rate_are_those_of_the_samples() {
    let example = Example::new(ROUNDS, Some(VOID));
    let Some(Opened { mut browser, .. }) = open(&example) else { return };
    for operation in OPERATIONS {
        let table = format!("table-{operation}");
        for (codec, _) in CODECS {
            let all = sorted(values(&example, codec, operation, None));
            let name = short(codec);
            assert_near(cell(&mut browser, &table, name, "overall").0, all[0]);
            assert_near(cell(&mut browser, &table, name, "median").0, all[all.len() / 2]);
            let (spread, text) = cell(&mut browser, &table, name, "spread");
            assert_near(spread, all[all.len() - 1] / all[0] - 1.0);
            assert_eq!(text, format!("{:.1} %", spread * 100.0));
            for (place, (dataset, _)) in DATASETS.into_iter().enumerate() {
                let own = sorted(values(&example, codec, operation, Some(place)));
                let column = dataset.rsplit('/').next().unwrap();
                assert_near(cell(&mut browser, &table, name, column).0, own[0]);
            }
        }
        let best = |codec| sorted(values(&example, codec, operation, None))[0];
        let (fresh, slower) = (best("msgpack/alpha/tree"), best("msgpack/beta/view"));
        let (ratio, text) = cell(&mut browser, &table, "beta/view", "ratio");
        assert_near(ratio, slower / fresh);
        assert_eq!(text, format!("{ratio:.2}"));
        assert_eq!(cell(&mut browser, &table, "beta/tree-reused", "ratio").1, "1.00");
        // Two messages of 1000 bytes; bytes per nanosecond are thousands of MB/s.
        let (_, text) = cell(&mut browser, &table, "beta/view", "rate");
        let shown: f64 = text.parse().unwrap();
        assert!((shown - 2000.0 / slower * 1000.0).abs() < 0.006, "{text}");
        let (ns, text) = cell(&mut browser, &table, "beta/view", "overall");
        assert!((text.parse::<f64>().unwrap() - ns / 1e3).abs() <= 0.51, "{text} µs for {ns} ns");
    }
}

#[test]
fn the_strip_plot_follows_the_choice_and_shows_void_rounds_as_void() {
    let example = Example::new(ROUNDS, Some(VOID));
    let Some(Opened { mut browser, .. }) = open(&example) else { return };
    browser.choose("#strip-codec", "beta/view");
    browser.choose("#strip-operation", "parse");
    browser.choose("#strip-cell", "short");
    browser.click("#strip summary");
    let rows = browser.eval("[...document.querySelectorAll('#table-strip tbody tr')].map((row) => [...row.cells].map((cell) => cell.dataset.value))");
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), ROUNDS as usize);
    for (round, row) in rows.iter().enumerate() {
        let expected =
            process_value(&example, "msgpack/beta/view", Operation::Parse, 1, round as u32);
        assert_near(row[1].as_str().unwrap().parse().unwrap(), expected);
        assert_eq!(row[3], if round as u32 == VOID { "void" } else { "counts" });
    }
    assert!(browser.texts("#strip-words p")[0].starts_with("beta/view, parse of short: minimum "));
    assert!(browser.texts("#strip-words p")[0].ends_with(" over 7 rounds."));

    // A number in a table chooses too.
    browser.click("#table-read tbody button.cell");
    assert_eq!(
        browser.eval("document.getElementById('strip-operation').selectedOptions[0].text"),
        "read"
    );
    assert!(browser.texts("#strip-words p")[0].starts_with("alpha/tree, read of overall: "));
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn two_codecs_are_judged_as_a_pair_and_the_swap_turns_it_round() {
    let example = Example::new(ROUNDS, Some(VOID));
    let Some(Opened { mut browser, .. }) = open(&example) else { return };
    browser.choose("#pair-codec", "beta/view");
    browser.choose("#pair-base", "alpha/tree");
    let (ours, theirs) = ("msgpack/beta/view", "msgpack/alpha/tree");
    let row = |browser: &mut Browser| {
        let row = browser.eval("[...document.querySelector('#table-pair tbody tr').cells].map((cell) => cell.dataset.value)");
        let words: Vec<String> =
            row.as_array().unwrap().iter().map(|cell| cell.as_str().unwrap().to_owned()).collect();
        words
    };
    let ratios: Vec<f64> = values(&example, ours, Operation::Parse, None)
        .iter()
        .zip(values(&example, theirs, Operation::Parse, None))
        .map(|(a, b)| a / b)
        .collect();
    let ratios = sorted(ratios);
    let seen = row(&mut browser);
    assert_eq!(seen[..3], ["parse", "overall", "slower"]);
    // Seven rounds: the sign test at 95 % takes the outermost of them.
    for (place, expected) in [(3, ratios[3]), (4, ratios[0]), (5, ratios[6])] {
        assert!(
            (seen[place].parse::<f64>().unwrap() - expected).abs() < 2e-5,
            "{seen:?} {ratios:?}"
        );
    }
    assert_eq!((seen[6].as_str(), seen[7].as_str()), ("0.01", "7"));

    browser.click("#pair-swap");
    let turned = row(&mut browser);
    assert_eq!(turned[2], "faster");
    for (place, expected) in [(3, 1.0 / ratios[3]), (4, 1.0 / ratios[6]), (5, 1.0 / ratios[0])] {
        assert!(
            (turned[place].parse::<f64>().unwrap() - expected).abs() < 2e-5,
            "{turned:?} {ratios:?}"
        );
    }
    browser.choose("#pair-base", "alpha/tree");
    assert!(browser.texts("#pair-verdict")[0].contains("one and the same"));
    browser.choose("#pair-codec", "alpha/tree-again");
    assert_eq!(row(&mut browser)[2], "same", "a twin");
}
