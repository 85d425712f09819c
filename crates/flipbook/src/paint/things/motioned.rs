//! Motions that a drawing's shape decides: mills turn their sails and swings their seat, snow melts, ships sink, who slides lies
//! on the belly, who swings hangs by a hand.

use std::f32::consts::TAU;

use crate::canvas::{Canvas, Ink, Rgb};
use crate::codes::{Backdrop, Kind, Motion, Relation};
use crate::figures::{BOX, Build, Figure, axis};
use crate::layout::{Zone, sits, zone};
use crate::paint::film::{Film, Medium, Moment};
use crate::paint::shape::SWIMMER;
use crate::paint::shape::{Pen, about};
use crate::sprites::atlas;

/// What becomes a puddle.
const MELTING: [&str; 6] = ["snowman", "ice-cream", "shaved-ice", "candle", "ice", "snowflake"];
/// Swings a second, and how far, in radians.
const PACE: f32 = 0.45;
const SWING: f32 = 0.42;
const VINE: f32 = 0.26;
/// A ball among players, in their heights.
const LARGEST: f32 = 0.30;

impl Film {
    fn named(&self, place: usize) -> &'static str {
        self.brief.slots.get(place).map_or("", |slot| atlas().get(slot.sprite).name.as_str())
    }

    fn melts(&self, place: usize) -> bool {
        let shrinks = self.brief.slots.get(place).is_some_and(|slot| slot.motion == Motion::Shrink);
        shrinks
            && (self.act_of(place) == Some(crate::codes::Act::Melt)
                || MELTING.iter().any(|part| self.named(place) == *part || part.len() > 4 && self.named(place).contains(part)))
    }

    /// Radians by which the moving part of a drawing in two parts is turned.
    pub(super) fn turn_of_part(&self, m: &Moment, place: usize) -> f32 {
        let (Some(slot), Some(object)) = (self.brief.slots.get(place), self.layout.objects.get(place)) else { return 0.0 };
        match slot.motion {
            Motion::Spin => TAU * (object.rate * 0.35).clamp(0.06, 0.3) * m.t * object.dir,
            Motion::Swing => SWING * (TAU * PACE * m.t).sin(),
            _ => 0.0,
        }
    }

    /// Whether somebody hangs by a hand, to and fro: where there is something to hang from.
    fn hangs(&self, place: usize) -> bool {
        let grows = matches!(self.brief.backdrop, Backdrop::Forest | Backdrop::Jungle);
        if !grows && self.brief.slots.iter().all(|slot| slot.kind != Kind::Plant) {
            return false;
        }
        let upright = self.cast.figure(place).is_some_and(|figure| figure.build == Build::Upright);
        let alone = |slot: &crate::scene::Slot| slot.motion == Motion::Swing && !slot.relation.attached();
        upright && self.brief.slots.get(place).is_some_and(alone) && self.act_of(place).is_none()
    }

    /// Poses that the drawing has instead of its kind's.
    pub(super) fn posed_in_its_way(&self, m: &mut Moment, place: usize) {
        let (Some(slot), Some(object)) = (self.brief.slots.get(place), self.layout.objects.get(place)) else { return };
        self.kept_low(m, place);
        let figure = self.cast.figure(place);
        let (melts, hangs, share, t, way) = (self.melts(place), self.hangs(place), m.p, m.t, self.way(place));
        let snow = ["snow", "ice"].contains(&self.named(place)) || self.named(place).starts_with("snow");
        let carries = self.brief.slots.iter().any(|other| other.parent == Some(place) && other.relation.attached());
        let swims = slot.motion == Motion::Swim && zone(slot, self.brief.backdrop) == Zone::Surface && self.medium == Medium::Water;
        let Some(pose) = m.poses.get_mut(place) else { return };
        let gone = {
            let x = (share / 0.9).clamp(0.0, 1.0);
            x * x * (3.0 - 2.0 * x)
        };
        if axis(self.named(place)).is_some() && matches!(slot.motion, Motion::Spin | Motion::Swing) {
            (pose.turn, pose.bend, pose.y) = (object.tilt, 0.0, object.y);
        } else if melts {
            let low = if snow { 0.78 } else { 0.5 };
            (pose.scale, pose.sx, pose.sy) = (1.0, 1.0 + 0.35 * gone, 1.0 - low * gone);
        } else if slot.motion == Motion::Shrink && slot.kind == Kind::Boat {
            (pose.scale, pose.turn) = (1.0, object.tilt + 0.07 * way * gone);
            pose.y = object.y + 0.95 * gone * pose.h;
        } else if hangs {
            let angle = VINE * (TAU * PACE * t).sin();
            let foot = pose.y - 0.16 * pose.h;
            let reach = (foot + 0.15) * self.height;
            pose.turn = angle / TAU;
            pose.x = object.x - angle.sin() * reach / self.width;
            pose.lift = 0.16 * pose.h + (1.0 - angle.cos()) * reach / self.height;
        } else if swims && figure.is_some() && !carries {
            pose.y += (SWIMMER - 0.24) * pose.h;
        } else if slot.motion == Motion::Drive
            && matches!(slot.relation, Relation::None | Relation::Beside | Relation::Chase)
            && figure.is_some_and(|figure| figure.manner.level && figure.build == Build::Upright)
        {
            // On the belly, nose first.
            let wide = pose.w * self.width / self.height;
            pose.turn = 0.21 * way;
            pose.lift = -0.42 * (pose.h - wide).max(0.0);
        } else if self.dives(place) {
            // Out of the water nose first, and back into it.
            let leap = (0.9 * (object.rate.max(0.1) * t + object.phase)).rem_euclid(1.0);
            let up = (pose.lift / object.amp.max(1e-3)).clamp(0.0, 1.0);
            pose.y += 0.38 * pose.h * (1.0 - (2.0 * up).min(1.0)).powi(2);
            let flight = ((leap - 0.2) / 0.6).clamp(0.0, 1.0);
            pose.turn += 0.09 * way * (2.0 * flight - 1.0) * (4.0 * up).min(1.0);
            (pose.sx, pose.sy) = (1.0, 1.0);
        } else if slot.motion == Motion::Fly
            && slot.parent.is_none()
            && figure.is_some_and(|figure| figure.manner.wings && figure.manner.level)
        {
            // Birds fly with the breast down.
            pose.turn += 0.12 * way;
        }
    }

    /// Whether a swimmer leaps out of the water, which stays where it is.
    pub(in crate::paint) fn dives(&self, place: usize) -> bool {
        self.brief.slots.get(place).is_some_and(|slot| {
            slot.motion == Motion::Jump
                && slot.kind == Kind::Swimmer
                && self.medium == Medium::Water
                && !slot.relation.attached()
                && zone(slot, self.brief.backdrop) == Zone::Surface
        })
    }

    /// A ball that people play with stays below their heads.
    fn kept_low(&self, m: &mut Moment, place: usize) {
        let Some(slot) = self.brief.slots.get(place).filter(|slot| slot.motion == Motion::Bounce && slot.kind == Kind::Prop) else {
            return;
        };
        let player = slot.parent.filter(|player| self.cast.figure(*player).is_some() && !slot.relation.attached());
        let (Some(player), Some(object)) = (player.and_then(|player| m.poses.get(player)).copied(), self.layout.objects.get(place)) else {
            return;
        };
        if let Some(pose) = m.poses.get_mut(place) {
            let (tall, longest) = (player.h * player.scale, pose.h.max(pose.w * self.width / self.height));
            let share = (LARGEST * tall / longest.max(1e-3)).min(1.0);
            (pose.w, pose.h) = (pose.w * share, pose.h * share);
            pose.lift *= (0.35 * tall / object.amp.max(1e-3)).min(1.0);
        }
    }

    /// The slide that somebody slides down.
    pub(super) fn slide_of(&self, place: usize) -> Option<usize> {
        let slot = self.brief.slots.get(place)?;
        let slides = slot.motion == Motion::Drive && matches!(slot.kind, Kind::Person | Kind::Animal);
        let slide = (0..self.brief.slots.len()).find(|other| matches!(self.named(*other), "slide" | "playground-slide"))?;
        let free = !slot.relation.attached() || slot.parent == Some(slide);
        (slides && free && self.cast.figure(place).is_some_and(|figure| figure.build == Build::Upright)).then_some(slide)
    }

    /// Puts who slides onto the chute: waits at its top, goes down, sits at its end.
    pub(super) fn posed_on_a_slide(&self, m: &mut Moment, place: usize) {
        let Some(slide) = self.slide_of(place) else { return };
        let Some(base) = m.poses.get(slide).copied() else { return };
        let emoji = self.named(slide) == "playground-slide";
        // One after the other.
        let before = (0..place).filter(|other| self.slide_of(*other) == Some(slide)).count() as f32;
        let gone = ((0.5 * m.t + 0.05 + 0.45 * before).fract() - 0.15) / 0.6;
        let v = {
            let x = gone.clamp(0.0, 1.0);
            x * x * (3.0 - 2.0 * x)
        };
        // Of the drawing's box, from its left top: the chute from top to end.
        let chute = if emoji { [[0.30, 0.30], [0.80, 0.86]] } else { [[0.30, 0.30], [0.92, 0.88]] };
        let at: [f32; 2] = std::array::from_fn(|i| chute[0][i] + (chute[1][i] - chute[0][i]) * if i == 0 { v } else { v.powf(0.8) });
        let way = if base.facing_turn.is_some_and(|turn| turn < 0.0) { -1.0 } else { 1.0 };
        if let Some(pose) = m.poses.get_mut(place) {
            pose.x = base.x + way * (at[0] - 0.5) * base.w * base.scale;
            pose.y = base.y - (1.0 - at[1]) * base.h * base.scale;
            (pose.lift, pose.turn) = (0.0, way * if (0.05..0.9).contains(&v) { 0.06 } else { 0.0 });
            pose.facing_turn = Some(way);
        }
    }

    /// Puts who is on a swing where its seat is now.
    pub(super) fn posed_on_a_swing(&self, m: &mut Moment, place: usize) {
        let Some(slot) = self.brief.slots.get(place) else { return };
        let parent = slot.parent.filter(|_| matches!(slot.relation, Relation::On | Relation::Ride | Relation::In));
        let Some(parent) = parent.filter(|parent| axis(self.named(*parent)).is_some()) else { return };
        let (Some(carrier), Some([_, top]), Some(base), Some(object), Some(own)) = (
            self.brief.slots.get(parent),
            axis(self.named(parent)),
            m.poses.get(parent).copied(),
            self.layout.objects.get(parent),
            self.layout.objects.get(place),
        ) else {
            return;
        };
        let angle = self.turn_of_part(m, parent);
        let ink = atlas().get(carrier.sprite).ink;
        let high = base.h * self.height;
        // The axis, and the foot of who sits, in pixels from the foot of the frame.
        let pivot = (ink.bottom - top / BOX) / (ink.bottom - ink.top).max(1e-3) * high;
        let seated = sits(slot, carrier);
        if let Some(pose) = m.poses.get_mut(place) {
            let hang = pivot - (object.y - own.y) * self.height;
            pose.x = base.x + (own.x - object.x) - angle.sin() * hang / self.width;
            pose.y = base.y + (own.y - object.y) - (1.0 - angle.cos()) * hang / self.height;
            pose.turn = angle / TAU;
            pose.lift = if seated { 0.0 } else { pose.lift };
        }
    }

    /// What has melted lies around the foot of what melts.
    pub(super) fn puddle(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let Some(pose) = m.poses.get(place).filter(|_| self.melts(place)) else { return };
        let (grown, half) = ((1.3 * m.p).min(1.0), pose.w * self.width / 2.0);
        let sweet = ["chocolate", "cheese", "candle", "ice-cream"].iter().any(|part| self.named(place).contains(part));
        let water = if sweet {
            self.liquid(place)
        } else {
            Rgb::hex(if self.brief.backdrop == Backdrop::Snowfield { 0x9fd0ee } else { 0xbfe2f5 }).tinted(self.light.ambient)
        };
        let (x, y) = (pose.x * self.width, pose.y * self.height);
        c.oval(about(x, y, half * (0.6 + 1.0 * grown), half * (0.06 + 0.24 * grown)), &Ink::flat(water, 0.9));
        c.oval(about(x - 0.35 * half, y - 0.05 * half, half * 0.5 * grown, half * 0.06 * grown), &Ink::flat(Rgb::WHITE, 0.6));
    }

    /// What somebody hangs from, from above the frame to the hand.
    pub(super) fn vine(&self, c: &mut Canvas, m: &Moment, place: usize) {
        if !self.hangs(place) {
            return;
        }
        let (Some([x, y]), Some(object)) = (self.point(m, place, Figure::hand), self.layout.objects.get(place)) else { return };
        let top = [object.x * self.width, -0.15 * self.height];
        let (width, beyond) = (0.016 * self.short, 0.08 * self.short);
        let colour = |hex: u32| Rgb::hex(hex).tinted(self.light.ambient);
        let long = (x - top[0]).hypot(y - top[1]).max(1.0);
        let end = [x + (x - top[0]) / long * beyond, y + (y - top[1]) / long * beyond];
        Pen::at(top[0], top[1]).line(end[0], end[1]).stroke(c, width, &Ink::flat(colour(0x4f7a35), 1.0));
        for j in 1..7 {
            let share = j as f32 / 7.0;
            let (px, py, side) = (top[0] + share * (x - top[0]), top[1] + share * (y - top[1]), if j % 2 == 0 { 1.0 } else { -1.0 });
            let leaf = 0.04 * self.short;
            Pen::at(px, py)
                .quad([px + side * 0.5 * leaf, py - 0.6 * leaf], px + side * leaf, py)
                .quad([px + side * 0.5 * leaf, py + 0.4 * leaf], px, py)
                .fill(c, &Ink::flat(colour(0x5f9a3f), 1.0));
        }
    }
}
