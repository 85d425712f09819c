//! Rows of neighbours: who stands beside, behind in a chase or at something upright gets room, inside of the frame.

use super::extent::extent;
use super::judge::overlap;
use super::parents_first;
use crate::codes::Relation;
use crate::scene::{Brief, ObjectToken, Slot};

/// Players of something taller than this, in metres, stand beside it; else they hold it.
pub(super) const UPRIGHT: f32 = 0.6;

/// Sets out each row of neighbours (beside, chasing, playing something upright): two who share a neighbour stand on both sides of
/// it, everybody has room, a row wider than the frame is drawn smaller, and what they carry comes along.
pub(super) fn set_out_neighbours(brief: &Brief, objects: &mut [ObjectToken]) {
    for row in rows(brief) {
        part_sides(brief, objects, &row);
        shrink_to_fit(brief, objects, &row);
        let members = along(brief, objects, &row);
        for (member, x) in members.iter().zip(spread(brief, objects, &members)) {
            objects[member.slot].x = x;
        }
    }
}

/// A thing in a row of neighbours.
struct Member {
    slot: usize,
    /// Frame widths.
    x: f32,
    width: f32,
}

/// Slots that stand in rows of two and more.
fn rows(brief: &Brief) -> Vec<Vec<usize>> {
    let mut row_of: Vec<usize> = (0..brief.slots.len()).collect();
    for (child, slot) in brief.slots.iter().enumerate() {
        let Some(parent) = slot.parent.filter(|parent| brief.slots.get(*parent).is_some_and(|parent| gap(slot, parent).is_some())) else {
            continue;
        };
        let (from, to) = (row_of[child], row_of[parent]);
        row_of.iter_mut().filter(|row| **row == from).for_each(|row| *row = to);
    }
    (0..brief.slots.len())
        .map(|row| (0..brief.slots.len()).filter(|slot| row_of[*slot] == row).collect::<Vec<_>>())
        .filter(|row| row.len() > 1)
        .collect()
}

/// A row from left to right.
fn along(brief: &Brief, objects: &[ObjectToken], row: &[usize]) -> Vec<Member> {
    let mut members: Vec<Member> = row
        .iter()
        .map(|slot| {
            let object = &objects[*slot];
            Member { slot: *slot, x: object.x, width: extent(&brief.slots[*slot], object.size, brief.aspect)[0] }
        })
        .collect();
    members.sort_by(|a, b| a.x.total_cmp(&b.x));
    members
}

/// Of two who stand in each other's way on one side of the same neighbour, the later one goes to the other side.
fn part_sides(brief: &Brief, objects: &mut [ObjectToken], row: &[usize]) {
    for slot in row {
        let Some(parent) = brief.slots[*slot].parent.filter(|_| brief.slots[*slot].relation == Relation::Beside) else { continue };
        let Some(middle) = objects.get(parent).map(|parent| parent.x) else { continue };
        let earlier = row.iter().filter(|other| *other < slot && brief.slots[**other].parent == Some(parent));
        let crowded = |object: &ObjectToken| earlier.clone().any(|other| covers(brief, object, *slot, &objects[*other], *other));
        let across = ObjectToken { x: 2.0 * middle - objects[*slot].x, ..objects[*slot] };
        if crowded(&objects[*slot]) && !crowded(&across) {
            objects[*slot].x = across.x;
        }
    }
}

/// Whether two boxes share anything.
fn covers(brief: &Brief, object: &ObjectToken, slot: usize, other: &ObjectToken, other_slot: usize) -> bool {
    let of = |object: &ObjectToken, slot: usize| extent(&brief.slots[slot], object.size, brief.aspect);
    overlap(object, of(object, slot), other, of(other, other_slot)).iter().all(|shared| *shared > 0.0)
}

