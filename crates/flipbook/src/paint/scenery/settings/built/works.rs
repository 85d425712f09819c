//! Building site, schoolyard, the courtyard of a castle.

use crate::canvas::Ink;
use crate::paint::scenery::plants::Tree;
use crate::paint::scenery::{Layer, Layers};
use crate::paint::shape::Pen;

impl Layers<'_> {
    pub(super) fn construction_site(&mut self) {
        let (unit, horizon, short) = (self.unit(), self.film.horizon, self.film.short);
        let lights = self.film.lights_on();
        self.towers(0.05, 0.66, 0.44, lights * 0.6, 0.014, 0.0);
        self.behind(0.2, 0.16, 1.5, |l| l.crane([l.aside(0.66), horizon + 0.02 * short], l.fit(1.12) / 1.14));
        self.behind(0.34, 0.08, 0.9, |l| {
            l.shell([l.aside(-0.40), horizon + 0.02 * short], l.fit(0.62) / 1.1);
        });
        self.grounds(0.3, |l| {
            l.even(0xc9a274);
            let soil = l.soil(0xb58a5c);
            for x in l.along(2.4) {
                let (v, w) = (l.random.within(0.3, 1.0), l.random.within(0.10, 0.24) * short);
                Pen::default().oval(x, l.down(v), w, 0.09 * w).fill(l.c, &Ink::flat(soil, 0.55));
            }
            let heap = [l.aside(0.90), l.down(0.10)];
            Pen::at(heap[0] - 0.42 * unit, heap[1])
                .quad([heap[0] - 0.1 * unit, heap[1] - 0.5 * unit], heap[0] + 0.06 * unit, heap[1] - 0.20 * unit)
                .quad([heap[0] + 0.2 * unit, heap[1] - 0.16 * unit], heap[0] + 0.4 * unit, heap[1])
                .close()
                .fill(l.c, &Ink::flat(soil, 1.0));
            let foot = l.down(0.13);
            for (j, x) in l.every(0.46 * unit, 0.5) {
                if j.rem_euclid(3) == 0 {
                    l.cone_of_rubber([x, foot], 0.15 * unit);
                } else {
                    l.barrier([x, foot], 0.20 * unit);
                }
            }
            l.stack_of_bricks([l.aside(-0.86), l.down(0.17)], 0.24 * unit);
        });
    }

    pub(super) fn schoolyard(&mut self) {
        let (unit, horizon, short) = (self.unit(), self.film.horizon, self.film.short);
        self.far_hills(0.06, 0.60, 0x6fa9a0, [0.02, 0.14]);
        self.tree_line(0.18, 0.28, self.leafy(&[Tree::Round]), 5.0, 0.30, 0.0);
        self.behind(0.34, 0.06, 1.0, |l| l.school_front([l.middle(), horizon + 0.015 * short], l.fit(0.94) / 0.94));
        self.tree_line(0.45, 0.04, self.leafy(&[Tree::Round]), 0.9, 0.34, 0.0);
        self.grounds(0.5, |l| {
            l.even(0x9ba1a9);
            l.railing(l.down(0.05), 0.12 * unit, 0.05 * unit, 0x3f7f5f);
            let squares = [[0.0, 0.0], [0.0, 1.0], [-0.5, 2.0], [0.5, 2.0], [0.0, 3.0], [-0.5, 4.0], [0.5, 4.0]];
            let x = 0.30 * l.film.width / short * l.side();
            for (j, [du, row]) in squares.into_iter().enumerate() {
                let (v, w) = (0.94 - 0.13 * row, 0.075);
                let u = x + 2.0 * w * du;
                l.marking(
                    &[[u - w, v], [u + w, v], [u + w, v - 0.12], [u - w, v - 0.12], [u - w, v]],
                    [0xfff3a0, 0xffb0c8, 0xa8e4ff][j % 3],
                );
            }
            l.circle(-x, 0.6, 0.24, 0xfdfbf2);
        });
    }

    pub(super) fn courtyard(&mut self) {
        let (unit, horizon, short) = (self.unit(), self.film.horizon, self.film.short);
        self.behind(0.14, 0.22, 1.7, |l| {
            let (stone, roof) = (l.tone(0xb3acb8), l.tone(0xb84a4a));
            let high = l.fit(1.0);
            l.tower_of_castle(l.middle() + l.side() * 0.2 * unit, horizon, 0.20 * unit, 0.62 * high, stone, Some(roof));
        });
        self.behind(0.34, 0.04, 1.4, |l| {
            let stone = l.tone(0xc3bccb);
            let roof = l.tone(0xc9504e);
            let top = horizon - l.fit(0.46);
            l.brick_wall([l.a, top, l.b, horizon + 0.06 * short], 0.07 * unit, 0xbdb5c2);
            for (_, x) in l.every(0.15 * unit, 0.0) {
                l.block([x, top - 0.07 * unit, x + 0.085 * unit, top + 0.01 * unit], 0xc9c2ce);
                l.snow_on(x, x + 0.085 * unit, top - 0.07 * unit);
            }
            let gate = l.aside(-0.06);
            for (grow, hex) in [(1.22, 0x9a929f), (1.0, 0x3f3444)] {
                let (half, high) = (0.16 * unit * grow, 0.34 * unit);
                let ink = Ink::flat(l.tone(hex), 1.0);
                Pen::at(gate - half, horizon + 0.06 * short)
                    .line(gate - half, horizon - 0.5 * high)
                    .cubic(
                        [gate - half, horizon - 1.12 * grow * high],
                        [gate + half, horizon - 1.12 * grow * high],
                        gate + half,
                        horizon - 0.5 * high,
                    )
                    .line(gate + half, horizon + 0.06 * short)
                    .close()
                    .fill(l.c, &ink);
            }
            for j in -2..=2 {
                let x = gate + 0.055 * unit * j as f32;
                l.bar([x, horizon + 0.05 * short], [x, horizon - 0.30 * unit], 0.012 * unit, 0x7d7382);
            }
            for side in [-1.0, 1.0] {
                let x = l.middle() + side * (0.40 * l.film.width).max(0.3 * unit);
                l.tower_of_castle(x, horizon + 0.03 * short, 0.34 * unit, 0.74 * unit, stone, Some(roof));
                let (bx, by) = (gate + side * 0.36 * unit, horizon - 0.38 * unit);
                l.shape(
                    &[
                        [bx - 0.07 * unit, by],
                        [bx + 0.07 * unit, by],
                        [bx + 0.07 * unit, by + 0.26 * unit],
                        [bx, by + 0.20 * unit],
                        [bx - 0.07 * unit, by + 0.26 * unit],
                    ],
                    if side > 0.0 { 0x3f6fc0 } else { 0xc93a3f },
                );
                l.shape(
                    &[
                        [bx, by + 0.04 * unit],
                        [bx + 0.03 * unit, by + 0.09 * unit],
                        [bx, by + 0.14 * unit],
                        [bx - 0.03 * unit, by + 0.09 * unit],
                    ],
                    0xf2c93f,
                );
                let torch = [gate + side * 0.235 * unit, horizon - 0.22 * unit];
                l.bar([torch[0], torch[1] + 0.07 * unit], torch, 0.02 * unit, 0x5a4030);
                l.bulb(torch, 0.024 * unit, 0xff9a3a);
            }
        });
        self.grounds(0.2, |l| {
            l.cobbles(0xb0a69c);
            l.put("well", [l.aside(0.70), l.down(0.15)], 0.30 * unit);
        });
    }
}

