//! What is sat, lain and eaten on: beds, tables, pews, rows of seats, a barber's and a dentist's chair.

use super::super::share;
use crate::canvas::{Area, Canvas, Ink, Rgb};
use crate::paint::film::Film;
use crate::paint::shape::{Pen, area};
use crate::paint::things::Stamp;

impl Film {
    pub(super) fn bed(&self, c: &mut Canvas, place: Area, hex: u32) {
        self.floor_shadow(c, place);
        let (w, h, short) = (place.right - place.left, place.bottom - place.top, self.short);
        // The headboard is on the side of the frame.
        let left = place.left + w / 2.0 < self.width / 2.0;
        let at = |x: f32, y: f32, wide: f32, high: f32| share(place, if left { x } else { 1.0 - x - wide }, y, wide, high);
        c.round_rect(at(0.0, 0.0, 0.07, 1.0), 0.02 * short, &self.shaded(0x9a6a44, place));
        c.round_rect(at(0.95, 0.42, 0.05, 0.58), 0.015 * short, &self.shaded(0x9a6a44, place));
        c.rect(at(0.04, 0.72, 0.93, 0.16), &self.paint(0x8a5c3a));
        c.round_rect(at(0.06, 0.48, 0.90, 0.28), 0.02 * short, &self.paint(0xf6f2ea));
        c.round_rect(at(0.08, 0.26, 0.24, 0.28), 0.10 * h, &self.paint(0xfdfbf6));
        let cover = at(0.27, 0.40, 0.70, 0.42);
        c.round_rect(cover, 0.03 * short, &self.shaded(hex, cover));
        c.round_rect(at(0.27, 0.40, 0.10, 0.42), 0.03 * short, &Ink::flat(self.wall(hex).mix(Rgb::WHITE, 0.55), 1.0));
        let dots = (0..8).fold(Pen::default(), |pen, j| {
            let (x, y) = (0.48 + 0.07 * (j % 7) as f32, if j % 2 == 0 { 0.52 } else { 0.68 });
            let dot = at(x, y, 0.0, 0.0);
            pen.circle(dot.left, dot.top, 0.028 * h)
        });
        dots.fill(c, &Ink::flat(self.wall(hex).mix(Rgb::WHITE, 0.5), 0.8));
    }

    /// A table with a cloth and two chairs, laid.
    pub(super) fn laid_table(&self, c: &mut Canvas, place: Area, hex: u32) {
        self.floor_shadow(c, place);
        let (w, short) = (place.right - place.left, self.short);
        for (x, back) in [(0.02, 0.02), (0.86, 0.94)] {
            c.rect(share(place, back, 0.0, 0.04, 1.0), &self.paint(0x8a5c3a));
            c.rect(share(place, x, 0.58, 0.12, 0.06), &self.paint(0x9d6b44));
            c.rect(share(place, if x < 0.5 { x + 0.09 } else { x }, 0.6, 0.03, 0.4), &self.paint(0x8a5c3a));
        }
        c.rect(share(place, 0.46, 0.4, 0.08, 0.6), &self.paint(0x7d5234));
        c.rect(share(place, 0.36, 0.94, 0.28, 0.06), &self.paint(0x7d5234));
        let cloth = share(place, 0.14, 0.32, 0.72, 0.06);
        let fall = share(place, 0.15, 0.36, 0.70, 0.24);
        c.rect(fall, &self.shaded(hex, fall));
        let scallops = (0..6)
            .fold(Pen::default(), |pen, j| pen.oval(fall.left + 0.70 * w * (j as f32 + 0.5) / 6.0, fall.bottom, 0.058 * w, 0.02 * short));
        scallops.fill(c, &Ink::flat(self.wall(hex).times(0.82), 1.0));
        c.round_rect(cloth, 0.01 * short, &Ink::flat(self.wall(hex).mix(Rgb::WHITE, 0.35), 1.0));
        let (top, size) = (cloth.top + 0.01 * short, 0.34 * (place.bottom - place.top));
        self.stamp(c, "bouquet", Stamp::at((place.left + place.right) / 2.0, top, 0.9 * size));
        for (x, name) in [(0.28, "wine-glass"), (0.72, "fork-and-knife-with-plate")] {
            self.stamp(c, name, Stamp::at(place.left + x * w, top, 0.55 * size));
        }
    }

    pub(super) fn desk(&self, c: &mut Canvas, place: Area, hex: u32) {
        self.floor_shadow(c, place);
        c.rect(share(place, 0.02, 0.1, 0.96, 0.9), &self.shaded(hex, place));
        for x in [0.07, 0.38, 0.69] {
            c.rect(share(place, x, 0.24, 0.24, 0.62), &Ink::flat(self.wall(hex).times(0.84), 1.0));
        }
        c.rect(share(place, -0.02, 0.0, 1.04, 0.14), &Ink::flat(self.wall(hex).mix(Rgb::WHITE, 0.25), 1.0));
    }

    /// Two rows of seats, seen from behind.
    pub(super) fn seats(&self, c: &mut Canvas, place: Area, hex: u32) {
        let (short, step) = (self.short, 0.15 * self.short);
        for (row, (up, dim)) in [(0.085, 0.72), (0.0, 1.0)].into_iter().enumerate() {
            let foot = place.bottom - up * short;
            for x in Self::steps_along(place, step) {
                let x = x + if row == 0 { 0.5 * step } else { 0.0 };
                let back = area(x + 0.06 * step, foot - 0.15 * short, 0.88 * step, 0.15 * short);
                let cloth = self.wall(hex).times(dim);
                let ink = Ink::linear([0.0, back.top], [0.0, back.bottom], &[(cloth.mix(Rgb::WHITE, 0.18), 1.0), (cloth.times(0.7), 1.0)]);
                c.round_rect(back, 0.045 * short, &ink);
                c.round_rect(share(back, 0.16, 0.14, 0.68, 0.3), 0.02 * short, &Ink::flat(cloth.mix(Rgb::WHITE, 0.10), 1.0));
            }
        }
    }

