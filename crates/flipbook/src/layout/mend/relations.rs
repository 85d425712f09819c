//! Puts things where their relation says: on the seat, under the branches, above the roof.

use super::between;
use crate::codes::{Kind, Relation};
use crate::layout::held::put_back;
use crate::layout::neighbours::UPRIGHT;
use crate::layout::surfaces::{carried_with, held_over, is_umbrella};
use crate::layout::{Cover, Held, Zone, carried_at, cover, extent, parents_first, rim, zone};
use crate::scene::{Brief, ObjectToken};

/// Room above something, in frame heights.
const GAP: f32 = 0.03;

/// All that stand to a parent in a way that leaves no choice, round what is held; parents come first.
pub(in crate::layout) fn relate(brief: &Brief, objects: &mut [ObjectToken], held: &[Held]) {
    for index in parents_first(brief) {
        let Some(parent) = brief.slots.get(index).and_then(|slot| slot.parent).filter(|parent| *parent < objects.len()) else { continue };
        match brief.slots[index].relation {
            Relation::On | Relation::Ride | Relation::Wear | Relation::In => carry(brief, objects, index, parent),
            Relation::Play if is_umbrella(&brief.slots[parent]) => under(brief, objects, index, parent),
            Relation::Play => reach(brief, objects, index, parent),
            Relation::Under if sails(brief, index, parent) => below(brief, objects, index, parent),
            Relation::Under => under(brief, objects, index, parent),
            Relation::Above => above(brief, objects, index, parent),
            Relation::Behind => behind(brief, objects, index, parent),
            Relation::Front => front(brief, objects, index, parent),
            _ => {}
        }
        put_back(held, objects);
    }
}

/// Players are within reach of what they play: beside it, or with it before them.
fn reach(brief: &Brief, objects: &mut [ObjectToken], index: usize, parent: usize) {
    let width = |index: usize| extent(&brief.slots[index], objects[index].size, brief.aspect)[0];
    let both = width(index) + width(parent);
    let stands = brief.slots[parent].metres > UPRIGHT;
    let x = objects[parent].x;
    let side = if objects[index].x < x { -1.0 } else { 1.0 };
    let [least, most] = if stands { [0.42 * both, 0.58 * both] } else { [0.0, 0.3 * width(parent)] };
    objects[index].x = x + side * between((objects[index].x - x).abs(), least, most);
    if stands {
        objects[index].dir = -side;
    }
}

fn carry(brief: &Brief, objects: &mut [ObjectToken], index: usize, parent: usize) {
    let (slot, carrier) = (&brief.slots[index], &brief.slots[parent]);
    let mut object = objects[index];
    if !slot.motion.travels() || matches!(slot.relation, Relation::Ride | Relation::Wear) {
        (object.dir, object.dx) = (objects[parent].dir, objects[parent].dx);
    }
    if let Some([x, y]) = carried_at(brief, slot, &object, carrier, &objects[parent]) {
        // Its own place along a wide seat is kept.
        let free = if slot.relation == Relation::On && carried_with(brief, slot).1 == 1 {
            0.06 * extent(carrier, objects[parent].size, brief.aspect)[0]
        } else {
            0.0
        };
        (object.x, object.y) = (between(object.x, x - free, x + free), y);
        if rim(slot, carrier).is_some() {
            (object.dx, object.dy) = (0.0, 0.0);
        }
    }
    objects[index] = object;
}

/// Below the branches, the arch or the seat, and in front of what has them; or it is held, or hangs, over them.
fn under(brief: &Brief, objects: &mut [ObjectToken], index: usize, parent: usize) {
    let (slot, over) = (&brief.slots[index], &brief.slots[parent]);
    let height = |index: usize, objects: &[ObjectToken]| extent(&brief.slots[index], objects[index].size, brief.aspect)[1];
    match cover(over) {
        Cover::Span(free) => {
            let grown = (height(index, objects) / (free * height(parent, objects))).max(1.0);
            let room = (0.88 * objects[parent].y / height(parent, objects)).min(0.85 / objects[parent].size).max(1.0);
            objects[parent].size *= grown.min(room);
            let least = 0.06 / objects[index].size;
            objects[index].size *= (free * height(parent, objects) / height(index, objects)).min(1.0).max(least);
            let [width, _] = extent(over, objects[parent].size, brief.aspect);
            let [own, _] = extent(slot, objects[index].size, brief.aspect);
            let aside = (0.5 * (0.7 * width - own)).max(0.0).min(0.16 * width).min(0.1);
            let base = objects[parent];
            let object = &mut objects[index];
            object.x = between(object.x, base.x - aside, base.x + aside);
            (object.y, object.depth) = (base.y + 0.006, base.depth - 0.03);
            (object.dx, object.dy) = (base.dx, base.dy);
        }
        // Of several, the first has it.
        Cover::Held if slot.rank > 0 => {}
        Cover::Held => {
            let own = objects[index];
            let tall = height(index, objects);
            let aspect = over.aspect.max(1.0).sqrt();
            let own_tall = own.size / slot.aspect.max(1.0);
            let object = &mut objects[parent];
            object.size = between(object.size, 0.9 * own_tall * aspect, 1.05 * own_tall * aspect).clamp(0.08, 0.85);
            (object.x, object.y) = held_over(&own, tall);
            (object.dx, object.dy, object.depth) = (own.dx, own.dy, own.depth - 0.03);
        }
        Cover::High => {
            // The one below is on its ground; the one above makes room.
            let top = objects[index].y - height(index, objects);
            let room = (top - 2.0 * GAP).max(0.08);
            let shrunk = (room / height(parent, objects)).min(1.0);
            objects[parent].size = (objects[parent].size * shrunk).max(0.06);
            objects[parent].y = objects[parent].y.min(top - GAP).max(height(parent, objects) + 0.02);
            let (x, dx) = (objects[parent].x, objects[parent].dx);
            objects[index].x = between(objects[index].x, x - 0.08, x + 0.08);
            objects[index].dx = between(objects[index].dx, dx - 0.1, dx + 0.1);
        }
    }
}

