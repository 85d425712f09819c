//! Chores at home, with animals and in water: the tool that nobody named, and what comes of it.

use std::f32::consts::{PI, TAU};

use super::Doer;
use crate::canvas::{Canvas, Ink, Puff, Rgb};
use crate::codes::{Act, Relation};
use crate::paint::film::{Film, Medium, Moment};
use crate::paint::shape::{Pen, about, area};
use crate::paint::things::stamp::Stamp;
use crate::paint::things::tools::Tool;

impl Film {
    pub(super) fn chore(&self, c: &mut Canvas, m: &Moment, d: &Doer, place: usize, act: Act) {
        match act {
            Act::Feed => self.fed(c, m, d, place),
            Act::Milk => self.milked(c, m, d),
            Act::Groom => self.groomed(c, m, d, false),
            Act::Repair => self.struck(c, m, place, Tool::Hammer),
            Act::Build if self.builds_high(place) => self.struck(c, m, place, Tool::Hammer),
            Act::Chop => {
                if self.handled_by(place).is_none() {
                    let x = d.x + 0.52 * d.way * d.size;
                    self.stamp(c, "wood", Stamp::at(x, d.foot, 0.30 * d.size));
                }
                self.struck(c, m, place, Tool::Axe);
            }
            Act::Vacuum => self.vacuumed(c, m, d),
            Act::Mow => self.mowed(c, m, d),
            Act::Iron => self.ironed(c, m, d),
            Act::Lift if !self.has_company(place) => self.barbell(c, d),
            Act::Bathe => self.bathed(c, m, d, place),
            Act::Splash => self.splashed(c, m, d, place),
            Act::Photograph => self.flashed(c, m, d),
            _ => {}
        }
    }

    /// Grains from the hand to who is fed.
    fn fed(&self, c: &mut Canvas, m: &Moment, d: &Doer, place: usize) {
        let [x, y] = d.hand;
        c.oval(about(x + 0.03 * d.way * d.size, y, 0.075 * d.size, 0.035 * d.size), &Ink::flat(self.colour(0xc98a4b), 1.0));
        let mouth = self.handled_by(place).and_then(|eater| {
            let eats = self.point(m, eater, crate::figures::Figure::mouth);
            eats.or_else(|| self.cast.figure(eater).is_none().then(|| self.front(m, eater)))
        });
        let near = |to: &[f32; 2]| ((to[0] - x) * d.way).clamp(0.12 * d.size, 0.9 * d.size);
        let [tx, ty] = mouth.map_or([x + 0.4 * d.way * d.size, d.foot], |to| [x + d.way * near(&to), to[1].max(y)]);
        for j in 0..9 {
            let age = (0.9 * m.t + j as f32 / 9.0).fract();
            let spread = 0.06 * d.size * (2.7 * j as f32).sin();
            let at = [x + (tx - x + spread) * age, y + (ty - y) * age - 0.35 * d.size * age * (1.0 - age)];
            c.circle(at[0], at[1], 0.017 * d.size, &Ink::flat(self.colour(0xe0a93b), (5.0 * (1.0 - age)).min(1.0)));
        }
    }

    fn milked(&self, c: &mut Canvas, m: &Moment, d: &Doer) {
        let [x, y] = [d.hand[0] + 0.06 * d.way * d.size, d.foot];
        let (wide, high) = (0.26 * d.size, 0.24 * d.size);
        let flow = (6.0 * m.t).sin().abs();
        let top = y - high - 0.22 * d.size;
        for side in [-0.3, 0.3] {
            let at = x + side * 0.3 * wide;
            Pen::at(at, top).line(at, y - high).stroke(c, 0.012 * d.size, &Ink::flat(Rgb::WHITE, 0.4 + 0.6 * flow));
        }
        let bucket = Pen::at(x - 0.5 * wide, y - high).line(x + 0.5 * wide, y - high).line(x + 0.38 * wide, y).line(x - 0.38 * wide, y);
        bucket.close().fill(c, &Ink::flat(self.colour(0x9aa7b5), 1.0));
        c.oval(about(x, y - high, 0.5 * wide, 0.12 * wide), &Ink::flat(self.colour(0xfdfdfb), 1.0));
    }

