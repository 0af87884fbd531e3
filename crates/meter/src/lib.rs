//! Counts the memory that a program asks for; preloaded into conformance programs only, never into one that is timed.
//!
//! The driver names a file in `PACKBENCH_METER`; it holds two numbers of 64 bits in the byte order of the machine, in bytes.
//! The first is what is allocated now, the second the most that was allocated or asked for since the driver last set it.
//! A file outlives a crash, so the driver learns what a program asked for before it died.

mod ffi;
