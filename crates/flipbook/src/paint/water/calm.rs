//! Lake and river: water that mirrors the far shore. A lake has lily pads and rings of rising fish, a river a current and
//! stones in it.

use std::f32::consts::TAU;

use super::{Afloat, Water};
use crate::canvas::{Area, Canvas, Ink, Puff, Rgb, Tint};
use crate::codes::{Backdrop, Setting};
use crate::paint::film::{Film, Moment};
use crate::paint::shape::{Pen, about};
use crate::random::Random;
use crate::sprites::Picture;

/// Room beside the frame that is painted too, in pixels.
const BLEED: f32 = 12.0;
/// Cells of the mirror image to the short side of the frame, along x and y.
const CELLS: [f32; 2] = [110.0, 180.0];
/// Of the camera's way: what lies in the near water.
const DRIFT: f32 = 0.72;

/// Something that lies in the water.
struct Afield {
    x: f32,
    y: f32,
    /// Half its width, in pixels.
    size: f32,
    /// For its shape.
    kind: usize,
    phase: f32,
}

impl Film {
    pub(super) fn calm_water(&self, c: &mut Canvas, m: &Moment, water: &Water) {
        let river = self.brief.backdrop == Backdrop::River;
        self.mirror(c, m, water, if river { 0.42 } else { 0.62 });
        if self.glitters() {
            self.shine(c, m);
        }
        if river {
            self.current(c, m, water);
            self.white_water(c, m, water);
        } else {
            self.rings(c, m, water);
        }
        let mut queue = Afloat::of(self, c, m);
        // No lilies in a harbour, no stones in a canal.
        let wild = self.program.setting.is_none_or(|setting| !setting.is_basin());
        for thing in self.lying(m).into_iter().filter(|_| wild) {
            queue.draw_above(self, c, m, thing.y);
            if self.program.setting.is_some_and(|setting| matches!(setting, Setting::HotSpring | Setting::Lagoon)) {
                continue;
            } else if river {
                self.stone_in_the_current(c, m, &thing, water);
            } else {
                self.lily_pad(c, m, &thing);
            }
        }
        queue.draw_rest(self, c, m);
    }

    /// The far shore and the sky upside down, torn into stripes by ripples. `clear` is how much of it the water shows.
    pub(super) fn mirror(&self, c: &mut Canvas, m: &Moment, water: &Water, clear: f32) {
        let (cell, row) = (self.short / CELLS[0], self.short / CELLS[1]);
        let (columns, rows) = ((self.width / cell) as usize + 4, ((self.water_end() - self.horizon).max(0.0) / row) as usize + 3);
        let seen = c.transform();
        let (wide, high) = (c.width(), c.height());
        let pixels = c.pixels();
        let at = |x: f32, y: f32| {
            let (px, py) = (seen.sx * x + seen.kx * y + seen.tx, seen.ky * x + seen.sy * y + seen.ty);
            let place = (py.max(0.0) as usize).min(high - 1) * wide + (px.max(0.0) as usize).min(wide - 1);
            pixels.get(place).map_or([0.0; 3], |[r, g, b, _]| [f32::from(*r), f32::from(*g), f32::from(*b)])
        };
        let mut image = Vec::with_capacity(rows * columns);
        for j in 0..rows {
            let near = j as f32 / rows as f32;
            // Ripples look longer the nearer they are.
            let stripe = 30.0 * (1.0 + 6.0 * near).ln();
            let shift = self.short * (0.002 + 0.022 * near) * (stripe + 1.5 * m.t + 2.0 * (0.37 * stripe - 0.7 * m.t).sin()).sin();
            let tone = water.pale.mix(water.deep, (0.10 + 1.05 * near).min(1.0)).0.map(|value| 255.0 * value);
            let share = clear * (1.0 - near).powf(0.8) * (1.0 + 0.06 * (1.7 * stripe - 1.1 * m.t).sin());
            for i in 0..columns {
                let x = (i as f32 - 1.5) * cell + shift;
                let wave = (2.4 * stripe + 9.0 * x / self.short - 1.3 * m.t).sin();
                let up = self.horizon - 2.0 - (j as f32 - 0.5).max(0.0) * row - self.short * 0.020 * near * wave;
                let seen = [at(x, up), at(x + 0.5 * cell, up), at(x, up - 0.5 * row), at(x + 0.5 * cell, up - 0.5 * row)];
                let light = 1.0 + 0.03 * (1.0 - near) * wave;
                let mixed = |k: usize| {
                    let sky = (seen[0][k] + seen[1][k] + seen[2][k] + seen[3][k]) / 4.0;
                    ((tone[k] + (sky - tone[k]) * share) * light) as u8
                };
                image.push([mixed(0), mixed(1), mixed(2), 255]);
            }
        }
        let picture = Picture { width: columns, height: rows, pixels: image };
        let (left, top) = (-2.0 * cell, self.horizon - row);
        let area = Area { left, top, right: left + columns as f32 * cell, bottom: top + rows as f32 * row };
        let below = Area { left: -BLEED, top: self.horizon, right: self.width + BLEED, bottom: self.water_end() + BLEED };
        c.clipped_to(below, |c| c.picture(&picture, area, Tint::NONE, 1.0));
        // The shore's shade, and a line of light where the water meets it.
        let (edge, short) = (self.horizon, self.short);
        let shade = [(water.deep.times(0.6), 0.45), (water.deep, 0.0)];
        c.rect(Area { bottom: edge + 0.05 * short, ..below }, &Ink::linear([0.0, edge], [0.0, edge + 0.05 * short], &shade));
        c.rect(Area { bottom: edge + 0.004 * short, ..below }, &Ink::flat(water.foam, 0.35));
    }

