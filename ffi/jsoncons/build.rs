//! Compiles the bridge and the shim; the library is headers only.

fn main() {
    let mut jsoncons = ffi_build::Library::find("jsoncons");
    let folder = jsoncons.folder_with("jsoncons_ext/msgpack/msgpack.hpp");
    jsoncons.include(folder);
    jsoncons.compile_cxx("src/ffi.rs", &["src/shim.cc"]);
    jsoncons.native();
}
