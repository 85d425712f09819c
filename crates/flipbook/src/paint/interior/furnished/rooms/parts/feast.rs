//! What a room is decked out with, and its hearth.

use super::super::share;
use crate::canvas::{Area, Canvas, Ink, Puff, Rgb};
use crate::paint::film::Film;
use crate::paint::shape::{Pen, about, area};
use crate::paint::things::Stamp;
use crate::random::Random;

const BRIGHT: [u32; 6] = [0xf0506a, 0xf9a826, 0x3aa0e8, 0x3fb46b, 0x9a63e0, 0xf26fb0];

impl Film {
    /// Points along a line that hangs in bows from the ceiling.
    fn bows(&self, place: Area, step: f32) -> impl Iterator<Item = [f32; 2]> {
        let (span, deep, top) = (0.62 * self.short, 0.075 * self.short, place.top + 0.03 * self.short);
        let count = ((self.width + 18.0) / step) as usize + 1;
        (0..count).map(move |j| {
            let x = -9.0 + j as f32 * step;
            let u = (x / span).rem_euclid(1.0);
            [x, top + deep * 4.0 * u * (1.0 - u)]
        })
    }

    pub(super) fn bunting(&self, c: &mut Canvas, place: Area) {
        let short = self.short;
        let line: Vec<[f32; 2]> = self.bows(place, 0.02 * short).collect();
        for (j, [x, y]) in self.bows(place, 0.085 * short).enumerate() {
            let half = 0.034 * short;
            Pen::default().polygon(&[[x - half, y], [x + half, y], [x, y + 2.1 * half]]).fill(c, &self.paint(BRIGHT[j % BRIGHT.len()]));
        }
        Pen::default().line_through(&line).stroke(c, 0.006 * short, &self.paint(0xf7f2e8));
    }

    /// Little lamps on a line, or on green.
    pub(super) fn bulbs(&self, c: &mut Canvas, place: Area, green: bool) {
        let short = self.short;
        let line: Vec<[f32; 2]> = self.bows(place, 0.02 * short).collect();
        if green {
            let mut random = Random::of(self.seed, 800);
            let needles = self.bows(place, 0.010 * short).fold(Pen::default(), |pen, [x, y]| {
                let lean = random.within(-0.03, 0.03) * short;
                pen.to(x, y - 0.02 * short).line(x + lean, y + 0.03 * short)
            });
            needles.stroke(c, 0.014 * short, &self.paint(0x2f7d46));
        } else {
            Pen::default().line_through(&line).stroke(c, 0.005 * short, &self.paint(0x4a4048));
        }
        for (j, [x, y]) in self.bows(place, 0.07 * short).enumerate() {
            let glow = if green { Rgb::hex(BRIGHT[j % BRIGHT.len()]) } else { Rgb([1.0, 0.86, 0.55]) };
            c.puff(x, y + 0.02 * short, 0.045 * short, 0.045 * short, glow, 0.35, Puff { add: true, firm: false });
            c.circle(x, y + 0.018 * short, 0.013 * short, &Ink::flat(glow, 1.0));
        }
    }

    pub(super) fn balloons(&self, c: &mut Canvas, place: Area) {
        let (w, h) = (place.right - place.left, place.bottom - place.top);
        let (x, foot) = ((place.left + place.right) / 2.0, place.bottom);
        for (j, (u, v)) in [(-0.30, 0.30), (0.30, 0.34), (-0.05, 0.14), (-0.18, 0.48), (0.17, 0.52)].into_iter().enumerate() {
            let (bx, by, r) = (x + u * w, place.top + v * h + 0.02 * h, 0.18 * w);
            Pen::at(bx, by + 1.2 * r).quad([bx, by + 2.0 * r], x, foot).stroke(c, 0.004 * self.short, &Ink::flat(self.wall(0xf4f1ea), 0.9));
            let hex = BRIGHT[(j + self.seed as usize) % BRIGHT.len()];
            c.oval(about(bx, by, r, 1.18 * r), &self.paint(hex));
            Pen::default()
                .polygon(&[[bx, by + 1.1 * r], [bx - 0.16 * r, by + 1.4 * r], [bx + 0.16 * r, by + 1.4 * r]])
                .fill(c, &self.paint(hex));
            c.oval(about(bx - 0.34 * r, by - 0.45 * r, 0.18 * r, 0.28 * r), &Ink::flat(Rgb::WHITE, 0.55));
        }
    }

