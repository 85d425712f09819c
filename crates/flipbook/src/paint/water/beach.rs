//! A beach: the sea rolls in over wet sand and leaves foam behind.

use std::f32::consts::{PI, TAU};

use super::Water;
use crate::canvas::{Area, Canvas, Ink, Rgb};
use crate::paint::film::{Film, Moment};
use crate::paint::shape::{Pen, about};
use crate::paint::things::Stamp;
use crate::random::Random;

/// Room beside the frame that is painted too, in pixels.
const BLEED: f32 = 12.0;
/// Seconds from one wave on the sand to the next.
const PERIOD: f32 = 3.4;
/// Of the camera's way: the sand.
const DRIFT: f32 = 0.72;

impl Film {
    pub(super) fn beach(&self, c: &mut Canvas, m: &Moment, water: &Water) {
        let (horizon, height, short) = (self.horizon, self.height, self.short);
        let shore = horizon + (height - horizon) * 0.38; // where the waves reach on average, in pixels
        self.sea(c, m, water, shore - 0.02 * short, 5, |_, _| {});
        self.rollers(c, m, water, shore);
        self.sand(c, m, shore);
        self.swash(c, m, water, shore);
        self.things_on_the_sand(c, m, shore);
    }

    /// The line of the shore at `x`, both in pixels: bays and points.
    fn coastline(&self, m: &Moment, shore: f32, x: f32) -> f32 {
        let at = (x + m.camera * DRIFT) / self.short;
        shore + self.short * (0.014 * (5.0 * at).sin() + 0.006 * (11.7 * at + 1.0).sin())
    }

    /// Points along the frame's width, in pixels.
    fn along(&self, fine: f32) -> impl DoubleEndedIterator<Item = f32> + Clone {
        let step = self.short / fine;
        let count = ((self.width + 2.0 * BLEED) / step).ceil() as usize;
        (0..=count).map(move |j| step * j as f32 - BLEED)
    }

    /// Everything between an upper and a lower line.
    fn between(&self, upper: impl Fn(f32) -> f32, lower: impl Fn(f32) -> f32, fine: f32) -> Pen {
        let xs = self.along(fine);
        let mut points: Vec<[f32; 2]> = xs.clone().map(|x| [x, upper(x)]).collect();
        points.extend(xs.rev().map(|x| [x, lower(x)]));
        Pen::default().polygon(&points)
    }

    /// Waves that break before the shore: they rise, whiten and run in.
    fn rollers(&self, c: &mut Canvas, m: &Moment, water: &Water, shore: f32) {
        let short = self.short;
        for j in 0..2 {
            let age = (m.t / PERIOD + 0.5 * j as f32 + 0.1).fract();
            let y = shore - short * 0.13 * (1.0 - age).powf(0.8) - 0.012 * short;
            let high = short * 0.024 * (PI * (0.08 + 0.86 * age)).sin();
            let at = |x: f32| (x + m.camera * 0.6) / short;
            let line = |x: f32| y + short * (0.009 * (3.1 * at(x) + j as f32).sin() + 0.004 * (7.3 * at(x) + 0.5 * m.t).sin());
            let swell =
                |x: f32| high * (0.45 + 0.40 * (2.3 * at(x) + 2.0 * j as f32).sin() + 0.25 * (5.1 * at(x) + 0.6 * m.t).sin()).max(0.04);
            let come = (3.0 * age).min(1.0); // a swell before it is a wave
            let face = water.pale.mix(Rgb::hex(0x7fd8d0), 0.35);
            let back = self.between(|x| line(x) - swell(x), |x| line(x) + 0.4 * high, 40.0);
            back.fill(
                c,
                &Ink::linear(
                    [0.0, y - high],
                    [0.0, y + 0.5 * high],
                    &[(face.mix(water.foam, 0.2), 0.9 * come), (water.deep.mix(face, 0.4), 0.85 * come)],
                ),
            );
            // Foam tumbles down from the crest.
            let white = (2.2 * age - 0.5).clamp(0.0, 1.0);
            let spill = |x: f32| {
                let patch = 0.55 + 0.45 * (4.7 * at(x) + 1.3 * j as f32).sin();
                let curl = 0.16 * (TAU * 6.3 * at(x) + 3.0 * m.t).sin() + 0.10 * (TAU * 11.9 * at(x) - 2.0 * m.t).sin();
                swell(x) * (0.10 + (white * (0.5 + 0.6 * patch) * (1.0 + curl)).max(0.0))
            };
            let foam = self.between(|x| line(x) - 1.03 * swell(x), |x| line(x) - swell(x) + spill(x), 90.0);
            foam.fill(c, &Ink::flat(water.foam, come * (0.55 + 0.4 * white)));
        }
    }

