//! The drawings of a scene's things: pictures in one piece or puppets with joints, at the size at which they are seen.

use crate::canvas::{Rgb, halved};
use crate::codes::{Colour, Kind, Motion};
use crate::figures::{Figure, Puppet, turning, varied};
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
        let mut keys: Vec<(SpriteId, usize, Option<Colour>, usize)> = Vec::new();
        let mut of_slot = Vec::new();
        for (place, (slot, object)) in brief.slots.iter().zip(&layout.objects).enumerate() {
            let ink = sprites::atlas().get(slot.sprite).ink;
            let longest = (ink.right - ink.left).max(ink.bottom - ink.top).max(1e-3);
            let side = (object.size * short / longest * SPARE * largest(slot.motion)).clamp(SIDES.0, SIDES.1);
            // People differ, also where there are several of one name.
            let alike = brief.slots.iter().take(place).filter(|other| other.sprite == slot.sprite).count();
            let number = if slot.kind == Kind::Person { alike } else { 0 };
            let key = (slot.sprite, (side as usize).next_multiple_of(8), colour(program, slot), number);
            of_slot.push(keys.iter().position(|other| *other == key).unwrap_or(keys.len()));
            if of_slot.last() == Some(&keys.len()) {
                keys.push(key);
            }
        }
        let drawings = keys.into_iter().map(|(sprite, side, colour, number)| Drawing::of(sprite, side, colour, seed, number)).collect();
        Self { drawings, of_slot }
    }

    /// The figure that a slot is drawn as, if it has joints.
    pub(in crate::paint) fn figure(&self, slot: usize) -> Option<&Figure> {
        match self.drawing(slot)? {
            Drawing::Jointed(sizes) => Some(sizes[0].figure()),
            Drawing::Flat(_) | Drawing::Turning(_) => None,
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
    /// In two parts of which one turns, at the same two sizes.
    Turning(Box<[Puppet; 2]>),
}

impl Drawing {
    /// Its mean colour, before any light falls on it.
    pub fn mean(&self) -> Rgb {
        match self {
            Self::Flat(versions) => versions.last().map_or(Rgb::BLACK, |picture| mean([picture].into_iter())),
            Self::Jointed(sizes) | Self::Turning(sizes) => mean(sizes[1].pictures()),
        }
    }

    fn of(sprite: SpriteId, side: usize, colour: Option<Colour>, seed: u64, number: usize) -> Self {
        let drawing = sprites::atlas().get(sprite);
        let sizes = |figure: &Figure| Box::new([side, side / 4].map(|side| Puppet::of(figure, side, colour)));
        match varied(&drawing.name, seed, number) {
            Some(figure) => Self::Jointed(sizes(&figure)),
            None if colour.is_none()
                && let Some(figure) = turning(&drawing.name, drawing.body()) =>
            {
                Self::Turning(sizes(&figure))
            }
            None if let Some(figure) = turning(&drawing.name, drawing.body()) => Self::Turning(sizes(&figure)),
            None => Self::Flat(versions(sprites::picture(sprite, side, colour))),
        }
    }
}

fn mean<'a>(pictures: impl Iterator<Item = &'a Picture>) -> Rgb {
    let mut sums = [0u64; 4];
    for pixel in pictures.flat_map(|picture| &picture.pixels) {
        for (sum, value) in sums.iter_mut().zip(pixel) {
            *sum += u64::from(*value);
        }
    }
    let [red, green, blue, alpha] = sums.map(|sum| sum as f32);
    Rgb([red, green, blue].map(|sum| sum / alpha.max(1.0)))
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
