//! Where things are grown, and outings in the green: orchard, vineyard, fields of corn, wheat and pumpkins, a glasshouse, beds
//! of vegetables; picnic area, campsite, a pond for ducks.

use crate::canvas::{Ink, Rgb};
use crate::paint::scenery::plants::Tree;
use crate::paint::scenery::{Layer, Layers};
use crate::paint::shape::{Pen, area};

/// Rows between the horizon and where things stand: how far down each is, and its size.
const ROWS: [[f32; 2]; 4] = [[0.02, 0.42], [0.07, 0.56], [0.14, 0.76], [0.23, 1.0]];

impl Layers<'_> {
    fn rolling_country(&mut self) {
        self.far_hills(0.06, 0.60, 0x7fae9c, [0.02, 0.28]);
        self.far_hills(0.13, 0.34, 0x8cc068, [0.02, 0.16]);
        self.tree_line(0.22, 0.20, self.leafy(&[Tree::Round, Tree::Poplar]), 3.0, 0.16, 0.0);
    }

    /// Plants in rows one behind the other.
    fn rows(&mut self, step: f32, up: f32, mut plant: impl FnMut(&mut Layer<'_>, [f32; 2], f32)) {
        let unit = self.unit();
        self.grounds(up, |l| {
            for (row, [v, size]) in ROWS.into_iter().enumerate() {
                let foot = l.down(v);
                for (_, x) in l.every(step * size * unit, 0.5 * (row % 2) as f32) {
                    plant(l, [x, foot], size * unit);
                }
            }
        });
    }

    pub(super) fn orchard(&mut self) {
        self.rolling_country();
        self.floor(|l| l.grass(0x9bd868, 0x5cb048, true));
        let bloom = self.leafy(&[Tree::Round])[0];
        self.rows(0.62, 0.66, |l, [x, foot], size| {
            l.tree(bloom, x, foot, 0.56 * size);
            if bloom == Tree::Round && !l.film.light.white {
                for _ in 0..8 {
                    let (dx, dy) = (l.random.within(-0.17, 0.17), l.random.within(0.24, 0.50));
                    l.oval([x + dx * size, foot - dy * size], 0.020 * size, 0.020 * size, 0xe0352f);
                }
                for dx in [-0.2, -0.06, 0.14] {
                    l.oval([x + dx * size, foot + 0.012 * size], 0.018 * size, 0.016 * size, 0xd9402f);
                }
            }
        });
    }

    pub(super) fn vineyard(&mut self) {
        self.far_hills(0.05, 0.66, 0x6f9fae, [0.02, 0.44]);
        self.far_hills(0.12, 0.36, 0x9cc46a, [0.02, 0.26]);
        self.tree_line(0.2, 0.24, &[Tree::Poplar], 2.0, 0.24, 0.0);
        self.floor(|l| l.ridges(0xc9a272, 0.34));
        self.rows(0.26, 0.3, |l, [x, foot], size| {
            l.bar([x, foot], [x, foot - 0.20 * size], 0.016 * size, 0x7a5a40);
            l.bush(x, foot - 0.08 * size, 0.115 * size, 0x6fa843);
            l.bush(x + 0.13 * size, foot - 0.07 * size, 0.10 * size, 0x5f9a3f);
            if !l.film.light.white {
                for (dx, dy) in [(-0.02, 0.12), (0.0, 0.10), (0.02, 0.12), (0.0, 0.135)] {
                    l.oval([x + (dx + 0.05) * size, foot - dy * size], 0.014 * size, 0.014 * size, 0x6a3f8f);
                }
            }
        });
    }

    pub(super) fn cornfield(&mut self) {
        self.rolling_country();
        self.floor(|l| l.ridges(0xb08a5a, 0.26));
        self.rows(0.105, 0.5, |l, [x, foot], size| {
            let high = size * l.random.within(0.36, 0.46);
            let (green, dark) = (l.leaf(0x76b544), l.leaf(0x4f8f38));
            Pen::at(x, foot).line(x, foot - high).stroke(l.c, 0.028 * size, &Ink::flat(dark, 1.0));
            for (k, share) in [0.18, 0.34, 0.5, 0.66, 0.8].into_iter().enumerate() {
                let side = if k % 2 == 0 { 1.0 } else { -1.0 };
                let (y, reach) = (foot - share * high, side * 0.115 * size);
                Pen::at(x, y)
                    .quad([x + 0.6 * reach, y - 0.12 * size], x + reach, y + 0.01 * size)
                    .quad([x + 0.5 * reach, y - 0.06 * size], x, y + 0.025 * size)
                    .close()
                    .fill(l.c, &Ink::flat(if k % 2 == 0 { green } else { dark }, 1.0));
            }
            let husk = [x + 0.022 * size, foot - 0.56 * high];
            l.oval(husk, 0.026 * size, 0.062 * size, 0xf2c63a);
            Pen::at(x, foot - high)
                .line(x - 0.03 * size, foot - 1.12 * high)
                .to(x, foot - high)
                .line(x + 0.03 * size, foot - 1.12 * high)
                .to(x, foot - high)
                .line(x, foot - 1.15 * high)
                .stroke(l.c, 0.012 * size, &Ink::flat(l.leaf(0xd9b45a), 1.0));
        });
    }

    pub(super) fn wheat_field(&mut self) {
        self.far_hills(0.06, 0.60, 0x7fae9c, [0.02, 0.26]);
        self.far_hills(0.14, 0.30, 0xcdb95f, [0.02, 0.14]);
        self.tree_line(0.22, 0.22, self.leafy(&[Tree::Round, Tree::Poplar]), 2.0, 0.16, 0.0);
        self.grounds(0.2, |l| {
            let (high, low) = (l.tone(0xf3cf62), l.tone(0xd9a238));
            if l.film.light.white {
                l.snow();
            } else {
                l.base(high, low);
                l.swells(6, high.mix(l.film.light.sun, 0.25), low.times(0.86), 0.5);
            }
            let short = l.film.short;
            for bucket in 0..9 {
                let v = 0.02 + (bucket as f32 / 9.0).powf(1.25);
                let (mut stalks, mut ears) = (Pen::default(), Pen::default());
                let k = short * (0.022 + 0.075 * v);
                for x in l.along(46.0 - 28.0 * v) {
                    let near = v + l.random.within(-0.03, 0.05);
                    let y = l.down(near) + 0.3 * k;
                    let lean = l.random.within(0.05, 0.28) * k;
                    stalks = stalks.to(x, y).quad([x, y - 0.6 * k], x + lean, y - k);
                    ears = ears.oval(x + lean, y - k, 0.10 * k, 0.24 * k);
                }
                let shade = if bucket % 2 == 0 { 0.9 } else { 1.0 };
                stalks.stroke(l.c, 0.06 * k, &Ink::flat(l.tone(0xc9942f).times(shade), 0.9));
                ears.fill(l.c, &Ink::flat(l.tone(0xf7d77a).times(shade), 1.0));
            }
        });
    }

    pub(super) fn pumpkin_patch(&mut self) {
        self.rolling_country();
        self.floor(|l| l.ridges(0xa8794c, 0.40));
        let unit = self.unit();
        self.grounds(0.2, |l| l.railing(l.down(0.02), 0.12 * unit, 0.09 * unit, 0xc9a878));
        self.rows(0.36, 0.2, |l, [x, foot], size| {
            let k = size * l.random.within(0.10, 0.15);
            l.bush(x - 1.2 * k, foot, 0.55 * k, 0x4f8f3c);
            l.bush(x + 1.3 * k, foot, 0.45 * k, 0x5fa048);
            l.pumpkin([x, foot], k);
        });
        self.grounds(0.0, |l| {
            for (share, v) in [(-0.86, 0.90), (0.9, 0.94), (-0.55, 1.0)] {
                l.pumpkin([l.aside(share), l.down(v)], 0.16 * unit);
            }
        });
    }

    pub(super) fn glasshouse(&mut self) {
        let (unit, horizon) = (self.unit(), self.film.horizon);
        self.rolling_country();
        self.behind(0.5, 0.02, 1.1, |l| {
            let (foot, step) = (horizon + 0.03 * unit, 0.86 * unit);
            for (_, x) in l.every(step, 0.5) {
                l.glass_gable([x, foot], step, 0.74 * unit);
            }
        });
        self.grounds(0.3, |l| {
            l.slabs(0xd6c7ac, 0.3);
            let foot = l.down(0.16);
            for (j, x) in l.every(0.20 * unit, 0.0) {
                l.bush(x, foot - 0.09 * unit, 0.085 * unit, if j % 2 == 0 { 0x4f9e45 } else { 0x6db552 });
                for dx in [-0.04, 0.03] {
                    l.oval(
                        [x + dx * unit, foot - 0.13 * unit],
                        0.018 * unit,
                        0.018 * unit,
                        [0xe0352f, 0xf2b632, 0xf07fb0][j.rem_euclid(3) as usize],
                    );
                }
            }
            l.block([l.a, foot - 0.10 * unit, l.b, foot], 0xa9744a);
            l.block([l.a, foot - 0.11 * unit, l.b, foot - 0.08 * unit], 0xc9975f);
        });
    }

    pub(super) fn vegetable_garden(&mut self) {
        let (unit, horizon) = (self.unit(), self.film.horizon);
        self.rolling_country();
        self.behind(0.6, 0.03, 0.7, |l| {
            l.shed([l.aside(0.66), horizon + 0.02 * unit], 0.42 * unit);
            l.railing(horizon + 0.02 * unit, 0.17 * unit, 0.07 * unit, 0xf7f0e2);
        });
        self.floor(|l| l.ridges(0x9a6f48, 0.30));
        self.rows(0.24, 0.3, |l, [x, foot], size| match l.random.below(4) {
            0 => l.cabbage([x, foot], 0.085 * size),
            1 => {
                l.put("carrot", [x, foot + 0.02 * size], 0.13 * size);
                l.bush(x, foot - 0.06 * size, 0.05 * size, 0x5fae4a);
            }
            2 => {
                l.bar([x, foot], [x, foot - 0.26 * size], 0.016 * size, 0xb08a5a);
                l.bush(x, foot - 0.05 * size, 0.085 * size, 0x4f9e45);
                l.bush(x, foot - 0.14 * size, 0.06 * size, 0x5fae4a);
                for (dx, dy) in [(-0.04, 0.08), (0.04, 0.12), (0.0, 0.18)] {
                    l.oval([x + dx * size, foot - dy * size], 0.022 * size, 0.022 * size, 0xe0402f);
                }
            }
            _ => l.pumpkin([x, foot], 0.075 * size),
        });
    }

    pub(super) fn picnic_area(&mut self) {
        let unit = self.unit();
        self.rolling_country();
        self.tree_line(0.36, 0.06, self.leafy(&[Tree::Round]), 1.6, 0.46, 0.02);
        self.grounds(0.4, |l| {
            l.grass(0x94d860, 0x5cb548, true);
            let foot = l.down(0.12);
            for (j, x) in l.every(0.80 * unit, 0.3) {
                if j.rem_euclid(2) == 0 {
                    l.picnic_table([x, foot], 0.26 * unit);
                } else {
                    l.blanket([x, foot + 0.05 * unit], 0.30 * unit);
                }
            }
        });
    }

    pub(super) fn campsite(&mut self) {
        let (unit, horizon) = (self.unit(), self.film.horizon);
        self.peaks(0.05, 0.55, 0.36, 0x7f8fae);
        self.tree_line(0.14, 0.36, &[Tree::Fir], 7.0, 0.36, 0.0);
        self.tree_line(0.28, 0.14, &[Tree::Fir, Tree::Fir, Tree::Round], 3.6, 0.48, 0.01);
        self.grounds(0.6, |l| {
            l.grass(0x86c45c, 0x4f9a48, false);
            let soil = l.soil(0xc9ab78);
            let [x, y] = [l.middle(), l.down(0.40)];
            Pen::default().oval(x, y, 1.1 * l.film.short, 0.26 * l.ground_depth()).fill(l.c, &Ink::flat(soil, 0.7));
            for (share, size, hex) in [(0.68, 0.46, 0xe8853a), (-0.70, 0.42, 0x3f8fc0), (0.10, 0.30, 0x5fae5a)] {
                let v = if size < 0.35 { 0.05 } else { 0.14 };
                l.ridge_tent([l.aside(share), l.down(v)], size * unit, hex);
            }
            l.garlands(horizon - 0.34 * unit, 0.9 * unit, 0.05 * unit, true);
        });
    }

    pub(super) fn duck_pond(&mut self) {
        let unit = self.unit();
        self.tree_line(0.14, 0.40, self.leafy(&[Tree::Round]), 6.0, 0.27, 0.0);
        self.tree_line(0.28, 0.16, self.leafy(&[Tree::Round, Tree::Poplar]), 2.4, 0.40, 0.02);
        self.hedge();
        self.grounds(0.4, |l| {
            l.grass(0x94d860, 0x5cb548, true);
            let (short, depth) = (l.film.short, l.ground_depth());
            let (x, y) = (l.middle(), l.down(0.20));
            let wide = (0.46 * l.film.width).max(0.4 * short);
            let rim = l.soil(0xc9b27a);
            Pen::default().oval(x, y, 1.04 * wide, 0.20 * depth).fill(l.c, &Ink::flat(rim, 1.0));
            let (deep, pale) = (l.film.light.lit(Rgb::hex(0x3f96bf)), l.film.light.sky[2].mix(Rgb::hex(0x7cc6e2), 0.5));
            Pen::default()
                .oval(x, y, wide, 0.175 * depth)
                .fill(l.c, &Ink::linear([0.0, y - 0.18 * depth], [0.0, y + 0.18 * depth], &[(pale, 1.0), (deep, 1.0)]));
            let glint = Ink::flat(Rgb::WHITE, 0.4);
            for (share, dy) in [(-0.5, -0.05), (0.2, 0.06), (0.55, -0.02), (-0.1, -0.11)] {
                l.c.rect(area(x + share * wide, y + dy * depth, 0.12 * wide, 0.006 * short), &glint);
            }
            for (j, share) in [-0.62, -0.34, 0.52].into_iter().enumerate() {
                let at = [x + share * wide, y + (0.03 - 0.04 * j as f32) * depth];
                if j == 2 { l.put_turned("duck", at, 0.12 * unit) } else { l.put("duck", at, 0.12 * unit) }
            }
            for share in [-0.98, -0.86, 0.90, 1.0] {
                l.reeds(x + share * wide, y + 0.02 * depth, 0.24 * unit);
            }
        });
    }
}

