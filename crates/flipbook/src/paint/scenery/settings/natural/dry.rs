//! Dry land: savanna, canyon, oasis, lava field.

use super::{Layer, Layers};
use crate::canvas::{Ink, Puff, Rgb};
use crate::paint::scenery::plants::{Grove, Tree};
use crate::paint::shape::{Pen, Wave};

impl Layers<'_> {
    pub(super) fn savanna(&mut self) {
        let (rise, horizon, short, width) = (self.film.rise(), self.film.horizon, self.film.short, self.film.width);
        self.far_hills(0.04, 0.60, 0xa98f6a, [0.02, 0.20]);
        self.far_hills(0.10, 0.36, 0xcfae62, [0.02, 0.07]);
        self.add(0.18, 0.30, [horizon - 0.22 * rise, horizon + 0.06 * short], |l| {
            for x in l.along(1.7) {
                let size = rise * l.random.within(0.10, 0.17);
                l.acacia(x, horizon + 0.012 * short, size);
            }
        });
        self.floor(|l| {
            l.grass(0xe9c767, 0xb98a3a, false);
            l.dry_grass();
        });
        let side = self.film.free_side();
        let x = width * (0.5 + 0.33 * side);
        let foot = self.film.ground() + 0.05 * short;
        let size = 0.62 * rise.min(1.25 * short);
        self.add(0.50, 0.03, [foot - 1.1 * size, foot + 0.03 * short], |l| {
            let mut at = x - 3.0 * width * 1.3;
            while at < l.b + size {
                if at > l.a - size {
                    l.acacia(at, foot, size);
                }
                at += 1.3 * width;
            }
        });
    }

    pub(super) fn canyon(&mut self) {
        let (rise, horizon, short, width) = (self.film.rise(), self.film.horizon, self.film.short, self.film.width);
        for (parallax, haze, density, tall) in [(0.03, 0.56, 1.3, 0.26), (0.08, 0.34, 1.0, 0.36)] {
            self.add(parallax, haze, [horizon - 1.15 * tall * rise, horizon + 0.06 * short], |l| {
                for x in l.along(density) {
                    let (height, half) = (rise * tall * l.random.within(0.6, 1.05), rise * l.random.within(0.14, 0.26));
                    l.butte(x, horizon + 0.05 * short, half, height);
                }
            });
        }
        // The walls to both sides, and the river between them.
        self.add(0.20, 0.10, [horizon - 0.72 * rise, horizon + 0.12 * short], |l| {
            let stream = l.film.light.lit(Rgb::hex(0x4fb0c4));
            let middle = 0.5 * width;
            let (y0, y1) = (horizon - 0.02 * short, horizon + 0.12 * short);
            let floor = l.tone(0xb9683f);
            Pen::default().rect(l.a, y0, l.b, y1).fill(l.c, &Ink::flat(floor, 1.0));
            Pen::at(middle - 0.02 * short, y0)
                .quad([middle + 0.10 * short, y0 + 0.03 * short], middle - 0.05 * short, y1)
                .line(middle + 0.12 * short, y1)
                .quad([middle + 0.16 * short, y0 + 0.03 * short], middle + 0.02 * short, y0)
                .close()
                .fill(l.c, &Ink::flat(stream, 1.0));
            let reach = 0.5 * width.max(1.1 * short);
            for (side, shift) in [(-1.0, 0.0), (1.0, 0.02)] {
                l.canyon_wall(middle, side, reach, (0.60 + shift) * rise, horizon + 0.10 * short);
            }
        });
        self.floor(|l| {
            l.sand(0xdc8f5c, 0xb05c38);
            l.rim_of_rock();
        });
    }

    pub(super) fn oasis(&mut self) {
        let (rise, short) = (self.film.rise(), self.film.short);
        self.desert();
        let (top, depth) = (self.film.ground(), self.film.height - self.film.ground());
        let x = self.film.width * (0.5 - 0.10 * self.film.free_side());
        let half = 0.44 * self.film.width.max(1.1 * short);
        let (y, deep) = (top + 0.13 * depth, 0.13 * depth);
        self.add(0.66, 0.0, [top - 0.60 * rise, top + 0.40 * depth], |l| {
            let palms = Grove { of: &[Tree::Palm], density: 4.2, size: 0.36 * rise.min(1.3 * short), spread: 0.03 * short };
            l.palms_within(&palms, [x - 0.95 * half, x + 0.95 * half], y - 0.7 * deep);
            let green = l.leaf(0x7fb04a);
            Pen::default().oval(x, y, 1.10 * half, 1.35 * deep).fill(l.c, &Ink::flat(green, 1.0));
            let (deep_blue, pale) = (l.film.light.lit(Rgb::hex(0x1f86b8)), l.film.light.lit(Rgb::hex(0x8fdcf0)));
            let shore = l.tone(0xc79c5c);
            Pen::default().oval(x, y + 0.05 * deep, 1.01 * half, 1.08 * deep).fill(l.c, &Ink::flat(shore, 1.0));
            Pen::default()
                .oval(x, y, half, deep)
                .fill(l.c, &Ink::linear([0.0, y - deep], [0.0, y + deep], &[(pale, 1.0), (deep_blue, 1.0)]));
            let mut glints = Pen::default();
            for _ in 0..16 {
                let (u, v) = (l.random.within(-0.7, 0.7), l.random.within(-0.6, 0.7));
                glints = glints.oval(x + u * half, y + v * deep, 0.05 * short * (1.0 - 0.5 * v.abs()), 0.004 * short);
            }
            glints.fill(l.c, &Ink::flat(Rgb::WHITE, 0.45));
            for j in 0..9 {
                let angle = 3.3 + 0.8 * j as f32;
                let (px, py) = (x + 1.03 * half * angle.cos(), y + 1.12 * deep * angle.sin());
                if j % 2 == 0 {
                    l.reeds(px, py + 0.01 * short, 0.09 * short);
                } else {
                    l.fern(px, py + 0.01 * short, 0.07 * short, 0x4f9a48);
                }
            }
        });
    }

    pub(super) fn lava_field(&mut self) {
        let (rise, horizon, short) = (self.film.rise(), self.film.horizon, self.film.short);
        self.add(0.03, 0.55, [horizon - 0.36 * rise, horizon + 0.08 * short], |l| l.range(horizon + 0.03 * rise, 0.30 * rise, 0x5d4650));
        if let Some([x, y]) = self.film.crater() {
            self.add(super::super::super::land::CONE_PARALLAX, 0.14, [y - 0.04 * rise, horizon + 0.10 * short], |l| l.cone(x, y));
        }
        self.add(0.28, 0.08, [horizon - 0.16 * rise, horizon + 0.10 * short], |l| {
            let wave = Wave::of(&mut l.random, horizon + 0.03 * short, 0.10 * rise, 0.6 * rise, 6);
            let colour = l.tone(0x463538);
            l.ridge(&wave, colour);
        });
        self.floor(|l| {
            l.rock(0x5d4a4a, 0x2c2226, Some(Rgb([1.0, 0.45, 0.10])));
            l.lava_streams();
        });
    }
}

