//! Forest and jungle.

use super::plants::{Grove, Tree};
use super::{Layer, Layers};
use crate::canvas::{Ink, Rgb};
use crate::codes::{Hour, Weather};
use crate::paint::shape::{Pen, Wave};

impl Layers<'_> {
    pub(super) fn forest(&mut self) {
        let (rise, horizon, short) = (self.film.rise(), self.film.horizon, self.film.short);
        let firs = self.film.seed.is_multiple_of(2);
        let of: &[Tree] = if self.film.light.white {
            &[Tree::Fir]
        } else if firs {
            &[Tree::Fir, Tree::Fir, Tree::Round]
        } else {
            self.leafy(&[Tree::Round, Tree::Fir, Tree::Round])
        };
        self.add(0.05, 0.62, [horizon - 0.62 * rise, horizon + 0.10 * short], |l| l.canopy(0.44 * rise, 0x4b8a63));
        for (parallax, haze, size, density, drop) in [(0.12, 0.42, 0.42, 6.0, 0.0), (0.22, 0.22, 0.50, 3.6, 0.02)] {
            self.add(parallax, haze, [horizon - 1.35 * size * rise, horizon + 0.12 * short], |l| {
                l.grove(&Grove { of, density, size: size * rise, spread: 0.015 * short }, |_| horizon + drop * short);
            });
        }
        self.add(0.40, 0.06, [-9.0, horizon + 0.14 * short], |l| l.great_trunks(of.contains(&Tree::Blossom)));
        self.hedge();
        self.floor(|l| {
            l.grass(0x72b255, 0x3f8340, false);
            l.undergrowth();
        });
        self.sunbeams();
    }

    pub(super) fn jungle(&mut self) {
        let (rise, horizon, short) = (self.film.rise(), self.film.horizon, self.film.short);
        self.add(0.05, 0.48, [horizon - 0.80 * rise, horizon + 0.10 * short], |l| l.canopy(0.56 * rise, 0x4a9a68));
        self.add(0.11, 0.30, [horizon - 0.70 * rise, horizon + 0.12 * short], |l| {
            l.grove(&Grove { of: &[Tree::Round, Tree::Palm, Tree::Round], density: 4.5, size: 0.50 * rise, spread: 0.02 * short }, |_| {
                horizon
            });
        });
        self.add(0.22, 0.10, [horizon - 0.80 * rise, horizon + 0.12 * short], |l| {
            l.grove(&Grove { of: &[Tree::Palm], density: 3.2, size: 0.58 * rise, spread: 0.02 * short }, |_| horizon + 0.02 * short);
            for x in l.along(5.0) {
                l.fern(x, horizon + 0.03 * short, 0.11 * short, 0x3f8f4a);
            }
        });
        self.floor(|l| {
            l.grass(0x58a64e, 0x2b6b3a, false);
            l.undergrowth();
        });
        self.sunbeams();
        self.add(0.55, 0.02, [-9.0, 0.75 * self.film.height], |l| l.lianas());
        self.add(0.90, 0.0, [0.15 * self.film.height, self.film.height + 9.0], |l| l.jungle_frame());
    }

    /// Light that falls through the leaves, by day.
    pub(super) fn sunbeams(&mut self) {
        let clear = !matches!(self.film.brief.weather, Weather::Rain | Weather::Storm | Weather::Fog | Weather::Snow);
        if !clear || !matches!(self.film.brief.hour, Hour::Day | Hour::Dawn | Hour::Sunset) {
            return;
        }
        let (horizon, short) = (self.film.horizon, self.film.short);
        self.add(0.30, 0.0, [-9.0, horizon + 0.22 * short], |l| {
            let (side, bottom, sun) = (l.film.sun_side(), horizon + 0.20 * short, l.film.light.sun);
            for x in l.along(1.3) {
                let (wide, lean) = (short * l.random.within(0.04, 0.10), -side * 0.42 * bottom);
                let points = [[x, -9.0], [x + wide, -9.0], [x + lean + 2.2 * wide, bottom], [x + lean - 0.6 * wide, bottom]];
                Pen::default().polygon(&points).fill(l.c, &Ink::linear([0.0, 0.0], [0.0, bottom], &[(sun, 0.17), (sun, 0.09), (sun, 0.0)]));
            }
        });
    }
}

