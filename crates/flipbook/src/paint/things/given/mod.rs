//! What figures do to another thing: balls leave the foot and the hand, what is pushed is before the hands, what is pulled on a
//! rope behind.

use super::warp::Lay;
use crate::codes::{Act, Kind, Motion, Relation};
use crate::figures::PACE;
use crate::figures::{Build, Figure, Stance};
use crate::layout::natural_height;
use crate::paint::film::{Film, Moment};
use crate::pose::Pose;

/// Of a beat of [`crate::figures::Gesture`]: when a kick meets the ball, a throw lets go of it and a catch has it.
const KICKED: f32 = 0.52;
const THROWN: f32 = 0.58;
const CAUGHT: f32 = 0.5;
/// How far a ball goes, and its height, in heights of who plays.
const REACH: f32 = 1.25;
const BALL: f32 = 0.24;
/// From who shoots to the goal, and between two of whom one gives, in their heights.
const GOAL: f32 = 1.5;
const GIVEN: f32 = 0.72;

impl Film {
    pub(in crate::paint) fn act_of(&self, place: usize) -> Option<Act> {
        self.brief.slots.get(place).and_then(|slot| self.program.things.get(slot.thing)).and_then(|thing| thing.act)
    }

    /// A point of a figure as it stands now, in pixels.
    pub(super) fn point(&self, m: &Moment, place: usize, of: impl Fn(&Figure, &Stance) -> [f32; 2]) -> Option<[f32; 2]> {
        let (figure, pose) = (self.cast.figure(place)?, m.poses.get(place)?);
        let stance = self.stance(m, place, figure);
        Some(self.warp_box(m, place, pose, Lay::Upright)(of(figure, &stance)))
    }

    /// The first slot that has this one for its parent and is what it acts on.
    fn object_of(&self, place: usize) -> Option<usize> {
        let beside = |slot: &crate::scene::Slot| matches!(slot.relation, Relation::Beside | Relation::Play | Relation::Front);
        let of_it = self.brief.slots.iter().position(|slot| slot.parent == Some(place) && beside(slot));
        let own = self.brief.slots.get(place)?;
        of_it
            .or(own.parent.filter(|_| beside(own)))
            .filter(|object| self.brief.slots.get(*object).is_some_and(|slot| slot.kind != Kind::Person))
    }

    /// Poses of what figures throw, kick, catch, push and pull.
    pub(super) fn posed_by_deeds(&self, m: &mut Moment, place: usize) {
        let Some(act) = self.act_of(place) else { return };
        let Some(object) = self.object_of(place).filter(|_| self.cast.figure(place).is_some()) else { return };
        match act {
            Act::Throw | Act::Kick | Act::Catch | Act::Score => self.play_ball(m, place, object, act),
            Act::Push | Act::Pull => self.shove(m, place, object, act == Act::Push),
            _ => {}
        }
    }

    fn play_ball(&self, m: &mut Moment, place: usize, object: usize, act: Act) {
        let (Some(slot), Some(thing)) = (self.brief.slots.get(place), self.brief.slots.get(object)) else { return };
        if self.cast.figure(object).is_some() || natural_height(thing) > 0.6 * natural_height(slot).max(0.5) {
            return;
        }
        let (Some(who), Some(mut ball)) = (m.poses.get(place).copied(), m.poses.get(object).copied()) else { return };
        let size = who.h * self.height * who.scale;
        let round = thing.aspect > 0.8 && thing.aspect < 1.25;
        let longest = (ball.h * self.height).max(ball.w * self.width).max(1.0);
        let share = (if round { BALL } else { 1.5 * BALL } * size / longest).min(1.0);
        (ball.w, ball.h, ball.scale) = (ball.w * share, ball.h * share, 1.0);
        let half = ball.h * self.height / 2.0;
        let Some([x, y]) = self.ball_at(m, place, act, half) else { return };
        let rolled = (x - who.x * self.width) / half.max(1.0) / std::f32::consts::TAU;
        let lift = (who.y * self.height - half - y) / self.height;
        if let Some(pose) = m.poses.get_mut(object) {
            let turn = if round { rolled } else { 0.0 };
            *pose = Pose { x: x / self.width, y: who.y, lift, turn, sx: 1.0, sy: 1.0, bend: 0.0, ..ball };
        }
    }

