//! Fire: a dragon's breath, a rocket's flame and its smoke, explosions.

use std::f32::consts::TAU;

use super::{FIRM, LIGHT, SOFT, Source};
use crate::canvas::{Canvas, Ink, Puff, Rgb};
use crate::codes::{Kind, Motion};
use crate::paint::film::{Film, Moment};
use crate::paint::shape::Pen;
use crate::random::Random;
use crate::sprites::atlas;

/// An explosion begins at this share of the clip.
const BANG: f32 = 0.44;

impl Film {
    /// A cone that widens from the mouth, in gusts: far and red first, near and pale last.
    pub(super) fn fire_breath(&self, c: &mut Canvas, m: &Moment, s: &Source) {
        const COUNT: usize = 64;
        let gust = (m.t / 2.6).fract();
        let on = smooth((gust - 0.10) * 6.0) * (1.0 - smooth((gust - 0.82) * 7.0)) * s.alpha;
        if on < 0.01 {
            return;
        }
        let dragon = self.brief.slots.get(s.slot).is_some_and(|slot| atlas().get(slot.sprite).name == "dragon");
        let (x, y) = (s.x + s.dir * 0.40 * s.width, s.foot - s.height * if dragon { 0.725 } else { 0.6 });
        let short = self.short;
        c.puff(x + s.dir * 0.18 * short, y, 0.42 * short, 0.32 * short, Rgb([1.0, 0.50, 0.15]), 0.34 * on, LIGHT);
        let mut flames: Vec<(f32, usize)> = (0..COUNT).map(|j| ((1.5 * m.t + j as f32 / COUNT as f32).fract(), j)).collect();
        flames.sort_by(|one, other| other.0.total_cmp(&one.0));
        for (age, j) in flames {
            let off = (j as f32 * 78.233).sin();
            let lick = 0.02 * (14.0 * m.t + 5.0 * off).sin() * age;
            let (px, py) = (x + s.dir * 0.46 * short * age, y + short * (0.05 * age * age + (0.13 * off + lick) * age));
            let size = short * (0.020 + 0.060 * age) * (1.2 - 0.4 * off.abs());
            let colour = Rgb([1.0, 0.95, 0.60]).mix(Rgb([1.0, 0.25, 0.05]), (1.2 * age + 0.2 * off.abs()).min(1.0));
            let colour = colour.mix(Rgb([0.22, 0.18, 0.18]), (3.0 * age - 2.2).max(0.0));
            c.puff(px, py, size, size, colour, 0.82 * on * (2.2 * (1.0 - age)).min(1.0), FIRM);
        }
        for j in 0..12 {
            let age = (0.9 * m.t + j as f32 / 12.0).fract();
            let off = (j as f32 * 41.7).sin();
            let (px, py) = (x + s.dir * short * (0.1 + 0.5 * age), y + short * (0.18 * off * age - 0.10 * age * age));
            let size = short * 0.010 * (1.0 - age);
            c.puff(px, py, size, size, Rgb([1.0, 0.85, 0.4]), on, LIGHT);
        }
    }

    /// What is drawn with its flame.
    pub(super) fn is_flame(&self, slot: usize) -> bool {
        let name = self.brief.slots.get(slot).map_or("", |slot| atlas().get(slot.sprite).name.as_str());
        matches!(name, "candle" | "fire" | "campfire" | "lantern" | "birthday-cake")
    }

    /// What has no mouth to breathe fire burns itself.
    pub(super) fn burns(&self, slot: usize) -> bool {
        let kind = self.brief.slots.get(slot).map(|slot| slot.kind);
        matches!(kind, Some(Kind::Prop | Kind::Vehicle | Kind::Boat | Kind::Aircraft | Kind::Plant | Kind::Building))
            && self.cast.figure(slot).is_none()
    }

