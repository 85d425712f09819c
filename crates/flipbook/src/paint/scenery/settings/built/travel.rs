//! Where people travel: station, railway, airport, car park, petrol station, bridges, tunnel, motorway.

use crate::canvas::{Ink, Rgb};
use crate::paint::film::Film;
use crate::paint::scenery::plants::Tree;
use crate::paint::scenery::{Layer, Layers};
use crate::paint::shape::{Pen, area};

use super::parts::LAMPLIGHT;

const TRAINS: [&str; 7] = ["train", "locomotive", "railway", "metro", "light-rail", "monorail", "tram"];
const CARS: [&str; 3] = ["automobile", "sport-utility-vehicle", "pickup-truck"];

/// A train is one of the things of the scene.
fn has_train(film: &Film) -> bool {
    TRAINS.iter().any(|name| film.casts(name))
}

impl Layers<'_> {
    fn countryside(&mut self) {
        self.far_hills(0.06, 0.60, 0x7ba6a8, [0.02, 0.28]);
        self.far_hills(0.16, 0.28, 0x84bf66, [0.02, 0.12]);
        self.tree_line(0.30, 0.14, self.leafy(&[Tree::Round, Tree::Fir, Tree::Poplar]), 3.6, 0.17, 0.010);
    }

    fn skyline(&mut self) {
        let lights = self.film.lights_on();
        self.towers(0.05, 0.66, 0.56, lights * 0.6, 0.014, 0.0);
        self.towers(0.11, 0.40, 0.40, lights, 0.017, 0.0);
    }

    pub(super) fn platform(&mut self) {
        let (unit, horizon, short) = (self.unit(), self.film.horizon, self.film.short);
        self.skyline();
        let arrives = has_train(self.film);
        self.behind(0.4, 0.06, 0.6, |l| {
            // The other platform, and its wall.
            l.brick_wall([l.a, horizon - 0.34 * unit, l.b, horizon + 0.02 * short], 0.035 * unit, 0xb57a60);
            l.snow_on(l.a, l.b, horizon - 0.34 * unit);
            for (_, x) in l.every(0.8 * unit, 0.5) {
                l.block([x - 0.16 * unit, horizon - 0.27 * unit, x + 0.16 * unit, horizon - 0.15 * unit], 0x2b5fae);
                l.block([x - 0.12 * unit, horizon - 0.22 * unit, x + 0.12 * unit, horizon - 0.20 * unit], 0xffffff);
            }
        });
        self.grounds(0.95, |l| {
            let edge = if arrives { 0.0 } else { 0.22 };
            l.slabs(0xb9bcc2, 0.22);
            if arrives {
                l.track([0.34, 0.62]);
                let y = l.down(0.22);
                l.block([l.a, y, l.b, y + 0.03 * short], 0xf5d34a);
            } else {
                l.track([0.0, 0.14]);
                let foot = l.down(0.12);
                l.carriages(foot, 0.40 * unit);
                let y = l.down(edge);
                l.block([l.a, y - 0.03 * short, l.b, y], 0x7c828c);
                l.block([l.a, y + 0.016 * short, l.b, y + 0.036 * short], 0xf5d34a);
            }
            let foot = l.down(if arrives { 0.12 } else { 0.30 });
            let roof = horizon - 0.72 * unit;
            for (j, x) in l.every(0.95 * unit, 0.5) {
                l.block([x - 0.022 * unit, roof, x + 0.022 * unit, foot], 0x3f5f6a);
                for side in [-1.0, 1.0] {
                    l.bar([x, roof + 0.22 * unit], [x + side * 0.16 * unit, roof + 0.04 * unit], 0.022 * unit, 0x3f5f6a);
                }
                if j % 2 == 0 {
                    l.clock([x + 0.47 * unit, roof + 0.17 * unit], 0.075 * unit);
                }
            }
            l.block([l.a, roof - 0.10 * unit, l.b, roof + 0.05 * unit], 0x4f7480);
            for (_, x) in l.every(0.09 * unit, 0.0) {
                l.shape(&[[x, roof + 0.05 * unit], [x + 0.09 * unit, roof + 0.05 * unit], [x + 0.045 * unit, roof + 0.11 * unit]], 0x4f7480);
            }
            l.snow_on(l.a, l.b, roof - 0.10 * unit);
            for (_, x) in l.every(0.95 * unit, 0.0) {
                l.bulb([x + 0.2 * unit, roof + 0.12 * unit], 0.022 * unit, 0xfff0c0);
            }
        });
    }

    pub(super) fn rails(&mut self) {
        self.countryside();
        let (unit, short) = (self.unit(), self.film.short);
        self.grounds(0.6, |l| {
            l.grass(0x9fce62, 0x66ad46, true);
            l.track([0.26, 0.70]);
            let foot = l.down(0.14);
            for (j, x) in l.every(1.15 * unit, 0.5) {
                l.bar([x, foot], [x, foot - 0.50 * unit], 0.022 * unit, 0x6a5a4c);
                l.bar([x - 0.10 * unit, foot - 0.44 * unit], [x + 0.10 * unit, foot - 0.44 * unit], 0.016 * unit, 0x6a5a4c);
                if j.rem_euclid(2) == 0 {
                    l.signal([x + 0.45 * unit, foot], 0.36 * unit);
                }
            }
            l.bar([l.a, foot - 0.455 * unit], [l.b, foot - 0.455 * unit], 0.003 * short, 0x5d6672);
        });
    }

    pub(super) fn runway(&mut self) {
        let (unit, horizon, short) = (self.unit(), self.film.horizon, self.film.short);
        self.far_hills(0.06, 0.60, 0x7ba6a8, [0.02, 0.12]);
        self.behind(0.22, 0.14, 0.66, |l| l.terminal(horizon + 0.01 * short, unit));
        let planes = !["airplane", "small-airplane"].iter().any(|name| self.film.casts(name));
        self.grounds(0.34, |l| {
            l.grass(0x9ccf6a, 0x6cb24c, false);
            l.patch([-9.0, 9.0], [0.02, 0.16], 0xb4b9bf);
            let (top, low) = (l.down(0.22), l.down(0.90));
            l.block([l.a, top, l.b, low], if l.film.light.white { 0xdfe7ee } else { 0x5d6370 });
            for (y, high) in [(top + 0.02 * short, 0.007), (low - 0.03 * short, 0.010)] {
                l.block([l.a, y, l.b, y + high * short], 0xfdfdf6);
            }
            let middle = l.down(0.50);
            for (_, x) in l.every(0.36 * short, 0.0) {
                l.shape(&[[x, middle], [x + 0.2 * short, middle], [x + 0.19 * short, middle + 0.022 * short], [x - 0.01 * short, middle + 0.022 * short]], 0xfdfdf6);
            }
            for (j, x) in l.every(0.22 * short, 0.0) {
                for y in [top - 0.012 * short, low + 0.018 * short] {
                    l.bulb([x, y], 0.007 * short, if j % 2 == 0 { 0xffe27a } else { 0x8fd0ff });
                }
            }
            if planes {
                let foot = l.down(0.12);
                for (j, x) in l.every(0.72 * unit, 0.2) {
                    l.airliner([x, foot], 0.50 * unit, [0x2f6fc0, 0xd9453f, 0x2f9a7a][j.rem_euclid(3) as usize]);
                }
            }
        });
    }

    pub(super) fn car_park(&mut self) {
        let (unit, short) = (self.unit(), self.film.short);
        self.skyline();
        self.tree_line(0.3, 0.14, self.leafy(&[Tree::Round]), 3.0, 0.20, 0.0);
        self.hedge();
        self.grounds(0.62, |l| {
            l.even(0x676d79);
            let foot = l.down(0.14);
            for (j, x) in l.every(0.42 * short, 0.5) {
                let name = CARS[j.rem_euclid(3) as usize];
                if j.rem_euclid(4) != 1 {
                    l.car(name, [x, foot], 0.155 * short.min(unit), j);
                }
            }
            for j in -9..=9 {
                let u = 0.42 * j as f32;
                l.marking(&[[u, 0.06], [u, 0.32]], 0xfdfdf6);
                l.marking(&[[u, 0.74], [u, 1.1]], 0xfdfdf6);
            }
            l.marking(&[[-9.0, 0.06], [9.0, 0.06]], 0xfdfdf6);
            let sign = l.signpost([l.aside(0.80), l.down(0.10)], 0.54 * unit, 0x2b6fd0);
            l.letter_p(sign);
            l.street_light([l.aside(-0.55), l.down(0.05)], 0.56 * unit);
        });
    }

    pub(super) fn petrol_station(&mut self) {
        let (unit, horizon, short) = (self.unit(), self.film.horizon, self.film.short);
        self.skyline();
        self.tree_line(0.24, 0.18, self.leafy(&[Tree::Round]), 4.0, 0.18, 0.0);
        self.behind(0.5, 0.03, 0.5, |l| {
            let x = l.aside(-0.62);
            l.block([x - 0.34 * unit, horizon - 0.28 * unit, x + 0.34 * unit, horizon + 0.03 * short], 0xf3efe6);
            l.block([x - 0.36 * unit, horizon - 0.33 * unit, x + 0.36 * unit, horizon - 0.24 * unit], 0xd9403c);
            l.block([x - 0.20 * unit, horizon - 0.305 * unit, x + 0.20 * unit, horizon - 0.265 * unit], 0xffffff);
            for j in -1..=1 {
                let wx = x + j as f32 * 0.21 * unit;
                l.pane([wx - 0.09 * unit, horizon - 0.20 * unit, wx + 0.09 * unit, horizon]);
            }
        });
        self.grounds(0.86, |l| {
            l.even(0x8b919b);
            l.patch([-9.0, 9.0], [0.44, 1.1], 0x5d626e);
            let (foot, roof) = (l.down(0.20), horizon - 0.56 * unit);
            let x = l.aside(0.28);
            let half = (0.78 * unit).min(0.42 * l.film.width);
            for side in [-1.0, 1.0] {
                l.block([x + side * 0.8 * half - 0.03 * unit, roof, x + side * 0.8 * half + 0.03 * unit, foot], 0xe4e7ea);
            }
            l.block([x - half - 0.10 * unit, roof - 0.14 * unit, x + half + 0.10 * unit, roof + 0.03 * unit], 0xfafafa);
            l.block([x - half - 0.10 * unit, roof - 0.08 * unit, x + half + 0.10 * unit, roof + 0.03 * unit], 0xd9403c);
            l.snow_on(x - half - 0.1 * unit, x + half + 0.1 * unit, roof - 0.14 * unit);
            for share in [-0.5, 0.0, 0.5] {
                l.bulb([x + share * half, roof + 0.045 * unit], 0.022 * unit, 0xfff6d8);
            }
            l.block([x - half, foot - 0.03 * unit, x + half, foot + 0.02 * unit], 0xd3d6da);
            for share in [-0.42, 0.42] {
                l.put("fuel-pump", [x + share * half, foot - 0.02 * unit], 0.30 * unit);
            }
            let sign = l.aside(0.94);
            l.bar([sign, foot], [sign, foot - 0.74 * unit], 0.03 * unit, 0xb4bac2);
            l.block([sign - 0.09 * unit, foot - 0.78 * unit, sign + 0.09 * unit, foot - 0.44 * unit], 0xd9403c);
            for j in 0..3 {
                let y = foot - (0.71 - 0.09 * j as f32) * unit;
                l.block([sign - 0.06 * unit, y, sign + 0.06 * unit, y + 0.05 * unit], 0xfdf6d0);
            }
        });
    }

    pub(super) fn bridge(&mut self) {
        let (unit, horizon, short) = (self.unit(), self.film.horizon, self.film.short);
        self.far_hills(0.05, 0.62, 0x6f9fae, [0.0, 0.40]);
        self.far_hills(0.11, 0.38, 0x74b07c, [0.0, 0.26]);
        self.tree_line(0.2, 0.22, self.leafy(&[Tree::Round, Tree::Fir]), 6.0, 0.18, 0.0);
        let depth = self.film.height - horizon;
        let high = 0.15 * unit;
        self.add(0.34, 0.03, [horizon - 4.0, horizon + 0.30 * depth], |l| l.basin([horizon - 2.0, l.bottom], 0x2f8f9c, 0x8fd0d0));
        self.grounds(0.55, |l| {
            let (top, low) = (l.down(0.26), l.down(0.84));
            // Beyond: the near parapet's arches over the water.
            l.basin([low, l.bottom + 2.0], 0x226f7c, 0x4fa3a8);
            l.arches([low, l.bottom + 0.5 * unit], 0.9 * unit);
            l.cobble_way([top, low]);
            l.brick_wall([l.a, top - high, l.b, top + 0.01 * short], 0.045 * unit, 0xb5aca2);
            l.block([l.a, top - high - 0.025 * unit, l.b, top - high + 0.02 * unit], 0xd8d0c6);
            l.snow_on(l.a, l.b, top - high - 0.025 * unit);
            for (_, x) in l.every(0.95 * unit, 0.5) {
                l.block([x - 0.06 * unit, top - high - 0.06 * unit, x + 0.06 * unit, top + 0.01 * short], 0xc4bbb0);
                l.lamp(x, top - high - 0.05 * unit, 0.34 * unit);
            }
        });
    }

    pub(super) fn suspension_bridge(&mut self) {
        let (unit, horizon, short) = (self.unit(), self.film.horizon, self.film.short);
        self.skyline();
        let depth = self.film.height - horizon;
        self.add(0.24, 0.06, [horizon - 4.0, horizon + 0.3 * depth], |l| l.basin([horizon - 2.0, l.bottom], 0x2a7fb8, 0x8fcbe4));
        self.grounds(1.5, |l| {
            let (top, low) = (l.down(0.24), l.down(0.86));
            l.even(0x5d626e);
            l.basin([horizon, top], 0x2a7fb8, 0x8fcbe4);
            l.basin([low, l.bottom + 2.0], 0x1f6a9c, 0x4f9ac4);
            let (step, high) = (1.3 * unit.min(1.1 * l.film.width), 0.92 * unit);
            let red = 0xd0503a;
            for (_, x) in l.every(step, 0.5) {
                for dx in [-0.06, 0.06] {
                    l.block([x + (dx - 0.022) * unit, top - high, x + (dx + 0.022) * unit, top], red);
                }
                for j in 0..4 {
                    let y = top - high * (0.3 + 0.22 * j as f32);
                    l.block([x - 0.07 * unit, y - 0.02 * unit, x + 0.07 * unit, y + 0.02 * unit], red);
                }
                let cable = |t: f32| [x + step * t, top - 0.10 * unit - (high - 0.12 * unit) * (2.0 * t - 1.0) * (2.0 * t - 1.0)];
                let line: Vec<[f32; 2]> = (0..=20).map(|k| cable(k as f32 / 20.0)).collect();
                let ink = Ink::flat(l.tone(red), 1.0);
                Pen::default().line_through(&line).stroke(l.c, 0.022 * unit, &ink);
                for k in 1..16 {
                    let [cx, cy] = cable(k as f32 / 16.0);
                    l.bar([cx, cy], [cx, top], 0.006 * unit, red);
                }
            }
            l.block([l.a, top - 0.025 * unit, l.b, top + 0.02 * short], red);
            l.railing(top, 0.11 * unit, 0.06 * unit, red);
            for (_, x) in l.every(0.34 * short, 0.0) {
                let y = 0.5 * (top + low);
                l.block([x, y, x + 0.17 * short, y + 0.016 * short], 0xfdf3c0);
            }
            l.block([l.a, low - 0.015 * short, l.b, low + 0.03 * short], red);
        });
    }

    pub(super) fn tunnel(&mut self) {
        let (unit, horizon, short) = (self.unit(), self.film.horizon, self.film.short);
        let train = has_train(self.film);
        self.enclosing(|l| {
            l.brick_wall([l.a, -9.0, l.b, l.bottom], 0.07 * unit, 0x6d6a70);
            let dark = Ink::linear([0.0, -9.0], [0.0, horizon], &[(Rgb([0.04, 0.04, 0.08]), 0.85), (Rgb([0.04, 0.04, 0.08]), 0.25)]);
            l.c.rect(area(l.a, -9.0, l.b - l.a, horizon + 60.0), &dark);
            // Daylight where it ends.
            let (x, half, high) = (l.aside(0.5), 0.22 * unit, 0.40 * unit);
            let day = l.film.light.sky[2];
            l.glow(x, horizon - 0.4 * high, 1.3 * high, day, 0.5);
            for (grow, colour) in [(1.22, l.tone(0x4a474f)), (1.0, day)] {
                Pen::at(x - grow * half, horizon + 0.1 * unit)
                    .line(x - grow * half, horizon - 0.5 * high)
                    .cubic([x - grow * half, horizon - 1.15 * grow * high], [x + grow * half, horizon - 1.15 * grow * high], x + grow * half, horizon - 0.5 * high)
                    .line(x + grow * half, horizon + 0.1 * unit)
                    .close()
                    .fill(l.c, &Ink::flat(colour, 1.0));
            }
            for (_, lx) in l.every(0.62 * unit, 0.5) {
                let y = horizon - 0.66 * unit;
                l.block([lx - 0.10 * unit, y, lx + 0.10 * unit, y + 0.035 * unit], 0x8f8a80);
                let ink = Ink::flat(Rgb([1.0, 0.93, 0.70]), 1.0);
                l.c.rect(area(lx - 0.085 * unit, y + 0.03 * unit, 0.17 * unit, 0.02 * unit), &ink);
                l.glow(lx, y + 0.05 * unit, 0.42 * unit, LAMPLIGHT, 0.42);
            }
            l.block([l.a, horizon - 0.10 * unit, l.b, horizon + 0.1 * unit], 0x57545c);
        });
        self.floor(|l| {
            let dark = 0x47464e;
            let colour = Rgb::hex(dark);
            l.base(colour, colour.times(0.8));
            if train {
                l.track([0.22, 0.72]);
            } else {
                for v in [0.14, 0.95] {
                    l.block([l.a, l.down(v), l.b, l.down(v) + 0.01 * short], 0xd9c46a);
                }
                let y = l.down(0.5);
                for (_, x) in l.every(0.34 * short, 0.0) {
                    l.block([x, y, x + 0.17 * short, y + 0.018 * short], 0xf3f0e0);
                }
            }
            for (_, x) in l.every(0.62 * unit, 0.5) {
                l.pool_of_light([x, l.down(0.35)], 0.3 * unit, 0.10 * unit, LAMPLIGHT, 0.22);
            }
        });
    }

    pub(super) fn motorway(&mut self) {
        let (unit, short) = (self.unit(), self.film.short);
        self.skyline();
        self.countryside();
        self.grounds(0.62, |l| {
            l.grass(0x86c95a, 0x57a644, false);
            let (top, low) = (l.down(0.06), l.down(0.90));
            l.block([l.a, top, l.b, low], if l.film.light.white { 0xb9c0c9 } else { 0x5b606c });
            for (v, wide) in [(0.09, 0.006), (0.32, 0.008), (0.86, 0.012)] {
                l.block([l.a, l.down(v), l.b, l.down(v) + wide * short], 0xfdfdf6);
            }
            for (v, step) in [(0.19, 0.20), (0.58, 0.34)] {
                for (_, x) in l.every(step * short, 0.0) {
                    l.block([x, l.down(v), x + 0.5 * step * short, l.down(v) + 0.010 * short], 0xfdfdf6);
                }
            }
            for (j, x) in l.every(0.40 * short, 0.3) {
                let name = ["automobile", "delivery-truck", "sport-utility-vehicle", "bus", "pickup-truck"][j.rem_euclid(5) as usize];
                let lane = if j.rem_euclid(2) == 0 { 0.15 } else { 0.27 };
                l.car(name, [x, l.down(lane)], if matches!(name, "bus" | "delivery-truck") { 0.15 } else { 0.10 } * short, j);
            }
            let rail = l.down(0.34);
            l.block([l.a, rail - 0.045 * short, l.b, rail - 0.018 * short], 0xc9d0d8);
            for (_, x) in l.every(0.22 * short, 0.5) {
                l.block([x, rail - 0.04 * short, x + 0.016 * short, rail + 0.01 * short], 0x8f99a5);
            }
            let (x, foot) = (l.aside(0.55), l.down(0.05));
            for side in [-1.0, 1.0] {
                l.bar([x + side * 0.24 * unit, foot], [x + side * 0.24 * unit, foot - 0.52 * unit], 0.025 * unit, 0x9aa3ad);
            }
            l.block([x - 0.34 * unit, foot - 0.58 * unit, x + 0.34 * unit, foot - 0.34 * unit], 0x2f7f5a);
            for (dy, wide) in [(0.52, 0.22), (0.45, 0.14)] {
                l.block([x - 0.26 * unit, foot - dy * unit, x + (wide - 0.2) * unit, foot - (dy - 0.03) * unit], 0xfdfdf6);
            }
            l.shape(&[[x + 0.16 * unit, foot - 0.40 * unit], [x + 0.22 * unit, foot - 0.53 * unit], [x + 0.28 * unit, foot - 0.40 * unit]], 0xfdfdf6);
        });
    }
}