    /// The side to which a ball goes: to who gets it, or where there is room.
    fn ball_side(&self, m: &Moment, place: usize, act: Act) -> f32 {
        let (Some(who), way) = (m.poses.get(place), self.way(place)) else { return 1.0 };
        if let Some(other) = self.receiver_of(place).and_then(|other| m.poses.get(other)) {
            return if other.x < who.x { -1.0 } else { 1.0 };
        }
        let far = if act == Act::Score { GOAL + 0.3 } else { 0.0 } * who.h * who.scale * self.height / self.width;
        if (0.0..=1.0).contains(&(who.x + way * far)) || who.x * way < 0.5 * way { way } else { -way }
    }

    /// Where a ball that somebody plays goes to, on the ground, in pixels.
    pub(super) fn ball_end(&self, m: &Moment, place: usize, act: Act) -> Option<[f32; 2]> {
        let who = m.poses.get(place)?;
        let (way, size) = (self.ball_side(m, place, act), who.h * self.height * who.scale);
        let (edge, x) = (if way > 0.0 { 0.95 } else { 0.05 }, who.x * self.width);
        let room = ((edge - who.x) * way * self.width).max(0.3 * size);
        let met = self.receiver_of(place).and_then(|other| m.poses.get(other)).map(|other| {
            let body = 0.5 * other.w * other.scale * self.width;
            ((other.x * self.width - x).abs() - body).max(0.4 * size)
        });
        let reach = if act == Act::Score { GOAL } else { REACH };
        Some([x + way * met.unwrap_or((reach * size).min(room)), who.y * self.height])
    }

    /// The middle of a ball that somebody plays, in pixels; `half` of its height as well.
    pub(super) fn ball_at(&self, m: &Moment, place: usize, act: Act, half: f32) -> Option<[f32; 2]> {
        let (who, own) = (m.poses.get(place)?, self.layout.objects.get(place)?);
        let four = self.cast.figure(place)?.build == Build::FourLegged;
        let hand = self.point(m, place, |figure, stance| if four { figure.mouth(stance) } else { figure.hand(stance) })?;
        let (way, size) = (self.ball_side(m, place, act), who.h * self.height * who.scale);
        let ground = who.y * self.height - half;
        let u = (PACE * m.t + own.phase).rem_euclid(1.0);
        let foot = [who.x * self.width + way * 0.26 * size, ground];
        let far = [self.ball_end(m, place, act)?[0], ground];
        let arc = |from: [f32; 2], to: [f32; 2], v: f32, high: f32| {
            let v = v.clamp(0.0, 1.0);
            [from[0] + (to[0] - from[0]) * v, from[1] + (to[1] - from[1]) * v - high * size * 4.0 * v * (1.0 - v)]
        };
        let since = |start: f32| (u - start).rem_euclid(1.0);
        Some(match act {
            Act::Kick | Act::Score if since(KICKED) < 0.38 => arc(foot, far, since(KICKED) / 0.38, 0.12),
            // It comes back along the ground; out of a goal it does so late.
            Act::Score if since(KICKED) < 0.7 => far,
            Act::Score => arc(far, foot, (since(KICKED) - 0.7) / 0.3, 0.0),
            Act::Kick => arc(far, foot, (since(KICKED) - 0.38) / 0.5, 0.0),
            Act::Throw if since(THROWN) < 0.3 => arc(hand, far, since(THROWN) / 0.3, 0.22),
            Act::Throw if since(THROWN) < 0.62 => arc(far, hand, (since(THROWN) - 0.3) / 0.32, 0.25),
            Act::Throw => hand,
            _ if u < CAUGHT => arc(far, hand, u / CAUGHT, 0.4),
            _ if u < 0.74 => hand,
            _ => arc(hand, far, (u - 0.74) / 0.26, 0.3),
        })
    }

