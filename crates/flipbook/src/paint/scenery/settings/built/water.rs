//! At the water's edge and on it: quay and harbour, pier, the deck of a ship, canals, swimming pools, a coast with a lighthouse.

use crate::canvas::{Ink, Rgb};
use crate::paint::scenery::Layers;
use crate::paint::scenery::plants::Tree;
use crate::paint::shape::Pen;

use super::parts::{Roof, Terrace};

const BRIGHT: [u32; 6] = [0xe8825a, 0xf2c45f, 0x7fb7d6, 0xf3e6cf, 0xd96f6f, 0x8fc08a];
const VENETIAN: [u32; 5] = [0xd98f6a, 0xe8bf86, 0xc9685a, 0xf0dcb8, 0xdba07a];
const SEA: [u32; 2] = [0x2a7fb8, 0x74c0e4];
const POOL: [u32; 2] = [0x1fa6d0, 0x86e2f2];

impl Layers<'_> {
    fn waterfront(&mut self, walls: &[u32], arched: bool, drop: f32) {
        let (unit, horizon, short) = (self.unit(), self.film.horizon, self.film.short);
        self.behind(0.26, 0.16, 0.62, |l| {
            let row = Terrace {
                foot: horizon + drop * short - 0.02 * short,
                high: [0.20 * unit, 0.36 * unit],
                wide: [0.14 * unit, 0.21 * unit],
                walls,
                roof: Roof::Slope,
                tiles: if arched { 0xb5684a } else { 0x9a5f52 },
                arched,
            };
            l.terrace(&row);
            l.block([l.a, horizon + (drop - 0.035) * short, l.b, horizon + (drop + 0.012) * short], 0x9a948c);
        });
    }

    pub(super) fn quay(&mut self) {
        let (unit, horizon, short) = (self.unit(), self.film.horizon, self.film.short);
        let depth = self.film.height - horizon;
        self.far_hills(0.08, 0.52, 0x6fa9a0, [0.02, 0.30]);
        self.waterfront(&BRIGHT, false, 0.0);
        self.grounds(0.34, |l| {
            l.waterside(0.24, 0xb9b2a8, SEA);
            l.moored(horizon + 0.17 * depth, 0.38 * unit);
            for (_, x) in l.every(0.62 * unit, 0.5) {
                l.bollard([x, l.down(0.24) + 0.035 * short], 0.085 * unit);
            }
        });
    }

    pub(super) fn harbour(&mut self) {
        let (unit, horizon) = (self.unit(), self.film.horizon);
        self.far_hills(0.06, 0.55, 0x6fa9a0, [0.02, 0.30]);
        self.waterfront(&BRIGHT, false, 0.0);
        self.behind(0.3, 0.06, 0.62, |l| {
            let (x, foot) = (l.aside(0.86), horizon + 0.01 * unit);
            l.block([x - 0.24 * unit, foot - 0.06 * unit, x + 2.0 * l.side().max(0.12) * unit, foot], 0x8d877f);
            let high = l.fit(0.52) - 0.06 * unit;
            l.put("lighthouse", [x, foot - 0.05 * unit], high);
        });
        self.behind(0.36, 0.08, 0.4, |l| l.moored(horizon + 0.01 * unit, 0.26 * unit));
    }

    pub(super) fn pier(&mut self) {
        let (unit, horizon, short) = (self.unit(), self.film.horizon, self.film.short);
        self.coast();
        let far = horizon - 0.02 * short;
        self.add(0.3, 0.0, [far - 2.0, self.film.height + 9.0], |l| l.basin([far, l.bottom], SEA[0], SEA[1]));
        self.grounds(0.5, |l| {
            let wood = if l.film.light.white { 0xe3e9ef } else { 0xb98a5c };
            // The way out to a pavilion.
            let ([a, y0], [b, y1]) = (l.spot(-0.13, 0.02), l.spot(-0.40, 0.26));
            let ([c, _], [d, _]) = (l.spot(0.13, 0.02), l.spot(0.40, 0.26));
            for (top, foot, t) in [(a, b, 0.3), (a, b, 0.8), (c, d, 0.3), (c, d, 0.8)] {
                let (x, y) = (top + (foot - top) * t, y0 + (y1 - y0) * t);
                l.bar([x, y], [x, y + 0.05 * unit], 0.02 * unit, 0x6d4a30);
            }
            l.shape(&[[a, y0], [c, y0], [d, y1], [b, y1]], wood);
            for j in 0..7 {
                let t = (j as f32 / 7.0).powf(1.3);
                let (x0, x1, y) = (a + (b - a) * t, c + (d - c) * t, y0 + (y1 - y0) * t);
                l.bar([x0, y], [x1, y], 0.004 * short, 0x8f6840);
            }
            let x = l.middle();
            l.block([x - 0.12 * unit, y0 - 0.16 * unit, x + 0.12 * unit, y0], 0xf5efe2);
            l.shape(&[[x - 0.17 * unit, y0 - 0.15 * unit], [x, y0 - 0.29 * unit], [x + 0.17 * unit, y0 - 0.15 * unit]], 0xd9574f);
            for side in [-0.07, 0.07] {
                l.pane([x + (side - 0.03) * unit, y0 - 0.12 * unit, x + (side + 0.03) * unit, y0 - 0.05 * unit]);
            }
            l.snow_on(x - 0.08 * unit, x + 0.08 * unit, y0 - 0.2 * unit);
            for (top, foot) in [(a, b), (c, d)] {
                l.bar([top, y0 - 0.04 * unit], [foot, y1 - 0.13 * unit], 0.012 * unit, 0xf2ece0);
                for t in [0.0, 0.25, 0.55, 1.0] {
                    let (x, y) = (top + (foot - top) * t, y0 + (y1 - y0) * t);
                    l.bar([x, y], [x, y - (0.04 + 0.09 * t) * unit], 0.012 * unit, 0xf2ece0);
                }
            }
            l.planks(0xb98a5c, 0.26);
            l.pier_rails([b, d], y1, 0.14 * unit);
            for x in [b - 0.5 * unit, d + 0.5 * unit] {
                l.lamp(x, y1 + 0.01 * short, 0.46 * unit);
            }
            l.put("ring-buoy", [b - 0.28 * unit, y1 - 0.01 * unit], 0.11 * unit);
        });
    }

    pub(super) fn deck(&mut self) {
        let (unit, horizon, short) = (self.unit(), self.film.horizon, self.film.short);
        self.coast();
        let far = horizon - 0.10 * unit;
        self.add(0.2, 0.0, [far, horizon + 0.12 * short], |l| l.basin([far, l.bottom], SEA[0], SEA[1]));
        self.grounds(2.0, |l| {
            let foot = l.down(0.10);
            l.rigging(foot);
            l.planks(0xc2925c, 0.06);
            l.block([l.a, foot - 0.045 * unit, l.b, foot + 0.03 * short], 0x8a5a38);
            for (_, x) in l.every(0.075 * unit, 0.0) {
                l.block([x - 0.012 * unit, foot - 0.16 * unit, x + 0.012 * unit, foot - 0.03 * unit], 0xc98f55);
            }
            l.block([l.a, foot - 0.185 * unit, l.b, foot - 0.145 * unit], 0x9a6238);
            l.put("ring-buoy", [l.aside(-0.30), foot - 0.02 * unit], 0.13 * unit);
            l.barrel([l.aside(-0.84), l.down(0.20)], 0.22 * unit);
        });
    }

    pub(super) fn canal(&mut self) {
        let (unit, horizon) = (self.unit(), self.film.horizon);
        self.waterfront(&VENETIAN, true, 0.01);
        self.behind(0.34, 0.04, 0.5, |l| {
            l.stone_bridge([l.aside(0.55), horizon + 0.02 * unit], 0.56 * unit);
            for (_, x) in l.every(0.30 * unit, 0.2) {
                l.mooring_post([x, horizon + 0.03 * unit], 0.17 * unit);
            }
        });
    }

    pub(super) fn venice(&mut self) {
        let (unit, horizon) = (self.unit(), self.film.horizon);
        let depth = self.film.height - horizon;
        self.waterfront(&VENETIAN, true, 0.0);
        self.behind(0.34, 0.05, 0.5, |l| l.stone_bridge([l.aside(0.55), horizon + 0.03 * unit], 0.60 * unit));
        self.grounds(0.3, |l| {
            l.waterside(0.26, 0xd3c7b4, [0x2f8f8f, 0x86cfc8]);
            l.gondola([l.aside(-0.45), horizon + 0.16 * depth], 0.52 * unit);
            for (_, x) in l.every(0.42 * unit, 0.1) {
                l.mooring_post([x, l.down(0.26)], 0.30 * unit);
            }
        });
    }

    /// Loungers, parasols and, in a water park, slides behind a basin.
    fn bathers(&mut self, foot: f32, slides: bool) {
        let (unit, horizon) = (self.unit(), self.film.horizon);
        self.tree_line(0.16, 0.28, &[Tree::Palm, Tree::Round], 4.0, 0.34, 0.0);
        self.hedge();
        let top = if slides { 0.9 } else { 0.5 };
        self.add(0.55, 0.0, [horizon - top * unit, foot + 0.02 * unit], |l| {
            if slides {
                l.water_slides(foot, l.fit(0.74) / 1.2);
            }
            for (j, x) in l.every(0.50 * unit, 0.3) {
                if slides && j.rem_euclid(3) == 0 {
                    continue;
                }
                l.parasol([x, foot], 0.34 * unit, super::parts::FLAGS[j.rem_euclid(5) as usize]);
                l.lounger([x + 0.18 * unit, foot], 0.20 * unit);
            }
        });
    }

    pub(super) fn pool(&mut self) {
        let (unit, horizon) = (self.unit(), self.film.horizon);
        self.bathers(horizon - 0.035 * unit, true);
        self.behind(0.6, 0.0, 0.05, |l| {
            l.block([l.a, horizon - 0.05 * unit, l.b, horizon + 0.03 * unit], 0xf3e9d6);
            l.block([l.a, horizon - 0.012 * unit, l.b, horizon + 0.03 * unit], 0x4fc3e0);
        });
    }

    pub(super) fn poolside(&mut self, slides: bool) {
        let (unit, horizon, short) = (self.unit(), self.film.horizon, self.film.short);
        self.bathers(horizon + 0.01 * unit, slides);
        self.grounds(0.02, |l| {
            l.slabs(0xf0e2c8, 0.22);
            let (top, low) = (l.down(0.07), l.down(0.36));
            l.block([l.a, top - 0.018 * short, l.b, low + 0.03 * short], 0xfbfbf6);
            l.basin([top, low], POOL[0], POOL[1]);
            let ink = Ink::flat(l.tone(0xffffff), 0.35);
            let mut ripples = Pen::default();
            for x in l.along(16.0) {
                let (y, r) = (top + (low - top) * l.random.unit(), short * l.random.within(0.02, 0.05));
                ripples = ripples.to(x - r, y).quad([x, y - 0.3 * r], x + r, y).quad([x + 1.6 * r, y + 0.3 * r], x + 2.4 * r, y);
            }
            ripples.stroke(l.c, 0.004 * short, &ink);
            let x = l.aside(-0.62);
            for side in [-0.05, 0.05] {
                let hook = Ink::flat(l.tone(0xdde5ec), 1.0);
                Pen::at(x + side * unit, low - 0.02 * unit)
                    .line(x + side * unit, low - 0.10 * unit)
                    .quad([x + side * unit, low - 0.17 * unit], x + side * unit + 0.05 * unit, low - 0.10 * unit)
                    .line(x + side * unit + 0.05 * unit, low + 0.03 * unit)
                    .stroke(l.c, 0.016 * unit, &hook);
            }
            let [rx, ry] = [l.aside(0.4), top + 0.5 * (low - top)];
            l.put("ring-buoy", [rx, ry + 0.04 * unit], 0.10 * unit);
        });
    }

    pub(super) fn lighthouse(&mut self) {
        let (unit, horizon, short) = (self.unit(), self.film.horizon, self.film.short);
        self.coast();
        let far = horizon - 0.12 * unit;
        self.add(0.15, 0.0, [far, horizon + 0.10 * short], |l| l.basin([far, l.bottom], SEA[0], SEA[1]));
        self.behind(0.4, 0.03, 1.1, |l| {
            let x = l.aside(0.62);
            let s = l.side();
            let (rock, grass) = (l.tone(0x9a8f84), l.soil(0x7fbf58));
            let top = horizon - 0.12 * unit;
            let high = l.fit(0.90) - 0.14 * unit;
            let edge = x - s * 0.62 * unit;
            let out = x + s * 3.0 * l.film.width;
            Pen::at(edge, horizon + 0.05 * unit)
                .line(edge + s * 0.14 * unit, horizon - 0.05 * unit)
                .line(edge + s * 0.20 * unit, top)
                .line(out, top)
                .line(out, horizon + 0.2 * unit)
                .close()
                .fill(l.c, &Ink::flat(rock, 1.0));
            Pen::at(edge + s * 0.12 * unit, top + 0.03 * unit)
                .quad([x, top - 0.07 * unit], out, top - 0.02 * unit)
                .line(out, top + 0.05 * unit)
                .close()
                .fill(l.c, &Ink::flat(grass, 1.0));
            if l.lit_up() && !l.film.casts("lighthouse") {
                let lamp = [x, top - 0.86 * high];
                for way in [-1.0, 1.0] {
                    let end = [x + way * 1.6 * unit, lamp[1] - 0.10 * unit];
                    let points = [lamp, [end[0], end[1] - 0.13 * unit], [end[0], end[1] + 0.13 * unit]];
                    let beam = Rgb([1.0, 0.95, 0.7]);
                    Pen::default().polygon(&points).fill(l.c, &Ink::linear(lamp, end, &[(beam, 0.55), (beam, 0.0)]).adding());
                }
                l.glow(lamp[0], lamp[1], 0.2 * unit, Rgb([1.0, 0.9, 0.6]), 0.7);
            }
            l.put("lighthouse", [x, top], high);
            l.cottage([x + s * 0.34 * unit, top], 0.26 * unit, 0xf5efe2, 0xc9504e);
        });
        self.hedge();
        self.floor(|l| l.grass(0x8fd65a, 0x4fae3d, true));
    }
}
