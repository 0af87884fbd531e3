//! Messages written by hand, byte by byte, with what is in them.
//!
//! They stand here and not in data, so that an adapter's test needs nothing but this crate.
//! Each family of formats of the MessagePack specification is here once at least, some with a longer header than they need.

use protocol::job::{Content, Stats, Sums};

/// What a library must be able to do before a message says anything about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    Nothing,
    Binary,
    Ext,
    NonStringKeys,
}

/// A valid message.
pub(crate) struct Message {
    pub(crate) name: &'static str,
    pub(crate) bytes: Vec<u8>,
    pub(crate) content: Content,
    pub(crate) needs: Needs,
}

pub(crate) fn msgpack() -> Vec<Message> {
    let mut all = Vec::new();
    let mut add = |needs, name, bytes: &[u8], content| {
        all.push(Message { name, bytes: bytes.to_vec(), content, needs });
    };

    use Needs::{Binary, Ext, NonStringKeys, Nothing};
    add(Nothing, "nil", b"\xc0", nil());
    add(Nothing, "false", b"\xc2", boolean());
    add(Nothing, "true", b"\xc3", boolean());
    add(Nothing, "positive fixint", b"\x7f", integer(127));
    add(Nothing, "negative fixint", b"\xe0", integer(-32));
    add(Nothing, "uint 8", b"\xcc\xff", integer(255));
    add(Nothing, "uint 16", b"\xcd\xff\xfe", integer(65_534));
    add(Nothing, "uint 32", b"\xce\xff\xff\xff\xfd", integer(4_294_967_293));
    add(Nothing, "uint 64", b"\xcf\xff\xff\xff\xff\xff\xff\xff\xff", integer(-1));
    add(Nothing, "uint 8 where a fixint would do", b"\xcc\x01", integer(1));
    add(Nothing, "int 8", b"\xd0\x80", integer(-128));
    add(Nothing, "int 16", b"\xd1\x80\x01", integer(-32_767));
    add(Nothing, "int 32", b"\xd2\x80\x00\x00\x02", integer(-2_147_483_646));
    add(Nothing, "int 64", b"\xd3\x80\x00\x00\x00\x00\x00\x00\x03", integer(i64::MIN + 3));
    add(Nothing, "float 32", b"\xca\x3f\xc0\x00\x00", float(1.5));
    add(Nothing, "float 64", b"\xcb\x3f\xf1\x99\x99\x99\x99\x99\x9a", float(1.1));
    add(Nothing, "float 64, minus zero", b"\xcb\x80\x00\x00\x00\x00\x00\x00\x00", float(-0.0));
    add(Nothing, "fixstr", b"\xa3abc", string(b"abc"));
    add(Nothing, "fixstr of no bytes", b"\xa0", string(b""));
    add(
        Nothing,
        "fixstr of two-byte characters",
        b"\xa4\xc3\xa4\xc3\xb6",
        string(b"\xc3\xa4\xc3\xb6"),
    );
    add(Nothing, "str 8", &with(b"\xd9\x20", &[b'x'; 32]), string(&[b'x'; 32]));
    add(Nothing, "str 16", &with(b"\xda\x01\x00", &[b'y'; 256]), string(&[b'y'; 256]));
    add(Nothing, "str 32", b"\xdb\x00\x00\x00\x02no", string(b"no"));
    add(Binary, "bin 8", b"\xc4\x03\x00\xff\x80", binary(b"\x00\xff\x80"));
    add(Binary, "bin 16", &with(b"\xc5\x01\x00", &[0xfe; 256]), binary(&[0xfe; 256]));
    add(Binary, "bin 32", b"\xc6\x00\x00\x00\x01\x07", binary(b"\x07"));
    add(Nothing, "fixarray of nothing", b"\x90", array(&[]));
    add(Nothing, "fixarray", b"\x92\x01\xc0", array(&[integer(1), nil()]));
    add(Nothing, "array 16", b"\xdc\x00\x01\x90", array(&[array(&[])]));
    add(Nothing, "array 32", b"\xdd\x00\x00\x00\x01\xc3", array(&[boolean()]));
    add(Nothing, "fixmap of nothing", b"\x80", map(&[]));
    add(Nothing, "fixmap", b"\x81\xa1k\x05", map(&[string(b"k"), integer(5)]));
    add(Nothing, "map 16", b"\xde\x00\x01\xa1k\x80", map(&[string(b"k"), map(&[])]));
    add(Nothing, "map 32", b"\xdf\x00\x00\x00\x01\xa1k\xc0", map(&[string(b"k"), nil()]));
    add(
        NonStringKeys,
        "map with an integer as key",
        b"\x81\x07\x08",
        map(&[integer(7), integer(8)]),
    );
    add(
        NonStringKeys,
        "map with an array as key",
        b"\x81\x91\xc0\x08",
        map(&[array(&[nil()]), integer(8)]),
    );
    add(Ext, "fixext 1", b"\xd4\x05\x01", ext(b"\x01"));
    add(Ext, "fixext 2", b"\xd5\x05\x01\x02", ext(b"\x01\x02"));
    add(Ext, "fixext 4, a timestamp", b"\xd6\xff\x01\x02\x03\x04", ext(b"\x01\x02\x03\x04"));
    add(Ext, "fixext 8", &with(b"\xd7\x05", &[9; 8]), ext(&[9; 8]));
    add(Ext, "fixext 16", &with(b"\xd8\x05", &[9; 16]), ext(&[9; 16]));
    add(Ext, "ext 8", b"\xc7\x03\x80\x01\x02\x03", ext(b"\x01\x02\x03"));
    add(Ext, "ext 16", &with(b"\xc8\x01\x00\x05", &[9; 256]), ext(&[9; 256]));
    add(Ext, "ext 32", b"\xc9\x00\x00\x00\x03\x05\x01\x02\x03", ext(b"\x01\x02\x03"));
    all
}

