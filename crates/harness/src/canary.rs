//! The canary: a fixed amount of work that no codec has a part in, to see whether the machine is as it was.

use std::{env, hint::black_box, process::ExitCode, time::Instant};

use anyhow::Context;

use crate::process;

/// Bytes that are copied for each sample: more than the caches nearest to a core hold, as documents are (chosen).
const BYTES: usize = 4 << 20;

/// Steps of the arithmetic loop, each waiting for the one before: about as long as the copying (chosen).
const STEPS: u64 = 200_000;

/// Samples, and how many go before them to warm up (chosen; some tens of milliseconds in all).
const SAMPLES: usize = 40;
const WARM_UP: usize = 10;

/// Does the work, on the CPU that the only argument names, if there is one, and writes its samples in nanoseconds as one line of JSON.
pub fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<()> {
    process::die_with_parent()?;
    if let Some(cpu) = env::args().nth(1) {
        process::pin(cpu.parse().with_context(|| format!("`{cpu}` is no CPU"))?)?;
    }
    println!("{}", serde_json::to_string(&samples())?);
    Ok(())
}

fn samples() -> Vec<u64> {
    let from = vec![7_u8; BYTES];
    let mut to = vec![0_u8; BYTES];
    let mut state = 1;
    let mut samples: Vec<u64> = Vec::with_capacity(SAMPLES + WARM_UP);
    for _ in 0..SAMPLES + WARM_UP {
        let start = Instant::now();
        black_box(&mut to).copy_from_slice(black_box(&from));
        state = arithmetic(black_box(state));
        samples.push(u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX));
    }
    black_box(state);
    samples.split_off(WARM_UP)
}

/// Xorshift (Marsaglia 2003): every step needs the result of the last, and no compiler can take several at once.
fn arithmetic(mut state: u64) -> u64 {
    for _ in 0..STEPS {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
    }
    state
}

#[test]
fn every_sample_has_a_time() {
    let samples = samples();
    assert_eq!(samples.len(), SAMPLES);
    assert!(samples.iter().all(|&sample| sample > 0));
}

#[test]
fn the_loop_cannot_be_left_out() {
    assert_ne!(arithmetic(1), arithmetic(2));
}
