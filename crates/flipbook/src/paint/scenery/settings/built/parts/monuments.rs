//! The buildings that tell a city, each by itself.

use super::houses::Roof;
use crate::canvas::{Ink, Rgb};
use crate::paint::scenery::Layer;
use crate::paint::shape::Pen;

impl Layer<'_> {
    /// The tower of Paris.
    pub(in crate::paint::scenery::settings::built) fn iron_tower(&mut self, [x, foot]: [f32; 2], high: f32) {
        let lit = self.film.light.dark;
        let iron = if lit { Rgb::hex(0xe0a850) } else { self.tone(0x8a6f5c) };
        let half = |t: f32| high * (0.215 * (1.0 - t).powf(2.6) + 0.012);
        let ink = Ink::linear(
            [x - 0.2 * high, 0.0],
            [x + 0.2 * high, 0.0],
            &[(iron.mix(Rgb::WHITE, 0.18), 1.0), (iron, 1.0), (iron.times(0.72), 1.0)],
        );
        let steps = 24;
        let mut outline: Vec<[f32; 2]> =
            (0..=steps).map(|j| j as f32 / steps as f32).map(|t| [x - half(t), foot - 0.93 * high * t]).collect();
        outline.extend((0..=steps).rev().map(|j| j as f32 / steps as f32).map(|t| [x + half(t), foot - 0.93 * high * t]));
        if lit {
            self.glow(x, foot - 0.4 * high, 0.5 * high, Rgb::hex(0xffc45a), 0.35);
        }
        Pen::default().polygon(&outline).fill(self.c, &ink);
        // The sky under its arch and between its legs.
        let sky = self.film.light.sky[2].mix(self.film.light.haze, 0.3);
        let gap = 0.135 * high;
        Pen::at(x - gap, foot + 2.0)
            .cubic([x - gap, foot - 0.155 * high], [x + gap, foot - 0.155 * high], x + gap, foot + 2.0)
            .close()
            .fill(self.c, &Ink::flat(sky, 1.0));
        Pen::default()
            .polygon(&[[x - 0.056 * high, foot - 0.17 * high], [x, foot - 0.34 * high], [x + 0.056 * high, foot - 0.17 * high]])
            .fill(self.c, &Ink::flat(sky, 0.9));
        let mut lattice = Pen::default();
        for j in 0..20 {
            let (t, next) = (0.03 + 0.048 * j as f32, 0.03 + 0.048 * (j + 1) as f32);
            let (y, up) = (foot - 0.93 * high * t, foot - 0.93 * high * next);
            lattice = lattice.to(x - half(t), y).line(x + half(next), up).to(x + half(t), y).line(x - half(next), up);
        }
        lattice.stroke(self.c, 0.005 * high, &Ink::flat(iron.times(0.62), 0.6));
        for (t, grow) in [(0.165, 1.10), (0.365, 1.22), (0.88, 2.2)] {
            let (y, w) = (foot - 0.93 * high * t, half(t) * grow);
            Pen::default().rect(x - w, y - 0.018 * high, x + w, y + 0.008 * high).fill(self.c, &Ink::flat(iron.times(0.78), 1.0));
        }
        Pen::at(x, foot - 0.92 * high).line(x, foot - high).stroke(self.c, 0.010 * high, &Ink::flat(iron, 1.0));
    }

    /// The clock tower of London and the long house beside it.
    pub(in crate::paint::scenery::settings::built) fn parliament(&mut self, [x, foot]: [f32; 2], unit: f32) {
        let (stone, dark) = (0xd3ad74, 0xa07f50);
        let s = -self.side();
        let end = x + s * 1.4 * unit;
        let (left, right) = (x.min(end), x.max(end));
        self.block([left, foot - 0.30 * unit, right, foot + 0.04 * unit], stone);
        for j in 0..20 {
            let px = left + (right - left) * (j as f32 + 0.5) / 20.0;
            self.bar([px, foot], [px, foot - 0.35 * unit], 0.014 * unit, dark);
            self.pane([px + 0.016 * unit, foot - 0.25 * unit, px + 0.050 * unit, foot - 0.08 * unit]);
        }
        let (w, top) = (0.085 * unit, foot - 0.74 * unit);
        self.block([x - w, top, x + w, foot + 0.04 * unit], stone);
        for share in [-0.66, -0.22, 0.22, 0.66] {
            self.bar([x + share * w, foot], [x + share * w, top + 0.2 * unit], 0.012 * unit, dark);
        }
        self.block([x - 1.18 * w, top - 0.02 * unit, x + 1.18 * w, top + 0.20 * unit], 0xdcb983);
        let face = if self.lit_up() { Rgb::hex(0xfff3c4) } else { self.tone(0xfdfbf0) };
        let dial = [x, top + 0.09 * unit];
        self.oval(dial, 0.094 * unit, 0.094 * unit, 0x3f4a56);
        Pen::default().circle(dial[0], dial[1], 0.080 * unit).fill(self.c, &Ink::flat(face, 1.0));
        self.bar(dial, [dial[0], dial[1] - 0.06 * unit], 0.010 * unit, 0x23262e);
        self.bar(dial, [dial[0] + 0.04 * unit, dial[1] + 0.02 * unit], 0.012 * unit, 0x23262e);
        self.shape(
            &[
                [x - 1.2 * w, top - 0.02 * unit],
                [x - 0.62 * w, top - 0.14 * unit],
                [x + 0.62 * w, top - 0.14 * unit],
                [x + 1.2 * w, top - 0.02 * unit],
            ],
            0x5d6a6f,
        );
        self.block([x - 0.6 * w, top - 0.19 * unit, x + 0.6 * w, top - 0.13 * unit], 0xe0bf70);
        self.shape(&[[x - 0.66 * w, top - 0.19 * unit], [x, top - 0.40 * unit], [x + 0.66 * w, top - 0.19 * unit]], 0x5d6a6f);
    }

    pub(in crate::paint::scenery::settings::built) fn double_decker(&mut self, [x, foot]: [f32; 2], high: f32) {
        let (half, red) = (0.86 * high, 0xd0332f);
        self.block([x - half, foot - high, x + half, foot - 0.08 * high], red);
        for level in [0.86, 0.44] {
            for j in 0..5 {
                let wx = x + half * (-0.92 + 0.37 * j as f32);
                self.pane([wx, foot - level * high, wx + 0.32 * half, foot - (level - 0.22) * high]);
            }
        }
        self.block([x - half, foot - 0.58 * high, x + half, foot - 0.52 * high], 0xf7e6c0);
        for side in [-0.56, 0.56] {
            self.oval([x + side * half, foot - 0.09 * high], 0.13 * high, 0.13 * high, 0x23262e);
            self.oval([x + side * half, foot - 0.09 * high], 0.055 * high, 0.055 * high, 0xc3cad2);
        }
    }

    pub(in crate::paint::scenery::settings::built) fn phone_box(&mut self, [x, foot]: [f32; 2], high: f32) {
        let half = 0.20 * high;
        self.block([x - half, foot - high, x + half, foot], 0xd0332f);
        self.block([x - 1.14 * half, foot - 0.96 * high, x + 1.14 * half, foot - 0.84 * high], 0xb82a28);
        self.block([x - 0.8 * half, foot - 0.93 * high, x + 0.8 * half, foot - 0.87 * high], 0xfdf6e0);
        for row in 0..4 {
            for column in 0..2 {
                let left = x + half * (-0.78 + 0.82 * column as f32);
                let y = foot - high * (0.80 - 0.17 * row as f32);
                self.pane([left, y, left + 0.72 * half, y + 0.14 * high]);
            }
        }
    }

    /// A tower that grows narrower in steps, with a needle on top.
    pub(in crate::paint::scenery::settings::built) fn setback_tower(&mut self, [x, foot]: [f32; 2], high: f32) {
        let wall = 0xb9b2b8;
        let steps = [(0.155, 0.0, 0.30), (0.125, 0.30, 0.66), (0.085, 0.66, 0.78), (0.055, 0.78, 0.85)];
        for (half, from, to) in steps {
            self.block([x - half * high, foot - to * high, x + half * high, foot - from * high + 1.0], wall);
            for j in 0..((half * 60.0) as usize) {
                let wx = x - half * high + 2.0 * half * high * (j as f32 + 0.5) / (half * 60.0).floor();
                for k in 0..(((to - from) * 32.0) as usize) {
                    let y = foot - (from + (k as f32 + 0.7) / 32.0) * high;
                    self.pane([wx - 0.007 * high, y, wx + 0.007 * high, y + 0.018 * high]);
                }
            }
        }
        self.shape(
            &[
                [x - 0.05 * high, foot - 0.845 * high],
                [x - 0.012 * high, foot - 0.91 * high],
                [x + 0.012 * high, foot - 0.91 * high],
                [x + 0.05 * high, foot - 0.845 * high],
            ],
            0x8f98a8,
        );
        self.bar([x, foot - 0.90 * high], [x, foot - 1.06 * high], 0.010 * high, 0x8f98a8);
    }

    pub(in crate::paint::scenery::settings::built) fn pyramid(&mut self, [x, foot]: [f32; 2], high: f32) {
        let (half, s) = (0.82 * high, self.film.sun_side());
        let sand = self.tone(0xe8bf7a);
        let (lit, dark) = (sand.mix(self.far(self.film.light.sun), 0.28), sand.mix(self.far(Rgb([0.36, 0.18, 0.22])), 0.42));
        let (tip, spine) = ([x, foot - high], [x - s * 0.22 * half, foot]);
        Pen::default().polygon(&[[x + s * half, foot], tip, spine]).fill(self.c, &Ink::flat(lit, 1.0));
        Pen::default().polygon(&[[x - s * half, foot], tip, spine]).fill(self.c, &Ink::flat(dark, 1.0));
        let mut courses = Pen::default();
        for j in 1..16 {
            let t = j as f32 / 16.0;
            let y = foot - high * t;
            courses = courses.to(x - half * (1.0 - t), y).line(x + half * (1.0 - t), y);
        }
        courses.stroke(self.c, 0.006 * high, &Ink::flat(dark.times(0.85), 0.35));
    }

    pub(in crate::paint::scenery::settings::built) fn low_houses(&mut self, unit: f32) {
        let row = super::houses::Terrace {
            foot: self.film.horizon + 0.01 * self.film.short,
            high: [0.22 * unit, 0.32 * unit],
            wide: [0.18 * unit, 0.26 * unit],
            walls: &[0xd3c7c0, 0xb9c2cc, 0xe3d6c6, 0xa8b3bf],
            roof: Roof::Flat,
            tiles: 0x6f7884,
            arched: false,
        };
        self.terrace(&row);
        self.block([self.a, self.film.horizon - 0.155 * unit, self.b, self.film.horizon - 0.135 * unit], 0x4a3f44);
    }

    /// An upright board with strokes on it.
    pub(in crate::paint::scenery::settings::built) fn banner_sign(&mut self, [x, y]: [f32; 2], high: f32, hex: u32) {
        let half = 0.19 * high;
        if self.lit_up() {
            self.glow(x, y, 0.9 * high, Rgb::hex(hex), 0.4);
        }
        let colour = if self.lit_up() { Rgb::hex(hex).mix(Rgb::WHITE, 0.15) } else { self.tone(hex) };
        let board = crate::paint::shape::area(x - half, y - 0.5 * high, 2.0 * half, high);
        self.c.round_rect(board, 0.3 * half, &Ink::flat(colour, 1.0));
        for j in 0..3 {
            let (cy, r) = (y + high * (-0.30 + 0.30 * j as f32), 0.55 * half);
            let mark = Pen::at(x - r, cy - 0.6 * r)
                .line(x + r, cy - 0.6 * r)
                .to(x, cy - r)
                .line(x, cy + r)
                .to(x - 0.8 * r, cy + 0.5 * r)
                .line(x + 0.8 * r, cy + 0.5 * r);
            mark.stroke(self.c, 0.030 * high, &Ink::flat(Rgb::WHITE, 0.95));
        }
    }

    /// The arena of Rome.
    pub(in crate::paint::scenery::settings::built) fn arena(&mut self, [x, foot]: [f32; 2], wide: f32) {
        let (half, high) = (0.5 * wide, 0.38 * wide);
        let stone = self.tone(0xe0c08e);
        let ink = Ink::linear(
            [x - half, 0.0],
            [x + half, 0.0],
            &[(stone.times(0.84), 1.0), (stone.mix(Rgb::WHITE, 0.12), 1.0), (stone.times(0.76), 1.0)],
        );
        let low = 0.70;
        Pen::at(x - half, foot)
            .line(x - 0.98 * half, foot - low * high)
            .quad([x - 0.5 * half, foot - 0.80 * high], x - 0.14 * half, foot - 0.78 * high)
            .line(x - 0.10 * half, foot - 0.98 * high)
            .quad([x + 0.5 * half, foot - 1.06 * high], x + 0.96 * half, foot - 0.92 * high)
            .line(x + half, foot)
            .close()
            .fill(self.c, &ink);
        let shade = self.tone(0x7d5f48);
        for (level, from) in [(0.04, -0.92f32), (0.28, -0.92), (0.52, -0.92), (0.77, 0.0)] {
            let mut arches = Pen::default();
            let count = 13;
            for j in 0..count {
                let t = -0.92 + 1.84 * j as f32 / (count - 1) as f32;
                if t < from {
                    continue;
                }
                let (cx, w) =
                    (x + half * (t * std::f32::consts::FRAC_PI_2 * 0.96).sin(), 0.042 * half * (1.0 - 0.72 * t.abs()).max(0.3) * 1.3);
                let (y, tall) = (foot - level * high, 0.17 * high * if level > 0.7 { 0.6 } else { 1.0 });
                arches = arches
                    .to(cx - w, y)
                    .line(cx - w, y - 0.6 * tall)
                    .quad([cx - w, y - tall], cx, y - tall)
                    .quad([cx + w, y - tall], cx + w, y - 0.6 * tall)
                    .line(cx + w, y)
                    .close();
            }
            arches.fill(self.c, &Ink::flat(shade, 1.0));
            let from = x + from * half * 1.04;
            self.bar([from, foot - (level + 0.205) * high], [x + 0.97 * half, foot - (level + 0.205) * high], 0.016 * high, 0xf0d9b0);
        }
        self.snow_on(x, x + 0.8 * half, foot - 0.99 * high);
    }

    /// The white tomb of Agra: a dome over an arch, four towers beside it.
    pub(in crate::paint::scenery::settings::built) fn mausoleum(&mut self, [x, foot]: [f32; 2], high: f32) {
        let (white, pale) = (0xf7f0e6, 0xe6dccd);
        let dome = |l: &mut Self, cx: f32, base: f32, r: f32, hex: u32| {
            let colour = l.tone(hex);
            let ink =
                Ink::linear([cx - r, 0.0], [cx + r, 0.0], &[(colour.mix(Rgb::WHITE, 0.3), 1.0), (colour, 1.0), (colour.times(0.8), 1.0)]);
            Pen::at(cx - 0.82 * r, base)
                .cubic([cx - 1.4 * r, base - 0.9 * r], [cx - 0.55 * r, base - 1.5 * r], cx, base - 2.0 * r)
                .cubic([cx + 0.55 * r, base - 1.5 * r], [cx + 1.4 * r, base - 0.9 * r], cx + 0.82 * r, base)
                .close()
                .fill(l.c, &ink);
            l.bar([cx, base - 1.96 * r], [cx, base - 2.35 * r], 0.08 * r, 0xe0b040);
        };
        self.block([x - 0.80 * high, foot - 0.08 * high, x + 0.80 * high, foot + 0.03 * high], pale);
        for side in [-0.72, 0.72] {
            let px = x + side * high;
            self.block([px - 0.028 * high, foot - 0.66 * high, px + 0.028 * high, foot - 0.08 * high], white);
            for up in [0.28, 0.48] {
                self.block([px - 0.038 * high, foot - up * high, px + 0.038 * high, foot - (up - 0.02) * high], pale);
            }
            dome(self, px, foot - 0.66 * high, 0.036 * high, white);
        }
        self.block([x - 0.40 * high, foot - 0.42 * high, x + 0.40 * high, foot - 0.07 * high], white);
        self.block([x - 0.13 * high, foot - 0.60 * high, x + 0.13 * high, foot - 0.40 * high], white);
        dome(self, x, foot - 0.56 * high, 0.17 * high, white);
        for side in [-0.26, 0.26] {
            dome(self, x + side * high, foot - 0.42 * high, 0.058 * high, white);
        }
        self.block([x - 0.15 * high, foot - 0.48 * high, x + 0.15 * high, foot - 0.07 * high], 0xfffaf2);
        let hollow = Ink::flat(self.tone(0xb5a596), 1.0);
        let mut arches = Pen::default();
        for (dx, base, w, tall) in [
            (0.0, 0.07, 0.10, 0.34),
            (-0.27, 0.07, 0.055, 0.14),
            (0.27, 0.07, 0.055, 0.14),
            (-0.27, 0.245, 0.055, 0.13),
            (0.27, 0.245, 0.055, 0.13),
        ] {
            let (cx, y) = (x + dx * high, foot - base * high);
            arches = arches
                .to(cx - w * high, y)
                .line(cx - w * high, y - 0.62 * tall * high)
                .quad([cx - 0.8 * w * high, y - 0.86 * tall * high], cx, y - tall * high)
                .quad([cx + 0.8 * w * high, y - 0.86 * tall * high], cx + w * high, y - 0.62 * tall * high)
                .line(cx + w * high, y)
                .close();
        }
        arches.fill(self.c, &hollow);
    }

    /// The cathedral of Moscow.
    pub(in crate::paint::scenery::settings::built) fn onion_domes(&mut self, [x, foot]: [f32; 2], high: f32) {
        let towers = [
            (-0.30, 0.40, 0.085, 0x3f9a6a, 0xf2d24a),
            (0.30, 0.42, 0.085, 0x3f7fc8, 0xf7f3ea),
            (-0.15, 0.52, 0.085, 0xd9403c, 0xf2e6c8),
            (0.16, 0.54, 0.085, 0xf0b03a, 0x3f9a6a),
        ];
        let onion = |l: &mut Self, cx: f32, base: f32, r: f32, one: u32, two: u32| {
            let body = || {
                Pen::at(cx - 0.7 * r, base)
                    .cubic([cx - 1.9 * r, base - 0.9 * r], [cx - 0.5 * r, base - 1.6 * r], cx, base - 2.5 * r)
                    .cubic([cx + 0.5 * r, base - 1.6 * r], [cx + 1.9 * r, base - 0.9 * r], cx + 0.7 * r, base)
                    .close()
            };
            body().fill(l.c, &Ink::flat(l.tone(one), 1.0));
            for share in [-0.9, -0.3, 0.3, 0.9] {
                let stripe = Ink::flat(l.tone(two), 1.0);
                Pen::at(cx + 0.5 * share * r, base)
                    .cubic([cx + 1.3 * share * r, base - 0.8 * r], [cx + 0.6 * share * r, base - 1.5 * r], cx, base - 2.3 * r)
                    .stroke(l.c, 0.16 * r, &stripe);
            }
            l.bar([cx, base - 2.4 * r], [cx, base - 3.1 * r], 0.09 * r, 0xf2c93f);
            l.bar([cx - 0.25 * r, base - 2.85 * r], [cx + 0.25 * r, base - 2.85 * r], 0.09 * r, 0xf2c93f);
            if l.film.light.white {
                l.oval([cx - 0.2 * r, base - 1.4 * r], 0.4 * r, 0.26 * r, 0xf6fafd);
            }
        };
        self.block([x - 0.42 * high, foot - 0.24 * high, x + 0.42 * high, foot + 0.03 * high], 0xb8503f);
        for j in 0..7 {
            let cx = x + high * (-0.36 + 0.12 * j as f32);
            let ink = Ink::flat(self.tone(0xf3e6cf), 1.0);
            Pen::at(cx - 0.04 * high, foot)
                .line(cx - 0.04 * high, foot - 0.12 * high)
                .quad([cx, foot - 0.22 * high], cx + 0.04 * high, foot - 0.12 * high)
                .line(cx + 0.04 * high, foot)
                .stroke(self.c, 0.014 * high, &ink);
        }
        for (dx, top, r, one, two) in towers {
            let cx = x + dx * high;
            self.block([cx - 0.075 * high, foot - top * high, cx + 0.075 * high, foot - 0.2 * high], 0xc05a45);
            self.block([cx - 0.085 * high, foot - top * high, cx + 0.085 * high, foot - (top - 0.03) * high], 0xf3e6cf);
            onion(self, cx, foot - top * high, r * high, one, two);
        }
        self.block([x - 0.07 * high, foot - 0.60 * high, x + 0.07 * high, foot - 0.2 * high], 0xb8503f);
        self.shape(&[[x - 0.10 * high, foot - 0.59 * high], [x, foot - 0.92 * high], [x + 0.10 * high, foot - 0.59 * high]], 0xc96a4a);
        onion(self, x, foot - 0.88 * high, 0.036 * high, 0xf2c93f, 0xe0a82a);
    }
}