/// How far apart the centres of two of a row have to be: as neighbours who were asked for, as two who would cover each other, or
/// not at all.
fn room(brief: &Brief, objects: &[ObjectToken], a: &Member, b: &Member) -> f32 {
    let asked = |child: &Member, parent: &Member| {
        let slot = &brief.slots[child.slot];
        if slot.parent == Some(parent.slot) { gap(slot, &brief.slots[parent.slot]) } else { None }
    };
    let one_below_the_other = {
        let reach = |member: &Member| {
            let object = &objects[member.slot];
            [object.y - extent(&brief.slots[member.slot], object.size, brief.aspect)[1], object.y]
        };
        let ([top_a, foot_a], [top_b, foot_b]) = (reach(a), reach(b));
        foot_a.min(foot_b) <= top_a.max(top_b)
    };
    let share = asked(a, b).or(asked(b, a)).unwrap_or(if one_below_the_other { 0.0 } else { 0.45 });
    share * (a.width + b.width)
}

/// Distance of each member's centre from the first one's, when all stand as close as they may.
fn tightest(brief: &Brief, objects: &[ObjectToken], members: &[Member]) -> Vec<f32> {
    let mut at: Vec<f32> = Vec::with_capacity(members.len());
    for (index, member) in members.iter().enumerate() {
        let nearest = members[..index].iter().zip(&at).map(|(before, at)| at + room(brief, objects, before, member));
        at.push(nearest.fold(0.0, f32::max));
    }
    at
}

/// Draws a row smaller, by half at most, when it is wider than the frame.
fn shrink_to_fit(brief: &Brief, objects: &mut [ObjectToken], row: &[usize]) {
    let members = along(brief, objects, row);
    let at = tightest(brief, objects, &members);
    let reach = |side: f32| members.iter().zip(&at).map(move |(member, at)| side * at + 0.48 * member.width).fold(f32::MIN, f32::max);
    let needed = reach(1.0) + reach(-1.0);
    if needed <= 1.0 {
        return;
    }
    let factor = (0.995 / needed).max(0.5);
    let mut smaller = row.to_vec();
    for slot in parents_first(brief) {
        let carried = brief.slots[slot].parent.filter(|_| brief.slots[slot].relation.attached());
        if carried.is_some_and(|carrier| smaller.contains(&carrier)) && !smaller.contains(&slot) {
            smaller.push(slot);
        }
    }
    for slot in smaller {
        objects[slot].size = (objects[slot].size * factor).max(0.05);
    }
}

/// Where the members of a row go: as near to where they are as room and frame allow.
///
/// With what everybody needs taken off, positions only have to ascend: their best ascending fit averages those that do not
/// (pool adjacent violators; Ayer et al. 1955, "An empirical distribution function for sampling with incomplete information").
fn spread(brief: &Brief, objects: &[ObjectToken], members: &[Member]) -> Vec<f32> {
    let at = tightest(brief, objects, members);
    let mut pools: Vec<(f32, usize)> = Vec::with_capacity(members.len()); // mean, members
    for (member, at) in members.iter().zip(&at) {
        let mut pool = (member.x - at, 1);
        while let Some((mean, count)) = pools.pop_if(|(mean, _)| *mean > pool.0) {
            let both = pool.1 + count;
            pool = ((pool.0 * pool.1 as f32 + mean * count as f32) / both as f32, both);
        }
        pools.push(pool);
    }
    let low = members.iter().zip(&at).map(|(member, at)| 0.48 * member.width - at).fold(f32::MIN, f32::max);
    let high = members.iter().zip(&at).map(|(member, at)| 1.0 - 0.48 * member.width - at).fold(f32::MAX, f32::min);
    let bounded = |x: f32| if low < high { x.clamp(low, high) } else { (low + high) / 2.0 };
    pools.iter().flat_map(|(mean, count)| std::iter::repeat_n(bounded(*mean), *count)).zip(&at).map(|(x, at)| x + at).collect()
}

/// Room between neighbours, from centre to centre, as a share of both widths. `None` for those who need none.
pub(super) fn gap(slot: &Slot, neighbour: &Slot) -> Option<f32> {
    match slot.relation {
        Relation::Chase => Some(0.54),
        Relation::Beside => Some(0.52),
        Relation::Play if neighbour.metres > UPRIGHT => Some(0.40),
        _ => None,
    }
}
