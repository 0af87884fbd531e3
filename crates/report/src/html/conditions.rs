//! Under which conditions a run was measured: tools, codecs, machine, canary.

use analysis::{class, is_control, rounds, short_name};
use protocol::{
    job::Operation,
    run::{CodecInfo, Stored},
};
use serde_json::{Value, json};
use verdict::fence;

use super::timing::class_word;
use crate::palette;

/// Milliseconds of a day.
const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// The run without its codecs and datasets, which stand by themselves.
pub(super) fn run(stored: &Stored) -> Value {
    let run = &stored.run;
    json!({
        "name": stored.folder.file_name().map(|name| name.to_string_lossy()),
        "method": run.method,
        "profile": run.profile,
        "started_unix_ms": run.started_unix_ms,
        "seed": run.seed.to_string(),
        "rounds": run.rounds,
        "minutes": run.minutes,
        "lock_step": run.lock_step,
        "relinks": run.relinks,
        "cpu": run.cpu,
        "time_limit_s": run.time_limit_s,
        "warm_up": run.warm_up,
        "tools": run.tools,
    })
}

/// The machine, and whether it is known to be bad.
pub(super) fn machine(stored: &Stored) -> Value {
    let machine = &stored.machine;
    let mut seen = json!(machine);
    seen["title"] = machine.title().into();
    seen["summary"] = machine.summary().into();
    seen["is_bad"] = machine.is_bad().into();
    seen
}

/// Every codec, with the age of its pin.
pub(super) fn codecs(stored: &Stored) -> Vec<Value> {
    let colours = palette::colours(&stored.run);
    let one = |codec: &CodecInfo| {
        let library = palette::library(&codec.id);
        let published = codec.source.as_ref().and_then(|source| source.published_unix_ms);
        let age = published.and_then(|at| stored.run.started_unix_ms.checked_sub(at));
        json!({
            "id": codec.id,
            "name": short_name(&stored.run, codec),
            "colour": colours.get(library),
            "class": class_word(class(codec)),
            "is_contestant": !is_control(&codec.id) && codec.twin_of.is_none(),
            "twin_of": codec.twin_of,
            "package": codec.package,
            "adapter": codec.adapter,
            "description": codec.description,
            "source": codec.source,
            "age_days": age.map(|ms| ms / DAY_MS),
            "added_bytes": codec.programs.get(&Operation::Parse).and_then(|program| program.added_bytes),
            "compilers": codec.compilers,
            "outputs": codec.outputs,
            "excluded": codec.excluded,
        })
    };
    stored.run.codecs.iter().map(one).collect()
}

/// The canary of every round, in the order of time, with its fence.
pub(super) fn canary(stored: &Stored) -> Value {
    let mut seen: Vec<_> = stored.canary.iter().filter(|line| line.value_ns().is_some()).collect();
    seen.sort_by_key(|line| line.started_unix_ms);
    let values: Vec<f64> =
        seen.iter().filter_map(|line| line.value_ns()).map(|value| value as f64).collect();
    let rounds = seen.iter().map(|line| {
        let is_void = rounds(stored, line.operation).void.contains(&line.round);
        let least = |samples: &[u64]| samples.iter().min().copied();
        json!([
            line.operation.name(),
            line.round,
            line.started_unix_ms,
            least(&line.before_ns),
            least(&line.after_ns),
            is_void,
        ])
    });
    json!({ "fence_ns": fence(&values), "rounds": rounds.collect::<Vec<_>>() })
}
