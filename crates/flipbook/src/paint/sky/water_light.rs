//! Light under water: shafts from above and the glitter of the surface, painted coarsely and stretched, for they are soft.

use crate::canvas::{Area, Canvas, Tint};
use crate::paint::film::{Film, Moment};
use crate::random::Random;
use crate::sprites::Picture;

/// Cells to the short side of the frame.
const FINE: f32 = 64.0;

impl Film {
    pub(super) fn water_light(&self, c: &mut Canvas, m: &Moment) {
        let cell = self.short / FINE;
        let (columns, rows) = ((self.width / cell) as usize + 3, (self.height / cell) as usize + 2);
        let shafts = self.shafts(m.t);
        let strength = 0.55 * self.light.level.min(1.0);
        let pixels = (0..rows * columns)
            .map(|index| {
                let (row, column) = ((index / columns) as f32, (index % columns) as f32);
                let down = row / rows as f32;
                let u = (column - 1.0) / FINE + m.camera * 0.06 / self.short + 0.30 * row / FINE;
                let beams: f32 = shafts.iter().map(|[at, wide, shine]| bell((u - at) / (wide * (0.75 + 0.6 * down))) * shine).sum();
                let ripple =
                    (0.5 + 0.5 * (26.0 * u + 2.1 * m.t + 3.0 * (7.0 * u - m.t).sin()).sin()) * (1.0 - row / (0.05 * FINE)).max(0.0);
                let light = (strength * beams * (1.0 - down).powf(0.8) + 0.35 * ripple * strength).clamp(0.0, 0.9);
                [0.80, 1.0, 1.0, 1.0].map(|channel: f32| (255.0 * channel * light) as u8)
            })
            .collect();
        let picture = Picture { width: columns, height: rows, pixels };
        let area = Area { left: -cell, top: -cell / 2.0, right: (columns as f32 - 1.0) * cell, bottom: (rows as f32 - 0.5) * cell };
        c.picture(&picture, area, Tint::NONE, 1.0);
    }

    /// Where each shaft enters and how wide it is (short sides), and how bright.
    fn shafts(&self, t: f32) -> Vec<[f32; 3]> {
        let mut random = Random::of(self.seed, 54);
        let wide = self.width / self.short;
        let reach = wide + 0.30 * self.height / self.short;
        let count = (5.0 * reach).ceil();
        (0..count as usize)
            .map(|j| {
                let phase = random.within(0.0, 6.0);
                let at = reach * (j as f32 + random.within(0.1, 0.9)) / count + 0.03 * (0.45 * t + phase).sin();
                [at, random.within(0.025, 0.085), 0.45 + 0.30 * (0.9 * t + 2.0 * phase).sin()]
            })
            .collect()
    }
}

/// 1 in the middle, 0 from 1 on.
fn bell(x: f32) -> f32 {
    let rest = (1.0 - x * x).max(0.0);
    rest * rest
}
