//! Under the earth: a cave of crystals, a burrow.

use crate::canvas::{Area, Canvas, Ink, Puff, Rgb};
use crate::paint::film::Film;
use crate::paint::shape::Pen;
use crate::random::Random;

impl Film {
    pub(super) fn crystal_cave(&self, c: &mut Canvas) {
        let (short, width, horizon, height) = (self.short, self.width, self.horizon, self.height);
        let [wall, deep, floor] = [0x3b2f63, 0x150f30, 0x4a3f7a].map(Rgb::hex);
        c.rect(Area { bottom: horizon + 1.0, ..self.whole() }, &Ink::linear([0.0, 0.0], [0.0, horizon], &[(deep, 1.0), (wall, 1.0)]));
        c.rect(Area { top: horizon, ..self.whole() }, &Ink::linear([0.0, horizon], [0.0, height], &[(floor, 1.0), (deep, 1.0)]));
        let light = Puff { add: true, firm: false };
        for (x, hex) in [(0.16, 0x8f5fff), (0.5, 0x3fb8ff), (0.86, 0xff5fd0)] {
            c.puff(x * width, 0.8 * horizon, 0.55 * short, 0.5 * short, Rgb::hex(hex), 0.42, light);
        }
        let mut random = Random::of(self.seed, 676);
        // From above and from both sides, then from the floor; the middle stays free.
        let mut at = -0.05 * short;
        while at < width + 0.1 * short {
            let (size, lean) = (random.within(0.10, 0.30) * horizon, random.within(-0.3, 0.3));
            self.shard(c, [at, -0.02 * short], size, lean, -1.0, self.crystal_colour(&mut random));
            at += short * random.within(0.08, 0.16);
        }
        for row in 0..3 {
            let foot = horizon + (height - horizon) * [0.02, 0.10, 0.30][row];
            let mut at = -0.05 * short;
            while at < width + 0.1 * short {
                let edge = ((at / width - 0.5).abs() * 2.0).min(1.0);
                let room = if row == 2 { edge.powi(4) } else { 0.35 + 0.65 * edge };
                let size = random.within(0.14, 0.34) * self.rise() * room;
                let (lean, colour) = (random.within(-0.35, 0.35), self.crystal_colour(&mut random));
                if size > 0.05 * short {
                    c.puff(at, foot - 0.5 * size, 0.5 * size, 0.7 * size, colour, 0.30, light);
                    for (shift, share) in [(-0.22, 0.62), (0.22, 0.54), (0.0, 1.0)] {
                        self.shard(c, [at + shift * size, foot], share * size, lean + shift, 1.0, colour);
                    }
                }
                at += short * random.within(0.12, 0.22);
            }
        }
        for _ in 0..26 {
            let (x, y, r) = (width * random.unit(), height * random.unit(), short * random.within(0.0015, 0.004));
            c.puff(x, y, 5.0 * r, 5.0 * r, Rgb::WHITE, 0.4, light);
            c.circle(x, y, r, &Ink::flat(Rgb::WHITE, 0.9));
        }
    }

    fn crystal_colour(&self, random: &mut Random) -> Rgb {
        Rgb::hex(random.one(&[0x9f6bff, 0x5fc8ff, 0xff7fd8, 0x6ff0e0]))
    }

    /// A pillar of crystal that stands (`up` 1) or hangs (-1), leaning by a share of its length.
    fn shard(&self, c: &mut Canvas, [x, y]: [f32; 2], size: f32, lean: f32, up: f32, colour: Rgb) {
        let w = 0.15 * size;
        let at = |side: f32, along: f32| [x + side * w + lean * size * along, y - up * size * along];
        let faces = [
            (colour.mix(Rgb::WHITE, 0.42), [at(-1.0, 0.0), at(-1.0, 0.74), at(0.0, 1.0), at(-0.15, 0.66), at(-0.15, 0.0)]),
            (colour.times(0.72), [at(-0.15, 0.0), at(-0.15, 0.66), at(0.0, 1.0), at(1.0, 0.70), at(1.0, 0.0)]),
        ];
        for (tone, points) in faces {
            let ink = Ink::linear([0.0, y - up * size], [0.0, y], &[(tone.mix(Rgb::WHITE, 0.25), 1.0), (tone.times(0.8), 1.0)]);
            Pen::default().polygon(&points).fill(c, &ink);
        }
        Pen::default().line_through(&[at(-0.62, 0.15), at(-0.62, 0.64)]).stroke(c, 0.022 * size, &Ink::flat(Rgb::WHITE, 0.7));
    }

