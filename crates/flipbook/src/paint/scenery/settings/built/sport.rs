//! Where people play and race: playground, pitch and stadium, ballpark, courts, golf course, tracks, skatepark.

use std::f32::consts::PI;

use crate::canvas::Ink;
use crate::codes::Act;
use crate::paint::scenery::Layers;
use crate::paint::scenery::plants::Tree;
use crate::paint::shape::Pen;

impl Layers<'_> {
    fn sports_ground(&mut self) {
        self.far_hills(0.06, 0.60, 0x6fa9a0, [0.02, 0.14]);
        self.tree_line(0.20, 0.26, self.leafy(&[Tree::Round, Tree::Poplar]), 5.0, 0.22, 0.0);
        self.tree_line(0.34, 0.12, self.leafy(&[Tree::Round]), 3.0, 0.17, 0.012);
    }

    /// Rows of people round a field, boards before them.
    fn stands(&mut self, up: f32) {
        let (unit, horizon, short) = (self.unit(), self.film.horizon, self.film.short);
        self.behind(0.5, 0.04, up + 0.16, |l| {
            let top = horizon - up * unit;
            l.block([l.a, top - 0.10 * unit, l.b, horizon + 0.05 * short], 0x5d6b8a);
            l.block([l.a, top - 0.13 * unit, l.b, top - 0.05 * unit], 0xe9eef5);
            l.crowd([top, horizon - 0.06 * unit], 7);
            for (_, x) in l.every(0.52 * unit, 0.5) {
                l.block([x - 0.016 * unit, top, x + 0.016 * unit, horizon], 0xc8ced8);
            }
            for (j, x) in l.every(0.34 * unit, 0.0) {
                let hex = [0xe8483f, 0x2f6fc0, 0xf7c23c, 0x2f9a5a][j.rem_euclid(4) as usize];
                l.block([x, horizon - 0.055 * unit, x + 0.33 * unit, horizon + 0.02 * short], hex);
                l.block([x + 0.08 * unit, horizon - 0.03 * unit, x + 0.25 * unit, horizon - 0.01 * unit], 0xfdfdf8);
            }
        });
    }

    pub(super) fn pitch(&mut self) {
        self.sports_ground();
        self.grounds(0.32, |l| l.football_field());
    }

    pub(super) fn stadium(&mut self) {
        let (unit, horizon) = (self.unit(), self.film.horizon);
        self.behind(0.3, 0.16, 0.92, |l| {
            for (_, x) in l.every(0.9 * unit, 0.5) {
                l.floodlight([x, horizon], l.fit(0.78) / 1.08);
            }
        });
        self.stands(0.42);
        self.grounds(0.32, |l| {
            l.football_field();
            l.floodlit();
        });
    }

    pub(super) fn ballpark(&mut self) {
        let (unit, horizon) = (self.unit(), self.film.horizon);
        self.behind(0.3, 0.16, 0.8, |l| {
            for (_, x) in l.every(1.1 * unit, 0.5) {
                l.floodlight([x, horizon], l.fit(0.66) / 1.08);
            }
        });
        self.stands(0.26);
        self.grounds(0.1, |l| {
            l.lawn();
            let (short, wall) = (l.film.short, horizon + 0.012 * l.film.short);
            l.block([l.a, wall - 0.06 * short, l.b, wall], 0x2f6b4f);
            let [x, y] = l.spot(0.0, 0.62);
            let (clay, grass) = (l.soil(0xcf8f5c), l.soil(0x6cb94e));
            Pen::default().oval(x, y, 0.95 * short, 0.48 * l.ground_depth()).fill(l.c, &Ink::flat(clay, 1.0));
            let [base, left, second, right] = [[0.0, 0.96], [-0.56, 0.56], [0.0, 0.30], [0.56, 0.56]].map(|[u, v]| l.spot(u, v));
            Pen::default().polygon(&[base, left, second, right]).fill(l.c, &Ink::flat(grass, 1.0));
            l.marking(&[[0.0, 0.96], [-1.6, 0.02]], 0xfffef6);
            l.marking(&[[0.0, 0.96], [1.6, 0.02]], 0xfffef6);
            Pen::default().oval(x, y - 0.03 * short, 0.12 * short, 0.035 * short).fill(l.c, &Ink::flat(clay, 1.0));
            for [bx, by] in [left, second, right, base] {
                let w = 0.035 * short;
                l.shape(&[[bx - w, by], [bx, by - 0.4 * w], [bx + w, by], [bx, by + 0.4 * w]], 0xffffff);
            }
            l.floodlit();
        });
    }

    pub(super) fn basketball_court(&mut self) {
        let (unit, horizon, short) = (self.unit(), self.film.horizon, self.film.short);
        let lights = self.film.lights_on();
        self.towers(0.06, 0.62, 0.50, lights * 0.7, 0.015, 0.0);
        self.towers(0.12, 0.36, 0.34, lights, 0.018, 0.0);
        self.tree_line(0.3, 0.14, self.leafy(&[Tree::Round]), 3.0, 0.18, 0.0);
        self.behind(0.6, 0.0, 0.3, |l| l.wire_fence(horizon + 0.02 * short, 0.22 * unit, 0x6f7a86));
        let hoop = !self.film.brief.slots.iter().any(|slot| slot.act == Some(Act::Dunk));
        self.grounds(0.62, |l| {
            l.even(0x3f7fa0);
            l.patch([-1.35, 1.35], [0.08, 1.1], 0xd98a4f);
            l.patch([-0.30, 0.30], [0.08, 0.52], 0xb8563f);
            for line in [
                &[[-1.35, 0.08], [1.35, 0.08]][..],
                &[[-1.35, 1.1], [-1.35, 0.08]],
                &[[1.35, 0.08], [1.35, 1.1]],
                &[[-0.30, 0.08], [-0.30, 0.52], [0.30, 0.52], [0.30, 0.08]],
            ] {
                l.marking(line, 0xfdfbf2);
            }
            let arc: Vec<[f32; 2]> = (0..=20).map(|j| PI * j as f32 / 20.0).map(|t| [-0.95 * t.cos(), 0.08 + 0.78 * t.sin()]).collect();
            l.marking(&arc, 0xfdfbf2);
            l.circle(0.0, 0.52, 0.22, 0xfdfbf2);
            if hoop {
                let [x, y] = l.spot(0.0, 0.10);
                l.hoop([x, y], 0.47 * unit);
            }
        });
    }

    pub(super) fn tennis_court(&mut self) {
        let (unit, horizon, short) = (self.unit(), self.film.horizon, self.film.short);
        self.sports_ground();
        self.behind(0.6, 0.0, 0.3, |l| l.wire_fence(horizon + 0.015 * short, 0.24 * unit, 0x3f6f5a));
        self.grounds(0.2, |l| {
            l.even(0x4f9a62);
            l.patch([-1.3, 1.3], [0.06, 1.1], 0x3f76b8);
            for line in [
                &[[-1.3, 0.06], [1.3, 0.06]][..],
                &[[-1.3, 0.06], [-1.3, 1.1]],
                &[[1.3, 0.06], [1.3, 1.1]],
                &[[-1.0, 0.06], [-1.0, 1.1]],
                &[[1.0, 0.06], [1.0, 1.1]],
                &[[-1.0, 0.15], [1.0, 0.15]],
                &[[-1.0, 0.74], [1.0, 0.74]],
                &[[0.0, 0.15], [0.0, 0.74]],
            ] {
                l.marking(line, 0xfdfdf6);
            }
            let (foot, high) = (l.down(0.30), 0.13 * unit);
            let ink = Ink::flat(l.tone(0x2b3a3f), 0.55);
            let mut mesh = Pen::default();
            for (_, x) in l.every(0.022 * short, 0.0) {
                mesh = mesh.to(x, foot).line(x, foot - high);
            }
            for j in 0..5 {
                let y = foot - high * j as f32 / 5.0;
                mesh = mesh.to(l.a, y).line(l.b, y);
            }
            mesh.stroke(l.c, 0.003 * short, &ink);
            l.block([l.a, foot - high - 0.012 * short, l.b, foot - high + 0.012 * short], 0xffffff);
            for side in [-1.0, 1.0] {
                let [x, _] = l.spot(1.38 * side, 0.30);
                l.bar([x, foot], [x, foot - 1.15 * high], 0.02 * short, 0x39424a);
            }
        });
    }

    pub(super) fn golf_course(&mut self) {
        let (unit, short) = (self.unit(), self.film.short);
        self.far_hills(0.06, 0.60, 0x6fa9a0, [0.02, 0.26]);
        self.far_hills(0.14, 0.34, 0x79bb66, [0.02, 0.15]);
        self.tree_line(0.22, 0.20, self.leafy(&[Tree::Round, Tree::Fir]), 3.4, 0.24, 0.0);
        self.far_hills(0.34, 0.10, 0x86cc60, [0.03, 0.06]);
        self.grounds(0.36, |l| {
            l.lawn();
            let green = l.soil(0xa9e27a);
            let [x, y] = [l.aside(0.42), l.down(0.24)];
            let edge = l.soil(0x6fb64f);
            Pen::default().oval(x, y + 0.008 * short, 0.46 * short, 0.082 * short).fill(l.c, &Ink::flat(edge, 1.0));
            Pen::default().oval(x, y, 0.44 * short, 0.072 * short).fill(l.c, &Ink::flat(green, 1.0));
            l.put("flag-in-hole", [x, y + 0.01 * short], 0.34 * unit);
            for (u, v, wide) in [(-0.62, 0.20, 0.26), (-0.30, 0.86, 0.30), (1.1, 0.62, 0.2)] {
                let [x, y] = [l.aside(u), l.down(v)];
                let (sand, rim) = (l.soil(0xf3dfa8), l.soil(0x5fa548));
                Pen::default().oval(x, y, wide * short, 0.22 * wide * short).fill(l.c, &Ink::flat(rim, 1.0));
                Pen::default().oval(x, y + 0.008 * short, 0.94 * wide * short, 0.19 * wide * short).fill(l.c, &Ink::flat(sand, 1.0));
            }
        });
    }

    pub(super) fn racetrack(&mut self) {
        let (unit, short) = (self.unit(), self.film.short);
        self.far_hills(0.06, 0.60, 0x7ba6a8, [0.02, 0.20]);
        self.stands(0.24);
        self.grounds(0.5, |l| {
            l.even(0x5d6270);
            l.patch([-9.0, 9.0], [0.0, 0.10], 0x6cb94e);
            for v in [0.13, 0.92] {
                let (y, high) = (l.down(v), short * (0.012 + 0.02 * v));
                for (j, x) in l.every(0.10 * short, 0.0) {
                    let lean = 0.6 * high;
                    let hex = if j % 2 == 0 { 0xe0403a } else { 0xfafafa };
                    l.shape(&[[x, y - high], [x + 0.10 * short, y - high], [x + 0.10 * short - lean, y + high], [x - lean, y + high]], hex);
                }
            }
            l.chequers(0.55);
            let foot = l.down(0.06);
            for (j, x) in l.every(0.8 * unit, 0.5) {
                if j % 2 == 0 {
                    l.put("chequered-flag", [x, foot], 0.26 * unit);
                } else {
                    l.put_turned("chequered-flag", [x, foot], 0.26 * unit);
                }
            }
        });
    }

    pub(super) fn running_lanes(&mut self) {
        self.stands(0.30);
        self.grounds(0.1, |l| {
            l.even(0x6cb94e);
            let (top, short) = (l.down(0.16), l.film.short);
            l.block([l.a, top, l.b, l.bottom + 2.0], if l.film.light.white { 0xe3c9c6 } else { 0xc9553f });
            for j in 0..6 {
                let v = 0.16 + 0.84 * (j as f32 / 5.0).powf(1.3);
                l.block([l.a, l.down(v) - 0.003 * short, l.b, l.down(v) + 0.002 * short + 0.005 * v * short], 0xfdfaf4);
            }
            l.chequers(-0.72);
        });
    }

    pub(super) fn skatepark(&mut self) {
        let (unit, horizon, short) = (self.unit(), self.film.horizon, self.film.short);
        let lights = self.film.lights_on();
        self.towers(0.06, 0.62, 0.46, lights * 0.7, 0.015, 0.0);
        self.tree_line(0.16, 0.3, self.leafy(&[Tree::Round]), 4.0, 0.24, 0.0);
        self.behind(0.55, 0.03, 0.3, |l| {
            l.block([l.a, horizon - 0.20 * unit, l.b, horizon + 0.05 * short], 0x9aa3ad);
            l.graffiti([horizon - 0.17 * unit, horizon]);
        });
        self.grounds(0.34, |l| {
            l.slabs(0xb9bfc6, 0.5);
            for side in [-1.0, 1.0] {
                l.quarter_pipe(side, 0.34 * unit);
            }
            let [[ax, ay], [bx, by]] = [l.spot(-0.34, 0.30), l.spot(0.34, 0.30)];
            l.bar([ax, ay - 0.10 * unit], [bx, by - 0.10 * unit], 0.022 * short, 0xe8b03a);
            for x in [ax + 0.08 * unit, bx - 0.08 * unit] {
                l.bar([x, ay], [x, ay - 0.10 * unit], 0.018 * short, 0x6f7782);
            }
        });
    }

    pub(super) fn playground(&mut self) {
        let (unit, horizon) = (self.unit(), self.film.horizon);
        self.far_hills(0.06, 0.60, 0x6fa9a0, [0.02, 0.12]);
        self.tree_line(0.16, 0.34, self.leafy(&[Tree::Round]), 5.0, 0.30, 0.0);
        self.tree_line(0.30, 0.14, self.leafy(&[Tree::Round, Tree::Poplar]), 2.2, 0.36, 0.012);
        self.grounds(0.62, |l| {
            l.grass(0x94d860, 0x5cb548, false);
            let short = l.film.short;
            let sand = l.soil(0xf1d9a0);
            let [x, y] = l.spot(0.0, 0.30);
            Pen::default().oval(x, y, 1.3 * short, 0.20 * l.ground_depth()).fill(l.c, &Ink::flat(sand, 1.0));
            let foot = horizon + 0.16 * l.ground_depth();
            for (_, x) in l.every(2.3 * l.film.width.max(1.2 * short), 0.0) {
                let s = l.side();
                let reach = 0.5 * l.film.width;
                l.climbing_house([x + s * 0.66 * reach, foot], 0.50 * unit, -s);
                l.swings([x - s * 0.60 * reach, foot], 0.40 * unit);
                l.seesaw([x - s * 0.02 * reach, foot - 0.02 * unit], 0.34 * unit);
            }
        });
    }
}
