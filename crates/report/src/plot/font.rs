//! Letters as paths, so that a picture needs no font of the system that shows it.

use anyhow::Context as _;
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// How thick letters are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    Regular,
    Bold,
}

/// Size, weight and colour of letters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Style {
    pub(super) size: f64,
    pub(super) weight: Weight,
    pub(super) colour: &'static str,
}

impl Style {
    pub(super) const fn regular(size: f64, colour: &'static str) -> Self {
        Style { size, weight: Weight::Regular, colour }
    }

    pub(super) const fn bold(size: f64, colour: &'static str) -> Self {
        Style { size, weight: Weight::Bold, colour }
    }
}

/// DejaVu Sans Condensed, whose digits are all of one width. It comes with the crate `dejavu`, under the free licence of Bitstream Vera.
pub(super) struct Fonts {
    regular: Face<'static>,
    bold: Face<'static>,
}

/// One letter in its place.
pub(super) struct Glyph {
    pub(super) id: GlyphId,
    /// From the start of the text, in units of the font.
    pub(super) x: u32,
}

impl Fonts {
    pub(super) fn load() -> anyhow::Result<Self> {
        let face = |bytes| Face::parse(bytes, 0).context("the font that is built in is broken");
        Ok(Fonts {
            regular: face(dejavu::sans_condensed::regular())?,
            bold: face(dejavu::sans_condensed::bold())?,
        })
    }

    fn face(&self, weight: Weight) -> &Face<'static> {
        match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        }
    }

    /// The letters of a text, and its width in units of the font.
    pub(super) fn glyphs(&self, text: &str, weight: Weight) -> (Vec<Glyph>, u32) {
        let face = self.face(weight);
        let mut x = 0;
        let place = |letter| {
            let id = face.glyph_index(letter).unwrap_or_default();
            let glyph = Glyph { id, x };
            x += u32::from(face.glyph_hor_advance(id).unwrap_or_default());
            glyph
        };
        (text.chars().map(place).collect(), x)
    }

    /// Points for each unit of the font.
    pub(super) fn scale(&self, style: Style) -> f64 {
        style.size / f64::from(self.face(style.weight).units_per_em())
    }

    /// Width of a text in points.
    pub(super) fn width(&self, text: &str, style: Style) -> f64 {
        f64::from(self.glyphs(text, style.weight).1) * self.scale(style)
    }

    /// The outline of a letter as the `d` of an SVG path, upwards; `None` for a space.
    pub(super) fn outline(&self, glyph: GlyphId, weight: Weight) -> Option<String> {
        let mut outline = Outline(String::new());
        self.face(weight).outline_glyph(glyph, &mut outline)?;
        Some(outline.0)
    }

    /// The lines of a text that is at most so wide.
    ///
    /// It is broken behind a space, `/`, `-` or `_`, and within a word only if the word alone is too wide.
    pub(super) fn wrap(&self, text: &str, style: Style, width: f64) -> Vec<String> {
        let fits = |line: &str| self.width(line.trim_end(), style) <= width;
        let mut lines = vec![String::new()];
        let mut add = |part: &str| match lines.last_mut() {
            Some(line) if line.is_empty() || fits(&format!("{line}{part}")) => line.push_str(part),
            _ => lines.push(part.to_owned()),
        };
        for part in text.split_inclusive([' ', '/', '-', '_']) {
            if fits(part) {
                add(part);
            } else {
                part.chars().for_each(|letter| add(letter.encode_utf8(&mut [0; 4])));
            }
        }
        lines.into_iter().map(|line| line.trim_end().to_owned()).collect()
    }
}

struct Outline(String);

impl Outline {
    fn add(&mut self, command: char, numbers: &[f32]) {
        self.0.push(command);
        for (place, number) in numbers.iter().enumerate() {
            if place > 0 {
                self.0.push(' ');
            }
            self.0 += &number.to_string();
        }
    }
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.add('M', &[x, y]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.add('L', &[x, y]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.add('Q', &[x1, y1, x, y]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.add('C', &[x1, y1, x2, y2, x, y]);
    }

    fn close(&mut self) {
        self.0.push('Z');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STYLE: Style = Style::regular(12.0, "#000");

    #[test]
    fn wrapping_loses_no_letter_and_keeps_to_the_width() {
        let fonts = Fonts::load().unwrap();
        let text = "msgpack/some-library/a-variant_of_it averyveryverylongwordwithoutanybreak";
        for width in [20.0, 60.0, 100.0, 1000.0] {
            let lines = fonts.wrap(text, STYLE, width);
            assert!(lines.iter().all(|line| fonts.width(line, STYLE) <= width), "{lines:?}");
            assert_eq!(lines.concat().replace(' ', ""), text.replace(' ', ""));
        }
    }

    #[test]
    fn every_sign_that_pictures_use_is_in_the_font() {
        let fonts = Fonts::load().unwrap();
        for letter in "aZ09 ·×µ–−≥≤…%/@_⁰¹²³⁴⁵⁶⁷⁸⁹".chars() {
            for weight in [Weight::Regular, Weight::Bold] {
                assert!(fonts.face(weight).glyph_index(letter).is_some(), "{letter}");
            }
        }
    }
}