    /// Who stands there to get what somebody throws, kicks or gives.
    fn receiver_of(&self, place: usize) -> Option<usize> {
        let own = self.brief.slots.get(place)?;
        let ready = |other: &usize| {
            self.brief.slots.get(*other).is_some_and(|slot| {
                let free = self.act_of(*other).is_none() || slot.thing == own.thing;
                *other != place && free && matches!(slot.kind, Kind::Person | Kind::Animal) && !slot.relation.attached()
            })
        };
        (0..self.brief.slots.len()).filter(ready).find(|other| self.cast.figure(*other).is_some())
    }

    /// Nobody named a ball for who plays one.
    pub(super) fn has_no_ball(&self, place: usize) -> bool {
        let first = self.brief.slots.get(place).is_some_and(|slot| slot.rank == 0);
        first && !self.brief.slots.iter().any(|slot| slot.kind == Kind::Prop && natural_height(slot) < 0.6)
    }

    /// What or whom somebody feeds, cleans or works at.
    pub(super) fn handled_by(&self, place: usize) -> Option<usize> {
        let own = self.brief.slots.get(place)?;
        let near = |slot: &crate::scene::Slot| matches!(slot.relation, Relation::Beside | Relation::Front);
        let of_it = self.brief.slots.iter().position(|slot| slot.parent == Some(place) && near(slot));
        of_it.or(own.parent.filter(|_| near(own)))
    }

    /// Whether somebody builds a thing that is as tall as they are.
    pub(super) fn builds_high(&self, place: usize) -> bool {
        self.hands().builds_high(place)
    }

    /// Whether somebody gives it to eat.
    pub(super) fn is_fed(&self, place: usize) -> bool {
        let feeds = |other: usize| self.act_of(other) == Some(Act::Feed) && other != place;
        let Some(slot) = self.brief.slots.get(place) else { return false };
        slot.parent.is_some_and(feeds) || (0..self.brief.slots.len()).any(|other| feeds(other) && self.handled_by(other) == Some(place))
    }

    /// The small thing that somebody gives away.
    pub(super) fn gift_of(&self, place: usize) -> Option<usize> {
        let own = self.brief.slots.get(place)?;
        self.brief.slots.iter().enumerate().position(|(other, slot)| {
            let small = natural_height(slot) <= 0.5 * natural_height(own) && matches!(slot.kind, Kind::Prop | Kind::Plant | Kind::Symbol);
            small && self.cast.figure(other).is_none() && slot.parent.is_none_or(|parent| parent == place) && !slot.relation.attached()
        })
    }

    /// Anything stands to it, or it to anything.
    pub(super) fn has_company(&self, place: usize) -> bool {
        self.brief.slots.get(place).is_some_and(|slot| slot.parent.is_some())
            || self.brief.slots.iter().any(|slot| slot.parent == Some(place))
    }

    /// Turns who does something to another towards them; who gives goes up to who gets it, who milks to the udder.
    pub(super) fn turn_to_another(&self, m: &mut Moment, place: usize) {
        let Some(act) = self.act_of(place).filter(|_| self.cast.figure(place).is_some()) else { return };
        let other = match act {
            Act::Kick | Act::Throw | Act::Catch | Act::Give => self.receiver_of(place),
            Act::Score => None,
            Act::Feed | Act::Groom | Act::Milk | Act::Repair | Act::Chop | Act::Stop | Act::Wash => self.handled_by(place),
            _ => return,
        };
        let Some(who) = m.poses.get(place).copied() else { return };
        let Some((other, whom)) = other.and_then(|other| Some((other, m.poses.get(other).copied()?))) else {
            let side = self.ball_side(m, place, act);
            if let Some(pose) = m.poses.get_mut(place).filter(|_| act == Act::Score) {
                pose.facing_turn = Some(side);
            }
            return;
        };
        let side = if whom.x < who.x { -1.0 } else { 1.0 };
        let high = (who.h * who.scale + whom.h * whom.scale) / 2.0 * self.height / self.width;
        let gap = (whom.x - who.x).abs();
        match act {
            Act::Give => {
                let step = (gap - GIVEN * high).max(0.0) / 2.0;
                self.shift(m, place, [side * step, 0.0], side);
                self.shift(m, other, [-side * step, who.y - whom.y], -side);
            }
            Act::Milk => {
                self.shift(m, place, [gap * side - side * 0.40 * whom.w * whom.scale, whom.y + 0.012 - who.y], side);
                self.shift(m, other, [0.0; 2], side);
            }
            _ => {
                if let Some(pose) = m.poses.get_mut(place) {
                    pose.facing_turn = Some(side);
                }
            }
        }
    }

