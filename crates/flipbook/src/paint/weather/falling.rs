//! Small things that tumble down: confetti, petals, leaves, hearts.

use std::f32::consts::{PI, TAU};

use crate::canvas::{Canvas, Ink, Puff, Rgb};
use crate::paint::film::{Film, Moment};
use crate::paint::shape::Pen;
use crate::paint::things::{heart, star};
use crate::random::Random;

/// Where and how one of them is at the moment.
struct Falling {
    x: f32,
    y: f32,
    /// Half its width, in pixels.
    size: f32,
    /// Radians.
    turn: f32,
    /// -1 to 1: how much of its face is seen; below 0 its back.
    face: f32,
    /// For its colour and its shape.
    kind: usize,
}

impl Falling {
    /// From the thing's own coordinates, where its half width is 1.
    fn at(&self, px: f32, py: f32) -> [f32; 2] {
        let (sin, cos) = self.turn.sin_cos();
        let py = py * (0.25 + 0.75 * self.face.abs());
        [self.x + self.size * (px * cos - py * sin), self.y + self.size * (px * sin + py * cos)]
    }
}

impl Film {
    pub(super) fn confetti(&self, c: &mut Canvas, m: &Moment) {
        const HUES: [u32; 6] = [0xff4d63, 0xffc533, 0x3fb8ff, 0x7be05e, 0xc77bff, 0xff8a3d];
        let mut papers: [Pen; 12] = Default::default();
        let mut glints = Vec::new();
        for one in self.tumbling(m, 27, 88.0, 0.165, [0.0085, 0.018]) {
            let index = one.kind % 6 * 2 + usize::from(one.face > 0.0);
            let pen = std::mem::take(&mut papers[index]);
            papers[index] = match one.kind % 5 {
                0 => pen.polygon(&(0..8).map(|j| TAU * j as f32 / 8.0).map(|a| one.at(0.62 * a.cos(), 0.62 * a.sin())).collect::<Vec<_>>()),
                1 => {
                    // A streamer that curls.
                    let edge = |j: usize, side: f32| one.at(-1.7 + 0.57 * j as f32, 0.42 * (1.7 * j as f32 + 3.0 * one.face).sin() + side);
                    let points: Vec<[f32; 2]> = (0..7).map(|j| edge(j, -0.13)).chain((0..7).rev().map(|j| edge(j, 0.13))).collect();
                    pen.polygon(&points)
                }
                _ => pen.polygon(&[one.at(-0.7, -0.42), one.at(0.7, -0.42), one.at(0.7, 0.42), one.at(-0.7, 0.42)]),
            };
            if one.face > 0.93 {
                glints.push(([one.x, one.y], one.size * (one.face - 0.93) / 0.07));
            }
        }
        for (index, pen) in papers.into_iter().enumerate() {
            let colour = Rgb::hex(HUES[index / 2]);
            let colour = if index % 2 == 1 { colour.mix(Rgb::WHITE, 0.22) } else { colour.times(0.80) };
            pen.fill(c, &Ink::flat(if self.light.dark { colour } else { self.light.lit(colour).mix(colour, 0.5) }, 1.0));
        }
        // Foil that catches the light for a moment.
        let mut rays = Pen::default();
        for (at, size) in glints {
            c.puff(at[0], at[1], 2.0 * size, 2.0 * size, Rgb([1.0, 0.97, 0.85]), 0.55, Puff { add: true, firm: false });
            rays = star(rays, at, 1.5 * size, 0.0);
        }
        rays.fill(c, &Ink::flat(Rgb::WHITE, 0.95));
    }

    pub(super) fn petals(&self, c: &mut Canvas, m: &Moment) {
        const HUES: [u32; 3] = [0xffc2da, 0xffa3c7, 0xffe0ec];
        let mut pens: [Pen; 6] = Default::default();
        for one in self.tumbling(m, 29, 84.0, 0.125, [0.0075, 0.016]) {
            let index = one.kind % 3 * 2 + usize::from(one.face > 0.0);
            let ([fx, fy], [tx, ty], [nx, ny]) = (one.at(-0.9, 0.0), one.at(0.9, -0.28), one.at(0.72, 0.0));
            let [ex, ey] = one.at(0.9, 0.28);
            let pen = std::mem::take(&mut pens[index]);
            // Notched at its tip, as cherry petals are.
            pens[index] =
                pen.to(fx, fy).quad(one.at(-0.1, -0.95), tx, ty).line(nx, ny).line(ex, ey).quad(one.at(-0.1, 0.95), fx, fy).close();
        }
        for (index, pen) in pens.into_iter().enumerate() {
            let colour = Rgb::hex(HUES[index / 2]);
            let colour = if index % 2 == 1 { colour } else { colour.mix(Rgb::hex(0xe884ac), 0.35) };
            pen.fill(c, &Ink::flat(self.light.lit(colour).mix(colour, 0.35), 0.96));
        }
    }

