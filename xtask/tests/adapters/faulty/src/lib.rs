//! Gets one number wrong: when it parses, which the sums show, or when it serializes, which only the oracle sees.

use rmpv::Value;
use spoiled::{Fault, Spoiled};

/// Reads one number wrong.
pub type Parse = Spoiled<WrongWhenParsing>;

/// Writes one number wrong.
pub type Serialize = Spoiled<WrongWhenSerializing>;

/// The fault of `Parse`.
pub struct WrongWhenParsing;

/// The fault of `Serialize`.
pub struct WrongWhenSerializing;

impl Fault for WrongWhenParsing {
    fn after_parse(document: &mut Value) {
        spoil(document);
    }
}

impl Fault for WrongWhenSerializing {
    fn before_serialize(document: &mut Value) {
        spoil(document);
    }
}

/// Adds one to the first number in a document; says whether there was one.
fn spoil(node: &mut Value) -> bool {
    match node {
        Value::Integer(number) => {
            let next = number.as_i64().map_or(0, |number| number.wrapping_add(1));
            *node = Value::from(next);
            true
        }
        Value::F64(number) => {
            *number += 1.0;
            true
        }
        Value::Array(items) => items.iter_mut().any(spoil),
        Value::Map(entries) => entries.iter_mut().any(|(_, value)| spoil(value)),
        _ => false,
    }
}
