//! What a way shows of itself: the slope that somebody goes down, clouds before who flies through them, water that splashes.

use super::{Passage, slope};
use crate::canvas::{Area, Canvas, Ink, Puff, Rgb};
use crate::codes::{Backdrop, Way};
use crate::layout::Landmark;
use crate::paint::film::{Film, Medium, Moment};
use crate::paint::shape::Pen;

impl Film {
    /// What lies under who goes there, drawn before them.
    pub(in crate::paint::things) fn under_a_course(&self, c: &mut Canvas, place: usize) {
        let Some(slot) = self.brief.slots.get(place).filter(|slot| slot.rank == 0) else { return };
        let Some(course) = slot.course.filter(|course| course.by.is_none() && matches!(course.way, Way::Up | Way::Down)) else { return };
        let Some(object) = self.layout.objects.get(place) else { return };
        let fall = if course.way == Way::Down { self.way(place) } else { -self.way(place) };
        let line = |x: f32| (slope(object.y, fall, x) + 0.006 * (9.0 * x).sin()) * self.height;
        let hex = match self.brief.backdrop {
            _ if self.light.white => [0xf4f9ff, 0xc9dcf0],
            Backdrop::Snowfield => [0xf4f9ff, 0xc9dcf0],
            Backdrop::Desert => [0xe9c27c, 0xcf9d55],
            Backdrop::Mountains | Backdrop::Volcano => [0x8fb36b, 0x5f8a4a],
            _ => [0x7cc356, 0x4f9a40],
        };
        let [top, low] = hex.map(|hex| self.light.lit(Rgb::hex(hex)));
        let rim = top.mix(if self.light.white { Rgb::hex(0x8fb4da) } else { Rgb::hex(0x2f6b2a) }, 0.55);
        let mut pen = Pen::at(-0.2 * self.width, 1.3 * self.height);
        for step in 0..=24 {
            let x = -0.2 + 1.4 * step as f32 / 24.0;
            pen = pen.line(x * self.width, line(x));
        }
        let (from, to) = ([0.0, line(0.5) - 0.2 * self.height], [0.0, self.height]);
        pen.line(1.2 * self.width, 1.3 * self.height).close().fill(c, &Ink::linear(from, to, &[(top, 1.0), (low, 1.0)]));
        let points: Vec<[f32; 2]> = (0..=24).map(|step| -0.2 + 1.4 * step as f32 / 24.0).map(|x| [x * self.width, line(x)]).collect();
        Pen::default().line_through(&points).stroke(c, 0.012 * self.short, &Ink::flat(rim, 0.9));
        for j in 0..26 {
            let x = -0.1 + 1.2 * (0.618 * j as f32).fract();
            let (px, py) = (x * self.width, line(x) + (0.02 + 0.3 * (0.37 * j as f32).fract()) * self.height);
            let tuft = 0.012 * self.short;
            let blade = Pen::at(px - tuft, py).line(px, py - 1.6 * tuft).line(px + 0.4 * tuft, py);
            blade.close().fill(c, &Ink::flat(top.mix(if self.light.white { low } else { Rgb::BLACK }, 0.18), 0.7));
        }
    }

    /// A rainbow from one foot to the other.
    pub(in crate::paint::things) fn painted_bow(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let Some(pose) = m.poses.get(place) else { return };
        let [wide, high] = [0.5 * self.bow()[0] * self.width, self.bow()[1] * self.height];
        let (x, y, band) = (pose.x * self.width, pose.y * self.height, 0.030 * self.short);
        for (j, hex) in [0xf8312fu32, 0xff8a2b, 0xffd13b, 0x4fc14a, 0x2f8fe0, 0x8d65c5].into_iter().enumerate() {
            let inset = (j as f32 + 0.5) * band;
            let points: Vec<[f32; 2]> = (0..=40)
                .map(|step| (std::f32::consts::PI * step as f32 / 40.0).sin_cos())
                .map(|(sin, cos)| [x - (wide - inset) * cos, y - (high - inset) * sin])
                .collect();
            Pen::default().line_through(&points).stroke(c, 1.08 * band, &Ink::flat(self.light.lit(Rgb::hex(hex)), 0.95));
        }
        for side in [-1.0, 1.0] {
            for k in 0..4 {
                let cx = x + side * (wide - 2.5 * band) + (k as f32 - 1.5) * 1.7 * band;
                c.circle(cx, y - 0.3 * band, (1.7 - 0.3 * (k as f32 - 1.5).abs()) * band, &Ink::flat(self.light.lit(Rgb::WHITE), 0.95));
            }
        }
    }

