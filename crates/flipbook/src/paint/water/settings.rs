//! Water of settings: a lake behind the bank that things stand on, an island in the sea, a swamp's murk, a lagoon's turquoise.

use std::f32::consts::TAU;

use super::Water;
use crate::canvas::{Canvas, Ink, Puff, Rgb};
use crate::codes::{Hour, Setting};
use crate::paint::film::{Film, Moment};
use crate::paint::shape::Pen;
use crate::paint::things::Stamp;
use crate::random::Random;

/// Of the camera's way: the island.
const DRIFT: f32 = 0.72;

impl Film {
    /// Things stand on a bank before the water.
    pub(in crate::paint) fn is_waterside(&self) -> bool {
        self.has_calm_water_behind() || matches!(self.program.setting, Some(Setting::CliffTop | Setting::Iceberg))
    }

    pub(super) fn has_calm_water_behind(&self) -> bool {
        matches!(self.program.setting, Some(Setting::Lakeside | Setting::Riverside | Setting::PondSide))
    }

    /// Where the water ends, in pixels from above: the lower edge, or the bank.
    pub(super) fn water_end(&self) -> f32 {
        if self.has_calm_water_behind() { self.ground() + 0.06 * self.short } else { self.height }
    }

    /// Draws the water of a setting; whether it has one of its own.
    pub(super) fn water_of_setting(&self, c: &mut Canvas, m: &Moment, water: &Water) -> bool {
        match self.program.setting {
            Some(Setting::Lakeside | Setting::PondSide) => {
                self.mirror(c, m, water, 0.62);
                self.rings(c, m, water);
            }
            Some(Setting::Riverside) => {
                self.mirror(c, m, water, 0.42);
                self.current(c, m, water);
            }
            Some(Setting::CliffTop) => self.sea(c, m, water, self.height, 9, |_, _| {}),
            Some(Setting::Iceberg) => self.sea(c, m, water, self.ground() + 0.12 * self.short, 4, |_, _| {}),
            Some(Setting::RockyShore) => self.sea(c, m, water, self.ground() + 0.05 * self.short, 6, |_, _| {}),
            Some(Setting::Island) => {
                self.sea(c, m, water, self.height, 9, |_, _| {});
                self.island(c, m, water);
            }
            _ => return false,
        }
        if self.has_calm_water_behind() && self.glitters() {
            self.shine(c, m);
        }
        true
    }

    /// Foam that shoots over the stones of rapids.
    pub(super) fn white_water(&self, c: &mut Canvas, m: &Moment, water: &Water) {
        if self.program.setting != Some(Setting::Rapids) {
            return;
        }
        let (short, deep, span) = (self.short, self.height - self.horizon, 1.3 * self.width);
        for j in 0..(42.0 * self.squares()).min(110.0) as usize {
            let mut random = Random::of(self.seed, 490 + j as u64);
            let (near, start, pace) = (random.unit(), random.unit(), random.within(0.5, 0.9));
            let x = (start * span + pace * (0.3 + near) * short * m.t - m.camera * DRIFT).rem_euclid(span) - 0.15 * self.width;
            let y = self.horizon + deep * (0.03 + 0.94 * near.powf(1.3)) + 0.012 * short * (9.0 * m.t + j as f32).sin();
            let size = short * (0.02 + 0.06 * near) * random.within(0.6, 1.3);
            c.puff(x, y, 1.9 * size, 0.34 * size, water.foam, 0.85, Puff { add: false, firm: true });
            c.puff(x + size, y - 0.2 * size, 0.7 * size, 0.3 * size, self.light.lit(Rgb::WHITE), 0.8, Puff { add: false, firm: true });
        }
    }

    /// A great leaf on the water under a frog.
    pub(super) fn pad_under(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let Some(pose) = m.poses.get(place) else { return };
        let (x, y, r) = (pose.x * self.width, pose.y * self.height, 0.75 * pose.w * self.width * pose.scale);
        let (leaf, dark, light) =
            (self.light.lit(Rgb::hex(0x5fb04a)), self.light.lit(Rgb::hex(0x2f6f3f)), self.light.lit(Rgb::hex(0x9fdc74)));
        let disc = |lift: f32, k: f32| {
            let points: Vec<[f32; 2]> = (0..=40)
                .map(|j| 0.22 + (TAU - 0.44) * j as f32 / 40.0)
                .map(|angle| [x + k * r * angle.cos(), y - lift + 0.30 * k * r * angle.sin()])
                .chain([[x, y - lift]])
                .collect();
            Pen::default().polygon(&points)
        };
        disc(-0.05 * r, 1.02).fill(c, &Ink::flat(dark, 0.8));
        disc(0.0, 1.0).fill(c, &Ink::linear([0.0, y - 0.3 * r], [0.0, y + 0.3 * r], &[(light, 1.0), (leaf, 1.0)]));
        let veins = (1..7).fold(Pen::default(), |pen, j| {
            let angle = TAU * j as f32 / 7.0;
            pen.to(x, y).line(x + 0.9 * r * angle.cos(), y + 0.27 * r * angle.sin())
        });
        veins.stroke(c, 0.018 * r, &Ink::flat(dark, 0.4));
    }

