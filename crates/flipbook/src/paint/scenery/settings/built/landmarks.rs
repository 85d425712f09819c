//! Cities and countries that one building tells: Paris, London, New York, Tokyo, Rome, India, Moscow, the pyramids.

use crate::canvas::Rgb;
use crate::paint::scenery::plants::Tree;
use crate::paint::scenery::{Layer, Layers};

use super::parts::Roof;

impl Layers<'_> {
    /// One building that is seen over all others, a little beside the middle.
    fn landmark(&mut self, haze: f32, up: f32, draw: impl FnOnce(&mut Layer<'_>, [f32; 2], f32)) {
        let horizon = self.film.horizon;
        self.behind(0.16, haze, up + 0.1, |l| {
            let high = l.fit(up);
            draw(l, [l.aside(0.34), horizon], high);
        });
    }

    pub(super) fn paris(&mut self) {
        self.old_town(0.08, 0.5, [0.08, 0.14], &[0xf0e6d2, 0xe6dac4], Roof::Mansard);
        self.landmark(0.10, 1.24, |l, at, high| l.iron_tower(at, high));
        self.old_town(0.26, 0.12, [0.07, 0.10], &[0xf5ecd9, 0xeaddc6, 0xf0e3cd], Roof::Mansard);
        self.tree_line(0.42, 0.06, self.leafy(&[Tree::Round]), 2.2, 0.20, 0.0);
        self.floor(|l| l.pavement());
        self.lamps(0.8);
    }

    pub(super) fn london(&mut self) {
        let lights = self.film.lights_on();
        self.towers(0.05, 0.62, 0.34, lights, 0.014, 0.0);
        self.landmark(0.08, 1.1, |l, at, high| l.parliament(at, high / 1.16));
        self.old_town(0.3, 0.10, [0.10, 0.15], &[0xa8604c, 0xb87a5c, 0x8f5a4c], Roof::Slope);
        let unit = self.unit();
        self.grounds(0.5, |l| {
            l.pavement();
            let foot = l.down(0.13);
            if !l.film.casts("bus") {
                l.double_decker([l.aside(-0.50), foot], 0.40 * unit);
            }
            l.phone_box([l.aside(0.86), foot], 0.34 * unit);
        });
        self.lamps(0.9);
    }

    pub(super) fn new_york(&mut self) {
        let lights = self.film.lights_on();
        self.towers(0.04, 0.70, 0.80, lights * 0.6, 0.013, 0.0);
        self.towers(0.09, 0.46, 0.62, lights * 0.9, 0.015, 0.0);
        self.landmark(0.24, 1.2, |l, at, high| l.setback_tower(at, high / 1.06));
        let unit = self.unit();
        self.behind(0.2, 0.2, 1.0, |l| {
            let (x, foot) = (l.aside(-0.60), l.film.horizon);
            let high = l.fit(0.66);
            l.put("statue-of-liberty", [x, foot], high);
        });
        self.towers(0.26, 0.10, 0.22, lights, 0.020, 0.01);
        self.grounds(0.3, |l| {
            l.pavement();
            let foot = l.down(0.36);
            if !l.film.casts("taxi") {
                for share in [-0.78, 0.86] {
                    l.put("taxi", [l.aside(share), foot], 0.17 * unit);
                }
            }
        });
        self.lamps(0.95);
    }

    pub(super) fn pyramids(&mut self) {
        let (rise, horizon, short) = (self.film.rise(), self.film.horizon, self.film.short);
        self.add(0.05, 0.40, [horizon - 0.8 * rise, horizon + 0.06 * short], |l| {
            let unit = l.unit();
            for (share, size) in [(-0.62, 0.32), (0.06, 0.44)] {
                l.pyramid([l.aside(share), horizon + 0.03 * short], size * unit);
            }
        });
        self.add(0.12, 0.10, [horizon - rise, horizon + 0.08 * short], |l| {
            let high = l.fit(0.62);
            l.pyramid([l.aside(0.62), horizon + 0.04 * short], high);
        });
        self.tree_line(0.36, 0.06, &[Tree::Palm], 1.6, 0.26, 0.02);
        self.floor(|l| l.sand(0xf3cf8a, 0xe0a85c));
    }

    pub(super) fn tokyo(&mut self) {
        let lights = self.film.lights_on();
        let unit = self.unit();
        self.behind(0.03, 0.34, 0.9, |l| l.put("mount-fuji", [l.aside(-0.46), l.film.horizon + 0.10 * unit], 0.50 * unit));
        self.towers(0.06, 0.56, 0.26, lights * 0.8, 0.014, 0.0);
        self.landmark(0.08, 1.1, |l, at, high| l.put("tokyo-tower", at, high));
        let (rise, horizon, short) = (self.film.rise(), self.film.horizon, self.film.short);
        let mut signs = Vec::new();
        self.add(0.50, 0.0, [horizon - 0.42 * rise, horizon + 0.03 * short], |l| {
            l.low_houses(unit);
            for (j, x) in l.every(0.24 * unit, 0.3) {
                let hex = [0xf0498a, 0x2fb8e8, 0xf7c23c, 0xe8483f][j.rem_euclid(4) as usize];
                l.banner_sign([x, horizon - 0.20 * unit], 0.19 * unit, hex);
                if l.lit_up() {
                    signs.push((x, horizon, Rgb::hex(hex)));
                }
            }
            for (_, x) in l.every(0.12 * unit, 0.5) {
                l.put("red-paper-lantern", [x, horizon - 0.055 * unit], 0.085 * unit);
            }
        });
        self.neons = signs;
        let neons = self.neons.clone();
        self.grounds(0.5, |l| {
            l.pavement();
            l.reflections(&neons);
        });
        self.tree_line(0.72, 0.0, &[Tree::Blossom], 0.55, 0.46, 0.05);
    }

    pub(super) fn rome(&mut self) {
        self.tree_line(0.08, 0.44, &[Tree::Poplar, Tree::Round], 3.0, 0.24, 0.0);
        self.old_town(0.10, 0.36, [0.18, 0.30], &[0xe8b98a, 0xd99a74, 0xf0d2a4], Roof::Slope);
        self.landmark(0.06, 0.66, |l, [x, foot], unit| {
            let x = x + (l.middle() - x) * 0.5;
            l.arena([x, foot + 0.03 * unit], (2.3 * unit).min(0.98 * l.film.width));
        });
        self.tree_line(0.36, 0.06, &[Tree::Poplar], 1.0, 0.40, 0.015);
        self.floor(|l| l.cobbles(0xd0bfa4));
    }

    pub(super) fn india(&mut self) {
        self.tree_line(0.08, 0.5, &[Tree::Round, Tree::Palm], 5.0, 0.20, 0.0);
        self.landmark(0.06, 0.9, |l, [x, foot], high| {
            let x = x + (l.middle() - x) * 0.6;
            l.mausoleum([x, foot + 0.02 * high], high);
        });
        self.tree_line(0.34, 0.08, &[Tree::Palm, Tree::Round], 1.4, 0.34, 0.012);
        self.grounds(0.1, |l| {
            l.slabs(0xe6d3b4, 0.3);
            l.patch([-9.0, 9.0], [0.0, 0.10], 0x7fbf58);
        });
    }

    pub(super) fn moscow(&mut self) {
        let unit = self.unit();
        self.landmark(0.06, 1.1, |l, at, high| l.onion_domes(at, high));
        self.behind(0.24, 0.08, 0.9, |l| {
            let (foot, top) = (l.film.horizon + 0.02 * unit, l.film.horizon - 0.14 * unit);
            l.brick_wall([l.a, top, l.b, foot + 0.04 * unit], 0.03 * unit, 0xa8483c);
            for (_, x) in l.every(0.07 * unit, 0.0) {
                l.block([x, top - 0.035 * unit, x + 0.04 * unit, top], 0xa8483c);
            }
            l.snow_on(l.a, l.b, top - 0.02 * unit);
            let (x, w) = (l.aside(-0.62), 0.11 * unit);
            l.block([x - w, foot - 0.42 * unit, x + w, foot], 0xb5503f);
            l.shape(&[[x - 1.1 * w, foot - 0.41 * unit], [x, foot - 0.62 * unit], [x + 1.1 * w, foot - 0.41 * unit]], 0x3f7a5a);
            l.oval([x, foot - 0.32 * unit], 0.6 * w, 0.6 * w, 0xf7ecc8);
            l.bulb([x, foot - 0.63 * unit], 0.02 * unit, 0xe8352f);
        });
        self.floor(|l| l.cobbles(0x9a8f8c));
    }
}
