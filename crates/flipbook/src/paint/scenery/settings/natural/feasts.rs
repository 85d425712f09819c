//! Places of a feast: an Easter meadow, Halloween night, the village of Santa Claus.

use super::{Layer, Layers};
use crate::canvas::{Ink, Puff, Rgb};
use crate::paint::scenery::plants::Tree;
use crate::paint::shape::Pen;
use crate::paint::things::Stamp;

impl Layers<'_> {
    pub(super) fn easter_meadow(&mut self) {
        let short = self.film.short;
        self.far_hills(0.05, 0.64, 0x86b8a8, [0.02, 0.28]);
        self.wooded_hills(0.14, 0.38, 0x84c878, [0.02, 0.17], &[Tree::Round, Tree::Blossom], 3.0);
        self.tree_line(0.30, 0.12, &[Tree::Blossom, Tree::Round], 3.0, 0.20, 0.01);
        self.hedge();
        self.floor(|l| {
            l.grass(0xa3e468, 0x5cbb48, true);
            let mut eggs: Vec<[f32; 2]> = l.along(4.6).into_iter().map(|x| [x, 0.0]).collect();
            for egg in &mut eggs {
                egg[1] = l.random.within(0.05, 0.95);
            }
            eggs.sort_by(|one, other| one[1].total_cmp(&other[1]));
            for (index, [x, near]) in eggs.into_iter().enumerate() {
                let (y, size) = (l.down(near), short * (0.03 + 0.055 * near));
                l.easter_egg(x, y, size, index);
            }
        });
    }

    pub(super) fn halloween_night(&mut self) {
        let (rise, horizon, short, width, height) =
            (self.film.rise(), self.film.horizon, self.film.short, self.film.width, self.film.height);
        let side = self.film.free_side();
        let (x, y, r) = (width * (0.5 + 0.24 * side), 0.30 * height, 0.17 * rise);
        self.add(0.01, 0.0, [y - 3.0 * r, y + 3.0 * r], |l| {
            l.glow(x, y, 2.6 * r, Rgb::hex(0xffb545), 0.5);
            l.c.circle(x, y, r, &Ink::flat(Rgb::hex(0xffe9a8), 1.0));
            for (dx, dy, k) in [(-0.3, -0.2, 0.22), (0.35, 0.15, 0.28), (-0.1, 0.5, 0.16)] {
                l.c.circle(x + dx * r, y + dy * r, k * r, &Ink::flat(Rgb::hex(0xf2cf80), 0.8));
            }
        });
        self.add(0.08, 0.20, [horizon - 0.60 * rise, horizon + 0.08 * short], |l| {
            l.round_hills(horizon + 0.05 * rise, 0.20 * rise, 0.9 * short, [0x2f2148, 0x1d1432]);
            l.haunted_house(width * (0.5 - 0.30 * side), horizon + 0.01 * short, 0.42 * rise);
        });
        self.add(0.30, 0.0, [horizon - 0.95 * rise, horizon + 0.10 * short], |l| {
            for x in l.along(0.8) {
                l.bare_tree(x, horizon + 0.05 * short, 0.78 * rise, 0x1a1126);
            }
        });
        self.floor(|l| {
            l.grass(0x4a3f5f, 0x1f1a30, false);
            for x in l.along(1.8) {
                let near = l.random.within(0.02, 0.10);
                let (y, size) = (l.down(near), 0.12 * short);
                l.gravestone(x, y, size);
            }
            let mut pumpkins: Vec<[f32; 2]> = l.along(3.2).into_iter().map(|x| [x, 0.0]).collect();
            for (index, pumpkin) in pumpkins.iter_mut().enumerate() {
                pumpkin[1] = 0.10 + 0.75 * (0.382 * index as f32).fract();
            }
            pumpkins.sort_by(|one, other| one[1].total_cmp(&other[1]));
            for [x, near] in pumpkins {
                let (y, size) = (l.down(near), short * (0.06 + 0.09 * near));
                l.glow(x, y - 0.4 * size, 1.2 * size, Rgb::hex(0xff9a2e), 0.35);
                l.lantern(x, y, size);
            }
        });
    }

    pub(super) fn santas_workshop(&mut self) {
        let (rise, horizon, short, width) = (self.film.rise(), self.film.horizon, self.film.short, self.film.width);
        self.peaks(0.04, 0.66, 0.44, 0x8fa5c6);
        self.drifts(0.14, 0.30, [0.02, 0.12]);
        self.tree_line(0.24, 0.20, &[Tree::Fir], 7.0, 0.22, 0.010);
        let side = self.film.free_side();
        self.add(0.40, 0.02, [horizon - 0.72 * rise, horizon + 0.10 * short], |l| {
            let foot = horizon + 0.05 * short;
            l.workshop_house(width * (0.5 + 0.27 * side), foot, 0.50 * rise);
            l.workshop_house(width * (0.5 - 0.42 * side), foot - 0.01 * short, 0.32 * rise);
            let x = width * (0.5 - 0.22 * side);
            l.film.stamp(l.c, "christmas-tree", Stamp::at(x, foot + 0.01 * short, 0.36 * rise));
            l.candy_pole(width * (0.5 + 0.03 * side), foot, 0.26 * rise);
        });
        self.floor(|l| l.snow());
    }
}