    /// A brush that goes up and down a coat, or a sponge and its foam.
    pub(super) fn groomed(&self, c: &mut Canvas, m: &Moment, d: &Doer, foam: bool) {
        let [x, y] = [d.hand[0] + 0.04 * d.way * d.size, d.hand[1]];
        if !foam {
            c.round_rect(
                area(x - 0.03 * d.size, y - 0.075 * d.size, 0.06 * d.size, 0.15 * d.size),
                0.02 * d.size,
                &Ink::flat(self.colour(0x8a5a34), 1.0),
            );
            c.rect(
                area(x + if d.way > 0.0 { 0.03 } else { -0.055 } * d.size, y - 0.06 * d.size, 0.025 * d.size, 0.12 * d.size),
                &Ink::flat(self.colour(0xf2e3c2), 1.0),
            );
            return;
        }
        for j in 0..9 {
            let (dx, dy) = ((2.4 * j as f32).cos(), (2.4 * j as f32).sin());
            let at = [x + d.way * 0.07 * d.size + 0.12 * d.size * dx, y + 0.17 * d.size * dy];
            c.circle(at[0], at[1], d.size * (0.035 + 0.015 * (1.3 * j as f32).cos()), &Ink::flat(Rgb::WHITE, 0.95));
        }
        c.round_rect(
            area(x - 0.05 * d.size, y - 0.04 * d.size, 0.11 * d.size, 0.08 * d.size),
            0.02 * d.size,
            &Ink::flat(self.colour(0xf7c948), 1.0),
        );
        for j in 0..5 {
            let age = (0.45 * m.t + j as f32 / 5.0).fract();
            let at = [x + d.size * (0.15 * (2.0 * j as f32).sin() + 0.04 * (5.0 * age).sin()), y - 0.45 * age * d.size];
            self.bubble(c, at, d.size * (0.018 + 0.012 * (j % 3) as f32), 1.0 - age);
        }
    }

    /// Splinters where a blow has landed.
    fn struck(&self, c: &mut Canvas, m: &Moment, place: usize, tool: Tool) {
        let (Some(grip), Some(object)) = (self.grip(m, place, tool), self.layout.objects.get(place)) else { return };
        let u = (super::PACE * m.t + object.phase).rem_euclid(1.0);
        let age = (u - 0.40) / 0.22;
        if !(0.0..1.0).contains(&age) {
            return;
        }
        let [x, y] = grip.at(0.26, 0.08);
        for j in 0..7 {
            let (sin, cos) = (TAU * j as f32 / 7.0).sin_cos();
            let (near, far) = (grip.size() * (0.04 + 0.08 * age), grip.size() * (0.07 + 0.12 * age));
            let line = Pen::at(x + near * cos, y + near * sin).line(x + far * cos, y + far * sin);
            line.stroke(c, 0.016 * grip.size(), &Ink::flat(self.colour(0xffb52e), 1.0 - age));
        }
    }

    fn vacuumed(&self, c: &mut Canvas, m: &Moment, d: &Doer) {
        let head = [d.x + d.way * (0.62 + 0.05 * (4.0 * m.t).sin()) * d.size, d.foot];
        let ink = |hex: u32| Ink::flat(self.colour(hex), 1.0);
        let body = [d.x - 0.42 * d.way * d.size, d.foot];
        let slack = [d.x - 0.1 * d.way * d.size, d.foot - 0.1 * d.size];
        Pen::at(body[0], body[1] - 0.14 * d.size).quad(slack, d.hand[0], d.hand[1]).stroke(c, 0.03 * d.size, &ink(0x4a4f5c));
        Pen::at(d.hand[0], d.hand[1]).line(head[0], head[1] - 0.03 * d.size).stroke(c, 0.028 * d.size, &ink(0xb9c2cc));
        c.round_rect(area(head[0] - 0.11 * d.size, head[1] - 0.06 * d.size, 0.22 * d.size, 0.06 * d.size), 0.02 * d.size, &ink(0x3b3f4c));
        c.round_rect(area(body[0] - 0.15 * d.size, body[1] - 0.23 * d.size, 0.30 * d.size, 0.20 * d.size), 0.08 * d.size, &ink(0xd8333b));
        for side in [-0.09, 0.09] {
            c.circle(body[0] + side * d.size, body[1] - 0.03 * d.size, 0.035 * d.size, &ink(0x3b3f4c));
        }
        for j in 0..7 {
            let age = 1.0 - (1.1 * m.t + j as f32 / 7.0).fract();
            let at = [head[0] + d.way * (0.08 + 0.22 * age) * d.size, d.foot - 0.07 * (2.3 * j as f32).sin().abs() * age * d.size];
            c.circle(at[0], at[1], 0.012 * d.size, &Ink::flat(self.colour(0x8a7a66), 0.9));
        }
    }

