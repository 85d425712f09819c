//! Mends what a sampler leaves: small errors that would show (feet in the air, riders off their mounts), and whatever numbers a
//! broken network may give. Projections only: a layout that keeps the rules hardly moves.
//!
//! `arrange` is what the network's layouts were measured with. `settle` has five steps more: numbers are made finite before
//! it; after it things far out of their zone come back, what is carried gets a size that its carrier can bear, neighbours are set
//! out in a row that fits into the frame, and what is carried follows its carrier.

use super::extent::extent;
use super::held::{Held, give_way, put_back};
use super::mend::{come_down, face, lay_courses, leap, part, relate, scale, travel};
use super::neighbours::{UPRIGHT, gap, set_out_neighbours};
use super::parents_first;
use super::places::{Medium, Zone, place_of, zone};
use super::surfaces::{SILL, hangs_over, stands_on_a_sill};
use crate::codes::{Motion, Relation};
use crate::scene::{Brief, FrameToken, Layout, ObjectToken, Slot, WIDTH};
use crate::sprites::atlas;

/// A layout that can be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Settled {
    pub layout: Layout,
    /// The middle of all that is shown, in frame widths: the camera looks there.
    pub focus: f32,
}

/// A layout that can be drawn and is settled by `share`: 0 as it is, but for numbers that are none, 1 as [`settle`] has it.
/// What a layout looks like while it is being denoised.
pub fn settle_by(brief: &Brief, layout: Layout, held: &[Held], share: f32) -> Settled {
    let noisy = finite(brief, layout.clone());
    let settled = settle_around(brief, layout, held);
    let mixed = |(from, to): ([f32; WIDTH], [f32; WIDTH])| std::array::from_fn(|i| from[i] + (to[i] - from[i]) * share);
    let rows: Vec<[f32; WIDTH]> = noisy.rows().into_iter().zip(settled.layout.rows()).map(mixed).collect();
    Settled { layout: Layout::of_rows(&rows), focus: settled.focus }
}

/// Makes any layout one that can be drawn: every number finite, and a token for each slot of the brief.
pub fn settle(brief: &Brief, layout: Layout) -> Settled {
    settle_around(brief, layout, &[])
}

/// As [`settle`], but what is `held` stands exactly where it was put, be that in the air; the rest goes round it.
pub fn settle_around(brief: &Brief, layout: Layout, held: &[Held]) -> Settled {
    let mut layout = finite(brief, layout);
    put_back(held, &mut layout.objects);
    let mut layout = stand(brief, layout, held);
    keep_in_zone(brief, &mut layout);
    fit_to_carriers(brief, &mut layout.objects);
    scale(brief, &mut layout.objects);
    keep_in_zone(brief, &mut layout);
    relate(brief, &mut layout.objects, held);
    set_out_neighbours(brief, &mut layout.objects);
    if !held.is_empty() {
        put_back(held, &mut layout.objects);
        give_way(brief, held, &mut layout.objects);
        fit_to_carriers(brief, &mut layout.objects);
    }
    face(brief, &mut layout.objects);
    for slot in parents_first(brief) {
        follow_carrier(brief, &mut layout.objects, slot);
    }
    relate(brief, &mut layout.objects, held);
    come_down(brief, &mut layout, held);
    part(brief, &mut layout, held);
    travel(brief, &mut layout.objects);
    leap(brief, &mut layout.objects);
    let [least, most] = if held.is_empty() { leeway(brief, &layout.objects) } else { [0.0; 2] };
    let focus = centre(brief, &mut layout.objects, [least.min(0.0), most.max(0.0)]);
    lay_courses(brief, &mut layout, held);
    Settled { layout, focus }
}

/// Feet on the ground, riders on mounts, hats on heads, neighbours beside each other, everybody in the frame.
///
/// Expects finite numbers and as many objects as the brief has slots.
pub fn arrange(brief: &Brief, layout: Layout) -> Settled {
    let mut layout = stand(brief, layout, &[]);
    let focus = centre(brief, &mut layout.objects, [f32::MIN, f32::MAX]);
    Settled { layout, focus }
}

