//! Fields: of tulips, lavender, sunflowers, poppies or meadow flowers; rice on terraces, hay, mud.

use super::{Layer, Layers};
use crate::canvas::{Ink, Rgb};
use crate::codes::Setting;
use crate::paint::scenery::plants::Tree;
use crate::paint::shape::{Pen, Wave};

/// Rows of flowers from the horizon to the lower edge.
const ROWS: usize = 15;

impl Layers<'_> {
    pub(super) fn field_of_flowers(&mut self, setting: Setting) {
        self.far_hills(0.05, 0.64, 0x7fa3b8, [0.02, 0.28]);
        self.wooded_hills(0.14, 0.40, 0x7cb878, [0.02, 0.13], &[Tree::Round, Tree::Poplar], 3.0);
        self.tree_line(0.30, 0.16, self.leafy(&[Tree::Round, Tree::Poplar]), 2.6, 0.13, 0.008);
        if setting == Setting::TulipField && !self.film.casts("windmill") {
            let (rise, horizon, short) = (self.film.rise(), self.film.horizon, self.film.short);
            let x = self.film.width * (0.5 + 0.30 * self.film.free_side());
            self.add(0.32, 0.10, [horizon - 0.46 * rise, horizon + 0.05 * short], |l| l.windmill(x, horizon + 0.015 * short, 0.34 * rise));
        }
        self.floor(|l| match setting {
            Setting::LavenderField => l.rows_of_flowers(&[0x8f62d0, 0xa67be6, 0x7b52bd], 0x6f8f5a, Bloom::Spike),
            Setting::TulipField => l.rows_of_flowers(&[0xe8342e, 0xffc92e, 0xff7fb0, 0xf7f2ea, 0xf58a2a, 0xa33fa8], 0x4f9a42, Bloom::Cup),
            Setting::SunflowerField => l.rows_of_flowers(&[0xffc81f, 0xffb60f], 0x4f8f35, Bloom::Sun),
            Setting::PoppyField => l.rows_of_flowers(&[0xe5301f, 0xd62718, 0xf24a33], 0x7fa84a, Bloom::Poppy),
            _ => l.rows_of_flowers(&[0xff8fc0, 0xffe14d, 0xffffff, 0xb99aff, 0xff7a5a, 0x7fc4ff], 0x5fae48, Bloom::Poppy),
        });
    }

    pub(super) fn rice_terraces(&mut self) {
        let (rise, horizon, short) = (self.film.rise(), self.film.horizon, self.film.short);
        self.peaks(0.04, 0.62, 0.46, 0x6f9fae);
        self.add(0.12, 0.22, [horizon - 0.50 * rise, horizon + 0.10 * short], |l| {
            for step in 0..7 {
                let up = 1.0 - step as f32 / 7.0;
                l.rice_terrace(horizon + (0.02 - 0.40 * up) * rise, 0.06 * rise, 0.05 * rise);
            }
        });
        self.floor(|l| {
            l.base(Rgb::hex(0x8fcf4f), Rgb::hex(0x4f9a35));
            for step in 0..5 {
                let share = (step as f32 / 5.0).powf(1.3);
                let y = l.down(share);
                l.rice_terrace(y, l.ground_depth() * (0.10 + 0.10 * share), 0.05 * short * (0.5 + share));
            }
        });
    }

    pub(super) fn hay_field(&mut self) {
        let short = self.film.short;
        self.far_hills(0.05, 0.60, 0x7fa9a0, [0.02, 0.24]);
        self.wooded_hills(0.14, 0.36, 0xa8bf6a, [0.02, 0.14], &[Tree::Round, Tree::Poplar], 3.0);
        self.tree_line(0.30, 0.14, self.leafy(&[Tree::Round]), 3.4, 0.14, 0.01);
        self.floor(|l| {
            l.grass(0xf0d27a, 0xcf9f45, false);
            l.stubble();
            let mut bales: Vec<[f32; 2]> = l.along(2.0).into_iter().map(|x| [x, 0.0]).collect();
            for bale in &mut bales {
                bale[1] = l.random.within(0.04, 0.34);
            }
            bales.sort_by(|one, other| one[1].total_cmp(&other[1]));
            for [x, near] in bales {
                let (y, r) = (l.down(near), short * (0.03 + 0.13 * near));
                l.bale(x, y, r);
            }
        });
    }

    pub(super) fn mud(&mut self) {
        let short = self.film.short;
        self.far_hills(0.05, 0.60, 0x7fa9a0, [0.02, 0.22]);
        self.wooded_hills(0.14, 0.36, 0x86b06a, [0.02, 0.12], &[Tree::Round, Tree::Fir], 3.0);
        self.tree_line(0.30, 0.14, self.leafy(&[Tree::Round]), 3.0, 0.15, 0.01);
        self.hedge();
        self.floor(|l| {
            let (high, low) = (l.tone(0x9a7350), l.tone(0x63432c));
            l.base(high, low);
            l.swells(7, high.mix(l.film.light.sun, 0.22), low.times(0.8), 0.6);
            let sky = l.film.light.sky[1];
            for x in l.along(4.5) {
                let near = l.random.within(0.05, 1.0);
                let (y, w) = (l.down(near), short * (0.05 + 0.13 * near) * l.random.within(0.6, 1.2));
                Pen::default().oval(x, y - 0.02 * w, 1.10 * w, 0.24 * w).fill(l.c, &Ink::flat(low.times(0.72), 1.0));
                Pen::default().oval(x, y, w, 0.20 * w).fill(
                    l.c,
                    &Ink::linear([0.0, y - 0.2 * w], [0.0, y + 0.2 * w], &[(low.mix(sky, 0.6), 1.0), (low.mix(sky, 0.25), 1.0)]),
                );
                Pen::default().oval(x - 0.3 * w, y - 0.05 * w, 0.3 * w, 0.03 * w).fill(l.c, &Ink::flat(Rgb::WHITE, 0.5));
            }
            let lit = l.leaf(0x86b85a);
            l.tufts(lit, low.times(0.7));
        });
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Bloom {
    Cup,
    Spike,
    Sun,
    Poppy,
}

impl Layer<'_> {
    /// Rows that become larger towards the lens, a colour for each.
    fn rows_of_flowers(&mut self, hexes: &[u32], green: u32, bloom: Bloom) {
        let short = self.film.short;
        let (high, low) = (self.soil(green), self.soil(green).times(0.72));
        self.base(high, low);
        if self.film.light.white {
            return self.snow();
        }
        for row in 0..ROWS {
            let near = (row as f32 + 0.4) / ROWS as f32;
            let y = self.down(near.powf(1.5));
            let k = short * (0.006 + 0.030 * near.powf(1.3));
            let hex = hexes.get(row % hexes.len().max(1)).copied().unwrap_or(green);
            let mixed = bloom == Bloom::Poppy;
            let mut heads: Vec<Pen> = hexes.iter().map(|_| Pen::default()).collect();
            let (mut stems, mut hearts) = (Pen::default(), Pen::default());
            let step = k * if bloom == Bloom::Spike { 0.9 } else { 1.35 };
            let mut x = self.a + self.random.unit() * step;
            while x < self.b {
                let (px, py) = (x + self.random.within(-0.3, 0.3) * step, y + self.random.within(-0.35, 0.35) * k);
                let tall = k * self.random.within(1.5, 2.1);
                stems = stems.to(px, py).line(px, py - tall);
                let which = if mixed { self.random.below(hexes.len()) } else { 0 };
                if let Some(pen) = heads.get_mut(which) {
                    *pen = bloom.head(std::mem::take(pen), px, py - tall, k);
                }
                hearts = hearts.oval(px, py - tall, 0.36 * k, if bloom == Bloom::Sun { 0.36 * k } else { 0.16 * k });
                x += step * if mixed { self.random.within(0.7, 1.9) } else { 1.0 };
            }
            let leaf = self.leaf(green);
            stems.stroke(self.c, 0.26 * k, &Ink::flat(leaf.times(0.85), 1.0));
            for (pen, mixed_hex) in heads.into_iter().zip(hexes) {
                let colour = self.film.light.lit(Rgb::hex(if mixed { *mixed_hex } else { hex }));
                pen.fill(
                    self.c,
                    &Ink::linear([0.0, y - 3.0 * k], [0.0, y], &[(colour.mix(Rgb::WHITE, 0.16), 1.0), (colour.times(0.88), 1.0)]),
                );
            }
            if matches!(bloom, Bloom::Sun | Bloom::Poppy) {
                let heart = self.tone(if bloom == Bloom::Sun { 0x5b3518 } else { 0x2e1c1c });
                hearts.fill(self.c, &Ink::flat(heart, if bloom == Bloom::Sun { 1.0 } else { 0.55 }));
            }
        }
    }

    /// A step of a terraced hill: water that mirrors the sky, and the green bank under it.
    fn rice_terrace(&mut self, y: f32, thick: f32, bow: f32) {
        let wave = Wave::of(&mut self.random, y, bow, 1.2 * self.film.short, 2);
        let line: Vec<[f32; 2]> = self.steps().into_iter().map(|x| [x, wave.y(x)]).collect();
        let sky = self.far(self.film.light.sky[1]);
        let (rice, bank, edge) = (self.soil(0x9fd84f), self.soil(0x5f9a3c), self.soil(0xc8ec7a));
        self.under(&line, &Ink::linear([0.0, y - bow], [0.0, y + thick], &[(sky.mix(Rgb::WHITE, 0.25), 1.0), (sky.mix(rice, 0.55), 1.0)]));
        let front: Vec<[f32; 2]> = line.iter().map(|[x, y]| [*x, *y + 0.45 * thick]).collect();
        self.under(&front, &Ink::linear([0.0, y], [0.0, y + 1.2 * thick], &[(rice, 1.0), (bank, 1.0)]));
        Pen::default().line_through(&front).stroke(self.c, 0.10 * thick, &Ink::flat(edge, 0.9));
        let mut shoots = Pen::default();
        for x in self.along(16.0) {
            let v = self.random.within(0.05, 0.40);
            let py = wave.y(x) + v * thick;
            shoots = shoots.to(x, py).line(x - 0.05 * thick, py - 0.16 * thick).to(x, py).line(x + 0.05 * thick, py - 0.16 * thick);
        }
        shoots.stroke(self.c, 0.05 * thick, &Ink::flat(bank, 0.8));
    }

    fn stubble(&mut self) {
        let short = self.film.short;
        for (hex, shift) in [(0xb9822f, 0.0), (0xf8e6a0, 0.3)] {
            let mut straws = Pen::default();
            for row in 0..16 {
                let near = ((row as f32 + shift + 0.5) / 16.0).powf(1.4);
                let (y, k) = (self.down(near), short * (0.004 + 0.016 * near));
                for x in self.along(13.0 - 6.0 * near) {
                    straws = straws.to(x, y).line(x + 0.2 * k, y - k);
                }
            }
            let ink = Ink::flat(self.tone(hex), 0.7);
            straws.stroke(self.c, 0.0035 * short, &ink);
        }
    }

    /// A round bale of hay, its wound face seen.
    fn bale(&mut self, x: f32, y: f32, r: f32) {
        let (hay, dark, light) = (self.tone(0xdcae4f), self.tone(0x9c6f2c), self.tone(0xf4d588));
        let cy = y - 0.92 * r;
        self.c.puff(x, y, 1.5 * r, 0.22 * r, Rgb([0.25, 0.15, 0.05]), 0.45, crate::canvas::Puff::default());
        let ink = Ink::linear([0.0, cy - r], [0.0, cy + r], &[(light, 1.0), (hay, 1.0), (dark, 1.0)]);
        Pen::default().oval(x + 0.7 * r, cy, 0.62 * r, r).rect(x, cy - r, x + 0.7 * r, cy + r).fill(self.c, &ink);
        Pen::default().oval(x, cy, 0.70 * r, r).fill(self.c, &Ink::flat(hay.mix(light, 0.5), 1.0));
        let rings = (1..5).fold(Pen::default(), |pen, j| pen.oval(x, cy, 0.70 * r * j as f32 / 5.0, r * j as f32 / 5.0));
        rings.stroke(self.c, 0.06 * r, &Ink::flat(dark, 0.55));
    }

    fn windmill(&mut self, x: f32, y: f32, size: f32) {
        let (wall, roof, wood) = (self.tone(0xb86a4a), self.tone(0x5b4a48), self.tone(0xf5efe2));
        let (top, hub) = (y - 0.66 * size, [x, y - 0.72 * size]);
        let ink = self.sidelight(x, 0.18 * size, wall.mix(self.film.light.sun, 0.2), wall.times(0.75));
        Pen::default()
            .polygon(&[[x - 0.20 * size, y], [x - 0.12 * size, top], [x + 0.12 * size, top], [x + 0.20 * size, y]])
            .fill(self.c, &ink);
        Pen::at(x - 0.14 * size, top).quad([x, top - 0.30 * size], x + 0.14 * size, top).close().fill(self.c, &Ink::flat(roof, 1.0));
        Pen::default()
            .rect(x - 0.045 * size, y - 0.16 * size, x + 0.045 * size, y)
            .rect(x - 0.03 * size, y - 0.44 * size, x + 0.03 * size, y - 0.36 * size)
            .fill(self.c, &Ink::flat(roof, 1.0));
        for quarter in 0..4 {
            let angle = 0.4 + quarter as f32 * std::f32::consts::FRAC_PI_2;
            let (dx, dy) = (angle.cos(), angle.sin());
            let at = |along: f32, out: f32| [hub[0] + (along * dx - out * dy) * size, hub[1] + (along * dy + out * dx) * size];
            Pen::default().polygon(&[at(0.10, 0.0), at(0.44, 0.0), at(0.44, 0.10), at(0.10, 0.08)]).fill(self.c, &Ink::flat(wood, 0.95));
            Pen::default().line_through(&[at(0.0, 0.0), at(0.46, 0.0)]).stroke(self.c, 0.022 * size, &Ink::flat(roof, 1.0));
        }
    }
}

