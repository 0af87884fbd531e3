//! What a reader must know of this record before anything else: doubts, and what it lacks.

use std::collections::BTreeMap;

use analysis::{CONTROL, Class, figures, run_doubts};
use protocol::{
    conformance::Conformance,
    run::{Profile, Stored},
};
use verdict::fewest_rounds;

use super::name;
use crate::record::Record;

/// Sentences, the gravest first.
pub(super) fn notes(record: &Record) -> Vec<String> {
    let Record { stored, conformance } = record;
    let mut notes = run_doubts(stored);
    notes.extend(samples(stored));
    notes.extend(asked(stored, conformance));
    // Paths say where the record lies on one machine, which is nothing about the run.
    let folder = format!("{}/", stored.folder.display());
    let skipped = stored.skipped.iter().chain(&conformance.skipped);
    notes.extend(skipped.map(|line| line.replace(&folder, "")));
    notes
}

/// What samples are missing or spoiled.
fn samples(stored: &Stored) -> Vec<String> {
    let run = &stored.run;
    let mut notes = Vec::new();
    for codec in &run.codecs {
        if let Some(why) = &codec.excluded {
            notes.push(format!("{} was not measured: {why}", name(run, &codec.id)));
        }
    }
    let mut failed = BTreeMap::<_, usize>::new();
    for row in stored.rows.iter().filter(|row| !row.measurement.outcome.is_measured()) {
        let outcome = row.measurement.outcome.to_string();
        *failed
            .entry((&row.codec, row.operation, &row.measurement.dataset, outcome))
            .or_default() += 1;
    }
    for ((codec, operation, dataset, outcome), times) in failed {
        let codec = name(run, codec);
        notes.push(format!(
            "{codec} gave no number for {operation} of {dataset}: {outcome} ({times}×)"
        ));
    }
    let needed = fewest_rounds(1);
    for &operation in &run.operations {
        let figures = figures(stored, operation);
        let rounds = figures.rounds.used.len();
        match rounds {
            0 => notes.push(format!("{operation} has no samples")),
            _ if rounds < needed && run.profile != Profile::Quick => notes.push(format!(
                "{operation} has {rounds} of the {needed} rounds that the verdict on a pair needs"
            )),
            _ => {}
        }
        notes.extend(
            figures.round_doubts(stored).iter().map(|doubt| format!("{operation}: {doubt}")),
        );
        let faulty = |line: &&analysis::Line| {
            line.class != Class::Control && line.faults_per_operation() > 0.0
        };
        let faulty: Vec<String> =
            figures.lines.iter().filter(faulty).map(|line| name(run, &line.codec.id)).collect();
        if !faulty.is_empty() {
            notes.push(format!("{operation}: page faults on the clock of {}", faulty.join(", ")));
        }
    }
    if stored.canary.is_empty() && !stored.rows.is_empty() {
        notes.push("no canary: nothing says which rounds were disturbed".into());
    }
    notes
}

/// What nobody asked the codecs.
fn asked(stored: &Stored, conformance: &Conformance) -> Vec<String> {
    let mut notes = Vec::new();
    let asked: [(&str, Vec<&str>); 4] = [
        ("conformance cases", conformance.cases.iter().map(|line| line.codec.as_str()).collect()),
        (
            "questions of behaviour",
            conformance.behaviour.iter().map(|line| line.codec.as_str()).collect(),
        ),
        ("the public suite", conformance.suite.iter().map(|line| line.codec.as_str()).collect()),
        ("random messages", conformance.fuzz.iter().map(|line| line.codec.as_str()).collect()),
    ];
    for (what, codecs) in asked {
        if codecs.is_empty() {
            notes.push(format!("no answers to {what} in this record"));
            continue;
        }
        let contestants =
            stored.run.codecs.iter().filter(|codec| {
                codec.twin_of.is_none() && codec.id.split('/').next() != Some(CONTROL)
            });
        let silent: Vec<String> = contestants
            .filter(|codec| !codecs.contains(&codec.id.as_str()))
            .map(|codec| name(&stored.run, &codec.id))
            .collect();
        if !silent.is_empty() {
            notes.push(format!("no answers to {what} by {}", silent.join(", ")));
        }
    }
    notes
}
