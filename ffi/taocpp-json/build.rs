//! Compiles the bridge and the shim, and finds out the release; the library is headers only.

use std::{fs, path::Path};

fn main() {
    let mut json = ffi_build::Library::find("taocpp-json");
    let root = json.folder_with("CMakeLists.txt");
    let headers = json.folder_with("tao/json.hpp");
    json.include(headers).include(root.join("external/PEGTL/include"));
    match release(&root) {
        Some(release) => println!("cargo::rustc-env=TAOCPP_JSON_RELEASE={release}"),
        None => println!("cargo::error=no version in {}/CMakeLists.txt", root.display()),
    }
    json.compile_cxx("src/ffi.rs", &["src/shim.cc"]);
    json.native();
}

/// The release that the carrier names, else the version that the library gives itself.
///
/// No header holds a version, and until the first release comes out all of them call themselves 1.0.0.
fn release(root: &Path) -> Option<String> {
    let read = |file: &str| fs::read_to_string(root.join(file));
    let word = match read("carrier/ThirdPartyDependencies.cmake") {
        Ok(carrier) => {
            carrier.split_once("\"taocpp/json\"")?.0.rsplit_once("GIT_TAG")?.1.to_owned()
        }
        Err(_) => read("CMakeLists.txt").ok()?.split_once("(taocpp-json VERSION ")?.1.to_owned(),
    };
    word.split_whitespace().next().map(str::to_owned)
}
