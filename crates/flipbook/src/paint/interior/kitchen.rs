//! A kitchen: the cut-outs stand on its worktop.

use crate::canvas::{Area, Canvas, Ink, Rgb};
use crate::paint::film::Film;
use crate::paint::shape::{Pen, about, area};
use crate::random::Random;

const WALLS: [u32; 4] = [0xa6ccd4, 0xeeb9a0, 0xb4d0aa, 0xe6d09a];
const TILES: [u32; 4] = [0xd9eef0, 0xf9e2d4, 0xe0eed8, 0xf7ecd0];

impl Film {
    pub(super) fn kitchen(&self, c: &mut Canvas) {
        let which = (self.seed % 4) as usize;
        let (width, short, rise, horizon) = (self.width, self.short, self.rise(), self.horizon);
        let wall = self.wall(WALLS[which]);
        let hole = self.opening();
        let left = hole.x + hole.width / 2.0 < width / 2.0;
        let from = [hole.x + hole.width / 2.0, hole.y + hole.height];
        let dim = wall.mix(Rgb([0.25, 0.16, 0.22]), 0.22);
        c.rect(
            Area { bottom: horizon + 1.0, ..self.whole() },
            &Ink::radial(from, 1.1 * width.hypot(horizon), &[(0.0, wall.mix(Rgb::WHITE, 0.35), 1.0), (0.5, wall, 1.0), (1.0, dim, 1.0)]),
        );
        self.tiles(c, TILES[which]);
        self.paint_opening(c, hole);
        self.valance(c, [hole.x, hole.y], hole.width, 0xf2f0e6, [0xe5735f, 0x5f9fd0, 0xe0a040, 0x6fae6a][which]);
        let away = |share: f32| if left { width * (1.0 - share) } else { width * share };
        let span = 0.34 * short;
        let shelf = away(0.03) - if left { span } else { 0.0 };
        self.shelf(c, [shelf, horizon - 0.46 * rise], span, 5);
        if self.height > 1.15 * self.width {
            self.shelf(c, [shelf, horizon - 0.66 * rise], span, 9);
        }
        self.rail(c, [shelf, horizon - 0.30 * rise], span);
        for share in if width > 1.3 * short { [0.42, 0.58] } else { [0.5, 0.5] } {
            self.pendant(c, width * share, (0.62 * hole.y).max(0.09 * short), 0.13 * short, 0xe0624f);
        }
        self.worktop(c);
        if self.brief.slots.iter().any(|slot| slot.metres >= 0.6) {
            self.cupboards(c);
        }
        self.pot_plant(c, if left { 0.07 * width } else { 0.93 * width }, horizon + 0.03 * short, 0.19 * short);
        self.sunlight(c, hole);
    }

    /// A row of cupboards along the wall, for a kitchen that somebody stands in: doors, an oven, a sink, a kettle.
    fn cupboards(&self, c: &mut Canvas) {
        let (short, bottom) = (self.short, self.horizon + 0.012 * self.short);
        let (door, high) = (0.17 * short, 0.165 * short);
        let top = bottom - high;
        let hex = Random::of(self.seed, 66).one(&[0xdfe8e2, 0xe9ddcb, 0xc9dbe6, 0xe6d3d0]);
        let (body, steel, dark) = (self.wall(hex), self.wall(0xb9c1ca), self.wall(0x3d3f4c));
        c.rect(Area { top, bottom, ..self.whole() }, &Ink::flat(body.times(0.86), 1.0));
        c.rect(Area { top: bottom - 0.014 * short, bottom, ..self.whole() }, &Ink::flat(dark, 0.8));
        let count = (self.width / door).ceil() as usize + 1;
        for j in 0..count {
            let (x, y) = (door * j as f32 - 0.4 * door, top + 0.022 * short);
            let (wide, tall) = (door - 0.012 * short, high - 0.042 * short);
            if j % 5 == 3 {
                c.round_rect(area(x, y, wide, tall), 0.008 * short, &Ink::flat(steel, 1.0));
                c.round_rect(area(x + 0.14 * wide, y + 0.28 * tall, 0.72 * wide, 0.58 * tall), 0.008 * short, &Ink::flat(dark, 1.0));
                c.rect(area(x + 0.14 * wide, y + 0.13 * tall, 0.72 * wide, 0.06 * tall), &Ink::flat(dark, 0.8));
                self.kettle(c, x + 0.5 * wide, top);
            } else {
                c.round_rect(area(x, y, wide, tall), 0.008 * short, &Ink::flat(body, 1.0));
                c.round_rect(
                    area(x + 0.12 * wide, y + 0.14 * tall, 0.76 * wide, 0.72 * tall),
                    0.006 * short,
                    &Ink::flat(body.times(0.94), 1.0),
                );
                c.circle(x + wide * if j % 2 == 0 { 0.9 } else { 0.1 }, y + 0.5 * tall, 0.007 * short, &Ink::flat(steel.times(0.8), 1.0));
            }
            if j % 5 == 1 {
                let tap = x + 0.5 * wide;
                Pen::at(tap, top)
                    .line(tap, top - 0.05 * short)
                    .quad([tap, top - 0.075 * short], tap + 0.03 * short, top - 0.06 * short)
                    .stroke(c, 0.010 * short, &Ink::flat(steel, 1.0));
            }
        }
        let slab = self.wall(0x9a6a45);
        c.rect(Area { top: top - 0.004 * short, bottom: top + 0.016 * short, ..self.whole() }, &Ink::flat(slab, 1.0));
        c.rect(Area { top: top - 0.004 * short, bottom: top + 0.002 * short, ..self.whole() }, &Ink::flat(slab.mix(Rgb::WHITE, 0.35), 1.0));
    }

