//! How case files write bytes and values; `data/conformance/README.md` describes it.

use std::fmt::Display;

use anyhow::{Context as _, bail, ensure};
use oracle::Value;
use serde::{Deserialize, de::DeserializeOwned};
use toml::{Table, Value as Toml};

/// Longest message a case may expand to, in bytes; chosen, so that a typo in a count is an error and no full memory.
const MOST_BYTES: usize = 16 << 20;

/// Most numbers that a counter may run through; chosen for the same reason.
const MOST_NUMBERS: u32 = 1 << 20;

/// A part of a message that is not plain hexadecimal digits.
#[derive(Deserialize)]
#[serde(untagged)]
enum Part {
    Hex(String),
    Repeated(Repeated),
    Counted(Counted),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Repeated {
    hex: String,
    repeat: usize,
}

/// Once for every number from `from` to `to`, both included.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Counted {
    from: u32,
    to: u32,
    each: String,
}

/// Bytes: hexadecimal digits, or a list of parts.
pub(crate) fn bytes(written: &Toml) -> anyhow::Result<Vec<u8>> {
    let parts = match written {
        Toml::String(digits) => return hex(digits),
        Toml::Array(parts) => parts,
        other => bail!("`{other}` are no bytes"),
    };
    let mut out = Vec::new();
    for part in parts {
        match read(part, "no part of a message")? {
            Part::Hex(digits) => out.extend(hex(&digits)?),
            Part::Repeated(Repeated { hex: digits, repeat }) => {
                let once = hex(&digits)?;
                ensure!(once.len().saturating_mul(repeat) <= MOST_BYTES, "`{part}` is too long");
                out.extend(once.repeat(repeat));
            }
            Part::Counted(Counted { from, to, each }) => {
                ensure!(to.saturating_sub(from) < MOST_NUMBERS, "`{part}` is too long");
                for number in from..=to {
                    out.extend(hex(&filled_in(&each, number)?)?);
                    ensure!(out.len() <= MOST_BYTES, "`{part}` is too long");
                }
            }
        }
    }
    Ok(out)
}

/// Puts a number into the places of a template that are meant for it.
fn filled_in(template: &str, number: u32) -> anyhow::Result<String> {
    let digits: String = decimal(number).iter().map(|digit| format!("{digit:02x}")).collect();
    let filled = template
        .replace("{u8}", &format!("{number:02x}"))
        .replace("{u16}", &format!("{number:04x}"))
        .replace("{u32}", &format!("{number:08x}"))
        .replace("{digits5}", &digits);
    ensure!(filled != template, "`{template}` has no place for a number");
    Ok(filled)
}

/// A number as five decimal digits in ASCII.
fn decimal(number: u32) -> Vec<u8> {
    format!("{number:05}").into_bytes()
}

/// Hexadecimal digits in pairs, with or without spaces.
pub(crate) fn hex(written: &str) -> anyhow::Result<Vec<u8>> {
    let digits: Vec<char> = written.chars().filter(|c| !c.is_whitespace()).collect();
    let byte = |pair: &[char]| -> Option<u8> {
        let [high, low] = pair else { return None };
        u8::try_from(high.to_digit(16)? << 4 | low.to_digit(16)?).ok()
    };
    digits
        .chunks(2)
        .map(byte)
        .collect::<Option<_>>()
        .with_context(|| format!("`{written}` is not pairs of hexadecimal digits"))
}

/// A value in the typed notation.
pub(crate) fn value(written: &Toml) -> anyhow::Result<Value> {
    match written {
        Toml::Integer(number) => Ok(Value::from(*number)),
        Toml::Boolean(truth) => Ok(Value::from(*truth)),
        Toml::String(text) => Ok(Value::from(text.as_str())),
        Toml::Table(table) => {
            let keys: Vec<_> = table.keys().map(String::as_str).collect();
            typed(table, &keys).with_context(|| format!("`{written}` is no value"))
        }
        other => bail!("`{other}` is no value"),
    }
}

