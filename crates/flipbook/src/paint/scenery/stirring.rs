//! What moves in the scenery from frame to frame: smoke of the volcano, the waterfall, weed under water.

use std::f32::consts::{PI, TAU};

use super::land::CONE_PARALLAX;
use super::shore::FALLS_PARALLAX;
use crate::canvas::{Canvas, Ink, Puff, Rgb};
use crate::codes::Backdrop;
use crate::paint::film::{Film, Moment};
use crate::paint::shape::Pen;
use crate::random::Random;

impl Film {
    /// Drawn over the layers and under the cut-outs.
    pub(in crate::paint) fn stirring_scenery(&self, c: &mut Canvas, m: &Moment) {
        match self.brief.backdrop {
            Backdrop::Volcano => self.eruption(c, m),
            Backdrop::Underwater => self.weed(c, m),
            _ => {}
        }
        self.falling_water(c, m);
    }

    fn eruption(&self, c: &mut Canvas, m: &Moment) {
        let Some([x, y]) = self.crater() else { return };
        let (x, rise) = (x - m.camera * CONE_PARALLAX, self.rise());
        let hot = Rgb([1.0, 0.50, 0.15]);
        let strength = if self.light.level < 0.8 { 1.0 } else { 0.4 };
        let glow = strength * (1.0 + 0.08 * (5.0 * m.t).sin());
        let light = Puff { add: true, firm: false };
        c.puff(x, y - 0.02 * rise, 0.42 * rise, 0.36 * rise, hot, 0.55 * glow, light);
        let smoke = self.light.lit(Rgb([0.42, 0.40, 0.43]));
        let wind = self.layout.frame.wind;
        const PUFFS: usize = 20;
        let mut puffs: Vec<[f32; 2]> = (0..PUFFS).map(|j| [(m.t * 0.16 + j as f32 / PUFFS as f32).fract(), j as f32]).collect();
        puffs.sort_by(|one, other| other[0].total_cmp(&one[0]));
        for [age, j] in puffs {
            let px = x + rise * ((0.04 + 0.14 * age) * (2.4 * j + 1.2 * m.t).sin() * 0.6 + 0.35 * wind * age * age);
            let (py, size) = (y - 0.46 * rise * age.powf(0.85), rise * (0.045 + 0.13 * age));
            let colour = hot.mix(smoke, (0.35 + 4.0 * age).min(1.0) * (1.0 - 0.35 * glow * (1.0 - age).powi(3)));
            c.puff(px, py, size, 0.9 * size, colour, 0.85 * (1.0 - age).powf(0.8) * (8.0 * age).min(1.0), Puff { add: false, firm: true });
        }
        for j in 0..26 {
            let mut random = Random::of(self.seed, 810 + j);
            let (age, side) = ((m.t * random.within(0.5, 0.8) + random.unit()).fract(), random.within(-1.0, 1.0));
            let (px, py) = (x + rise * 0.20 * side * age, y - rise * (random.within(0.5, 1.0) * 0.9 * age - 0.80 * age * age));
            let size = self.short * 0.0085 * (1.0 - 0.6 * age);
            c.puff(px, py, 2.0 * size, 2.0 * size, hot, 0.6 * (1.0 - age), light);
            c.circle(px, py, 0.6 * size, &Ink::flat(Rgb([1.0, 0.82, 0.40]), 1.0 - age));
        }
    }

    fn falling_water(&self, c: &mut Canvas, m: &Moment) {
        let Some(falls) = self.falls() else { return };
        let x = falls.x - m.camera * FALLS_PARALLAX;
        let (white, deep) = (self.light.lit_by(Rgb::hex(0xf4fbff), 1.05), self.light.lit(Rgb::hex(0x8cc4e2)));
        let drop = falls.bottom - falls.top;
        let (mut bright, mut dark) = (Pen::default(), Pen::default());
        let mut random = Random::of(self.seed, 820);
        for j in 0..46 {
            let (u, pace, long) = (random.within(-0.95, 0.95), random.within(0.75, 1.15), random.within(0.12, 0.34));
            let fall = (m.t * pace + random.unit()).fract() * (1.0 + long) - long;
            let (top, foot) = (falls.top + drop * fall.max(0.0), falls.top + drop * (fall + long).min(1.0));
            let (px, w) = (x + u * falls.half, falls.half * 0.030);
            let points = [[px, top], [px + w, (top + foot) / 2.0], [px, foot], [px - w, (top + foot) / 2.0]];
            if j % 3 == 0 { dark = dark.polygon(&points) } else { bright = bright.polygon(&points) }
        }
        dark.fill(c, &Ink::flat(deep, 0.7));
        bright.fill(c, &Ink::flat(white, 0.9));
        for j in 0..14 {
            let age = (m.t * 0.55 + j as f32 / 14.0).fract();
            let (u, size) = ((2.4 * j as f32).sin(), falls.half * (0.35 + 0.75 * age));
            c.puff(
                x + falls.half * 1.1 * u,
                falls.bottom - 0.10 * drop * age,
                size,
                0.62 * size,
                white,
                0.50 * (PI * age).sin(),
                Puff::default(),
            );
        }
    }

    /// Kelp that sways at the bottom of the sea.
    fn weed(&self, c: &mut Canvas, m: &Moment) {
        let mut random = Random::of(self.seed, 830);
        let span = 1.6 * self.width;
        for j in 0..(9.0 * self.width / self.short) as usize {
            let (x, size) = (random.unit() * span, self.rise() * random.within(0.12, 0.34));
            let x = (x - m.camera * 0.5).rem_euclid(span) - 0.3 * self.width;
            let foot = self.horizon + self.short * random.within(0.02, 0.05);
            let green = Rgb::hex(random.one(&[0x2f9a6a, 0x3fae5f, 0x1f7f6f]))
                .tinted(self.light.ambient)
                .times(self.light.level.max(0.4))
                .mix(self.light.haze, 0.22);
            if x < -0.1 * self.width || x > 1.1 * self.width {
                continue;
            }
            let (mut left, mut right) = (Vec::new(), Vec::new());
            for step in 0..=12 {
                let up = step as f32 / 12.0;
                let sway = 0.10 * size * up * (TAU * (0.22 * m.t - 0.7 * up) + 1.9 * j as f32).sin();
                let half = 0.040 * size * (1.0 - up).powf(0.6) * (1.0 + 0.35 * (9.0 * PI * up).sin());
                left.push([x + sway - half, foot - up * size]);
                right.push([x + sway + half, foot - up * size]);
            }
            left.extend(right.into_iter().rev());
            Pen::default().polygon(&left).fill(c, &Ink::linear([0.0, foot], [0.0, foot - size], &[(green.times(0.7), 1.0), (green, 1.0)]));
        }
    }
}
