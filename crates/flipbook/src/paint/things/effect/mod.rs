//! What things give off: steam, breath of fire, notes, hearts, smoke, flames, dust, crumbs, drops. And explosions.
//!
//! Each particle has an age (0 when it is born to 1 when it is gone) that follows from the time alone.

mod fire;

use std::f32::consts::{PI, TAU};

use super::stamp::Stamp;
use crate::canvas::{Canvas, Ink, Puff, Rgb};
use crate::codes::{Colour, Effect, Kind};
use crate::paint::film::{Film, Medium, Moment};
use crate::paint::shape::{Pen, about};
use crate::random::Random;

const SOFT: Puff = Puff { add: false, firm: false };
const FIRM: Puff = Puff { add: false, firm: true };
const LIGHT: Puff = Puff { add: true, firm: false };

/// Where a thing is and which way it faces, in pixels.
pub(super) struct Source {
    pub slot: usize,
    pub x: f32,
    foot: f32,
    pub top: f32,
    pub width: f32,
    pub height: f32,
    /// -1 left, 1 right.
    pub dir: f32,
    alpha: f32,
}

impl Film {
    /// Draws what `slot` gives off: what lies behind it (`before`), or what lies in front.
    pub(super) fn effect(&self, c: &mut Canvas, m: &Moment, slot: usize, effect: Effect, before: bool) {
        let Some(source) = self.source(m, slot) else { return };
        match (effect, before) {
            (Effect::Steam, false) => self.steam(c, m, &source),
            (Effect::Fire, _) if self.is_flame(slot) => {}
            (Effect::Fire, false) if self.burns(slot) => self.blaze(c, m, &source),
            (Effect::Fire, false) => self.fire_breath(c, m, &source),
            (Effect::Notes, false) => self.notes(c, m, &source),
            (Effect::Hearts, false) => self.hearts(c, m, &source),
            (Effect::Sparkles, false) => self.sparkles(c, m, &source),
            (Effect::Smoke, false) => self.smoke(c, m, &source),
            (Effect::Sleep, false) => self.sleep(c, m, &source),
            (Effect::Flame, true) => self.rocket_flame(c, m, &source),
            (Effect::Dust, true) if matches!(self.medium, Medium::Ground | Medium::Floor) => self.dust(c, m, &source),
            (Effect::Crumbs, false) => self.crumbs(c, m, &source),
            (Effect::Drops, false) => self.drops(c, m, &source),
            (effect, false) => self.feeling(c, m, &source, effect),
            _ => {}
        }
    }

    fn source(&self, m: &Moment, slot: usize) -> Option<Source> {
        let (pose, object) = (m.poses.get(slot)?, self.layout.objects.get(slot)?);
        let (width, height) = (pose.w * self.width * pose.scale, pose.h * self.height * pose.scale);
        let foot = (pose.y - pose.lift) * self.height;
        let dir = if (object.dir < 0.0) != pose.flip { -1.0 } else { 1.0 };
        (pose.alpha > 0.02 && width > 0.0 && height > 0.0).then_some(Source {
            slot,
            x: pose.x * self.width,
            foot,
            top: foot - height,
            width,
            height,
            dir,
            alpha: pose.alpha,
        })
    }

    fn steam(&self, c: &mut Canvas, m: &Moment, s: &Source) {
        let colour = if self.light.dark { Rgb([0.80, 0.84, 0.95]) } else { Rgb::WHITE };
        for j in 0..16 {
            let place = j as f32;
            let age = (0.33 * m.t + place / 16.0).fract();
            let sway = self.short * 0.035 * (9.0 * age + 2.1 * place + m.t).sin() * (0.3 + age);
            let x = s.x - 0.04 * s.width + sway + ((j % 3) as f32 - 1.0) * 0.16 * s.width;
            let y = s.foot - 0.74 * s.height - age * 0.42 * self.short;
            let alpha = (6.0 * age).min(1.0) * (1.0 - age).powf(0.7) * s.alpha;
            c.puff(x, y, s.width * (0.10 + 0.18 * age), s.width * (0.16 + 0.24 * age), colour, 0.9 * alpha, SOFT);
        }
    }

