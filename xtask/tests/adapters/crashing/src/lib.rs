//! Crashes while it parses: at once, or so late that the check has passed.

use nix::sys::signal::{Signal, raise};
use spoiled::{Fault, Spoiled};

/// Dies of `SIGSEGV` in the third parse.
pub type ThirdParse = Spoiled<LateFault>;

/// Aborts in the first parse.
pub type AtOnce = Spoiled<EarlyFault>;

/// The fault of `ThirdParse`.
pub struct LateFault;

/// The fault of `AtOnce`.
pub struct EarlyFault;

impl Fault for LateFault {
    fn before_parse(number: u32) {
        if number < 3 {
            return;
        }
        // Rust's own handler takes the first signal, and steps aside.
        loop {
            raise(Signal::SIGSEGV).unwrap_or_else(|_| std::process::abort());
        }
    }
}

impl Fault for EarlyFault {
    fn before_parse(_: u32) {
        std::process::abort();
    }
}
