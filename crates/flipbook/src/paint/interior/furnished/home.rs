//! Attic and bathroom.

use crate::canvas::{Canvas, Ink, Rgb};
use crate::paint::film::Film;
use crate::paint::shape::{Pen, area};
use crate::paint::things::Stamp;

const STORED: [&str; 4] = ["package", "framed-picture", "package", "old-key"];

impl Film {
    pub(super) fn attic(&self, c: &mut Canvas) {
        let (short, width, horizon) = (self.short, self.width, self.horizon);
        self.plain_wall(c, 0xb98a5e);
        let (dark, beam) = (self.wall(0x7d5636), self.wall(0x5c3d27));
        let planks = (0..(horizon / (0.09 * short)) as i32 + 1).fold(Pen::default(), |pen, j| {
            let y = horizon - 0.09 * short * j as f32;
            pen.to(-9.0, y).line(width + 9.0, y)
        });
        planks.stroke(c, 0.004 * short, &Ink::flat(dark, 0.7));
        // Under the slopes of the roof it is dark.
        let (ridge, eaves) = (0.02 * self.height, horizon - 0.14 * self.rise());
        for side in [-1.0, 1.0] {
            let at = |share: f32| width * (0.5 + 0.5 * side * share);
            let slope = [[at(0.18), ridge - 20.0], [at(1.05), ridge - 20.0], [at(1.05), eaves], [at(1.0), eaves]];
            Pen::default().polygon(&slope).fill(c, &Ink::flat(dark, 1.0));
            Pen::at(at(0.18), ridge - 20.0).line(at(1.02), eaves).stroke(c, 0.045 * short, &Ink::flat(beam, 1.0));
            for share in [0.45, 0.75] {
                let y = ridge + (eaves - ridge) * (share - 0.18) / 0.84;
                Pen::at(at(share), y).line(at(share + 0.12), y - 0.16 * short).stroke(c, 0.022 * short, &Ink::flat(beam, 1.0));
            }
        }
        let (x, y, radius) = (width / 2.0, horizon - 0.60 * self.rise(), 0.12 * short);
        c.circle(x, y, 1.16 * radius, &Ink::flat(beam, 1.0));
        let sky = Ink::linear([0.0, y - radius], [0.0, y + radius], &self.light.sky.map(|colour| (colour, 1.0)));
        c.circle(x, y, radius, &sky);
        if self.light.dark {
            c.circle(x + 0.3 * radius, y - 0.3 * radius, 0.26 * radius, &Ink::flat(Rgb([1.0, 1.0, 0.90]), 1.0));
        }
        let cross = Pen::at(x - radius, y).line(x + radius, y).to(x, y - radius).line(x, y + radius);
        cross.stroke(c, 0.012 * short, &Ink::flat(beam, 1.0));
        self.boards(c);
        let foot = horizon + 0.03 * short;
        for (side, heap) in [(0.10, 3), (0.88, 2)] {
            for j in 0..heap {
                let (step, name) = (0.13 * short, STORED[(j + self.seed as usize) % STORED.len()]);
                let name = if j == 0 { "package" } else { name };
                self.stamp(c, name, Stamp { dim: 0.9, ..Stamp::at(width * side + step * (j as f32 - 0.6), foot, 0.16 * short) });
            }
        }
        self.stamp(c, "spider-web", Stamp { alpha: 0.7, ..Stamp::at(width * 0.80, eaves + 0.02 * short, 0.13 * short) });
        if self.light.dark {
            self.pendant(c, 0.36 * width, 0.30 * horizon, 0.09 * short, 0xd9a860);
        }
    }

    pub(super) fn bathroom(&self, c: &mut Canvas) {
        let (short, horizon, rise) = (self.short, self.horizon, self.rise());
        let (hole, away) = self.room_with_window(c, 0xd3e8ec);
        self.tiles(c, 0xb9dce4);
        self.tiled_floor(c, 0xeef3f5, 0xc7dbe4);
        let (white, steel) = (self.wall(0xfbfdfe), self.wall(0x9aa6b2));
        // A basin under a mirror.
        let (x, foot) = (away(0.20), horizon + 0.02 * short);
        let (top, half) = (foot - 0.22 * short, 0.11 * short);
        c.rect(area(x - 0.028 * short, top, 0.056 * short, foot - top), &Ink::flat(white.times(0.9), 1.0));
        Pen::at(x - half, top)
            .line(x + half, top)
            .cubic([x + 0.9 * half, top + 0.09 * short], [x - 0.9 * half, top + 0.09 * short], x - half, top)
            .close()
            .fill(c, &Ink::flat(white, 1.0));
        Pen::at(x, top).line(x, top - 0.045 * short).line(x + 0.035 * short, top - 0.045 * short).stroke(
            c,
            0.012 * short,
            &Ink::flat(steel, 1.0),
        );
        let (my, radius) = (top - 0.20 * rise.min(short), 0.10 * short);
        c.circle(x, my, 1.12 * radius, &Ink::flat(steel, 1.0));
        c.circle(
            x,
            my,
            radius,
            &Ink::linear(
                [x - radius, my - radius],
                [x + radius, my + radius],
                &[(Rgb([0.94, 0.98, 1.0]), 1.0), (self.wall(0xa9cbd8), 1.0)],
            ),
        );
        for shift in [-0.25, 0.05] {
            Pen::at(x + (shift - 0.25) * radius, my + 0.5 * radius).line(x + (shift + 0.35) * radius, my - 0.5 * radius).stroke(
                c,
                0.06 * radius,
                &Ink::flat(Rgb::WHITE, 0.7),
            );
        }
        // A towel on a rail.
        let (x, y) = (away(0.42), horizon - 0.42 * rise);
        Pen::at(x - 0.09 * short, y).line(x + 0.09 * short, y).stroke(c, 0.010 * short, &Ink::flat(steel, 1.0));
        let towel = self.wall([0xf08a7a, 0x6fb4e0, 0xf2c25a, 0x8fcf8a][(self.seed % 4) as usize]);
        c.round_rect(area(x - 0.065 * short, y, 0.13 * short, 0.20 * short), 0.012 * short, &Ink::flat(towel, 1.0));
        c.rect(area(x - 0.065 * short, y + 0.15 * short, 0.13 * short, 0.018 * short), &Ink::flat(towel.mix(Rgb::WHITE, 0.6), 1.0));
        self.sunlight(c, hole);
    }
}
