//! Makes or loads the message of a definition, and verifies it.

use std::{
    fmt, fs, io,
    io::Read as _,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, anyhow, bail, ensure};
use lzma_rust2::XzReader;
use oracle::{Stats, Sums, Value, msgpack};

use crate::{Definition, Source, definition, hash::sha256, json};

/// Where messages are kept, from the root of the repository.
const GENERATED: &str = "data/generated";

/// Where the sources of others lie, from the root of the repository.
const FETCHED: &str = "vendor/fetched";

/// A message, ready to be measured.
#[derive(Clone)]
pub struct Built {
    /// Id of the dataset: `documents/canada`; `input/…` for a file of the user's.
    pub id: String,
    /// The file that holds the message.
    pub path: PathBuf,
    /// The message.
    pub bytes: Vec<u8>,
    /// SHA-256 of the message, as lower-case hexadecimal digits.
    pub sha256: String,
    /// The message as the oracle reads it.
    pub value: Value,
    /// How many nodes of each kind it has.
    pub stats: Stats,
    /// Sums over its values.
    pub sums: Sums,
    /// The JSON text that it was made from; `None` if it was not made from JSON, or if its source is no longer there.
    pub source_json: Option<Vec<u8>>,
}

impl Built {
    /// The value must be what the oracle decodes from the bytes.
    pub(crate) fn new(
        id: String,
        path: PathBuf,
        bytes: Vec<u8>,
        value: Value,
        source_json: Option<Vec<u8>>,
    ) -> Built {
        let sha256 = sha256(&bytes);
        let (stats, sums) = (Stats::of(&value), Sums::of(&value));
        Built { id, path, bytes, sha256, value, stats, sums, source_json }
    }
}

/// The message of a definition: as it lies in `data/generated` below `root`, or made anew.
///
/// Size, hash and counts are those of the definition, whichever way it came.
///
/// # Errors
///
/// A source that is missing or not the expected one, a definition that does not fit its own source, a folder that cannot be written.
pub fn build(root: &Path, definition: &Definition) -> anyhow::Result<Built> {
    let id = &definition.id;
    let path = root.join(GENERATED).join(format!("{id}.msgpack"));
    let bytes = match fs::read(&path) {
        Ok(bytes) if definition.fits(&bytes) => bytes,
        // Not there, torn, or of an older definition: it is made again in all these cases.
        _ => {
            let bytes = make(root, definition)?;
            write_whole(&path, &bytes)?;
            bytes
        }
    };

    let value = msgpack::decode(&bytes).with_context(|| format!("the message of `{id}`"))?;
    let built = Built::new(id.clone(), path, bytes, value, source(root, definition).ok());
    if built.stats != definition.counts {
        bail!(WrongCounts { id, defined: definition.counts, found: built.stats }.to_string());
    }
    Ok(built)
}

/// The text of a source, of the expected size.
fn source(root: &Path, definition: &Definition) -> anyhow::Result<Vec<u8>> {
    let Definition { id, source: Source::Json { file, bytes: json_bytes }, .. } = definition;
    let (folder, source, fix) = place(file);
    let json = unpack(&root.join(&source), *json_bytes).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            anyhow!(
                "the source of `{id}` is not there: {source}\n  fix: `cargo xtask vendor {folder}`"
            )
        }
        _ => anyhow!("cannot read the source of `{id}`, {source}: {error}\n  {fix}"),
    })?;
    ensure!(
        json.len() as u64 == *json_bytes,
        "the source of `{id}`, {source}, is not the one that is defined: want {json_bytes} bytes of JSON, got {}\n  {fix}",
        if json.len() as u64 > *json_bytes { "more".to_owned() } else { json.len().to_string() },
    );
    Ok(json)
}

/// The folder of a source, its place from the root of the repository, and how it is had again.
fn place(file: &str) -> (&str, String, String) {
    let folder = file.split('/').next().unwrap_or(file);
    let fix = format!("fix: `cargo xtask vendor {folder}`, which fetches it again");
    (folder, format!("{FETCHED}/{file}"), fix)
}

/// Makes the message from its source and verifies size and hash.
fn make(root: &Path, definition: &Definition) -> anyhow::Result<Vec<u8>> {
    let json = source(root, definition)?;
    let Definition { id, source: Source::Json { file, .. }, .. } = definition;
    let (folder, source, fix) = place(file);
    let value = json::read(&json)
        .map_err(|error| anyhow!("the source of `{id}`, {source}, is no JSON: {error}\n  {fix}"))?;

    let message = msgpack::encode(&value);
    if !definition.fits(&message) {
        bail!(WrongMessage { definition, source: &source, folder, made: &message }.to_string());
    }
    Ok(message)
}

/// Reads a file, without its compression if it has one; at most one byte more than `expected`, in bytes.
fn unpack(path: &Path, expected: u64) -> io::Result<Vec<u8>> {
    let file = io::BufReader::new(fs::File::open(path)?);
    let limit = expected + 1;
    let mut text = Vec::new();
    if path.extension().is_some_and(|extension| extension == "xz") {
        XzReader::new(file, false).take(limit).read_to_end(&mut text)?;
    } else {
        file.take(limit).read_to_end(&mut text)?;
    }
    Ok(text)
}

/// Writes a file that is either whole or not there, so that a killed process leaves nothing half.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    // In the same folder, since a file can only be renamed within a file system; one per process, since two may run.
    let part = path.with_extension(format!("{}.part", std::process::id()));
    let write = || {
        fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
        fs::write(&part, bytes)?;
        fs::rename(&part, path)
    };
    write().map_err(|error| {
        // The first error is the one to tell.
        let _ = fs::remove_file(&part);
        let (size, path) = (bytes.len(), path.display());
        anyhow!("cannot write {path}: {error}\n  fix: make room for {size} bytes there, in a folder that you may write")
    })
}

/// The definition and what its source gives are two different messages.
struct WrongMessage<'a> {
    definition: &'a Definition,
    source: &'a str,
    folder: &'a str,
    made: &'a [u8],
}

impl fmt::Display for WrongMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WrongMessage { definition, source, folder, made } = self;
        let Definition { id, input_bytes, sha256: defined, .. } = definition;
        writeln!(f, "the message of `{id}`, made from {source}, is not the one that is defined")?;
        writeln!(f, "  defined: {input_bytes} bytes, sha256 {defined}")?;
        writeln!(f, "  made:    {} bytes, sha256 {}", made.len(), sha256(made))?;
        writeln!(f, "  fix:     `cargo xtask vendor {folder}`, which fetches the source again;")?;
        write!(
            f,
            "           if {} is what changed, give the dataset a new id there",
            definition::FILE
        )
    }
}

/// The right message, but the counts beside its hash are wrong.
struct WrongCounts<'a> {
    id: &'a str,
    defined: Stats,
    found: Stats,
}

impl fmt::Display for WrongCounts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WrongCounts { id, defined, found } = self;
        writeln!(f, "the message of `{id}` has its hash, but not the counts that are defined")?;
        writeln!(f, "  defined: {defined:?}")?;
        writeln!(f, "  found:   {found:?}")?;
        write!(f, "  fix:     correct `counts` in {}", definition::FILE)
    }
}