    fn sand(&self, c: &mut Canvas, m: &Moment, shore: f32) {
        let (short, height) = (self.short, self.height);
        let (sand, low) = (self.light.lit(Rgb::hex(0xf6dfa6)), self.light.lit(Rgb::hex(0xe3bd7b)));
        let wet = low.mix(self.light.lit(Rgb::hex(0x9a7a55)), 0.55).mix(self.light.sky[1], 0.12);
        let (top, dry) = (shore - 0.035 * short, shore + 0.062 * short);
        let stops = |y: f32| ((y - top) / (height - top)).clamp(0.0, 1.0);
        let inks = [(0.0, wet, 1.0), (stops(dry - 0.015 * short), wet, 1.0), (stops(dry + 0.012 * short), sand, 1.0), (1.0, low, 1.0)];
        let even = top + 0.021 * short; // below every bay
        self.between(|x| self.coastline(m, top, x), |_| even + 2.0, 40.0).fill(c, &Ink::flat(wet, 1.0));
        let below = Area { left: -BLEED, top: even, right: self.width + BLEED, bottom: height + BLEED };
        c.rect(below, &Ink::linear_at([0.0, top], [0.0, height], &inks));

        let mut random = Random::of(self.seed, 2);
        let span = 3.0 * self.width;
        let (mut dents, mut crests) = (Pen::default(), Pen::default());
        for _ in 0..(60.0 * span / short) as usize {
            let (near, at, long) = (random.unit(), random.unit(), random.within(0.4, 2.2));
            let x = (at * span - m.camera * DRIFT).rem_euclid(span) - self.width;
            if x < -0.1 * short || x > self.width + 0.1 * short {
                continue;
            }
            let y = shore + 0.085 * short + (height - shore) * near;
            let (half, high) = (short * (0.003 + 0.014 * near) * long, short * 0.0022 * (1.0 + near));
            dents = dents.to(x - half, y).quad([x, y - high], x + half, y).quad([x, y + high], x - half, y).close();
            let y = y + 1.3 * high;
            crests = crests.to(x - half, y).quad([x, y - 0.6 * high], x + half, y).quad([x, y + 0.6 * high], x - half, y).close();
        }
        dents.fill(c, &Ink::flat(low.mix(Rgb([0.40, 0.25, 0.10]), 0.22), 0.42));
        crests.fill(c, &Ink::flat(sand.mix(Rgb::WHITE, 0.35), 0.45));
    }

