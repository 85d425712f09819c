//! City, street and park.

use super::plants::Tree;
use super::{Layer, Layers};
use crate::canvas::{Ink, Rgb};
use crate::codes::Hour;
use crate::paint::shape::{Pen, area};

const WALLS: [u32; 6] = [0x8fa3c8, 0xa9b4d0, 0xc7b3b8, 0x7f93b5, 0xb8a08f, 0x93aeb5];
const BRICKS: [u32; 6] = [0xa27a9a, 0xb98a6e, 0x6f8fb0, 0x8ea183, 0xb07d86, 0xc7a874];
const NEON: [[f32; 3]; 6] = [[1.0, 0.2, 0.55], [0.2, 0.9, 1.0], [1.0, 0.8, 0.2], [0.6, 0.35, 1.0], [0.3, 1.0, 0.55], [1.0, 0.4, 0.2]];

/// A row of towers.
struct Towers {
    /// Pixels: where they stand and how high the highest is.
    foot: f32,
    height: f32,
    /// Share of windows with a light in them.
    lights: f32,
    /// Pixels from window to window.
    window: f32,
}

impl Layers<'_> {
    pub(super) fn towers(&mut self, parallax: f32, haze: f32, height: f32, lights: f32, window: f32, drop: f32) {
        let (rise, horizon, short) = (self.film.rise(), self.film.horizon, self.film.short);
        let towers = Towers { foot: horizon + drop * short, height: height * rise, lights, window: window * short };
        self.add(parallax, haze, [towers.foot - 1.28 * towers.height, horizon + 0.05 * short], |l| l.town(&towers));
    }

    pub(super) fn city(&mut self) {
        let lights = self.film.lights_on();
        self.towers(0.03, 0.74, 0.62, lights * 0.5, 0.013, 0.0);
        self.towers(0.07, 0.52, 0.50, lights * 0.8, 0.015, 0.0);
        self.towers(0.13, 0.30, 0.39, lights, 0.017, 0.0);
        self.towers(0.24, 0.08, 0.27, lights, 0.021, 0.01);
        self.tree_line(0.42, 0.05, self.leafy(&[Tree::Round]), 3.0, 0.11, 0.015);
        self.floor(|l| l.pavement());
        self.lamps(0.95);
    }

    pub(super) fn street(&mut self) {
        let lights = self.film.lights_on();
        self.towers(0.06, 0.62, 0.86, lights * 0.7, 0.015, 0.0);
        self.towers(0.12, 0.36, 0.66, lights, 0.018, 0.0);
        let (rise, horizon, short) = (self.film.rise(), self.film.horizon, self.film.short);
        let mut signs = Vec::new();
        self.add(0.50, 0.0, [horizon - 0.74 * rise, horizon + 0.03 * short], |l| signs = l.shops());
        self.neons = signs;
        let neons = self.neons.clone();
        self.floor(|l| {
            l.pavement();
            l.reflections(&neons);
        });
        self.lamps(0.62);
    }

    pub(super) fn park(&mut self) {
        let lights = self.film.lights_on();
        self.towers(0.04, 0.74, 0.36, lights * 0.7, 0.014, 0.0);
        self.tree_line(0.14, 0.40, self.leafy(&[Tree::Round]), 6.0, 0.27, 0.0);
        self.tree_line(0.26, 0.20, self.leafy(&[Tree::Round, Tree::Round, Tree::Poplar]), 2.6, 0.42, 0.02);
        self.hedge();
        let (horizon, short) = (self.film.horizon, self.film.short);
        self.tree_line(0.46, 0.04, self.leafy(&[Tree::Round]), 1.0, 0.56, 0.045);
        self.floor(|l| {
            l.grass(0x94d860, 0x5cb548, true);
            l.footpath();
        });
        let foot = horizon + 0.10 * (self.film.height - horizon);
        self.add(0.72, 0.0, [foot - 0.14 * short, foot + 0.03 * short], |l| {
            for x in l.along(0.7) {
                l.bench(x, foot, 0.085 * short);
            }
        });
        self.lamps(0.9);
    }

    /// Lamps along the ground, every `step` short sides.
    pub(super) fn lamps(&mut self, step: f32) {
        let (horizon, short) = (self.film.horizon, self.film.short);
        let foot = horizon + 0.06 * (self.film.height - horizon);
        let high = 0.34 * self.film.rise().min(1.25 * short);
        self.add(0.72, 0.0, [foot - 1.6 * high, foot + 0.10 * short], |l| {
            let step = step * short;
            let mut x = (l.a / step).floor() * step + 0.23 * step;
            while x < l.b {
                l.lamp(x, foot, high);
                x += step;
            }
        });
    }
}

