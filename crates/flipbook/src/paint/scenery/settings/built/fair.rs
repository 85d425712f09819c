//! Fairground and zoo.

use crate::canvas::{Ink, Rgb};
use crate::paint::scenery::plants::Tree;
use crate::paint::scenery::{Layer, Layers};
use crate::paint::shape::Pen;

use super::parts::FLAGS;

const TREATS: [&str; 5] = ["popcorn", "lollipop", "soft-ice-cream", "teddy-bear", "balloon"];

impl Layers<'_> {
    pub(super) fn fairground(&mut self) {
        let (unit, horizon) = (self.unit(), self.film.horizon);
        self.tree_line(0.06, 0.5, self.leafy(&[Tree::Round]), 6.0, 0.20, 0.0);
        self.behind(0.14, 0.26, 0.9, |l| l.coaster(horizon, 0.52 * unit));
        self.behind(0.22, 0.10, 1.3, |l| {
            if !l.film.casts("ferris-wheel") {
                l.big_wheel([l.aside(0.52), horizon + 0.02 * unit], l.fit(1.0));
            }
            l.put("circus-tent", [l.aside(-0.66), horizon + 0.02 * unit], 0.52 * unit);
        });
        self.grounds(0.8, |l| {
            l.slabs(0xd9c6a4, 0.5);
            let foot = l.down(0.11);
            if !l.film.casts("carousel") {
                l.carousel([l.aside(-0.10), foot - 0.02 * unit], 0.52 * unit);
            }
            for (j, x) in [l.aside(0.78), l.aside(-0.82)].into_iter().enumerate() {
                l.stall([x, foot], 0.40 * unit, [0xe8483f, 0x9a5fe0][j], &TREATS);
            }
            l.garlands(horizon - 0.60 * unit, 0.85 * unit, 0.07 * unit, true);
        });
    }

    pub(super) fn zoo(&mut self) {
        let (unit, horizon) = (self.unit(), self.film.horizon);
        self.far_hills(0.06, 0.60, 0x6fa9a0, [0.02, 0.14]);
        self.tree_line(0.16, 0.32, &[Tree::Palm, Tree::Round, Tree::Palm], 5.0, 0.36, 0.0);
        self.hedge();
        self.behind(0.55, 0.03, 0.8, |l| {
            l.enclosure(horizon);
            let step = (0.5 * unit).max(0.27 * l.film.width);
            for (j, x) in l.every(step, 0.5) {
                let (name, size) = [
                    ("elephant-figure", 0.34),
                    ("giraffe-figure", 0.50),
                    ("zebra-figure", 0.30),
                    ("flamingo", 0.26),
                    ("lion-figure", 0.26),
                ][j.rem_euclid(5) as usize];
                if j.rem_euclid(2) == 0 {
                    l.put(name, [x, horizon + 0.005 * unit], size * unit);
                } else {
                    l.put_turned(name, [x, horizon + 0.005 * unit], size * unit);
                }
            }
        });
        self.grounds(0.5, |l| {
            l.grass(0x94d860, 0x5cb548, false);
            l.patch([-9.0, 9.0], [0.22, 0.72], 0xe3cfa2);
            let foot = l.down(0.10);
            l.railing(foot, 0.19 * unit, 0.06 * unit, 0x6d5a48);
            let (x, y) = (l.aside(-0.78), l.down(0.16));
            l.bar([x, y], [x, y - 0.44 * unit], 0.03 * unit, 0x7a5236);
            for (dy, way, hex) in [(0.40, 1.0, 0xf2b632), (0.30, -1.0, 0x58b857), (0.20, 1.0, 0x3fa7e0)] {
                let (w, cy) = (0.17 * unit, y - dy * unit);
                l.shape(
                    &[
                        [x - way * 0.5 * w, cy - 0.04 * unit],
                        [x + way * w, cy - 0.04 * unit],
                        [x + way * 1.3 * w, cy],
                        [x + way * w, cy + 0.04 * unit],
                        [x - way * 0.5 * w, cy + 0.04 * unit],
                    ],
                    hex,
                );
                l.put("paw-prints", [x + way * 0.3 * w, cy + 0.028 * unit], 0.055 * unit);
            }
        });
    }
}

