//! `check`: the oracle judges what codecs read and write, before any clock runs.

use std::{
    collections::BTreeMap,
    io::{self, Write as _},
    path::Path,
};

use anyhow::Context as _;
use dataset::Built;
use oracle::msgpack;
use protocol::{
    answer::{Answer, Description, Question},
    job::{Content, Stats, Sums},
    outcome::Outcome,
    run::Output,
};

use crate::{
    ask::{Limits, Session},
    compile::Built as Programs,
    flags::Check,
    prepare::{self, Contestant, Wish},
    table::{self, Cell, Column, Table},
    usage::End,
};

/// Runs the command.
///
/// # Errors
///
/// A wrong command line, and messages that cannot be had.
pub(crate) fn run(root: &Path, flags: &Check, out: &mut impl io::Write) -> anyhow::Result<End> {
    let wish = Wish {
        codecs: &flags.codec,
        adapters: &flags.adapter,
        sources: &flags.source,
        ..Wish::default()
    };
    let contestants = prepare::contestants(root, &wish)?;
    let messages = prepare::messages(root, &flags.dataset, &flags.input)?;
    let scratch = tempfile::tempdir().context("no folder for temporary files")?;
    let mut good = true;
    let mut rows = Vec::new();
    for ready in prepare::build(root, &wish, contestants)? {
        let contestant = &ready.contestant;
        let built = match &ready.built {
            Ok(built) => built,
            Err(outcome) => {
                good &= !flags.require_all && !contestant.by_name;
                let mut row = vec![contestant.id().into(), "".into(), outcome.to_string().into()];
                row.extend([Cell::missing(), Cell::missing(), Cell::missing()]);
                rows.push(row);
                continue;
            }
        };
        let judged = of_contestant(contestant, built, &messages, scratch.path())?;
        for (dataset, output) in judged.outputs {
            good &= output.outcome.is_measured();
            if !output.outcome.is_measured() {
                eprintln!("error: {} with {dataset}: {}", contestant.id(), output.outcome);
            }
            let mut row: Vec<Cell> =
                vec![contestant.id().into(), dataset.into(), words(&output).into()];
            let sizes = [output.bytes, output.gzip_bytes, output.zstd_bytes];
            row.extend(sizes.map(|bytes| match bytes {
                Some(bytes) => Cell::number(bytes, bytes.to_string()),
                None => Cell::missing(),
            }));
            rows.push(row);
        }
    }
    let columns = vec![
        Column::left("codec", "codec"),
        Column::left("dataset", "dataset"),
        Column::left("output", "output"),
        Column::right("bytes", "output_bytes"),
        Column::right("gzip -6", "gzip_bytes"),
        Column::right("zstd -3", "zstd_bytes"),
    ];
    let notes = Vec::new();
    let table = Table { title: "check".into(), columns, rows, notes, ..Table::default() };
    table::print(&[table], flags.format.unwrap_or_default(), out)?;
    Ok(End::good_if(good))
}

/// What the oracle says of an output, for people.
fn words(output: &Output) -> String {
    if !output.outcome.is_measured() {
        let text = output.outcome.to_string();
        return text.lines().next().unwrap_or_default().to_owned();
    }
    if output.identical {
        return "identical".into();
    }
    let mut words = Vec::new();
    if output.floats_narrowed > 0 {
        words.push(format!("{} floats narrowed", output.floats_narrowed));
    }
    if output.keys_reordered > 0 {
        words.push(format!("{} maps reordered", output.keys_reordered));
    }
    if words.is_empty() {
        words.push("equal, not shortest".into());
    }
    words.join(", ")
}

/// What a codec's program said, judged.
#[derive(Debug, Default)]
pub(crate) struct Judged {
    /// What the library says of itself.
    pub(crate) description: Option<Description>,
    /// By dataset.
    pub(crate) outputs: BTreeMap<String, Output>,
}

impl Judged {
    /// The first outcome that forbids to measure this codec, with its dataset.
    pub(crate) fn fault(&self) -> Option<(&str, &Outcome)> {
        let faults = self.outputs.iter().map(|(dataset, output)| (&**dataset, &output.outcome));
        faults.into_iter().find(|(_, outcome)| !outcome.is_measured())
    }
}

/// What the oracle found in a message.
pub(crate) fn content(built: &Built) -> Content {
    let oracle::Stats { maps, arrays, strings, binaries, extensions, numbers, booleans, nils } =
        built.stats;
    let oracle::Sums { integers, float_bits, bytes } = built.sums;
    Content {
        stats: Stats { maps, arrays, strings, binaries, extensions, numbers, booleans, nils },
        sums: Sums { integers, float_bits, bytes },
    }
}

