//! What somebody works at who was given no place to work at: an easel that a picture grows on, a stove with a steaming pot.

use super::stamp::Stamp;
use crate::canvas::{Canvas, Ink, Puff, Rgb};
use crate::codes::{Act, Backdrop, Relation};
use crate::paint::film::{Film, Moment};
use crate::paint::shape::{Pen, area};
use crate::random::Random;

/// From the middle of who works to the middle of the work, and how high that is, in heights of who works.
const EASEL: (f32, f32) = (0.56, 0.95);
const STOVE: (f32, f32) = (0.50, 0.44);
/// Of the brush, until the clip ends.
const STROKES: usize = 12;

impl Film {
    fn work(&self, place: usize) -> Option<(Act, (f32, f32))> {
        let slot = self.brief.slots.get(place)?;
        let alone = slot.parent.is_none() || slot.relation != Relation::Play;
        let indoors = matches!(self.brief.backdrop, Backdrop::Kitchen | Backdrop::Room);
        let taken = |name: &str| self.brief.slots.iter().any(|slot| crate::sprites::atlas().get(slot.sprite).name == name);
        self.cast.figure(place)?;
        match self.program.things.get(slot.thing)?.act? {
            Act::Paint if alone && !taken("easel") && slot.rank == 0 => Some((Act::Paint, EASEL)),
            Act::Cook if indoors && !taken("cooking") => Some((Act::Cook, STOVE)),
            _ => None,
        }
    }

    /// -1 or 1: the side on which there is room for the work.
    fn work_side(&self, place: usize, far: f32) -> f32 {
        let (Some(slot), Some(object)) = (self.brief.slots.get(place), self.layout.objects.get(place)) else { return 1.0 };
        let [_, h] = crate::layout::extent(slot, object.size, self.brief.aspect);
        let reach = (far + 0.25) * h * self.height / self.width;
        let way = if object.dir < 0.0 { -1.0 } else { 1.0 };
        if (0.02..0.98).contains(&(object.x + way * reach)) || object.x * way < 0.5 * way { way } else { -way }
    }

    /// Turns who works to the work.
    pub(super) fn turn_to_work(&self, m: &mut Moment, place: usize) {
        if let Some((_, (far, _))) = self.work(place)
            && let Some(pose) = m.poses.get_mut(place)
        {
            pose.facing_turn = Some(self.work_side(place, far));
        }
    }

    /// Draws what a figure works at, behind its hands.
    pub(super) fn workplace(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let (Some((act, (far, high))), Some(pose)) = (self.work(place), m.poses.get(place)) else { return };
        let size = pose.h * self.height * pose.scale;
        let (x, foot) = (pose.x * self.width + self.work_side(place, far) * far * size, pose.y * self.height);
        c.puff(x, foot, 0.36 * size, 0.05 * size, Rgb([0.05, 0.04, 0.12]), 0.4, Puff::default());
        if act == Act::Paint { self.easel(c, m, x, foot, high * size) } else { self.stove(c, m, x, foot, high * size) }
    }

    /// Strokes cover the picture on it as the clip goes on.
    fn easel(&self, c: &mut Canvas, m: &Moment, x: f32, foot: f32, size: f32) {
        self.stamp(c, "easel", Stamp::at(x, foot, size));
        // The sheet of the drawing, in its own units of 1 / 29.5 of the height: from 10 left to 10 right, 24.5 to 10.5 up.
        let unit = size / 29.5;
        let colour = |hex: u32| Rgb::hex(hex).tinted(self.light.ambient);
        c.rect(area(x - 10.0 * unit, foot - 24.6 * unit, 20.0 * unit, 14.1 * unit), &Ink::flat(colour(0xfdfaf2), 1.0));
        let mut random = Random::of(self.seed, 0xEA5E);
        for j in 0..STROKES {
            let hex = random.one(&[0xf04a5f, 0xf9a826, 0x3aa0e8, 0x3fb46b, 0x8f5fd6, 0xf26fb0]);
            let (u, v, long) = (random.within(-7.5, 3.0), random.within(12.5, 22.5), random.within(3.0, 5.5));
            let grown = ((m.p * 1.15 + 0.12) * STROKES as f32 - j as f32).clamp(0.0, 1.0);
            if grown > 0.0 {
                let (left, y) = (x + u * unit, foot - v * unit);
                Pen::at(left, y).quad([left + 0.5 * grown * long * unit, y - 1.6 * unit], left + grown * long * unit, y).stroke(
                    c,
                    1.7 * unit,
                    &Ink::flat(colour(hex), 0.9),
                );
            }
        }
    }

    fn stove(&self, c: &mut Canvas, m: &Moment, x: f32, foot: f32, size: f32) {
        let colour = |hex: u32| Rgb::hex(hex).tinted(self.light.ambient);
        let ink = |hex: u32| Ink::flat(colour(hex), 1.0);
        let wide = 1.25 * size;
        let (left, top) = (x - wide / 2.0, foot - size);
        c.round_rect(area(left, top, wide, size), 0.05 * size, &ink(0xf2efe8));
        c.rect(area(left, top + 0.16 * size, wide, 0.02 * size), &ink(0xcfc8bb));
        c.round_rect(area(left + 0.14 * wide, top + 0.34 * size, 0.72 * wide, 0.46 * size), 0.05 * size, &ink(0x3d3f4c));
        let glow = 0.75 + 0.1 * (5.0 * m.t).sin();
        c.round_rect(
            area(left + 0.2 * wide, top + 0.4 * size, 0.6 * wide, 0.34 * size),
            0.04 * size,
            &Ink::flat(Rgb([1.0, 0.62, 0.22]), glow),
        );
        c.rect(area(left + 0.14 * wide, top + 0.27 * size, 0.72 * wide, 0.03 * size), &ink(0x9aa2ad));
        for j in 0..4 {
            c.circle(left + (0.2 + 0.2 * j as f32) * wide, top + 0.10 * size, 0.03 * size, &ink(0x5a5f6b));
        }
        c.round_rect(area(left - 0.02 * wide, top - 0.05 * size, 1.04 * wide, 0.06 * size), 0.02 * size, &ink(0x3d3f4c));
        // A pot that boils.
        let (pot, lid) = (0.46 * wide, 0.012 * size * (17.0 * m.t).sin().max(0.0));
        let (px, py) = (x - pot / 2.0, top - 0.05 * size);
        c.round_rect(area(px, py - 0.30 * size, pot, 0.30 * size), 0.06 * size, &ink(0xe0524a));
        c.rect(area(px, py - 0.30 * size, pot, 0.04 * size), &ink(0xb93a36));
        c.rect(area(px - 0.10 * pot, py - 0.22 * size, 1.2 * pot, 0.035 * size), &ink(0xb93a36));
        c.round_rect(area(px - 0.03 * pot, py - 0.34 * size - lid, 1.06 * pot, 0.05 * size), 0.02 * size, &ink(0xd7dbe2));
        c.circle(x, py - 0.36 * size - lid, 0.03 * size, &ink(0x3d3f4c));
        for j in 0..6 {
            let age = (0.5 * m.t + j as f32 / 6.0).fract();
            let sway = 0.06 * size * (6.0 * age + 2.0 * j as f32).sin();
            let far = (0.10 + 0.16 * age) * size;
            let alpha = 0.5 * (5.0 * age).min(1.0) * (1.0 - age);
            c.puff(x + sway, py - (0.40 + 0.8 * age) * size, far, 1.2 * far, Rgb::WHITE, alpha, Puff::default());
        }
    }
}
