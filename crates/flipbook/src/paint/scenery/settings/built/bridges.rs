//! On bridges and in a tunnel.

use super::parts::LAMPLIGHT;
use super::travel::has_train;
use crate::canvas::{Ink, Rgb};
use crate::paint::scenery::Layers;
use crate::paint::scenery::plants::Tree;
use crate::paint::shape::{Pen, area};

impl Layers<'_> {
    pub(super) fn bridge(&mut self) {
        let (unit, horizon, short) = (self.unit(), self.film.horizon, self.film.short);
        // The river is seen over the parapet: its far bank lies higher than the way.
        let far = 0.14 * unit;
        self.far_hills(0.05, 0.62, 0x6f9fae, [-0.10, 0.34]);
        self.far_hills(0.11, 0.38, 0x74b07c, [-0.10, 0.18]);
        self.tree_line(0.2, 0.22, self.leafy(&[Tree::Round, Tree::Fir]), 6.0, 0.17, -far / short);
        self.add(0.34, 0.03, [horizon - far - 4.0, horizon + 0.2 * short], |l| {
            l.basin([horizon - far, l.bottom], 0x2f8f9c, 0x8fd0d0);
            let bank = l.soil(0x86c25a);
            Pen::default().rect(l.a, horizon - far - 3.0, l.b, horizon - far + 0.012 * short).fill(l.c, &Ink::flat(bank, 1.0));
        });
        self.grounds(0.62, |l| {
            let (top, low, high) = (l.down(0.24), l.down(0.76), 0.13 * unit);
            l.basin([low, l.bottom + 2.0], 0x226f7c, 0x4fa3a8);
            l.arches([low, l.bottom + 0.4 * unit], 0.62 * unit);
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
                    .cubic(
                        [x - grow * half, horizon - 1.15 * grow * high],
                        [x + grow * half, horizon - 1.15 * grow * high],
                        x + grow * half,
                        horizon - 0.5 * high,
                    )
                    .line(x + grow * half, horizon + 0.1 * unit)
                    .close()
                    .fill(l.c, &Ink::flat(colour, 1.0));
            }
            for (_, lx) in l.every(0.62 * unit, 0.5) {
                let y = horizon - 0.92 * l.fit(0.66);
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
}
