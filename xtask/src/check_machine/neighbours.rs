//! Who shares the CPU: other programs, the sibling thread, the hypervisor, cores of another kind.

use super::facts::hypervisor;
use super::load::Load;
use super::view::{View, list, thread_siblings};
use super::{Finding, Seen};

/// Share of its time above which a CPU counts as busy; chosen: two ticks of 20 are the kernel's own work.
const BUSY: f64 = 0.1;

/// Share of the highest capacity from which a core counts as fast.
/// Chosen: cores of one kind differ by a few percent where some may boost higher, kinds by a third and more.
const FAST: f64 = 0.9;

pub(super) const ISOLATED: &str = "/sys/devices/system/cpu/isolated";

pub(super) fn load(seen: &Seen<'_>) -> Finding {
    let from = "/proc/stat, 0.2 s apart";
    let cpu = seen.cpu;
    let Some(busy) = seen.load.busy(cpu) else { return Finding::unread(from) };
    let found = format!("CPU {cpu} is {:.0} % busy", busy * 100.0);
    if busy <= BUSY {
        return Finding::good(found, from);
    }
    let is_quiet = |&other: &usize| noise(seen.view, &seen.load, other) <= BUSY;
    let quiet = quietest(seen.view, &seen.load, &candidates(seen.view)).filter(is_quiet);
    let quiet = quiet.or(seen.view.allowed().first().copied().filter(is_quiet));
    let program = seen.load.busiest.as_ref();
    let named = program.map(|p| format!(" (busiest program `{}`)", p.name)).unwrap_or_default();
    let remedy = match (quiet, program) {
        (Some(other), _) => format!("`cargo xtask bench --cpu {other}`"),
        (None, Some(program)) => {
            format!("wait for process {}, or `kill {0}` if it is yours", program.pid)
        }
        (None, None) => "wait for the program that `top` shows first".into(),
    };
    Finding::bad(found + &named, from, remedy)
}

/// CPUs to choose from: allowed, not CPU 0, and fast where cores are of two kinds.
pub(super) fn candidates(view: View<'_>) -> Vec<usize> {
    let mut cpus = view.allowed();
    cpus.retain(|&cpu| cpu != 0);
    let fast = fast_cpus(view).unwrap_or_default();
    if cpus.iter().any(|cpu| fast.contains(cpu)) {
        cpus.retain(|cpu| fast.contains(cpu));
    }
    cpus
}

/// The CPU among these that is least busy together with its siblings; the highest number among equals.
pub(super) fn quietest(view: View<'_>, load: &Load, cpus: &[usize]) -> Option<usize> {
    let noise = |cpu| noise(view, load, cpu);
    cpus.iter().copied().min_by(|&a, &b| noise(a).total_cmp(&noise(b)).then(b.cmp(&a)))
}

fn noise(view: View<'_>, load: &Load, cpu: usize) -> f64 {
    let siblings = view.siblings(cpu).unwrap_or_default();
    siblings.into_iter().chain([cpu]).filter_map(|cpu| load.busy(cpu)).sum()
}

pub(super) fn sibling(seen: &Seen<'_>) -> Finding {
    let from = thread_siblings(seen.cpu);
    let Some(siblings) = seen.view.siblings(seen.cpu) else { return Finding::unread(from) };
    let busiest = siblings
        .iter()
        .filter_map(|&cpu| Some((cpu, seen.load.busy(cpu)?)))
        .max_by(|a, b| a.1.total_cmp(&b.1));
    match busiest {
        None if !siblings.is_empty() => {
            Finding::unknown(format!("CPU {}, its load is not told", list(&siblings)), from)
        }
        None if hypervisor(seen.view, seen.cpu).is_some() => {
            Finding::unknown("none that the hypervisor shows", from)
        }
        None => Finding::good("none", from),
        Some((cpu, busy)) => {
            let found = format!("CPU {cpu} is {:.0} % busy", busy * 100.0);
            if busy <= BUSY {
                return Finding::good(found, from);
            }
            let switch = format!("/sys/devices/system/cpu/cpu{cpu}/online");
            Finding::bad(found, from, format!("`echo 0 | sudo tee {switch}`"))
        }
    }
}

