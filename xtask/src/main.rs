//! From the command line to commands.

mod adapters;
mod ask;
mod bench;
mod check;
mod check_machine;
mod ci;
mod compare;
mod compile;
mod conformance;
mod filter;
mod flags;
mod identity;
mod inspect;
mod interrupt;
mod measure;
mod native;
mod plan;
mod plot;
mod prepare;
mod progress;
mod readme;
mod report;
mod runs;
mod sources;
mod spawn;
mod store;
mod summary;
mod table;
#[cfg(test)]
mod tidy;
mod usage;
mod vendor;

use std::{
    io::{self, Write as _},
    path::Path,
    process::ExitCode,
};

use flags::XtaskCmd;
use usage::{End, Out, Stopped, Usage};

fn main() -> ExitCode {
    let flags = match flags::Xtask::from_env() {
        Ok(flags) => flags,
        Err(help) if help.is_help() => help.exit(),
        Err(error) => {
            eprintln!("error: {error}\n  fix: `cargo xtask --help` shows every command and flag");
            return 2.into();
        }
    };
    match run(flags) {
        Ok(end) => end.code().into(),
        Err(error) => {
            eprintln!("error: {}", usage::told(&error));
            match () {
                () if error.is::<Usage>() => 2.into(),
                () if error.is::<Stopped>() => End::Interrupted.code().into(),
                () => 1.into(),
            }
        }
    }
}

fn run(flags: flags::Xtask) -> anyhow::Result<End> {
    vendor::toolchain::check_platform(std::env::consts::OS)?;
    interrupt::listen()?;
    let root = root();
    let mut out = Out(io::stdout().lock());
    let end = match flags.subcommand {
        XtaskCmd::Bench(flags) => bench::run(root, &flags, &mut out),
        XtaskCmd::Compare(flags) => compare::run(root, &flags, &mut out),
        XtaskCmd::Plot(flags) => {
            let reference = flags.splice_readme.then_some(readme::RECORD);
            let run = reference.or(flags.run.as_deref());
            let end = plot::run(root, run, flags.out.as_deref(), &mut out);
            match end {
                Ok(End::Good) if flags.splice_readme => readme::splice(root).map(|()| End::Good),
                end => end,
            }
        }
        XtaskCmd::Report(flags) => report::run(root, &flags, &mut out),
        XtaskCmd::Check(flags) => check::run(root, &flags, &mut out),
        XtaskCmd::Conformance(flags) => crate::conformance::run(root, &flags, &mut out),
        XtaskCmd::Native(flags) => native::run(root, &flags, &mut out),
        XtaskCmd::Vendor(flags) => {
            let sources = prepare::all_sources(root)?;
            vendor::run(root, &sources, &flags.name, &mut out).map(End::good_if)
        }
        XtaskCmd::CheckMachine(flags) => check_machine::run(&flags, &mut out),
        XtaskCmd::Ci(_) => ci::run(root, &mut out),
        XtaskCmd::Inspect(flags) => {
            inspect::run(flags.message.as_deref().unwrap_or("-"), &mut out).map(End::good_if)
        }
    };
    match end.and_then(|end| out.flush().map(|()| end).map_err(Into::into)) {
        // Who reads only the first lines wants no complaint.
        Err(error) if is_broken_pipe(&error) => Ok(End::Good),
        end => end,
    }
}

/// The root of the repository.
fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
