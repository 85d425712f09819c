//! About a home: garden, backyard, porch, front yard.

use crate::canvas::Ink;
use crate::paint::scenery::plants::Tree;
use crate::paint::scenery::{Layer, Layers};
use crate::paint::shape::Pen;

impl Layers<'_> {
    fn neighbourhood(&mut self) {
        let (unit, horizon) = (self.unit(), self.film.horizon);
        self.far_hills(0.06, 0.60, 0x6fa9a0, [0.02, 0.16]);
        self.behind(0.18, 0.30, 0.5, |l| {
            for (j, x) in l.every(0.52 * unit, 0.2) {
                let wall = [0xf3e6d0, 0xdfe6ea, 0xf0cfa8][j.rem_euclid(3) as usize];
                l.cottage([x, horizon], 0.36 * unit, wall, 0xa8604a);
            }
        });
        self.tree_line(0.26, 0.16, self.leafy(&[Tree::Round]), 2.2, 0.34, 0.0);
    }

    pub(super) fn garden(&mut self) {
        let (unit, horizon) = (self.unit(), self.film.horizon);
        self.neighbourhood();
        self.behind(0.6, 0.02, 0.8, |l| {
            l.rose_arch([l.aside(0.34), horizon + 0.03 * unit], 0.54 * unit);
            l.railing(horizon + 0.03 * unit, 0.20 * unit, 0.075 * unit, 0xfdf9f0);
        });
        self.grounds(0.2, |l| {
            l.grass(0x94d860, 0x55ad45, false);
            l.garden_path(l.aside(0.34));
            l.flower_bed(l.down(0.10), 0.12 * unit, l.aside(0.34));
            for share in [-0.9, 0.92] {
                let (x, y) = (l.aside(share), l.down(0.86));
                l.flower_clump([x, y], 0.22 * unit);
            }
        });
    }

    pub(super) fn backyard(&mut self) {
        let (unit, horizon) = (self.unit(), self.film.horizon);
        self.neighbourhood();
        self.behind(0.62, 0.0, 0.6, |l| l.board_fence(horizon + 0.03 * unit, 0.36 * unit, 0xc09058));
        self.grounds(1.0, |l| {
            l.grass(0x94d860, 0x55ad45, false);
            let s = l.side();
            l.tree(Tree::Round, l.aside(-0.78), l.down(0.10), 0.74 * unit);
            let edge = l.aside(0.98);
            l.house_front([edge + s * 0.42 * unit, l.down(0.10)], 1.0 * unit, 0.66 * unit, 0xf3e6d0, 0xa8604a);
            l.flower_bed(horizon + 0.04 * unit, 0.07 * unit, -9e5);
            l.grill([l.aside(0.40), l.down(0.13)], 0.26 * unit);
        });
    }

    pub(super) fn front_yard(&mut self) {
        let (unit, horizon) = (self.unit(), self.film.horizon);
        self.neighbourhood();
        self.behind(0.6, 0.0, 1.2, |l| {
            let (x, foot, s) = (l.aside(-0.16), horizon + 0.03 * unit, l.side());
            let wide = (1.2 * unit).min(0.74 * l.film.width);
            let garage = x + s * (0.5 * wide + 0.22 * unit);
            l.block([garage - 0.27 * unit, foot - 0.44 * unit, garage + 0.27 * unit, foot], 0xe3d3b8);
            let tiles = if l.film.light.white { 0xf4f8fc } else { 0x9a5a48 };
            l.shape(
                &[
                    [garage - 0.33 * unit, foot - 0.43 * unit],
                    [garage - 0.2 * unit, foot - 0.62 * unit],
                    [garage + 0.2 * unit, foot - 0.62 * unit],
                    [garage + 0.33 * unit, foot - 0.43 * unit],
                ],
                tiles,
            );
            l.block([garage - 0.20 * unit, foot - 0.34 * unit, garage + 0.20 * unit, foot], 0xfbf8f0);
            for j in 1..5 {
                let y = foot - 0.068 * unit * j as f32;
                l.bar([garage - 0.20 * unit, y], [garage + 0.20 * unit, y], 0.008 * unit, 0xc9c2b4);
            }
            l.house_front([x, foot], wide, l.fit(0.64) / 1.42, 0xf0dcb4, 0x9a5a48);
            for side in [-0.40, -0.2, 0.2, 0.40] {
                l.bush(x + side * wide, foot, 0.075 * unit, 0x5fae4a);
            }
        });
        self.grounds(0.1, |l| {
            l.grass(0x94d860, 0x55ad45, true);
            let x = l.aside(-0.16);
            let s = l.side();
            let wide = (1.2 * unit).min(0.74 * l.film.width);
            let from = x + s * (0.5 * wide + 0.22 * unit);
            let stone = l.tone(if l.film.light.white { 0xdbe5ee } else { 0xc3c1be });
            let (top, low) = (l.down(0.06), l.bottom + 2.0);
            let spread = from + s * 0.30 * unit;
            Pen::default()
                .polygon(&[[from - 0.22 * unit, top], [from + 0.22 * unit, top], [spread + 0.62 * unit, low], [spread - 0.62 * unit, low]])
                .fill(l.c, &Ink::flat(stone, 1.0));
            l.garden_path(x);
        });
    }

    pub(super) fn porch(&mut self) {
        let (unit, horizon) = (self.unit(), self.film.horizon);
        self.neighbourhood();
        self.behind(0.7, 0.0, 2.2, |l| {
            let foot = horizon + 0.08 * l.film.short;
            let wide = (1.5 * unit).min(0.86 * l.film.width);
            l.block([l.a, foot - 2.2 * unit, l.b, foot], 0xdfe8ec);
            let high = (0.86 * unit).min(0.86 * horizon);
            l.house_front([l.middle(), foot], wide.max(l.film.width * 1.5), high, 0xdfe8ec, 0x7d8f9a);
        });
        self.grounds(2.2, |l| {
            l.planks(0xb58a60, 0.02);
            let (foot, roof) = (l.down(0.10), (horizon - 0.92 * unit).max(0.10 * horizon));
            l.block([l.a, -9.0, l.b, roof], 0x8a9aa5);
            l.block([l.a, roof - 0.03 * unit, l.b, roof + 0.05 * unit], 0xfdfaf2);
            let step = (0.8 * unit).max(0.42 * l.film.width);
            for (_, x) in l.every(step, 0.5) {
                l.block([x - 0.035 * unit, roof, x + 0.035 * unit, foot + 0.02 * unit], 0xfdfaf2);
                l.block([x - 0.055 * unit, roof + 0.04 * unit, x + 0.055 * unit, roof + 0.09 * unit], 0xf0ece0);
                l.bulb([x + 0.5 * step, roof + 0.09 * unit], 0.026 * unit, 0xffd98a);
            }
            for (_, x) in l.every(step, 0.82) {
                l.flower_pot([x, foot + 0.03 * unit], 0.20 * unit);
            }
            let chair = [l.aside(0.78), foot + 0.05 * unit];
            l.rocking_chair(chair, 0.34 * unit);
        });
    }
}