impl Bloom {
    /// A head of `k` pixels whose middle is at (x, y).
    fn head(self, pen: Pen, x: f32, y: f32, k: f32) -> Pen {
        match self {
            Self::Cup => pen.polygon(&[
                [x - 0.50 * k, y - 0.62 * k],
                [x - 0.20 * k, y - 0.30 * k],
                [x, y - 0.72 * k],
                [x + 0.20 * k, y - 0.30 * k],
                [x + 0.50 * k, y - 0.62 * k],
                [x + 0.46 * k, y + 0.20 * k],
                [x, y + 0.50 * k],
                [x - 0.46 * k, y + 0.20 * k],
            ]),
            Self::Spike => pen.oval(x, y - 0.2 * k, 0.26 * k, 0.95 * k).oval(x - 0.22 * k, y + 0.3 * k, 0.2 * k, 0.55 * k),
            Self::Sun => (0..9).fold(pen.circle(x, y, 0.5 * k), |pen, j| {
                let angle = std::f32::consts::TAU * j as f32 / 9.0;
                pen.circle(x + 0.60 * k * angle.cos(), y + 0.60 * k * angle.sin(), 0.26 * k)
            }),
            Self::Poppy => pen.oval(x - 0.22 * k, y, 0.40 * k, 0.34 * k).oval(x + 0.24 * k, y, 0.40 * k, 0.34 * k).oval(
                x,
                y - 0.16 * k,
                0.38 * k,
                0.30 * k,
            ),
        }
    }
}