    fn notes(&self, c: &mut Canvas, m: &Moment, s: &Source) {
        const COLOURS: [Colour; 5] = [Colour::Purple, Colour::Pink, Colour::Blue, Colour::Orange, Colour::Red];
        for (j, colour) in COLOURS.into_iter().enumerate() {
            let place = j as f32;
            let age = (0.42 * m.t + place / 5.0).fract();
            let size = self.short * (0.05 + 0.03 * (PI * age).sin());
            let x = s.x + s.dir * s.width * (0.2 + 0.5 * age) + 0.05 * self.short * (5.0 * age + 2.0 * place).sin();
            let y = s.top + 0.3 * s.height - 0.34 * self.short * age;
            let name = if j % 2 == 1 { "musical-note" } else { "musical-notes" };
            let (turn, alpha) = (0.04 * (4.0 * m.t + place).sin(), s.alpha * fade(age, 4.0, 3.0));
            self.stamp(c, name, Stamp { turn, alpha, colour: Some(colour), ..Stamp::at(x, y, size) });
        }
    }

    fn hearts(&self, c: &mut Canvas, m: &Moment, s: &Source) {
        for j in 0..7 {
            let place = j as f32;
            let age = (0.4 * m.t + place / 7.0).fract();
            let x = s.x + 0.55 * s.width * (2.4 * place).sin() + 0.02 * self.short * (3.0 * m.t + place).sin();
            let y = s.top + 0.2 * s.height - 0.26 * self.short * age;
            let size = self.short
                * (0.016 + 0.014 * (j % 3) as f32 / 2.0)
                * (0.6 + 0.4 * (6.0 * age).min(1.0))
                * (1.0 + 0.08 * (9.0 * m.t + place).sin());
            let alpha = s.alpha * fade(age, 5.0, 2.0);
            let colour = Rgb::hex([0xff4d6d, 0xff7f9f, 0xe8345a][j % 3]);
            heart(Pen::default(), [x, y], size, 0.35 * (2.0 * m.t + place).sin()).fill(c, &Ink::flat(colour, alpha));
            c.oval(about(x - 0.42 * size, y - 0.55 * size, 0.24 * size, 0.17 * size), &Ink::flat(Rgb::WHITE, 0.65 * alpha));
        }
    }

    fn sparkles(&self, c: &mut Canvas, m: &Moment, s: &Source) {
        let gold = Rgb([1.0, 0.86, 0.40]);
        for j in 0..11u64 {
            let time = 0.55 * m.t + j as f32 / 11.0;
            let mut random = Random::of(self.seed, 9000 + 64 * s.slot as u64 + j + 4096 * time as u64);
            let age = time.fract();
            let x = s.x + s.width * random.within(-0.62, 0.62);
            let y = s.foot - s.height * random.within(0.05, 1.08) - 0.02 * self.short * age;
            let size = self.short * random.within(0.026, 0.056) * (PI * age).sin();
            c.puff(x, y, 1.5 * size, 1.5 * size, gold, 0.35 * s.alpha, LIGHT);
            let turn = 0.5 * age + random.unit();
            star(Pen::default(), [x, y], size, turn)
                .fill(c, &Ink::flat(if self.light.dark { Rgb([1.0, 0.93, 0.62]) } else { Rgb::hex(0xffc531) }, s.alpha));
            star(Pen::default(), [x, y], 0.5 * size, turn).fill(c, &Ink::flat(Rgb::WHITE, s.alpha));
        }
    }

    fn smoke(&self, c: &mut Canvas, m: &Moment, s: &Source) {
        let wind = self.layout.frame.wind;
        // Chimneys of vehicles are in front, and their smoke stays behind.
        let drives = self.brief.slots.get(s.slot).is_some_and(|slot| slot.kind == Kind::Vehicle);
        let (ahead, trail) = if drives { (0.27 * s.dir * s.width, -0.16 * s.dir) } else { (0.0, 0.0) };
        for j in (0..16).rev() {
            let place = j as f32;
            let age = (0.28 * m.t + place / 16.0).fract();
            let spread = if drives { 0.03 } else { 0.12 };
            let x = s.x
                + ahead
                + spread * s.width * (2.4 * place).sin()
                + self.short * (trail * age + 0.03 * (2.0 * m.t + place).sin() * age + 0.14 * (wind + 0.2) * age * age);
            let y = s.top + 0.12 * s.height - 0.38 * self.short * age;
            let size = self.short * (0.018 + 0.062 * age);
            let grey = self.light.lit(Rgb([0.45, 0.45, 0.49])).mix(self.light.lit(Rgb([0.80, 0.80, 0.84])), age);
            c.puff(x, y, size, 0.92 * size, grey, 0.62 * (1.0 - age) * (8.0 * age).min(1.0) * s.alpha, FIRM);
        }
    }

