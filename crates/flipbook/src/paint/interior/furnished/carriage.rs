//! Inside a train or a bus: the land goes by behind the panes.

use crate::canvas::{Canvas, Ink, Rgb};
use crate::paint::film::{Film, Moment};
use crate::paint::shape::{Pen, area};
use crate::paint::things::Stamp;

/// How fast what is near goes by, in shorter sides of the frame a second.
const PACE: f32 = 0.55;

impl Film {
    /// The panes: left and right of each, then top and bottom of all.
    fn panes(&self) -> (Vec<[f32; 2]>, [f32; 2]) {
        let (wide, gap) = (0.46 * self.short, 0.07 * self.short);
        let count = (self.width / (wide + gap)) as i32 / 2 + 1;
        let left = |j: i32| self.width / 2.0 + (j as f32 - 0.5) * (wide + gap) + gap / 2.0;
        let panes = (-count..=count).map(|j| [left(j), left(j) + wide]).collect();
        (panes, [self.horizon - 0.74 * self.rise(), self.horizon - 0.26 * self.rise()])
    }

    pub(super) fn carriage(&self, c: &mut Canvas) {
        let (short, width, horizon) = (self.short, self.width, self.horizon);
        self.plain_wall(c, 0xe6e2d6);
        self.tiled_floor(c, 0x8b919b, 0x858b95);
        let (panes, [top, bottom]) = self.panes();
        let (frame, steel) = (self.wall(0x5b6675), self.wall(0xb4bcc6));
        let cloth = self.wall([0x3f6fb0, 0xb04a4a, 0x3f8f76, 0x7a5aa8][(self.seed % 4) as usize]);
        // A rack for bags above, seats below.
        let rack = (top - 0.06 * short).max(0.05 * self.height);
        Pen::at(-9.0, rack).line(width + 9.0, rack).stroke(c, 0.016 * short, &Ink::flat(steel, 1.0));
        for (j, [left, right]) in panes.iter().enumerate() {
            let edge = 0.022 * short;
            c.round_rect(
                area(left - edge, top - edge, right - left + 2.0 * edge, bottom - top + 2.0 * edge),
                0.05 * short,
                &Ink::flat(frame, 1.0),
            );
            if (j as u64 + self.seed).is_multiple_of(2) {
                self.stamp(c, "luggage", Stamp::at((left + right) / 2.0, rack, 0.11 * short));
            }
            let middle = (left + right) / 2.0;
            for side in [-0.5, 0.5] {
                let x = middle + side * 0.24 * short;
                let (seat, foot) = (horizon - 0.17 * short, horizon + 0.02 * short);
                let ink = Ink::linear(
                    [x - 0.1 * short, 0.0],
                    [x + 0.1 * short, 0.0],
                    &[(cloth.mix(Rgb::WHITE, 0.15), 1.0), (cloth.times(0.8), 1.0)],
                );
                c.round_rect(area(x - 0.105 * short, seat, 0.21 * short, foot - seat), 0.045 * short, &ink);
                c.round_rect(
                    area(x - 0.065 * short, seat + 0.015 * short, 0.13 * short, 0.05 * short),
                    0.02 * short,
                    &Ink::flat(self.wall(0xf2efe6), 1.0),
                );
            }
        }
        for [left, _] in &panes {
            let x = left - 0.035 * short;
            Pen::at(x, -9.0).line(x, horizon).stroke(c, 0.012 * short, &Ink::flat(steel, 1.0));
        }
    }

    /// What is seen through the panes at a moment.
    pub(in crate::paint::interior) fn land_going_by(&self, c: &mut Canvas, m: &Moment) {
        let (panes, [top, bottom]) = self.panes();
        let (short, high) = (self.short, bottom - top);
        let openings = panes.iter().fold(Pen::default(), |pen, [left, right]| pen.rect(*left, top, *right, bottom));
        let Some(path) = openings.path() else { return };
        let (far, near) =
            (self.light.lit(self.leaf_or_snow(0x9cc79a)).mix(self.light.haze, 0.4), self.light.lit(self.leaf_or_snow(0x7cc25f)));
        let (tree, trunk) = (self.light.lit(self.leaf_or_snow(0x4f9e45)), self.light.lit(Rgb::hex(0x6d4d38)));
        // Copies `every` so many pixels; to the left, and again from the right.
        let going = |pace: f32, every: f32| {
            let shift = (m.t * pace * PACE * short).rem_euclid(every);
            (0..(self.width / every) as i32 + 3).map(move |j| (j, j as f32 * every - shift))
        };
        c.clipped(&path, |c| {
            c.rect(
                area(-9.0, top, self.width + 18.0, high),
                &Ink::linear([0.0, top], [0.0, bottom], &self.light.sky.map(|colour| (colour, 1.0))),
            );
            for (_, x) in going(0.15, 0.9 * short) {
                c.circle(x, bottom + 0.35 * short, 0.52 * short, &Ink::flat(far, 1.0));
            }
            c.rect(area(-9.0, bottom - 0.24 * high, self.width + 18.0, 0.3 * high), &Ink::flat(near, 1.0));
            let (mut trunks, mut crowns) = (Pen::default(), Pen::default());
            for (_, x) in going(1.0, 0.36 * short) {
                trunks = trunks.rect(x - 0.008 * short, bottom - 0.36 * high, x + 0.008 * short, bottom - 0.10 * high);
                crowns = crowns
                    .circle(x, bottom - 0.46 * high, 0.062 * short)
                    .circle(x - 0.04 * short, bottom - 0.38 * high, 0.045 * short)
                    .circle(x + 0.04 * short, bottom - 0.38 * high, 0.045 * short);
            }
            trunks.fill(c, &Ink::flat(trunk, 1.0));
            crowns.fill(c, &Ink::flat(tree, 1.0));
            let poles = going(2.4, 1.7 * short).fold(Pen::default(), |pen, (_, x)| pen.rect(x, top, x + 0.014 * short, bottom));
            poles.fill(c, &Ink::flat(trunk.times(0.8), 0.9));
        });
    }
}
