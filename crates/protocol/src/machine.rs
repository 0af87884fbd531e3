//! What a record keeps of the machine that measured.

use serde::{Deserialize, Serialize};

/// A machine as `check-machine` saw it, through the CPU that measures.
///
/// It holds no host name and no user name, so that a record can be published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// The CPU that measures, counted as the kernel counts.
    pub cpu: usize,
    /// Name of the processor, or of the board where the processor has none.
    pub cpu_model: Option<String>,
    /// Logical CPUs that are online.
    pub cpus: Option<usize>,
    /// Physical cores that are online.
    pub cores: Option<usize>,
    /// Clock of the measuring CPU while idle.
    pub clock_hz: Option<u64>,
    /// Highest clock that the measuring CPU may take.
    pub max_clock_hz: Option<u64>,
    /// Caches of the measuring CPU, nearest first.
    pub caches: Vec<Cache>,
    /// Main memory.
    pub memory_bytes: Option<u64>,
    /// Release of the kernel.
    pub kernel: Option<String>,
    /// What a virtual machine runs on, `unnamed` if it does not say; `None` if none was seen.
    pub hypervisor: Option<String>,
    /// Every question that `check-machine` asks, in the order of its table.
    pub checks: Vec<Check>,
}

/// One cache.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cache {
    /// 1 is nearest to the core.
    pub level: u8,
    /// `Data`, `Instruction` or `Unified`, as the kernel writes it.
    pub kind: String,
    /// Its size.
    pub bytes: u64,
}

/// One question about the machine, and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// What was looked at, such as `governor`.
    pub name: String,
    /// Whether it harms.
    pub answer: Answer,
    /// What was read, in a few words.
    pub found: String,
    /// Where it was read.
    pub from: String,
    /// What mends it; there whenever the answer is bad.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
    /// Why a measurement depends on it.
    pub why: String,
}

/// Whether what was found harms a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// It does not.
    Good,
    /// It is known to spoil measurements, and can be mended.
    Bad,
    /// Nobody can tell from here.
    Unknown,
}

impl Answer {
    /// The answer as it stands in tables and records.
    pub fn as_str(self) -> &'static str {
        match self {
            Answer::Good => "good",
            Answer::Bad => "bad",
            Answer::Unknown => "unknown",
        }
    }
}

impl Machine {
    /// Whether anything is known to spoil a measurement.
    pub fn is_bad(&self) -> bool {
        self.answered(Answer::Bad).next().is_some()
    }

    /// The checks with this answer.
    pub fn answered(&self, answer: Answer) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(move |check| check.answer == answer)
    }

    /// Puts a check in the place of the one with the same name, or at the end.
    pub fn replace(&mut self, check: Check) {
        match self.checks.iter_mut().find(|old| old.name == check.name) {
            Some(old) => *old = check,
            None => self.checks.push(check),
        }
    }

    /// One line for stamps: what is bad with what was found, then what is unknown.
    pub fn summary(&self) -> String {
        let bad: Vec<_> =
            self.answered(Answer::Bad).map(|c| format!("{} {}", c.name, c.found)).collect();
        let unknown: Vec<_> = self.answered(Answer::Unknown).map(|c| c.name.clone()).collect();
        let named: Vec<_> =
            [bad.join(", "), unknown.join(", ")].into_iter().filter(|s| !s.is_empty()).collect();
        if named.is_empty() {
            return format!("all {} checks good", self.checks.len());
        }
        format!("{} bad, {} unknown: {}", bad.len(), unknown.len(), named.join("; "))
    }

    /// One line that tells this machine from others: processor, CPUs, memory, hypervisor.
    pub fn title(&self) -> String {
        let mut parts = vec![self.cpu_model.clone().unwrap_or("unknown processor".into())];
        parts.extend(self.cpus.map(|n| format!("{n} {}", if n == 1 { "CPU" } else { "CPUs" })));
        parts.extend(
            self.memory_bytes.map(|bytes| format!("{:.0} GiB", bytes as f64 / f64::from(1 << 30))),
        );
        parts.extend(self.hypervisor.as_ref().map(|name| match name.as_str() {
            "unnamed" => "virtual machine".to_string(),
            name => format!("virtual machine on {name}"),
        }));
        parts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, answer: Answer, found: &str) -> Check {
        let [name, found] = [name, found].map(String::from);
        Check { name, answer, found, from: "/proc".into(), remedy: None, why: "because".into() }
    }

    fn machine(checks: Vec<Check>) -> Machine {
        Machine {
            cpu: 1,
            cpu_model: Some("Test 9000".into()),
            cpus: Some(2),
            cores: None,
            clock_hz: None,
            max_clock_hz: Some(2_000_000_000),
            caches: vec![Cache { level: 1, kind: "Data".into(), bytes: 49_152 }],
            memory_bytes: Some(16 << 30),
            kernel: None,
            hypervisor: Some("unnamed".into()),
            checks,
        }
    }

    #[test]
    fn a_summary_names_the_bad_with_what_was_found_and_then_the_unknown() {
        let seen = machine(vec![
            check("governor", Answer::Bad, "powersave"),
            check("steal", Answer::Unknown, "nothing to read"),
            check("boost", Answer::Bad, "on"),
            check("swap", Answer::Good, "none"),
        ]);
        assert_eq!(seen.summary(), "2 bad, 1 unknown: governor powersave, boost on; steal");
        assert!(seen.is_bad());
    }

    #[test]
    fn unknown_alone_is_not_bad() {
        let seen = machine(vec![check("steal", Answer::Unknown, "nothing to read")]);
        assert!(!seen.is_bad());
        assert_eq!(seen.summary(), "0 bad, 1 unknown: steal");
    }

    #[test]
    fn a_machine_without_fault_says_so() {
        assert_eq!(
            machine(vec![check("swap", Answer::Good, "none")]).summary(),
            "all 1 checks good"
        );
    }

    #[test]
    fn a_title_tells_machines_apart() {
        assert_eq!(machine(vec![]).title(), "Test 9000, 2 CPUs, 16 GiB, virtual machine");
    }

    #[test]
    fn a_check_is_replaced_by_name() {
        let mut seen = machine(vec![check("build profile", Answer::Unknown, "nothing built")]);
        seen.replace(check("build profile", Answer::Good, "opt-level 3"));
        assert_eq!(seen.checks, [check("build profile", Answer::Good, "opt-level 3")]);
    }

    #[test]
    fn json_brings_a_machine_back_and_refuses_unknown_keys() {
        let seen = machine(vec![check("swap", Answer::Good, "none")]);
        let json = serde_json::to_string(&seen).unwrap();
        assert_eq!(serde_json::from_str::<Machine>(&json).unwrap(), seen);
        assert!(serde_json::from_str::<Machine>(&json.replace("\"cpus\"", "\"cups\"")).is_err());
    }
}
