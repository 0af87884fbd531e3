//! `--fuzz`: messages made at random, each answer compared with the oracle's, findings made small.

use std::{
    collections::BTreeMap,
    io,
    path::Path,
    time::{Duration, Instant},
};

use conformance::{
    Known,
    fuzz::{Finding, Fuzzer, compare, shrink},
    surprise,
};

use protocol::conformance::{FuzzFinding, FuzzLine};

use super::{asker_of, record::Record};
use crate::{
    interrupt,
    prepare::Ready,
    progress::Progress,
    table::{self, Cell, Column, Table},
    usage::End,
};

/// Questions that making one finding small may take; chosen, a second or two.
const SHRINKING: usize = 2_000;

/// What a codec should not have done, once of each kind.
struct Found {
    finding: Finding,
    message: Vec<u8>,
    times: u64,
}

/// Runs the command.
///
/// # Errors
///
/// A program that cannot be started.
pub(super) fn run(
    ready: &[Ready],
    (seconds, most): (u64, Option<u64>),
    seed: u64,
    scratch: &Path,
    record: &Record,
    format: table::Format,
    out: &mut impl io::Write,
) -> anyhow::Result<End> {
    let mut progress = Progress::new(ready.len() as u64);
    let mut rows = Vec::new();
    let mut good = true;
    for one in ready {
        let id = one.contestant.id();
        progress.now(&format!("{id}, seed {seed}"));
        // Counting allocations would only slow it down.
        let Some(mut asker) = asker_of(one, &id, scratch, None)? else {
            good &= !one.contestant.by_name;
            continue;
        };
        let description = asker.describe()?;
        let claims = super::claims(description.as_ref());
        let version = description.as_ref().map_or("", |description| &description.version);
        let folder = one.contestant.adapter.manifest.parent().unwrap_or(Path::new("."));
        let known = Known::read(folder)?;
        let end = Instant::now() + Duration::from_secs(seconds);
        let mut found: BTreeMap<String, Found> = BTreeMap::new();
        let mut messages = 0u64;
        for message in Fuzzer::new(seed) {
            if Instant::now() >= end || most == Some(messages) || interrupt::wished() {
                break;
            }
            messages += 1;
            let ended = asker.observe(&message)?.ended;
            let Some(finding) = compare(&message, &ended, &claims) else { continue };
            match found.get_mut(finding.kind()) {
                Some(found) => found.times += 1,
                None => {
                    let kind = finding.kind().to_owned();
                    let mut failure = None;
                    let small = shrink(&message, SHRINKING, |candidate| {
                        let ended = asker.observe(candidate);
                        let ended = ended.map_err(|error| failure = Some(error)).ok();
                        let finding =
                            ended.and_then(|seen| compare(candidate, &seen.ended, &claims));
                        finding.is_some_and(|finding| finding.kind() == kind)
                    });
                    if let Some(error) = failure {
                        return Err(error);
                    }
                    let ended = asker.observe(&small)?.ended;
                    let finding = compare(&small, &ended, &claims).unwrap_or(finding);
                    found.insert(kind, Found { finding, message: small, times: 1 });
                }
            }
        }
        let hex = |message: &[u8]| -> String {
            message.iter().map(|byte| format!("{byte:02x}")).collect()
        };
        record.fuzz(FuzzLine {
            codec: id.clone(),
            seed,
            messages,
            findings: found
                .iter()
                .map(|(kind, found)| FuzzFinding {
                    kind: kind.clone(),
                    what: found.finding.to_string(),
                    message: hex(&found.message),
                })
                .collect(),
        })?;
        for (kind, Found { finding, message, times }) in &found {
            let name = format!("fuzz/{kind}");
            let is_known =
                surprise(&known, &one.contestant.entry.variant, version, &name, Some(kind));
            good &= is_known.is_none();
            let hex = hex(message);
            rows.push(vec![
                Cell::from(id.as_str()),
                kind.as_str().into(),
                Cell::number(*times, times.to_string()),
                if is_known.is_none() { "known".into() } else { "new".into() },
                finding.to_string().into(),
                format!("cargo xtask conformance --codec {id} --message {hex}").into(),
            ]);
        }
        rows.push(vec![
            id.as_str().into(),
            "messages".into(),
            Cell::number(messages, messages.to_string()),
            "".into(),
            "".into(),
            "".into(),
        ]);
        progress.step();
    }
    progress.finish();
    let columns = vec![
        Column::left("codec", "codec"),
        Column::left("finding", "kind"),
        Column::right("times", "times"),
        Column::left("known", "known"),
        Column::left("what", "what"),
        Column::left("repeat with", "command"),
    ];
    let notes = vec![format!(
        "seed {seed}, {seconds} s for each codec; a finding stands for all of its kind"
    )];
    table::print(
        &[Table { title: "fuzz".into(), columns, rows, notes, ..Table::default() }],
        format,
        out,
    )?;
    Ok(if interrupt::wished() { End::Interrupted } else { End::good_if(good) })
}
