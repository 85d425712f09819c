//! Woods that are something in particular: bamboo, birches, an enchanted wood, a haunted one, a park in blossom.

use super::{Layer, Layers};
use crate::canvas::{Ink, Puff, Rgb};
use crate::paint::scenery::plants::{Grove, Tree};
use crate::paint::shape::Pen;

impl Layers<'_> {
    pub(super) fn bamboo_forest(&mut self) {
        let (rise, horizon, short) = (self.film.rise(), self.film.horizon, self.film.short);
        self.add(0.05, 0.50, [-9.0, horizon + 0.10 * short], |l| {
            l.canopy(0.50 * rise, 0x8fc25a);
            l.bamboo(11.0, 0.012, horizon, 0x8fb85a);
        });
        self.add(0.18, 0.28, [-9.0, horizon + 0.10 * short], |l| l.bamboo(7.0, 0.018, horizon + 0.02 * short, 0x7db04a));
        self.add(0.40, 0.05, [-9.0, horizon + 0.12 * short], |l| l.bamboo(3.0, 0.028, horizon + 0.05 * short, 0x67a83f));
        self.floor(|l| {
            l.grass(0x9cc85a, 0x5f9a42, false);
            l.undergrowth();
        });
        self.sunbeams();
    }

    pub(super) fn birch_forest(&mut self) {
        let (rise, horizon, short) = (self.film.rise(), self.film.horizon, self.film.short);
        self.add(0.05, 0.55, [horizon - 0.62 * rise, horizon + 0.10 * short], |l| l.canopy(0.46 * rise, 0x8fbf5f));
        self.add(0.14, 0.32, [-9.0, horizon + 0.10 * short], |l| l.birches(6.0, 0.013, horizon + 0.01 * short));
        self.add(0.24, 0.16, [-9.0, horizon + 0.10 * short], |l| l.birches(3.4, 0.021, horizon + 0.03 * short));
        self.hedge();
        self.add(0.42, 0.0, [-9.0, horizon + 0.14 * short], |l| {
            l.birches(1.5, 0.034, horizon + 0.07 * short);
            let leaf = l.leaf(0x9fcf4f);
            for x in l.along(3.0) {
                let size = short * l.random.within(0.28, 0.42);
                l.crown(x, -0.02 * short, size, leaf);
            }
        });
        self.floor(|l| {
            l.grass(0x9bd068, 0x5aa048, true);
            l.undergrowth();
        });
        self.sunbeams();
    }

    pub(super) fn enchanted_forest(&mut self) {
        let (rise, horizon, short) = (self.film.rise(), self.film.horizon, self.film.short);
        self.add(0.05, 0.55, [horizon - 0.66 * rise, horizon + 0.10 * short], |l| l.canopy(0.48 * rise, 0x3f8f96));
        self.add(0.12, 0.34, [horizon - 0.70 * rise, horizon + 0.12 * short], |l| {
            l.grove(&Grove { of: &[Tree::Round, Tree::Fir], density: 5.0, size: 0.46 * rise, spread: 0.015 * short }, |_| horizon);
        });
        self.add(0.20, 0.0, [-9.0, horizon + 0.2 * short], |l| l.lights_among_trees(horizon));
        self.add(0.40, 0.04, [-9.0, horizon + 0.14 * short], |l| l.twisted_trunks(0x5a4668, true));
        self.floor(|l| {
            l.grass(0x4f9f86, 0x2a5f6a, true);
            let deep = l.ground_depth();
            let mut places: Vec<[f32; 2]> = l.along(3.0).into_iter().map(|x| [x, 0.0]).collect();
            for place in &mut places {
                place[1] = l.random.within(0.02, 0.42);
            }
            places.sort_by(|one, other| one[1].total_cmp(&other[1]));
            for [x, near] in places {
                let size = short * (0.05 + 0.10 * near) * l.random.within(0.7, 1.3);
                let hex = l.random.one(&[0x7df0e0, 0xc08bff, 0xff8fd8, 0x8fd0ff]);
                let y = l.ground + deep * near;
                l.glowing_mushroom(x, y, size, hex);
                l.glowing_mushroom(x + 0.75 * size, y + 0.1 * size, 0.55 * size, hex);
            }
        });
    }

    pub(super) fn haunted_forest(&mut self) {
        let (rise, horizon, short) = (self.film.rise(), self.film.horizon, self.film.short);
        let sky = self.film.light.sky[2];
        self.add(0.05, 0.60, [horizon - 0.80 * rise, horizon + 0.06 * short], |l| {
            for x in l.along(4.0) {
                let size = rise * l.random.within(0.45, 0.70);
                l.bare_tree(x, horizon + 0.01 * short, size, 0x3a4452);
            }
        });
        self.add(0.12, 0.0, [horizon - 0.16 * rise, horizon + 0.05 * short], |l| l.mist(horizon - 0.03 * rise, sky));
        self.add(0.20, 0.25, [horizon - 0.95 * rise, horizon + 0.08 * short], |l| {
            for x in l.along(2.0) {
                let size = rise * l.random.within(0.60, 0.85);
                l.bare_tree(x, horizon + 0.02 * short, size, 0x262c3a);
            }
            for x in l.along(2.2) {
                let y = horizon - rise * l.random.within(0.02, 0.24);
                l.eyes(x, y, 0.012 * short);
            }
        });
        self.add(0.40, 0.0, [-0.1 * short, horizon + 0.14 * short], |l| {
            for x in l.along(0.7) {
                l.bare_tree(x, horizon + 0.07 * short, 1.1 * rise, 0x171a26);
            }
        });
        self.floor(|l| {
            l.grass(0x4f6258, 0x232f33, false);
            for x in l.along(2.2) {
                let near = l.random.within(0.05, 0.3);
                let (y, size) = (l.down(near), short * (0.05 + 0.06 * near));
                l.stone(x, y, 0.5 * size, 0x5a6270);
            }
        });
        self.add(0.60, 0.0, [horizon - 0.06 * rise, horizon + 0.14 * short], |l| l.mist(horizon + 0.05 * short, sky));
    }

    pub(super) fn blossom_park(&mut self) {
        let (rise, horizon, short) = (self.film.rise(), self.film.horizon, self.film.short);
        self.far_hills(0.05, 0.66, 0x8fa9c8, [0.02, 0.34]);
        self.tree_line(0.14, 0.34, &[Tree::Blossom], 5.0, 0.30, 0.0);
        self.tree_line(0.26, 0.14, &[Tree::Blossom], 2.4, 0.46, 0.02);
        self.hedge();
        let size = 0.80 * rise.min(1.15 * short);
        let foot = horizon + 0.05 * short;
        self.add(0.46, 0.0, [foot - 1.3 * size, foot + 0.05 * short], |l| {
            for x in l.along(0.75) {
                l.tree(Tree::Blossom, x, foot, size);
            }
        });
        self.floor(|l| {
            l.grass(0x9fdc6a, 0x62b84c, true);
            l.petals();
        });
    }
}

