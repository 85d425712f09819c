//! Slots that stand for several things: a scene has few slots, and a prompt may ask for a dozen sheep. Such a slot is placed as one
//! wide thing; when it is drawn, each of its members is a thing of its own, with a beat of its own.

use super::places::{Zone, zone};
use crate::scene::{Brief, Layout, Slot};

/// From one to the next along a row, in widths of a member.
const ALONG: f32 = 0.85;
/// From one row to the next, in heights of a member.
const UP: f32 = 0.55;
/// How much higher every other one of a single row is.
const STAGGER: f32 = 0.12;

/// Where the members of a slot are, in widths and heights of one: from the group's middle, and up from its foot.
pub(super) fn members(slot: &Slot, frame: f32) -> Vec<[f32; 2]> {
    let count = slot.members.max(1);
    let columns = columns(slot, frame);
    let rows = count.div_ceil(columns);
    let place = |member: usize| {
        let (row, column) = (member / columns, member % columns);
        let in_row = columns.min(count - row * columns) as f32;
        let shift = if rows > 1 && row % 2 == 1 {
            0.25
        } else if rows > 1 {
            -0.25
        } else {
            0.0
        };
        let up = if rows > 1 || slot.relation.attached() { row as f32 * UP } else { (column % 2) as f32 * STAGGER };
        [ALONG * (column as f32 - (in_row - 1.0) / 2.0) + ALONG * shift, up]
    };
    (0..count).map(place).collect()
}

fn columns(slot: &Slot, frame: f32) -> usize {
    let count = slot.members.max(1);
    if slot.relation.attached() || count < 3 {
        return count;
    }
    ((1.6 * count as f32 * frame.clamp(0.5, 1.8)).sqrt().ceil() as usize).clamp(1, count)
}

/// Width and height of a slot's group, in those of a member.
pub(super) fn footprint(slot: &Slot, frame: f32) -> [f32; 2] {
    let places = members(slot, frame);
    let reach = places.iter().fold(0.0f32, |reach, [along, _]| reach.max(along.abs()));
    let up = places.iter().fold(0.0f32, |most, [_, up]| most.max(*up));
    [1.0 + 2.0 * reach, 1.0 + up]
}

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
    }
    (Brief { slots, ..brief.clone() }, Layout { frame: layout.frame, objects })
}

/// Width and height of one member, as `extent` has them of all.
pub(super) fn one(slot: &Slot, size: f32, aspect: f32) -> [f32; 2] {
    let [width, height] = if slot.aspect >= 1.0 { [size, size / slot.aspect] } else { [size * slot.aspect, size] };
    if aspect >= 1.0 { [width / aspect, height] } else { [width, height * aspect] }
}