impl Layer<'_> {
    /// A parked or passing car; which way it faces goes by its number.
    pub(super) fn car(&mut self, name: &str, at: [f32; 2], size: f32, number: i32) {
        let colours = [None, Some(crate::codes::Colour::Blue), Some(crate::codes::Colour::Yellow), Some(crate::codes::Colour::Green), None];
        let stamp = crate::paint::things::Stamp {
            colour: colours[number.rem_euclid(5) as usize],
            flip: number.rem_euclid(2) == 0,
            haze: 0.9 * self.haze,
            ..crate::paint::things::Stamp::at(at[0], at[1], size)
        };
        let film = self.film;
        self.pool_of_shade(at, 0.9 * size);
        film.stamp(self.c, name, stamp);
    }

    fn pool_of_shade(&mut self, [x, y]: [f32; 2], half: f32) {
        Pen::default().oval(x, y, half, 0.12 * half).fill(self.c, &Ink::flat(Rgb([0.08, 0.08, 0.14]), 0.28));
    }

    fn street_light(&mut self, [x, foot]: [f32; 2], high: f32) {
        self.bar([x, foot], [x, foot - high], 0.03 * high, 0x6f7782);
        self.bar([x, foot - high], [x + 0.22 * high, foot - 1.03 * high], 0.03 * high, 0x6f7782);
        self.bulb([x + 0.22 * high, foot - 1.01 * high], 0.03 * high, 0xffe6a8);
    }

    /// A train that waits, as long as the layer.
    fn carriages(&mut self, foot: f32, high: f32) {
        let long = 2.9 * high;
        for (_, x) in self.every(long, 0.27) {
            let (left, right, top, low) = (x + 0.03 * long, x + 0.97 * long, foot - high, foot - 0.12 * high);
            let body = self.tone(0xf1f3f5);
            let ink = Ink::linear([0.0, top], [0.0, low], &[(body, 1.0), (body, 1.0), (body.times(0.84), 1.0)]);
            self.block([left, low - 0.1 * high, right, foot], 0x3a3f49);
            self.c.round_rect(area(left, top, right - left, low - top), 0.10 * high, &ink);
            self.block([left, foot - 0.42 * high, right, foot - 0.26 * high], 0xd9403c);
            self.block([left + 0.02 * long, foot - 0.84 * high, right - 0.02 * long, foot - 0.48 * high], 0x2d3f55);
            for j in 0..5 {
                let wx = left + (right - left) * (0.06 + 0.19 * j as f32);
                if j == 1 || j == 3 {
                    self.block([wx, foot - 0.88 * high, wx + 0.12 * long, foot - 0.14 * high], 0xd9dde2);
                    self.pane([wx + 0.015 * long, foot - 0.80 * high, wx + 0.055 * long, foot - 0.48 * high]);
                    self.pane([wx + 0.065 * long, foot - 0.80 * high, wx + 0.105 * long, foot - 0.48 * high]);
                } else {
                    self.pane([wx, foot - 0.80 * high, wx + 0.14 * long, foot - 0.52 * high]);
                }
            }
            self.snow_on(left + 0.03 * long, right - 0.03 * long, top);
        }
    }

    fn clock(&mut self, [x, y]: [f32; 2], radius: f32) {
        self.bar([x, y - 2.0 * radius], [x, y], 0.14 * radius, 0x39424d);
        self.oval([x, y], 1.16 * radius, 1.16 * radius, 0x39424d);
        self.oval([x, y], radius, radius, 0xfdfbf2);
        self.bar([x, y], [x, y - 0.7 * radius], 0.13 * radius, 0x23262e);
        self.bar([x, y], [x + 0.5 * radius, y + 0.25 * radius], 0.13 * radius, 0x23262e);
    }

    fn signal(&mut self, [x, foot]: [f32; 2], high: f32) {
        self.bar([x, foot], [x, foot - high], 0.04 * high, 0x5d6672);
        for turn in [-1.0, 1.0] {
            self.bar([x - 0.22 * high, foot - (0.72 + 0.14 * turn) * high], [x + 0.22 * high, foot - (0.72 - 0.14 * turn) * high], 0.08 * high, 0xfafafa);
        }
        for side in [-1.0, 1.0] {
            self.bulb([x + side * 0.12 * high, foot - 0.44 * high], 0.05 * high, 0xff4a3a);
        }
    }

    /// An airport's building and its tower.
    fn terminal(&mut self, foot: f32, unit: f32) {
        let white = 0xe9eef3;
        self.block([self.a, foot - 0.17 * unit, self.b, foot], white);
        self.block([self.a, foot - 0.13 * unit, self.b, foot - 0.05 * unit], 0x6fa3c4);
        for (_, x) in self.every(0.07 * unit, 0.0) {
            self.bar([x, foot - 0.13 * unit], [x, foot - 0.05 * unit], 0.008 * unit, white);
        }
        self.snow_on(self.a, self.b, foot - 0.17 * unit);
        let x = self.aside(0.66);
        self.shape(&[[x - 0.04 * unit, foot], [x - 0.03 * unit, foot - 0.44 * unit], [x + 0.03 * unit, foot - 0.44 * unit], [x + 0.04 * unit, foot]], 0xd3dae2);
        self.shape(&[[x - 0.07 * unit, foot - 0.44 * unit], [x - 0.11 * unit, foot - 0.55 * unit], [x + 0.11 * unit, foot - 0.55 * unit], [x + 0.07 * unit, foot - 0.44 * unit]], 0x4f86ac);
        self.block([x - 0.12 * unit, foot - 0.59 * unit, x + 0.12 * unit, foot - 0.55 * unit], white);
        self.bar([x, foot - 0.59 * unit], [x, foot - 0.66 * unit], 0.012 * unit, 0x6f7782);
        self.bulb([x, foot - 0.66 * unit], 0.014 * unit, 0xff4a3a);
    }

    /// An airliner that stands, seen from the side.
    fn airliner(&mut self, [x, foot]: [f32; 2], long: f32, hex: u32) {
        let (half, r, y) = (0.5 * long, 0.065 * long, foot - 0.12 * long);
        let white = self.tone(0xfafbfd);
        self.shape(&[[x + 0.66 * half, y - 0.5 * r], [x + 0.98 * half, y - 4.0 * r], [x + 1.08 * half, y - 4.0 * r], [x + 0.98 * half, y - 0.4 * r]], hex);
        Pen::at(x - half, y)
            .quad([x - 0.94 * half, y - r], x - 0.7 * half, y - r)
            .line(x + 0.7 * half, y - r)
            .line(x + half, y - 0.6 * r)
            .line(x + 0.72 * half, y + 0.8 * r)
            .line(x - 0.7 * half, y + r)
            .quad([x - half, y + 0.9 * r], x - half, y)
            .close()
            .fill(self.c, &Ink::linear([0.0, y - r], [0.0, y + r], &[(white, 1.0), (white.times(0.82), 1.0)]));
        for j in 0..11 {
            let wx = x - 0.66 * half + 1.2 * half * j as f32 / 10.0;
            self.pane([wx, y - 0.45 * r, wx + 0.02 * long, y + 0.1 * r]);
        }
        self.shape(&[[x - 0.22 * half, y + 0.5 * r], [x + 0.18 * half, y + 0.5 * r], [x + 0.62 * half, y + 1.7 * r], [x + 0.42 * half, y + 1.7 * r]], 0xc2cad3);
        for wheel in [-0.7, 0.1, 0.2] {
            self.bar([x + wheel * half, y + 0.8 * r], [x + wheel * half, foot - 0.02 * long], 0.012 * long, 0x6f7782);
            self.oval([x + wheel * half, foot - 0.02 * long], 0.02 * long, 0.02 * long, 0x2b2f38);
        }
    }

    /// Arches of a bridge below its way.
    fn arches(&mut self, [top, bottom]: [f32; 2], step: f32) {
        let stone = self.tone(0xa39a90);
        let mut wall = Pen::default().rect(self.a, top, self.b, top + 0.09 * step);
        let rim = Ink::flat(stone.times(0.8), 1.0);
        for (_, x) in self.every(step, 0.0) {
            wall = wall
                .to(x - 0.12 * step, bottom)
                .line(x - 0.12 * step, top + 0.34 * step)
                .quad([x - 0.2 * step, top + 0.1 * step], x - 0.5 * step, top + 0.06 * step)
                .line(x + 0.5 * step, top + 0.06 * step)
                .quad([x + 0.2 * step, top + 0.1 * step], x + 0.12 * step, top + 0.34 * step)
                .line(x + 0.12 * step, bottom)
                .close();
        }
        wall.fill(self.c, &Ink::flat(stone, 1.0));
        Pen::default().rect(self.a, top + 0.02 * step, self.b, top + 0.035 * step).fill(self.c, &rim);
    }

    /// The way over a bridge.
    fn cobble_way(&mut self, [top, low]: [f32; 2]) {
        let short = self.film.short;
        self.block([self.a, top, self.b, low], if self.film.light.white { 0xe6eef5 } else { 0xb3a89a });
        let ink = Ink::flat(self.tone(0x8a8076), 0.4);
        let mut stones = Pen::default();
        for row in 0..7 {
            let t = ((row as f32 + 0.5) / 7.0).powf(1.3);
            let (y, wide) = (top + (low - top) * t, short * (0.05 + 0.05 * t));
            for (_, x) in self.every(wide, 0.5 * (row % 2) as f32) {
                stones = stones.oval(x, y, 0.42 * wide, 0.13 * wide);
            }
        }
        stones.stroke(self.c, 0.004 * short, &ink);
        self.block([self.a, low - 0.014 * short, self.b, low + 0.02 * short], 0xcfc6ba);
    }
}
