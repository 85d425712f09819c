//! Northern lights: curtains of light, painted coarsely and stretched, for they are soft.

use crate::canvas::{Area, Canvas, Rgb, Tint};
use crate::paint::film::{Film, Moment};
use crate::sprites::Picture;

/// Cells of the coarse picture to the short side of the frame.
const FINE: f32 = 110.0;

/// A curtain where a column of cells meets it, in cells.
struct Fold {
    foot: f32,
    height: f32,
    shine: f32,
    low: Rgb,
    high: Rgb,
}

impl Film {
    pub(super) fn aurora(&self, c: &mut Canvas, m: &Moment) {
        let cell = self.short / FINE;
        let bottom = self.horizon.min(self.height);
        let (columns, rows) = ((self.width / cell) as usize + 3, (bottom / cell) as usize + 1);
        let mut pixels = vec![[0u8; 4]; columns * rows];
        for column in 0..columns {
            let u = (column as f32 - 1.0) / FINE + m.camera * 0.03 / self.short;
            for fold in self.curtains_at(u, m.t, cell) {
                let (first, last) = ((fold.foot - fold.height).max(0.0) as usize, (fold.foot.max(0.0) as usize + 2).min(rows));
                for row in first..last {
                    let light = fold.at(row as f32);
                    if let Some(pixel) = pixels.get_mut(row * columns + column) {
                        *pixel = over(*pixel, light.0, light.1);
                    }
                }
            }
        }
        let picture = Picture { width: columns, height: rows, pixels };
        let area = Area { left: -cell, top: 0.0, right: (columns as f32 - 1.0) * cell, bottom: rows as f32 * cell };
        c.picture(&picture, area, Tint::NONE, 1.0);
    }

    /// The three curtains at `u` short sides from the left, the farthest first.
    fn curtains_at(&self, u: f32, t: f32, cell: f32) -> [Fold; 3] {
        let rise = self.rise();
        let colours = [
            (Rgb([0.45, 0.35, 1.0]), Rgb([0.75, 0.30, 0.95])),
            (Rgb([0.15, 0.90, 0.80]), Rgb([0.35, 0.40, 0.95])),
            (Rgb([0.25, 1.0, 0.60]), Rgb([0.15, 0.75, 0.75])),
        ];
        std::array::from_fn(|j| {
            let k = j as f32 + (self.seed % 7) as f32;
            let wave = 0.075 * (2.2 * u + 0.5 * t + k).sin() + 0.035 * (5.0 * u - 0.7 * t + 2.0 * k).sin();
            let ray = 0.62 + 0.22 * (38.0 * u + 9.0 * (2.0 * u + 0.4 * t).sin() + k).sin() + 0.16 * (71.0 * u - 1.3 * t).sin();
            let (low, high) = colours[j];
            Fold {
                foot: (self.horizon * (0.32 + 0.12 * j as f32) + rise * wave) / cell,
                height: rise * (0.34 + 0.09 * (3.0 * u + 0.8 * t + k).sin()) / cell,
                shine: (0.50 + 0.40 * (3.1 * u + 0.9 * t + 2.1 * k).sin()).max(0.0) * ray,
                low,
                high,
            }
        })
    }
}

impl Fold {
    /// Colour and opacity in a row of cells: sharp below, fading upwards.
    fn at(&self, row: f32) -> (Rgb, f32) {
        let up = (self.foot - row) / self.height.max(1.0);
        let edge = (1.0 + (self.foot - row) / 2.0).clamp(0.0, 1.0);
        let fade = (1.0 - up).clamp(0.0, 1.0);
        let colour = self.low.mix(self.high, (1.3 * up).clamp(0.0, 1.0)).mix(Rgb::WHITE, 0.25 * (1.0 - 5.0 * up).clamp(0.0, 1.0));
        (colour, 0.85 * self.shine * edge * fade * fade)
    }
}

/// A straight colour over a premultiplied pixel.
fn over(below: [u8; 4], colour: Rgb, alpha: f32) -> [u8; 4] {
    let alpha = alpha.clamp(0.0, 1.0);
    let [red, green, blue] = colour.0;
    let [r, g, b, a] = below.map(|value| f32::from(value) * (1.0 - alpha));
    [r + 255.0 * alpha * red, g + 255.0 * alpha * green, b + 255.0 * alpha * blue, a + 255.0 * alpha].map(|value| value as u8)
}
