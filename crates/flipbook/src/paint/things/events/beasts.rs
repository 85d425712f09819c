//! Poses of what animals do with their whole body.

use std::f32::consts::TAU;

use super::{ramp, smooth};
use crate::codes::{Act, Motion};
use crate::paint::film::{Film, Moment};

impl Film {
    /// Whether an act is one that moves an animal as a whole, and then its pose.
    pub(super) fn posed_as_a_beast(&self, m: &mut Moment, place: usize, act: Act) -> bool {
        let (Some(slot), Some(object)) = (self.brief.slots.get(place), self.layout.objects.get(place)) else { return false };
        let (p, t, way, jointed) = (m.p, m.t, self.way(place), self.cast.figure(place).is_some());
        let twin = (0..self.brief.slots.len())
            .find(|other| *other != place && self.brief.slots.get(*other).is_some_and(|other| other.thing == slot.thing))
            .or_else(|| self.brief.slots.iter().position(|other| other.parent == Some(place) && !other.relation.attached()));
        let other = twin.and_then(|twin| m.poses.get(twin)).copied();
        let aspect = self.width / self.height;
        let Some(pose) = m.poses.get_mut(place) else { return false };
        let high = pose.h * pose.scale;
        let beat = |rate: f32| (rate * t + object.phase).rem_euclid(1.0);
        match act {
            Act::ChaseTail => {
                let (sin, cos) = (TAU * 0.85 * t).sin_cos();
                pose.x = object.x + 0.22 * high * cos / aspect * 1.6;
                pose.y = object.y + 0.09 * high * sin;
                pose.facing_turn = Some(-sin);
                (pose.turn, pose.lift) = (0.05 * way * cos, 0.03 * high * (TAU * 3.4 * t).sin().abs());
            }
            Act::ShakeOff => {
                pose.turn += 0.035 * (TAU * 5.5 * t).sin();
                pose.sx = 1.0 + 0.05 * (TAU * 5.5 * t + 1.0).sin();
            }
            Act::Sneeze if !jointed => pose.turn += way * (0.10 * smooth(beat(0.5) / 0.5) - 0.10 * f32::from(beat(0.5) > 0.5)) * -0.6,
            Act::Peck if !jointed => pose.turn += way * 0.10 * (TAU * 1.5 * t).sin().max(0.0),
            Act::Wag if !jointed => pose.wag = (TAU * 2.2 * t).sin(),
            Act::Wallow if !jointed => {
                pose.turn = 0.5 + 0.06 * (TAU * 0.7 * t).sin();
                pose.lift = 0.0;
            }
            Act::Wallow => {
                (pose.lift, pose.turn) = (0.0, 0.02 * (TAU * 0.7 * t).sin());
                pose.x = object.x + 0.10 * high * (TAU * 0.35 * t).sin();
            }
            Act::Butt => {
                let Some(other) = other else { return true };
                let first = slot.rank == 0;
                let side = if slot.copies > 1 {
                    if first { 1.0 } else { -1.0 }
                } else if other.x < pose.x {
                    -1.0
                } else {
                    1.0
                };
                let u = (0.75 * t + 0.42).rem_euclid(1.0);
                let near = smooth(u / 0.4) - smooth((u - 0.5) / 0.5);
                let touch = 0.46 * pose.w * pose.scale;
                let meet = if slot.copies > 1 { 0.5 } else { other.x - side * 0.45 * other.w };
                pose.x = meet - side * (touch + 0.14 * (1.0 - near));
                (pose.y, pose.facing_turn) = (if slot.copies > 1 { object.y.max(other.y) } else { pose.y }, Some(side));
            }
            Act::Dive => {
                let v = ramp(p, -0.15, 0.95);
                pose.turn = object.tilt + way * if slot.kind == crate::codes::Kind::Flyer { 0.13 } else { 0.07 };
                pose.x = 0.5 + way * 0.56 * (v - 0.5);
                pose.y = (high + 0.06) + (0.86 - high - 0.06).max(0.1) * v;
                (pose.lift, pose.flap) = (0.0, 0.35);
            }
            Act::Scratch if jointed => {
                // Its back at what stands there.
                let Some(other) = other else { return true };
                let side = if other.x < pose.x { 1.0 } else { -1.0 };
                pose.x = other.x + side * (0.10 * other.w * other.scale + 0.34 * pose.w * pose.scale);
                (pose.y, pose.facing_turn) = (other.y + 0.008, Some(side));
                pose.lift = 0.03 * high * (0.5 + 0.5 * (TAU * 1.6 * t).sin());
            }
            Act::Weave => {
                let Some(web) = other else { return true };
                let (sin, cos) = (TAU * 0.3 * t).sin_cos();
                let (wide, tall) = (web.w * web.scale, web.h * web.scale);
                pose.scale = (0.36 * tall / pose.h.max(1e-3)).min(pose.scale);
                pose.x = web.x + 0.24 * wide * cos;
                pose.y = web.y - web.lift - 0.5 * tall + 0.24 * tall * sin + 0.5 * pose.h * pose.scale;
                pose.turn = 0.25 + 0.3 * t;
                pose.lift = 0.0;
            }
            Act::Dangle if other.is_some_and(|other| other.y < 1.0) => {
                let Some(other) = other else { return true };
                pose.x = other.x + way * 0.12 * other.w;
                pose.y = other.y - other.lift - 0.42 * other.h * other.scale + 0.92 * high;
                (pose.lift, pose.turn) = (0.0, 0.02 * (TAU * 0.4 * t).sin());
            }
            Act::Dangle => {
                (pose.turn, pose.y) = (0.5 + 0.012 * (TAU * 0.4 * t).sin(), 0.15 + high);
                (pose.lift, pose.flap) = (0.0, 0.0);
                pose.sx = if slot.kind == crate::codes::Kind::Flyer { 0.55 } else { 1.0 };
            }
            Act::Spread => {
                let open = ramp(p, 0.0, 0.35) * (0.9 + 0.1 * (TAU * 0.8 * t).sin());
                (pose.sx, pose.sy) = (0.72 + 0.34 * open, 0.94 + 0.08 * open);
            }
            Act::Balance if slot.motion == Motion::Idle => pose.turn += 0.012 * (TAU * 0.6 * t).sin(),
            _ => return false,
        }
        true
    }
}
