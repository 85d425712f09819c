//! Where one is afraid at night: a haunted house and a graveyard.

use crate::canvas::{Ink, Rgb};
use crate::paint::scenery::{Layer, Layers};
use crate::paint::shape::Pen;

impl Layers<'_> {
    pub(super) fn haunted_house(&mut self) {
        let (unit, horizon) = (self.unit(), self.film.horizon);
        self.far_hills(0.06, 0.50, 0x5f6f8f, [0.02, 0.24]);
        self.behind(0.2, 0.22, 0.6, |l| l.bare_trees(horizon, [0.34 * unit, 0.52 * unit], 2.2));
        self.behind(0.32, 0.04, 1.5, |l| {
            let x = l.aside(0.46);
            let hill = l.soil(0x54705a);
            Pen::at(x - 1.6 * unit, horizon + 0.1 * unit)
                .cubic([x - 0.8 * unit, horizon + 0.02 * unit], [x - 0.7 * unit, horizon - 0.13 * unit], x, horizon - 0.13 * unit)
                .cubic(
                    [x + 0.7 * unit, horizon - 0.13 * unit],
                    [x + 0.8 * unit, horizon + 0.02 * unit],
                    x + 1.6 * unit,
                    horizon + 0.1 * unit,
                )
                .close()
                .fill(l.c, &Ink::flat(hill, 1.0));
            let high = (l.fit(1.3) - 0.10 * unit) / 1.3;
            l.old_mansion([x, horizon - 0.10 * unit], high);
        });
        self.grounds(0.7, |l| {
            l.grass(0x6f8f5c, 0x3f6a44, false);
            l.bare_trees_at(&[l.aside(-0.80)], l.down(0.06), 0.62 * unit);
            l.railing(l.down(0.09), 0.16 * unit, 0.055 * unit, 0x2b2b38);
            for share in [0.5, -0.4, 0.82] {
                l.tombstone([l.aside(share), l.down(0.17)], 0.14 * unit);
            }
            l.ground_mist();
        });
    }

    pub(super) fn graveyard(&mut self) {
        let (unit, horizon) = (self.unit(), self.film.horizon);
        self.far_hills(0.06, 0.55, 0x6f8f8f, [0.02, 0.20]);
        self.behind(0.18, 0.3, 0.9, |l| l.chapel([l.aside(0.56), horizon], 0.66 * unit));
        self.behind(0.3, 0.14, 0.7, |l| l.bare_trees(horizon + 0.01 * unit, [0.40 * unit, 0.60 * unit], 1.4));
        self.grounds(0.6, |l| {
            l.grass(0x86b06a, 0x4a8050, false);
            l.railing(l.down(0.03), 0.15 * unit, 0.05 * unit, 0x2f2f3a);
            for (row, (v, size)) in [(0.09, 0.15), (0.17, 0.19), (0.27, 0.24)].into_iter().enumerate() {
                let foot = l.down(v);
                for (_, x) in l.every(1.9 * size * unit, 0.33 * row as f32) {
                    if l.random.chance(0.8) {
                        l.tombstone([x, foot], size * unit);
                    }
                }
            }
            l.ground_mist();
        });
    }
}

