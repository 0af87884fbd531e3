//! The comparison, rule by rule: each test fails if its rule is weakened.

use std::slice;

use oracle::{Difference, Equality, Value, compare};

fn map(entries: &[(Value, Value)]) -> Value {
    Value::Map(entries.to_vec())
}

fn same(expected: &Value, got: &Value) -> Equality {
    compare(expected, got).unwrap_or_else(|difference| panic!("{difference}"))
}

fn differ(expected: &Value, got: &Value) -> Difference {
    match compare(expected, got) {
        Err(difference) => difference,
        Ok(equality) => panic!("{expected} and {got} were held equal: {equality:?}"),
    }
}

/// Tries two values as they are, in an array, as map values and as map keys, in order and out of order.
fn differ_everywhere(a: &Value, b: &Value) {
    let other = (Value::from("other"), Value::Nil);
    let in_array = |value: &Value| Value::Array(vec![Value::Nil, value.clone()]);
    let as_value = |value: &Value| map(&[(Value::from("k"), value.clone()), other.clone()]);
    let as_last_value = |value: &Value| map(&[other.clone(), (Value::from("k"), value.clone())]);
    let as_key = |value: &Value| map(&[(value.clone(), Value::Nil), other.clone()]);
    let as_last_key = |value: &Value| map(&[other.clone(), (value.clone(), Value::Nil)]);
    for (a, b) in [(a, b), (b, a)] {
        differ(a, b);
        differ(&in_array(a), &in_array(b));
        differ(&as_value(a), &as_value(b));
        differ(&as_value(a), &as_last_value(b));
        differ(&as_key(a), &as_key(b));
        differ(&as_key(a), &as_last_key(b));
    }
}

#[test]
fn kinds_never_equal_each_other() {
    let kinds = [
        Value::Nil,
        Value::from(false),
        Value::from(0_u64),
        Value::from(0.0_f64),
        Value::from(""),
        Value::Bin(vec![]),
        Value::Ext(0, vec![]),
        Value::Array(vec![]),
        Value::Map(vec![]),
    ];
    for (position, a) in kinds.iter().enumerate() {
        assert_eq!(same(a, a), Equality::default());
        for b in &kinds[position + 1..] {
            differ_everywhere(a, b);
        }
    }
}

#[test]
fn booleans_differ() {
    differ_everywhere(&Value::from(false), &Value::from(true));
}

#[test]
fn integers_are_compared_by_value_over_both_ranges() {
    differ_everywhere(&Value::from(1_u64), &Value::from(2_u64));
    differ_everywhere(&Value::from(-1_i64), &Value::from(u64::MAX));
    differ_everywhere(&Value::from(i64::MIN), &Value::from(1_u64 << 63));
    same(&Value::from(7_i64), &Value::from(7_u64));
}

#[test]
fn an_integer_never_equals_a_float_of_its_value() {
    differ_everywhere(&Value::from(1_u64), &Value::from(1.0_f64));
    differ_everywhere(&Value::from(1_u64), &Value::from(1.0_f32));
    // Nor one of its bits.
    differ_everywhere(&Value::from(1.0_f64.to_bits()), &Value::from(1.0_f64));
}

#[test]
fn a_string_never_equals_a_binary_or_extension_of_its_bytes() {
    differ_everywhere(&Value::from("a"), &Value::Bin(vec![b'a']));
    differ_everywhere(&Value::from("a"), &Value::Ext(0, vec![b'a']));
    differ_everywhere(&Value::Bin(vec![b'a']), &Value::Ext(0, vec![b'a']));
}

#[test]
fn payloads_are_compared_to_their_last_byte_and_length() {
    for kind in [Value::Str, Value::Bin, |payload| Value::Ext(5, payload)] {
        differ_everywhere(&kind(vec![1, 2, 3]), &kind(vec![1, 2, 4]));
        differ_everywhere(&kind(vec![1, 2, 3]), &kind(vec![1, 2]));
    }
}

#[test]
fn extensions_are_compared_by_type_too() {
    differ_everywhere(&Value::Ext(1, vec![9]), &Value::Ext(-1, vec![9]));
}

#[test]
fn floats_are_compared_by_bits() {
    differ_everywhere(&Value::from(0.0_f64), &Value::from(-0.0_f64));
    differ_everywhere(&Value::from(1.0_f64), &Value::F64(1.0_f64.to_bits() + 1));
    differ_everywhere(&Value::from(0.0_f32), &Value::from(-0.0_f32));
    let nan = Value::F64(0x7ff8_0000_0000_0001);
    same(&nan, &nan);
    differ_everywhere(&nan, &Value::F64(0x7ff8_0000_0000_0002));
}

#[test]
fn float32_equals_the_float64_that_it_widens_to_and_no_other() {
    let (narrow, wide) = (Value::from(0.1_f32), Value::from(f64::from(0.1_f32)));
    assert_eq!(same(&wide, &narrow), Equality { floats_narrowed: 1, ..Equality::default() });
    assert_eq!(same(&narrow, &wide), Equality { floats_widened: 1, ..Equality::default() });
    differ_everywhere(&Value::from(0.1_f64), &narrow);
}

