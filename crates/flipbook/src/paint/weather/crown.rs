//! The upper outline of things: where rain splashes and snow stays.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::paint::film::{Film, Moment};
use crate::sprites::{self, SpriteId, atlas};

/// Parts of a drawing's width.
pub(super) const COLUMNS: usize = 24;
/// Side of the picture that is measured, in pixels.
const SIDE: usize = 72;

/// Highest ink of each column from left to right, as a share of the ink's height: 0 at its top, `None` without ink.
type Outline = [Option<f32>; COLUMNS];

/// A point on top of a thing, in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Top {
    pub x: f32,
    pub y: f32,
    /// How level it is: 1 flat to 0 steep.
    pub level: f32,
}

impl Film {
    /// The top of a slot from left to right, `None` where nothing lands: there is no ink, something covers it or hides it.
    /// Empty for what is not to be landed on: wings, and what turns about.
    pub(super) fn crown(&self, m: &Moment, slot: usize) -> Vec<Option<Top>> {
        let points = self.outline(m, slot);
        let depth = |slot: usize| self.layout.objects.get(slot).map_or(0.0, |object| object.depth);
        let others: Vec<(usize, Vec<Option<[f32; 2]>>)> = (0..m.poses.len())
            .filter(|other| *other != slot && self.root(*other) != slot)
            .map(|other| (other, self.outline(m, other)))
            .collect();
        let blocked = |[x, y]: [f32; 2]| {
            others.iter().any(|(other, outline)| {
                let Some([left, _]) = outline.iter().flatten().next() else { return false };
                let Some([right, _]) = outline.iter().flatten().next_back() else { return false };
                if x < *left || x > *right || depth(*other) > depth(slot) + 0.05 {
                    return false;
                }
                let place = (x - left) / (right - left).max(1.0) * (COLUMNS - 1) as f32;
                outline.get(place as usize).copied().flatten().is_some_and(|[_, top]| top < y - 0.004 * self.short)
            })
        };
        let level = |place: usize| {
            let at = |place: usize| points.get(place).copied().flatten();
            let here = at(place).map_or(0.0, |point| point[1]);
            let steep =
                [place.wrapping_sub(1), place + 1].into_iter().filter_map(at).map(|point| (point[1] - here).abs()).fold(0.0, f32::max);
            let step = m.poses.get(slot).map_or(1.0, |pose| pose.w * self.width * pose.scale / COLUMNS as f32).max(0.5);
            (1.5 - 0.5 * steep / step).clamp(0.0, 1.0)
        };
        points
            .iter()
            .enumerate()
            .map(|(place, point)| point.filter(|point| !blocked(*point)).map(|[x, y]| Top { x, y, level: level(place) }))
            .collect()
    }

    /// Where the upper outline of a slot lies, in pixels from left to right.
    fn outline(&self, m: &Moment, slot: usize) -> Vec<Option<[f32; 2]>> {
        let (Some(thing), Some(object), Some(pose)) = (self.brief.slots.get(slot), self.layout.objects.get(slot), m.poses.get(slot)) else {
            return Vec::new();
        };
        let sprite = atlas().get(thing.sprite);
        if pose.alpha < 0.6 || pose.flap != 0.0 || pose.facing_turn.is_some() || sprite.heading.is_some() || pose.turn.abs() > 0.07 {
            return Vec::new();
        }
        let (wide, high) = (pose.w * self.width * pose.scale * pose.sx, pose.h * self.height * pose.scale * pose.sy);
        let facing = f32::from(thing.facing);
        let way = if pose.flip { -object.dir } else { object.dir };
        let side = if (thing.facing == 0 && pose.flip) || facing * way < 0.0 { -1.0 } else { 1.0 };
        let (sin, cos) = (std::f32::consts::TAU * pose.turn).sin_cos();
        let foot = (pose.y - pose.lift) * self.height;
        let point = |(place, top): (usize, &Option<f32>)| {
            top.map(|top| {
                let (u, v) = ((place as f32 + 0.5) / COLUMNS as f32, top);
                let x = side * ((u - 0.5) * wide + pose.bend * high * (v - 1.0).powi(2) * side);
                let y = (v - 1.0) * high;
                [pose.x * self.width + x * cos - y * sin, foot + x * sin + y * cos]
            })
        };
        let mut points: Vec<Option<[f32; 2]>> = outline_of(thing.sprite).iter().enumerate().map(point).collect();
        if side < 0.0 {
            points.reverse();
        }
        points
    }
}

/// Measured once for each drawing.
fn outline_of(sprite: SpriteId) -> Arc<Outline> {
    static MEASURED: OnceLock<Mutex<HashMap<SpriteId, Arc<Outline>>>> = OnceLock::new();
    let measured = MEASURED.get_or_init(Mutex::default);
    let kept = || measured.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(outline) = kept().get(&sprite) {
        return Arc::clone(outline);
    }
    let outline = Arc::new(measure(sprite));
    Arc::clone(kept().entry(sprite).or_insert(outline))
}

fn measure(sprite: SpriteId) -> Outline {
    let (picture, ink) = (sprites::picture(sprite, SIDE, None), atlas().get(sprite).ink);
    let (wide, high) = ((ink.right - ink.left).max(1e-3), (ink.bottom - ink.top).max(1e-3));
    std::array::from_fn(|column| {
        let x = (ink.left + wide * (column as f32 + 0.5) / COLUMNS as f32) * picture.width as f32;
        let x = (x as usize).min(picture.width.saturating_sub(1));
        let solid = |y: &usize| picture.pixels.get(y * picture.width + x).is_some_and(|pixel| pixel[3] > 128);
        let y = (0..picture.height).find(solid)?;
        Some(((y as f32 / picture.height as f32 - ink.top) / high).clamp(0.0, 1.0))
    })
}
