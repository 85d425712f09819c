//! Under the sea: a coral reef, a wreck, a sunken city, the deep.

use super::{Layer, Layers};
use crate::canvas::{Ink, Puff, Rgb};
use crate::paint::shape::{Pen, Wave};

const CORALS: [u32; 6] = [0xff6f8f, 0xff9a4d, 0xb86be0, 0xf2c94a, 0xe04f6b, 0x4fc8c0];

impl Layers<'_> {
    pub(super) fn coral_reef(&mut self) {
        let (rise, horizon, short, height) = (self.film.rise(), self.film.horizon, self.film.short, self.film.height);
        self.sea_behind(0.30);
        self.add(0.26, 0.0, [horizon - 0.62 * rise, height + 9.0], |l| {
            for x in l.along(2.2) {
                let tall = rise * l.random.within(0.10, 0.34);
                l.reef_block(x, horizon + 0.05 * short, tall, 0.30);
            }
        });
        self.add(0.50, 0.0, [horizon - 0.50 * rise, height + 9.0], |l| {
            let wave = Wave::of(&mut l.random, horizon + 0.02 * short, 0.035 * short, 1.1 * short, 3);
            let (left, right) = (l.film.width * 0.24, l.film.width * 0.76);
            for x in l.along(2.6) {
                let tall = rise * if (left..right).contains(&x) { l.random.within(0.04, 0.10) } else { l.random.within(0.16, 0.36) };
                l.reef_block(x, wave.y(x) + 0.02 * short, tall, 0.06);
            }
            l.sea_floor(&wave);
            l.reef(&wave);
            for x in l.along(6.0) {
                let (size, hex) = (short * l.random.within(0.09, 0.20), l.random.one(&CORALS));
                l.coral(x, wave.y(x) + 0.012 * short, size, hex);
            }
        });
    }

    pub(super) fn shipwreck(&mut self) {
        let (rise, horizon, short, height) = (self.film.rise(), self.film.horizon, self.film.short, self.film.height);
        self.sea_behind(0.34);
        let x = self.film.width * (0.5 + 0.17 * self.film.free_side());
        let size = 0.62 * rise.min(1.15 * self.film.width);
        self.add(0.30, 0.0, [horizon - 1.5 * size, height + 9.0], |l| l.wreck(x, horizon + 0.03 * short, size));
        self.sea_bed(horizon);
    }

    pub(super) fn sunken_city(&mut self) {
        let (rise, horizon, short, height) = (self.film.rise(), self.film.horizon, self.film.short, self.film.height);
        self.sea_behind(0.26);
        for (parallax, blend, density, tall) in [(0.14, 0.58, 1.6, 0.52), (0.30, 0.24, 1.0, 0.58)] {
            self.add(parallax, 0.0, [horizon - 1.3 * tall * rise, height + 9.0], |l| {
                for (index, x) in l.along(density).into_iter().enumerate() {
                    let size = tall * rise * l.random.within(0.75, 1.1);
                    l.ruin(x, horizon + 0.04 * short, size, blend, index);
                }
            });
        }
        self.sea_bed(horizon);
    }

    pub(super) fn deep_sea(&mut self) {
        let (rise, horizon, short, height) = (self.film.rise(), self.film.horizon, self.film.short, self.film.height);
        for (parallax, tall, hex) in [(0.08, 0.50, 0x0a2a52), (0.20, 0.30, 0x071d3d)] {
            self.add(parallax, 0.0, [horizon - 1.25 * tall * rise, height + 9.0], |l| l.sea_rocks(tall * rise, Rgb::hex(hex)));
        }
        self.add(0.16, 0.0, [-9.0, height + 9.0], |l| {
            for x in l.along(9.0) {
                let (y, r) = (height * l.random.within(0.04, 0.95), short * l.random.within(0.002, 0.006));
                let colour = Rgb::hex(l.random.one(&[0x6ff0ff, 0x8fb8ff, 0xb88fff, 0x7dffc8]));
                l.glow(x, y, 7.0 * r, colour, 0.45);
                l.c.circle(x, y, r, &Ink::flat(colour.mix(Rgb::WHITE, 0.5), 0.95));
            }
        });
        self.add(0.50, 0.0, [horizon - 0.30 * short, height + 9.0], |l| {
            let wave = Wave::of(&mut l.random, horizon + 0.02 * short, 0.05 * short, 0.8 * short, 4);
            let points: Vec<[f32; 2]> = l.steps().into_iter().map(|x| [x, wave.y(x)]).collect();
            l.under(&points, &Ink::linear([0.0, horizon], [0.0, height], &[(Rgb::hex(0x0d2440), 1.0), (Rgb::hex(0x040c1c), 1.0)]));
            for x in l.along(5.0) {
                let (size, hex) = (short * l.random.within(0.06, 0.15), l.random.one(&[0x3fe0ff, 0xb06bff, 0x4fffb8, 0xff5fb8]));
                let foot = wave.y(x) + 0.01 * short;
                l.glow(x, foot - 0.5 * size, 1.1 * size, Rgb::hex(hex), 0.35);
                l.shining_tubes(x, foot, size, Rgb::hex(hex));
            }
        });
    }

    fn sea_behind(&mut self, tall: f32) {
        let (rise, horizon, height) = (self.film.rise(), self.film.horizon, self.film.height);
        for (parallax, blend, tall, hex) in [(0.08, 0.72, 1.3 * tall, 0x1a6f9f), (0.16, 0.50, tall, 0x155f8a)] {
            self.add(parallax, 0.0, [horizon - 1.25 * tall * rise, height + 9.0], |l| {
                let colour = Rgb::hex(hex).mix(l.film.light.sky[1], blend).tinted(l.film.light.ambient);
                l.sea_rocks(tall * rise, colour);
            });
        }
    }

    fn sea_bed(&mut self, horizon: f32) {
        let (short, height) = (self.film.short, self.film.height);
        self.add(0.50, 0.0, [horizon - 0.24 * short, height + 9.0], |l| {
            let wave = Wave::of(&mut l.random, horizon + 0.02 * short, 0.035 * short, 1.1 * short, 3);
            l.sea_floor(&wave);
            l.reef(&wave);
        });
    }
}