impl Layer<'_> {
    fn crane(&mut self, [x, foot]: [f32; 2], high: f32) {
        let (yellow, w) = (0xe89a1f, 0.035 * high);
        for side in [-1.0, 1.0] {
            self.bar([x + side * w, foot], [x + side * w, foot - high], 0.014 * high, yellow);
        }
        for j in 0..12 {
            let (y, next) = (foot - high * j as f32 / 12.0, foot - high * (j + 1) as f32 / 12.0);
            let way = if j % 2 == 0 { w } else { -w };
            self.bar([x - way, y], [x + way, next], 0.010 * high, yellow);
        }
        let (top, s) = (foot - 0.98 * high, -self.side());
        let (tip, tail) = (x + s * 0.86 * high, x - s * 0.34 * high);
        for y in [top, top - 0.055 * high] {
            self.bar([tail, y], [tip, y], 0.013 * high, yellow);
        }
        for j in 0..16 {
            let at = |k: usize| tail + (tip - tail) * k as f32 / 16.0;
            let (one, two) = if j % 2 == 0 { (top, top - 0.055 * high) } else { (top - 0.055 * high, top) };
            self.bar([at(j), one], [at(j + 1), two], 0.008 * high, yellow);
        }
        self.bar([x, top - 0.16 * high], [x + s * 0.6 * high, top - 0.055 * high], 0.006 * high, 0x5d6672);
        self.bar([x, top - 0.16 * high], [tail, top - 0.055 * high], 0.006 * high, 0x5d6672);
        self.bar([x, top], [x, top - 0.16 * high], 0.016 * high, yellow);
        self.block([tail - 0.05 * high, top - 0.02 * high, tail + 0.05 * high, top + 0.09 * high], 0x7d848e);
        self.block([x - 0.045 * high, top + 0.01 * high, x + 0.045 * high, top + 0.10 * high], 0xf7d98a);
        let hook = x + s * 0.62 * high;
        self.bar([hook, top], [hook, foot - 0.52 * high], 0.006 * high, 0x3f4650);
        self.block([hook - 0.09 * high, foot - 0.52 * high, hook + 0.09 * high, foot - 0.48 * high], 0xb0563f);
    }

    /// A building that has no walls yet, with a scaffold before it.
    fn shell(&mut self, [x, foot]: [f32; 2], high: f32) {
        let half = 0.52 * high;
        self.block([x - half, foot - high, x + half, foot], 0x8a8580);
        for floor in 0..4 {
            let y = foot - high * (floor + 1) as f32 / 4.0;
            self.block([x - 1.06 * half, y, x + 1.06 * half, y + 0.045 * high], 0xcfc8be);
            for j in 0..4 {
                let px = x + half * (-0.9 + 0.6 * j as f32);
                self.block([px - 0.03 * high, y, px + 0.03 * high, y + 0.25 * high], 0xb9b2a8);
            }
        }
        for j in 0..5 {
            let px = x + half * (-1.1 + 0.55 * j as f32);
            self.bar([px, foot], [px, foot - 1.08 * high], 0.014 * high, 0xe08a3a);
        }
        for floor in 0..4 {
            let y = foot - high * (floor as f32 + 0.62) / 4.0;
            self.bar([x - 1.14 * half, y], [x + 1.14 * half, y], 0.022 * high, 0xd9a35c);
            self.bar([x - 1.1 * half, y - 0.11 * high], [x + 1.1 * half, y - 0.11 * high], 0.010 * high, 0xe08a3a);
        }
        self.snow_on(x - 1.06 * half, x + 1.06 * half, foot - high);
    }

    pub(super) fn barrier(&mut self, [x, foot]: [f32; 2], size: f32) {
        for side in [-1.0, 1.0] {
            self.bar([x + side * 0.62 * size, foot], [x + side * 0.62 * size, foot - size], 0.06 * size, 0x5d6672);
        }
        let (top, low) = (foot - 0.95 * size, foot - 0.55 * size);
        self.block([x - 0.9 * size, top, x + 0.9 * size, low], 0xfafafa);
        for j in 0..5 {
            let left = x + size * (-0.9 + 0.4 * j as f32);
            let shift = 0.14 * size;
            let right = (left + 0.2 * size).min(x + 0.9 * size);
            self.shape(
                &[
                    [left, low],
                    [right - 0.02 * size, low],
                    [(right + shift).min(x + 0.9 * size), top],
                    [(left + shift).min(x + 0.9 * size), top],
                ],
                0xe0452f,
            );
        }
        self.bulb([x - 0.7 * size, top - 0.08 * size], 0.09 * size, 0xffb02f);
    }

    fn cone_of_rubber(&mut self, [x, foot]: [f32; 2], size: f32) {
        self.block([x - 0.48 * size, foot - 0.1 * size, x + 0.48 * size, foot], 0xe0652f);
        self.shape(
            &[
                [x - 0.34 * size, foot - 0.08 * size],
                [x - 0.07 * size, foot - size],
                [x + 0.07 * size, foot - size],
                [x + 0.34 * size, foot - 0.08 * size],
            ],
            0xf0743a,
        );
        for (low, high) in [(0.30, 0.46), (0.62, 0.74)] {
            let w = |t: f32| 0.34 * size * (1.0 - t) + 0.06 * size * t;
            self.shape(
                &[
                    [x - w(low), foot - low * size],
                    [x - w(high), foot - high * size],
                    [x + w(high), foot - high * size],
                    [x + w(low), foot - low * size],
                ],
                0xffffff,
            );
        }
    }

    fn stack_of_bricks(&mut self, [x, foot]: [f32; 2], size: f32) {
        for row in 0..4 {
            for j in 0..(5 - row % 2) {
                let left = x + size * (-0.9 + 0.36 * j as f32 + 0.18 * (row % 2) as f32);
                let y = foot - 0.17 * size * row as f32;
                self.block([left, y - 0.155 * size, left + 0.34 * size, y], if (j + row) % 3 == 0 { 0xc96f54 } else { 0xb8604a });
            }
        }
    }

    fn school_front(&mut self, [x, foot]: [f32; 2], unit: f32) {
        let (half, top) = ((0.92 * unit).min(0.62 * self.film.width), foot - 0.42 * unit);
        self.brick_wall([x - half, top, x + half, foot], 0.028 * unit, 0xc97f62);
        self.block([x - 1.02 * half, top - 0.03 * unit, x + 1.02 * half, top + 0.02 * unit], 0xf3ead8);
        self.snow_on(x - half, x + half, top - 0.03 * unit);
        for floor in 0..2 {
            for j in 0..8 {
                let wx = x + half * (-0.86 + 0.246 * j as f32);
                if (wx - x).abs() < 0.24 * unit {
                    continue;
                }
                let y = top + unit * (0.07 + 0.185 * floor as f32);
                self.block([wx - 0.058 * unit, y - 0.01 * unit, wx + 0.058 * unit, y + 0.125 * unit], 0xfbf6ea);
                self.pane([wx - 0.048 * unit, y, wx + 0.048 * unit, y + 0.115 * unit]);
                self.bar([wx, y], [wx, y + 0.115 * unit], 0.008 * unit, 0xfbf6ea);
            }
        }
        let w = 0.22 * unit;
        self.block([x - w, top - 0.04 * unit, x + w, foot], 0xd98f72);
        self.shape(&[[x - 1.15 * w, top - 0.03 * unit], [x, top - 0.24 * unit], [x + 1.15 * w, top - 0.03 * unit]], 0x8a4a42);
        self.oval([x, top + 0.07 * unit], 0.075 * unit, 0.075 * unit, 0xfdfbf2);
        self.bar([x, top + 0.07 * unit], [x, top + 0.02 * unit], 0.010 * unit, 0x23262e);
        self.bar([x, top + 0.07 * unit], [x + 0.035 * unit, top + 0.085 * unit], 0.010 * unit, 0x23262e);
        for side in [-1.0, 1.0] {
            self.block([x + side * 0.055 * unit - 0.05 * unit, foot - 0.20 * unit, x + side * 0.055 * unit + 0.05 * unit, foot], 0x3f6f8a);
        }
        self.bar([x, top - 0.22 * unit], [x, top - 0.52 * unit], 0.010 * unit, 0xb4bac2);
        let flag = Ink::flat(self.tone(0xe8483f), 1.0);
        Pen::at(x, top - 0.52 * unit)
            .quad([x + 0.08 * unit, top - 0.56 * unit], x + 0.17 * unit, top - 0.50 * unit)
            .line(x + 0.17 * unit, top - 0.40 * unit)
            .quad([x + 0.08 * unit, top - 0.45 * unit], x, top - 0.41 * unit)
            .close()
            .fill(self.c, &flag);
    }
}
