//! Draws a run: pictures, one HTML file, and the results in the README. Started by `cargo xtask plot` and `cargo xtask report`.

mod flags;
mod html;
mod palette;
mod plot;
mod record;

use flags::{Report, ReportCmd};
use record::Record;

fn main() -> anyhow::Result<()> {
    match Report::from_env_or_exit().subcommand {
        ReportCmd::Html(flags) => {
            html::write(&Record::read(&flags.record)?, &flags.echarts, &flags.out)?;
        }
        ReportCmd::Plot(flags) => {
            for file in plot::draw(&Record::read(&flags.record)?, &flags.out)? {
                println!("{}", file.display());
            }
        }
    }
    Ok(())
}
