//! What stands and floats at the water's edge: boats, posts, railings, sails, parasols, slides.

use crate::canvas::{Ink, Rgb};
use crate::paint::scenery::Layer;
use crate::paint::shape::Pen;

impl Layer<'_> {
    /// Paving from a depth on, and water behind it.
    pub(super) fn waterside(&mut self, v: f32, paving: u32, [deep, pale]: [u32; 2]) {
        let (edge, short) = (self.down(v), self.film.short);
        self.slabs(paving, 0.26);
        self.basin([self.film.horizon, edge], deep, pale);
        self.block([self.a, edge - 0.006 * short, self.b, edge + 0.016 * short], 0xddd6ca);
    }

    /// Boats along a line, the highest mast `size`.
    pub(super) fn moored(&mut self, foot: f32, size: f32) {
        for (j, x) in self.every(1.4 * size, 0.3) {
            let (name, share) = [("sailboat", 1.0), ("motor-boat", 0.5), ("sailboat", 0.86), ("speedboat", 0.4)][j.rem_euclid(4) as usize];
            self.put(name, [x, foot], share * size);
        }
    }

    pub(super) fn barrel(&mut self, [x, foot]: [f32; 2], high: f32) {
        let (wood, half) = (self.tone(0x9a6238), 0.34 * high);
        let ink = Ink::linear([x - half, 0.0], [x + half, 0.0], &[(wood.mix(Rgb::WHITE, 0.22), 1.0), (wood, 1.0), (wood.times(0.68), 1.0)]);
        Pen::at(x - 0.8 * half, foot)
            .quad([x - 1.25 * half, foot - 0.5 * high], x - 0.8 * half, foot - high)
            .line(x + 0.8 * half, foot - high)
            .quad([x + 1.25 * half, foot - 0.5 * high], x + 0.8 * half, foot)
            .close()
            .fill(self.c, &ink);
        for up in [0.2, 0.8] {
            self.bar([x - 0.94 * half, foot - up * high], [x + 0.94 * half, foot - up * high], 0.06 * high, 0x4d4038);
        }
        self.oval([x, foot - high], 0.8 * half, 0.07 * high, 0xc98f55);
    }

    pub(super) fn bollard(&mut self, [x, foot]: [f32; 2], size: f32) {
        self.block([x - 0.28 * size, foot - 0.8 * size, x + 0.28 * size, foot], 0x3b434d);
        self.oval([x, foot - 0.85 * size], 0.42 * size, 0.2 * size, 0x4d5762);
    }

    pub(super) fn mooring_post(&mut self, [x, foot]: [f32; 2], high: f32) {
        let half = 0.035 * high;
        for j in 0..7 {
            let y = foot - high * j as f32 / 7.0;
            self.block([x - half, y - high / 7.0, x + half, y], if j % 2 == 0 { 0x2f5fa8 } else { 0xf7f3ea });
        }
        self.oval([x, foot - high], 1.3 * half, 1.3 * half, 0xe8b03a);
    }

    pub(super) fn gondola(&mut self, [x, y]: [f32; 2], long: f32) {
        if self.film.casts("gondola") || self.film.casts("canoe") {
            return;
        }
        let hull = Ink::flat(self.tone(0x23222e), 1.0);
        Pen::at(x - 0.5 * long, y - 0.20 * long)
            .cubic([x - 0.40 * long, y + 0.02 * long], [x - 0.25 * long, y + 0.04 * long], x, y + 0.04 * long)
            .cubic([x + 0.28 * long, y + 0.04 * long], [x + 0.42 * long, y], x + 0.52 * long, y - 0.14 * long)
            .cubic([x + 0.36 * long, y - 0.03 * long], [x + 0.2 * long, y - 0.03 * long], x, y - 0.03 * long)
            .cubic([x - 0.25 * long, y - 0.03 * long], [x - 0.40 * long, y - 0.05 * long], x - 0.5 * long, y - 0.20 * long)
            .close()
            .fill(self.c, &hull);
        self.block([x - 0.12 * long, y - 0.09 * long, x + 0.10 * long, y - 0.02 * long], 0xc9353a);
    }

    /// A small arched bridge seen from the side.
    pub(super) fn stone_bridge(&mut self, [x, foot]: [f32; 2], long: f32) {
        let stone = self.tone(0xe3d6c2);
        let arch = |pen: Pen, half: f32, high: f32| {
            pen.to(x - half, foot).cubic([x - 0.5 * half, foot - 1.3 * high], [x + 0.5 * half, foot - 1.3 * high], x + half, foot)
        };
        let (half, high) = (0.5 * long, 0.36 * long);
        arch(Pen::default(), 1.25 * half, high).close().fill(self.c, &Ink::flat(stone, 1.0));
        let dark = self.tone(0x3f6f78);
        arch(Pen::default(), 0.72 * half, 0.62 * high).close().fill(self.c, &Ink::flat(dark, 1.0));
        arch(Pen::default(), 1.25 * half, high).stroke(self.c, 0.035 * long, &Ink::flat(stone.times(0.85), 1.0));
    }

    /// Railings at the edge of a deck, but for the gap between two places.
    pub(super) fn pier_rails(&mut self, gap: [f32; 2], foot: f32, high: f32) {
        for [from, to] in [[self.a, gap[0]], [gap[1], self.b]] {
            for up in [0.55, 1.0] {
                self.bar([from, foot - up * high], [to, foot - up * high], 0.09 * high, 0xf2ece0);
            }
            for (_, x) in self.every(0.9 * high, 0.0) {
                if x >= from && x <= to {
                    self.bar([x, foot + 0.05 * high], [x, foot - 1.08 * high], 0.12 * high, 0xf2ece0);
                }
            }
        }
        for x in gap {
            self.bar([x, foot + 0.05 * high], [x, foot - 1.12 * high], 0.14 * high, 0xf2ece0);
        }
    }

    /// A mast with two sails and its shrouds.
    pub(super) fn rigging(&mut self, foot: f32) {
        let (x, unit) = (self.aside(0.42), self.fit(0.80));
        self.bar([x, foot], [x, -20.0], 0.055 * unit, 0x7a5236);
        for side in [-1.0, 1.0] {
            for reach in [0.50, 0.66, 0.82] {
                self.bar([x + side * reach * unit, foot], [x, foot - 1.1 * unit], 0.010 * unit, 0x5a4030);
            }
        }
        for (low, high, wide) in [(0.34, 0.76, 0.62), (0.80, 1.14, 0.50)] {
            let (y0, y1) = (foot - low * unit, foot - high * unit);
            self.bar([x - 1.05 * wide * unit, y1], [x + 1.05 * wide * unit, y1], 0.03 * unit, 0x7a5236);
            let (sail, shade) = (self.tone(0xfbf4e4), self.tone(0xdccfb4));
            Pen::at(x - wide * unit, y1)
                .line(x + wide * unit, y1)
                .quad([x + 1.06 * wide * unit, 0.5 * (y0 + y1)], x + 0.92 * wide * unit, y0)
                .quad([x, y0 - 0.12 * unit], x - 0.92 * wide * unit, y0)
                .quad([x - 0.86 * wide * unit, 0.5 * (y0 + y1)], x - wide * unit, y1)
                .close()
                .fill(self.c, &Ink::linear([x - wide * unit, 0.0], [x + wide * unit, 0.0], &[(sail, 1.0), (sail, 1.0), (shade, 1.0)]));
        }
    }

    pub(super) fn parasol(&mut self, [x, foot]: [f32; 2], high: f32, hex: u32) {
        self.bar([x, foot], [x, foot - high], 0.03 * high, 0xe8e0d0);
        let (half, y) = (0.52 * high, foot - 0.70 * high);
        let dome = |l: f32, r: f32| {
            Pen::at(x + l * half, y)
                .quad([x + 0.75 * l * half, foot - 1.04 * high], x, foot - 1.04 * high)
                .quad([x + 0.75 * r * half, foot - 1.04 * high], x + r * half, y)
                .close()
        };
        let (one, two) = (Ink::flat(self.tone(hex), 1.0), Ink::flat(self.tone(0xfdf8ec), 1.0));
        dome(-1.0, 1.0).fill(self.c, &one);
        dome(-0.55, 0.55).fill(self.c, &two);
        dome(-0.18, 0.18).fill(self.c, &one);
    }

    pub(super) fn lounger(&mut self, [x, foot]: [f32; 2], long: f32) {
        self.bar([x - 0.1 * long, foot - 0.22 * long], [x + 0.8 * long, foot - 0.22 * long], 0.13 * long, 0xfdf8ec);
        self.bar([x - 0.1 * long, foot - 0.22 * long], [x - 0.42 * long, foot - 0.52 * long], 0.13 * long, 0xfdf8ec);
        for leg in [0.0, 0.7] {
            self.bar([x + leg * long, foot - 0.2 * long], [x + leg * long, foot], 0.05 * long, 0xb9c2cc);
        }
    }

    /// A tower with two slides that wind down.
    pub(super) fn water_slides(&mut self, foot: f32, high: f32) {
        let (x, s) = (self.aside(0.60), -self.side());
        for leg in [-0.09, 0.09] {
            self.bar([x + leg * high, foot], [x + leg * high, foot - high], 0.03 * high, 0xdde5ec);
        }
        for j in 1..6 {
            let y = foot - high * j as f32 / 6.0;
            self.bar([x - 0.09 * high, y], [x + 0.09 * high, y - 0.1 * high], 0.016 * high, 0xb9c6d2);
        }
        for (hex, start, reach) in [(0xf2b632, 0.86, 0.98), (0xe8483f, 0.62, 0.66)] {
            let y = foot - start * high;
            for (wide, tint) in [(0.11, 0.0), (0.05, 0.35)] {
                let ink = Ink::flat(self.tone(hex).mix(Rgb::WHITE, tint), 1.0);
                Pen::at(x, y)
                    .cubic(
                        [x + s * 0.9 * reach * high, y + 0.02 * high],
                        [x + s * 0.75 * reach * high, y + 0.30 * high],
                        x + s * 0.35 * reach * high,
                        y + 0.34 * high,
                    )
                    .cubic(
                        [x - s * 0.1 * high, y + 0.40 * high],
                        [x + s * 0.3 * reach * high, foot - 0.02 * high],
                        x + s * reach * high,
                        foot - 0.02 * high,
                    )
                    .stroke(self.c, wide * high, &ink);
            }
        }
        self.shape(&[[x - 0.17 * high, foot - high], [x, foot - 1.18 * high], [x + 0.17 * high, foot - high]], 0x2f8fd0);
    }
}
