//! Takes longer than it needs, by a known part: what `bench` must find out.

use std::{hint, time::Instant};

use codec::{Capabilities, Codec, Rejected, Stats, Sums};
use codec_rmpv::Value;

/// Spins for none of the time that it worked; the others are compared with it.
pub type By0 = Slowed<0>;

/// Spins for 3 % of the time that it worked.
pub type By3 = Slowed<3>;

/// Spins for 10 % of the time that it worked.
pub type By10 = Slowed<10>;

/// `rmpv::Value`, and after each call a loop that waits for so many percent of its time.
#[derive(Default)]
pub struct Slowed<const PERCENT: u32>(Value);

impl<const PERCENT: u32> Slowed<PERCENT> {
    fn slowly<T>(work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        let end = start.elapsed() * (100 + PERCENT) / 100;
        while start.elapsed() < end {
            hint::spin_loop();
        }
        result
    }
}

impl<const PERCENT: u32> Codec for Slowed<PERCENT> {
    type Document<'i> = <Value as Codec>::Document<'i>;
    type Output = <Value as Codec>::Output;

    const CAPABILITIES: Capabilities = Value::CAPABILITIES;

    fn version() -> String {
        Value::version()
    }

    fn parse<'i>(&mut self, input: &'i [u8]) -> Result<Self::Document<'i>, Rejected> {
        Self::slowly(|| self.0.parse(input))
    }

    fn serialize(&mut self, document: &Self::Document<'_>) -> Result<Self::Output, Rejected> {
        Self::slowly(|| self.0.serialize(document))
    }

    fn bytes(output: &Self::Output) -> &[u8] {
        Value::bytes(output)
    }

    fn stats(document: &Self::Document<'_>) -> Stats {
        Value::stats(document)
    }

    fn sums(document: &Self::Document<'_>) -> Sums {
        Value::sums(document)
    }
}
