//! Probes: whether a codec does what it claims where libraries differ.

use codec::Codec;
use protocol::answer::Answer;

use crate::{
    answers,
    messages::{self, Message, Needs},
};

/// Nesting that a codec without a fixed limit must accept, in containers.
///
/// Chosen: beyond 1,024, where several libraries stop, and small enough for one that recurses on a stack of 8 MiB.
const DEEP: u32 = 2_000;

/// The claims must be what a probe found.
pub(crate) fn as_claimed(what: &str, claim: bool, found: bool) -> Result<(), String> {
    match (claim, found) {
        (true, false) => Err(format!("claims that {what}, but it is not so")),
        (false, true) => Err(format!("claims that it is not so that {what}, but it is")),
        _ => Ok(()),
    }
}

/// Whether all the messages that need this are read rightly, and once more after they were written.
pub(crate) fn survive<C: Codec>(needs: Needs) -> bool {
    messages::msgpack()
        .iter()
        .filter(|message| message.needs == needs)
        .all(|message| survives::<C>(message).is_ok())
}

/// A message that is read rightly, written, and read rightly again.
pub(crate) fn survives<C: Codec>(message: &Message) -> Result<(), String> {
    let want = message.content;
    let what = match answers::answer::<C>(&message.bytes).0 {
        Answer::Written { content, again } if content == want => match again {
            Ok(again) if again == want => return Ok(()),
            Ok(again) => format!("its own output is read as {again:?}"),
            Err(why) => format!("its own output is rejected: {why}"),
        },
        Answer::Written { content, .. } => format!("is read as {content:?}"),
        Answer::NotWritten { why, .. } => format!("cannot be written: {why}"),
        Answer::Rejected(why) => format!("is rejected: {why}"),
        Answer::Description(_) => "is answered by a description".into(),
    };
    Err(format!("{}: {what}; it holds {want:?}", message.name))
}

pub(crate) fn is_rejected<C: Codec>(message: &[u8]) -> bool {
    matches!(answers::answer::<C>(message).0, Answer::Rejected(_))
}

/// What the library writes for a message.
fn written<C: Codec>(message: &[u8]) -> Result<Vec<u8>, String> {
    match answers::answer::<C>(message) {
        (Answer::Written { .. }, output) => Ok(output),
        (other, _) => Err(format!("wants to write {message:02x?}, but {other:?}")),
    }
}

/// Whether eight keys in no order come out as they went in.
pub(crate) fn keeps_key_order<C: Codec>() -> Result<bool, String> {
    const KEYS: &[u8] = b"hcagbfed";
    let mut message = vec![0x88];
    KEYS.iter().for_each(|key| message.extend([0xa1, *key, 0xc0]));

    // No header in this message is a byte between `a` and `h`.
    let output = written::<C>(&message)?;
    let keys: Vec<u8> = output.into_iter().filter(|byte| KEYS.contains(byte)).collect();
    let mut sorted = keys.clone();
    sorted.sort_unstable();
    if sorted != b"abcdefgh" {
        return Err(format!("the keys `abcdefgh` come out as {keys:02x?}"));
    }
    Ok(keys == KEYS)
}

/// Whether 1.5, read from a float 64, is written as a float 32.
pub(crate) fn narrows_floats<C: Codec>() -> Result<bool, String> {
    let output = written::<C>(b"\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00")?;
    match output[..] {
        [0xca, 0x3f, 0xc0, 0, 0] => Ok(true),
        [0xcb, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0] => Ok(false),
        _ => Err(format!("1.5 is written as {output:02x?}")),
    }
}

/// Arrays in arrays, the innermost empty: accepted at the limit and rejected one beyond, or accepted at `DEEP`.
pub(crate) fn depth<C: Codec>() -> Result<(), String> {
    let limit = C::CAPABILITIES.max_depth;
    let within = limit.unwrap_or(DEEP);
    if is_rejected::<C>(&nested(within)) {
        return Err(format!("rejects {within} containers in each other"));
    }
    if limit.is_some() && !is_rejected::<C>(&nested(within + 1)) {
        return Err(format!("accepts {} containers in each other", within + 1));
    }
    Ok(())
}

fn nested(containers: u32) -> Vec<u8> {
    let mut message = vec![0x91; containers.saturating_sub(1) as usize];
    message.push(0x90);
    message
}
