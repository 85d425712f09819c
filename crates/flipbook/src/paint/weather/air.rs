//! Air that is seen: fog, wind, and bubbles in water.

use std::f32::consts::{PI, TAU};

use crate::canvas::{Area, Canvas, Ink, Rgb, Tint};
use crate::paint::film::{Film, Moment};
use crate::paint::shape::Pen;
use crate::random::Random;
use crate::sprites::Picture;

/// Cells of the fog to the short side of the frame.
const FINE: f32 = 20.0;

impl Film {
    /// Banks that drift past each other, thickest along the horizon; painted coarsely and stretched, for they are soft.
    pub(super) fn fog(&self, c: &mut Canvas, m: &Moment) {
        let cell = self.short / FINE;
        let (columns, rows) = ((self.width / cell) as usize + 4, (self.height / cell) as usize + 4);
        let mut random = Random::of(self.seed, 35);
        let phases: [f32; 6] = std::array::from_fn(|_| random.within(0.0, TAU));
        let colour = self.light.haze.mix(Rgb::WHITE, if self.light.dark { 0.08 } else { 0.4 }).0;
        let wind = if self.layout.frame.wind < 0.0 { -1.0 } else { 1.0 };
        let centre = if self.horizon < self.height { self.horizon + 0.04 * self.short } else { 0.6 * self.height };
        let bank = |x: f32, y: f32, layer: f32| {
            let u = x / self.short - wind * m.t * 0.035 * (1.0 + layer) + m.camera * (0.2 + 0.5 * layer) / self.short;
            let v = y / self.short;
            let phase = |j: usize| phases.get(j).copied().unwrap_or_default() + 2.0 * layer;
            let sum = (3.1 * u + 2.0 * v + phase(0)).sin()
                + 0.7 * (6.7 * u - 5.0 * v + phase(1) + 0.2 * m.t).sin()
                + 0.45 * (12.9 * u + 11.0 * v + phase(2)).sin();
            (0.5 + 0.28 * sum).clamp(0.0, 1.0)
        };
        let pixels = (0..rows * columns)
            .map(|index| {
                let (x, y) = ((index % columns) as f32 * cell - cell, (index / columns) as f32 * cell - cell);
                let far = (y - centre) / self.short;
                let heavy = (-(far / if far < 0.0 { 0.22 } else { 0.42 }).powi(2)).exp();
                let thin = 0.16 + 0.62 * heavy * bank(x, y, 0.0) + 0.34 * bank(x, 1.6 * y, 1.0) * heavy.sqrt();
                let alpha = thin.min(0.86);
                let premultiplied = |value: f32| (255.0 * value.clamp(0.0, 1.0) * alpha) as u8;
                [premultiplied(colour[0]), premultiplied(colour[1]), premultiplied(colour[2]), (255.0 * alpha) as u8]
            })
            .collect();
        let picture = Picture { width: columns, height: rows, pixels };
        let area = Area { left: -1.5 * cell, top: -1.5 * cell, right: (columns as f32 - 1.5) * cell, bottom: (rows as f32 - 1.5) * cell };
        c.picture(&picture, area, Tint::NONE, 1.0);
    }

    pub(super) fn bubbles(&self, c: &mut Canvas, m: &Moment) {
        let mut random = Random::of(self.seed, 37);
        let (mut bodies, mut rims, mut shine) = (Pen::default(), Pen::default(), Pen::default());
        for j in 0..self.crowd(30.0) {
            let (near, phase, start) = (random.unit(), random.unit(), random.unit());
            let size = self.short * (0.004 + 0.014 * near * near);
            let rise = (phase + m.t * (0.06 + 0.10 * near)).fract();
            let y = self.height + size - rise * (self.height + 2.0 * size);
            let x = self.wrapped(start * self.width - m.camera * (0.2 + 0.5 * near), 0.04 * self.short)
                + 0.015 * self.short * (3.0 * m.t + j as f32).sin();
            let wobble = 1.0 + 0.06 * (5.0 * m.t + j as f32).sin();
            bodies = bodies.oval(x, y, size * wobble, size / wobble);
            rims = rims.oval(x, y, size * wobble, size / wobble);
            shine = shine.oval(x - 0.36 * size, y - 0.38 * size, 0.26 * size, 0.18 * size);
        }
        bodies.fill(c, &Ink::flat(Rgb::WHITE, 0.16));
        rims.stroke(c, (0.0022 * self.short).max(1.0), &Ink::flat(Rgb::WHITE, 0.62));
        shine.fill(c, &Ink::flat(Rgb::WHITE, 0.9));
    }

