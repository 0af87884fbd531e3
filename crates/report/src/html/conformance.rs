//! What codecs answered to cases, questions, the public suite and random messages.

use std::collections::HashMap;

use protocol::{
    conformance::{CaseLine, Conformance},
    run::Run,
};
use serde_json::{Value, json};

use super::name;

/// Texts that stand once, by their places.
#[derive(Default)]
struct Texts {
    places: HashMap<String, usize>,
    all: Vec<String>,
}

impl Texts {
    fn place(&mut self, text: &str) -> usize {
        if let Some(&place) = self.places.get(text) {
            return place;
        }
        self.places.insert(text.to_owned(), self.all.len());
        self.all.push(text.to_owned());
        self.all.len() - 1
    }
}

/// All answers.
pub(super) fn all(run: &Run, conformance: &Conformance) -> Value {
    json!({
        "cases": cases(run, &conformance.cases),
        "behaviour": behaviour(run, conformance),
        "suite": suite(run, conformance),
        "fuzz": fuzz(run, conformance),
    })
}

/// In the order of the run, then what the run does not know.
fn codecs<'l>(run: &'l Run, lines: impl Iterator<Item = &'l str>) -> Vec<&'l str> {
    let mut there = Vec::new();
    for codec in lines {
        if !there.contains(&codec) {
            there.push(codec);
        }
    }
    let place = |id: &&str| run.codecs.iter().position(|codec| codec.id == **id);
    there.sort_by_key(|id| place(id).unwrap_or(usize::MAX));
    there
}

fn heads(run: &Run, codecs: &[&str]) -> Vec<Value> {
    codecs.iter().map(|id| json!({ "id": id, "name": name(run, id) })).collect()
}

/// Rows are cases, columns codecs; a cell is
/// `[verdict, outcome, points, of, expected, observed, known, memory_bytes, wall_ns]`, texts by their places.
fn cases(run: &Run, lines: &[CaseLine]) -> Value {
    let codecs = codecs(run, lines.iter().map(|line| line.codec.as_str()));
    let columns: HashMap<&str, usize> =
        codecs.iter().enumerate().map(|(place, id)| (*id, place)).collect();
    let mut texts = Texts::default();
    let mut order: Vec<(&str, Option<&str>)> = Vec::new();
    let mut rows: HashMap<&str, Vec<Value>> = HashMap::new();
    for line in lines {
        let row = rows.entry(&line.case).or_insert_with(|| {
            order.push((&line.case, line.category.as_deref()));
            vec![Value::Null; codecs.len()]
        });
        row[columns[line.codec.as_str()]] = json!([
            line.verdict,
            texts.place(&line.outcome),
            line.points,
            line.of,
            texts.place(&line.expected),
            texts.place(&line.observed),
            line.known.as_deref().map(|why| texts.place(why)),
            line.memory_bytes,
            line.wall_ns,
        ]);
    }
    let rows: Vec<Value> = order
        .into_iter()
        .map(|(case, category)| json!([case, category, rows.remove(case)]))
        .collect();
    json!({
        "codecs": heads(run, &codecs),
        "scores": scores(&codecs, lines),
        "texts": texts.all,
        "rows": rows,
    })
}

/// `[category, [[points, of] by codec]]`, the sum over all categories last.
fn scores(codecs: &[&str], lines: &[CaseLine]) -> Vec<Value> {
    let mut categories: Vec<&str> = Vec::new();
    for category in lines.iter().filter_map(|line| line.category.as_deref()) {
        if !categories.contains(&category) {
            categories.push(category);
        }
    }
    let sum = |codec: &str, category: Option<&str>| {
        let counts = |line: &&CaseLine| {
            line.codec == codec
                && line.category.is_some()
                && category.is_none_or(|category| line.category.as_deref() == Some(category))
        };
        lines
            .iter()
            .filter(counts)
            .fold([0, 0], |[points, of], line| [points + line.points, of + line.of])
    };
    let row = |name: &str, category| {
        json!([name, codecs.iter().map(|codec| sum(codec, category)).collect::<Vec<_>>()])
    };
    let each = categories.iter().map(|category| row(category, Some(*category)));
    let all = (!categories.is_empty()).then(|| row("all", None));
    each.chain(all).collect()
}

/// Rows are questions, columns codecs.
fn behaviour(run: &Run, conformance: &Conformance) -> Value {
    let lines = &conformance.behaviour;
    let codecs = codecs(run, lines.iter().map(|line| line.codec.as_str()));
    let mut rows: Vec<(&str, Vec<Option<&str>>)> = Vec::new();
    for line in lines {
        let place = rows.iter().position(|(question, _)| *question == line.question);
        let place = place.unwrap_or_else(|| {
            rows.push((&line.question, vec![None; codecs.len()]));
            rows.len() - 1
        });
        let column = codecs.iter().position(|codec| *codec == line.codec);
        if let Some(column) = column {
            rows[place].1[column] = Some(&line.answer);
        }
    }
    json!({ "codecs": heads(run, &codecs), "rows": rows })
}

/// How many answers were right, and those that were not.
fn suite(run: &Run, conformance: &Conformance) -> Value {
    let lines = &conformance.suite;
    let codecs = codecs(run, lines.iter().map(|line| line.codec.as_str()));
    let count = |codec: &str| {
        let own = || lines.iter().filter(|line| line.codec == codec);
        [own().filter(|line| line.finding.is_none()).count(), own().count()]
    };
    let findings = lines.iter().filter_map(|line| {
        let column = codecs.iter().position(|codec| *codec == line.codec)?;
        Some(json!([line.encoding, column, line.finding.as_ref()?]))
    });
    json!({
        "codecs": heads(run, &codecs),
        "right": codecs.iter().map(|codec| count(codec)).collect::<Vec<_>>(),
        "findings": findings.collect::<Vec<_>>(),
    })
}

fn fuzz(run: &Run, conformance: &Conformance) -> Vec<Value> {
    let line = |line: &protocol::conformance::FuzzLine| {
        json!({
            "codec": name(run, &line.codec),
            "seed": line.seed.to_string(),
            "messages": line.messages,
            "findings": line.findings,
        })
    };
    conformance.fuzz.iter().map(line).collect()
}
