//! Numbers for subtrees: two have the same number if, and only if, the judge holds them equal.

use std::collections::HashMap;

use crate::{Integer, Value, widened};

/// A tree laid out flat, in document order, with a class number for every subtree.
///
/// This is how maps are compared whatever their order, at any depth, without recursion and in time that grows with the size of the tree only.
pub(crate) struct Flat<'v> {
    /// The nodes.
    pub(crate) nodes: Vec<&'v Value>,
    /// For each node, the class of the subtree that it heads.
    pub(crate) classes: Vec<usize>,
    /// For each node, how many nodes its subtree has.
    sizes: Vec<usize>,
}

/// The classes seen so far; trees to be compared share one.
pub(crate) type Classes<'v> = HashMap<Shape<'v>, usize>;

/// What makes subtrees equal: a node, and the classes of its children.
#[derive(PartialEq, Eq, Hash)]
pub(crate) enum Shape<'v> {
    Nil,
    Bool(bool),
    Int(Integer),
    /// Bits of both float widths, widened.
    Float(u64),
    Str(&'v [u8]),
    Bin(&'v [u8]),
    Ext(i8, &'v [u8]),
    Array(Vec<usize>),
    /// Classes of keys and values, sorted: the order of entries does not matter, duplicates do.
    Map(Vec<(usize, usize)>),
}

/// A map entry by the positions of its nodes.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) key: usize,
    pub(crate) value: usize,
}

impl<'v> Flat<'v> {
    pub(crate) fn new(root: &'v Value, classes: &mut Classes<'v>) -> Flat<'v> {
        let nodes: Vec<_> = root.nodes().collect();
        let mut flat = Flat { classes: vec![0; nodes.len()], sizes: vec![1; nodes.len()], nodes };
        // Backwards, children come before their parents.
        for position in (0..flat.nodes.len()).rev() {
            flat.sizes[position] =
                1 + flat.children(position).map(|child| flat.sizes[child]).sum::<usize>();
            let shape = flat.shape(position);
            let next = classes.len();
            flat.classes[position] = *classes.entry(shape).or_insert(next);
        }
        flat
    }

    fn shape(&self, position: usize) -> Shape<'v> {
        match self.nodes[position] {
            Value::Nil => Shape::Nil,
            Value::Bool(truth) => Shape::Bool(*truth),
            Value::Int(integer) => Shape::Int(*integer),
            Value::F32(bits) => Shape::Float(widened(*bits)),
            Value::F64(bits) => Shape::Float(*bits),
            Value::Str(bytes) => Shape::Str(bytes),
            Value::Bin(bytes) => Shape::Bin(bytes),
            Value::Ext(kind, bytes) => Shape::Ext(*kind, bytes),
            Value::Array(_) => {
                Shape::Array(self.children(position).map(|child| self.classes[child]).collect())
            }
            Value::Map(_) => {
                let entries = self.entries(position).into_iter();
                let mut classes: Vec<_> = entries.map(|entry| self.entry_class(entry)).collect();
                classes.sort_unstable();
                Shape::Map(classes)
            }
        }
    }

    /// Positions of a node's children; of keys and values in turn for a map.
    pub(crate) fn children(&self, position: usize) -> impl Iterator<Item = usize> {
        let count = match self.nodes[position] {
            Value::Array(items) => items.len(),
            Value::Map(entries) => 2 * entries.len(),
            _ => 0,
        };
        let mut next = position + 1;
        (0..count).map(move |_| {
            let child = next;
            next += self.sizes[child];
            child
        })
    }

    /// The entries of a map, in its own order.
    pub(crate) fn entries(&self, position: usize) -> Vec<Entry> {
        let mut children = self.children(position);
        let mut entries = Vec::new();
        while let (Some(key), Some(value)) = (children.next(), children.next()) {
            entries.push(Entry { key, value });
        }
        entries
    }

    /// Equal for equal entries.
    pub(crate) fn entry_class(&self, entry: Entry) -> (usize, usize) {
        (self.classes[entry.key], self.classes[entry.value])
    }
}
