//! Scenes nobody asked for, to train and to measure with.

use std::sync::LazyLock;

use super::brief::ink_aspect;
use crate::codes::{Backdrop, Hour, Kind, Motion, Relation, Weather};
use crate::random::Random;
use crate::scene::{Brief, FrameToken, Layout, ObjectToken, SLOTS, Slot};
use crate::sprites::{SpriteId, atlas};

/// A brief whose kinds, motions and places mostly make sense, and sometimes do not. Without slots where the atlas is empty.
pub fn random_brief(random: &mut Random) -> Brief {
    let backdrop = random.one(Backdrop::ALL);
    let count = 1 + random.weighted(&[22.0, 38.0, 16.0, 10.0, 8.0, 6.0]);
    let mut slots: Vec<Slot> = Vec::with_capacity(SLOTS + 1);
    while slots.len() < count {
        let room = count - slots.len();
        let Some(thing) = random_slot(random, None) else { break };
        if room >= 2 && random.chance(0.30) {
            let copies = 2 + random.below(room - 1);
            slots.extend((0..copies).map(|rank| Slot { rank, copies, ..thing.clone() }));
        } else if room >= 2 && random.chance(0.85) {
            slots.extend(random_pair(random, thing, slots.len()));
        } else {
            slots.push(thing);
        }
    }
    slots.truncate(SLOTS);
    Brief {
        slots,
        backdrop,
        weather: if random.below(4 + Weather::ALL.len()) < 4 { Weather::Clear } else { random.one(Weather::ALL) },
        hour: random.one(Hour::ALL),
        aspect: random.one(&[1.0, 1.0, 16.0 / 9.0, 9.0 / 16.0, 4.0 / 3.0, 3.0 / 4.0, 21.0 / 9.0]),
        seconds: random.one(&[2.0, 4.0, 6.0, 8.0]),
    }
}

/// `thing` and a parent for it (the other way round for what is worn), to be slots `at` and `at + 1`.
fn random_pair(random: &mut Random, mut thing: Slot, at: usize) -> Vec<Slot> {
    use Relation::{Above, Behind, Beside, Chase, Front, In, On, Play, Ride, Under, Wear};
    let relation = random.one(&[On, Ride, Ride, In, Under, Above, Beside, Beside, Behind, Front, Play, Chase, Wear]);
    let kind = parents(relation).map(|kinds| random.one(kinds));
    let Some(mut parent) = random_slot(random, kind) else { return vec![thing] };
    if matches!(relation, Ride | Chase) && matches!(thing.kind, Kind::Building | Kind::Plant | Kind::Sky) {
        thing.kind = Kind::Person;
    }
    match relation {
        Play => {
            parent.metres = random.one(&[0.45, 1.7]);
            parent.motion = Motion::Still;
            parent.aspect = random.within(0.8, 1.3);
            thing.motion = Motion::Play;
        }
        Chase => thing.motion = parent.motion,
        Ride | On => thing.motion = random.one(&[Motion::Still, Motion::Idle, thing.motion]),
        In => thing.motion = random.one(&[Motion::Swim, Motion::Idle]),
        _ => {}
    }
    if relation == Wear {
        let worn = Slot { relation, parent: Some(at), motion: Motion::Still, ..parent };
        vec![thing, worn]
    } else {
        let child = Slot { relation, parent: Some(at + 1), ..thing };
        vec![child, parent]
    }
}

/// Kinds that something may stand to in this way; `None`: any.
fn parents(relation: Relation) -> Option<&'static [Kind]> {
    Some(match relation {
        Relation::On => &[Kind::Prop, Kind::Plant, Kind::Building, Kind::Animal],
        Relation::Ride => &[Kind::Animal, Kind::Vehicle, Kind::Boat, Kind::Swimmer, Kind::Flyer],
        Relation::In => &[Kind::Building, Kind::Prop, Kind::Vehicle],
        Relation::Under => &[Kind::Prop, Kind::Plant],
        Relation::Play => &[Kind::Building, Kind::Prop],
        Relation::Chase => &[Kind::Animal, Kind::Vehicle, Kind::Swimmer, Kind::Person, Kind::Flyer],
        _ => return None,
    })
}

/// One thing of a kind (any, but more often what people ask for), alone. `None` when the atlas has none.
fn random_slot(random: &mut Random, kind: Option<Kind>) -> Option<Slot> {
    const OFTEN: [f32; 12] = [14.0, 20.0, 8.0, 6.0, 10.0, 6.0, 8.0, 14.0, 5.0, 5.0, 2.0, 5.0]; // in the order of `Kind::ALL`
    let kind = kind.or_else(|| Kind::ALL.get(random.weighted(&OFTEN)).copied())?;
    let of_kind = BY_KIND.get(kind.code())?;
    let id = *of_kind.get(random.below(of_kind.len()))?;
    let sprite = atlas().get(id);
    let motion = if random.chance(0.7) { random.one(usual(kind)) } else { random_motion(random) };
    Some(Slot {
        sprite: id,
        thing: 0,
        kind,
        motion,
        relation: Relation::None,
        parent: None,
        size: [-2, -1, 0, 1, 2][random.weighted(&[4.0, 10.0, 70.0, 11.0, 5.0])],
        metres: sprite.metres * random.normal(0.0, 0.25).exp(),
        aspect: ink_aspect(sprite),
        facing: sprite.facing,
        rank: 0,
        copies: 1,
        members: 1,
        act: None,
        course: None,
    })
}

/// The sprites of each kind.
static BY_KIND: LazyLock<Vec<Vec<SpriteId>>> = LazyLock::new(|| {
    let of = |kind: &Kind| atlas().ids().filter(|id| atlas().get(*id).kind == *kind).collect();
    Kind::ALL.iter().map(of).collect()
});

/// Any but playing, which takes something to play.
fn random_motion(random: &mut Random) -> Motion {
    match random.one(Motion::ALL) {
        Motion::Play => random_motion(random),
        motion => motion,
    }
}

fn usual(kind: Kind) -> &'static [Motion] {
    use Motion::{
        Bounce, Dance, Drive, Fall, Fly, Grow, Hover, Idle, Jump, Launch, Pulse, Rise, Roll, Run, Sail, Spin, Still, Swim, Swing, Walk,
    };
    match kind {
        Kind::Animal => &[Idle, Walk, Run, Jump, Dance],
        Kind::Flyer => &[Fly, Hover, Fly],
        Kind::Swimmer => &[Swim, Jump],
        Kind::Vehicle => &[Drive, Still],
        Kind::Boat => &[Sail],
        Kind::Aircraft => &[Fly, Hover, Rise, Launch],
        Kind::Person => &[Idle, Walk, Run, Dance, Jump],
        Kind::Plant => &[Swing, Grow],
        Kind::Building => &[Still],
        Kind::Sky => &[Hover, Spin],
        Kind::Symbol => &[Pulse, Spin, Bounce],
        Kind::Prop => &[Idle, Bounce, Spin, Roll, Fall],
    }
}

/// The same scene seen in a mirror: left is right.
pub fn mirror(layout: &Layout) -> Layout {
    let frame = layout.frame;
    Layout {
        frame: FrameToken { pan: -frame.pan, wind: -frame.wind, sun_x: 1.0 - frame.sun_x, ..frame },
        objects: layout
            .objects
            .iter()
            .map(|object| ObjectToken { dir: -object.dir, dx: -object.dx, tilt: -object.tilt, x: 1.0 - object.x, ..*object })
            .collect(),
    }
}
