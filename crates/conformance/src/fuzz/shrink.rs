//! Makes a failing message small: by its structure while it has one, then byte by byte.

use std::collections::HashSet;

use oracle::msgpack;

/// Bytes that a byte may become, the plainest first: 0, an empty array and map, nil, the string `a` of length 1.
const PLAIN: [u8; 5] = [0x00, 0x90, 0x80, 0xc0, 0xa1];

/// The longest cut that is also tried with a shorter header before it.
const SHORT_CUT: usize = 10;

/// Makes `bytes` smaller and plainer for as long as `still_fails` holds, and asks it at most `most_steps` times.
///
/// It takes a part for the whole, writes values in their shortest form, cuts ranges, cuts elements with the count before them, and makes single bytes plainer.
/// The result fails too, as long as `bytes` does.
pub fn shrink(bytes: &[u8], most_steps: usize, still_fails: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut shrinking = Shrinking { bytes: bytes.to_vec(), steps_left: most_steps, still_fails };
    loop {
        let changed = [
            shrinking.take_a_part(),
            shrinking.write_anew(),
            shrinking.cut_ranges(),
            shrinking.cut_elements(),
            shrinking.make_plain(),
        ];
        if shrinking.steps_left == 0 || !changed.contains(&true) {
            return shrinking.bytes;
        }
    }
}

struct Shrinking<F> {
    bytes: Vec<u8>,
    steps_left: usize,
    still_fails: F,
}

impl<F: FnMut(&[u8]) -> bool> Shrinking<F> {
    /// Takes the candidate if it fails as well.
    fn accepts(&mut self, candidate: Vec<u8>) -> bool {
        if self.steps_left == 0 || candidate == self.bytes {
            return false;
        }
        self.steps_left -= 1;
        let fails = (self.still_fails)(&candidate);
        if fails {
            self.bytes = candidate;
        }
        fails
    }

    fn without(&self, from: usize, length: usize) -> Vec<u8> {
        let to = (from + length).min(self.bytes.len());
        [&self.bytes[..from], &self.bytes[to..]].concat()
    }

    /// Takes an element, key or value for the whole message, for as long as one fails.
    fn take_a_part(&mut self) -> bool {
        let before = self.bytes.len();
        loop {
            let children = msgpack::explain(&self.bytes).filter(|line| line.depth == 1);
            let mut starts: Vec<_> = children.map(|line| line.offset).collect();
            starts.push(self.bytes.len());
            let parts: HashSet<_> =
                starts.windows(2).map(|ends| self.bytes[ends[0]..ends[1]].to_vec()).collect();
            let mut parts: Vec<_> = parts.into_iter().collect();
            parts.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
            if !parts.into_iter().any(|part| part.len() < self.bytes.len() && self.accepts(part)) {
                return self.bytes.len() < before;
            }
        }
    }

    /// Writes what is a message in its shortest form.
    fn write_anew(&mut self) -> bool {
        let shortest = msgpack::decode(&self.bytes).map(|value| msgpack::encode(&value));
        shortest.is_ok_and(|shortest| shortest.len() < self.bytes.len() && self.accepts(shortest))
    }

    fn cut_ranges(&mut self) -> bool {
        let before = self.bytes.len();
        let mut length = self.bytes.len();
        while length > 0 {
            let mut from = 0;
            while from < self.bytes.len() {
                let shorter = self.without(from, length);
                // After a cut other bytes stand here.
                if !self.accepts(shorter) {
                    from += length;
                }
            }
            length /= 2;
        }
        self.bytes.len() < before
    }

    /// Cuts a range and decrements a byte before it, from the nearest on.
    fn cut_elements(&mut self) -> bool {
        let before = self.bytes.len();
        for length in (1..=SHORT_CUT).rev() {
            let mut from = 1;
            while from + length <= self.bytes.len() {
                let cut = self.without(from, length);
                let headers = (0..from).rev().filter(|&header| cut[header] != 0);
                let shorter = headers.map(|header| {
                    let mut shorter = cut.clone();
                    shorter[header] -= 1;
                    shorter
                });
                let candidates: Vec<_> = shorter.take(32).collect();
                if !candidates.into_iter().any(|candidate| self.accepts(candidate)) {
                    from += 1;
                }
            }
        }
        self.bytes.len() < before
    }

    fn make_plain(&mut self) -> bool {
        let mut changed = false;
        for at in 0..self.bytes.len() {
            let halved = self.bytes[at] / 2;
            for plainer in PLAIN.into_iter().chain([halved]) {
                // Only ever towards the start of the list, so that this comes to an end.
                if rank(plainer) >= rank(self.bytes[at]) {
                    continue;
                }
                let mut candidate = self.bytes.clone();
                candidate[at] = plainer;
                if self.accepts(candidate) {
                    changed = true;
                    break;
                }
            }
        }
        changed
    }
}

/// How plain a byte is; less is plainer.
fn rank(byte: u8) -> usize {
    PLAIN.iter().position(|&plain| plain == byte).unwrap_or(PLAIN.len() + usize::from(byte))
}