    /// Smoke, then tongues of flame from the upper half of a thing, far and red first.
    pub(super) fn blaze(&self, c: &mut Canvas, m: &Moment, s: &Source) {
        let (short, size) = (self.short, s.width.min(s.height).max(0.08 * self.short));
        c.puff(s.x, s.top + 0.4 * s.height, 0.9 * s.width, 0.8 * s.height, Rgb([1.0, 0.45, 0.12]), 0.30 * s.alpha, LIGHT);
        for j in 0..10 {
            let age = (0.32 * m.t + j as f32 / 10.0).fract();
            let x = s.x + s.width * 0.28 * (2.4 * j as f32).sin() + short * 0.12 * age * (0.4 + self.layout.frame.wind);
            let far = short * (0.025 + 0.075 * age);
            let alpha = 0.55 * (6.0 * age).min(1.0) * (1.0 - age) * s.alpha;
            c.puff(x, s.top - 0.02 * short - 0.40 * short * age, far, far, Rgb([0.20, 0.18, 0.20]), alpha, SOFT);
        }
        for (layer, (hex, high, count)) in [(0xe8401c_u32, 0.62, 7_usize), (0xff8a1f, 0.46, 7), (0xffd84a, 0.28, 6)].into_iter().enumerate()
        {
            let mut tongues = Pen::default();
            for j in 0..count {
                let place = j as f32 + 0.37 * layer as f32;
                let u = (j as f32 + 0.5) / count as f32 - 0.5;
                let flicker = 0.72 + 0.2 * (7.0 * m.t + 2.3 * place).sin() + 0.12 * (13.0 * m.t + 4.1 * place).sin();
                let (x, half) = (s.x + u * s.width * 0.86, 0.62 * s.width / count as f32);
                let y = s.top + (0.24 + 0.30 * u.abs()) * s.height;
                let tall = size * high * flicker * (1.0 - 0.7 * u.abs());
                let tip = x + 0.35 * half * (5.0 * m.t + 1.7 * place).sin();
                tongues = tongues
                    .to(x - half, y)
                    .cubic([x - 1.3 * half, y - 0.45 * tall], [tip - 0.3 * half, y - 0.6 * tall], tip, y - tall)
                    .cubic([tip + 0.5 * half, y - 0.55 * tall], [x + 1.4 * half, y - 0.4 * tall], x + half, y)
                    .quad([x, y + 0.5 * half], x - half, y)
                    .close();
            }
            tongues.fill(c, &Ink::flat(Rgb::hex(hex), 0.93 * s.alpha));
        }
        for j in 0..10 {
            let age = (0.8 * m.t + j as f32 / 10.0).fract();
            let x = s.x + s.width * (0.4 * (3.1 * j as f32).sin() + 0.1 * (5.0 * age + j as f32).sin());
            c.circle(
                x,
                s.top + 0.3 * s.height - 0.45 * short * age,
                0.005 * short * (1.0 - age),
                &Ink::flat(Rgb([1.0, 0.8, 0.35]), 1.0 - age),
            );
        }
    }

    pub(super) fn rocket_flame(&self, c: &mut Canvas, m: &Moment, s: &Source) {
        let (Some(slot), Some(object), Some(pose)) = (self.brief.slots.get(s.slot), self.layout.objects.get(s.slot), m.poses.get(s.slot))
        else {
            return;
        };
        let short = self.short;
        let upright = matches!(slot.motion, Motion::Launch | Motion::Rise);
        let burn = if upright { pose.burn } else { pose.burn.max(1.0) } * s.alpha;
        // Which way the exhaust leaves; level flight is drawn 18 degrees nose up.
        let [dx, dy] = if upright { [0.0, 1.0] } else { [-s.dir * 0.951, 0.309] };
        let reach = if upright { 0.46 * s.height } else { 0.36 * s.width.hypot(s.height) };
        let (x, y) = (s.x + dx * reach, s.foot - 0.5 * s.height + dy * reach);
        if upright {
            self.launch_smoke(c, m, [x, y], object.y * self.height, burn);
        }
        c.puff(x, y + 0.03 * short, 0.26 * short, 0.26 * short, Rgb([1.0, 0.60, 0.20]), 0.5 * burn, LIGHT);
        let flicker = 1.0 + 0.13 * (31.0 * m.t).sin() + 0.09 * (47.0 * m.t).sin();
        for (long, wide, hex) in [(0.21, 0.058, 0xff7a1f), (0.155, 0.042, 0xffb938), (0.095, 0.026, 0xfff3cf)] {
            let (long, wide) = (long * short * flicker * burn.sqrt(), wide * short * (0.5 + 0.5 * burn));
            let wag = wide * 0.35 * (23.0 * m.t).sin();
            let tip = [x + dx * long - dy * wag, y + dy * long + dx * wag];
            let side = |way: f32, along: f32, out: f32| {
                [x + dx * long * along - way * dy * wide * out, y + dy * long * along + way * dx * wide * out]
            };
            let ([lx, ly], [rx, ry]) = (side(1.0, -0.12, 0.55), side(-1.0, -0.12, 0.55));
            let flame = Pen::at(lx, ly)
                .cubic(side(1.0, 0.25, 1.35), side(1.0, 0.65, 0.55), tip[0], tip[1])
                .cubic(side(-1.0, 0.65, 0.55), side(-1.0, 0.25, 1.35), rx, ry)
                .close();
            flame.fill(c, &Ink::flat(Rgb::hex(hex), 0.92 * burn.min(1.0)));
        }
    }