/// Each thing in its place, whatever the whole looks like.
fn stand(brief: &Brief, mut layout: Layout, held: &[Held]) -> Layout {
    layout.frame = arrange_frame(brief, layout.frame);
    for index in parents_first(brief) {
        let (Some(slot), Some(mut object)) = (brief.slots.get(index), layout.objects.get(index).copied()) else { continue };
        bound(slot, &mut object);
        let parent = slot.parent.and_then(|parent| Some((parent, brief.slots.get(parent)?, *layout.objects.get(parent)?)));
        if let Some((parent_index, parent_slot, mut parent)) = parent {
            attach(brief, slot, &mut object, parent_slot, &parent);
            make_room(brief, slot, &mut object, parent_slot, &mut parent);
            layout.objects[parent_index] = parent;
            if slot.relation == Relation::Play {
                if parent_slot.metres > UPRIGHT {
                    object.y = between(object.y, parent.y, parent.y + 0.04);
                }
                object.dir = if parent.x > object.x { 1.0 } else { -1.0 };
            }
        }
        keep_in_frame(brief, slot, &mut object, layout.frame.horizon);
        layout.objects[index] = object;
        put_back(held, &mut layout.objects);
    }
    layout
}

fn arrange_frame(brief: &Brief, frame: FrameToken) -> FrameToken {
    let place = place_of(brief.backdrop);
    let [high, low] = place.horizon;
    let stands =
        |slot: &Slot| slot.parent.is_none() && !slot.motion.travels() && matches!(zone(slot, brief.backdrop), Zone::Ground | Zone::Surface);
    let camera_stays = place.medium == Medium::Floor || brief.slots.iter().any(stands);
    let pan = if camera_stays { frame.pan.clamp(-0.10, 0.10) } else { frame.pan };
    FrameToken {
        horizon: frame.horizon.clamp(high - 0.02, low + 0.02),
        clouds: frame.clouds.clamp(0.1, 1.0),
        relief: frame.relief.clamp(0.1, 1.0),
        density: frame.density.clamp(0.1, 1.0),
        pan: pan.clamp(-2.2, 2.2),
        zoom: frame.zoom.clamp(0.0, 0.15),
        ..frame
    }
}

/// What holds for an object whatever stands around it.
fn bound(slot: &Slot, object: &mut ObjectToken) {
    object.size = object.size.clamp(0.05, 0.85);
    object.dir = if object.dir >= 0.0 { 1.0 } else { -1.0 };
    if slot.motion.travels() && object.dx.abs() > 0.02 && slot.relation != Relation::In {
        object.dir = object.dx.signum();
    }
    if object.tilt.abs() < 0.015 {
        object.tilt = 0.0;
    }
}

/// Puts what is carried on, in or at its carrier, and turns pursuers the pursued one's way.
fn attach(brief: &Brief, slot: &Slot, object: &mut ObjectToken, carrier: &Slot, parent: &ObjectToken) {
    let [width, height] = extent(carrier, parent.size, brief.aspect);
    let [_, own_height] = extent(slot, object.size, brief.aspect);
    let relation = slot.relation;
    if relation.attached() && relation != Relation::Play {
        object.x = between(object.x, parent.x - 0.2 * width, parent.x + 0.2 * width);
        if !slot.motion.travels() || relation == Relation::Ride {
            object.dir = parent.dir;
        }
    }
    let above = |share: f32| parent.y - height * share;
    match relation {
        Relation::Ride => {
            if carrier.facing != 0 {
                let back = |share: f32| parent.x - parent.dir * share * width;
                object.x = between(object.x, back(0.09), back(0.16));
            }
            object.y = between(object.y, above(0.46), above(0.54));
        }
        Relation::On => object.y = between(object.y, above(0.88), above(0.97)),
        Relation::Wear => {
            object.y = between(object.y, above(0.9), above(0.97));
            let drawn_the_other_way = carrier.facing != 0 && f32::from(carrier.facing) * parent.dir < 0.0;
            let head = (atlas().get(carrier.sprite).head - 0.5) * width;
            object.x = parent.x + if drawn_the_other_way { -head } else { head };
        }
        Relation::In => object.y = between(object.y, above(0.5) + own_height * 0.5, above(0.5) + own_height * 0.72),
        Relation::Chase => (object.dir, object.dx) = (parent.dir, parent.dx),
        _ => {}
    }
}

