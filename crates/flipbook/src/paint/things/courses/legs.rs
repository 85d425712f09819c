//! Each way as a function of time: arcs over and into, out from behind a rim, rounds, slopes, falls.

use std::f32::consts::{PI, TAU};

use super::{LEAVES, Leg, MIDDLE, Passage, ROUNDS, SLOPE, arc, slope, smooth};
use crate::codes::Way;
use crate::layout::Landmark;
use crate::pose::Pose;

impl Leg {
    /// The pose, and what a passage is like at this moment.
    pub(super) fn course(&self, passage: &mut Passage) -> Option<Pose> {
        match (passage.way, passage.shape) {
            (Way::Over, Some(Landmark::Bow)) => Some(self.on_a_bow()),
            (Way::Over, Some(shape)) => Some(self.over(passage, shape)),
            (Way::Through, Some(Landmark::Ring)) => Some(self.through(passage)),
            (Way::Through | Way::Out, Some(Landmark::Tunnel)) => Some(self.out_from_behind(passage)),
            (Way::Out, Some(Landmark::House | Landmark::Cushion | Landmark::Tree)) if !self.idle => Some(self.out_of_a_house()),
            (Way::Out, Some(shape)) => Some(self.out(passage, shape)),
            (Way::Into, Some(Landmark::House | Landmark::Tunnel | Landmark::Tree)) => Some(self.to_a_house()),
            (Way::Into, Some(shape)) => Some(self.into(passage, shape)),
            (Way::Into, None) => Some(self.plunge(passage)),
            (Way::Around, Some(_)) => Some(self.around(passage)),
            (Way::Past, Some(_)) => Some(self.straight(0.5, self.own.y)),
            (Way::Up | Way::Down, Some(Landmark::Stairs)) => Some(self.on_stairs(passage)),
            (Way::Up | Way::Down, Some(_)) => Some(self.steep(passage)),
            (Way::Up | Way::Down, None) => Some(self.on_a_slope(passage)),
            (Way::Off, Some(Landmark::Tree)) => Some(self.out_of_a_crown()),
            (Way::Off, Some(_)) => Some(self.off(passage)),
            (Way::Toward, Some(_)) => Some(self.toward()),
            (Way::Across, Some(_)) => Some(Pose { x: self.mark.x + self.dir * 0.40 * self.span[0] * (2.0 * self.p - 1.0), ..self.own }),
            _ => None,
        }
    }

    fn plain(&self) -> Pose {
        Pose { lift: 0.0, sx: 1.0, sy: 1.0, turn: 0.0, facing_turn: Some(self.dir), ..self.own }
    }

    fn straight(&self, middle: f32, y: f32) -> Pose {
        let room = (0.5 - 0.4 * self.size[0]).clamp(0.1, 0.36);
        let y = if self.aloft { self.mark.y - 0.5 * self.span[1] + 0.5 * self.size[1] } else { y };
        Pose { x: middle + self.dir * room * (2.0 * self.p - 0.9), y, facing_turn: Some(self.dir), ..self.own }
    }

    /// On the ground before and behind it, in the air above it.
    fn over(&self, passage: &mut Passage, shape: Landmark) -> Pose {
        let ([wide, high], [across, tall]) = (self.size, self.span);
        let u = (self.p - MIDDLE) / 0.62 + 0.5;
        passage.flight = if (0.0..=1.0).contains(&u) { u.max(1e-3) } else { 0.0 };
        let top = self.mark.y - self.mark.lift - tall;
        if self.aloft {
            let y = (top - 0.05).max(high + 0.03) + 0.01 * (TAU * 0.4 * self.t).sin();
            return Pose { x: self.mark.x + self.dir * 0.34 * (2.0 * u - 1.0), y, lift: 0.0, facing_turn: Some(self.dir), ..self.own };
        }
        let reach = (0.5 * across + 0.62 * wide).clamp(0.15, 0.42);
        let clear = if shape == Landmark::Flat { 0.55 * high } else { self.own.y - top + 0.10 * high };
        let lift = clear.min((self.own.y - 1.05 * high - 0.02).max(0.05)) * arc(u).powf(0.8);
        let turn = if passage.flight > 0.0 { self.dir * 0.09 * (2.0 * u - 1.0) } else { 0.0 };
        Pose { x: self.mark.x + self.dir * reach * (2.0 * u - 1.0), lift, turn, ..self.plain() }
    }

