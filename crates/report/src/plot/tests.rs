//! All pictures of whole records: nothing overlaps, nothing is cut, nothing is hidden.

mod example;

use std::{env, fs, path::Path};

use protocol::{METHOD, machine::Answer, outcome::Outcome, run::Profile};

use super::{
    canvas::{Area, Label},
    draw, page, pages, png, table,
};
use crate::record::Record;
use example::{check, record};

const FIRST: &str = "msgpack/alpha/tree";
const SECOND: &str = "msgpack/beta/dom";
const SMALL: [&str; 4] = [FIRST, SECOND, "msgpack/gamma/tree-reused", "control/harness/nothing"];

/// A record that is kept in `tests/records`; `UPDATE=1` makes it anew, as is needed when the form of records changes.
fn kept(name: &str, make: impl FnOnce() -> Record) -> Record {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records").join(name);
    if env::var_os("UPDATE").is_some() {
        example::write(&make(), &folder).unwrap();
    }
    Record::read(&folder).expect("`UPDATE=1 cargo test -p report` makes the kept records anew")
}

/// The texts of a picture, and its CSV, once it was looked at; `PICTURES=FOLDER` keeps all pictures.
fn looked_at(name: &str, record: &Record) -> Vec<(Vec<String>, String)> {
    if let Some(folder) = env::var_os("PICTURES") {
        draw(record, &Path::new(&folder).join(name)).unwrap();
    }
    let pages = pages(record);
    assert!(!pages.is_empty());
    pages
        .iter()
        .map(|page| {
            let (canvas, height) = page::draw(page).unwrap();
            let faults = faults(&canvas.labels, canvas.width, height);
            assert!(faults.is_empty(), "{}: {faults:#?}", page.name);
            let (again, _) = page::draw(page).unwrap();
            assert_eq!(canvas.svg("", height), again.svg("", height), "{}", page.name);
            let texts = canvas.labels.into_iter().map(|label| label.text).collect();
            (texts, table::csv(page).unwrap())
        })
        .collect()
}

/// Texts that overlap, and those that reach over the edge.
fn faults(labels: &[Label], width: f64, height: f64) -> Vec<String> {
    let inside = |area: Area| {
        area.x >= 0.0 && area.y >= 0.0 && area.right() <= width && area.bottom() <= height
    };
    let outside = labels.iter().filter(|label| !inside(label.area));
    let mut faults: Vec<String> =
        outside.map(|label| format!("`{}` is cut: {:?}", label.text, label.area)).collect();
    for (place, a) in labels.iter().enumerate() {
        for b in labels[place + 1..].iter().filter(|b| overlap(a.area, b.area)) {
            faults.push(format!("`{}` and `{}`: {:?}, {:?}", a.text, b.text, a.area, b.area));
        }
    }
    faults
}

fn overlap(a: Area, b: Area) -> bool {
    a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom()
}

fn lines<'c>(csv: &'c str, parts: &[&str]) -> Vec<&'c str> {
    csv.lines().filter(|line| parts.iter().all(|part| line.contains(part))).collect()
}

fn says(texts: &[String], words: &str) -> bool {
    texts.join(" ").contains(words)
}

#[test]
fn texts_that_overlap_or_are_cut_are_found() {
    let label = |x: f64, width: f64| Label {
        text: "a".into(),
        area: Area { x, y: 0.0, width, height: 10.0 },
    };
    assert_eq!(faults(&[label(0.0, 10.0), label(10.0, 10.0)], 20.0, 10.0).len(), 0);
    assert_eq!(faults(&[label(0.0, 11.0), label(10.0, 10.0)], 20.0, 10.0).len(), 1);
    assert_eq!(faults(&[label(0.0, 10.0), label(10.0, 11.0)], 20.0, 10.0).len(), 1);
}

