//! Under a roof for show: the ring of a circus, a disco.

use crate::canvas::{Ink, Rgb};
use crate::paint::scenery::Layers;
use crate::paint::shape::{Pen, area};

impl Layers<'_> {
    pub(super) fn circus(&mut self) {
        let (unit, horizon) = (self.unit(), self.film.horizon);
        self.enclosing(|l| {
            let (top, foot) = (-0.35 * unit, horizon + 0.05 * unit);
            let centre = [l.middle(), top];
            let reach = (l.b - l.a).max(2.0 * unit);
            let count = 28;
            for j in 0..count {
                let at = |k: usize| [l.middle() + reach * (k as f32 / count as f32 - 0.5) * 1.6, foot];
                l.shape(&[centre, at(j), at(j + 1)], if j % 2 == 0 { 0xc9353f } else { 0xf2d9a0 });
            }
            let shade = Ink::linear([0.0, -9.0], [0.0, foot], &[(Rgb([0.16, 0.02, 0.10]), 0.60), (Rgb([0.16, 0.02, 0.10]), 0.20)]);
            l.c.rect(area(l.a, -9.0, l.b - l.a, foot + 60.0), &shade);
            l.block([l.a, horizon - 0.30 * unit, l.b, foot], 0x4a2740);
            l.crowd([horizon - 0.29 * unit, horizon - 0.02 * unit], 4);
            l.garlands(horizon - 0.66 * unit, 0.7 * unit, 0.08 * unit, true);
        });
        self.grounds(2.0, |l| {
            l.even(0x9a5a3c);
            let (short, depth) = (l.film.short, l.ground_depth());
            let x = l.middle();
            let wide = (0.5 * l.film.width).min(1.1 * short) * 1.02;
            let y = l.down(0.52);
            let rim = l.tone(0xe0b23c);
            Pen::default().oval(x, y, wide, 0.44 * depth).fill(l.c, &Ink::flat(l.tone(0xc9353f), 1.0));
            Pen::default().oval(x, y - 0.03 * depth, wide, 0.44 * depth).fill(l.c, &Ink::flat(rim, 1.0));
            Pen::default().oval(x, y - 0.01 * depth, 0.95 * wide, 0.405 * depth).fill(l.c, &Ink::flat(l.tone(0xf0cf92), 1.0));
            for side in [-1.0, 1.0] {
                let lamp = [x + side * 0.46 * l.film.width, -0.05 * unit];
                l.beam(lamp, [x + side * 0.10 * l.film.width, l.down(0.5)], 0.34 * unit, Rgb([1.0, 0.95, 0.75]), 0.34);
            }
            l.pool_of_light([x, l.down(0.52)], 0.6 * wide, 0.3 * depth, Rgb([1.0, 0.92, 0.7]), 0.35);
            for side in [-1.0, 1.0] {
                let px = x + side * 0.93 * 0.5 * l.film.width;
                l.bar([px, l.down(0.10)], [px, -9.0], 0.03 * unit, 0xf2d9a0);
            }
        });
    }

    pub(super) fn disco(&mut self) {
        let (unit, horizon, short) = (self.unit(), self.film.horizon, self.film.short);
        const LIGHTS: [Rgb; 5] =
            [Rgb([1.0, 0.25, 0.65]), Rgb([0.25, 0.85, 1.0]), Rgb([1.0, 0.82, 0.25]), Rgb([0.55, 0.35, 1.0]), Rgb([0.35, 1.0, 0.55])];
        self.enclosing(|l| {
            let ink = Ink::linear([0.0, -9.0], [0.0, horizon], &[(Rgb::hex(0x120a2e), 1.0), (Rgb::hex(0x3a1a5e), 1.0)]);
            l.c.rect(area(l.a, -9.0, l.b - l.a, l.bottom + 20.0), &ink);
            for (j, x) in l.every(0.16 * unit, 0.0) {
                for k in 0..5 {
                    let colour = LIGHTS[(j + 2 * k).rem_euclid(5) as usize];
                    let y = horizon - (0.10 + 0.13 * k as f32) * unit;
                    let on = l.random.chance(0.45);
                    let ink = Ink::flat(colour, if on { 0.75 } else { 0.12 });
                    l.c.round_rect(area(x + 0.02 * unit, y - 0.05 * unit, 0.12 * unit, 0.09 * unit), 0.015 * unit, &ink);
                }
            }
            for side in [-1.0, 1.0] {
                let x = l.middle() + side * 0.43 * l.film.width;
                for (dy, r) in [(0.14, 0.09), (0.38, 0.11)] {
                    let ink = Ink::flat(Rgb::hex(0x15121f), 1.0);
                    l.c.round_rect(area(x - 0.15 * unit, horizon - (dy + 0.14) * unit, 0.30 * unit, 0.27 * unit), 0.02 * unit, &ink);
                    Pen::default().circle(x, horizon - dy * unit, r * unit).fill(l.c, &Ink::flat(Rgb::hex(0x3f3a52), 1.0));
                    Pen::default().circle(x, horizon - dy * unit, 0.4 * r * unit).fill(l.c, &Ink::flat(Rgb::hex(0x8a84a0), 1.0));
                }
            }
        });
        self.grounds(2.2, |l| {
            let (rows, wide) = (7usize, 0.22);
            let reach = ((l.b - l.a) / (0.58 * wide * short)) as i32 / 2 + 2;
            for row in 0..rows {
                let at = |k: usize| (k as f32 / rows as f32).powf(1.5) * 1.12;
                for column in -reach..=reach {
                    let u = column as f32 * wide;
                    let corners = [[u, at(row)], [u + wide, at(row)], [u + wide, at(row + 1)], [u, at(row + 1)]];
                    let colour = LIGHTS[(column + 2 * row as i32).rem_euclid(5) as usize];
                    let dark = if l.random.chance(0.5) { 0.75 } else { 0.35 };
                    let tile = Rgb::hex(0x1a1236).mix(colour, dark);
                    Pen::default().polygon(&corners.map(|[u, v]| l.spot(u, v))).fill(l.c, &Ink::flat(tile, 1.0));
                    Pen::default().polygon(&corners.map(|[u, v]| l.spot(u, v))).stroke(
                        l.c,
                        0.004 * short,
                        &Ink::flat(Rgb::hex(0x0d0820), 1.0),
                    );
                }
            }
            let ball = [l.middle(), 0.20 * horizon];
            for (j, share) in [-0.8, -0.45, 0.0, 0.42, 0.8].into_iter().enumerate() {
                let to = [l.middle() + share * 0.6 * l.film.width, l.down(0.4)];
                l.beam([ball[0] + 0.1 * share * unit, ball[1]], to, 0.20 * unit, LIGHTS[j], 0.42);
            }
            let radius = 0.11 * unit;
            l.bar([ball[0], -9.0], [ball[0], ball[1]], 0.008 * unit, 0xb9b4c8);
            l.glow(ball[0], ball[1], 3.0 * radius, Rgb([0.9, 0.9, 1.0]), 0.4);
            let silver = Ink::linear(
                [ball[0] - radius, ball[1] - radius],
                [ball[0] + radius, ball[1] + radius],
                &[(Rgb::WHITE, 1.0), (Rgb::hex(0x8f8ab0), 1.0)],
            );
            Pen::default().circle(ball[0], ball[1], radius).fill(l.c, &silver);
            let mut facets = Pen::default();
            for j in 1..6 {
                let t = 2.0 * j as f32 / 6.0 - 1.0;
                let half = radius * (1.0 - t * t).sqrt();
                facets = facets.to(ball[0] - half, ball[1] + t * radius).line(ball[0] + half, ball[1] + t * radius);
                facets = facets.to(ball[0], ball[1] - radius).quad([ball[0] + 2.0 * t * radius, ball[1]], ball[0], ball[1] + radius);
            }
            facets.stroke(l.c, 0.006 * unit, &Ink::flat(Rgb::hex(0x5a5480), 0.8));
            let mut sparks = Pen::default();
            for x in l.along(9.0) {
                let y = l.random.within(0.02, 1.0) * horizon;
                sparks = sparks.circle(x, y, short * l.random.within(0.003, 0.008));
            }
            sparks.fill(l.c, &Ink::flat(Rgb([0.95, 0.95, 1.0]), 0.55).adding());
        });
    }
}
