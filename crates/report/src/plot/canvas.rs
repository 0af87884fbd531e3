//! Canvas: bars, lines and letters, written as SVG.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use super::font::{Fonts, Style, Weight};

/// A rectangle, in points from the upper left corner of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

#[cfg(test)]
impl Area {
    pub(super) fn right(self) -> f64 {
        self.x + self.width
    }

    pub(super) fn bottom(self) -> f64 {
        self.y + self.height
    }
}

/// Which end of a text stands at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A text that was drawn, with the room that it takes; tests look for those that overlap.
#[cfg(test)]
#[derive(Clone, Debug)]
pub(super) struct Label {
    pub(super) text: String,
    pub(super) area: Area,
}

/// A picture under work. It grows in height, never in width.
pub(super) struct Canvas {
    pub(super) fonts: Fonts,
    pub(super) width: f64,
    /// What was written so far.
    #[cfg(test)]
    pub(super) labels: Vec<Label>,
    body: String,
    glyphs: BTreeMap<(Weight, u16), String>,
    hatchings: BTreeSet<String>,
}

impl Canvas {
    pub(super) fn new(fonts: Fonts, width: f64) -> Self {
        Canvas {
            fonts,
            width,
            #[cfg(test)]
            labels: Vec::new(),
            body: String::new(),
            glyphs: BTreeMap::new(),
            hatchings: BTreeSet::new(),
        }
    }

    /// A filled rectangle.
    pub(super) fn fill(&mut self, area: Area, colour: &str) {
        self.element(&format!("<rect {} fill=\"{colour}\"/>", place(area)));
    }

    /// A rectangle of slanted stripes, with a border.
    pub(super) fn hatch(&mut self, area: Area, colour: &str) {
        let name = hatching(colour);
        self.hatchings.insert(colour.to_owned());
        let inner = Area {
            x: area.x,
            y: area.y + 0.5,
            width: (area.width - 0.5).max(0.5),
            height: area.height - 1.0,
        };
        self.element(&format!(
            "<rect {} fill=\"url(#{name})\" stroke=\"{colour}\"/>",
            place(inner)
        ));
    }

    /// A straight line.
    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, width: f64) {
        let d = format!("M{} {}L{} {}", number(from.0), number(from.1), number(to.0), number(to.1));
        let width = number(width);
        self.element(&format!(
            "<path d=\"{d}\" stroke=\"{colour}\" stroke-width=\"{width}\" fill=\"none\"/>"
        ));
    }

    /// A line of text; `y` is that of its foot. Its width comes back.
    pub(super) fn text(&mut self, text: &str, at: (f64, f64), style: Style, anchor: Anchor) -> f64 {
        if text.is_empty() {
            return 0.0;
        }
        let width = self.fonts.width(text, style);
        let x = match anchor {
            Anchor::Start => at.0,
            Anchor::Middle => at.0 - width / 2.0,
            Anchor::End => at.0 - width,
        };
        let (glyphs, _) = self.fonts.glyphs(text, style.weight);
        let mut uses = String::new();
        for glyph in glyphs {
            let key = (style.weight, glyph.id.0);
            if !self.glyphs.contains_key(&key) {
                let Some(outline) = self.fonts.outline(glyph.id, style.weight) else { continue };
                self.glyphs.insert(key, outline);
            }
            let name = glyph_name(key);
            match glyph.x {
                0 => uses += &format!("<use href=\"#{name}\"/>"),
                x => uses += &format!("<use href=\"#{name}\" x=\"{x}\"/>"),
            }
        }
        let scale = format!("{:.7}", self.fonts.scale(style));
        self.element(&format!(
            "<g aria-label=\"{}\" fill=\"{}\" transform=\"translate({} {}) scale({scale} -{scale})\">{uses}</g>",
            escaped(text),
            style.colour,
            number(x),
            number(at.1)
        ));
        #[cfg(test)]
        self.labels.push(Label {
            text: text.to_owned(),
            // Rise and fall of the letters in use, as shares of the size.
            area: Area { x, y: at.1 - 0.76 * style.size, width, height: 0.96 * style.size },
        });
        width
    }

    /// A text in lines of at most this width; `y` is that of the first line's foot. The number of lines comes back.
    pub(super) fn paragraph(
        &mut self,
        text: &str,
        at: (f64, f64),
        style: Style,
        width: f64,
        step: f64,
    ) -> usize {
        let lines = self.fonts.wrap(text, style, width);
        for (place, line) in lines.iter().enumerate() {
            self.text(line, (at.0, at.1 + place as f64 * step), style, Anchor::Start);
        }
        lines.len()
    }

    /// The picture as SVG.
    pub(super) fn svg(&self, title: &str, height: f64) -> String {
        let (width, height) = (number(self.width), number(height.ceil()));
        let title = escaped(title);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{title}</title>\n<defs>\n"
        );
        for colour in &self.hatchings {
            let name = hatching(colour);
            // Writing to a string cannot fail.
            let _ = writeln!(
                svg,
                "<pattern id=\"{name}\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\"><rect width=\"5\" height=\"5\" fill=\"#fff\"/><path d=\"M-1 1L1 -1M0 5L5 0M4 6L6 4\" stroke=\"{colour}\" stroke-width=\"1.6\"/></pattern>"
            );
        }
        for (&key, outline) in &self.glyphs {
            let _ = writeln!(svg, "<path id=\"{}\" d=\"{outline}\"/>", glyph_name(key));
        }
        svg += "</defs>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
        svg + &self.body + "</svg>\n"
    }

    fn element(&mut self, element: &str) {
        self.body += element;
        self.body.push('\n');
    }
}

fn place(area: Area) -> String {
    let [x, y, width, height] = [area.x, area.y, area.width, area.height].map(number);
    format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"")
}

/// Hundredths of a point are finer than any screen.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".into() } else { short.into() }
}

fn hatching(colour: &str) -> String {
    let letters: String = colour.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("hatch-{letters}")
}

fn glyph_name((weight, id): (Weight, u16)) -> String {
    match weight {
        Weight::Regular => format!("r{id}"),
        Weight::Bold => format!("b{id}"),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