    /// What is before who goes there, drawn after them.
    pub(in crate::paint::things) fn before_a_course(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let (Some(passage), Some(pose)) = (self.passage(m, place), m.poses.get(place)) else { return };
        let [x, foot] = [pose.x * self.width, (pose.y - pose.lift) * self.height];
        let size = pose.h * pose.scale * self.height;
        let wide = pose.w * pose.scale * self.width;
        match passage {
            Passage { way: Way::Through, shape: Some(Landmark::Ring), by: Some(by), .. } => self.near_side(c, m, place, by),
            Passage { way: Way::Through, by: None, .. } if self.medium == Medium::Air => {
                self.clouds_passed(c, m, [x, foot - 0.5 * size], wide)
            }
            Passage { way: Way::Through, by: None, .. } => self.thrown_up(c, m, [x, foot], size, 1.0),
            Passage { way: Way::Into | Way::Off, cut, by, .. } => {
                let wet = cut.is_some() && by.is_none() || passage.way == Way::Off && self.is_in_water(place);
                let line = cut.unwrap_or(pose.y) * self.height;
                let under = ((foot - line) / size.max(1.0) + 0.1).clamp(0.0, 1.0);
                if wet && under > 0.0 {
                    self.thrown_up(c, m, [x, line], size.max(0.5 * wide), under);
                }
            }
            Passage { way: Way::Over, shape: Some(Landmark::Flat), flight: 0.0, .. } => {}
            _ => {}
        }
    }

    /// The half of a ring that is nearer than who is in it.
    fn near_side(&self, c: &mut Canvas, m: &Moment, place: usize, by: usize) {
        let Some(ring) = m.poses.get(by) else { return };
        let (x, far) = (ring.x * self.width, 4.0 * self.width);
        let sides = if self.way(place) > 0.0 { [-far, x] } else { [x, far] };
        let area = Area { left: sides[0], top: -far, right: sides[1], bottom: far };
        c.clipped_to(area, |c| {
            self.draw(c, m, by, ring, self.light.tint(false, 0.0, 1.0), ring.alpha, crate::paint::things::warp::Lay::Upright)
        });
    }

    fn clouds_passed(&self, c: &mut Canvas, m: &Moment, [x, y]: [f32; 2], wide: f32) {
        let colour = self.light.lit(Rgb::WHITE).mix(Rgb::WHITE, 0.3);
        for j in 0..5 {
            let v = (0.35 * m.t + 0.2 * j as f32).fract();
            let (cx, cy) = (x - self.way(0) * (1.6 * v - 0.8) * 1.4 * wide, y + (0.16 + 0.2 * (2.1 * j as f32).sin()) * wide);
            for k in 0..4 {
                let (dx, radius) = ((k as f32 - 1.5) * 0.16 * wide, (0.24 - 0.04 * (k as f32 - 1.5).abs()) * wide);
                c.puff(
                    cx + dx,
                    cy,
                    1.2 * radius,
                    0.8 * radius,
                    colour,
                    0.9 * (4.0 * v * (1.0 - v)).min(1.0),
                    Puff { add: false, firm: true },
                );
            }
        }
    }

    /// Drops thrown up around a point of the water.
    pub(in crate::paint::things) fn thrown_up(&self, c: &mut Canvas, m: &Moment, [x, y]: [f32; 2], size: f32, strength: f32) {
        let foam = if self.light.level > 0.5 { Rgb::hex(0xe6f6ff) } else { Rgb::hex(0x9fb8e0) };
        let ring = Pen::default().oval(x, y, 0.5 * size * strength.max(0.4), 0.09 * size);
        ring.stroke(c, 0.02 * size, &Ink::flat(foam, 0.7 * strength));
        for j in 0..18 {
            let age = (1.3 * m.t + j as f32 / 18.0).fract();
            let (side, high) = (1.6 * (0.618 * j as f32).fract() - 0.8, 0.5 + 0.5 * (2.3 * j as f32).sin().abs());
            let (dx, dy) = (side * (0.35 + 0.6 * age) * size, 1.9 * high * age * (1.0 - age) * size * strength);
            let radius = size * (0.018 + 0.022 * (1.7 * j as f32).cos().abs());
            c.circle(x + dx, y - dy, radius, &Ink::flat(foam, 0.9 * strength * (5.0 * (1.0 - age)).min(1.0)));
        }
    }
}
