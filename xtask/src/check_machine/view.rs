//! A system as its files under `/proc` and `/sys` show it, read below a folder of choice.

use std::fs;
use std::path::Path;

/// A system, seen from below a root folder: `/` in life, a recorded tree in tests.
#[derive(Clone, Copy)]
pub(super) struct View<'r>(pub(super) &'r Path);

impl View<'_> {
    /// The text of a file without the white space and NUL bytes at its ends; `None` if it cannot be read.
    pub(super) fn text(self, path: &str) -> Option<String> {
        let text = fs::read_to_string(self.0.join(path.trim_start_matches('/'))).ok()?;
        Some(text.trim_matches(|c: char| c.is_whitespace() || c == '\0').to_string())
    }

    pub(super) fn number(self, path: &str) -> Option<u64> {
        self.text(path)?.parse().ok()
    }

    /// Numbers of a list such as `0-3,8`, as the kernel writes sets of CPUs.
    pub(super) fn cpus(self, path: &str) -> Option<Vec<usize>> {
        parse_cpus(&self.text(path)?)
    }

    pub(super) fn exists(self, path: &str) -> bool {
        self.0.join(path.trim_start_matches('/')).exists()
    }

    /// Names in a folder, sorted; `None` if there is no such folder.
    pub(super) fn names(self, folder: &str) -> Option<Vec<String>> {
        let entries = fs::read_dir(self.0.join(folder.trim_start_matches('/'))).ok()?;
        let mut names: Vec<_> =
            entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
        names.sort();
        Some(names)
    }

    /// The value of a line `key: value` in a file of such lines.
    pub(super) fn field(self, path: &str, key: &str) -> Option<String> {
        value_of(&self.text(path)?, key)
    }

    /// The value of a line in `/proc/meminfo`, in bytes; the kernel's `kB` is 1024 bytes.
    pub(super) fn memory_bytes(self, key: &str) -> Option<u64> {
        let text = self.field("/proc/meminfo", key)?;
        text.strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
    }

    /// The block of `/proc/cpuinfo` that describes one CPU.
    pub(super) fn cpuinfo(self, cpu: usize) -> Option<String> {
        let text = self.text("/proc/cpuinfo")?;
        let number = cpu.to_string();
        let block = text.split("\n\n").find(|b| value_of(b, "processor").as_ref() == Some(&number));
        block.map(String::from)
    }

    /// CPUs that are online; empty if the system does not say.
    pub(super) fn online(self) -> Vec<usize> {
        self.cpus("/sys/devices/system/cpu/online").unwrap_or_default()
    }

    /// CPUs that are online and that this process may use; empty if the system does not say.
    pub(super) fn allowed(self) -> Vec<usize> {
        let online = self.online();
        let mask = self.field("/proc/self/status", "Cpus_allowed_list");
        let Some(mut allowed) = mask.and_then(|text| parse_cpus(&text)) else { return online };
        allowed.retain(|cpu| online.is_empty() || online.contains(cpu));
        allowed
    }

    /// Hardware threads that share the core of this CPU, without itself.
    pub(super) fn siblings(self, cpu: usize) -> Option<Vec<usize>> {
        let mut list = self.cpus(&thread_siblings(cpu))?;
        list.retain(|&other| other != cpu);
        Some(list)
    }
}

/// Where the kernel lists the hardware threads of a core.
pub(super) fn thread_siblings(cpu: usize) -> String {
    format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
}

/// The value of the first line `key: value`.
pub(super) fn value_of(text: &str, key: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == key).then(|| value.trim().to_string())
    })
}

fn parse_cpus(text: &str) -> Option<Vec<usize>> {
    let mut cpus = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        cpus.extend(first.parse::<usize>().ok()?..=last.parse().ok()?);
    }
    Some(cpus)
}

/// CPUs as the kernel would list them, `0-3,8`.
pub(super) fn list(cpus: &[usize]) -> String {
    let runs = cpus.chunk_by(|a, b| a + 1 == *b);
    let parts = runs.map(|run| match run {
        [only] => only.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    });
    parts.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_cpus_is_read_and_written_as_the_kernel_does() {
        assert_eq!(parse_cpus("0-2,8,10-11"), Some(vec![0, 1, 2, 8, 10, 11]));
        assert_eq!(parse_cpus(""), Some(vec![]));
        assert_eq!(parse_cpus("0-x"), None);
        assert_eq!(list(&[0, 1, 2, 8, 10, 11]), "0-2,8,10-11");
        assert_eq!(list(&[]), "");
    }
}
