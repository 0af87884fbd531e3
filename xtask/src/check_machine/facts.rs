//! What a machine is: processor, caches, memory, kernel, hypervisor.

use super::clock;
use super::view::{View, thread_siblings, value_of};
use protocol::machine::{Cache, Machine};
use std::collections::BTreeSet;

/// Words in the DMI tables of virtual machines, and the hypervisor they belong to.
///
/// Source: facts about firmware that systemd's `src/basic/virt.c` knows too; Hyper-V is told by its product's name.
const VENDORS: &[(&str, &str)] = &[
    ("KVM", "KVM"),
    ("QEMU", "QEMU"),
    ("Amazon EC2", "Amazon EC2"),
    ("Google Compute Engine", "Google Compute Engine"),
    ("VMware", "VMware"),
    ("VirtualBox", "VirtualBox"),
    ("Virtual Machine", "Hyper-V"),
    ("Xen", "Xen"),
    ("Bochs", "Bochs"),
    ("Parallels", "Parallels"),
    ("Apple Virtualization", "Apple Virtualization"),
];

/// The board that a hypervisor on Arm pretends to be (`hw/arm/virt.c` in QEMU; others use the same name).
const GUEST_BOARD: &str = "linux,dummy-virt";

/// Everything but the checks.
pub(super) fn facts(view: View<'_>, cpu: usize) -> Machine {
    let online = view.online();
    let cores: BTreeSet<_> =
        online.iter().filter_map(|&cpu| view.text(&thread_siblings(cpu))).collect();
    let known = |count: usize| (count > 0).then_some(count);
    Machine {
        cpu,
        cpu_model: cpu_model(view, cpu),
        cpus: known(online.len()),
        cores: known(cores.len()),
        clock_hz: clock::current_hz(view, cpu),
        max_clock_hz: clock::max_hz(view, cpu),
        caches: caches(view, cpu),
        memory_bytes: view.memory_bytes("MemTotal"),
        kernel: view.text("/proc/sys/kernel/osrelease"),
        hypervisor: hypervisor(view, cpu),
        checks: Vec::new(),
    }
}

/// x86-64 has a name in `/proc/cpuinfo`; Arm has numbers there, and the board's name in the device tree.
fn cpu_model(view: View<'_>, cpu: usize) -> Option<String> {
    let block = view.cpuinfo(cpu).unwrap_or_default();
    if let Some(name) = value_of(&block, "model name") {
        return Some(name);
    }
    let board = view.text("/proc/device-tree/model");
    let numbers = value_of(&block, "CPU implementer")
        .zip(value_of(&block, "CPU part"))
        .map(|(implementer, part)| format!("CPU implementer {implementer} part {part}"));
    let names: Vec<_> = [board, numbers].into_iter().flatten().collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// Source: `index*` in the folder `cache` that sysfs has for each CPU.
/// The kernel writes sizes with a `K` that is 1024 bytes (`size_show` in its `drivers/base/cacheinfo.c`).
fn caches(view: View<'_>, cpu: usize) -> Vec<Cache> {
    let folder = format!("/sys/devices/system/cpu/cpu{cpu}/cache");
    let read = |index: &String| {
        let text = |file| view.text(&format!("{folder}/{index}/{file}"));
        let bytes = kib_as_bytes(&text("size")?)?;
        Some(Cache { level: text("level")?.parse().ok()?, kind: text("type")?, bytes })
    };
    let mut caches: Vec<_> =
        view.names(&folder).unwrap_or_default().iter().filter_map(read).collect();
    caches.sort();
    caches
}

fn kib_as_bytes(text: &str) -> Option<u64> {
    text.strip_suffix('K')?.parse::<u64>().ok()?.checked_mul(1024)
}

/// What this system runs on, `unnamed` if it is virtual and does not say; `None` if it looks physical.
pub(super) fn hypervisor(view: View<'_>, cpu: usize) -> Option<String> {
    let dmi =
        ["product_name", "sys_vendor"].map(|file| view.text(&format!("/sys/class/dmi/id/{file}")));
    let dmi = dmi.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let vendor =
        VENDORS.iter().find(|(word, _)| dmi.contains(word)).map(|(_, name)| name.to_string());
    let named = view.text("/sys/hypervisor/type").filter(|name| !name.is_empty());
    match flags(view, cpu) {
        // On x86-64 the processor itself tells; the tables only give the name, and also stand in rented machines without a hypervisor.
        Some(flags) if flags.iter().any(|flag| flag == "hypervisor") => {
            Some(named.or(vendor).unwrap_or("unnamed".into()))
        }
        Some(_) => named,
        None if dmi.contains(".metal") => None,
        None => named.or(vendor).or_else(|| {
            let guest = view.exists("/proc/device-tree/hypervisor")
                || view.text("/proc/device-tree/model").as_deref() == Some(GUEST_BOARD);
            guest.then(|| "unnamed".to_string())
        }),
    }
}

/// Whether no sign of a hypervisor means that there is none.
///
/// It does where the processor would tell, and where firmware names a maker that is no hypervisor; an Arm guest may have neither.
pub(super) fn is_surely_physical(view: View<'_>, cpu: usize) -> bool {
    flags(view, cpu).is_some()
        || view.exists("/proc/device-tree/model")
        || view.exists("/sys/class/dmi/id/sys_vendor")
}

/// The processor's features on x86-64, where the line is called `flags`.
fn flags(view: View<'_>, cpu: usize) -> Option<Vec<String>> {
    let line = value_of(&view.cpuinfo(cpu)?, "flags")?;
    Some(line.split_whitespace().map(String::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_k_is_1024_bytes() {
        assert_eq!(kib_as_bytes("32768K"), Some(33_554_432));
        assert_eq!(kib_as_bytes("32768"), None);
    }
}