/// Neighbours who stand too close both give way; then both step back into the frame.
fn make_room(brief: &Brief, slot: &Slot, object: &mut ObjectToken, neighbour: &Slot, parent: &mut ObjectToken) {
    let Some(gap) = gap(slot, neighbour) else { return };
    let [width, _] = extent(slot, object.size, brief.aspect);
    let [parent_width, _] = extent(neighbour, parent.size, brief.aspect);
    let side = match slot.relation {
        Relation::Chase => -parent.dir,
        _ if object.x > parent.x => 1.0,
        _ => -1.0,
    };
    let missing = gap * (parent_width + width) - side * (object.x - parent.x);
    if missing > 0.0 {
        object.x += side * missing * 0.6;
        parent.x -= side * missing * 0.4;
    }
    let over = (width * 0.5 - object.x).max(object.x + width * 0.5 - 1.0).max(0.0);
    let room = if side < 0.0 { 1.0 - parent.x - parent_width * 0.46 } else { parent.x - parent_width * 0.46 };
    let back = over.min(room.max(0.0));
    object.x -= side * back;
    parent.x -= side * back;
}

/// Feet on the ground, the way across the frame within it, leaps below its upper edge.
fn keep_in_frame(brief: &Brief, slot: &Slot, object: &mut ObjectToken, horizon: f32) {
    let zone = zone(slot, brief.backdrop);
    let [width, height] = extent(slot, object.size, brief.aspect);
    let alone = slot.parent.is_none();
    if alone && zone == Zone::Ground && slot.motion != Motion::Launch {
        object.y = object.y.max(horizon + 0.02).min(0.97);
    }
    if zone == Zone::Ground && !matches!(slot.relation, Relation::Ride | Relation::On | Relation::In | Relation::Wear) {
        object.y = object.y.min(0.97);
    }
    if alone && slot.motion.travels() {
        object.dx = object.dx.abs().min((1.0 - 0.8 * width).max(0.06)).copysign(object.dx);
        let end = width * 0.4 + object.dx.abs() / 2.0;
        object.x = object.x.max(end.min(0.5)).min((1.0 - end).max(0.5));
    }
    if alone || !slot.relation.attached() {
        object.x = object.x.max((width * 0.48).min(0.5)).min((1.0 - width * 0.48).max(0.5));
    }
    if alone && !matches!(slot.motion, Motion::Launch | Motion::Rise | Motion::Fall) && height < 0.9 {
        let floats = matches!(slot.motion, Motion::Fly | Motion::Hover | Motion::Swim);
        let swing = if floats { object.amp + object.dy.abs() * 0.4 } else { 0.0 };
        object.y = object.y.max(height + 0.03 + swing);
    }
    if matches!(slot.motion, Motion::Bounce | Motion::Jump) {
        object.amp = object.amp.min((object.y - height - 0.03).max(0.05));
    }
    object.rate = object.rate.clamp(0.0, 10.0);
    object.amp = object.amp.max(0.0);
}

