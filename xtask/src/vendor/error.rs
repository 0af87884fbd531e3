//! Why a source cannot be had, in words that say what to do.

use std::fmt;
use std::path::PathBuf;

use super::command::Failure;
use super::source::Client;

/// Why a source is not in `vendor/fetched` as it should be.
#[derive(Clone, Debug)]
pub(crate) enum VendorError {
    /// A file was changed after it had been fetched.
    Edited {
        name: String,
        folder: PathBuf,
        /// Hash of the tree when it was fetched.
        locked_sha256: String,
        found_sha256: String,
    },
    /// The client could not fetch or verify it.
    Client { name: String, client: Client, pinned_in: PathBuf, failure: Failure },
    /// Anything else: no pin, a path that is not in the package, a full disk.
    Other {
        name: String,
        /// What is wrong and where.
        what: String,
    },
}

impl VendorError {
    pub(super) fn other(name: &str, error: &anyhow::Error) -> VendorError {
        VendorError::Other { name: name.to_owned(), what: format!("{error:#}") }
    }
}

impl std::error::Error for VendorError {}

impl fmt::Display for VendorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VendorError::Edited { name, folder, locked_sha256, found_sha256 } => {
                let folder = folder.display();
                writeln!(f, "the source of `{name}` in {folder} is not the one that was locked")?;
                writeln!(f, "  locked: sha256 {locked_sha256}")?;
                writeln!(f, "  found:  sha256 {found_sha256}")?;
                write!(f, "  fix:    `cargo xtask vendor {name}`, which fetches it again")
            }
            VendorError::Client { name, client, pinned_in, failure } => {
                let Failure { command, ended, last_lines } = failure;
                writeln!(f, "the source of `{name}` cannot be fetched: {client} {ended}")?;
                writeln!(f, "  command: {command}")?;
                writeln!(f, "  pinned:  {}", pinned_in.display())?;
                if !last_lines.is_empty() {
                    writeln!(f, "  the last lines that {client} printed:")?;
                    for line in last_lines.lines() {
                        writeln!(f, "    {line}")?;
                    }
                }
                let fix = fix(*client, last_lines, ended);
                write!(f, "  fix:     {fix}, then `cargo xtask vendor {name}`")
            }
            VendorError::Other { name, what } => {
                write!(f, "the source of `{name}` cannot be had: {what}")
            }
        }
    }
}

/// What a person can do about it, judged by what the client printed.
fn fix(client: Client, printed: &str, ended: &str) -> String {
    let says = |words: &[&str]| words.iter().any(|word| printed.contains(word));
    if says(&["DO NOT MATCH THE HASHES", "EINTEGRITY", "checksum", "unable to verify"]) {
        "trust neither side: find out whether the package or the pin was changed".to_owned()
    } else if says(&["no matching package named", "--offline", "offline mode"]) {
        // Cargo's own words are about a wrong name, which misleads: the cache is empty.
        format!("let {client} use the network, since its cache does not hold the package")
    } else if says(&["No space left", "ENOSPC"]) {
        "free some disk".to_owned()
    } else if ended.starts_with("could not be started") || says(&["ensurepip"]) {
        let program = if client == Client::Pip { "python3 with venv" } else { "it" };
        format!("install {program}")
    } else {
        format!("connect to the network, or set up {client} with a mirror that can be reached")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client_error(last_lines: &str) -> String {
        VendorError::Client {
            name: "toy".to_owned(),
            client: Client::Cargo,
            pinned_in: PathBuf::from("vendor/cargo/Cargo.toml"),
            failure: Failure {
                command: "cargo fetch --locked".to_owned(),
                ended: "ended with exit status: 101".to_owned(),
                last_lines: last_lines.to_owned(),
            },
        }
        .to_string()
    }

    #[test]
    fn an_edited_tree_shows_both_hashes_and_the_fix() {
        let error = VendorError::Edited {
            name: "toy".to_owned(),
            folder: PathBuf::from("vendor/fetched/toy"),
            locked_sha256: "aa".to_owned(),
            found_sha256: "bb".to_owned(),
        };
        let want = "the source of `toy` in vendor/fetched/toy is not the one that was locked\n  \
                    locked: sha256 aa\n  found:  sha256 bb\n  \
                    fix:    `cargo xtask vendor toy`, which fetches it again";
        assert_eq!(error.to_string(), want);
    }

    #[test]
    fn a_failed_client_is_quoted_and_explained() {
        let text = client_error("spurious network error\ncould not connect");
        for part in ["`toy`", "cargo fetch --locked", "    could not connect", "fix:     connect"] {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn cargos_misleading_words_are_set_right() {
        let text = client_error("error: no matching package named `carrier` found");
        assert!(text.contains("fix:     let cargo use the network"), "{text}");
    }

    #[test]
    fn a_wrong_hash_is_not_blamed_on_the_network() {
        let text = client_error("error: checksum for `carrier` changed between lock files");
        assert!(text.contains("fix:     trust neither side"), "{text}");
    }
}
