//! What the walls and the floor of a room are of.

use super::super::Opening;
use crate::canvas::{Area, Canvas, Ink, Rgb};
use crate::paint::film::Film;
use crate::paint::shape::{Pen, area};
use crate::random::Random;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wall {
    Plain(u32),
    /// With a skirting.
    Papered(u32),
    /// Panelled up to a rail: above, below.
    Panelled(u32, u32),
    Stones(u32),
    Bricks(u32),
    /// Upright boards.
    Planks(u32),
    /// Boards that lie.
    Logs(u32),
    Tiles(u32),
    /// Plates with rivets.
    Steel(u32),
    Rock(u32),
    /// Blocks in a vault.
    Ice,
    /// A tent: two colours of its strips.
    Cloth(u32, u32),
    /// A glasshouse.
    Glass,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Floor {
    Boards,
    Tiles(u32, u32),
    /// Carpet, concrete, earth, straw.
    Even(u32),
    /// Bedding of straw.
    Straw,
}

impl Film {
    pub(super) fn wall_of(&self, c: &mut Canvas, wall: Wall) {
        match wall {
            Wall::Plain(hex) => self.plain_wall(c, hex),
            Wall::Papered(hex) => {
                let colour = self.wall(hex);
                let Opening { x, y, width, height } = self.opening();
                self.papered_wall(c, colour, Opening { x, y, width, height });
                self.skirting(c, colour);
            }
            Wall::Panelled(above, below) => self.panelled(c, above, below),
            Wall::Stones(hex) => self.stones(c, hex),
            Wall::Bricks(hex) => self.bricks(c, hex),
            Wall::Planks(hex) => self.upright_planks(c, hex),
            Wall::Logs(hex) => self.logs(c, hex),
            Wall::Tiles(hex) => self.tiled_wall(c, hex),
            Wall::Steel(hex) => self.steel_wall(c, hex),
            Wall::Rock(hex) => self.rock_wall(c, hex),
            Wall::Ice => self.ice_wall(c),
            Wall::Cloth(light, dark) => self.cloth_wall(c, light, dark),
            Wall::Glass => self.glass_wall(c),
        }
    }

    pub(super) fn floor_of(&self, c: &mut Canvas, floor: Floor) {
        match floor {
            Floor::Boards => self.boards(c),
            Floor::Tiles(light, dark) => self.tiled_floor(c, light, dark),
            Floor::Even(hex) => self.even_floor(c, hex),
            Floor::Straw => {
                self.even_floor(c, 0xc9a45e);
                let mut random = Random::of(self.seed, 710);
                let (mut pale, mut dark) = (Pen::default(), Pen::default());
                for j in 0..(150.0 * self.width / self.short) as usize {
                    let down = random.unit().powf(1.4);
                    let (x, y) = (self.width * random.unit(), self.horizon + (self.height - self.horizon) * down);
                    let (long, lean) = (self.short * (0.02 + 0.03 * down), random.within(-0.5, 0.5));
                    let pen = if j % 2 == 0 { &mut pale } else { &mut dark };
                    *pen = std::mem::take(pen).to(x, y).line(x + long, y + lean * long);
                }
                pale.stroke(c, 0.005 * self.short, &Ink::flat(self.light.lit(Rgb::hex(0xf0d48a)), 0.9));
                dark.stroke(c, 0.005 * self.short, &Ink::flat(self.light.lit(Rgb::hex(0x94702f)), 0.7));
            }
        }
    }

    fn even_floor(&self, c: &mut Canvas, hex: u32) {
        let (colour, top) = (self.light.lit(Rgb::hex(hex)), self.horizon);
        let ink = Ink::linear([0.0, top], [0.0, self.height], &[(colour.times(0.76), 1.0), (colour, 1.0)]);
        c.rect(Area { top, ..self.whole() }, &ink);
        let edge = top + 0.05 * self.short;
        c.rect(Area { top, bottom: edge, ..self.whole() }, &Ink::linear([0.0, top], [0.0, edge], &[(Rgb::BLACK, 0.2), (Rgb::BLACK, 0.0)]));
    }

    fn panelled(&self, c: &mut Canvas, above: u32, below: u32) {
        self.plain_wall(c, above);
        let (short, bottom) = (self.short, self.horizon + 1.0);
        let (top, wood, step) = (bottom - 0.24 * short, self.wall(below), 0.15 * short);
        c.rect(Area { top, bottom, ..self.whole() }, &Ink::linear([0.0, top], [0.0, bottom], &[(wood, 1.0), (wood.times(0.8), 1.0)]));
        let fields = (0..(self.width / step) as i32 + 2).fold(Pen::default(), |pen, j| {
            let x = (j as f32 - 0.5) * step;
            pen.rect(x + 0.12 * step, top + 0.05 * short, x + 0.88 * step, bottom - 0.035 * short)
        });
        fields.fill(c, &Ink::flat(wood.times(0.88), 1.0));
        c.rect(Area { top: top - 0.008 * short, bottom: top + 0.012 * short, ..self.whole() }, &Ink::flat(wood.mix(Rgb::WHITE, 0.25), 1.0));
    }

    fn bricks(&self, c: &mut Canvas, hex: u32) {
        self.plain_wall(c, hex);
        let (wide, high, mut random) = (0.085 * self.short, 0.036 * self.short, Random::of(self.seed, 711));
        let (mut joints, mut pale, mut dark) = (Pen::default(), Pen::default(), Pen::default());
        for row in 0..(self.horizon / high) as i32 + 2 {
            let bottom = self.horizon - row as f32 * high;
            joints = joints.to(-9.0, bottom).line(self.width + 9.0, bottom);
            let mut x = -wide * if row % 2 == 0 { 1.0 } else { 1.5 };
            while x < self.width + wide {
                joints = joints.to(x, bottom).line(x, bottom - high);
                match random.below(7) {
                    0 => pale = pale.rect(x, bottom - high, x + wide, bottom),
                    1 => dark = dark.rect(x, bottom - high, x + wide, bottom),
                    _ => {}
                }
                x += wide;
            }
        }
        pale.fill(c, &Ink::flat(Rgb::WHITE, 0.12));
        dark.fill(c, &Ink::flat(Rgb::BLACK, 0.10));
        joints.stroke(c, 0.0045 * self.short, &Ink::flat(self.wall(hex).mix(self.wall(0xe8dccb), 0.5), 0.7));
    }

    fn upright_planks(&self, c: &mut Canvas, hex: u32) {
        self.plain_wall(c, hex);
        let (step, wood, mut random) = (0.088 * self.short, self.wall(hex), Random::of(self.seed, 712));
        let mut joints = Pen::default();
        for j in 0..(self.width / step) as i32 + 2 {
            let x = (j as f32 - 0.5) * step;
            let tone = wood.mix(if random.chance(0.5) { Rgb::WHITE } else { Rgb::BLACK }, random.within(0.0, 0.09));
            c.rect(area(x, -9.0, step, self.horizon + 9.0), &Ink::flat(tone, 0.8));
            joints = joints.to(x, -9.0).line(x, self.horizon);
        }
        joints.stroke(c, 0.006 * self.short, &Ink::flat(wood.times(0.55), 0.8));
    }

    fn logs(&self, c: &mut Canvas, hex: u32) {
        self.plain_wall(c, hex);
        let (step, wood) = (0.075 * self.short, self.wall(hex));
        for j in 0..(self.horizon / step) as i32 + 1 {
            let bottom = self.horizon - j as f32 * step;
            let stops = [(wood.times(0.72), 1.0), (wood.mix(Rgb::WHITE, 0.12), 1.0), (wood, 1.0), (wood.times(0.62), 1.0)];
            c.rect(Area { top: bottom - step, bottom, ..self.whole() }, &Ink::linear([0.0, bottom - step], [0.0, bottom], &stops));
        }
    }

    fn tiled_wall(&self, c: &mut Canvas, hex: u32) {
        self.plain_wall(c, hex);
        let step = 0.07 * self.short;
        let rows = (0..(self.horizon / step) as i32 + 1)
            .map(|j| self.horizon - j as f32 * step)
            .fold(Pen::default(), |pen, y| pen.to(-9.0, y).line(self.width + 9.0, y));
        let all = (0..(self.width / step) as i32 + 2).map(|j| j as f32 * step).fold(rows, |pen, x| pen.to(x, -9.0).line(x, self.horizon));
        all.stroke(c, 0.0045 * self.short, &Ink::flat(self.wall(hex).mix(Rgb([0.4, 0.42, 0.46]), 0.28), 0.8));
    }

    fn steel_wall(&self, c: &mut Canvas, hex: u32) {
        self.plain_wall(c, hex);
        let (short, steel, wide) = (self.short, self.wall(hex), 0.30 * self.short);
        let (mut seams, mut rivets) = (Pen::default(), Pen::default());
        for j in 0..(self.width / wide) as i32 + 2 {
            let x = (j as f32 - 0.5) * wide + 0.5 * (self.width % wide);
            seams = seams.to(x, -9.0).line(x, self.horizon);
            for k in 0..(self.horizon / (0.06 * short)) as i32 + 1 {
                let y = self.horizon - (k as f32 + 0.5) * 0.06 * short;
                rivets = rivets.circle(x - 0.016 * short, y, 0.005 * short).circle(x + 0.016 * short, y, 0.005 * short);
            }
        }
        for y in [0.10, 0.46].map(|up| self.horizon - up * short) {
            seams = seams.to(-9.0, y).line(self.width + 9.0, y);
        }
        seams.stroke(c, 0.007 * short, &Ink::flat(steel.times(0.62), 0.8));
        rivets.fill(c, &Ink::flat(steel.mix(Rgb::WHITE, 0.35), 0.9));
    }

    fn rock_wall(&self, c: &mut Canvas, hex: u32) {
        self.plain_wall(c, hex);
        let (rock, mut random) = (self.wall(hex), Random::of(self.seed, 713));
        for j in 0..(34.0 * self.width / self.short) as i32 {
            let (x, y) = (self.width * random.unit(), self.horizon * random.within(-0.05, 1.0));
            let r = self.short * random.within(0.04, 0.10);
            let corners: Vec<[f32; 2]> = (0..6)
                .map(|k| {
                    let (turn, far) = (k as f32 * std::f32::consts::TAU / 6.0, r * random.within(0.6, 1.1));
                    [x + far * turn.cos(), (y + 0.7 * far * turn.sin()).min(self.horizon)]
                })
                .collect();
            let tone = if j % 2 == 0 { rock.times(0.78) } else { rock.mix(Rgb::WHITE, 0.10) };
            Pen::default().polygon(&corners).fill(c, &Ink::flat(tone, 0.6));
        }
    }

    fn ice_wall(&self, c: &mut Canvas) {
        self.plain_wall(c, 0xb9dcf0);
        // Rows of blocks that lean inwards as they rise.
        let (short, middle, ice) = (self.short, self.width / 2.0, self.wall(0xd6ecf8));
        let (high, mut random) = (0.115 * short, Random::of(self.seed, 714));
        let (mut joints, mut pale) = (Pen::default(), Pen::default());
        let bow = |x: f32, y: f32| y + 0.16 * short * ((x - middle) / (0.9 * short)).powi(2);
        for row in 0..(self.horizon / high) as i32 + 4 {
            let y = self.horizon - (row as f32 + 0.2) * high;
            let steps: Vec<[f32; 2]> = (0..=24).map(|j| j as f32 / 24.0 * self.width).map(|x| [x, bow(x, y)]).collect();
            joints = joints.line_through(&steps);
            let wide = 0.21 * short;
            let mut x = middle - (self.width / wide).ceil() * wide - if row % 2 == 0 { 0.0 } else { 0.5 * wide };
            while x < self.width + wide {
                let lean = -0.10 * (x - middle) / self.width.max(1.0) * high;
                joints = joints.to(x, bow(x, y)).line(x + lean, bow(x, y) - high);
                if random.chance(0.35) {
                    pale = pale.polygon(&[
                        [x, bow(x, y)],
                        [x + wide, bow(x + wide, y)],
                        [x + wide, bow(x + wide, y) - high],
                        [x, bow(x, y) - high],
                    ]);
                }
                x += wide;
            }
        }
        c.clipped_to(Area { left: -9.0, top: -9.0, right: self.width + 9.0, bottom: self.horizon + 1.0 }, |c| {
            pale.fill(c, &Ink::flat(Rgb::WHITE, 0.35));
            joints.stroke(c, 0.012 * short, &Ink::flat(ice.times(0.78), 0.9));
            self.way_out_of_ice(c);
        });
    }

    /// The low way out of an igloo, on the side where nobody stands.
    fn way_out_of_ice(&self, c: &mut Canvas) {
        let Opening { x, width, .. } = self.opening();
        let (x, short) = (x + width / 2.0, self.short);
        let arch = |half: f32| {
            let (half, foot) = (half * short, self.horizon + 1.0);
            let top = foot - 1.5 * half;
            Pen::at(x - half, foot)
                .line(x - half, top + 0.5 * half)
                .cubic([x - half, top - 0.2 * half], [x + half, top - 0.2 * half], x + half, top + 0.5 * half)
                .line(x + half, foot)
                .close()
        };
        arch(0.21).fill(c, &Ink::flat(self.wall(0xeef8ff), 1.0));
        arch(0.165).fill(c, &Ink::flat(self.wall(0x6f9fc4), 1.0));
        arch(0.12).fill(c, &Ink::linear([0.0, self.horizon - 0.2 * short], [0.0, self.horizon], &self.light.sky.map(|sky| (sky, 1.0))));
        c.rect(area(x - 0.12 * short, self.horizon - 0.05 * short, 0.24 * short, 0.06 * short), &Ink::flat(self.wall(0xf6fbff), 1.0));
    }

    fn cloth_wall(&self, c: &mut Canvas, light: u32, dark: u32) {
        self.plain_wall(c, light);
        let (short, middle, count) = (self.short, self.width / 2.0, 11);
        let top = -0.15 * self.horizon;
        for j in 0..count {
            let at = |k: i32, spread: f32| middle + (k as f32 - count as f32 / 2.0) * spread;
            let (low, high) = (1.25 * self.width / count as f32, 0.012 * short);
            let strip =
                [[at(j, high), top], [at(j + 1, high), top], [at(j + 1, low), self.horizon + 1.0], [at(j, low), self.horizon + 1.0]];
            let cloth = self.wall(if j % 2 == 0 { light } else { dark });
            let ink = Ink::linear([0.0, 0.0], [0.0, self.horizon], &[(cloth.mix(Rgb::WHITE, 0.15), 1.0), (cloth.times(0.86), 1.0)]);
            Pen::default().polygon(&strip).fill(c, &ink);
        }
        let way_out = |wide: f32, high: f32| {
            let foot = self.horizon + 1.0;
            Pen::default().polygon(&[[middle, foot - high * short], [middle + wide * short, foot], [middle - wide * short, foot]])
        };
        way_out(0.26, 0.54).fill(c, &Ink::flat(self.wall(dark).times(0.7), 1.0));
        way_out(0.21, 0.48)
            .fill(c, &Ink::linear([0.0, self.horizon - 0.5 * short], [0.0, self.horizon], &self.light.sky.map(|sky| (sky, 1.0))));
        let grass = self.light.lit(self.leaf_or_snow(0x6fb356));
        let hill = Pen::default().polygon(&[
            [middle - 0.21 * short, self.horizon + 1.0],
            [middle - 0.16 * short, self.horizon - 0.11 * short],
            [middle + 0.16 * short, self.horizon - 0.11 * short],
            [middle + 0.21 * short, self.horizon + 1.0],
        ]);
        hill.fill(c, &Ink::flat(grass, 1.0));
        for side in [-1.0, 1.0] {
            let flap = [
                [middle, self.horizon - 0.54 * short],
                [middle + side * 0.30 * short, self.horizon + 1.0],
                [middle + side * 0.15 * short, self.horizon - 0.10 * short],
            ];
            Pen::default().polygon(&flap).fill(c, &Ink::flat(self.wall(light), 1.0));
        }
    }

    fn glass_wall(&self, c: &mut Canvas) {
        let (short, width, horizon) = (self.short, self.width, self.horizon);
        let sky = Ink::linear(
            [0.0, 0.0],
            [0.0, horizon],
            &self.light.sky.map(|sky| (sky.mix(Rgb([0.85, 0.97, 0.92]), if self.light.dark { 0.05 } else { 0.3 }), 1.0)),
        );
        c.rect(Area { bottom: horizon + 1.0, ..self.whole() }, &sky);
        let (leaf, mut random) = (self.light.lit(self.leaf_or_snow(0x6fae62)).mix(self.light.haze, 0.35), Random::of(self.seed, 715));
        let mut x = 0.0;
        while x < width {
            let r = short * random.within(0.08, 0.15);
            c.circle(x, horizon - 0.02 * short, r, &Ink::flat(leaf, 1.0));
            x += r;
        }
        let (steel, step) = (self.wall(0xf2f6f4), 0.21 * short);
        let eaves = horizon - 0.46 * self.rise();
        let mut bars = Pen::default();
        for j in -8..=8 {
            let foot = width / 2.0 + j as f32 * step;
            bars = bars.to(foot, horizon).line(foot, eaves).line(width / 2.0 + 0.35 * (foot - width / 2.0), -9.0);
        }
        for y in [eaves, horizon - 0.24 * self.rise(), 0.45 * eaves] {
            bars = bars.to(-9.0, y).line(width + 9.0, y);
        }
        bars.stroke(c, 0.012 * short, &Ink::flat(steel, 1.0));
        let shine = (0..3).fold(Pen::default(), |pen, j| {
            let x = width * (0.18 + 0.31 * j as f32);
            pen.polygon(&[[x, eaves], [x + 0.05 * short, eaves], [x - 0.06 * short, horizon], [x - 0.11 * short, horizon]])
        });
        shine.fill(c, &Ink::flat(Rgb::WHITE, if self.light.dark { 0.05 } else { 0.22 }));
        c.rect(area(-9.0, horizon - 0.07 * short, width + 18.0, 0.075 * short), &Ink::flat(self.wall(0xb7835a), 1.0));
    }
}
