//! What drawings offer each other: where something stands or sits on one, how far one hides what is in it, how much room there is
//! below one. Figures tell by their joints, some drawings by the lists here, all others by the outline of their ink.

use std::sync::{LazyLock, OnceLock};

use super::extent::extent;
use crate::codes::{Backdrop, Kind, Motion, Relation};
use crate::figures::{Build, Figure, Gesture, figure};
use crate::scene::{Brief, ObjectToken, Slot};
use crate::sprites::{atlas, raster};

/// A point of a drawing as it is drawn: from the middle of its ink in widths of it, and up from its foot in heights.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spot {
    pub along: f32,
    pub up: f32,
}

/// Room below a drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cover {
    /// It stands on the ground and leaves this share of its height free: below a bench, before the trunk of a tree.
    Span(f32),
    /// It is held over who is under it: an umbrella.
    Held,
    /// It hangs above.
    High,
}

/// What people sit on: the middle and the height of the seat.
const SEATS: &[(&str, f32, f32)] = &[
    ("bench", 0.0, 0.42),
    ("chair", 0.0, 0.55),
    ("couch-and-lamp", -0.08, 0.34),
    ("seat", -0.06, 0.40),
    ("swing", 0.0, 0.29),
    ("toilet", -0.12, 0.5),
    ("bicycle", 0.12, 0.82),
    ("motorcycle", 0.12, 0.76),
    ("motor-scooter", 0.08, 0.74),
    ("sled", 0.0, 0.92),
    ("broom", 0.0, 0.5),
];

/// What is stood on below its top.
const DECKS: &[(&str, f32, f32)] = &[
    ("bed", 0.12, 0.66),
    ("crib", 0.0, 0.5),
    ("lotus", 0.0, 0.45),
    ("trampoline", 0.0, 0.76),
    ("slide", -0.32, 0.8),
    ("nest-with-eggs", 0.0, 0.62),
    ("kick-scooter", 0.05, 0.2),
    ("surfboard", 0.0, 0.6),
    ("branch", 0.16, 0.43),
    ("hammock", 0.0, 0.34),
    ("stairs", 0.0, 0.44),
    ("boxing-ring", 0.0, 0.36),
    ("balcony", 0.0, 0.09),
    ("bookcase", 0.0, 0.32),
    ("mud-puddle", 0.0, 0.45),
    ("roof", -0.12, 0.74),
    ("oven", 0.0, 0.96),
    ("skateboard", 0.0, 0.5),
];

/// How high the side is that hides the lower part of who is in it.
const RIMS: &[(&str, f32)] = &[
    ("automobile", 0.60),
    ("taxi", 0.63),
    ("police-car", 0.53),
    ("racing-car", 0.6),
    ("sport-utility-vehicle", 0.6),
    ("bus", 0.47),
    ("pickup-truck", 0.7),
    ("tractor", 0.58),
    ("fire-engine", 0.5),
    ("locomotive", 0.5),
    ("delivery-truck", 0.48),
    ("canoe", 0.6),
    ("sailboat", 0.34),
    ("speedboat", 0.6),
    ("pirate-ship", 0.38),
    ("package", 0.8),
    ("basket", 0.62),
    ("bathtub", 0.5),
    ("bucket", 0.95),
    ("teacup-without-handle", 0.68),
    ("bowl-with-spoon", 0.7),
    ("cauldron", 0.7),
    ("flower-pot", 0.42),
    ("crib", 0.6),
    ("wrapped-gift", 0.78),
    ("top-hat", 0.97),
    ("treasure-chest", 0.6),
    ("stroller", 0.5),
    ("chimney", 0.86),
    ("hot-air-balloon", 0.11),
];

/// Free height below, in heights.
const SPANS: &[(&str, f32)] = &[
    ("bench", 0.42),
    ("chair", 0.48),
    ("bed", 0.3),
    ("swing", 0.9),
    ("slide", 0.7),
    ("trampoline", 0.62),
    ("bridge", 0.44),
    ("piano", 0.45),
    ("mushroom", 0.45),
    ("street-lamp", 0.8),
    ("tent", 0.7),
    ("table", 0.62),
    ("branch", 0.3),
    ("stairs", 0.3),
    ("hammock", 0.2),
    ("tunnel", 0.55),
    ("cave", 0.55),
    ("balcony", 0.1),
];

