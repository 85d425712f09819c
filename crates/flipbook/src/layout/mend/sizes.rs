//! How large things are beside each other: by their natural height, compressed so that a mouse is seen beside an elephant, and by
//! the word they were asked for with.

use super::between;
use crate::codes::{Kind, Relation};
use crate::layout::neighbours::UPRIGHT;
use crate::layout::surfaces::{carried_with, is_umbrella, lies_open};
use crate::layout::{Cover, cover, extent, hangs_over, parents_first, rim};
use crate::scene::{Brief, ObjectToken, Slot};
use crate::sprites::atlas;

/// Heights are drawn as natural heights to this power: a hundred times as high is six times as high.
const POWER: f32 = 0.38;
/// Of things shorter than a metre that do not live: what a hand holds is small beside who holds it.
const SMALL: f32 = 0.7;
/// Of a step from tiny to huge.
const WORD: f32 = 1.5;
/// How much smaller the far end is.
const FAR: f32 = 0.35;
/// The main thing's longer side at least, in frame-short-sides, and that of all others.
pub(in crate::layout) const READABLE: f32 = 0.13;
/// The main thing's in a scene of up to three, where there is room.
const MAIN: f32 = 0.26;
/// Of who has something in their hands, at most; and how many times as large as that they are at most.
const HOLDER: f32 = 0.62;
const HELD: f32 = 3.2;
/// Of a light in the sky that is not the main thing, as a share of the main one's size.
const LIGHT: f32 = 0.75;

/// Natural heights that the atlas has far off.
const METRES: &[(&str, f32)] = &[
    ("bed", 1.0),
    ("bridge", 16.0),
    ("chair", 1.0),
    ("couch-and-lamp", 1.5),
    ("seat", 1.1),
    ("toilet", 0.8),
    ("bathtub", 1.0),
    ("package", 0.6),
    ("basket", 0.5),
    ("sled", 0.5),
    ("bone", 0.2),
    ("red-apple", 0.08),
    ("green-apple", 0.08),
    ("chestnut", 0.04),
    ("carrot", 0.2),
    ("cheese-wedge", 0.1),
    ("umbrella", 1.0),
    ("umbrella-with-rain-drops", 1.0),
    ("house", 6.0),
    ("garden-house", 7.0),
    ("house-with-garden", 6.0),
    ("derelict-house", 6.0),
    ("deciduous-tree", 6.0),
    ("palm-tree", 6.0),
    ("evergreen-tree", 6.0),
    ("christmas-tree", 2.5),
    ("dog-figure", 0.6),
    ("giraffe-figure", 5.0),
];

/// Natural height in metres.
pub fn natural_height(slot: &Slot) -> f32 {
    let name = &atlas().get(slot.sprite).name;
    METRES.iter().find(|(listed, _)| listed == name).map_or(slot.metres, |(_, metres)| *metres)
}

/// How high it is to look, beside others at the same depth: any unit.
pub(in crate::layout) fn stature(slot: &Slot) -> f32 {
    let metres = natural_height(slot).max(0.01);
    let power = if slot.kind == Kind::Prop && metres < 1.0 { SMALL } else { POWER };
    metres.powf(power) * WORD.powi(i32::from(slot.size.clamp(-2, 2)))
}

/// What stature a size gives at a depth, in frame-short-sides. Of what is wider than high, some of the width counts.
pub(in crate::layout) fn drawn_stature(slot: &Slot, object: &ObjectToken) -> f32 {
    object.size / slot.aspect.max(1.0).sqrt() / perspective(object)
}

fn perspective(object: &ObjectToken) -> f32 {
    1.0 - FAR * object.depth.clamp(0.0, 1.0)
}

/// It has a natural size that others are compared with: signs and lights in the sky have none, nor what a carrier bears.
pub(in crate::layout) fn is_compared(brief: &Brief, index: usize) -> bool {
    let Some(slot) = brief.slots.get(index) else { return false };
    let related = slot.parent.is_some() && (slot.relation.attached() || matches!(slot.relation, Relation::Under | Relation::Above));
    !hangs_over(brief, index) && !related && !matches!(slot.kind, Kind::Sky | Kind::Symbol)
}

/// Gives all free things sizes in the order of nature, as large in all as they were; then what is carried.
pub(in crate::layout) fn scale(brief: &Brief, objects: &mut [ObjectToken]) {
    for (slot, index) in brief.slots.iter().zip(0..) {
        if let Some(depth) = slot.parent.filter(|_| slot.relation == Relation::Beside).and_then(|parent| Some(objects.get(parent)?.depth)) {
            objects[index].depth = depth;
        }
    }
    let free: Vec<usize> = (0..brief.slots.len()).filter(|index| is_compared(brief, *index)).collect();
    scale_free(brief, objects, &free);
    dim_lights(brief, objects);
    for index in parents_first(brief) {
        scale_carried(brief, objects, index);
    }
}

/// The sun and the moon are not larger than what is done below them.
fn dim_lights(brief: &Brief, objects: &mut [ObjectToken]) {
    let Some((main, size)) = brief.slots.first().zip(objects.first().map(|object| object.size)) else { return };
    if main.kind == Kind::Sky {
        return;
    }
    let bears = |index: usize| brief.slots.iter().any(|slot| slot.parent == Some(index) && slot.relation.attached());
    for (index, (slot, object)) in brief.slots.iter().zip(objects).enumerate() {
        if slot.kind != Kind::Sky || bears(index) {
            continue;
        }
        object.size = object.size.min((LIGHT * size * WORD.powi(i32::from(slot.size.clamp(-2, 2)))).max(READABLE));
    }
}

