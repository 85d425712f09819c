//! What is painted over animals that do something: spouts, drops, a tongue, what they hang from.

use std::f32::consts::{PI, TAU};

use super::marks::Bounds;
use crate::canvas::{Canvas, Ink, Rgb};
use crate::figures::Figure;
use crate::paint::film::{Film, Medium, Moment};
use crate::paint::shape::Pen;

impl Film {
    pub(super) fn spout(&self, c: &mut Canvas, m: &Moment, b: &Bounds) {
        let [x, y] = [b.x + b.way * 0.10 * b.wide, b.top + 0.12 * b.high];
        for (hex, width) in [(0x8fcdf5, 0.09), (0xe3f4ff, 0.045)] {
            for side in [-1.0, 1.0] {
                Pen::at(x, y).quad([x + side * 0.05 * b.high, y - 0.9 * b.high], x + side * 0.42 * b.high, y - 0.45 * b.high).stroke(
                    c,
                    width * b.high,
                    &Ink::flat(Rgb::hex(hex), 0.85),
                );
            }
        }
        for j in 0..24 {
            let age = (1.1 * m.t + j as f32 / 24.0).fract();
            let side = 2.0 * (0.618 * j as f32).fract() - 1.0;
            let (dx, dy) = (side * 0.6 * b.high * age, b.high * (2.6 * age - 2.4 * age * age) * 0.9);
            c.circle(
                x + dx,
                y - dy,
                b.high * (0.02 + 0.02 * (1.0 - age)),
                &Ink::flat(Rgb::hex(0xd6f0ff), 0.95 * (4.0 * (1.0 - age)).min(1.0)),
            );
        }
    }

    pub(super) fn shaken_drops(&self, c: &mut Canvas, m: &Moment, b: &Bounds) {
        for j in 0..26 {
            let age = (1.5 * m.t + 0.618 * j as f32).fract();
            let (sin, cos) = (PI * (0.37 * j as f32).fract()).sin_cos();
            let far = b.high * (0.4 + 0.55 * age);
            let (x, y) = (b.x + 1.25 * far * cos, b.foot - 0.5 * b.high - far * sin * 0.9 + 0.4 * b.high * age * age);
            c.circle(x, y, 0.028 * b.high * (1.2 - age), &Ink::flat(Rgb::hex(0x7cc4f2), 0.95 * (4.0 * (1.0 - age)).min(1.0)));
        }
    }

    pub(super) fn sneezed(&self, c: &mut Canvas, m: &Moment, place: usize, b: &Bounds) {
        let phase = self.brief.slots.get(place).map_or(0.0, |slot| 0.02 * slot.rank as f32);
        let u = (0.5 * m.t + phase - 0.1).rem_euclid(1.0);
        let age = (u - 0.48) / 0.36;
        if !(0.0..=1.0).contains(&age) {
            return;
        }
        let [x, y] = self.point(m, place, Figure::mouth).unwrap_or_else(|| self.front(m, place));
        for j in 0..22 {
            let (spread, speed) = (0.9 * ((0.618 * j as f32).fract() - 0.5), 0.5 + 0.5 * (0.37 * j as f32).fract());
            let far = b.high * (0.10 + 0.75 * age.sqrt() * speed);
            let (px, py) = (x + b.way * far * spread.cos(), y + far * spread.sin() + 0.12 * b.high * age * age);
            c.circle(px, py, b.high * 0.016, &Ink::flat(Rgb::hex(0x9fd8f7), 0.95 * (2.5 * (1.0 - age)).min(1.0)));
        }
        for j in 0..5 {
            let v = (j as f32 - 2.0) * 0.24;
            let (near, far) = (0.12 * b.high, b.high * (0.22 + 0.2 * age));
            Pen::at(x + b.way * near * v.cos(), y + near * v.sin()).line(x + b.way * far * v.cos(), y + far * v.sin()).stroke(
                c,
                0.02 * b.high,
                &Ink::flat(Rgb::WHITE, 0.85 * (1.0 - age)),
            );
        }
    }

    /// Out to what is caught, and back with it.
    pub(super) fn tongue(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let Some(b) = self.box_of(m, place) else { return };
        let [x, y] = self.point(m, place, Figure::mouth).unwrap_or_else(|| self.front(m, place));
        let prey = (0..self.brief.slots.len())
            .find(|other| *other != place && self.brief.slots.get(*other).is_some_and(|other| other.parent == Some(place)))
            .and_then(|prey| self.box_of(m, prey));
        let [tx, ty] = prey.map_or([x + b.way * 0.8 * b.high, y - 0.25 * b.high], |prey| [prey.x, 0.5 * (prey.foot + prey.top)]);
        let out = 0.25 + 0.75 * (TAU * 0.55 * m.t - 3.1).sin().max(0.0);
        let (ex, ey) = (x + (tx - x) * out, y + (ty - y) * out);
        let colour = self.toned(0xe8567c);
        Pen::at(x, y).quad([0.5 * (x + ex), 0.5 * (y + ey) + 0.06 * b.high], ex, ey).stroke(c, 0.055 * b.high, &Ink::flat(colour, 1.0));
        c.circle(ex, ey, 0.05 * b.high, &Ink::flat(colour, 1.0));
    }

