//! The open sea: bands of waves that travel, crests with foam, the path of sun or moon, spray in a storm.

use std::f32::consts::{PI, TAU};

use super::Water;
use crate::canvas::{Area, Canvas, Ink, Puff, Rgb};
use crate::codes::Weather;
use crate::paint::film::{Film, Moment};
use crate::paint::shape::Pen;
use crate::random::Random;

/// Room beside the frame that is painted too, in pixels.
const BLEED: f32 = 12.0;
/// Points of a crest to the short side of the frame.
const FINE: f32 = 64.0;

/// One line of waves.
struct Swell {
    /// 0 at the horizon to 1 at the near edge.
    near: f32,
    /// In pixels: the line of still water, half the height of the waves, from crest to crest.
    y: f32,
    amp: f32,
    length: f32,
    /// Radians that it has travelled.
    phase: f32,
    /// Of the camera's way, in pixels.
    drift: f32,
    /// 0 round to 1 pointed crests.
    sharp: f32,
}

impl Swell {
    /// How high the water stands, -1.4 to 1.4.
    fn up(&self, x: f32) -> f32 {
        let turn = TAU * (x + self.drift) / self.length;
        let crest = |angle: f32| (1.0 - self.sharp) * angle.cos() + self.sharp * (1.0 - 2.0 * (angle / 2.0).sin().abs());
        crest(turn - self.phase) + 0.4 * crest(2.3 * turn + 1.4 * self.phase + 5.0 * self.near)
    }

    fn line(&self, x: f32) -> f32 {
        self.y - self.amp * self.up(x)
    }

    /// Where its large waves have their crests, in pixels from `from` to `to`.
    fn crests(&self, from: f32, to: f32) -> impl Iterator<Item = (usize, f32)> {
        let first = ((from + self.drift) / self.length - self.phase / TAU).ceil();
        let count = ((to - from) / self.length).ceil().clamp(0.0, 60.0) as usize;
        let (length, phase, drift) = (self.length, self.phase, self.drift);
        (0..count).map(move |j| {
            let number = first + j as f32;
            (number.rem_euclid(97.0) as usize, (number + phase / TAU) * length - drift)
        })
    }
}

impl Film {
    /// Waves from the horizon to `end` (pixels from above). `between` draws what floats above a line, in pixels.
    pub(super) fn sea(&self, c: &mut Canvas, m: &Moment, water: &Water, end: f32, waves: usize, mut between: impl FnMut(&mut Canvas, f32)) {
        let (horizon, short) = (self.horizon, self.short);
        let below = Area { left: -BLEED, top: horizon, right: self.width + BLEED, bottom: self.height + BLEED };
        let stops = [(0.0, water.pale, 1.0), (0.35, water.pale.mix(water.deep, 0.6), 1.0), (1.0, water.deep, 1.0)];
        // What the nearer waves do not hide.
        let swells: Vec<Swell> = (0..waves).map(|wave| self.swell(m, wave, waves, end)).collect();
        let hidden = swells.first().map_or(end, |first| first.y + 1.5 * first.amp + 2.0).max(horizon + 1.0);
        c.rect(Area { bottom: hidden, ..below }, &Ink::linear_at([0.0, horizon], [0.0, end], &stops));
        let x = self.width * self.layout.frame.sun_x - m.camera * 0.02;
        if self.glitters() {
            let (rx, ry) = (0.26 * short, 0.75 * (end - horizon));
            c.clipped_to(below, |c| {
                c.puff(x, horizon, rx, ry, self.light.sun.mix(self.light.sky[2], 0.4), 0.5, Puff { add: true, firm: false })
            });
        }
        for (wave, swell) in swells.iter().enumerate() {
            between(c, swell.y);
            let bottom = swells
                .get(wave + 1)
                .map_or(if end < self.height { end + 0.03 * short } else { self.height + BLEED }, |next| next.y + 1.5 * next.amp);
            self.wave(c, swell, bottom, water);
            if self.glitters() {
                self.glitter(c, m, wave, x, swell, (end - horizon) / waves as f32);
            }
            if self.brief.weather == Weather::Storm && wave > 0 {
                self.spray(c, m, swell, water);
            }
        }
    }

    fn swell(&self, m: &Moment, wave: usize, waves: usize, end: f32) -> Swell {
        let storm = self.brief.weather == Weather::Storm;
        let near = (wave as f32 + 0.6) / waves as f32;
        let (rough, pace) = if storm { (3.6, 1.4) } else { (1.0, 1.0) };
        let way = if self.layout.frame.wind < 0.0 { -1.0 } else { 1.0 };
        Swell {
            near,
            y: self.horizon + (end - self.horizon) * near.powf(1.6),
            amp: self.short * 0.013 * rough * (0.25 + near),
            length: self.short * (0.16 + 0.5 * near) * if storm { 1.25 } else { 1.0 },
            phase: way * m.t * (0.9 + 0.5 * near) * pace + wave as f32 * 2.1,
            drift: m.camera * (0.25 + 0.6 * near),
            sharp: if storm { 0.55 } else { 0.4 },
        }
    }

