//! What vehicles leave and stir up: skid marks, smoke, furrows, the star of a crash, and the road where they stop or take off.

use std::f32::consts::TAU;

use super::BREAKS;
use super::marks::Bounds;
use crate::canvas::{Canvas, Ink, Puff, Rgb};
use crate::paint::film::{Film, Medium, Moment};
use crate::paint::shape::{Pen, about, area};

impl Film {
    /// A star of a blow, and what flies off.
    pub(super) fn bang(&self, c: &mut Canvas, m: &Moment, [x, y]: [f32; 2], size: f32) {
        let age = (m.p - BREAKS) / 0.34;
        if !(0.0..=1.0).contains(&age) {
            return;
        }
        let (grown, left) = ((6.0 * age).min(1.0), (3.0 * (1.0 - age)).min(1.0));
        for (hex, share) in [(0xf8312f, 1.0), (0xffb02e, 0.74), (0xfff3b0, 0.45)] {
            let points: Vec<[f32; 2]> = (0..22)
                .map(|j| {
                    let (sin, cos) = (TAU * j as f32 / 22.0 + 0.15).sin_cos();
                    let far = size * share * grown * if j % 2 == 0 { 1.0 + 0.2 * (2.1 * j as f32).sin() } else { 0.55 };
                    [x + far * cos, y + far * sin]
                })
                .collect();
            Pen::default().polygon(&points).fill(c, &Ink::flat(Rgb::hex(hex), 0.95 * left));
        }
        for j in 0..12 {
            let (sin, cos) = (TAU * (j as f32 + 0.4) / 12.0).sin_cos();
            let far = size * (0.9 + 1.1 * age);
            let r = 0.07 * size;
            let (px, py) = (x + far * cos, y + far * sin + size * age * age);
            Pen::at(px - r, py).line(px, py - r).line(px + r, py + 0.4 * r).close().fill(c, &Ink::flat(self.toned(0x4a4f5c), left));
        }
    }

    pub(super) fn dust_around(&self, c: &mut Canvas, m: &Moment, b: &Bounds) {
        let colour = self.light.lit(Rgb([0.80, 0.75, 0.66]));
        for j in 0..22 {
            let age = (0.7 * m.t + 0.618 * j as f32).fract();
            let side = 2.0 * (0.43 * j as f32).fract() - 1.0;
            let x = b.x + side * b.wide * (0.5 + 0.35 * age);
            let radius = b.wide * (0.06 + 0.10 * age);
            c.puff(x, b.foot - b.wide * 0.22 * age, 1.2 * radius, radius, colour, 0.6 * (1.0 - age), Puff::default());
        }
    }

    pub(super) fn tyre_smoke(&self, c: &mut Canvas, m: &Moment, b: &Bounds) {
        let mark = self.toned(0x2a2a30);
        for wheel in [-0.1, 0.25] {
            let x = b.x - b.way * wheel * b.wide;
            Pen::at(x, b.foot)
                .quad([x - b.way * 0.6 * b.wide, b.foot + 0.02 * b.high], x - b.way * 1.5 * b.wide, b.foot - 0.14 * b.high)
                .stroke(c, 0.035 * b.high, &Ink::flat(mark, 0.55));
        }
        for j in 0..20 {
            let age = (1.1 * m.t + 0.05 * j as f32).fract();
            let spread = (2.3 * j as f32).sin();
            let radius = b.high * (0.07 + 0.20 * age);
            let x = b.x - b.way * (0.32 + 0.9 * age) * b.wide;
            c.puff(
                x,
                b.foot - b.high * (0.06 + (0.18 + 0.1 * spread) * age),
                1.2 * radius,
                radius,
                Rgb::hex(0xe8e8ee),
                0.65 * (1.0 - age),
                Puff::default(),
            );
        }
    }