    /// Deep and pale water, by what is in it.
    pub(super) fn stained(&self, [deep, pale]: [Rgb; 2]) -> (Rgb, Rgb) {
        let (stain, share) = match self.program.setting {
            Some(Setting::Swamp) => ([0x2c3a20, 0x7f8c52], 0.82),
            Some(Setting::Lagoon | Setting::Island) => ([0x0aa0b4, 0x8af0e0], 0.72),
            Some(Setting::HotSpring) => ([0x2f9fb0, 0xb8ece6], 0.75),
            Some(Setting::Iceberg | Setting::IcySea) => ([0x14506f, 0x6fb6cf], 0.7),
            Some(Setting::Riverside) => ([0x2f8f9c, 0x7cc9c4], 0.8),
            _ => return (deep, pale),
        };
        let dim = match self.brief.hour {
            Hour::Night => 0.35,
            Hour::Sunset => 0.8,
            _ => 1.0,
        };
        let [murk, light] = stain.map(|hex| Rgb::hex(hex).times(dim));
        (deep.mix(murk, share), pale.mix(light, share))
    }

    /// A small island of sand under everything that stands, with palms.
    fn island(&self, c: &mut Canvas, m: &Moment, water: &Water) {
        let (short, shift) = (self.short, m.camera * DRIFT);
        let stands = self.layout.objects.iter().filter(|object| object.y > self.layout.frame.horizon + 0.08);
        let (mut left, mut right, mut top, mut low) = (0.26f32, 0.74f32, 0.78f32, 0.86f32);
        for object in stands {
            let half = 0.5 * object.size * short / self.width + 0.5 * object.dx.abs() + 0.07;
            (left, right) = (left.min(object.x - half), right.max(object.x + half));
            (top, low) = (top.min(object.y - 0.04), low.max(object.y + 0.04));
        }
        let (x, half) = (self.width * (left + right) / 2.0 - shift, self.width * (right - left) / 2.0 * 1.12);
        let (y, deep) = (self.height * (top + low) / 2.0, self.height * ((low - top) / 2.0 + 0.06));
        let outline = |grow: f32, lift: f32| {
            let (half, deep) = (half + grow, deep + 0.5 * grow);
            let points: Vec<[f32; 2]> = (0..48)
                .map(|j| {
                    let angle = TAU * j as f32 / 48.0;
                    let wobble = 1.0 + 0.035 * (3.0 * angle + 1.0).sin() + 0.02 * (7.0 * angle).sin();
                    [x + half * angle.cos() * wobble, y + lift + deep * angle.sin() * wobble]
                })
                .collect();
            Pen::default().polygon(&points)
        };
        let swell = 0.012 * short * (1.7 * m.t).sin();
        let shallow = water.pale.mix(self.light.lit(Rgb::hex(0x9ff2e2)), 0.6);
        outline(0.13 * short, 0.02 * short).fill(c, &Ink::flat(shallow, 0.45));
        outline(0.07 * short + swell, 0.02 * short).fill(c, &Ink::flat(shallow, 0.7));
        outline(0.032 * short + swell, 0.012 * short).fill(c, &Ink::flat(water.foam, 0.9));
        outline(0.016 * short + 0.6 * swell, 0.008 * short).fill(c, &Ink::flat(self.light.lit(Rgb::hex(0xd8b67c)), 1.0));
        let (sand, shade) = (self.light.lit(Rgb::hex(0xf8e0a6)), self.light.lit(Rgb::hex(0xe2bd7c)));
        outline(0.0, -0.004 * short).fill(c, &Ink::linear([0.0, y - deep], [0.0, y + deep], &[(sand, 1.0), (shade, 1.0)]));
        let mut random = Random::of(self.seed, 483);
        let mut specks = Pen::default();
        for _ in 0..40 {
            let (angle, far) = (random.within(0.0, TAU), random.unit().sqrt() * 0.9);
            specks = specks.oval(x + half * far * angle.cos(), y + deep * far * angle.sin(), 0.007 * short, 0.0025 * short);
        }
        specks.fill(c, &Ink::flat(shade.times(0.86), 0.7));
        let away = if self.layout.objects.first().is_some_and(|object| object.x * self.width - shift > x) { -1.0 } else { 1.0 };
        for (name, along, up, size) in [
            ("palm-tree", 0.52, -0.55, 0.62),
            ("palm-tree", 0.74, -0.25, 0.46),
            ("spiral-shell", -0.62, 0.35, 0.04),
            ("coconut", 0.36, 0.15, 0.045),
        ] {
            if self.casts(name) && name != "palm-tree" {
                continue;
            }
            let (px, py, size) = (x + away * along * half, y + up * deep, size * short);
            c.puff(px, py, 0.32 * size, 0.07 * size, Rgb([0.30, 0.18, 0.08]), 0.4, Puff::default());
            let sway = if name == "palm-tree" { 0.02 * (m.t + along).sin() } else { 0.0 };
            let flip = away > 0.0;
            self.stamp(c, name, Stamp { dim: (1.1 * self.light.level).min(1.0), sway, flip, ..Stamp::at(px, py, size) });
        }
    }
}