    /// Leaves rock from side to side as they sink, slow at the ends of each swing.
    pub(super) fn leaves(&self, c: &mut Canvas, m: &Moment) {
        const HUES: [u32; 4] = [0xe8801f, 0xcf3f1d, 0xf6bd33, 0x9c5a24];
        let mut blades: [Pen; 8] = Default::default();
        let mut veins = Pen::default();
        for mut one in self.tumbling(m, 31, 62.0, 0.10, [0.012, 0.027]) {
            let swing = m.t * (1.6 + 0.25 * (one.kind % 5) as f32) + one.kind as f32;
            one.x += 2.8 * one.size * swing.sin();
            one.y += 1.1 * one.size * (2.0 * swing).cos();
            one.turn = 0.75 * swing.cos() + 0.3 * (one.kind as f32).sin() + if one.kind % 2 == 0 { 0.0 } else { PI };
            one.face = 0.62 + 0.38 * (1.3 * swing).sin();
            let index = one.kind % 4 * 2 + usize::from(swing.cos() > 0.0);
            let ([fx, fy], [tx, ty]) = (one.at(-1.0, 0.0), one.at(1.0, 0.0));
            let pen = std::mem::take(&mut blades[index]);
            blades[index] = if one.kind % 3 == 0 {
                let lobes = [
                    [-0.95, 0.0],
                    [-0.75, -0.45],
                    [-0.35, -0.35],
                    [-0.15, -0.95],
                    [0.15, -0.42],
                    [0.55, -0.62],
                    [0.50, -0.2],
                    [1.0, 0.0],
                    [0.50, 0.2],
                    [0.55, 0.62],
                    [0.15, 0.42],
                    [-0.15, 0.95],
                    [-0.35, 0.35],
                    [-0.75, 0.45],
                ];
                pen.polygon(&lobes.map(|[px, py]: [f32; 2]| one.at(px, py)))
            } else {
                pen.to(fx, fy)
                    .cubic(one.at(-0.55, -0.75), one.at(0.25, -0.72), tx, ty)
                    .cubic(one.at(0.25, 0.72), one.at(-0.55, 0.75), fx, fy)
                    .close()
            };
            veins = veins.polygon(&[one.at(-1.38, 0.06), one.at(-1.38, -0.06), one.at(0.78, -0.02), one.at(0.78, 0.02)]);
        }
        for (index, pen) in blades.into_iter().enumerate() {
            let colour = Rgb::hex(HUES[index / 2]);
            let colour = if index % 2 == 1 { colour.mix(Rgb::hex(0xffe08a), 0.12) } else { colour.times(0.86) };
            pen.fill(c, &Ink::flat(self.light.lit(colour).mix(colour, 0.25), 1.0));
        }
        veins.fill(c, &Ink::flat(self.light.lit(Rgb::hex(0x6e3a16)), 0.75));
    }

    pub(super) fn falling_hearts(&self, c: &mut Canvas, m: &Moment) {
        const HUES: [u32; 3] = [0xff4d6d, 0xff86a5, 0xe02e55];
        let mut pens: [Pen; 3] = Default::default();
        let mut shine = Pen::default();
        for mut one in self.tumbling(m, 33, 24.0, 0.11, [0.014, 0.032]) {
            one.y = self.height - one.y; // they rise
            let beat = 1.0 + 0.08 * (6.0 * m.t + one.kind as f32).sin();
            let turn = 0.30 * (1.3 * m.t + one.kind as f32).sin();
            let pen = std::mem::take(&mut pens[one.kind % 3]);
            pens[one.kind % 3] = heart(pen, [one.x, one.y], one.size * beat, turn);
            shine = shine.oval(one.x - 0.42 * one.size, one.y - 0.55 * one.size, 0.22 * one.size, 0.15 * one.size);
        }
        for (index, pen) in pens.into_iter().enumerate() {
            pen.fill(c, &Ink::flat(Rgb::hex(HUES[index]), 0.88));
        }
        shine.fill(c, &Ink::flat(Rgb::WHITE, 0.6));
    }

    /// Things that fall through the frame: `each` to a square of the short side, `pace` in heights of the frame per second,
    /// half widths in short sides.
    fn tumbling(&self, m: &Moment, purpose: u64, each: f32, pace: f32, [small, large]: [f32; 2]) -> Vec<Falling> {
        let mut random = Random::of(self.seed, purpose);
        let wind = self.layout.frame.wind;
        (0..self.crowd(each))
            .map(|j| {
                let (near, phase, start, spin) = (random.unit(), random.unit(), random.unit(), random.within(-1.0, 1.0));
                let (first, kind, margin) = (random.within(0.0, TAU), random.below(60), 0.05 * self.short);
                let y = (phase + m.t * pace * (0.75 + 0.75 * near)).fract() * (self.height + 2.0 * margin) - margin;
                let sway = 0.05 * (m.t * (1.0 + near) + j as f32).sin() + (0.2 * wind + 0.04) * m.t;
                let x = self.wrapped(start * self.width + self.short * sway - m.camera * (0.3 + 0.6 * near), margin);
                Falling {
                    x,
                    y,
                    size: self.short * (small + (large - small) * near),
                    turn: first + 2.8 * m.t * spin,
                    face: (m.t * (3.0 + 3.0 * near) + j as f32).cos(),
                    kind,
                }
            })
            .collect()
    }
}
