//! `--explain` and `--message`: one message, byte by byte, and all that is to be said about it.

use std::{io, path::Path};

use conformance::{Case, Ended, Observed, judge};
use oracle::msgpack;

use super::asker_of;
use crate::{inspect, prepare::Ready, usage::End};

/// Explains every case to every codec that was selected.
///
/// # Errors
///
/// A program that cannot be started, or an output that cannot be written.
pub(super) fn cases(
    ready: &[Ready],
    cases: &[Case],
    meter: Option<&Path>,
    scratch: &Path,
    out: &mut impl io::Write,
) -> anyhow::Result<End> {
    let mut good = true;
    for one in ready {
        let id = one.contestant.id();
        let Some(mut asker) = asker_of(one, &id, scratch, meter)? else {
            good = false;
            continue;
        };
        for case in cases {
            writeln!(out, "case {} to {id}\n{}", case.id, case.why.trim())?;
            let mut all = Vec::new();
            for input in &case.inputs {
                let observed = asker.observe(input)?;
                write_message(out, "message", input)?;
                write_observed(out, &observed)?;
                writeln!(out, "debugger: {}", asker.debug_command(input)?)?;
                all.push(observed);
            }
            let judgement = judge(case, &all);
            good &= judgement.verdict != conformance::Verdict::Failed;
            writeln!(out, "expected: {}", judgement.expected)?;
            writeln!(out, "observed: {}", judgement.observed)?;
            writeln!(out, "verdict:  {} ({})\n", judgement.verdict, judgement.outcome)?;
        }
    }
    Ok(End::good_if(good))
}

/// Explains a message of the user's.
///
/// # Errors
///
/// A program that cannot be started, or an output that cannot be written.
pub(super) fn message(
    ready: &[Ready],
    bytes: &[u8],
    meter: Option<&Path>,
    scratch: &Path,
    out: &mut impl io::Write,
) -> anyhow::Result<End> {
    write_message(out, "message", bytes)?;
    match msgpack::decode(bytes) {
        Ok(_) => writeln!(out, "oracle:   valid")?,
        Err(error) => writeln!(out, "oracle:   {error}")?,
    }
    let mut good = true;
    for one in ready {
        let id = one.contestant.id();
        let Some(mut asker) = asker_of(one, &id, scratch, meter)? else {
            good = false;
            continue;
        };
        writeln!(out, "\n{id}")?;
        let observed = asker.observe(bytes)?;
        write_observed(out, &observed)?;
        let claims = super::claims(asker.describe()?.as_ref());
        let finding = conformance::fuzz::compare(bytes, &observed.ended, &claims);
        good &= finding.is_none();
        let words = finding.map_or("as it should be, or left to the library".into(), |finding| {
            finding.to_string()
        });
        writeln!(out, "verdict:  {words}")?;
        writeln!(out, "debugger: {}", asker.debug_command(bytes)?)?;
    }
    Ok(End::good_if(good))
}

/// Longest message that is printed whole, in bytes; chosen, some screens.
const WHOLE: usize = 512;

fn write_message(out: &mut impl io::Write, what: &str, bytes: &[u8]) -> anyhow::Result<()> {
    writeln!(out, "{what}: {} bytes", bytes.len())?;
    inspect::print(&bytes[..bytes.len().min(WHOLE)], out)?;
    if bytes.len() > WHOLE {
        writeln!(out, "… and {} bytes more", bytes.len() - WHOLE)?;
    }
    Ok(())
}

fn write_observed(out: &mut impl io::Write, observed: &Observed) -> anyhow::Result<()> {
    match &observed.ended {
        Ended::Rejected(words) => writeln!(out, "answer:   rejected: {words}")?,
        Ended::Lost(how) => writeln!(out, "answer:   {how}")?,
        Ended::Accepted(Err(words)) => writeln!(out, "answer:   read, and not written: {words}")?,
        Ended::Accepted(Ok(bytes)) => {
            writeln!(out, "answer:   read, and written")?;
            write_message(out, "output", bytes)?;
        }
    }
    if let Some(bytes) = observed.memory_bytes {
        writeln!(out, "memory:   {bytes} bytes at most")?;
    }
    if let Some(time) = observed.time {
        writeln!(out, "time:     {:.3} ms", time.as_secs_f64() * 1e3)?;
    }
    Ok(())
}