impl Layer<'_> {
    fn garden_path(&mut self, from: f32) {
        let stone = self.tone(if self.film.light.white { 0xdbe5ee } else { 0xe3cfa8 });
        let (top, low, short) = (self.down(0.05), self.bottom + 2.0, self.film.short);
        Pen::at(from - 0.07 * short, top)
            .cubic([from - 0.12 * short, self.down(0.3)], [from - 0.02 * short, self.down(0.6)], from - 0.26 * short, low)
            .line(from + 0.20 * short, low)
            .cubic([from + 0.20 * short, self.down(0.6)], [from + 0.03 * short, self.down(0.3)], from + 0.07 * short, top)
            .close()
            .fill(self.c, &Ink::flat(stone, 1.0));
    }

    /// Flowers along a line, but not where `gap` is.
    fn flower_bed(&mut self, foot: f32, high: f32, gap: f32) {
        let soil = self.soil(0x8a6242);
        for (_, x) in self.every(0.55 * high, 0.0) {
            if (x - gap).abs() < 1.2 * high {
                continue;
            }
            Pen::default().oval(x, foot, 0.42 * high, 0.14 * high).fill(self.c, &Ink::flat(soil, 1.0));
        }
        for (_, x) in self.every(0.55 * high, 0.0) {
            if (x - gap).abs() > 1.2 * high {
                self.flower_clump([x, foot], high);
            }
        }
    }

    fn flower_clump(&mut self, [x, foot]: [f32; 2], high: f32) {
        if self.film.light.white {
            return self.bush(x, foot, 0.4 * high, 0x5fae4a);
        }
        let hex = self.random.one(&[0xf0498a, 0xf7c23c, 0xe8483f, 0xb36ae0, 0xff8fc0, 0xffffff]);
        let stems = Ink::flat(self.leaf(0x4f9a45), 1.0);
        let mut heads = Vec::new();
        let mut pen = Pen::default();
        for dx in [-0.26, 0.0, 0.26] {
            let (tx, ty) = (x + (dx + self.random.within(-0.06, 0.06)) * high, foot - high * self.random.within(0.6, 1.0));
            pen = pen.to(x + 0.5 * dx * high, foot).quad([x + 0.5 * dx * high, 0.5 * (foot + ty)], tx, ty);
            heads.push([tx, ty]);
        }
        pen.stroke(self.c, 0.05 * high, &stems);
        self.bush(x, foot, 0.24 * high, 0x5fae4a);
        for [tx, ty] in heads {
            let r = 0.11 * high;
            let petals = Ink::flat(self.tone(hex), 1.0);
            let flower = (0..5).fold(Pen::default(), |pen, k| {
                let (sin, cos) = (1.2566 * k as f32).sin_cos();
                pen.circle(tx + r * cos, ty + r * sin, 0.8 * r)
            });
            flower.fill(self.c, &petals);
            self.oval([tx, ty], 0.6 * r, 0.6 * r, 0xffd54a);
        }
    }

    /// An arch with roses, over a gate.
    fn rose_arch(&mut self, [x, foot]: [f32; 2], high: f32) {
        let half = 0.30 * high;
        let arch = Pen::at(x - half, foot)
            .line(x - half, foot - 0.62 * high)
            .cubic([x - half, foot - 1.12 * high], [x + half, foot - 1.12 * high], x + half, foot - 0.62 * high)
            .line(x + half, foot);
        arch.stroke(self.c, 0.06 * high, &Ink::flat(self.tone(0xfdf9f0), 1.0));
        for j in 0..=14 {
            let t = std::f32::consts::PI * j as f32 / 14.0;
            let (bx, by) = (x - 1.04 * half * t.cos(), foot - 0.60 * high - 0.40 * high * t.sin());
            self.bush(bx, by + 0.03 * high, 0.07 * high, 0x4f9e45);
            if j % 2 == 0 && !self.film.light.white {
                self.oval([bx, by], 0.036 * high, 0.036 * high, [0xf0498a, 0xff8fb0][j / 2 % 2]);
            }
        }
    }

    fn grill(&mut self, [x, foot]: [f32; 2], high: f32) {
        for lean in [-0.34, 0.34] {
            self.bar([x + 0.4 * lean * high, foot - 0.5 * high], [x + lean * high, foot], 0.05 * high, 0x4a4f58);
        }
        let bowl = Ink::flat(self.tone(0xc9353a), 1.0);
        Pen::at(x - 0.42 * high, foot - 0.62 * high)
            .cubic([x - 0.40 * high, foot - 0.34 * high], [x + 0.40 * high, foot - 0.34 * high], x + 0.42 * high, foot - 0.62 * high)
            .close()
            .fill(self.c, &bowl);
        Pen::at(x - 0.42 * high, foot - 0.66 * high)
            .cubic([x - 0.40 * high, foot - 1.04 * high], [x + 0.40 * high, foot - 1.04 * high], x + 0.42 * high, foot - 0.66 * high)
            .close()
            .fill(self.c, &bowl);
        self.bar([x - 0.44 * high, foot - 0.64 * high], [x + 0.44 * high, foot - 0.64 * high], 0.035 * high, 0x2b2f38);
        self.bar([x - 0.08 * high, foot - 0.98 * high], [x + 0.08 * high, foot - 0.98 * high], 0.06 * high, 0x2b2f38);
    }

    fn flower_pot(&mut self, [x, foot]: [f32; 2], high: f32) {
        for dx in [-0.2, 0.0, 0.2] {
            self.flower_clump([x + dx * high, foot - 0.36 * high], 0.6 * high);
        }
        self.shape(
            &[
                [x - 0.36 * high, foot - 0.44 * high],
                [x + 0.36 * high, foot - 0.44 * high],
                [x + 0.25 * high, foot],
                [x - 0.25 * high, foot],
            ],
            0xc9714a,
        );
        self.block([x - 0.40 * high, foot - 0.50 * high, x + 0.40 * high, foot - 0.38 * high], 0xd9835a);
    }

    fn rocking_chair(&mut self, [x, foot]: [f32; 2], high: f32) {
        let wood = Ink::flat(self.tone(0x8a5a3a), 1.0);
        let s = -self.side();
        Pen::at(x - 0.46 * high, foot - 0.06 * high).quad([x, foot + 0.06 * high], x + 0.46 * high, foot - 0.06 * high).stroke(
            self.c,
            0.05 * high,
            &wood,
        );
        for (dx, top) in [(-0.28 * s, 1.0), (0.28 * s, 0.62)] {
            self.bar([x + dx * high, foot], [x + (dx * 1.15) * high, foot - top * high], 0.05 * high, 0x8a5a3a);
        }
        self.bar([x - 0.30 * high, foot - 0.36 * high], [x + 0.30 * high, foot - 0.36 * high], 0.08 * high, 0xa8704a);
        self.bar([x - 0.30 * s * high, foot - 0.60 * high], [x + 0.34 * s * high, foot - 0.60 * high], 0.045 * high, 0x8a5a3a);
        for up in [0.5, 0.7, 0.9] {
            let bx = x - 0.30 * s * high;
            self.bar([bx - 0.05 * high, foot - up * high], [bx + 0.07 * high, foot - up * high], 0.03 * high, 0xa8704a);
        }
    }
}