/// Both are in the water, and what is above has a keel.
fn sails(brief: &Brief, index: usize, parent: usize) -> bool {
    let afloat = |index: usize| zone(&brief.slots[index], brief.backdrop) == Zone::Surface;
    afloat(index) && afloat(parent) && brief.slots[parent].kind == Kind::Boat
}

/// Nearer than the keel, hence lower in the picture, and no wider than the boat.
fn below(brief: &Brief, objects: &mut [ObjectToken], index: usize, parent: usize) {
    const DEPTH: f32 = 0.8;
    let [width, _] = extent(&brief.slots[parent], objects[parent].size, brief.aspect);
    let [own, _] = extent(&brief.slots[index], objects[index].size, brief.aspect);
    objects[index].size = (objects[index].size * (0.8 * width / own).min(1.0)).max(0.06);
    let [_, tall] = extent(&brief.slots[index], objects[index].size, brief.aspect);
    objects[parent].y = objects[parent].y.min(0.97 - DEPTH * tall);
    let base = objects[parent];
    let object = &mut objects[index];
    object.x = between(object.x, base.x - 0.1, base.x + 0.1);
    (object.y, object.depth) = (base.y + DEPTH * tall, base.depth - 0.03);
    (object.dx, object.dir) = (base.dx, base.dir);
}

fn above(brief: &Brief, objects: &mut [ObjectToken], index: usize, parent: usize) {
    let height = |index: usize, objects: &[ObjectToken]| extent(&brief.slots[index], objects[index].size, brief.aspect)[1];
    let base = objects[parent].y;
    // The lower one leaves some sky, the upper one fits into it.
    objects[parent].size *= ((0.66 * base) / height(parent, objects)).min(1.0);
    objects[parent].size = objects[parent].size.max(0.06);
    let top = base - height(parent, objects);
    objects[index].size *= ((top - GAP - 0.02) / height(index, objects)).clamp(0.1, 1.0);
    objects[index].size = objects[index].size.max(0.06);
    let least = height(index, objects) + 0.02;
    let (x, object) = (objects[parent].x, &mut objects[index]);
    object.y = between(object.y, least, (top - GAP).max(least));
    object.x = between(object.x, x - 0.12, x + 0.12);
}

/// At least half of who is behind something is seen.
fn behind(brief: &Brief, objects: &mut [ObjectToken], index: usize, parent: usize) {
    let [width, height] = extent(&brief.slots[parent], objects[parent].size, brief.aspect);
    let [own, own_height] = extent(&brief.slots[index], objects[index].size, brief.aspect);
    let base = objects[parent];
    let object = &mut objects[index];
    object.depth = object.depth.max(base.depth + 0.08);
    let (low, high) = (base.y - 0.06, base.y - 0.015);
    object.y = between(object.y, low, high);
    if own_height < 1.5 * height {
        let least = 0.5 * width;
        let side = if object.x < base.x { -1.0 } else { 1.0 };
        let away = between((object.x - base.x).abs(), least, least + 0.3 * own);
        object.x = base.x + side * away;
    }
}

fn front(brief: &Brief, objects: &mut [ObjectToken], index: usize, parent: usize) {
    let [width, _] = extent(&brief.slots[parent], objects[parent].size, brief.aspect);
    let [own, _] = extent(&brief.slots[index], objects[index].size, brief.aspect);
    let base = objects[parent];
    let object = &mut objects[index];
    object.depth = object.depth.min(base.depth - 0.05);
    object.y = between(object.y, base.y + 0.01, base.y + 0.05).min(0.98);
    // What is behind it stays in sight.
    let reach = 0.5 * (width + own);
    let least = if own > 0.6 * width { 0.35 * (width + own) } else { 0.15 * width };
    let side = if object.x < base.x { -1.0 } else { 1.0 };
    object.x = base.x + side * between((object.x - base.x).abs(), least, reach);
}