fn scale_free(brief: &Brief, objects: &mut [ObjectToken], free: &[usize]) {
    if free.is_empty() {
        return;
    }
    let slots = &brief.slots;
    let ratio = |index: usize| (drawn_stature(&slots[index], &objects[index]) / stature(&slots[index])).max(1e-3).ln();
    let mean = (free.iter().map(|index| ratio(*index)).sum::<f32>() / free.len() as f32).exp();
    // The largest, were it of its usual size.
    let plain = |index: &usize| stature(&slots[*index]) / WORD.powi(i32::from(slots[*index].size.clamp(-2, 2)));
    let largest = free.iter().map(plain).fold(1e-3, f32::max);
    let drawn: usize = slots.iter().map(|slot| slot.members).sum();
    let [least, most] = match drawn {
        1 => [0.40, 0.60],
        2..=3 => [0.42, 0.64],
        4..=6 => [0.30, 0.56],
        _ => [0.20, 0.44],
    };
    let unit = mean.clamp(least / largest, most / largest);
    let smallest = free.iter().map(|index| stature(&slots[*index])).fold(f32::MAX, f32::min);
    // Sizes keep their order: the least is that of the smallest or of the main thing, and larger ones grow with it.
    let main = slots.first().map(stature).filter(|_| drawn <= 3 && free.contains(&0)).unwrap_or(f32::MAX);
    let floor = |own: f32| (READABLE * (own / smallest).powf(0.3)).max(if own >= main { MAIN * (own / main).powf(0.3) } else { 0.0 });
    for index in free {
        let (slot, object) = (&slots[*index], &mut objects[*index]);
        let ideal = unit * stature(slot) * perspective(object);
        let kept = (drawn_stature(slot, object) / (unit * stature(slot))).clamp(0.95, 1.05);
        let least = floor(stature(slot));
        object.size = (ideal * kept * slot.aspect.max(1.0).sqrt()).max(least * slot.aspect.max(1.0).sqrt());
    }
    // All of them smaller where one does not fit into the frame.
    let fits = |index: &usize| {
        let [width, height] = extent(&slots[*index], objects[*index].size, brief.aspect);
        (0.94 / width).min(0.84 / height).min(0.85 / objects[*index].size)
    };
    let factor = free.iter().map(fits).fold(1.0, f32::min);
    for index in free {
        objects[*index].size = (objects[*index].size * factor).clamp(0.05, 0.85);
    }
}

fn lives(slot: &Slot) -> bool {
    matches!(slot.kind, Kind::Animal | Kind::Person | Kind::Flyer | Kind::Swimmer)
}

/// What is carried: as large beside its carrier as nature has it, as far as that can be drawn.
fn scale_carried(brief: &Brief, objects: &mut [ObjectToken], index: usize) {
    let slot = &brief.slots[index];
    let Some((carrier, parent)) = slot.parent.and_then(|parent| Some((brief.slots.get(parent)?, *objects.get(parent)?))) else { return };
    let seen = rim(slot, carrier).is_some();
    let [least, most] = match slot.relation {
        Relation::In | Relation::Ride if seen => [0.4, 0.85],
        Relation::On if carrier.kind == Kind::Person => [0.2, 0.36],
        Relation::On if lives(carrier) => [0.2, if lives(slot) { 0.7 } else { 0.4 }],
        Relation::In if lies_open(carrier) => [0.3, 1.1],
        Relation::On if index == 0 => [0.3, 1.1],
        Relation::On => [0.22, 1.1],
        Relation::Under if matches!(cover(carrier), Cover::Span(_)) => [0.2, 0.9],
        Relation::Ride => [0.34, 0.95],
        Relation::In => [0.28, 0.5],
        Relation::Wear => [0.26, 0.4],
        Relation::Play if carrier.metres > UPRIGHT => [0.7, 1.2],
        Relation::Play => [1.3, 2.2],
        _ => return,
    };
    let natural = stature(slot) / stature(carrier);
    let wide = |slot: &Slot| slot.aspect.max(1.0).sqrt();
    let own = parent.size / wide(carrier) * between(natural, least, most) * wide(slot);
    let [across, _] = extent(slot, 1.0, 1.0);
    // Not wider than what bears it, but where the load is the larger one by nature.
    if slot.relation == Relation::Play && carrier.metres <= UPRIGHT && !is_umbrella(carrier) {
        // Who has it is seen, whatever it is: it is as much smaller as it has to be.
        objects[index].size = own.clamp(0.06, HOLDER);
        let held = objects[index].size / wide(slot) / between(natural, least, HELD) * wide(carrier);
        objects[slot.parent.unwrap_or(index)].size = held.clamp(0.05, 0.85);
        return;
    }
    if matches!(slot.relation, Relation::Play | Relation::Under) {
        objects[index].size = own.clamp(0.06, 0.85);
        return;
    }
    let widest = extent(carrier, parent.size, 1.0)[0] * if natural > 1.0 { 1.3 } else { 0.9 }
        / across.max(1e-3)
        / if seen { (0.5 + 0.5 * carried_with(brief, slot).1 as f32).min(2.0) } else { carried_with(brief, slot).1 as f32 };
    let object = &mut objects[index];
    object.size = own.min(widest.max(0.07)).clamp(0.06, 0.85);
    object.depth = parent.depth;
}
