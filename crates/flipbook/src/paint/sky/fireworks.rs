//! Rockets that rise and burst.

use std::f32::consts::TAU;

use super::LIGHT;
use crate::canvas::{Canvas, Ink, Rgb};
use crate::paint::film::{Film, Moment};
use crate::paint::shape::Pen;
use crate::random::Random;

/// Seconds from the start of a rocket to its burst, and of the burst.
const CLIMB: f32 = 0.6;
const BURST: f32 = 1.7;
/// Seconds from rocket to rocket.
const PAUSE: f32 = 0.34;

const HUES: [[f32; 3]; 6] = [[1.0, 0.3, 0.3], [1.0, 0.8, 0.25], [0.35, 0.8, 1.0], [0.55, 1.0, 0.45], [1.0, 0.45, 0.85], [0.8, 0.6, 1.0]];

struct Rocket {
    start: f32,
    at: [f32; 2],
    radius: f32,
    hue: Rgb,
    second: Rgb,
    kind: usize,
    /// Turns and share of the radius of each spark.
    sparks: Vec<[f32; 2]>,
}

impl Film {
    /// How bright the bursts are, 0 to 1.
    pub(super) fn fireworks(&self, c: &mut Canvas, m: &Moment) -> f32 {
        let mut flash: f32 = 0.0;
        for index in 0..(self.brief.seconds / PAUSE) as u64 + 6 {
            let start = index as f32 * PAUSE - 1.6;
            if !(start - 0.2..start + CLIMB + BURST + 0.2).contains(&m.t) {
                continue;
            }
            let rocket = self.rocket(index, start);
            let age = m.t - rocket.start;
            if (0.0..CLIMB).contains(&age) {
                self.climb(c, &rocket, age / CLIMB);
            } else if (CLIMB..CLIMB + BURST).contains(&age) {
                flash = flash.max(self.burst_of(c, &rocket, age - CLIMB, m.t));
            }
        }
        flash
    }

    fn rocket(&self, index: u64, start: f32) -> Rocket {
        let mut random = Random::of(self.seed, 9_000 + index);
        let kind = random.below(4);
        let count = if kind == 3 { 30 } else { 42 };
        let high = self.horizon.min(self.height);
        Rocket {
            start: start + random.within(-0.1, 0.1),
            at: [self.width * random.within(0.10, 0.90), high * random.within(0.12, 0.46)],
            radius: self.rise() * random.within(0.16, 0.28),
            hue: Rgb(random.one(&HUES)),
            second: Rgb(random.one(&HUES)),
            kind,
            sparks: (0..count).map(|j| [(j as f32 + random.within(-0.2, 0.2)) / count as f32, random.within(0.90, 1.04)]).collect(),
        }
    }

    fn climb(&self, c: &mut Canvas, rocket: &Rocket, share: f32) {
        let (short, foot) = (self.short, self.horizon.min(self.height));
        let height = |share: f32| foot + (rocket.at[1] - foot) * (1.0 - (1.0 - share) * (1.0 - share));
        let (y, tail) = (height(share), height((share - 0.16).max(0.0)));
        let x = rocket.at[0];
        let trail = Ink::linear([0.0, y], [0.0, tail + 1.0], &[(Rgb([1.0, 0.9, 0.6]), 0.8), (Rgb([1.0, 0.6, 0.3]), 0.0)]);
        Pen::at(x, y).line(x + 0.004 * short, tail + 1.0).stroke(c, 0.005 * short, &trail.adding());
        c.puff(x, y, 0.014 * short, 0.018 * short, Rgb([1.0, 0.95, 0.75]), 0.95, LIGHT);
    }

    /// `age` in seconds.
    fn burst_of(&self, c: &mut Canvas, rocket: &Rocket, age: f32, t: f32) -> f32 {
        let (short, [x, y], radius) = (self.short, rocket.at, rocket.radius);
        let fade = (1.0 - age / BURST).max(0.0).powf(1.3);
        let sink = if rocket.kind == 3 { 0.17 } else { 0.09 };
        let place = |[turn, share]: [f32; 2], age: f32| {
            let spread = (1.0 - (-3.2 * age).exp()) * radius * share;
            let (sin, cos) = (TAU * turn).sin_cos();
            [x + cos * spread, y + sin * spread + sink * short * age * age]
        };
        c.puff(x, y, 1.6 * radius, 1.6 * radius, rocket.hue, 0.34 * fade, LIGHT);
        let share_of = |index: usize, share: f32| match rocket.kind {
            1 if index % 2 == 1 => 0.52 * share,
            2 => share * (0.45 + 0.55 * ((index * 7 % 10) as f32 / 9.0)),
            _ => share,
        };
        for parity in 0..2 {
            let hue = if parity == 0 || rocket.kind == 0 { rocket.hue } else { rocket.second };
            let (mut tails, mut heads) = (Pen::default(), Pen::default());
            for (index, [turn, share]) in rocket.sparks.iter().enumerate().filter(|(index, _)| index % 2 == parity) {
                let spark = [*turn, share_of(index, *share)];
                let ([hx, hy], [tx, ty]) = (place(spark, age), place(spark, (age - 0.10 - 0.10 * sink * 10.0 * age).max(0.0)));
                let shrink = if age > 0.7 { 0.65 + 0.35 * (38.0 * t + 5.0 * index as f32).sin() } else { 1.0 };
                tails = tails.to(hx, hy).line(tx, ty);
                heads = heads.circle(hx, hy, short * 0.0050 * shrink * (0.5 + 0.5 * fade));
            }
            tails.stroke(c, 0.0040 * short, &Ink::flat(hue, 0.50 * fade).adding());
            let white = if age < 0.45 { 0.65 } else { 0.25 };
            heads.fill(c, &Ink::flat(hue.mix(Rgb::WHITE, white), fade).adding());
        }
        fade * (-2.0 * age).exp()
    }
}
