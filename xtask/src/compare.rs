//! `compare`: two runs, or two codecs of one run.

use std::{
    io,
    path::{Path, PathBuf},
};

use analysis::{Compared, Drift, between_runs, within_run};
use anyhow::ensure;
use protocol::run::{CodecInfo, Pair, RUN_FILE, Run, Stored};
use verdict::Word;

use crate::{
    filter::{names, select},
    flags::Compare,
    runs, summary, table,
    usage::{End, Usage},
};

/// Runs the command; it ends with 1 if anything is slower.
///
/// # Errors
///
/// What is neither a run nor a codec, and runs that must not be compared.
pub(crate) fn run(root: &Path, flags: &Compare, out: &mut impl io::Write) -> anyhow::Result<End> {
    let results = flags.results.clone().unwrap_or_else(|| root.join("results"));
    let as_run = |name: &str| -> Option<PathBuf> {
        [PathBuf::from(name), results.join(name)]
            .into_iter()
            .find(|folder| folder.join(RUN_FILE).is_file())
    };
    let (compared, table) = match (as_run(&flags.a), as_run(&flags.b)) {
        (Some(a), Some(b)) => two_runs(flags, &Stored::read(&a)?, &Stored::read(&b)?)?,
        (None, None) => {
            let folder = match &flags.run {
                Some(name) => as_run(name).ok_or_else(|| no_run(name, &results))?,
                None => runs::find_run(root, None)?,
            };
            two_codecs(flags, &Stored::read(&folder)?)?
        }
        (Some(_), None) => return Err(no_run(&flags.b, &results)),
        (None, Some(_)) => return Err(no_run(&flags.a, &results)),
    };
    table::print(&[table], flags.format.unwrap_or_default(), out)?;
    Ok(End::good_if(compared.iter().all(|one| one.word != Word::Slower)))
}

fn no_run(name: &str, results: &Path) -> anyhow::Error {
    Usage(format!(
        "`{name}` is no run, which has a {RUN_FILE}\n  fix: name a folder of {}, or two codecs of one run",
        results.display()
    ))
    .into()
}

fn two_codecs(flags: &Compare, stored: &Stored) -> anyhow::Result<(Vec<Compared>, table::Table)> {
    ensure!(
        flags.codec.is_empty(),
        Usage(
            "`--codec` selects codecs of two runs\n  fix: leave it out, the two codecs are named"
                .into()
        )
    );
    let one = |name: &str| -> anyhow::Result<String> {
        let codecs = &stored.run.codecs;
        let found = select("compare", &[name.to_owned()], codecs, |codec| codec.id.clone())?;
        match found[..] {
            [one] => Ok(one.id.clone()),
            _ => {
                Err(Usage(format!("`{name}` names {} codecs\n  fix: name one", found.len())).into())
            }
        }
    };
    let pair = Pair { codec: one(&flags.b)?, base: one(&flags.a)? };
    let compared = within_run(stored, std::slice::from_ref(&pair));
    let title = format!("{} against {}", pair.codec, pair.base);
    let mut notes = vec![
        format!("in {}, round by round", stored.folder.display()),
        "one pair, looked at by itself: intervals of 95 %".into(),
    ];
    notes.extend(analysis::run_doubts(stored));
    let table = summary::comparison_table(&title, &compared, notes);
    Ok((compared, table))
}

fn two_runs(
    flags: &Compare,
    a: &Stored,
    b: &Stored,
) -> anyhow::Result<(Vec<Compared>, table::Table)> {
    ensure!(
        a.run.method == b.run.method,
        Usage(format!(
            "{} was measured by METHOD {}, {} by METHOD {}: what is on the clock differs, so their numbers cannot be compared\n  fix: measure again what is older",
            a.folder.display(),
            a.run.method,
            b.folder.display(),
            b.run.method
        ))
    );
    ensure!(
        a.run.lock_step == b.run.lock_step,
        Usage("one of these runs was measured in lock-step, where times hold other caches, and the other was not\n  fix: measure both in the same way".into())
    );
    let serious = different_conditions(a, b);
    ensure!(
        serious.is_empty() || flags.allow_different,
        Usage(format!(
            "these runs differ in more than the codecs\n  {}\n  fix: measure both under the same conditions, or `--allow-different` to compare all the same",
            serious.join("\n  ")
        ))
    );
    let (mut compared, drift) = between_runs(a, b);
    if !flags.codec.is_empty() {
        let ids: Vec<String> =
            a.run.codecs.iter().chain(&b.run.codecs).map(|codec| codec.id.clone()).collect();
        select("--codec", &flags.codec, &ids, String::clone)?;
        compared.retain(|one| flags.codec.iter().any(|filter| names(filter, &one.codec)));
    }
    let mut notes = vec![
        "rounds of two runs are no pairs: ratio of Hodges and Lehmann, interval of the rank-sum test at 95 % for all codecs of an operation together".into(),
    ];
    notes.push(match drift.map(Drift::difference) {
        Some(drift) => format!(
            "the canary of the two runs differs by {:.1} %; the margin is at least that",
            drift * 100.0
        ),
        None => "no canary tells whether the machine was the same".into(),
    });
    notes.extend(serious);
    notes.extend(other_differences(&a.run, &b.run));
    for (name, stored) in [("first", a), ("second", b)] {
        notes.extend(
            analysis::run_doubts(stored).into_iter().map(|doubt| format!("{name}: {doubt}")),
        );
    }
    let title = format!("{} against {}", b.folder.display(), a.folder.display());
    let table = summary::comparison_table(&title, &compared, notes);
    Ok((compared, table))
}

