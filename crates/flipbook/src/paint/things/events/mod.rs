//! What animals, vehicles and things do by themselves that their motion does not say: cars crash, vases shatter, boxes stack,
//! dogs chase their tails. Poses are here, the marks painted over them in [`marks`].

mod beast_marks;
mod beasts;
mod marks;
mod vehicle_marks;

use std::f32::consts::{PI, TAU};

use crate::codes::{Act, Kind, Motion};
use crate::paint::film::{Film, Medium, Moment};
use crate::pose::Pose;

/// Share of the clip at which something crashes, bursts or breaks.
pub(super) const BREAKS: f32 = 0.40;

fn smooth(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// 0 before, 1 after, as time goes from `from` to `to`.
fn ramp(p: f32, from: f32, to: f32) -> f32 {
    smooth((p - from) / (to - from))
}

impl Film {
    /// The act of a slot, and the slot that it is done to or done by: what is spilled by somebody is spilled itself.
    pub(super) fn event_of(&self, place: usize) -> Option<Act> {
        let own = self.act_of(place);
        let doer = |act: &Act| matches!(act, Act::Spill | Act::Tip | Act::Shatter | Act::Pop | Act::Open | Act::Stack);
        let done_to = || {
            let slot = self.brief.slots.get(place)?;
            let by = slot.parent.filter(|_| !slot.relation.attached())?;
            match self.act_of(by)? {
                Act::Knock => Some(Act::Tip),
                act => Some(act).filter(doer),
            }
        };
        match own {
            // Who does it to something is not changed by it.
            Some(act) if doer(&act) && self.lives(place) && self.has_object(place) => None,
            Some(act) => Some(act),
            None => done_to(),
        }
    }

    fn lives(&self, place: usize) -> bool {
        self.brief.slots.get(place).is_some_and(|slot| matches!(slot.kind, Kind::Person | Kind::Animal | Kind::Flyer | Kind::Swimmer))
    }

    fn has_object(&self, place: usize) -> bool {
        self.brief.slots.iter().any(|slot| slot.parent == Some(place) && !slot.relation.attached())
    }

    /// What a slot runs into, or stands on to crush it.
    fn target_of(&self, place: usize) -> Option<usize> {
        let slot = self.brief.slots.get(place)?;
        let twin = (0..self.brief.slots.len()).find(|other| {
            *other != place && self.brief.slots.get(*other).is_some_and(|other| other.thing == slot.thing && other.rank == slot.rank ^ 1)
        });
        let child = || self.brief.slots.iter().position(|other| other.parent == Some(place) && !other.relation.attached());
        slot.course.and_then(|course| course.by).or(twin).or_else(child).or(slot.parent.filter(|_| !slot.relation.attached()))
    }

    /// Poses of what slots do by themselves.
    pub(super) fn posed_by_an_event(&self, m: &mut Moment, place: usize) {
        let Some(act) = self.event_of(place) else { return };
        let (Some(slot), Some(object)) = (self.brief.slots.get(place), self.layout.objects.get(place)) else { return };
        if self.posed_as_a_beast(m, place, act) || slot.relation.attached() && !act.is_of_carried_things() {
            return;
        }
        let (p, t, way, aspect) = (m.p, m.t, self.way(place), self.width / self.height);
        let target = self.target_of(place).and_then(|other| m.poses.get(other)).copied();
        let Some(pose) = m.poses.get_mut(place) else { return };
        let (wide, high) = (pose.w * pose.scale, pose.h * pose.scale);
        match act {
            Act::Crash => {
                let side = target.map_or(way, |target| if target.x < object.x { -1.0 } else { 1.0 });
                let meet = target.map_or(0.5 + 0.2 * side, |target| {
                    let twin = self.target_of(place).is_some_and(|other| self.act_of(other) == Some(Act::Crash));
                    let gap = 0.43 * (wide + target.w * target.scale);
                    if twin { 0.5 - side * 0.5 * gap } else { target.x - side * gap }
                });
                let (before, after) = (1.0 - (p / BREAKS).min(1.0), ramp(p, BREAKS, BREAKS + 0.25));
                pose.x = meet - side * (0.45 * before * before.sqrt() + 0.05 * after);
                pose.turn = -side * 0.03 * after
                    + if p > BREAKS { side * 0.02 * (30.0 * (p - BREAKS)).sin() * (-8.0 * (p - BREAKS)).exp() } else { 0.0 };
                (pose.lift, pose.facing_turn) = (0.0, Some(side));
                pose.sx = 1.0 - 0.10 * ramp(p, BREAKS - 0.02, BREAKS + 0.05);
            }
            Act::Crush => {
                let Some(target) = target else { return };
                let on = ramp(p, 0.05, 0.32);
                let top = 0.42 * target.h * target.scale * on;
                (pose.x, pose.y) = (target.x - way * (1.0 - on) * 0.6 * (wide + target.w) * 0.5, target.y);
                pose.lift = top + 0.04 * high * (TAU * 1.6 * t).sin().abs() * on;
                pose.turn = 0.03 * (TAU * 0.8 * t).sin() * on - way * 0.06 * on * (1.0 - on) * 4.0;
            }
            Act::Drift => {
                pose.turn = way * (0.014 + 0.010 * (TAU * 0.9 * t).sin());
                pose.x += 0.02 * (TAU * 0.7 * t).sin();
            }
            Act::Halt => {
                let from = (0.5 * wide).max(0.1);
                pose.x = 0.52 - way * (0.42 - from * 0.2).max(0.2) * (1.0 - ramp(p, -0.3, 0.5));
                pose.turn = way * 0.004 * ramp(p, 0.3, 0.45) * (1.0 - ramp(p, 0.5, 0.6));
                pose.lift = 0.0;
            }
            Act::TakeOff => {
                let rise = ((p - 0.15) / 0.85).max(0.0);
                let ground = if self.medium == Medium::Air { 0.9 } else { 0.88f32.max(self.horizon / self.height + 0.06) };
                pose.x = 0.5 + way * (0.62 * p - 0.33);
                pose.y = ground - (ground - 0.7 * high - 0.06).max(0.1) * rise.powf(1.25);
                (pose.lift, pose.turn) = (0.0, object.tilt - way * 0.045 * ramp(p, 0.12, 0.35));
            }
            Act::Tip => {
                topple(pose, way * 0.25 * tipped(p), aspect);
                if slot.kind == Kind::Boat {
                    pose.lift -= 0.3 * high * tipped(p);
                }
            }
            Act::Spill => topple(pose, way * 0.27 * tipped(p), aspect),
            Act::Wilt => {
                pose.bend = way * 0.62 * ramp(p, 0.0, 0.7);
                (pose.scale, pose.sy) = (1.0, 1.0 - 0.16 * ramp(p, 0.0, 0.7));
            }
            Act::Bloom => pose.turn += 0.012 * (TAU * 0.6 * t).sin(),
            Act::Pop if self.pops_for_good(place) => {
                pose.scale = 1.0 + 0.14 * ramp(p, 0.0, BREAKS) + 0.01 * (40.0 * t).sin() * ramp(p, 0.2, BREAKS);
                pose.alpha = if p < BREAKS { 1.0 } else { 0.0 };
            }
            Act::Pop => {
                pose.scale = 1.0;
                pose.turn = 0.012 * (31.0 * t).sin();
            }
            Act::Shatter => {
                pose.scale = 1.0;
                if slot.motion == Motion::Fall {
                    let ground = if self.horizon < self.height { 0.9 } else { 0.86 };
                    pose.y = ground;
                    pose.lift = (ground - high - 0.04).max(0.1) * (1.0 - (p / BREAKS).min(1.0).powi(2));
                }
            }
            Act::Vanish => {
                (pose.scale, pose.sx, pose.sy) = (1.0, 1.0, 1.0);
                pose.alpha = 1.0 - 0.96 * ramp(p, 0.1, 0.85);
            }
            Act::Flicker => {
                (pose.scale, pose.sx, pose.sy) = (1.0, 1.0, 1.0);
                pose.alpha = if (TAU * 4.8 * (p - 0.45)).cos() + 0.4 * (TAU * 5.1 * t).sin() > -0.1 { 1.0 } else { 0.62 };
            }
            Act::Stack => {
                let rank = slot.rank as f32;
                let ground = object.y;
                let room = ((ground - 0.06) / (high * slot.copies as f32).max(1e-3)).min(1.0);
                pose.scale *= room;
                let up = high * room * rank * 0.94;
                let placed = ramp(p, 0.10 * rank - 0.05, 0.10 * rank + 0.08);
                pose.x = 0.5 + 0.012 * (2.3 * rank).sin();
                (pose.lift, pose.alpha) = (up + (1.0 - placed) * 0.25, placed);
                (pose.turn, pose.y) = (0.01 * (1.9 * rank).sin(), ground);
            }
            Act::Collapse => {
                let down = ramp(p, 0.12, 0.75);
                (pose.sy, pose.sx) = (1.0 - 0.72 * down, 1.0 + 0.14 * down);
                pose.turn = 0.02 * (38.0 * t).sin() * (1.0 - down) + way * 0.03 * down;
                pose.lift = 0.0;
                pose.y = object.y;
            }
            Act::Open => pose.scale = 1.0 + 0.04 * ramp(p, 0.1, 0.4) * (1.0 - ramp(p, 0.4, 0.7)),
            Act::Bubble => {
                (pose.lift, pose.sy) = (0.004 * (24.0 * t).sin().abs(), 1.0 + 0.012 * (17.0 * t).sin());
                pose.turn = 0.004 * (19.0 * t).sin();
            }
            Act::Glide => pose.lift = 0.0,
            Act::Plow => pose.turn = 0.004 * (13.0 * t).sin(),
            _ => {}
        }
    }

    /// Balloons and bubbles are gone once they have burst.
    fn pops_for_good(&self, place: usize) -> bool {
        let name = self.brief.slots.get(place).map_or("", |slot| crate::sprites::atlas().get(slot.sprite).name.as_str());
        !["popcorn", "ear-of-corn", "bottle-with-popping-cork"].contains(&name)
    }

    /// What somebody balances is on the nose, or on the head.
    pub(super) fn posed_on_a_nose(&self, m: &mut Moment, place: usize) {
        let Some(by) = self.brief.slots.get(place).and_then(|slot| slot.parent).filter(|by| self.act_of(*by) == Some(Act::Balance)) else {
            return;
        };
        let nose = self.point(m, by, crate::figures::Figure::mouth).unwrap_or_else(|| self.front(m, by));
        let Some(base) = m.poses.get(by).copied() else { return };
        let upright = self.cast.figure(by).is_some_and(|figure| figure.build == crate::figures::Build::Upright);
        let top =
            if upright { (base.y - base.lift - 0.97 * base.h * base.scale) * self.height } else { nose[1] - 0.12 * base.h * self.height };
        let (x, t) = (if upright { base.x } else { nose[0] / self.width }, m.t);
        if let Some(pose) = m.poses.get_mut(place) {
            let share = (0.42 * base.h * base.scale / (pose.h * pose.scale).max(1e-3)).min(1.0);
            pose.scale *= share;
            pose.x = x + 0.006 * (TAU * 0.9 * t).sin();
            (pose.y, pose.lift, pose.turn) = (top / self.height, 0.0, 0.05 * (TAU * 0.9 * t).sin());
        }
    }

    /// What a vehicle tows is behind it.
    pub(super) fn posed_in_tow(&self, m: &mut Moment, place: usize) {
        let Some(slot) = self.brief.slots.get(place) else { return };
        let tows = |other: usize| self.act_of(other) == Some(Act::Pull) && self.cast.figure(other).is_none();
        let Some(by) = slot.parent.filter(|by| tows(*by) && !slot.relation.attached()) else { return };
        let (Some(base), way) = (m.poses.get(by).copied(), self.way(by)) else { return };
        if let Some(pose) = m.poses.get_mut(place) {
            pose.x = base.x - way * (0.52 * (base.w + pose.w) + 0.03);
            (pose.y, pose.lift, pose.facing_turn, pose.turn) = (base.y, 0.01, Some(way), -way * 0.015);
        }
        let over = m.poses.get(place).map_or(0.0, |pose| (0.5 * pose.w - pose.x).max(pose.x + 0.5 * pose.w - 1.0).max(0.0));
        for index in [by, place] {
            if let Some(pose) = m.poses.get_mut(index) {
                pose.x += way * over;
            }
        }
    }

    /// What is under something that crushes it is flat.
    pub(super) fn posed_under_a_crusher(&self, m: &mut Moment, place: usize) {
        let crushed =
            (0..self.brief.slots.len()).any(|other| self.act_of(other) == Some(Act::Crush) && self.target_of(other) == Some(place));
        let p = m.p;
        if let Some(pose) = m.poses.get_mut(place).filter(|_| crushed) {
            let down = ramp(p, 0.12, 0.34);
            (pose.sy, pose.sx, pose.lift) = (1.0 - 0.52 * down, 1.0 + 0.10 * down, 0.0);
        }
    }

    /// From where to where a thing is seen, in pixels: the head of who is in the shell is not.
    pub(super) fn sides_seen(&self, m: &Moment, place: usize) -> [f32; 2] {
        let all = [-9.0 * self.width, 9.0 * self.width];
        let Some(pose) = m.poses.get(place).filter(|_| self.act_of(place) == Some(Act::Withdraw)) else { return all };
        let front = self.way(place) * (0.5 - 0.27 * ramp(m.p, 0.08, 0.34)) * pose.w * pose.scale;
        let x = (pose.x + front) * self.width;
        if front > 0.0 { [all[0], x] } else { [x, all[1]] }
    }
}

/// How far something has tipped over, with a rebound.
fn tipped(p: f32) -> f32 {
    let fallen = ((p - 0.12) / 0.26).clamp(0.0, 1.0).powi(2);
    let after = ((p - 0.38) / 0.2).clamp(0.0, 1.0);
    fallen - 0.10 * (PI * after).sin()
}

/// Turns a thing about its middle so that it lies on what it stood on.
fn topple(pose: &mut Pose, turn: f32, aspect: f32) {
    let (wide, high) = (pose.w * pose.scale * aspect, pose.h * pose.scale);
    let (sin, cos) = (TAU * turn).sin_cos();
    let half = 0.5 * (wide * sin.abs() + high * cos.abs());
    pose.lift += half - 0.5 * high;
    pose.turn += turn;
    (pose.sx, pose.sy) = (1.0, 1.0);
}
