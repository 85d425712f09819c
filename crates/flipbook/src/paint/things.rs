//! The things of a scene: drawings that their pose bends, with their shadows, reflections and wakes, and what they give off.

mod anchored;
mod boards;
mod contrast;
mod courses;
mod craft;
mod deeds;
mod duel;
mod effect;
mod events;
mod feelings;
mod given;
mod hands;
mod motioned;
mod practice;
mod stamp;
mod stance;
mod tools;
mod traces;
mod warp;
mod workplace;

use crate::canvas::{Area, Canvas};
use crate::codes::{Kind, Motion, Relation};
use crate::layout::{Cover, Zone, cover, natural_height, rim, zone};
use crate::paint::film::{Film, Medium, Moment};
use crate::paint::kept::in_the_scenery;
use crate::scene::Slot;
use crate::sprites;
use tools::Tool;
use warp::Lay;

pub(super) use contrast::lightness;
pub(super) use effect::{heart, star};
pub(super) use stamp::Stamp;
pub(super) use tools::Hands;

impl Film {
    /// Slots from far to near; what is carried lies right before or behind its carrier.
    pub(super) fn ordered(&self, m: &Moment) -> Vec<usize> {
        let drawn_at = |slot: usize| self.layout.objects.get(slot).map_or(0.0, |object| object.depth);
        let depth = |slot: usize| self.depth_on_a_course(m, slot).unwrap_or_else(|| drawn_at(slot));
        let key = |place: usize, slot: &Slot| match slot.parent.and_then(|parent| Some((parent, self.brief.slots.get(parent)?))) {
            _ if self.brief.slots.get(place).is_some_and(|slot| slot.course.is_some_and(|course| course.by.is_some())) => depth(place),
            _ if self.borne_by(place).is_some() => self.borne_by(place).map_or(0.0, depth) - 0.009,
            None => self.served_by(place).map_or(depth(place), |thing| depth(thing).min(depth(place)) - 0.004),
            Some((parent, _)) if self.act_of(place) == Some(crate::codes::Act::Weave) => depth(parent) - 0.004,
            Some((parent, _)) if self.act_of(parent) == Some(crate::codes::Act::Weave) => depth(place) + 0.004,
            Some((parent, _)) if self.is_upheld(parent) => depth(parent) - 0.004,
            Some((parent, carrier)) => depth(parent) + behind(slot, carrier),
        };
        let mut order: Vec<(usize, f32)> = self.brief.slots.iter().enumerate().map(|(place, slot)| (place, key(place, slot))).collect();
        order.sort_by(|a, b| b.1.total_cmp(&a.1));
        order.into_iter().map(|(place, _)| place).collect()
    }

    /// Draws these slots, in this order, with all that belongs to them.
    pub(super) fn cutouts(&self, c: &mut Canvas, m: &Moment, which: &[usize]) {
        for &place in which {
            let (Some(slot), Some(pose)) = (self.brief.slots.get(place), m.poses.get(place)) else { continue };
            if self.in_a_hand(place)
                || self.is_ridden_board(place)
                || self.is_made(place)
                || self.is_worked_on(place)
                || self.is_apparatus(place)
                || in_the_scenery(&self.brief, place)
            {
                continue;
            }
            let effect = self.program.things.get(slot.thing).and_then(|thing| thing.effect).filter(|_| slot.rank == 0);
            let carried = slot.parent.is_some() && matches!(slot.relation, Relation::Ride | Relation::On | Relation::In | Relation::Wear);
            let zone = zone(slot, self.brief.backdrop);
            let ashore = self.is_ashore(place);
            let afloat = zone == Zone::Surface && !carried && !ashore;
            if ashore {
                self.bank(c, m, place);
            }
            if zone == Zone::Ground && !carried && pose.alpha > 0.1 {
                self.shadow(c, m, place);
            }
            if zone == Zone::Ground && !carried {
                self.landing(c, m, place);
            }
            self.glow(c, m, place);
            if let Some(effect) = effect {
                self.effect(c, m, place, effect, true);
            }
            if afloat {
                if self.surfs(place) {
                    self.surf(c, m, place);
                }
                self.reflect(c, m, place);
                let above = self.above_water(m, place);
                if let Some(path) = above {
                    c.clipped(&path, |c| self.thing(c, m, place));
                }
                self.wake(c, m, place);
            } else {
                self.thing(c, m, place);
            }
            if let Some(effect) = effect {
                self.effect(c, m, place, effect, false);
            }
            self.sparks(c, m, place);
            if slot.motion == Motion::Explode && m.p > 0.44 {
                let radius = pose.w * self.width * pose.scale / 2.0;
                self.burst(c, m, pose.x * self.width, (pose.y - pose.h / 2.0) * self.height, radius);
            }
        }
    }

    /// The cut-out itself, in the light of the scene.
    fn thing(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let (Some(slot), Some(object), Some(pose)) = (self.brief.slots.get(place), self.layout.objects.get(place), m.poses.get(place))
        else {
            return;
        };
        let glows = sprites::atlas().get(slot.sprite).glows && self.light.dark;
        let haze = if self.medium == Medium::Floor { 0.0 } else { ((object.depth - 0.15) * 0.55).clamp(0.0, 0.5) };
        self.workplace(c, m, place);
        self.before_work(c, m, place);
        self.apparatus(c, m, place, true);
        self.board(c, m, place);
        self.puddle(c, m, place);
        self.vine(c, m, place);
        self.string(c, m, place);
        if self.tool_of(place) == Some(Tool::Broom) {
            self.draw_tool(c, m, place, Tool::Broom);
        }
        self.set_apart(c, m, place, pose);
        self.under_a_course(c, place);
        self.under_an_event(c, m, place);
        if self.is_run_on(place) {
            return self.painted_bow(c, m, place);
        }
        if self.lid_up(c, m, place) || self.in_pieces(c, m, place) {
            return;
        }
        let cut = self.passage(m, place).and_then(|passage| passage.cut).map_or(9.0 * self.height, |line| line * self.height);
        let [left, right] = self.sides_seen(m, place);
        let seen = Area { left, top: -9.0 * self.height, right, bottom: cut };
        c.clipped_to(seen, |c| {
            self.above_rim(c, m, place, |c| self.draw(c, m, place, pose, self.light.tint(glows, haze, 1.0), pose.alpha, Lay::Upright));
        });
        self.before_a_course(c, m, place);
        self.over_an_event(c, m, place);
        self.tool(c, m, place);
        self.deed(c, m, place);
        self.after_work(c, m, place);
        self.apparatus(c, m, place, false);
    }
}

/// How much further away than its carrier a thing lies.
fn behind(slot: &Slot, carrier: &Slot) -> f32 {
    match slot.relation {
        Relation::Ride if rim(slot, carrier).is_none() && slot.kind == Kind::Person || slot.facing == 0 => 0.004,
        Relation::Play if natural_height(carrier) <= 0.6 => 0.004,
        Relation::Ride | Relation::Play | Relation::In | Relation::On | Relation::Wear => -0.004,
        Relation::Front => -0.06,
        Relation::Behind => 0.06,
        Relation::Under if matches!(cover(carrier), Cover::Span(_)) => -0.004,
        Relation::Under => 0.002,
        _ => 0.0,
    }
}
