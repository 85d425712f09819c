//! The drawings of a scene's things: pictures in one piece or puppets with joints, at the size at which they are seen.

use crate::canvas::halved;
use crate::codes::{Colour, Kind, Motion};
use crate::figures::{Figure, Puppet, figure};
use crate::scene::{Brief, Layout, Program, Slot};
use crate::sprites::{self, Picture, SpriteId};

/// Sides of pictures in pixels.
const SIDES: (f32, f32) = (24.0, 1024.0);
/// Texels for each pixel, so that zooming in leaves drawings crisp.
const SPARE: f32 = 1.15;
/// Colours of balloons in a bunch.
const BUNCH: [Option<Colour>; 6] =
    [None, Some(Colour::Blue), Some(Colour::Yellow), Some(Colour::Green), Some(Colour::Purple), Some(Colour::Orange)];

/// The drawings of a scene's things, at the size at which they are seen.
pub struct Cast {
    drawings: Vec<Drawing>,
    /// Which drawing a slot has.
    of_slot: Vec<usize>,
}

impl Cast {
    /// `short` is the frame's shorter side in pixels.
    pub fn of(program: &Program, brief: &Brief, layout: &Layout, short: f32, seed: u64) -> Self {
        let mut keys: Vec<(SpriteId, usize, Option<Colour>, u64)> = Vec::new();
        let mut of_slot = Vec::new();
        for (slot, object) in brief.slots.iter().zip(&layout.objects) {
            let ink = sprites::atlas().get(slot.sprite).ink;
            let longest = (ink.right - ink.left).max(ink.bottom - ink.top).max(1e-3);
            let side = (object.size * short / longest * SPARE * largest(slot.motion)).clamp(SIDES.0, SIDES.1);
            // People differ, also where there are several of one name.
            let tone = if slot.kind == Kind::Person { seed ^ slot.rank as u64 } else { 0 };
            let key = (slot.sprite, (side as usize).next_multiple_of(8), colour(program, slot), tone);
            of_slot.push(keys.iter().position(|other| *other == key).unwrap_or(keys.len()));
            if of_slot.last() == Some(&keys.len()) {
                keys.push(key);
            }
        }
        let drawings = keys.into_iter().map(|(sprite, side, colour, tone)| Drawing::of(sprite, side, colour, tone)).collect();
        Self { drawings, of_slot }
    }

    /// The figure that a slot is drawn as, if it has joints.
    pub(in crate::paint) fn figure(&self, slot: usize) -> Option<&Figure> {
        match self.drawing(slot)? {
            Drawing::Jointed(sizes) => Some(sizes[0].figure()),
            Drawing::Flat(_) => None,
        }
    }

    pub(in crate::paint) fn drawing(&self, slot: usize) -> Option<&Drawing> {
        self.of_slot.get(slot).and_then(|place| self.drawings.get(*place))
    }
}

/// How a thing is drawn.
pub(in crate::paint) enum Drawing {
    /// In one piece, with ever smaller versions of it, every one of half the size of the one before.
    Flat(Vec<Picture>),
    /// With joints: at full size and, for its shadow, at a quarter of it.
    Jointed(Box<[Puppet; 2]>),
}

impl Drawing {
    fn of(sprite: SpriteId, side: usize, colour: Option<Colour>, tone: u64) -> Self {
        match figure(&sprites::atlas().get(sprite).name) {
            Some(figure) => Self::Jointed(Box::new([side, side / 4].map(|side| Puppet::of(&figure.toned(tone), side, colour)))),
            None => Self::Flat(versions(sprites::picture(sprite, side, colour))),
        }
    }
}

/// The version that sampling by fours can shrink, given texels for each pixel at full size.
pub(in crate::paint) fn version(versions: &[Picture], texels: f32) -> Option<&Picture> {
    let halvings = (texels / 2.0).max(1.0).log2().ceil() as usize;
    versions.get(halvings).or(versions.last())
}

/// How much larger than its size a motion shows a thing.
fn largest(motion: Motion) -> f32 {
    match motion {
        Motion::Approach | Motion::Explode => 1.3,
        Motion::Pulse | Motion::Orbit => 1.15,
        _ => 1.0,
    }
}

fn colour(program: &Program, slot: &Slot) -> Option<Colour> {
    let asked = program.things.get(slot.thing).and_then(|thing| thing.colour);
    let bunch = slot.copies > 1 && sprites::atlas().get(slot.sprite).name.contains("balloon");
    if bunch && asked.is_none() { BUNCH[slot.rank % BUNCH.len()] } else { asked }
}

fn versions(picture: Picture) -> Vec<Picture> {
    let mut versions = vec![picture];
    while let Some(smallest) = versions.last().filter(|picture| picture.width.min(picture.height) > 8) {
        let next = halved(smallest);
        versions.push(next);
    }
    versions
}