    /// Hands and load go together.
    fn shove(&self, m: &mut Moment, place: usize, object: usize, push: bool) {
        let (Some(who), Some(load)) = (m.poses.get(place).copied(), m.poses.get(object).copied()) else { return };
        let way = self.way(place);
        let high = who.h * who.scale * self.height / self.width;
        let gap = if push { 0.30 * high } else { 0.42 * high + 0.25 * who.w };
        let apart = gap + load.w * load.scale / 2.0 + if push { 0.0 } else { 0.1 * who.w };
        let side = if push { way } else { -way };
        // Both stay in the frame as far as they have room.
        let reach = who.x + side * (apart + load.w * load.scale / 2.0);
        let over = if side > 0.0 { (reach - 0.94).max(0.0) } else { (reach - 0.06).min(0.0) };
        let travels = self.brief.slots.get(place).is_some_and(|slot| matches!(slot.motion, Motion::Walk | Motion::Run));
        for (index, x) in [(place, who.x - over), (object, who.x - over + side * apart)] {
            if let Some(pose) = m.poses.get_mut(index) {
                pose.x = x;
            }
        }
        // Who pulls or pushes as well does so next to the first.
        let Some(own) = self.brief.slots.get(place) else { return };
        for (index, slot) in self.brief.slots.iter().enumerate().filter(|(index, slot)| *index != place && slot.thing == own.thing) {
            if let Some(pose) = m.poses.get_mut(index) {
                let aside = if push { -0.42 } else { 0.52 } * slot.rank as f32;
                pose.x = (who.x - over + way * aside * high).clamp(0.05, 0.95);
                (pose.y, pose.facing_turn) = (who.y, Some(way));
            }
        }
        if let Some(pose) = m.poses.get_mut(object) {
            (pose.y, pose.lift) = (who.y, 0.0);
            pose.facing_turn = Some(way);
            pose.turn = if travels { 0.004 * (9.0 * m.t).sin() } else { 0.0 };
        }
    }

    /// The slot that somebody is drawn before: the slide that is slid down, what is watered.
    pub(super) fn served_by(&self, place: usize) -> Option<usize> {
        let watered =
            || self.object_of(place).filter(|_| matches!(self.act_of(place), Some(Act::Water | Act::Milk | Act::Groom | Act::Repair)));
        self.slide_of(place).or_else(watered)
    }

    /// What a figure pulls, by its slot.
    pub(super) fn load_of(&self, place: usize) -> Option<usize> {
        (self.act_of(place) == Some(Act::Pull) && self.cast.figure(place).is_some()).then(|| self.object_of(place)).flatten()
    }

    /// Who holds what flies on a string.
    pub(super) fn flier_of(&self, place: usize) -> Option<usize> {
        let slot = self.brief.slots.get(place)?;
        let kite = crate::sprites::atlas().get(slot.sprite).name == "kite";
        let holder =
            slot.parent.filter(|_| kite).or_else(|| self.brief.slots.iter().position(|other| kite && other.parent == Some(place)))?;
        self.cast.figure(holder).filter(|figure| figure.build == Build::Upright).map(|_| holder)
    }
}

#[cfg(test)]
mod tests;