/// An array of 16-bit length with all these messages in it.
pub(crate) fn together<'m>(messages: impl Iterator<Item = &'m Message>) -> Message {
    let (bytes, contents): (Vec<_>, Vec<_>) =
        messages.map(|message| (message.bytes.clone(), message.content)).unzip();
    let length = u16::try_from(bytes.len()).expect("the table above is short").to_be_bytes();
    Message {
        name: "all of them in one array",
        bytes: with(&with(b"\xdc", &length), &bytes.concat()),
        content: array(&contents),
        needs: Needs::Nothing,
    }
}

fn with(header: &[u8], payload: &[u8]) -> Vec<u8> {
    [header, payload].concat()
}

fn nil() -> Content {
    Content { stats: Stats { nils: 1, ..Stats::default() }, ..Content::default() }
}

fn boolean() -> Content {
    Content { stats: Stats { booleans: 1, ..Stats::default() }, ..Content::default() }
}

fn integer(value: i64) -> Content {
    Content {
        stats: Stats { numbers: 1, ..Stats::default() },
        sums: Sums { integers: value.cast_unsigned(), ..Sums::default() },
    }
}

fn float(value: f64) -> Content {
    Content {
        stats: Stats { numbers: 1, ..Stats::default() },
        sums: Sums { float_bits: value.to_bits(), ..Sums::default() },
    }
}

fn string(text: &[u8]) -> Content {
    Content { stats: Stats { strings: 1, ..Stats::default() }, sums: bytes(text) }
}

fn binary(payload: &[u8]) -> Content {
    Content { stats: Stats { binaries: 1, ..Stats::default() }, sums: bytes(payload) }
}

fn ext(payload: &[u8]) -> Content {
    Content { stats: Stats { extensions: 1, ..Stats::default() }, sums: bytes(payload) }
}

fn bytes(payload: &[u8]) -> Sums {
    Sums { bytes: payload.iter().map(|byte| u64::from(*byte)).sum(), ..Sums::default() }
}

fn array(items: &[Content]) -> Content {
    let mut content = sum(items);
    content.stats.arrays += 1;
    content
}

/// Keys and values in turn.
fn map(entries: &[Content]) -> Content {
    let mut content = sum(entries);
    content.stats.maps += 1;
    content
}

fn sum(contents: &[Content]) -> Content {
    contents.iter().fold(Content::default(), |a, b| Content {
        stats: Stats {
            maps: a.stats.maps + b.stats.maps,
            arrays: a.stats.arrays + b.stats.arrays,
            strings: a.stats.strings + b.stats.strings,
            binaries: a.stats.binaries + b.stats.binaries,
            extensions: a.stats.extensions + b.stats.extensions,
            numbers: a.stats.numbers + b.stats.numbers,
            booleans: a.stats.booleans + b.stats.booleans,
            nils: a.stats.nils + b.stats.nils,
        },
        sums: Sums {
            integers: a.sums.integers.wrapping_add(b.sums.integers),
            float_bits: a.sums.float_bits.wrapping_add(b.sums.float_bits),
            bytes: a.sums.bytes.wrapping_add(b.sums.bytes),
        },
    })
}
