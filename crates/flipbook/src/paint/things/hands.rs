//! What figures with joints do that drawings in one piece cannot: turn on their toes, bring food to the mouth, hold a tool.

use std::f32::consts::TAU;

use super::stamp::Stamp;
use super::tools::Tool;
use super::warp::Lay;
use crate::canvas::Canvas;
use crate::codes::{Act, Kind, Motion, Relation};
use crate::figures::Build;
use crate::layout::{natural_height, parents_first};
use crate::paint::film::{Film, Moment};
use crate::pose::Pose;
use crate::scene::Slot;
use crate::sprites::atlas;

/// Of what is held, in heights of who holds it.
const HELD: f32 = 0.26;
const TOOL: f32 = 0.30;
const LIFTED: f32 = 0.55;
/// A thing that is at most so high, in heights of the figure, fits in a hand; what is eaten, at any height up to its own.
const FITS: f32 = 0.5;
/// What is held up by its lower end, and its height in heights of who holds it.
const UPHELD: [(&str, f32); 6] = [("umbrella", 0.78), ("balloon", 0.70), ("kite", 0.5), ("flag", 0.5), ("lantern", 0.3), ("torch", 0.4)];

impl Film {
    /// Poses as figures take them.
    pub(in crate::paint) fn posed_as_figures(&self, m: &mut Moment) {
        self.close_in(m);
        self.form_up(m);
        for place in 0..m.poses.len() {
            self.pirouette(m, place);
            self.posed_in_its_way(m, place);
            self.posed_by_a_leap(m, place);
            self.turn_to_work(m, place);
            self.turn_to_another(m, place);
        }
        for place in 0..m.poses.len() {
            if let Some((held, pose)) = self.held(m, place)
                && let Some(old) = m.poses.get_mut(held)
            {
                *old = pose;
            }
        }
        for place in 0..m.poses.len() {
            self.posed_by_deeds(m, place);
        }
        self.posed_at_work(m);
        self.posed_on_figures(m);
        let before = m.poses.clone();
        for place in 0..m.poses.len() {
            self.posed_on_a_board(m, place);
            self.posed_on_a_swing(m, place);
            self.posed_on_a_slide(m, place);
            self.posed_on_a_course(m, place);
            self.posed_by_an_event(m, place);
            self.posed_under_a_crusher(m, place);
            self.posed_in_tow(m, place);
            self.posed_on_a_nose(m, place);
        }
        self.take_along(m, &before);
    }

    /// What is worn or borne goes where its carrier has gone since `before`.
    fn take_along(&self, m: &mut Moment, before: &[Pose]) {
        for place in parents_first(&self.brief) {
            let Some(slot) = self.brief.slots.get(place).filter(|slot| slot.relation.attached() && slot.relation != Relation::Play) else {
                continue;
            };
            let moved = |place: usize| {
                let (was, is) = (before.get(place)?, m.poses.get(place)?);
                Some([is.x - was.x, is.y - was.y, is.lift - was.lift])
            };
            let (Some([dx, dy, lift]), Some(own)) = (slot.parent.and_then(moved), moved(place)) else { continue };
            if own == [0.0; 3]
                && let Some(pose) = m.poses.get_mut(place)
            {
                (pose.x, pose.y, pose.lift) = (pose.x + dx, pose.y + dy, pose.lift + lift);
            }
        }
    }

    /// Who has legs turns about them, and not like a wheel.
    fn pirouette(&self, m: &mut Moment, place: usize) {
        let (Some(slot), Some(object)) = (self.brief.slots.get(place), self.layout.objects.get(place)) else { return };
        if slot.motion == Motion::Spin
            && self.cast.figure(place).is_some()
            && let Some(pose) = m.poses.get_mut(place)
        {
            (pose.turn, pose.facing_turn) = (object.tilt, Some((TAU * object.rate.max(0.3) * m.t).cos()));
        }
    }

    /// Whether the slot is held up by somebody: who holds it stands before it.
    pub(super) fn is_upheld(&self, place: usize) -> bool {
        let name = |slot: &Slot| &atlas().get(slot.sprite).name;
        let Some(thing) = self.brief.slots.get(place).filter(|slot| UPHELD.iter().any(|(part, _)| name(slot).contains(part))) else {
            return false;
        };
        self.brief.slots.iter().any(|slot| {
            let act = self.program.things.get(slot.thing).and_then(|thing| thing.act);
            slot.parent == Some(place) && act == Some(Act::Hold) && thing.kind != Kind::Person
        })
    }

