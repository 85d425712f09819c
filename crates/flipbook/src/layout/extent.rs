//! How much of the frame a slot takes: the ink of one drawing, or all of a group whose members stand in rows.

use crate::scene::Slot;

/// From one to the next along a row, in widths of a member.
const ALONG: f32 = 0.85;
/// From one row to the next, in heights of a member.
const UP: f32 = 0.55;
/// How much higher every other one of a single row is.
const STAGGER: f32 = 0.12;

/// Width in frame widths and height in frame heights of ink whose longer side is `size` frame-short-sides, in a frame of
/// `aspect` width / height; of a group, all of it.
pub fn extent(slot: &Slot, size: f32, aspect: f32) -> [f32; 2] {
    let [width, height] = one(slot, size, aspect);
    if slot.members <= 1 {
        return [width, height];
    }
    let [across, up] = footprint(slot, aspect);
    [width * across, height * up]
}

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

/// Width and height of one member, as [`extent`] has them of all.
pub(super) fn one(slot: &Slot, size: f32, aspect: f32) -> [f32; 2] {
    let [width, height] = if slot.aspect >= 1.0 { [size, size / slot.aspect] } else { [size * slot.aspect, size] };
    if aspect >= 1.0 { [width / aspect, height] } else { [width, height * aspect] }
}
