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
    /// A variant that keeps documents takes back the one before on the clock.
    fn run(&mut self, batch: u64) -> Result<Stretch, Rejected> {
        if !C::KEEPS_DOCUMENTS {
            self.documents.clear();
        }
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
    /// The first output itself: a copy of it would leave a hole in the heap, in which later buffers grow and from which they have to move.
    first: C::Output,
}

impl<C: Codec> Timed for Serialize<C> {
    type Codec = C;
    const OPERATION: Operation = Operation::Serialize;

    fn prepare(mut codec: C, input: &'static [u8], batch: u64) -> Result<Self, Rejected> {
        let document = codec.parse(input)?;
        let first = codec.serialize(&document)?;
        Ok(Serialize { outputs: room(batch), document, codec, first })
    }

    /// On the clock: walking the document and writing into a freshly made buffer, growth included.
    /// Off the clock: freeing the buffer, parsing the document.
    /// A variant that keeps outputs takes back the one before on the clock.
    fn run(&mut self, batch: u64) -> Result<Stretch, Rejected> {
        if !C::KEEPS_OUTPUTS {
            self.outputs.clear();
        }
        let clock = Clock::start();
        for _ in 0..batch {
            if C::KEEPS_OUTPUTS
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
        let first = C::bytes(&self.first);
        if last == first {
            return Ok(());
        }
        let same = last.iter().zip(first).take_while(|(a, b)| a == b).count();
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
    /// A variant that keeps documents takes back the one before on the clock.
    fn run(&mut self, batch: u64) -> Result<Stretch, Rejected> {
        if !C::KEEPS_DOCUMENTS {
            self.documents.clear();
        }
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

/// Takes back the document before, if the variant keeps documents; on the clock, one for each new document.
#[inline(always)]
fn reclaim_document<C: Codec>(codec: &mut C, documents: &mut Vec<C::Document<'static>>) {
    if C::KEEPS_DOCUMENTS
        && let Some(before) = documents.pop()
    {
        codec.reclaim_document(before);
    }
}

#[cfg(test)]
mod tests {
    use codec::{Capabilities, Stats};

    use super::*;
    use crate::Nothing;

    /// Its documents are numbers in the order in which they were made; counts what it gets back.
    #[derive(Default)]
    struct Counting<const KEEPS: bool> {
        made: u64,
        reclaimed: u64,
    }

    impl<const KEEPS: bool> Codec for Counting<KEEPS> {
        type Document<'i> = u64;
        type Output = Vec<u8>;
        const CAPABILITIES: Capabilities = Nothing::CAPABILITIES;
        const KEEPS_DOCUMENTS: bool = KEEPS;
        fn version() -> String {
            Nothing::version()
        }
        fn parse(&mut self, _: &[u8]) -> Result<u64, Rejected> {
            self.made += 1;
            Ok(self.made)
        }
        /// Writes something else from the fourth time on.
        fn serialize(&mut self, _: &u64) -> Result<Vec<u8>, Rejected> {
            self.made += 1;
            Ok(vec![0, u8::from(self.made > 4)])
        }
        fn bytes(output: &Vec<u8>) -> &[u8] {
            output
        }
        fn stats(_: &u64) -> Stats {
            Stats::default()
        }
        fn sums(document: &u64) -> Sums {
            Sums { integers: *document, ..Sums::default() }
        }
        fn reclaim_document(&mut self, _: u64) {
            self.reclaimed += 1;
        }
    }

    #[test]
    fn a_batch_keeps_all_its_documents_until_the_next() {
        let mut parse = Parse::<Counting<false>>::prepare(Counting::default(), b"", 3).unwrap();
        parse.run(3).unwrap();
        parse.run(3).unwrap();
        assert_eq!(parse.documents, [4, 5, 6]);
        assert_eq!(parse.codec.reclaimed, 0);
    }

    #[test]
    fn a_variant_that_keeps_documents_gets_one_document_back_for_each_new_one() {
        let mut read = Read::<Counting<true>>::prepare(Counting::default(), b"", 3).unwrap();
        read.run(3).unwrap();
        read.run(3).unwrap();
        assert_eq!(read.documents, [6]);
        assert_eq!(read.codec.reclaimed, 5);
        let mut expect = Content::default();
        expect.sums.integers = 6;
        assert_eq!(read.check_last(&expect), Ok(()));
    }

    #[test]
    fn an_output_that_changes_between_the_samples_is_found() {
        let prepared = Serialize::<Counting<false>>::prepare(Counting::default(), b"", 2);
        let mut serialize = prepared.unwrap();
        assert!(serialize.check_last(&Content::default()).is_err());
        serialize.run(2).unwrap();
        assert_eq!(serialize.check_last(&Content::default()), Ok(()));
        serialize.run(2).unwrap();
        let error = serialize.check_last(&Content::default()).unwrap_err();
        assert_eq!(error, "the last output differs from the first at byte 1");
    }
}