    /// The path of sun or moon: short lines, close together far away.
    pub(super) fn shine(&self, c: &mut Canvas, m: &Moment) {
        let mut random = Random::of(self.seed, 440);
        let x = self.width * self.layout.frame.sun_x - m.camera * 0.02;
        let deep = self.water_end() - self.horizon;
        let mut sparks = Pen::default();
        for j in 0..70 {
            let near = random.unit();
            let y = self.horizon + deep * (0.015 + 0.85 * near.powf(1.7));
            let gx = x + random.normal(0.0, 0.018 + 0.05 * near) * self.short;
            let shine = 0.5 + 0.5 * (2.3 * m.t + 2.4 * j as f32).sin();
            let (half, high) = (self.short * (0.008 + 0.030 * near) * shine, self.short * (0.0011 + 0.002 * near) * shine);
            sparks = sparks.to(gx - half, y).quad([gx, y - high], gx + half, y).quad([gx, y + high], gx - half, y).close();
        }
        sparks.fill(c, &Ink::flat(self.light.sun.mix(Rgb::WHITE, 0.3), 0.6));
    }

    /// Rings that spread where a fish has come up, and long still ripples.
    pub(super) fn rings(&self, c: &mut Canvas, m: &Moment, water: &Water) {
        const PERIOD: f32 = 3.4; // seconds
        let deep = self.water_end() - self.horizon;
        for j in 0..3u64 {
            let time = m.t / PERIOD + j as f32 * 0.37;
            let mut random = Random::of(self.seed, 450 + j + 16 * time as u64);
            let (age, near) = (time.fract(), random.within(0.2, 0.8));
            let (x, y) = (self.width * random.within(0.05, 0.95), self.horizon + deep * near);
            for ring in 0..3 {
                let spread = age - 0.10 * ring as f32;
                if spread > 0.0 {
                    let half = self.short * (0.10 + 0.16 * near) * spread;
                    let ink = Ink::flat(water.foam, 0.5 * (1.0 - age) * (1.0 - age));
                    Pen::default().oval(x, y, half, 0.22 * half).stroke(c, self.short * (0.0014 + 0.0022 * near), &ink);
                }
            }
        }
        let mut lines = Pen::default();
        let mut random = Random::of(self.seed, 449);
        let span = self.width + self.short;
        for _ in 0..(11.0 * self.width / self.short) as usize {
            let (near, start, pace) = (random.unit(), random.unit(), random.within(-0.012, 0.012));
            let half = self.short * (0.02 + 0.11 * near) * random.within(0.5, 1.2);
            let x = (start * span + self.short * pace * m.t - m.camera * (0.2 + 0.5 * near)).rem_euclid(span) - 0.5 * self.short;
            let y = self.horizon + deep * (0.03 + 0.95 * near.powf(1.5)) + self.short * 0.002 * (1.1 * m.t + 40.0 * start).sin();
            let high = self.short * (0.0009 + 0.0020 * near);
            lines = lines.to(x - half, y).quad([x, y - high], x + half, y).quad([x, y + high], x - half, y).close();
        }
        lines.fill(c, &Ink::flat(water.foam, 0.32));
    }

