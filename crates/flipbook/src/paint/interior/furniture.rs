//! Furniture and what hangs on walls. Foot or hook at (x, y), lengths in pixels.

use crate::canvas::{Canvas, Ink, Puff, Rgb};
use crate::paint::film::Film;
use crate::paint::shape::{Pen, about, area};
use crate::random::Random;

const WARM: Rgb = Rgb([1.0, 0.80, 0.45]);

impl Film {
    /// Two halves of a curtain beside a window of `width` x `height` at (x, y).
    pub(super) fn curtains(&self, c: &mut Canvas, [x, y]: [f32; 2], width: f32, height: f32, hex: u32) {
        let cloth = self.wall(hex);
        let (dark, bright) = (cloth.mix(Rgb([0.25, 0.10, 0.25]), 0.28), cloth.mix(Rgb::WHITE, 0.22));
        let rod = 0.012 * self.short;
        for side in [-1.0, 1.0] {
            let edge = x + width * (0.5 + 0.5 * side);
            let (outer, inner) = (edge + side * 0.26 * width, edge - side * 0.10 * width);
            let top = y - 0.09 * height;
            let (waist, foot) = (y + 0.70 * height, y + 1.22 * height);
            let pinch = edge + side * 0.12 * width;
            Pen::at(outer, top)
                .line(inner, top)
                .cubic([inner, y + 0.35 * height], [pinch - side * 0.06 * width, waist - 0.15 * height], pinch, waist)
                .quad([pinch - side * 0.06 * width, (waist + foot) / 2.0], pinch - side * 0.05 * width, foot)
                .line(outer, foot)
                .close()
                .fill(c, &Ink::linear([outer, 0.0], [inner, 0.0], &[(dark, 1.0), (cloth, 1.0), (bright, 1.0)]));
            let mut folds = Pen::default();
            for j in 1..4 {
                let share = j as f32 / 4.0;
                let fx = outer + (inner - outer) * share;
                folds = folds
                    .to(fx, top)
                    .quad([fx, waist - 0.2 * height], outer + (pinch - outer) * share, waist)
                    .line(outer + (pinch - side * 0.05 * width - outer) * share, foot);
            }
            folds.stroke(c, 0.006 * self.short, &Ink::flat(dark, 0.45));
            Pen::at(outer, waist).line(pinch, waist).stroke(c, 0.014 * self.short, &Ink::flat(dark, 1.0));
        }
        let wood = self.wall(0x8a6244);
        let (left, right) = (x - 0.32 * width, x + 1.32 * width);
        Pen::at(left, y - 0.10 * height).line(right, y - 0.10 * height).stroke(c, rod, &Ink::flat(wood, 1.0));
        Pen::default().circle(left, y - 0.10 * height, rod).circle(right, y - 0.10 * height, rod).fill(c, &Ink::flat(wood, 1.0));
    }

    /// A landscape in a frame, its middle at (x, y).
    pub(super) fn framed(&self, c: &mut Canvas, x: f32, y: f32, half: f32, which: usize) {
        let high = 0.74 * half;
        c.rect(about(x + 0.05 * half, y + 0.08 * half, half, high), &Ink::flat(Rgb([0.15, 0.10, 0.15]), 0.20));
        c.rect(about(x, y, half, high), &Ink::flat(self.wall(0xa36a3c), 1.0));
        c.rect(about(x, y, 0.88 * half, 0.84 * high), &Ink::flat(self.wall(0xfaf5ea), 1.0));
        let (hw, hh) = (0.76 * half, 0.68 * high);
        let (sky, sun, near, far) = match which % 3 {
            0 => (0x9bd4ee, 0xffd15a, 0x4f9e62, 0x7fc08a),
            1 => (0xf7c59a, 0xf0684f, 0x5a4a80, 0x8a6a9c),
            _ => (0xbfe3d8, 0xffe58a, 0x2f7fa8, 0x6fb3c9),
        };
        c.rect(about(x, y, hw, hh), &Ink::flat(self.wall(sky), 1.0));
        c.clipped_to(about(x, y, hw, hh), |c| {
            c.circle(x + 0.3 * hw, y - 0.3 * hh, 0.20 * hw, &Ink::flat(self.wall(sun), 1.0));
            c.circle(x + 0.5 * hw, y + 1.5 * hh, 1.2 * hh, &Ink::flat(self.wall(far), 1.0));
            c.circle(x - 0.5 * hw, y + 1.6 * hh, 1.3 * hh, &Ink::flat(self.wall(near), 1.0));
        });
    }

