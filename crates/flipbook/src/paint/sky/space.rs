//! Space: clouds of gas that stand still and stars that pass.

use std::f32::consts::TAU;

use super::LIGHT;
use crate::canvas::{Canvas, Ink, Rgb};
use crate::paint::film::{Film, Moment};
use crate::paint::shape::Pen;
use crate::random::Random;

impl Film {
    pub(super) fn nebula(&self, c: &mut Canvas) {
        self.gradient(c, self.height);
        let mut random = Random::of(self.seed, 51);
        let (width, height, rise) = (self.width, self.height, self.rise());
        let palettes =
            [[0x7a2f8f, 0x20489c, 0xa03a6a, 0x2a7f9c], [0x1f6fa8, 0x4b2f9c, 0x1c8f8a, 0x8a3aa0], [0xa8503a, 0x7a2f7f, 0x3a3f9c, 0xb0803a]];
        let hues = random.one(&palettes);
        let lean = random.within(-0.5, 0.5);
        let middle = random.within(0.35, 0.65) * height;
        for j in 0..26 {
            let along = (j as f32 + random.unit()) / 26.0 - 0.5;
            let (x, y) = (width * (0.5 + 1.2 * along), middle + height * lean * along + rise * random.normal(0.0, 0.14));
            let size = rise * random.within(0.16, 0.42);
            c.puff(x, y, size, 0.72 * size, Rgb::hex(random.one(&hues)), 0.26, LIGHT);
        }
        for j in 0..8 {
            let along = (j as f32 + random.unit()) / 8.0 - 0.5;
            let (x, y) = (width * (0.5 + 1.2 * along), middle + height * lean * along + rise * random.normal(0.0, 0.05));
            let size = rise * random.within(0.06, 0.16);
            c.puff(x, y, size, 0.8 * size, Rgb([1.0, 0.85, 0.95]), 0.16, LIGHT);
        }
        let mut dust = Pen::default();
        for _ in 0..(260.0 * self.squares()) as usize {
            dust = dust.circle(width * random.unit(), height * random.unit(), self.short * random.within(0.0007, 0.0014));
        }
        dust.fill(c, &Ink::flat(Rgb([0.9, 0.92, 1.0]), 0.55));
    }

    /// Stars at three distances that pass against the way of the camera.
    pub(super) fn star_field(&self, c: &mut Canvas, m: &Moment) {
        let mut random = Random::of(self.seed, 52);
        let pan = self.layout.frame.pan;
        let (width, short) = (self.width + 0.1 * self.short, self.short);
        for (count, size, pace, alpha) in [(60.0, 0.0014, 0.010, 0.65), (34.0, 0.0021, 0.022, 0.85), (12.0, 0.0032, 0.045, 1.0)] {
            let drift = m.t * pace * short * (1.0 + 2.0 * pan.abs()) * if pan >= 0.0 { 1.0 } else { -1.0 } + m.camera * 2.0 * pace;
            let mut stars = Pen::default();
            for index in 0..(count * self.squares()) as usize {
                let x = (random.unit() * width - drift).rem_euclid(width) - 0.05 * short;
                let (y, phase) = (self.height * random.unit(), random.within(0.0, TAU));
                let size = short * size * (0.85 + 0.15 * (2.2 * m.t + phase).sin());
                stars = stars.polygon(&[[x - size, y], [x, y - size], [x + size, y], [x, y + size]]);
                if size > 0.003 * short && index % 3 == 0 {
                    c.puff(x, y, 4.0 * size, 4.0 * size, Rgb([0.75, 0.85, 1.0]), 0.45, LIGHT);
                }
            }
            stars.fill(c, &Ink::flat(Rgb([1.0, 1.0, 0.95]), alpha));
        }
    }
}
