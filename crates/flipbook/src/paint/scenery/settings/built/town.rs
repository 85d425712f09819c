//! In town: markets, village, bus stop, crossing, rooftop, square, parade, alley, and a city of neon signs.

use crate::canvas::{Ink, Rgb};
use crate::paint::scenery::plants::Tree;
use crate::paint::scenery::{Layer, Layers};
use crate::paint::shape::{Pen, area};

use super::houses::{Roof, Terrace};
use super::parts::FLAGS;

const FRUIT: [&str; 8] = ["red-apple", "tangerine", "banana", "tomato", "eggplant", "grapes", "carrot", "watermelon"];
const WARES: [&str; 6] = ["pretzel", "candle", "wrapped-gift", "hot-beverage", "teddy-bear", "bell"];
const PLASTER: [u32; 6] = [0xf0dcb4, 0xe8b98a, 0xd98f7a, 0xc9d3b8, 0xf3ecdf, 0xb8c6d3];
const HALF_TIMBER: [u32; 4] = [0xf7efdd, 0xf0e0c0, 0xe9d3b3, 0xf3e6d6];

impl Layers<'_> {
    /// A row of old town houses where the ground begins.
    pub(super) fn old_town(&mut self, parallax: f32, haze: f32, high: [f32; 2], walls: &[u32], roof: Roof) {
        let (unit, horizon, short) = (self.unit(), self.film.horizon, self.film.short);
        self.behind(parallax, haze, high[1] + 0.2, |l| {
            l.terrace(&Terrace {
                foot: horizon + 0.012 * short,
                high: high.map(|share| share * unit),
                wide: [0.19 * unit, 0.27 * unit],
                walls,
                roof,
                tiles: if roof == Roof::Mansard { 0x6f7f92 } else { 0xb3624c },
                arched: false,
            });
        });
    }

    pub(super) fn market(&mut self) {
        let (unit, horizon) = (self.unit(), self.film.horizon);
        self.old_town(0.25, 0.22, [0.46, 0.64], &PLASTER, Roof::Slope);
        self.behind(0.40, 0.08, 0.9, |l| l.garlands(horizon - 0.62 * unit, 0.9 * unit, 0.06 * unit, false));
        self.grounds(0.5, |l| {
            l.cobbles(0xc9b79c);
            let foot = l.down(0.13);
            for (j, x) in l.every(0.60 * unit, 0.5) {
                let hex = [0xe0524a, 0x3f9a6a, 0x3f86c0, 0xf0a83a][j.rem_euclid(4) as usize];
                l.stall([x, foot], 0.44 * unit, hex, &FRUIT);
                if j.rem_euclid(2) == 0 {
                    l.crate_of(FRUIT[j.rem_euclid(7) as usize], [x + 0.30 * unit, foot + 0.03 * unit], 0.13 * unit);
                }
            }
        });
    }

    pub(super) fn christmas_market(&mut self) {
        let (unit, horizon) = (self.unit(), self.film.horizon);
        self.old_town(0.22, 0.22, [0.42, 0.62], &HALF_TIMBER, Roof::Gable);
        self.behind(0.34, 0.08, 1.2, |l| {
            let x = l.aside(0.42);
            l.put("christmas-tree", [x, horizon + 0.02 * unit], 0.84 * unit);
            if l.lit_up() {
                l.glow(x, horizon - 0.4 * unit, 0.6 * unit, Rgb([1.0, 0.85, 0.5]), 0.25);
            }
        });
        self.grounds(0.95, |l| {
            l.cobbles(0xb5a692);
            let foot = l.down(0.12);
            for (j, x) in l.every(0.66 * unit, 0.0) {
                l.hut([x, foot], 0.40 * unit, j);
            }
            l.garlands(horizon - 0.52 * unit, 0.8 * unit, 0.07 * unit, true);
        });
    }

    pub(super) fn village(&mut self) {
        let (unit, horizon) = (self.unit(), self.film.horizon);
        self.far_hills(0.05, 0.66, 0x6f9fae, [0.02, 0.44]);
        self.far_hills(0.11, 0.44, 0x78b872, [0.02, 0.30]);
        self.tree_line(0.18, 0.28, self.leafy(&[Tree::Round, Tree::Poplar]), 3.0, 0.24, 0.0);
        self.behind(0.26, 0.16, 1.0, |l| {
            let x = l.aside(0.36);
            l.village_church([x, horizon], 0.80 * unit);
        });
        self.tree_line(0.36, 0.10, self.leafy(&[Tree::Round]), 1.8, 0.22, 0.0);
        self.grounds(0.6, |l| {
            l.grass(0x9bd868, 0x58b043, true);
            let foot = l.down(0.10);
            for (j, x) in l.every(0.46 * unit, 0.2) {
                let wall = [0xf7efdd, 0xf0cfa8, 0xe9dccb, 0xf3b9a0][j.rem_euclid(4) as usize];
                let tiles = [0xb3543f, 0x9a5a48, 0xa8693f][j.rem_euclid(3) as usize];
                let size = unit * if j.rem_euclid(2) == 0 { 0.36 } else { 0.30 };
                l.cottage([x, foot - 0.02 * unit * (j.rem_euclid(2) as f32)], size, wall, tiles);
            }
            l.footpath();
            l.railing(l.down(0.115), 0.075 * unit, 0.035 * unit, 0xfaf5ea);
        });
    }

    fn shop_street(&mut self) {
        let lights = self.film.lights_on();
        self.towers(0.08, 0.5, 0.74, lights * 0.8, 0.016, 0.0);
        let (rise, horizon, short) = (self.film.rise(), self.film.horizon, self.film.short);
        let mut signs = Vec::new();
        self.add(0.50, 0.0, [horizon - 0.74 * rise, horizon + 0.03 * short], |l| signs = l.shops());
        self.neons = signs;
    }

    pub(super) fn bus_stop(&mut self) {
        let (unit, short) = (self.unit(), self.film.short);
        self.shop_street();
        let neons = self.neons.clone();
        self.grounds(0.6, |l| {
            l.pavement();
            l.reflections(&neons);
            let (x, foot) = (l.aside(0.30), l.down(0.20));
            l.shelter([x, foot], 0.62 * unit);
            let sign = l.signpost([x - l.side() * 0.62 * unit, foot + 0.02 * short], 0.58 * unit, 0x2b6fd0);
            l.little_bus(sign);
        });
    }

    pub(super) fn crossing(&mut self) {
        let unit = self.unit();
        self.shop_street();
        let neons = self.neons.clone();
        self.grounds(0.7, |l| {
            l.pavement();
            for j in -4..=4 {
                let u = 0.21 * j as f32;
                let corners = [[u - 0.062, 0.36], [u + 0.062, 0.36], [u + 0.062, 1.1], [u - 0.062, 1.1]];
                l.shape(&corners.map(|[u, v]| l.spot(u, v)), 0xfafaf4);
            }
            l.reflections(&neons);
            for (side, name) in [(0.84, "vertical-traffic-light"), (-0.84, "vertical-traffic-light")] {
                let (x, foot) = (l.aside(side), l.down(0.24));
                l.bar([x, foot], [x, foot - 0.5 * unit], 0.03 * unit, 0x3f4753);
                l.put(name, [x, foot - 0.36 * unit], 0.28 * unit);
            }
        });
    }

    pub(super) fn rooftop(&mut self) {
        let (unit, short) = (self.unit(), self.film.short);
        let lights = self.film.lights_on();
        self.towers(0.03, 0.72, 0.60, lights * 0.5, 0.013, 0.06);
        self.towers(0.07, 0.48, 0.46, lights * 0.8, 0.016, 0.08);
        self.towers(0.13, 0.26, 0.30, lights, 0.020, 0.10);
        self.towers(0.20, 0.12, 0.17, lights, 0.024, 0.12);
        self.grounds(0.7, |l| {
            l.slabs(0xa9a6a4, 0.34);
            let (edge, high) = (l.down(0.10), 0.13 * unit);
            l.brick_wall([l.a, edge - high, l.b, edge], 0.034 * unit, 0xb0705c);
            l.block([l.a, edge - high - 0.03 * unit, l.b, edge - high + 0.01 * unit], 0xd9cfc4);
            l.snow_on(l.a, l.b, edge - high - 0.03 * unit);
            let foot = l.down(0.20);
            l.water_tank([l.aside(0.74), foot], 0.62 * unit);
            l.air_conditioner([l.aside(-0.52), foot], 0.24 * unit);
            l.air_conditioner([l.aside(-0.52) - 0.28 * unit, foot + 0.01 * short], 0.20 * unit);
            let x = l.aside(-0.88);
            l.bar([x, foot], [x, foot - 0.6 * unit], 0.016 * unit, 0x4d5560);
            for (j, dy) in [0.36, 0.44, 0.52, 0.58].into_iter().enumerate() {
                let w = (0.14 - 0.025 * j as f32) * unit;
                l.bar([x - w, foot - dy * unit], [x + w, foot - dy * unit], 0.012 * unit, 0x4d5560);
            }
        });
    }

    pub(super) fn square(&mut self) {
        let unit = self.unit();
        self.old_town(0.16, 0.34, [0.48, 0.66], &PLASTER, Roof::Slope);
        self.old_town(0.30, 0.12, [0.34, 0.50], &PLASTER, Roof::Slope);
        self.tree_line(0.4, 0.06, self.leafy(&[Tree::Round]), 1.2, 0.24, 0.0);
        self.grounds(0.6, |l| {
            l.cobbles(0xd6c8b2);
            let fountain = !l.film.casts("fountain");
            if fountain {
                l.fountain([l.middle(), l.down(0.16)], 0.52 * unit);
            }
            let foot = l.down(0.10);
            for x in [l.aside(0.62), l.aside(-0.62)] {
                l.bench(x, foot, 0.10 * unit);
            }
            for x in [l.aside(0.86), l.aside(-0.86)] {
                l.lamp(x, foot, 0.46 * unit);
            }
            
        });
    }

    pub(super) fn parade(&mut self) {
        let (unit, horizon) = (self.unit(), self.film.horizon);
        self.shop_street();
        self.behind(0.55, 0.0, 0.3, |l| l.crowd([horizon - 0.17 * unit, horizon + 0.05 * unit], 3));
        self.grounds(0.9, |l| {
            l.even(0x6f7482);
            l.patch([-9.0, 9.0], [0.0, 0.12], 0xb4b4bc);
            let foot = l.down(0.13);
            for (j, x) in l.every(0.36 * unit, 0.0) {
                let hex = FLAGS[j.rem_euclid(5) as usize];
                l.block([x + 0.01 * unit, foot - 0.13 * unit, x + 0.35 * unit, foot - 0.02 * unit], hex);
                l.block([x + 0.01 * unit, foot - 0.145 * unit, x + 0.35 * unit, foot - 0.12 * unit], 0xf3f3f3);
            }
            l.garlands(horizon - 0.52 * unit, 0.8 * unit, 0.08 * unit, false);
            l.garlands(horizon - 0.40 * unit, 0.7 * unit, 0.05 * unit, false);
            let mut bits = FLAGS.map(|_| Pen::default());
            let short = l.film.short;
            for x in l.along(40.0) {
                let (v, k) = (l.random.unit(), l.random.below(5));
                bits[k] = std::mem::take(&mut bits[k]).oval(x, l.down(v), short * (0.003 + 0.006 * v), short * (0.002 + 0.003 * v));
            }
            for (pen, hex) in bits.into_iter().zip(FLAGS) {
                let ink = Ink::flat(l.tone(hex), 0.9);
                pen.fill(l.c, &ink);
            }
        });
    }

    pub(super) fn alley(&mut self) {
        let (unit, horizon, short) = (self.unit(), self.film.horizon, self.film.short);
        let lights = self.film.lights_on();
        self.towers(0.06, 0.5, 0.8, lights, 0.016, 0.0);
        self.grounds(4.0, |l| {
            l.cobbles(0x85817f);
            let (middle, near) = (l.middle(), 0.5 * l.film.width);
            for (side, hex) in [(-1.0, 0x9a5f50), (1.0, 0x7d6a62)] {
                let far = middle + side * (0.20 * near).max(0.16 * unit);
                let (edge, out) = (middle + side * 1.02 * near, middle + side * (near + l.film.width));
                let foot = [horizon, l.down(0.62)];
                let wall = |v: f32, t: f32| {
                    let x = far + (edge - far) * t;
                    let low = foot[0] + (foot[1] - foot[0]) * t;
                    let high = (0.9 + 1.4 * t) * unit;
                    [x, low - high * v]
                };
                let colour = l.tone(hex);
                let ink = Ink::linear([far, 0.0], [edge, 0.0], &[(colour.mix(l.film.light.haze, 0.2).times(0.75), 1.0), (colour, 1.0)]);
                Pen::default().polygon(&[wall(0.0, 0.0), wall(0.0, 1.0), [out, foot[1]], [out, -9.0], wall(1.0, 1.0), wall(1.0, 0.0)]).fill(l.c, &ink);
                let mut joints = Pen::default();
                for row in 0..24 {
                    let v = row as f32 / 24.0;
                    let ([ax, ay], [bx, by]) = (wall(v, 0.0), wall(v, 1.25));
                    joints = joints.to(ax, ay).line(bx, by);
                }
                joints.stroke(l.c, 0.003 * short, &Ink::flat(colour.times(0.6), 0.6));
                for (t0, t1) in [(0.12, 0.28), (0.46, 0.70)] {
                    for v in [0.30, 0.56, 0.82] {
                        let corners = [wall(v, t0), wall(v, t1), wall(v + 0.15, t1), wall(v + 0.15, t0)];
                        let lit = lights > 0.0 && l.random.chance(0.5);
                        let glass = if lit { super::parts::LAMPLIGHT } else { l.tone(0x4d6478) };
                        Pen::default().polygon(&corners).fill(l.c, &Ink::flat(glass, 1.0));
                        Pen::default().polygon(&corners).stroke(l.c, 0.008 * short, &Ink::flat(colour.mix(Rgb::WHITE, 0.4), 1.0));
                    }
                }
                if side * l.side() > 0.0 {
                    for v in [0.27, 0.53] {
                        let ([ax, ay], [bx, by]) = (wall(v, 0.38), wall(v, 0.78));
                        for up in [0.0, 0.10] {
                            l.bar([ax, ay - up * unit], [bx, by - up * unit], 0.016 * unit, 0x2f3440);
                        }
                        l.bar([ax, ay], [bx, wall(v - 0.24, 0.78)[1]], 0.02 * unit, 0x2f3440);
                    }
                }
                let [lx, ly] = wall(0.46, 0.36);
                l.bulb([lx - side * 0.05 * unit, ly], 0.024 * unit, 0xffd36a);
            }
            let foot = l.down(0.30);
            l.put("wastebasket", [l.aside(-0.66), foot], 0.20 * unit);
            l.skip([l.aside(0.62), foot], 0.30 * unit);
        });
    }

    pub(super) fn neon_city(&mut self) {
        let (unit, horizon, short) = (self.unit(), self.film.horizon, self.film.short);
        self.towers(0.05, 0.55, 0.95, 0.6, 0.015, 0.0);
        self.towers(0.11, 0.32, 0.75, 0.6, 0.018, 0.0);
        let (rise, mut signs) = (self.film.rise(), Vec::new());
        self.add(0.50, 0.0, [horizon - 0.80 * rise, horizon + 0.03 * short], |l| {
            signs = l.shops();
            for (j, x) in l.every(0.30 * unit, 0.4) {
                let colour = Rgb::hex([0xff2f92, 0x2fe6ff, 0xffd23f, 0x9a5bff, 0x4dff8f][j.rem_euclid(5) as usize]);
                let (high, y) = (unit * l.random.within(0.16, 0.30), horizon - unit * l.random.within(0.30, 0.46));
                l.upright_sign([x, y], high, colour);
                signs.push((x, y, colour));
            }
        });
        self.neons = signs;
        let neons = self.neons.clone();
        self.floor(|l| {
            l.pavement();
            l.reflections(&neons);
        });
        self.lamps(0.9);
    }
}

