//! Takes up a run that was cut short.

use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
};

use anyhow::ensure;
use protocol::{
    METHOD,
    run::{CodecInfo, RUN_FILE},
};

use super::{Other, conditions, finish, scratch};
use crate::{
    flags::Bench,
    identity,
    prepare::{self, Wish},
    store::Store,
    table,
    usage::{End, Usage},
};

/// Measures what the record of a run lacks.
///
/// # Errors
///
/// A folder that is no run, and programs or messages that are no longer those it began with.
pub(crate) fn run(
    root: &Path,
    results: &Path,
    name: &str,
    format: table::Format,
    out: &mut impl io::Write,
) -> anyhow::Result<End> {
    let inside = results.join(name);
    let folder = if Path::new(name).is_dir() { PathBuf::from(name) } else { inside };
    ensure!(
        folder.join(RUN_FILE).is_file(),
        Usage(format!(
            "there is no run `{name}`\n  fix: name a folder, such as one of those in {}",
            results.display()
        ))
    );
    let (store, stored) = Store::reopen(&folder)?;
    let run = &stored.run;
    ensure!(
        run.method == METHOD,
        "{} was measured by METHOD {}, this is METHOD {METHOD}\n  fix: start a new run",
        folder.display(),
        run.method
    );
    stored.skipped.iter().for_each(|line| eprintln!("{line}"));

    let included: Vec<&CodecInfo> = run
        .codecs
        .iter()
        .filter(|codec| codec.excluded.is_none() && codec.twin_of.is_none())
        .collect();
    let is_ours = |codec: &&&CodecInfo| codec.against_of.is_none();
    let ids: Vec<String> = included.iter().filter(is_ours).map(|codec| codec.id.clone()).collect();
    let mut adapters: Vec<PathBuf> =
        included.iter().filter_map(|codec| codec.adapter.clone()).collect();
    adapters.dedup();
    let sources: Vec<String> = included
        .iter()
        .filter(is_ours)
        .filter_map(|codec| source_flag(codec))
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    let wish = Wish {
        codecs: &ids,
        adapters: &adapters,
        sources: &sources,
        operations: &run.operations,
        controls: true,
        relinks: run.relinks,
        ..Wish::default()
    };
    let files: Vec<PathBuf> =
        run.datasets.iter().filter_map(|dataset| dataset.file.clone()).collect();
    let filters: Vec<String> = run.datasets.iter().map(|dataset| dataset.id.clone()).collect();
    let messages = prepare::messages(root, &filters, &files)?;
    for dataset in &run.datasets {
        let same = messages.iter().any(|message| message.sha256 == dataset.sha256);
        ensure!(
            same,
            "`{}` is not the message that this run began with\n  fix: start a new run",
            dataset.id
        );
    }
    let ready = prepare::build(root, &wish, prepare::contestants(root, &wish)?)?;
    let against = Other::of_run(&run.codecs).build(root, &wish)?;
    let places = conditions::places(&ready, &against, &run.operations, &messages, scratch(root)?)?;
    for codec in included {
        for (operation, program) in &codec.programs {
            let layouts = codec.relinked.get(operation);
            let then = layouts.cloned().unwrap_or_else(|| vec![program.sha256.clone()]);
            let paths = places.programs.get(&(codec.id.clone(), *operation)).into_iter().flatten();
            let now: anyhow::Result<Vec<String>> =
                paths.map(|path| Ok(identity::program(path)?.sha256)).collect();
            ensure!(
                now? == then,
                "the program of `{}` for `{operation}` is not the one that this run began with\n  fix: go back to the state of that run, or start a new one",
                codec.id
            );
        }
    }
    let _lock = conditions::lock_cpu(run.cpu, true)?;
    finish(&store, &places, false, format, out)
}

/// The value of `--source` that a codec was built with; `None` if its source was the pinned one.
pub(super) fn source_flag(codec: &CodecInfo) -> Option<String> {
    let source = codec.source.as_ref().filter(|source| source.client == "folder")?;
    Some(format!("{}={}", codec.id.split('/').nth(1)?, source.package))
}

/// Everything that could differ from the record is refused.
///
/// # Errors
///
/// The command line, if it holds such a flag.
pub(crate) fn refuse_other(flags: &Bench) -> anyhow::Result<()> {
    let other = !flags.codec.is_empty()
        || !flags.dataset.is_empty()
        || !flags.operation.is_empty()
        || !flags.input.is_empty()
        || !flags.adapter.is_empty()
        || !flags.source.is_empty()
        || flags.rounds.is_some()
        || flags.seed.is_some()
        || flags.cpu.is_some()
        || flags.aa.is_some()
        || flags.against.is_some()
        || !flags.against_source.is_empty()
        || flags.minutes.is_some()
        || flags.relink.is_some()
        || flags.time_limit.is_some()
        || flags.lock_step
        || flags.publish
        || flags.quick
        || flags.list
        || flags.show_command;
    ensure!(
        !other,
        Usage("`--resume` takes everything from the record\n  fix: leave the other flags out, or start a new run".into())
    );
    Ok(())
}
