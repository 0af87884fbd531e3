//! The codec that does nothing: its row in a table is what the harness itself costs.

use codec::{Capabilities, Codec, Rejected, Stats, Sums};

/// A codec that accepts every message, finds nothing in it and writes nothing.
#[derive(Default)]
pub struct Nothing;

impl Codec for Nothing {
    type Document<'i> = ();
    type Output = ();

    const CAPABILITIES: Capabilities = Capabilities {
        binary: false,
        ext: false,
        non_string_keys: false,
        checks_utf8: false,
        borrows_input: false,
        keeps_key_order: false,
        narrows_floats: false,
        max_depth: None,
    };

    fn version() -> String {
        env!("CARGO_PKG_VERSION").into()
    }

    fn parse(&mut self, _: &[u8]) -> Result<(), Rejected> {
        Ok(())
    }

    fn serialize(&mut self, (): &()) -> Result<(), Rejected> {
        Ok(())
    }

    fn bytes((): &()) -> &[u8] {
        &[]
    }

    fn stats((): &()) -> Stats {
        Stats::default()
    }

    // Not inlined, so that every program of this codec has a symbol to be known by.
    // Only `read` has this call on its clock.
    #[inline(never)]
    fn sums((): &()) -> Sums {
        Sums::default()
    }
}
