//! A rainbow: a whole arch that stands behind the land, painted once with the sky.

use crate::canvas::{Canvas, Ink, Rgb};
use crate::paint::film::Film;
use crate::paint::kept::is_sky_bow;
use crate::paint::shape::Pen;

/// From the outer band inwards.
const BANDS: [u32; 7] = [0xf0383c, 0xff8a2b, 0xffd93b, 0x4fc85a, 0x35a8f0, 0x4a5fd8, 0x9a55d0];
/// Outer radius, in widths of the frame at most and of the sky's height, and the breadth of all bands, in radii.
const WIDE: f32 = 0.46;
const HIGH: f32 = 0.82;
const BROAD: f32 = 0.24;

impl Film {
    pub(in crate::paint) fn is_sky_bow(&self, place: usize) -> bool {
        is_sky_bow(&self.brief, place)
    }

    pub(super) fn rainbows(&self, c: &mut Canvas) {
        for place in (0..self.brief.slots.len()).filter(|place| self.is_sky_bow(*place)) {
            let Some(object) = self.layout.objects.get(place) else { continue };
            let foot = self.horizon.min(0.92 * self.height) + 0.02 * self.short;
            let radius = (WIDE * self.width).min(HIGH * foot);
            // Both feet are seen.
            let x = (object.x * self.width).clamp(1.02 * radius, (self.width - 1.02 * radius).max(1.02 * radius));
            let step = BROAD * radius / BANDS.len() as f32;
            let alpha = if self.light.dark { 0.45 } else { 0.72 };
            for (band, hex) in BANDS.into_iter().enumerate() {
                let radius = radius - step * (band as f32 + 0.5);
                let colour = self.light.grade(Rgb::hex(hex)).mix(self.light.sky[2], 0.12);
                let inks = [(colour, alpha), (colour, alpha), (colour, 0.35 * alpha)];
                let arch: Vec<[f32; 2]> = (0..=64)
                    .map(|j| std::f32::consts::PI * j as f32 / 64.0)
                    .map(|angle| [x - radius * angle.cos(), foot - radius * angle.sin()])
                    .collect();
                Pen::default().line_through(&arch).stroke(c, step + 0.6, &Ink::linear([0.0, foot - radius], [0.0, foot], &inks));
            }
        }
    }
}
