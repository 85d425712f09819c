//! Gym, shop and cafe.

use crate::canvas::{Canvas, Ink, Rgb};
use crate::paint::film::Film;
use crate::paint::shape::{Pen, area};
use crate::paint::things::Stamp;

const GOODS: [&str; 12] = [
    "red-apple",
    "bread",
    "teddy-bear",
    "cheese-wedge",
    "watermelon",
    "glass-of-milk",
    "wrapped-gift",
    "lotion-bottle",
    "canned-food",
    "books",
    "banana",
    "bouquet",
];
const SWEETS: [&str; 6] = ["croissant", "shortcake", "doughnut", "cupcake", "pie", "pretzel"];

impl Film {
    pub(super) fn gym(&self, c: &mut Canvas) {
        let (short, horizon) = (self.short, self.horizon);
        let (_, away) = self.room_with_window(c, 0xdfe6e8);
        self.boards(c);
        let (wood, steel) = (self.wall(0xc98f54), self.wall(0x4a505c));
        // Wall bars.
        let (x, top, span) = (away(0.16), self.up_the_wall(0.90), 0.17 * short);
        let rungs = (0..11).fold(Pen::default(), |pen, j| {
            let y = top + (horizon - top) * j as f32 / 11.0;
            pen.to(x - span, y).line(x + span, y)
        });
        rungs.stroke(c, 0.014 * short, &Ink::flat(wood.mix(Rgb::WHITE, 0.15), 1.0));
        for side in [-1.0, 0.0, 1.0] {
            Pen::at(x + side * span, top).line(x + side * span, horizon).stroke(c, 0.022 * short, &Ink::flat(wood, 1.0));
        }
        // A rack of dumbbells.
        let (rack, foot) = (away(0.46), horizon + 0.02 * short);
        for (level, hexes) in [(0.06, [0xe0524a, 0x3f7fd0, 0x2f2f38]), (0.15, [0xf2b43c, 0x49a85c, 0x8a5bd0])] {
            let y = foot - level * short;
            c.rect(area(rack - 0.17 * short, y, 0.34 * short, 0.016 * short), &Ink::flat(steel, 1.0));
            for (j, hex) in hexes.into_iter().enumerate() {
                let at = rack + (j as f32 - 1.0) * 0.11 * short;
                Pen::at(at - 0.03 * short, y - 0.018 * short).line(at + 0.03 * short, y - 0.018 * short).stroke(
                    c,
                    0.010 * short,
                    &Ink::flat(steel, 1.0),
                );
                for side in [-1.0, 1.0] {
                    c.round_rect(
                        area(at + side * 0.034 * short - 0.012 * short, y - 0.038 * short, 0.024 * short, 0.038 * short),
                        0.006 * short,
                        &Ink::flat(self.wall(hex), 1.0),
                    );
                }
            }
        }
        for side in [-1.0, 1.0] {
            Pen::at(rack + side * 0.15 * short, foot - 0.15 * short).line(rack + side * 0.15 * short, foot).stroke(
                c,
                0.016 * short,
                &Ink::flat(steel, 1.0),
            );
        }
        // A mat on the floor and a bag that hangs.
        let (middle, depth) = (self.width / 2.0, self.height - horizon);
        let mat = [[-0.52, 0.30], [0.52, 0.30], [0.66, 0.92], [-0.66, 0.92]].map(|[u, v]| [middle + u * short, horizon + v * depth]);
        Pen::default().polygon(&mat).fill(c, &Ink::flat(self.light.lit(Rgb::hex(0x3f78c4)), 1.0));
        Pen::default().polygon(&mat.map(|[x, y]| [middle + 0.92 * (x - middle), y])).stroke(c, 0.006 * short, &Ink::flat(Rgb::WHITE, 0.6));
        let (bag, low) = (away(0.90), self.up_the_wall(0.30));
        Pen::at(bag, -9.0).line(bag, low - 0.30 * short).stroke(c, 0.008 * short, &Ink::flat(steel, 1.0));
        let red = self.wall(0xc2423e);
        let ink =
            Ink::linear([bag - 0.06 * short, 0.0], [bag + 0.06 * short, 0.0], &[(red.mix(Rgb::WHITE, 0.2), 1.0), (red.times(0.7), 1.0)]);
        c.round_rect(area(bag - 0.06 * short, low - 0.30 * short, 0.12 * short, 0.30 * short), 0.045 * short, &ink);
    }