    pub(super) fn bump(&self, c: &mut Canvas, m: &Moment, place: usize, b: &Bounds) {
        let u = (0.75 * m.t + 0.42).rem_euclid(1.0);
        if self.brief.slots.get(place).is_none_or(|slot| slot.rank + 1 < slot.copies) || !(0.36..0.62).contains(&u) {
            return;
        }
        let side = m.poses.get(place).and_then(|pose| pose.facing_turn).unwrap_or(1.0);
        let [x, y] = [b.x + side * 0.46 * b.wide, b.foot - 0.62 * b.high];
        for j in 0..8 {
            let (sin, cos) = (TAU * (j as f32 + 0.5) / 8.0).sin_cos();
            let (near, far) = (0.10 * b.high, 0.24 * b.high);
            Pen::at(x + near * cos, y + near * sin).line(x + far * cos, y + far * sin).stroke(
                c,
                0.035 * b.high,
                &Ink::flat(Rgb::hex(0xffb02e), 1.0),
            );
        }
    }

    /// Strokes beside a tail that wags.
    pub(super) fn wagging(&self, c: &mut Canvas, m: &Moment, b: &Bounds) {
        let [x, y] = [b.x - b.way * 0.52 * b.wide, b.top + 0.40 * b.high];
        for (j, side) in [-1.0f32, 1.0].into_iter().enumerate() {
            let shown = 0.5 + 0.5 * (TAU * 2.2 * m.t + 3.0 * j as f32).sin();
            for k in 0..2 {
                let far = (0.14 + 0.09 * k as f32) * b.high;
                let at = |angle: f32| [x - b.way * far * angle.cos(), y + side * 0.10 * b.high + far * angle.sin() * side];
                let ([ax, ay], via, [ex, ey]) = (at(0.1), at(0.55), at(1.0));
                Pen::at(ax, ay).quad(via, ex, ey).stroke(c, 0.022 * b.high, &Ink::flat(Rgb::hex(0xffb52e), 0.35 + 0.65 * shown));
            }
        }
    }

    /// The way round that a chased tail goes, on the ground.
    pub(super) fn circling(&self, c: &mut Canvas, m: &Moment, b: &Bounds, ground: f32) {
        for j in 0..3 {
            let from = TAU * (0.85 * m.t + j as f32 / 3.0);
            let points: Vec<[f32; 2]> = (0..=8)
                .map(|k| from - 0.14 * k as f32)
                .map(|angle| [b.x + 0.72 * b.wide * angle.cos(), ground + 0.16 * b.high * angle.sin()])
                .collect();
            Pen::default().line_through(&points).stroke(c, 0.022 * b.high, &Ink::flat(Rgb::WHITE, 0.75));
        }
    }

    /// Grains before who pecks.
    pub(super) fn grains(&self, c: &mut Canvas, b: &Bounds, ground: f32) {
        for j in 0..9 {
            let x = b.x + b.way * b.wide * (0.42 + 0.5 * (0.618 * j as f32).fract());
            let y = ground + 0.07 * b.high * ((0.37 * j as f32).fract() - 0.3);
            c.oval(crate::paint::shape::about(x, y, 0.018 * b.high, 0.012 * b.high), &Ink::flat(self.toned(0xf2c14e), 1.0));
        }
    }

    /// The branch or the rock that somebody hangs from.
    pub(super) fn perch(&self, c: &mut Canvas, m: &Moment, b: &Bounds) {
        let y = 0.15 * self.height;
        if self.medium == Medium::Floor {
            let half = 0.35 * b.wide.max(b.high);
            let rock = Pen::at(b.x - 1.6 * half, -0.1 * self.height).quad([b.x - half, 0.6 * y], b.x, y + 0.02 * self.height);
            rock.quad([b.x + half, 0.6 * y], b.x + 1.6 * half, -0.1 * self.height).close().fill(c, &Ink::flat(self.toned(0x5b5560), 1.0));
            return;
        }
        let colour = self.toned(if self.medium == Medium::Floor { 0x6b6470 } else { 0x7a5230 });
        let sway = 0.002 * self.short * m.t.sin();
        Pen::at(b.x - 1.6 * b.wide, y - 0.05 * b.high + sway).quad([b.x, y - 0.01 * b.high], b.x + 1.6 * b.wide, y - 0.08 * b.high).stroke(
            c,
            0.09 * b.high.min(0.4 * self.height),
            &Ink::flat(colour, 1.0),
        );
    }
}