/// Judges one codec; a control, which reads nothing, is only asked what it is.
///
/// # Errors
///
/// A program that was not built or cannot be started.
pub(crate) fn of_contestant(
    contestant: &Contestant,
    programs: &Programs,
    messages: &[Built],
    scratch: &Path,
) -> anyhow::Result<Judged> {
    let id = contestant.id();
    let program = programs.answering(&contestant.entry);
    let program = program.with_context(|| format!("{id} has no program that answers"))?;
    let messages = if contestant.entry.is_control() { &[] } else { messages };
    let mut judged = judge(program, scratch, messages)?;
    let reuses = judged.description.as_ref().is_some_and(|description| description.reuses);
    if let Some(fault) = misnamed(&id, reuses) {
        for output in judged.outputs.values_mut() {
            *output = failed(Outcome::HarnessFailed(fault.clone()));
        }
    }
    Ok(judged)
}

/// Why an id does not say whether its codec keeps memory for the next message; tables rank by it.
fn misnamed(id: &str, reuses: bool) -> Option<String> {
    let word = match (reuses, id.ends_with("-reused")) {
        (true, false) => "reuses memory, but its name does not end in `-reused`",
        (false, true) => "reuses no memory, but its name ends in `-reused`",
        _ => return None,
    };
    Some(format!(
        "{id} {word}\n  fix: correct `variant` in its Cargo.toml, or KEEPS_DOCUMENTS and KEEPS_OUTPUTS"
    ))
}

#[test]
fn a_codec_that_reuses_says_so_in_its_id() {
    assert!(misnamed("msgpack/a/tree", true).is_some());
    assert!(misnamed("msgpack/a/tree-reused", false).is_some());
    assert!(misnamed("msgpack/a/tree", false).is_none());
    assert!(misnamed("msgpack/a/tree-reused", true).is_none());
}

/// Has a codec read and write every dataset, and judges the results.
///
/// A process that dies is an outcome; the next dataset gets a new one.
///
/// # Errors
///
/// A program that cannot be started.
pub(crate) fn judge(program: &Path, scratch: &Path, datasets: &[Built]) -> anyhow::Result<Judged> {
    let errors = scratch.join("errors");
    let open = || Session::open(program, &errors, &Limits::default());
    let mut judged = Judged::default();
    let mut session = open()?;
    match session.describe() {
        Ok(description) => judged.description = Some(description),
        Err(outcome) => {
            for dataset in datasets {
                judged.outputs.insert(dataset.id.clone(), failed(outcome.clone()));
            }
            return Ok(judged);
        }
    }
    for dataset in datasets {
        let output = match session.ask(Question::Message, &dataset.bytes) {
            Ok((answer, bytes)) => judge_answer(dataset, answer, &bytes),
            Err(outcome) => {
                session = open()?;
                failed(outcome)
            }
        };
        judged.outputs.insert(dataset.id.clone(), output);
    }
    Ok(judged)
}

fn failed(outcome: Outcome) -> Output {
    Output {
        outcome,
        bytes: None,
        gzip_bytes: None,
        zstd_bytes: None,
        identical: false,
        floats_narrowed: 0,
        keys_reordered: 0,
    }
}

fn judge_answer(dataset: &Built, answer: Answer, bytes: &[u8]) -> Output {
    let want = content(dataset);
    let wrong = |what: String| failed(Outcome::WrongOutput(what));
    let again = match answer {
        Answer::Rejected(words) => return failed(Outcome::Rejected(words)),
        Answer::NotWritten { why, .. } => {
            return failed(Outcome::Rejected(format!("on writing: {why}")));
        }
        Answer::Description(_) => {
            return failed(Outcome::HarnessFailed("a description is no answer".into()));
        }
        Answer::Written { content, .. } if content != want => {
            return wrong(format!("read the message as {content:?}, the oracle as {want:?}"));
        }
        Answer::Written { again, .. } => again,
    };
    let value = match msgpack::decode(bytes).context("wrote what is no message") {
        Ok(value) => value,
        Err(error) => return wrong(format!("{error:#}")),
    };
    let equality = match oracle::compare(&dataset.value, &value) {
        Ok(equality) => equality,
        Err(difference) => return wrong(format!("its output {difference}")),
    };
    match again {
        Err(words) => return wrong(format!("refused its own output: {words}")),
        Ok(again) if again != want => {
            return wrong(format!("read its own output as {again:?}, the oracle as {want:?}"));
        }
        Ok(_) => {}
    }
    Output {
        outcome: Outcome::Measured,
        bytes: Some(bytes.len() as u64),
        gzip_bytes: gzip(bytes),
        zstd_bytes: zstd(bytes),
        identical: bytes == dataset.bytes,
        floats_narrowed: equality.floats_narrowed,
        keys_reordered: equality.keys_reordered,
    }
}

/// Length after gzip at level 6, its usual one.
pub(crate) fn gzip(bytes: &[u8]) -> Option<u64> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
    encoder.write_all(bytes).ok()?;
    Some(encoder.finish().ok()?.len() as u64)
}

/// Length after zstd at level 3, its usual one.
pub(crate) fn zstd(bytes: &[u8]) -> Option<u64> {
    Some(zstd::bulk::compress(bytes, 3).ok()?.len() as u64)
}
