//! The order of the processes, and the luck that each of them gets.

use protocol::job::Operation;

/// Longest random addition to the environment of a process, in bytes.
///
/// A page: beyond it the effect on the placement of the stack repeats.
const ENVIRONMENT_BYTES: u32 = 4096;

/// Most frames below the measurement on the stack.
const STACK_FRAMES: u32 = 64;

/// Most bytes before all others on the heap.
///
/// A page again: documents and messages meet in the caches by the low bits of their addresses.
const HEAP_BYTES: u32 = 4096;

/// Where a process has its things in memory, as far as that is left to chance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Luck {
    /// Bytes by which its environment is longer.
    pub(crate) environment_bytes: u32,
    /// Frames of a fixed size on the stack below the measurement.
    pub(crate) stack_offset_frames: u32,
    /// Bytes on the heap before all others.
    pub(crate) heap_offset_bytes: u32,
}

/// The order of the codecs in a round, as indices.
///
/// Rounds form blocks of as many rounds as there are codecs.
/// A block is a cyclic Latin square over a new random permutation: in it every codec is once at every place.
pub(crate) fn order(seed: u64, operation: Operation, round: u32, codecs: usize) -> Vec<usize> {
    if codecs == 0 {
        return Vec::new();
    }
    let (block, turn) = (round as usize / codecs, round as usize % codecs);
    let mut permutation: Vec<usize> = (0..codecs).collect();
    random(seed, operation, block as u64, 0).shuffle(&mut permutation);
    permutation.rotate_left(turn);
    permutation
}

/// The luck of one process, so that no codec always has the same layout.
pub(crate) fn luck(seed: u64, operation: Operation, round: u32, codec: usize) -> Luck {
    let mut random = random(seed, operation, u64::from(round), 1 + codec as u64);
    Luck {
        environment_bytes: random.u32(..ENVIRONMENT_BYTES),
        stack_offset_frames: random.u32(..STACK_FRAMES),
        heap_offset_bytes: random.u32(..HEAP_BYTES),
    }
}

/// A generator for one purpose: `seed`, hashed with what the purpose is.
fn random(seed: u64, operation: Operation, number: u64, purpose: u64) -> fastrand::Rng {
    let mut state = seed;
    for part in [operation as u64, number, purpose] {
        state = fastrand::Rng::with_seed(state.wrapping_add(part)).u64(..);
    }
    fastrand::Rng::with_seed(state)
}

#[test]
fn in_a_block_every_codec_is_once_at_every_place() {
    for codecs in 1..12 {
        let mut seen = vec![vec![false; codecs]; codecs];
        for round in 0..codecs as u32 {
            for (place, codec) in order(7, Operation::Parse, round, codecs).into_iter().enumerate()
            {
                assert!(!std::mem::replace(&mut seen[codec][place], true));
            }
        }
    }
}

#[test]
fn blocks_and_operations_have_orders_of_their_own_and_a_seed_repeats_them() {
    let orders: std::collections::HashSet<Vec<usize>> =
        (0..20).map(|block| order(7, Operation::Parse, block * 10, 10)).collect();
    assert_eq!(orders.len(), 20);
    assert_ne!(order(7, Operation::Parse, 0, 10), order(7, Operation::Read, 0, 10));
    assert_eq!(order(7, Operation::Parse, 3, 10), order(7, Operation::Parse, 3, 10));
    assert_ne!(luck(7, Operation::Parse, 0, 0), luck(7, Operation::Parse, 0, 1));
}
