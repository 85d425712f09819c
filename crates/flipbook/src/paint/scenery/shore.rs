//! The far side of water: sea, beach, lake, river. The water itself is painted over whatever lies below the horizon.

use super::plants::Tree;
use super::{Layer, Layers};
use crate::canvas::{Ink, Rgb};
use crate::codes::Backdrop;
use crate::paint::film::{Film, Medium};
use crate::paint::kept::is_falls;
use crate::paint::shape::{Pen, Wave};

/// How far the camera passes the waterfall, as a share of its way.
pub(in crate::paint) const FALLS_PARALLAX: f32 = 0.22;

/// A waterfall at the far bank of a river, in pixels, with the camera in the middle.
#[derive(Clone, Copy, Debug)]
pub(in crate::paint) struct Falls {
    pub x: f32,
    pub half: f32,
    pub top: f32,
    pub bottom: f32,
}

impl Film {
    /// Rivers have one, and where a waterfall was asked for.
    pub(in crate::paint) fn falls(&self) -> Option<Falls> {
        let rise = self.rise();
        let asked = (0..self.brief.slots.len()).find(|place| is_falls(&self.brief, *place));
        if let Some(object) = asked.and_then(|place| self.layout.objects.get(place)) {
            // Lower where a rainbow is to be seen above it.
            let under_a_bow = (0..self.brief.slots.len()).any(|place| self.is_sky_bow(place));
            let high = if under_a_bow { 0.24 } else { 0.46 };
            let (x, top) = (object.x.clamp(0.2, 0.8) * self.width, (self.horizon - high * rise).max(0.16 * self.height));
            return Some(Falls { x, half: 0.125 * rise, top, bottom: self.horizon + 0.012 * self.short });
        }
        let x = self.width * if self.seed.is_multiple_of(2) { 0.24 } else { 0.76 };
        let falls = Falls { x, half: 0.075 * rise, top: self.horizon - 0.27 * rise, bottom: self.horizon + 0.012 * self.short };
        (self.brief.backdrop == Backdrop::River && self.program.setting.is_none()).then_some(falls)
    }
}

impl Layers<'_> {
    /// The cliff and the pool of a waterfall that stands on land.
    pub(super) fn cliff_on_land(&mut self) {
        let (rise, horizon, short) = (self.film.rise(), self.film.horizon, self.film.short);
        let Some(falls) = self.film.falls().filter(|_| self.film.medium == Medium::Ground) else { return };
        self.add(FALLS_PARALLAX, 0.06, [falls.top - 0.26 * rise, horizon + 0.16 * short], |l| {
            l.cliff(falls);
            let (shore, foot) = (l.soil(0x6f8f52), horizon + 0.035 * short);
            let pool = l.film.light.lit(Rgb::hex(0x4fa6cf));
            Pen::default().oval(falls.x, foot + 0.02 * short, 0.52 * rise, 0.065 * short).fill(l.c, &Ink::flat(shore, 1.0));
            let inks = [(pool.mix(Rgb::WHITE, 0.45), 1.0), (pool, 1.0)];
            Pen::default()
                .oval(falls.x, foot + 0.018 * short, 0.47 * rise, 0.052 * short)
                .fill(l.c, &Ink::linear([0.0, foot - 0.03 * short], [0.0, foot + 0.07 * short], &inks));
            for (u, size) in [(-0.46, 0.030), (0.48, 0.036), (-0.34, 0.020), (0.30, 0.022)] {
                l.stone(falls.x + u * rise, foot + (0.045 + 0.4 * size) * short, size * short * 1.6, 0x8d8783);
            }
        });
    }

    /// Hazy headlands; the sea is left wide.
    pub(super) fn coast(&mut self) {
        let (rise, horizon, short) = (self.film.rise(), self.film.horizon, self.film.short);
        let side = -self.film.sun_side();
        let middle = self.film.width * (0.5 + 0.46 * side);
        for (parallax, haze, reach, height) in [(0.03, 0.72, 0.60, 0.085), (0.05, 0.52, 0.34, 0.055)] {
            self.add(parallax, haze, [horizon - 1.4 * height * rise, horizon + 0.01 * short], |l| {
                l.headland(middle + side * 0.06 * rise, reach * rise, height * rise);
            });
        }
    }

    pub(super) fn lake(&mut self) {
        self.peaks(0.04, 0.60, 0.50, 0x7f8fae);
        self.peaks(0.08, 0.32, 0.34, 0x74839f);
        self.far_hills(0.15, 0.30, 0x5f9a78, [0.01, 0.13]);
        self.tree_line(0.22, 0.22, &[Tree::Fir, Tree::Fir, Tree::Round], 11.0, 0.11, -0.004);
        self.cliff_by_water();
        self.bank(0.26, 0.016, 0x7fb45c);
    }

    pub(super) fn river(&mut self) {
        self.far_hills(0.05, 0.62, 0x6f9fae, [0.01, 0.40]);
        self.far_hills(0.11, 0.38, 0x74b07c, [0.01, 0.26]);
        self.tree_line(0.17, 0.26, self.leafy(&[Tree::Round, Tree::Fir]), 7.0, 0.17, -0.006);
        self.cliff_by_water();
        self.bank(0.30, 0.035, 0x86c25a);
    }

    /// The cliff of a waterfall at the far bank.
    fn cliff_by_water(&mut self) {
        let (rise, horizon, short) = (self.film.rise(), self.film.horizon, self.film.short);
        if let Some(falls) = self.film.falls() {
            self.add(FALLS_PARALLAX, 0.14, [falls.top - 0.26 * rise, horizon + 0.03 * short], |l| l.cliff(falls));
        }
    }

    /// Grass down to the water, with stones and reeds at its edge; `height` in short sides.
    pub(super) fn bank(&mut self, parallax: f32, height: f32, hex: u32) {
        let (horizon, short) = (self.film.horizon, self.film.short);
        let gap = self.film.falls();
        self.add(parallax, 0.10, [horizon - (height + 0.08) * short, horizon + 0.02 * short], |l| {
            let wave = Wave::of(&mut l.random, horizon + 0.004 * short, height * short, 0.9 * short, 4);
            let colour = l.soil(hex);
            l.ridge(&wave, colour);
            let soil = l.tone(0x8a6b4c);
            Pen::default().rect(l.a, horizon - 0.003 * short, l.b, horizon + 0.02 * short).fill(l.c, &Ink::flat(soil, 0.9));
            for x in l.along(4.0) {
                if gap.is_some_and(|falls| (x - falls.x).abs() < 1.2 * falls.half) {
                    continue;
                }
                match l.random.below(3) {
                    0 => {
                        let size = short * l.random.within(0.010, 0.022);
                        l.stone(x, horizon + 0.006 * short, size, 0x9aa0a0);
                    }
                    1 => l.reeds(x, horizon + 0.006 * short, 0.06 * short),
                    _ => l.bush(x, horizon + 0.004 * short, 0.022 * short, 0x5fa84a),
                }
            }
        });
    }
}

