//! The clock, and what the system counts meanwhile.

use std::time::Instant;

use nix::sys::{
    resource::{Usage, UsageWho, getrusage},
    time::{TimeVal, TimeValLike},
};
use protocol::record::Counters;

use crate::warm_up::WarmedUp;

/// A clock that runs.
pub(crate) struct Clock {
    before: Usage,
    start: Instant,
}

/// What passed between two readings of the clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stretch {
    pub(crate) ns: u64,
    pub(crate) minor_faults: u64,
    pub(crate) major_faults: u64,
}

impl Clock {
    /// The system is asked first, so that the question is off the clock.
    pub(crate) fn start() -> Clock {
        let before = usage();
        Clock { before, start: Instant::now() }
    }

    pub(crate) fn stop(self) -> Stretch {
        let time = self.start.elapsed();
        let after = usage();
        Stretch {
            ns: u64::try_from(time.as_nanos()).unwrap_or(u64::MAX),
            minor_faults: increase(self.before.minor_page_faults(), after.minor_page_faults()),
            major_faults: increase(self.before.major_page_faults(), after.major_page_faults()),
        }
    }
}

impl Stretch {
    pub(crate) fn faults(&self) -> u64 {
        self.minor_faults + self.major_faults
    }

    pub(crate) fn add(&mut self, other: Stretch) {
        self.ns += other.ns;
        self.minor_faults += other.minor_faults;
        self.major_faults += other.major_faults;
    }
}

/// What the system has counted for this process so far.
pub(crate) struct Snapshot {
    usage: Usage,
    migrations: Option<u64>,
    waited_ns: Option<u64>,
    steal_ns: Option<u64>,
}

impl Snapshot {
    /// `cpu` is the only one on which this process runs, if there is one.
    pub(crate) fn take(cpu: Option<usize>) -> Snapshot {
        Snapshot {
            usage: usage(),
            migrations: proc_file("self/sched").and_then(|text| migrations(&text)),
            waited_ns: proc_file("self/schedstat").and_then(|text| waited_ns(&text)),
            steal_ns: cpu.and_then(|cpu| proc_file("stat").and_then(|text| steal_ns(&text, cpu))),
        }
    }

    /// What was counted from this snapshot to a later one, with what was counted by stretches.
    pub(crate) fn until(
        &self,
        later: &Snapshot,
        warmed_up: &WarmedUp,
        samples: &Stretch,
    ) -> Counters {
        let (before, after) = (&self.usage, &later.usage);
        Counters {
            warm_up_ns: warmed_up.ns,
            warm_up_operations: warmed_up.operations,
            steady: warmed_up.steady,
            minor_faults: samples.minor_faults,
            major_faults: samples.major_faults,
            voluntary_switches: increase(
                before.voluntary_context_switches(),
                after.voluntary_context_switches(),
            ),
            involuntary_switches: increase(
                before.involuntary_context_switches(),
                after.involuntary_context_switches(),
            ),
            migrations: difference(self.migrations, later.migrations),
            user_ns: increase(nanoseconds(before.user_time()), nanoseconds(after.user_time())),
            system_ns: increase(
                nanoseconds(before.system_time()),
                nanoseconds(after.system_time()),
            ),
            waited_ns: difference(self.waited_ns, later.waited_ns),
            steal_ns: difference(self.steal_ns, later.steal_ns),
        }
    }
}

fn usage() -> Usage {
    // Its errors are a bad pointer and an unknown `who` (getrusage(2)), and neither can be here.
    getrusage(UsageWho::RUSAGE_SELF).expect("the system answers `getrusage` about this process")
}

fn increase(before: i64, after: i64) -> u64 {
    u64::try_from(after - before).unwrap_or(0)
}

fn nanoseconds(time: TimeVal) -> i64 {
    time.num_microseconds() * 1_000
}

fn difference(before: Option<u64>, after: Option<u64>) -> Option<u64> {
    Some(after?.saturating_sub(before?))
}

/// `None` on systems other than Linux, and where the kernel was built without the file.
fn proc_file(name: &str) -> Option<String> {
    std::fs::read_to_string(format!("/proc/{name}")).ok()
}

/// Source: `/proc/PID/schedstat`, second field (Linux, `Documentation/scheduler/sched-stats.rst`).
fn waited_ns(schedstat: &str) -> Option<u64> {
    schedstat.split_whitespace().nth(1)?.parse().ok()
}

/// Source: `/proc/PID/sched`, line `nr_migrations` or `se.nr_migrations`, by version of the kernel.
fn migrations(sched: &str) -> Option<u64> {
    let line = sched.lines().find(|line| {
        line.split_whitespace().next().is_some_and(|name| name.ends_with("nr_migrations"))
    })?;
    line.rsplit(':').next()?.trim().parse().ok()
}

/// Source: `/proc/stat`, eighth number of the line of a CPU (proc_stat(5)), in steps of 10 ms (`USER_HZ` is 100).
fn steal_ns(stat: &str, cpu: usize) -> Option<u64> {
    let name = format!("cpu{cpu}");
    let mut words = stat
        .lines()
        .map(str::split_whitespace)
        .find_map(|mut words| (words.next() == Some(&name)).then_some(words))?;
    words.nth(7)?.parse::<u64>().ok()?.checked_mul(10_000_000)
}

#[test]
fn what_linux_writes_is_read() {
    assert_eq!(waited_ns("1263451 98765 12\n"), Some(98_765));
    let sched = "cat (7, #threads: 1)\n---\nse.nr_migrations         :          3\n";
    assert_eq!(migrations(sched), Some(3));
    assert_eq!(migrations("nr_switches : 1\n"), None);
    let stat =
        "cpu  1 2 3 4 5 6 7 8 9 10\ncpu1 1 2 3 4 5 6 7 21 9 10\ncpu11 1 2 3 4 5 6 7 3 9 10\n";
    assert_eq!(steal_ns(stat, 1), Some(210_000_000));
    assert_eq!(steal_ns(stat, 2), None);
}

#[test]
fn touching_new_memory_is_counted_as_page_faults() {
    let clock = Clock::start();
    let pages = std::hint::black_box(vec![1_u8; 64 << 20]);
    let stretch = clock.stop();
    drop(pages);
    assert!(stretch.faults() > 0 && stretch.ns > 0, "{stretch:?}");
}