#[test]
fn widening_does_not_quiet_nan() {
    let signalling = Value::F32(0x7f80_0001);
    same(&signalling, &Value::F64(0x7ff0_0000_2000_0000));
    differ_everywhere(&signalling, &Value::F64(0x7ff8_0000_2000_0000));
    differ_everywhere(&signalling, &Value::F32(0x7fc0_0001));
}

#[test]
fn arrays_are_compared_in_order_and_by_length() {
    let (one, two) = (Value::from(1_u64), Value::from(2_u64));
    let array = |items: &[&Value]| Value::Array(items.iter().map(|&item| item.clone()).collect());
    differ_everywhere(&array(&[&one, &two]), &array(&[&two, &one]));
    differ_everywhere(&array(&[&one, &one]), &array(&[&one]));
    differ_everywhere(&array(&[&array(&[&one]), &two]), &array(&[&array(&[&one, &two])]));
}

#[test]
fn maps_are_equal_in_any_order_and_the_order_is_noted() {
    let entry = |key: &str, value: u64| (Value::from(key), Value::from(value));
    let (a, b, c) = (entry("a", 1), entry("b", 2), entry("c", 3));
    let in_order = map(&[a.clone(), b.clone(), c.clone()]);
    assert_eq!(same(&in_order, &in_order), Equality::default());
    let reordered = Equality { keys_reordered: 1, ..Equality::default() };
    assert_eq!(same(&in_order, &map(&[c.clone(), a.clone(), b.clone()])), reordered);

    differ(&in_order, &map(&[a.clone(), b.clone()]));
    differ(&in_order, &map(&[a.clone(), b, entry("c", 4)]));
    differ(&in_order, &map(&[entry("a", 2), entry("b", 1), c]));
}

#[test]
fn maps_in_keys_and_values_of_maps_are_equal_in_any_order_too() {
    let entry = |key: Value, value: Value| (key, value);
    let (x, y) = (entry(Value::from("x"), Value::Nil), entry(Value::from(1.5_f64), Value::Nil));
    let y_narrow = entry(Value::from(1.5_f32), Value::Nil);
    let expected = map(&[entry(map(&[x.clone(), y.clone()]), map(&[x.clone(), y]))]);
    let got = map(&[entry(map(&[y_narrow.clone(), x.clone()]), map(&[y_narrow, x]))]);
    let equality = Equality { floats_narrowed: 2, floats_widened: 0, keys_reordered: 2 };
    assert_eq!(same(&expected, &got), equality);
}

#[test]
fn arrays_in_maps_keep_their_order() {
    let pair = |a: u64, b: u64| Value::Array(vec![Value::from(a), Value::from(b)]);
    differ_everywhere(&pair(1, 2), &pair(2, 1));
}

#[test]
fn duplicate_keys_are_counted() {
    let entry = |key: &str, value: u64| (Value::from(key), Value::from(value));
    let (one, two) = (entry("a", 1), entry("a", 2));
    same(&map(&[one.clone(), two.clone()]), &map(&[two.clone(), one.clone()]));
    differ(&map(&[one.clone(), one.clone()]), &map(slice::from_ref(&one)));
    differ(&map(&[one.clone(), one.clone(), two.clone()]), &map(&[one.clone(), two.clone(), two]));
}

#[test]
fn the_path_leads_to_the_first_difference() {
    let document = |id: Value| {
        let user = map(&[(Value::from("name"), Value::from("x")), (Value::from("id"), id)]);
        let statuses = Value::Array(vec![Value::Nil, map(&[(Value::from("user"), user)])]);
        map(&[(Value::from("statuses"), statuses), (Value::from("z"), Value::Nil)])
    };
    let difference = differ(&document(Value::from(5_u64)), &document(Value::from("5")));
    let text = "differs at `$.statuses[1].user.id`\n  expected: integer 5\n  got:      string of 1 byte: \"5\"";
    assert_eq!(difference.to_string(), text);
}

#[test]
fn the_path_shows_keys_that_are_no_plain_words_in_braces() {
    let nest = |leaf: u64| {
        let inner = map(&[(Value::from("a b"), Value::from(leaf))]);
        let middle = map(&[(Value::from(5_u64), inner)]);
        map(&[(Value::Array(vec![Value::Nil]), middle)])
    };
    assert_eq!(differ(&nest(1), &nest(2)).path, "${[nil]}{5}{\"a b\"}");
}

#[test]
fn a_missing_or_additional_entry_is_named_with_its_key() {
    let entry = |key: &str| (Value::from(key), Value::Nil);
    let (short, long) = (map(&[entry("a")]), map(&[entry("b"), entry("a")]));
    let missing = differ(&long, &short);
    assert_eq!(missing.path, "$");
    assert_eq!(missing.expected, "1 entry with the key \"b\"");
    assert_eq!(missing.got, "0 entries with the key \"b\"");
    let extra = differ(&short, &long);
    assert_eq!(extra.expected, "0 entries with the key \"b\"");
    assert_eq!(extra.got, "1 entry with the key \"b\"");
}

#[test]
fn a_late_difference_in_a_long_string_is_seen() {
    let text = |last: &str| Value::from(format!("{}{last}", "-".repeat(500)).as_str());
    let difference = differ(&text("x"), &text("y"));
    assert_eq!(difference.expected, "string of 501 bytes from byte 490: \"----------x\"");
    assert_eq!(difference.got, "string of 501 bytes from byte 490: \"----------y\"");
}
