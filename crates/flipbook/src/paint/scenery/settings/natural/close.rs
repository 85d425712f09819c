//! Near the ground, as insects see it: blades of grass, a leaf, an anthill, the inside of a hive.

use super::{Layer, Layers};
use crate::canvas::{Ink, Puff, Rgb};
use crate::paint::shape::{BLEED, Pen};

/// Who sits on a blade of grass.
const SMALL: [&str; 12] =
    ["lady-beetle", "beetle", "ant", "caterpillar", "bug", "snail", "cricket", "butterfly", "honeybee", "fly", "spider", "worm"];

impl Layers<'_> {
    pub(super) fn grass_blades(&mut self) {
        let (horizon, height, short) = (self.film.horizon, self.film.height, self.film.short);
        self.blurred_green();
        for (parallax, density, tall, hex) in [(0.20, 9.0, 0.50, 0xa9d979), (0.42, 8.0, 0.60, 0x7cc255), (0.60, 5.0, 0.74, 0x57a83f)] {
            self.add(parallax, 0.0, [-9.0, height + BLEED], |l| l.tall_blades(density, horizon + 0.10 * short, tall * height, hex));
        }
        self.floor(|l| {
            let (high, low) = (l.soil(0x7fc04f), l.soil(0x3f7f35));
            l.base(high, low);
            l.tufts(high, low.times(0.7));
        });
        if SMALL.iter().any(|name| self.film.casts(name)) {
            self.add(0.72, 0.0, [-9.0, height + BLEED], |l| l.blade_under_foot());
        }
    }

    pub(super) fn leaf_top(&mut self) {
        let (height, short, width) = (self.film.height, self.film.short, self.film.width);
        self.blurred_green();
        self.add(0.20, 0.0, [-9.0, height + BLEED], |l| {
            for x in l.along(1.6) {
                let (y, size) = (height * l.random.within(0.1, 0.9), short * l.random.within(0.3, 0.5));
                let angle = l.random.within(-0.6, 0.6);
                l.great_leaf([x, y], size, angle, 0x7fbf5f, 0.45);
            }
        });
        let top = self.film.ground();
        self.add(0.72, 0.0, [top - 0.12 * short, height + BLEED], |l| l.leaf_under_foot(top, width));
    }

    pub(super) fn anthill(&mut self) {
        let (horizon, short, width, rise) = (self.film.horizon, self.film.short, self.film.width, self.film.rise());
        self.meadow();
        let x = width * (0.5 + 0.26 * self.film.free_side());
        self.add(0.60, 0.0, [horizon - 0.50 * rise, horizon + 0.14 * short], |l| {
            let (foot, half, tall) = (horizon + 0.08 * short, 0.40 * rise.min(0.9 * width), 0.42 * rise);
            let (lit, dark) = (l.tone(0xb98550), l.tone(0x6f4526));
            let ink = l.sidelight(x, half, lit, dark);
            Pen::at(x - half, foot)
                .cubic([x - 0.55 * half, foot - 0.1 * tall], [x - 0.35 * half, foot - tall], x, foot - tall)
                .cubic([x + 0.38 * half, foot - tall], [x + 0.55 * half, foot - 0.12 * tall], x + half, foot)
                .close()
                .fill(l.c, &ink);
            let (mut grains, mut pale) = (Pen::default(), Pen::default());
            for _ in 0..130 {
                let (u, v) = (l.random.within(-0.9, 0.9), l.random.unit());
                let (gx, gy) = (x + 0.9 * u * half * (1.0 - 0.8 * v), foot - tall * v * 0.92 * (1.0 - 0.15 * u.abs()));
                let r = short * l.random.within(0.003, 0.008);
                if v > 0.5 { pale = pale.circle(gx, gy, r) } else { grains = grains.circle(gx, gy, r) }
            }
            grains.fill(l.c, &Ink::flat(dark, 0.6));
            pale.fill(l.c, &Ink::flat(lit.mix(Rgb::WHITE, 0.25), 0.6));
            Pen::default()
                .oval(x, foot - 0.96 * tall, 0.13 * half, 0.05 * tall)
                .oval(x - 0.30 * half, foot - 0.36 * tall, 0.09 * half, 0.08 * tall)
                .oval(x + 0.26 * half, foot - 0.22 * tall, 0.08 * half, 0.07 * tall)
                .fill(l.c, &Ink::flat(dark.times(0.45), 1.0));
            // Ants on their way up and down.
            let black = l.tone(0x241610);
            for j in 0..26 {
                let s = j as f32 / 26.0;
                let (ax, ay) = (
                    x + half * (1.3 * (1.0 - s) - 0.1 + 0.08 * (9.0 * s).sin()),
                    foot + 0.03 * short - tall * 0.95 * (s * 1.15 - 0.15).max(0.0),
                );
                let k = 0.007 * short;
                Pen::default()
                    .oval(ax - 1.3 * k, ay, k, 0.75 * k)
                    .circle(ax, ay, 0.6 * k)
                    .circle(ax + 1.1 * k, ay, 0.75 * k)
                    .fill(l.c, &Ink::flat(black, 1.0));
            }
        });
    }

    pub(super) fn hive(&mut self) {
        let (height, short) = (self.film.height, self.film.short);
        self.add(0.30, 0.0, [-9.0, height + BLEED], |l| {
            let (wall, deep) = (l.tone(0xf5b32e), l.tone(0xb5701a));
            Pen::default().rect(l.a, -9.0, l.b, l.bottom).fill(l.c, &Ink::linear([0.0, 0.0], [0.0, height], &[(wall, 1.0), (deep, 1.0)]));
            let r = 0.085 * short;
            let (across, down) = (1.732 * r, 1.5 * r);
            let hexagon = |x: f32, y: f32, k: f32| -> Vec<[f32; 2]> {
                (0..6)
                    .map(|j| (j as f32 + 0.5) * std::f32::consts::FRAC_PI_3)
                    .map(|angle| [x + k * angle.cos(), y + k * angle.sin()])
                    .collect()
            };
            let columns = ((l.b - l.a) / across) as i32 + 2;
            for row in -1..(height / down) as i32 + 2 {
                for column in 0..columns {
                    let shift = if row.rem_euclid(2) == 0 { 0.0 } else { 0.5 * across };
                    let (x, y) = (l.a + column as f32 * across + shift, row as f32 * down);
                    let hex = l.random.one(&[0xd98a1c, 0xe89f24, 0xc97a14, 0xffc94a]);
                    let full = l.random.chance(0.3);
                    let cell = l.tone(if full { 0xffd75e } else { hex });
                    Pen::default()
                        .polygon(&hexagon(x, y, 0.86 * r))
                        .fill(l.c, &Ink::linear([0.0, y - r], [0.0, y + r], &[(cell.times(0.78), 1.0), (cell, 1.0)]));
                    if full {
                        Pen::default().oval(x - 0.25 * r, y - 0.3 * r, 0.24 * r, 0.14 * r).fill(l.c, &Ink::flat(Rgb::WHITE, 0.65));
                    }
                }
            }
        });
        self.floor(|l| {
            let (wax, low) = (l.tone(0xffcf5a), l.tone(0xc98120));
            l.base(wax, low);
            l.swells(5, wax.mix(Rgb::WHITE, 0.35), low, 0.6);
            for x in l.along(3.0) {
                let near = l.random.within(0.1, 0.9);
                let (y, w) = (l.down(near), short * (0.04 + 0.09 * near));
                let honey = l.tone(0xe8901a);
                Pen::default().oval(x, y, w, 0.20 * w).fill(l.c, &Ink::flat(honey, 0.9));
                Pen::default().oval(x - 0.3 * w, y - 0.06 * w, 0.3 * w, 0.03 * w).fill(l.c, &Ink::flat(Rgb::WHITE, 0.7));
            }
        });
    }

    /// Far leaves out of focus, with drops of light.
    fn blurred_green(&mut self) {
        let (height, short) = (self.film.height, self.film.short);
        self.add(0.05, 0.0, [-9.0, height + BLEED], |l| {
            let (high, low) = (l.leaf(0xc9eca0), l.leaf(0x6fb04f));
            Pen::default().rect(l.a, -9.0, l.b, l.bottom).fill(l.c, &Ink::linear([0.0, 0.0], [0.0, height], &[(high, 0.92), (low, 1.0)]));
            for x in l.along(7.0) {
                let (y, r) = (height * l.random.unit(), short * l.random.within(0.05, 0.14));
                let hex = l.random.one(&[0xe6f7b8, 0x9fd46a, 0xd0f0e0, 0x7fc25a]);
                let colour = l.leaf(hex);
                l.c.puff(x, y, r, r, colour, 0.5, Puff { add: false, firm: true });
            }
        });
    }
}

