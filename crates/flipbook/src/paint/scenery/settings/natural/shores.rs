//! At and in water: the bank of a lake, a river or a pond, a rocky shore, swamp, lily pond, hot spring, lagoon, rapids.

use super::{Layer, Layers};
use crate::canvas::{Ink, Rgb};
use crate::codes::Setting;
use crate::paint::scenery::plants::{Grove, Tree};
use crate::paint::shape::{BLEED, Pen, Wave};

impl Layers<'_> {
    /// A bank in front of the water that lies before the far shore.
    pub(super) fn waterside(&mut self, setting: Setting) {
        match setting {
            Setting::Lakeside => self.lake(),
            Setting::Riverside => {
                self.far_hills(0.05, 0.62, 0x6f9fae, [0.01, 0.36]);
                self.far_hills(0.11, 0.38, 0x74b07c, [0.01, 0.22]);
                self.tree_line(0.17, 0.26, self.leafy(&[Tree::Round, Tree::Fir]), 7.0, 0.17, -0.006);
                self.bank(0.30, 0.035, 0x86c25a);
            }
            _ => {
                self.wooded_hills(0.10, 0.44, 0x74b876, [0.02, 0.16], &[Tree::Round, Tree::Fir], 3.0);
                self.tree_line(0.20, 0.22, self.leafy(&[Tree::Round, Tree::Round, Tree::Poplar]), 5.0, 0.18, -0.004);
                self.bank(0.28, 0.03, 0x8fca5c);
            }
        }
        let (top, short) = (self.film.ground(), self.film.short);
        self.add(0.72, 0.0, [top - 0.20 * short, self.film.height + BLEED], |l| {
            l.near_bank(top);
            for x in l.along(3.4) {
                let size = short * l.random.within(0.10, 0.17);
                match l.random.below(3) {
                    0 => l.stone(x, top + 0.03 * short, 0.25 * size, 0x9aa0a0),
                    _ => l.reeds(x, top + 0.035 * short, 0.8 * size),
                }
            }
        });
        self.before_the_water();
    }

    pub(super) fn rocky_shore(&mut self) {
        self.coast();
        let (top, short) = (self.film.ground(), self.film.short);
        let side = self.film.free_side();
        let x = self.film.width * (0.5 + 0.40 * side);
        self.add(0.60, 0.0, [top - 0.55 * short, top + 0.12 * short], |l| {
            for (dx, size) in [(0.16, 0.26), (-0.08, 0.16), (0.30, 0.40), (0.04, 0.12)] {
                l.crag(x + side * dx * short, top + 0.05 * short, size * short);
            }
            for x in l.along(1.3) {
                let size = short * l.random.within(0.03, 0.07);
                l.crag(x, top + 0.02 * short, size);
            }
        });
        self.before_the_water();
        self.add(0.72, 0.0, [top - 0.04 * short, self.film.height + BLEED], |l| {
            l.rock(0xa39a94, 0x6b656c, None);
            let sea = l.film.light.lit(Rgb::hex(0x4fa3c4));
            for x in l.along(1.4) {
                let near = l.random.within(0.15, 0.95);
                let (y, w) = (l.down(near), short * (0.05 + 0.10 * near));
                let dark = l.tone(0x57525c);
                Pen::default().oval(x, y, 1.08 * w, 0.27 * w).fill(l.c, &Ink::flat(dark, 1.0));
                Pen::default()
                    .oval(x, y + 0.02 * w, w, 0.22 * w)
                    .fill(l.c, &Ink::linear([0.0, y - 0.2 * w], [0.0, y + 0.2 * w], &[(sea.mix(Rgb::WHITE, 0.5), 1.0), (sea, 1.0)]));
            }
            for x in l.along(5.0) {
                let near = l.random.within(0.0, 0.9);
                let (y, size) = (l.down(near), short * (0.015 + 0.035 * near));
                l.stone(x, y, size, 0x8b858a);
            }
        });
        self.before_the_water();
    }

    /// The sea on all sides, clouds far off.
    pub(super) fn open_water(&mut self) {
        let (horizon, rise, short) = (self.film.horizon, self.film.rise(), self.film.short);
        let (light, shade) = (self.film.light.lit(Rgb::WHITE), self.film.light.lit(Rgb::hex(0xbcd9ee)));
        let sky = self.film.light.sky[2];
        if !self.film.light.dark {
            self.add(0.02, 0.0, [horizon - 0.16 * rise, horizon + 0.01 * short], |l| {
                l.cloud_bank(horizon + 0.02 * rise, 0.05 * rise, 4.0, [light.mix(sky, 0.4), shade.mix(sky, 0.6)]);
            });
        }
    }

    pub(super) fn swamp(&mut self) {
        let (rise, horizon, short) = (self.film.rise(), self.film.horizon, self.film.short);
        self.add(0.05, 0.58, [horizon - 0.62 * rise, horizon + 0.02 * short], |l| l.canopy(0.40 * rise, 0x4f7a4a));
        for (parallax, haze, density, size, drop) in [(0.12, 0.40, 3.0, 0.55, 0.0), (0.26, 0.14, 1.3, 0.80, 0.012)] {
            self.add(parallax, haze, [horizon - 1.25 * size * rise, horizon + 0.03 * short], |l| {
                for x in l.along(density) {
                    let tall = size * rise * l.random.within(0.8, 1.1);
                    l.swamp_tree(x, horizon + drop * short, tall);
                }
            });
        }
        self.bank(0.30, 0.02, 0x6f8a42);
        let sky = self.film.light.sky[2];
        self.add(0.32, 0.0, [horizon - 0.12 * rise, horizon + 0.02 * short], |l| l.mist(horizon - 0.015 * rise, sky));
    }

    pub(super) fn lily_pond(&mut self) {
        self.wooded_hills(0.08, 0.46, 0x74b876, [0.02, 0.22], &[Tree::Round, Tree::Fir], 3.0);
        self.tree_line(0.18, 0.24, self.leafy(&[Tree::Round, Tree::Round, Tree::Poplar]), 4.0, 0.26, -0.004);
        let (horizon, short, rise) = (self.film.horizon, self.film.short, self.film.rise());
        self.bank(0.28, 0.05, 0x8fca5c);
        self.add(0.30, 0.05, [horizon - 0.30 * rise, horizon + 0.02 * short], |l| {
            for x in l.along(4.0) {
                let size = short * l.random.within(0.08, 0.14);
                l.reeds(x, horizon + 0.008 * short, size);
            }
        });
    }

    pub(super) fn hot_spring(&mut self) {
        let (rise, horizon, short) = (self.film.rise(), self.film.horizon, self.film.short);
        self.peaks(0.04, 0.60, 0.46, 0x7f8fae);
        self.tree_line(0.16, 0.26, &[Tree::Fir], 7.0, 0.24, -0.004);
        self.add(0.30, 0.06, [horizon - 0.20 * rise, horizon + 0.04 * short], |l| {
            for x in l.along(3.2) {
                let size = short * l.random.within(0.05, 0.12);
                l.stone(x, horizon + 0.02 * short, size, 0x8a8480);
            }
            for x in l.along(5.0) {
                let size = short * l.random.within(0.03, 0.06);
                l.stone(x, horizon + 0.03 * short, size, 0xa39c96);
            }
        });
    }

    pub(super) fn lagoon(&mut self) {
        let (rise, horizon, short) = (self.film.rise(), self.film.horizon, self.film.short);
        self.add(0.05, 0.45, [horizon - 0.60 * rise, horizon + 0.03 * short], |l| {
            for x in l.along(0.9) {
                let (half, high) = (rise * l.random.within(0.16, 0.28), rise * l.random.within(0.20, 0.42));
                let green = l.leaf(0x4f9a58);
                let points = [
                    [x - half, horizon],
                    [x - 0.7 * half, horizon - 0.6 * high],
                    [x - 0.2 * half, horizon - high],
                    [x + 0.3 * half, horizon - 0.9 * high],
                    [x + 0.75 * half, horizon - 0.4 * high],
                    [x + half, horizon],
                ];
                l.shaded(&points, [x, half], green);
            }
        });
        self.add(0.20, 0.10, [horizon - 0.50 * rise, horizon + 0.03 * short], |l| {
            let sand = l.tone(0xf6e2b0);
            Pen::default().rect(l.a, horizon - 0.014 * short, l.b, horizon + 0.03 * short).fill(l.c, &Ink::flat(sand, 1.0));
            l.grove(&Grove { of: &[Tree::Palm], density: 3.2, size: 0.34 * rise, spread: 0.01 * short }, |_| horizon - 0.004 * short);
            for x in l.along(6.0) {
                l.bush(x, horizon - 0.006 * short, 0.03 * short, 0x4f9a48);
            }
        });
    }

    pub(super) fn rapids(&mut self) {
        self.river();
        let (horizon, short) = (self.film.horizon, self.film.short);
        self.add(0.30, 0.04, [horizon - 0.14 * short, horizon + 0.04 * short], |l| {
            for x in l.along(4.0) {
                let size = short * l.random.within(0.03, 0.08);
                l.crag(x, horizon + 0.02 * short, size);
            }
        });
    }
}

