//! The tables of `conformance`: scores, failures, behaviour, limits, the public suite.

use std::collections::BTreeMap;

use conformance::{Case, Ended, Published, Score, Verdict, row, scores, total};

use super::{Answer, Tried, failed, suite::Row};
use crate::table::{Cell, Column, Place, Table};

/// Name of the file whose cases ask for much; its answers are shown with their cost.
const LIMITS: &str = "limits/";

/// All tables, in the order in which they are printed.
pub(super) fn tables(
    cases: &[Case],
    tried: &[Tried],
    suite: &[(String, Vec<Row>)],
    published: &[Published],
) -> Vec<Table> {
    let mut tables = vec![score_table(cases, tried, published), failure_table(cases, tried)];
    tables.extend(behaviour_table(cases, tried));
    tables.extend(limits_table(cases, tried));
    tables.extend(suite_table(suite));
    tables
}

fn score_table(cases: &[Case], tried: &[Tried], published: &[Published]) -> Table {
    let mut columns = vec![
        Column::left("codec", "codec"),
        Column::left("version", "version"),
        Column::right("score", "score"),
    ];
    let mut notes = vec![
        "a point for every valid message that is accepted, one if it also comes back with the same value, one for every invalid message that is rejected".into(),
    ];
    let mut rows = Vec::new();
    for codec in tried {
        let scores =
            scores(codec.answers.iter().map(|answer| (&cases[answer.case], &answer.judgement)));
        if columns.len() == 3 {
            let names = scores.iter().map(|(category, _)| category.name());
            columns.extend(names.map(|name| Column::right(name, name)));
        }
        let version = codec.description.as_ref().map_or("?", |description| &description.version);
        let mut row = vec![Cell::from(codec.id.as_str()), version.into()];
        let total = total(&scores);
        row.extend(
            [total]
                .into_iter()
                .chain(scores.map(|(_, score)| score))
                .map(|score| Cell::number(score.points, format!("{}/{}", score.points, score.of))),
        );
        let theirs = published.iter().find(|published| published.codec == codec.id);
        row.push(theirs.map_or(Cell::missing(), |published| {
            Cell::number(published.points, format!("{} ({})", published.points, published.version))
        }));
        notes.extend(theirs.and_then(|theirs| difference(codec, cases, total, version, theirs)));
        rows.push(row);
    }
    rows.sort_by_key(|row| std::cmp::Reverse(row[2].value.as_u64()));
    if columns.len() == 3 {
        columns.truncate(2);
        rows.clear();
    } else {
        columns.push(Column::right("published", "published").at(Place::WideTable));
        if !published.is_empty() {
            notes.push(
                "published: the score that pack-benchmark gives, and for which version".into(),
            );
        }
    }
    Table { title: "score".into(), columns, rows, notes, ..Table::default() }
}

/// Why our score is not the published one: the versions, and the cases that cost points here.
fn difference(
    codec: &Tried,
    cases: &[Case],
    ours: Score,
    version: &str,
    theirs: &Published,
) -> Option<String> {
    if ours.points == theirs.points {
        return None;
    }
    let lost = codec.answers.iter().filter(|answer| {
        let points = answer.judgement.points;
        points.points < points.of
    });
    let lost: Vec<&str> = lost.map(|answer| cases[answer.case].id.as_str()).collect();
    Some(format!(
        "{}: {} points with {version}, {} published for {}; points lost here: {}",
        codec.id,
        ours.points,
        theirs.points,
        theirs.version,
        if lost.is_empty() { "none".into() } else { lost.join(", ") }
    ))
}

fn failure_table(cases: &[Case], tried: &[Tried]) -> Table {
    let mut rows = Vec::new();
    for codec in tried {
        for answer in codec.answers.iter().filter(|answer| failed(answer)) {
            let case = &cases[answer.case];
            let known = codec.known_failure(case);
            rows.push(vec![
                codec.id.as_str().into(),
                case.id.as_str().into(),
                answer.judgement.outcome.as_str().into(),
                answer.judgement.expected.as_str().into(),
                answer.judgement.observed.as_str().into(),
                known.map_or("", |known| &known.why).into(),
            ]);
        }
    }
    let columns = vec![
        Column::left("codec", "codec"),
        Column::left("case", "case"),
        Column::left("outcome", "outcome"),
        Column::left("expected", "expected").at(Place::WideTable),
        Column::left("observed", "observed").at(Place::WideTable),
        Column::left("known", "known").at(Place::WideTable),
    ];
    let notes = vec!["`--case CASE --codec CODEC --explain` shows one of them byte by byte".into()];
    Table {
        title: format!("failed cases: {}", rows.len()),
        name: "failed cases".into(),
        columns,
        rows,
        notes,
    }
}

/// What a codec does where the specification leaves it free: questions and answers.
pub(super) fn answers(codec: &Tried, cases: &[Case]) -> Vec<(String, String)> {
    let observations = codec
        .answers
        .iter()
        .filter_map(|answer| Some((&cases[answer.case], &answer.observed.first()?.ended)));
    let mut answers: Vec<(String, String)> =
        row(observations).into_iter().map(|column| (column.question, column.answer)).collect();
    if let Some(description) = &codec.description {
        let owns =
            if description.capabilities.borrows_input { "the input" } else { "the document" };
        answers.push(("who holds the bytes of strings".into(), owns.into()));
    }
    if let Some((levels, how)) = &codec.depth {
        let answer = match how.as_str() {
            "not tried" => format!("at least {levels}"),
            how => format!("{levels}, then {how}"),
        };
        answers.push(("deepest nesting of arrays".into(), answer));
    }
    answers
}