impl Layer<'_> {
    fn crate_of(&mut self, name: &str, [x, foot]: [f32; 2], size: f32) {
        for dx in [-0.32, 0.0, 0.32] {
            self.put(name, [x + dx * size, foot - 0.42 * size], 0.46 * size);
        }
        self.block([x - 0.6 * size, foot - 0.5 * size, x + 0.6 * size, foot], 0xc99a62);
        for dy in [0.18, 0.36] {
            self.bar([x - 0.6 * size, foot - dy * size], [x + 0.6 * size, foot - dy * size], 0.04 * size, 0x8f6839);
        }
    }

    /// A wooden hut of a winter market.
    fn hut(&mut self, [x, foot]: [f32; 2], size: f32, number: i32) {
        let half = 0.60 * size;
        self.block([x - half, foot - 0.78 * size, x + half, foot], 0x8a5a38);
        self.block([x - 0.86 * half, foot - 0.70 * size, x + 0.86 * half, foot - 0.34 * size], if self.lit_up() { 0xe0a050 } else { 0x5a3f30 });
        if self.lit_up() {
            self.glow(x, foot - 0.5 * size, 0.8 * size, super::parts::LAMPLIGHT, 0.5);
        }
        for j in 0..4 {
            let name = WARES[(j + number.unsigned_abs() as usize) % WARES.len()];
            self.put(name, [x + half * (-0.66 + 0.44 * j as f32), foot - 0.33 * size], 0.22 * size);
        }
        self.block([x - 1.06 * half, foot - 0.36 * size, x + 1.06 * half, foot - 0.29 * size], 0xc98f5a);
        let tiles = if self.film.light.white { 0xf6fafd } else { 0xb0413a };
        self.shape(&[[x - 1.3 * half, foot - 0.74 * size], [x, foot - 1.22 * size], [x + 1.3 * half, foot - 0.74 * size]], tiles);
        for j in 0..=8 {
            let t = j as f32 / 4.0 - 1.0;
            let y = foot - (1.20 - 0.46 * t.abs()) * size;
            self.bulb([x + 1.28 * half * t, y + 0.02 * size], 0.026 * size, [0xffd36a, 0xff5a4a, 0x5fd36a][j % 3]);
        }
    }

    fn village_church(&mut self, [x, foot]: [f32; 2], high: f32) {
        let (w, roof) = (0.11 * high, if self.film.light.white { 0xf4f8fc } else { 0x8a5a50 });
        self.block([x, foot - 0.34 * high, x + 5.0 * w, foot], 0xf3ead8);
        self.shape(&[[x, foot - 0.33 * high], [x + 0.5 * w, foot - 0.54 * high], [x + 4.6 * w, foot - 0.54 * high], [x + 5.2 * w, foot - 0.33 * high]], roof);
        for j in 0..3 {
            let wx = x + w * (1.9 + 1.1 * j as f32);
            self.pane([wx - 0.2 * w, foot - 0.26 * high, wx + 0.2 * w, foot - 0.10 * high]);
        }
        self.block([x - w, foot - 0.66 * high, x + w, foot], 0xf9f2e3);
        self.shape(&[[x - 1.15 * w, foot - 0.65 * high], [x, foot - 0.98 * high], [x + 1.15 * w, foot - 0.65 * high]], roof);
        self.bar([x, foot - 0.98 * high], [x, foot - 1.06 * high], 0.010 * high, 0xe0b040);
        self.bar([x - 0.025 * high, foot - 1.035 * high], [x + 0.025 * high, foot - 1.035 * high], 0.010 * high, 0xe0b040);
        self.oval([x, foot - 0.54 * high], 0.5 * w, 0.5 * w, 0x5a6070);
        self.block([x - 0.4 * w, foot - 0.18 * high, x + 0.4 * w, foot], 0x8a5a3c);
    }

    /// A shelter of glass with a bench.
    fn shelter(&mut self, [x, foot]: [f32; 2], high: f32) {
        let (half, top) = (0.72 * high, foot - high);
        let glass = Ink::flat(self.tone(0xa9d3e6), 0.45);
        self.c.rect(area(x - half, top, 2.0 * half, 0.9 * high), &glass);
        for share in [-1.0, -0.33, 0.33, 1.0] {
            self.bar([x + share * half, top], [x + share * half, foot], 0.035 * high, 0x4d5763);
        }
        self.block([x - 1.14 * half, top - 0.07 * high, x + 1.14 * half, top + 0.03 * high], 0x2b6fd0);
        self.snow_on(x - 1.14 * half, x + 1.14 * half, top - 0.07 * high);
        self.block([x - 0.8 * half, foot - 0.30 * high, x + 0.25 * half, foot - 0.24 * high], 0xb5763f);
        for leg in [-0.7, 0.15] {
            self.bar([x + leg * half, foot - 0.25 * high], [x + leg * half, foot], 0.03 * high, 0x4d5763);
        }
        self.block([x + 0.44 * half, top + 0.16 * high, x + 0.90 * half, foot - 0.14 * high], 0xf7f3e8);
        self.block([x + 0.49 * half, top + 0.22 * high, x + 0.85 * half, foot - 0.34 * high], 0xf08a5a);
        self.bulb([x, top + 0.05 * high], 0.022 * high, 0xfff0c0);
    }

    /// A bus as signs show it.
    fn little_bus(&mut self, [x, y, half]: [f32; 3]) {
        let white = Ink::flat(self.tone(0xffffff), 1.0);
        self.c.round_rect(area(x - 0.62 * half, y - 0.5 * half, 1.24 * half, 0.86 * half), 0.16 * half, &white);
        self.block([x - 0.48 * half, y - 0.36 * half, x + 0.48 * half, y - 0.02 * half], 0x2b6fd0);
        for side in [-0.34, 0.34] {
            self.oval([x + side * half, y + 0.40 * half], 0.17 * half, 0.17 * half, 0xffffff);
        }
    }

    fn water_tank(&mut self, [x, foot]: [f32; 2], high: f32) {
        for dx in [-0.22, 0.0, 0.22] {
            self.bar([x + dx * high, foot], [x + 0.8 * dx * high, foot - 0.42 * high], 0.03 * high, 0x4d4038);
        }
        self.bar([x - 0.2 * high, foot - 0.1 * high], [x + 0.2 * high, foot - 0.36 * high], 0.018 * high, 0x4d4038);
        let (wood, half) = (self.tone(0xa9744a), 0.27 * high);
        let ink = Ink::linear([x - half, 0.0], [x + half, 0.0], &[(wood.mix(Rgb::WHITE, 0.16), 1.0), (wood, 1.0), (wood.times(0.68), 1.0)]);
        self.c.rect(area(x - half, foot - 0.86 * high, 2.0 * half, 0.46 * high), &ink);
        for dy in [0.48, 0.62, 0.76] {
            self.bar([x - half, foot - dy * high], [x + half, foot - dy * high], 0.014 * high, 0x5a4030);
        }
        self.shape(&[[x - 1.12 * half, foot - 0.84 * high], [x, foot - 1.06 * high], [x + 1.12 * half, foot - 0.84 * high]], 0x6d5348);
    }

    fn air_conditioner(&mut self, [x, foot]: [f32; 2], size: f32) {
        self.block([x - 0.55 * size, foot - 0.8 * size, x + 0.55 * size, foot], 0xd3d8dd);
        self.oval([x, foot - 0.42 * size], 0.30 * size, 0.30 * size, 0x5d6672);
        for turn in 0..3 {
            let (sin, cos) = (turn as f32 * 1.05).sin_cos();
            self.bar([x - 0.26 * size * cos, foot - 0.42 * size - 0.26 * size * sin], [x + 0.26 * size * cos, foot - 0.42 * size + 0.26 * size * sin], 0.05 * size, 0xb4bcc6);
        }
        self.snow_on(x - 0.55 * size, x + 0.55 * size, foot - 0.8 * size);
    }

    fn fountain(&mut self, [x, foot]: [f32; 2], high: f32) {
        let stone = 0xd3cbc0;
        self.oval([x, foot], 0.86 * high, 0.15 * high, 0xa89e92);
        self.oval([x, foot - 0.05 * high], 0.86 * high, 0.15 * high, stone);
        self.oval([x, foot - 0.06 * high], 0.76 * high, 0.11 * high, 0x5fb4d6);
        self.block([x - 0.07 * high, foot - 0.56 * high, x + 0.07 * high, foot - 0.04 * high], stone);
        let water = Ink::flat(self.film.light.lit(Rgb::hex(0xdff3fb)), 0.85);
        let mut jets = Pen::default();
        for reach in [-0.56, -0.36, -0.18, 0.18, 0.36, 0.56] {
            let top = 1.10 - 0.5 * f32::abs(reach);
            jets = jets.to(x, foot - 0.86 * high).cubic([x + 0.3 * reach * high, foot - top * high], [x + 0.9 * reach * high, foot - 0.9 * top * high], x + reach * high, foot - 0.08 * high);
        }
        jets.stroke(self.c, 0.022 * high, &water);
        self.oval([x, foot - 0.56 * high], 0.34 * high, 0.07 * high, stone);
        self.oval([x, foot - 0.575 * high], 0.29 * high, 0.045 * high, 0x7cc6e2);
        let rise = Ink::flat(self.film.light.lit(Rgb::hex(0xeaf8fd)), 0.9);
        Pen::at(x, foot - 0.58 * high).line(x, foot - 0.98 * high).stroke(self.c, 0.04 * high, &rise);
    }

    /// A container for rubbish.
    pub(super) fn skip(&mut self, [x, foot]: [f32; 2], size: f32) {
        self.shape(&[[x - 0.62 * size, foot - 0.62 * size], [x + 0.62 * size, foot - 0.62 * size], [x + 0.54 * size, foot - 0.04 * size], [x - 0.54 * size, foot - 0.04 * size]], 0x3f7a5a);
        self.shape(&[[x - 0.68 * size, foot - 0.62 * size], [x - 0.6 * size, foot - 0.76 * size], [x + 0.6 * size, foot - 0.76 * size], [x + 0.68 * size, foot - 0.62 * size]], 0x2f5f48);
        for j in -1..=1 {
            let bx = x + 0.32 * size * j as f32;
            self.bar([bx, foot - 0.6 * size], [bx, foot - 0.08 * size], 0.03 * size, 0x2f5f48);
        }
    }

    /// A sign of neon that hangs upright.
    fn upright_sign(&mut self, [x, y]: [f32; 2], high: f32, colour: Rgb) {
        let half = 0.16 * high;
        let back = Ink::flat(Rgb([0.10, 0.08, 0.18]), 1.0);
        self.c.round_rect(area(x - half, y - 0.5 * high, 2.0 * half, high), 0.4 * half, &back);
        self.glow(x, y, 0.9 * high, colour, 0.32);
        let frame = Pen::default().rect(x - 0.8 * half, y - 0.46 * high, x + 0.8 * half, y + 0.46 * high);
        frame.stroke(self.c, 0.03 * high, &Ink::flat(colour.mix(Rgb::WHITE, 0.3), 1.0));
        for j in 0..3 {
            let cy = y + high * (-0.29 + 0.29 * j as f32);
            let r = 0.42 * half;
            let mark = match self.random.below(4) {
                0 => Pen::default().circle(x, cy, r),
                1 => Pen::at(x - r, cy - r).line(x + r, cy - r).to(x, cy - r).line(x, cy + r).to(x - r, cy + r).line(x + r, cy + r),
                2 => Pen::at(x - r, cy + r).line(x, cy - r).line(x + r, cy + r).to(x - 0.5 * r, cy + 0.2 * r).line(x + 0.5 * r, cy + 0.2 * r),
                _ => Pen::default().rect(x - r, cy - r, x + r, cy + r).to(x - r, cy).line(x + r, cy),
            };
            mark.stroke(self.c, 0.028 * high, &Ink::flat(colour.mix(Rgb::WHITE, 0.65), 1.0));
        }
    }
}