impl Layer<'_> {
    fn window_colour(&mut self) -> Rgb {
        Rgb(self.random.one(&[[1.0, 0.87, 0.5], [1.0, 0.93, 0.7], [1.0, 0.78, 0.42], [0.8, 0.92, 1.0]]))
    }

    fn town(&mut self, towers: &Towers) {
        let short = self.film.short;
        let mut x = self.a;
        while x < self.b {
            let width = short * self.random.within(0.075, 0.155);
            let height = towers.height * self.random.within(0.42, 1.0);
            self.tower(towers, x, width, height);
            x += width + short * self.random.within(-0.012, 0.018);
        }
    }

    fn tower(&mut self, towers: &Towers, x: f32, width: f32, height: f32) {
        let hex = self.random.one(&WALLS);
        let side = self.film.sun_side();
        let wall = self.tone(hex);
        let (lit, dark) = (wall.mix(self.far(self.film.light.sun), 0.14), wall.mix(self.far(Rgb([0.08, 0.10, 0.28])), 0.22));
        let (from, to) = if side < 0.0 { (x, x + width) } else { (x + width, x) };
        let ink = Ink::linear([from, 0.0], [to, 0.0], &[(lit, 1.0), (dark, 1.0)]);
        let (top, foot) = (towers.foot - height, self.bottom + 2.0);
        let short = self.film.short;
        match self.random.below(6) {
            0 => {
                let set = 0.16 * width;
                Pen::default().rect(x, top + 0.14 * height, x + width, foot).rect(x + set, top, x + width - set, foot).fill(self.c, &ink);
                Pen::default().rect(x + 0.48 * width, top - 0.06 * short, x + 0.52 * width, top).fill(self.c, &Ink::flat(dark, 1.0));
            }
            1 => {
                Pen::default().polygon(&[[x, top], [x + width, top + 0.05 * short], [x + width, foot], [x, foot]]).fill(self.c, &ink);
            }
            2 => {
                Pen::default()
                    .polygon(&[[x, top], [x + 0.5 * width, top - 0.07 * short], [x + width, top], [x + width, foot], [x, foot]])
                    .fill(self.c, &ink);
            }
            3 => {
                Pen::default().rect(x, top, x + width, foot).fill(self.c, &ink);
                Pen::default().rect(x + 0.2 * width, top - 0.022 * short, x + 0.8 * width, top).fill(self.c, &Ink::flat(dark, 1.0));
                Pen::default().rect(x + 0.30 * width, top - 0.06 * short, x + 0.33 * width, top).fill(self.c, &Ink::flat(dark, 1.0));
            }
            _ => Pen::default().rect(x, top, x + width, foot).fill(self.c, &ink),
        }
        self.windows(towers, [x, top + 0.15 * height.min(0.2 * short)], width, towers.foot, wall);
        if self.film.light.white {
            let snow = self.far(self.film.light.lit(Rgb::WHITE));
            Pen::default().rect(x - 1.0, top - 0.008 * short, x + width + 1.0, top + 0.006 * short).fill(self.c, &Ink::flat(snow, 0.9));
        }
    }

    /// Windows of a wall: dark ones in one go, lit ones in their colours.
    fn windows(&mut self, towers: &Towers, [x, top]: [f32; 2], width: f32, foot: f32, wall: Rgb) {
        let cell = towers.window;
        let across = ((width / cell / 1.65) as usize).max(1);
        let down = ((foot - top) / cell / 1.95).max(0.0) as usize;
        let strips = self.random.chance(0.25);
        let glass = if self.film.light.dark { wall.mix(Rgb([0.04, 0.06, 0.20]), 0.5) } else { wall.mix(self.film.light.sky[1], 0.45) };
        let lamp = self.window_colour();
        let (mut dark, mut lit, mut other) = (Pen::default(), Pen::default(), Pen::default());
        for row in 0..down {
            let y = top + cell * (0.6 + 1.95 * row as f32);
            for column in 0..across {
                let left = x + width * (column as f32 + 0.5) / across as f32 - 0.42 * cell;
                let (w, h) = if strips { (1.15 * cell, 0.85 * cell) } else { (0.82 * cell, 1.12 * cell) };
                let pen = if !self.random.chance(towers.lights) {
                    &mut dark
                } else if self.random.chance(0.7) {
                    &mut lit
                } else {
                    &mut other
                };
                *pen = std::mem::take(pen).rect(left, y, left + w, y + h);
            }
        }
        let clear = 1.0 - 0.55 * self.haze;
        dark.fill(self.c, &Ink::flat(glass, 0.75 * clear));
        lit.fill(self.c, &Ink::flat(lamp, clear));
        other.fill(self.c, &Ink::flat(Rgb([1.0, 0.70, 0.36]), clear));
    }

    /// A row of shops; where their signs shine.
    pub(super) fn shops(&mut self) -> Vec<(f32, f32, Rgb)> {
        let (short, rise) = (self.film.short, self.film.rise());
        let foot = self.film.horizon + 0.012 * short;
        let open = self.film.light.dark || self.film.brief.hour == Hour::Sunset;
        let mut signs = Vec::new();
        let mut x = self.a;
        while x < self.b {
            let (width, height) = (short * self.random.within(0.24, 0.36), rise * self.random.within(0.40, 0.66));
            let sign = self.house(x, foot, width, height, open);
            signs.extend(sign);
            x += width;
        }
        signs
    }

    fn house(&mut self, x: f32, foot: f32, width: f32, height: f32, open: bool) -> Option<(f32, f32, Rgb)> {
        let short = self.film.short;
        let hex = self.random.one(&BRICKS);
        let wall = self.tone(hex);
        let neon = Rgb(self.random.one(&NEON));
        let (top, dark) = (foot - height, wall.mix(Rgb([0.08, 0.08, 0.2]), 0.25));
        self.c.rect(area(x, top, width, height + 0.05 * short), &Ink::linear([0.0, top], [0.0, foot], &[(dark, 1.0), (wall, 1.0)]));
        let trim = wall.mix(self.film.light.lit(Rgb::WHITE), 0.35);
        Pen::default()
            .rect(x - 0.006 * short, top - 0.012 * short, x + width + 0.006 * short, top + 0.016 * short)
            .rect(x, foot - 0.205 * short, x + width, foot - 0.192 * short)
            .fill(self.c, &Ink::flat(trim, 1.0));
        if self.film.light.white {
            let snow = self.film.light.lit(Rgb::WHITE);
            self.c.rect(area(x - 0.006 * short, top - 0.026 * short, width + 0.012 * short, 0.018 * short), &Ink::flat(snow, 1.0));
        }
        self.flats(x, top, width, foot - 0.215 * short, wall, open);
        self.shop_front(x, foot, width, neon, open);
        if !open {
            return None;
        }
        let (sx, sy) = (x + width * self.random.within(0.25, 0.75), foot - short * self.random.within(0.235, 0.275));
        self.neon_sign(sx, sy, 0.05 * short, neon);
        Some((sx, sy, neon))
    }

    /// Upper floors of a house.
    fn flats(&mut self, x: f32, top: f32, width: f32, foot: f32, wall: Rgb, open: bool) {
        let short = self.film.short;
        let (floors, columns) = (((foot - top) / (0.095 * short)).max(0.0) as usize, 3);
        let frame = wall.mix(self.film.light.lit(Rgb::WHITE), 0.5);
        for floor in 0..floors {
            for column in 0..columns {
                let lit = open && self.random.chance(0.55);
                let (left, y) = (x + width * (0.11 + 0.29 * column as f32), top + short * (0.036 + 0.095 * floor as f32));
                let (w, h) = (0.20 * width, 0.056 * short);
                let glass = if lit {
                    self.window_colour()
                } else {
                    wall.mix(if open { Rgb([0.1, 0.12, 0.3]) } else { self.film.light.sky[1] }, 0.6)
                };
                self.c.rect(area(left - 0.005 * short, y - 0.005 * short, w + 0.01 * short, h + 0.012 * short), &Ink::flat(frame, 1.0));
                self.c.rect(area(left, y, w, h), &Ink::linear([0.0, y], [0.0, y + h], &[(glass, 1.0), (glass.mix(Rgb::WHITE, 0.2), 1.0)]));
                Pen::default()
                    .rect(left + 0.48 * w, y, left + 0.52 * w, y + h)
                    .rect(left, y + 0.46 * h, left + w, y + 0.52 * h)
                    .fill(self.c, &Ink::flat(frame, 0.9));
            }
        }
    }

    fn shop_front(&mut self, x: f32, foot: f32, width: f32, neon: Rgb, open: bool) {
        let short = self.film.short;
        let glass = if open { Rgb([1.0, 0.86, 0.55]).mix(neon, 0.15) } else { Rgb([0.75, 0.88, 0.96]).mix(self.film.light.haze, 0.2) };
        let (left, top, w, h) = (x + 0.07 * width, foot - 0.15 * short, 0.56 * width, 0.135 * short);
        self.c.rect(area(left, top, w, h), &Ink::linear([0.0, top], [0.0, top + h], &[(glass.mix(Rgb::WHITE, 0.25), 1.0), (glass, 1.0)]));
        let goods = glass.mix(self.film.light.lit(Rgb([0.35, 0.22, 0.30])), 0.55);
        let mut shelf = Pen::default();
        for j in 0..5 {
            let (gx, high) = (left + w * (0.1 + 0.18 * j as f32), short * self.random.within(0.02, 0.05));
            shelf = shelf.rect(gx, top + h - high, gx + 0.09 * w, top + h);
        }
        shelf.fill(self.c, &Ink::flat(goods, 0.8));
        if !open {
            Pen::default()
                .polygon(&[[left + 0.1 * w, top + h], [left + 0.4 * w, top], [left + 0.55 * w, top], [left + 0.25 * w, top + h]])
                .fill(self.c, &Ink::flat(Rgb::WHITE, 0.25));
        }
        let door = self.film.light.lit(neon.mix(Rgb([0.25, 0.18, 0.2]), 0.65));
        self.c.round_rect(area(x + 0.71 * width, foot - 0.15 * short, 0.21 * width, 0.16 * short), 0.006 * short, &Ink::flat(door, 1.0));
        self.c.rect(area(x + 0.745 * width, foot - 0.138 * short, 0.14 * width, 0.07 * short), &Ink::flat(glass, 0.9));
        self.awning(
            x,
            foot - 0.165 * short,
            width,
            if open { neon.mix(Rgb([0.2, 0.1, 0.2]), 0.25) } else { self.film.light.lit(neon.mix(Rgb([0.75, 0.70, 0.65]), 0.35)) },
        );
    }

    pub(super) fn awning(&mut self, x: f32, y: f32, width: f32, colour: Rgb) {
        let (short, stripes) = (self.film.short, 7);
        let white = self.film.light.lit(Rgb([0.97, 0.95, 0.92]));
        let step = 0.66 * width / stripes as f32;
        for stripe in 0..stripes {
            let (left, flare) = (x + 0.03 * width + stripe as f32 * step, (stripe as f32 - 3.0) * 0.012 * width);
            let (ink, low) = (Ink::flat(if stripe % 2 == 0 { colour } else { white }, 1.0), y + 0.036 * short);
            Pen::at(left, y)
                .line(left + step + 0.5, y)
                .line(left + step + flare + 0.012 * width, low)
                .quad([left + 0.5 * step + flare, low + 0.022 * short], left + flare, low)
                .close()
                .fill(self.c, &ink);
        }
    }

    pub(super) fn neon_sign(&mut self, x: f32, y: f32, k: f32, colour: Rgb) {
        let tube = match self.random.below(5) {
            0 => Pen::default().circle(x, y, 0.62 * k),
            1 => Pen::at(x - k, y + 0.4 * k)
                .line(x - 0.5 * k, y - 0.4 * k)
                .line(x, y + 0.4 * k)
                .line(x + 0.5 * k, y - 0.4 * k)
                .line(x + k, y + 0.4 * k),
            2 => Pen::default().rect(x - k, y - 0.42 * k, x + k, y + 0.42 * k).to(x - 0.6 * k, y).line(x + 0.6 * k, y),
            3 => (0..=5).fold(Pen::default(), |pen, j| {
                let angle = (j as f32 * 0.4 - 0.25) * std::f32::consts::TAU;
                let [px, py] = [x + 0.75 * k * angle.cos(), y + 0.75 * k * angle.sin()];
                if j == 0 { pen.to(px, py) } else { pen.line(px, py) }
            }),
            _ => Pen::at(x, y + 0.6 * k).cubic([x - 1.3 * k, y - 0.2 * k], [x - 0.5 * k, y - k], x, y - 0.3 * k).cubic(
                [x + 0.5 * k, y - k],
                [x + 1.3 * k, y - 0.2 * k],
                x,
                y + 0.6 * k,
            ),
        };
        self.glow(x, y, 3.0 * k, colour, 0.28);
        let Some(path) = tube.path() else { return };
        for (width, alpha, white) in [(0.56, 0.18, 0.0), (0.30, 0.40, 0.0), (0.13, 1.0, 0.6)] {
            self.c.stroke(&path, width * k, &Ink::flat(colour.mix(Rgb::WHITE, white), alpha));
        }
    }

    /// What the signs leave on a wet road.
    pub(super) fn reflections(&mut self, neons: &[(f32, f32, Rgb)]) {
        let short = self.film.short;
        let kerb = self.film.horizon + 0.30 * self.ground_depth();
        let depth = self.film.height - kerb;
        for (x, _, colour) in neons {
            let look = crate::canvas::Puff { add: true, firm: false };
            self.c.puff(*x, kerb + 0.40 * depth, 0.08 * short, 0.80 * depth, *colour, 0.34, look);
            self.c.puff(*x, kerb - 0.03 * short, 0.13 * short, 0.05 * short, *colour, 0.40, look);
        }
    }

    pub(super) fn lamp(&mut self, x: f32, foot: f32, high: f32) {
        let (iron, w) = (self.tone(0x3c4454), 0.016 * high);
        let top = foot - high;
        Pen::default()
            .rect(x - w, top + 0.06 * high, x + w, foot)
            .rect(x - 2.2 * w, foot - 0.05 * high, x + 2.2 * w, foot)
            .fill(self.c, &Ink::flat(iron, 1.0));
        let lit = self.film.light.level < 0.8;
        let glass = if lit { Rgb([1.0, 0.92, 0.66]) } else { self.tone(0xf2efe2) };
        Pen::default()
            .polygon(&[
                [x - 0.042 * high, top - 0.02 * high],
                [x + 0.042 * high, top - 0.02 * high],
                [x + 0.026 * high, top + 0.075 * high],
                [x - 0.026 * high, top + 0.075 * high],
            ])
            .fill(self.c, &Ink::flat(glass, 1.0));
        Pen::default()
            .polygon(&[[x - 0.055 * high, top - 0.02 * high], [x, top - 0.065 * high], [x + 0.055 * high, top - 0.02 * high]])
            .fill(self.c, &Ink::flat(iron, 1.0));
        if lit {
            let strength = if self.film.light.dark { 1.0 } else { 0.55 };
            self.glow(x, top + 0.02 * high, 0.50 * high, Rgb([1.0, 0.82, 0.45]), 0.50 * strength);
            self.c.puff(
                x,
                foot,
                0.36 * high,
                0.07 * high,
                Rgb([1.0, 0.85, 0.5]),
                0.32 * strength,
                crate::canvas::Puff { add: true, firm: false },
            );
        }
    }

    /// A path across the grass of the park.
    pub(super) fn footpath(&mut self) {
        let (short, depth) = (self.film.short, self.ground_depth());
        let (top, thick) = (self.film.horizon + 0.12 * depth, 0.15 * depth);
        let gravel = if self.film.light.white { self.tone(0xd9e4ee) } else { self.tone(0xe8d5ab) };
        let line = |x: f32| 0.012 * short * (x / short * 4.0).sin();
        let xs: Vec<f32> = self.steps().into_iter().step_by(2).collect();
        let points: Vec<[f32; 2]> =
            xs.iter().map(|&x| [x, top + line(x)]).chain(xs.iter().rev().map(|&x| [x, top + thick + line(x + 0.2 * short)])).collect();
        Pen::default()
            .polygon(&points)
            .fill(self.c, &Ink::linear([0.0, top], [0.0, top + thick], &[(gravel.times(0.93), 1.0), (gravel, 1.0)]));
        let mut specks = Pen::default();
        for x in self.along(24.0) {
            let y = top + thick * self.random.within(0.2, 0.85) + line(x);
            specks = specks.oval(x, y, 0.005 * short, 0.0018 * short);
        }
        specks.fill(self.c, &Ink::flat(gravel.times(0.78), 0.7));
    }

    pub(super) fn bench(&mut self, x: f32, foot: f32, size: f32) {
        let (wood, iron) = (self.tone(0xa9713f), self.tone(0x3c4454));
        Pen::default()
            .rect(x - 0.78 * size, foot - 0.40 * size, x - 0.70 * size, foot)
            .rect(x + 0.70 * size, foot - 0.40 * size, x + 0.78 * size, foot)
            .fill(self.c, &Ink::flat(iron, 1.0));
        let planks = [(0.92, 0.10), (0.74, 0.10), (0.46, 0.13)];
        planks
            .iter()
            .fold(Pen::default(), |pen, (up, thick)| pen.rect(x - size, foot - up * size, x + size, foot - (up - thick) * size))
            .fill(self.c, &Ink::flat(wood, 1.0));
    }
}