impl Layer<'_> {
    /// Blades of grass that bow, dew on some.
    fn tall_blades(&mut self, density: f32, foot: f32, tall: f32, hex: u32) {
        let short = self.film.short;
        for x in self.along(density) {
            let (high, lean) = (tall * self.random.within(0.55, 1.1), short * self.random.within(-0.26, 0.26));
            let w = short * self.random.within(0.012, 0.022);
            let leaf = self.leaf(hex);
            let (lit, dark) = (leaf.mix(self.film.light.sun, 0.25), leaf.times(0.72));
            let tip = [x + lean, foot - high];
            let bow = |side: f32| [x + side * 1.1 * w + 0.1 * lean, foot - 0.6 * high];
            Pen::at(x - w, foot + 0.05 * short)
                .quad(bow(-1.0), tip[0], tip[1])
                .quad(bow(0.2), x, foot + 0.05 * short)
                .close()
                .fill(self.c, &Ink::flat(lit, 1.0));
            Pen::at(x, foot + 0.05 * short)
                .quad(bow(0.2), tip[0], tip[1])
                .quad(bow(1.0), x + w, foot + 0.05 * short)
                .close()
                .fill(self.c, &Ink::flat(dark, 1.0));
            if self.random.chance(0.3) {
                let (dx, dy, r) = (x + 0.30 * lean, foot - 0.58 * high, 0.011 * short);
                self.c.circle(dx, dy, r, &Ink::flat(Rgb::hex(0xdff4ff), 0.85));
                self.c.circle(dx - 0.3 * r, dy - 0.3 * r, 0.35 * r, &Ink::flat(Rgb::WHITE, 1.0));
            }
        }
    }

    /// One broad blade that bows under the first thing.
    fn blade_under_foot(&mut self) {
        let (short, side) = (self.film.short, self.film.free_side());
        let Some([x, y]) = self.film.layout.objects.first().map(|object| [object.x * self.film.width, object.y * self.film.height]) else {
            return;
        };
        let (w, root) = (0.075 * short, [x + side * 0.34 * short, self.bottom]);
        let (crest, tip) = ([x, y + 0.4 * w], [x - side * 0.62 * short, y + 0.30 * short]);
        let leaf = self.leaf(0x6fc24a);
        let (lit, dark) = (leaf.mix(self.film.light.sun, 0.3), leaf.times(0.7));
        for (shift, colour) in [(0.0, lit), (0.55, dark)] {
            Pen::at(root[0] - w, root[1])
                .quad([x + side * 0.30 * short, crest[1] + shift * w], crest[0], crest[1] + shift * w)
                .quad([x - side * 0.34 * short, crest[1] + shift * w], tip[0], tip[1])
                .quad([x - side * 0.30 * short, crest[1] + 1.2 * w], crest[0], crest[1] + 1.3 * w)
                .quad([x + side * 0.26 * short, crest[1] + 1.6 * w], root[0] + w, root[1])
                .close()
                .fill(self.c, &Ink::flat(colour, 1.0));
        }
    }

    /// A leaf with veins, its stalk at `at`, `angle` in radians from upright.
    fn great_leaf(&mut self, at: [f32; 2], size: f32, angle: f32, hex: u32, pale: f32) {
        let colour = self.leaf(hex).mix(self.leaf(0xd8f0b0), pale);
        let point =
            |u: f32, v: f32| [at[0] + size * (u * angle.cos() + v * angle.sin()), at[1] - size * (v * angle.cos() - u * angle.sin())];
        let ([a, b], [d, e], tip, foot) =
            ([point(-0.5, 0.2), point(-0.35, 0.8)], [point(0.35, 0.8), point(0.5, 0.2)], point(0.0, 1.1), point(0.0, 0.0));
        Pen::at(foot[0], foot[1]).cubic(a, b, tip[0], tip[1]).cubic(d, e, foot[0], foot[1]).close().fill(self.c, &Ink::flat(colour, 1.0));
        let vein = Ink::flat(colour.mix(Rgb::WHITE, 0.3), 0.8);
        Pen::default().line_through(&[foot, tip]).stroke(self.c, 0.02 * size, &vein);
        let ribs = [0.25, 0.45, 0.65]
            .iter()
            .fold(Pen::default(), |pen, v| pen.line_through(&[point(-0.24, v + 0.18), point(0.0, *v), point(0.24, v + 0.18)]));
        ribs.stroke(self.c, 0.012 * size, &vein);
    }

    /// One leaf across the whole frame that things stand on.
    fn leaf_under_foot(&mut self, top: f32, width: f32) {
        let short = self.film.short;
        let (high, low, vein) = (self.leaf(0x8fd650), self.leaf(0x3f8f35), self.leaf(0xd4f5a0));
        let deep = self.bottom - top;
        let edge = |x: f32| {
            let u = (x / width - 0.5) * 2.0;
            top + deep * 0.20 * u * u + 0.006 * short * (x / (0.05 * short)).sin()
        };
        let points: Vec<[f32; 2]> = self.steps().into_iter().map(|x| [x, edge(x)]).collect();
        self.under(&points, &Ink::linear([0.0, top], [0.0, self.bottom], &[(high, 1.0), (low, 1.0)]));
        Pen::default().line_through(&points).stroke(self.c, 0.016 * short, &Ink::flat(vein, 0.9));
        let rib = |x: f32| top + 0.52 * deep + 0.10 * deep * (x / width - 0.5);
        Pen::at(self.a, rib(self.a)).line(self.b, rib(self.b)).stroke(self.c, 0.026 * short, &Ink::flat(vein, 0.9));
        let mut ribs = Pen::default();
        let mut x = self.a;
        while x < self.b {
            ribs =
                ribs.to(x, rib(x)).quad([x + 0.12 * short, rib(x) - 0.3 * deep], x + 0.34 * short, edge(x + 0.34 * short) + 0.02 * short);
            ribs = ribs.to(x, rib(x)).quad([x + 0.10 * short, rib(x) + 0.3 * deep], x + 0.30 * short, self.bottom);
            x += 0.30 * short;
        }
        ribs.stroke(self.c, 0.010 * short, &Ink::flat(vein, 0.7));
        for x in self.along(4.0) {
            let near = self.random.within(0.15, 0.95);
            let (y, r) = (top + 0.22 * deep + 0.75 * deep * near, short * (0.010 + 0.022 * near) * self.random.within(0.6, 1.1));
            self.c.puff(x, y + 0.5 * r, 1.1 * r, 0.5 * r, Rgb::hex(0x1f5f25), 0.5, Puff::default());
            Pen::default()
                .oval(x, y, r, 0.82 * r)
                .fill(self.c, &Ink::linear([0.0, y - r], [0.0, y + r], &[(Rgb::hex(0xa8dcb0), 0.9), (Rgb::hex(0xecfff4), 0.95)]));
            self.c.circle(x - 0.35 * r, y - 0.3 * r, 0.22 * r, &Ink::flat(Rgb::WHITE, 1.0));
        }
    }
}
