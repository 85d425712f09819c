//! What lies under the feet: grass, snow, sand, rock, fields, road and pavement, from the horizon to the lower edge.

use std::f32::consts::TAU;

use super::Layer;
use crate::canvas::{Ink, Rgb};
use crate::codes::Weather;
use crate::paint::shape::Pen;

impl Layer<'_> {
    /// Pixels from the horizon to the lower edge.
    pub(super) fn ground_depth(&self) -> f32 {
        self.film.height - self.ground
    }

    /// `y` of a share of the ground: 0 at the horizon, 1 at the lower edge.
    pub(super) fn down(&self, share: f32) -> f32 {
        self.ground + self.ground_depth() * share
    }

    pub(super) fn base(&mut self, high: Rgb, low: Rgb) {
        let (top, bottom) = (self.ground, self.film.height);
        let faint = high.mix(self.film.light.haze, 0.30);
        let ink = Ink::linear_at([0.0, top], [0.0, bottom], &[(0.0, faint, 1.0), (0.28, high, 1.0), (1.0, low, 1.0)]);
        Pen::default().rect(self.a, top, self.b, self.bottom + 1.0).fill(self.c, &ink);
    }

    /// Broad bands that rise and fall, as swells of the ground do.
    pub(super) fn swells(&mut self, count: usize, lit: Rgb, shade: Rgb, alpha: f32) {
        let short = self.film.short;
        for j in 0..count {
            let share = ((j as f32 + self.random.within(0.2, 0.8)) / count as f32).powf(1.4);
            let (y, thick) = (self.down(share), self.ground_depth() * (0.05 + 0.13 * share));
            let (length, phase) = (short * self.random.within(0.7, 1.3), self.random.within(0.0, TAU));
            let line = |x: f32| y + 0.35 * thick * (TAU * x / length + phase).sin();
            let under = |x: f32| y + thick * (0.7 + 0.5 * (TAU * x / length * 0.6 + phase * 1.7).sin());
            let xs: Vec<f32> = self.steps().into_iter().step_by(3).chain([self.b + 4.0]).collect();
            let points: Vec<[f32; 2]> =
                xs.iter().map(|&x| [x, line(x)]).chain(xs.iter().rev().map(|&x| [x, under(x).max(line(x))])).collect();
            let colour = if j % 2 == 0 { lit } else { shade };
            Pen::default()
                .polygon(&points)
                .fill(self.c, &Ink::linear([0.0, y - 0.35 * thick], [0.0, y + 1.2 * thick], &[(colour, alpha), (colour, 0.0)]));
        }
    }

    /// Grass, with flowers where `flowers` says so; snow where it lies.
    pub(super) fn grass(&mut self, high: u32, low: u32, flowers: bool) {
        if self.film.light.white {
            return self.snow();
        }
        let (high, low) = (self.leaf(high), self.leaf(low));
        self.base(high, low);
        self.swells(6, high.mix(self.film.light.sun, 0.22), low.mix(Rgb([0.05, 0.20, 0.15]), 0.18), 0.5);
        self.tufts(high.mix(self.film.light.sun, 0.12), low.mix(Rgb::BLACK, 0.20));
        if flowers {
            self.flowers();
        }
        if self.film.brief.weather == Weather::Leaves || self.film.brief.weather == Weather::Blossom {
            self.litter();
        }
    }

    pub(super) fn tufts(&mut self, lit: Rgb, dark: Rgb) {
        let short = self.film.short;
        for bucket in 0..5 {
            let near = (bucket as f32 + 0.5) / 5.0;
            let (mut shade, mut light) = (Pen::default(), Pen::default());
            for x in self.along(11.0 - 4.0 * near) {
                let share = near + self.random.within(-0.1, 0.1);
                let y = self.down(share.clamp(0.02, 1.0).powf(1.25));
                let k = short * (0.005 + 0.020 * near) * self.random.within(0.7, 1.2);
                for blade in [-1.0, 0.0, 1.0] {
                    shade = shade.to(x + blade * k * 0.35, y).quad([x + blade * k * 0.5, y - k * 0.6], x + blade * k * 0.95, y - k);
                }
                light = light.to(x + 0.2 * k, y).quad([x + 0.3 * k, y - 0.5 * k], x + 0.5 * k, y - 0.85 * k);
            }
            let width = (short * 0.0032 * (0.4 + near)).max(1.0);
            shade.stroke(self.c, width, &Ink::flat(dark, 0.55));
            light.stroke(self.c, width, &Ink::flat(lit, 0.6));
        }
    }

    pub(super) fn flowers(&mut self) {
        let short = self.film.short;
        let vivid = if self.film.light.level < 0.9 && !self.film.light.dark { 1.15 } else { 1.0 };
        let density = 8.0 + 18.0 * self.film.layout.frame.density;
        for (petal, heart) in [(0xffffff, 0xffc22e), (0xffe14d, 0xe08a1e), (0xff8fc0, 0xffe08a), (0xb99aff, 0xffe9a8)] {
            let (mut petals, mut hearts, mut stems) = (Pen::default(), Pen::default(), Pen::default());
            for x in self.along(density / 4.0) {
                let near = self.random.within(0.08, 1.0);
                let (y, k) = (self.down(near), short * (0.0035 + 0.0085 * near));
                stems = stems.to(x, y).line(x, y + 2.6 * k);
                for j in 0..5 {
                    let angle = TAU * j as f32 / 5.0;
                    petals = petals.circle(x + k * 0.72 * angle.cos(), y + k * 0.58 * angle.sin(), k * 0.52);
                }
                hearts = hearts.circle(x, y, k * 0.42);
            }
            let stem = self.leaf(0x3f8a3c);
            let (petal, heart) = (self.film.light.lit_by(Rgb::hex(petal), vivid), self.film.light.lit_by(Rgb::hex(heart), vivid));
            stems.stroke(self.c, short * 0.0028, &Ink::flat(stem, 0.8));
            petals.fill(self.c, &Ink::flat(petal, 1.0));
            hearts.fill(self.c, &Ink::flat(heart, 1.0));
        }
    }

    /// Fallen leaves or petals.
    pub(super) fn litter(&mut self) {
        let pink = self.film.brief.weather == Weather::Blossom;
        let colours: [u32; 3] = if pink { [0xffc9dd, 0xffa9c9, 0xffe3ee] } else { [0xe07a28, 0xc9472a, 0xf0b83a] };
        let short = self.film.short;
        for hex in colours {
            let mut specks = Pen::default();
            for x in self.along(16.0) {
                let near = self.random.within(0.03, 1.0);
                let k = short * (0.003 + 0.008 * near);
                specks = specks.oval(x, self.down(near), k, 0.45 * k);
            }
            let ink = Ink::flat(self.film.light.lit(Rgb::hex(hex)), 0.9);
            specks.fill(self.c, &ink);
        }
    }

    /// Drifts of snow with blue shade.
    pub(super) fn snow(&mut self) {
        let light = &self.film.light;
        let (high, low) = (light.lit(Rgb::hex(0xf4f9ff)), light.lit(Rgb::hex(0xcfe1f3)));
        let (shade, sun) = (light.lit(Rgb::hex(0xa9c5e6)), light.lit(Rgb::WHITE).mix(light.sun, 0.25));
        self.base(high, low);
        self.swells(8, sun, shade, 0.75);
        let short = self.film.short;
        let (mut hollows, mut sparks) = (Pen::default(), Pen::default());
        for x in self.along(14.0) {
            let near = self.random.unit();
            let (y, w) = (self.down(near), short * (0.012 + 0.05 * near) * self.random.within(0.5, 1.2));
            hollows = hollows.oval(x, y, w, 0.09 * w);
            sparks = sparks.circle(x + 1.7 * w, y - 0.3 * w, short * (0.0012 + 0.0016 * near));
        }
        hollows.fill(self.c, &Ink::flat(shade, 0.35));
        sparks.fill(self.c, &Ink::flat(Rgb::WHITE, 0.9));
    }

    /// Sand in ripples.
    pub(super) fn sand(&mut self, high: u32, low: u32) {
        let (high, low) = (self.tone(high), self.tone(low));
        self.base(high, low);
        self.swells(6, high.mix(self.film.light.sun, 0.35), low.mix(Rgb([0.45, 0.22, 0.20]), 0.25), 0.6);
        let short = self.film.short;
        for bucket in 0..4 {
            let near = (bucket as f32 + 0.6) / 4.0;
            let mut ripples = Pen::default();
            for x in self.along(7.0) {
                let share = near + self.random.within(-0.12, 0.12);
                let y = self.down(share.clamp(0.02, 1.0));
                let w = short * (0.03 + 0.10 * near) * self.random.within(0.6, 1.2);
                ripples = ripples.to(x - w, y).quad([x - 0.5 * w, y - 0.10 * w], x, y).quad([x + 0.5 * w, y + 0.10 * w], x + w, y);
            }
            let ink = Ink::flat(low.mix(Rgb([0.35, 0.18, 0.10]), 0.3), 0.35);
            ripples.stroke(self.c, short * (0.0015 + 0.0035 * near), &ink);
        }
    }

    /// Bare rock with cracks; where there is `glow`, it shines out of them.
    pub(super) fn rock(&mut self, high: u32, low: u32, glow: Option<Rgb>) {
        let (high, low) = (self.tone(high), self.tone(low));
        self.base(high, low);
        self.swells(6, high.mix(self.film.light.sun, 0.16), low.times(0.7), 0.55);
        let short = self.film.short;
        for bucket in 0..3 {
            let near = (bucket as f32 + 0.6) / 3.0;
            let mut cracks = Pen::default();
            for x in self.along(1.6) {
                let share = near + self.random.within(-0.2, 0.1);
                let (mut px, mut py) = (x, self.down(share.clamp(0.05, 1.0)));
                cracks = cracks.to(px, py);
                for _ in 0..4 {
                    px += short * self.random.within(0.015, 0.05) * (0.4 + near);
                    py += short * self.random.within(-0.016, 0.018) * near;
                    cracks = cracks.line(px, py);
                }
            }
            let width = short * (0.002 + 0.005 * near);
            let Some(path) = cracks.path() else { continue };
            if let Some(colour) = glow {
                self.c.stroke(&path, 4.5 * width, &Ink::flat(colour, 0.16));
                self.c.stroke(&path, 1.3 * width, &Ink::flat(colour.mix(Rgb([1.0, 0.9, 0.5]), 0.4), 0.9));
            } else {
                self.c.stroke(&path, width, &Ink::flat(low.times(0.6), 0.7));
            }
        }
        for x in self.along(4.0) {
            let near = self.random.within(0.05, 1.0);
            let (y, size) = (self.down(near), short * (0.006 + 0.022 * near) * self.random.within(0.5, 1.0));
            self.stone(x, y, size, 0x6f6468);
        }
    }

    /// Rows of crops that meet at the horizon, with another crop every few rows.
    pub(super) fn fields(&mut self) {
        if self.film.light.white {
            return self.snow();
        }
        let (top, bottom, middle, short) = (self.film.horizon, self.film.height, self.film.width / 2.0, self.film.short);
        self.grass(0xa5d765, 0x6cb045, false);
        let edge = top + 0.42 * (bottom - top);
        let width = short * 0.13;
        let rows = ((self.b - self.a) / width) as i32 + 8;
        let spread = 3.2;
        for row in -rows..rows {
            let patch = row.rem_euclid(8);
            let hex = match row.div_euclid(8).rem_euclid(3) {
                0 => 0xe9c356,
                1 => 0x7fbf4d,
                _ => 0xc9a06a,
            };
            let colour = self.leaf(hex).mix(self.film.light.haze, 0.10);
            let colour = if patch % 2 == 0 { colour } else { colour.mix(Rgb([0.20, 0.22, 0.05]), 0.22) };
            let (near, far) = (|r: i32| middle + r as f32 * width, |r: i32| middle + r as f32 * width / spread);
            let points = [[far(row), top], [far(row + 1) + 0.6, top], [near(row + 1) + 0.6, edge], [near(row), edge]];
            let faint = colour.mix(self.film.light.haze, 0.25);
            Pen::default().polygon(&points).fill(self.c, &Ink::linear([0.0, top], [0.0, edge], &[(faint, 1.0), (colour, 1.0)]));
        }
        let verge = self.leaf(0x5a9b3f);
        Pen::default().rect(self.a, edge - 0.006 * short, self.b, edge + 0.008 * short).fill(self.c, &Ink::flat(verge, 1.0));
    }

    /// A road across the picture, with verges of grass.
    pub(super) fn highway(&mut self) {
        self.grass(0x86c95a, 0x57a644, true);
        let short = self.film.short;
        let (top, end) = (self.down(0.22), self.down(0.80));
        let (tar, kerb, paint) = (self.tone(0x5d6270), self.tone(0xcfc9b8), self.tone(0xfffff2));
        Pen::default().rect(self.a, top - 0.014 * short, self.b, end + 0.018 * short).fill(self.c, &Ink::flat(kerb, 1.0));
        let ink = Ink::linear([0.0, top], [0.0, end], &[(tar.mix(Rgb::WHITE, 0.12), 1.0), (tar, 1.0)]);
        Pen::default().rect(self.a, top, self.b, end).fill(self.c, &ink);
        let middle = top + (end - top) * 0.42;
        let mut dashes = Pen::default();
        let mut x = (self.a / (0.34 * short)).floor() * 0.34 * short;
        while x < self.b {
            dashes = dashes.polygon(&[
                [x, middle],
                [x + 0.17 * short, middle],
                [x + 0.165 * short, middle + 0.016 * short],
                [x - 0.006 * short, middle + 0.016 * short],
            ]);
            x += 0.34 * short;
        }
        dashes.fill(self.c, &Ink::flat(paint, 1.0));
        let lines = [top + 0.014 * short, end - 0.02 * short];
        lines.iter().fold(Pen::default(), |pen, y| pen.rect(self.a, *y, self.b, y + 0.007 * short)).fill(self.c, &Ink::flat(paint, 0.85));
        let mut specks = Pen::default();
        for x in self.along(30.0) {
            let y = top + (end - top) * self.random.within(0.08, 0.92);
            specks = specks.oval(x, y, 0.006 * short, 0.0012 * short);
        }
        specks.fill(self.c, &Ink::flat(tar.mix(Rgb::BLACK, 0.4), 0.35));
    }

    /// A pavement of slabs, a kerb and a road.
    pub(super) fn pavement(&mut self) {
        let short = self.film.short;
        let (top, kerb) = (self.film.horizon, self.down(0.30));
        let slab = self.tone(if self.film.light.dark { 0x7f86aa } else { 0xa9a9b4 });
        let ink = Ink::linear([0.0, top], [0.0, kerb], &[(slab.mix(Rgb::BLACK, 0.08), 1.0), (slab.mix(Rgb::WHITE, 0.12), 1.0)]);
        Pen::default().rect(self.a, top, self.b, kerb + 1.0).fill(self.c, &ink);
        let mut joints = Pen::default();
        let step = 0.09 * short;
        let mut x = (self.a / step).floor() * step;
        while x < self.b {
            joints = joints.to(x, top).line(x + 0.02 * short, kerb);
            x += step;
        }
        joints = joints.to(self.a, self.down(0.13)).line(self.b, self.down(0.13));
        joints.stroke(self.c, 0.0022 * short, &Ink::flat(slab.mix(Rgb::BLACK, 0.35), 0.4));
        Pen::default().rect(self.a, kerb, self.b, kerb + 0.018 * short).fill(self.c, &Ink::flat(slab.mix(Rgb::WHITE, 0.3), 1.0));
        Pen::default()
            .rect(self.a, kerb + 0.012 * short, self.b, kerb + 0.02 * short)
            .fill(self.c, &Ink::flat(slab.mix(Rgb::BLACK, 0.4), 0.8));
        let tar = self.film.light.lit_by(Rgb::hex(0x4f5464), 1.1);
        let ink = Ink::linear([0.0, kerb], [0.0, self.film.height], &[(tar.mix(Rgb::WHITE, 0.10), 1.0), (tar, 1.0)]);
        Pen::default().rect(self.a, kerb + 0.018 * short, self.b, self.bottom + 1.0).fill(self.c, &ink);
        let middle = kerb + (self.film.height - kerb) * 0.52;
        let mut dashes = Pen::default();
        let mut x = (self.a / (0.4 * short)).floor() * 0.4 * short;
        while x < self.b {
            dashes = dashes.rect(x, middle, x + 0.2 * short, middle + 0.014 * short);
            x += 0.4 * short;
        }
        let paint = self.tone(0xfffce6);
        dashes.fill(self.c, &Ink::flat(paint, 0.75));
        if self.film.light.white {
            let snow = self.film.light.lit(Rgb::WHITE);
            Pen::default().rect(self.a, top, self.b, kerb).fill(self.c, &Ink::flat(snow, 0.82));
            Pen::default().rect(self.a, middle - 0.05 * short, self.b, middle + 0.06 * short).fill(self.c, &Ink::flat(snow, 0.45));
        }
    }
}
