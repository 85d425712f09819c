//! Cellar, hall and cave: rooms of stone.

use crate::canvas::{Area, Canvas, Ink, Rgb};
use crate::paint::film::Film;
use crate::paint::shape::{Pen, about};
use crate::paint::things::Stamp;
use crate::random::Random;

impl Film {
    pub(super) fn cellar(&self, c: &mut Canvas) {
        let (short, width, horizon) = (self.short, self.width, self.horizon);
        self.stones(c, 0x8b8592);
        self.tiled_floor(c, 0x8f8a94, 0x7d7884);
        let iron = self.wall(0x3b3640);
        for share in [0.22, 0.78] {
            let (x, y) = (width * share, horizon - 0.42 * self.rise());
            Pen::at(x, y).line(x, y + 0.11 * short).stroke(c, 0.026 * short, &Ink::flat(iron, 1.0));
            self.lamp_light(c, x, y - 0.03 * short, 0.42 * short);
            self.stamp(c, "fire", Stamp::at(x, y + 0.012 * short, 0.10 * short));
        }
        let (x, y, r) = (width / 2.0, horizon - 0.52 * self.rise(), 0.09 * short);
        let bars = Pen::default().rect(x - r, y - 0.7 * r, x + r, y + 0.7 * r);
        bars.fill(c, &Ink::linear([0.0, y - r], [0.0, y + r], &self.light.sky.map(|colour| (colour, 1.0))));
        let bars = [-0.5, 0.0, 0.5].iter().fold(Pen::default(), |pen, at| pen.to(x + at * r, y - 0.7 * r).line(x + at * r, y + 0.7 * r));
        bars.stroke(c, 0.012 * short, &Ink::flat(iron, 1.0));
        let (foot, wood) = (horizon + 0.035 * short, self.wall(0x8e5f3a));
        for (share, size) in [(0.06, 0.22), (0.19, 0.17), (0.93, 0.20)] {
            let (x, half, high) = (width * share, 0.36 * size * short, size * short);
            let ink = Ink::linear([x - half, 0.0], [x + half, 0.0], &[(wood.times(0.7), 1.0), (wood, 1.0), (wood.times(0.65), 1.0)]);
            Pen::at(x - 0.8 * half, foot)
                .quad([x - 1.25 * half, foot - 0.5 * high], x - 0.8 * half, foot - high)
                .line(x + 0.8 * half, foot - high)
                .quad([x + 1.25 * half, foot - 0.5 * high], x + 0.8 * half, foot)
                .close()
                .fill(c, &ink);
            for at in [0.2, 0.8] {
                Pen::at(x - 0.98 * half, foot - at * high).line(x + 0.98 * half, foot - at * high).stroke(
                    c,
                    0.05 * high,
                    &Ink::flat(iron, 1.0),
                );
            }
        }
    }

    pub(super) fn hall(&self, c: &mut Canvas) {
        let (short, width, horizon, rise) = (self.short, self.width, self.horizon, self.rise());
        self.stones(c, 0xcbb99c);
        self.tiled_floor(c, 0xe6dcc8, 0xcbb693);
        let middle = width / 2.0;
        // Tall windows between columns, a red carpet, banners and a chandelier.
        let step = 0.36 * short;
        let count = (width / step) as i32 / 2 + 1;
        for j in -count..=count {
            let x = middle + (j as f32 + 0.5) * step;
            let (half, top, low) = (0.075 * short, horizon - 0.72 * rise, horizon - 0.22 * rise);
            let arch = Pen::at(x - half, low)
                .line(x - half, top)
                .cubic([x - half, top - 1.2 * half], [x + half, top - 1.2 * half], x + half, top)
                .line(x + half, low)
                .close();
            arch.fill(c, &Ink::linear([0.0, top - half], [0.0, low], &self.light.sky.map(|colour| (colour, 1.0))));
            let lead = Pen::at(x, top - 0.9 * half).line(x, low).to(x - half, (top + low) / 2.0).line(x + half, (top + low) / 2.0);
            lead.stroke(c, 0.007 * short, &Ink::flat(self.wall(0x6b5c4a), 1.0));
        }
        let (stone, edge) = (self.wall(0xe8dcc6), self.wall(0xa8946f));
        for j in -count..=count {
            let (x, half) = (middle + j as f32 * step, 0.032 * short);
            let ink = Ink::linear([x - half, 0.0], [x + half, 0.0], &[(stone.mix(Rgb::WHITE, 0.3), 1.0), (stone, 1.0), (edge, 1.0)]);
            Pen::default().rect(x - half, -9.0, x + half, horizon).fill(c, &ink);
            let feet = Pen::default().rect(x - 1.5 * half, horizon - 0.035 * short, x + 1.5 * half, horizon + 0.01 * short);
            feet.fill(c, &Ink::flat(stone, 1.0));
            if j.rem_euclid(2) == 1 {
                let (top, low) = (horizon - 0.80 * rise, horizon - 0.40 * rise);
                let cloth = self.wall([0xb23a48, 0x3f5fae, 0x6a3f8f, 0x2f7f5a][(self.seed % 4) as usize]);
                let w = 1.7 * half;
                let banner = [[x - w, top], [x + w, top], [x + w, low], [x, low - 0.9 * w], [x - w, low]];
                Pen::default().polygon(&banner).fill(c, &Ink::flat(cloth, 1.0));
                c.circle(x, top + 0.4 * (low - top), 0.5 * w, &Ink::flat(self.wall(0xf2c94c), 1.0));
            }
        }
        let depth = self.height - horizon + 9.0;
        let carpet = |far: f32, near: f32| {
            [[middle - far, horizon], [middle + far, horizon], [middle + near, horizon + depth], [middle - near, horizon + depth]]
        };
        Pen::default().polygon(&carpet(0.15 * short, 0.42 * short)).fill(c, &Ink::flat(self.light.lit(Rgb::hex(0xf0c24a)), 1.0));
        Pen::default().polygon(&carpet(0.135 * short, 0.385 * short)).fill(c, &Ink::flat(self.light.lit(Rgb::hex(0xb5303c)), 1.0));
        let (y, half, gold) = (0.20 * horizon, 0.15 * short, self.wall(0xd9a93f));
        Pen::at(middle, -9.0).line(middle, y).stroke(c, 0.008 * short, &Ink::flat(gold, 1.0));
        Pen::at(middle - half, y - 0.02 * short).quad([middle, y + 0.07 * short], middle + half, y - 0.02 * short).stroke(
            c,
            0.014 * short,
            &Ink::flat(gold, 1.0),
        );
        self.lamp_light(c, middle, y, 0.5 * short);
        for share in [-1.0f32, -0.5, 0.0, 0.5, 1.0] {
            let foot = y + 0.025 * short - 0.045 * short * share * share;
            self.stamp(c, "candle", Stamp::at(middle + share * half, foot, 0.07 * short));
        }
    }

