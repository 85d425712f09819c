//! High and cold: cliff, hilltop, summit, icebergs, ice.

use super::{Layer, Layers};
use crate::canvas::{Ink, Rgb};
use crate::paint::film::Medium;
use crate::paint::scenery::plants::Tree;
use crate::paint::shape::{BLEED, Pen, Wave};

impl Layers<'_> {
    /// The edge of a cliff high above the sea.
    pub(super) fn cliff_top(&mut self) {
        let (rise, horizon, short, width) = (self.film.rise(), self.film.horizon, self.film.short, self.film.width);
        self.coast();
        let [left, right] = self.film.span_of_things();
        let side = if left < width - right { 1.0 } else { -1.0 };
        // Further chalk cliffs along the coast.
        self.add(0.12, 0.34, [horizon - 0.2 * rise, horizon + 0.30 * rise], |l| {
            let from = if side > 0.0 { 0.06 * width } else { 0.94 * width };
            l.distant_cliff(from, side, [horizon - 0.10 * rise, horizon + 0.16 * rise], 0.30 * width.max(short));
        });
        let edge = if side > 0.0 { (right + 0.07 * short).min(0.90 * width) } else { (left - 0.07 * short).max(0.10 * width) };
        let top = self.film.ground();
        self.add(0.72, 0.0, [top - 0.10 * short, self.film.height + BLEED], |l| l.cliff_edge(edge, side, top));
        self.before_the_water();
    }

    pub(super) fn hilltop(&mut self) {
        self.far_hills(0.04, 0.72, 0x6f9fae, [0.10, 0.30]);
        self.far_hills(0.09, 0.55, 0x6ea88c, [0.14, 0.24]);
        self.wooded_hills(0.16, 0.40, 0x78b872, [0.18, 0.22], &[Tree::Round, Tree::Fir], 4.0);
        let (short, width) = (self.film.short, self.film.width);
        let (top, height) = (self.film.ground(), self.film.height);
        let [left, right] = self.film.span_of_things();
        let half = (0.62 * (right - left)).max(0.40 * width);
        let middle = (left + right) / 2.0;
        self.add(0.72, 0.0, [top - 0.03 * short, height + BLEED], |l| {
            let line = |x: f32| top + (height - top) * 0.62 * (((x - middle) / half).abs().powf(2.2) * 0.6).min(1.4);
            let points: Vec<[f32; 2]> = l.steps().into_iter().map(|x| [x, line(x)]).collect();
            let Some(hill) = Pen::at(l.a - 2.0, l.bottom + 2.0).line_through_on(&points).line(l.b + 2.0, l.bottom + 2.0).close().path()
            else {
                return;
            };
            let (high, low) = (l.soil(0x9bdc62), l.soil(0x4fa63e));
            l.c.fill(&hill, &Ink::linear([0.0, top], [0.0, height], &[(high, 1.0), (low, 1.0)]));
            let Layer { film, c, a, b, bottom, haze, ground, random } = l;
            let random = random.clone();
            c.clipped(&hill, |c| {
                let mut inner = Layer { film, c, a: *a, b: *b, bottom: *bottom, haze: *haze, ground: *ground, random };
                inner.grass(0x9bdc62, 0x4fa63e, true);
            });
            let rim = l.soil(0xc8ef8f);
            Pen::default().line_through(&points).stroke(l.c, 0.012 * short, &Ink::flat(rim, 0.8));
        });
    }

    pub(super) fn summit(&mut self) {
        let (rise, horizon, short) = (self.film.rise(), self.film.horizon, self.film.short);
        let (light, shade) = (self.film.light.lit(Rgb::hex(0xffffff)), self.film.light.lit(Rgb::hex(0xb9cfe8)));
        self.peaks(0.03, 0.60, 0.34, 0x7f8fae);
        self.add(0.06, 0.0, [horizon - 0.22 * rise, horizon + 0.10 * short], |l| {
            let sky = l.film.light.sky[2];
            l.cloud_bank(horizon - 0.10 * rise, 0.055 * rise, 9.0, [light.mix(sky, 0.35), shade.mix(sky, 0.45)]);
        });
        self.add(0.10, 0.22, [horizon - 0.36 * rise, horizon + 0.10 * short], |l| {
            let places: Vec<f32> = l.along(0.8);
            for x in places {
                let high = rise * l.random.within(0.20, 0.32);
                l.peak([x, horizon + 0.06 * short], 0.9 * high, high, 0x74839f);
            }
        });
        self.add(0.18, 0.0, [horizon - 0.12 * rise, horizon + 0.12 * short], |l| {
            l.cloud_bank(horizon - 0.015 * rise, 0.06 * rise, 8.0, [light, shade]);
        });
        self.floor(|l| {
            l.rock(0x9a9aa6, 0x5f6474, None);
            l.snow_patches();
            l.rocky_rim();
        });
    }

    pub(super) fn icebergs(&mut self) {
        let (rise, horizon, short) = (self.film.rise(), self.film.horizon, self.film.short);
        for (parallax, haze, density, tall) in [(0.04, 0.50, 1.3, 0.16), (0.09, 0.20, 0.75, 0.34)] {
            self.add(parallax, haze, [horizon - 1.2 * tall * rise, horizon + 0.02 * short], |l| {
                for x in l.along(density) {
                    let high = rise * tall * l.random.within(0.5, 1.05);
                    l.iceberg(x, horizon + 0.012 * short, high);
                }
            });
        }
        if self.film.medium == Medium::Water {
            return;
        }
        let top = self.film.ground();
        self.add(0.72, 0.0, [top - 0.06 * short, self.film.height + BLEED], |l| l.floe(top));
        self.before_the_water();
    }

    pub(super) fn ice(&mut self) {
        self.peaks(0.04, 0.66, 0.42, 0x8fa5c6);
        self.drifts(0.14, 0.30, [0.02, 0.12]);
        self.tree_line(0.24, 0.20, &[Tree::Fir], 8.0, 0.17, 0.010);
        self.floor(|l| {
            l.frozen();
        });
    }
}

