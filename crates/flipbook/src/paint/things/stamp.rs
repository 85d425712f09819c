//! Plain sprites as scenery and particles.

use resvg::tiny_skia::Transform;

use crate::canvas::{Area, Canvas};
use crate::codes::Colour;
use crate::paint::film::Film;
use crate::paint::kept::stamps::{SIDES, STEP};
use crate::sprites;

/// How a sprite is put down.
#[derive(Clone, Copy, Debug)]
pub struct Stamp {
    /// The middle of its foot, in pixels.
    pub x: f32,
    pub y: f32,
    /// Height of its ink, in pixels.
    pub size: f32,
    /// Turns, clockwise around the foot.
    pub turn: f32,
    pub alpha: f32,
    /// Light that is left.
    pub dim: f32,
    /// Share of the haze's colour.
    pub haze: f32,
    pub flip: bool,
    pub colour: Option<Colour>,
    /// How far the foot's opposite leans: pixels to the left for each pixel of height.
    pub sway: f32,
}

impl Stamp {
    pub fn at(x: f32, y: f32, size: f32) -> Self {
        Self { x, y, size, turn: 0.0, alpha: 1.0, dim: 1.0, haze: 0.0, flip: false, colour: None, sway: 0.0 }
    }
}

impl Film {
    /// Draws a sprite; a name that the atlas lacks draws nothing.
    pub(in crate::paint) fn stamp(&self, c: &mut Canvas, name: &str, stamp: Stamp) {
        let Some(id) = sprites::atlas().named(name).filter(|_| stamp.alpha > 0.0 && stamp.size > 0.0) else { return };
        let ink = sprites::atlas().get(id).ink;
        let side = stamp.size / (ink.bottom - ink.top).max(1e-3);
        let pixels = ((side * 1.05).clamp(SIDES.0, SIDES.1) as usize).next_multiple_of(STEP);
        let picture = self.stamps.picture((id, pixels, stamp.colour));
        let left = -side * (ink.left + ink.right) / 2.0;
        let top = -side * ink.bottom;
        let mut place = Transform::from_translate(stamp.x, stamp.y);
        if stamp.turn != 0.0 {
            place = place.pre_rotate(stamp.turn * 360.0);
        }
        if stamp.sway != 0.0 {
            place = place.pre_concat(Transform::from_skew(stamp.sway, 0.0));
        }
        if stamp.flip {
            place = place.pre_scale(-1.0, 1.0);
        }
        let tint = self.light.tint(false, stamp.haze, stamp.dim);
        c.within(place, |c| c.picture(&picture, Area { left, top, right: left + side, bottom: top + side }, tint, stamp.alpha));
    }
}
