//! What moves before the lens in places of nature: steam, bats, embers, lights of an enchanted wood.

use std::f32::consts::{PI, TAU};

use crate::canvas::{Canvas, Ink, Puff, Rgb};
use crate::codes::Setting;
use crate::paint::film::{Film, Moment};
use crate::paint::shape::Pen;
use crate::random::Random;

impl Film {
    /// Drawn over the cut-outs.
    pub(in crate::paint) fn stirring_in_nature(&self, c: &mut Canvas, m: &Moment) {
        match self.program.setting {
            Some(Setting::HotSpring) => self.steam_of_the_spring(c, m),
            Some(Setting::HalloweenNight) => self.bats(c, m, 9),
            Some(Setting::HauntedForest) => self.bats(c, m, 4),
            Some(Setting::LavaField) => self.sparks_in_the_air(c, m, Rgb([1.0, 0.55, 0.15])),
            Some(Setting::EnchantedForest) => self.sparks_in_the_air(c, m, Rgb([1.0, 0.92, 0.55])),
            _ => {}
        }
    }

    fn steam_of_the_spring(&self, c: &mut Canvas, m: &Moment) {
        let (short, deep) = (self.short, self.height - self.horizon);
        let white = self.light.lit(Rgb::WHITE).mix(Rgb::WHITE, 0.4);
        for j in 0..(16.0 * self.squares()).min(40.0) as usize {
            let mut random = Random::of(self.seed, 900 + j as u64);
            let (home, near, pace) = (random.within(-0.05, 1.05), random.within(0.0, 0.9), random.within(0.10, 0.18));
            let age = (pace * m.t + random.unit()).fract();
            let x = home * self.width + short * 0.05 * (TAU * age + j as f32).sin();
            let y = self.horizon + deep * near - short * 0.34 * age;
            let size = short * (0.05 + 0.12 * age) * (0.7 + 0.6 * near);
            c.puff(x, y, 1.3 * size, size, white, 0.55 * (PI * age).sin(), Puff::default());
        }
    }

    fn bats(&self, c: &mut Canvas, m: &Moment, count: u64) {
        let mut flock = Pen::default();
        for j in 0..count {
            let mut random = Random::of(self.seed, 950 + j);
            let (home, height, pace) = (random.unit(), random.within(0.08, 0.46), random.within(0.03, 0.08));
            let span = 1.2 * self.width;
            let x = (home * span + m.t * pace * self.width).rem_euclid(span) - 0.1 * self.width;
            let y = height * self.height + 0.02 * self.short * (2.3 * m.t + j as f32).sin();
            let k = self.short * random.within(0.022, 0.045);
            let up = (11.0 * m.t + 2.0 * j as f32).sin() * 0.55;
            flock = flock.oval(x, y, 0.22 * k, 0.36 * k).polygon(&[
                [x - 0.18 * k, y - 0.2 * k],
                [x - 0.12 * k, y - 0.58 * k],
                [x, y - 0.3 * k],
                [x + 0.12 * k, y - 0.58 * k],
                [x + 0.18 * k, y - 0.2 * k],
            ]);
            for side in [-1.0, 1.0] {
                let tip = [x + side * 1.5 * k, y - up * k];
                flock = flock.polygon(&[
                    [x, y - 0.16 * k],
                    [x + side * 0.7 * k, y - (0.35 + 0.8 * up) * k],
                    tip,
                    [x + side * 1.1 * k, y + (0.12 - 0.5 * up) * k],
                    [x + side * 0.75 * k, y + (0.30 - 0.4 * up) * k],
                    [x + side * 0.40 * k, y + 0.16 * k],
                    [x, y + 0.24 * k],
                ]);
            }
        }
        flock.fill(c, &Ink::flat(Rgb::hex(0x140d1f), 1.0));
    }

    /// Points of light that rise and go out.
    fn sparks_in_the_air(&self, c: &mut Canvas, m: &Moment, colour: Rgb) {
        for j in 0..(18.0 * self.squares()).min(44.0) as usize {
            let mut random = Random::of(self.seed, 980 + j as u64);
            let (home, pace, phase) = (random.unit(), random.within(0.06, 0.13), random.unit());
            let age = (pace * m.t + phase).fract();
            let x = home * self.width + 0.05 * self.short * (TAU * (age + phase)).sin();
            let y = self.height * (1.02 - 0.85 * age);
            let (size, shine) = (self.short * random.within(0.003, 0.006), (PI * age).sin() * (0.6 + 0.4 * (5.0 * m.t + j as f32).sin()));
            c.puff(x, y, 5.0 * size, 5.0 * size, colour, 0.5 * shine, Puff { add: true, firm: false });
            c.circle(x, y, 0.8 * size, &Ink::flat(colour.mix(Rgb::WHITE, 0.6), shine));
        }
    }
}
