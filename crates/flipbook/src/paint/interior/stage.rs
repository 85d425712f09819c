//! A stage with curtains and spotlights.

use crate::canvas::{Area, Canvas, Ink, Puff, Rgb, Tint};
use crate::paint::film::{Film, Moment};
use crate::paint::shape::{Pen, about};
use crate::sprites::Picture;

/// Cells of the coarse picture to the short side of the frame.
const FINE: f32 = 120.0;

const CLOTHS: [u32; 3] = [0xa3203a, 0x7a2a8f, 0x2a3f9c];
const LIGHTS: [[f32; 3]; 4] = [[1.0, 0.3, 0.5], [0.3, 0.7, 1.0], [1.0, 0.85, 0.3], [0.6, 0.4, 1.0]];

impl Film {
    pub(super) fn stage(&self, c: &mut Canvas) {
        let (width, height, horizon, short) = (self.width, self.height, self.horizon, self.short);
        let cloth = Rgb::hex(CLOTHS[(self.seed % 3) as usize]);
        let back = cloth.mix(Rgb([0.10, 0.03, 0.20]), 0.62);
        c.rect(
            Area { bottom: horizon + 1.0, ..self.whole() },
            &Ink::linear([0.0, 0.0], [0.0, horizon], &[(back.times(0.55), 1.0), (back, 1.0)]),
        );
        self.hanging_cloth(c, -9.0, width + 9.0, horizon, 0.085 * short, back, 0.5);
        self.planks(c);
        let wing = (0.17 * width).min(0.34 * short);
        for side in [-1.0f32, 1.0] {
            self.wing(c, if side < 0.0 { 0.0 } else { width }, -side * wing, cloth);
        }
        self.pelmet(c, cloth);
        self.footlights(c, height);
    }

    /// Hanging cloth from `from` to `to`, lit fold by fold.
    #[expect(clippy::too_many_arguments)]
    fn hanging_cloth(&self, c: &mut Canvas, from: f32, to: f32, foot: f32, step: f32, cloth: Rgb, depth: f32) {
        let (dark, bright) = (cloth.times(1.0 - 0.7 * depth), cloth.mix(Rgb::WHITE, 0.16 * depth));
        let mut x = from;
        while x < to {
            let right = (x + step).min(to);
            let stops = [(0.0, dark, 1.0), (0.45, cloth, 1.0), (0.62, bright, 1.0), (1.0, dark, 1.0)];
            c.rect(Area { left: x, top: -9.0, right, bottom: foot }, &Ink::linear_at([x, 0.0], [x + step, 0.0], &stops));
            x += step;
        }
        c.rect(
            Area { left: from, top: -9.0, right: to, bottom: foot },
            &Ink::linear([0.0, 0.0], [0.0, foot], &[(Rgb::BLACK, 0.35), (Rgb::BLACK, 0.0), (Rgb::BLACK, 0.30)]),
        );
    }

    fn planks(&self, c: &mut Canvas) {
        let (top, bottom, middle) = (self.horizon, self.height, self.width / 2.0);
        c.rect(
            Area { top, ..self.whole() },
            &Ink::linear([0.0, top], [0.0, bottom], &[(Rgb::hex(0x6d3d2c), 1.0), (Rgb::hex(0x9a5d3f), 1.0), (Rgb::hex(0x5c3323), 1.0)]),
        );
        let (near, far) = (0.20 * self.short, 0.10 * self.short);
        let count = (self.width / far) as i32 / 2 + 3;
        let joints = (-count..=count)
            .fold(Pen::default(), |pen, j| pen.to(middle + j as f32 * far, top).line(middle + j as f32 * near, bottom + 9.0));
        joints.stroke(c, 0.0028 * self.short, &Ink::flat(Rgb([0.12, 0.05, 0.03]), 0.45));
        c.rect(
            Area { top, bottom: top + 0.05 * self.short, ..self.whole() },
            &Ink::linear([0.0, top], [0.0, top + 0.05 * self.short], &[(Rgb::BLACK, 0.45), (Rgb::BLACK, 0.0)]),
        );
    }