    /// The slot that the figure at `place` has in its hand, and where that is then.
    fn held(&self, m: &Moment, place: usize) -> Option<(usize, Pose)> {
        let slot = self.brief.slots.get(place)?;
        let act = self.program.things.get(slot.thing)?.act?;
        let gift = || self.gift_of(place).filter(|_| matches!(act, Act::Give | Act::Feed));
        let held = slot.parent.filter(|_| slot.relation == Relation::Play).or_else(gift)?;
        let thing = self.brief.slots.get(held)?;
        let name = &atlas().get(thing.sprite).name;
        let upheld = UPHELD.iter().find(|(part, _)| name.contains(part)).map(|(_, share)| *share).filter(|_| act == Act::Hold);
        let small = natural_height(thing)
            <= natural_height(slot)
                * match act {
                    Act::Eat => 1.0,
                    Act::Lift => 2.5,
                    // Beak and claws carry much.
                    _ if self.cast.figure(place).is_none() => 3.0,
                    _ => FITS,
                };
        let fits = (small || upheld.is_some()) && self.cast.figure(held).is_none();
        if self.in_a_hand(held)
            || !fits
            || !matches!(
                act,
                Act::Eat
                    | Act::Hold
                    | Act::Read
                    | Act::Pour
                    | Act::Paint
                    | Act::Cook
                    | Act::Give
                    | Act::Feed
                    | Act::Lift
                    | Act::Photograph
                    | Act::Phone
            )
        {
            return None;
        }
        let [x, y] = self.hand(m, place)?;
        let (holder, pose) = (m.poses.get(place)?, m.poses.get(held)?);
        let longest = (pose.w * self.width).max(pose.h * self.height).max(1.0);
        let share = upheld.unwrap_or(if act == Act::Lift { LIFTED } else { HELD }) * holder.h * self.height / longest;
        let (w, h) = (pose.w * share, pose.h * share);
        // Its foot is where the holder's is, so that their shadows are one.
        let aside =
            if upheld.is_some() && name.contains("balloon") { self.layout.objects.get(place)?.dir.signum() * 0.40 * w } else { 0.0 };
        let lift = holder.y - y / self.height - if upheld.is_some() || act == Act::Lift { 0.10 * h } else { h / 2.0 };
        Some((
            held,
            Pose {
                x: x / self.width + aside,
                y: holder.y,
                lift,
                w,
                h,
                flip: aside < 0.0,
                turn: 0.0,
                bend: 0.0,
                sx: 1.0,
                sy: 1.0,
                scale: 1.0,
                ..*pose
            },
        ))
    }

    /// Where the hand of a figure is, in pixels.
    fn hand(&self, m: &Moment, place: usize) -> Option<[f32; 2]> {
        let pose = m.poses.get(place)?;
        let Some(figure) = self.cast.figure(place) else {
            let alive = matches!(self.brief.slots.get(place)?.kind, Kind::Animal | Kind::Person | Kind::Flyer | Kind::Swimmer);
            return alive.then(|| self.front(m, place));
        };
        let stance = self.stance(m, place, figure);
        // Four legs carry in the mouth.
        let hand = if figure.build == Build::FourLegged { figure.mouth(&stance) } else { figure.hand(&stance) };
        Some(self.warp_box(m, place, pose, Lay::Upright)(hand))
    }

    /// The tool of what somebody does, in the hand.
    pub(super) fn tool(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let Some(slot) = self.brief.slots.get(place) else { return };
        let act = self.program.things.get(slot.thing).and_then(|thing| thing.act);
        if self.work_of(place).is_some_and(|work| work.craft.tool.is_some()) {
            return;
        }
        if let Some(tool) = self.tool_of(place) {
            if tool != Tool::Broom {
                self.draw_tool(c, m, place, tool);
            }
            return;
        }
        let name = match act {
            Some(Act::Water) if self.cast.figure(place).is_some_and(|figure| figure.build == Build::Upright) && !self.has_a_hose(place) => {
                "watering-can"
            }
            Some(Act::Cook) => "cooking",
            Some(Act::Sing) => "microphone",
            Some(Act::Read) if slot.parent.is_none() => "open-book",
            Some(Act::Photograph) => "camera",
            Some(Act::Phone) => "mobile-phone",
            Some(Act::Give) if self.gift_of(place).is_none() => "wrapped-gift",
            Some(Act::Hold) if !self.has_company(place) => "package",
            _ => return,
        };
        if slot.parent.is_some_and(|_| slot.relation == Relation::Play) && self.held(m, place).is_some() {
            return;
        }
        let (Some([x, y]), Some(pose), Some(object)) = (self.hand(m, place), m.poses.get(place), self.layout.objects.get(place)) else {
            return;
        };
        let size = if name == "mobile-phone" { 0.15 } else { TOOL } * pose.h * self.height;
        self.stamp(c, name, Stamp { flip: object.dir > 0.0, ..Stamp::at(x, y + size * 0.5, size) });
    }
}
