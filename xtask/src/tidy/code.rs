//! How source files look: first line, length, name, `unsafe`.

use super::tree::File;

/// Longest source file, in lines; chosen.
const MOST_LINES: usize = 400;

/// Names that say nothing about what is in a file.
const EMPTY_NAMES: &[&str] = &["util", "utils", "helper", "helpers", "common", "misc", "base"];

fn is_source(file: &File) -> bool {
    ["rs", "c", "h", "cc"].contains(&file.extension())
}

/// The first line is a sentence about what lives in the file.
pub(super) fn headers(files: &[File]) -> Vec<String> {
    let lacks = |file: &&File| {
        let first = file.text.lines().next().unwrap_or_default();
        let sentence = match file.extension() {
            "rs" => first.strip_prefix("//! "),
            _ => first.strip_prefix("// ").or_else(|| first.strip_prefix("/* ")),
        };
        let sentence = sentence.map(|text| text.trim_end_matches("*/").trim());
        !sentence.is_some_and(|text| text.len() > 1 && text.ends_with('.'))
    };
    let files = files.iter().filter(|file| is_source(file)).filter(lacks);
    files
        .map(|file| {
            let fix = match file.extension() {
                "rs" => "begin with `//! ` and a sentence with a full stop",
                _ => "begin with a comment of one sentence with a full stop",
            };
            file.fault(1, "does not say what lives here", fix)
        })
        .collect()
}

/// No source file is longer than a reader's patience.
pub(super) fn lengths(files: &[File]) -> Vec<String> {
    let files = files.iter().filter(|file| is_source(file));
    files
        .filter_map(|file| {
            let lines = file.text.lines().count();
            let what = format!("{lines} lines, but {MOST_LINES} are the most");
            (lines > MOST_LINES)
                .then(|| file.fault(MOST_LINES + 1, &what, "split it where its subjects part"))
        })
        .collect()
}

/// No file and no folder is a drawer for odds and ends.
pub(super) fn names(files: &[File]) -> Vec<String> {
    let is_empty = |part: &str| EMPTY_NAMES.contains(&part.split('.').next().unwrap_or_default());
    let files = files.iter().filter(|file| file.path.split('/').any(is_empty));
    files
        .map(|file| file.fault(1, "its name says nothing", "name it after what is in it"))
        .collect()
}

/// `unsafe` is in `src/ffi.rs` of adapters and of the meter, and nowhere else.
pub(super) fn unsafe_places(files: &[File]) -> Vec<String> {
    let mut faults = Vec::new();
    for file in files.iter().filter(|file| file.extension() == "rs" && !is_bridge(&file.path)) {
        for (index, line) in code_only(&file.text).lines().enumerate() {
            let mut words = line.split(|c: char| c != '_' && !c.is_alphanumeric());
            if words.any(|word| word == "unsafe") {
                let fix = "find a safe way, or move it to the adapter's src/ffi.rs";
                faults.push(file.fault(index + 1, "`unsafe` outside of a bridge", fix));
            }
        }
    }
    faults
}

/// It stands in for the allocator of the C library, which no safe code can.
const METER: &str = "meter";

fn is_bridge(path: &str) -> bool {
    let adapter = path.strip_suffix("/src/ffi.rs").and_then(|folder| folder.split_once('/'));
    matches!(adapter, Some(("ffi", name)) if !name.contains('/'))
        || matches!(adapter, Some(("crates", name)) if name.starts_with("codec-") || name == METER)
}

/// Rust without comments, strings and characters; lines stay where they are.
pub(super) fn code_only(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let other = length_of_other(rest);
        let (skipped, after) = rest.split_at(if other == 0 { first.len_utf8() } else { other });
        if other == 0 {
            code.push(first);
        } else {
            code.push(' ');
            code.extend(skipped.matches('\n'));
        }
        rest = after;
    }
    code
}

