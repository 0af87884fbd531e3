//! The whole command line.

use std::path::PathBuf;

use protocol::job::Operation;

use crate::table::Format;

xflags::xflags! {
    /// Measures and judges codecs.
    cmd xtask {
        /// Measures codecs: fetches, builds, checks their output, then times them.
        cmd bench {
            /// Only these codecs: a whole id, a prefix that ends at a `/`, or a library's name. May be repeated, as all filters.
            repeated --codec FILTER: String
            /// Only these datasets.
            repeated --dataset FILTER: String
            /// Only these operations: parse, serialize, stats, read.
            repeated --operation OPERATION: Operation
            /// Measure this file (MessagePack or JSON) instead of our datasets. May be repeated.
            repeated --input FILE: PathBuf
            /// Measure an adapter that lies in this folder too. May be repeated.
            repeated --adapter FOLDER: PathBuf
            /// Compile a library from this folder of yours, as LIBRARY=FOLDER. May be repeated.
            repeated --source LIBRARY_FOLDER: String
            /// Stop if any library cannot be had or built.
            optional --require-all
            /// Say what would be measured, and stop.
            optional --list
            /// Print the command of one process, for a profiler or debugger, and stop.
            optional --show-command
            /// One round of short samples: a look, no evidence.
            optional --quick
            /// 15 rounds of longer samples, each program linked in 3 layouts, and the conformance suite into the same record.
            optional --publish
            /// As many whole rounds as fit into so many minutes.
            optional --minutes N: u32
            /// Rounds (default: as many as the verdicts of the table need, and more where few codecs make them cheap).
            optional --rounds N: u32
            /// Run this codec's program twice per round, under two names (default: the first codec's).
            optional --aa CODEC: String
            /// Compare all others with this codec, and end with 1 if one is slower beyond the margin.
            optional --against CODEC: String
            /// Compare with a build from this other source, as LIBRARY=FOLDER or LIBRARY=pinned, and end with 1 if ours is slower. May be repeated.
            repeated --against-source LIBRARY_FOLDER: String
            /// Let the processes of a round take turns sample by sample: the finest resolution on a noisy machine.
            optional --lock-step
            /// Link each program in so many layouts, and use another one in each round.
            optional --relink N: u32
            /// The CPU to measure on (default: the quietest that is not CPU 0).
            optional --cpu N: usize
            /// Seed of the order (default: from the clock).
            optional --seed N: u64
            /// Longest time for one process, in seconds (default: 120).
            optional --time-limit SECONDS: u64
            /// Measure also where the machine is known to be bad for it.
            optional --allow-noisy
            /// Finish this run: a folder, or its name in `results/`.
            optional --resume RUN: String
            /// Folder for records (default: `results`).
            optional --results FOLDER: PathBuf
            /// text, markdown, csv or json.
            optional --format FORMAT: Format
        }
        /// Compares two runs, or two codecs of one run.
        cmd compare {
            /// A run (a folder, or its name in `results/`), or a codec.
            required a: String
            /// The other run or codec; it is compared with the first, which stands for 1.
            required b: String
            /// The run that holds the two codecs (default: the latest one that is complete).
            optional --run RUN: String
            /// Compare runs although machine, compiler or flags differ.
            optional --allow-different
            /// Only these codecs.
            repeated --codec FILTER: String
            /// Folder of the records (default: `results`).
            optional --results FOLDER: PathBuf
            /// text, markdown, csv or json.
            optional --format FORMAT: Format
        }
        /// Draws a run: a picture for each operation, for conformance and for sizes, as SVG, PNG and CSV.
        cmd plot {
            /// The run: a folder, or its name in `results/` (default: the latest that is complete and not quick).
            optional run: String
            /// Folder for the pictures (default: `plots`).
            optional --out FOLDER: PathBuf
            /// Draw the reference record, and put its results between the markers of the README.
            optional --splice-readme
        }
        /// Writes a run as one HTML file that needs nothing else.
        cmd report {
            /// The run: a folder, or its name in `results/` (default: the latest that is complete and not quick).
            optional run: String
            /// The file (default: `target/report/RUN.html`).
            optional --out FILE: PathBuf
        }
        /// Has the oracle judge what codecs read and write, without timing anything.
        cmd check {
            /// Only these codecs.
            repeated --codec FILTER: String
            /// Only these datasets.
            repeated --dataset FILTER: String
            /// Check with this file (MessagePack or JSON) instead of our datasets.
            repeated --input FILE: PathBuf
            /// Check an adapter that lies in this folder too.
            repeated --adapter FOLDER: PathBuf
            /// Compile a library from this folder of yours, as LIBRARY=FOLDER.
            repeated --source LIBRARY_FOLDER: String
            /// Stop if any library cannot be had or built.
            optional --require-all
            /// text, markdown, csv or json.
            optional --format FORMAT: Format
        }
        /// Puts every conformance case to codecs, and judges the answers.
        cmd conformance {
            /// Only these codecs.
            repeated --codec FILTER: String
            /// Only these cases: a whole id, a file's name, or a name. May be repeated.
            repeated --case FILTER: String
            /// Ask an adapter that lies in this folder too.
            repeated --adapter FOLDER: PathBuf
            /// Compile a library from this folder of yours, as LIBRARY=FOLDER.
            repeated --source LIBRARY_FOLDER: String
            /// Stop if any library cannot be had or built.
            optional --require-all
            /// Print each selected case byte by byte, with what was expected and what came, and the command for a debugger.
            optional --explain
            /// The same for a message of yours: a file, or hexadecimal digits.
            optional --message MESSAGE: String
            /// Make messages at random for so many seconds per codec, and compare with the oracle.
            optional --fuzz SECONDS: u64
            /// Stop after so many random messages, however much time is left.
            optional --messages N: u64
            /// Seed of the random messages (default: from the clock).
            optional --seed N: u64
            /// Folder for records (default: `results`).
            optional --results FOLDER: PathBuf
            /// Write into the folder of this run instead of a new one.
            optional --into RUN: PathBuf
            /// text, markdown, csv or json.
            optional --format FORMAT: Format
        }
        /// Compares codecs with programs written directly in their library's language.
        cmd native {
            /// Only these codecs.
            repeated --codec FILTER: String
            /// Only these datasets.
            repeated --dataset FILTER: String
            /// Only these operations: parse, serialize, stats, read.
            repeated --operation OPERATION: Operation
            /// Compare with this file (MessagePack or JSON) instead of our datasets.
            repeated --input FILE: PathBuf
            /// Compile a library from this folder of yours, as LIBRARY=FOLDER.
            repeated --source LIBRARY_FOLDER: String
            /// Pairs of processes (default: 30).
            optional --rounds N: u32
            /// The CPU to measure on (default: the quietest that is not CPU 0).
            optional --cpu N: usize
            /// text, markdown, csv or json.
            optional --format FORMAT: Format
        }
        /// Fetches the sources of libraries and data; those that are named are replaced if they were edited.
        cmd vendor {
            /// Libraries, or other names under `vendor/fetched`.
            repeated name: String
        }
        /// Says what is good, bad and unknown about this machine for measuring.
        cmd check-machine {
            /// The CPU to measure on (default: the quietest that is not CPU 0).
            optional --cpu N: usize
            /// text, markdown, csv or json.
            optional --format FORMAT: Format
        }
        /// Prints a message byte by byte.
        cmd inspect {
            /// A file, or hexadecimal digits; without it standard input is read.
            optional message: String
        }
        /// Everything that must hold, in order.
        cmd ci {}
    }
}