impl Layer<'_> {
    /// Grass down to the water: an uneven edge of earth, then the turf.
    fn near_bank(&mut self, top: f32) {
        let short = self.film.short;
        let wave = Wave::of(&mut self.random, top + 0.03 * short, 0.05 * short, 0.9 * short, 3);
        let line: Vec<[f32; 2]> = self.steps().into_iter().map(|x| [x, wave.y(x)]).collect();
        let (soil, wet) = (self.tone(0xa07a50), self.tone(0x6b5138));
        let edge: Vec<[f32; 2]> = line.iter().map(|[x, y]| [*x, *y - 0.022 * short]).collect();
        self.under(&edge, &Ink::linear([0.0, top - 0.04 * short], [0.0, top + 0.04 * short], &[(wet, 1.0), (soil, 1.0)]));
        let turf = Pen::at(self.a - 2.0, self.bottom + 2.0).line_through_on(&line).line(self.b + 2.0, self.bottom + 2.0).close();
        let Some(turf) = turf.path() else { return };
        let Layer { film, c, a, b, bottom, haze, random, .. } = self;
        let (film, random) = (*film, random.clone());
        c.clipped(&turf, |c| {
            Layer { film, c, a: *a, b: *b, bottom: *bottom, haze: *haze, ground: top - 0.04 * short, random }
                .grass(0x96d862, 0x55a842, true);
        });
    }

    /// A rock with flat faces.
    fn crag(&mut self, x: f32, y: f32, size: f32) {
        let jag = |l: &mut Self, near: f32| near * l.random.within(0.88, 1.12);
        let points = [
            [x - jag(self, 0.95) * size, y],
            [x - jag(self, 0.80) * size, y - 0.42 * size],
            [x - jag(self, 0.35) * size, y - 0.70 * size],
            [x - 0.05 * size, y - jag(self, 1.0) * size],
            [x + jag(self, 0.40) * size, y - 0.78 * size],
            [x + jag(self, 0.72) * size, y - 0.40 * size],
            [x + size, y],
        ];
        let rock = self.tone(0x8d8488);
        self.shaded(&points, [x, size], rock);
        let wet = self.tone(0x4f4a55);
        Pen::default()
            .polygon(&[points[0], [x - 0.9 * size, y - 0.12 * size], [x + 0.92 * size, y - 0.12 * size], points[6]])
            .fill(self.c, &Ink::flat(wet, 0.6));
    }

    /// A tree that stands in the water on spread roots, hung with moss.
    fn swamp_tree(&mut self, x: f32, y: f32, size: f32) {
        let (bark, moss) = (self.tone(0x5d4c3c), self.leaf(0x7f9460));
        let w = 0.05 * size;
        let mut roots = Pen::default();
        for side in [-2.6, -1.2, 1.3, 2.7] {
            roots = roots.to(x, y - 0.22 * size).quad([x + 0.5 * side * w, y - 0.10 * size], x + side * w, y + 0.01 * size);
        }
        roots.stroke(self.c, 0.6 * w, &Ink::flat(bark, 1.0));
        let bend = self.random.within(-0.12, 0.12) * size;
        Pen::at(x - w, y - 0.10 * size)
            .quad([x - 0.6 * w, y - 0.5 * size], x + bend - 0.4 * w, y - 0.95 * size)
            .line(x + bend + 0.4 * w, y - 0.95 * size)
            .quad([x + 0.7 * w, y - 0.5 * size], x + w, y - 0.10 * size)
            .close()
            .fill(self.c, &Ink::flat(bark, 1.0));
        let leaf = self.leaf(0x6f8f4a);
        for (dx, dy, s) in [(-0.26, 0.72, 0.34), (0.24, 0.78, 0.34), (0.0, 0.96, 0.40)] {
            Pen::at(x, y - 0.55 * size).quad([x + 0.5 * dx * size, y - 0.6 * size], x + dx * size, y - dy * size).stroke(
                self.c,
                0.6 * w,
                &Ink::flat(bark, 1.0),
            );
            let at = [x + dx * size + 0.6 * bend, y - dy * size];
            let mut beards = Pen::default();
            for j in 0..6 {
                let (bx, long) = (at[0] + (j as f32 - 2.5) * 0.09 * s * size * 1.6, size * self.random.within(0.12, 0.32));
                beards = beards.polygon(&[[bx - 0.016 * size, at[1]], [bx + 0.016 * size, at[1]], [bx, at[1] + long]]);
            }
            beards.fill(self.c, &Ink::flat(moss, 0.9));
            self.crown(at[0], at[1] + 0.06 * size, s * size, leaf);
        }
    }
}
