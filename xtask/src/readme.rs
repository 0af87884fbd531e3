//! The results in the README: written from the reference record, so that the two cannot disagree.

use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path};

use analysis::{Class, Figures, Line, Of, figures, short_name};
use anyhow::{Context as _, ensure};
use conformance::Published;
use protocol::{
    conformance::{CaseLine, Conformance},
    machine::Answer,
    run::{CodecInfo, Run, Stored},
};

use crate::{store, summary, table};

const BEGIN: &str = "<!-- results: begin -->\n";
const END: &str = "<!-- results: end -->\n";

/// The record behind the README, from the root of the repository.
pub(crate) const RECORD: &str = "results/reference";

/// Rows of wide spread that are named.
const OUTLIERS: usize = 10;

/// Puts the results of the reference record between the markers of the README.
///
/// # Errors
///
/// A record or README that cannot be read or written, and a README without its markers.
pub(crate) fn splice(root: &Path) -> anyhow::Result<()> {
    let file = root.join("README.md");
    let old = fs::read_to_string(&file).context("cannot read README.md")?;
    store::write_bytes(&file, spliced(root, &old)?.as_bytes())
}

/// A README with the results of the reference record.
fn spliced(root: &Path, readme: &str) -> anyhow::Result<String> {
    let parts = readme.split_once(BEGIN).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(END)?;
        Some((before, after))
    });
    let (before, after) = parts.with_context(|| {
        format!(
            "README.md lacks its markers\n  fix: put back the lines `{}` and `{}`",
            BEGIN.trim(),
            END.trim()
        )
    })?;
    let folder = root.join(RECORD);
    let results = results(root, &Stored::read(&folder)?, &Conformance::read(&folder)?)?;
    Ok(format!("{before}{BEGIN}{results}{END}{after}"))
}

fn results(root: &Path, stored: &Stored, conformance: &Conformance) -> anyhow::Result<String> {
    ensure!(
        analysis::is_complete(stored),
        "{} is not complete\n  fix: `cargo xtask bench --resume`, or another record",
        stored.folder.display()
    );
    let run = &stored.run;
    let all: Vec<Figures> =
        run.operations.iter().map(|&operation| figures(stored, operation)).collect();
    let mut pictures = pictures(root)?;
    let mut take = |name: &str| {
        let place = pictures.iter().position(|picture| picture.ends_with(name));
        place.map_or(String::new(), |place| {
            let name = pictures.remove(place);
            format!("![{}](plots/{name}.svg)\n\n", name.replace('_', ", "))
        })
    };

    let mut text = conditions(stored);
    text.push_str(&conclusions(stored, &all, conformance));
    for table in summary::tables(stored) {
        let picture = take(&table.name);
        let mut lines = Vec::new();
        table::print(&[table], table::Format::Markdown, &mut lines)?;
        let lines = String::from_utf8_lossy(&lines);
        let (title, rows) = lines.split_once("\n\n").context("a table has no title")?;
        let _ = write!(text, "{title}\n\n{picture}{rows}");
    }
    text.push_str("### conformance\n\n");
    text.push_str(&take("conformance"));
    text.push_str(&scores(run, conformance, &Published::read(root)?));
    text.push_str("### sizes\n\n");
    text.push_str(&take("sizes"));
    text.push_str(&steadiness(stored, &all));
    ensure!(pictures.is_empty(), "pictures that the README has no place for: {pictures:?}");
    Ok(text)
}

/// When, on what, and with what.
fn conditions(stored: &Stored) -> String {
    let (run, machine) = (&stored.run, &stored.machine);
    let started = std::time::UNIX_EPOCH + std::time::Duration::from_millis(run.started_unix_ms);
    let date = humantime::format_rfc3339_seconds(started).to_string();
    let date = date.split('T').next().unwrap_or_default();
    let known = |fact: &Option<String>| fact.clone().unwrap_or_else(|| "unknown".into());
    let mut text = format!(
        "Measured on {date} in {} rounds for each operation, METHOD {}: {}, {} CPUs, kernel {}",
        run.rounds,
        run.method,
        known(&machine.cpu_model),
        machine.cpus.map_or("unknown".into(), |cpus| cpus.to_string()),
        known(&machine.kernel)
    );
    if machine.hypervisor.is_some() {
        text.push_str(", a virtual machine");
    }
    let rustc = run.tools.rustc.lines().next().unwrap_or_default();
    let _ = write!(text, "; {rustc}");
    run.compilers().iter().for_each(|version| {
        let _ = write!(text, ", {version}");
    });
    text.push_str(".\n");
    for (answer, word) in [(Answer::Bad, "Bad for measuring"), (Answer::Unknown, "Unknown")] {
        let names = machine.checks.iter().filter(|check| check.answer == answer);
        let names: Vec<&str> = names.map(|check| check.name.as_str()).collect();
        let names = if names.is_empty() { "nothing".into() } else { names.join(", ") };
        let _ = writeln!(text, "{word}: {names}.");
    }
    let mut libraries: Vec<String> = run.codecs.iter().filter_map(version).collect();
    libraries.dedup();
    let _ = writeln!(text, "Versions: {}.", libraries.join(", "));
    let _ = writeln!(text, "The record is in [{RECORD}]({RECORD}/run.json).");
    let twin = run.codecs.iter().find_map(|codec| Some((codec, codec.twin_of.as_ref()?)));
    if let Some((twin, original)) = twin {
        let _ = writeln!(
            text,
            "`{}` is the program of `{original}` under a second name: what lies between the two rows is noise.",
            short_name(run, twin)
        );
    }
    text.push('\n');
    text
}

