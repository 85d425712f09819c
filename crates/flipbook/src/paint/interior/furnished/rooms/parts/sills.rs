//! What carries a room or runs along its wall: beams, timbers, rails, a barre, hay and barrels at the foot.

use super::super::share;
use crate::canvas::{Area, Canvas, Ink, Rgb};
use crate::paint::film::Film;
use crate::paint::shape::{Pen, about, area};
use crate::random::Random;

impl Film {
    /// The beams of a barn's roof.
    pub(super) fn roof_beams(&self, c: &mut Canvas, place: Area, hex: u32) {
        let (short, wood) = (self.short, self.wall(hex));
        let low = place.top + 0.13 * self.horizon;
        c.rect(Area { top: -9.0, bottom: low, ..self.whole() }, &Ink::flat(wood.times(0.55), 1.0));
        for x in Self::steps_along(place, 0.46 * short) {
            for (from, to) in [
                ([x, low], [x + 0.14 * short, -9.0]),
                ([x + 0.02 * short, low + 0.14 * short], [x - 0.14 * short, low]),
                ([x + 0.02 * short, low + 0.14 * short], [x + 0.18 * short, low]),
            ] {
                Pen::at(from[0], from[1]).line(to[0], to[1]).stroke(c, 0.026 * short, &Ink::flat(wood.times(0.85), 1.0));
            }
        }
        let beam = area(-9.0, low - 0.02 * short, self.width + 18.0, 0.045 * short);
        c.rect(beam, &self.shaded(hex, beam));
    }

    /// Twigs of the tree that hang in from above.
    pub(super) fn hanging_leaves(&self, c: &mut Canvas, place: Area) {
        let mut random = Random::of(self.seed, 812);
        let tones = [0x3f8a46, 0x57a650, 0x7cc05f];
        for x in Self::steps_along(place, 0.075 * self.short) {
            let (deep, size) = (random.within(0.2, 0.9) * (place.bottom - place.top), random.within(0.05, 0.085) * self.short);
            let hex = random.one(&tones);
            let crown = Pen::default().circle(x, deep, size).circle(x - 0.7 * size, deep - 0.7 * size, size).circle(
                x + 0.7 * size,
                deep - 0.8 * size,
                size,
            );
            crown.rect(x - size, -9.0, x + size, deep - 0.5 * size).fill(c, &Ink::flat(self.light.lit(self.leaf_or_snow(hex)), 1.0));
        }
    }

    /// Frames of logs that hold up a mine.
    pub(super) fn timbers(&self, c: &mut Canvas) {
        let (short, middle) = (self.short, self.width / 2.0);
        // The tunnel goes on into the dark.
        let (half, top) = (0.25 * short, self.horizon - 0.44 * self.rise().min(1.15 * short));
        let mouth = Pen::at(middle - half, self.horizon + 1.0)
            .line(middle - half, top + 0.4 * half)
            .cubic([middle - half, top - 0.1 * half], [middle + half, top - 0.1 * half], middle + half, top + 0.4 * half)
            .line(middle + half, self.horizon + 1.0)
            .close();
        mouth.fill(c, &Ink::linear([0.0, top], [0.0, self.horizon], &[(Rgb::hex(0x0b080c), 1.0), (Rgb::hex(0x2a2028), 1.0)]));
        for (spread, thick) in [(0.27, 0.05), (0.80, 0.075)] {
            let top = self.horizon - (0.30 + 0.36 * spread) * self.rise().min(1.3 * short);
            for side in [-1.0, 1.0] {
                let x = middle + side * spread * short;
                let post = area(x - 0.5 * thick * short, top, thick * short, self.horizon + 0.02 * short - top);
                c.rect(post, &self.rounded(0x8a5f3c, post));
            }
            let beam = area(middle - (spread + 0.06) * short, top - thick * short, (2.0 * spread + 0.12) * short, thick * short);
            c.rect(beam, &self.shaded(0x9a6c45, beam));
        }
    }