    /// Along the bow from one foot to the other.
    fn on_a_bow(&self) -> Pose {
        let v = (0.12 + 0.76 * self.p).clamp(0.0, 1.0);
        let (sin, cos) = (PI * v).sin_cos();
        let [across, tall] = self.span;
        let foot = self.mark.y - 0.97 * tall * sin.max(0.0).powf(0.9);
        Pose { x: self.mark.x - self.dir * 0.46 * across * cos, y: foot, turn: self.dir * 0.30 * (v - 0.5), ..self.plain() }
    }

    fn through(&self, passage: &mut Passage) -> Pose {
        let ([wide, high], [across, tall]) = (self.size, self.span);
        let far = 0.34 * (self.p - MIDDLE) / 0.45;
        let reach = 0.5 * across + 0.5 * wide + 0.06;
        let u = 0.5 + 0.5 * far / reach;
        let middle = self.mark.y - 0.53 * tall + 0.5 * high;
        let x = self.mark.x + self.dir * far;
        if self.aloft {
            return Pose { x, y: middle, facing_turn: Some(self.dir), ..self.own };
        }
        passage.flight = if (0.0..=1.0).contains(&u) { u.max(1e-3) } else { 0.0 };
        Pose { x, lift: (self.own.y - middle).max(0.0) * arc(u).sqrt(), ..self.plain() }
    }

    /// Out from behind its side.
    fn out_from_behind(&self, passage: &mut Passage) -> Pose {
        passage.behind = true;
        let far = 0.5 * self.span[0] + 0.25 * self.size[0];
        let way = 0.3 * far + 0.7 * far * self.p / MIDDLE;
        Pose { x: self.mark.x + self.dir * way, facing_turn: Some(self.dir), ..self.own }
    }

    fn out_of_a_house(&self) -> Pose {
        let v = (self.p / 0.8).max(0.0);
        let x = self.mark.x + self.dir * (0.08 * self.span[0] + (0.42 * self.span[0] + 0.7 * self.size[0]) * v);
        let scale = 0.72 + 0.28 * smooth(2.0 * v);
        Pose { x, scale, alpha: smooth(7.0 * v + 0.1), facing_turn: Some(self.dir), ..self.own }
    }

    fn to_a_house(&self) -> Pose {
        let v = (self.p / 0.85).clamp(0.0, 1.0);
        let x = self.mark.x - self.dir * (0.04 * self.span[0] + (0.46 * self.span[0] + 0.7 * self.size[0]) * (1.0 - v));
        let scale = 1.0 - 0.25 * smooth(2.0 * v - 1.0);
        Pose { x, scale, alpha: smooth(8.0 * (1.0 - v)), facing_turn: Some(self.dir), ..self.own }
    }

    /// Up behind its front, and over its rim where somebody leaps.
    fn out(&self, passage: &mut Passage, shape: Landmark) -> Pose {
        let ([wide, high], [across, mut tall]) = (self.size, self.span);
        let flat = shape == Landmark::Flat;
        tall *= if flat { 0.5 } else { 0.92 };
        let (hidden, shown) = (tall - 1.05 * high, tall - if self.idle { 0.55 } else { 0.30 } * high);
        let ground = self.mark.y - self.mark.lift;
        passage.cut = Some(ground - if flat { tall } else { 0.12 * self.span[1] });
        passage.behind = !flat;
        let rest = Pose { x: self.mark.x, y: ground, ..self.plain() };
        if !self.leaps {
            let sway = 0.03 * high * (TAU * 0.7 * self.t).sin();
            return Pose { lift: hidden + (shown - hidden) * smooth((self.p - 0.04) / 0.3) + sway, ..rest };
        }
        let apex = (tall + 0.22 * high).min((ground - 1.05 * high - 0.02).max(0.0));
        if self.p < LEAVES {
            let rise = ((self.p - 0.05) / (LEAVES - 0.05)).clamp(0.0, 1.0);
            return Pose { lift: hidden + (apex - hidden) * rise, ..rest };
        }
        let v = ((self.p - LEAVES) / 0.25).clamp(0.0, 1.0);
        (passage.behind, passage.cut) = (v < 0.12, None);
        passage.flight = if v < 1.0 { 0.5 + 0.49 * v } else { 0.0 };
        Pose { x: self.mark.x + self.dir * (0.55 * across + 0.5 * wide) * v, lift: apex * (1.0 - v * v), ..rest }
    }