    pub(super) fn fireplace(&self, c: &mut Canvas, place: Area) {
        let (w, h, short) = (place.right - place.left, place.bottom - place.top, self.short);
        self.floor_shadow(c, place);
        let breast = Area { left: place.left + 0.14 * w, right: place.right - 0.14 * w, top: -9.0, bottom: place.top + 0.1 * h };
        c.rect(breast, &self.paint(0xb8685a));
        c.rect(share(place, 0.0, 0.10, 1.0, 0.90), &self.shaded(0xb8685a, place));
        let mut joints = Pen::default();
        for row in 0..9 {
            let y = place.top + (0.1 + 0.1 * row as f32) * h;
            joints = joints.to(place.left, y).line(place.right, y);
            for j in 0..7 {
                let x = place.left + w * (j as f32 + if row % 2 == 0 { 0.0 } else { 0.5 }) / 7.0;
                joints = joints.to(x, y).line(x, y + 0.1 * h);
            }
        }
        joints.stroke(c, 0.005 * short, &Ink::flat(self.wall(0xe0b8a4), 0.7));
        let mouth = |grow: f32| {
            let (x, half, top) = ((place.left + place.right) / 2.0, 0.29 * w * grow, place.bottom - 0.62 * h * grow);
            Pen::at(x - half, place.bottom)
                .line(x - half, top + 0.2 * h)
                .cubic([x - half, top], [x + half, top], x + half, top + 0.2 * h)
                .line(x + half, place.bottom)
                .close()
        };
        mouth(1.1).fill(c, &self.paint(0x8a4a40));
        mouth(1.0).fill(c, &Ink::flat(Rgb::hex(0x2a1a1e), 1.0));
        let (x, foot) = ((place.left + place.right) / 2.0, place.bottom - 0.03 * h);
        for (from, to) in [(-0.2, 0.14), (-0.12, 0.2)] {
            Pen::at(x + from * w, foot - 0.02 * h).line(x + to * w, foot - 0.06 * h).stroke(c, 0.07 * h, &self.paint(0x6a4530));
        }
        for (u, size) in [(-0.11, 0.30), (0.11, 0.32), (0.0, 0.44)] {
            self.stamp(c, "fire", Stamp::at(x + u * w, foot - 0.03 * h, size * h));
        }
        self.lamp_light(c, x, foot - 0.2 * h, 1.1 * w);
        c.rect(area(place.left - 0.05 * w, place.top + 0.05 * h, 1.1 * w, 0.07 * h), &self.paint(0x8a5c3a));
        for (u, name) in [(0.14, "candle"), (0.86, "candle"), (0.5, "mantelpiece-clock")] {
            self.stamp(c, name, Stamp::at(place.left + u * w, place.top + 0.055 * h, 0.10 * short));
        }
    }

    /// A table of stone with a cross over it.
    pub(super) fn altar(&self, c: &mut Canvas, place: Area) {
        let (w, h, x) = (place.right - place.left, place.bottom - place.top, (place.left + place.right) / 2.0);
        let gold = self.paint(0xd9a93f);
        c.puff(x, place.top + 0.25 * h, 0.8 * w, 0.5 * h, Rgb([1.0, 0.9, 0.6]), 0.25, Puff { add: true, firm: false });
        c.rect(about(x, place.top + 0.27 * h, 0.035 * w, 0.27 * h), &gold);
        c.rect(about(x, place.top + 0.18 * h, 0.17 * w, 0.035 * h), &gold);
        for u in [-0.36, 0.36] {
            self.stamp(c, "candle", Stamp::at(x + u * w, place.top + 0.62 * h, 0.26 * h));
        }
        c.rect(share(place, 0.06, 0.64, 0.88, 0.36), &self.shaded(0xe6dccb, place));
        c.rect(share(place, 0.0, 0.60, 1.0, 0.07), &self.paint(0xfbf7ee));
        c.rect(share(place, 0.30, 0.66, 0.40, 0.24), &self.paint(0xfbf7ee));
        c.rect(share(place, 0.30, 0.86, 0.40, 0.04), &gold);
    }
}