    fn sleep(&self, c: &mut Canvas, m: &Moment, s: &Source) {
        let (paper, ink) =
            if self.light.dark { (Rgb([0.12, 0.16, 0.35]), Rgb([0.80, 0.88, 1.0])) } else { (Rgb::WHITE, Rgb::hex(0x4a5bd4)) };
        for j in 0..3 {
            let age = (0.3 * m.t + j as f32 / 3.0).fract();
            let x = s.x + s.dir * (0.26 * s.width + 0.10 * self.short * age) + 0.018 * self.short * (7.0 * age).sin();
            let y = s.top + 0.16 * s.height - 0.20 * self.short * age;
            let (half, alpha) = (self.short * (0.012 + 0.022 * age), s.alpha * fade(age, 5.0, 2.5));
            let letter = || zed([x, y], half, 0.18 * (4.0 * age).sin());
            letter().stroke(c, 0.85 * half, &Ink::flat(paper, 0.8 * alpha));
            letter().stroke(c, 0.45 * half, &Ink::flat(ink, alpha));
        }
    }

    /// Thrown up behind feet and wheels: dust, or spray where it rains, or snow.
    fn dust(&self, c: &mut Canvas, m: &Moment, s: &Source) {
        let wet = self.raining();
        let colour = match (wet, self.light.white) {
            (true, _) => Rgb([0.85, 0.90, 1.0]),
            (_, true) => self.light.lit(Rgb::WHITE),
            _ => self.light.lit(Rgb([0.85, 0.78, 0.65])).mix(Rgb::WHITE, 0.2),
        };
        let rise = if wet { 0.055 } else { 0.036 };
        for j in 0..13 {
            let (place, layer) = (j as f32, (j % 3 + 1) as f32 / 3.0);
            let age = (1.5 * m.t + place / 13.0 + 0.11 * (place * 7.3).sin()).rem_euclid(1.0);
            let x = s.x - s.dir * (0.44 * s.width + 0.15 * self.short * age);
            let y = self.ground_below(m, s) - 0.008 * self.short - rise * self.short * layer * (PI * (0.15 + 0.7 * age)).sin();
            let (rx, ry) = (self.short * (0.012 + 0.032 * age), self.short * (0.009 + 0.024 * age));
            c.puff(x, y, rx, ry, colour, 0.50 * (1.0 - age) * s.alpha, SOFT);
            if wet && j % 2 == 0 {
                c.circle(
                    x - s.dir * 0.05 * self.short * age,
                    y - rise * self.short * layer * (PI * age).sin(),
                    self.short * 0.003,
                    &Ink::flat(colour, 0.8 * (1.0 - age)),
                );
            }
        }
    }

    /// Where the thing's foot would touch, in pixels.
    fn ground_below(&self, m: &Moment, s: &Source) -> f32 {
        m.poses.get(s.slot).map_or(s.foot, |pose| pose.y * self.height)
    }

    fn crumbs(&self, c: &mut Canvas, m: &Moment, s: &Source) {
        const COUNT: u64 = 14;
        let ground = self.ground_below(m, s);
        for j in 0..COUNT {
            let time = 1.1 * m.t + j as f32 / COUNT as f32;
            let mut random = Random::of(self.seed, 9200 + j + 4096 * time as u64);
            let age = time.fract();
            let (side, up) = (random.within(-0.5, 1.0), random.within(0.3, 1.0));
            let x = s.x + s.dir * (0.26 * s.width + side * 0.13 * self.short * age);
            let y = (s.foot - 0.46 * s.height - self.short * (0.10 * up * age - 0.34 * age * age)).min(ground);
            let size = self.short * random.within(0.003, 0.0065);
            let colour = self.light.lit(Rgb::hex(random.one(&[0xd9a05a, 0xc07f3c, 0xf0c987, 0x9c5f2c])));
            let points = [[-1.0, -0.6], [0.5, -1.0], [1.1, 0.3], [-0.2, 0.9]].map(|[px, py]: [f32; 2]| {
                let (sin, cos) = (9.0 * age + j as f32).sin_cos();
                [x + size * (px * cos - py * sin), y + size * (px * sin + py * cos)]
            });
            Pen::default().polygon(&points).fill(c, &Ink::flat(colour, (4.0 * (1.0 - age)).min(1.0) * s.alpha));
        }
    }

