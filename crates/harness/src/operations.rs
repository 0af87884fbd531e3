//! What is timed: a few lines for each operation, and what is on and off the clock.

use std::hint::black_box;

use codec::{Codec, Rejected, Sums};
use protocol::job::{Content, Operation};

use crate::{
    check,
    counters::{Clock, Stretch},
};

/// An operation of a codec on one message, ready to be timed.
pub trait Timed: Sized {
    /// Whose operation this is.
    type Codec: Codec;

    /// Which operation this is.
    const OPERATION: Operation;

    /// Does, off the clock, what the operation needs; there is room for the results of `batch` operations.
    ///
    /// # Errors
    ///
    /// What the library says if it refuses.
    fn prepare(codec: Self::Codec, input: &'static [u8], batch: u64) -> Result<Self, Rejected>;

    /// Does the operation `batch` times between two readings of the clock.
    ///
    /// # Errors
    ///
    /// What the library says if it refuses.
    fn run(&mut self, batch: u64) -> Result<Stretch, Rejected>;

    /// Compares the result of the last operation.
    ///
    /// # Errors
    ///
    /// What is different.
    fn check_last(&self, expect: &Content) -> Result<(), String>;
}

/// Room for the results of a batch; the warm-up runs whole batches and so touches all of it.
fn room<T>(batch: u64) -> Vec<T> {
    Vec::with_capacity(usize::try_from(batch).unwrap_or(usize::MAX))
}

/// Bytes to document.
pub struct Parse<C: Codec> {
    // Above the codec, because the fields are dropped in this order and a document may lie in the codec's memory.
    documents: Vec<C::Document<'static>>,
    codec: C,
    input: &'static [u8],
}

impl<C: Codec> Timed for Parse<C> {
    type Codec = C;
    const OPERATION: Operation = Operation::Parse;

    fn prepare(codec: C, input: &'static [u8], batch: u64) -> Result<Self, Rejected> {
        Ok(Parse { documents: room(batch), codec, input })
    }

    /// On the clock: decoding and building the document.
    /// Off the clock: destroying the document, reading the input.
    /// A variant that reuses takes back the document before on the clock.
    fn run(&mut self, batch: u64) -> Result<Stretch, Rejected> {
        drop_unless_reused::<C, _>(&mut self.documents);
        let clock = Clock::start();
        for _ in 0..batch {
            reclaim_document(&mut self.codec, &mut self.documents);
            self.documents.push(self.codec.parse(black_box(self.input))?);
        }
        black_box(&self.documents);
        Ok(clock.stop())
    }

    fn check_last(&self, expect: &Content) -> Result<(), String> {
        let document = self.documents.last().ok_or(NOTHING_RAN)?;
        check::same(expect, &check::content::<C>(document))
    }
}

/// Document to bytes.
pub struct Serialize<C: Codec> {
    outputs: Vec<C::Output>,
    document: C::Document<'static>,
    codec: C,
    checked: Vec<u8>,
}

impl<C: Codec> Timed for Serialize<C> {
    type Codec = C;
    const OPERATION: Operation = Operation::Serialize;

    fn prepare(mut codec: C, input: &'static [u8], batch: u64) -> Result<Self, Rejected> {
        let document = codec.parse(input)?;
        let first = codec.serialize(&document)?;
        let checked = C::bytes(&first).to_vec();
        codec.reclaim_output(first);
        Ok(Serialize { outputs: room(batch), document, codec, checked })
    }

    /// On the clock: walking the document and writing into a freshly made buffer, growth included.
    /// Off the clock: freeing the buffer, parsing the document.
    /// A variant that reuses takes back the buffer before on the clock.
    fn run(&mut self, batch: u64) -> Result<Stretch, Rejected> {
        drop_unless_reused::<C, _>(&mut self.outputs);
        let clock = Clock::start();
        for _ in 0..batch {
            if C::REUSES
                && let Some(before) = self.outputs.pop()
            {
                self.codec.reclaim_output(before);
            }
            self.outputs.push(self.codec.serialize(black_box(&self.document))?);
        }
        black_box(&self.outputs);
        Ok(clock.stop())
    }

    /// The driver had the same bytes judged before the run; here the last output must still be like the first.
    fn check_last(&self, _: &Content) -> Result<(), String> {
        let last = C::bytes(self.outputs.last().ok_or(NOTHING_RAN)?);
        if last == self.checked {
            return Ok(());
        }
        let same = last.iter().zip(&self.checked).take_while(|(a, b)| a == b).count();
        Err(format!("the last output differs from the first at byte {same}"))
    }
}

/// A walk over a document that counts its nodes.
pub struct Stats<C: Codec> {
    document: C::Document<'static>,
    _codec: C,
    last: codec::Stats,
}

impl<C: Codec> Timed for Stats<C> {
    type Codec = C;
    const OPERATION: Operation = Operation::Stats;

    fn prepare(mut codec: C, input: &'static [u8], _: u64) -> Result<Self, Rejected> {
        let document = codec.parse(input)?;
        Ok(Stats { document, _codec: codec, last: codec::Stats::default() })
    }

    /// On the clock: visiting every node in the library's own language, and counting.
    /// Off the clock: parsing the document.
    fn run(&mut self, batch: u64) -> Result<Stretch, Rejected> {
        let clock = Clock::start();
        for _ in 0..batch {
            self.last = C::stats(black_box(&self.document));
            black_box(&self.last);
        }
        Ok(clock.stop())
    }

    fn check_last(&self, expect: &Content) -> Result<(), String> {
        check::same(&expect.stats, &check::stats(self.last))
    }
}

/// Bytes to document, then a walk that reads all values.
pub struct Read<C: Codec> {
    documents: Vec<C::Document<'static>>,
    codec: C,
    input: &'static [u8],
    last: Sums,
}

impl<C: Codec> Timed for Read<C> {
    type Codec = C;
    const OPERATION: Operation = Operation::Read;

    fn prepare(codec: C, input: &'static [u8], batch: u64) -> Result<Self, Rejected> {
        Ok(Read { documents: room(batch), codec, input, last: Sums::default() })
    }

    /// On the clock: decoding and building the document, then visiting every value and reading all of it.
    /// Off the clock: destroying the document, reading the input.
    /// A variant that reuses takes back the document before on the clock.
    fn run(&mut self, batch: u64) -> Result<Stretch, Rejected> {
        drop_unless_reused::<C, _>(&mut self.documents);
        let clock = Clock::start();
        for _ in 0..batch {
            reclaim_document(&mut self.codec, &mut self.documents);
            let document = self.codec.parse(black_box(self.input))?;
            self.last = C::sums(black_box(&document));
            black_box(&self.last);
            self.documents.push(document);
        }
        Ok(clock.stop())
    }

    fn check_last(&self, expect: &Content) -> Result<(), String> {
        check::same(&expect.sums, &check::sums(self.last))
    }
}

const NOTHING_RAN: &str = "no operation ran";

/// Drops the results of the batch before, off the clock.
fn drop_unless_reused<C: Codec, T>(results: &mut Vec<T>) {
    if !C::REUSES {
        results.clear();
    }
}

/// Takes back the document before, if the variant reuses; on the clock, one for each new document.
#[inline(always)]
fn reclaim_document<C: Codec>(codec: &mut C, documents: &mut Vec<C::Document<'static>>) {
    if C::REUSES
        && let Some(before) = documents.pop()
    {
        codec.reclaim_document(before);
    }
}