/// A CPU that is not isolated is no fault: whether others use it is what the check of the load sees.
pub(super) fn isolated(seen: &Seen<'_>) -> Finding {
    let cpu = seen.cpu;
    match seen.view.cpus(ISOLATED) {
        None => Finding::unread(ISOLATED),
        Some(cpus) if cpus.contains(&cpu) => {
            Finding::good(format!("{}, CPU {cpu} among them", list(&cpus)), ISOLATED)
        }
        Some(cpus) => match cpus.last() {
            None => Finding::good("none", ISOLATED),
            Some(other) => {
                Finding::good(format!("{}, CPU {cpu} not among them", list(&cpus)), ISOLATED)
                    .hint(format!("`cargo xtask bench --cpu {other}`"))
            }
        },
    }
}

/// The fast CPUs of this machine, all of them where cores are alike; `None` if the system does not say.
///
/// Source: Intel's hybrid processors register a counter unit `cpu_core` beside `cpu_atom`; Arm and newer x86-64 kernels give each CPU a `cpu_capacity`, 1024 at most.
/// A processor whose only counter unit is called `cpu` has cores of one kind.
pub(super) fn fast_cpus(view: View<'_>) -> Option<Vec<usize>> {
    if let Some(cpus) = view.cpus("/sys/devices/cpu_core/cpus") {
        return Some(cpus);
    }
    let mut capacities = Vec::new();
    for cpu in view.online() {
        let path = format!("/sys/devices/system/cpu/cpu{cpu}/cpu_capacity");
        capacities.extend(view.number(&path).map(|capacity| (cpu, capacity)));
    }
    let Some(highest) = capacities.iter().map(|&(_, capacity)| capacity).max() else {
        return view.exists("/sys/devices/cpu").then(|| view.online());
    };
    capacities.retain(|&(_, capacity)| capacity as f64 >= FAST * highest as f64);
    Some(capacities.into_iter().map(|(cpu, _)| cpu).collect())
}

pub(super) fn hybrid(seen: &Seen<'_>) -> Finding {
    let (cpu, from) = (seen.cpu, "/sys/devices/cpu_core/cpus and system/cpu/cpu*/cpu_capacity");
    let Some(fast) = fast_cpus(seen.view) else { return Finding::unread(from) };
    if fast.len() == seen.view.online().len() {
        return Finding::good("none, all CPUs are of one kind", from);
    }
    let found = format!(
        "CPU {cpu} is {}fast; fast are {}",
        if fast.contains(&cpu) { "" } else { "not " },
        list(&fast)
    );
    match fast.iter().rfind(|&&other| other != 0) {
        _ if fast.contains(&cpu) => Finding::good(found, from),
        Some(other) => {
            Finding::unknown(found, from).hint(format!("`cargo xtask bench --cpu {other}`"))
        }
        None => Finding::unknown(found, from),
    }
}

pub(super) fn virtual_machine(seen: &Seen<'_>) -> Finding {
    let from = "/proc/cpuinfo, /sys/class/dmi/id and /sys/hypervisor";
    match hypervisor(seen.view, seen.cpu) {
        Some(name) if name == "unnamed" => Finding::unknown("yes", from),
        Some(name) => Finding::unknown(format!("yes, on {name}"), from),
        None if super::facts::is_surely_physical(seen.view, seen.cpu) => Finding::good("no", from),
        None => Finding::unread(from),
    }
}

/// Stolen time cannot be given back from inside, so it is never bad; the rows that lost it are flagged.
pub(super) fn steal(seen: &Seen<'_>) -> Finding {
    let from = "/proc/stat, 0.2 s apart";
    match seen.load.stolen(seen.cpu) {
        None => Finding::unread(from),
        Some(0.0) => Finding::good("none", from),
        Some(share) => {
            Finding::unknown(format!("{:.0} % of CPU {}", share * 100.0, seen.cpu), from)
        }
    }
}

/// Source: the kernel's admin-guide/sysctl/kernel.rst: up to 2 a program may count its own work in user space.
pub(super) fn counters(seen: &Seen<'_>) -> Finding {
    let from = "/proc/sys/kernel/perf_event_paranoid";
    match seen.view.text(from).and_then(|text| text.parse::<i64>().ok()) {
        None => Finding::unread(from),
        Some(level @ ..=2) => Finding::good(format!("allowed, level {level}"), from),
        Some(level) => Finding::unknown(format!("not allowed, level {level}"), from)
            .hint("`sudo sysctl kernel.perf_event_paranoid=2`".into()),
    }
}