impl Layer<'_> {
    /// A low cape that ends in the sea on both sides.
    fn headland(&mut self, x: f32, half: f32, height: f32) {
        let (base, side) = (self.film.horizon + 2.0, self.film.sun_side());
        let colour = self.tone(0x5f8f8a);
        let (lit, dark) = (colour.mix(self.far(self.film.light.sun), 0.18), colour.mix(self.far(Rgb([0.10, 0.15, 0.35])), 0.25));
        let mut points = vec![[x - half, base]];
        let wave = Wave::of(&mut self.random, 0.0, 0.45 * height, 0.5 * half, 3);
        for j in 0..=24 {
            let u = j as f32 / 12.0 - 1.0;
            points.push([x + u * half, base - (height * (1.0 - u * u).max(0.0).powf(0.8) + wave.y(x + u * half) * (1.0 - u.abs()) * -0.5)]);
        }
        points.push([x + half, base]);
        Pen::default()
            .polygon(&points)
            .fill(self.c, &Ink::linear([x + side * half, 0.0], [x - side * half, 0.0], &[(lit, 1.0), (dark, 1.0)]));
    }

    /// A wall of rock with a gap for the waterfall, green on top.
    fn cliff(&mut self, falls: Falls) {
        let (rise, short, side) = (self.film.rise(), self.film.short, self.film.sun_side());
        let (base, reach) = (self.film.horizon + 0.03 * short, 0.66 * rise);
        let rim = self.rim(falls, reach);
        let (rock, dark) = (self.tone(0x9a8f84), self.tone(0x5e5662));
        let lit = rock.mix(self.film.light.sun, 0.20);
        let mut wall = vec![[falls.x - reach, base]];
        wall.extend(&rim);
        wall.push([falls.x + reach, base]);
        let ink = Ink::linear([falls.x + side * reach, 0.0], [falls.x - side * reach, 0.0], &[(lit, 1.0), (rock, 1.0), (dark, 1.0)]);
        Pen::default().polygon(&wall).fill(self.c, &ink);
        self.cracks(&rim, base, dark);
        for (index, [x, y]) in rim.iter().copied().enumerate() {
            if index % 3 == 1 && (x - falls.x).abs() > 1.7 * falls.half {
                let tree = if index % 2 == 0 { Tree::Fir } else { Tree::Round };
                let size = rise * self.random.within(0.11, 0.17);
                self.tree(tree, x, y + 0.035 * rise, size);
            }
        }
        self.turf(&rim, falls);
        self.sheet(falls, base);
        for way in [-1.0, 1.0] {
            self.stone(falls.x + way * 1.25 * falls.half, base, 0.040 * rise, 0x86807c);
            self.bush(falls.x + way * 1.9 * falls.half, base, 0.035 * rise, 0x5a9f48);
        }
    }

    /// The upper line of a cliff, from left to right.
    fn rim(&mut self, falls: Falls, reach: f32) -> Vec<[f32; 2]> {
        let rise = self.film.rise();
        let wave = Wave::of(&mut self.random, 0.0, 0.05 * rise, 0.30 * rise, 3);
        (0..=40)
            .map(|j| {
                let x = falls.x + (j as f32 / 20.0 - 1.0) * reach;
                let far = ((x - falls.x).abs() / reach - 0.35).max(0.0) / 0.65;
                let lip = (1.0 - ((x - falls.x).abs() / falls.half - 0.9).abs().min(1.0)) * 0.012 * rise;
                [x, (falls.top - 0.012 * rise + wave.y(x) + lip + 0.30 * rise * far * far).min(falls.bottom)]
            })
            .map(|[x, y]| if (x - falls.x).abs() < 1.05 * falls.half { [x, falls.top] } else { [x, y] })
            .collect()
    }

    /// Ledges and cracks in a wall of rock.
    fn cracks(&mut self, rim: &[[f32; 2]], base: f32, dark: Rgb) {
        let rise = self.film.rise();
        let (mut lines, mut faces) = (Pen::default(), Pen::default());
        for [x, top] in rim.iter().skip(1).step_by(2).copied() {
            let deep = base - top;
            let (y, long) = (top + deep * self.random.within(0.10, 0.5), deep * self.random.within(0.15, 0.45));
            let shift = self.random.within(-0.012, 0.012) * rise;
            lines = lines.to(x, y).line(x + shift, y + 0.5 * long).line(x + 0.4 * shift, y + long);
            let (fx, w) = (x + 0.012 * rise, rise * self.random.within(0.010, 0.026));
            faces = faces.polygon(&[[fx, y], [fx + w, y + 0.15 * long], [fx + 0.7 * w, y + 0.9 * long], [fx - 0.1 * w, y + 0.7 * long]]);
        }
        faces.fill(self.c, &Ink::flat(dark, 0.22));
        lines.stroke(self.c, 0.005 * rise, &Ink::flat(dark, 0.55));
    }

    /// Grass that hangs over the edge of a cliff, but for the gap of the waterfall.
    fn turf(&mut self, rim: &[[f32; 2]], falls: Falls) {
        let (rise, green) = (self.film.rise(), self.soil(0x7fbf58));
        let low = green.mix(Rgb([0.05, 0.25, 0.2]), 0.3);
        for side in [-1.0, 1.0] {
            let bank: Vec<[f32; 2]> = rim.iter().copied().filter(|[x, _]| (x - falls.x) * side > falls.half).collect();
            let mut outline: Vec<[f32; 2]> = bank.iter().map(|[x, y]| [*x, y - 0.008 * rise]).collect();
            outline
                .extend(bank.iter().enumerate().rev().map(|(index, [x, y])| [*x, y + rise * if index % 2 == 0 { 0.018 } else { 0.038 }]));
            let Some(top) = bank.iter().map(|[_, y]| *y).reduce(f32::min) else { continue };
            Pen::default().polygon(&outline).fill(self.c, &Ink::linear([0.0, top], [0.0, top + 0.2 * rise], &[(green, 1.0), (low, 1.0)]));
        }
    }

    /// The water of the fall before anything moves in it.
    fn sheet(&mut self, falls: Falls, base: f32) {
        let (foam, blue) = (self.film.light.lit(Rgb::hex(0xeaf7fd)), self.film.light.lit(Rgb::hex(0x7cc0e4)));
        let (left, right, lip) = (falls.x - falls.half, falls.x + falls.half, 0.16 * falls.half);
        Pen::at(left, base)
            .line(left, falls.top + lip)
            .quad([left, falls.top - 0.4 * lip], left + 1.4 * lip, falls.top - 0.4 * lip)
            .line(right - 1.4 * lip, falls.top - 0.4 * lip)
            .quad([right, falls.top - 0.4 * lip], right, falls.top + lip)
            .line(right, base)
            .close()
            .fill(
                self.c,
                &Ink::linear([0.0, falls.top], [0.0, base], &[(foam, 1.0), (blue, 1.0), (blue.mix(foam, 0.4), 1.0), (foam, 1.0)]),
            );
        let mut veins = Pen::default();
        for j in 1..8 {
            let x = left + 2.0 * falls.half * (j as f32 + self.random.within(-0.3, 0.3)) / 8.0;
            veins = veins.to(x, falls.top + lip).line(x, base);
        }
        veins.stroke(self.c, 0.05 * falls.half, &Ink::flat(foam, 0.5));
    }
}
