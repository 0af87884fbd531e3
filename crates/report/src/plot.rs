//! Pictures of a run: SVG, PNG and CSV of each.

mod bars;
mod canvas;
mod conditions;
mod conformance;
mod content;
mod font;
mod grid;
mod look;
mod number;
mod page;
mod performance;
mod sizes;
mod table;
#[cfg(test)]
mod tests;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use protocol::job::Operation;
use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::{Options, Tree},
};

use crate::record::Record;
use page::Page;

/// Dots of a PNG for each point of a picture.
const DOTS: f32 = 2.0;

/// Draws all pictures of a record into a folder, and says which files it wrote.
///
/// Pictures of earlier records that this one has nothing for are removed: one folder shows one record.
///
/// # Errors
///
/// A folder that cannot be written.
pub(crate) fn draw(record: &Record, out: &Path) -> anyhow::Result<Vec<PathBuf>> {
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    let pages = pages(record);
    for operation in Operation::ALL {
        let name = performance::name(operation);
        if !pages.iter().any(|page| page.name == name) {
            remove(out, &name)?;
        }
    }
    let mut written = Vec::new();
    for page in &pages {
        let (canvas, height) = page::draw(page)?;
        let svg = canvas.svg(&page.title, height);
        let contents = [
            ("png", png(&svg).with_context(|| format!("cannot draw {}", page.name))?),
            ("svg", svg.into_bytes()),
            ("csv", table::csv(page)?.into_bytes()),
        ];
        for (extension, content) in contents {
            let file = out.join(format!("{}.{extension}", page.name));
            fs::write(&file, content)
                .with_context(|| format!("cannot write {}", file.display()))?;
            written.push(file);
        }
    }
    Ok(written)
}

/// What the record has pictures for.
fn pages(record: &Record) -> Vec<Page> {
    let operations = record.stored.run.operations.iter();
    let mut pages: Vec<Page> =
        operations.map(|&operation| performance::page(record, operation)).collect();
    pages.extend([conformance::page(record), sizes::page(record)]);
    pages
}

/// The dots of a picture, from its SVG, so that both are the same.
fn png(svg: &str) -> anyhow::Result<Vec<u8>> {
    let tree = Tree::from_str(svg, &Options::default())?;
    let size = tree.size();
    let [width, height] = [size.width(), size.height()].map(|side| (side * DOTS) as u32);
    let mut dots = Pixmap::new(width, height).context("the picture is too large")?;
    resvg::render(&tree, Transform::from_scale(DOTS, DOTS), &mut dots.as_mut());
    dots.encode_png().context("cannot write a PNG")
}

fn remove(out: &Path, name: &str) -> anyhow::Result<()> {
    for extension in ["png", "svg", "csv"] {
        let file = out.join(format!("{name}.{extension}"));
        if file.is_file() {
            fs::remove_file(&file).with_context(|| format!("cannot remove {}", file.display()))?;
        }
    }
    Ok(())
}