#[test]
fn forty_codecs_and_six_datasets_are_all_drawn() {
    let ids: Vec<String> = (0..40)
        .map(|place| match place {
            7 => "msgpack/a-library-with-quite-a-long-name/and-a-variant-of-an-even-longer-name"
                .into(),
            place if place % 4 == 3 => format!("msgpack/library-{}/tree-reused", place - 1),
            place => format!("msgpack/library-{place}/tree"),
        })
        .chain(["msgpack/library-0/tree-again", "control/harness/nothing"].map(String::from))
        .collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let datasets =
        ["canada", "citm_catalog", "twitter", "a-dataset-of-a-very-long-name", "logs", "b"];
    let datasets = datasets.map(|name| format!("documents/{name}"));
    let mut record = record(&ids, &datasets.each_ref().map(String::as_str), 12);
    for row in record.stored.rows.iter_mut().filter(|row| row.codec == ids[5]) {
        row.measurement.samples_ns.iter_mut().for_each(|sample| *sample *= 40);
    }
    record.stored.run.codecs[9].excluded =
        Some(Outcome::NotBuilt("a compiler that says a great many words about it".into()));
    record.stored.rows.retain(|row| row.codec != ids[9]);
    for (texts, csv) in looked_at("forty", &record) {
        assert!(csv.lines().count() > 10);
        assert!(
            says(&texts, "Test 9000, 8 CPUs, 16 GiB") && says(&texts, &format!("METHOD {METHOD}"))
        );
    }
    let csv = &looked_at("forty", &record)[0].1;
    for dataset in &datasets {
        let name = dataset.rsplit('/').next().unwrap();
        assert_eq!(lines(csv, &["Each dataset", &format!("{name} · ")]).len(), 40, "{name}");
    }
    assert!(lines(csv, &["tree-again"]).is_empty(), "a twin is no contestant");
}

#[test]
fn a_codec_that_was_not_built_is_shown_with_that_word() {
    let record = kept("missing-codec", || {
        let mut record = record(&SMALL, &["g/one", "g/two"], 6);
        record.stored.run.codecs[1].excluded = Some(Outcome::NotBuilt("no compiler".into()));
        record.stored.run.codecs[1].outputs.clear();
        record.stored.run.codecs[1].programs.clear();
        record.stored.rows.retain(|row| row.codec != SECOND);
        record.conformance.cases.retain(|case| case.codec != SECOND);
        record
    });
    for (texts, csv) in looked_at("missing-codec", &record) {
        assert!(says(&texts, "not-built: no compiler"), "{texts:?}");
        let own = lines(&csv, &["beta"]);
        assert!(!own.is_empty() && own.iter().all(|line| line.contains("not-built")), "{own:?}");
    }
}

#[test]
fn a_crash_leaves_no_bar_for_its_dataset_and_none_for_the_sum() {
    let record = kept("crashed-row", || {
        let mut record = record(&SMALL, &["g/one", "g/two"], 6);
        let rows = record.stored.rows.iter_mut();
        for row in rows.filter(|row| row.codec == SECOND && row.measurement.dataset == "g/two") {
            row.measurement =
                protocol::record::Measurement::failed("g/two", Outcome::Crashed("SIGSEGV".into()));
        }
        record
    });
    let parse = &looked_at("crashed-row", &record)[0];
    assert!(says(&parse.0, "crashed: SIGSEGV") && says(&parse.0, "two crashed: SIGSEGV (6×)"));
    let own = lines(&parse.1, &["beta/dom"]);
    assert_eq!(own.len(), 3, "the sum and two datasets");
    assert!(own[0].contains(",,,,,no sum: two crashed: SIGSEGV,"), "{}", own[0]);
    assert!(own[1].contains(",ns,1000000,"), "{}", own[1]);
    assert!(own[2].contains(",,,,,crashed: SIGSEGV,"), "{}", own[2]);
}

#[test]
fn a_single_round_on_a_bad_machine_is_stamped_and_has_no_tiers() {
    let record = kept("single-round", || {
        let mut record = record(&SMALL, &["g/one", "g/two"], 1);
        record.stored.run.profile = Profile::Quick;
        record.stored.machine.replace(check("governor", Answer::Bad));
        record
    });
    for (texts, csv) in looked_at("single-round", &record) {
        assert!(says(&texts, "NOISY, measured all the same: governor"), "{texts:?}");
        assert!(says(&texts, "--quick: a look, no evidence"), "{texts:?}");
        assert!(!texts.iter().any(|text| text == "tier"), "{texts:?}");
        let bars = csv.lines().filter(|line| line.contains(",ns,"));
        // After the unit: value, median, highest.
        assert!(
            bars.clone().all(|line| line.split(",ns,").nth(1).unwrap().contains(",,,")),
            "{csv}"
        );
    }
    let parse = &looked_at("single-round", &record)[0];
    assert!(says(&parse.0, "1 round,") && says(&parse.0, "No tiers:"), "{:?}", parse.0);
}

