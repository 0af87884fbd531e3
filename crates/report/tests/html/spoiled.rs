//! Records that lack something: the page still loads, and says what it lacks.

use protocol::{machine::Answer, outcome::Outcome, run::Profile};

use super::{
    Opened,
    example::{DATASETS, Example, OPERATIONS, check},
    open,
};

/// Opens the report of a record and returns what it says first.
fn notes(example: &Example) -> Option<(Opened, String)> {
    let mut opened = open(example)?;
    assert_eq!(opened.browser.complaints(), [""; 0]);
    let notes = opened.browser.texts("#notes").join("\n");
    Some((opened, notes))
}

#[track_caller]
fn assert_says(notes: &str, sentences: &[&str]) {
    for sentence in sentences {
        assert!(notes.contains(sentence), "`{sentence}` is not in:\n{notes}");
    }
}

#[test]
fn a_codec_that_was_not_built_and_a_void_round_are_named() {
    let Some((mut opened, notes)) = notes(&Example::new(8, Some(2)).asked()) else { return };
    assert_says(
        &notes,
        &[
            "gamma/dom was not measured: not-built: no compiler",
            "parse: 1 round was void",
            "no answers to conformance cases by gamma/dom",
        ],
    );
    let row = opened.browser.texts("#table-parse tbody tr").join("\n");
    assert!(row.contains("not-built: no compiler"), "{row}");
}

#[test]
fn a_crash_costs_its_own_rows_and_nothing_else() {
    let mut example = Example::new(7, None);
    for row in &mut example.rows {
        let measurement = &mut row.measurement;
        if row.codec == "msgpack/beta/view"
            && row.operation == OPERATIONS[0]
            && measurement.dataset == DATASETS[1].0
        {
            measurement.outcome = Outcome::Crashed("SIGSEGV".into());
            measurement.samples_ns.clear();
            measurement.counters = None;
        }
    }
    let Some((mut opened, notes)) = notes(&example) else { return };
    assert_says(
        &notes,
        &["beta/view gave no number for parse of made-up/short: crashed: SIGSEGV (7×)"],
    );
    let browser = &mut opened.browser;
    browser.click("#table-parse-filter");
    browser.write("beta/view");
    let row = browser.texts("#table-parse tbody tr").join("\n");
    assert!(row.contains("short crashed: SIGSEGV (7×)"), "{row}");
    let has = |column: usize| {
        format!(
            "document.querySelectorAll('#table-parse tbody tr:not([hidden]) > *')[{column}].dataset.value ?? null"
        )
    };
    assert!(browser.eval(&has(4)).is_null(), "a sum without all of its parts");
    assert!(browser.eval(&has(9)).is_string(), "the dataset that did not crash");
    browser.choose("#pair-codec", "beta/view");
    browser.choose("#pair-base", "alpha/tree");
    assert!(browser.texts("#pair-verdict")[0].contains("no round has both"));
}

#[test]
fn a_single_round_gives_numbers_and_no_verdicts() {
    let Some((mut opened, notes)) = notes(&Example::new(1, None)) else { return };
    assert_says(&notes, &["parse has 1 of the 6 rounds that the verdict on a pair needs"]);
    let browser = &mut opened.browser;
    assert!(browser.texts("#timing")[0].contains("1 round; no difference could be resolved"));
    assert!(browser.texts("#pair-verdict")[0].contains("1 of the 6 rounds that a verdict needs"));
    let tiers = browser.eval("[...document.querySelectorAll('#table-parse tbody tr')].filter((row) => row.cells[3].dataset.value).length");
    assert_eq!(tiers, 0);
}

#[test]
fn page_faults_and_a_bad_machine_are_said_first() {
    let mut example = Example::new(7, None);
    for row in example.rows.iter_mut().filter(|row| row.codec == "msgpack/alpha/tree") {
        if let Some(counters) = &mut row.measurement.counters {
            counters.minor_faults = 30;
        }
    }
    example.machine.checks.push(check("boost", Answer::Bad, Some("turn it off")));
    example.machine.checks.push(check("steal time", Answer::Unknown, None));
    let Some((mut opened, notes)) = notes(&example) else { return };
    assert_says(
        &notes,
        &[
            "NOISY, measured all the same: boost",
            "unknown of the machine: steal time",
            "read: page faults on the clock of alpha/tree",
        ],
    );
    let browser = &mut opened.browser;
    assert_eq!(browser.texts(".stamp"), ["NOISY"]);
    assert!(browser.texts("#machine")[0].contains("turn it off"));
    assert!(browser.texts("#table-parse tbody tr")[0].contains("page faults/op"));
}

#[test]
fn without_conformance_canary_or_samples_the_page_says_so() {
    let mut example = Example::new(7, None);
    example.canary.clear();
    example.rows.retain(|row| row.operation == OPERATIONS[0]);
    let Some((mut opened, notes)) = notes(&example) else { return };
    assert_says(
        &notes,
        &[
            "read has no samples",
            "no canary",
            "no answers to conformance cases in this record",
            "no answers to random messages in this record",
        ],
    );
    let browser = &mut opened.browser;
    assert_eq!(browser.texts("#conformance .missing").len(), 6);
    assert!(browser.texts("#timing")[0].contains("Nothing was measured for read."));
    assert_eq!(browser.texts("#method .missing"), ["No canary ran in this record."]);
}

#[test]
fn a_record_that_holds_nothing_still_loads() {
    let mut example = Example::new(1, None);
    example.rows.clear();
    example.canary.clear();
    example.run.codecs.clear();
    example.run.datasets.clear();
    example.run.operations.clear();
    example.run.profile = Profile::Quick;
    example.machine.checks.clear();
    let Some((mut opened, notes)) = notes(&example) else { return };
    assert_says(&notes, &["--quick: a look, no evidence"]);
    for part in ["timing", "strip", "pair", "conformance", "codecs", "machine"] {
        assert_ne!(opened.browser.texts(&format!("#{part} .missing")), [""; 0], "{part}");
    }
}