/// Differences that decide times by themselves.
fn different_conditions(a: &Stored, b: &Stored) -> Vec<String> {
    let machine = |stored: &Stored| {
        let machine = &stored.machine;
        format!(
            "{}, {} CPUs, kernel {}",
            machine.cpu_model.as_deref().unwrap_or("unknown CPU"),
            machine.cpus.map_or("?".into(), |cpus| cpus.to_string()),
            machine.kernel.as_deref().unwrap_or("?")
        )
    };
    let first_line = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    let compilers = |run: &Run| {
        let codec = run.codecs.iter().find(|codec| !codec.compilers.is_empty());
        codec.map(|codec| {
            let compiler = &codec.compilers[0];
            format!("{} {}", compiler["version"], compiler["flags"])
        })
    };
    let facts = [
        ("machine", machine(a), machine(b)),
        ("rustc", first_line(&a.run.tools.rustc), first_line(&b.run.tools.rustc)),
        ("flags of Rust", a.run.tools.rust_flags.join(" "), b.run.tools.rust_flags.join(" ")),
        (
            "environment",
            format!("{:?}", a.run.tools.environment),
            format!("{:?}", b.run.tools.environment),
        ),
        ("profile", format!("{:?}", a.run.profile), format!("{:?}", b.run.profile)),
    ];
    let mut different: Vec<String> = facts
        .into_iter()
        .filter(|(_, a, b)| a != b)
        .map(|(what, a, b)| format!("{what}: {a}; then {b}"))
        .collect();
    if let (Some(a), Some(b)) = (compilers(&a.run), compilers(&b.run))
        && a != b
    {
        different.push(format!("C and C++ compiler: {a}; then {b}"));
    }
    different
}

/// Differences that may be what is looked for: versions, programs, and what only one of them has.
fn other_differences(a: &Run, b: &Run) -> Vec<String> {
    let mut notes = Vec::new();
    let version = |codec: &CodecInfo| {
        codec.description.as_ref().map_or("?".into(), |description| description.version.clone())
    };
    let find = |run: &'_ Run, id: &str| run.codecs.iter().position(|codec| codec.id == id);
    for old in &a.codecs {
        let Some(new) = find(b, &old.id).map(|place| &b.codecs[place]) else {
            notes.push(format!("only the first has {}", old.id));
            continue;
        };
        if version(old) != version(new) {
            notes.push(format!("{}: version {}, then {}", old.id, version(old), version(new)));
        }
        let tree = |codec: &CodecInfo| {
            codec.source.as_ref().map(|source| (source.package.clone(), source.tree_sha256.clone()))
        };
        if tree(old) != tree(new) && version(old) == version(new) {
            notes.push(format!("{}: another source", old.id));
        }
        for (name, codec) in [("first", old), ("second", new)] {
            if let Some(outcome) = &codec.excluded {
                notes.push(format!("{}: not measured in the {name}: {outcome}", codec.id));
            }
        }
    }
    let new = b.codecs.iter().filter(|new| find(a, &new.id).is_none());
    notes.extend(new.map(|new| format!("only the second has {}", new.id)));
    let datasets = |run: &Run| -> Vec<(String, String)> {
        run.datasets.iter().map(|dataset| (dataset.id.clone(), dataset.sha256.clone())).collect()
    };
    if datasets(a) != datasets(b) {
        notes.push("not the same datasets: only those with the same message are compared".into());
    }
    for (name, hash) in &a.tools.locks {
        if b.tools.locks.get(name).is_some_and(|other| other != hash) {
            notes.push(format!("other pins in {name}"));
        }
    }
    if a.rounds != b.rounds {
        notes.push(format!("{} rounds, then {}", a.rounds, b.rounds));
    }
    if a.tools.commit != b.tools.commit {
        let commit = |run: &Run| run.tools.commit.clone().unwrap_or_else(|| "unknown".into());
        notes.push(format!("commit {}, then {}", commit(a), commit(b)));
    }
    notes
}