    /// A tall shelf of books that stands at (x, y).
    pub(super) fn bookshelf(&self, c: &mut Canvas, x: f32, y: f32, width: f32, height: f32) {
        let (wood, dark) = (self.wall(0xa9744a), self.wall(0x6d452c));
        let (half, board) = (width / 2.0, 0.03 * width.min(height));
        c.rect(area(x - half, y - height, width, height), &Ink::flat(dark, 1.0));
        let mut random = Random::of(self.seed, 63);
        let shelves = ((height / width) * 2.2).round().max(2.0) as usize;
        let step = (height - board) / shelves as f32;
        for shelf in 0..shelves {
            let foot = y - height + board + step * (shelf as f32 + 1.0) - board;
            let mut left = x - half + 2.0 * board;
            while left < x + half - 0.16 * width {
                let (thick, tall) = (width * random.within(0.045, 0.085), step * random.within(0.55, 0.82));
                let hex = random.one(&[0xd9534f, 0x4f8fd0, 0xe8b040, 0x5fae6a, 0x8a63c0, 0xf0e6d0, 0x3f5f80]);
                let cover = self.wall(hex);
                if random.chance(0.12) {
                    c.circle(left + 0.06 * width, foot - 0.06 * width, 0.06 * width, &Ink::flat(cover, 1.0));
                    left += 0.15 * width;
                    continue;
                }
                c.rect(
                    area(left, foot - tall, thick, tall),
                    &Ink::linear([left, 0.0], [left + thick, 0.0], &[(cover.mix(Rgb::WHITE, 0.15), 1.0), (cover.times(0.85), 1.0)]),
                );
                c.rect(area(left, foot - 0.80 * tall, thick, 0.05 * tall), &Ink::flat(cover.mix(Rgb::WHITE, 0.55), 0.8));
                left += thick + 0.008 * width;
            }
            c.rect(area(x - half, foot, width, board), &Ink::flat(wood, 1.0));
        }
        for edge in [x - half, x + half - board] {
            c.rect(area(edge, y - height, board, height), &Ink::flat(wood, 1.0));
        }
        c.rect(area(x - half - board, y - height - board, width + 2.0 * board, 1.6 * board), &Ink::flat(wood.mix(Rgb::WHITE, 0.12), 1.0));
    }

    /// A lamp that hangs from above the frame, its shade's lower edge at (x, y).
    pub(super) fn pendant(&self, c: &mut Canvas, x: f32, y: f32, size: f32, hex: u32) {
        let lit = self.light.dark || self.light.level < 0.8;
        let cord = self.wall(0x4a4048);
        let shade = if lit { Rgb::hex(hex).mix(WARM, 0.35) } else { self.wall(hex) };
        c.rect(area(x - 0.015 * size, -9.0, 0.03 * size, y - 0.5 * size + 9.0), &Ink::flat(cord, 1.0));
        if lit {
            self.lamp_light(c, x, y + 0.3 * size, 5.0 * size);
        }
        c.oval(about(x, y, 0.16 * size, 0.16 * size), &Ink::flat(if lit { Rgb([1.0, 0.96, 0.80]) } else { self.wall(0xfff6de) }, 1.0));
        let ink = Ink::linear(
            [x - 0.5 * size, 0.0],
            [x + 0.5 * size, 0.0],
            &[(shade.mix(Rgb::WHITE, 0.25), 1.0), (shade, 1.0), (shade.times(0.75), 1.0)],
        );
        Pen::at(x - 0.5 * size, y)
            .cubic([x - 0.42 * size, y - 0.5 * size], [x + 0.42 * size, y - 0.5 * size], x + 0.5 * size, y)
            .close()
            .fill(c, &ink);
    }

    /// A lamp on a pole that stands at (x, y).
    pub(super) fn floor_lamp(&self, c: &mut Canvas, x: f32, y: f32, height: f32) {
        let lit = self.light.dark || self.light.level < 0.8;
        let (iron, half) = (self.wall(0x5a4a44), 0.16 * height);
        let top = y - height;
        Pen::at(x, y - 0.02 * height).line(x, top + 0.2 * height).stroke(c, 0.022 * height, &Ink::flat(iron, 1.0));
        c.oval(about(x, y - 0.01 * height, 0.13 * height, 0.025 * height), &Ink::flat(iron, 1.0));
        let shade = if lit { Rgb([1.0, 0.88, 0.60]) } else { self.wall(0xf3e3c3) };
        if lit {
            self.lamp_light(c, x, top + 0.14 * height, 0.85 * height);
        }
        let ink = Ink::linear([0.0, top], [0.0, top + 0.25 * height], &[(shade, 1.0), (shade.mix(Rgb([0.9, 0.6, 0.35]), 0.3), 1.0)]);
        Pen::default()
            .polygon(&[[x - 0.55 * half, top], [x + 0.55 * half, top], [x + half, top + 0.25 * height], [x - half, top + 0.25 * height]])
            .fill(c, &ink);
    }

