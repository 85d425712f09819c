//! Away from the earth: Mars, a planet of another sun, a belt of asteroids, a black hole.

use std::f32::consts::TAU;

use super::{Layer, Layers};
use crate::canvas::{Ink, Puff, Rgb};
use crate::paint::shape::{Pen, Wave, about};

impl Layers<'_> {
    pub(super) fn mars(&mut self) {
        let (rise, horizon, short) = (self.film.rise(), self.film.horizon, self.film.short);
        for (parallax, haze, density, tall) in [(0.04, 0.52, 1.1, 0.24), (0.10, 0.30, 0.8, 0.30)] {
            self.add(parallax, haze, [horizon - 1.2 * tall * rise, horizon + 0.06 * short], |l| {
                for x in l.along(density) {
                    let (half, high) = (rise * l.random.within(0.14, 0.28), rise * tall * l.random.within(0.5, 1.05));
                    let points = [
                        [x - half, horizon + 0.05 * short],
                        [x - 0.62 * half, horizon - 0.55 * high],
                        [x - 0.5 * half, horizon - 0.95 * high],
                        [x + 0.4 * half, horizon - high],
                        [x + 0.6 * half, horizon - 0.5 * high],
                        [x + half, horizon + 0.05 * short],
                    ];
                    l.strata(&points, [x, half], [horizon - high, horizon + 0.05 * short], &[0xb4532f, 0xc8693d, 0x93401f]);
                }
            });
        }
        self.floor(|l| {
            l.sand(0xcf6f42, 0x9c4526);
            l.craters(0xd98a5c, 0x7a3018);
            for x in l.along(7.0) {
                let near = l.random.within(0.02, 0.95);
                let (y, size) = (l.down(near), short * (0.008 + 0.035 * near) * l.random.within(0.5, 1.1));
                l.stone(x, y, size, 0x9c4f30);
            }
        });
    }

    pub(super) fn alien_planet(&mut self) {
        let (rise, horizon, short, width, height) =
            (self.film.rise(), self.film.horizon, self.film.short, self.film.width, self.film.height);
        let side = self.film.free_side();
        let (x, y, radius) = (width * (0.5 + 0.30 * side), 0.26 * height.min(1.3 * width), 0.15 * rise);
        self.add(0.02, 0.0, [y - 2.4 * radius, y + 2.4 * radius], |l| l.planet(x, y, radius));
        let (mx, my, small) = (width * (0.5 - 0.34 * side), 0.18 * height, 0.045 * rise);
        self.add(0.03, 0.0, [my - 3.0 * small, my + 3.0 * small], |l| l.little_moon(mx, my, small));
        for (parallax, haze, tall) in [(0.06, 0.55, 0.34), (0.14, 0.28, 0.26)] {
            self.add(parallax, haze, [horizon - 1.2 * tall * rise, horizon + 0.06 * short], |l| {
                for x in l.along(3.0) {
                    let (half, high) = (rise * l.random.within(0.03, 0.09), rise * tall * l.random.within(0.4, 1.05));
                    let lean = l.random.within(-0.3, 0.3) * half;
                    let points = [
                        [x - 1.6 * half, horizon + 0.05 * short],
                        [x - 0.6 * half, horizon - 0.45 * high],
                        [x + lean, horizon - high],
                        [x + 0.7 * half, horizon - 0.4 * high],
                        [x + 1.7 * half, horizon + 0.05 * short],
                    ];
                    let rock = l.tone(0x7a4fa0);
                    l.shaded(&points, [x, half], rock);
                }
            });
        }
        self.add(0.34, 0.06, [horizon - 0.34 * rise, horizon + 0.10 * short], |l| {
            for x in l.along(2.0) {
                let size = rise * l.random.within(0.10, 0.24);
                l.strange_plant(x, horizon + 0.03 * short, size);
            }
        });
        self.floor(|l| {
            let (high, low) = (l.tone(0x6fb8a8), l.tone(0x35617f));
            l.base(high, low);
            l.swells(6, high.mix(Rgb::WHITE, 0.25), low.times(0.75), 0.6);
            l.craters(0x8fd8c0, 0x2c4a68);
            for x in l.along(3.0) {
                let near = l.random.within(0.05, 0.9);
                let (y, size) = (l.down(near), short * (0.02 + 0.05 * near));
                let hex = l.random.one(&[0x7df0e0, 0xff8fd8, 0xc8ff7a]);
                l.glowing_mushroom(x, y, size, hex);
            }
        });
    }

    pub(super) fn asteroids(&mut self) {
        let (width, height, short) = (self.film.width, self.film.height, self.film.short);
        for (parallax, density, [small, large], dim) in
            [(0.05, 9.0, [0.006, 0.018], 0.45), (0.12, 5.0, [0.02, 0.045], 0.7), (0.24, 1.8, [0.06, 0.13], 1.0)]
        {
            self.add(parallax, 0.0, [-9.0, height + 9.0], |l| {
                let side = l.film.free_side();
                for x in l.along(density) {
                    let size = short * l.random.within(small, large);
                    // A belt from corner to corner; great ones keep away from the middle.
                    let middle = height * (0.5 + 0.55 * side * (x / width - 0.5));
                    let off = l.random.within(-0.24, 0.24) * height;
                    let free = if small > 0.05 { off.signum() * 0.30 * height } else { 0.0 };
                    l.asteroid(x, middle + off + free, size, dim);
                }
            });
        }
    }

    pub(super) fn black_hole(&mut self) {
        let (width, height, rise) = (self.film.width, self.film.height, self.film.rise());
        let (x, y, r) = (width * (0.5 + 0.22 * self.film.free_side()), 0.40 * height, 0.16 * rise.min(0.9 * width));
        self.add(0.05, 0.0, [-9.0, height + 9.0], |l| l.hole(x, y, r));
    }
}

