//! What lies under the feet where people have made it: paving, planks, courts with lines, rails, water in a basin.

use crate::canvas::{Ink, Rgb};
use crate::paint::scenery::Layer;
use crate::paint::shape::Pen;

impl Layer<'_> {
    /// A floor of one colour: tar, concrete, clay; white where snow lies.
    pub(in crate::paint::scenery::settings::built) fn even(&mut self, hex: u32) {
        let colour = self.paving(hex);
        self.base(colour.mix(Rgb::WHITE, 0.05), colour);
        let (short, mut specks) = (self.film.short, Pen::default());
        for x in self.along(26.0) {
            let v = self.random.unit();
            specks = specks.oval(x, self.down(v), short * (0.002 + 0.005 * v), short * (0.0008 + 0.001 * v));
        }
        specks.fill(self.c, &Ink::flat(colour.times(0.8), 0.35));
    }

    fn paving(&self, hex: u32) -> Rgb {
        let snow = if self.film.light.white { 0.82 } else { 0.0 };
        self.film.light.lit(Rgb::hex(hex).mix(Rgb::hex(0xeaf3fb), snow))
    }

    /// Slabs that run towards the horizon, `wide` short sides each.
    pub(in crate::paint::scenery::settings::built) fn slabs(&mut self, hex: u32, wide: f32) {
        self.even(hex);
        let ink = Ink::flat(self.paving(hex).times(0.72), 0.5);
        let (mut joints, short) = (Pen::default(), self.film.short);
        let reach = ((self.b - self.a) / (0.5 * wide * short)) as i32;
        for j in -reach..=reach {
            let (far, near) = (self.spot(j as f32 * wide, 0.0), self.spot(j as f32 * wide, 1.1));
            joints = joints.to(far[0], far[1]).line(near[0], near[1]);
        }
        for j in 1..8 {
            let y = self.down((j as f32 / 8.0).powf(1.7));
            joints = joints.to(self.a, y).line(self.b, y);
        }
        joints.stroke(self.c, 0.0035 * short, &ink);
    }

    /// Cobbles in rows.
    pub(in crate::paint::scenery::settings::built) fn cobbles(&mut self, hex: u32) {
        self.even(hex);
        let (short, colour) = (self.film.short, self.paving(hex));
        let (mut pale, mut dark) = (Pen::default(), Pen::default());
        let rows = 13;
        for row in 0..rows {
            let v = ((row as f32 + 0.5) / rows as f32).powf(1.6);
            let (y, wide) = (self.down(v), short * (0.03 + 0.06 * v));
            let high = 0.25 * wide;
            for (_, x) in self.every(wide, 0.5 * (row % 2) as f32) {
                let stone = |pen: Pen| pen.oval(x, y, 0.44 * wide, high);
                match self.random.below(4) {
                    0 => pale = stone(pale),
                    1 => dark = stone(dark),
                    _ => {}
                }
            }
        }
        pale.fill(self.c, &Ink::flat(colour.mix(Rgb::WHITE, 0.25), 0.5));
        dark.fill(self.c, &Ink::flat(colour.times(0.78), 0.5));
    }

    /// Boards that run across, from `v` on.
    pub(in crate::paint::scenery::settings::built) fn planks(&mut self, hex: u32, v: f32) {
        let (top, short, wood) = (self.down(v), self.film.short, self.paving(hex));
        let ink = Ink::linear([0.0, top], [0.0, self.bottom], &[(wood.mix(Rgb::WHITE, 0.14), 1.0), (wood.times(0.92), 1.0)]);
        Pen::default().rect(self.a, top, self.b, self.bottom + 2.0).fill(self.c, &ink);
        let (mut joints, mut grain) = (Pen::default(), Pen::default());
        let boards = 8;
        for j in 0..boards {
            let at = |k: usize| top + (self.film.height - top) * (k as f32 / boards as f32).powf(1.35);
            let (y, next) = (at(j), at(j + 1));
            joints = joints.to(self.a, y).line(self.b, y);
            let step = short * (0.5 + 0.5 * j as f32 / boards as f32);
            for (_, x) in self.every(step, 0.37 * j as f32) {
                joints = joints.to(x, y).line(x, next);
                grain = grain.to(x + 0.15 * step, 0.5 * (y + next)).line(x + 0.55 * step, 0.5 * (y + next));
            }
        }
        joints.stroke(self.c, 0.005 * short, &Ink::flat(wood.times(0.62), 0.8));
        grain.stroke(self.c, 0.003 * short, &Ink::flat(wood.times(0.75), 0.5));
        let edge = Ink::flat(wood.mix(Rgb::WHITE, 0.3), 1.0);
        Pen::default().rect(self.a, top - 0.008 * short, self.b, top + 0.006 * short).fill(self.c, &edge);
    }

    /// Grass mown in stripes.
    pub(in crate::paint::scenery::settings::built) fn lawn(&mut self) {
        self.grass(0x86cf5a, 0x4fa746, false);
        if self.film.light.white {
            return;
        }
        let (pale, wide) = (self.leaf(0xa2e070), 0.30);
        let reach = ((self.b - self.a) / (wide * self.film.short)) as i32 + 2;
        for j in (-reach..reach).filter(|j| j.rem_euclid(2) == 0) {
            let corners = [[j, 0], [j + 1, 0], [j + 1, 1], [j, 1]].map(|[j, v]| self.spot(j as f32 * wide, 1.05 * v as f32));
            Pen::default().polygon(&corners).fill(self.c, &Ink::flat(pale, 0.30));
        }
    }

    /// Painted lines through points of the ground, in short sides and shares of its depth.
    pub(in crate::paint::scenery::settings::built) fn marking(&mut self, points: &[[f32; 2]], hex: u32) {
        let ink = Ink::flat(self.tone(hex), 0.92);
        for pair in points.windows(2) {
            let wide = |v: f32| self.film.short * (0.0025 + 0.0055 * v);
            let ([a, b], [c, d]) = (self.spot(pair[0][0], pair[0][1]), self.spot(pair[1][0], pair[1][1]));
            let (one, two) = (wide(pair[0][1]), wide(pair[1][1]));
            let level = (b - d).abs() < 0.4 * (a - c).abs();
            let corners = if level {
                [[a, b - 0.8 * one], [c, d - 0.8 * two], [c, d + 0.8 * two], [a, b + 0.8 * one]]
            } else {
                [[a - one, b], [c - two, d], [c + two, d], [a + one, b]]
            };
            Pen::default().polygon(&corners).fill(self.c, &ink);
        }
    }

    /// A ring painted on the ground.
    pub(in crate::paint::scenery::settings::built) fn circle(&mut self, u: f32, v: f32, radius: f32, hex: u32) {
        let ([x, y], ink) = (self.spot(u, v), Ink::flat(self.tone(hex), 0.92));
        let short = self.film.short;
        Pen::default().oval(x, y, radius * short, 0.30 * radius * short).stroke(self.c, 0.008 * short, &ink);
    }

    /// A patch of the ground between two depths, with sides that run towards the horizon.
    pub(in crate::paint::scenery::settings::built) fn patch(&mut self, [left, right]: [f32; 2], [far, near]: [f32; 2], hex: u32) {
        let colour = self.paving(hex);
        let corners = [[left, far], [right, far], [right, near], [left, near]].map(|[u, v]| self.spot(u, v));
        let ink = Ink::linear([0.0, corners[0][1]], [0.0, corners[2][1]], &[(colour.mix(self.film.light.haze, 0.12), 1.0), (colour, 1.0)]);
        Pen::default().polygon(&corners).fill(self.c, &ink);
    }

    /// Railway lines across the picture, their bed from `far` to `near`.
    pub(in crate::paint::scenery::settings::built) fn track(&mut self, [far, near]: [f32; 2]) {
        let (top, bottom, short) = (self.down(far), self.down(near), self.film.short);
        let gravel = self.paving(0x9a9088);
        let slope = 0.02 * short;
        Pen::default()
            .rect(self.a, top - slope, self.b, bottom + slope)
            .fill(self.c, &Ink::linear([0.0, top], [0.0, bottom], &[(gravel.mix(Rgb::WHITE, 0.12), 1.0), (gravel.times(0.9), 1.0)]));
        let (mut pebbles, mut ties) = (Pen::default(), Pen::default());
        for x in self.along(60.0) {
            let y = top - slope + (bottom - top + 2.0 * slope) * self.random.unit();
            pebbles = pebbles.oval(x, y, 0.007 * short, 0.003 * short);
        }
        pebbles.fill(self.c, &Ink::flat(gravel.times(0.75), 0.7));
        for (_, x) in self.every(0.10 * short, 0.0) {
            let lean = 0.03 * short;
            ties =
                ties.polygon(&[[x, top], [x + 0.042 * short, top], [x + 0.046 * short - lean, bottom], [x - 0.004 * short - lean, bottom]]);
        }
        let wood = self.paving(0x7a5a44);
        ties.fill(self.c, &Ink::flat(wood, 1.0));
        for share in [0.20, 0.80] {
            let y = top + share * (bottom - top);
            self.block([self.a, y - 0.009 * short, self.b, y + 0.009 * short], 0x6b7480);
            self.block([self.a, y - 0.012 * short, self.b, y - 0.004 * short], 0xd3dbe3);
        }
    }

    /// Water between two lines, with light on it.
    pub(in crate::paint::scenery::settings::built) fn basin(&mut self, [top, bottom]: [f32; 2], deep: u32, pale: u32) {
        let light = &self.film.light;
        let (deep, pale) = (light.lit(Rgb::hex(deep)), light.lit(Rgb::hex(pale)).mix(light.sky[2], 0.35));
        Pen::default().rect(self.a, top, self.b, bottom).fill(self.c, &Ink::linear([0.0, top], [0.0, bottom], &[(pale, 1.0), (deep, 1.0)]));
        let (mut glints, mut shades) = (Pen::default(), Pen::default());
        for x in self.along(34.0) {
            let v = self.random.unit().powf(1.4);
            let (y, half) = (top + (bottom - top) * (0.04 + 0.92 * v), self.film.short * (0.012 + 0.05 * v) * self.random.within(0.5, 1.2));
            let high = self.film.short * (0.0012 + 0.003 * v);
            let dash = |pen: Pen| pen.to(x - half, y).quad([x, y - high], x + half, y).quad([x, y + high], x - half, y).close();
            if self.random.chance(0.6) { glints = dash(glints) } else { shades = dash(shades) }
        }
        shades.fill(self.c, &Ink::flat(deep.times(0.75), 0.5));
        glints.fill(self.c, &Ink::flat(self.film.light.sky[2].mix(Rgb::WHITE, 0.5), 0.6));
    }

    /// Ground of earth in rows that run towards the horizon, for what grows on it.
    pub(in crate::paint::scenery::settings::built) fn ridges(&mut self, soil: u32, wide: f32) {
        if self.film.light.white {
            return self.snow();
        }
        let colour = self.tone(soil);
        self.base(colour, colour.times(0.85));
        let reach = ((self.b - self.a) / (0.58 * wide * self.film.short)) as i32 / 2 + 2;
        for j in -reach..=reach {
            let u = j as f32 * wide;
            let corners = [[u - 0.28 * wide, 0.0], [u + 0.28 * wide, 0.0], [u + 0.28 * wide, 1.1], [u - 0.28 * wide, 1.1]];
            Pen::default().polygon(&corners.map(|[u, v]| self.spot(u, v))).fill(self.c, &Ink::flat(colour.mix(Rgb::WHITE, 0.14), 0.8));
            let shade = [[u + 0.28 * wide, 0.0], [u + 0.40 * wide, 0.0], [u + 0.40 * wide, 1.1], [u + 0.28 * wide, 1.1]];
            Pen::default().polygon(&shade.map(|[u, v]| self.spot(u, v))).fill(self.c, &Ink::flat(colour.times(0.72), 0.7));
        }
    }
}