    /// A mower before the hands, and the grass that it throws up.
    fn mowed(&self, c: &mut Canvas, m: &Moment, d: &Doer) {
        let [x, y] = [d.x + 0.62 * d.way * d.size, d.foot];
        let ink = |hex: u32| Ink::flat(self.colour(hex), 1.0);
        Pen::at(d.hand[0], d.hand[1]).line(x, y - 0.16 * d.size).stroke(c, 0.025 * d.size, &ink(0x4a4f5c));
        c.round_rect(area(x - 0.18 * d.size, y - 0.20 * d.size, 0.36 * d.size, 0.14 * d.size), 0.03 * d.size, &ink(0xd8333b));
        c.round_rect(area(x - 0.07 * d.size, y - 0.27 * d.size, 0.14 * d.size, 0.08 * d.size), 0.02 * d.size, &ink(0x3b3f4c));
        for side in [-0.13, 0.13] {
            c.circle(x + side * d.size, y - 0.055 * d.size, 0.055 * d.size, &ink(0x2d313b));
        }
        for j in 0..10 {
            let age = (1.3 * m.t + j as f32 / 10.0).fract();
            let at = [
                x + d.way * (0.15 + 0.35 * age) * d.size,
                y - d.size * (0.04 + 0.8 * age * (1.0 - age) * (0.5 + 0.5 * (1.9 * j as f32).sin().abs())),
            ];
            Pen::at(at[0], at[1]).line(at[0] + 0.02 * d.size, at[1] - 0.035 * d.size).stroke(c, 0.012 * d.size, &ink(0x4f9a40));
        }
    }

    fn ironed(&self, c: &mut Canvas, m: &Moment, d: &Doer) {
        let ink = |hex: u32| Ink::flat(self.colour(hex), 1.0);
        let [x, top] = [d.x + 0.42 * d.way * d.size, d.foot - 0.40 * d.size];
        for side in [-1.0, 1.0] {
            Pen::at(x - side * 0.2 * d.size, top).line(x + side * 0.2 * d.size, d.foot).stroke(c, 0.022 * d.size, &ink(0x8792a0));
        }
        c.round_rect(area(x - 0.34 * d.size, top - 0.03 * d.size, 0.68 * d.size, 0.055 * d.size), 0.025 * d.size, &ink(0x6fb7e0));
        c.round_rect(area(x - 0.18 * d.size, top - 0.05 * d.size, 0.36 * d.size, 0.04 * d.size), 0.01 * d.size, &ink(0xfdf3e0));
        let at = x + 0.15 * d.size * (3.0 * m.t).sin();
        let iron = Pen::at(at - 0.11 * d.size, top - 0.05 * d.size).line(at + 0.14 * d.way * d.size, top - 0.05 * d.size);
        iron.line(at, top - 0.18 * d.size).line(at - 0.10 * d.size, top - 0.18 * d.size).close().fill(c, &ink(0xe0457b));
        for j in 0..5 {
            let age = (0.6 * m.t + j as f32 / 5.0).fract();
            let far = (0.03 + 0.06 * age) * d.size;
            c.puff(at, top - (0.15 + 0.35 * age) * d.size, far, far, Rgb::WHITE, 0.6 * (1.0 - age), Puff::default());
        }
    }

    /// A bar with a disc at each end, over the head.
    fn barbell(&self, c: &mut Canvas, d: &Doer) {
        let [x, y] = [d.x, d.hand[1]];
        Pen::at(x - 0.5 * d.size, y).line(x + 0.5 * d.size, y).stroke(c, 0.03 * d.size, &Ink::flat(self.colour(0x8792a0), 1.0));
        for side in [-1.0, 1.0] {
            for (far, half) in [(0.40, 0.17), (0.46, 0.12)] {
                let at = area(x + side * far * d.size - 0.025 * d.size, y - half * d.size, 0.05 * d.size, 2.0 * half * d.size);
                c.round_rect(at, 0.02 * d.size, &Ink::flat(self.colour(0x3b3f4c), 1.0));
            }
        }
    }

