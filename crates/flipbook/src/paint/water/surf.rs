//! The wave that carries a surfer: it rises behind the board, breaks over its lip and leaves white water.

use std::f32::consts::TAU;

use super::Water;
use crate::canvas::{Canvas, Ink, Puff};
use crate::paint::film::{Film, Moment};
use crate::paint::shape::Pen;
use crate::sprites::atlas;

impl Film {
    /// Whether a slot rides the waves on a board.
    pub(in crate::paint) fn surfs(&self, place: usize) -> bool {
        let board = self.brief.slots.get(place).is_some_and(|slot| atlas().get(slot.sprite).name == "surfboard");
        board || self.cast.figure(place).is_some_and(|figure| figure.manner.glides)
    }

    /// Draws the wave behind a surfer.
    pub(in crate::paint) fn surf(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let (Some(object), Some(pose)) = (self.layout.objects.get(place), m.poses.get(place)) else { return };
        let Water { deep, pale, foam } = self.tones_of_water();
        let (t, short) = (m.t, self.short);
        let way = if object.dir < 0.0 { -1.0 } else { 1.0 };
        // As high as who stands on it is, whatever that is.
        let longest = (pose.w * self.width).max(pose.h * self.height) * pose.scale;
        let high = (0.62 * longest).clamp(0.12 * short, 0.42 * short) * (1.0 + 0.05 * (1.3 * t).sin());
        let (x, base) = (pose.x * self.width, self.waterline(m, place) + 0.10 * high);
        let at = |u: f32, v: f32| [x + way * u * high, base - v * high];
        let ([ax, ay], [px, py], [lx, ly], [fx, fy]) = (at(-3.0, -0.03), at(-0.95, 1.0), at(-0.40, 0.92), at(2.1, -0.03));
        let wave = || {
            Pen::at(ax, ay)
                .cubic(at(-2.0, 0.02), at(-1.6, 0.95), px, py)
                .cubic(at(-0.75, 1.08), at(-0.50, 1.05), lx, ly)
                .cubic(at(-0.62, 0.42), at(0.25, 0.10), fx, fy)
                .close()
        };
        let inks = [(pale.mix(foam, 0.35), 1.0), (pale.mix(deep, 0.35), 1.0), (pale.mix(deep, 0.75), 1.0)];
        wave().fill(c, &Ink::linear([0.0, base - high], [0.0, base], &inks));
        // Lines up the face, along which the water is drawn.
        let mut lines = Pen::default();
        for j in 0..5 {
            let shift = (0.35 * t + j as f32 / 5.0).fract();
            let [sx, sy] = at(1.4 - 1.7 * shift, 0.05);
            let [ex, ey] = at(-0.42 - 0.25 * shift, 0.80 - 0.1 * shift);
            lines = lines.to(sx, sy).quad(at(0.25 - 0.8 * shift, 0.20), ex, ey);
        }
        lines.stroke(c, 0.02 * high, &Ink::flat(foam, 0.15));
        Pen::at(ax, ay).cubic(at(-2.0, 0.02), at(-1.6, 0.95), px, py).cubic(at(-0.75, 1.08), at(-0.50, 1.05), lx, ly).stroke(
            c,
            0.06 * high,
            &Ink::flat(foam, 0.85),
        );
        // White water tumbles from the lip backwards, spray flies off it.
        for j in 0..14 {
            let place = j as f32;
            let age = (0.8 * t + place / 14.0).fract();
            let [bx, by] = at(-0.45 - 1.6 * age, 0.98 - 0.75 * age * age + 0.10 * (2.7 * place).sin());
            let size = high * (0.07 + 0.10 * age);
            c.puff(bx, by, 1.3 * size, size, foam, 0.75 * (1.0 - age) * (6.0 * age).min(1.0), Puff { add: false, firm: true });
        }
        let mut drops = Pen::default();
        for j in 0..12 {
            let place = j as f32;
            let age = (1.1 * t + place / 12.0).fract();
            let lean = 0.5 + 0.5 * (TAU * 0.37 * place).sin();
            let [dx, dy] = at(-0.5 - 0.7 * age * lean, 1.0 + 0.5 * age * (0.5 + lean) - 0.8 * age * age);
            drops = drops.circle(dx, dy, high * 0.018 * (1.0 - 0.6 * age));
        }
        drops.fill(c, &Ink::flat(foam, 0.9));
    }
}