    /// Clouds along the ground under the engine (at `nozzle`, pixels) and a column up to it.
    fn launch_smoke(&self, c: &mut Canvas, m: &Moment, [x, y]: [f32; 2], ground: f32, burn: f32) {
        let short = self.short;
        let (warm, cool) = (self.light.lit(Rgb([1.0, 0.86, 0.70])), self.light.lit(Rgb([0.93, 0.93, 0.96])));
        let thin = 1.0 - 0.6 * smooth((m.p - 0.6) * 3.0);
        for j in 0..44u64 {
            let mut random = Random::of(self.seed, 9300 + j);
            let age = (0.55 * m.t + j as f32 / 44.0).fract();
            let (side, puffed) = (random.within(-1.0, 1.0), random.unit());
            let (px, py) = (x + side * short * (0.04 + 0.42 * age), ground + short * (0.012 - 0.02 * side.abs() - 0.07 * age * puffed));
            let size = short * (0.035 + 0.085 * age);
            c.puff(px, py, 1.15 * size, 0.95 * size, warm.mix(cool, (0.3 + age).min(1.0)), 0.95 * burn * (1.0 - age) * thin, FIRM);
        }
        let trail = (ground - y).clamp(0.10 * short, 0.6 * short);
        for j in 0..26 {
            let age = (1.2 * m.t + j as f32 / 26.0).fract();
            let (px, py) = (x + 0.012 * short * (9.0 * j as f32).sin() * (1.0 + 3.0 * age), y + trail * age);
            let size = short * (0.02 + 0.05 * age);
            c.puff(px, py, size, 1.2 * size, warm.mix(cool, age), 0.8 * burn * (1.0 - age), FIRM);
        }
    }

    /// An explosion about a point; `radius` is half the width of what explodes, all in pixels.
    pub(in crate::paint) fn burst(&self, c: &mut Canvas, m: &Moment, x: f32, y: f32, radius: f32) {
        let age = (m.t - BANG * self.brief.seconds) / 1.6;
        if !(0.0..=1.3).contains(&age) {
            return;
        }
        let (short, radius) = (self.short, radius.max(0.03 * self.short));
        let (grown, left) = (1.0 - (-4.5 * age).exp(), 1.0 - age / 1.3);
        let glow = radius * (3.0 + 6.0 * grown);
        c.puff(x, y, glow, glow, Rgb([1.0, 0.85, 0.5]), (1.0 - 2.4 * age).max(0.0), LIGHT);
        let mut random = Random::of(self.seed, 9400);
        let ray = |random: &mut Random| (random.within(0.0, TAU).sin_cos(), random.unit());
        for _ in 0..48 {
            let ((sin, cos), far) = ray(&mut random);
            let far = far.powf(0.6);
            let size = radius * (0.26 + 0.32 * grown) * random.within(0.55, 1.15);
            let heat = (1.15 * far + 1.3 * age + random.within(-0.25, 0.25)).clamp(0.0, 1.0);
            let hot = Rgb([1.0, 0.93, 0.55]).mix(Rgb([1.0, 0.35, 0.08]), heat);
            let smoke = Rgb([0.24, 0.22, 0.25]).mix(Rgb([0.46, 0.43, 0.44]), random.unit());
            let colour = hot.mix(smoke, (2.4 * age - 0.45 + 0.5 * (heat - 0.5)).clamp(0.0, 1.0));
            let (px, py) = (x + cos * radius * 1.7 * grown * far, y + sin * radius * 1.4 * grown * far - 0.10 * short * age * age);
            c.puff(px, py, size, size, colour, 0.9 * left, FIRM);
        }
        for (wide, alpha) in [(0.030, 0.25), (0.012, 0.8)] {
            let ink = Ink::flat(Rgb([1.0, 0.97, 0.85]), alpha * (1.0 - 2.0 * age).max(0.0));
            Pen::default().circle(x, y, radius * (0.6 + 3.2 * grown)).stroke(c, short * wide * (1.0 - 0.5 * grown), &ink);
        }
        for _ in 0..60 {
            let ((sin, cos), far) = ray(&mut random);
            let (far, hex) = (0.35 + 0.65 * far, random.one(&[0xffe566, 0xff9933, 0xff594d]));
            let (px, py) = (x + cos * radius * 3.6 * grown * far, y + sin * radius * 3.6 * grown * far + 0.30 * short * age * age);
            let size = short * 0.008 * left * (0.6 + far);
            c.puff(px, py, 2.4 * size, 2.4 * size, Rgb::hex(hex), 0.5 * left, Puff { add: true, ..SOFT });
            c.circle(px, py, 0.7 * size, &Ink::flat(Rgb::hex(hex).mix(Rgb::WHITE, 0.4), (1.6 * left).min(1.0)));
        }
    }
}

/// 0 to 1, slow at both ends.
fn smooth(share: f32) -> f32 {
    let share = share.clamp(0.0, 1.0);
    share * share * (3.0 - 2.0 * share)
}
