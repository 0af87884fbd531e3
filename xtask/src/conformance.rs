//! `conformance`: every case to every codec, each answer judged, and what differs from what is known.

mod asker;
mod explain;
mod fuzz;
mod record;
mod report;
mod suite;

use std::{fs, io, path::Path};

use anyhow::Context as _;
use conformance::{Case, Judgement, Known, Observed, Published, Verdict, fuzz::Claims, judge};
use protocol::answer::Description;

use crate::{
    compile,
    filter::select,
    flags::Conformance,
    inspect, interrupt,
    prepare::{self, Ready, Wish},
    progress::Progress,
    table,
    usage::End,
};
use asker::Asker;
use record::Record;

/// A codec and its answers.
struct Tried {
    id: String,
    variant: String,
    description: Option<Description>,
    known: Vec<Known>,
    answers: Vec<Answer>,
    /// Deepest nesting of arrays that it accepted, and what it did one level deeper.
    depth: Option<(u32, String)>,
}

impl Tried {
    /// What the adapter says about a case that its library is known to fail.
    fn known_failure(&self, case: &Case) -> Option<&Known> {
        let of_variant =
            |known: &&Known| known.variant.as_ref().is_none_or(|variant| *variant == self.variant);
        self.known.iter().filter(of_variant).find(|known| known.cases.contains(&case.id))
    }
}

/// The answers of a codec to one case.
struct Answer {
    /// Place of the case in the list.
    case: usize,
    observed: Vec<Observed>,
    judgement: Judgement,
}

/// Runs the command.
///
/// # Errors
///
/// A wrong command line, and what keeps cases from being read, asked or recorded.
pub(crate) fn run(
    root: &Path,
    flags: &Conformance,
    out: &mut impl io::Write,
) -> anyhow::Result<End> {
    let wish = Wish {
        codecs: &flags.codec,
        adapters: &flags.adapter,
        sources: &flags.source,
        ..Wish::default()
    };
    let contestants = prepare::contestants(root, &wish)?;
    let all = conformance::read(root, "msgpack")?;
    let selected: Vec<Case> =
        select("--case", &flags.case, &all, |case| case.id.clone())?.into_iter().cloned().collect();
    // Before the build, which takes minutes.
    let message = flags.message.as_deref().map(inspect::read).transpose()?;
    let ready = prepare::build(root, &wish, contestants)?;
    let meter = compile::meter(root)?;
    limit_stack()?;
    let scratch = root.join("target/packbench/conformance");

    if let Some(message) = &message {
        return explain::message(&ready, message, meter.as_deref(), &scratch, out);
    }
    if flags.explain {
        return explain::cases(&ready, &selected, meter.as_deref(), &scratch, out);
    }
    if let Some(seconds) = flags.fuzz {
        let seed = flags.seed.unwrap_or_else(|| fastrand::u64(..));
        let record = Record::create(root, flags.into.as_deref(), flags.results.as_deref())?;
        let limits = (seconds, flags.messages);
        let format = flags.format.unwrap_or_default();
        return fuzz::run(&ready, limits, seed, &scratch, &record, format, out);
    }

    let whole = flags.case.is_empty();
    let encodings = if whole { suite::fetch_and_read(root)? } else { Vec::new() };
    let record = Record::create(root, flags.into.as_deref(), flags.results.as_deref())?;

    let mut progress = Progress::new(ready.len() as u64);
    let mut tried = Vec::new();
    let mut suite_rows = Vec::new();
    let mut surprises = Vec::new();
    let mut good = true;
    for one in &ready {
        let id = one.contestant.id();
        progress.now(&id);
        let Some(mut asker) = asker_of(one, &id, &scratch, meter.as_deref())? else {
            good &= !one.contestant.by_name && !flags.require_all;
            progress.step();
            continue;
        };
        let codec = try_all(one, &mut asker, &selected, whole)?;
        record.cases(&codec, &selected)?;
        record.behaviour(&codec, &selected)?;
        if interrupt::wished() {
            progress.finish();
            return Ok(End::Interrupted);
        }
        let version = codec.description.as_ref().map_or("", |description| &description.version);
        let judged = codec.answers.iter().map(|answer| (&selected[answer.case], &answer.judgement));
        let found = conformance::surprises(&codec.known, &codec.variant, version, judged);
        surprises.extend(found.into_iter().map(|surprise| (id.clone(), surprise)));
        for name in conformance::unknown_cases(&codec.known, &all) {
            if !is_made_elsewhere(name) {
                good = false;
                progress.say(&format!("error: known.toml of {id} names `{name}`, which is no case\n  fix: correct or remove it"));
            }
        }
        if whole {
            let rows = suite::try_all(&mut asker, &encodings, &claims(codec.description.as_ref()))?;
            let found = suite::surprises(&rows, &codec.known, &codec.variant, version);
            surprises.extend(found.into_iter().map(|surprise| (id.clone(), surprise)));
            record.suite(&id, &rows)?;
            suite_rows.push((id.clone(), rows));
        }
        tried.push(codec);
        progress.step();
    }
    progress.finish();

    // What others publish is a score of all cases.
    let published = if whole { Published::read(root)? } else { Vec::new() };
    let tables = report::tables(&selected, &tried, &suite_rows, &published);
    table::print(&tables, flags.format.unwrap_or_default(), out)?;
    for (codec, surprise) in &surprises {
        eprintln!("error: {codec}: {surprise}");
    }
    eprintln!("record: {}", record.folder.display());
    Ok(End::good_if(good && surprises.is_empty()))
}