fn typed(table: &Table, keys: &[&str]) -> anyhow::Result<Value> {
    // A table keeps its keys sorted.
    Ok(match keys {
        ["nil"] => {
            ensure!(table["nil"] == Toml::Boolean(true), "nil is written `nil = true`");
            Value::Nil
        }
        ["bool"] => Value::Bool(read(&table["bool"], "no boolean")?),
        ["int"] => integer(&table["int"])?,
        ["f32"] => Value::F32(u32::from_be_bytes(bits(&table["f32"])?)),
        ["f64"] => Value::F64(u64::from_be_bytes(bits(&table["f64"])?)),
        ["str"] => Value::Str(read::<String>(&table["str"], "no text")?.into_bytes()),
        ["str_hex"] => Value::Str(bytes(&table["str_hex"])?),
        ["bin"] => Value::Bin(bytes(&table["bin"])?),
        ["ext"] => {
            let (kind, payload): (i8, Toml) = read(&table["ext"], "not a type and a payload")?;
            Value::Ext(kind, bytes(&payload)?)
        }
        ["array"] => Value::Array(items(&table["array"])?),
        ["array", "repeat"] => {
            let repeat: u32 = read(&table["repeat"], "no count")?;
            let once = items(&table["array"])?;
            ensure!(once.len() as u64 * u64::from(repeat) <= MOST_BYTES as u64, "it is too long");
            Value::Array(vec![once; repeat as usize].concat())
        }
        ["map"] => match &table["map"] {
            Toml::Table(counted) => counted_map(&Toml::Table(counted.clone()))?,
            listed => {
                let entries: Vec<(Toml, Toml)> = read(listed, "no list of pairs")?;
                let entry = |(key, content): &(Toml, Toml)| Ok((value(key)?, value(content)?));
                Value::Map(entries.iter().map(entry).collect::<anyhow::Result<_>>()?)
            }
        },
        ["around", "arrays"] => {
            nested(&table["arrays"], &table["around"], |inner| Value::Array(vec![inner]))?
        }
        ["around", "key", "maps"] => {
            let key = value(&table["key"])?;
            let wrap = |inner| Value::Map(vec![(key.clone(), inner)]);
            nested(&table["maps"], &table["around"], wrap)?
        }
        _ => bail!("there is no notation with the keys `{}`", keys.join("`, `")),
    })
}

/// A map with one entry for every number from `from` to `to`, both included.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CountedMap {
    from: u32,
    to: u32,
    key: CountedKey,
    value: Toml,
}

/// What a number becomes as a key.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum CountedKey {
    Int,
    /// A binary of 2 bytes, big-endian.
    BinU16,
    /// A string of five decimal digits.
    StrDigits5,
}

fn counted_map(written: &Toml) -> anyhow::Result<Value> {
    let CountedMap { from, to, key, value: written } = read(written, "no counted map")?;
    ensure!(to.saturating_sub(from) < MOST_NUMBERS, "it is too long");
    let content = value(&written)?;
    let entry = |number: u32| {
        let key = match key {
            CountedKey::Int => Value::from(u64::from(number)),
            CountedKey::BinU16 => Value::Bin(u16::try_from(number)?.to_be_bytes().to_vec()),
            CountedKey::StrDigits5 => Value::Str(decimal(number)),
        };
        Ok((key, content.clone()))
    };
    Ok(Value::Map((from..=to).map(entry).collect::<anyhow::Result<_>>()?))
}

fn nested(levels: &Toml, around: &Toml, wrap: impl Fn(Value) -> Value) -> anyhow::Result<Value> {
    let levels: u32 = read(levels, "no count")?;
    ensure!(levels as usize <= MOST_BYTES, "it is too deep");
    Ok((0..levels).fold(value(around)?, |inner, _| wrap(inner)))
}

fn items(written: &Toml) -> anyhow::Result<Vec<Value>> {
    let items: Vec<Toml> = read(written, "no list")?;
    items.iter().map(value).collect()
}

/// A TOML integer, or decimal digits for what is larger than those.
fn integer(written: &Toml) -> anyhow::Result<Value> {
    match written {
        Toml::Integer(number) => Ok(Value::from(*number)),
        Toml::String(digits) => {
            let signed = digits.parse::<i64>().map(Value::from);
            let number = signed.or_else(|_| digits.parse::<u64>().map(Value::from));
            number.with_context(|| format!("`{digits}` is no integer of 64 bits"))
        }
        other => bail!("`{other}` is no integer"),
    }
}

fn bits<const BYTES: usize>(written: &Toml) -> anyhow::Result<[u8; BYTES]> {
    let bytes = bytes(written)?;
    let found = bytes.len();
    bytes.try_into().ok().with_context(|| format!("these are {found} bytes, not {BYTES}"))
}

