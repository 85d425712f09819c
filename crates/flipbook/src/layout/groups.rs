//! Slots that stand for several things: a scene has few slots, and a prompt may ask for a dozen sheep. Such a slot is placed as one
//! wide thing; when it is drawn, each of its members is a thing of its own, with a beat of its own.

use super::extent::{members, one};
use super::places::{Zone, zone};
use super::surfaces::{Cover, carried_at, cover, hangs_over, held_over};
use crate::scene::{Brief, Course, Layout, ObjectToken, Slot};

/// The scene as it is drawn: a slot and an object for each member. Who stands to a group stands to its first.
pub fn unfold(brief: &Brief, layout: &Layout) -> (Brief, Layout) {
    if brief.slots.iter().all(|slot| slot.members <= 1) {
        return (brief.clone(), layout.clone());
    }
    let mut first = Vec::with_capacity(brief.slots.len());
    let (mut slots, mut objects) = (Vec::new(), Vec::new());
    for (slot, object) in brief.slots.iter().zip(&layout.objects) {
        first.push(slots.len());
        let shown = |other: &&Slot| other.thing == slot.thing;
        let copies = brief.slots.iter().filter(shown).map(|other| other.members.max(1)).sum();
        let before: usize = brief.slots.iter().filter(shown).filter(|other| other.rank < slot.rank).map(|other| other.members.max(1)).sum();
        let [width, height] = one(slot, object.size, brief.aspect);
        let places = members(slot, brief.aspect);
        let highest = places.iter().fold(0.0f32, |most, [_, up]| most.max(*up)).max(1e-3);
        // Rows on the ground or the water end where it ends.
        let stands = slot.parent.is_none() && matches!(zone(slot, brief.backdrop), Zone::Ground | Zone::Surface);
        let room = if stands { ((object.y - layout.frame.horizon - 0.02) / (highest * height)).clamp(0.0, 1.0) } else { 1.0 };
        for (member, [along, up]) in places.into_iter().enumerate() {
            let mut own = *object;
            own.x += along * width;
            own.y -= up * room * height;
            own.depth += 0.04 * up;
            own.phase += 0.382 * member as f32;
            own.rate *= 1.0 + 0.07 * ((member % 3) as f32 - 1.0);
            slots.push(Slot { members: 1, rank: before + member, copies, ..slot.clone() });
            objects.push(own);
        }
    }
    for slot in &mut slots {
        slot.parent = slot.parent.and_then(|parent| first.get(parent).copied());
        slot.course = slot.course.map(|course| Course { by: course.by.and_then(|by| first.get(by).copied()), ..course });
    }
    let unfolded = Brief { slots, ..brief.clone() };
    for (index, slot) in brief.slots.iter().enumerate() {
        let Some(parent) = slot.parent.filter(|parent| *parent < first.len()) else { continue };
        to_the_first(&unfolded, &mut objects, [index, parent].map(|slot| first[slot]), [slot, &brief.slots[parent]]);
    }
    (unfolded, Layout { frame: layout.frame, objects })
}

/// What one group wears, carries or has over it is on its first member, not in the middle of all. Indices into the unfolded
/// brief, and the slots before they were unfolded, of a child and its parent.
fn to_the_first(brief: &Brief, objects: &mut [ObjectToken], [child, parent]: [usize; 2], [slot, carrier]: [&Slot; 2]) {
    if slot.members <= 1 && carrier.members > 1 && slot.relation.attached() {
        let at = carried_at(brief, &brief.slots[child], &objects[child], &brief.slots[parent], &objects[parent]);
        if let Some([x, y]) = at {
            (objects[child].x, objects[child].y) = (x, y);
        }
    }
    if slot.members > 1 && slot.rank == 0 && hangs_over(brief, parent) && cover(carrier) == Cover::Held {
        let below = objects[child];
        (objects[parent].x, objects[parent].y) = held_over(&below, one(&brief.slots[child], below.size, brief.aspect)[1]);
    }
}
