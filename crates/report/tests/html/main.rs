//! The report in a headless Chromium: it loads, it answers to keys and mouse, and its numbers are those of the record.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod browser;
mod example;
mod numbers;
mod spoiled;

use std::{
    env, fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::Command,
};

use browser::Browser;
use example::{Example, HOSTILE};
use serde_json::json;
use tempfile::TempDir;

/// An example's report, opened.
struct Opened {
    browser: Browser,
    /// Of the file in bytes.
    size: u64,
    _folder: TempDir,
}

/// Makes a report with the program under test and opens it; `None` if this machine has no browser.
fn open(example: &Example) -> Option<Opened> {
    let (program, echarts) = needed()?;
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("2027-01-15");
    fs::create_dir(&record).unwrap();
    example.write(&record);
    Some(open_record(&program, &echarts, &record, folder))
}

fn open_record(program: &str, echarts: &Path, record: &Path, folder: TempDir) -> Opened {
    let page = folder.path().join("report.html");
    let made = Command::new(env!("CARGO_BIN_EXE_report"))
        .arg("html")
        .arg("--record")
        .arg(record)
        .arg("--out")
        .arg(&page)
        .arg("--echarts")
        .arg(echarts)
        .status()
        .unwrap();
    assert!(made.success());
    let mut browser = Browser::start(program);
    browser.open(&page);
    Opened { browser, size: fs::metadata(&page).unwrap().len(), _folder: folder }
}

/// The browser and the chart library; without one of them a test is skipped, and says so, or fails if `PACKBENCH_CI` is 1.
fn needed() -> Option<(String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let echarts = root.join("vendor/fetched/echarts/echarts.common.min.js");
    let lacks = match Browser::program() {
        None => {
            "no Chromium\n  fix: apt-get install chromium, or name a program in PACKBENCH_CHROMIUM"
        }
        Some(_) if !echarts.is_file() => "no chart library\n  fix: cargo xtask vendor echarts",
        Some(program) => return Some((program, echarts)),
    };
    let is_ci = env::var("PACKBENCH_CI").is_ok_and(|value| value == "1");
    assert!(!is_ci, "the report cannot be tested: {lacks}");
    skipped(lacks);
    None
}

/// Says so past the test runner, which keeps to itself what a test that passes prints.
fn skipped(why: &str) {
    let line = format!("SKIPPED: a test of the report: {why}\n");
    io::stderr().write_all(line.as_bytes()).unwrap();
}

#[test]
fn it_loads_without_a_complaint_and_asks_nothing_of_the_network() {
    let Some(Opened { mut browser, size, .. }) = open(&Example::new(7, None).asked()) else {
        return;
    };
    assert_eq!(browser.complaints(), [""; 0]);
    assert!(size < 2_000_000, "{size} bytes");
    assert_eq!(browser.texts("h2").len(), 7);
    assert_eq!(browser.eval("document.title"), "packbench report");
    // Both classes of both operations, process values, and the canary.
    let drawn = browser.eval("[...document.querySelectorAll('.chart')].filter((node) => node.querySelector('canvas')).length");
    assert_eq!(drawn, 6);
}

#[test]
fn nothing_is_wider_than_the_page() {
    let Some(Opened { mut browser, .. }) = open(&Example::new(7, None).asked()) else { return };
    for width in [1400, 800, 400] {
        browser.resize(width);
        let page = browser.eval("document.documentElement.scrollWidth").as_u64().unwrap();
        assert!(page <= width.into(), "{page} pixels at a width of {width}");
    }
}

#[test]
fn a_head_sorts_upwards_then_downwards_then_not_at_all() {
    let Some(Opened { mut browser, .. }) = open(&Example::new(7, None)) else { return };
    let codecs = "#table-parse tbody th";
    let ranked = [
        "alpha/tree",
        "beta/view",
        "gamma/dom",
        "alpha/tree-again",
        "beta/tree-reused",
        "control/harness/nothing",
    ];
    let plain = browser.texts(codecs);
    assert_eq!(plain.len(), ranked.len());
    let head = "#table-parse thead th:nth-child(5)";
    let mut sorted = Vec::new();
    for direction in ["ascending", "descending", "none"] {
        browser.click(&format!("{head} button"));
        let said = browser.eval(&format!("document.querySelector('{head}').ariaSort"));
        assert_eq!(said, direction);
        sorted.push(browser.texts(codecs));
    }
    let by_time = [
        "control/harness/nothing",
        "alpha/tree",
        "alpha/tree-again",
        "beta/tree-reused",
        "beta/view",
        "gamma/dom",
    ];
    assert_eq!(sorted[0], by_time);
    // What has no number stands last in both directions.
    assert_eq!(
        sorted[1],
        [
            "beta/view",
            "beta/tree-reused",
            "alpha/tree-again",
            "alpha/tree",
            "control/harness/nothing",
            "gamma/dom"
        ]
    );
    assert_eq!(sorted[2], plain);
}

#[test]
fn a_head_sorts_by_the_keyboard() {
    let Some(Opened { mut browser, .. }) = open(&Example::new(7, None)) else { return };
    browser.eval("document.querySelector('#table-parse thead button').focus()");
    browser.press("Enter");
    let said = browser.eval("document.querySelector('#table-parse thead th').ariaSort");
    assert_eq!(said, "ascending");
    let codecs = browser.texts("#table-parse tbody th");
    assert!(codecs.is_sorted(), "{codecs:?}");
}

