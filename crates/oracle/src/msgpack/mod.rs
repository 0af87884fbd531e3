//! MessagePack, from its specification.
//!
//! Source: <https://github.com/msgpack/msgpack/blob/master/spec.md>.

mod decode;
mod encode;
mod explain;
mod generate;
mod header;
mod timestamp;
mod token;

pub use decode::{DecodeError, decode, decode_prefix};
pub use encode::{encode, encode_onto};
pub use explain::{Explain, Line, Role, explain};
pub use generate::{Document, Generator, Limits};
pub use timestamp::{InvalidTimestamp, Timestamp, timestamp};
