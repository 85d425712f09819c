//! Snow: flakes from far to near, and caps that grow on things.

use super::crown::Top;
use crate::canvas::{Canvas, Ink, Puff, Rgb};
use crate::paint::film::{Film, Moment};
use crate::paint::shape::Pen;
use crate::random::Random;

impl Film {
    pub(super) fn snow(&self, c: &mut Canvas, m: &Moment) {
        for slot in 0..m.poses.len() {
            self.snow_on_top(c, m, slot);
        }
        let wind = self.layout.frame.wind;
        let mut random = Random::of(self.seed, 25);
        for j in 0..self.crowd(175.0) {
            let (near, phase, start) = (random.unit(), random.unit(), random.unit());
            let size = self.short * (0.0026 + 0.0088 * near * near);
            let margin = 0.03 * self.short;
            let y = (phase + m.t * (0.07 + 0.11 * near)).fract() * (self.height + 2.0 * margin) - margin;
            let sway = 0.03 * (m.t * (0.8 + near) + j as f32).sin() + 0.10 * wind * m.t * (0.4 + near);
            let x = self.wrapped(start * self.width + self.short * sway - m.camera * (0.2 + 0.7 * near), margin);
            if near > 0.9 {
                c.puff(x, y, 3.0 * size, 3.0 * size, Rgb::WHITE, 0.62, Puff::default()); // out of focus, before the lens
            } else {
                c.circle(x, y, size, &Ink::flat(Rgb::WHITE, 0.55 + 0.4 * near));
            }
        }
    }

    /// A cap that follows the outline where it is level, and thickens over the clip.
    fn snow_on_top(&self, c: &mut Canvas, m: &Moment, slot: usize) {
        let crown = self.crown(m, slot);
        let depth = self.short * 0.020 * (0.30 + 0.70 * m.p.clamp(0.0, 1.0));
        let white = self.light.lit(Rgb::WHITE).mix(Rgb::WHITE, if self.light.dark { 0.15 } else { 0.5 });
        let shade = white.mix(Rgb([0.55, 0.68, 0.88]), 0.45);
        // Stretches of neighbours that snow stays on.
        for stretch in crown.split(|top| top.is_none_or(|top| top.level < 0.3)) {
            let tops: Vec<Top> = stretch.iter().flatten().copied().collect();
            if tops.len() < 2 {
                continue;
            }
            let last = (tops.len() - 1) as f32;
            let thick = |place: usize| {
                let along = place as f32 / last;
                let round = (4.0 * along * (1.0 - along)).clamp(0.0, 1.0).sqrt();
                depth * (0.15 + 0.85 * round) * tops.get(place).map_or(0.0, |top| 0.35 + 0.65 * top.level)
            };
            let upper = tops.iter().enumerate().map(|(place, top)| [top.x, top.y - thick(place)]);
            let lower =
                tops.iter().enumerate().rev().map(|(place, top)| {
                    [top.x, top.y + 0.004 * self.short + 0.30 * thick(place) * (1.0 + 0.7 * (2.6 * place as f32).sin())]
                });
            let outline: Vec<[f32; 2]> = upper.chain(lower).collect();
            rounded(&outline).fill(c, &Ink::flat(shade, 0.95));
            let upper = tops.iter().enumerate().map(|(place, top)| [top.x, top.y - thick(place)]);
            let lower = tops.iter().enumerate().rev().map(|(_, top)| [top.x, top.y + 0.001 * self.short]);
            rounded(&upper.chain(lower).collect::<Vec<_>>()).fill(c, &Ink::flat(white, 1.0));
        }
    }
}

/// An outline with its corners rounded: through the middles of its sides.
fn rounded(points: &[[f32; 2]]) -> Pen {
    let middle = |a: [f32; 2], b: [f32; 2]| [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0];
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Pen::default() };
    let [x, y] = middle(*last, *first);
    let mut pen = Pen::at(x, y);
    for (place, point) in points.iter().enumerate() {
        let next = points.get(place + 1).unwrap_or(first);
        let [x, y] = middle(*point, *next);
        pen = pen.quad(*point, x, y);
    }
    pen.close()
}
