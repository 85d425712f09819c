//! Workshop, office, ward and laboratory.

use crate::canvas::{Area, Canvas, Ink, Rgb};
use crate::paint::film::Film;
use crate::paint::shape::{Pen, area};
use crate::paint::things::Stamp;
use crate::random::Random;

const TOOLS: [&str; 5] = ["hammer", "wrench", "carpentry-saw", "screwdriver", "axe"];
const GLASSWARE: [&str; 4] = ["alembic", "test-tube", "petri-dish", "microscope"];

impl Film {
    pub(super) fn workshop(&self, c: &mut Canvas) {
        let (short, horizon) = (self.short, self.horizon);
        let (hole, away) = self.room_with_window(c, 0xc9b79c);
        self.tiled_floor(c, 0xb3aca3, 0xa79f95);
        let (x, span, y) = (away(0.28), 0.52 * short, self.up_the_wall(0.86));
        let high = (0.40 * horizon).min(0.28 * short);
        c.rect(area(x - span / 2.0, y, span, high), &Ink::flat(self.wall(0xd9c08f), 1.0));
        let mut holes = Pen::default();
        for row in 1..6 {
            for column in 1..12 {
                holes = holes.circle(x - span / 2.0 + span * column as f32 / 12.0, y + high * row as f32 / 6.0, 0.0035 * short);
            }
        }
        holes.fill(c, &Ink::flat(self.wall(0x9c8257), 1.0));
        for (j, tool) in TOOLS.iter().enumerate() {
            let at = x + span * ((j as f32 + 0.5) / TOOLS.len() as f32 - 0.5);
            self.stamp(c, tool, Stamp::at(at, y + 0.80 * high, 0.58 * high));
        }
        let top = self.counter(c, 0x9c6a42, 0xc9955f);
        self.stamp(c, "toolbox", Stamp::at(away(0.12), top, 0.11 * short));
        self.stamp(c, "nut-and-bolt", Stamp::at(away(0.30), top, 0.05 * short));
        self.pendant(c, self.width * 0.5, (0.8 * hole.y).max(0.06 * short), 0.12 * short, 0x3f6f5a);
        self.sunlight(c, hole);
    }

    pub(super) fn office(&self, c: &mut Canvas) {
        let (short, horizon, rise) = (self.short, self.horizon, self.rise());
        let (hole, away) = self.room_with_window(c, 0xd7dde2);
        let blind = (0..7).fold(Pen::default(), |pen, j| {
            let y = hole.y + hole.height * 0.06 * j as f32;
            pen.rect(hole.x, y, hole.x + hole.width, y + 0.035 * hole.height)
        });
        blind.fill(c, &Ink::flat(self.wall(0xf4f6f7), 0.95));
        let carpet = self.light.lit(Rgb::hex(0x6f8296));
        let ink = Ink::linear([0.0, horizon], [0.0, self.height], &[(carpet.times(0.82), 1.0), (carpet, 1.0)]);
        c.rect(Area { top: horizon, ..self.whole() }, &ink);
        self.bookshelf(c, away(0.09), horizon + 0.02 * short, 0.22 * short, 0.62 * rise);
        // A desk with a screen, a chair behind it.
        let (x, foot) = (away(0.36), horizon + 0.05 * short);
        let (top, half) = (foot - 0.17 * short, 0.19 * short);
        let (wood, dark) = (self.wall(0xb98654), self.wall(0x3a4150));
        c.round_rect(area(x - 0.06 * short, top - 0.13 * short, 0.12 * short, 0.16 * short), 0.03 * short, &Ink::flat(dark, 1.0));
        Pen::default()
            .rect(x - 0.92 * half, top, x - 0.84 * half, foot)
            .rect(x + 0.42 * half, top, x + 0.92 * half, foot - 0.02 * short)
            .rect(x + 0.84 * half, top, x + 0.92 * half, foot)
            .fill(c, &Ink::flat(wood.times(0.75), 1.0));
        c.rect(area(x - half, top, 2.0 * half, 0.022 * short), &Ink::flat(wood, 1.0));
        self.stamp(c, "desktop-computer", Stamp::at(x - 0.25 * half, top, 0.15 * short));
        self.stamp(c, "telephone", Stamp::at(x + 0.6 * half, top, 0.06 * short));
        let (cx, cy, radius) = (away(0.34), self.up_the_wall(0.74), 0.055 * short);
        c.circle(cx, cy, 1.15 * radius, &Ink::flat(dark, 1.0));
        c.circle(cx, cy, radius, &Ink::flat(self.wall(0xfbfbf8), 1.0));
        Pen::at(cx, cy - 0.7 * radius).line(cx, cy).line(cx + 0.5 * radius, cy + 0.15 * radius).stroke(
            c,
            0.16 * radius,
            &Ink::flat(dark, 1.0),
        );
        self.pot_plant(c, away(0.97), horizon + 0.03 * short, 0.26 * short);
        self.sunlight(c, hole);
    }

