//! Builds a value from its nodes in document order, without recursion.

use crate::Value;

/// The containers that are open: the innermost last.
#[derive(Default)]
pub(crate) struct Builder {
    open: Vec<Open>,
}

struct Open {
    container: Container,
    /// Values still due; a map has two per entry.
    due: u64,
}

enum Container {
    Array(Vec<Value>),
    /// The last value is nil as long as only its key has come.
    Map(Vec<(Value, Value)>),
}

impl Builder {
    /// How many containers are open.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Whether the next value is a map key.
    pub(crate) fn key_is_due(&self) -> bool {
        let innermost = self.open.last();
        innermost
            .is_some_and(|open| matches!(open.container, Container::Map(_)) && open.due % 2 == 0)
    }

    /// Opens an array of `length` elements, with room for `capacity`; returns the tree if this completes it.
    pub(crate) fn array(&mut self, length: u64, capacity: usize) -> Option<Value> {
        if length == 0 {
            return self.add(Value::Array(Vec::new()));
        }
        let container = Container::Array(Vec::with_capacity(capacity));
        self.open.push(Open { container, due: length });
        None
    }

    /// Opens a map of `length` entries, with room for `capacity`; returns the tree if this completes it.
    pub(crate) fn map(&mut self, length: u64, capacity: usize) -> Option<Value> {
        if length == 0 {
            return self.add(Value::Map(Vec::new()));
        }
        let container = Container::Map(Vec::with_capacity(capacity));
        self.open.push(Open { container, due: 2 * length });
        None
    }

    /// Puts a whole value where the next one is due; returns the tree if this completes it.
    pub(crate) fn add(&mut self, mut value: Value) -> Option<Value> {
        loop {
            let Some(innermost) = self.open.last_mut() else {
                return Some(value);
            };
            match &mut innermost.container {
                Container::Array(items) => items.push(value),
                Container::Map(entries) if innermost.due % 2 == 0 => {
                    entries.push((value, Value::Nil));
                }
                Container::Map(entries) => {
                    if let Some(entry) = entries.last_mut() {
                        entry.1 = value;
                    }
                }
            }
            innermost.due -= 1;
            if innermost.due > 0 {
                return None;
            }
            value = match self.open.pop()?.container {
                Container::Array(items) => Value::Array(items),
                Container::Map(entries) => Value::Map(entries),
            };
        }
    }
}