    fn kettle(&self, c: &mut Canvas, x: f32, foot: f32) {
        let (k, red) = (0.05 * self.short, self.wall(0xd9574a));
        c.oval(about(x, foot - 0.55 * k, 0.62 * k, 0.55 * k), &Ink::flat(red, 1.0));
        Pen::at(x + 0.4 * k, foot - 0.6 * k).line(x + 0.95 * k, foot - 1.0 * k).stroke(c, 0.2 * k, &Ink::flat(red, 1.0));
        Pen::at(x - 0.45 * k, foot - 0.95 * k).quad([x, foot - 1.9 * k], x + 0.45 * k, foot - 0.95 * k).stroke(
            c,
            0.12 * k,
            &Ink::flat(self.wall(0x3d3f4c), 1.0),
        );
    }

    pub(super) fn tiles(&self, c: &mut Canvas, hex: u32) {
        let (short, horizon) = (self.short, self.horizon);
        let tile = self.wall(hex);
        let (wide, high, gap) = (0.11 * short, 0.058 * short, 0.0035 * short);
        let mut shades = [Pen::default(), Pen::default(), Pen::default()];
        let mut random = Random::of(self.seed, 64);
        for row in 0..4 {
            let mut x = -9.0 - if row % 2 == 0 { 0.0 } else { wide / 2.0 };
            while x < self.width + 9.0 {
                let (y, pick) = (horizon - (row as f32 + 1.0) * high, random.below(3));
                shades[pick] = std::mem::take(&mut shades[pick]).rect(x + gap, y + gap, x + wide - gap, y + high - gap);
                x += wide;
            }
        }
        let grout = tile.mix(Rgb([0.45, 0.42, 0.45]), 0.30);
        c.rect(Area { top: horizon - 4.0 * high - gap, bottom: horizon, ..self.whole() }, &Ink::flat(grout, 1.0));
        for (pen, share) in shades.into_iter().zip([0.0, 0.18, 0.36]) {
            pen.fill(c, &Ink::flat(tile.mix(Rgb::WHITE, share), 1.0));
        }
        c.rect(
            Area { top: horizon - 4.2 * high, bottom: horizon - 4.0 * high, ..self.whole() },
            &Ink::flat(tile.mix(Rgb::WHITE, 0.5), 1.0),
        );
    }

    /// A short striped curtain over a window.
    fn valance(&self, c: &mut Canvas, [x, y]: [f32; 2], width: f32, light: u32, dark: u32) {
        let (stripes, high) = (9, 0.30 * width);
        let step = 1.16 * width / stripes as f32;
        for j in 0..stripes {
            let left = x - 0.08 * width + step * j as f32;
            let ink = Ink::flat(self.wall(if j % 2 == 0 { dark } else { light }), 1.0);
            Pen::at(left, y - 0.08 * width)
                .line(left + step + 0.4, y - 0.08 * width)
                .line(left + step + 0.4, y - 0.08 * width + 0.72 * high)
                .quad([left + 0.5 * step, y - 0.08 * width + 1.1 * high], left, y - 0.08 * width + 0.72 * high)
                .close()
                .fill(c, &ink);
        }
        c.rect(area(x - 0.10 * width, y - 0.10 * width, 1.20 * width, 0.04 * width), &Ink::flat(self.wall(0x8a6244), 1.0));
    }