impl Layer<'_> {
    /// A colour under water, so much of it lost in the distance.
    fn drowned(&self, hex: u32, blend: f32) -> Rgb {
        Rgb::hex(hex).tinted(self.film.light.ambient).times(self.film.light.level.max(0.4)).mix(self.film.light.sky[1], blend)
    }

    /// A block of the reef overgrown with corals.
    fn reef_block(&mut self, x: f32, foot: f32, tall: f32, blend: f32) {
        let short = self.film.short;
        let half = tall * self.random.within(0.7, 1.0) + 0.05 * short;
        let rock = self.drowned(0x7a6a80, blend);
        let points = [
            [x - half, foot],
            [x - 0.85 * half, foot - 0.55 * tall],
            [x - 0.4 * half, foot - 0.95 * tall],
            [x + 0.3 * half, foot - tall],
            [x + 0.8 * half, foot - 0.6 * tall],
            [x + half, foot],
        ];
        self.shaded(&points, [x, half], rock);
        for j in 0..7 {
            let u = j as f32 / 3.0 - 1.0;
            let (cx, cy) = (x + 0.9 * u * half, foot - tall * (1.0 - 0.75 * u * u) * self.random.within(0.75, 0.98));
            let hex = self.random.one(&CORALS);
            let (r, colour) = (short * self.random.within(0.022, 0.05), self.drowned(hex, blend));
            if j % 2 == 0 {
                Pen::default().circle(cx, cy, r).fill(
                    self.c,
                    &Ink::linear([0.0, cy - r], [0.0, cy + r], &[(colour.mix(Rgb::WHITE, 0.3), 1.0), (colour.times(0.75), 1.0)]),
                );
                let pores = (0..8).fold(Pen::default(), |pen, k| {
                    pen.circle(cx + r * 0.6 * (0.8 * k as f32).sin(), cy + r * 0.6 * (0.8 * k as f32).cos(), 0.09 * r)
                });
                pores.fill(self.c, &Ink::flat(colour.times(0.6), 0.8));
            } else {
                let mut fan = Pen::default();
                for k in 0..7 {
                    let angle = 0.6 + 0.32 * k as f32;
                    fan = fan.to(cx, cy + 0.4 * r).line(cx - 2.0 * r * angle.cos(), cy - 1.8 * r * angle.sin());
                }
                fan.stroke(self.c, 0.34 * r, &Ink::flat(colour, 1.0));
            }
        }
    }

    /// A sailing ship that lies on its side, its planks broken.
    fn wreck(&mut self, x: f32, foot: f32, size: f32) {
        let (wood, dark, pale) = (self.drowned(0x7d5a3c, 0.16), self.drowned(0x3d2c24, 0.20), self.drowned(0xa5805a, 0.16));
        let (lean, way) = (0.20f32, -self.film.free_side());
        let at = |u: f32, v: f32| {
            let (px, py) = (u * size, v * size);
            [x + way * (px * lean.cos() - py * lean.sin()), foot - 0.02 * size - (px * lean.sin() + py * lean.cos())]
        };
        for (u, tall) in [(-0.30, 0.86), (0.14, 1.02)] {
            Pen::default()
                .polygon(&[at(u - 0.018, 0.2), at(u - 0.012, tall), at(u + 0.012, tall), at(u + 0.018, 0.2)])
                .fill(self.c, &Ink::flat(dark, 1.0));
            Pen::default().line_through(&[at(u - 0.22, tall - 0.22), at(u + 0.20, tall - 0.18)]).stroke(
                self.c,
                0.022 * size,
                &Ink::flat(dark, 1.0),
            );
            let sail = [
                at(u - 0.20, tall - 0.22),
                at(u + 0.17, tall - 0.19),
                at(u + 0.13, tall - 0.40),
                at(u + 0.04, tall - 0.36),
                at(u - 0.02, tall - 0.52),
                at(u - 0.10, tall - 0.42),
                at(u - 0.17, tall - 0.50),
            ];
            let cloth = self.drowned(0xd9d2be, 0.30);
            Pen::default().polygon(&sail).fill(self.c, &Ink::flat(cloth, 0.85));
        }
        let hull = [
            at(-0.72, 0.44),
            at(-0.66, 0.10),
            at(-0.46, -0.10),
            at(0.40, -0.12),
            at(0.66, 0.10),
            at(0.86, 0.40),
            at(0.58, 0.30),
            at(-0.40, 0.28),
            at(-0.42, 0.44),
        ];
        let [top, low] = [at(0.0, 0.3)[1], at(0.0, -0.1)[1]];
        Pen::default().polygon(&hull).fill(self.c, &Ink::linear([0.0, top], [0.0, low], &[(wood, 1.0), (dark.mix(wood, 0.3), 1.0)]));
        let mut planks = Pen::default();
        for v in [0.20, 0.11, 0.02] {
            planks = planks.line_through(&[at(-0.66, v), at(0.2, v - 0.02), at(0.70, v + 0.06)]);
        }
        planks.stroke(self.c, 0.010 * size, &Ink::flat(dark, 0.8));
        Pen::default()
            .line_through(&[at(-0.72, 0.44), at(-0.42, 0.44), at(-0.40, 0.28), at(0.58, 0.30), at(0.86, 0.40), at(1.08, 0.56)])
            .stroke(self.c, 0.026 * size, &Ink::flat(pale, 1.0));
        Pen::default()
            .polygon(&[at(-0.10, 0.20), at(0.02, 0.16), at(0.16, 0.19), at(0.20, 0.05), at(0.10, -0.03), at(-0.02, 0.02), at(-0.14, 0.04)])
            .fill(self.c, &Ink::flat(dark.times(0.5), 1.0));
        for u in [-0.52, -0.32, 0.36, 0.54] {
            let [px, py] = at(u, 0.15);
            self.c.circle(px, py, 0.036 * size, &Ink::flat(pale, 1.0));
            self.c.circle(px, py, 0.025 * size, &Ink::flat(dark.times(0.5), 1.0));
        }
    }

    /// A temple, an arch or broken columns.
    fn ruin(&mut self, x: f32, foot: f32, size: f32, blend: f32, which: usize) {
        let (stone, dark, pale) = (self.drowned(0xc9c4a8, blend), self.drowned(0x7f8f8a, blend), self.drowned(0xeee8cf, blend));
        let column = |l: &mut Self, cx: f32, base: f32, tall: f32, w: f32| {
            let ink = l.sidelight(cx, w, pale, dark);
            Pen::default().rect(cx - w, base - tall, cx + w, base).fill(l.c, &ink);
            Pen::default()
                .rect(cx - 1.4 * w, base - tall - 0.6 * w, cx + 1.4 * w, base - tall)
                .rect(cx - 1.4 * w, base - 0.6 * w, cx + 1.4 * w, base)
                .fill(l.c, &Ink::flat(stone, 1.0));
            let grooves = [-0.5, 0.0, 0.5]
                .iter()
                .fold(Pen::default(), |pen, u| pen.to(cx + u * w, base - tall + 0.3 * w).line(cx + u * w, base - 0.8 * w));
            grooves.stroke(l.c, 0.14 * w, &Ink::flat(dark, 0.6));
        };
        match which % 3 {
            0 => {
                let (half, tall, w) = (0.52 * size, 0.52 * size, 0.045 * size);
                Pen::default()
                    .rect(x - 1.15 * half, foot - 0.06 * size, x + 1.15 * half, foot + 0.03 * size)
                    .fill(self.c, &Ink::flat(stone, 1.0));
                for j in 0..5 {
                    column(self, x - half + 0.5 * half * j as f32, foot - 0.06 * size, tall, w);
                }
                let roof = foot - 0.06 * size - tall - 0.6 * w;
                Pen::default().rect(x - 1.12 * half, roof - 0.07 * size, x + 1.12 * half, roof).fill(self.c, &Ink::flat(stone, 1.0));
                Pen::default()
                    .polygon(&[[x - 1.16 * half, roof - 0.07 * size], [x, roof - 0.30 * size], [x + 1.16 * half, roof - 0.07 * size]])
                    .fill(self.c, &Ink::flat(pale, 1.0));
                Pen::default()
                    .polygon(&[[x - 0.8 * half, roof - 0.095 * size], [x, roof - 0.245 * size], [x + 0.8 * half, roof - 0.095 * size]])
                    .fill(self.c, &Ink::flat(dark, 0.7));
            }
            1 => {
                for (dx, share) in [(-0.28, 0.62), (-0.06, 0.34), (0.18, 0.50)] {
                    column(self, x + dx * size, foot, share * size, 0.055 * size);
                }
            }
            _ => {
                let (half, tall) = (0.22 * size, 0.46 * size);
                let ink = self.sidelight(x, 1.5 * half, pale, dark);
                Pen::at(x - 1.5 * half, foot)
                    .line(x - 1.5 * half, foot - tall)
                    .cubic(
                        [x - 1.5 * half, foot - tall - 1.9 * half],
                        [x + 1.5 * half, foot - tall - 1.9 * half],
                        x + 1.5 * half,
                        foot - tall,
                    )
                    .line(x + 1.5 * half, foot)
                    .line(x + half, foot)
                    .line(x + half, foot - tall)
                    .cubic([x + half, foot - tall - 1.2 * half], [x - half, foot - tall - 1.2 * half], x - half, foot - tall)
                    .line(x - half, foot)
                    .close()
                    .fill(self.c, &ink);
            }
        }
    }

    /// Tubes that give light in the dark.
    fn shining_tubes(&mut self, x: f32, foot: f32, size: f32, colour: Rgb) {
        for (dx, tall, lean) in [(-0.22, 0.7, -0.12), (0.0, 1.0, 0.03), (0.22, 0.6, 0.14)] {
            let (cx, top) = (x + dx * size, [x + (dx + lean) * size, foot - tall * size]);
            Pen::at(cx, foot).quad([cx, foot - 0.6 * tall * size], top[0], top[1]).stroke(
                self.c,
                0.10 * size,
                &Ink::flat(colour.times(0.55), 1.0),
            );
            self.c.puff(top[0], top[1], 0.22 * size, 0.22 * size, colour, 0.8, Puff { add: true, firm: false });
            self.c.circle(top[0], top[1], 0.075 * size, &Ink::flat(colour.mix(Rgb::WHITE, 0.5), 1.0));
        }
    }
}
