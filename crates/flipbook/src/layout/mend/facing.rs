//! Who faces whom: neighbours who stay where they are, and above all who does something to another.

use crate::codes::{Act, Kind, Relation};
use crate::layout::extent;
use crate::scene::{Brief, ObjectToken, Slot};

/// Between two who touch each other, from centre to centre, as a share of both widths.
const REACH: f32 = 0.53;

/// What is done to another within arm's length, without being in each other's arms.
const AT: [Act; 8] = [Act::Feed, Act::Give, Act::Groom, Act::Milk, Act::Repair, Act::Chop, Act::Wash, Act::Build];

/// Turns neighbours to each other; those who fight, hug or handle a thing step within arm's length and stay there.
pub(in crate::layout) fn face(brief: &Brief, objects: &mut [ObjectToken]) {
    for index in (0..brief.slots.len()).rev() {
        let Some(parent) = neighbour(brief, index).filter(|parent| *parent < objects.len()) else { continue };
        let (slot, other) = (&brief.slots[index], &brief.slots[parent]);
        let side = if objects[index].x < objects[parent].x { 1.0 } else { -1.0 };
        let at = handles(slot, other);
        if at || touches(slot, other) {
            let widths = [extent(slot, objects[index].size, brief.aspect)[0], extent(other, objects[parent].size, brief.aspect)[0]];
            let reach = REACH * (widths[0] + widths[1]);
            let near = |third: usize| !at || (objects[third].x - objects[parent].x) * side > (objects[index].x - objects[parent].x) * side;
            let mut others = (0..brief.slots.len().min(objects.len())).filter(|third| *third != index);
            let alone = !others.any(|third| brief.slots[third].parent == Some(parent) && near(third));
            if alone && (objects[parent].x - objects[index].x).abs() > reach {
                objects[index].x = objects[parent].x - side * reach;
            }
            (objects[index].dx, objects[parent].dx) = (0.0, 0.0);
        }
        for (one, towards) in [(index, side), (parent, -side)] {
            if turns(brief, one) {
                (objects[one].dir, objects[one].dx) = (towards, objects[one].dx.abs().min(0.02) * towards);
            }
        }
    }
}

/// Whom it stands beside without being carried.
pub(in crate::layout) fn neighbour(brief: &Brief, index: usize) -> Option<usize> {
    let slot = brief.slots.get(index)?;
    slot.parent.filter(|_| slot.relation == Relation::Beside)
}

/// They come to blows or into each other's arms.
pub(in crate::layout) fn touches(slot: &Slot, other: &Slot) -> bool {
    [slot, other].iter().any(|one| matches!(one.act, Some(Act::Fight | Act::Hug)))
}

/// One of them works at the other, feeds it or gives to it.
fn handles(slot: &Slot, other: &Slot) -> bool {
    [slot, other].iter().any(|one| one.act.is_some_and(|act| AT.contains(&act)))
}

/// It can turn to its neighbour: it lives and has nowhere to go.
pub(in crate::layout) fn turns(brief: &Brief, index: usize) -> bool {
    let Some(slot) = brief.slots.get(index) else { return false };
    let alive = matches!(slot.kind, Kind::Animal | Kind::Person | Kind::Flyer | Kind::Swimmer);
    alive && (!slot.motion.travels() || matches!(slot.act, Some(Act::Fight | Act::Hug)))
}