    /// Streaks that the river carries along, faster when nearer.
    pub(super) fn current(&self, c: &mut Canvas, m: &Moment, water: &Water) {
        let mut random = Random::of(self.seed, 460);
        let (way, deep, span) = (self.downstream(), self.water_end() - self.horizon, self.width + self.short);
        let (mut pale, mut dark) = (Pen::default(), Pen::default());
        for j in 0..(44.0 * self.width / self.short) as usize {
            let (near, start) = (random.unit(), random.unit());
            let half = self.short * (0.025 + 0.12 * near) * random.within(0.4, 1.2);
            let pace = self.short * (0.05 + 0.26 * near) * random.within(0.85, 1.15);
            let x = (start * span + way * pace * m.t - m.camera * (0.25 + 0.55 * near)).rem_euclid(span) - 0.5 * self.short;
            let bend = self.short * 0.008 * near * (TAU * x / (0.55 * self.short) + 3.0 * near).sin();
            let y = self.horizon + deep * (0.03 + 0.95 * near.powf(1.5)) + bend;
            let high = self.short * (0.0020 + 0.0056 * near) * (0.7 + 0.3 * (2.0 * m.t + j as f32).sin());
            let sweep = [x + way * half * 0.3, y - high];
            let outline =
                |pen: Pen| pen.to(x - half, y).quad(sweep, x + half, y - 0.4 * bend).quad([sweep[0], y + high], x - half, y).close();
            if j % 3 == 0 { dark = outline(dark) } else { pale = outline(pale) }
        }
        dark.fill(c, &Ink::flat(water.deep.times(0.75), 0.35));
        pale.fill(c, &Ink::flat(water.foam, 0.46));
    }

    /// -1 when the river flows to the left, else 1: away from its waterfall.
    fn downstream(&self) -> f32 {
        if self.seed.is_multiple_of(2) { 1.0 } else { -1.0 }
    }

    /// Lily pads or stones, from far to near.
    fn lying(&self, m: &Moment) -> Vec<Afield> {
        let mut random = Random::of(self.seed, 470);
        let river = self.brief.backdrop == Backdrop::River;
        let (short, deep, span) = (self.short, self.water_end() - self.horizon, 1.5 * self.width);
        let mut things = Vec::new();
        for _ in 0..((if river { 3.2 } else { 3.6 } * self.width / short) as usize).max(3) {
            // Near the sides, where they leave room for what floats.
            let (edge, near) = (random.unit().powi(2) * 0.34, random.within(0.35, 0.97));
            let middle = if random.chance(0.5) { edge } else { 1.0 - edge } * self.width;
            let company = if river { 1 } else { 3 + random.below(3) };
            for _ in 0..company {
                let size = short * (0.014 + 0.038 * near) * random.within(0.7, 1.2);
                let (dx, dy) = if river { (0.0, 0.0) } else { (random.within(-2.6, 2.6) * size, random.within(-0.8, 0.8) * size) };
                let x = (middle + dx - m.camera * DRIFT + 0.25 * self.width).rem_euclid(span) - 0.25 * self.width;
                let y = (self.horizon + deep * near.powf(1.25) + dy).max(self.horizon + 0.04 * short);
                things.push(Afield { x, y, size, kind: random.below(5), phase: random.within(0.0, TAU) });
            }
        }
        things.sort_by(|one, other| one.y.total_cmp(&other.y));
        things
    }

    fn lily_pad(&self, c: &mut Canvas, m: &Moment, pad: &Afield) {
        let bob = 0.04 * pad.size * (1.3 * m.t + pad.phase).sin();
        let (x, y, rx, ry) = (pad.x + 2.0 * bob, pad.y + bob, pad.size, 0.36 * pad.size);
        c.oval(about(x, y + 0.25 * ry, 1.06 * rx, 1.1 * ry), &Ink::flat(Rgb([0.02, 0.10, 0.15]), 0.30));
        let green = self.light.lit(Rgb::hex([0x4fa64a, 0x5fb552, 0x3f9a55, 0x74bb4e, 0x4fa64a][pad.kind % 5]));
        let notch = TAU * (0.05 + 0.16 * (pad.phase / TAU));
        let rim = |share: f32, dy: f32| -> Vec<[f32; 2]> {
            let turn = |j: usize| notch + 0.28 + (TAU - 0.56) * j as f32 / 18.0;
            let mut points: Vec<[f32; 2]> =
                (0..=18).map(|j| [x + share * rx * turn(j).cos(), y + dy + share * ry * turn(j).sin()]).collect();
            points.push([x + 0.1 * rx * notch.cos(), y + dy + 0.1 * ry * notch.sin()]);
            points
        };
        Pen::default().polygon(&rim(1.0, 0.10 * ry)).fill(c, &Ink::flat(green.times(0.62), 1.0));
        Pen::default().polygon(&rim(1.0, -0.04 * ry)).fill(c, &Ink::flat(green, 1.0));
        Pen::default().polygon(&rim(0.72, -0.10 * ry)).fill(c, &Ink::flat(green.mix(Rgb::hex(0xd9f0a0), 0.30), 0.55));
        if pad.kind == 0 && pad.size > 0.022 * self.short {
            self.water_lily(c, x - 0.1 * rx, y - 0.25 * ry, 0.55 * rx);
        }
    }