impl Layer<'_> {
    /// Round hollows, a lit rim on the far side.
    fn craters(&mut self, rim: u32, hollow: u32) {
        let (short, side) = (self.film.short, self.film.sun_side());
        let (rim, hollow) = (self.tone(rim), self.tone(hollow));
        let mut craters: Vec<[f32; 2]> = self.along(4.0).into_iter().map(|x| [x, 0.0]).collect();
        for crater in &mut craters {
            crater[1] = self.random.within(0.04, 0.9);
        }
        craters.sort_by(|one, other| one[1].total_cmp(&other[1]));
        for [x, near] in craters {
            let (y, r) = (self.down(near), short * (0.02 + 0.09 * near) * self.random.within(0.5, 1.1));
            let ry = r * (0.18 + 0.12 * near);
            self.c.oval(about(x, y, 1.14 * r, 1.2 * ry), &Ink::flat(rim, 0.9));
            self.c.oval(
                about(x, y + 0.1 * ry, r, ry),
                &Ink::linear([x + side * r, y], [x - side * r, y], &[(hollow, 1.0), (hollow.mix(rim, 0.7), 1.0)]),
            );
        }
    }

    /// A stalk with curled arms and balls that shine.
    fn strange_plant(&mut self, x: f32, y: f32, size: f32) {
        let hex = self.random.one(&[0xff7fc8, 0x7df0e0, 0xffd36b]);
        let (stalk, ball) = (self.tone(0x3f5f8f), Rgb::hex(hex));
        for (lean, tall) in [(-0.34, 0.72), (0.0, 1.0), (0.36, 0.80)] {
            let tip = [x + lean * size, y - tall * size];
            Pen::at(x, y).quad([x - 0.2 * lean * size, y - 0.7 * tall * size], tip[0], tip[1]).stroke(
                self.c,
                0.055 * size,
                &Ink::flat(stalk, 1.0),
            );
            self.c.puff(tip[0], tip[1], 0.30 * size, 0.30 * size, ball, 0.4, Puff { add: true, firm: false });
            self.c.circle(tip[0], tip[1], 0.11 * size, &Ink::flat(ball, 1.0));
            self.c.circle(tip[0] - 0.03 * size, tip[1] - 0.03 * size, 0.04 * size, &Ink::flat(Rgb::WHITE, 0.7));
        }
    }

    fn asteroid(&mut self, x: f32, y: f32, size: f32, dim: f32) {
        let points: Vec<[f32; 2]> = (0..11)
            .map(|j| {
                let (angle, far) = (TAU * j as f32 / 11.0, size * self.random.within(0.76, 1.08));
                [x + 1.15 * far * angle.cos(), y + 0.9 * far * angle.sin()]
            })
            .collect();
        let (lit, dark) = (Rgb::hex(0xb09a88).times(dim), Rgb::hex(0x3d3340).times(dim));
        let ink =
            Ink::linear([x - size, y - size], [x + 0.8 * size, y + 0.8 * size], &[(lit, 1.0), (lit.mix(dark, 0.4), 1.0), (dark, 1.0)]);
        let Some(path) = Pen::default().polygon(&points).path() else { return };
        self.c.fill(&path, &ink);
        if size > 0.018 * self.film.short {
            self.c.clipped(&path, |c| {
                for (dx, dy, r) in [(-0.35, -0.25, 0.26), (0.30, 0.10, 0.20), (-0.05, 0.45, 0.16), (0.25, -0.48, 0.13)] {
                    c.oval(about(x + dx * size, y + dy * size, r * size, 0.8 * r * size), &Ink::flat(dark, 0.65));
                    c.oval(about(x + (dx + 0.05) * size, y + (dy + 0.06) * size, 0.8 * r * size, 0.6 * r * size), &Ink::flat(lit, 0.35));
                }
            });
        }
    }

    /// A black disc, the light bent around it and the glowing ring before it.
    fn hole(&mut self, x: f32, y: f32, r: f32) {
        let (hot, gold, red) = (Rgb([1.0, 0.96, 0.84]), Rgb([1.0, 0.68, 0.24]), Rgb([0.86, 0.26, 0.12]));
        let light = Puff { add: true, firm: false };
        self.c.puff(x, y, 4.2 * r, 2.4 * r, red, 0.5, light);
        self.c.puff(x, y, 2.3 * r, 2.1 * r, gold, 0.6, light);
        let disc = |c: &mut crate::canvas::Canvas, near: bool| {
            for (far, wide, colour, alpha) in
                [(2.9, 0.30, red, 0.55), (2.4, 0.34, gold, 0.75), (1.95, 0.34, gold.mix(hot, 0.5), 0.9), (1.55, 0.22, hot, 1.0)]
            {
                let points: Vec<[f32; 2]> = (0..=48)
                    .map(|j| {
                        let angle = TAU * (j as f32 / 96.0 + if near { 0.0 } else { 0.5 });
                        let (dx, dy) = (far * r * angle.cos(), 0.20 * far * r * angle.sin());
                        [x + dx, y + dy - 0.16 * dx]
                    })
                    .collect();
                Pen::default().line_through(&points).stroke(c, wide * r, &Ink::flat(colour, alpha));
            }
        };
        disc(self.c, false);
        for (far, wide, colour) in [(1.34, 0.26, gold), (1.20, 0.14, hot)] {
            Pen::default().circle(x, y, far * r).stroke(self.c, wide * r, &Ink::flat(colour, 0.9));
        }
        self.c.circle(x, y, 1.10 * r, &Ink::flat(Rgb::BLACK, 1.0));
        disc(self.c, true);
    }

    /// Hills like loaves, one behind the other.
    pub(super) fn round_hills(&mut self, base: f32, height: f32, length: f32, hexes: [u32; 2]) {
        let wave = Wave::of(&mut self.random, base, height, length, 1);
        let [high, low] = hexes.map(|hex| self.tone(hex));
        let points: Vec<[f32; 2]> = self.steps().into_iter().map(|x| [x, wave.y(x)]).collect();
        self.under(&points, &Ink::linear([0.0, base - height], [0.0, base + 0.1 * self.film.short], &[(high, 1.0), (low, 1.0)]));
    }
}
