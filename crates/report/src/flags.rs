//! The command line of the program.

use std::path::PathBuf;

xflags::xflags! {
    /// Draws the record of a run.
    cmd report {
        /// Draws pictures.
        cmd plot {
            /// Folder of the record.
            required --record FOLDER: PathBuf
            /// Folder for the pictures.
            required --out FOLDER: PathBuf
        }
        /// Writes one HTML file that holds everything.
        cmd html {
            /// Folder of the record.
            required --record FOLDER: PathBuf
            /// The file.
            required --out FILE: PathBuf
            /// The chart library, which becomes part of it.
            required --echarts FILE: PathBuf
        }
    }
}