impl Layer<'_> {
    /// The wood as a mass far away.
    pub(super) fn canopy(&mut self, height: f32, hex: u32) {
        let (horizon, short) = (self.film.horizon, self.film.short);
        let wave = Wave::of(&mut self.random, horizon, 0.35 * height, 0.8 * short, 3);
        let leaf = self.leaf(hex);
        let dark = leaf.mix(self.far(Rgb([0.02, 0.10, 0.16])), 0.35);
        let mut mass = Pen::default().rect(self.a - 9.0, horizon - 0.55 * height, self.b + 9.0, self.bottom + 2.0);
        let mut lights = Pen::default();
        for x in self.along(16.0) {
            let radius = short * self.random.within(0.05, 0.085);
            let y = wave.y(x) - 0.62 * height + self.random.within(0.0, 0.05) * short;
            mass = mass.circle(x, y, radius);
            lights = lights.circle(x + self.film.sun_side() * 0.2 * radius, y - 0.2 * radius, 0.66 * radius);
        }
        mass.fill(self.c, &Ink::linear([0.0, horizon - height], [0.0, horizon], &[(leaf, 1.0), (dark, 1.0)]));
        let light = leaf.mix(self.far(self.film.light.sun), 0.25);
        lights.fill(self.c, &Ink::flat(light, 0.35));
        if self.film.light.white {
            let snow = self.far(self.film.light.lit(Rgb::WHITE));
            Pen::default().rect(self.a, horizon - 0.03 * short, self.b, horizon).fill(self.c, &Ink::flat(snow, 0.6));
        }
    }

    /// Trees so near that their crowns are above the frame.
    pub(super) fn great_trunks(&mut self, bloom: bool) {
        let (horizon, short, side) = (self.film.horizon, self.film.short, self.film.sun_side());
        let foot = horizon + 0.07 * short;
        for x in self.along(1.25) {
            let w = short * self.random.within(0.030, 0.048);
            let (bark, shade) = (self.tone(0x7a5a44), self.tone(0x463429));
            let ink = Ink::linear(
                [x + side * w, 0.0],
                [x - side * w, 0.0],
                &[(bark.mix(self.film.light.sun, 0.15), 1.0), (bark, 1.0), (shade, 1.0)],
            );
            Pen::at(x - 2.0 * w, foot + 0.02 * short)
                .quad([x - 0.9 * w, foot - 0.02 * short], x - 0.85 * w, foot - 0.14 * short)
                .line(x - 0.6 * w, -9.0)
                .line(x + 0.6 * w, -9.0)
                .line(x + 0.85 * w, foot - 0.14 * short)
                .quad([x + 0.9 * w, foot - 0.02 * short], x + 2.0 * w, foot + 0.02 * short)
                .close()
                .fill(self.c, &ink);
            let mut grooves = Pen::default();
            for j in 0..5 {
                let (gx, gy) = (x + w * (j as f32 * 0.3 - 0.6), self.random.within(0.1, 0.8) * foot);
                grooves = grooves.to(gx, gy).quad([gx + 0.1 * w, gy + 0.04 * short], gx, gy + 0.09 * short);
            }
            grooves.stroke(self.c, 0.004 * short, &Ink::flat(shade, 0.5));
        }
        if self.film.light.white {
            return;
        }
        let hex = if bloom { 0xffb5d0 } else { 0x4f9e45 };
        let leaf = if bloom { self.tone(hex) } else { self.leaf(hex) };
        for x in self.along(2.6) {
            let size = short * self.random.within(0.34, 0.50);
            let y = -0.03 * short + self.random.within(-0.05, 0.05) * short;
            self.crown(x, y, size, leaf.mix(Rgb([0.03, 0.12, 0.15]), 0.22));
        }
    }

    /// Ferns, stones and mushrooms on the ground.
    pub(super) fn undergrowth(&mut self) {
        if self.film.light.white {
            return;
        }
        let (horizon, depth, short) = (self.film.horizon, self.ground_depth(), self.film.short);
        for x in self.along(3.2) {
            let near = self.random.within(0.03, 0.85);
            let (y, size) = (horizon + depth * near, short * (0.03 + 0.05 * near));
            match self.random.below(4) {
                0 => self.mushroom(x, y, 0.55 * size),
                1 => self.stone(x, y, 0.35 * size, 0x8d9488),
                _ => self.fern(x, y, size, 0x3c8446),
            }
        }
    }

    pub(super) fn fern(&mut self, x: f32, y: f32, size: f32, hex: u32) {
        let leaf = self.leaf(hex);
        for (index, angle) in [0.06, 0.44, 0.13, 0.37, 0.20, 0.29].into_iter().enumerate() {
            let colour = leaf.mix(self.far(self.film.light.sun), 0.05 * index as f32);
            self.frond([x, y], angle, size * (0.8 + 0.06 * index as f32), colour);
        }
    }

    pub(super) fn mushroom(&mut self, x: f32, y: f32, size: f32) {
        let (stem, cap, dot) = (self.tone(0xf3e7d2), self.tone(0xd9453a), self.tone(0xfff6ea));
        Pen::default().oval(x, y - 0.30 * size, 0.15 * size, 0.32 * size).fill(self.c, &Ink::flat(stem, 1.0));
        Pen::at(x - 0.5 * size, y - 0.48 * size)
            .cubic([x - 0.45 * size, y - 1.1 * size], [x + 0.45 * size, y - 1.1 * size], x + 0.5 * size, y - 0.48 * size)
            .close()
            .fill(self.c, &Ink::flat(cap, 1.0));
        Pen::default()
            .circle(x - 0.18 * size, y - 0.66 * size, 0.07 * size)
            .circle(x + 0.16 * size, y - 0.70 * size, 0.08 * size)
            .fill(self.c, &Ink::flat(dot, 1.0));
    }

    /// Creepers and leaves from above.
    fn lianas(&mut self) {
        let (short, height) = (self.film.short, self.film.height);
        let (vine, leaf) = (self.leaf(0x3c7a40), self.leaf(0x4d9b48));
        for x in self.along(2.4) {
            let (long, sway) = (height * self.random.within(0.10, 0.42), short * self.random.within(-0.06, 0.06));
            Pen::at(x, -9.0).quad([x + sway, 0.5 * long], x, long).stroke(self.c, 0.007 * short, &Ink::flat(vine, 1.0));
            let mut leaves = Pen::default();
            for j in 1..8 {
                let share = j as f32 / 8.0;
                let (lx, ly) = (x + 2.0 * share * (1.0 - share) * sway, long * share);
                let way = if j % 2 == 0 { 0.028 } else { -0.028 } * short;
                leaves = leaves.to(lx, ly).quad([lx + 1.1 * way, ly - 0.4 * way.abs()], lx + 1.5 * way, ly + 0.7 * way.abs()).quad(
                    [lx + 0.3 * way, ly + 0.8 * way.abs()],
                    lx,
                    ly,
                );
            }
            leaves.fill(self.c, &Ink::flat(leaf, 1.0));
        }
        let deep = leaf.mix(Rgb([0.02, 0.12, 0.12]), 0.42);
        for x in self.along(3.0) {
            let size = short * self.random.within(0.26, 0.40);
            self.crown(x, -0.06 * short, size, deep);
        }
    }

    /// Big leaves at the frame's sides.
    fn jungle_frame(&mut self) {
        let (width, height, short) = (self.film.width, self.film.height, self.film.short);
        let mut x = -0.02 * width;
        let mut stands = vec![x];
        while x > self.a {
            x -= 1.04 * width;
            stands.push(x);
        }
        x = 1.02 * width;
        while x < self.b + 0.5 * width {
            stands.push(x);
            x += 1.04 * width;
        }
        for x in stands {
            for (rank, angle) in [0.02f32, 0.47, 0.09, 0.40, 0.16, 0.33].into_iter().enumerate() {
                let leaf = self.leaf(if rank % 2 == 0 { 0x2a6b3d } else { 0x347c43 });
                let reach = short * self.random.within(0.20, 0.30);
                self.frond([x, height + 0.01 * short], angle, 1.25 * reach, leaf);
                self.frond([x, 0.62 * height], angle, 0.8 * reach, leaf);
            }
        }
    }
}