    fn water_lily(&self, c: &mut Canvas, x: f32, y: f32, size: f32) {
        let petal = |pen: Pen, angle: f32, long: f32, wide: f32| {
            let (sin, cos) = angle.sin_cos();
            let tip = [x + sin * long, y - cos * long];
            let side = |way: f32| [x + 0.55 * sin * long + way * wide * cos, y - 0.55 * cos * long + way * wide * sin];
            pen.to(x, y).quad(side(-1.0), tip[0], tip[1]).quad(side(1.0), x, y).close()
        };
        let (pink, pale) = (self.light.lit(Rgb::hex(0xf29bbd)), self.light.lit(Rgb::hex(0xffdfe9)));
        let outer = [-1.35f32, -0.8, 0.8, 1.35].iter().fold(Pen::default(), |pen, angle| petal(pen, *angle, size, 0.34 * size));
        outer.fill(c, &Ink::flat(pink, 1.0));
        let inner = [-0.45f32, 0.45, 0.0].iter().fold(Pen::default(), |pen, angle| petal(pen, *angle, 0.95 * size, 0.32 * size));
        inner.fill(c, &Ink::linear([0.0, y], [0.0, y - size], &[(pink, 1.0), (pale, 1.0)]));
        c.oval(about(x, y - 0.16 * size, 0.18 * size, 0.16 * size), &Ink::flat(self.light.lit(Rgb::hex(0xffd45a)), 1.0));
    }

    fn stone_in_the_current(&self, c: &mut Canvas, m: &Moment, stone: &Afield, water: &Water) {
        let (x, y, size, way) = (stone.x, stone.y, 1.15 * stone.size, self.downstream());
        // The current parts: a foaming collar, and a tail downstream.
        for j in 0..7 {
            let age = (0.9 * m.t + j as f32 / 7.0).fract();
            let side = if j % 2 == 0 { 1.0 } else { -1.0 };
            let (px, py) = (x + way * size * (0.7 + 2.2 * age), y + side * 0.16 * size * (1.0 + age));
            c.puff(px, py, size * (0.20 + 0.42 * age), size * (0.07 + 0.08 * age), water.foam, 0.65 * (1.0 - age), Puff::default());
        }
        c.oval(about(x, y + 0.02 * size, 1.16 * size, 0.27 * size), &Ink::flat(water.foam, 0.55));
        c.oval(about(x, y + 0.05 * size, 1.05 * size, 0.22 * size), &Ink::flat(water.deep.times(0.8), 0.8));
        let (grey, lean) =
            (self.light.lit(Rgb::hex([0x8d9296, 0x9a948c, 0x7f878d, 0xa09a90, 0x868c88][stone.kind % 5])), 0.2 * stone.phase.sin());
        let high = size * (0.62 + 0.12 * stone.kind as f32 / 4.0);
        let body = Pen::at(x - size, y + 0.12 * size)
            .cubic([x - 1.02 * size, y - 0.6 * high], [x - (0.5 - lean) * size, y - high], x + lean * size, y - high)
            .cubic([x + (0.6 + lean) * size, y - high], [x + 1.02 * size, y - 0.5 * high], x + size, y + 0.12 * size)
            .quad([x, y + 0.30 * size], x - size, y + 0.12 * size)
            .close();
        body.fill(
            c,
            &Ink::linear([x, y - high], [x, y + 0.2 * size], &[(grey.mix(Rgb::WHITE, 0.22), 1.0), (grey, 1.0), (grey.times(0.55), 1.0)]),
        );
        let moss = self.light.lit(Rgb::hex(0x7da356));
        let cap = Pen::at(x - 0.62 * size, y - 0.66 * high)
            .quad([x - (0.3 - lean) * size, y - 1.04 * high], x + lean * size, y - 1.02 * high)
            .quad([x + (0.45 + lean) * size, y - high], x + 0.55 * size, y - 0.72 * high)
            .quad([x + 0.1 * size, y - 0.72 * high], x - 0.62 * size, y - 0.66 * high)
            .close();
        cap.fill(c, &Ink::flat(moss, 0.85));
    }
}
