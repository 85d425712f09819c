//! In town: markets, village, bus stop, crossing, rooftop, square, parade, alley, and a city of neon signs.

use crate::canvas::{Ink, Rgb};
use crate::paint::scenery::Layers;
use crate::paint::scenery::plants::Tree;
use crate::paint::shape::Pen;

use super::parts::{FLAGS, Roof, Terrace};

const FRUIT: [&str; 8] = ["red-apple", "tangerine", "banana", "tomato", "eggplant", "grapes", "carrot", "watermelon"];
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
        self.old_town(0.25, 0.22, [0.36, 0.50], &PLASTER, Roof::Slope);
        self.behind(0.40, 0.08, 0.9, |l| l.garlands(horizon - l.fit(0.56), 0.9 * unit, 0.06 * unit, false));
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
        self.old_town(0.22, 0.22, [0.30, 0.42], &HALF_TIMBER, Roof::Gable);
        self.behind(0.34, 0.08, 1.2, |l| {
            let x = l.aside(0.42);
            let high = l.fit(0.84);
            l.put("christmas-tree", [x, horizon + 0.02 * unit], high);
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
            l.village_church([x, horizon], l.fit(0.80) / 1.1);
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
        self.old_town(0.16, 0.34, [0.36, 0.48], &PLASTER, Roof::Slope);
        self.old_town(0.30, 0.12, [0.24, 0.36], &PLASTER, Roof::Slope);
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
                Pen::default()
                    .polygon(&[wall(0.0, 0.0), wall(0.0, 1.0), [out, foot[1]], [out, -9.0], wall(1.0, 1.0), wall(1.0, 0.0)])
                    .fill(l.c, &ink);
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
