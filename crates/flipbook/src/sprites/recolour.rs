//! A drawing in another colour: the family of its main colour moves to the asked hue, which leaves eyes, wheels, windows
//! and the order of lightness as they were.

use std::ops::Range;

use crate::codes::{Colour, Kind};
use crate::sprites::{Sprite, raster};

/// Pixels of a side at which a drawing's ink is counted by colour.
const SIDE: usize = 48;
/// How far hues of one family lie apart at most, in turns.
const FAMILY: f32 = 0.13;

/// The colour that a word means: red, green, blue in 0 to 1.
pub fn asked(colour: Colour) -> [f32; 3] {
    match colour {
        Colour::Red => [0.99, 0.19, 0.18],
        Colour::Orange => [1.0, 0.51, 0.18],
        Colour::Yellow => [0.99, 0.82, 0.16],
        Colour::Green => [0.15, 0.72, 0.3],
        Colour::Cyan => [0.2, 0.83, 0.87],
        Colour::Blue => [0.13, 0.45, 0.95],
        Colour::Purple => [0.52, 0.3, 0.85],
        Colour::Pink => [1.0, 0.43, 0.72],
        Colour::White => [0.97, 0.97, 0.98],
        Colour::Black => [0.16, 0.16, 0.2],
        Colour::Brown => [0.55, 0.34, 0.2],
        Colour::Gold => [1.0, 0.75, 0.15],
        Colour::Silver => [0.78, 0.8, 0.85],
        Colour::Grey => [0.6, 0.62, 0.66],
    }
}

/// The body of `sprite` with its main colours moved to `colour`.
pub fn recolour(sprite: &Sprite, colour: Colour) -> String {
    let places = colours(sprite.body());
    let inks = inks(sprite, &places);
    let family = Family::main(&inks, sprite.kind);
    let target = Hsv::of(asked(colour));
    let mut recoloured = String::with_capacity(sprite.body().len());
    let mut done = 0;
    for (place, rgb) in places {
        recoloured.push_str(&sprite.body()[done..place.start]);
        done = place.end;
        let hsv = Hsv::of_bytes(rgb);
        let [red, green, blue] = if family.holds(hsv) { family.moved(hsv, target) } else { rgb };
        recoloured.push_str(&format!("#{red:02x}{green:02x}{blue:02x}"));
    }
    recoloured.push_str(&sprite.body()[done..]);
    recoloured
}

/// Hue in turns, saturation and value in 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Hsv {
    hue: f32,
    saturation: f32,
    value: f32,
}

impl Hsv {
    fn of([red, green, blue]: [f32; 3]) -> Self {
        let (value, least) = (red.max(green).max(blue), red.min(green).min(blue));
        let spread = value - least;
        let hue = if spread <= 0.0 {
            0.0
        } else if red == value {
            (green - blue) / spread
        } else if green == value {
            2.0 + (blue - red) / spread
        } else {
            4.0 + (red - green) / spread
        };
        Self { hue: (hue / 6.0).rem_euclid(1.0), saturation: if value > 0.0 { spread / value } else { 0.0 }, value }
    }

    fn of_bytes(rgb: [u8; 3]) -> Self {
        Self::of(rgb.map(|value| f32::from(value) / 255.0))
    }

    fn rgb(self) -> [u8; 3] {
        // Source: Smith 1978, "Color gamut transform pairs", written as one formula for the three channels.
        [5.0, 3.0, 1.0].map(|channel| {
            let along = (channel + self.hue * 6.0).rem_euclid(6.0);
            let dip = along.min(4.0 - along).clamp(0.0, 1.0);
            ((self.value - self.value * self.saturation * dip) * 255.0) as u8
        })
    }

    fn vivid(self) -> bool {
        self.saturation > 0.35 && self.value > 0.3
    }

    fn dark(self) -> bool {
        !self.vivid() && self.value < 0.3
    }

    fn grey(self) -> bool {
        !self.vivid() && self.value >= 0.3
    }

    /// How much a colour counts for its ink. Leaves count less: a red rose is red where it blooms.
    fn attention(self, kind: Kind) -> f32 {
        let leaf = kind == Kind::Plant && (0.2..0.5).contains(&self.hue);
        (0.25 + self.saturation * self.value) * if leaf { 0.3 } else { 1.0 }
    }

    fn hue_apart(self, other: Self) -> f32 {
        let apart = (self.hue - other.hue).abs();
        apart.min(1.0 - apart)
    }
}

/// Which colours of a drawing move, and the one with most ink among them.
#[derive(Clone, Copy, Debug)]
enum Family {
    /// Those of about this hue.
    Hue(Hsv),
    /// What is grey or white.
    Greys(Hsv),
    /// What is dark.
    Darks(Hsv),
}

