//! Families: a thing with all that stands to it. Each is moved and drawn smaller as one, so that all are in the frame and none
//! hides another.

use super::sizes::READABLE;
use crate::codes::{Motion, Relation};
use crate::layout::extent::one;
use crate::layout::{Held, Zone, extent, hangs_over, zone};
use crate::scene::{Brief, Layout, ObjectToken};

/// Steps in which families make room for each other.
const STEPS: usize = 60;
/// Times that all are drawn smaller for want of room.
const TRIES: usize = 11;
/// Of the smaller of two boxes, what the other may cover.
const SHARED: f32 = 0.11;
/// Rows in which a crowd stands at most.
const ROWS: usize = 3;

struct Family {
    slots: Vec<usize>,
    /// The slot all others stand to.
    root: usize,
    /// Whose foot stays where it is when all are drawn smaller: the root, or who stands below a root that hangs.
    foot: usize,
    /// Left, top, right, bottom.
    hull: [f32; 4],
    /// It may hang higher or lower.
    floats: bool,
    /// One of it was put where it is: all of it stays.
    held: bool,
    /// Above which it hangs.
    horizon: Option<f32>,
}

/// Parts the families and brings them into the frame; those of what is held stay as they are.
pub(in crate::layout) fn part(brief: &Brief, layout: &mut Layout, held: &[Held]) {
    let horizon = layout.frame.horizon;
    let objects = &mut layout.objects[..];
    let mut families = families(brief, objects, horizon, held);
    for family in &mut families {
        fit(brief, objects, family);
    }
    let drawn: usize = brief.slots.iter().map(|slot| slot.members).sum();
    let least = READABLE * (6.0 / drawn as f32).clamp(0.5, 1.0);
    for round in 0..TRIES {
        for _ in 0..STEPS {
            if !make_room(brief, objects, &mut families) {
                return;
            }
        }
        if round == 0 {
            in_rows(brief, objects, &mut families, horizon);
            continue;
        }
        if round + 1 == TRIES {
            return;
        }
        let main = objects.first().map_or(1.0, |object| object.size);
        let factor = 0.88f32.max(least / main.max(1e-3)).min(1.0);
        for family in &mut families {
            shrink(brief, objects, family, factor);
        }
    }
}

fn families(brief: &Brief, objects: &[ObjectToken], horizon: f32, held: &[Held]) -> Vec<Family> {
    let parent = |slot: &usize| brief.slots.get(*slot).and_then(|slot| slot.parent);
    let root = |slot: usize| std::iter::successors(Some(slot), parent).take(brief.slots.len() + 1).last().unwrap_or(slot);
    let of = |of: usize| {
        let slots: Vec<usize> = (0..brief.slots.len()).filter(|slot| root(*slot) == of).collect();
        let stands = |slot: usize| matches!(zone(&brief.slots[slot], brief.backdrop), Zone::Ground | Zone::Surface);
        let by_itself = |slot: usize| !brief.slots[slot].relation.attached() && brief.slots[slot].relation != Relation::Above;
        let hangs = hangs_over(brief, of);
        let below = |slot: &usize| brief.slots[*slot].parent == Some(of) && stands(*slot) && (hangs || by_itself(*slot));
        let foot = slots.iter().copied().find(below).filter(|_| hangs || !stands(of)).unwrap_or(of);
        let above = (zone(&brief.slots[foot], brief.backdrop) == Zone::Air).then_some(horizon);
        let floats = !stands(foot);
        let held = held.iter().any(|held| slots.contains(&held.slot));
        Family { hull: hull(brief, objects, &slots), slots, root: of, foot, floats, held, horizon: above }
    };
    (0..brief.slots.len()).filter(|slot| root(*slot) == *slot).map(of).collect()
}

/// A crowd that is wider than the frame stands in rows, the far ones higher.
fn in_rows(brief: &Brief, objects: &mut [ObjectToken], families: &mut [Family], horizon: f32) {
    let mut standing: Vec<usize> = (0..families.len()).filter(|family| !families[*family].floats && !families[*family].held).collect();
    let wide: f32 = standing.iter().map(|family| families[*family].hull[2] - families[*family].hull[0]).sum();
    let rows = ((wide / 0.9).ceil() as usize).min(ROWS);
    if standing.len() < 4 || rows < 2 {
        return;
    }
    standing.sort_by(|a, b| objects[families[*b].foot].y.total_cmp(&objects[families[*a].foot].y));
    let crowd = standing.len();
    let high = standing.iter().map(|family| families[*family].hull[3] - families[*family].hull[1]).fold(0.0, f32::max);
    let near = standing.iter().map(|family| objects[families[*family].foot].y).fold(0.0, f32::max).max((horizon + 0.25).min(0.93));
    let up = (0.7 * high).min((near - horizon - 0.04) / (rows - 1) as f32).max(0.0);
    for (place, family) in standing.into_iter().enumerate() {
        let (row, family) = (place * rows / crowd, &mut families[family]);
        let y = near - up * row as f32 - objects[family.foot].y;
        shift(objects, family, [0.0, y]);
        for slot in &family.slots {
            objects[*slot].depth = 0.1 + 0.15 * row as f32 + 0.01 * *slot as f32;
        }
        fit(brief, objects, family);
    }
}

