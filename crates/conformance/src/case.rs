//! The case files as types.

use std::{collections::HashSet, fs, path::Path};

use anyhow::{Context as _, bail, ensure};
use oracle::Value;
use serde::Deserialize;
use toml::Value as Toml;

use crate::notation;

/// One question to a library: messages, and what should become of them.
#[derive(Clone, Debug)]
pub struct Case {
    /// Name of its file and its own: `string/str8-cut-in-its-text`.
    pub id: String,
    /// The messages; each is put to the library alone.
    ///
    /// There is one, unless the same is expected of several: of the same value in all widths, or of every cut of a message.
    pub inputs: Vec<Vec<u8>>,
    /// What should become of each.
    pub expect: Expect,
    /// Part of the scored suite that it belongs to; `None` if it is not scored.
    pub category: Option<Category>,
    /// The bytes that the library should write for the value.
    pub writes: Option<Writes>,
    /// What answering may cost.
    pub bound: Option<Bound>,
    /// The question of behaviour that it helps to answer.
    pub probe: Option<Probe>,
    /// Section of the format's specification.
    pub section: String,
    /// Why the case exists.
    pub why: String,
    /// Public reports of libraries that went wrong here.
    pub reports: Vec<String>,
}

/// What should become of a message.
#[derive(Clone, Debug)]
pub enum Expect {
    /// It is accepted, and written with the same value.
    Accept(Meaning),
    /// It is rejected; the oracle does so in these words, or in several if there are several inputs.
    Reject(Option<String>),
    /// It is accepted and written with the same value, or rejected by an ordinary error.
    Either(Meaning),
    /// The specification leaves it to the library; a crash is the only wrong answer.
    Open(Meaning),
}

/// What a message says.
#[derive(Clone, Debug)]
pub struct Meaning {
    /// The value.
    pub value: Value,
    /// Other values that a library may make of it.
    pub or: Vec<Value>,
}

/// The bytes that a library should write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Writes {
    /// The shortest form, which the specification recommends.
    pub canonical: Vec<u8>,
    /// Other forms that are good.
    pub also_ok: Vec<Vec<u8>>,
    /// What is known to have been written, and is wrong.
    pub must_not: Vec<Vec<u8>>,
}

/// What answering may cost; the numbers are chosen, the specification has none.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bound {
    /// Most memory asked for at any one time besides the message, in MiB.
    pub extra_mib: u64,
    /// Longest time, in seconds.
    pub seconds: f64,
}

/// A question of behaviour; cases with the same question share a column of the behaviour table.
#[derive(Clone, Debug)]
pub struct Probe {
    /// Heading of the column.
    pub question: String,
    /// What output gives which answer; the first that fits counts.
    pub answers: Vec<(String, Answer)>,
}

/// An output that gives an answer.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Any message that says this.
    Value(Value),
    /// These bytes.
    Bytes(Vec<u8>),
}

/// A part of the scored suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Category {
    /// What every library is expected to read and write.
    Core,
    /// Binaries, extensions and timestamps.
    BinaryAndExt,
    /// Maps whose keys are no strings.
    NonStringKeys,
    /// What is no message.
    Reject,
}

impl Category {
    /// All of them, in the order of the score table.
    pub const ALL: [Category; 4] =
        [Category::Core, Category::BinaryAndExt, Category::NonStringKeys, Category::Reject];

    /// As in case files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Category::Core => "core",
            Category::BinaryAndExt => "binary-and-ext",
            Category::NonStringKeys => "non-string-keys",
            Category::Reject => "reject",
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "case")]
    cases: Vec<Written>,
}

/// A `[[case]]` table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    bytes: Option<Toml>,
    each: Option<Vec<Toml>>,
    prefixes_of: Option<Toml>,
    expect: Toml,
    value: Option<Toml>,
    #[serde(default)]
    or_value: Vec<Toml>,
    error: Option<String>,
    score: Option<Category>,
    writes: Option<Toml>,
    #[serde(default)]
    also_ok: Vec<Toml>,
    #[serde(default)]
    must_not: Vec<Toml>,
    bound: Option<Bound>,
    probe: Option<String>,
    #[serde(default)]
    answers: Vec<WrittenAnswer>,
    section: String,
    why: String,
    #[serde(default)]
    reports: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenAnswer {
    answer: String,
    value: Option<Toml>,
    bytes: Option<Toml>,
}

/// Reads all cases for a format from `data/conformance/<format>` below `root`, the root of the repository.
///
/// They come in the order of the file names, and in each file as they stand there.
///
/// # Errors
///
/// A folder or file that cannot be read, an unknown key, and anything that no case can be.
pub fn read(root: &Path, format: &str) -> anyhow::Result<Vec<Case>> {
    let folder = root.join("data/conformance").join(format);
    let found = fs::read_dir(&folder)
        .and_then(|entries| entries.collect::<Result<Vec<_>, _>>())
        .with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files: Vec<_> = found.into_iter().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();

    let mut cases = Vec::new();
    for file in files {
        cases.extend(read_file(&file)?);
    }
    ensure!(!cases.is_empty(), "there is no case in {}", folder.display());
    Ok(cases)
}

/// Reads one case file.
///
/// # Errors
///
/// As [`read`].
pub fn read_file(file: &Path) -> anyhow::Result<Vec<Case>> {
    let shown = file.display();
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {shown}"))?;
    let written: File = toml::from_str(&text).with_context(|| format!("in {shown}"))?;
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    ensure!(is_name(stem), "{shown}: `{stem}` is no name of lower-case words joined by `-`");

    let mut seen = HashSet::new();
    let mut cases = Vec::new();
    for written in written.cases {
        let id = format!("{stem}/{}", written.name);
        ensure!(seen.insert(id.clone()), "in {shown}: the case `{id}` is there twice");
        let case = checked(written, &id).with_context(|| format!("in {shown}, case `{id}`"))?;
        cases.push(case);
    }
    Ok(cases)
}