    pub(super) fn ward(&self, c: &mut Canvas) {
        let (short, horizon) = (self.short, self.horizon);
        let (hole, away) = self.room_with_window(c, 0xe4f1ee);
        self.tiled_floor(c, 0xeef4f3, 0xd5e6e3);
        let (x, y) = (away(0.14), self.up_the_wall(0.72));
        c.round_rect(area(x - 0.075 * short, y - 0.075 * short, 0.15 * short, 0.15 * short), 0.02 * short, &Ink::flat(Rgb::WHITE, 0.95));
        Pen::default()
            .rect(x - 0.018 * short, y - 0.055 * short, x + 0.018 * short, y + 0.055 * short)
            .rect(x - 0.055 * short, y - 0.018 * short, x + 0.055 * short, y + 0.018 * short)
            .fill(c, &Ink::flat(self.wall(0xd8453f), 1.0));
        // A curtain around the bed, a bag on a stand, a monitor with a pulse.
        let (left, right, top) = (away(0.30).min(away(0.46)), away(0.30).max(away(0.46)), self.up_the_wall(0.86));
        Pen::at(left - 0.3 * short, top).line(right + 0.3 * short, top).stroke(c, 0.012 * short, &Ink::flat(self.wall(0xa9b4ba), 1.0));
        let folds = 6;
        for j in 0..folds {
            let step = (right - left) / folds as f32;
            let ink = Ink::linear(
                [left + step * j as f32, 0.0],
                [left + step * (j + 1) as f32, 0.0],
                &[(self.wall(0x8fcabf), 1.0), (self.wall(0xb9e3da), 1.0), (self.wall(0x7fbbb0), 1.0)],
            );
            c.rect(area(left + step * j as f32, top, step + 0.5, horizon - 0.06 * short - top), &ink);
        }
        let (x, foot, steel) = (away(0.22), horizon + 0.03 * short, self.wall(0x8d99a3));
        Pen::at(x, foot).line(x, foot - 0.44 * short).stroke(c, 0.010 * short, &Ink::flat(steel, 1.0));
        Pen::at(x - 0.05 * short, foot).line(x + 0.05 * short, foot).stroke(c, 0.014 * short, &Ink::flat(steel, 1.0));
        c.round_rect(
            area(x - 0.032 * short, foot - 0.44 * short, 0.064 * short, 0.10 * short),
            0.015 * short,
            &Ink::flat(self.wall(0xd9eefb), 0.95),
        );
        let (x, y) = (away(0.07), foot - 0.20 * short);
        c.rect(area(x - 0.012 * short, y, 0.024 * short, foot - y), &Ink::flat(steel, 1.0));
        c.round_rect(
            area(x - 0.075 * short, y - 0.12 * short, 0.15 * short, 0.12 * short),
            0.014 * short,
            &Ink::flat(self.wall(0x2b3640), 1.0),
        );
        let pulse = [[-0.06, 0.0], [-0.02, 0.0], [-0.008, -0.035], [0.008, 0.03], [0.02, 0.0], [0.06, 0.0]];
        Pen::default().line_through(&pulse.map(|[u, v]| [x + u * short, y - 0.06 * short + v * short])).stroke(
            c,
            0.007 * short,
            &Ink::flat(Rgb::hex(0x5ff0a0), 1.0),
        );
        self.sunlight(c, hole);
    }

    pub(super) fn laboratory(&self, c: &mut Canvas) {
        let (short, horizon) = (self.short, self.horizon);
        let (hole, away) = self.room_with_window(c, 0xd5e3e6);
        self.tiled_floor(c, 0xe3e9ec, 0xc6d2d8);
        let span = 0.46 * short;
        let x = away(0.24) - span / 2.0;
        let size = (0.18 * horizon).min(0.12 * short);
        for (level, at) in [0.48, 0.74].into_iter().enumerate() {
            self.row(c, &GLASSWARE, [x, self.up_the_wall(at)], span, size, 700 + level as u64);
            self.wall_board(c, [x, self.up_the_wall(at)], span, 0x8d9aa5);
        }
        let top = self.counter(c, 0xf1f4f5, 0x4b5a66);
        let mut random = Random::of(self.seed, 705);
        for j in 0..4 {
            // A flask with what bubbles in it.
            let (x, size) = (away(0.06 + 0.10 * j as f32), short * random.within(0.08, 0.11));
            let hex = random.one(&[0x58c878, 0xb36ae0, 0xf08a3c, 0x4fb0f0]);
            let flask = |fill: f32| {
                let wide = |v: f32| 0.09 + 0.36 * (1.0 - v);
                Pen::default().polygon(&[
                    [x - wide(fill) * size, top - fill * size],
                    [x + wide(fill) * size, top - fill * size],
                    [x + wide(0.0) * size, top],
                    [x - wide(0.0) * size, top],
                ])
            };
            flask(1.0).fill(c, &Ink::flat(Rgb([0.92, 0.98, 1.0]), 0.75));
            flask(0.55).fill(c, &Ink::flat(self.wall(hex), 0.95));
            Pen::default()
                .circle(x - 0.1 * size, top - 0.25 * size, 0.05 * size)
                .circle(x + 0.1 * size, top - 0.40 * size, 0.04 * size)
                .fill(c, &Ink::flat(Rgb::WHITE, 0.7));
        }
        self.stamp(c, "microscope", Stamp::at(away(0.46), top, 0.13 * short));
        self.sunlight(c, hole);
    }
}
