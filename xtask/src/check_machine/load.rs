//! What the system did during a fifth of a second: CPUs, programs, swap.

use super::view::{View, value_of};
use std::collections::BTreeMap;
use std::thread;
use std::time::Duration;

/// Long enough for 20 ticks of the kernel's 100 per second; chosen.
const SAMPLE: Duration = Duration::from_millis(200);

/// What passed between two readings.
#[derive(Default)]
pub(super) struct Load {
    cpus: BTreeMap<usize, Ticks>,
    /// The program that used most CPU time, if any used some.
    pub(super) busiest: Option<Program>,
    /// Pages swapped in or out; `None` if the kernel does not count them.
    pub(super) swapped_pages: Option<u64>,
}

/// Time of one CPU, in the kernel's ticks.
#[derive(Clone, Copy, Default)]
struct Ticks {
    total: u64,
    busy: u64,
    stolen: u64,
}

/// A process of somebody's.
#[derive(Clone)]
pub(super) struct Program {
    pub(super) pid: u64,
    pub(super) name: String,
    ticks: u64,
}

impl Load {
    /// Reads, waits and reads again; nothing is known where there is no `/proc/stat`.
    ///
    /// A recorded tree holds its second reading in files that end in `.later`, and is not waited for.
    pub(super) fn sample(view: View<'_>) -> Load {
        if !view.exists("/proc/stat") {
            return Load::default();
        }
        let recorded = view.exists("/proc/stat.later");
        let before = Reading::take(view, "");
        if !recorded {
            thread::sleep(SAMPLE);
        }
        before.until(&Reading::take(view, if recorded { ".later" } else { "" }))
    }

    /// Share of the time in which the CPU ran something, from 0 to 1.
    pub(super) fn busy(&self, cpu: usize) -> Option<f64> {
        self.share(cpu, |ticks| ticks.busy)
    }

    /// Share of the time that the hypervisor gave to others, from 0 to 1.
    pub(super) fn stolen(&self, cpu: usize) -> Option<f64> {
        self.share(cpu, |ticks| ticks.stolen)
    }

    fn share(&self, cpu: usize, part: fn(&Ticks) -> u64) -> Option<f64> {
        let ticks = self.cpus.get(&cpu).filter(|ticks| ticks.total > 0)?;
        Some(part(ticks) as f64 / ticks.total as f64)
    }
}

/// Everything that is counted since the start of the system.
struct Reading {
    cpus: BTreeMap<usize, Ticks>,
    programs: BTreeMap<u64, Program>,
    swapped_pages: Option<u64>,
}

impl Reading {
    fn take(view: View<'_>, suffix: &str) -> Reading {
        let stat = view.text(&format!("/proc/stat{suffix}")).unwrap_or_default();
        let pids = view.names("/proc").unwrap_or_default();
        let pids = pids.iter().filter_map(|name| name.parse::<u64>().ok());
        let programs = pids.filter_map(|pid| {
            let text = view.text(&format!("/proc/{pid}/stat{suffix}"))?;
            Some((pid, program(pid, &text)?))
        });
        let vmstat = view.text(&format!("/proc/vmstat{suffix}"));
        Reading {
            cpus: stat.lines().filter_map(cpu_ticks).collect(),
            programs: programs.collect(),
            swapped_pages: vmstat.and_then(|text| swapped_pages(&text)),
        }
    }

    fn until(&self, later: &Reading) -> Load {
        let mut load = Load::default();
        for (&cpu, now) in &later.cpus {
            let Some(then) = self.cpus.get(&cpu) else { continue };
            let passed = Ticks {
                total: now.total.saturating_sub(then.total),
                busy: now.busy.saturating_sub(then.busy),
                stolen: now.stolen.saturating_sub(then.stolen),
            };
            load.cpus.insert(cpu, passed);
        }
        let used = later.programs.values().map(|now| {
            let then = self.programs.get(&now.pid).map_or(0, |program| program.ticks);
            Program { ticks: now.ticks.saturating_sub(then), ..now.clone() }
        });
        load.busiest = used.max_by_key(|program| program.ticks).filter(|most| most.ticks > 0);
        load.swapped_pages =
            later.swapped_pages.zip(self.swapped_pages).map(|(now, then)| now.saturating_sub(then));
        load
    }
}

/// A line `cpuN` of `/proc/stat`: user, nice, system, idle, iowait, irq, softirq, steal.
///
/// Source: proc(5). The two numbers of guests that follow are contained in user and nice.
fn cpu_ticks(line: &str) -> Option<(usize, Ticks)> {
    let mut words = line.split_whitespace();
    let cpu = words.next()?.strip_prefix("cpu")?.parse().ok()?;
    let ticks: Vec<u64> = words.take(8).map_while(|word| word.parse().ok()).collect();
    let total: u64 = ticks.iter().sum();
    let idle = ticks.get(3)? + ticks.get(4).unwrap_or(&0);
    let stolen = *ticks.get(7).unwrap_or(&0);
    Some((cpu, Ticks { total, busy: total - idle - stolen, stolen }))
}

/// `/proc/PID/stat`: the name stands in parentheses and may hold any byte; user and system time are fields 14 and 15.
///
/// Source: proc(5).
fn program(pid: u64, stat: &str) -> Option<Program> {
    let (start, rest) = stat.rsplit_once(')')?;
    let name = start.split_once('(')?.1.to_string();
    let mut fields = rest.split_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some(Program { pid, name, ticks: user + system })
}

fn swapped_pages(vmstat: &str) -> Option<u64> {
    let lines = vmstat.replace(' ', ":");
    let count = |key| value_of(&lines, key)?.parse::<u64>().ok();
    Some(count("pswpin")? + count("pswpout")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_for_a_disk_and_stolen_time_are_not_busy() {
        let (cpu, ticks) = cpu_ticks("cpu3 10 1 5 70 4 0 2 8 9 9").unwrap();
        assert_eq!((cpu, ticks.total, ticks.busy, ticks.stolen), (3, 100, 18, 8));
        assert!(cpu_ticks("cpu 10 1 5 70 4 0 2 8 0 0").is_none(), "the sum of all CPUs is no CPU");
        assert!(cpu_ticks("intr 5 0").is_none());
    }

    #[test]
    fn the_name_of_a_program_may_hold_parentheses_and_blanks() {
        let text = "7 (a) b (c) R 1 7 7 0 -1 0 0 0 0 0 30 12 0 0 20 0";
        let found = program(7, text).unwrap();
        assert_eq!((found.name.as_str(), found.ticks), ("a) b (c", 42));
    }

    #[test]
    fn pages_in_and_out_are_added() {
        assert_eq!(swapped_pages("nr_free 9\npswpin 3\npswpout 4"), Some(7));
        assert_eq!(swapped_pages("nr_free 9"), None);
    }
}