impl Family {
    /// A hue, unless it is a small part beside what is grey or dark; among hues the one with most ink, where bright
    /// colours count more.
    fn main(inks: &[Ink], kind: Kind) -> Self {
        let score = |ink: &Ink| -> f32 {
            let relatives = inks.iter().filter(|other| Self::Hue(ink.hsv).holds(other.hsv));
            relatives.map(|other| other.pixels * other.hsv.attention(kind)).sum()
        };
        let vivid = inks.iter().filter(|ink| ink.hsv.vivid());
        let hue = vivid.max_by(|a, b| score(a).total_cmp(&score(b))).and_then(|ink| most(inks, |hsv| Self::Hue(ink.hsv).holds(hsv)));
        let sum = |keep: &dyn Fn(Hsv) -> bool| -> f32 { inks.iter().filter(|ink| keep(ink.hsv)).map(|ink| ink.pixels).sum() };
        let (greys, darks) = (sum(&Hsv::grey), sum(&Hsv::dark));
        let hues = hue.map_or(0.0, |main| sum(&|hsv| Self::Hue(main).holds(hsv)));
        match (hue, most(inks, Hsv::grey), most(inks, Hsv::dark)) {
            (Some(main), _, _) if hues * 4.0 >= greys && hues * 4.0 >= darks => Self::Hue(main),
            (_, Some(main), _) if greys * 4.0 >= darks => Self::Greys(main),
            (_, _, Some(main)) => Self::Darks(main),
            (Some(main), _, None) => Self::Hue(main),
            (None, _, None) => Self::Greys(Hsv { hue: 0.0, saturation: 0.0, value: 0.8 }),
        }
    }

    fn holds(self, hsv: Hsv) -> bool {
        match self {
            Self::Hue(main) => hsv.saturation >= 0.2 && hsv.value >= 0.2 && hsv.hue_apart(main) <= FAMILY,
            Self::Greys(_) => hsv.value >= 0.3 && hsv.saturation < 0.45,
            Self::Darks(_) => hsv.value < 0.45,
        }
    }

    /// The main colour becomes the target, what is paler or darker stays so.
    fn moved(self, hsv: Hsv, target: Hsv) -> [u8; 3] {
        let (main, least) = match self {
            Self::Hue(main) | Self::Greys(main) => (main, 0.3),
            Self::Darks(main) => (main, 0.1),
        };
        let value = target.value * (0.45 + 0.55 * hsv.value / main.value.max(least)).min(1.6);
        let paler = match self {
            Self::Hue(main) => (hsv.saturation / main.saturation.max(0.2)).clamp(0.4, 1.15),
            Self::Greys(_) | Self::Darks(_) => 1.0,
        };
        let faded = (1.0 - 2.0 * (value - 1.0).max(0.0)).max(0.35);
        Hsv { hue: target.hue, saturation: (target.saturation * paler * faded).min(1.0), value: value.min(1.0) }.rgb()
    }
}

/// A colour of a drawing and how many pixels have it.
#[derive(Clone, Copy, Debug)]
struct Ink {
    hsv: Hsv,
    pixels: f32,
}

/// The colour with most ink of those to keep.
fn most(inks: &[Ink], keep: impl Fn(Hsv) -> bool) -> Option<Hsv> {
    inks.iter().filter(|ink| keep(ink.hsv)).max_by(|a, b| a.pixels.total_cmp(&b.pixels)).map(|ink| ink.hsv)
}

/// Pixels of each of the drawing's colours, as it is drawn.
fn inks(sprite: &Sprite, places: &[(Range<usize>, [u8; 3])]) -> Vec<Ink> {
    let mut colours: Vec<[u8; 3]> = places.iter().map(|(_, rgb)| *rgb).collect();
    colours.sort_unstable();
    colours.dedup();
    let pixels = raster(sprite.body(), SIDE).pixels;
    let near = |pixel: &[u8; 4], rgb: [u8; 3]| pixel.iter().zip(rgb).all(|(a, b)| a.abs_diff(b) < 6);
    let ink = |rgb: [u8; 3]| pixels.iter().filter(|pixel| pixel[3] > 250 && near(pixel, rgb)).count() as f32;
    colours.into_iter().map(|rgb| Ink { hsv: Hsv::of_bytes(rgb), pixels: ink(rgb) }).collect()
}

/// Every `#rgb` and `#rrggbb` of an SVG with its place. References (`#id`) are told apart by what follows: ids hold
/// letters past f.
fn colours(body: &str) -> Vec<(Range<usize>, [u8; 3])> {
    let bytes = body.as_bytes();
    let starts = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'#').map(|(index, _)| index + 1);
    starts
        .filter_map(|start| {
            let word: Vec<u8> = bytes[start..].iter().copied().take_while(u8::is_ascii_alphanumeric).take(7).collect();
            let digits: Option<Vec<u8>> = word.iter().map(|byte| char::from(*byte).to_digit(16).map(|digit| digit as u8)).collect();
            let rgb = match *digits?.as_slice() {
                [r, g, b] => [r * 17, g * 17, b * 17],
                [r, s, g, h, b, c] => [r * 16 + s, g * 16 + h, b * 16 + c],
                _ => return None,
            };
            Some((start - 1..start + word.len(), rgb))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_found_and_references_are_not() {
        let found = colours(r##"<path fill="#f00" stroke="#0102ff"/><use href="#i0"/><path fill="url(#i12)"/>"##);
        let rgb: Vec<[u8; 3]> = found.iter().map(|(_, rgb)| *rgb).collect();
        assert_eq!(rgb, [[255, 0, 0], [1, 2, 255]]);
    }

    #[test]
    fn a_colour_survives_the_way_to_hue_and_back() {
        for rgb in [[255, 0, 0], [12, 200, 30], [3, 60, 250], [128, 128, 128], [0, 0, 0], [255, 250, 3]] {
            let back = Hsv::of_bytes(rgb).rgb();
            assert!(rgb.iter().zip(back).all(|(a, b)| a.abs_diff(b) <= 1), "{rgb:?} became {back:?}");
        }
    }
}
