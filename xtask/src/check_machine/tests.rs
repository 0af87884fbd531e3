//! The checks on recorded machines, and on one of them with a single file changed.

use super::*;
use protocol::machine::Answer::{Bad, Good, Unknown};
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

fn machines() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/machines")
}

/// Everything a user reads, in columns.
fn rendered(machine: &Machine) -> String {
    let mut text = format!("{}\n", machine.title());
    let facts = Machine { checks: Vec::new(), ..machine.clone() };
    writeln!(text, "{}\n", serde_json::to_string(&facts).unwrap()).unwrap();
    let (header, rows) = rows(machine);
    let header = header.map(String::from).to_vec();
    for row in std::iter::once(&header).chain(&rows) {
        writeln!(text, "{:<16} {:<8} {:<52} {}", row[0], row[1], row[2], row[3]).unwrap();
    }
    writeln!(text, "\n{}\n\n{}", remedies(machine).join("\n"), machine.summary()).unwrap();
    text
}

#[test]
fn every_recorded_machine_gives_the_expected_table() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for entry in fs::read_dir(machines()).unwrap() {
        let root = entry.unwrap().path();
        if !root.is_dir() {
            continue;
        }
        seen += 1;
        let got = rendered(&examine(&root, quietest_cpu(&root)));
        let expected = root.join("expected.txt");
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&expected, &got).unwrap();
        }
        if fs::read_to_string(&expected).unwrap_or_default() != got {
            wrong.push(format!("{}: got\n{got}", expected.display()));
        }
    }
    assert!(wrong.is_empty(), "{}\nfix: `UPDATE=1` if this is right", wrong.join("\n"));
    assert_eq!(seen, 4);
}

#[test]
fn a_system_without_files_is_unknown_everywhere_and_not_bad() {
    let empty = tempfile::tempdir().unwrap();
    let machine = examine(empty.path(), 1);
    let unknown: Vec<_> = machine.answered(Unknown).map(|check| &check.name).collect();
    assert_eq!(unknown.len(), QUESTIONS.len(), "{unknown:?}");
    assert!(!machine.is_bad());
    assert_eq!(quietest_cpu(empty.path()), 0);
    assert_eq!(clock_ratio(empty.path(), 1), None);
    assert!(require_cpu(empty.path(), 1).is_ok());
}

/// A file and its new text; `None` removes it.
type Change<'a> = (&'a str, Option<&'a str>);

