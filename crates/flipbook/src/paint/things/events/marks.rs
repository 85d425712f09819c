//! What is painted over things that do something: bursts, shards, pools, furrows, drops, bubbles.

use std::f32::consts::{PI, TAU};

use super::{BREAKS, ramp};
use crate::canvas::{Area, Canvas, Ink, Puff, Rgb};
use crate::codes::Act;
use crate::paint::film::{Film, Medium, Moment};
use crate::paint::shape::{Pen, about, area};
use crate::paint::things::warp::Lay;
use crate::sprites::atlas;
use resvg::tiny_skia::Transform;

/// A thing in pixels.
pub(super) struct Bounds {
    pub x: f32,
    pub foot: f32,
    pub top: f32,
    pub wide: f32,
    pub high: f32,
    pub way: f32,
}

impl Film {
    pub(super) fn box_of(&self, m: &Moment, place: usize) -> Option<Bounds> {
        let pose = m.poses.get(place)?;
        let (wide, high) = (pose.w * pose.scale * self.width, pose.h * pose.scale * self.height);
        let foot = (pose.y - pose.lift) * self.height;
        (wide > 1.0 && high > 1.0).then_some(Bounds { x: pose.x * self.width, foot, top: foot - high, wide, high, way: self.way(place) })
    }

    fn named_part(&self, place: usize) -> &'static str {
        self.brief.slots.get(place).map_or("", |slot| atlas().get(slot.sprite).name.as_str())
    }

    pub(super) fn toned(&self, hex: u32) -> Rgb {
        Rgb::hex(hex).tinted(self.light.ambient)
    }

    /// What lies behind or under a thing that does something.
    pub(in crate::paint::things) fn under_an_event(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let (Some(act), Some(b)) = (self.event_of(place), self.box_of(m, place)) else { return };
        let ground = m.poses.get(place).map_or(b.foot, |pose| pose.y * self.height);
        match act {
            Act::Plow => self.furrows(c, &b),
            Act::Halt => self.crossing(c, &b),
            Act::TakeOff if self.medium != Medium::Floor => self.runway(c, m),
            Act::Spill => self.pool(c, &b, ground, self.liquid(place), ramp(m.p, 0.25, 0.8)),
            Act::Overflow => self.pool(c, &b, ground, self.liquid(place), 0.4 + 0.6 * m.p),
            Act::Drip => {
                let small = Bounds { wide: 0.5 * b.wide, ..b };
                self.pool(c, &small, ground + 0.10 * self.short, self.liquid(place), 0.3 + 0.7 * m.p);
            }
            Act::Dangle if !self.has_company(place) => self.perch(c, m, &b),
            Act::Wag => self.wagging(c, m, &b),
            Act::ChaseTail => self.circling(c, m, &b, ground),
            Act::Peck => self.grains(c, &b, ground),
            _ => {}
        }
    }

    /// What is painted over a thing that does something; whether the thing itself is not to be drawn.
    pub(in crate::paint::things) fn over_an_event(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let (Some(act), Some(b)) = (self.event_of(place), self.box_of(m, place)) else { return };
        match act {
            Act::Crash => {
                self.bang(c, m, [b.x + b.way_to(self, m, place) * 0.5 * b.wide, b.foot - 0.45 * b.high], 0.5 * b.high.max(0.6 * b.wide))
            }
            Act::Pop if self.pops_for_good(place) => self.bang(c, m, [b.x, b.foot - 0.55 * b.high], 0.55 * b.high),
            Act::Pop => self.kernels(c, m, &b),
            Act::Crush => self.dust_around(c, m, &b),
            Act::Drift => self.tyre_smoke(c, m, &b),
            Act::Collapse => self.dust_around(c, m, &b),
            Act::Overflow => self.streams(c, m, &b, self.liquid(place)),
            Act::Drip => self.dripping(c, m, &b, self.liquid(place)),
            Act::Dump => self.dumped(c, m, &b),
            Act::Bubble => self.bubbles_up(c, m, &b, place),
            Act::Vanish => self.twinkles(c, m, &b),
            Act::Flicker => self.lit_up(c, m, place, &b),
            Act::Open => self.doorway(c, m, place, &b),
            Act::Hatch => self.shell(c, m, &b),
            Act::Spout => self.spout(c, m, &b),
            Act::ShakeOff => self.shaken_drops(c, m, &b),
            Act::Sneeze => self.sneezed(c, m, place, &b),
            Act::Tongue => self.tongue(c, m, place),
            Act::Butt => self.bump(c, m, place, &b),
            _ => {}
        }
    }

    /// Whether the lid of a thing is up, with the rest drawn below it.
    pub(in crate::paint::things) fn lid_up(&self, c: &mut Canvas, m: &Moment, place: usize) -> bool {
        let whole = ["door", "treasure-chest", "book", "open-book", "umbrella"].contains(&self.named_part(place));
        let (Some(Act::Open), Some(b), Some(pose), false) = (self.event_of(place), self.box_of(m, place), m.poses.get(place), whole) else {
            return false;
        };
        let open = ramp(m.p, 0.05, 0.42);
        let (seam, far, tint) = (b.top + 0.36 * b.high, 9.0 * self.width, self.light.tint(false, 0.0, 1.0));
        let draw = |c: &mut Canvas| self.draw(c, m, place, pose, tint, pose.alpha, Lay::Upright);
        c.clipped_to(Area { left: -far, top: seam, right: far, bottom: far }, draw);
        c.puff(b.x, seam, 0.5 * b.wide, 0.4 * b.high * open, Rgb([1.0, 0.9, 0.5]), 0.8 * open, Puff { add: true, firm: false });
        let hinge = b.x - b.way * 0.45 * b.wide;
        let lid =
            Transform::from_translate(hinge, seam).pre_rotate(-b.way * 48.0 * open).pre_translate(-hinge, -seam - 0.02 * b.high * open);
        let upper = Pen::default().rect(b.x - b.wide, b.top - b.high, b.x + b.wide, seam).path();
        if let Some(upper) = upper {
            c.within(lid, |c| c.clipped(&upper, draw));
        }
        true
    }

    /// The lower half of a shell around who comes out of it.
    fn shell(&self, c: &mut Canvas, m: &Moment, b: &Bounds) {
        let (half, line) = (0.56 * b.wide.max(0.6 * b.high), b.foot - 0.42 * b.high);
        let jump = 0.03 * b.high * (TAU * 1.2 * m.t).sin();
        let mut pen = Pen::at(b.x - half, line);
        for j in 1..=8 {
            let x = b.x - half + 2.0 * half * j as f32 / 8.0;
            pen = pen.line(x, line + if j % 2 == 1 { 0.10 * b.high } else { 0.0 });
        }
        let ink = Ink::flat(self.toned(0xf6e7cf), 1.0);
        pen.cubic([b.x + half, b.foot + 0.06 * b.high], [b.x - half, b.foot + 0.06 * b.high], b.x - half, line).close().fill(c, &ink);
        for side in [-1.0, 1.0] {
            let (x, y) = (b.x + side * 1.35 * half, b.foot - 0.02 * b.high + jump.min(0.0));
            Pen::at(x - 0.14 * b.high, y)
                .quad([x, y - 0.26 * b.high], x + 0.14 * b.high, y)
                .line(x, y - 0.05 * b.high)
                .close()
                .fill(c, &ink);
        }
        c.oval(about(b.x - 0.35 * half, b.foot - 0.20 * b.high, 0.05 * b.high, 0.09 * b.high), &Ink::flat(Rgb::WHITE, 0.6));
    }

    /// Whether a thing lies in pieces, which are drawn in its stead.
    pub(in crate::paint::things) fn in_pieces(&self, c: &mut Canvas, m: &Moment, place: usize) -> bool {
        let (Some(Act::Shatter), Some(b), Some(pose)) = (self.event_of(place), self.box_of(m, place), m.poses.get(place)) else {
            return false;
        };
        if m.p < BREAKS {
            return false;
        }
        let age = (m.p - BREAKS) * self.brief.seconds;
        let (cx, cy) = (b.x, b.foot - 0.5 * b.high);
        let (far, parts) = (1.2 * b.wide.max(b.high), 9);
        let tint = self.light.tint(false, 0.0, 1.0);
        for j in 0..parts {
            let angle = |k: f32| TAU * (k + 0.22 * (2.3 * k).sin()) / parts as f32;
            let (from, to) = (angle(j as f32), angle((j + 1) as f32));
            let middle = 0.5 * (from + to);
            let (sin, cos) = middle.sin_cos();
            let speed = b.high * (0.8 + 0.4 * (3.1 * j as f32).sin());
            let (dx, mut dy) = (cos * speed * age.min(0.9), (sin - 0.5) * speed * age + 1.6 * b.high * age * age);
            dy = dy.min(0.5 * b.high - sin * 0.25 * b.high);
            let shift =
                Transform::from_translate(dx, dy).pre_translate(cx, cy).pre_rotate(50.0 * cos * age.min(0.8)).pre_translate(-cx, -cy);
            let wedge = Pen::at(cx, cy).line(cx + far * from.cos(), cy + far * from.sin()).line(cx + far * to.cos(), cy + far * to.sin());
            let Some(wedge) = wedge.close().path() else { continue };
            c.within(shift, |c| c.clipped(&wedge, |c| self.draw(c, m, place, pose, tint, pose.alpha, Lay::Upright)));
        }
        for j in 0..14 {
            let (sin, cos) = (TAU * 0.618 * j as f32).sin_cos();
            let far = b.high * (0.3 + 0.9 * age.min(0.7));
            let (x, y) = (cx + far * cos, (cy + far * (sin - 0.4) + 1.4 * b.high * age * age).min(b.foot));
            let r = 0.03 * b.high;
            Pen::at(x, y - r).line(x + r, y).line(x - 0.6 * r, y + 0.7 * r).close().fill(c, &Ink::flat(self.toned(0xe8f4fb), 0.9));
        }
        true
    }

    pub(in crate::paint::things) fn liquid(&self, place: usize) -> Rgb {
        let name = self.named_part(place);
        self.toned(match name {
            _ if name.contains("milk") || name.contains("bottle") => 0xfdfdf6,
            "hot-beverage" | "teapot" | "teacup-without-handle" => 0x7a4a24,
            "honey-pot" => 0xf2a81d,
            "cheese-wedge" | "pizza" | "hamburger" => 0xffc83d,
            "wine-glass" => 0xa3213f,
            "paintbrush" | "artist-palette" => 0x2f8fe0,
            _ if name.contains("chocolate") => 0x6b3f22,
            "soft-ice-cream" | "ice-cream" => 0xf7d9c0,
            "beer-mug" => 0xf7c64a,
            "candle" => 0xf7e7b8,
            "cauldron" | "test-tube" => 0x58c84a,
            _ => 0x6fbdf0,
        })
    }

    fn pool(&self, c: &mut Canvas, b: &Bounds, ground: f32, colour: Rgb, grown: f32) {
        let (rx, ry) = (b.wide.max(0.6 * b.high) * (0.25 + 0.6 * grown), 0.12 * b.wide.max(0.6 * b.high) * (0.3 + 0.7 * grown));
        let x = b.x + b.way * 0.35 * b.high * grown.min(0.6);
        c.oval(about(x, ground, rx, ry), &Ink::flat(colour, 0.92));
        c.oval(about(x - 0.3 * rx, ground - 0.25 * ry, 0.35 * rx, 0.25 * ry), &Ink::flat(Rgb::WHITE, 0.45));
    }

    fn kernels(&self, c: &mut Canvas, m: &Moment, b: &Bounds) {
        for j in 0..22 {
            let age = (0.9 * m.t + 0.618 * j as f32).fract();
            let side = 2.0 * (0.37 * j as f32 + 0.2).fract() - 1.0;
            let (x, y) = (
                b.x + side * b.wide * (0.25 + 0.9 * age),
                b.top + 0.1 * b.high - b.high * (2.4 * age - 2.6 * age * age) * (0.7 + 0.3 * side.abs()),
            );
            let r = b.high * 0.055;
            for k in 0..3 {
                let (sin, cos) = (TAU * k as f32 / 3.0 + 5.0 * age).sin_cos();
                c.circle(
                    x + 0.6 * r * cos,
                    y + 0.6 * r * sin,
                    0.75 * r,
                    &Ink::flat(self.toned(if k == 0 { 0xffe9a8 } else { 0xfffdf2 }), 1.0),
                );
            }
        }
    }

    fn streams(&self, c: &mut Canvas, m: &Moment, b: &Bounds, colour: Rgb) {
        for side in [-1.0f32, -0.55, 0.5, 1.0] {
            let x = b.x + side * 0.44 * b.wide;
            let top = b.top + 0.42 * b.high;
            let wave = 0.02 * b.wide * (7.0 * m.t + 3.0 * side).sin();
            Pen::at(x - side * 0.08 * b.wide, top).quad([x + side * 0.05 * b.wide, top], x + side * 0.06 * b.wide + wave, b.foot).stroke(
                c,
                0.085 * b.wide,
                &Ink::flat(colour, 0.9),
            );
        }
        for j in 0..12 {
            let age = (1.4 * m.t + j as f32 / 12.0).fract();
            let side = if j % 2 == 0 { 1.0 } else { -1.0 };
            c.circle(
                b.x + side * b.wide * (0.46 + 0.14 * age),
                b.top + b.high * (0.45 + 0.55 * age * age),
                0.02 * b.wide,
                &Ink::flat(colour, 0.9),
            );
        }
    }

    fn dripping(&self, c: &mut Canvas, m: &Moment, b: &Bounds, colour: Rgb) {
        let fall = 0.10 * self.short;
        for (j, along) in [-0.18f32, 0.05, 0.24].into_iter().enumerate() {
            let x = b.x + along * b.wide;
            let long = b.high * (0.10 + 0.10 * (0.8 * m.t + 0.4 * j as f32).fract());
            let start = b.foot - 0.16 * b.high;
            Pen::at(x, start).line(x, start + long).stroke(c, 0.07 * b.wide, &Ink::flat(colour, 1.0));
            c.circle(x, start + long, 0.045 * b.wide, &Ink::flat(colour, 1.0));
            let age = (0.9 * m.t + 0.33 * j as f32).fract();
            let y = start + long + (fall + 0.1 * b.high) * age * age;
            let r = 0.035 * b.wide;
            Pen::at(x, y - 2.2 * r).line(x - 0.9 * r, y).line(x + 0.9 * r, y).close().fill(c, &Ink::flat(colour, 1.0));
            c.circle(x, y, r, &Ink::flat(colour, 1.0));
        }
    }

    fn bubbles_up(&self, c: &mut Canvas, m: &Moment, b: &Bounds, place: usize) {
        let colour = match self.named_part(place) {
            "cauldron" | "test-tube" | "alembic" => self.toned(0x7be06a),
            name if name.contains("food") || name.contains("bowl") => self.toned(0xf08a4a),
            _ => self.toned(0xbfe6ff),
        };
        for j in 0..16 {
            let age = (0.6 * m.t + 0.618 * j as f32).fract();
            let x = b.x + b.wide * (0.62 * (0.37 * j as f32).fract() - 0.31) + 0.02 * b.wide * (9.0 * age + j as f32).sin();
            let radius = b.wide * (0.025 + 0.045 * (0.71 * j as f32).fract()) * (0.5 + 0.7 * age);
            let y = b.top + 0.10 * b.high - 0.55 * b.high * age;
            let ink = Ink::flat(colour, 0.85 * (4.0 * (1.0 - age)).min(1.0));
            c.circle(x, y, radius, &ink);
            c.circle(x - 0.3 * radius, y - 0.35 * radius, 0.28 * radius, &Ink::flat(Rgb::WHITE, 0.8 * (1.0 - age)));
        }
    }

    fn twinkles(&self, c: &mut Canvas, m: &Moment, b: &Bounds) {
        for j in 0..20 {
            let age = (0.5 * m.t + 0.618 * j as f32).fract();
            let (x, y) =
                (b.x + b.wide * ((0.37 * j as f32).fract() - 0.5), b.foot - b.high * (0.53 * j as f32).fract() - 0.3 * b.high * age);
            let r = 0.035 * b.high * (PI * age).sin();
            let star = Pen::at(x, y - r).quad([x, y], x + r, y).quad([x, y], x, y + r).quad([x, y], x - r, y).quad([x, y], x, y - r);
            star.close().fill(c, &Ink::flat(Rgb::hex(0xfff3b0), 0.9));
        }
    }

    fn lit_up(&self, c: &mut Canvas, m: &Moment, place: usize, b: &Bounds) {
        let lit = m.poses.get(place).is_some_and(|pose| pose.alpha > 0.9);
        if lit {
            let radius = 0.9 * b.high.max(b.wide);
            c.puff(b.x, b.top + 0.38 * b.high, radius, radius, Rgb([1.0, 0.86, 0.45]), 0.5, Puff { add: true, firm: false });
            for j in 0..8 {
                let (sin, cos) = (TAU * j as f32 / 8.0).sin_cos();
                let (x, y) = (b.x + 0.62 * b.high * cos, b.top + 0.36 * b.high + 0.62 * b.high * sin);
                Pen::at(x, y).line(x + 0.14 * b.high * cos, y + 0.14 * b.high * sin).stroke(
                    c,
                    0.03 * b.high,
                    &Ink::flat(Rgb::hex(0xffc83d), 1.0),
                );
            }
        }
    }

    /// A door turns on its hinges; what is behind it is dark, or bright at night.
    fn doorway(&self, c: &mut Canvas, m: &Moment, place: usize, b: &Bounds) {
        if self.named_part(place) != "door" {
            return self.twinkles(c, m, b);
        }
        let open = ramp(m.p, 0.05, 0.6);
        let beyond = if self.light.dark { Rgb::hex(0xffe6a0) } else { self.toned(0x2b2a33) };
        c.rect(area(b.x - 0.44 * b.wide, b.top + 0.04 * b.high, 0.88 * b.wide, 0.96 * b.high), &Ink::flat(beyond, 1.0));
        let hinge = b.x - 0.44 * b.wide;
        let (leaf, skew) = (0.88 * b.wide * (1.0 - 0.72 * open), 0.10 * b.high * open);
        let (top, foot) = (b.top + 0.04 * b.high, b.foot);
        let far = hinge + leaf;
        Pen::at(hinge, top)
            .line(far, top + skew * 0.4)
            .line(far, foot + skew)
            .line(hinge, foot)
            .close()
            .fill(c, &Ink::flat(self.toned(0xa5673a), 1.0));
        for (from, to) in [(0.12, 0.45), (0.55, 0.9)] {
            let (a, z) = (top + (foot - top) * from, top + (foot - top) * to);
            let (l, r) = (hinge + 0.2 * leaf, hinge + 0.8 * leaf);
            Pen::at(l, a).line(r, a + 0.3 * skew).line(r, z + 0.5 * skew).line(l, z).close().fill(c, &Ink::flat(self.toned(0x8a5230), 1.0));
        }
        c.circle(hinge + 0.88 * leaf, 0.5 * (top + foot) + 0.5 * skew, 0.035 * b.wide, &Ink::flat(self.toned(0xffc83d), 1.0));
    }
}

impl Bounds {
    /// The side of what it runs into.
    fn way_to(&self, film: &Film, m: &Moment, place: usize) -> f32 {
        m.poses.get(place).and_then(|pose| pose.facing_turn).unwrap_or_else(|| film.way(place)).signum()
    }
}
