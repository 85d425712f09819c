//! Lands of tales in the sky and out of sugar: above the clouds, a land of rainbows, candy land.

use super::{Layer, Layers};
use crate::canvas::{Ink, Rgb};
use crate::paint::shape::{BLEED, Pen, Wave};

const RAINBOW: [u32; 7] = [0xff5f6d, 0xff9f45, 0xffe066, 0x7ddc6f, 0x5fb8ff, 0x7f7fe8, 0xc07fe8];

impl Layers<'_> {
    pub(super) fn above_the_clouds(&mut self) {
        let (rise, horizon, short, height) = (self.film.rise(), self.film.horizon, self.film.short, self.film.height);
        let light = &self.film.light;
        let (white, shade, sky) = (light.lit(Rgb::WHITE), light.lit(Rgb::hex(0xb9cff0)), light.sky[2]);
        for (parallax, up, size, blend) in [(0.04, 0.10, 0.07, 0.5), (0.10, 0.05, 0.09, 0.3), (0.24, 0.0, 0.11, 0.12)] {
            self.add(parallax, 0.0, [horizon - (up + 2.4 * size) * rise, height + BLEED], |l| {
                l.cloud_bank(horizon - (up - 0.6 * size) * rise, size * rise, 5.0, [white.mix(sky, blend), shade.mix(sky, blend)]);
                for x in l.along(0.8) {
                    let r = size * rise * l.random.within(1.2, 1.7);
                    l.heap(x, horizon - (up - 0.7 * size) * rise, r, [white.mix(sky, blend), shade.mix(sky, blend)]);
                }
            });
        }
        self.add(0.72, 0.0, [horizon - 0.16 * short, height + BLEED], |l| {
            l.cloud_bank(horizon + 0.05 * short, 0.09 * short, 7.0, [white, shade.mix(white, 0.25)]);
            for share in [0.30, 0.55, 0.85] {
                let y = l.down(share);
                let mut tops = Pen::default();
                for x in l.along(4.0) {
                    let r = short * (0.06 + 0.10 * share) * l.random.within(0.7, 1.2);
                    tops = tops.oval(x, y + l.random.within(-0.02, 0.02) * short, r, 0.42 * r);
                }
                tops.fill(l.c, &Ink::linear([0.0, y - 0.07 * short], [0.0, y + 0.08 * short], &[(white, 0.9), (shade, 0.25)]));
            }
        });
    }

    pub(super) fn rainbow_land(&mut self) {
        let (rise, horizon, short, width) = (self.film.rise(), self.film.horizon, self.film.short, self.film.width);
        let light = &self.film.light;
        let (white, shade) = (light.lit(Rgb::WHITE), light.lit(Rgb::hex(0xe6cfee)));
        if !self.film.casts("rainbow") {
            let radius = 0.52 * width.min(1.7 * rise);
            self.add(0.04, 0.0, [horizon - 1.1 * radius, horizon + 0.06 * short], |l| {
                for (index, hex) in RAINBOW.into_iter().enumerate() {
                    let colour = l.tone(hex);
                    let r = radius * (1.0 - 0.062 * index as f32);
                    Pen::default().circle(0.5 * width, horizon + 0.05 * short, r).stroke(l.c, 0.066 * radius, &Ink::flat(colour, 0.92));
                }
                for side in [-1.0, 1.0] {
                    l.heap(0.5 * width + side * 0.82 * radius, horizon + 0.04 * short, 0.26 * radius, [white, shade]);
                }
            });
        }
        for (parallax, base, height, hexes) in [(0.12, 0.05, 0.20, [0xd9b8ff, 0xb894ec]), (0.26, 0.05, 0.10, [0xffb8dc, 0xf092c4])] {
            self.add(parallax, 0.18, [horizon - 1.1 * height * rise, horizon + 0.10 * short], |l| {
                l.round_hills(horizon + base * rise, height * rise, 0.8 * short, hexes);
            });
        }
        self.floor(|l| l.grass(0xa8ecb0, 0x6fcf9a, true));
    }

    pub(super) fn candy_land(&mut self) {
        let (rise, horizon, short, width) = (self.film.rise(), self.film.horizon, self.film.short, self.film.width);
        for (parallax, base, height, hexes) in
            [(0.05, 0.05, 0.32, [0xd8b6f5, 0xb98fe6]), (0.12, 0.05, 0.22, [0xffb3d1, 0xf285b4]), (0.22, 0.05, 0.12, [0xfff0c4, 0xf6cf8a])]
        {
            self.add(parallax, 0.10, [horizon - 1.1 * height * rise, horizon + 0.10 * short], |l| {
                l.round_hills(horizon + base * rise, height * rise, 0.9 * short, hexes);
            });
        }
        self.add(0.32, 0.0, [horizon - 0.62 * rise, horizon + 0.10 * short], |l| {
            let middle = 0.5 * width;
            for (index, x) in l.along(3.0).into_iter().enumerate() {
                let size = rise * l.random.within(0.30, 0.54) * if (x - middle).abs() < 0.16 * width { 0.6 } else { 1.0 };
                match index % 3 {
                    0 => l.lollipop(x, horizon + 0.05 * short, size, index),
                    1 => l.candy_cane(x, horizon + 0.05 * short, size),
                    _ => l.cotton_candy(x, horizon + 0.05 * short, 0.9 * size, index),
                }
            }
        });
        self.floor(|l| {
            let (high, low) = (l.tone(0xffc9e2), l.tone(0xf58fbf));
            l.base(high, low);
            l.swells(6, Rgb::WHITE.mix(high, 0.3), low.times(0.92), 0.5);
            // A river of chocolate.
            let (cream, dark) = (l.tone(0x9c6238), l.tone(0x5f3519));
            let middle = l.down(0.12);
            let wave = Wave::of(&mut l.random, middle, 0.03 * short, 0.9 * short, 2);
            let upper: Vec<[f32; 2]> = l.steps().into_iter().map(|x| [x, wave.y(x)]).collect();
            let mut band = upper.clone();
            band.extend(upper.iter().rev().map(|[x, y]| [*x, y + 0.17 * l.ground_depth()]));
            Pen::default().polygon(&band).fill(l.c, &Ink::linear([0.0, l.down(0.04)], [0.0, l.down(0.24)], &[(cream, 1.0), (dark, 1.0)]));
            let shine: Vec<[f32; 2]> = upper.iter().map(|[x, y]| [*x, y + 0.025 * l.ground_depth()]).collect();
            Pen::default().line_through(&shine).stroke(l.c, 0.006 * short, &Ink::flat(Rgb::hex(0xd9a878), 0.7));
            for x in l.along(7.0) {
                let near = l.random.within(0.28, 1.0);
                let (y, r) = (l.down(near), short * (0.012 + 0.026 * near));
                let hex = l.random.one(&[0xff5f6d, 0x5fb8ff, 0xffe066, 0x7ddc6f, 0xc07fe8]);
                let colour = l.tone(hex);
                l.c.puff(x, y + 0.5 * r, 1.2 * r, 0.4 * r, Rgb::hex(0x8f3f6a), 0.35, crate::canvas::Puff::default());
                Pen::default()
                    .oval(x, y, r, 0.78 * r)
                    .fill(l.c, &Ink::linear([0.0, y - r], [0.0, y + r], &[(colour.mix(Rgb::WHITE, 0.35), 1.0), (colour, 1.0)]));
                Pen::default().oval(x - 0.3 * r, y - 0.35 * r, 0.28 * r, 0.14 * r).fill(l.c, &Ink::flat(Rgb::WHITE, 0.8));
            }
        });
    }
}