#[test]
fn page_faults_and_a_lost_cpu_are_noted_at_the_row() {
    let record = kept("page-faults", || {
        let mut record = record(&SMALL, &["g/one", "g/two"], 6);
        for row in record.stored.rows.iter_mut().filter(|row| row.codec == FIRST) {
            let counters = row.measurement.counters.as_mut().unwrap();
            (counters.minor_faults, counters.waited_ns) = (3, Some(100_000));
        }
        record
    });
    let parse = &looked_at("page-faults", &record)[0];
    for note in ["alpha/tree: 1.50 page faults per operation", "waited 10 % of its time for a CPU"]
    {
        assert!(says(&parse.0, note), "{note}: {:?}", parse.0);
        assert!(lines(&parse.1, &["alpha/tree", "page faults"]).len() == 3);
    }
}

#[test]
fn rows_of_one_tier_stand_by_name_and_carry_one_mark() {
    // By rule the first two codecs are alike and the third is slower.
    let ids = ["msgpack/z/v", "msgpack/y/v", "msgpack/x/v"];
    let record = record(&ids, &["g/one", "g/two"], 9);
    let csv = &looked_at("tiers", &record)[0].1;
    let rows: Vec<Vec<&str>> =
        lines(csv, &["All datasets"]).iter().map(|line| line.split(',').collect()).collect();
    let ends: Vec<(bool, bool)> = rows
        .iter()
        .map(|row| (row.contains(&"y/v") || row.contains(&"z/v"), row.contains(&"1")))
        .collect();
    assert_eq!(ends, [(true, true), (true, true), (false, false)], "{rows:?}");
    assert!(rows[0].contains(&"y/v") && rows[1].contains(&"z/v"), "{rows:?}");
}

#[test]
fn datasets_of_two_groups_are_not_added_up() {
    let record = record(&SMALL, &["g/one", "h/one"], 9);
    let (texts, csv) = &looked_at("groups", &record)[0];
    assert!(!csv.contains("All datasets") && csv.contains("g/one") && csv.contains("h/one"));
    assert!(says(texts, "Datasets of several groups are not added up"), "{texts:?}");
}

#[test]
fn a_record_without_conformance_says_so() {
    let mut record = record(&SMALL, &["g/one"], 9);
    record.conformance.cases.clear();
    let all = looked_at("no-conformance", &record);
    assert!(all.iter().any(|(texts, _)| says(texts, "holds no answers")));
}

#[test]
fn files_are_written_and_those_of_another_record_removed() {
    let folder = tempfile::tempdir().unwrap();
    let stale = folder.path().join("performance_stats.svg");
    fs::write(&stale, "").unwrap();
    let record = record(&SMALL, &["g/one"], 9);
    let written = draw(&record, folder.path()).unwrap();
    assert_eq!(written.len(), 4 * 3);
    assert!(written.iter().all(|file| file.is_file()) && !stale.exists());
    let svg = fs::read_to_string(folder.path().join("sizes.svg")).unwrap();
    assert!(!svg.contains("<text") && !svg.contains("font-family"));
    let dots = png(&svg).unwrap();
    // Width in the header of a PNG: bytes 16 to 19.
    assert_eq!(dots[16..20], 1920_u32.to_be_bytes());
}

#[test]
fn the_pictures_in_the_tree_are_those_of_the_reference_record() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let record = Record::read(&root.join("results/reference")).unwrap();
    looked_at("reference", &record);

    let folder = tempfile::tempdir().unwrap();
    draw(&record, folder.path()).unwrap();
    let drawn = |folder: &Path| {
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        // A PNG is drawn from the SVG beside it, with floats that machines may round differently.
        let mut files: Vec<_> = files
            .filter(|file| file.extension().is_some_and(|kind| kind == "svg" || kind == "csv"))
            .map(|file| (file.file_name().unwrap().to_owned(), fs::read(&file).unwrap()))
            .collect();
        files.sort();
        files
    };
    let (fresh, kept) = (drawn(folder.path()), drawn(&root.join("plots")));
    let names = |files: &[(std::ffi::OsString, Vec<u8>)]| -> Vec<std::ffi::OsString> {
        files.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(&fresh), names(&kept));
    for ((name, fresh), (_, kept)) in fresh.iter().zip(&kept) {
        assert!(
            fresh == kept,
            "{name:?} is not as drawn\n  fix: `cargo xtask plot --splice-readme`"
        );
    }
}