impl Layer<'_> {
    /// Stems of bamboo from above the frame to `foot`; `wide` in short sides.
    fn bamboo(&mut self, density: f32, wide: f32, foot: f32, hex: u32) {
        let short = self.film.short;
        for x in self.along(density) {
            let w = short * wide * self.random.within(0.7, 1.2);
            let (foot, lean) = (foot + self.random.within(-0.01, 0.015) * short, self.random.within(-0.05, 0.05) * short);
            let stem = self.leaf(hex);
            let (lit, dark) = (stem.mix(self.far(self.film.light.sun), 0.35), stem.mix(self.far(Rgb([0.05, 0.16, 0.10])), 0.45));
            let at = |y: f32| x + lean * (foot - y) / foot.max(1.0);
            let ink = self.sidelight(x, w, lit, dark);
            Pen::default()
                .polygon(&[[at(-9.0) - 0.85 * w, -9.0], [at(-9.0) + 0.85 * w, -9.0], [x + w, foot], [x - w, foot]])
                .fill(self.c, &ink);
            let step = short * self.random.within(0.10, 0.16);
            let (mut y, mut rings, mut leaves) = (foot - 0.4 * step, Pen::default(), Pen::default());
            while y > -9.0 {
                rings = rings.rect(at(y) - 1.12 * w, y, at(y) + 1.12 * w, y + 0.22 * w);
                if self.random.chance(0.45) {
                    let side = if self.random.chance(0.5) { 1.0 } else { -1.0 };
                    for (dx, dy) in [(3.4, 1.6), (4.6, 0.2), (2.6, 3.0)] {
                        let tip = [at(y) + side * dx * 1.3 * w, y + (dy - 1.0) * 1.3 * w];
                        leaves = leaves
                            .to(at(y), y)
                            .quad([at(y) + side * 0.6 * dx * w, y - 1.4 * w], tip[0], tip[1])
                            .quad([at(y) + side * 0.7 * dx * w, y + 0.4 * w], at(y), y)
                            .close();
                    }
                }
                y -= step;
            }
            rings.fill(self.c, &Ink::flat(dark.mix(Rgb::WHITE, 0.25), 0.9));
            leaves.fill(self.c, &Ink::flat(stem.mix(self.far(Rgb([0.20, 0.52, 0.18])), 0.45), 1.0));
        }
    }

    /// White trunks with dark marks; `wide` in short sides.
    fn birches(&mut self, density: f32, wide: f32, foot: f32) {
        let short = self.film.short;
        for x in self.along(density) {
            let (w, lean) = (short * wide * self.random.within(0.8, 1.15), self.random.within(-0.04, 0.04) * short);
            let (lit, dark, mark) = (self.tone(0xfbf8f0), self.tone(0xb9b6b4), self.tone(0x3a3638));
            let ink = self.sidelight(x, w, lit, dark);
            let at = |y: f32| x + lean * (foot - y) / foot.max(1.0);
            Pen::at(x - 1.5 * w, foot + 0.4 * w)
                .quad([x - 0.8 * w, foot], at(foot - 4.0 * w) - 0.8 * w, foot - 4.0 * w)
                .line(at(-9.0) - 0.6 * w, -9.0)
                .line(at(-9.0) + 0.6 * w, -9.0)
                .line(at(foot - 4.0 * w) + 0.8 * w, foot - 4.0 * w)
                .quad([x + 0.8 * w, foot], x + 1.5 * w, foot + 0.4 * w)
                .close()
                .fill(self.c, &ink);
            let mut marks = Pen::default();
            let mut y = foot - 0.6 * w;
            while y > -9.0 {
                let (side, long) = (if self.random.chance(0.5) { 1.0 } else { -1.0 }, w * self.random.within(0.4, 1.1));
                let edge = at(y) + side * 0.72 * w;
                marks = marks.polygon(&[[edge, y - 0.16 * w], [edge, y + 0.16 * w], [edge - side * long, y + 0.03 * w]]);
                y -= w * self.random.within(0.9, 2.6);
            }
            marks.fill(self.c, &Ink::flat(mark, 0.9));
        }
    }

    /// Near trunks that bend, their roots spread.
    fn twisted_trunks(&mut self, hex: u32, leaves: bool) {
        let (short, foot) = (self.film.short, self.film.horizon + 0.07 * self.film.short);
        for x in self.along(1.05) {
            let (w, bend) = (short * self.random.within(0.034, 0.05), short * self.random.within(-0.10, 0.10));
            let (bark, shade) = (self.tone(hex), self.tone(hex).times(0.55));
            let ink = self.sidelight(x, w, bark.mix(self.film.light.sky[2], 0.2), shade);
            let middle = 0.5 * foot;
            Pen::at(x - 2.6 * w, foot + 0.02 * short)
                .cubic([x - 0.6 * w, foot - 0.03 * short], [x + bend - w, middle], x + 0.3 * bend - 0.8 * w, -9.0)
                .line(x + 0.3 * bend + 0.8 * w, -9.0)
                .cubic([x + bend + w, middle], [x + 0.6 * w, foot - 0.03 * short], x + 2.6 * w, foot + 0.02 * short)
                .close()
                .fill(self.c, &ink);
        }
        if leaves {
            let leaf = self.leaf(0x2f7f78);
            for x in self.along(2.4) {
                let size = short * self.random.within(0.32, 0.48);
                self.crown(x, -0.03 * short, size, leaf);
            }
        }
    }

    /// Soft lights that hang between the trees.
    fn lights_among_trees(&mut self, horizon: f32) {
        let short = self.film.short;
        for x in self.along(9.0) {
            let (y, r) = (horizon * self.random.within(0.25, 1.05), short * self.random.within(0.004, 0.008));
            let colour = Rgb::hex(self.random.one(&[0xfff3a8, 0xa8fff0, 0xffc8f0]));
            self.c.puff(x, y, 6.0 * r, 6.0 * r, colour, 0.5, Puff { add: true, firm: false });
            self.c.circle(x, y, r, &Ink::flat(colour.mix(Rgb::WHITE, 0.6), 1.0));
        }
    }

    fn eyes(&mut self, x: f32, y: f32, r: f32) {
        let shine = Rgb::hex(0xffd84a);
        for side in [-1.0, 1.0] {
            self.c.puff(x + 1.4 * side * r, y, 2.6 * r, 2.2 * r, shine, 0.35, Puff { add: true, firm: false });
            Pen::default().oval(x + 1.4 * side * r, y, 0.9 * r, 0.62 * r).fill(self.c, &Ink::flat(shine, 1.0));
        }
        Pen::default()
            .oval(x - 1.4 * r, y, 0.25 * r, 0.55 * r)
            .oval(x + 1.4 * r, y, 0.25 * r, 0.55 * r)
            .fill(self.c, &Ink::flat(Rgb::BLACK, 0.9));
    }

    /// A low bank of mist.
    pub(super) fn mist(&mut self, y: f32, colour: Rgb) {
        let short = self.film.short;
        for x in self.along(3.0) {
            let (rx, ry) = (short * self.random.within(0.3, 0.6), short * self.random.within(0.03, 0.06));
            let dy = short * self.random.within(-0.02, 0.02);
            self.c.puff(x, y + dy, rx, ry, colour.mix(Rgb::WHITE, 0.15), 0.5, Puff::default());
        }
    }

    /// Petals that have come down.
    pub(super) fn petals(&mut self) {
        let short = self.film.short;
        for hex in [0xffc9dd, 0xffa9c9, 0xffe3ee] {
            let mut specks = Pen::default();
            for x in self.along(14.0) {
                let near = self.random.within(0.03, 1.0);
                let (y, k) = (self.down(near), short * (0.003 + 0.007 * near));
                specks = specks.oval(x, y, k, 0.5 * k);
            }
            let ink = Ink::flat(self.film.light.lit(Rgb::hex(hex)), 0.95);
            specks.fill(self.c, &ink);
        }
    }
}
