//! Profiles: how many rounds a run has, and how long its processes are.

use analysis::{Class, class};
use anyhow::ensure;
use protocol::{
    job::WarmUp,
    run::{CodecInfo, Pair, Profile},
};

use crate::{flags::Bench, usage::Usage};

/// Clock readings per process; chosen, because rounds buy more certainty than long samples.
const SAMPLES: u32 = 20;

/// The fewest that the sampling engine accepts.
const QUICK_SAMPLES: u32 = 10;

/// More, where time does not matter.
const PUBLISH_SAMPLES: u32 = 40;

/// Fewest rounds of what is published.
const PUBLISH_ROUNDS: u32 = 15;

/// Layouts of each program in what is published: few enough that each has several rounds.
const PUBLISH_LAYOUTS: u32 = 3;

/// Fewest rounds of any run that is evidence: with six, which a pair needs at least, one disturbed round decides.
const ROUNDS: u32 = 9;

/// Processes that an operation gets where codecs are few: rounds are cheap there, and on a machine that disturbs every third, a pair needs thirty to resolve 10 %.
const PROCESSES: usize = 60;

/// Rounds of a pair that is looked at by itself, to resolve less than what six rounds can.
const PAIR_ROUNDS: u32 = 15;

/// The same in lock-step, whose rounds are short.
const LOCK_STEP_ROUNDS: u32 = 30;

const WARM_UP: WarmUp =
    WarmUp { least_ns: 200_000_000, least_operations: 5, most_ns: 2_000_000_000 };

const QUICK_WARM_UP: WarmUp =
    WarmUp { least_ns: 50_000_000, least_operations: 5, most_ns: 500_000_000 };

/// How much is measured.
pub(super) struct Amount {
    pub(super) profile: Profile,
    pub(super) samples: u32,
    pub(super) warm_up: WarmUp,
    pub(super) relinks: u32,
}

/// Refuses flags that do not go together.
///
/// # Errors
///
/// The command line, if it holds such flags.
pub(super) fn refuse_contradictions(flags: &Bench) -> anyhow::Result<()> {
    let given = [
        ("--quick", flags.quick),
        ("--publish", flags.publish),
        ("--minutes", flags.minutes.is_some()),
        ("--rounds", flags.rounds.is_some()),
        ("--relink", flags.relink.is_some()),
        ("--list", flags.list),
        ("--show-command", flags.show_command),
        ("--dataset", !flags.dataset.is_empty()),
        ("--input", !flags.input.is_empty()),
        ("--against", flags.against.is_some()),
        ("--against-source", !flags.against_source.is_empty()),
    ];
    let is_given = |name: &str| given.iter().any(|(known, given)| *known == name && *given);
    for (one, other) in [
        ("--quick", "--publish"),
        ("--quick", "--minutes"),
        ("--quick", "--relink"),
        ("--minutes", "--rounds"),
        ("--list", "--show-command"),
        ("--dataset", "--input"),
        ("--against", "--against-source"),
    ] {
        ensure!(
            !(is_given(one) && is_given(other)),
            Usage(format!("`{one}` and `{other}` do not go together\n  fix: leave one out"))
        );
    }
    for (name, zero) in [
        ("--rounds", flags.rounds == Some(0)),
        ("--minutes", flags.minutes == Some(0)),
        ("--time-limit", flags.time_limit == Some(0)),
    ] {
        ensure!(
            !zero,
            Usage(format!("`{name} 0` measures nothing\n  fix: 1 or more, or leave it out"))
        );
    }
    Ok(())
}

/// The profile that the flags ask for.
pub(super) fn amount(flags: &Bench) -> Amount {
    let (profile, samples, relinks) = match flags {
        Bench { quick: true, .. } => (Profile::Quick, QUICK_SAMPLES, 0),
        Bench { publish: true, .. } => (Profile::Publish, PUBLISH_SAMPLES, PUBLISH_LAYOUTS),
        _ => (Profile::Default, SAMPLES, 0),
    };
    let warm_up = if flags.quick { QUICK_WARM_UP } else { WARM_UP };
    Amount { profile, samples, warm_up, relinks: flags.relink.unwrap_or(relinks) }
}

/// How many rounds count, if nobody says otherwise: what the verdicts of the table need.
pub(super) fn rounds(flags: &Bench, codecs: &[CodecInfo], pairs: &[Pair]) -> u32 {
    if let Some(rounds) = flags.rounds {
        return rounds;
    }
    if flags.quick {
        return 1;
    }
    let ranked = |wanted| {
        let is_ranked = |codec: &&CodecInfo| {
            class(codec) == wanted && codec.twin_of.is_none() && codec.excluded.is_none()
        };
        codecs.iter().filter(is_ranked).count()
    };
    let (fresh, reused) = (ranked(Class::Fresh), ranked(Class::Reused));
    let most = fresh.max(reused).saturating_sub(1);
    let compared = fresh + reused;
    let needed = u32::try_from(verdict::fewest_rounds(most.max(pairs.len()))).unwrap_or(u32::MAX);
    let least = match () {
        () if flags.lock_step => LOCK_STEP_ROUNDS,
        () if flags.publish || !pairs.is_empty() => PUBLISH_ROUNDS.max(PAIR_ROUNDS),
        // One codec alone has nothing to be told apart from.
        () if compared < 2 => ROUNDS,
        () => ROUNDS.max(u32::try_from(PROCESSES / compared).unwrap_or(ROUNDS)),
    };
    needed.max(least)
}