fn hull(brief: &Brief, objects: &[ObjectToken], slots: &[usize]) -> [f32; 4] {
    slots.iter().fold([f32::MAX, f32::MAX, f32::MIN, f32::MIN], |[left, top, right, bottom], slot| {
        let object = &objects[*slot];
        let [width, height] = extent(&brief.slots[*slot], object.size, brief.aspect);
        [left.min(object.x - width / 2.0), top.min(object.y - height), right.max(object.x + width / 2.0), bottom.max(object.y)]
    })
}

fn shift(objects: &mut [ObjectToken], family: &mut Family, [x, y]: [f32; 2]) {
    if family.held {
        return;
    }
    for slot in &family.slots {
        objects[*slot].x += x;
        objects[*slot].y += y;
    }
    let [left, top, right, bottom] = family.hull;
    family.hull = [left + x, top + y, right + x, bottom + y];
}

/// Draws a family smaller about its foot.
fn shrink(brief: &Brief, objects: &mut [ObjectToken], family: &mut Family, factor: f32) {
    if family.held {
        return;
    }
    let ObjectToken { x, y, .. } = objects[family.foot];
    for slot in &family.slots {
        let object = &mut objects[*slot];
        object.size = (object.size * factor).max(0.05);
        (object.x, object.y) = (x + (object.x - x) * factor, y + (object.y - y) * factor);
    }
    family.hull = hull(brief, objects, &family.slots);
    keep_in(brief, objects, family);
}

/// No larger than the frame, and inside of it.
fn fit(brief: &Brief, objects: &mut [ObjectToken], family: &mut Family) {
    let [left, top, right, _] = family.hull;
    // What reaches below its foot takes no room above it.
    let high = if family.floats { 0.94 } else { (objects[family.foot].y - 0.02).max(0.2) };
    let rise = objects[family.foot].y - top;
    // What has to hang above the horizon, and its load with it, has less room.
    let [_, own] = one(&brief.slots[family.foot], objects[family.foot].size, brief.aspect);
    let hung = family.horizon.filter(|_| !leaves(brief, family)).map_or(1.0, |horizon| (horizon - 0.02) / (rise - 0.4 * own).max(1e-3));
    let factor = (0.98 / (right - left)).min(high / rise.max(1e-3)).min(hung).min(1.0);
    if factor < 0.999 {
        shrink(brief, objects, family, factor);
    } else {
        keep_in(brief, objects, family);
    }
}

/// It goes up or down through the frame's edge.
fn leaves(brief: &Brief, family: &Family) -> bool {
    matches!(brief.slots[family.root].motion, Motion::Launch | Motion::Rise | Motion::Fall)
}

fn keep_in(brief: &Brief, objects: &mut [ObjectToken], family: &mut Family) {
    let inside = |low: f32, high: f32| (0.01 - low).max(0.0).min((0.99 - high).max(0.0).max(0.01 - low)) - (high - 0.99).max(0.0);
    let [left, top, right, bottom] = family.hull;
    let x = if right - left > 0.98 { 0.5 - (left + right) / 2.0 } else { inside(left, right) };
    let y = if family.floats && !leaves(brief, family) && bottom - top < 0.96 { inside(top, bottom) } else { 0.0 };
    let y = match family.horizon {
        Some(horizon) => {
            let foot = &objects[family.foot];
            let [_, height] = one(&brief.slots[family.foot], foot.size, brief.aspect);
            y.min(horizon + 0.4 * height - foot.y)
        }
        None => y,
    };
    if x != 0.0 || y != 0.0 {
        shift(objects, family, [x, y]);
    }
}

/// One step of all pairs away from each other; whether there was anything to do.
fn make_room(brief: &Brief, objects: &mut [ObjectToken], families: &mut [Family]) -> bool {
    let mut crowded = false;
    for a in 0..families.len() {
        for b in a + 1..families.len() {
            if families[a].held && families[b].held {
                continue;
            }
            let (first, second) = (families[a].hull, families[b].hull);
            let shared = |low: usize| first[low + 2].min(second[low + 2]) - first[low].max(second[low]);
            let area = |hull: [f32; 4]| (hull[2] - hull[0]) * (hull[3] - hull[1]);
            let allowed = SHARED * area(first).min(area(second));
            let (across, down) = (shared(0), shared(1));
            if across <= 0.0 || down <= 0.0 || across * down <= 1.02 * allowed {
                continue;
            }
            let (across, down) = (across - allowed / down, down - allowed / across);
            crowded = true;
            let yields = |family: &Family| family.floats && !family.held;
            let vertical = (yields(&families[a]) || yields(&families[b])) && down < across;
            let centre = |hull: [f32; 4], low: usize| (hull[low] + hull[low + 2]) / 2.0;
            let axis = usize::from(vertical);
            let side = if centre(first, axis) <= centre(second, axis) { -1.0 } else { 1.0 };
            let step = if vertical { down } else { across } * 0.55;
            let by = |amount: f32| if vertical { [0.0, amount] } else { [amount, 0.0] };
            // What stands does not rise, and what is held stays: the other one makes all of the way.
            let stays = |family: &Family| family.held || vertical && !family.floats;
            let [one, other] = match (stays(&families[a]), stays(&families[b])) {
                (true, false) => [0.0, 2.0],
                (false, true) => [2.0, 0.0],
                _ => [1.0, 1.0],
            };
            shift(objects, &mut families[a], by(side * step * one));
            shift(objects, &mut families[b], by(-side * step * other));
            keep_in(brief, objects, &mut families[a]);
            keep_in(brief, objects, &mut families[b]);
        }
    }
    crowded
}