    pub(super) fn shop(&self, c: &mut Canvas) {
        let (short, width, horizon, rise) = (self.short, self.width, self.horizon, self.rise());
        self.plain_wall(c, [0xf6e2b8, 0xcfe6ea, 0xe3d9f2, 0xd6ead0][(self.seed % 4) as usize]);
        self.tiled_floor(c, 0xf2efe8, 0xd9d4cb);
        // Shelves of goods, with a gap between them, and a striped awning over all.
        let (span, gap) = (0.52 * short, 0.07 * short);
        let count = (width / (span + gap)).ceil() as i32 + 1;
        let back = self.wall(0x9c6b45);
        for j in -count / 2..=count / 2 {
            let x = width / 2.0 + j as f32 * (span + gap) - span / 2.0;
            c.rect(area(x, horizon - 0.70 * rise, span, 0.72 * rise), &Ink::flat(back.times(0.72), 1.0));
            for level in 0..4 {
                let y = horizon - (0.03 + 0.165 * level as f32) * rise;
                self.row(c, &GOODS, [x, y], span, (0.125 * rise).min(0.10 * short), 680 + (j + 4096) as u64 * 8 + level);
                self.wall_board(c, [x, y], span, 0xb57d4e);
            }
            for edge in [x - 0.008 * short, x + span - 0.008 * short] {
                c.rect(area(edge, horizon - 0.71 * rise, 0.016 * short, 0.735 * rise), &Ink::flat(back, 1.0));
            }
        }
        let (stripe, low) = (0.10 * short, horizon - 0.80 * rise);
        for j in 0..(width / stripe) as i32 + 1 {
            let (x, hex) = (j as f32 * stripe, if j % 2 == 0 { 0xd9483f } else { 0xfbf6ee });
            Pen::default()
                .rect(x, -9.0, x + stripe + 0.5, low)
                .oval(x + stripe / 2.0, low, stripe / 2.0, 0.35 * stripe)
                .fill(c, &Ink::flat(self.wall(hex), 1.0));
        }
    }

    pub(super) fn cafe(&self, c: &mut Canvas) {
        let (short, width) = (self.short, self.width);
        let (hole, away) = self.room_with_window(c, [0xd9a583, 0xa9c2b0, 0xcdb8a0, 0xc79aa0][(self.seed % 4) as usize]);
        self.boards(c);
        // A board with what there is, written in chalk.
        let (x, y) = (away(0.24), self.up_the_wall(0.70));
        let (half, high) = (0.17 * short, 0.11 * short);
        c.rect(area(x - 1.07 * half, y - 1.1 * high, 2.14 * half, 2.2 * high), &Ink::flat(self.wall(0x7a5032), 1.0));
        c.rect(area(x - half, y - high, 2.0 * half, 2.0 * high), &Ink::flat(self.wall(0x2d3436), 1.0));
        let lines = [(-0.55, 0.7), (-0.15, 0.5), (0.2, 0.62), (0.55, 0.4)].iter().fold(Pen::default(), |pen, (at, long)| {
            pen.to(x - 0.75 * half, y + at * high)
                .line(x + (long - 0.6) * half, y + at * high)
                .to(x + 0.55 * half, y + at * high)
                .line(x + 0.75 * half, y + at * high)
        });
        lines.stroke(c, 0.008 * short, &Ink::flat(self.wall(0xf4f1e6), 0.9));
        let top = self.counter(c, 0x8a5a3c, 0xe8d6b8);
        self.row(c, &SWEETS, [away(0.30) - 0.17 * short, top], 0.34 * short, 0.085 * short, 690);
        // The machine.
        let (x, steel) = (away(0.10), self.wall(0xb8c0c8));
        c.round_rect(area(x - 0.07 * short, top - 0.15 * short, 0.14 * short, 0.15 * short), 0.015 * short, &Ink::flat(steel, 1.0));
        c.rect(area(x - 0.05 * short, top - 0.085 * short, 0.10 * short, 0.085 * short), &Ink::flat(self.wall(0x3a3f48), 1.0));
        self.stamp(c, "hot-beverage", Stamp::at(x, top, 0.06 * short));
        for share in [0.28, 0.5, 0.72] {
            self.pendant(c, width * share, 0.16 * self.height.min(1.4 * short), 0.10 * short, 0xe0a03c);
        }
        self.sunlight(c, hole);
    }
}
