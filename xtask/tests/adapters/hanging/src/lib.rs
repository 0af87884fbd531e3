//! Does not come back from parsing, once the check has passed.

use std::{thread, time::Duration};

use spoiled::{Fault, Spoiled};

/// Does not come back from the third parse.
pub type ThirdParse = Spoiled<Hang>;

/// The fault of `ThirdParse`.
pub struct Hang;

impl Fault for Hang {
    fn before_parse(number: u32) {
        if number < 3 {
            return;
        }
        loop {
            thread::sleep(Duration::from_secs(1));
        }
    }
}