    /// A leap from its side, down behind its front or onto it.
    fn into(&self, passage: &mut Passage, shape: Landmark) -> Pose {
        let ([wide, high], [across, tall]) = (self.size, self.span);
        let v = ((self.p - 0.1) / 0.62).clamp(0.0, 1.0);
        let ground = self.mark.y - self.mark.lift;
        let (flat, soft) = (shape == Landmark::Flat, shape == Landmark::Cushion);
        let apex = if flat { 0.45 * high } else { tall + 0.22 * high }.min((ground - 1.05 * high - 0.02).max(0.0));
        let end = if flat {
            0.5 * tall - 1.05 * high
        } else if soft {
            0.45 * tall
        } else {
            0.9 * tall - 1.05 * high
        };
        let came = (v / 0.62).min(1.0);
        let lift = if v < 0.56 { apex * (0.5 * PI * v / 0.56).sin() } else { apex + (end - apex) * ((v - 0.56) / 0.44).powi(2) };
        passage.flight = if v > 0.0 && v < 1.0 { 0.9 * v + 0.05 } else { 0.0 };
        if v > 0.6 && !soft {
            passage.behind = !flat;
            passage.cut = Some(ground - if flat { 0.45 * tall } else { 0.12 * tall });
        }
        let bounce = if soft && v >= 1.0 { 0.05 * high * (TAU * 1.2 * self.t).sin().abs() } else { 0.0 };
        Pose { x: self.mark.x - self.dir * (0.5 * across + 0.75 * wide) * (1.0 - came), y: ground, lift: lift + bounce, ..self.plain() }
    }

    /// In an arc into the water, down until nothing is seen.
    fn plunge(&self, passage: &mut Passage) -> Pose {
        let [wide, high] = self.size;
        let v = ((self.p - 0.08) / 0.66).clamp(0.0, 1.0);
        let apex = (0.55 * high).min((self.own.y - 1.1 * high).max(0.1 * high));
        let lift = if v < 0.5 { apex * (PI * v).sin() } else { apex - (apex + 1.1 * high) * (2.0 * v - 1.0).powi(2) };
        passage.flight = if v > 0.0 && v < 1.0 { 0.9 * v + 0.05 } else { 0.0 };
        passage.cut = Some(self.own.y - 0.02 * high);
        Pose { x: 0.5 + self.dir * (0.28 + 0.2 * wide) * (v - 0.62), lift, turn: self.dir * 0.05 * (2.0 * v - 1.0), ..self.plain() }
    }

    fn around(&self, passage: &mut Passage) -> Pose {
        let ([wide, high], [across, tall]) = (self.size, self.span);
        let angle = TAU * (ROUNDS * self.t + self.lag - 0.36) * self.dir;
        let (sin, cos) = angle.sin_cos();
        let reach = (0.5 * across + 0.55 * wide).clamp(0.1, 0.42);
        let near = reach * self.aspect * 0.22 * sin;
        passage.behind = sin < 0.0;
        let y = if self.aloft { self.mark.y - self.mark.lift - 0.55 * tall + 0.5 * high + 1.2 * near } else { self.mark.y + near };
        Pose { x: self.mark.x + reach * cos, y, scale: 1.0 + 0.1 * sin, facing_turn: Some(-sin * self.dir), ..self.own }
    }

    /// Up or down what stands upright.
    fn steep(&self, passage: &mut Passage) -> Pose {
        let share = 0.08 + 0.8 * self.p.clamp(0.0, 1.0);
        let share = if passage.way == Way::Down { 1.0 - share } else { share };
        let high = self.size[1];
        let x = self.mark.x + (self.lag - 0.5 * f32::from(u8::from(self.lag > 0.0))) * 0.5 * self.span[0];
        let y = self.mark.y - self.mark.lift;
        Pose { x, y, lift: ((self.span[1] - 0.95 * high).max(0.0) * share).max(0.02), ..self.plain() }
    }