    /// The thin sheet of water on the sand, its rim of foam, and the lace of an older one.
    fn swash(&self, c: &mut Canvas, m: &Moment, water: &Water, shore: f32) {
        let short = self.short;
        let at = |x: f32| (x + m.camera * DRIFT) / short;
        // It runs up fast and back slowly.
        let tide = |time: f32| {
            let age = (time / PERIOD).rem_euclid(1.0);
            let run = if age < 0.35 { (0.5 * PI * age / 0.35).sin() } else { (0.5 * PI * (age - 0.35) / 0.65).cos().powf(1.3) };
            (age, short * (0.052 * run - 0.012))
        };
        let (age, reach) = tide(m.t);
        let tongue = |x: f32| 0.75 + 0.25 * (3.7 * at(x) + 0.4 * (m.t / PERIOD).floor()).sin();
        let edge = |x: f32| self.coastline(m, shore, x) + reach * tongue(x);
        let top = shore - 0.05 * short;
        let aqua = water.pale.mix(self.light.lit(Rgb::hex(0x8fe0d4)), 0.55);
        let sheet = self.between(|x| self.coastline(m, top, x), edge, 40.0);
        let inks = [(0.0, water.pale.mix(water.deep, 0.55), 0.92), (0.35, aqua, 0.80), (1.0, aqua.mix(water.foam, 0.3), 0.30)];
        sheet.fill(c, &Ink::linear_at([0.0, top], [0.0, (shore + reach).max(top + 1.0)], &inks));

        // Bubbly foam: scallops that creep along the rim.
        let bubble = |x: f32, pace: f32| {
            let u = at(x);
            0.5 + 0.28 * (TAU * 9.0 * u + pace * m.t).sin() + 0.22 * (TAU * 15.7 * u - 0.7 * pace * m.t + 1.0).sin()
        };
        let patch = |x: f32| 0.55 + 0.45 * (6.1 * at(x) + 0.9).sin();
        let lines: [(f32, f32, f32, f32); 3] = [(-0.036, 0.011, 0.40, 0.9), (-0.016, 0.009, 0.55, -1.2), (0.0, 0.017, 0.97, 0.6)];
        for (offset, thick, alpha, pace) in lines {
            let line = |x: f32| edge(x) + short * offset * (0.8 + 0.4 * patch(x));
            let foam = self.between(
                |x| line(x) - short * thick * (0.35 + 0.65 * patch(x)) * (0.35 + 0.65 * bubble(x + 0.3 * short, pace)),
                |x| line(x) + short * thick * 0.30 * bubble(x, pace),
                110.0,
            );
            foam.fill(c, &Ink::flat(water.foam, alpha));
        }
        // What the last wave left fades away as the sand takes it.
        let (_, high) = tide(0.35 * PERIOD);
        if age > 0.35 {
            let old = |x: f32| self.coastline(m, shore, x) + high * tongue(x);
            let fade = ((1.0 - age) / 0.65).powf(1.4);
            let lace = self.between(|x| old(x) - short * 0.005 * bubble(x, 0.0) * patch(x), |x| old(x) + short * 0.002, 110.0);
            lace.fill(c, &Ink::flat(water.foam, 0.75 * fade));
            let mut random = Random::of(self.seed, 481);
            let span = 1.4 * self.width;
            for _ in 0..(22.0 * self.width / short) as usize {
                let x = (random.unit() * span - m.camera * DRIFT).rem_euclid(span) - 0.2 * self.width;
                let y = edge(x) + (old(x) - edge(x)) * random.unit();
                let size = short * random.within(0.0015, 0.005);
                c.oval(about(x, y, 1.6 * size, 0.7 * size), &Ink::flat(water.foam, 0.55 * fade));
            }
        }
    }

    fn things_on_the_sand(&self, c: &mut Canvas, m: &Moment, shore: f32) {
        let (short, deep) = (self.short, self.height - shore);
        let (palm, parasol) = if self.seed.is_multiple_of(2) { (-0.04, 0.14) } else { (1.04, 0.86) };
        // Name, place in frame widths, how near (0 to 1), height in short sides.
        let things = [
            ("palm-tree", palm, 0.10, 0.50),
            ("palm-tree", 1.90, 0.08, 0.44),
            ("palm-tree", -1.10, 0.08, 0.46),
            ("umbrella-on-ground", -0.60, 0.10, 0.15),
            ("umbrella-on-ground", parasol, 0.12, 0.16),
            ("sandcastle", 1.0 - parasol, 0.30, 0.085),
            ("spiral-shell", 0.20, 0.55, 0.05),
            ("spiral-shell", 1.50, 0.62, 0.06),
            ("crab", 0.70, 0.60, 0.05),
        ];
        for (j, (name, place, near, size)) in things.into_iter().enumerate() {
            let (x, y, size) = (self.width * place - m.camera * DRIFT, shore + 0.06 * short + deep * near, size * short);
            if x < -size || x > self.width + size || self.casts(name) {
                continue;
            }
            let tall = name == "palm-tree";
            c.puff(
                x,
                y - 0.01 * size,
                size * if tall { 0.30 } else { 0.55 },
                0.10 * size,
                Rgb([0.30, 0.18, 0.08]),
                0.45,
                Default::default(),
            );
            let sway = if tall { 0.02 * (m.t + j as f32).sin() + 0.02 * self.layout.frame.wind } else { 0.0 };
            let walk = if name == "crab" { 0.02 * short * (0.8 * m.t).sin() } else { 0.0 };
            self.stamp(c, name, Stamp { dim: (1.1 * self.light.level).min(1.0), sway, ..Stamp::at(x + walk, y, size) });
        }
    }
}
