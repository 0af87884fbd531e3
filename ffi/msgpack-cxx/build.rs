//! Compiles the shim and the bridge; msgpack-cxx is headers only.

fn main() {
    let mut msgpack = ffi_build::Library::find("msgpack-cxx");
    let folder = msgpack.folder_with("msgpack.hpp");
    msgpack.include(folder).define("MSGPACK_NO_BOOST", "1");
    msgpack.compile_cxx("src/ffi.rs", &["src/shim.cc"]);
    msgpack.native();
}
