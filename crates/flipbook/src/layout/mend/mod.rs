//! What `settle` does so that a scene is true to what was asked, whoever wrote it: natural sizes, things where their relation says,
//! who acts on something facing it, families of things apart and in the frame, leaps as high as the leaper.

mod courses;
mod facing;
mod families;
mod relations;
pub(super) mod sizes;

pub(super) use courses::lay_courses;
pub use courses::{Landmark, landmark};
pub(super) use facing::{face, neighbour, touches, turns};
pub(super) use families::part;
pub(super) use relations::relate;
pub use sizes::natural_height;
pub(super) use sizes::scale;

use crate::codes::{Motion, Relation};
use crate::layout::held::put_back;
use crate::layout::surfaces::{SILL, stands_on_a_sill};
use crate::layout::{Held, Zone, extent, zone};
use crate::scene::{Brief, Layout, ObjectToken};

/// Who stands to something in the air, and is not carried, has their own feet on the ground or in the water.
pub(super) fn come_down(brief: &Brief, layout: &mut Layout, held: &[Held]) {
    let horizon = layout.frame.horizon;
    for (slot, object) in brief.slots.iter().zip(&mut layout.objects) {
        let by = matches!(slot.relation, Relation::Chase | Relation::Beside | Relation::Front | Relation::Behind | Relation::Play);
        if slot.parent.is_some() && by && stands_on_a_sill(slot, brief.backdrop) {
            object.y = SILL;
        }
        let stands = slot.parent.is_some() && matches!(zone(slot, brief.backdrop), Zone::Ground | Zone::Surface);
        if stands && matches!(slot.relation, Relation::Chase | Relation::Beside | Relation::Front | Relation::Behind) {
            let high = object.y < horizon + 0.02;
            object.y = if high { horizon + (1.0 - horizon) * (0.8 - 0.6 * object.depth.clamp(0.0, 1.0)) } else { object.y };
        }
    }
    put_back(held, &mut layout.objects);
}

/// Who crosses the frame is in it at both ends of the way; several alike go as far as the slowest.
pub(super) fn travel(brief: &Brief, objects: &mut [ObjectToken]) {
    let room = |index: usize, object: &ObjectToken| {
        let slot = &brief.slots[index];
        let [width, _] = extent(slot, object.size, brief.aspect);
        let room = 2.0 * (object.x.min(1.0 - object.x) - 0.42 * width);
        (slot.parent.is_none() && slot.motion.travels()).then(|| object.dx.abs().min(room.max(0.06)))
    };
    let mut ways: Vec<Option<f32>> = objects.iter().enumerate().map(|(index, object)| room(index, object)).collect();
    let alike =
        |index: usize| brief.slots.iter().enumerate().filter(move |(_, slot)| slot.copies > 1 && slot.thing == brief.slots[index].thing);
    let slowest: Vec<Option<f32>> =
        (0..ways.len()).map(|index| alike(index).filter_map(|(other, _)| *ways.get(other)?).reduce(f32::min)).collect();
    for (way, slowest) in ways.iter_mut().zip(slowest) {
        *way = way.map(|way| slowest.map_or(way, |slowest| way.min(slowest)));
    }
    for (object, way) in objects.iter_mut().zip(ways) {
        object.dx = way.map_or(object.dx, |way| way.copysign(object.dir));
    }
}

/// The value moved between two bounds, whichever is the lower one.
fn between(value: f32, a: f32, b: f32) -> f32 {
    value.max(a.min(b)).min(a.max(b))
}

/// Leaps of about the leaper's own height, balls' of up to twice theirs, all of them in the frame.
pub(super) fn leap(brief: &Brief, objects: &mut [ObjectToken]) {
    for (slot, object) in brief.slots.iter().zip(objects) {
        let [_, height] = extent(slot, object.size, brief.aspect);
        let [least, most] = match slot.motion {
            Motion::Jump => [0.7, 1.1],
            Motion::Bounce => [0.8, 2.0],
            _ => continue,
        };
        let room = (object.y - height - 0.03).max(0.05);
        object.amp = object.amp.clamp(least * height, most * height).min(room);
    }
}