fn spot(list: &[(&str, f32, f32)], name: &str) -> Option<Spot> {
    list.iter().find(|(listed, ..)| *listed == name).map(|(_, along, up)| Spot { along: *along, up: *up })
}

/// Where somebody sits on it as on a chair.
fn seat_of(slot: &Slot) -> Option<Spot> {
    spot(SEATS, &atlas().get(slot.sprite).name)
}

fn figure_of(slot: &Slot) -> Option<&'static Figure> {
    figure(&atlas().get(slot.sprite).name)
}

/// A point of a figure's box, as a share of its drawing's ink.
fn in_ink(slot: &Slot, [x, y]: [f32; 2]) -> Spot {
    let ink = atlas().get(slot.sprite).ink;
    Spot { along: (x - ink.left) / (ink.right - ink.left).max(1e-3) - 0.5, up: (ink.bottom - y) / (ink.bottom - ink.top).max(1e-3) }
}

/// Who sits: riders, and who has two legs and is on a seat.
pub fn sits(slot: &Slot, carrier: &Slot) -> bool {
    let upright = figure_of(slot).is_some_and(|figure| figure.build == Build::Upright);
    let rides = slot.relation == Relation::Ride && !is_stood_on(carrier);
    upright && (rides || matches!(slot.relation, Relation::On | Relation::In) && seat_of(carrier).is_some())
}

fn is_stood_on(carrier: &Slot) -> bool {
    spot(DECKS, &atlas().get(carrier.sprite).name).is_some()
}

/// How high the side of a vessel is that hides the lower part of who is in it, in heights; `None` where all is seen.
pub fn rim(slot: &Slot, carrier: &Slot) -> Option<f32> {
    let within = match slot.relation {
        Relation::In => true,
        Relation::Ride => matches!(carrier.kind, Kind::Vehicle | Kind::Boat | Kind::Aircraft),
        _ => false,
    };
    let name = &atlas().get(carrier.sprite).name;
    RIMS.iter().find(|(listed, _)| within && listed == name).map(|(_, up)| *up)
}

/// Where feet are that stand before a window.
pub const SILL: f32 = 0.97;

/// Before a window there is a sill to stand on.
pub fn stands_on_a_sill(slot: &Slot, backdrop: Backdrop) -> bool {
    let solid = matches!(slot.kind, Kind::Animal | Kind::Person | Kind::Plant | Kind::Prop);
    let hangs = matches!(slot.motion, Motion::Fly | Motion::Hover | Motion::Rise | Motion::Fall | Motion::Orbit | Motion::Swim);
    backdrop == Backdrop::Window && solid && !hangs
}

/// The room below it.
pub fn cover(slot: &Slot) -> Cover {
    let name = &atlas().get(slot.sprite).name;
    if let Some((_, free)) = SPANS.iter().find(|(listed, _)| listed == name) {
        return Cover::Span(*free);
    }
    match slot.kind {
        Kind::Plant | Kind::Building => Cover::Span(0.5),
        Kind::Animal | Kind::Person | Kind::Vehicle | Kind::Boat => Cover::Span(0.45),
        Kind::Sky | Kind::Flyer | Kind::Aircraft | Kind::Swimmer | Kind::Symbol => Cover::High,
        Kind::Prop if slot.metres < 3.0 => Cover::Held,
        Kind::Prop => Cover::Span(0.5),
    }
}

/// It is held over, or hangs above, who is under it or has it: its foot is not on the ground.
pub fn hangs_over(brief: &Brief, index: usize) -> bool {
    let Some(over) = brief.slots.get(index).filter(|over| !matches!(cover(over), Cover::Span(_))) else { return false };
    let umbrella = is_umbrella(over);
    brief
        .slots
        .iter()
        .any(|slot| slot.parent == Some(index) && (slot.relation == Relation::Under || umbrella && slot.relation == Relation::Play))
}

