//! Where people travel: station, railway, airport, car park, petrol station, bridges, tunnel, motorway.

use crate::paint::film::Film;
use crate::paint::scenery::Layers;
use crate::paint::scenery::plants::Tree;

const TRAINS: [&str; 7] = ["train", "locomotive", "railway", "metro", "light-rail", "monorail", "tram"];
const CARS: [&str; 3] = ["automobile", "sport-utility-vehicle", "pickup-truck"];

/// A train is one of the things of the scene.
pub(super) fn has_train(film: &Film) -> bool {
    TRAINS.iter().any(|name| film.casts(name))
}

impl Layers<'_> {
    fn countryside(&mut self) {
        self.far_hills(0.06, 0.60, 0x7ba6a8, [0.02, 0.28]);
        self.far_hills(0.16, 0.28, 0x84bf66, [0.02, 0.12]);
        self.tree_line(0.30, 0.14, self.leafy(&[Tree::Round, Tree::Fir, Tree::Poplar]), 3.6, 0.17, 0.010);
    }

    pub(super) fn skyline(&mut self) {
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
            let roof = horizon - (l.fit(0.72) - 0.10 * unit);
            for (j, x) in l.every(0.95 * unit, 0.5) {
                l.block([x - 0.022 * unit, roof, x + 0.022 * unit, foot], 0x3f5f6a);
                for side in [-1.0, 1.0] {
                    l.bar([x, roof + 0.22 * unit], [x + side * 0.16 * unit, roof + 0.04 * unit], 0.022 * unit, 0x3f5f6a);
                }
                if j % 2 == 0 {
                    l.clock([x + 0.47 * unit, roof + 0.19 * unit], 0.075 * unit);
                }
            }
            l.block([l.a, roof - 0.10 * unit, l.b, roof + 0.05 * unit], 0x4f7480);
            for (_, x) in l.every(0.09 * unit, 0.0) {
                l.shape(
                    &[[x, roof + 0.05 * unit], [x + 0.09 * unit, roof + 0.05 * unit], [x + 0.045 * unit, roof + 0.11 * unit]],
                    0x4f7480,
                );
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
                l.shape(
                    &[
                        [x, middle],
                        [x + 0.2 * short, middle],
                        [x + 0.19 * short, middle + 0.022 * short],
                        [x - 0.01 * short, middle + 0.022 * short],
                    ],
                    0xfdfdf6,
                );
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
            let sign = l.signpost([l.aside(0.74), l.down(0.10)], 0.46 * unit, 0x2b6fd0);
            l.letter_p(sign);
            l.street_light([l.aside(-0.55), l.down(0.05)], 0.56 * unit);
        });
    }

    pub(super) fn petrol_station(&mut self) {
        let (unit, horizon, short) = (self.unit(), self.film.horizon, self.film.short);
        self.skyline();
        self.tree_line(0.24, 0.18, self.leafy(&[Tree::Round]), 4.0, 0.18, 0.0);
        self.behind(0.5, 0.03, 0.5, |l| {
            let x = l.aside(-0.48);
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
            let (foot, roof) = (l.down(0.20), horizon - (l.fit(0.68) - 0.15 * unit));
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
            let sign = l.aside(-0.86);
            l.bar([sign, foot], [sign, foot - 0.60 * unit], 0.03 * unit, 0xb4bac2);
            l.block([sign - 0.09 * unit, foot - 0.64 * unit, sign + 0.09 * unit, foot - 0.30 * unit], 0xd9403c);
            for j in 0..3 {
                let y = foot - (0.57 - 0.09 * j as f32) * unit;
                l.block([sign - 0.06 * unit, y, sign + 0.06 * unit, y + 0.05 * unit], 0xfdf6d0);
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
            let (x, foot) = (l.aside(0.55), l.down(0.05) + 0.03 * unit);
            for side in [-1.0, 1.0] {
                l.bar([x + side * 0.24 * unit, foot], [x + side * 0.24 * unit, foot - 0.52 * unit], 0.025 * unit, 0x9aa3ad);
            }
            l.block([x - 0.34 * unit, foot - 0.58 * unit, x + 0.34 * unit, foot - 0.34 * unit], 0x2f7f5a);
            for (dy, wide) in [(0.52, 0.22), (0.45, 0.14)] {
                l.block([x - 0.26 * unit, foot - dy * unit, x + (wide - 0.2) * unit, foot - (dy - 0.03) * unit], 0xfdfdf6);
            }
            l.shape(
                &[[x + 0.16 * unit, foot - 0.40 * unit], [x + 0.22 * unit, foot - 0.53 * unit], [x + 0.28 * unit, foot - 0.40 * unit]],
                0xfdfdf6,
            );
        });
    }
}
