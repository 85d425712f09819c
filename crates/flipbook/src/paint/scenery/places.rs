//! Farm and castle.

use super::plants::Tree;
use super::{Layer, Layers};
use crate::canvas::{Ink, Rgb};
use crate::paint::shape::{Pen, Wave, area};

const LAMPLIGHT: Rgb = Rgb([1.0, 0.82, 0.42]);

impl Layers<'_> {
    pub(super) fn farm(&mut self) {
        let (horizon, short, width) = (self.film.horizon, self.film.short, self.film.width);
        self.far_hills(0.06, 0.60, 0x7fae9c, [0.02, 0.26]);
        self.far_hills(0.12, 0.36, 0xb5c46a, [0.02, 0.15]);
        self.far_hills(0.20, 0.18, 0x8cc860, [0.02, 0.08]);
        self.tree_line(0.26, 0.16, self.leafy(&[Tree::Round, Tree::Poplar, Tree::Round]), 3.0, 0.14, 0.008);
        let size = 0.27 * self.film.rise().min(1.2 * short);
        let side = if self.film.seed.is_multiple_of(2) { 0.20 } else { 0.80 };
        let inner = if side < 0.5 { 1.0 } else { -1.0 };
        let barn = !self.film.casts("house");
        self.add(0.34, 0.08, [horizon - 1.5 * size, horizon + 0.05 * short], |l| {
            let foot = horizon + 0.020 * short;
            let mut x = width * side - 3.0 * width * 1.3;
            while x < l.b + size {
                if barn && x > l.a - size {
                    l.tree(Tree::Round, x - 1.05 * inner * size, foot, 0.75 * size);
                    l.silo(x + 0.72 * inner * size, foot, size);
                    l.barn(x, foot, size);
                }
                x += 1.3 * width;
            }
        });
        self.floor(|l| l.fields());
        let foot = horizon + 0.45 * (self.film.height - horizon);
        self.add(0.72, 0.0, [foot - 0.12 * short, foot + 0.02 * short], |l| l.fence(foot, 0.085 * short));
    }

    pub(super) fn castle(&mut self) {
        let (rise, horizon, short, width) = (self.film.rise(), self.film.horizon, self.film.short, self.film.width);
        self.peaks(0.04, 0.66, 0.40, 0x7f8fae);
        self.far_hills(0.09, 0.48, 0x6fa9a0, [0.02, 0.24]);
        self.tree_line(0.14, 0.36, &[Tree::Fir, Tree::Round], 6.0, 0.12, 0.0);
        let x = width * if self.film.seed.is_multiple_of(2) { 0.26 } else { 0.74 };
        let (hill, size) = (0.15 * rise, 0.38 * rise);
        let x = x.clamp((0.52 * size).min(0.5 * width), (width - 0.52 * size).max(0.5 * width));
        let shown = !self.film.casts("castle");
        self.add(0.18, 0.16, [horizon - hill - 1.15 * size, horizon + 0.08 * short], |l| {
            if shown {
                l.keep(x, horizon - 0.86 * hill, size);
            }
            l.castle_hill(x, hill, 0.62 * rise);
        });
        self.tree_line(0.30, 0.12, self.leafy(&[Tree::Round, Tree::Fir]), 3.5, 0.12, 0.012);
        self.hedge();
        self.floor(|l| l.grass(0x8ccf5e, 0x55a745, true));
    }
}

