//! A file of the user's as a dataset.

use std::{fs, io, path::Path};

use anyhow::{anyhow, bail, ensure};
use oracle::{Value, msgpack};

use crate::{Built, build::write_whole, json};

/// Group of the files that no definition names.
const GROUP: &str = "input";

/// A MessagePack or JSON file of the user's.
///
/// What the whole file holds decides what it is; if it could be both, as the single byte `7`, its extension does.
/// MessagePack is measured as it is, in its place; JSON is encoded as the datasets are, into a file in the folder `scratch`.
/// The id is `input/` and the name of the file in lower-case letters, digits and `-`.
///
/// # Errors
///
/// A file that cannot be read, that is empty, or that is neither; a `scratch` that cannot be written.
pub fn from_file(path: &Path, scratch: &Path) -> anyhow::Result<Built> {
    let bytes = read(path)?;
    let id = id(path);
    match recognise(path, &bytes)? {
        Content::Msgpack(value) => {
            let path = std::path::absolute(path)?;
            Ok(Built::new(id, path, bytes, value, None))
        }
        Content::Json(value) => {
            let path = std::path::absolute(scratch)?.join(format!("{id}.msgpack"));
            let message = msgpack::encode(&value);
            write_whole(&path, &message)?;
            Ok(Built::new(id, path, message, value, Some(bytes)))
        }
    }
}

enum Content {
    Msgpack(Value),
    Json(Value),
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let shown = path.display();
    let cannot_read = |error: io::Error| {
        anyhow!(
            "cannot read the input file `{shown}`: {error}\n  fix: name a MessagePack or JSON file that you may read"
        )
    };
    // A pipe could not be read a second time, by the process that measures.
    ensure!(
        fs::metadata(path).map_err(cannot_read)?.is_file(),
        "the input `{shown}` is a folder or device\n  fix: name a MessagePack or JSON file"
    );
    let bytes = fs::read(path).map_err(cannot_read)?;
    ensure!(
        !bytes.is_empty(),
        "the input file `{shown}` is empty\n  fix: name a file with one message, which has at least one byte"
    );
    Ok(bytes)
}

fn recognise(path: &Path, bytes: &[u8]) -> anyhow::Result<Content> {
    let as_msgpack = msgpack::decode(bytes);
    let as_json = json::read(bytes);
    let prefers_json = path.extension().is_some_and(|name| name.eq_ignore_ascii_case("json"));
    match (as_msgpack, as_json) {
        (Ok(_), Ok(value)) if prefers_json => Ok(Content::Json(value)),
        (Ok(value), _) => Ok(Content::Msgpack(value)),
        (Err(_), Ok(value)) => Ok(Content::Json(value)),
        (Err(no_msgpack), Err(no_json)) => {
            let shown = path.display();
            let fix = if prefers_json {
                "correct the JSON there".to_owned()
            } else {
                format!(
                    "`cargo xtask inspect {shown}` shows the message up to the byte that is wrong"
                )
            };
            bail!(
                "the input file `{shown}` is neither MessagePack nor JSON\n  \
                 as MessagePack: {no_msgpack}\n  \
                 as JSON: {no_json}\n  \
                 fix: {fix}"
            )
        }
    }
}

/// `Sensor rows (2).json` is `input/sensor-rows-2`.
fn id(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let words = stem.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let name = words.collect::<Vec<_>>().join("-");
    format!("{GROUP}/{}", if name.is_empty() { "file" } else { &name })
}