impl Layer<'_> {
    pub(super) fn pumpkin(&mut self, [x, foot]: [f32; 2], size: f32) {
        let y = foot - 0.62 * size;
        for (dx, w, hex) in
            [(-0.55, 0.5, 0xd9701f), (0.55, 0.5, 0xd9701f), (-0.28, 0.5, 0xee8226), (0.28, 0.5, 0xe87a22), (0.0, 0.42, 0xf7963a)]
        {
            self.oval([x + dx * size, y], w * size, 0.64 * size, hex);
        }
        self.bar([x, y - 0.58 * size], [x + 0.12 * size, y - 0.9 * size], 0.16 * size, 0x5f8a3a);
        self.snow_on(x - 0.4 * size, x + 0.4 * size, y - 0.58 * size);
    }

    fn cabbage(&mut self, [x, foot]: [f32; 2], size: f32) {
        for (dx, dy, r, hex) in
            [(-0.6, 0.3, 0.62, 0x5f9f4a), (0.6, 0.3, 0.62, 0x5f9f4a), (0.0, 0.42, 0.8, 0x86c45c), (0.0, 0.62, 0.5, 0xb5de86)]
        {
            self.oval([x + dx * size, foot - dy * size], r * size, 0.75 * r * size, hex);
        }
    }

    fn shed(&mut self, [x, foot]: [f32; 2], high: f32) {
        let half = 0.46 * high;
        self.block([x - half, foot - 0.66 * high, x + half, foot], 0x9a6a44);
        for j in 1..8 {
            let bx = x - half + 2.0 * half * j as f32 / 8.0;
            self.bar([bx, foot - 0.66 * high], [bx, foot], 0.010 * high, 0x7a5034);
        }
        let roof = if self.film.light.white { 0xf4f8fc } else { 0x5d6672 };
        self.shape(&[[x - 1.2 * half, foot - 0.64 * high], [x, foot - 1.0 * high], [x + 1.2 * half, foot - 0.64 * high]], roof);
        self.block([x - 0.30 * half, foot - 0.48 * high, x + 0.30 * half, foot], 0x5f8a6a);
    }

    /// A gable of panes with plants behind them.
    fn glass_gable(&mut self, [x, foot]: [f32; 2], wide: f32, high: f32) {
        let (half, eaves, tip) = (0.5 * wide, foot - 0.62 * high, foot - high);
        let glass = self.tone(0xcfeaf0).mix(self.film.light.sky[1], 0.25);
        let outline = [[x - half, foot], [x - half, eaves], [x, tip], [x + half, eaves], [x + half, foot]];
        Pen::default().polygon(&outline).fill(self.c, &Ink::flat(glass, 0.80));
        for dx in [-0.7, -0.42, -0.14, 0.14, 0.42, 0.7] {
            let size = high * self.random.within(0.24, 0.42);
            let hex = self.random.one(&[0x4f9e45, 0x5fae4a, 0x3f8f4a]);
            self.bush(x + dx * half, foot, 0.34 * size, hex);
            self.bush(x + dx * half, foot - 0.4 * size, 0.24 * size, hex);
            self.oval([x + dx * half, foot - 0.5 * size], 0.05 * size, 0.05 * size, 0xe0402f);
        }
        Pen::default().polygon(&outline).fill(self.c, &Ink::flat(Rgb::WHITE.mix(self.film.light.haze, 0.3), 0.20));
        let frame = Ink::flat(self.tone(0xfdfdfa), 1.0);
        let mut bars = Pen::default().polygon(&outline);
        for j in 1..6 {
            let t = 2.0 * j as f32 / 6.0 - 1.0;
            bars = bars.to(x + t * half, foot).line(x + t * half, eaves - (eaves - tip) * (1.0 - f32::abs(t)));
        }
        for y in [eaves, 0.5 * (foot + eaves)] {
            bars = bars.to(x - half, y).line(x + half, y);
        }
        bars.stroke(self.c, 0.016 * high, &frame);
        let shine = Ink::flat(Rgb::WHITE, 0.22);
        Pen::default().polygon(&[[x - 0.7 * half, foot], [x - 0.2 * half, eaves], [x, eaves], [x - 0.5 * half, foot]]).fill(self.c, &shine);
    }

    fn picnic_table(&mut self, [x, foot]: [f32; 2], size: f32) {
        for side in [-1.0, 1.0] {
            self.bar([x + side * 0.72 * size, foot], [x + side * 0.46 * size, foot - 0.56 * size], 0.07 * size, 0x8a5a36);
            self.bar([x + side * 0.30 * size, foot], [x + side * 0.46 * size, foot - 0.56 * size], 0.07 * size, 0x8a5a36);
        }
        self.block([x - 1.06 * size, foot - 0.32 * size, x + 1.06 * size, foot - 0.24 * size], 0xb5763f);
        self.block([x - 0.92 * size, foot - 0.64 * size, x + 0.92 * size, foot - 0.54 * size], 0xc98f55);
        for (name, dx) in [("basket", -0.5), ("watermelon", 0.1), ("sandwich", 0.5)] {
            self.put(name, [x + dx * size, foot - 0.62 * size], 0.34 * size);
        }
        self.snow_on(x - 0.92 * size, x + 0.92 * size, foot - 0.65 * size);
    }

    fn blanket(&mut self, [x, foot]: [f32; 2], size: f32) {
        for row in 0..4 {
            for column in 0..6 {
                let at = |c: i32, r: i32| {
                    let v = r as f32 / 4.0;
                    [x + size * (c as f32 / 3.0 - 1.0) * (0.74 + 0.26 * v), foot - 0.36 * size * (1.0 - v)]
                };
                let corners = [at(column, row), at(column + 1, row), at(column + 1, row + 1), at(column, row + 1)];
                self.shape(&corners, if (row + column) % 2 == 0 { 0xe0453f } else { 0xfdf6ea });
            }
        }
        self.put("basket", [x - 0.3 * size, foot - 0.1 * size], 0.42 * size);
        self.put("red-apple", [x + 0.2 * size, foot - 0.08 * size], 0.16 * size);
    }

    fn ridge_tent(&mut self, [x, foot]: [f32; 2], high: f32, hex: u32) {
        if self.film.casts("tent") {
            return;
        }
        let (half, tip) = (0.86 * high, [x, foot - high]);
        let (cloth, dark) = (self.tone(hex), self.tone(hex).times(0.72));
        let ink = Ink::linear([x - half, 0.0], [x + half, 0.0], &[(cloth.mix(Rgb::WHITE, 0.18), 1.0), (cloth, 1.0), (dark, 1.0)]);
        Pen::at(x - half, foot)
            .quad([x - 0.3 * half, foot - 0.55 * high], tip[0], tip[1])
            .quad([x + 0.3 * half, foot - 0.55 * high], x + half, foot)
            .close()
            .fill(self.c, &ink);
        let inside = if self.lit_up() { Rgb::hex(0xffc85a) } else { dark.times(0.55) };
        Pen::at(x - 0.34 * half, foot)
            .quad([x - 0.08 * half, foot - 0.5 * high], x, foot - 0.84 * high)
            .quad([x + 0.08 * half, foot - 0.5 * high], x + 0.34 * half, foot)
            .close()
            .fill(self.c, &Ink::flat(inside, 1.0));
        if self.lit_up() {
            self.glow(x, foot - 0.3 * high, 0.8 * high, Rgb::hex(0xffc85a), 0.3);
        }
        for side in [-1.0, 1.0] {
            self.bar([x + side * 0.62 * half, foot - 0.3 * high], [x + side * 1.3 * half, foot], 0.010 * high, 0xf3ecd8);
        }
        self.snow_on(x - 0.18 * half, x + 0.18 * half, foot - 0.92 * high);
    }
}