/// Middle and foot of what is held over somebody who is `tall` frame heights.
pub(super) fn held_over(below: &ObjectToken, tall: f32) -> (f32, f32) {
    (below.x, below.y - 0.66 * tall)
}

/// Who has one holds it over them.
pub(super) fn is_umbrella(slot: &Slot) -> bool {
    cover(slot) == Cover::Held && atlas().get(slot.sprite).name.starts_with("umbrella")
}

/// Where a carrier bears what this relation puts on it.
fn bearing(slot: &Slot, carrier: &Slot) -> Option<Spot> {
    let name = &atlas().get(carrier.sprite).name;
    let listed = spot(SEATS, name).or_else(|| spot(DECKS, name));
    let back = || figure_of(carrier).map(|figure| in_ink(carrier, figure.back(&figure.stance(Gesture::Stand, 0.0, 0.5))));
    match slot.relation {
        Relation::On => listed.or_else(|| shoulder(carrier)).or_else(back).or_else(|| Some(top(carrier))),
        Relation::In => listed,
        Relation::Ride => listed.or_else(back),
        Relation::Wear => {
            // The sun has its eyes in the middle.
            let Some(figure) = figure_of(carrier) else { return is_eyewear(slot).then_some(Spot { along: 0.0, up: 0.5 }) };
            let stance = figure.stance(Gesture::Stand, 0.0, 0.5);
            let ([x, top], [mouth_x, mouth]) = (figure.head_top(&stance), figure.mouth(&stance));
            let share = worn_at(slot);
            Some(in_ink(carrier, [x + (mouth_x - x) * share.clamp(0.0, 0.7), top + (mouth - top) * share]))
        }
        _ => None,
    }
}

fn is_eyewear(slot: &Slot) -> bool {
    matches!(atlas().get(slot.sprite).name.as_str(), "sunglasses" | "glasses" | "goggles")
}

/// Beside the face of who has two legs.
fn shoulder(carrier: &Slot) -> Option<Spot> {
    let figure = figure_of(carrier).filter(|figure| figure.build == Build::Upright)?;
    let mouth = in_ink(carrier, figure.mouth(&figure.stance(Gesture::Stand, 0.0, 0.5)));
    Some(Spot { along: 0.52, up: mouth.up - 0.08 })
}

/// It has a seat or a bed for who is in it.
pub(super) fn lies_open(carrier: &Slot) -> bool {
    seat_of(carrier).is_some() || is_stood_on(carrier)
}

/// How far below the top of the head it is worn, as a share of the way to the mouth.
fn worn_at(slot: &Slot) -> f32 {
    let name = &atlas().get(slot.sprite).name;
    if name.contains("glasses") || name.contains("goggles") {
        0.72
    } else if ["scarf", "necktie", "ribbon", "medal"].iter().any(|part| name.contains(part)) {
        1.45
    } else {
        0.08
    }
}

/// The point of its own with which something is put onto a carrier: what it sits on, or its foot.
fn contact(slot: &Slot, carrier: &Slot) -> Spot {
    if !sits(slot, carrier) {
        return Spot::default();
    }
    figure_of(slot).map_or(Spot::default(), |figure| in_ink(slot, figure.seat(&figure.stance(Gesture::Ride, 0.0, 0.6))))
}

/// Whether it is drawn in a mirror.
fn mirrored(slot: &Slot, dir: f32) -> f32 {
    if slot.facing != 0 && f32::from(slot.facing) * dir < 0.0 { -1.0 } else { 1.0 }
}