    /// Rails that run out of the tunnel.
    pub(super) fn mine_rails(&self, c: &mut Canvas) {
        let (short, middle, top) = (self.short, self.width / 2.0, self.horizon);
        let depth = self.height - top + 9.0;
        let at = |side: f32, down: f32| [middle + side * (0.07 + 0.24 * down) * short, top + depth * down];
        for j in 0..9 {
            let down = ((j as f32 + 0.4) / 9.0).powf(1.5);
            let [left, right] = [at(-1.4, down), at(1.4, down)];
            Pen::at(left[0], left[1]).line(right[0], right[1]).stroke(
                c,
                (0.014 + 0.026 * down) * short,
                &Ink::flat(self.light.lit(Rgb::hex(0x7a5636)), 1.0),
            );
        }
        for side in [-1.0, 1.0] {
            let [far, near] = [at(side, 0.0), at(side, 1.0)];
            let thick = [0.008 * short, 0.03 * short];
            let rail = [
                [far[0] - thick[0] / 2.0, far[1]],
                [far[0] + thick[0] / 2.0, far[1]],
                [near[0] + thick[1] / 2.0, near[1]],
                [near[0] - thick[1] / 2.0, near[1]],
            ];
            Pen::default().polygon(&rail).fill(c, &Ink::flat(self.light.lit(Rgb::hex(0xa9b0ba)), 1.0));
        }
    }

    /// A mirror along the wall with a rail before it.
    pub(super) fn barre(&self, c: &mut Canvas, place: Area) {
        let short = self.short;
        for x in Self::steps_along(place, 0.44 * short) {
            let pane = area(x + 0.006 * short, place.top, 0.428 * short, place.bottom - place.top - 0.03 * short);
            let ink =
                Ink::linear([pane.left, pane.top], [pane.right, pane.bottom], &[(self.wall(0xeaf7fb), 1.0), (self.wall(0xa8cad8), 1.0)]);
            c.rect(pane, &ink);
            for shift in [0.08, 0.16] {
                Pen::at(pane.left + shift * short, pane.bottom - 0.08 * short)
                    .line(pane.left + (shift + 0.14) * short, pane.top + 0.05 * short)
                    .stroke(c, 0.012 * short, &Ink::flat(Rgb::WHITE, 0.6));
            }
        }
        let y = self.horizon - 0.17 * short;
        let posts = Self::steps_along(place, 0.44 * short).fold(Pen::default(), |pen, x| pen.to(x, y).line(x, self.horizon));
        posts.stroke(c, 0.012 * short, &self.paint(0x9aa4ae));
        Pen::at(-9.0, y).line(self.width + 9.0, y).stroke(c, 0.020 * short, &self.paint(0xc58f5a));
    }

    pub(super) fn hay(&self, c: &mut Canvas, place: Area) {
        self.floor_shadow(c, place);
        let mut random = Random::of(self.seed, 810 + place.left.max(0.0) as u64);
        for (x, y) in [(0.0, 0.5), (0.5, 0.5), (0.24, 0.0)] {
            let bale = share(place, x, y, 0.49, 0.5);
            c.round_rect(bale, 0.012 * self.short, &self.shaded(0xdcb75e, bale));
            let straws = (0..12).fold(Pen::default(), |pen, _| {
                let at = share(bale, random.within(0.03, 0.8), random.within(0.1, 0.9), 0.16, 0.0);
                pen.to(at.left, at.top).line(at.right, at.top + random.within(-0.01, 0.01) * self.short)
            });
            straws.stroke(c, 0.005 * self.short, &self.paint(0xb58f3c));
            for u in [0.28, 0.7] {
                c.rect(share(bale, u, 0.0, 0.03, 1.0), &self.paint(0x9a6a3a));
            }
        }
    }

    pub(super) fn barrel(&self, c: &mut Canvas, place: Area) {
        self.floor_shadow(c, place);
        let (w, h, x) = (place.right - place.left, place.bottom - place.top, (place.left + place.right) / 2.0);
        let half = 0.4 * w;
        Pen::at(x - half, place.bottom)
            .quad([x - 0.62 * w, place.top + 0.5 * h], x - half, place.top)
            .line(x + half, place.top)
            .quad([x + 0.62 * w, place.top + 0.5 * h], x + half, place.bottom)
            .close()
            .fill(c, &self.rounded(0x9a683f, place));
        for y in [0.2, 0.8] {
            c.rect(about(x, place.top + y * h, 0.46 * w, 0.03 * h), &self.paint(0x4a4650));
        }
    }
}
