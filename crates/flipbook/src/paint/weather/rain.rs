//! Rain in two layers, rings where it hits ground and water, splashes on top of things.

use std::f32::consts::{PI, TAU};

use crate::canvas::{Canvas, Ink, Puff, Rgb};
use crate::codes::Weather;
use crate::paint::film::{Film, Medium, Moment};
use crate::paint::shape::Pen;
use crate::random::Random;

/// Splashes on top of one thing at a time.
const SPLASHES: u64 = 9;

impl Film {
    pub(super) fn rain(&self, c: &mut Canvas, m: &Moment) {
        let storm = self.brief.weather == Weather::Storm;
        if matches!(self.medium, Medium::Ground | Medium::Water | Medium::Floor) {
            self.rain_on_the_ground(c, m);
        }
        for slot in 0..m.poses.len() {
            self.rain_on_top(c, m, slot);
        }
        let wind = self.layout.frame.wind;
        let slant = if storm { 0.16 * if wind < 0.0 { -1.0 } else { 1.0 } } else { 0.04 } + 0.10 * wind;
        let colour = Rgb([0.88, 0.93, 1.0]);
        // How many, how long and how fast (heights of the frame per second), how broad, how opaque: far and near.
        for (layer, [each, long, pace, broad, alpha]) in
            [[95.0, 0.055, 1.5, 0.0026, 0.32], [50.0, 0.10, 2.2, 0.0042, 0.42]].into_iter().enumerate()
        {
            let mut random = Random::of(self.seed, 21 + layer as u64);
            let mut streaks = Pen::default();
            for _ in 0..self.crowd(each * if storm { 1.35 } else { 1.0 }) {
                let (start, phase, pace) = (random.unit(), random.unit(), pace * random.within(0.85, 1.15));
                let y = (phase + m.t * pace).fract() * (1.0 + 2.0 * long) * self.height - long * self.height;
                let x = self.wrapped(start * (self.width + 0.4 * self.short) - slant * y, 0.2 * self.short);
                let (dy, broad) = (long * self.short * random.within(0.7, 1.2), broad * self.short);
                // A thin tail and a round, broader head.
                let head = [x - slant * dy, y + dy];
                streaks = streaks.to(x, y).line(head[0] + 0.5 * broad, head[1]).line(head[0] - 0.5 * broad, head[1] + 0.3 * broad).close();
            }
            streaks.fill(c, &Ink::flat(colour, alpha));
        }
    }

    fn rain_on_the_ground(&self, c: &mut Canvas, m: &Moment) {
        let (mut wide, mut small) = (Pen::default(), Pen::default());
        let deep = self.height - self.horizon;
        for j in 0..self.crowd(46.0) {
            let time = 1.9 * m.t + j as f32 * 0.618;
            let mut random = Random::of(self.seed, 3000 + j + 4096 * time as u64);
            let (age, near) = (time.fract(), random.unit());
            let (x, y) = (self.width * random.unit(), self.horizon + deep * (0.06 + 0.92 * near));
            let half = self.short * (0.006 + 0.020 * near) * (0.25 + 0.75 * age);
            let band = self.short * 0.0022 * (0.5 + near) * (1.0 - age);
            let ring = ring([x, y], half, band.max(0.25));
            if j % 2 == 0 {
                wide = wide.line_through(&ring).close()
            } else {
                small = small.line_through(&ring).close()
            }
            if age < 0.45 && near > 0.25 {
                let hop = self.short * (0.006 + 0.012 * near) * (PI * age / 0.45).sin();
                c.circle(x + 0.4 * half, y - hop, self.short * 0.0021 * (0.5 + near), &Ink::flat(Rgb::WHITE, 0.55));
                c.circle(x - 0.5 * half, y - 0.8 * hop, self.short * 0.0018 * (0.5 + near), &Ink::flat(Rgb::WHITE, 0.55));
            }
        }
        wide.fill(c, &Ink::flat(Rgb([0.92, 0.96, 1.0]), 0.36));
        small.fill(c, &Ink::flat(Rgb([0.92, 0.96, 1.0]), 0.52));
    }

    /// Drops that burst on a head, a roof, an umbrella.
    fn rain_on_top(&self, c: &mut Canvas, m: &Moment, slot: usize) {
        let crown = self.crown(m, slot);
        if crown.is_empty() {
            return;
        }
        let colour = Rgb([0.93, 0.97, 1.0]);
        for j in 0..SPLASHES {
            let time = 3.1 * m.t + j as f32 / SPLASHES as f32 + 0.37 * slot as f32;
            let mut random = Random::of(self.seed, 3500 + 64 * slot as u64 + j + 4096 * time as u64);
            let age = time.fract();
            let Some(top) = crown.get(random.below(crown.len())).copied().flatten() else { continue };
            if top.level < 0.25 {
                continue;
            }
            let size = self.short * 0.0030 * random.within(0.8, 1.3);
            for way in [-1.0, -0.3, 0.5, 1.0f32] {
                let out = self.short * 0.020 * way * age;
                let up = self.short * (0.020 - 0.007 * way.abs()) * (PI * (0.1 + 0.8 * age)).sin();
                c.circle(top.x + out, top.y - up, size * (1.0 - 0.6 * age), &Ink::flat(colour, 0.85 * (1.0 - age * age)));
            }
            let half = self.short * (0.004 + 0.010 * age);
            c.puff(top.x, top.y - 0.002 * self.short, half, 0.45 * half, colour, 0.55 * (1.0 - age), Puff::default());
        }
    }
}

/// The outline of a flat ring, its inner rim run backwards; `half` is half its width and `band` its breadth, in pixels.
fn ring([x, y]: [f32; 2], half: f32, band: f32) -> Vec<[f32; 2]> {
    const CORNERS: usize = 10;
    let inner = (half - band).max(0.0);
    let at = |radius: f32, j: usize| {
        let (sin, cos) = (TAU * j as f32 / CORNERS as f32).sin_cos();
        [x + radius * cos, y + 0.3 * radius * sin]
    };
    (0..=CORNERS).map(|j| at(half, j)).chain((0..=CORNERS).rev().map(|j| at(inner, j))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_stays_within_its_half_width() {
        assert!(ring([10.0, 20.0], 5.0, 1.0).iter().all(|[x, y]| (x - 10.0).abs() <= 5.001 && (y - 20.0).abs() <= 1.501));
    }
}
