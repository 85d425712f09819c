//! Lightning and falling stars.

use std::f32::consts::PI;

use super::LIGHT;
use crate::canvas::{Canvas, Ink, Rgb};
use crate::paint::film::{Film, Moment};
use crate::paint::shape::Pen;
use crate::random::Random;

/// Seconds that a flash lasts.
const FLASH: f32 = 0.38;

impl Film {
    /// How bright the flash is, 0 to 1.
    pub(super) fn lightning(&self, c: &mut Canvas, m: &Moment) -> f32 {
        let mut flash: f32 = 0.0;
        for index in 0..(self.brief.seconds / 1.6).max(1.0) as u64 {
            let mut random = Random::of(self.seed, 1_100 + index);
            let age = m.t - (0.5 + 1.6 * index as f32 + random.within(0.0, 0.5));
            if !(0.0..FLASH).contains(&age) {
                continue;
            }
            let bright = (1.0 - age / FLASH) * if (0.09..0.15).contains(&age) { 0.3 } else { 1.0 };
            flash = flash.max(bright);
            self.bolt(c, &mut random, bright);
        }
        flash
    }

    fn bolt(&self, c: &mut Canvas, random: &mut Random, bright: f32) {
        const JOINTS: usize = 10;
        let (short, low) = (self.short, self.horizon.min(self.height));
        let mut x = self.width * random.within(0.12, 0.88);
        c.puff(x, 0.2 * low, 0.7 * self.width, 0.85 * low, Rgb([0.8, 0.85, 1.0]), 0.50 * bright, LIGHT);
        let (mut main, mut twigs) = (Pen::at(x, -9.0), Pen::default());
        for joint in 1..=JOINTS {
            let y = low * joint as f32 / JOINTS as f32;
            x += random.within(-0.06, 0.06) * short;
            main = main.line(x, y);
            if joint % 3 == 1 {
                let side = random.side();
                twigs = twigs.to(x, y);
                let (mut tx, mut ty) = (x, y);
                for _ in 0..4 {
                    tx += side * random.within(0.01, 0.05) * short;
                    ty += random.within(0.02, 0.05) * low;
                    twigs = twigs.line(tx, ty);
                }
            }
        }
        let white = Rgb([0.93, 0.95, 1.0]);
        let (Some(main), Some(twigs)) = (main.path(), twigs.path()) else { return };
        for (width, alpha) in [(0.030, 0.18), (0.014, 0.35), (0.0055, 1.0)] {
            c.stroke(&main, width * short, &Ink::flat(white, alpha * bright));
        }
        for (width, alpha) in [(0.012, 0.25), (0.003, 0.9)] {
            c.stroke(&twigs, width * short, &Ink::flat(white, alpha * bright));
        }
    }

    /// Two falling stars a second.
    pub(super) fn meteors(&self, c: &mut Canvas, m: &Moment) {
        let short = self.short;
        for index in 0..(2.0 * self.brief.seconds) as u64 {
            let mut random = Random::of(self.seed, 400 + index);
            let share = (m.t - 0.5 * index as f32 - random.within(0.0, 0.3)) / 0.75;
            let (x, y) = (self.width * random.within(0.2, 1.1), self.horizon.min(self.height) * random.within(0.0, 0.45));
            if !(0.0..1.0).contains(&share) {
                continue;
            }
            let (hx, hy) = (x - 0.55 * short * share, y + 0.28 * short * share);
            let long = 0.24 * short * (PI * share).sin();
            let (tx, ty) = (hx + long, hy - 0.51 * long);
            let white = Rgb([1.0, 1.0, 0.92]);
            let shine = (PI * share).sin();
            let ink = Ink::linear([hx, hy], [tx, ty], &[(white, 0.9 * shine), (Rgb([0.7, 0.85, 1.0]), 0.0)]).adding();
            Pen::at(hx, hy).line(tx, ty).stroke(c, 0.0042 * short, &ink);
            c.puff(hx, hy, 0.016 * short, 0.016 * short, white, shine, LIGHT);
        }
    }
}