    /// Poured or sprinkled in an arc before it, down to the ground.
    fn drops(&self, c: &mut Canvas, m: &Moment, s: &Source) {
        const COUNT: usize = 26;
        let ground =
            self.ground_below(m, s) + if m.poses.get(s.slot).is_some_and(|pose| pose.lift > 0.02) { 0.0 } else { 0.01 * self.short };
        let (x0, y0) = (s.x + s.dir * 0.45 * s.width, s.foot - 0.66 * s.height);
        let fall = (ground - y0).max(0.10 * self.short).min(0.5 * self.short);
        let colour = self.light.lit(Rgb::hex(0x6cc3f2)).mix(Rgb::WHITE, 0.15);
        let (mut drops, mut rings) = (Pen::default(), Pen::default());
        for j in 0..COUNT {
            let place = j as f32;
            let age = (1.25 * m.t + place / COUNT as f32).fract();
            let spread = 1.0 + 0.35 * (place * 12.9).sin();
            let reach = s.dir * self.short * 0.15 * spread;
            if age < 0.8 {
                let k = age / 0.8;
                let at = |k: f32| [x0 + reach * k, y0 + fall * (1.15 * k * k - 0.15 * k)];
                let ([x, y], [bx, by]) = (at(k), at((k - 0.07).max(0.0)));
                let size = self.short * 0.0048;
                drops = drops.circle(x, y, size).to(x - size, y).line(bx, by - size).line(x + size, y).close();
            } else {
                let k = (age - 0.8) / 0.2;
                let half = self.short * (0.004 + 0.014 * k);
                rings = rings.oval(x0 + reach, y0 + fall, half, 0.3 * half);
            }
        }
        drops.fill(c, &Ink::flat(colour, 0.92 * s.alpha));
        rings.stroke(c, 0.0026 * self.short, &Ink::flat(colour, 0.6 * s.alpha));
    }
}

/// In over the first 1/`rise` of the age and out over the last 1/`fall`.
fn fade(age: f32, rise: f32, fall: f32) -> f32 {
    (rise * age).min(fall * (1.0 - age)).clamp(0.0, 1.0)
}

/// A heart about a point; `size` is half its width in pixels, `turn` in radians.
pub(in crate::paint) fn heart(pen: Pen, [x, y]: [f32; 2], size: f32, turn: f32) -> Pen {
    let (sin, cos) = turn.sin_cos();
    let at = |px: f32, py: f32| [x + size * (px * cos - py * sin), y + size * (px * sin + py * cos)];
    let ([fx, fy], [tx, ty]) = (at(0.0, 1.0), at(0.0, -0.45));
    pen.to(fx, fy).cubic(at(-1.45, 0.05), at(-0.95, -1.35), tx, ty).cubic(at(0.95, -1.35), at(1.45, 0.05), fx, fy).close()
}

/// A star of four rays; `size` from its middle to a tip in pixels, `turn` in turns.
pub(in crate::paint) fn star(pen: Pen, [x, y]: [f32; 2], size: f32, turn: f32) -> Pen {
    let tip = |j: f32| {
        let (sin, cos) = (TAU * turn + 0.25 * TAU * j).sin_cos();
        [x + size * cos, y + size * sin]
    };
    let [sx, sy] = tip(0.0);
    let mut pen = pen.to(sx, sy);
    for j in 1..=4 {
        let [tx, ty] = tip(j as f32);
        pen = pen.quad([x, y], tx, ty);
    }
    pen.close()
}

/// The letter Z about a point; `half` its half height in pixels, `turn` in radians.
fn zed([x, y]: [f32; 2], half: f32, turn: f32) -> Pen {
    let (sin, cos) = turn.sin_cos();
    let points = [[-0.75, -1.0], [0.75, -1.0], [-0.75, 1.0], [0.75, 1.0]]
        .map(|[px, py]: [f32; 2]| [x + half * (px * cos - py * sin), y + half * (px * sin + py * cos)]);
    Pen::default().line_through(&points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn particles_come_and_go_without_a_jump() {
        assert_eq!([fade(0.0, 4.0, 3.0), fade(1.0, 4.0, 3.0), fade(0.5, 4.0, 3.0)], [0.0, 0.0, 1.0]);
    }

    #[test]
    fn a_heart_and_a_star_keep_within_twice_their_size() {
        for path in [heart(Pen::default(), [50.0, 50.0], 10.0, 0.7).path(), star(Pen::default(), [50.0, 50.0], 10.0, 0.1).path()] {
            let bounds = path.expect("an outline").bounds();
            assert!(bounds.left() > 30.0 && bounds.right() < 70.0 && bounds.top() > 30.0 && bounds.bottom() < 70.0, "{bounds:?}");
        }
    }
}