fn version(codec: &CodecInfo) -> Option<String> {
    let is_library = !analysis::is_control(&codec.id) && codec.twin_of.is_none();
    let library = codec.id.split('/').nth(1).filter(|_| is_library)?;
    Some(format!("{library} {}", codec.description.as_ref()?.version))
}

/// How steady the rows were: the reader's first question.
fn steadiness(stored: &Stored, all: &[Figures]) -> String {
    let contestants: Vec<(&Figures, &Line)> = all
        .iter()
        .flat_map(|figures| figures.lines.iter().map(move |line| (figures, line)))
        .filter(|(_, line)| line.class != Class::Control)
        .collect();
    let spread = |line: &Line| line.overall.map_or(f64::INFINITY, |overall| overall.spread);
    let under = |most: f64| contestants.iter().filter(|(_, line)| spread(line) < most).count();
    let mut text = format!(
        "### steadiness\n\nOf {} rows, {} had a spread under 2 % and {} under 5 %.\n",
        contestants.len(),
        under(0.02),
        under(0.05)
    );
    let mut outliers: Vec<_> =
        contestants.iter().filter(|(_, line)| spread(line) >= 0.05).collect();
    outliers.sort_by(|(_, a), (_, b)| spread(b).total_cmp(&spread(a)));
    let above = outliers.len();
    let outliers: Vec<String> = outliers
        .into_iter()
        .take(OUTLIERS)
        .map(|(figures, line)| {
            let name = short_name(&stored.run, line.codec);
            format!("{name} {} ({:.1} %)", figures.operation, spread(line) * 100.0)
        })
        .collect();
    if !outliers.is_empty() {
        let word = if above > OUTLIERS { "The widest" } else { "Above 5 %" };
        let _ = writeln!(text, "{word}: {}.", outliers.join(", "));
    }
    let faults: Vec<String> = contestants
        .iter()
        .filter(|(_, line)| line.faults_per_operation() > 0.0)
        .map(|(figures, line)| {
            format!("{} {}", short_name(&stored.run, line.codec), figures.operation)
        })
        .collect();
    let faults = if faults.is_empty() { "none".into() } else { faults.join(", ") };
    let void: usize = all.iter().map(|figures| figures.rounds.void.len()).sum();
    let _ = writeln!(text, "Rows with page faults on the clock: {faults}.\nVoid rounds: {void}.\n");
    text
}

/// Names of the pictures that were drawn.
fn pictures(root: &Path) -> anyhow::Result<Vec<String>> {
    let mut names: Vec<String> = fs::read_dir(root.join("plots"))?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| Some(name.strip_suffix(".svg")?.to_owned()))
        .collect();
    names.sort();
    Ok(names)
}

/// Points by codec, all and in each category, beside what others publish.
fn scores(run: &Run, conformance: &Conformance, published: &[Published]) -> String {
    if conformance.cases.is_empty() {
        return String::new();
    }
    let mut categories: Vec<&str> = Vec::new();
    let mut codecs: BTreeMap<&str, Vec<&CaseLine>> = BTreeMap::new();
    for line in &conformance.cases {
        let Some(category) = line.category.as_deref() else { continue };
        if !categories.contains(&category) {
            categories.push(category);
        }
        codecs.entry(&line.codec).or_default().push(line);
    }
    let sum = |lines: &[&CaseLine], category: Option<&str>| {
        let of =
            lines.iter().filter(|line| category.is_none() || line.category.as_deref() == category);
        of.fold((0, 0), |(points, all), line| (points + line.points, all + line.of))
    };
    let mut rows: Vec<(&str, Vec<(u32, u32)>)> = codecs
        .iter()
        .map(|(codec, lines)| {
            let scores = [None].into_iter().chain(categories.iter().copied().map(Some));
            (*codec, scores.map(|category| sum(lines, category)).collect())
        })
        .collect();
    rows.sort_by_key(|(_, scores)| std::cmp::Reverse(scores[0].0));
    let mut text = format!(
        "| codec | version | score | {} | published |\n| --- | --- |",
        categories.join(" | ")
    );
    text.push_str(&" ---: |".repeat(categories.len() + 2));
    text.push('\n');
    for (codec, scores) in rows {
        let scores: Vec<String> =
            scores.iter().map(|(points, of)| format!("{points}/{of}")).collect();
        let known = run.codecs.iter().find(|known| known.id == codec);
        let description = known.and_then(|known| known.description.as_ref());
        let version = description.map_or("", |description| &description.version);
        let theirs = published.iter().find(|published| published.codec == codec);
        let theirs = theirs.map_or(String::new(), |published| {
            format!("{} ({})", published.points, published.version)
        });
        let _ = writeln!(text, "| {codec} | {version} | {} | {theirs} |", scores.join(" | "));
    }
    text.push_str("\nPublished: the score that pack-benchmark gives, and for which version; what it publishes about speed is for these versions too.\n\n");
    text
}

