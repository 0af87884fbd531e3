//! What decides the clock of a CPU: governor, boost, heat, battery.

use super::view::View;
use super::{Finding, Seen};

/// Lowest share of its maximum at which an idle CPU is ready to measure; chosen.
const READY: f64 = 0.98;

const GOVERNOR_REMEDY: &str =
    "`echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor`";

fn cpufreq(cpu: usize, file: &str) -> String {
    format!("/sys/devices/system/cpu/cpu{cpu}/cpufreq/{file}")
}

pub(super) fn governor(seen: &Seen<'_>) -> Finding {
    let from = cpufreq(seen.cpu, "scaling_governor");
    match seen.view.text(&from).filter(|name| !name.is_empty()) {
        None => Finding::unread(from),
        Some(name) if name == "performance" => Finding::good(name, from),
        Some(name) => Finding::bad(name, from, GOVERNOR_REMEDY.into()),
    }
}

/// The switch for boost: where it is, what turns it off, whether boost is on.
///
/// Source: `no_turbo` in the kernel's admin-guide/pm/intel_pstate.rst, `boost` in its cpufreq.rst; newer drivers have a `boost` for each CPU.
fn boost_switch(view: View<'_>, cpu: usize) -> Option<(String, &'static str, bool)> {
    let switches = [
        ("/sys/devices/system/cpu/intel_pstate/no_turbo".to_string(), "1"),
        ("/sys/devices/system/cpu/cpufreq/boost".to_string(), "0"),
        (cpufreq(cpu, "boost"), "0"),
    ];
    switches.into_iter().find_map(|(path, off)| {
        let state = view.text(&path).filter(|state| !state.is_empty())?;
        Some((path, off, state != off))
    })
}

pub(super) fn boost(seen: &Seen<'_>) -> Finding {
    match boost_switch(seen.view, seen.cpu) {
        None => Finding::unread("/sys/devices/system/cpu/cpufreq/boost and intel_pstate/no_turbo"),
        Some((path, _, false)) => Finding::good("off", path),
        Some((path, off, true)) => {
            let remedy = format!("`echo {off} | sudo tee {path}`");
            Finding::bad("on", path, remedy)
        }
    }
}

fn read_hz(view: View<'_>, cpu: usize, file: &str) -> Option<u64> {
    view.number(&cpufreq(cpu, file))?.checked_mul(1000)
}

/// Clock of a CPU as cpufreq tells it, else as `/proc/cpuinfo` does, in Hz.
pub(super) fn current_hz(view: View<'_>, cpu: usize) -> Option<u64> {
    read_hz(view, cpu, "scaling_cur_freq").or_else(|| {
        let mhz: f64 = super::view::value_of(&view.cpuinfo(cpu)?, "cpu MHz")?.parse().ok()?;
        Some((mhz * 1e6).round() as u64)
    })
}

/// Highest clock that a CPU may take, in Hz.
///
/// This is the limit of its cpufreq policy; some drivers let that stand at the boosted clock while boost is off, and then the base clock is the limit.
/// The base clock is in `base_frequency` or, for drivers with a table, at the top of `scaling_available_frequencies`.
pub(super) fn max_hz(view: View<'_>, cpu: usize) -> Option<u64> {
    let limit = read_hz(view, cpu, "scaling_max_freq")
        .or_else(|| read_hz(view, cpu, "cpuinfo_max_freq"))?;
    let boost_is_off = boost_switch(view, cpu).is_some_and(|(_, _, on)| !on);
    let base = boost_is_off.then(|| base_hz(view, cpu)).flatten();
    Some(base.map_or(limit, |base| base.min(limit)))
}

fn base_hz(view: View<'_>, cpu: usize) -> Option<u64> {
    read_hz(view, cpu, "base_frequency").or_else(|| {
        let table = view.text(&cpufreq(cpu, "scaling_available_frequencies"))?;
        table.split_whitespace().filter_map(|khz| khz.parse::<u64>().ok()).max()?.checked_mul(1000)
    })
}

/// Current clock by maximum, where cpufreq tells both.
pub(super) fn ratio(view: View<'_>, cpu: usize) -> Option<f64> {
    let current = read_hz(view, cpu, "scaling_cur_freq")?;
    let max = max_hz(view, cpu).filter(|&hz| hz > 0)?;
    Some(current as f64 / max as f64)
}

pub(super) fn clock(seen: &Seen<'_>) -> Finding {
    let (view, cpu) = (seen.view, seen.cpu);
    let from = cpufreq(cpu, "scaling_cur_freq");
    let (Some(ratio), Some(current), Some(max)) =
        (ratio(view, cpu), current_hz(view, cpu), max_hz(view, cpu))
    else {
        return Finding::unread(from);
    };
    let found = format!("{:.2} of {:.2} GHz", current as f64 / 1e9, max as f64 / 1e9);
    if ratio >= READY {
        return Finding::good(found, from);
    }
    // The first of these that applies is the likely cause.
    let follows_load =
        view.text(&cpufreq(cpu, "scaling_governor")).is_some_and(|g| g != "performance");
    let remedy = match boost_switch(view, cpu) {
        _ if follows_load => GOVERNOR_REMEDY.into(),
        Some((path, off, true)) => format!("`echo {off} | sudo tee {path}`"),
        _ => "let it cool for some minutes, then `cargo xtask check-machine`".into(),
    };
    Finding::bad(found, from, remedy)
}

/// Supplies with the scope `Device` belong to a mouse or a headset and are passed over.
///
/// Source: `scope`, `type`, `online` and `status` in the kernel's ABI/testing/sysfs-class-power.
pub(super) fn battery(seen: &Seen<'_>) -> Finding {
    let from = "/sys/class/power_supply";
    let Some(names) = seen.view.names(from) else { return Finding::unread(from) };
    let read = |name: &str, file: &str| seen.view.text(&format!("{from}/{name}/{file}"));
    let of_system = |name: &&String| read(name, "scope").is_none_or(|scope| scope != "Device");
    let (batteries, sources): (Vec<_>, Vec<_>) = names
        .iter()
        .filter(of_system)
        .partition(|name| read(name, "type").is_some_and(|kind| kind == "Battery"));

    if batteries.is_empty() {
        return Finding::good("none", from);
    }
    if sources.iter().any(|name| read(name, "online").is_some_and(|online| online != "0")) {
        return Finding::good("plugged in", from);
    }
    let states: Vec<_> = batteries.iter().filter_map(|name| read(name, "status")).collect();
    if states.iter().any(|state| state == "Discharging") {
        return Finding::bad("discharging", from, "plug in the power supply".into());
    }
    match states.iter().find(|state| *state != "Unknown") {
        Some(state) => Finding::good(state.to_lowercase(), from),
        None => Finding::unknown("a battery that does not tell its state", from),
    }
}