    /// A tub before who bathes, with foam over its edge.
    fn bathed(&self, c: &mut Canvas, m: &Moment, d: &Doer, place: usize) {
        if self.medium == Medium::Water {
            return;
        }
        let wide = m.poses.get(place).map_or(d.size, |pose| (1.25 * pose.w * self.width * pose.scale).max(0.95 * d.size));
        let (high, foot) = (0.46 * d.size, d.foot + 0.04 * d.size);
        let top = foot - high;
        let held = self.brief.slots.get(place).is_some_and(|slot| slot.relation == Relation::In);
        if !held {
            let tub = Pen::at(d.x - 0.5 * wide, top).line(d.x + 0.5 * wide, top);
            let tub = tub.cubic([d.x + 0.5 * wide, foot], [d.x + 0.4 * wide, foot], d.x + 0.3 * wide, foot);
            let tub = tub.line(d.x - 0.3 * wide, foot).cubic([d.x - 0.4 * wide, foot], [d.x - 0.5 * wide, foot], d.x - 0.5 * wide, top);
            tub.close().fill(c, &Ink::flat(self.colour(0xf4f7fb), 1.0));
            let rim = area(d.x - 0.54 * wide, top - 0.03 * d.size, 1.08 * wide, 0.07 * d.size);
            c.round_rect(rim, 0.03 * d.size, &Ink::flat(self.colour(0xcfd9e6), 1.0));
        }
        for j in 0..14 {
            let x = d.x + wide * (-0.46 + 0.92 * j as f32 / 13.0);
            let radius = d.size * (0.07 + 0.025 * (2.1 * j as f32).sin() + 0.006 * (2.0 * m.t + j as f32).sin());
            c.circle(x, top - 0.02 * d.size, radius, &Ink::flat(Rgb::WHITE, 0.96));
        }
        for j in 0..7 {
            let age = (0.35 * m.t + j as f32 / 7.0).fract();
            let at = [d.x + wide * 0.4 * (2.4 * j as f32).sin() + 0.04 * d.size * (6.0 * age).sin(), top - (0.05 + 0.7 * age) * d.size];
            self.bubble(c, at, d.size * (0.025 + 0.018 * (j % 3) as f32), 1.0 - age);
        }
    }

    /// Drops that fly up to both sides, and foam where they come from.
    fn splashed(&self, c: &mut Canvas, m: &Moment, d: &Doer, place: usize) {
        let wet = self.medium == Medium::Water;
        let y = if wet { self.waterline(m, place).min(d.foot) } else { d.foot } - 0.03 * d.size;
        for j in 0..26 {
            let (side, number) = (if j % 2 == 0 { 1.0 } else { -1.0 }, j as f32);
            let age = (1.2 * m.t + number / 26.0 + 0.37 * number).fract();
            let far = side * (0.22 + (0.25 + 0.35 * (1.7 * number).sin().abs()) * age) * d.size;
            let up = (1.6 + 1.1 * (2.9 * number).sin().abs()) * age * (1.0 - age) * d.size;
            let radius = d.size * (0.024 + 0.026 * (1.3 * number).cos().abs());
            c.circle(d.x + far, y - up, radius, &Ink::flat(Rgb::hex(0xd5f1ff), 0.95));
            c.circle(d.x + far, y - up, 0.6 * radius, &Ink::flat(Rgb::hex(0x7cc8f2), 0.9));
        }
        for j in 0..8 {
            let x = d.x + d.size * (-0.42 + 0.84 * j as f32 / 7.0);
            let radius = d.size * (0.06 + 0.025 * (5.0 * m.t + 2.0 * j as f32).sin());
            c.circle(x, y + 0.04 * d.size, radius, &Ink::flat(Rgb::WHITE, 0.75));
        }
    }

    fn flashed(&self, c: &mut Canvas, m: &Moment, d: &Doer) {
        let age = (0.7 * m.t).fract() / 0.18;
        if age < 1.0 {
            let [x, y] = [d.hand[0] + 0.10 * d.way * d.size, d.hand[1] - 0.04 * d.size];
            let size = (0.10 + 0.25 * age) * d.size;
            c.puff(x, y, size, size, Rgb([1.0, 0.97, 0.8]), (PI * age).sin(), Puff { add: true, firm: false });
        }
    }
}
