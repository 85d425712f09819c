//! Places without a sky of ours: the bottom of the sea, the moon, space.

use std::f32::consts::TAU;

use super::{Layer, Layers};
use crate::canvas::{Ink, Puff, Rgb};
use crate::paint::shape::{Pen, Wave, about};
use crate::paint::things::Stamp;

impl Layers<'_> {
    pub(super) fn underwater(&mut self) {
        let (rise, horizon, short, height) = (self.film.rise(), self.film.horizon, self.film.short, self.film.height);
        for (parallax, blend, tall, hex) in [(0.08, 0.72, 0.42, 0x1a6f9f), (0.18, 0.45, 0.28, 0x155f8a)] {
            self.add(parallax, 0.0, [horizon - 1.25 * tall * rise, height + 9.0], |l| {
                let colour = Rgb::hex(hex).mix(l.film.light.sky[1], blend).tinted(l.film.light.ambient);
                l.sea_rocks(tall * rise, colour);
            });
        }
        self.add(0.50, 0.0, [horizon - 0.24 * short, height + 9.0], |l| {
            let wave = Wave::of(&mut l.random, horizon + 0.02 * short, 0.035 * short, 1.1 * short, 3);
            l.sea_floor(&wave);
            l.reef(&wave);
        });
    }

    pub(super) fn moon(&mut self) {
        let (rise, horizon, short) = (self.film.rise(), self.film.horizon, self.film.short);
        let (width, height) = (self.film.width, self.film.height);
        if !self.film.casts("globe") {
            let x = width * if self.film.seed.is_multiple_of(2) { 0.24 } else { 0.76 };
            let (y, radius) = (0.25 * height.min(1.3 * width), 0.105 * rise);
            self.add(0.02, 0.0, [y - 2.2 * radius, y + 2.2 * radius], |l| l.earth(x, y, radius));
        }
        for (parallax, hex, tall) in [(0.07, 0x6a6f84, 0.20), (0.16, 0x868b9d, 0.11)] {
            self.add(parallax, 0.0, [horizon - 1.1 * tall * rise, horizon + 0.08 * short], |l| {
                let wave = Wave::of(&mut l.random, horizon + 0.02 * short, tall * rise, 0.9 * rise, 5);
                l.ridge(&wave, Rgb::hex(hex));
            });
        }
        self.floor(|l| l.moon_dust());
    }

    pub(super) fn space(&mut self) {
        if self.film.casts("planet") || self.film.casts("globe") {
            return;
        }
        let (width, height, rise) = (self.film.width, self.film.height, self.film.rise());
        let x = width * if self.film.seed.is_multiple_of(2) { 0.20 } else { 0.82 };
        let y = height * if self.film.seed.is_multiple_of(3) { 0.80 } else { 0.22 };
        let radius = 0.11 * rise;
        let x = x.clamp(1.4 * radius, (width - 1.4 * radius).max(1.4 * radius));
        self.add(0.08, 0.0, [y - 2.4 * radius, y + 2.4 * radius], |l| l.planet(x, y, radius));
        let (mx, my, small) = (width - x, height - 0.8 * y.max(0.3 * height), 0.030 * rise);
        self.add(0.04, 0.0, [my - 3.0 * small, my + 3.0 * small], |l| l.little_moon(mx, my, small));
    }
}