    /// A board with jars, bowls and plates.
    fn shelf(&self, c: &mut Canvas, [x, y]: [f32; 2], width: f32, purpose: u64) {
        let short = self.short;
        let (wood, mut random) = (self.wall(0xb57d4e), Random::of(self.seed, 640 + purpose));
        let mut left = x + 0.05 * width;
        while left < x + 0.82 * width {
            let hex = random.one(&[0xe5735f, 0x5f9fd0, 0xf2c04f, 0x7fb86a, 0xf4efe4, 0xd99a6a]);
            let (colour, k) = (self.wall(hex), short * random.within(0.045, 0.060));
            match random.below(3) {
                0 => {
                    c.round_rect(area(left, y - 1.35 * k, k, 1.35 * k), 0.2 * k, &Ink::flat(self.wall(0xe6f2f5), 0.85));
                    c.rect(area(left + 0.08 * k, y - 0.9 * k, 0.84 * k, 0.85 * k), &Ink::flat(colour, 0.9));
                    c.rect(area(left + 0.06 * k, y - 1.5 * k, 0.88 * k, 0.24 * k), &Ink::flat(self.wall(0x9a6a42), 1.0));
                }
                1 => Pen::at(left, y - 0.62 * k)
                    .line(left + 1.25 * k, y - 0.62 * k)
                    .cubic([left + 1.2 * k, y - 0.1 * k], [left + 0.9 * k, y], left + 0.62 * k, y)
                    .cubic([left + 0.35 * k, y], [left + 0.05 * k, y - 0.1 * k], left, y - 0.62 * k)
                    .close()
                    .fill(c, &Ink::flat(colour, 1.0)),
                _ => {
                    c.round_rect(area(left, y - 0.85 * k, 0.8 * k, 0.85 * k), 0.14 * k, &Ink::flat(colour, 1.0));
                    Pen::default().circle(left + 0.88 * k, y - 0.45 * k, 0.22 * k).stroke(c, 0.11 * k, &Ink::flat(colour, 1.0));
                }
            }
            left += 1.55 * k;
        }
        c.rect(
            area(x, y, width, 0.020 * short),
            &Ink::linear([0.0, y], [0.0, y + 0.02 * short], &[(wood.mix(Rgb::WHITE, 0.2), 1.0), (wood.times(0.8), 1.0)]),
        );
        c.rect(area(x, y + 0.02 * short, width, 0.012 * short), &Ink::flat(Rgb([0.15, 0.10, 0.12]), 0.16));
    }

    /// A rail with spoons and pans.
    pub(super) fn rail(&self, c: &mut Canvas, [x, y]: [f32; 2], width: f32) {
        let short = self.short;
        let steel = self.wall(0x8f98a3);
        Pen::at(x + 0.04 * width, y).line(x + 0.96 * width, y).stroke(c, 0.007 * short, &Ink::flat(steel, 1.0));
        for (share, long, round) in [(0.14, 0.10, 0.020), (0.32, 0.09, 0.026), (0.52, 0.07, 0.045), (0.78, 0.06, 0.055)] {
            let (hx, tone) = (x + share * width, if round > 0.04 { self.wall(0x4a4f5a) } else { self.wall(0xa9744a) });
            Pen::at(hx, y).line(hx, y + long * short).stroke(c, 0.009 * short, &Ink::flat(tone, 1.0));
            c.oval(about(hx, y + (long + round) * short, 0.9 * round * short, round * short), &Ink::flat(tone, 1.0));
            c.oval(
                about(hx, y + (long + round) * short, 0.6 * round * short, 0.72 * round * short),
                &Ink::flat(tone.mix(Rgb::WHITE, 0.14), 1.0),
            );
        }
    }

    fn worktop(&self, c: &mut Canvas) {
        let (short, top, bottom) = (self.short, self.horizon, self.height);
        let (high, low) = (self.light.lit(Rgb::hex(0xe2ab74)), self.light.lit(Rgb::hex(0xb27a4b)));
        c.rect(Area { top, ..self.whole() }, &Ink::linear([0.0, top], [0.0, bottom], &[(high, 1.0), (low, 1.0)]));
        c.rect(Area { top, bottom: top + 0.009 * short, ..self.whole() }, &Ink::flat(high.mix(Rgb::WHITE, 0.5), 0.8));
        let mut random = Random::of(self.seed, 65);
        for share in [0.22, 0.50, 0.78] {
            let y = top + (bottom - top) * share;
            c.rect(Area { top: y, bottom: y + 0.003 * short, ..self.whole() }, &Ink::flat(Rgb([0.35, 0.2, 0.1]), 0.22));
        }
        let mut grain = Pen::default();
        for _ in 0..(26.0 * self.width / short) as usize {
            let (x, y, long) =
                (self.width * random.within(-0.1, 1.0), top + (bottom - top) * random.unit(), short * random.within(0.08, 0.32));
            grain = grain.to(x, y).quad([x + 0.5 * long, y + short * random.within(-0.006, 0.006)], x + long, y);
        }
        grain.stroke(c, 0.0028 * short, &Ink::flat(Rgb([0.35, 0.2, 0.1]), 0.16));
    }
}
