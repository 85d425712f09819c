//! What stands in streets and on squares: huts and crates, shelter, fountain, water tank, upright signs.

use crate::canvas::{Ink, Rgb};
use crate::paint::scenery::Layer;
use crate::paint::shape::{Pen, area};

const WARES: [&str; 6] = ["pretzel", "candle", "wrapped-gift", "hot-beverage", "teddy-bear", "bell"];

impl Layer<'_> {
    pub(in crate::paint::scenery::settings::built) fn crate_of(&mut self, name: &str, [x, foot]: [f32; 2], size: f32) {
        for dx in [-0.32, 0.0, 0.32] {
            self.put(name, [x + dx * size, foot - 0.42 * size], 0.46 * size);
        }
        self.block([x - 0.6 * size, foot - 0.5 * size, x + 0.6 * size, foot], 0xc99a62);
        for dy in [0.18, 0.36] {
            self.bar([x - 0.6 * size, foot - dy * size], [x + 0.6 * size, foot - dy * size], 0.04 * size, 0x8f6839);
        }
    }

    /// A wooden hut of a winter market.
    pub(in crate::paint::scenery::settings::built) fn hut(&mut self, [x, foot]: [f32; 2], size: f32, number: i32) {
        let half = 0.60 * size;
        self.block([x - half, foot - 0.78 * size, x + half, foot], 0x8a5a38);
        self.block(
            [x - 0.86 * half, foot - 0.70 * size, x + 0.86 * half, foot - 0.34 * size],
            if self.lit_up() { 0xe0a050 } else { 0x5a3f30 },
        );
        if self.lit_up() {
            self.glow(x, foot - 0.5 * size, 0.8 * size, super::LAMPLIGHT, 0.5);
        }
        for j in 0..4 {
            let name = WARES[(j + number.unsigned_abs() as usize) % WARES.len()];
            self.put(name, [x + half * (-0.66 + 0.44 * j as f32), foot - 0.33 * size], 0.22 * size);
        }
        self.block([x - 1.06 * half, foot - 0.36 * size, x + 1.06 * half, foot - 0.29 * size], 0xc98f5a);
        let tiles = if self.film.light.white { 0xf6fafd } else { 0xb0413a };
        self.shape(&[[x - 1.3 * half, foot - 0.74 * size], [x, foot - 1.22 * size], [x + 1.3 * half, foot - 0.74 * size]], tiles);
        for j in 0..=8 {
            let t = j as f32 / 4.0 - 1.0;
            let y = foot - (1.20 - 0.46 * t.abs()) * size;
            self.bulb([x + 1.28 * half * t, y + 0.02 * size], 0.026 * size, [0xffd36a, 0xff5a4a, 0x5fd36a][j % 3]);
        }
    }

    pub(in crate::paint::scenery::settings::built) fn village_church(&mut self, [x, foot]: [f32; 2], high: f32) {
        let (w, roof) = (0.11 * high, if self.film.light.white { 0xf4f8fc } else { 0x8a5a50 });
        self.block([x, foot - 0.34 * high, x + 5.0 * w, foot], 0xf3ead8);
        self.shape(
            &[
                [x, foot - 0.33 * high],
                [x + 0.5 * w, foot - 0.54 * high],
                [x + 4.6 * w, foot - 0.54 * high],
                [x + 5.2 * w, foot - 0.33 * high],
            ],
            roof,
        );
        for j in 0..3 {
            let wx = x + w * (1.9 + 1.1 * j as f32);
            self.pane([wx - 0.2 * w, foot - 0.26 * high, wx + 0.2 * w, foot - 0.10 * high]);
        }
        self.block([x - w, foot - 0.66 * high, x + w, foot], 0xf9f2e3);
        self.shape(&[[x - 1.15 * w, foot - 0.65 * high], [x, foot - 0.98 * high], [x + 1.15 * w, foot - 0.65 * high]], roof);
        self.bar([x, foot - 0.98 * high], [x, foot - 1.06 * high], 0.010 * high, 0xe0b040);
        self.bar([x - 0.025 * high, foot - 1.035 * high], [x + 0.025 * high, foot - 1.035 * high], 0.010 * high, 0xe0b040);
        self.oval([x, foot - 0.54 * high], 0.5 * w, 0.5 * w, 0x5a6070);
        self.block([x - 0.4 * w, foot - 0.18 * high, x + 0.4 * w, foot], 0x8a5a3c);
    }

    /// A shelter of glass with a bench.
    pub(in crate::paint::scenery::settings::built) fn shelter(&mut self, [x, foot]: [f32; 2], high: f32) {
        let (half, top) = (0.72 * high, foot - high);
        let glass = Ink::flat(self.tone(0xa9d3e6), 0.45);
        self.c.rect(area(x - half, top, 2.0 * half, 0.9 * high), &glass);
        for share in [-1.0, -0.33, 0.33, 1.0] {
            self.bar([x + share * half, top], [x + share * half, foot], 0.035 * high, 0x4d5763);
        }
        self.block([x - 1.14 * half, top - 0.07 * high, x + 1.14 * half, top + 0.03 * high], 0x2b6fd0);
        self.snow_on(x - 1.14 * half, x + 1.14 * half, top - 0.07 * high);
        self.block([x - 0.8 * half, foot - 0.30 * high, x + 0.25 * half, foot - 0.24 * high], 0xb5763f);
        for leg in [-0.7, 0.15] {
            self.bar([x + leg * half, foot - 0.25 * high], [x + leg * half, foot], 0.03 * high, 0x4d5763);
        }
        self.block([x + 0.44 * half, top + 0.16 * high, x + 0.90 * half, foot - 0.14 * high], 0xf7f3e8);
        self.block([x + 0.49 * half, top + 0.22 * high, x + 0.85 * half, foot - 0.34 * high], 0xf08a5a);
        self.bulb([x, top + 0.05 * high], 0.022 * high, 0xfff0c0);
    }

    /// A bus as signs show it.
    pub(in crate::paint::scenery::settings::built) fn little_bus(&mut self, [x, y, half]: [f32; 3]) {
        let white = Ink::flat(self.tone(0xffffff), 1.0);
        self.c.round_rect(area(x - 0.62 * half, y - 0.5 * half, 1.24 * half, 0.86 * half), 0.16 * half, &white);
        self.block([x - 0.48 * half, y - 0.36 * half, x + 0.48 * half, y - 0.02 * half], 0x2b6fd0);
        for side in [-0.34, 0.34] {
            self.oval([x + side * half, y + 0.40 * half], 0.17 * half, 0.17 * half, 0xffffff);
        }
    }

    pub(in crate::paint::scenery::settings::built) fn water_tank(&mut self, [x, foot]: [f32; 2], high: f32) {
        for dx in [-0.22, 0.0, 0.22] {
            self.bar([x + dx * high, foot], [x + 0.8 * dx * high, foot - 0.42 * high], 0.03 * high, 0x4d4038);
        }
        self.bar([x - 0.2 * high, foot - 0.1 * high], [x + 0.2 * high, foot - 0.36 * high], 0.018 * high, 0x4d4038);
        let (wood, half) = (self.tone(0xa9744a), 0.27 * high);
        let ink = Ink::linear([x - half, 0.0], [x + half, 0.0], &[(wood.mix(Rgb::WHITE, 0.16), 1.0), (wood, 1.0), (wood.times(0.68), 1.0)]);
        self.c.rect(area(x - half, foot - 0.86 * high, 2.0 * half, 0.46 * high), &ink);
        for dy in [0.48, 0.62, 0.76] {
            self.bar([x - half, foot - dy * high], [x + half, foot - dy * high], 0.014 * high, 0x5a4030);
        }
        self.shape(&[[x - 1.12 * half, foot - 0.84 * high], [x, foot - 1.06 * high], [x + 1.12 * half, foot - 0.84 * high]], 0x6d5348);
    }

    pub(in crate::paint::scenery::settings::built) fn air_conditioner(&mut self, [x, foot]: [f32; 2], size: f32) {
        self.block([x - 0.55 * size, foot - 0.8 * size, x + 0.55 * size, foot], 0x8d99a6);
        self.oval([x, foot - 0.42 * size], 0.30 * size, 0.30 * size, 0x5d6672);
        for turn in 0..3 {
            let (sin, cos) = (turn as f32 * 1.05).sin_cos();
            self.bar(
                [x - 0.26 * size * cos, foot - 0.42 * size - 0.26 * size * sin],
                [x + 0.26 * size * cos, foot - 0.42 * size + 0.26 * size * sin],
                0.05 * size,
                0xb4bcc6,
            );
        }
        self.snow_on(x - 0.55 * size, x + 0.55 * size, foot - 0.8 * size);
    }

    pub(in crate::paint::scenery::settings::built) fn fountain(&mut self, [x, foot]: [f32; 2], high: f32) {
        let stone = 0xd3cbc0;
        self.oval([x, foot], 0.86 * high, 0.15 * high, 0xa89e92);
        self.oval([x, foot - 0.05 * high], 0.86 * high, 0.15 * high, stone);
        self.oval([x, foot - 0.06 * high], 0.76 * high, 0.11 * high, 0x5fb4d6);
        self.block([x - 0.07 * high, foot - 0.56 * high, x + 0.07 * high, foot - 0.04 * high], stone);
        let water = Ink::flat(self.film.light.lit(Rgb::hex(0xdff3fb)), 0.85);
        let mut jets = Pen::default();
        for reach in [-0.56, -0.36, -0.18, 0.18, 0.36, 0.56] {
            let top = 1.10 - 0.5 * f32::abs(reach);
            jets = jets.to(x, foot - 0.86 * high).cubic(
                [x + 0.3 * reach * high, foot - top * high],
                [x + 0.9 * reach * high, foot - 0.9 * top * high],
                x + reach * high,
                foot - 0.08 * high,
            );
        }
        jets.stroke(self.c, 0.022 * high, &water);
        self.oval([x, foot - 0.56 * high], 0.34 * high, 0.07 * high, stone);
        self.oval([x, foot - 0.575 * high], 0.29 * high, 0.045 * high, 0x7cc6e2);
        let rise = Ink::flat(self.film.light.lit(Rgb::hex(0xeaf8fd)), 0.9);
        Pen::at(x, foot - 0.58 * high).line(x, foot - 0.98 * high).stroke(self.c, 0.04 * high, &rise);
    }

    /// A container for rubbish.
    pub(in crate::paint::scenery::settings::built) fn skip(&mut self, [x, foot]: [f32; 2], size: f32) {
        self.shape(
            &[
                [x - 0.62 * size, foot - 0.62 * size],
                [x + 0.62 * size, foot - 0.62 * size],
                [x + 0.54 * size, foot - 0.04 * size],
                [x - 0.54 * size, foot - 0.04 * size],
            ],
            0x3f7a5a,
        );
        self.shape(
            &[
                [x - 0.68 * size, foot - 0.62 * size],
                [x - 0.6 * size, foot - 0.76 * size],
                [x + 0.6 * size, foot - 0.76 * size],
                [x + 0.68 * size, foot - 0.62 * size],
            ],
            0x2f5f48,
        );
        for j in -1..=1 {
            let bx = x + 0.32 * size * j as f32;
            self.bar([bx, foot - 0.6 * size], [bx, foot - 0.08 * size], 0.03 * size, 0x2f5f48);
        }
    }

    /// A sign of neon that hangs upright.
    pub(in crate::paint::scenery::settings::built) fn upright_sign(&mut self, [x, y]: [f32; 2], high: f32, colour: Rgb) {
        let half = 0.16 * high;
        let back = Ink::flat(Rgb([0.10, 0.08, 0.18]), 1.0);
        self.c.round_rect(area(x - half, y - 0.5 * high, 2.0 * half, high), 0.4 * half, &back);
        self.glow(x, y, 0.9 * high, colour, 0.32);
        let frame = Pen::default().rect(x - 0.8 * half, y - 0.46 * high, x + 0.8 * half, y + 0.46 * high);
        frame.stroke(self.c, 0.03 * high, &Ink::flat(colour.mix(Rgb::WHITE, 0.3), 1.0));
        for j in 0..3 {
            let cy = y + high * (-0.29 + 0.29 * j as f32);
            let r = 0.42 * half;
            let mark = match self.random.below(4) {
                0 => Pen::default().circle(x, cy, r),
                1 => Pen::at(x - r, cy - r).line(x + r, cy - r).to(x, cy - r).line(x, cy + r).to(x - r, cy + r).line(x + r, cy + r),
                2 => {
                    Pen::at(x - r, cy + r).line(x, cy - r).line(x + r, cy + r).to(x - 0.5 * r, cy + 0.2 * r).line(x + 0.5 * r, cy + 0.2 * r)
                }
                _ => Pen::default().rect(x - r, cy - r, x + r, cy + r).to(x - r, cy).line(x + r, cy),
            };
            mark.stroke(self.c, 0.028 * high, &Ink::flat(colour.mix(Rgb::WHITE, 0.65), 1.0));
        }
    }
}
