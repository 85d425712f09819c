//! Trees, bushes, grass and flowers. A plant stands with its foot at (x, y) and is `size` pixels high.

use std::f32::consts::TAU;

use super::Layer;
use crate::canvas::{Ink, Rgb};
use crate::codes::Weather;
use crate::paint::shape::Pen;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Tree {
    Round,
    Fir,
    Poplar,
    Palm,
    Cactus,
    Blossom,
}

/// What is sown along a layer.
pub(super) struct Grove<'a> {
    pub of: &'a [Tree],
    /// For each short side of the frame.
    pub density: f32,
    /// Pixels.
    pub size: f32,
    /// How far the feet scatter, in pixels.
    pub spread: f32,
}

impl Layer<'_> {
    /// Trees along a line, those with lower feet in front.
    pub(super) fn grove(&mut self, grove: &Grove<'_>, foot: impl Fn(f32) -> f32) {
        let mut feet: Vec<[f32; 2]> = Vec::new();
        for x in self.along(grove.density) {
            feet.push([x, foot(x) + grove.spread * self.random.unit()]);
        }
        feet.sort_by(|one, other| one[1].total_cmp(&other[1]));
        for [x, y] in feet {
            let (tree, size) = (self.random.one(grove.of), grove.size * self.random.within(0.72, 1.25));
            self.tree(tree, x, y, size);
        }
    }

    pub(super) fn tree(&mut self, tree: Tree, x: f32, y: f32, size: f32) {
        match tree {
            Tree::Round => self.round_tree(x, y, size),
            Tree::Fir => self.fir(x, y, size),
            Tree::Poplar => self.poplar(x, y, size),
            Tree::Palm => self.palm(x, y, size),
            Tree::Cactus => self.cactus(x, y, size),
            Tree::Blossom => self.blossom(x, y, size),
        }
    }

    /// From the sun's side of something to the other.
    pub(super) fn sidelight(&self, x: f32, half: f32, lit: Rgb, dark: Rgb) -> Ink {
        let side = self.film.sun_side() * half;
        Ink::linear([x + side, 0.0], [x - side, 0.0], &[(lit, 1.0), (lit.mix(dark, 0.5), 1.0), (dark, 1.0)])
    }

    fn crown_colour(&mut self) -> u32 {
        match self.film.brief.weather {
            Weather::Leaves => self.random.one(&[0xe0852d, 0xd2552a, 0xe8b13a, 0xb9452c]),
            _ => self.random.one(&[0x4f9e45, 0x5fae4a, 0x3f8f4a, 0x6db552]),
        }
    }

    pub(super) fn trunk(&mut self, x: f32, y: f32, size: f32, width: f32) {
        let (bark, shade) = (self.tone(0x8a6244), self.tone(0x5d3f31));
        let (w, h) = (width * size, size * 0.62);
        let ink = self.sidelight(x, w, bark, shade);
        Pen::at(x - w, y + 0.01 * size)
            .quad([x - 0.6 * w, y - 0.3 * h], x - 0.55 * w, y - h)
            .line(x + 0.55 * w, y - h)
            .quad([x + 0.6 * w, y - 0.3 * h], x + w, y + 0.01 * size)
            .close()
            .fill(self.c, &ink);
        Pen::at(x, y - 0.42 * size).line(x + 0.15 * size, y - 0.62 * size).stroke(self.c, 0.8 * w, &Ink::flat(shade, 1.0));
        Pen::at(x, y - 0.36 * size).line(x - 0.15 * size, y - 0.58 * size).stroke(self.c, 0.8 * w, &Ink::flat(shade, 1.0));
    }

    pub(super) fn round_tree(&mut self, x: f32, y: f32, size: f32) {
        self.trunk(x, y, size, 0.055);
        let hex = self.crown_colour();
        let green = self.far(self.film.light.lit(Rgb::hex(hex)));
        self.crown(x, y - 0.64 * size, size, green);
    }

    /// A mass of leaves about (x, y): blobs in shade, lit ones towards the sun on top.
    pub(super) fn crown(&mut self, x: f32, y: f32, size: f32, leaf: Rgb) {
        let deep = leaf.mix(self.far(Rgb([0.04, 0.14, 0.22])), 0.38);
        let bright = leaf.mix(self.far(self.film.light.sun), 0.30);
        let side = self.film.sun_side();
        let blobs: Vec<[f32; 3]> = (0..7)
            .map(|j| {
                let angle = TAU * j as f32 / 7.0 + self.random.within(-0.3, 0.3);
                let radius = size * self.random.within(0.15, 0.21);
                [x + 0.21 * size * angle.cos(), y + 0.165 * size * angle.sin(), radius]
            })
            .collect();
        let body = blobs.iter().fold(Pen::default().circle(x, y, 0.25 * size), |pen, [bx, by, r]| pen.circle(*bx, *by, *r));
        body.fill(self.c, &Ink::linear([0.0, y - 0.3 * size], [0.0, y + 0.33 * size], &[(leaf, 1.0), (deep, 1.0)]));
        let mut light = Pen::default();
        for [bx, by, r] in &blobs {
            if (bx - x) * side > -0.10 * size && *by < y + 0.08 * size {
                light = light.circle(bx + side * 0.12 * r, by - 0.16 * r, 0.74 * r);
            }
        }
        light.fill(self.c, &Ink::linear([0.0, y - 0.34 * size], [0.0, y + 0.10 * size], &[(bright, 0.85), (bright, 0.15)]));
        if self.film.light.white {
            let snow = self.far(self.film.light.lit(Rgb::WHITE));
            let caps = blobs.iter().filter(|blob| blob[1] < y + 0.02 * size);
            caps.fold(Pen::default(), |pen, [bx, by, r]| pen.oval(*bx, by - 0.62 * r, 0.74 * r, 0.40 * r))
                .fill(self.c, &Ink::flat(snow, 0.95));
        }
    }

    fn fir(&mut self, x: f32, y: f32, size: f32) {
        let hex = self.random.one(&[0x2f7d4f, 0x3a8a55, 0x2a7048]);
        let leaf = self.far(self.film.light.lit(Rgb::hex(hex)));
        let dark = leaf.mix(self.far(Rgb([0.03, 0.12, 0.20])), 0.42);
        let bright = leaf.mix(self.far(self.film.light.sun), 0.22);
        let bark = self.tone(0x6b4a36);
        Pen::default().rect(x - 0.026 * size, y - 0.16 * size, x + 0.026 * size, y + 0.01 * size).fill(self.c, &Ink::flat(bark, 1.0));
        let tiers = 4;
        let tier = |j: usize| {
            let share = j as f32 / tiers as f32;
            let (top, bottom) = (y - size * (1.0 - 0.74 * share), y - size * (0.70 - 0.80 * share));
            (top, bottom, size * (0.13 + 0.16 * share))
        };
        for j in (0..tiers).rev() {
            let (top, bottom, half) = tier(j);
            let ink = self.sidelight(x, half, bright, dark);
            let sag = 0.035 * size;
            Pen::at(x, top)
                .quad([x + 0.35 * half, bottom - 0.10 * size], x + half, bottom)
                .quad([x + 0.5 * half, bottom + sag], x, bottom + 0.3 * sag)
                .quad([x - 0.5 * half, bottom + sag], x - half, bottom)
                .quad([x - 0.35 * half, bottom - 0.10 * size], x, top)
                .close()
                .fill(self.c, &ink);
        }
        if self.film.light.white {
            let snow = self.far(self.film.light.lit(Rgb::WHITE));
            let mut caps = Pen::default();
            for j in 0..tiers {
                let (top, bottom, half) = tier(j);
                let (deep, wide) = (top + (bottom - top) * 0.62, 0.48 * half);
                let top = if j == 0 { top } else { top + (bottom - top) * 0.30 };
                caps = caps.polygon(&[
                    [x, top],
                    [x + wide, deep],
                    [x + 0.5 * wide, deep - 0.02 * size],
                    [x, deep + 0.015 * size],
                    [x - 0.5 * wide, deep - 0.02 * size],
                    [x - wide, deep],
                ]);
            }
            caps.fill(self.c, &Ink::flat(snow, 0.95));
        }
    }

    fn poplar(&mut self, x: f32, y: f32, size: f32) {
        let leaf = self.leaf(0x5c9f4a);
        let (bright, dark) = (leaf.mix(self.film.light.sun, 0.2), leaf.mix(Rgb([0.05, 0.15, 0.2]), 0.35));
        let bark = self.tone(0x6b4a36);
        Pen::default().rect(x - 0.02 * size, y - 0.2 * size, x + 0.02 * size, y).fill(self.c, &Ink::flat(bark, 1.0));
        let ink = self.sidelight(x, 0.12 * size, bright, dark);
        Pen::at(x, y - size)
            .cubic([x + 0.16 * size, y - 0.7 * size], [x + 0.16 * size, y - 0.1 * size], x, y - 0.1 * size)
            .cubic([x - 0.16 * size, y - 0.1 * size], [x - 0.16 * size, y - 0.7 * size], x, y - size)
            .close()
            .fill(self.c, &ink);
    }

    /// A cherry tree in bloom.
    fn blossom(&mut self, x: f32, y: f32, size: f32) {
        let (bark, shade) = (self.tone(0x7d5648), self.tone(0x54362f));
        let ink = self.sidelight(x, 0.06 * size, bark, shade);
        Pen::at(x - 0.05 * size, y)
            .cubic([x - 0.02 * size, y - 0.3 * size], [x - 0.05 * size, y - 0.4 * size], x - 0.22 * size, y - 0.62 * size)
            .line(x - 0.14 * size, y - 0.64 * size)
            .line(x, y - 0.46 * size)
            .line(x + 0.16 * size, y - 0.66 * size)
            .line(x + 0.22 * size, y - 0.60 * size)
            .cubic([x + 0.06 * size, y - 0.4 * size], [x + 0.04 * size, y - 0.2 * size], x + 0.055 * size, y)
            .close()
            .fill(self.c, &ink);
        let rows = [(0xf08cb4, 0.30, 0.34), (0xff9fc4, 0.62, 0.80), (0xffbfd8, 0.95, 0.88), (0xffe2ee, 1.25, 0.92)];
        for (row, (hex, lift, spread)) in rows.into_iter().enumerate() {
            let mut petals = Pen::default();
            for _ in 0..13 {
                let (angle, far) = (self.random.within(0.0, TAU), self.random.unit().sqrt());
                let lean = self.film.sun_side() * 0.03 * size * row as f32;
                let cx = x + lean + 0.42 * size * far * angle.cos() * (0.75 + 0.25 * spread);
                let cy = y - size * (0.62 + 0.10 * lift) + 0.22 * size * far * angle.sin();
                petals = petals.circle(cx, cy, size * self.random.within(0.055, 0.105) * (1.25 - 0.15 * row as f32));
            }
            let ink = Ink::flat(self.tone(hex), 0.96);
            petals.fill(self.c, &ink);
        }
    }

    pub(super) fn palm(&mut self, x: f32, y: f32, size: f32) {
        let lean = self.random.within(-0.16, 0.16) * size;
        let (bark, shade) = (self.tone(0xb08a5c), self.tone(0x7d5a3c));
        let (top, half) = ([x + lean, y - 0.70 * size], 0.028 * size);
        let ink = self.sidelight(x, 0.05 * size, bark, shade);
        Pen::at(x - 1.5 * half, y)
            .quad([x - half, y - 0.4 * size], top[0] - 0.7 * half, top[1])
            .line(top[0] + 0.7 * half, top[1])
            .quad([x + 1.2 * half, y - 0.4 * size], x + 1.5 * half, y)
            .close()
            .fill(self.c, &ink);
        let (leaf, under) = (self.leaf(0x58ad48), self.leaf(0x2f7d45));
        for (index, angle) in [0.94f32, 0.56, 0.19, 0.40, 0.04, 0.47, 0.29, 0.11].into_iter().enumerate() {
            let reach = size * self.random.within(0.36, 0.46);
            let colour = if index < 4 { under } else { leaf };
            let angle = angle + self.random.within(-0.02, 0.02);
            self.frond(top, angle, reach, colour);
        }
        let nuts = Ink::flat(self.tone(0x6b4428), 1.0);
        Pen::default()
            .circle(top[0] - 0.03 * size, top[1] + 0.02 * size, 0.028 * size)
            .circle(top[0] + 0.03 * size, top[1] + 0.025 * size, 0.028 * size)
            .fill(self.c, &nuts);
    }

    /// A feathered leaf that leaves `from` at `angle` (turns, 0 right, a quarter up) and bows down.
    pub(super) fn frond(&mut self, from: [f32; 2], angle: f32, reach: f32, colour: Rgb) {
        const PARTS: usize = 9;
        let (dx, dy) = ((TAU * angle).cos(), -(TAU * angle).sin());
        let spine = |s: f32| [from[0] + dx * reach * s, from[1] + dy * reach * s * (1.0 - 0.35 * s) + 0.42 * reach * s * s];
        let (mut upper, mut lower) = (Vec::new(), Vec::new());
        for part in 0..=PARTS {
            let s = part as f32 / PARTS as f32;
            let ([x, y], [nx, ny]) = (spine(s), spine(s + 0.02));
            let (tx, ty) = (nx - x, ny - y);
            let long = tx.hypot(ty).max(1e-3);
            let half = 0.115 * reach * (s.sqrt() * (1.0 - s * s)).max(0.0);
            let [ox, oy] = [-ty / long * half, tx / long * half];
            let (back, side) = (0.30 * half * tx / long, 0.30 * half * ty / long);
            upper.push([x - ox, y - oy]);
            lower.push([x + ox + back, y + oy + side]);
            if part > 0 && part < PARTS {
                lower.push([x + 0.45 * ox, y + 0.45 * oy]);
                upper.push([x - 0.62 * ox, y - 0.62 * oy]);
            }
        }
        upper.extend(lower.into_iter().rev());
        Pen::default().polygon(&upper).fill(self.c, &Ink::flat(colour, 1.0));
        let rib: Vec<[f32; 2]> = (0..=6).map(|part| spine(part as f32 / 6.4)).collect();
        Pen::default().line_through(&rib).stroke(self.c, 0.014 * reach, &Ink::flat(colour.mix(Rgb::WHITE, 0.22), 0.6));
    }

    fn cactus(&mut self, x: f32, y: f32, size: f32) {
        let (green, dark) = (self.tone(0x4f9d5c), self.tone(0x2f7048));
        let bright = green.mix(self.far(self.film.light.sun), 0.35);
        let side = self.film.sun_side();
        let (arm, w) = (self.random.within(0.30, 0.48), 0.15 * size);
        let body = |shift: f32| {
            Pen::at(x + shift, y)
                .line(x + shift, y - size + w / 2.0)
                .to(x + shift, y - arm * size)
                .quad([x + shift - 0.26 * size, y - arm * size], x + shift - 0.25 * size, y - (arm + 0.30) * size)
                .to(x + shift, y - (arm + 0.10) * size)
                .quad([x + shift + 0.25 * size, y - (arm + 0.10) * size], x + shift + 0.23 * size, y - (arm + 0.34) * size)
        };
        body(0.0).stroke(self.c, w, &Ink::flat(dark, 1.0));
        body(side * 0.16 * w).stroke(self.c, 0.66 * w, &Ink::flat(green, 1.0));
        body(side * 0.30 * w).stroke(self.c, 0.12 * w, &Ink::flat(bright, 0.8));
    }

    pub(super) fn bush(&mut self, x: f32, y: f32, size: f32, hex: u32) {
        let leaf = self.leaf(hex);
        let (dark, bright) = (leaf.mix(self.far(Rgb([0.04, 0.14, 0.2])), 0.35), leaf.mix(self.far(self.film.light.sun), 0.25));
        let blobs = [(-0.75, 0.34, 0.42), (-0.30, 0.52, 0.52), (0.25, 0.56, 0.50), (0.72, 0.34, 0.40)];
        let shape = |shrink: f32, lift: f32, shift: f32| {
            blobs.iter().fold(Pen::default(), |pen, (dx, dy, r)| {
                pen.circle(x + size * (dx + shift), y - size * (dy - 0.12 + lift), size * r * shrink)
            })
        };
        let ink = Ink::linear([0.0, y - size], [0.0, y + 0.3 * size], &[(leaf, 1.0), (dark, 1.0)]);
        shape(1.0, 0.0, 0.0).rect(x - 0.95 * size, y - 0.2 * size, x + 0.9 * size, y).fill(self.c, &ink);
        shape(0.62, 0.16, 0.06 * self.film.sun_side()).fill(self.c, &Ink::flat(bright, 0.5));
        if self.film.light.white {
            let snow = self.film.light.lit(Rgb::WHITE);
            let snow = self.far(snow);
            blobs
                .iter()
                .fold(Pen::default(), |pen, (dx, dy, r)| pen.oval(x + size * dx, y - size * (dy + 0.14), size * r * 0.72, size * r * 0.36))
                .fill(self.c, &Ink::flat(snow, 0.95));
        }
    }

    /// Reeds and their brown heads at a shore.
    pub(super) fn reeds(&mut self, x: f32, y: f32, size: f32) {
        let (mut blades, mut heads) = (Pen::default(), Pen::default());
        for j in 0..7 {
            let (foot, lean) = (x + (j as f32 - 3.0) * 0.07 * size, self.random.within(-0.16, 0.16) * size);
            let tall = size * self.random.within(0.6, 1.0);
            blades = blades.to(foot, y).quad([foot, y - 0.6 * tall], foot + lean, y - tall);
            if j % 3 == 1 {
                heads = heads.to(foot + lean, y - tall).line(foot + 0.92 * lean, y - 0.82 * tall);
            }
        }
        let (green, brown) = (self.leaf(0x5f9a48), self.tone(0x7b4f2e));
        blades.stroke(self.c, 0.035 * size, &Ink::flat(green, 1.0));
        heads.stroke(self.c, 0.09 * size, &Ink::flat(brown, 1.0));
    }

    /// A stone, lit from above on the sun's side.
    pub(super) fn stone(&mut self, x: f32, y: f32, size: f32, hex: u32) {
        let side = self.film.sun_side();
        let (body, dark) = (self.tone(hex), self.tone(hex).times(0.72));
        let bright = if self.film.light.white { self.film.light.lit(Rgb::WHITE) } else { body.mix(self.film.light.sun, 0.3) };
        let (l, r) = (self.random.within(0.55, 0.8), self.random.within(0.55, 0.8));
        Pen::at(x - size, y)
            .quad([x - size * 0.95, y - l * size], x - 0.35 * size, y - 0.80 * size)
            .quad([x + 0.2 * size, y - 1.0 * size], x + 0.55 * size, y - r * size)
            .quad([x + size, y - 0.3 * size], x + size, y)
            .close()
            .fill(self.c, &Ink::linear([x + side * size, y - size], [x - side * size, y], &[(body, 1.0), (dark, 1.0)]));
        Pen::default().oval(x + side * 0.25 * size, y - 0.66 * size, 0.36 * size, 0.12 * size).fill(self.c, &Ink::flat(bright, 0.75));
    }
}
