//! Programs in the library's own language, to compare with.

use std::path::Path;

use crate::{Language, Library, out_dir, root, stop, variable_of_build, watch};

impl Library {
    /// Compiles the adapter's `native.c` or `native.cc` into the program `native` in the output folder, if `PACKBENCH_NATIVE` is `1`.
    ///
    /// The program uses the library directly, with the same compiler, flags and source, and shows what the way through Rust costs.
    /// It finds `native.h` and `native_cxx.h`, which lie in the workspace's folder `ffi`, wherever the adapter lies.
    pub fn native(&self) {
        let wanted = variable_of_build("PACKBENCH_NATIVE").is_some_and(|value| value == "1");
        for (file, language) in [("native.c", Language::C), ("native.cc", Language::Cxx)] {
            let file = Path::new(file);
            watch(file);
            if wanted && file.is_file() {
                self.compile_native(file, language);
            }
        }
    }

    fn compile_native(&self, file: &Path, language: Language) {
        let shared = root().join("ffi");
        watch(&shared.join("native.h"));
        watch(&shared.join("native_cxx.h"));
        let compiler = self.configured(cc::Build::new(), language).get_compiler();
        let mut command = compiler.to_command();
        command.arg("-w").arg("-I").arg(shared).arg(file).args(&self.sources);
        command.arg("-o").arg(out_dir().join("native"));
        if language == Language::Cxx && !cfg!(target_vendor = "apple") {
            command.arg("-static-libstdc++");
        }
        match command.status() {
            Err(error) => stop(&format!("cannot start `{}`: {error}", compiler.path().display())),
            Ok(status) if status.success() => {}
            // What the compiler said stands in the output of the script, which cargo prints now.
            Ok(_) => std::process::exit(1),
        }
    }
}