    pub(super) fn lamp_light(&self, c: &mut Canvas, x: f32, y: f32, radius: f32) {
        let strength = if self.light.dark { 0.36 } else { 0.14 };
        c.puff(x, y, radius, radius, WARM, strength, Puff { add: true, firm: false });
    }

    /// A plant in a pot that stands at (x, y).
    pub(super) fn pot_plant(&self, c: &mut Canvas, x: f32, y: f32, size: f32) {
        let (pot, dark) = (self.wall(0xd9864f), self.wall(0xa85f35));
        let leaf = [self.wall(0x3f8f4a), self.wall(0x57ad55), self.wall(0x7cc76a)];
        c.oval(about(x, y, 0.24 * size, 0.03 * size), &Ink::flat(Rgb([0.1, 0.06, 0.1]), 0.25));
        for (index, (lean, high)) in
            [(-0.42, 0.72), (0.42, 0.74), (-0.24, 0.92), (0.26, 0.90), (0.0, 1.0), (-0.34, 0.50), (0.35, 0.52)].into_iter().enumerate()
        {
            let (tx, ty, foot) = (x + lean * size, y - high * size, y - 0.30 * size);
            let wide = 0.11 * size;
            let ink = Ink::flat(leaf[index % 3], 1.0);
            Pen::at(x, foot)
                .cubic([x + 0.3 * lean * size - wide, foot - 0.4 * (foot - ty)], [tx - wide, ty + 0.15 * size], tx, ty)
                .cubic([tx + wide, ty + 0.20 * size], [x + 0.5 * lean * size + wide, foot - 0.3 * (foot - ty)], x, foot)
                .close()
                .fill(c, &ink);
        }
        let ink = Ink::linear([x - 0.2 * size, 0.0], [x + 0.2 * size, 0.0], &[(pot.mix(Rgb::WHITE, 0.12), 1.0), (dark, 1.0)]);
        Pen::default()
            .polygon(&[[x - 0.19 * size, y - 0.30 * size], [x + 0.19 * size, y - 0.30 * size], [x + 0.14 * size, y], [x - 0.14 * size, y]])
            .fill(c, &ink);
        c.round_rect(area(x - 0.215 * size, y - 0.34 * size, 0.43 * size, 0.075 * size), 0.02 * size, &Ink::flat(pot, 1.0));
    }

    /// A sofa that stands at (x, y).
    pub(super) fn sofa(&self, c: &mut Canvas, x: f32, y: f32, width: f32, hex: u32) {
        let cloth = self.wall(hex);
        let (dark, bright) = (cloth.times(0.78), cloth.mix(Rgb::WHITE, 0.16));
        let h = 0.40 * width;
        c.oval(about(x, y, 0.52 * width, 0.03 * width), &Ink::flat(Rgb([0.1, 0.06, 0.1]), 0.28));
        Pen::default()
            .rect(x - 0.40 * width, y - 0.07 * width, x - 0.36 * width, y)
            .rect(x + 0.36 * width, y - 0.07 * width, x + 0.40 * width, y)
            .fill(c, &Ink::flat(self.wall(0x5a3d2c), 1.0));
        c.round_rect(
            area(x - 0.44 * width, y - h, 0.88 * width, 0.8 * h),
            0.06 * width,
            &Ink::linear([0.0, y - h], [0.0, y], &[(bright, 1.0), (dark, 1.0)]),
        );
        for left in [x - 0.40 * width, x + 0.01 * width] {
            c.round_rect(area(left, y - 0.54 * h, 0.39 * width, 0.24 * h), 0.03 * width, &Ink::flat(bright, 1.0));
        }
        c.rect(area(x - 0.42 * width, y - 0.34 * h, 0.84 * width, 0.20 * h), &Ink::flat(dark, 1.0));
        for left in [x - 0.50 * width, x + 0.38 * width] {
            c.round_rect(
                area(left, y - 0.70 * h, 0.12 * width, 0.58 * h),
                0.05 * width,
                &Ink::linear([0.0, y - 0.7 * h], [0.0, y], &[(cloth, 1.0), (dark, 1.0)]),
            );
        }
        let pillow = self.wall(0xf2c04f);
        Pen::default()
            .polygon(&[
                [x - 0.34 * width, y - 0.80 * h],
                [x - 0.18 * width, y - 0.84 * h],
                [x - 0.15 * width, y - 0.48 * h],
                [x - 0.32 * width, y - 0.46 * h],
            ])
            .fill(c, &Ink::flat(pillow, 1.0));
    }
}