/// Middle and foot of something that its carrier bears, in frame units; `None` where the carrier's drawing does not say.
pub fn carried_at(brief: &Brief, slot: &Slot, object: &ObjectToken, carrier: &Slot, parent: &ObjectToken) -> Option<[f32; 2]> {
    let [width, height] = extent(carrier, parent.size, brief.aspect);
    let [own_width, own_height] = extent(slot, object.size, brief.aspect);
    let way = mirrored(carrier, parent.dir);
    if let Some(rim) = rim(slot, carrier) {
        /// Of who is in it: the part that is not seen.
        const HIDDEN: f32 = 0.45;
        return Some([parent.x + within(brief, slot, 0.0) * 0.8 * width, parent.y - rim * height + HIDDEN * own_height]);
    }
    let (bears, own) = (bearing(slot, carrier)?, contact(slot, carrier));
    let worn = slot.relation == Relation::Wear;
    // Hats are worn about the head; glasses and scarves by their middle.
    let sunk = if worn && worn_at(slot) > 0.2 {
        0.5
    } else if worn {
        0.14
    } else {
        0.0
    };
    let along = if carried_with(brief, slot).1 > 1 { within(brief, slot, way * bears.along) * 0.6 } else { way * bears.along };
    let x = parent.x + along * width - mirrored(slot, object.dir) * own.along * own_width;
    Some([x, parent.y - bears.up * height + own.up * own_height + sunk * own_height])
}

/// Where one of several goes along its carrier, as a share of the width from the middle; one alone goes to `middle`.
fn within(brief: &Brief, slot: &Slot, middle: f32) -> f32 {
    let (place, all) = carried_with(brief, slot);
    if all > 1 { (place as f32 + 0.5) / all as f32 - 0.5 } else { middle }
}

/// Which one it is of all that its carrier bears, and how many these are; what is worn is by itself.
pub fn carried_with(brief: &Brief, slot: &Slot) -> (usize, usize) {
    let is_borne = |other: &&Slot| matches!(other.relation, Relation::On | Relation::In | Relation::Ride);
    if !is_borne(&slot) {
        return (0, 1);
    }
    let borne = || brief.slots.iter().filter(is_borne).filter(|other| other.parent == slot.parent);
    let place = borne().position(|other| (other.thing, other.rank) == (slot.thing, slot.rank));
    (place.unwrap_or(0), borne().count().max(1))
}

/// The place on top of a drawing where something stands best: high, level and near the middle.
fn top(slot: &Slot) -> Spot {
    static TOPS: LazyLock<Vec<OnceLock<Spot>>> = LazyLock::new(|| atlas().ids().map(|_| OnceLock::new()).collect());
    let measured = || outline_top(slot).unwrap_or(Spot { along: 0.0, up: 0.92 });
    TOPS.get(usize::from(slot.sprite.0)).map_or_else(measured, |kept| *kept.get_or_init(measured))
}

fn outline_top(slot: &Slot) -> Option<Spot> {
    const SIDE: usize = 64;
    const WINDOW: usize = 7;
    let sprite = atlas().get(slot.sprite);
    let picture = raster(sprite.body(), SIDE);
    let edge = |share: f32| ((share * SIDE as f32) as usize).min(SIDE - 1);
    let (left, right) = (edge(sprite.ink.left), edge(sprite.ink.right));
    let high = (sprite.ink.bottom - sprite.ink.top) * SIDE as f32;
    let up = |x: usize| {
        let inked = (0..SIDE).find(|y| picture.pixels.get(y * SIDE + x).is_some_and(|pixel| pixel[3] > 128));
        inked.map_or(0.0, |y| (sprite.ink.bottom * SIDE as f32 - y as f32) / high)
    };
    let tops: Vec<f32> = (left..=right).map(up).collect();
    let middle = (tops.len() as f32 - 1.0) / 2.0;
    let windows = tops.windows(WINDOW.min(tops.len())).enumerate().map(|(start, tops)| {
        let mean = tops.iter().sum::<f32>() / tops.len() as f32;
        let rough = tops.iter().map(|top| (top - mean).abs()).fold(0.0, f32::max);
        let along = (start as f32 + (tops.len() as f32 - 1.0) / 2.0 - middle) / (2.0 * middle).max(1.0);
        (mean - 1.5 * rough - 0.8 * (along.abs() - 0.1).max(0.0), Spot { along, up: mean })
    });
    let best = windows.filter(|(_, spot)| spot.along.abs() < 0.3).max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(best.1)
}
