//! Compiles MPack and the shim, and asks bindgen for their declarations.

fn main() {
    let mut mpack = ffi_build::Library::find("mpack");
    let folder = mpack.folder_with("mpack.h");
    mpack.include(&folder).sources_in(&folder).define("MPACK_EXTENSIONS", "1");
    mpack.bindings(
        "src/shim.h",
        "shim_.*|mpack_ok|mpack_error_(t|to_string)|mpack_tree_(init_data|init_pool|parse|error|size|destroy)",
    );
    mpack.compile_c(&["src/shim.c"]);
    mpack.native();
}