impl Layer<'_> {
    fn barn(&mut self, x: f32, foot: f32, size: f32) {
        let side = self.film.sun_side();
        let (red, white, dark) = (self.tone(0xc9483c), self.tone(0xf7efe4), self.tone(0x7d2a2a));
        let roof = if self.film.light.white { self.tone(0xf2f7fc) } else { self.tone(0x6d5a62) };
        let (half, wall, top) = (0.46 * size, 0.42 * size, 0.88 * size);
        let ink = Ink::linear(
            [x + side * half, 0.0],
            [x - side * half, 0.0],
            &[(red.mix(self.film.light.sun, 0.12), 1.0), (red.mix(dark, 0.35), 1.0)],
        );
        let gable = [
            [x - half, foot],
            [x - half, foot - wall],
            [x - 0.62 * half, foot - 0.74 * size],
            [x, foot - top],
            [x + 0.62 * half, foot - 0.74 * size],
            [x + half, foot - wall],
            [x + half, foot],
        ];
        Pen::default().polygon(&gable).fill(self.c, &ink);
        let mut boards = Pen::default();
        for j in 1..9 {
            let bx = x - half + 2.0 * half * j as f32 / 9.0;
            let slope = ((bx - x).abs() / half - 0.62).max(0.0) / 0.38;
            boards = boards.to(bx, foot).line(bx, foot - 0.72 * size + slope * 0.28 * size);
        }
        boards.stroke(self.c, 0.006 * size, &Ink::flat(dark, 0.45));
        let eaves = [
            [x - 1.10 * half, foot - 0.94 * wall],
            [x - 0.64 * half, foot - 0.77 * size],
            [x, foot - 1.03 * top],
            [x + 0.64 * half, foot - 0.77 * size],
            [x + 1.10 * half, foot - 0.94 * wall],
        ];
        Pen::default().line_through(&eaves).stroke(self.c, 0.055 * size, &Ink::flat(roof, 1.0));
        let (dw, dh) = (0.21 * size, 0.34 * size);
        self.c.rect(area(x - dw, foot - dh, 2.0 * dw, dh), &Ink::flat(dark, 1.0));
        Pen::default()
            .polygon(&[[x - dw, foot - dh], [x + dw, foot - dh], [x + dw, foot], [x - dw, foot]])
            .to(x - dw, foot - dh)
            .line(x, foot)
            .line(x, foot - dh)
            .to(x, foot)
            .line(x + dw, foot - dh)
            .to(x - dw, foot)
            .line(x, foot - dh)
            .line(x + dw, foot)
            .stroke(self.c, 0.022 * size, &Ink::flat(white, 1.0));
        let lamp = if self.film.light.level < 0.8 { LAMPLIGHT } else { dark };
        self.c.rect(area(x - 0.08 * size, foot - 0.66 * size, 0.16 * size, 0.14 * size), &Ink::flat(white, 1.0));
        self.c.rect(area(x - 0.06 * size, foot - 0.64 * size, 0.12 * size, 0.10 * size), &Ink::flat(lamp, 1.0));
    }

    fn silo(&mut self, x: f32, foot: f32, size: f32) {
        let side = self.film.sun_side();
        let (steel, dark) = (self.tone(0xc9d2da), self.tone(0x7f8b99));
        let (half, high) = (0.15 * size, 0.82 * size);
        let ink =
            Ink::linear([x + side * half, 0.0], [x - side * half, 0.0], &[(steel.mix(Rgb::WHITE, 0.2), 1.0), (steel, 1.0), (dark, 1.0)]);
        Pen::at(x - half, foot)
            .line(x - half, foot - high)
            .cubic([x - half, foot - high - 1.3 * half], [x + half, foot - high - 1.3 * half], x + half, foot - high)
            .line(x + half, foot)
            .close()
            .fill(self.c, &ink);
        let hoops = (1..6).fold(Pen::default(), |pen, j| {
            pen.rect(x - half, foot - high * j as f32 / 5.5, x + half, foot - high * j as f32 / 5.5 + 0.010 * size)
        });
        hoops.fill(self.c, &Ink::flat(dark, 0.55));
    }

    pub(super) fn fence(&mut self, foot: f32, size: f32) {
        let (wood, dark) = (self.tone(0xf3ead9), self.tone(0xb8a88f));
        let step = 1.5 * size;
        let mut x = (self.a / step).floor() * step;
        let mut posts = Pen::default();
        while x < self.b + step {
            posts = posts.polygon(&[
                [x - 0.07 * size, foot],
                [x - 0.07 * size, foot - 0.9 * size],
                [x, foot - size],
                [x + 0.07 * size, foot - 0.9 * size],
                [x + 0.07 * size, foot],
            ]);
            x += step;
        }
        let rails = Pen::default().rect(self.a, foot - 0.76 * size, self.b, foot - 0.64 * size).rect(
            self.a,
            foot - 0.40 * size,
            self.b,
            foot - 0.28 * size,
        );
        rails.fill(self.c, &Ink::linear([0.0, foot - size], [0.0, foot], &[(wood, 1.0), (dark, 1.0)]));
        posts.fill(self.c, &Ink::linear([0.0, foot - size], [0.0, foot], &[(wood, 1.0), (dark, 1.0)]));
    }

    /// The hill under the castle with the way up to its gate.
    fn castle_hill(&mut self, x: f32, height: f32, half: f32) {
        let base = self.film.horizon + 0.05 * self.film.short;
        let side = self.film.sun_side();
        let green = self.soil(0x7fbf5c);
        let (lit, dark) = (green.mix(self.film.light.sun, 0.18), green.mix(Rgb([0.05, 0.16, 0.22]), 0.25));
        let wave = Wave::of(&mut self.random, base, 0.06 * self.film.rise(), self.film.short, 3);
        self.ridge(&wave, green);
        let top = self.film.horizon - height;
        let ink = Ink::linear([x + side * half, 0.0], [x - side * half, 0.0], &[(lit, 1.0), (green, 1.0), (dark, 1.0)]);
        Pen::at(x - 1.3 * half, base + 2.0)
            .cubic([x - 0.7 * half, base], [x - 0.60 * half, top], x - 0.30 * half, top)
            .line(x + 0.30 * half, top)
            .cubic([x + 0.60 * half, top], [x + 0.7 * half, base], x + 1.3 * half, base + 2.0)
            .close()
            .fill(self.c, &ink);
        let way = self.tone(if self.film.light.white { 0xd4e0ec } else { 0xe2cf9f });
        let (w, mid) = (0.03 * half, (top + base) / 2.0);
        Pen::at(x - w, top + 0.02 * height)
            .cubic([x + 6.0 * w, mid - 0.2 * height], [x - 9.0 * w, mid], x - 3.0 * w, base)
            .line(x + 1.5 * w, base)
            .cubic([x - 5.0 * w, mid + 0.1 * height], [x + 9.0 * w, mid - 0.2 * height], x + w, top + 0.02 * height)
            .close()
            .fill(self.c, &Ink::flat(way, 0.9));
    }

    pub(super) fn keep(&mut self, x: f32, foot: f32, size: f32) {
        let (stone, roof) = (self.tone(0xc3bccb), self.tone(0xc9504e));
        let wall = |s: f32| x + s * size;
        self.tower_of_castle(wall(0.0), foot, 0.26 * size, 0.78 * size, stone, Some(roof));
        self.tower_of_castle(wall(-0.19), foot, 0.13 * size, 0.62 * size, stone, Some(roof));
        self.tower_of_castle(wall(0.19), foot, 0.13 * size, 0.56 * size, stone, Some(roof));
        self.tower_of_castle(wall(0.0), foot, 0.62 * size, 0.30 * size, stone, None);
        self.tower_of_castle(wall(-0.36), foot, 0.15 * size, 0.46 * size, stone, Some(roof));
        self.tower_of_castle(wall(0.36), foot, 0.15 * size, 0.42 * size, stone, Some(roof));
        let gate = self.tone(0x5a4a63);
        let (half, high) = (0.065 * size, 0.17 * size);
        Pen::at(x - half, foot + 0.03 * size)
            .line(x - half, foot - 0.6 * high)
            .cubic([x - half, foot - 1.2 * high], [x + half, foot - 1.2 * high], x + half, foot - 0.6 * high)
            .line(x + half, foot + 0.03 * size)
            .close()
            .fill(self.c, &Ink::flat(gate, 1.0));
    }

    /// A tower of a castle: battlements, or a pointed roof with a flag.
    pub(super) fn tower_of_castle(&mut self, x: f32, foot: f32, width: f32, height: f32, stone: Rgb, roof: Option<Rgb>) {
        let side = self.film.sun_side();
        let (half, top) = (width / 2.0, foot - height);
        let dark = stone.mix(self.far(Rgb([0.15, 0.12, 0.35])), 0.34);
        let ink = Ink::linear(
            [x + side * half, 0.0],
            [x - side * half, 0.0],
            &[(stone.mix(self.far(self.film.light.sun), 0.2), 1.0), (stone, 1.0), (dark, 1.0)],
        );
        let teeth = if width > 2.0 * height { 11 } else { 5 };
        let tooth = (width * 1.08) / (2 * teeth - 1) as f32;
        let battlements = (0..teeth).fold(Pen::default().rect(x - half, top, x + half, foot + 0.08 * height + 2.0), |pen, j| {
            let left = x - 0.54 * width + 2.0 * tooth * j as f32;
            pen.rect(left, top - tooth, left + tooth, top + 0.5 * tooth)
        });
        battlements.rect(x - 0.54 * width, top, x + 0.54 * width, top + 0.06 * width.min(height)).fill(self.c, &ink);
        let lit = self.film.light.level < 0.8;
        let slit = if lit { LAMPLIGHT } else { dark.times(0.75) };
        let mut slits = Pen::default();
        let (w, h) = (0.045 * self.film.rise() * 0.30, 0.045 * self.film.rise() * 0.62);
        let places: &[[f32; 2]] =
            if width > height { &[[-0.30, 0.45], [-0.16, 0.45], [0.16, 0.45], [0.30, 0.45]] } else { &[[0.0, 0.30], [0.0, 0.62]] };
        for [u, v] in places {
            slits = slits.rect(x + u * width - w / 2.0, top + v * height, x + u * width + w / 2.0, top + v * height + h);
        }
        slits.fill(self.c, &Ink::flat(slit, 1.0));
        let Some(roof) = roof else { return };
        let (base, tip) = (top - tooth * 0.6, top - tooth - 1.25 * width.max(0.1 * height));
        let shade = roof.mix(self.far(Rgb([0.2, 0.05, 0.25])), 0.4);
        let ink = Ink::linear(
            [x + side * half, 0.0],
            [x - side * half, 0.0],
            &[(roof.mix(self.far(self.film.light.sun), 0.2), 1.0), (roof, 1.0), (shade, 1.0)],
        );
        Pen::at(x - 0.62 * width, base).quad([x, base + 0.12 * width], x + 0.62 * width, base).line(x, tip).close().fill(self.c, &ink);
        if self.film.light.white {
            let snow = self.film.light.lit(Rgb::WHITE);
            Pen::default()
                .polygon(&[
                    [x, tip],
                    [x + 0.31 * width, (tip + base) / 2.0],
                    [x, (tip + base) / 2.0 + 0.1 * width],
                    [x - 0.31 * width, (tip + base) / 2.0],
                ])
                .fill(self.c, &Ink::flat(self.far(snow), 0.95));
        }
        let (flag, pole) = (self.tone(0x4aa3e0), 0.26 * width);
        Pen::at(x, tip).line(x, tip - pole).stroke(self.c, 0.02 * width, &Ink::flat(dark, 1.0));
        Pen::default()
            .polygon(&[[x, tip - pole], [x + side * 0.30 * width, tip - 0.75 * pole], [x, tip - 0.45 * pole]])
            .fill(self.c, &Ink::flat(flag, 1.0));
    }
}
