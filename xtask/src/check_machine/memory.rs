//! What happens to memory while a program runs: addresses, pages, swap, pressure.

use super::{Finding, Seen};

/// Flag of a process that is started without random addresses, as by `setarch -R`.
///
/// Source: `ADDR_NO_RANDOMIZE` in personality(2).
const NO_RANDOM_ADDRESSES: u64 = 0x004_0000;

/// Share of the last ten seconds, in percent, above which waiting for memory is bad; chosen.
const PRESSURE_LIMIT: f64 = 1.0;

pub(super) fn aslr(seen: &Seen<'_>) -> Finding {
    let from = "/proc/sys/kernel/randomize_va_space";
    let own = "/proc/self/personality";
    let flags = seen.view.text(own).and_then(|hex| u64::from_str_radix(&hex, 16).ok());
    if flags.is_some_and(|flags| flags & NO_RANDOM_ADDRESSES != 0) {
        let remedy = "start `cargo xtask` without `setarch -R`".to_string();
        return Finding::bad("off for this process", own, remedy);
    }
    match seen.view.number(from) {
        None => Finding::unread(from),
        Some(0) => {
            let remedy = "`sudo sysctl kernel.randomize_va_space=2`".to_string();
            Finding::bad("off", from, remedy)
        }
        Some(1) => Finding::good("on, heap excepted", from),
        Some(_) => Finding::good("on", from),
    }
}

/// No setting is bad, since all codecs run under the same one; it is recorded because times depend on it.
pub(super) fn huge_pages(seen: &Seen<'_>) -> Finding {
    let from = "/sys/kernel/mm/transparent_hugepage/enabled";
    // The file lists all settings and puts the one in force into brackets.
    let chosen = seen.view.text(from).and_then(|text| {
        let (_, rest) = text.split_once('[')?;
        Some(rest.split_once(']')?.0.to_string())
    });
    chosen.map_or_else(|| Finding::unread(from), |setting| Finding::good(setting, from))
}

pub(super) fn swap(seen: &Seen<'_>) -> Finding {
    let from = "/proc/vmstat and /proc/meminfo";
    let total = seen.view.memory_bytes("SwapTotal");
    match (seen.load.swapped_pages, total) {
        (Some(pages), _) if pages > 0 => {
            let found = format!("{pages} pages within 0.2 s");
            Finding::bad(found, from, "close what needs the memory, or `sudo swapoff -a`".into())
        }
        (_, Some(0)) => Finding::good("none", from),
        (Some(_), Some(bytes)) => {
            Finding::good(format!("{:.1} GB, no page moved", bytes as f64 / 1e9), from)
        }
        _ => Finding::unread(from),
    }
}

/// Source: the kernel's accounting/psi.rst; `some` is the share of time in which at least one task waited.
pub(super) fn pressure(seen: &Seen<'_>) -> Finding {
    let from = "/proc/pressure/memory";
    let share = seen.view.text(from).and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("some "))?;
        let word = line.split_whitespace().find_map(|word| word.strip_prefix("avg10="))?;
        word.parse::<f64>().ok()
    });
    match share {
        None => Finding::unread(from),
        Some(percent) if percent > PRESSURE_LIMIT => {
            let remedy = "close the first of `ps -eo rss,pid,comm --sort=-rss | head`".to_string();
            Finding::bad(format!("waiting {percent:.1} % of the last 10 s"), from, remedy)
        }
        Some(percent) => Finding::good(format!("waiting {percent:.1} % of the last 10 s"), from),
    }
}