impl Layer<'_> {
    fn dry_grass(&mut self) {
        if self.film.light.white {
            return;
        }
        let short = self.film.short;
        let (dark, light) = (self.leaf(0x9a6f2c), self.leaf(0xf2d988));
        for bucket in 0..4 {
            let near = (bucket as f32 + 0.6) / 4.0;
            let (mut shade, mut lit) = (Pen::default(), Pen::default());
            for x in self.along(9.0 - 4.0 * near) {
                let share = near + self.random.within(-0.12, 0.12);
                let y = self.down(share.clamp(0.03, 1.0));
                let k = short * (0.016 + 0.05 * near) * self.random.within(0.7, 1.3);
                for blade in -3..=3 {
                    let lean = blade as f32 * 0.2 * k + self.random.within(-0.08, 0.08) * k;
                    let pen = if blade % 2 == 0 { &mut lit } else { &mut shade };
                    *pen = std::mem::take(pen).to(x + 0.06 * blade as f32 * k, y).quad(
                        [x + 0.3 * lean, y - 0.6 * k],
                        x + lean,
                        y - k * (1.0 - 0.07 * (blade * blade) as f32),
                    );
                }
            }
            let width = short * (0.002 + 0.003 * near);
            shade.stroke(self.c, width, &Ink::flat(dark, 0.75));
            lit.stroke(self.c, width, &Ink::flat(light, 0.85));
        }
    }

    /// One side of a canyon: it falls in steps towards the middle.
    fn canyon_wall(&mut self, middle: f32, side: f32, reach: f32, high: f32, base: f32) {
        let outer = if side < 0.0 { self.a - 4.0 } else { self.b + 4.0 };
        let mut points = vec![[outer, base], [outer, base - high]];
        for (near, up) in [(0.62, 1.0), (0.57, 0.80), (0.50, 0.77), (0.44, 0.52), (0.37, 0.48), (0.30, 0.22), (0.22, 0.18), (0.16, 0.0)] {
            points.push([
                middle + side * reach * near * 1.55 * self.random.within(0.94, 1.06),
                base - high * up * self.random.within(0.97, 1.03),
            ]);
        }
        let x = middle + side * 0.8 * reach;
        self.strata(&points, [x, reach], [base - high, base], &[0xc9663c, 0xe6a06c, 0xa84c2c, 0xdb8650, 0x8e4029, 0xf0b888]);
        let mut cracks = Pen::default();
        for _ in 0..10 {
            let (u, v) = (self.random.within(0.6, 1.5), self.random.within(0.1, 0.8));
            let (cx, cy) = (middle + side * reach * u, base - high * v);
            cracks = cracks.to(cx, cy).line(cx + self.random.within(-0.01, 0.01) * reach, cy + 0.12 * high);
        }
        let ink = Ink::flat(self.tone(0x6d2f22), 0.5);
        cracks.stroke(self.c, 0.006 * self.film.short, &ink);
    }

    /// Flat stones where the ground begins, and a few scrubs.
    fn rim_of_rock(&mut self) {
        let short = self.film.short;
        let y = self.ground;
        for x in self.along(6.0) {
            let size = short * self.random.within(0.02, 0.05);
            self.stone(x, y + 0.012 * short, size, 0xb35f3a);
        }
        for x in self.along(2.4) {
            let near = self.random.within(0.1, 0.9);
            let (y, size) = (self.down(near), short * (0.015 + 0.03 * near));
            if self.random.chance(0.5) { self.stone(x, y, size, 0xa9553a) } else { self.bush(x, y, 0.8 * size, 0x8f8f4a) }
        }
    }

    fn palms_within(&mut self, grove: &Grove<'_>, [from, to]: [f32; 2], foot: f32) {
        let places: Vec<f32> = self.along(grove.density).into_iter().filter(|x| (from..to).contains(x)).collect();
        for x in places {
            let size = grove.size * self.random.within(0.7, 1.15);
            let y = foot + grove.spread * self.random.unit();
            self.palm(x, y, size);
        }
    }

    /// Streams of lava that come nearer, broad and bright.
    fn lava_streams(&mut self) {
        let (short, top, bottom) = (self.film.short, self.ground, self.bottom);
        let depth = bottom - top;
        for x in self.along(0.9) {
            let lean = self.random.within(-0.5, 0.5) * depth;
            let bend = self.random.within(-0.3, 0.3) * depth;
            let path = |wide: f32| {
                let (w0, w1) = (0.012 * short * wide, 0.085 * short * wide);
                Pen::at(x - w0, top)
                    .cubic([x + bend - w0, top + 0.3 * depth], [x + lean - bend - w1, top + 0.6 * depth], x + lean - w1, bottom)
                    .line(x + lean + w1, bottom)
                    .cubic([x + lean - bend + w1, top + 0.6 * depth], [x + bend + w0, top + 0.3 * depth], x + w0, top)
                    .close()
            };
            path(2.2).fill(self.c, &Ink::flat(Rgb([1.0, 0.30, 0.06]), 0.28));
            path(1.35).fill(self.c, &Ink::flat(Rgb([0.30, 0.08, 0.08]), 1.0));
            path(1.0)
                .fill(self.c, &Ink::linear([0.0, top], [0.0, bottom], &[(Rgb([1.0, 0.52, 0.14]), 1.0), (Rgb([1.0, 0.72, 0.22]), 1.0)]));
            path(0.45).fill(self.c, &Ink::flat(Rgb([1.0, 0.92, 0.55]), 0.9));
            self.c.puff(x, top, 0.3 * short, 0.12 * short, Rgb([1.0, 0.45, 0.12]), 0.4, Puff { add: true, firm: false });
        }
    }
}