/// Names in a `known.toml` that are no cases of ours: those of the public suite and of the fuzzer.
fn is_made_elsewhere(name: &str) -> bool {
    name.starts_with("suite/") || name.starts_with("fuzz/")
}

/// What a codec claims, so that what it does not claim is no finding.
fn claims(description: Option<&Description>) -> Claims {
    description.map_or(Claims::ALL, |description| {
        let claimed = description.capabilities;
        Claims {
            binary: claimed.binary,
            ext: claimed.ext,
            non_string_keys: claimed.non_string_keys,
            max_depth: claimed.max_depth,
        }
    })
}

/// A codec's program, ready to be asked; `None` if it was not built.
fn asker_of(
    ready: &Ready,
    id: &str,
    scratch: &Path,
    meter: Option<&Path>,
) -> anyhow::Result<Option<Asker>> {
    let Ok(built) = &ready.built else { return Ok(None) };
    let program = built.answering(&ready.contestant.entry);
    let program = program.with_context(|| format!("{id} has no program that answers"))?;
    let folder = scratch.join(id);
    fs::create_dir_all(&folder).with_context(|| format!("cannot write to {}", folder.display()))?;
    Asker::new(program, &folder, meter).map(Some)
}

fn try_all(
    ready: &Ready,
    asker: &mut Asker,
    cases: &[Case],
    with_depth: bool,
) -> anyhow::Result<Tried> {
    let contestant = &ready.contestant;
    let folder = contestant.adapter.manifest.parent().unwrap_or(Path::new("."));
    let mut answers = Vec::new();
    for (place, case) in cases.iter().enumerate() {
        let observed: Vec<Observed> =
            case.inputs.iter().map(|input| asker.observe(input)).collect::<anyhow::Result<_>>()?;
        answers.push(Answer { case: place, judgement: judge(case, &observed), observed });
        if interrupt::wished() {
            break;
        }
    }
    Ok(Tried {
        id: contestant.id(),
        variant: contestant.entry.variant.clone(),
        description: asker.describe()?,
        known: Known::read(folder)?,
        answers,
        depth: if with_depth { Some(depth(asker)?) } else { None },
    })
}

/// Deepest nesting tried; a document of twice as many bytes would say nothing new.
const DEEPEST: u32 = 1 << 20;

/// The deepest nesting of arrays that is accepted, by bisection, and what becomes of one more.
fn depth(asker: &mut Asker) -> anyhow::Result<(u32, String)> {
    let mut ask = |levels: u32| -> anyhow::Result<Option<String>> {
        let mut message = vec![0x91; levels as usize - 1];
        message.push(0x90);
        Ok(match asker.observe(&message)?.ended {
            conformance::Ended::Accepted(_) => None,
            conformance::Ended::Rejected(_) => Some("rejected".into()),
            conformance::Ended::Lost(how) => Some(how),
        })
    };
    let (mut accepted, mut refused) = (1, DEEPEST);
    let mut how = match ask(DEEPEST)? {
        None => return Ok((DEEPEST, "not tried".into())),
        Some(how) => how,
    };
    while refused - accepted > 1 {
        let middle = accepted.midpoint(refused);
        match ask(middle)? {
            None => accepted = middle,
            Some(other) => (refused, how) = (middle, other),
        }
    }
    Ok((accepted, how))
}

/// Stack of every program that is asked: the usual size, whatever the shell's limit is.
const STACK_BYTES: u64 = 8 << 20;

/// Sets the limit that the programs inherit.
fn limit_stack() -> anyhow::Result<()> {
    let (_, most) = rlimit::getrlimit(rlimit::Resource::STACK)?;
    rlimit::setrlimit(rlimit::Resource::STACK, STACK_BYTES, most).context(
        "cannot set the size of the stack to 8 MiB
  fix: `ulimit -Hs unlimited`, or a shell with a higher hard limit",
    )
}

/// Whether a case failed.
fn failed(answer: &Answer) -> bool {
    answer.judgement.verdict == Verdict::Failed
}
