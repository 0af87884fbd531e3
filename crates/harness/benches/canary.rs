//! Times a fixed amount of work, to see whether the machine is as it was.

fn main() -> std::process::ExitCode {
    harness::canary()
}