impl Layer<'_> {
    /// A wheel with cabins of many colours, lit at night.
    fn big_wheel(&mut self, [x, foot]: [f32; 2], high: f32) {
        let (radius, hub) = (0.43 * high, foot - 0.55 * high);
        for side in [-1.0, 1.0] {
            self.bar([x + side * 0.30 * high, foot], [x, hub], 0.035 * high, 0xe8eef4);
        }
        let frame = Ink::flat(self.tone(0xf4f7fa), 1.0);
        let mut spokes = Pen::default().circle(x, hub, radius).circle(x, hub, 0.84 * radius);
        let spin = |j: usize, r: f32| {
            let (sin, cos) = (std::f32::consts::TAU * (j as f32 + 0.25) / 12.0).sin_cos();
            [x + r * cos, hub + r * sin]
        };
        for j in 0..12 {
            let [px, py] = spin(j, radius);
            spokes = spokes.to(x, hub).line(px, py);
        }
        spokes.stroke(self.c, 0.012 * high, &frame);
        for j in 0..24 {
            let [px, py] = spin(j, 0.92 * radius);
            if self.lit_up() && j < 12 {
                self.bulb([px, py], 0.010 * high, [0xffd36a, 0xff6fa0, 0x6fd8ff][j % 3]);
            }
        }
        for j in 0..12 {
            let [px, py] = spin(j, radius);
            let (w, hex) = (0.055 * high, FLAGS[j % FLAGS.len()]);
            self.shape(&[[px - w, py + 0.4 * w], [px + w, py + 0.4 * w], [px + 0.7 * w, py + 1.7 * w], [px - 0.7 * w, py + 1.7 * w]], hex);
            let ink = Ink::flat(self.tone(hex).mix(Rgb::WHITE, 0.25), 1.0);
            Pen::at(px - w, py + 0.4 * w).quad([px, py - 0.9 * w], px + w, py + 0.4 * w).close().fill(self.c, &ink);
        }
        self.oval([x, hub], 0.05 * high, 0.05 * high, 0xe8483f);
    }

    /// The track of a roller coaster on its trestle.
    fn coaster(&mut self, foot: f32, high: f32) {
        let (a, step) = (self.a, 0.06 * high);
        let line = |x: f32| foot - high * (0.52 + 0.40 * (x / high * 1.9).sin() + 0.08 * (x / high * 4.3).sin());
        let count = ((self.b - self.a) / step) as usize + 1;
        let points: Vec<[f32; 2]> = (0..=count).map(|j| a + j as f32 * step).map(|x| [x, line(x)]).collect();
        let (beams, rail) = (Ink::flat(self.tone(0xf0e6d8), 0.8), Ink::flat(self.tone(0xd9403c), 1.0));
        let mut trestle = Pen::default();
        for pair in points.chunks(4) {
            if let [[x, y], .., [x2, y2]] = pair {
                trestle = trestle.to(*x, *y).line(*x, foot).to(*x, foot).line(*x2, *y2);
            }
        }
        trestle.stroke(self.c, 0.014 * high, &beams);
        Pen::default().line_through(&points).stroke(self.c, 0.05 * high, &rail);
    }

    fn carousel(&mut self, [x, foot]: [f32; 2], high: f32) {
        let half = 0.62 * high;
        self.block([x - half, foot - 0.08 * high, x + half, foot], 0xd9403c);
        self.block([x - 0.16 * high, foot - 0.62 * high, x + 0.16 * high, foot - 0.08 * high], 0xf7e6c0);
        for j in 0..5 {
            let px = x + half * (-0.84 + 0.42 * j as f32);
            self.bar([px, foot - 0.62 * high], [px, foot - 0.08 * high], 0.016 * high, 0xe8b03a);
            if j != 2 {
                self.put("carousel-horse", [px, foot - (0.12 + 0.05 * (j % 2) as f32) * high], 0.34 * high);
            }
        }
        for j in 0..8 {
            let at = |k: usize| x + half * 1.12 * (k as f32 / 4.0 - 1.0);
            self.shape(
                &[[x, foot - 1.02 * high], [at(j), foot - 0.62 * high], [at(j + 1), foot - 0.62 * high]],
                if j % 2 == 0 { 0xe8483f } else { 0xfdf3dc },
            );
            self.bulb([0.5 * (at(j) + at(j + 1)), foot - 0.60 * high], 0.02 * high, 0xffd36a);
        }
        self.bar([x, foot - 1.0 * high], [x, foot - 1.10 * high], 0.014 * high, 0xe8b03a);
        self.shape(&[[x, foot - 1.12 * high], [x + 0.12 * high, foot - 1.08 * high], [x, foot - 1.04 * high]], 0x3fa7e0);
        self.snow_on(x - 0.3 * half, x + 0.3 * half, foot - 0.92 * high);
    }

    /// Ground and rocks behind a fence.
    fn enclosure(&mut self, foot: f32) {
        let unit = self.unit();
        let soil = self.soil(0xd9bf8a);
        Pen::default().rect(self.a, foot - 0.04 * unit, self.b, self.bottom).fill(self.c, &Ink::flat(soil, 1.0));
        for x in self.along(2.2) {
            let size = unit * self.random.within(0.05, 0.11);
            self.stone(x, foot, size, 0xa59a8c);
        }
    }
}
