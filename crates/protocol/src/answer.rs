//! Question and answer: how the driver asks a library about one message at a time.
//!
//! A program of kind `answer` reads questions from its standard input until it ends.
//! Each is a line of JSON and then the bytes of the message; each answer is a line of JSON and then the bytes of the output.

use std::io::{self, BufRead, Read, Write};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::job::Content;

/// What the driver asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Question {
    /// Which library is this?
    Describe,
    /// What becomes of this message?
    Message,
}

/// What the program answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// To `Question::Describe`.
    Description(Description),
    /// The library refused the message, in these words.
    Rejected(String),
    /// The library read the message and wrote it.
    Written {
        /// What its document held.
        content: Content,
        /// What its document held after it read its own output again, or its words if it refused.
        again: Result<Content, String>,
    },
    /// The library read the message and could not write it.
    NotWritten {
        /// What its document held.
        content: Content,
        /// In the library's own words.
        why: String,
    },
}

/// A library as it runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// From the library's own code or headers.
    pub version: String,
    /// What the adapter claims.
    pub capabilities: Capabilities,
    /// Whether documents and buffers are kept for the next call.
    pub reuses: bool,
}

/// What a codec claims to do where libraries differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Capabilities {
    /// Binaries survive as binaries.
    pub binary: bool,
    /// Extension types survive.
    pub ext: bool,
    /// Map keys that are not strings survive.
    pub non_string_keys: bool,
    /// A string that is not UTF-8 is rejected.
    pub checks_utf8: bool,
    /// Documents point into the input: zero-copy.
    pub borrows_input: bool,
    /// Map entries keep their order.
    pub keeps_key_order: bool,
    /// A float64 is written as float32 where that is exact.
    pub narrows_floats: bool,
    /// Deepest nesting accepted, in containers; `None` means no fixed limit.
    pub max_depth: Option<u32>,
}

#[derive(Serialize, Deserialize)]
struct Frame<T> {
    head: T,
    body_bytes: usize,
}

/// Sends a question or an answer with its bytes.
///
/// # Errors
///
/// What the other side's pipe says.
pub fn send<T: Serialize>(to: &mut impl Write, head: &T, body: &[u8]) -> io::Result<()> {
    let mut frame = serde_json::to_vec(&Frame { head, body_bytes: body.len() })?;
    frame.push(b'\n');
    to.write_all(&frame)?;
    to.write_all(body)?;
    to.flush()
}

/// Receives a question or an answer with its bytes; `None` if the other side has nothing more to say.
///
/// # Errors
///
/// A broken pipe, an end in the middle, or a line that is not of this protocol.
pub fn receive<T: DeserializeOwned>(from: &mut impl BufRead) -> io::Result<Option<(T, Vec<u8>)>> {
    let mut line = Vec::new();
    from.read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    let frame: Frame<T> = serde_json::from_slice(&line)?;
    let mut body = Vec::new();
    from.take(frame.body_bytes as u64).read_to_end(&mut body)?;
    if body.len() != frame.body_bytes {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some((frame.head, body)))
}

#[test]
fn a_question_arrives_with_its_bytes_and_a_torn_one_is_an_error() {
    let mut pipe = Vec::new();
    send(&mut pipe, &Question::Describe, b"").unwrap();
    send(&mut pipe, &Question::Message, b"\n\x93").unwrap();

    let mut reader = &pipe[..];
    assert_eq!(receive(&mut reader).unwrap(), Some((Question::Describe, Vec::new())));
    assert_eq!(receive(&mut reader).unwrap(), Some((Question::Message, b"\n\x93".to_vec())));
    assert_eq!(receive::<Question>(&mut reader).unwrap(), None);
    assert!(receive::<Question>(&mut &pipe[..pipe.len() - 1]).is_ok());
    let mut torn = &pipe[..pipe.len() - 1];
    receive::<Question>(&mut torn).unwrap();
    assert!(receive::<Question>(&mut torn).is_err());
}