    /// A warm hollow in the earth, roots above, the way out to one side.
    pub(super) fn burrow(&self, c: &mut Canvas) {
        let (short, width, horizon, height) = (self.short, self.width, self.horizon, self.height);
        let (earth, dark, pale) = (self.wall(0x7a5334), self.wall(0x3f2817), self.wall(0xa8784c));
        c.rect(self.whole(), &Ink::linear([0.0, 0.0], [0.0, height], &[(dark, 1.0), (dark.mix(earth, 0.4), 1.0)]));
        let middle = 0.5 * width;
        let hollow = |grow: f32| {
            let (half, top) = (0.47 * width * grow, horizon * (0.16 - 0.1 * (grow - 1.0)));
            Pen::at(middle - half, height + 9.0)
                .cubic([middle - 1.08 * half, 0.4 * horizon], [middle - 0.7 * half, top], middle, top)
                .cubic([middle + 0.7 * half, top], [middle + 1.08 * half, 0.4 * horizon], middle + half, height + 9.0)
                .close()
        };
        hollow(1.05).fill(c, &Ink::flat(dark.mix(earth, 0.75), 1.0));
        hollow(1.0).fill(
            c,
            &Ink::radial(
                [middle, 0.75 * horizon],
                0.62 * width.max(short),
                &[(0.0, pale, 1.0), (0.6, earth, 1.0), (1.0, dark.mix(earth, 0.6), 1.0)],
            ),
        );
        let left = self.layout.objects.first().is_some_and(|thing| thing.x > 0.5);
        let (x, y, r) = (width * if left { 0.22 } else { 0.78 }, 0.56 * horizon, 0.11 * short);
        c.circle(x, y, 1.25 * r, &Ink::flat(dark, 1.0));
        c.circle(x, y, r, &Ink::linear([0.0, y - r], [0.0, y + r], &self.light.sky.map(|colour| (colour, 1.0))));
        let grass = self.light.lit(self.leaf_or_snow(0x6fb84f));
        let tufts = (0..9).fold(Pen::default(), |pen, j| {
            let gx = x + r * (j as f32 / 4.0 - 1.0);
            pen.polygon(&[[gx - 0.12 * r, y + 1.1 * r], [gx + 0.05 * r, y + 0.45 * r], [gx + 0.14 * r, y + 1.1 * r]])
        });
        tufts.fill(c, &Ink::flat(grass, 1.0));
        let floor = Ink::linear([0.0, horizon], [0.0, height], &[(pale.times(0.9), 1.0), (earth.times(0.75), 1.0)]);
        Pen::at(-9.0, horizon + 0.03 * short)
            .quad([middle, horizon - 0.05 * short], width + 9.0, horizon + 0.03 * short)
            .line(width + 9.0, height + 9.0)
            .line(-9.0, height + 9.0)
            .close()
            .fill(c, &floor);
        let mut random = Random::of(self.seed, 677);
        let (mut roots, mut stones, mut straws) = (Pen::default(), Pen::default(), Pen::default());
        for _ in 0..(9.0 * width / short) as usize {
            let (rx, long, bend) = (width * random.unit(), horizon * random.within(0.12, 0.42), short * random.within(-0.10, 0.10));
            roots = roots.to(rx, -9.0).cubic([rx + bend, 0.3 * long], [rx - bend, 0.6 * long], rx + 0.6 * bend, long);
            let (sx, sy, k) = (width * random.unit(), horizon * random.unit(), short * random.within(0.008, 0.022));
            stones = stones.oval(sx, sy, 1.3 * k, k);
        }
        for _ in 0..(60.0 * width / short) as usize {
            let (sx, sy) = (width * random.unit(), horizon + (height - horizon) * random.within(0.05, 1.0));
            let (dx, dy) = (short * random.within(-0.05, 0.05), short * random.within(-0.012, 0.012));
            straws = straws.to(sx, sy).line(sx + dx, sy + dy);
        }
        stones.fill(c, &Ink::flat(self.wall(0x9a8672), 0.7));
        roots.stroke(c, 0.012 * short, &Ink::flat(self.wall(0xc79a68), 0.9));
        straws.stroke(c, 0.006 * short, &Ink::flat(self.wall(0xe8c878), 0.9));
    }
}
