//! The main function of every program that links a library under test.
//!
//! A codec has five programs: four that each time one operation and one that answers questions.
//! Each is built for one codec and holds only what it needs.

mod answers;
mod borrow_probe;
mod canary;
mod check;
mod counters;
mod measure;
mod messages;
mod nothing;
mod probes;
mod process;
mod sampling;
mod saved;
mod self_test;
mod turns;
mod warm_up;

pub mod operations;

pub use answers::main as answer;
pub use canary::main as canary;
pub use measure::main as bench;
pub use nothing::Nothing;
pub use self_test::{SelfTest, control, msgpack};

/// The main function of a program that times one operation of one codec.
///
/// The program takes the path of a job and writes one measurement per dataset, each a line of JSON.
#[macro_export]
macro_rules! bench_main {
    ($codec:ty, parse) => {
        $crate::bench_main!(=> $crate::operations::Parse<$codec>);
    };
    ($codec:ty, serialize) => {
        $crate::bench_main!(=> $crate::operations::Serialize<$codec>);
    };
    ($codec:ty, stats) => {
        $crate::bench_main!(=> $crate::operations::Stats<$codec>);
    };
    ($codec:ty, read) => {
        $crate::bench_main!(=> $crate::operations::Read<$codec>);
    };
    (=> $timed:ty) => {
        fn main() -> ::std::process::ExitCode {
            $crate::bench::<$timed>()
        }
    };
}

/// The main function of a program that answers questions about one codec, and tests itself under `cargo test`.
///
/// The second argument is the format, `msgpack` if it is left out.
#[macro_export]
macro_rules! answer_main {
    ($codec:ty) => {
        $crate::answer_main!($codec, msgpack);
    };
    ($codec:ty, $format:ident) => {
        fn main() -> ::std::process::ExitCode {
            $crate::answer::<$codec>($crate::$format::<$codec>())
        }
    };
}