    /// Gusts: ribbons that curl at their end, and leaves that ride on them.
    pub(super) fn wind(&self, c: &mut Canvas, m: &Moment) {
        let way = if self.layout.frame.wind < 0.0 { -1.0 } else { 1.0 };
        let short = self.short;
        for j in 0..self.crowd(9.0) {
            let time = 0.42 * m.t + j as f32 * 0.618;
            let mut random = Random::of(self.seed, 3900 + j + 4096 * time as u64);
            let (age, near) = (time.fract(), random.unit());
            let (y, long) = (self.height * random.within(0.08, 0.82), short * (0.20 + 0.22 * near));
            let run = -0.25 + 1.5 * age;
            let x = if way > 0.0 { run * self.width } else { (1.0 - run) * self.width };
            let curl = random.chance(0.45);
            let (rise, phase) = (0.020 * short, random.within(0.0, TAU));
            // The middle line of the ribbon, from its tail to its head.
            let line = |u: f32| {
                let straight = if curl { 0.62 } else { 1.0 };
                if u < straight {
                    [x + way * long * (u / straight - 1.0) * straight, y + rise * (4.0 * u + phase).sin() * (1.0 - u)]
                } else {
                    let (angle, radius) =
                        (1.55 * PI * (u - straight) / (1.0 - straight), 0.036 * short * (1.0 - 0.35 * (u - straight) / (1.0 - straight)));
                    [
                        x + way * radius * angle.sin(),
                        y + rise * (4.0 * straight + phase).sin() * (1.0 - straight) - radius * (1.0 - angle.cos()),
                    ]
                }
            };
            let thick = |u: f32| short * (0.0009 + 0.0024 * near) * (PI * u).sin().max(0.0).sqrt();
            const STEPS: usize = 26;
            let along = |j: usize| j as f32 / STEPS as f32;
            let (mut one, mut other) = (Vec::new(), Vec::new());
            for step in 0..=STEPS {
                let (a, b) = (line((along(step) - 0.01).max(0.0)), line((along(step) + 0.01).min(1.0)));
                let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
                let far = dx.hypot(dy).max(1e-3);
                let ([px, py], half) = (line(along(step)), thick(along(step)));
                one.push([px - dy / far * half, py + dx / far * half]);
                other.push([px + dy / far * half, py - dx / far * half]);
            }
            one.extend(other.into_iter().rev());
            Pen::default().polygon(&one).fill(c, &Ink::flat(Rgb::WHITE, 0.62 * (PI * age).sin()));
        }
        for j in 0..self.crowd(5.0) {
            let mut random = Random::of(self.seed, 3800 + j);
            let (start, pace, height) = (random.unit(), random.within(0.35, 0.6), random.within(0.25, 0.9));
            let x = self.wrapped(start * self.width + way * pace * self.width * m.t - m.camera * 0.6, 0.05 * short);
            let y = self.height * height + 0.05 * short * (2.6 * m.t + 9.0 * start).sin();
            let (turn, size) = (way * 5.0 * m.t + 9.0 * start, 0.012 * short);
            let at = |px: f32, py: f32| {
                let (sin, cos) = turn.sin_cos();
                [x + size * (px * cos - py * sin), y + size * (px * sin + py * cos)]
            };
            let ([fx, fy], [tx, ty]) = (at(-1.0, 0.0), at(1.0, 0.0));
            let colour = self.light.lit(Rgb::hex(random.one(&[0x7fae45, 0xb8a23e, 0xd88a35])));
            Pen::at(fx, fy).quad(at(0.0, -0.9), tx, ty).quad(at(0.0, 0.9), fx, fy).close().fill(c, &Ink::flat(colour, 0.95));
        }
    }
}
