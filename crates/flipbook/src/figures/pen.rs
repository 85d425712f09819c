//! A short notation for flat drawings, so that a character is a few lines of data. It becomes SVG here.
//!
//! One shape a line (or between semicolons), numbers in units of the drawing, y downwards:
//!
//! | shape | fields | |
//! |---|---|---|
//! | `o` | `cx cy rx ry colour` | ellipse |
//! | `r` | `x y width height radius colour` | box with round corners |
//! | `p` | `colour path` | filled path |
//! | `l` | `colour width path` | line with round ends |
//!
//! A colour is a letter of the figure's [`Palette`] or `#rrggbb`.

use std::fmt::Write as _;

/// What the letters of a drawing stand for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Palette(Vec<(char, u32)>);

impl Palette {
    pub fn of(colours: &[(char, u32)]) -> Self {
        Self(colours.to_vec())
    }

    /// `None` for a letter that has no colour.
    pub fn get(&self, letter: char) -> Option<u32> {
        self.0.iter().find(|(known, _)| *known == letter).map(|(_, colour)| *colour)
    }

    pub fn set(&mut self, letter: char, colour: u32) {
        match self.0.iter_mut().find(|(known, _)| *known == letter) {
            Some(entry) => entry.1 = colour,
            None => self.0.push((letter, colour)),
        }
    }

    /// Every colour that is in `from` becomes the one at its place in `to`.
    pub fn exchange(&mut self, from: &[u32], to: &[u32]) {
        for (_, colour) in &mut self.0 {
            if let Some(new) = from.iter().zip(to).find(|(old, _)| *old == colour).map(|(_, new)| *new) {
                *colour = new;
            }
        }
    }

    /// Fills in what [`draw`] left open. Letters without a colour become black.
    pub fn paint(&self, svg: &str) -> String {
        let mut out = String::with_capacity(svg.len() * 5 / 4);
        let mut rest = svg;
        while let Some(at) = rest.find('@') {
            out.push_str(rest.get(..at).unwrap_or_default());
            let mut letters = rest.get(at + 1..).unwrap_or_default().chars();
            let letter = letters.next().unwrap_or('K');
            let _ = write!(out, "#{:06x}", self.get(letter).unwrap_or(0));
            rest = letters.as_str();
        }
        out.push_str(rest);
        out
    }
}

/// SVG elements whose palette colours are still letters (`@M`). Lines that cannot be read are left out.
pub fn draw(script: &str) -> String {
    script.split([';', '\n']).filter_map(|line| shape(line.trim())).collect()
}

/// `svg` with its origin moved to `at` and stretched.
pub fn placed(svg: &str, at: [f32; 2], stretch: [f32; 2]) -> String {
    format!("<g transform=\"matrix({:.3} 0 0 {:.3} {:.3} {:.3})\">{svg}</g>", stretch[0], stretch[1], at[0], at[1])
}

fn shape(line: &str) -> Option<String> {
    let (mark, rest) = line.split_once(' ')?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    match (mark, words.as_slice()) {
        ("o", [cx, cy, rx, ry, colour]) => {
            Some(format!("<ellipse cx=\"{cx}\" cy=\"{cy}\" rx=\"{rx}\" ry=\"{ry}\" fill=\"{}\"/>", tint(colour)))
        }
        ("r", [x, y, width, height, radius, colour]) => {
            Some(format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{radius}\" fill=\"{}\"/>", tint(colour)))
        }
        ("p", [colour, path @ ..]) => Some(format!("<path d=\"{}\" fill=\"{}\"/>", path.join(" "), tint(colour))),
        ("l", [colour, width, path @ ..]) => Some(format!(
            "<path d=\"{}\" stroke=\"{}\" stroke-width=\"{width}\" fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\"/>",
            path.join(" "),
            tint(colour)
        )),
        _ => None,
    }
}

fn tint(colour: &str) -> String {
    if colour.starts_with('#') { colour.to_owned() } else { format!("@{colour}") }
}

/// Nearer to black below 1, to white above: 0.8 is the second tone of a flat drawing.
pub fn shade(colour: u32, by: f32) -> u32 {
    let channel = |shift: u32| {
        let value = (colour >> shift & 255) as f32;
        let moved = if by <= 1.0 { value * by } else { value + (255.0 - value) * (by - 1.0) };
        (moved.clamp(0.0, 255.0) as u32) << shift
    };
    channel(16) | channel(8) | channel(0)
}

/// `share` of the way from one colour to another.
pub fn blend(from: u32, to: u32, share: f32) -> u32 {
    let channel = |shift: u32| {
        let (a, b) = ((from >> shift & 255) as f32, (to >> shift & 255) as f32);
        ((a + (b - a) * share).clamp(0.0, 255.0) as u32) << shift
    };
    channel(16) | channel(8) | channel(0)
}

/// Whether `colour` is a darker or a lighter tone of `main`, as stripes on a coat often are: it goes along when the coat
/// gets another colour.
pub fn related(colour: u32, main: u32) -> bool {
    [16, 8, 0].into_iter().all(|shift| {
        let ratio = (colour >> shift & 255) as f32 / (main >> shift & 255).max(1) as f32;
        (0.5..1.1).contains(&ratio)
    })
}