/// Name of a check, its answer and what it found, after these changes.
type Case<'a> = (&'a str, Answer, &'a str, &'a [Change<'a>]);

/// The server with some files changed, measured on CPU 7.
fn server_with(changes: &[Change<'_>]) -> Machine {
    let server = machines().join("server");
    let root = tempfile::tempdir().unwrap();
    for entry in walkdir::WalkDir::new(&server) {
        let entry = entry.unwrap();
        let target = root.path().join(entry.path().strip_prefix(&server).unwrap());
        if entry.file_type().is_dir() {
            fs::create_dir_all(target).unwrap();
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
    for (path, text) in changes {
        let path = root.path().join(path);
        match text {
            None => fs::remove_file(path).unwrap(),
            Some(text) => {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
        }
    }
    examine(root.path(), 7)
}

#[test]
fn one_change_to_a_good_machine_gives_one_answer() {
    const CPU: &str = "sys/devices/system/cpu";
    let cpu = |path: &str| format!("{CPU}/{path}");
    let supply = |path: &str| format!("sys/class/power_supply/{path}");
    #[rustfmt::skip]
    let cases: &[Case<'_>] = &[
        ("governor", Bad, "schedutil", &[(&cpu("cpu7/cpufreq/scaling_governor"), Some("schedutil\n"))]),
        ("governor", Unknown, "nothing to read", &[(&cpu("cpu7/cpufreq/scaling_governor"), None)]),
        ("boost", Bad, "on", &[(&cpu("intel_pstate/no_turbo"), Some("0\n"))]),
        ("boost", Bad, "on", &[(&cpu("intel_pstate/no_turbo"), None), (&cpu("cpufreq/boost"), Some("1\n"))]),
        ("boost", Good, "off", &[(&cpu("intel_pstate/no_turbo"), None), (&cpu("cpufreq/boost"), Some("0\n"))]),
        ("boost", Good, "off", &[(&cpu("intel_pstate/no_turbo"), None), (&cpu("cpu7/cpufreq/boost"), Some("0\n"))]),
        ("boost", Unknown, "nothing to read", &[(&cpu("intel_pstate/no_turbo"), None)]),
        ("clock", Good, "3.34 of 3.40 GHz", &[(&cpu("cpu7/cpufreq/scaling_cur_freq"), Some("3340000\n"))]),
        ("clock", Bad, "3.32 of 3.40 GHz", &[(&cpu("cpu7/cpufreq/scaling_cur_freq"), Some("3320000\n"))]),
        ("clock", Bad, "3.40 of 4.80 GHz", &[(&cpu("intel_pstate/no_turbo"), Some("0\n"))]),
        ("clock", Good, "3.40 of 3.40 GHz", &[(&cpu("cpu7/cpufreq/base_frequency"), None),
            (&cpu("cpu7/cpufreq/scaling_available_frequencies"), Some("3400000 2800000 2200000 \n"))]),
        ("load", Bad, "CPU 7 is 50 % busy", &[("proc/stat.later", Some("cpu7 110 0 100 1010 0 0 0 0 0 0\n"))]),
        ("steal time", Unknown, "20 % of CPU 7", &[("proc/stat.later", Some("cpu7 100 0 100 1016 0 0 0 4 0 0\n"))]),
        ("SMT sibling", Bad, "CPU 3 is 75 % busy", &[("proc/stat.later", Some("cpu3 115 0 100 1005 0 0 0 0 0 0\n"))]),
        ("SMT sibling", Good, "none", &[(&cpu("cpu7/topology/thread_siblings_list"), Some("7\n"))]),
        ("SMT sibling", Unknown, "CPU 3, its load is not told", &[("proc/stat.later", None), ("proc/stat", None)]),
        ("isolated CPUs", Good, "6-7, CPU 7 among them", &[(&cpu("isolated"), Some("6-7\n"))]),
        ("isolated CPUs", Good, "2,6, CPU 7 not among them", &[(&cpu("isolated"), Some("2,6\n"))]),
        ("hybrid cores", Unknown, "CPU 7 is not fast; fast are 0-1", &[("sys/devices/cpu_core/cpus", Some("0-1\n"))]),
        ("virtual machine", Unknown, "yes, on QEMU", &[("sys/class/dmi/id/sys_vendor", Some("QEMU\n")),
            ("proc/cpuinfo", Some("processor\t: 7\nflags\t: fpu hypervisor\n"))]),
        ("virtual machine", Good, "no", &[("sys/class/dmi/id/sys_vendor", Some("Amazon EC2\n"))]),
        ("virtual machine", Unknown, "yes, on Amazon EC2", &[("sys/class/dmi/id/sys_vendor", Some("Amazon EC2\n")),
            ("proc/cpuinfo", Some("processor\t: 7\nCPU part\t: 0xd0c\n"))]),
        ("virtual machine", Good, "no", &[("sys/class/dmi/id/sys_vendor", Some("Amazon EC2\n")),
            ("sys/class/dmi/id/product_name", Some("c6g.metal\n")), ("proc/cpuinfo", Some("processor\t: 7\nCPU part\t: 0xd0c\n"))]),
        ("ASLR", Bad, "off", &[("proc/sys/kernel/randomize_va_space", Some("0\n"))]),
        ("ASLR", Good, "on, heap excepted", &[("proc/sys/kernel/randomize_va_space", Some("1\n"))]),
        ("ASLR", Bad, "off for this process", &[("proc/self/personality", Some("00040000\n"))]),
        ("swap", Bad, "12 pages within 0.2 s", &[("proc/vmstat.later", Some("pswpin 8\npswpout 4\n"))]),
        ("swap", Good, "2.1 GB, no page moved", &[("proc/meminfo", Some("SwapTotal:  2097152 kB\n"))]),
        ("memory pressure", Bad, "waiting 7.3 % of the last 10 s", &[("proc/pressure/memory", Some("some avg10=7.30 avg60=0.00 avg300=0.00 total=1\n"))]),
        ("battery", Good, "none", &[(&supply("mouse/type"), Some("Battery\n")), (&supply("mouse/scope"), Some("Device\n")),
            (&supply("mouse/status"), Some("Discharging\n"))]),
        ("battery", Bad, "discharging", &[(&supply("BAT0/type"), Some("Battery\n")), (&supply("BAT0/status"), Some("Discharging\n"))]),
        ("battery", Good, "plugged in", &[(&supply("BAT0/type"), Some("Battery\n")), (&supply("BAT0/status"), Some("Discharging\n")),
            (&supply("AC/type"), Some("Mains\n")), (&supply("AC/online"), Some("1\n"))]),
        ("battery", Unknown, "a battery that does not tell its state", &[(&supply("BAT0/type"), Some("Battery\n"))]),
        ("counters", Unknown, "not allowed, level 3", &[("proc/sys/kernel/perf_event_paranoid", Some("3\n"))]),
    ];

    let mut wrong = Vec::new();
    for (name, answer, found, changes) in cases {
        let machine = server_with(changes);
        let check = machine.checks.iter().find(|check| check.name == *name).unwrap();
        if (check.answer, check.found.as_str()) != (*answer, *found) {
            wrong.push(format!("{name}: want {answer:?} {found}, got {check:?}"));
        }
        for check in machine.answered(Bad).filter(|check| check.remedy.is_none()) {
            wrong.push(format!("{} is bad and has no remedy", check.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_busy_cpu_is_left_for_a_quiet_one_even_if_that_is_cpu_0() {
    let remedy = |stat: &str, mask: &str| {
        let machine = server_with(&[
            ("proc/stat.later", Some(stat)),
            ("proc/self/status", Some(&format!("Cpus_allowed_list:\t{mask}\n"))),
        ]);
        let check = machine.checks.into_iter().find(|check| check.name == "load").unwrap();
        check.remedy.unwrap()
    };
    let busy = "cpu0 100 0 100 1020\ncpu6 100 0 100 1020\ncpu7 120 0 100 1000\n";
    assert_eq!(remedy(busy, "0,6-7"), "`cargo xtask bench --cpu 6`");
    assert_eq!(remedy(busy, "0,7"), "`cargo xtask bench --cpu 0`");
    assert_eq!(remedy(busy, "7"), "wait for the program that `top` shows first");
}

#[test]
fn the_programs_are_judged_by_what_cargo_says() {
    assert_eq!(build_profile("3", false).answer, Good);
    for check in [build_profile("0", true), build_profile("3", true), build_profile("1", false)] {
        assert_eq!(check.answer, Bad);
        assert!(check.remedy.is_some());
    }
    let mut machine = server_with(&[]);
    machine.replace(build_profile("3", false));
    assert_eq!(machine.summary(), format!("all {} checks good", QUESTIONS.len()));
}

#[test]
fn a_cpu_that_cannot_be_used_is_refused_with_those_that_can() {
    let server = machines().join("server");
    assert!(require_cpu(&server, 5).is_ok());
    let error = require_cpu(&server, 64).unwrap_err().to_string();
    assert!(error.contains("CPU 64") && error.contains("one of 0-7"), "{error}");
}

#[test]
fn the_mask_of_the_process_bounds_the_choice() {
    let root = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("sys/devices/system/cpu/online", "0-3\n");
    write("proc/stat", "cpu1 0 0 0 0\ncpu2 0 0 0 0\ncpu3 0 0 0 0\n");
    write("proc/stat.later", "cpu1 9 0 0 11\ncpu2 1 0 0 19\ncpu3 0 0 0 20\n");
    let choice = |mask: &str| {
        write("proc/self/status", &format!("Cpus_allowed_list:\t{mask}\n"));
        quietest_cpu(root.path())
    };
    assert_eq!(choice("0-3"), 3);
    assert_eq!(choice("0-2"), 2);
    assert_eq!(choice("0-1,9"), 1);
    assert_eq!(choice("0"), 0);
}