/// A sentence or two for each codec, with its limitations.
fn conclusions(stored: &Stored, all: &[Figures], conformance: &Conformance) -> String {
    let run = &stored.run;
    let mut text = String::from("### in a sentence each\n\n");
    let contestants = run.codecs.iter().filter(|codec| {
        codec.twin_of.is_none() && codec.against_of.is_none() && !analysis::is_control(&codec.id)
    });
    for codec in contestants {
        let _ = writeln!(
            text,
            "- **{}**: {}.",
            short_name(run, codec),
            conclusion(run, codec, all, conformance)
        );
    }
    text.push('\n');
    text
}

fn conclusion(run: &Run, codec: &CodecInfo, all: &[Figures], conformance: &Conformance) -> String {
    if let Some(outcome) = &codec.excluded {
        return format!("not measured: {outcome}");
    }
    let mut facts = Vec::new();
    let places: Vec<String> = all
        .iter()
        .filter_map(|figures| {
            let line = figures.lines.iter().find(|line| line.codec.id == codec.id)?;
            let ratio = line.overall?.minimum / figures.best_ns(line.class, Of::Overall)?;
            let tier = line.tier().map_or(String::new(), |tier| format!(" (tier {tier})"));
            Some(format!("{} {ratio:.2}×{tier}", figures.operation))
        })
        .collect();
    facts.push(format!("{} the time of the best of its kind", places.join(", ")));
    if let Some(description) = &codec.description {
        let able = description.capabilities;
        facts.push(if able.borrows_input {
            "strings stay in the input, which must outlive the document".into()
        } else {
            "the document owns its strings".into()
        });
        let lacks: Vec<&str> = [
            (able.binary, "binaries"),
            (able.ext, "extensions"),
            (able.non_string_keys, "keys that are not strings"),
            (able.keeps_key_order, "the order of keys"),
            (able.checks_utf8, "checks of UTF-8"),
        ]
        .into_iter()
        .filter(|(has, _)| !has)
        .map(|(_, what)| what)
        .collect();
        if !lacks.is_empty() {
            facts.push(format!("without {}", lacks.join(", ")));
        }
        if let Some(depth) = able.max_depth {
            facts.push(format!("nesting up to {depth}"));
        }
    }
    let lines: Vec<&CaseLine> =
        conformance.cases.iter().filter(|line| line.codec == codec.id).collect();
    if !lines.is_empty() {
        let points: u32 = lines.iter().map(|line| line.points).sum();
        let of: u32 = lines.iter().map(|line| line.of).sum();
        let beyond = lines.iter().filter(|line| line.category.is_none());
        let failed: Vec<_> = beyond.filter(|line| line.verdict == "failed").collect();
        let crashed = failed.iter().filter(|line| line.outcome.starts_with("crashed")).count();
        let mut fact = format!("{points} of {of} points");
        if !failed.is_empty() {
            let _ = write!(fact, ", and fails {} cases beyond them", failed.len());
        }
        if crashed > 0 {
            let _ = write!(fact, ", {crashed} by a crash");
        }
        facts.push(fact);
    }
    let narrowed: u64 = codec.outputs.values().map(|output| output.floats_narrowed).sum();
    if narrowed > 0 {
        let datasets = run.datasets.len();
        facts.push(format!("writes {narrowed} floats of the {datasets} documents in fewer bytes"));
    }
    facts.join("; ")
}

#[test]
fn the_readme_shows_what_the_reference_record_says() {
    let readme = fs::read_to_string(crate::root().join("README.md")).unwrap();
    let wanted = spliced(crate::root(), &readme).unwrap();
    assert!(
        readme == wanted,
        "README and record disagree\n  fix: `cargo xtask plot --splice-readme`"
    );
}

#[test]
fn a_readme_without_markers_is_an_error_that_names_them() {
    let error = format!("{:#}", spliced(crate::root(), "# packbench\n").unwrap_err());
    assert!(error.contains("results: begin"), "{error}");
}