impl Layer<'_> {
    pub(super) fn sea_rocks(&mut self, height: f32, colour: Rgb) {
        let (horizon, low) = (self.film.horizon + 0.04 * self.film.short, colour.times(0.72));
        let ink = Ink::linear([0.0, horizon - height], [0.0, self.film.height], &[(colour, 1.0), (low, 1.0)]);
        let wave = Wave::of(&mut self.random, horizon, 0.25 * height, 0.9 * self.film.short, 3);
        let mut points = vec![[self.a - 2.0, self.bottom + 2.0]];
        points.extend(self.steps().into_iter().map(|x| [x, wave.y(x)]));
        points.push([self.b + 2.0, self.bottom + 2.0]);
        Pen::default().polygon(&points).fill(self.c, &ink);
        for x in self.along(2.2) {
            let (half, high) = (height * self.random.within(0.18, 0.34), height * self.random.within(0.45, 1.05));
            let foot = horizon + 0.1 * height;
            Pen::at(x - half, foot)
                .cubic([x - 0.9 * half, foot - 0.6 * high], [x - 0.6 * half, foot - high], x - 0.1 * half, foot - high)
                .cubic([x + 0.5 * half, foot - high], [x + 0.5 * half, foot - 0.55 * high], x + 0.75 * half, foot - 0.5 * high)
                .quad([x + half, foot - 0.4 * high], x + 1.1 * half, foot)
                .close()
                .fill(self.c, &ink);
        }
    }

    pub(super) fn sea_floor(&mut self, wave: &Wave) {
        let sand = Rgb::hex(0xe6d3a0).tinted(self.film.light.ambient).times(self.film.light.level.max(0.35));
        let low = sand.mix(self.film.light.sky[2], 0.35);
        let ink = Ink::linear([0.0, wave.base - wave.height], [0.0, self.film.height], &[(sand, 1.0), (low, 1.0)]);
        let mut points = vec![[self.a - 2.0, self.bottom + 2.0]];
        points.extend(self.steps().into_iter().map(|x| [x, wave.y(x)]));
        points.push([self.b + 2.0, self.bottom + 2.0]);
        Pen::default().polygon(&points).fill(self.c, &ink);
        let short = self.film.short;
        let mut ripples = Pen::default();
        for x in self.along(9.0) {
            let (y, w) = (wave.y(x) + short * self.random.within(0.02, 0.12), short * self.random.within(0.03, 0.07));
            ripples = ripples.to(x - w, y).quad([x, y - 0.25 * w], x + w, y);
        }
        ripples.stroke(self.c, 0.003 * short, &Ink::flat(low.times(0.8), 0.5));
    }

    /// Corals, shells, stones and weed.
    pub(super) fn reef(&mut self, wave: &Wave) {
        let short = self.film.short;
        for x in self.along(5.0) {
            let size = short * self.random.within(0.05, 0.14);
            let hex = self.random.one(&[0xf0657a, 0xf59a4b, 0xb66be0, 0xf2c14b]);
            let foot = wave.y(x) + 0.02 * short;
            if self.random.chance(0.6) { self.coral(x, foot, size, hex) } else { self.sponge(x, foot, size, hex) }
        }
        for x in self.along(6.0) {
            let y = wave.y(x) + short * self.random.within(0.01, 0.06);
            match self.random.below(4) {
                0 => self.film.stamp(self.c, "spiral-shell", Stamp { haze: 0.15, ..Stamp::at(x, y, 0.045 * short) }),
                1 => {
                    let size = short * self.random.within(0.015, 0.04);
                    self.stone(x, y, size, 0x6f8a96);
                }
                2 => self.starfish(x, y, 0.018 * short),
                _ => {}
            }
        }
    }

    pub(super) fn coral(&mut self, x: f32, foot: f32, size: f32, hex: u32) {
        let colour = Rgb::hex(hex).tinted(self.film.light.ambient).times(self.film.light.level.max(0.4)).mix(self.film.light.haze, 0.20);
        let mut twigs = Pen::default();
        for j in 0..5 {
            let lean = (j as f32 - 2.0) * 0.22 * size;
            let high = size * self.random.within(0.6, 1.0) * (1.0 - 0.12 * (j as f32 - 2.0).abs());
            twigs = twigs.to(x, foot).quad([x + 0.9 * lean, foot - 0.3 * high], x + lean, foot - high);
            twigs = twigs.to(x + 0.86 * lean, foot - 0.45 * high).line(x + 1.25 * lean + 0.05 * size, foot - 0.70 * high);
        }
        let Some(path) = twigs.path() else { return };
        self.c.stroke(&path, 0.12 * size, &Ink::flat(colour.times(0.75), 1.0));
        self.c.stroke(&path, 0.07 * size, &Ink::flat(colour, 1.0));
    }

    fn sponge(&mut self, x: f32, foot: f32, size: f32, hex: u32) {
        let colour = Rgb::hex(hex).tinted(self.film.light.ambient).times(self.film.light.level.max(0.4)).mix(self.film.light.haze, 0.25);
        let dark = colour.times(0.62);
        for (dx, high) in [(-0.28, 0.55), (0.26, 0.45), (0.0, 0.80)] {
            let (cx, half, top) = (x + dx * size, 0.13 * size, foot - high * size);
            Pen::at(cx - 0.7 * half, foot)
                .line(cx - half, top)
                .line(cx + half, top)
                .line(cx + 0.7 * half, foot)
                .close()
                .fill(self.c, &Ink::linear([cx - half, 0.0], [cx + half, 0.0], &[(colour, 1.0), (dark, 1.0)]));
            Pen::default().oval(cx, top, half, 0.4 * half).fill(self.c, &Ink::flat(dark, 1.0));
        }
    }

    fn starfish(&mut self, x: f32, y: f32, size: f32) {
        let colour = Rgb::hex(0xf58a5a).tinted(self.film.light.ambient).times(self.film.light.level.max(0.4));
        let points: Vec<[f32; 2]> = (0..10)
            .map(|j| {
                let (angle, far) = (TAU * (j as f32 / 10.0 - 0.25), if j % 2 == 0 { size } else { 0.45 * size });
                [x + far * angle.cos(), y + 0.55 * far * angle.sin()]
            })
            .collect();
        Pen::default().polygon(&points).fill(self.c, &Ink::flat(colour, 1.0));
    }

    pub(super) fn moon_dust(&mut self) {
        let (horizon, height, short) = (self.film.horizon, self.film.height, self.film.short);
        let (high, low) = (Rgb::hex(0xc3c7d1), Rgb::hex(0x8a90a1));
        Pen::default()
            .rect(self.a, horizon, self.b, self.bottom + 1.0)
            .fill(self.c, &Ink::linear([0.0, horizon], [0.0, height], &[(high.times(0.86), 1.0), (high, 1.0), (low, 1.0)]));
        let mut craters: Vec<[f32; 2]> = self.along(11.0).into_iter().map(|x| [x, 0.0]).collect();
        for crater in &mut craters {
            crater[1] = self.random.within(0.02, 0.98);
        }
        craters.sort_by(|one, other| one[1].total_cmp(&other[1]));
        let side = self.film.sun_side();
        for [x, near] in craters {
            let (y, r) = (horizon + (height - horizon) * near, short * (0.012 + 0.060 * near) * self.random.within(0.4, 1.2));
            let ry = r * (0.20 + 0.14 * near);
            self.c.oval(about(x, y, 1.10 * r, 1.12 * ry), &Ink::flat(high.mix(Rgb::WHITE, 0.4), 0.8));
            self.c.oval(
                about(x, y + 0.06 * ry, r, ry),
                &Ink::linear([x + side * r, y], [x - side * r, y], &[(low.times(0.60), 1.0), (low, 1.0), (high, 1.0)]),
            );
        }
        for x in self.along(5.0) {
            let near = self.random.unit();
            let size = short * (0.004 + 0.014 * near);
            let y = horizon + (height - horizon) * near;
            self.stone(x, y, size, 0xa2a6b2);
        }
    }

    fn earth(&mut self, x: f32, y: f32, r: f32) {
        self.c.puff(x, y, 1.9 * r, 1.9 * r, Rgb([0.35, 0.60, 1.0]), 0.40, Puff { add: true, firm: false });
        let Some(disc) = Pen::default().circle(x, y, r).path() else { return };
        self.c.fill(&disc, &Ink::linear([0.0, y - r], [0.0, y + r], &[(Rgb::hex(0x4fb3f0), 1.0), (Rgb::hex(0x1d6fc4), 1.0)]));
        let lands = [
            (-0.35, -0.30, 0.42, 0.30),
            (-0.15, 0.05, 0.26, 0.34),
            (0.45, -0.10, 0.30, 0.40),
            (0.20, 0.62, 0.34, 0.20),
            (-0.70, 0.45, 0.24, 0.18),
        ];
        let clouds = [(-0.10, -0.62, 0.55, 0.08), (0.35, 0.22, 0.46, 0.07), (-0.50, 0.18, 0.40, 0.06), (0.05, 0.48, 0.36, 0.05)];
        self.c.clipped(&disc, |c| {
            lands
                .iter()
                .fold(Pen::default(), |pen, (dx, dy, w, h)| pen.oval(x + dx * r, y + dy * r, w * r, h * r))
                .fill(c, &Ink::flat(Rgb::hex(0x5fbf62), 1.0));
            clouds
                .iter()
                .fold(Pen::default(), |pen, (dx, dy, w, h)| pen.oval(x + dx * r, y + dy * r, w * r, h * r))
                .fill(c, &Ink::flat(Rgb::WHITE, 0.8));
            night_side(c, x, y, r);
        });
    }

    pub(super) fn planet(&mut self, x: f32, y: f32, r: f32) {
        let hexes = [0xe98a5b, 0x6fb7e0, 0xb98be0, 0xe0c26f];
        let colour = Rgb::hex(self.random.one(&hexes));
        self.c.puff(x, y, 2.1 * r, 2.1 * r, colour, 0.32, Puff { add: true, firm: false });
        let ring = self.random.chance(0.6).then(|| Rgb::hex(0xf0dcb8).mix(colour, 0.3));
        let Some(disc) = Pen::default().circle(x, y, r).path() else { return };
        let bands: Vec<[f32; 2]> = (0..6).map(|j| [j as f32 / 5.0 * 2.0 - 1.0, self.random.within(0.10, 0.20)]).collect();
        ring.into_iter().for_each(|tone| self.ring(x, y, r, tone, 0.0));
        self.c.fill(&disc, &Ink::flat(colour, 1.0));
        self.c.clipped(&disc, |c| {
            for (index, [v, thick]) in bands.into_iter().enumerate() {
                let tone = if index % 2 == 0 { Rgb::WHITE } else { Rgb([0.25, 0.08, 0.30]) };
                Pen::default().oval(x, y + v * r, 1.5 * r, thick * r).fill(c, &Ink::flat(tone, 0.20));
            }
            night_side(c, x, y, r);
        });
        ring.into_iter().for_each(|tone| self.ring(x, y, r, tone, 0.5));
    }

    /// Half of a ring: from `start` turns on, the far half at 0, the near one at a half.
    fn ring(&mut self, x: f32, y: f32, r: f32, colour: Rgb, start: f32) {
        for (far, width, alpha) in [(1.85, 0.16, 0.85), (1.52, 0.10, 0.55)] {
            let points: Vec<[f32; 2]> = (0..=40)
                .map(|j| {
                    let angle = TAU * (0.5 + start + j as f32 / 80.0);
                    let (dx, dy) = (far * r * angle.cos(), 0.26 * far * r * angle.sin());
                    [x + dx, y + dy - 0.18 * dx]
                })
                .collect();
            Pen::default().line_through(&points).stroke(self.c, width * r, &Ink::flat(colour, alpha));
        }
    }

    pub(super) fn little_moon(&mut self, x: f32, y: f32, r: f32) {
        let Some(disc) = Pen::default().circle(x, y, r).path() else { return };
        self.c.fill(&disc, &Ink::flat(Rgb::hex(0xc9c6d8), 1.0));
        self.c.clipped(&disc, |c| {
            [(-0.3, -0.2, 0.24), (0.35, 0.3, 0.30), (0.1, -0.55, 0.15)]
                .iter()
                .fold(Pen::default(), |pen, (dx, dy, s)| pen.circle(x + dx * r, y + dy * r, s * r))
                .fill(c, &Ink::flat(Rgb::hex(0xa19db6), 1.0));
            night_side(c, x, y, r);
        });
    }
}

/// The shade on a ball that is lit from the upper left.
fn night_side(c: &mut crate::canvas::Canvas, x: f32, y: f32, r: f32) {
    let shade = Rgb([0.0, 0.0, 0.08]);
    c.rect(
        about(x, y, r, r),
        &Ink::radial([x - 0.4 * r, y - 0.4 * r], 1.7 * r, &[(0.0, shade, 0.0), (0.35, shade, 0.0), (1.0, shade, 0.78)]),
    );
}
