//! The adapter for rmpv with something wrong in it.

use std::marker::PhantomData;

use codec::{Capabilities, Codec, Rejected, Stats, Sums};
use rmpv::Value;

/// What is wrong.
pub trait Fault {
    /// Comes before a parse; `number` counts those of one codec, from 1.
    ///
    /// The check needs two at most, so from the third on it is the timed operation.
    fn before_parse(_number: u32) {}

    /// Comes after a parse.
    fn after_parse(_document: &mut Value) {}

    /// Comes before a document is written.
    fn before_serialize(_document: &mut Value) {}
}

/// `codec_rmpv::Value` with a fault.
pub struct Spoiled<F> {
    rmpv: codec_rmpv::Value,
    parses: u32,
    fault: PhantomData<F>,
}

impl<F> Default for Spoiled<F> {
    fn default() -> Self {
        Spoiled { rmpv: codec_rmpv::Value::default(), parses: 0, fault: PhantomData }
    }
}

impl<F: Fault> Codec for Spoiled<F> {
    type Document<'i> = Value;
    type Output = Vec<u8>;

    const CAPABILITIES: Capabilities = codec_rmpv::Value::CAPABILITIES;

    fn version() -> String {
        codec_rmpv::Value::version()
    }

    fn parse(&mut self, input: &[u8]) -> Result<Value, Rejected> {
        self.parses += 1;
        F::before_parse(self.parses);
        let mut document = self.rmpv.parse(input)?;
        F::after_parse(&mut document);
        Ok(document)
    }

    fn serialize(&mut self, document: &Value) -> Result<Vec<u8>, Rejected> {
        let mut document = document.clone();
        F::before_serialize(&mut document);
        self.rmpv.serialize(&document)
    }

    fn bytes(output: &Vec<u8>) -> &[u8] {
        output
    }

    fn stats(document: &Value) -> Stats {
        codec_rmpv::Value::stats(document)
    }

    fn sums(document: &Value) -> Sums {
        codec_rmpv::Value::sums(document)
    }
}
