//! Compiles the bridge and the shim; the library is headers only.

fn main() {
    let mut json = ffi_build::Library::find("nlohmann-json");
    let folder = json.folder_with("nlohmann/json.hpp");
    json.include(folder);
    json.compile_cxx("src/ffi.rs", &["src/shim.cc"]);
    json.native();
}