    /// Stairs are drawn with their top on the right.
    fn on_stairs(&self, passage: &mut Passage) -> Pose {
        let share = self.p.clamp(0.0, 1.0);
        let (share, way) = if passage.way == Way::Down { (1.0 - share, -1.0) } else { (share, 1.0) };
        let ([across, tall], faces) = (self.span, self.mark.facing_turn.map_or(1.0, f32::signum));
        let hop = if self.leaps || self.own.turn != 0.0 { 0.3 } else { 0.04 };
        let lift = 0.9 * tall * share + hop * self.size[1] * (PI * 5.0 * share).sin().abs();
        Pose {
            x: self.mark.x + faces * across * (0.86 * share - 0.42),
            y: self.mark.y,
            lift,
            turn: self.own.turn,
            facing_turn: Some(way * faces),
            ..self.plain()
        }
    }

    fn on_a_slope(&self, passage: &mut Passage) -> Pose {
        let fall = if passage.way == Way::Down { self.dir } else { -self.dir };
        let x = 0.5 + self.dir * 0.36 * (2.0 * self.p - 0.95);
        let tilt = fall * (SLOPE / self.aspect).atan() / TAU;
        let rolls = self.own.turn.abs() > 0.02;
        let y = slope(self.own.y, fall, x);
        Pose { x, y, turn: self.own.turn + if rolls { 0.0 } else { tilt }, facing_turn: Some(self.dir), ..self.own }
    }

    /// From its upper edge down to the ground.
    fn off(&self, passage: &mut Passage) -> Pose {
        let v = ((self.p - 0.16) / 0.52).clamp(0.0, 1.0);
        passage.flight = if v > 0.0 && v < 1.0 { v } else { 0.0 };
        let top = self.span[1] * 0.9;
        let lift = top * (1.0 - v * v) + 0.25 * self.size[1] * arc(v) * (1.0 - v);
        let x = self.mark.x + self.dir * (0.42 * self.span[0] + (0.16 + 0.3 * self.size[0]) * v);
        Pose { x, y: self.mark.y, lift, turn: self.dir * 0.34 * v * if v < 1.0 { 1.0 } else { 0.0 }, ..self.plain() }
    }

    /// Out of the leaves of a tree, each in its turn.
    fn out_of_a_crown(&self) -> Pose {
        let v = (0.32 * self.t + 0.15 + 0.71 * self.lag).fract();
        let [across, tall] = self.span;
        let (start, end) = (0.72 * tall - 0.2 * tall * (5.0 * self.lag).sin().abs(), 0.0);
        let sway = 0.03 * (TAU * 0.8 * self.t + 9.0 * self.lag).sin() * v;
        let x = self.mark.x + across * (0.66 * (0.618 * 6.0 * self.lag + 0.3).fract() - 0.33) + sway;
        Pose {
            x,
            y: self.mark.y,
            lift: start + (end - start) * (v / 0.85).min(1.0).powi(2),
            turn: 0.3 * v,
            alpha: self.own.alpha,
            ..self.plain()
        }
    }

    fn toward(&self) -> Pose {
        let near = 0.5 * self.span[0] + 0.62 * self.size[0];
        let far = (near + 0.42).min(0.72 - 0.4 * self.size[0]).max(near);
        let v = smooth(self.p / 0.95);
        if self.aloft {
            let y = (self.mark.y - 0.72 * self.span[1] + 0.5 * self.size[1]).max(self.size[1] + 0.04);
            let x = self.mark.x - self.dir * (near + 0.12 * (1.0 - smooth(self.p / 0.4)));
            return Pose { x, y: y + 0.008 * (TAU * 0.9 * self.t).sin(), facing_turn: Some(self.dir), ..self.own };
        }
        Pose { x: self.mark.x - self.dir * (far + (near - far) * v), facing_turn: Some(self.dir), ..self.own }
    }
}