#[test]
fn words_filter_rows_and_the_number_of_rows_follows() {
    let Some(Opened { mut browser, .. }) = open(&Example::new(7, None)) else { return };
    browser.click("#table-parse-filter");
    browser.write("beta zero");
    assert_eq!(browser.texts("#table-parse tbody th"), ["beta/view"]);
    assert_eq!(browser.texts("output[for=table-parse-filter]"), ["1 of 6 rows"]);
    assert_eq!(browser.texts("#table-read tbody th").len(), 6, "other tables keep their rows");
    browser.write(" nowhere");
    assert_eq!(browser.texts("#table-parse tbody th"), [""; 0]);
}

#[test]
fn values_appear_on_hover() {
    let Some(Opened { mut browser, .. }) = open(&Example::new(7, None)) else { return };
    browser.hover("#timing figure .chart", 0.5, 20.0);
    let words = browser.texts(".hover").join("\n");
    for word in ["alpha/tree, overall", "minimum", "median", "spread"] {
        assert!(words.contains(word), "{words}");
    }
}

#[test]
fn the_charts_follow_the_choice_of_a_dataset() {
    let Some(Opened { mut browser, .. }) = open(&Example::new(7, None)) else { return };
    browser.choose("#timing-dataset", "short");
    browser.hover("#timing figure .chart", 0.5, 20.0);
    assert!(browser.texts(".hover").join("\n").contains("alpha/tree, short"));
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn a_case_says_what_was_expected_and_what_came_whatever_its_text() {
    let Some(Opened { mut browser, .. }) = open(&Example::new(7, None).asked()) else { return };
    let sign = "#table-matrix button.failed";
    browser.click(sign);
    let detail = browser.texts("#case-detail").join("\n");
    for text in [
        "beta/view: ext/empty",
        "accepted as ext/empty",
        HOSTILE,
        "reported to its authors",
        "2.00 KiB",
    ] {
        assert!(detail.contains(text), "`{text}` is not in:\n{detail}");
    }
    let title = browser.eval(&format!("document.querySelector({}).title", json!(sign)));
    assert!(title.as_str().unwrap().ends_with(HOSTILE), "{title}");
    assert_eq!(browser.eval("document.title"), "packbench report");

    browser.press("ArrowLeft");
    assert!(browser.texts("#case-detail").join("\n").contains("alpha/tree: ext/empty"));
    browser.press("ArrowUp");
    assert!(browser.texts("#case-detail").join("\n").contains("alpha/tree: integer/fixint-zero"));
}

#[test]
fn the_matrix_is_filtered_by_verdict_category_and_words() {
    let Some(Opened { mut browser, .. }) = open(&Example::new(7, None).asked()) else { return };
    let cases = "#table-matrix tbody th";
    assert_eq!(browser.texts(cases).len(), 4);
    browser.choose("#matrix-verdict", "failed by some");
    assert_eq!(browser.texts(cases), ["ext/empty"]);
    browser.choose("#matrix-verdict", "any");
    browser.choose("#matrix-category", "not scored");
    assert_eq!(browser.texts(cases), ["limits/array-of-many", "behaviour/odd-string"]);
    browser.click("#table-matrix-filter");
    browser.write("limits/");
    assert_eq!(browser.texts(cases), ["limits/array-of-many"]);
}

#[test]
fn answers_to_every_question_are_there() {
    let Some(Opened { mut browser, .. }) = open(&Example::new(7, None).asked()) else { return };
    let row = |name: &str| format!("#table-{name} tbody tr");
    assert_eq!(browser.texts(&row("scores"))[1], "beta/view\t2/2\t0/2\t2/4");
    assert_eq!(browser.texts(&row("behaviour"))[0], "alpha/tree\tboth");
    assert_eq!(
        browser.texts(&row("limits"))[2],
        "array-of-many\tbeta/tree-reused\tpassed\taccepted\t3.00 KiB\t50.0 µs"
    );
    assert_eq!(browser.texts(&row("suite"))[2], "beta/tree-reused\t0\t1\t1");
    assert_eq!(
        browser.texts(&row("suite-findings")),
        ["10-nil/0/0\tbeta/tree-reused\tchanged: at $"]
    );
    assert_eq!(
        browser.texts(&row("fuzz"))[1],
        "beta/view\t100\taccepted-invalid\tc1 is never used\tc1\t7"
    );
    assert_eq!(
        browser.texts(&row("machine"))[0],
        "governor\tgood\tsomething\t–\tit matters\tsomewhere"
    );
    let method = browser.texts("#method").join("\n");
    for text in [&u64::MAX.to_string(), "rustc of these tests", "-C target-cpu=native"] {
        assert!(method.contains(text), "`{text}` is not in:\n{method}");
    }
    assert!(browser.texts(&row("codecs"))[0].contains("10 days"), "the age of a pin");
}

#[test]
fn the_reference_record_makes_a_page_of_less_than_two_megabytes() {
    let Some((program, echarts)) = needed() else { return };
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/reference");
    let folder = tempfile::tempdir().unwrap();
    let Opened { mut browser, size, .. } = open_record(&program, &echarts, &reference, folder);
    assert_eq!(browser.complaints(), [""; 0]);
    assert!(size < 2_000_000, "{size} bytes");
    assert_eq!(browser.texts("#conformance .missing"), [""; 0]);
}
