//! Warm-up: the same operation, before the samples, until the heap has its steady size.

use std::time::Instant;

use codec::Rejected;
use protocol::job::WarmUp;

use crate::operations::Timed;

/// Batches in a row that must pass without a page fault (chosen).
const CALM_BATCHES: u32 = 3;

/// How the warm-up went.
pub(crate) struct WarmedUp {
    pub(crate) ns: u64,
    pub(crate) operations: u64,
    /// The last batches were free of page faults.
    pub(crate) steady: bool,
}

/// Runs whole batches until the heap is steady and the least of `wanted` has passed, or else its most.
pub(crate) fn warm_up<T: Timed>(
    timed: &mut T,
    batch: u64,
    wanted: WarmUp,
) -> Result<WarmedUp, Rejected> {
    let start = Instant::now();
    let mut operations = 0;
    let (mut calm, mut calm_operations) = (0, 0);
    loop {
        let stretch = timed.run(batch)?;
        operations += batch;
        if stretch.faults() == 0 {
            (calm, calm_operations) = (calm + 1, calm_operations + batch);
        } else {
            (calm, calm_operations) = (0, 0);
        }
        let ns = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        // A heap that fragments grows ever more rarely, so it must have kept its size for as long as it took to get it.
        let steady = calm >= CALM_BATCHES && 2 * calm_operations >= operations;
        let enough = ns >= wanted.least_ns && operations >= wanted.least_operations;
        if (steady && enough) || ns >= wanted.most_ns {
            return Ok(WarmedUp { ns, operations, steady });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Nothing, operations::Parse};

    #[test]
    fn a_warm_up_lasts_until_the_least_has_passed_and_no_longer_than_the_most() {
        let mut timed = Parse::<Nothing>::prepare(Nothing, b"", 4).unwrap();
        let wanted = WarmUp { least_ns: 1, least_operations: 50, most_ns: u64::MAX };
        let warmed_up = warm_up(&mut timed, 4, wanted).unwrap();
        assert!(warmed_up.operations >= 50 && warmed_up.steady, "{}", warmed_up.operations);

        let wanted = WarmUp { least_ns: u64::MAX, least_operations: u64::MAX, most_ns: 1 };
        let warmed_up = warm_up(&mut timed, 4, wanted).unwrap();
        assert!(warmed_up.operations == 4 && !warmed_up.steady, "{}", warmed_up.operations);
    }
}
