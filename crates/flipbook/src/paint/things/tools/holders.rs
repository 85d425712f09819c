//! Who of a scene has which tool in hand, and which tools therefore lie nowhere else.

use super::Tool;
use crate::codes::{Act, Motion, Relation};
use crate::figures::{Build, Figure, figure};
use crate::scene::{Brief, Program};
use crate::sprites;

/// Who of a scene has which tool in hand.
#[derive(Clone, Copy)]
pub(in crate::paint) struct Hands<'a> {
    pub program: &'a Program,
    pub brief: &'a Brief,
}

impl Hands<'_> {
    /// The tool that a figure has in its hand, and the slot that shows it if it is a certain one.
    pub(super) fn grasped(self, place: usize) -> Option<(Tool, Option<usize>)> {
        let slot = self.brief.slots.get(place)?;
        let figure = self.handy(place)?;
        let carried = slot.parent.filter(|_| slot.relation == Relation::Play);
        let tool = match self.act(place) {
            _ if self.rides(place, "broom") => Tool::Broom,
            Some(Act::Fish) => Tool::Rod,
            Some(Act::Paint) => Tool::Brush,
            Some(Act::Cast) => Tool::Wand,
            Some(Act::Dig) => Tool::Spade,
            Some(Act::Sweep) => Tool::Besom,
            Some(Act::Brush) => Tool::Toothbrush,
            Some(Act::Blow) => Tool::Ring,
            Some(Act::Repair) => Tool::Hammer,
            Some(Act::Build) if self.builds_high(place) => Tool::Hammer,
            Some(Act::Chop) => Tool::Axe,
            Some(Act::Fight) => self.weapon(figure)?,
            None if self.rides(place, "skis") => Tool::Pole,
            _ if carried.is_some_and(|held| self.tool_at(held).is_none()) => return None,
            _ if figure.name == "witch-figure" && slot.motion == Motion::Fly && slot.relation == Relation::None => Tool::Broom,
            _ => {
                let held = carried.or_else(|| self.gear_for(place))?;
                return self.tool_at(held).map(|tool| (tool, Some(held)));
            }
        };
        Some((tool, carried.filter(|held| self.tool_at(*held) == Some(tool))))
    }

    fn act(self, place: usize) -> Option<Act> {
        self.brief.slots.get(place).and_then(|slot| self.program.things.get(slot.thing)).and_then(|thing| thing.act)
    }

    /// Whether somebody builds a thing that is taller than they are.
    pub fn builds_high(self, place: usize) -> bool {
        let own = |slot: usize| self.brief.slots.get(slot).map(|slot| slot.thing);
        let tall = |slot: &crate::scene::Slot| slot.metres > 2.0 && slot.parent.is_some_and(|parent| own(parent) == own(place));
        self.act(place) == Some(Act::Build) && self.brief.slots.iter().any(tall)
    }

    fn rides(self, place: usize, mount: &str) -> bool {
        let slot = self.brief.slots.get(place).filter(|slot| slot.relation == Relation::Ride);
        let carrier = slot.and_then(|slot| self.brief.slots.get(slot.parent?));
        carrier.is_some_and(|carrier| sprites::atlas().get(carrier.sprite).name == mount)
    }

    /// The figure of a slot, if it has hands.
    fn handy(self, place: usize) -> Option<&'static Figure> {
        let slot = self.brief.slots.get(place)?;
        figure(&sprites::atlas().get(slot.sprite).name).filter(|figure| has_hands(figure))
    }

    fn weapon(self, figure: &Figure) -> Option<Tool> {
        let asked = (0..self.brief.slots.len()).find_map(|place| self.tool_at(place));
        let own = matches!(figure.name, "knight" | "pirate" | "ninja").then_some(Tool::Sword);
        asked.filter(|tool| matches!(tool, Tool::Sword | Tool::Staff)).or(own)
    }

    /// The tool that the drawing of a slot shows, where it may be taken into a hand.
    fn tool_at(self, place: usize) -> Option<Tool> {
        let slot = self.brief.slots.get(place)?;
        let free = matches!(slot.relation, Relation::None | Relation::Beside | Relation::Play | Relation::Front | Relation::Between);
        Tool::of(&sprites::atlas().get(slot.sprite).name).filter(|_| free)
    }

    /// The slot of a tool that nobody was said to hold, for the first figures that have nothing else to do.
    fn gear_for(self, place: usize) -> Option<usize> {
        let idle = |other: usize| {
            let slot = self.brief.slots.get(other)?;
            let free = self.act(other).is_none() && !matches!(slot.relation, Relation::Play | Relation::Ride);
            self.handy(other).filter(|_| free)
        };
        idle(place)?;
        let before = (0..place).filter(|other| idle(*other).is_some()).count();
        let is_carried = |tool: usize| {
            self.brief
                .slots
                .iter()
                .any(|slot| slot.parent == Some(tool) && matches!(slot.relation, Relation::Play | Relation::Ride | Relation::On))
        };
        (0..self.brief.slots.len()).filter(|other| self.tool_at(*other).is_some() && !is_carried(*other)).nth(before)
    }

    /// Whether what this slot shows lies in a hand instead of by itself: each hand takes one.
    pub fn hold(self, place: usize) -> bool {
        let Some(tool) = self.tool_at(place) else { return false };
        let grasped: Vec<Option<usize>> = (0..self.brief.slots.len())
            .filter_map(|holder| self.grasped(holder))
            .filter(|(held, _)| *held == tool)
            .map(|(_, slot)| slot)
            .collect();
        let taken = |slot: usize| grasped.contains(&Some(slot));
        let before = (0..place).filter(|slot| self.tool_at(*slot) == Some(tool) && !taken(*slot)).count();
        taken(place) || before < grasped.iter().filter(|slot| slot.is_none()).count()
    }
}

/// Hands that close around a handle.
fn has_hands(figure: &Figure) -> bool {
    figure.build == Build::Upright && !figure.manner.wings && !figure.manner.paws
}