/// Length of the comment, string or character with which `rest` begins; 0 if it begins with code.
fn length_of_other(rest: &str) -> usize {
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return block_comment(rest);
    }
    if let Some(hashes) = raw_string(rest) {
        let end = format!("\"{}", "#".repeat(hashes));
        let start = hashes + 2;
        return rest[start..].find(&end).map_or(rest.len(), |at| start + at + end.len());
    }
    let mut characters = rest.chars();
    match (characters.next(), characters.next(), characters.next()) {
        (Some('"'), ..) => quoted(rest, '"'),
        (Some('\''), Some('\\'), _) => quoted(rest, '\''),
        (Some('\''), Some(one), Some('\'')) => one.len_utf8() + 2,
        // A lifetime, or any other code.
        _ => 0,
    }
}

/// How many `#` a raw string begins with, if `rest` is one.
fn raw_string(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix('r')?;
    let opened = after.trim_start_matches('#');
    opened.starts_with('"').then_some(after.len() - opened.len())
}

fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Comments of this kind may hold others.
fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        let here = &rest.as_bytes()[at..];
        if here.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if here.starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::{found_at, holds};

    fn one(path: &str, text: &str) -> [File; 1] {
        [File::new(path, text.as_bytes())]
    }

    #[test]
    fn a_file_without_a_sentence_at_its_head_is_found() {
        for text in ["", "use std::fs;", "//! No full stop", "// A comment.", "//! ."] {
            found_at(&headers(&one("a.rs", text)), &["a.rs:1"]);
        }
        for text in ["", "int a;", "/* No full stop */", "// no full stop"] {
            found_at(&headers(&one("a.cc", text)), &["a.cc:1"]);
        }
        holds(&headers(&one("a.rs", "//! A sentence.\n")));
        holds(&headers(&one("a.h", "/* A sentence. */\n")));
        holds(&headers(&one("a.c", "/* A sentence.\n   More. */\n")));
    }

    #[test]
    fn a_file_that_is_too_long_is_found() {
        holds(&lengths(&one("a.rs", &"\n".repeat(400))));
        found_at(&lengths(&one("a.rs", &"\n".repeat(401))), &["a.rs:401"]);
        holds(&lengths(&one("a.lock", &"\n".repeat(401))));
    }

    #[test]
    fn an_empty_name_is_found() {
        let faults = ["src/util.rs", "utils/a.rs", "misc.md", "a/base.test.rs"]
            .map(|path| names(&one(path, "")).join(""));
        found_at(&faults, &["src/util.rs:1", "utils/a.rs:1", "misc.md:1", "a/base.test.rs:1"]);
        holds(&names(&one("src/base64.rs", "")));
    }

    #[test]
    fn an_unsafe_outside_of_a_bridge_is_found() {
        let text = "//! An unsafe file.\n\nfn a() { unsafe { b() } }\n";
        for path in
            ["xtask/src/ffi.rs", "ffi/a/src/lib.rs", "ffi/a/src/b/ffi.rs", "crates/a/src/ffi.rs"]
        {
            found_at(&unsafe_places(&one(path, text)), &[&format!("{path}:3")]);
        }
        holds(&unsafe_places(&one("ffi/a/src/ffi.rs", text)));
        holds(&unsafe_places(&one("crates/codec-a/src/ffi.rs", text)));
    }

    #[test]
    fn an_unsafe_in_a_comment_a_string_or_a_longer_word_is_none() {
        let text = r##"
            // unsafe
            /* unsafe /* unsafe */ unsafe */
            #![deny(unsafe_code)]
            let a = ["unsafe", "\" unsafe", r"\", r#"unsafe " unsafe"#, b"unsafe"];
            let b = ('"', '\'', '\u{22}'); let c: &'static str = "unsafe";
        "##;
        holds(&unsafe_places(&one("a.rs", text)));
        let text = format!("{text}unsafe {{ }}\n");
        found_at(&unsafe_places(&one("a.rs", &text)), &["a.rs:7"]);
    }
}
