//! How a library behaves where the specification leaves it free: answers for a row of the behaviour table.

use oracle::{compare, msgpack};

use crate::case::{Answer, Case};
use crate::clip;
use crate::judge::Ended;

/// A probe, and what became of its message.
pub type Observation<'a> = (&'a Case, &'a Ended);

/// A cell of the behaviour table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its heading.
    pub question: String,
    /// The answer, if all probes give the same; else each answer with the probes that gave it.
    pub answer: String,
    /// Every probe by its own name, with its answer.
    pub probes: Vec<(String, String)>,
}

/// What a probe found; `None` if the case is no probe.
///
/// That is one of the case's own answers, `rejected`, `not written`, how the process was lost, or `other` with what was written.
pub fn answer(case: &Case, ended: &Ended) -> Option<String> {
    let probe = case.probe.as_ref()?;
    let bytes = match ended {
        Ended::Rejected(_) => return Some("rejected".into()),
        Ended::Lost(how) => return Some(how.clone()),
        Ended::Accepted(Err(_)) => return Some("not written".into()),
        Ended::Accepted(Ok(bytes)) => bytes,
    };
    let value = msgpack::decode(bytes);
    let fits = |answer: &Answer| match (answer, &value) {
        (Answer::Bytes(expected), _) => expected == bytes,
        (Answer::Value(expected), Ok(value)) => compare(expected, value).is_ok(),
        (Answer::Value(_), Err(_)) => false,
    };
    let fitting = probe.answers.iter().find(|(_, answer)| fits(answer));
    Some(match (fitting, &value) {
        (Some((words, _)), _) => words.clone(),
        (None, Ok(value)) => format!("other: {}", clip::value(value)),
        (None, Err(error)) => format!("other: wrote what is no message: {error}"),
    })
}

/// The row of one library, from all its probes; the questions come as they first appear.
pub fn row<'a>(observations: impl IntoIterator<Item = Observation<'a>>) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    for (case, ended) in observations {
        let (Some(probe), Some(answer)) = (&case.probe, answer(case, ended)) else { continue };
        let name = case.id.rsplit('/').next().unwrap_or_default().to_owned();
        match columns.iter_mut().find(|column| column.question == probe.question) {
            Some(column) => column.probes.push((name, answer)),
            None => columns.push(Column {
                question: probe.question.clone(),
                answer: String::new(),
                probes: vec![(name, answer)],
            }),
        }
    }
    for column in &mut columns {
        column.answer = together(&column.probes);
    }
    columns
}

/// `rejected` if all say so, else `rejected (a, b); kept (c)`.
fn together(probes: &[(String, String)]) -> String {
    let mut answers: Vec<(&str, Vec<&str>)> = Vec::new();
    for (name, answer) in probes {
        match answers.iter_mut().find(|(seen, _)| seen == answer) {
            Some((_, names)) => names.push(name),
            None => answers.push((answer, vec![name])),
        }
    }
    match &answers[..] {
        [(answer, _)] => (*answer).to_owned(),
        several => {
            let each =
                several.iter().map(|(answer, names)| format!("{answer} ({})", names.join(", ")));
            each.collect::<Vec<_>>().join("; ")
        }
    }
}
