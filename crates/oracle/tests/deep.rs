//! Nesting of a million levels on a small stack.

use std::thread;

use oracle::msgpack::{decode, decode_prefix, encode, explain};
use oracle::{Equality, Stats, Sums, Value, compare};

const LEVELS: usize = 1_000_000;

/// A quarter of what the standard library gives a thread.
fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let small = thread::Builder::new().stack_size(512 * 1024);
    small.spawn(test).expect("a thread starts").join().expect("the test passes");
}

/// Headers, one inside the other, and the innermost value.
fn nested(level: &[u8], innermost: &[u8], behind_each: &[u8]) -> Vec<u8> {
    [&level.repeat(LEVELS), innermost, &behind_each.repeat(LEVELS)].concat()
}

#[test]
fn nested_arrays_survive_everything() {
    on_a_small_stack(|| {
        let message = nested(&[0x91], &[0x07], &[]);
        let value = decode(&message).unwrap();
        assert_eq!(encode(&value), message);
        assert_eq!(Stats::of(&value).arrays, LEVELS as u64);
        assert_eq!(Sums::of(&value).integers, 7);
        assert!(value.is_utf8());
        let copy = value.clone();
        assert!(copy == value);
        assert_eq!(compare(&value, &copy), Ok(Equality::default()));
        assert_eq!(value.to_string().len(), 2 * LEVELS + 1);
        assert_eq!(explain(&message).count(), LEVELS + 1);
    });
}

#[test]
fn nested_maps_survive_everything_on_the_side_of_keys_and_of_values() {
    on_a_small_stack(|| {
        let in_values = nested(&[0x81, 0xc0], &[0x07], &[]);
        let in_keys = nested(&[0x81], &[0x07], &[0xc0]);
        for message in [in_values, in_keys] {
            let value = decode(&message).unwrap();
            assert_eq!(encode(&value), message);
            assert_eq!(Stats::of(&value).maps, LEVELS as u64);
            assert_eq!(compare(&value, &value.clone()), Ok(Equality::default()));
        }
    });
}

#[test]
fn a_difference_at_the_bottom_is_found_and_its_path_is_shortened() {
    on_a_small_stack(|| {
        let expected = decode(&nested(&[0x91], &[0x07], &[])).unwrap();
        let got = decode(&nested(&[0x91], &[0x08], &[])).unwrap();
        let difference = compare(&expected, &got).unwrap_err();
        assert_eq!(difference.got, "integer 8");
        assert!(difference.path.contains("[0]…999960 levels…[0]"), "{}", difference.path);
    });
}

#[test]
fn reordered_maps_inside_each_other_are_equal() {
    on_a_small_stack(|| {
        // Each map has the entries nil: nil and 1: the next map, in one order or the other.
        let (in_front, behind) = ([0x82, 0xc0, 0xc0, 0x01], [0xc0, 0xc0]);
        let levels = 200_000;
        let first = [&in_front.repeat(levels), &[0x80][..]].concat();
        let second = [&[0x82, 0x01].repeat(levels), &[0x80][..], &behind.repeat(levels)].concat();
        let (expected, got) = (decode(&first).unwrap(), decode(&second).unwrap());
        let reordered = Equality { keys_reordered: levels as u64, ..Equality::default() };
        assert_eq!(compare(&expected, &got), Ok(reordered));
    });
}

#[test]
fn a_message_that_breaks_off_at_the_bottom_is_dropped_without_recursion() {
    on_a_small_stack(|| {
        assert_eq!(decode(&[0x91].repeat(LEVELS)).unwrap_err().offset(), LEVELS);
        let (value, used) = decode_prefix(&nested(&[0x92, 0x90], &[0x90], &[])).unwrap();
        assert_eq!(used, 2 * LEVELS + 1);
        drop(value);
    });
}

#[test]
fn a_map_of_many_keys_in_reverse_is_compared_in_reasonable_time() {
    let entries = |keys: &mut dyn Iterator<Item = u64>| {
        Value::Map(keys.map(|key| (Value::from(key), Value::Nil)).collect())
    };
    let (up, down) = (entries(&mut (0..200_000)), entries(&mut (0..200_000).rev()));
    assert!(compare(&up, &down).is_ok());
}