impl Layer<'_> {
    fn bare_trees(&mut self, foot: f32, size: [f32; 2], density: f32) {
        for x in self.along(density) {
            let high = self.random.within(size[0], size[1]);
            self.bare_trees_at(&[x], foot, high);
        }
    }

    fn bare_trees_at(&mut self, xs: &[f32], foot: f32, high: f32) {
        let ink = Ink::flat(self.tone(0x3f3644), 1.0);
        for x in xs {
            let lean = self.random.within(-0.08, 0.08) * high;
            let (mut limbs, top) = (vec![([*x, foot], [x + lean, foot - 0.42 * high], 0.085 * high)], [x + lean, foot - 0.42 * high]);
            for k in 0..4 {
                let side = if k % 2 == 0 { -1.0 } else { 1.0 };
                let (dx, dy) = (side * self.random.within(0.14, 0.30) * high, self.random.within(0.16, 0.40) * high);
                let base = [top[0] - lean * 0.2 * k as f32, top[1] + 0.06 * high * (k / 2) as f32];
                let tip = [base[0] + dx, base[1] - dy];
                limbs.push((base, tip, 0.042 * high));
                for twig in 0..3 {
                    let t = 0.4 + 0.2 * twig as f32;
                    let from = [base[0] + dx * t, base[1] - dy * t];
                    let to = [from[0] + side * self.random.within(-0.04, 0.16) * high, from[1] - self.random.within(0.06, 0.16) * high];
                    limbs.push((from, to, 0.018 * high));
                }
            }
            for (from, to, wide) in limbs {
                Pen::at(from[0], from[1])
                    .quad([0.3 * from[0] + 0.7 * to[0], 0.6 * from[1] + 0.4 * to[1]], to[0], to[1])
                    .stroke(self.c, wide, &ink);
            }
        }
    }

    fn tombstone(&mut self, [x, foot]: [f32; 2], high: f32) {
        let hex = self.random.one(&[0xa3a7ae, 0x8f969e, 0xb3b2ad]);
        let (colour, lean) = (self.tone(hex), self.random.within(-0.08, 0.08) * high);
        let dark = colour.times(0.62);
        if self.random.chance(0.28) {
            for (wide, ink) in [(0.20, &colour), (0.0, &dark)] {
                if wide > 0.0 {
                    let ink = Ink::flat(*ink, 1.0);
                    Pen::at(x, foot).line(x + lean, foot - high).stroke(self.c, wide * high, &ink);
                    Pen::at(x + 0.7 * lean - 0.3 * high, foot - 0.68 * high).line(x + 0.7 * lean + 0.3 * high, foot - 0.68 * high).stroke(
                        self.c,
                        wide * high,
                        &ink,
                    );
                }
            }
        } else {
            let half = 0.36 * high;
            let ink = Ink::linear([x - half, 0.0], [x + half, 0.0], &[(colour.mix(Rgb::WHITE, 0.14), 1.0), (colour, 1.0), (dark, 1.0)]);
            Pen::at(x - half, foot)
                .line(x - half + lean, foot - 0.62 * high)
                .cubic([x - half + lean, foot - 1.08 * high], [x + half + lean, foot - 1.08 * high], x + half + lean, foot - 0.62 * high)
                .line(x + half, foot)
                .close()
                .fill(self.c, &ink);
            for (dy, wide) in [(0.66, 0.18), (0.52, 0.22), (0.40, 0.16)] {
                Pen::at(x + lean - wide * high, foot - dy * high).line(x + lean + wide * high, foot - dy * high).stroke(
                    self.c,
                    0.05 * high,
                    &Ink::flat(dark, 0.8),
                );
            }
        }
        self.snow_on(x - 0.26 * high + lean, x + 0.26 * high + lean, foot - 0.94 * high);
        let tuft = Ink::flat(self.soil(0x4f8a4a), 1.0);
        Pen::default().oval(x, foot, 0.5 * high, 0.09 * high).fill(self.c, &tuft);
    }

    fn chapel(&mut self, [x, foot]: [f32; 2], high: f32) {
        let (wall, roof) = (0x9d9aa5, if self.film.light.white { 0xeef4fa } else { 0x565468 });
        self.block([x - 0.34 * high, foot - 0.36 * high, x + 0.34 * high, foot + 0.04 * high], wall);
        self.shape(&[[x - 0.40 * high, foot - 0.35 * high], [x, foot - 0.66 * high], [x + 0.40 * high, foot - 0.35 * high]], roof);
        self.block([x - 0.09 * high, foot - 0.74 * high, x + 0.09 * high, foot - 0.3 * high], wall);
        self.shape(&[[x - 0.12 * high, foot - 0.73 * high], [x, foot - 1.04 * high], [x + 0.12 * high, foot - 0.73 * high]], roof);
        self.block([x - 0.07 * high, foot - 0.18 * high, x + 0.07 * high, foot + 0.04 * high], 0x4a3a3a);
        for side in [-0.2, 0.2] {
            self.pane([x + (side - 0.04) * high, foot - 0.26 * high, x + (side + 0.04) * high, foot - 0.10 * high]);
        }
    }

    /// A tall house with crooked roofs and lights that should not be there.
    fn old_mansion(&mut self, [x, foot]: [f32; 2], high: f32) {
        let (wall, roof, trim) = (0x5d5570, if self.film.light.white { 0xd9e2ee } else { 0x37314a }, 0x7d7390);
        let glow = Rgb::hex(0xf7c93f);
        let part = |l: &mut Self, [left, right]: [f32; 2], top: f32, tip: [f32; 2]| {
            l.block([x + left * high, foot - top * high, x + right * high, foot + 0.04 * high], wall);
            l.shape(
                &[
                    [x + (left - 0.05) * high, foot - (top - 0.01) * high],
                    [x + tip[0] * high, foot - tip[1] * high],
                    [x + (right + 0.05) * high, foot - (top - 0.01) * high],
                ],
                roof,
            );
        };
        part(self, [-0.44, -0.20], 0.46, [-0.33, 0.70]);
        part(self, [0.14, 0.42], 0.52, [0.30, 0.78]);
        part(self, [-0.22, 0.18], 0.66, [-0.01, 0.98]);
        part(self, [0.06, 0.19], 0.86, [0.14, 1.22]);
        self.bar([x + 0.14 * high, foot - 1.20 * high], [x + 0.14 * high, foot - 1.32 * high], 0.012 * high, 0x37314a);
        let windows = [[-0.33, 0.30], [0.28, 0.34], [-0.12, 0.48], [0.04, 0.48], [0.125, 0.74], [-0.02, 0.78], [0.28, 0.12]];
        for [u, v] in windows {
            let (wx, wy, w) = (x + u * high, foot - v * high, 0.036 * high);
            let outline = |grow: f32| {
                Pen::at(wx - grow * w, wy + grow * 1.5 * w)
                    .line(wx - grow * w, wy - 0.6 * w)
                    .quad([wx - 0.7 * grow * w, wy - 2.0 * grow * w], wx, wy - 2.2 * grow * w)
                    .quad([wx + 0.7 * grow * w, wy - 2.0 * grow * w], wx + grow * w, wy - 0.6 * w)
                    .line(wx + grow * w, wy + grow * 1.5 * w)
                    .close()
            };
            let frame = Ink::flat(self.tone(trim), 1.0);
            outline(1.3).fill(self.c, &frame);
            outline(1.0).fill(self.c, &Ink::flat(glow.times(if self.lit_up() { 1.0 } else { 0.85 }), 1.0));
            self.bar([wx, wy + 1.5 * w], [wx, wy - 2.1 * w], 0.3 * w, 0x37314a);
            self.bar([wx - w, wy], [wx + w, wy], 0.3 * w, 0x37314a);
            if self.lit_up() {
                self.glow(wx, wy, 3.4 * w, glow, 0.3);
            }
        }
        let door = Ink::flat(self.tone(0x2b2233), 1.0);
        let (half, top) = (0.065 * high, foot - 0.20 * high);
        Pen::at(x - 0.02 * high - half, foot + 0.04 * high)
            .line(x - 0.02 * high - half, top)
            .quad([x - 0.02 * high, top - 1.6 * half], x - 0.02 * high + half, top)
            .line(x - 0.02 * high + half, foot + 0.04 * high)
            .close()
            .fill(self.c, &door);
        let bats = Ink::flat(self.tone(0x241c30), 1.0);
        for [u, v, size] in [[-0.52, 0.92, 0.06], [0.52, 1.02, 0.05], [-0.30, 1.16, 0.04]] {
            let (bx, by, s) = (x + u * high, foot - v * high, size * high);
            Pen::at(bx, by)
                .quad([bx - 0.4 * s, by - 0.9 * s], bx - 1.2 * s, by - 0.5 * s)
                .quad([bx - 0.8 * s, by - 0.1 * s], bx - 0.6 * s, by + 0.2 * s)
                .quad([bx - 0.2 * s, by], bx, by + 0.4 * s)
                .quad([bx + 0.2 * s, by], bx + 0.6 * s, by + 0.2 * s)
                .quad([bx + 0.8 * s, by - 0.1 * s], bx + 1.2 * s, by - 0.5 * s)
                .quad([bx + 0.4 * s, by - 0.9 * s], bx, by)
                .close()
                .fill(self.c, &bats);
        }
    }

    /// Mist that lies on the ground.
    fn ground_mist(&mut self) {
        let (short, pale) = (self.film.short, self.film.light.haze.mix(Rgb::WHITE, 0.25));
        for x in self.along(3.0) {
            let v = self.random.within(0.02, 0.3);
            let y = self.down(v);
            let wide = short * self.random.within(0.2, 0.4);
            self.c.puff(x, y, wide, 0.10 * short, pale, 0.30, crate::canvas::Puff::default());
        }
    }
}