    /// A side curtain from the frame's edge at `x`, drawn aside in its lower half.
    fn wing(&self, c: &mut Canvas, x: f32, reach: f32, cloth: Rgb) {
        let foot = self.horizon + 0.10 * (self.height - self.horizon);
        let (waist, edge) = (0.60 * foot, x - reach.signum() * 12.0);
        let outline = |share: f32| {
            let r = reach * share;
            [
                [x + 1.25 * r, -9.0],
                [x + 1.15 * r, 0.3 * waist],
                [x + 0.62 * r, 0.8 * waist],
                [x + 0.52 * r, waist],
                [x + 0.62 * r, waist + 0.3 * (foot - waist)],
                [x + 0.86 * r, foot],
            ]
        };
        let [a, b, d, e, f, g] = outline(1.0);
        let ink = Ink::linear(
            [x, 0.0],
            [x + 1.25 * reach, 0.0],
            &[(cloth.times(0.45), 1.0), (cloth, 1.0), (cloth.mix(Rgb::WHITE, 0.14), 1.0), (cloth.times(0.7), 1.0)],
        );
        Pen::at(edge, -9.0).line(a[0], a[1]).cubic(b, d, e[0], e[1]).cubic(f, f, g[0], g[1]).line(edge, foot).close().fill(c, &ink);
        let mut folds = Pen::default();
        for share in [0.2, 0.4, 0.6, 0.8] {
            let [a, b, d, e, f, g] = outline(share);
            folds = folds.to(a[0], a[1]).cubic(b, d, e[0], e[1]).cubic(f, f, g[0], g[1]);
        }
        folds.stroke(c, 0.010 * self.short, &Ink::flat(cloth.times(0.45), 0.55));
        let gold = Rgb::hex(0xe8b84a);
        Pen::at(edge, waist - 0.01 * foot).quad([x + 0.3 * reach, waist + 0.02 * foot], x + 0.54 * reach, waist).stroke(
            c,
            0.018 * self.short,
            &Ink::flat(gold, 1.0),
        );
    }

    /// The scalloped cloth along the top.
    fn pelmet(&self, c: &mut Canvas, cloth: Rgb) {
        let deep = 0.11 * self.rise();
        let count = (self.width / (0.22 * self.short)).round().max(3.0);
        let step = (self.width + 18.0) / count;
        let mut fringe = Pen::default();
        for j in 0..count as usize {
            let left = -9.0 + step * j as f32;
            let ink = Ink::linear(
                [left, 0.0],
                [left + step, 0.0],
                &[(cloth.times(0.55), 1.0), (cloth.mix(Rgb::WHITE, 0.10), 1.0), (cloth, 1.0), (cloth.times(0.55), 1.0)],
            );
            Pen::at(left, -9.0)
                .line(left + step, -9.0)
                .line(left + step, 0.55 * deep)
                .quad([left + 0.5 * step, 1.55 * deep], left, 0.55 * deep)
                .close()
                .fill(c, &ink);
            fringe = fringe.to(left, 0.55 * deep).quad([left + 0.5 * step, 1.55 * deep], left + step, 0.55 * deep);
        }
        fringe.stroke(c, 0.014 * self.short, &Ink::flat(Rgb::hex(0xe8b84a), 1.0));
    }

    fn footlights(&self, c: &mut Canvas, height: f32) {
        let count = (self.width / (0.13 * self.short)).round();
        for j in 0..count as usize {
            let x = self.width * (j as f32 + 0.5) / count;
            c.puff(x, height, 0.07 * self.short, 0.06 * self.short, Rgb([1.0, 0.80, 0.45]), 0.40, Puff { add: true, firm: false });
        }
    }

    /// Beams that swing; painted coarsely and stretched, for they are soft.
    pub(super) fn spotlights(&self, c: &mut Canvas, m: &Moment) {
        let (horizon, short) = (self.horizon, self.short);
        let floor = horizon + 0.42 * (self.height - horizon);
        let cell = short / FINE;
        let (columns, rows) = ((self.width / cell) as usize + 2, (floor / cell) as usize + 1);
        let beams = self.beams(m.t);
        let pixels = (0..rows * columns)
            .map(|index| {
                let (x, y) = (((index % columns) as f32 + 0.5) * cell, ((index / columns) as f32 + 0.5) * cell);
                let down = (y / floor).clamp(0.0, 1.0);
                let mut light = [0.0f32; 3];
                for (hue, start, end) in &beams {
                    let (middle, half) = (start + (end - start) * down, short * (0.018 + 0.135 * down));
                    let inside = (3.0 * (1.0 - (x - middle).abs() / half)).clamp(0.0, 1.0) * (0.46 - 0.36 * down);
                    light = std::array::from_fn(|channel| light[channel] + hue.0[channel] * inside);
                }
                let [r, g, b] = light.map(|value| value.min(1.0));
                let alpha = r.max(g).max(b);
                [r, g, b, alpha].map(|value| (255.0 * value) as u8)
            })
            .collect();
        let picture = Picture { width: columns, height: rows, pixels };
        c.picture(&picture, Area { left: 0.0, top: 0.0, right: columns as f32 * cell, bottom: rows as f32 * cell }, Tint::NONE, 1.0);
        for (hue, _, end) in beams {
            let half = 0.15 * short;
            c.oval(about(end, floor, 1.05 * half, 0.30 * half), &Ink::flat(hue, 0.26).adding());
            c.puff(end, floor, 1.5 * half, 0.42 * half, hue, 0.20, Puff { add: true, firm: false });
        }
    }

    /// Colour of each beam, and where it starts above and ends on the floor, in pixels.
    fn beams(&self, t: f32) -> [(Rgb, f32, f32); 4] {
        std::array::from_fn(|j| {
            let start = self.width * (0.14 + 0.24 * j as f32);
            (Rgb(LIGHTS[j]), start, self.width * (0.5 + 0.30 * (0.9 * t + 1.7 * j as f32).sin()))
        })
    }
}