impl Layer<'_> {
    fn distant_cliff(&mut self, from: f32, side: f32, [top, foot]: [f32; 2], long: f32) {
        let back = if side > 0.0 { self.a - 4.0 } else { self.b + 4.0 };
        let mut points = vec![[back, foot], [back, top]];
        for j in 0..=8 {
            let u = j as f32 / 8.0;
            points.push([from + side * long * u, top + (foot - top) * (0.25 * u * u + 0.04 * (9.0 * u).sin())]);
        }
        points.push([from + side * long * 1.02, foot]);
        let rock = self.tone(0xd8cdbb);
        self.shaded(&points, [from, long], rock);
        let grass = self.soil(0x86b866);
        let rim: Vec<[f32; 2]> = points.iter().skip(1).take(points.len() - 2).copied().collect();
        Pen::default().line_through(&rim).stroke(self.c, 0.016 * self.film.short, &Ink::flat(grass, 1.0));
    }

    /// Grass up to an edge, and the rock below it.
    fn cliff_edge(&mut self, edge: f32, side: f32, top: f32) {
        let (short, height) = (self.film.short, self.bottom);
        let back = if side > 0.0 { self.a - 4.0 } else { self.b + 4.0 };
        let deep = height - top;
        let wave = Wave::of(&mut self.random, top, 0.05 * short, 1.1 * short, 3);
        // The rim comes nearer as it goes out.
        let rim = |v: f32| [edge + side * (0.10 * v + 0.03 * (7.0 * v).sin()) * short, top + deep * v];
        let face: Vec<[f32; 2]> = (0..=12).map(|j| rim(j as f32 / 12.0)).collect();
        let mut wall = face.clone();
        for (index, [x, y]) in face.iter().copied().enumerate().rev() {
            let out = short * (0.10 + 0.10 * (index as f32 / 12.0)) * if index % 2 == 0 { 1.0 } else { 0.86 };
            wall.push([x + side * out, y + 0.12 * short]);
        }
        let rock = self.tone(0xa8937c);
        let (lit, dark) = (rock.mix(self.film.light.sun, 0.15), rock.mix(Rgb([0.12, 0.10, 0.24]), 0.5));
        let ink = Ink::linear([edge, 0.0], [edge + side * 0.26 * short, 0.0], &[(lit, 1.0), (dark, 1.0)]);
        wall.push([edge + side * 0.32 * short, height + 2.0]);
        wall.push([edge, height + 2.0]);
        Pen::default().polygon(&wall).fill(self.c, &ink);
        let mut ledges = Pen::default();
        for j in 1..9 {
            let [x, y] = rim(j as f32 / 9.0);
            let out = short * self.random.within(0.05, 0.14);
            ledges = ledges
                .to(x + side * 0.01 * short, y + 0.05 * short)
                .line(x + side * out, y + 0.10 * short)
                .line(x + side * 0.8 * out, y + 0.16 * short);
        }
        ledges.stroke(self.c, 0.006 * short, &Ink::flat(dark.times(0.8), 0.6));
        let mut land = vec![[back, height + 2.0]];
        let xs = self.steps();
        let mut crest: Vec<[f32; 2]> =
            xs.iter().filter(|x| (edge - **x) * side > 0.0).map(|x| [*x, wave.y(*x).max(top - 0.05 * short)]).collect();
        if side < 0.0 {
            crest.reverse();
        }
        land.extend(crest);
        land.extend(face.iter().copied());
        let Some(land) = Pen::default().polygon(&land).path() else { return };
        let Layer { film, c, a, b, bottom, haze, random, .. } = self;
        let (film, random) = (*film, random.clone());
        c.clipped(&land, |c| {
            let mut turf = Layer { film, c, a: *a, b: *b, bottom: *bottom, haze: *haze, ground: top - 0.05 * short, random };
            turf.grass(0x9bd868, 0x58a843, true);
        });
        let fringe = self.soil(0x4f9a3f);
        Pen::default().line_through(&face).stroke(self.c, 0.022 * short, &Ink::flat(fringe, 1.0));
    }

    fn snow_patches(&mut self) {
        let snow = self.film.light.lit(Rgb::hex(0xf6faff));
        let short = self.film.short;
        let mut patches = Pen::default();
        for x in self.along(5.0) {
            let near = self.random.within(0.0, 1.0);
            let (y, w) = (self.down(near), short * (0.05 + 0.14 * near) * self.random.within(0.5, 1.2));
            patches = patches.oval(x, y, w, 0.20 * w).oval(x + 0.6 * w, y + 0.08 * w, 0.7 * w, 0.14 * w);
        }
        patches.fill(self.c, &Ink::flat(snow, 0.95));
    }

    /// Broken rock along the edge of the ground.
    fn rocky_rim(&mut self) {
        let short = self.film.short;
        for x in self.along(7.0) {
            let size = short * self.random.within(0.02, 0.07);
            let y = self.ground + 0.012 * short;
            let points = [
                [x - size, y + 0.02 * short],
                [x - 0.6 * size, y - 0.5 * size],
                [x - 0.1 * size, y - 0.9 * size],
                [x + 0.5 * size, y - 0.45 * size],
                [x + size, y + 0.02 * short],
            ];
            let rock = self.tone(0x8b8c99);
            self.shaded(&points, [x, size], rock);
            let snow = self.film.light.lit(Rgb::WHITE);
            Pen::default()
                .polygon(&[
                    [x - 0.42 * size, y - 0.62 * size],
                    [x - 0.1 * size, y - 0.9 * size],
                    [x + 0.28 * size, y - 0.62 * size],
                    [x - 0.05 * size, y - 0.55 * size],
                ])
                .fill(self.c, &Ink::flat(snow, 0.95));
        }
    }

    /// A mountain of ice in the water, its faces white and blue.
    fn iceberg(&mut self, x: f32, y: f32, size: f32) {
        let side = self.film.sun_side();
        let (white, blue, deep) = (self.tone(0xf7fcff), self.tone(0xa9d9f2), self.tone(0x6fb4dc));
        let half = size * self.random.within(0.75, 1.1);
        let peak = self.random.within(-0.25, 0.25) * half;
        let at = |u: f32, v: f32| [x + u * half, y - v * size];
        let outline = [
            at(-1.0, 0.0),
            at(-0.85, 0.28),
            at(-0.55, 0.40),
            at(-0.40, 0.72),
            [x + peak, y - size],
            at(0.42, 0.66),
            at(0.62, 0.34),
            at(0.88, 0.24),
            at(1.0, 0.0),
        ];
        Pen::default().polygon(&outline).fill(self.c, &Ink::linear([0.0, y - size], [0.0, y], &[(white, 1.0), (blue, 1.0)]));
        let dark = if side > 0.0 {
            vec![[x + peak, y - size], at(-0.40, 0.72), at(-0.55, 0.40), at(-0.85, 0.28), at(-1.0, 0.0), at(-0.30, 0.0), at(-0.12, 0.40)]
        } else {
            vec![[x + peak, y - size], at(0.42, 0.66), at(0.62, 0.34), at(0.88, 0.24), at(1.0, 0.0), at(0.30, 0.0), at(0.12, 0.40)]
        };
        Pen::default().polygon(&dark).fill(self.c, &Ink::linear([0.0, y - size], [0.0, y], &[(blue, 1.0), (deep, 1.0)]));
        Pen::default().rect(x - half, y - 0.05 * size, x + half, y).fill(self.c, &Ink::flat(self.film.light.lit(Rgb::hex(0x5fb8c8)), 0.7));
    }

    /// A floe that things stand on, with a broken blue edge, and others adrift.
    fn floe(&mut self, top: f32) {
        let short = self.film.short;
        let (edge, deep) = (self.tone(0x8fd0ee), self.tone(0x4a9cc4));
        let mut rim = Vec::new();
        let mut x = self.a - 2.0;
        let mut high = top;
        while x < self.b + 0.1 * short {
            rim.push([x, high]);
            x += short * self.random.within(0.06, 0.2);
            high = top + short * self.random.within(-0.02, 0.03);
        }
        let ice = Ink::linear([0.0, top], [0.0, top + 0.09 * short], &[(edge, 1.0), (deep, 1.0)]);
        self.under(&rim, &ice);
        let snow: Vec<[f32; 2]> = rim.iter().map(|[x, y]| [*x, *y - 0.035 * short]).collect();
        let Some(path) =
            Pen::at(self.a - 2.0, self.bottom + 2.0).line_through_on(&snow).line(self.b + 2.0, self.bottom + 2.0).close().path()
        else {
            return;
        };
        // The far edge is seen from above: a rim of blue along it.
        let Layer { film, c, a, b, bottom, haze, random, .. } = self;
        let (film, random) = (*film, random.clone());
        c.clipped(&path, |c| {
            let mut inner = Layer { film, c, a: *a, b: *b, bottom: *bottom, haze: *haze, ground: top - 0.05 * short, random };
            inner.snow();
        });
        Pen::default().line_through(&snow).stroke(self.c, 0.014 * short, &Ink::flat(edge, 0.9));
        let mut cracks = Pen::default();
        for x in self.along(1.2) {
            let near = self.random.within(0.2, 0.8);
            let y = self.down(near);
            cracks = cracks
                .to(x, y)
                .line(x + 0.06 * short, y + 0.02 * short)
                .line(x + 0.11 * short, y + 0.01 * short)
                .line(x + 0.18 * short, y + 0.04 * short);
        }
        cracks.stroke(self.c, 0.008 * short, &Ink::flat(edge, 0.9));
    }

    /// Ice that mirrors the trees at its far side, scratched by skates, snow along its edge.
    fn frozen(&mut self) {
        let (short, top) = (self.film.short, self.ground);
        let lit = |hex: u32| self.film.light.lit(Rgb::hex(hex));
        let (far, middle, near) = (lit(0xd3ecf8), lit(0x9fd2ec), lit(0x6fb4dc));
        let (snow, shade, dark) = (lit(0xf6faff), lit(0xbdd3ea), lit(0x5f9fb8));
        let ink = Ink::linear([0.0, top], [0.0, self.film.height], &[(far, 1.0), (middle, 1.0), (near, 1.0)]);
        Pen::default().rect(self.a, top, self.b, self.bottom + 1.0).fill(self.c, &ink);
        // Trees upside down, torn by the ice.
        for x in self.along(7.0) {
            let (half, long) = (short * self.random.within(0.02, 0.045), short * self.random.within(0.10, 0.22));
            let ink = Ink::linear([0.0, top], [0.0, top + long], &[(dark, 0.42), (dark, 0.0)]);
            Pen::default().polygon(&[[x - half, top], [x + half, top], [x, top + long]]).fill(self.c, &ink);
        }
        // Broad gleams across.
        for x in self.along(1.1) {
            let (wide, depth) = (short * self.random.within(0.05, 0.16), self.bottom - top);
            let points = [[x, top], [x + wide, top], [x + wide - 0.8 * depth, self.bottom], [x - 0.8 * depth - 0.6 * wide, self.bottom]];
            Pen::default().polygon(&points).fill(self.c, &Ink::flat(Rgb::WHITE, 0.22 * self.film.light.level.min(1.0)));
        }
        let mut scratches = Pen::default();
        for x in self.along(5.0) {
            let near = self.random.within(0.12, 1.0);
            let (y, w) = (self.down(near), short * (0.06 + 0.24 * near) * self.random.within(0.4, 1.0));
            let bow = self.random.within(-0.35, 0.35) * w * near;
            scratches = scratches.to(x - w, y).quad([x, y + bow], x + w, y + 0.2 * bow);
        }
        scratches.stroke(self.c, 0.0045 * short, &Ink::flat(Rgb::WHITE, 0.75 * self.film.light.level.min(1.0)));
        // The bank.
        let wave = Wave::of(&mut self.random, top + 0.03 * short, 0.05 * short, 0.5 * short, 3);
        let mut points: Vec<[f32; 2]> = self.steps().into_iter().map(|x| [x, wave.y(x)]).collect();
        let low: Vec<[f32; 2]> = points.iter().map(|[x, y]| [*x, *y + 0.012 * short]).collect();
        for (points, colour) in [(low, shade), (std::mem::take(&mut points), snow)] {
            let mut outline = vec![[self.a - 2.0, top - 0.03 * short]];
            outline.extend(points);
            outline.push([self.b + 2.0, top - 0.03 * short]);
            Pen::default().polygon(&outline).fill(self.c, &Ink::flat(colour, 1.0));
        }
    }
}
