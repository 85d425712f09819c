//! From what was asked to what the network is told: counted things become slots, names become traits.

use crate::codes::Relation;
use crate::scene::{Brief, Course, MOST_ALIKE, Program, SLOTS, Slot, Thing};
use crate::sprites::atlas;

/// The brief of a program. Things beyond [`SLOTS`] are left out; copies get what room is left, earlier things first, and share
/// relation and parent (the parent's first copy). A copy stands for several members where there is not room for all.
///
/// | argument  | unit                        |
/// |-----------|-----------------------------|
/// | `aspect`  | width / height of the frame |
/// | `seconds` | length of the clip          |
pub fn brief(program: &Program, aspect: f32, seconds: f32) -> Brief {
    let mut spare = SLOTS.saturating_sub(program.things.len());
    let mut slots: Vec<Slot> = Vec::with_capacity(SLOTS);
    let mut all = Vec::with_capacity(SLOTS); // the slots of each thing
    for (index, thing) in program.things.iter().take(SLOTS).enumerate() {
        let copies = thing.count.clamp(1, 1 + spare);
        spare -= copies - 1;
        all.push(slots.len()..slots.len() + copies);
        let count = thing.count.clamp(1, MOST_ALIKE);
        let members = |rank: usize| count / copies + usize::from(rank < count % copies);
        slots.extend((0..copies).map(|rank| Slot { members: members(rank), ..slot(thing, index, rank, copies) }));
    }
    for slot in &mut slots {
        slot.course = slot.course.map(|course| Course { by: course.by.and_then(|thing| Some(all.get(thing)?.start)), ..course });
        let parents = parent_of(program, slot.thing).and_then(|parent| all.get(parent).cloned());
        slot.parent = parents.and_then(|parents| parents.clone().nth(slot.rank % parents.len().max(1)));
        if slot.parent.is_none() {
            slot.relation = Relation::None;
        }
    }
    Brief { slots, backdrop: program.backdrop, weather: program.weather, hour: program.hour, aspect, seconds }
}

/// A thing's parent among the things; `None` as well where parents go round in a circle.
fn parent_of(program: &Program, thing: usize) -> Option<usize> {
    let parent = |thing: &usize| program.things.get(*thing).and_then(|thing| thing.parent);
    let ancestors = std::iter::successors(parent(&thing), parent).take(program.things.len());
    if ancestors.into_iter().any(|ancestor| ancestor == thing) { None } else { parent(&thing) }
}

fn slot(thing: &Thing, index: usize, rank: usize, copies: usize) -> Slot {
    let sprite = atlas().get(thing.sprite);
    Slot {
        sprite: thing.sprite,
        thing: index,
        kind: sprite.kind,
        motion: thing.motion,
        relation: thing.relation,
        parent: None,
        size: thing.size,
        metres: sprite.metres,
        aspect: ink_aspect(sprite),
        facing: sprite.facing,
        rank,
        copies,
        members: 1,
        act: thing.act,
        course: thing.course,
    }
}

/// Width / height of a drawing's ink.
pub(super) fn ink_aspect(sprite: &crate::sprites::Sprite) -> f32 {
    let ink = sprite.ink;
    (ink.right - ink.left) / (ink.bottom - ink.top).max(1e-3)
}