fn read<T: DeserializeOwned>(written: &Toml, otherwise: impl Display) -> anyhow::Result<T> {
    written.clone().try_into().with_context(|| format!("`{written}` is {otherwise}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toml(text: &str) -> Toml {
        let table: Table = format!("x = {text}").parse().unwrap();
        table["x"].clone()
    }

    fn shown(text: &str) -> String {
        value(&toml(text)).unwrap().to_string()
    }

    #[test]
    fn every_kind_of_value_can_be_written() {
        let cases = [
            ("{ nil = true }", "nil"),
            ("true", "true"),
            ("{ bool = false }", "false"),
            ("-7", "-7"),
            ("{ int = 7 }", "7"),
            ("{ int = '18446744073709551615' }", "18446744073709551615"),
            ("{ int = '-9223372036854775808' }", "-9223372036854775808"),
            ("{ f32 = '3fc00000' }", "1.5f32"),
            ("{ f64 = '3ff8 0000 0000 0000' }", "1.5"),
            ("'a'", "\"a\""),
            ("{ str = 'a' }", "\"a\""),
            ("{ str_hex = 'ff' }", "\"\\xff\""),
            ("{ bin = ['01', { hex = '00', repeat = 2 }] }", "bin(01 00 00)"),
            ("{ ext = [-1, '07'] }", "ext(-1: 07)"),
            ("{ array = [1, { nil = true }] }", "[1, nil]"),
            ("{ array = [1, 2], repeat = 2 }", "[1, 2, 1, 2]"),
            ("{ map = [['a', 1], [2, 3], [2, 3]] }", "{\"a\": 1, 2: 3, 2: 3}"),
            ("{ map = { from = 1, to = 2, key = 'int', value = true } }", "{1: true, 2: true}"),
            ("{ map = { from = 1, to = 1, key = 'bin-u16', value = 0 } }", "{bin(00 01): 0}"),
            ("{ map = { from = 1, to = 1, key = 'str-digits5', value = 0 } }", "{\"00001\": 0}"),
            ("{ arrays = 3, around = 1 }", "[[[1]]]"),
            ("{ maps = 2, key = 'a', around = 1 }", "{\"a\": {\"a\": 1}}"),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_value_is_an_error() {
        for text in [
            "{ nil = false }",
            "{ int = 1, bool = true }",
            "{ int = '18446744073709551616' }",
            "{ int = '1.0' }",
            "{ f32 = '3fc0' }",
            "{ ext = [128, '00'] }",
            "{ map = [[1]] }",
            "{ map = [[1, 2, 3]] }",
            "{ map = { from = 0, to = 65536, key = 'bin-u16', value = 0 } }",
            "{ array = [1], repeat = 4_000_000_000 }",
            "{ arrays = 4_000_000_000, around = 1 }",
            "{ text = 'a' }",
            "1.5",
            "[1]",
        ] {
            assert!(value(&toml(text)).is_err(), "{text}");
        }
    }

    #[test]
    fn bytes_are_digits_repetitions_and_counters() {
        let text = "['de 00 02', { from = 254, to = 255, each = 'cd {u16} {u8}' }, { hex = '91 c0', repeat = 2 }]";
        let expected = "de 00 02 cd 00 fe fe cd 00 ff ff 91 c0 91 c0";
        assert_eq!(bytes(&toml(text)).unwrap(), hex(expected).unwrap());
        let text = "[{ from = 7, to = 7, each = '{u32} {digits5}' }]";
        assert_eq!(bytes(&toml(text)).unwrap(), b"\0\0\0\x0700007");
        assert_eq!(bytes(&toml("''")).unwrap(), b"");
    }

    #[test]
    fn what_are_no_bytes_is_an_error() {
        for text in [
            "'9'",
            "'9x'",
            "'é0'",
            "1",
            "[1]",
            "[{ hex = '00' }]",
            "[{ hex = '00', repeat = 1, twice = 1 }]",
            "[{ hex = '00', repeat = 4_000_000_000 }]",
            "[{ from = 0, to = 1, each = '00' }]",
            "[{ from = 0, to = 4_000_000_000, each = '{u32}' }]",
            "[{ from = 0, to = 1_000, each = '{u8}' }]",
        ] {
            assert!(bytes(&toml(text)).is_err(), "{text}");
        }
    }
}