impl Layer<'_> {
    fn easter_egg(&mut self, x: f32, y: f32, size: f32, which: usize) {
        let hexes = [[0xff7fb0, 0xffffff], [0x5fb8ff, 0xffe066], [0xffd23f, 0xff6f6f], [0x9f7fe8, 0xc8f58a], [0x6fd88f, 0xffffff]];
        let [shell, paint] = hexes[which % hexes.len()].map(|hex| self.tone(hex));
        let (half, middle) = (0.37 * size, y - 0.45 * size);
        let outline = Pen::at(x - half, middle)
            .cubic([x - half, middle - 0.42 * size], [x - 0.5 * half, y - size], x, y - size)
            .cubic([x + 0.5 * half, y - size], [x + half, middle - 0.42 * size], x + half, middle)
            .cubic([x + half, y - 0.12 * size], [x + 0.6 * half, y], x, y)
            .cubic([x - 0.6 * half, y], [x - half, y - 0.12 * size], x - half, middle)
            .close();
        let Some(path) = outline.path() else { return };
        self.c.puff(x, y, 1.3 * half, 0.10 * size, Rgb::hex(0x1f4f20), 0.45, Puff::default());
        self.c.fill(&path, &Ink::flat(shell, 1.0));
        self.c.clipped(&path, |c| {
            if which.is_multiple_of(2) {
                let zigzag: Vec<[f32; 2]> =
                    (0..9).map(|j| [x - half + j as f32 * half / 4.0, middle + if j % 2 == 0 { 0.07 } else { -0.07 } * size]).collect();
                Pen::default().line_through(&zigzag).stroke(c, 0.07 * size, &Ink::flat(paint, 1.0));
            } else {
                let dots = (0..7).fold(Pen::default(), |pen, j| {
                    pen.circle(x + half * 0.8 * (2.4 * j as f32).sin(), y - size * (0.12 + 0.11 * j as f32), 0.065 * size)
                });
                dots.fill(c, &Ink::flat(paint, 1.0));
            }
            let shade = Ink::linear([x - half, 0.0], [x + half, 0.0], &[(Rgb::WHITE, 0.25), (Rgb::WHITE, 0.0), (Rgb::hex(0x401060), 0.28)]);
            Pen::default().rect(x - half, y - size, x + half, y).fill(c, &shade);
        });
        // Grass before it.
        let leaf = self.leaf(0x5cae44);
        let blades = (0..5).fold(Pen::default(), |pen, j| {
            let bx = x + (j as f32 - 2.0) * 0.42 * half;
            pen.polygon(&[
                [bx - 0.05 * size, y + 0.04 * size],
                [bx + 0.02 * size * (j as f32 - 2.0), y - 0.22 * size],
                [bx + 0.05 * size, y + 0.04 * size],
            ])
        });
        blades.fill(self.c, &Ink::flat(leaf, 1.0));
    }

    /// A pumpkin with a face that shines.
    fn lantern(&mut self, x: f32, y: f32, size: f32) {
        let (skin, dark, light) = (Rgb::hex(0xf5821f), Rgb::hex(0xb34a0f), Rgb::hex(0xffe26a));
        let (r, cy) = (0.42 * size, y - 0.42 * size);
        Pen::at(x - 0.06 * size, cy - 0.8 * r)
            .quad([x, y - 1.05 * size], x + 0.14 * size, y - 1.02 * size)
            .line(x + 0.06 * size, cy - 0.8 * r)
            .close()
            .fill(self.c, &Ink::flat(Rgb::hex(0x4f7a35), 1.0));
        for (dx, half) in [(-0.62, 0.55), (0.62, 0.55), (-0.30, 0.6), (0.30, 0.6), (0.0, 0.5)] {
            Pen::default().oval(x + dx * r, cy, half * r, r).fill(
                self.c,
                &Ink::linear([x - 1.2 * r, cy - r], [x + 1.2 * r, cy + r], &[(skin.mix(light, 0.3), 1.0), (skin, 1.0), (dark, 1.0)]),
            );
            Pen::default().oval(x + dx * r, cy, half * r, r).stroke(self.c, 0.03 * size, &Ink::flat(dark, 0.35));
        }
        let at = |u: f32, v: f32| [x + u * r, cy + v * r];
        Pen::default()
            .polygon(&[at(-0.58, -0.10), at(-0.36, -0.50), at(-0.14, -0.10)])
            .polygon(&[at(0.58, -0.10), at(0.36, -0.50), at(0.14, -0.10)])
            .polygon(&[
                at(-0.74, 0.16),
                at(-0.40, 0.26),
                at(-0.26, 0.16),
                at(-0.10, 0.30),
                at(0.10, 0.30),
                at(0.26, 0.16),
                at(0.40, 0.26),
                at(0.74, 0.16),
                at(0.46, 0.62),
                at(0.14, 0.70),
                at(0.06, 0.54),
                at(-0.06, 0.54),
                at(-0.14, 0.70),
                at(-0.46, 0.62),
            ])
            .fill(self.c, &Ink::flat(light, 1.0));
    }

    fn gravestone(&mut self, x: f32, y: f32, size: f32) {
        let (stone, dark) = (self.tone(0x9a93a8), self.tone(0x5a5468));
        let half = 0.30 * size;
        let ink = self.sidelight(x, half, stone, dark);
        Pen::at(x - half, y)
            .line(x - half, y - 0.55 * size)
            .cubic([x - half, y - size], [x + half, y - size], x + half, y - 0.55 * size)
            .line(x + half, y)
            .close()
            .fill(self.c, &ink);
        Pen::default()
            .rect(x - 0.05 * size, y - 0.72 * size, x + 0.05 * size, y - 0.32 * size)
            .rect(x - 0.15 * size, y - 0.60 * size, x + 0.15 * size, y - 0.51 * size)
            .fill(self.c, &Ink::flat(dark, 0.8));
    }

    fn haunted_house(&mut self, x: f32, y: f32, size: f32) {
        let (wall, roof, light) = (self.tone(0x3a2c52), self.tone(0x1f1730), Rgb::hex(0xffc23f));
        let part = |l: &mut Self, dx: f32, half: f32, tall: f32| {
            let (cx, half, top) = (x + dx * size, half * size, y - tall * size);
            Pen::default().rect(cx - half, top, cx + half, y + 0.04 * size).fill(l.c, &Ink::flat(wall, 1.0));
            Pen::default()
                .polygon(&[[cx - 1.25 * half, top], [cx - 0.1 * half, top - 0.34 * size], [cx + 1.25 * half, top]])
                .fill(l.c, &Ink::flat(roof, 1.0));
            let w = 0.045 * size;
            for row in 0..2 {
                let wy = top + (0.09 + 0.20 * row as f32) * size;
                if wy + 2.4 * w < y {
                    l.glow(cx, wy + w, 2.4 * w, light, 0.5);
                    Pen::default().rect(cx - w, wy, cx + w, wy + 2.2 * w).fill(l.c, &Ink::flat(light, 1.0));
                    Pen::at(cx, wy).line(cx, wy + 2.2 * w).to(cx - w, wy + 1.1 * w).line(cx + w, wy + 1.1 * w).stroke(
                        l.c,
                        0.3 * w,
                        &Ink::flat(roof, 1.0),
                    );
                }
            }
        };
        part(self, 0.0, 0.26, 0.42);
        part(self, -0.30, 0.13, 0.62);
        part(self, 0.30, 0.12, 0.50);
    }

    /// A wooden house under snow, its windows lit, lights along the eaves.
    fn workshop_house(&mut self, x: f32, y: f32, size: f32) {
        let (wall, beam, snow, warm) =
            (self.tone(0xb5483a), self.tone(0x6b3f28), self.film.light.lit(Rgb::hex(0xf6faff)), Rgb::hex(0xffd87a));
        let (half, top) = (0.42 * size, y - 0.50 * size);
        Pen::default()
            .rect(x - half, top, x + half, y)
            .fill(self.c, &Ink::linear([0.0, top], [0.0, y], &[(wall, 1.0), (wall.times(0.8), 1.0)]));
        let logs = (1..6)
            .fold(Pen::default(), |pen, j| pen.to(x - half, top + 0.09 * j as f32 * size).line(x + half, top + 0.09 * j as f32 * size));
        logs.stroke(self.c, 0.010 * size, &Ink::flat(beam, 0.5));
        Pen::default().rect(x + 0.20 * size, top - 0.42 * size, x + 0.30 * size, top).fill(self.c, &Ink::flat(beam, 1.0));
        Pen::default().polygon(&[[x - half, top], [x, top - 0.42 * size], [x + half, top]]).fill(self.c, &Ink::flat(wall, 1.0));
        let eaves = [[x - 1.28 * half, top + 0.06 * size], [x, top - 0.48 * size], [x + 1.28 * half, top + 0.06 * size]];
        Pen::default().line_through(&eaves).stroke(self.c, 0.11 * size, &Ink::flat(snow, 1.0));
        for j in 0..=12 {
            let u = j as f32 / 6.0 - 1.0;
            let (bx, by) = (x + 1.2 * u * half, top - 0.42 * size + 0.52 * size * u.abs());
            let bulb = Rgb::hex([0xff4a4a, 0x5fe06f, 0xffd23f, 0x5fb8ff][j % 4]);
            self.glow(bx, by, 0.05 * size, bulb, 0.5);
            self.c.circle(bx, by, 0.017 * size, &Ink::flat(bulb, 1.0));
        }
        Pen::default()
            .rect(x - 0.09 * size, y - 0.30 * size, x + 0.09 * size, y)
            .fill(self.c, &Ink::flat(self.film.light.lit(Rgb::hex(0x2f7a48)), 1.0));
        self.c.circle(x, y - 0.20 * size, 0.045 * size, &Ink::flat(self.film.light.lit(Rgb::hex(0xd8333a)), 1.0));
        for (dx, dy) in [(-0.27, -0.34), (0.27, -0.34), (0.0, -0.62)] {
            let (wx, wy, w) = (x + dx * size, y + dy * size, 0.075 * size);
            self.glow(wx, wy + w, 2.6 * w, warm, 0.35);
            Pen::default().rect(wx - w, wy, wx + w, wy + 2.0 * w).fill(self.c, &Ink::flat(warm, 1.0));
            Pen::at(wx, wy).line(wx, wy + 2.0 * w).to(wx - w, wy + w).line(wx + w, wy + w).stroke(self.c, 0.2 * w, &Ink::flat(beam, 1.0));
        }
        Pen::default().oval(x, y + 0.01 * size, 1.2 * half, 0.05 * size).fill(self.c, &Ink::flat(snow, 1.0));
    }

    /// The pole itself, striped red and white.
    fn candy_pole(&mut self, x: f32, y: f32, size: f32) {
        let (red, white, gold) = (self.tone(0xe0353f), self.tone(0xffffff), self.tone(0xffd24a));
        let w = 0.07 * size;
        Pen::default().rect(x - w, y - 0.86 * size, x + w, y).fill(self.c, &Ink::flat(white, 1.0));
        let stripes = (0..6).fold(Pen::default(), |pen, j| {
            let top = y - 0.14 * size * (j as f32 + 0.2);
            pen.polygon(&[
                [x - w, top],
                [x + w, top - 0.07 * size],
                [x + w, top - 0.14 * size + 0.01 * size],
                [x - w, top - 0.07 * size + 0.01 * size],
            ])
        });
        stripes.fill(self.c, &Ink::flat(red, 1.0));
        self.c.circle(x, y - 0.92 * size, 0.10 * size, &Ink::flat(gold, 1.0));
    }
}