    /// The band of water from a line of waves down to `bottom`, in pixels.
    fn wave(&self, c: &mut Canvas, swell: &Swell, bottom: f32, water: &Water) {
        let (short, near, storm) = (self.short, swell.near, self.brief.weather == Weather::Storm);
        let step = short / FINE;
        let count = ((self.width + 2.0 * BLEED) / step).ceil() as usize;
        let at = |j: usize| -BLEED + step * j as f32;
        let crest: Vec<[f32; 2]> = (0..=count).map(|j| [at(j), swell.line(at(j))]).collect();
        let colour = water.pale.mix(water.deep, 0.15 + 0.8 * near.powf(0.8));
        let trough = (swell.y + 3.3 * swell.amp).min(bottom);
        let bright = colour.mix(water.foam, if storm { 0.07 } else { 0.12 });
        // All opaque, hence layer may lie on layer: a bright face under the crest, the body, what is below all troughs.
        for (lower, ink) in [(0.0, bright), (0.9 * swell.amp, bright.mix(colour, 0.5)), (1.8 * swell.amp, colour)] {
            let mut band: Vec<[f32; 2]> = crest.iter().map(|[x, y]| [*x, (y + lower).min(trough)]).collect();
            band.extend([[at(count), trough + 2.0], [-BLEED, trough + 2.0]]);
            Pen::default().polygon(&band).fill(c, &Ink::flat(ink, 1.0));
        }
        if bottom > trough {
            let below = Area { left: -BLEED, top: trough, right: self.width + BLEED, bottom };
            c.rect(below, &Ink::linear([0.0, trough], [0.0, bottom], &[(colour, 1.0), (colour.mix(water.deep, 0.5), 1.0)]));
        }

        // Foam lies on the crests, broad on high ones, and thins out between.
        let thick = |x: f32| {
            let (high, world) = (swell.up(x), (x + swell.drift) / swell.length);
            let patch = 0.5 + 0.5 * (TAU * 0.61 * world + 3.0 * near).sin();
            let cap = (high - if storm { 0.10 } else { 0.75 }).max(0.0).powf(1.4) * if storm { 0.021 } else { 0.010 };
            short
                * near.sqrt()
                * (0.0008
                    + 0.0042 * patch * patch
                    + cap * (0.75 + 0.50 * (TAU * 6.3 * world).sin() + 0.35 * (TAU * 14.9 * world + 2.0).sin()).max(0.1))
        };
        let fine = || (0..=2 * count).map(|j| -BLEED + 0.5 * step * j as f32);
        let mut foam: Vec<[f32; 2]> = fine().map(|x| [x, swell.line(x)]).collect();
        foam.extend(fine().rev().map(|x| [x, swell.line(x) + thick(x)]));
        Pen::default().polygon(&foam).fill(c, &Ink::flat(water.foam, if storm { 0.62 } else { 0.34 + 0.22 * near }));

        // Small ripples on the face of the wave.
        let mut random = Random::of(self.seed, 401 + (near * 64.0) as u64);
        let span = self.width + 0.6 * short;
        let mut ripples = Pen::default();
        for _ in 0..(5.0 * self.width / short) as usize {
            let half = short * (0.012 + 0.045 * near) * random.within(0.5, 1.3);
            let x = (random.unit() * span - swell.drift + swell.phase * 0.03 * short).rem_euclid(span) - 0.3 * short;
            let y = swell.line(x) + (bottom - swell.y) * random.within(0.2, 0.75);
            let bow = short * (0.002 + 0.004 * near);
            ripples = ripples.to(x - half, y).quad([x, y - bow], x + half, y).quad([x, y - 0.3 * bow], x - half, y).close();
        }
        ripples.fill(c, &Ink::flat(water.foam, 0.10 + 0.14 * near));
    }

    /// Sparks under sun or moon (at `x`) that come and go.
    fn glitter(&self, c: &mut Canvas, m: &Moment, wave: usize, x: f32, swell: &Swell, depth: f32) {
        let mut random = Random::of(self.seed, 430 + wave as u64);
        let (short, near) = (self.short, swell.near);
        let mut sparks = Pen::default();
        for j in 0..(15.0 + 13.0 * near) as usize {
            let (gx, gy) = (x + random.normal(0.0, 0.03 + 0.085 * near) * short, random.within(-0.1, 1.0) * 0.8 * depth);
            let half = short * (0.006 + 0.020 * near) * random.within(0.5, 1.2);
            let shine = 0.5 + 0.5 * (3.1 * m.t + 2.4 * j as f32 + wave as f32).sin();
            let (half, high) = (half * shine, short * (0.0013 + 0.0026 * near) * shine);
            let y = swell.line(gx) + gy;
            sparks = sparks.to(gx - half, y).quad([gx, y - high], gx + half, y).quad([gx, y + high], gx - half, y).close();
        }
        sparks.fill(c, &Ink::flat(self.light.sun.mix(Rgb::WHITE, 0.3), 0.80));
    }

    /// What the wind tears off the crests.
    fn spray(&self, c: &mut Canvas, m: &Moment, swell: &Swell, water: &Water) {
        const PUFFS: usize = 7;
        let (short, near) = (self.short, swell.near);
        let way = if self.layout.frame.wind < 0.0 { -1.0 } else { 1.0 };
        for (number, x) in swell.crests(-0.1 * short, self.width + 0.1 * short) {
            let y = swell.line(x);
            for j in 0..PUFFS {
                let place = (j * 5 + number * 3) as f32;
                let age = (1.1 * m.t + place * 0.377).fract();
                let (fx, rise) =
                    (way * short * (0.13 * age - 0.01), short * (0.012 + 0.05 * near) * (PI * age).sin() * (0.6 + 0.4 * place.sin()));
                let size = short * (0.010 + 0.028 * age) * (0.4 + 0.8 * near);
                c.puff(x + fx, y - rise, 1.3 * size, size, water.foam, 0.42 * (1.0 - age), Puff::default());
            }
        }
    }
}
