//! How adapters register: ids, folders, programs.

use super::tree::{Codec, File, Metadata, Package};

const OPERATIONS: &[&str] = &["parse", "serialize", "stats", "read"];

fn codecs(metadata: &Metadata) -> impl Iterator<Item = (&Package, &Codec)> {
    metadata
        .packages
        .iter()
        .flat_map(|package| package.codecs().iter().map(move |codec| (package, codec)))
}

/// Lower-case words joined by `-`; folder and package bear the library's name.
pub(super) fn names(metadata: &Metadata, files: &[File]) -> Vec<String> {
    let mut faults = Vec::new();
    for (package, codec) in codecs(metadata) {
        for part in [&codec.format, &codec.library, &codec.variant] {
            if !is_words(part) {
                let what = format!("`{part}` is not lower-case words joined by `-`");
                faults.push(package.fault(files, &format!("\"{part}\""), &what, "rename it"));
            }
        }
    }
    for (package, codec) in codecs(metadata).filter(|(package, _)| package.is_adapter()) {
        let wanted = format!("codec-{}", codec.library);
        if package.name != wanted {
            let what = format!("`{}` registers the library `{}`", package.name, codec.library);
            let fix = format!("call the package `{wanted}`");
            faults.push(package.fault(files, &package.name_line(), &what, &fix));
        }
        let places = [format!("ffi/{}", codec.library), format!("crates/{wanted}")];
        if !places.contains(&package.folder()) {
            let what =
                format!("the library `{}` is in the folder {}", codec.library, package.folder());
            let fix = format!("move it to {}, or to {} if it is pure Rust", places[0], places[1]);
            faults.push(package.fault(files, "library =", &what, &fix));
        }
    }
    faults
}

fn is_words(text: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty()
            && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    text.split('-').all(is_word)
}

/// One program for each operation, and one that answers questions.
pub(super) fn programs(metadata: &Metadata, files: &[File]) -> Vec<String> {
    let mut faults = Vec::new();
    for (package, codec) in codecs(metadata) {
        let start = codec.variant.replace('-', "_");
        let timed = OPERATIONS.iter().map(|operation| ("bench", format!("{start}_{operation}")));
        for (kind, name) in timed.chain([("test", start.clone())]) {
            let is_it = |target: &super::tree::Target| {
                target.name == name && target.kind.iter().any(|known| known == kind)
            };
            if !package.targets.iter().any(is_it) {
                let what = format!("the variant `{}` has no {kind} target `{name}`", codec.variant);
                let fix = format!(
                    "add `{{ name = \"{name}\", harness = false }}` to `{kind}`, and its file"
                );
                faults.push(package.fault(files, &format!("\"{}\"", codec.variant), &what, &fix));
            }
        }
    }
    faults
}

/// An adapter says which decisions were taken, and why they are fair.
pub(super) fn readmes(metadata: &Metadata, files: &[File]) -> Vec<String> {
    let lacks = |package: &&Package| {
        let readme = format!("{}/README.md", package.folder());
        package.is_adapter() && files.iter().all(|file| file.path != readme)
    };
    let packages = metadata.packages.iter().filter(lacks);
    packages
        .map(|package| {
            let what = format!("`{}` has no README.md", package.name);
            let fix = "say there what was decided for this library, and why that is fair to it";
            package.fault(files, &package.name_line(), &what, fix)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::tidy::{found_at, holds, tree::planted};

    const MANIFEST: &str = "ffi/a/Cargo.toml:1";

    fn registering(library: &str, variant: &str) -> Value {
        json!({ "codec": [{ "format": "f", "library": library, "variant": variant }] })
    }

    #[test]
    fn an_id_of_other_letters_is_found() {
        for variant in ["Tree", "tree_reused", "tree-", "-", "", "b\u{e4}um"] {
            let faults = names(&planted(json!({ "metadata": registering("a", variant) })), &[]);
            found_at(&faults, &[MANIFEST]);
        }
        holds(&names(&planted(json!({ "metadata": registering("a", "tree-2-reused") })), &[]));
    }

    #[test]
    fn a_folder_or_package_with_another_name_than_its_library_is_found() {
        found_at(&names(&planted(json!({ "name": "a" })), &[]), &[MANIFEST]);
        let elsewhere = planted(json!({ "manifest_path": "ffi/b/Cargo.toml" }));
        found_at(&names(&elsewhere, &[]), &["ffi/b/Cargo.toml:1"]);
        found_at(
            &names(&planted(json!({ "metadata": registering("b", "v") })), &[]),
            &[MANIFEST; 2],
        );
    }

    #[test]
    fn a_program_that_is_missing_or_of_the_wrong_kind_is_found() {
        let target = |name: &str, kind: &str| json!({ "name": name, "kind": [kind] });
        let mut targets = vec![target("v", "test"), target("v_parse", "bench")];
        targets.extend(["v_serialize", "v_stats", "v_read"].map(|name| target(name, "bench")));
        holds(&programs(&planted(json!({ "targets": targets })), &[]));
        targets[0] = target("v", "bench");
        targets.remove(1);
        found_at(&programs(&planted(json!({ "targets": targets })), &[]), &[MANIFEST; 2]);
    }

    #[test]
    fn an_adapter_without_readme_is_found() {
        let readme = File::new("ffi/a/README.md", b"");
        holds(&readmes(&planted(json!({})), &[readme]));
        found_at(&readmes(&planted(json!({})), &[]), &[MANIFEST]);
    }
}
