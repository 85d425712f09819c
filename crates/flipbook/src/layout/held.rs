//! Things that stay where somebody put them while the rest is settled around them.

use super::extent::extent;
use super::neighbours::gap;
use crate::scene::{Brief, ObjectToken};

/// Where a slot's object was put, in the units of an [`ObjectToken`]. Of what is attached to something else, that is put.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    /// Index into the brief's slots.
    pub slot: usize,
    pub x: f32,
    pub y: f32,
    /// `None`: as large as the network has it.
    pub size: Option<f32>,
}

/// Puts what is held where it was put.
pub(super) fn put_back(held: &[Held], objects: &mut [ObjectToken]) {
    for held in held {
        if let Some(object) = objects.get_mut(held.slot) {
            (object.x, object.y) = (held.x, held.y);
            object.size = held.size.unwrap_or(object.size);
        }
    }
}

/// Neighbours that are too close to what is held step aside, to where they still stand in the frame.
pub(super) fn give_way(brief: &Brief, held: &[Held], objects: &mut [ObjectToken]) {
    let is_held = |slot: usize| held.iter().any(|held| held.slot == slot);
    for Held { slot: middle, .. } in held {
        for other in (0..brief.slots.len().min(objects.len())).filter(|other| !is_held(*other)) {
            let (Some(slot), Some(object)) = (brief.slots.get(*middle), objects.get(*middle)) else { continue };
            let (neighbour, moved) = (&brief.slots[other], &objects[other]);
            let asked =
                [(neighbour, slot, *middle), (slot, neighbour, other)].into_iter().find(|(child, _, parent)| child.parent == Some(*parent));
            let Some(gap) = asked.and_then(|(child, parent, _)| gap(child, parent)) else { continue };
            let [own, width] = [extent(slot, object.size, brief.aspect)[0], extent(neighbour, moved.size, brief.aspect)[0]];
            let (room, edge) = (gap * (own + width), (width * 0.48).min(0.5));
            if (moved.x - object.x).abs() >= room {
                continue;
            }
            let side = if moved.x >= object.x { room } else { -room };
            let places = [object.x + side, object.x - side];
            let fits = places.into_iter().find(|x| (edge..=1.0 - edge).contains(x));
            objects[other].x = fits.unwrap_or(places[0]).clamp(edge, 1.0 - edge);
        }
    }
}