fn checked(written: Written, id: &str) -> anyhow::Result<Case> {
    ensure!(is_name(&written.name), "the name is not lower-case words joined by `-`");
    for (key, text) in [("section", &written.section), ("why", &written.why)] {
        ensure!(!text.trim().is_empty(), "`{key}` is empty");
    }
    let inputs = inputs(&written)?;
    let expect = expect(&written, inputs.len()).context("in `expect`")?;
    if let Some(category) = written.score {
        let fits = match &expect {
            Expect::Reject(_) => category == Category::Reject,
            Expect::Accept(_) => category != Category::Reject,
            Expect::Either(_) | Expect::Open(_) => false,
        };
        let is_plain = inputs.len() == 1 && written.bound.is_none() && written.writes.is_none();
        ensure!(fits && is_plain, "this cannot be scored as `{}`", category.name());
    }
    Ok(Case {
        id: id.to_owned(),
        inputs,
        writes: writes(&written, &expect)?,
        probe: probe(&written, &expect).context("in `answers`")?,
        expect,
        category: written.score,
        bound: written.bound,
        section: written.section,
        why: written.why.trim().to_owned(),
        reports: written.reports,
    })
}

fn inputs(written: &Written) -> anyhow::Result<Vec<Vec<u8>>> {
    match (&written.bytes, &written.each, &written.prefixes_of) {
        (Some(bytes), None, None) => Ok(vec![notation::bytes(bytes).context("in `bytes`")?]),
        (None, Some(each), None) => {
            ensure!(each.len() > 1, "`each` is for several messages, one goes to `bytes`");
            each.iter().map(notation::bytes).collect::<Result<_, _>>().context("in `each`")
        }
        (None, None, Some(whole)) => {
            let whole = notation::bytes(whole).context("in `prefixes_of`")?;
            ensure!(!whole.is_empty(), "`prefixes_of` has no prefix");
            Ok((0..whole.len()).map(|length| whole[..length].to_vec()).collect())
        }
        _ => bail!("there must be one of `bytes`, `each` and `prefixes_of`"),
    }
}

fn expect(written: &Written, inputs: usize) -> anyhow::Result<Expect> {
    let meaning = |value: &Toml| -> anyhow::Result<Meaning> {
        let or = written.or_value.iter().map(notation::value).collect::<Result<_, _>>()?;
        Ok(Meaning { value: notation::value(value)?, or })
    };
    let has_error = written.error.is_some();
    let expect = match (&written.expect, &written.value) {
        (Toml::String(word), Some(value)) if word == "either" => Expect::Either(meaning(value)?),
        (Toml::String(word), Some(value)) if word == "open" => Expect::Open(meaning(value)?),
        (Toml::String(word), None) if word == "reject" => {
            ensure!(has_error == (inputs == 1), "`error` is for the one input of a rejection");
            ensure!(written.or_value.is_empty(), "a rejection has no value");
            return Ok(Expect::Reject(written.error.clone()));
        }
        (Toml::String(word), _) => bail!(
            "`{word}` is not known\n  fix: `\"reject\"`, `\"either\"` or `\"open\"` with a `value`, or a value such as `{{ str = \"a\" }}`"
        ),
        (value, None) => Expect::Accept(meaning(value)?),
        (_, Some(_)) => bail!("the value is there twice"),
    };
    ensure!(!has_error, "`error` is for the one input of a rejection");
    Ok(expect)
}

fn writes(written: &Written, expect: &Expect) -> anyhow::Result<Option<Writes>> {
    let list = |listed: &[Toml]| -> anyhow::Result<Vec<_>> {
        listed.iter().map(notation::bytes).collect()
    };
    let (also_ok, must_not) = (list(&written.also_ok)?, list(&written.must_not)?);
    let Some(canonical) = &written.writes else {
        let alone = written.also_ok.is_empty() && written.must_not.is_empty();
        ensure!(alone, "`also_ok` and `must_not` go with `writes`");
        return Ok(None);
    };
    ensure!(matches!(expect, Expect::Accept(_)), "only what is accepted is written");
    let canonical = notation::bytes(canonical).context("in `writes`")?;
    Ok(Some(Writes { canonical, also_ok, must_not }))
}

fn probe(written: &Written, expect: &Expect) -> anyhow::Result<Option<Probe>> {
    let Some(question) = &written.probe else {
        ensure!(written.answers.is_empty(), "`answers` go with `probe`");
        return Ok(None);
    };
    ensure!(is_name(question), "`{question}` is not lower-case words joined by `-`");
    ensure!(matches!(expect, Expect::Open(_)), "a probe expects `\"open\"`");
    ensure!(written.bytes.is_some(), "a probe has one message");
    let answer = |written: &WrittenAnswer| {
        let output = match (&written.value, &written.bytes) {
            (Some(value), None) => Answer::Value(notation::value(value)?),
            (None, Some(bytes)) => Answer::Bytes(notation::bytes(bytes)?),
            _ => bail!("`{}` needs either `value` or `bytes`", written.answer),
        };
        Ok((written.answer.clone(), output))
    };
    let answers = written.answers.iter().map(answer).collect::<anyhow::Result<_>>()?;
    Ok(Some(Probe { question: question.clone(), answers }))
}

/// Lower-case words and numbers joined by `-`.
fn is_name(text: &str) -> bool {
    let is_inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    text.split('-').all(|word| !word.is_empty() && word.chars().all(is_inner))
}