    pub(super) fn furrows(&self, c: &mut Canvas, b: &Bounds) {
        let (soil, ridge, behind) = (self.toned(0x6b452a), self.toned(0x8f6240), b.x - b.way * 0.30 * b.wide);
        let end = if b.way > 0.0 { -0.1 * self.width } else { 1.1 * self.width };
        let (near, far) = (b.foot + 0.30 * b.high, b.foot - 0.08 * b.high);
        Pen::at(behind, far)
            .line(end, far)
            .line(end, near)
            .line(behind + b.way * 0.1 * b.wide, near)
            .close()
            .fill(c, &Ink::flat(soil, 1.0));
        for row in 0..4 {
            let y = far + (near - far) * (row as f32 + 0.5) / 4.0;
            Pen::at(behind, y).line(end, y).stroke(c, 0.025 * b.high, &Ink::flat(ridge, 1.0));
        }
        for j in 0..9 {
            let x = behind + (end - behind) * (0.618 * j as f32).fract();
            c.oval(about(x, far + (near - far) * (0.31 * j as f32).fract(), 0.03 * b.high, 0.02 * b.high), &Ink::flat(ridge, 1.0));
        }
        let bar = Pen::at(b.x - b.way * 0.4 * b.wide, b.foot - 0.16 * b.high).line(behind - b.way * 0.28 * b.wide, b.foot - 0.12 * b.high);
        bar.stroke(c, 0.04 * b.high, &Ink::flat(self.toned(0x4a4f5c), 1.0));
        for share in [0.14, 0.26] {
            let x = behind - b.way * share * b.wide;
            Pen::at(x, b.foot - 0.14 * b.high)
                .quad([x - b.way * 0.06 * b.wide, b.foot], x + b.way * 0.03 * b.wide, b.foot + 0.04 * b.high)
                .stroke(c, 0.035 * b.high, &Ink::flat(self.toned(0x8a929e), 1.0));
        }
    }

    /// Stripes across the road and a red light ahead.
    pub(super) fn crossing(&self, c: &mut Canvas, b: &Bounds) {
        let x = (0.52 + b.way * 0.5 * b.wide / self.width) * self.width + b.way * 0.04 * self.short;
        let deep = 0.26 * self.short;
        for j in 0..5 {
            let y = b.foot - 0.13 * self.short + deep * j as f32 / 5.0;
            c.rect(
                area(x.min(x + b.way * 0.24 * self.short), y, 0.24 * self.short, 0.6 * deep / 5.0),
                &Ink::flat(self.toned(0xf4f6fa), 0.95),
            );
        }
        let (px, high) = (x + b.way * 0.30 * self.short, 0.46 * self.short);
        let foot = b.foot - 0.06 * self.short;
        let dark = Ink::flat(self.toned(0x3a3f4a), 1.0);
        c.rect(area(px - 0.007 * self.short, foot - high, 0.014 * self.short, high), &dark);
        c.round_rect(
            area(px - 0.032 * self.short, foot - high - 0.02 * self.short, 0.064 * self.short, 0.16 * self.short),
            0.012 * self.short,
            &dark,
        );
        for (j, hex) in [0xff3b30u32, 0x5a4a20, 0x1f4a2a].into_iter().enumerate() {
            c.circle(px, foot - high + (0.012 + 0.045 * j as f32) * self.short, 0.018 * self.short, &Ink::flat(Rgb::hex(hex), 1.0));
        }
        c.puff(
            px,
            foot - high + 0.012 * self.short,
            0.07 * self.short,
            0.07 * self.short,
            Rgb([1.0, 0.2, 0.15]),
            0.5,
            Puff { add: true, firm: false },
        );
    }

    pub(super) fn runway(&self, c: &mut Canvas, m: &Moment) {
        let top = if self.medium == Medium::Air { 0.87 } else { 0.84f32.max(self.horizon / self.height + 0.03) } * self.height;
        c.rect(area(-0.2 * self.width, top, 1.4 * self.width, 0.10 * self.height), &Ink::flat(self.toned(0x6b7078), 1.0));
        for j in 0..9 {
            let x = (j as f32 / 8.0 - 0.1) * 1.2 * self.width - 0.3 * m.camera;
            c.rect(area(x, top + 0.044 * self.height, 0.06 * self.width, 0.012 * self.height), &Ink::flat(self.toned(0xf4f6fa), 0.95));
        }
    }

    pub(super) fn dumped(&self, c: &mut Canvas, m: &Moment, b: &Bounds) {
        let (sand, x) = (self.toned(0xcf9d55), b.x - b.way * 0.72 * b.wide);
        let grown = 0.3 + 0.7 * m.p;
        let (half, high) = (0.38 * b.wide * grown, 0.42 * b.high * grown);
        for j in 0..26 {
            let age = (1.3 * m.t + 0.618 * j as f32).fract();
            let from = [b.x - b.way * 0.46 * b.wide, b.foot - 0.55 * b.high];
            let px = from[0] + (x - from[0]) * age + 0.06 * b.wide * (2.1 * j as f32).sin();
            c.circle(px, from[1] + (b.foot - high - from[1]) * age * age, 0.025 * b.high, &Ink::flat(sand, 1.0));
        }
        Pen::at(x - half, b.foot)
            .quad([x - 0.25 * half, b.foot - 1.3 * high], x, b.foot - high)
            .quad([x + 0.3 * half, b.foot - 1.2 * high], x + half, b.foot)
            .close()
            .fill(c, &Ink::flat(sand, 1.0));
    }
}