/// One row for each question and answer, with the codecs that give it.
fn behaviour_table(cases: &[Case], tried: &[Tried]) -> Option<Table> {
    let mut answers: Vec<(String, BTreeMap<String, Vec<&str>>)> = Vec::new();
    let mut add = |question: &str, answer: String, codec: &'_ str| {
        let codec: &str =
            tried.iter().find(|tried| tried.id == codec).map_or("", |tried| &tried.id);
        let place = answers.iter().position(|(known, _)| known == question);
        let place = place.unwrap_or_else(|| {
            answers.push((question.to_owned(), BTreeMap::new()));
            answers.len() - 1
        });
        answers[place].1.entry(answer).or_default().push(codec);
    };
    for codec in tried {
        for (question, answer) in self::answers(codec, cases) {
            add(&question, answer, &codec.id);
        }
    }
    let rows: Vec<Vec<Cell>> = answers
        .into_iter()
        .flat_map(|(question, answers)| {
            let rows = answers.into_iter().map(move |(answer, codecs)| {
                vec![question.as_str().into(), answer.into(), codecs.join(", ").into()]
            });
            rows.collect::<Vec<_>>()
        })
        .collect();
    let columns = vec![
        Column::left("question", "question"),
        Column::left("answer", "answer"),
        Column::left("codecs", "codecs"),
    ];
    let table =
        Table { title: "behaviour".into(), columns, rows, notes: Vec::new(), ..Table::default() };
    (!table.rows.is_empty()).then_some(table)
}

/// What the cases cost that ask for much.
fn limits_table(cases: &[Case], tried: &[Tried]) -> Option<Table> {
    let mut rows = Vec::new();
    for (place, case) in cases.iter().enumerate().filter(|(_, case)| case.id.starts_with(LIMITS)) {
        for codec in tried {
            let Some(answer) = codec.answers.iter().find(|answer| answer.case == place) else {
                continue;
            };
            let memory = answer.observed.iter().filter_map(|observed| observed.memory_bytes).max();
            let time = answer.observed.iter().filter_map(|observed| observed.time).max();
            rows.push(vec![
                case.id.as_str().into(),
                codec.id.as_str().into(),
                words(answer).into(),
                memory.map_or(Cell::missing(), |bytes| {
                    Cell::number(bytes, format!("{:.1}", bytes as f64 / f64::from(1 << 20)))
                }),
                time.map_or(Cell::missing(), |time| {
                    Cell::number(time.as_nanos() as u64, format!("{:.1}", time.as_secs_f64() * 1e3))
                }),
                match answer.judgement.verdict {
                    Verdict::Failed => "failed",
                    Verdict::Passed | Verdict::Shown => "",
                }
                .into(),
            ]);
        }
    }
    let columns = vec![
        Column::left("case", "case"),
        Column::left("codec", "codec"),
        Column::left("answer", "answer"),
        Column::right("MiB", "memory_bytes"),
        Column::right("ms", "wall_ns"),
        Column::left("verdict", "verdict"),
    ];
    let notes = vec![
        "MiB: most memory asked for while answering; ms: with the way to the program and back"
            .into(),
    ];
    let table = Table { title: "limits".into(), columns, rows, notes, ..Table::default() };
    (!table.rows.is_empty()).then_some(table)
}

fn words(answer: &Answer) -> String {
    match answer.observed.first().map(|observed| &observed.ended) {
        Some(Ended::Rejected(_)) => "rejected".into(),
        Some(Ended::Accepted(Ok(_))) => "accepted".into(),
        Some(Ended::Accepted(Err(_))) => "read, not written".into(),
        Some(Ended::Lost(how)) => how.clone(),
        None => String::new(),
    }
}

fn suite_table(suite: &[(String, Vec<Row>)]) -> Option<Table> {
    let mut rows = Vec::new();
    for (codec, answers) in suite {
        let wrong: Vec<&Row> = answers.iter().filter(|row| row.finding.is_some()).collect();
        let right = answers.len() - wrong.len();
        rows.push(vec![
            codec.as_str().into(),
            "".into(),
            Cell::number(right, format!("{right} of {}", answers.len())),
            "as it should be, or not claimed".into(),
        ]);
        for row in wrong {
            let finding = row.finding.as_ref().map(ToString::to_string).unwrap_or_default();
            rows.push(vec![
                codec.as_str().into(),
                row.id.as_str().into(),
                "".into(),
                finding.into(),
            ]);
        }
    }
    let columns = vec![
        Column::left("codec", "codec"),
        Column::left("encoding", "encoding"),
        Column::right("right", "right"),
        Column::left("what", "what"),
    ];
    let notes = vec!["npm `msgpack-test-suite` 1.0.0: group, value and encoding by number".into()];
    let table = Table { title: "public suite".into(), columns, rows, notes, ..Table::default() };
    (!table.rows.is_empty()).then_some(table)
}