impl Layer<'_> {
    /// A heap of cloud that towers.
    fn heap(&mut self, x: f32, y: f32, r: f32, [light, shade]: [Rgb; 2]) {
        let puffs = [(-1.1, 0.0, 0.55), (1.1, 0.05, 0.5), (-0.5, -0.45, 0.7), (0.55, -0.35, 0.62), (0.05, -0.9, 0.62)];
        let body = puffs.iter().fold(Pen::default(), |pen, (dx, dy, k)| pen.circle(x + dx * r, y + dy * r, k * r));
        body.fill(self.c, &Ink::linear([0.0, y - 1.5 * r], [0.0, y + 0.6 * r], &[(light, 1.0), (shade, 1.0)]));
        let side = self.film.sun_side();
        let tops =
            puffs.iter().fold(Pen::default(), |pen, (dx, dy, k)| pen.circle(x + (dx + 0.10 * side) * r, y + (dy - 0.10) * r, 0.72 * k * r));
        tops.fill(self.c, &Ink::linear([0.0, y - 1.5 * r], [0.0, y + 0.2 * r], &[(light.mix(Rgb::WHITE, 0.5), 0.8), (light, 0.0)]));
    }

    fn lollipop(&mut self, x: f32, y: f32, size: f32, which: usize) {
        let (r, cy) = (0.24 * size, y - 0.76 * size);
        let [one, other] = [[0xff5f8f, 0xffffff], [0x5fb8ff, 0xfff3a8], [0x9f6fe8, 0xffd0f0]][which % 3].map(|hex| self.tone(hex));
        Pen::default().rect(x - 0.022 * size, cy, x + 0.022 * size, y).fill(self.c, &Ink::flat(Rgb::WHITE.mix(one, 0.12), 1.0));
        self.c.circle(x, cy, r, &Ink::flat(one, 1.0));
        let turns: Vec<[f32; 2]> = (0..70)
            .map(|j| {
                let (angle, far) = (0.30 * j as f32, r * 0.88 * (j as f32 / 70.0));
                [x + far * angle.cos(), cy + far * angle.sin()]
            })
            .collect();
        Pen::default().line_through(&turns).stroke(self.c, 0.17 * r, &Ink::flat(other, 0.95));
        Pen::default().oval(x - 0.4 * r, cy - 0.5 * r, 0.24 * r, 0.14 * r).fill(self.c, &Ink::flat(Rgb::WHITE, 0.7));
    }

    fn candy_cane(&mut self, x: f32, y: f32, size: f32) {
        let (red, white) = (self.tone(0xf03a4a), self.tone(0xffffff));
        let (w, r) = (0.085 * size, 0.16 * size);
        let top = y - 0.82 * size;
        let points: Vec<[f32; 2]> = (0..=40)
            .map(|j| {
                let s = j as f32 / 40.0;
                if s < 0.6 {
                    return [x, y - (y - top) * s / 0.6];
                }
                let angle = std::f32::consts::PI * (1.0 - (s - 0.6) / 0.4);
                [x + r + r * angle.cos(), top - r * angle.sin()]
            })
            .collect();
        Pen::default().line_through(&points).stroke(self.c, w, &Ink::flat(white, 1.0));
        let stripes = points.windows(2).step_by(6).fold(Pen::default(), |pen, pair| match pair {
            [[ax, ay], [bx, by]] => pen.to(*ax, *ay).line(*bx, *by),
            _ => pen,
        });
        stripes.stroke(self.c, w, &Ink::flat(red, 1.0));
    }

    fn cotton_candy(&mut self, x: f32, y: f32, size: f32, which: usize) {
        let (pink, stem) = (self.tone(if which.is_multiple_of(2) { 0xff9fd0 } else { 0x9fd8ff }), self.tone(0xc98a5a));
        Pen::default()
            .polygon(&[[x - 0.05 * size, y], [x - 0.03 * size, y - 0.5 * size], [x + 0.03 * size, y - 0.5 * size], [x + 0.05 * size, y]])
            .fill(self.c, &Ink::flat(stem, 1.0));
        self.crown(x, y - 0.62 * size, 0.72 * size, pink);
    }
}