    /// Benches on both sides of an aisle, with their ends towards it.
    pub(super) fn pews(&self, c: &mut Canvas, hex: u32) {
        let (short, middle) = (self.short, self.width / 2.0);
        for (row, (down, aisle)) in [(0.015, 0.17), (0.05, 0.20), (0.095, 0.235)].into_iter().enumerate() {
            let (foot, high) = (self.horizon + down * short, (0.085 + 0.012 * row as f32) * short);
            for side in [-1.0, 1.0] {
                let (near, far) = (middle + side * aisle * short, if side < 0.0 { -9.0 } else { self.width + 9.0 });
                let back = Area { left: near.min(far), right: near.max(far), top: foot - high, bottom: foot };
                c.rect(back, &self.shaded(hex, back));
                c.rect(Area { bottom: back.top + 0.014 * short, ..back }, &Ink::flat(self.wall(hex).mix(Rgb::WHITE, 0.25), 1.0));
                let end = area(near - 0.016 * short, foot - 1.16 * high, 0.032 * short, 1.2 * high);
                c.round_rect(end, 0.014 * short, &Ink::flat(self.wall(hex).times(0.72), 1.0));
            }
        }
    }

    /// Two steps to sit on, of slats.
    pub(super) fn benches(&self, c: &mut Canvas, hex: u32) {
        let short = self.short;
        for (top, bottom) in [(0.26, 0.14), (0.135, -0.02)] {
            let (y, low) = (self.horizon - top * short, self.horizon - bottom * short);
            c.rect(Area { top: y, bottom: low, ..self.whole() }, &Ink::flat(self.wall(hex).times(0.5), 1.0));
            let posts = Self::steps_along(area(0.0, y, self.width, 1.0), 0.26 * short)
                .fold(Pen::default(), |pen, x| pen.rect(x, y, x + 0.05 * short, low));
            posts.fill(c, &Ink::flat(self.wall(hex).times(0.75), 1.0));
            for slat in 0..2 {
                let y = y + 0.026 * slat as f32 * short;
                c.rect(
                    Area { top: y, bottom: y + 0.021 * short, ..self.whole() },
                    &Ink::flat(self.wall(hex).mix(Rgb::WHITE, 0.2 - 0.12 * slat as f32), 1.0),
                );
            }
        }
    }

    pub(super) fn barber_chair(&self, c: &mut Canvas, place: Area) {
        self.floor_shadow(c, place);
        let short = self.short;
        c.rect(share(place, 0.45, 0.6, 0.10, 0.36), &self.rounded(0xc2c9d0, share(place, 0.45, 0.6, 0.10, 0.36)));
        c.round_rect(share(place, 0.25, 0.93, 0.5, 0.07), 0.012 * short, &self.paint(0x8f98a3));
        let red = 0xb9303c;
        c.round_rect(share(place, 0.62, 0.08, 0.20, 0.56), 0.03 * short, &self.shaded(red, place));
        c.round_rect(share(place, 0.64, 0.0, 0.16, 0.11), 0.02 * short, &self.shaded(red, place));
        c.round_rect(share(place, 0.18, 0.54, 0.62, 0.13), 0.025 * short, &self.shaded(red, place));
        c.round_rect(share(place, 0.24, 0.40, 0.46, 0.06), 0.012 * short, &self.paint(0xd9dee4));
        Pen::at(place.left + 0.2 * (place.right - place.left), place.top + 0.64 * (place.bottom - place.top))
            .line(place.left + 0.06 * (place.right - place.left), place.top + 0.86 * (place.bottom - place.top))
            .stroke(c, 0.02 * short, &self.paint(0xc2c9d0));
    }

    pub(super) fn dentist_chair(&self, c: &mut Canvas, place: Area) {
        self.floor_shadow(c, place);
        let short = self.short;
        let at = |x: f32, y: f32| [place.left + x * (place.right - place.left), place.top + y * (place.bottom - place.top)];
        c.rect(share(place, 0.42, 0.72, 0.14, 0.24), &self.paint(0xb4bec8));
        c.round_rect(share(place, 0.30, 0.94, 0.40, 0.06), 0.012 * short, &self.paint(0x8f9ba6));
        // Back, seat and legs; the lamp on its arm.
        let cushion = Pen::default().line_through(&[at(0.12, 0.36), at(0.40, 0.68), at(0.66, 0.68), at(0.94, 0.84)]);
        cushion.stroke(c, 0.075 * short, &self.paint(0x3f9fb0));
        let light = Pen::default().line_through(&[at(0.10, 0.31), at(0.16, 0.40)]);
        light.stroke(c, 0.085 * short, &self.paint(0x62bccb));
        let arm = Pen::default().line_through(&[at(0.96, 0.95), at(0.92, 0.12), at(0.56, 0.03), at(0.46, 0.12)]);
        arm.stroke(c, 0.014 * short, &self.paint(0xaab5bf));
        let [x, y] = at(0.44, 0.14);
        self.lamp_light(c, x, y + 0.05 * short, 0.16 * short);
        c.oval(crate::paint::shape::about(x, y, 0.055 * short, 0.028 * short), &self.paint(0xf6f8f2));
        c.round_rect(share(place, 0.74, 0.5, 0.3, 0.05), 0.01 * short, &self.paint(0xdfe6ea));
    }
}