/// Moves the group as a whole near the middle, within what its width leaves and no further than from `least` to `most`, and
/// gives the group's middle. All in frame widths.
fn centre(brief: &Brief, objects: &mut [ObjectToken], [least, most]: [f32; 2]) -> f32 {
    let ends = brief.slots.iter().zip(&*objects).map(|(slot, object)| {
        let [width, _] = extent(slot, object.size, brief.aspect);
        [object.x - width / 2.0, object.x + width / 2.0]
    });
    let Some([left, right]) = ends.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]) else { return 0.5 };
    let (middle, slack) = ((left + right) / 2.0, (1.0 - (right - left)).max(0.0) * 0.28);
    let shift = between(between(middle, 0.5 - slack, 0.5 + slack) - middle, least, most);
    for object in objects {
        object.x += shift;
    }
    middle + shift
}

/// The value moved between two bounds, whichever is the lower one.
fn between(value: f32, a: f32, b: f32) -> f32 {
    value.max(a.min(b)).min(a.max(b))
}

// The steps that `settle` has more than `arrange`.

/// A layout with one object for each slot and numbers that are finite and within reason: a number that is none becomes what
/// such a scene would have in the middle of its range.
fn finite(brief: &Brief, layout: Layout) -> Layout {
    let [high, low] = place_of(brief.backdrop).horizon;
    let number = |value: f32, instead: f32, low: f32, high: f32| if value.is_finite() { value.clamp(low, high) } else { instead };
    let FrameToken { horizon, sun_x, sun_y, warmth, saturation, hue, pan, zoom, clouds, wind, relief, density } = layout.frame;
    let frame = FrameToken {
        horizon: number(horizon, (high + low) / 2.0, 0.0, 2.0),
        sun_x: number(sun_x, 0.3, -1.0, 2.0),
        sun_y: number(sun_y, 0.2, -1.0, 2.0),
        warmth: number(warmth, 0.0, -2.0, 2.0),
        saturation: number(saturation, 0.0, -2.0, 2.0),
        hue: number(hue, 0.0, -2.0, 2.0),
        pan: number(pan, 0.0, -4.0, 4.0),
        zoom: number(zoom, 0.05, -1.0, 1.0),
        clouds: number(clouds, 0.5, -4.0, 4.0),
        wind: number(wind, 0.0, -2.0, 2.0),
        relief: number(relief, 0.6, -4.0, 4.0),
        density: number(density, 0.6, -4.0, 4.0),
    };
    let object = |slot: usize| {
        let nothing = ObjectToken { size: f32::NAN, x: f32::NAN, y: f32::NAN, ..ObjectToken::default() };
        let ObjectToken { x, y, size, tilt, depth, dir, dx, dy, amp, rate, phase, entry } =
            layout.objects.get(slot).copied().unwrap_or(nothing);
        ObjectToken {
            x: number(x, 0.5, -4.0, 5.0),
            y: number(y, 0.8, -4.0, 5.0),
            size: number(size, 0.3, 0.01, 4.0),
            tilt: number(tilt, 0.0, -1.0, 1.0),
            depth: number(depth, 0.25, -1.0, 2.0),
            dir: number(dir, 1.0, -4.0, 4.0),
            dx: number(dx, 0.0, -1.5, 1.5),
            dy: number(dy, 0.0, -1.5, 1.5),
            amp: number(amp, 0.02, -2.0, 2.0),
            rate: number(rate, 1.0, -20.0, 20.0),
            phase: number(phase, 0.0, -20.0, 20.0),
            entry: number(entry, 0.0, -1.0, 1.0),
        }
    };
    Layout { frame, objects: (0..brief.slots.len()).map(object).collect() }
}

/// Brings back what hangs outside of its zone: swimmers and boats into the water, flyers above the ground, floaters into the
/// frame. What something else is under hangs where that one is.
fn keep_in_zone(brief: &Brief, layout: &mut Layout) {
    let horizon = layout.frame.horizon;
    for (index, (slot, object)) in brief.slots.iter().zip(&mut layout.objects).enumerate() {
        let covers = brief.slots.iter().any(|other| other.relation == Relation::Under && other.parent == Some(index));
        if slot.parent.is_some() || covers || hangs_over(brief, index) {
            continue;
        }
        let [_, height] = extent(slot, object.size, brief.aspect);
        object.y = match zone(slot, brief.backdrop) {
            Zone::Surface => between(object.y, horizon + 0.02, 1.0),
            Zone::Air => between(object.y, height * 0.5, horizon + height * 0.4),
            Zone::Free if stands_on_a_sill(slot, brief.backdrop) => SILL,
            Zone::Free | Zone::Centre => between(object.y, height * 0.5, 1.0),
            Zone::Ground if slot.motion == Motion::Launch => object.y,
            Zone::Ground => object.y.min((height + 0.03).max(0.97)), // a tall one's feet go as low as its head needs
        };
    }
}