    pub(super) fn cave(&self, c: &mut Canvas) {
        let (short, width, horizon) = (self.short, self.width, self.horizon);
        let rock = self.wall(0x6f6470);
        let (dark, pale) = (rock.times(0.55), rock.mix(Rgb::WHITE, 0.14));
        self.plain_wall(c, 0x6f6470);
        let floor = Ink::linear([0.0, horizon], [0.0, self.height], &[(dark, 1.0), (rock.times(0.9), 1.0)]);
        c.rect(Area { top: horizon, ..self.whole() }, &floor);
        // The way out: light, and hills far off.
        let left = self.layout.objects.first().is_some_and(|thing| thing.x > 0.5);
        let (x, half, high) = (width * if left { 0.24 } else { 0.76 }, 0.24 * short, (0.46 * short).min(0.62 * horizon));
        let mouth = |grow: f32| {
            let (half, high) = (half * grow, high * grow);
            Pen::at(x - half, horizon)
                .cubic([x - 1.1 * half, horizon - 0.7 * high], [x - 0.5 * half, horizon - 1.05 * high], x, horizon - high)
                .cubic([x + 0.6 * half, horizon - 0.95 * high], [x + 1.15 * half, horizon - 0.6 * high], x + half, horizon)
                .close()
        };
        mouth(1.12).fill(c, &Ink::flat(dark, 1.0));
        let sky = Ink::linear([0.0, horizon - high], [0.0, horizon], &self.light.sky.map(|colour| (colour, 1.0)));
        mouth(1.0).fill(c, &sky);
        if let Some(path) = mouth(1.0).path() {
            let hill = self.light.lit(self.leaf_or_snow(0x7cc25f));
            c.clipped(&path, |c| c.oval(about(x + 0.3 * half, horizon + 0.1 * high, 1.2 * half, 0.36 * high), &Ink::flat(hill, 1.0)));
        }
        if !self.light.dark {
            let shine = Ink::linear([0.0, horizon], [0.0, self.height], &[(Rgb([1.0, 0.95, 0.80]), 0.22), (Rgb([1.0, 0.95, 0.80]), 0.0)]);
            let lean = if left { 0.5 } else { -0.5 };
            let foot = self.height + 9.0;
            let lit = [[x - half, horizon], [x + half, horizon], [x + (1.5 + lean) * half, foot], [x - (1.5 - lean) * half, foot]];
            Pen::default().polygon(&lit).fill(c, &shine);
        }
        // Stones hang from above and lie on the floor.
        let mut random = Random::of(self.seed, 675);
        let mut at = -0.05 * short;
        while at < width + 0.05 * short {
            let (wide, long) = (short * random.within(0.05, 0.11), random.within(0.08, 0.26) * horizon);
            let ink = Ink::linear([at - wide, 0.0], [at + wide, 0.0], &[(pale, 1.0), (dark, 1.0)]);
            Pen::at(at - wide, -9.0)
                .quad([at - 0.2 * wide, 0.5 * long], at, long)
                .quad([at + 0.3 * wide, 0.5 * long], at + wide, -9.0)
                .close()
                .fill(c, &ink);
            at += wide * random.within(1.1, 1.9);
        }
        for _ in 0..9 {
            let (at, size) = (width * random.unit(), short * random.within(0.02, 0.06));
            let foot = horizon + (self.height - horizon) * random.within(0.02, 0.12);
            c.oval(
                about(at, foot, 1.5 * size, 0.8 * size),
                &Ink::linear([0.0, foot - size], [0.0, foot + size], &[(pale, 1.0), (dark, 1.0)]),
            );
        }
    }
}