/// Sizes of what is carried in reason of its carrier's, and players within reach of what they play.
fn fit_to_carriers(brief: &Brief, objects: &mut [ObjectToken]) {
    for index in parents_first(brief) {
        let slot = &brief.slots[index];
        let parent = slot.parent.and_then(|parent| Some((brief.slots.get(parent)?, *objects.get(parent)?)));
        let Some(((carrier, parent), [least, most])) = parent.and_then(|parent| Some((parent, bearable(slot, parent.0)?))) else {
            continue;
        };
        let object = &mut objects[index];
        object.size = between(object.size, least * parent.size, most * parent.size).clamp(0.05, 0.85);
        if slot.relation == Relation::Play && carrier.metres > UPRIGHT {
            let width = |slot: &Slot, object: &ObjectToken| extent(slot, object.size, brief.aspect)[0];
            let reach = 0.58 * (width(carrier, &parent) + width(slot, object));
            object.x = between(object.x, parent.x - reach, parent.x + reach);
        }
    }
}

/// From and to what share of its carrier's size something may have: a little more than what rules write. `None` where nothing is
/// carried.
fn bearable(slot: &Slot, carrier: &Slot) -> Option<[f32; 2]> {
    Some(match slot.relation {
        Relation::On => [0.0, 0.75],
        Relation::Ride => [0.44, 0.9],
        Relation::In | Relation::Wear => [0.26, 0.58],
        Relation::Play if carrier.metres > UPRIGHT => [0.6, 1.25],
        Relation::Play => [1.2, 2.4],
        _ => return None,
    })
}

/// How far all objects can go left and right until one of those that nobody carries meets the edge, in frame widths.
fn leeway(brief: &Brief, objects: &[ObjectToken]) -> [f32; 2] {
    let free = brief.slots.iter().zip(objects).filter(|(slot, _)| !slot.relation.attached());
    free.fold([f32::MIN, f32::MAX], |[least, most], (slot, object)| {
        let edge = (extent(slot, object.size, brief.aspect)[0] * 0.48).min(0.5);
        [least.max(edge - object.x), most.min(1.0 - edge - object.x)]
    })
}

/// Puts what is carried back onto its carrier, which has moved since; several on one carrier stand side by side.
fn follow_carrier(brief: &Brief, objects: &mut [ObjectToken], index: usize) {
    let (Some(slot), Some(mut object)) = (brief.slots.get(index), objects.get(index).copied()) else { return };
    if !slot.relation.attached() {
        return;
    }
    let Some((carrier, parent)) = slot.parent.and_then(|parent| Some((brief.slots.get(parent)?, *objects.get(parent)?))) else { return };
    if slot.relation == Relation::Play {
        // Beside it the row has seen to it; what is held stays before the chest.
        if carrier.metres <= UPRIGHT {
            let [width, _] = extent(carrier, parent.size, brief.aspect);
            object.x = between(object.x, parent.x - 0.6 * width, parent.x + 0.6 * width);
        }
    } else {
        attach(brief, slot, &mut object, carrier, &parent);
        if slot.copies > 1 && slot.relation != Relation::Wear {
            let [width, _] = extent(carrier, parent.size, brief.aspect);
            let share = (slot.rank as f32 + 0.5) / slot.copies as f32 - 0.5;
            object.x = parent.x + share * 0.55 * width;
        }
    }
    objects[index] = object;
}
