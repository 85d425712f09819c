//! Machines and what they are worked with: consoles, pipes, belts, washing machines, arcade cabinets, a tank of fish.

use super::super::share;
use crate::canvas::{Area, Canvas, Ink, Puff, Rgb};
use crate::paint::film::Film;
use crate::paint::shape::{Pen, about, area};
use crate::paint::things::Stamp;
use crate::random::Random;

const LIGHTS: [u32; 5] = [0xff5a4f, 0x5ff08a, 0xffc83a, 0x4fc3ff, 0xf06ae0];
const FISH: [&str; 4] = ["tropical-fish", "fish", "blowfish", "seahorse"];

impl Film {
    /// A desk of switches and screens that leans towards who works at it.
    pub(super) fn console(&self, c: &mut Canvas, place: Area, hex: u32) {
        let (short, h) = (self.short, place.bottom - place.top);
        let slope = [
            [-9.0, place.top + 0.52 * h],
            [0.06 * self.width, place.top],
            [0.94 * self.width, place.top],
            [self.width + 9.0, place.top + 0.52 * h],
        ];
        c.rect(Area { left: -9.0, right: self.width + 9.0, top: place.top + 0.5 * h, bottom: place.bottom }, &self.shaded(hex, place));
        Pen::default().polygon(&slope).fill(c, &Ink::flat(self.wall(hex).mix(Rgb::WHITE, 0.14), 1.0));
        let mut random = Random::of(self.seed, 790);
        let step = 0.30 * short;
        for x in Self::steps_along(place, step).filter(|x| *x > -0.5 * step && *x < self.width) {
            let screen = area(x + 0.04 * short, place.top + 0.08 * h, 0.13 * short, 0.36 * h);
            c.round_rect(screen, 0.01 * short, &Ink::flat(Rgb::hex(0x0d2233), 1.0));
            let line: Vec<[f32; 2]> = (0..7)
                .map(|j| {
                    [
                        screen.left + (screen.right - screen.left) * (j as f32 + 0.5) / 7.0,
                        (screen.top + screen.bottom) / 2.0 + 0.12 * h * random.within(-1.0, 1.0),
                    ]
                })
                .collect();
            Pen::default().line_through(&line).stroke(c, 0.006 * short, &Ink::flat(Rgb::hex(0x5ff0c0), 1.0));
            for j in 0..6 {
                let (u, v) = (x + (0.195 + 0.03 * (j % 3) as f32) * short, place.top + (0.18 + 0.18 * (j / 3) as f32) * h);
                let glow = Rgb::hex(random.one(&LIGHTS));
                c.puff(u, v, 0.028 * short, 0.028 * short, glow, 0.4, Puff { add: true, firm: false });
                c.circle(u, v, 0.010 * short, &Ink::flat(glow, 1.0));
            }
            for j in 0..3 {
                let u = x + (0.06 + 0.075 * j as f32) * short;
                Pen::at(u, place.top + 0.86 * h).line(u, place.top + 0.66 * h).stroke(c, 0.010 * short, &self.paint(0xc9d0d8));
                c.circle(
                    u,
                    place.top + (0.66 + 0.08 * random.unit()) * h,
                    0.016 * short,
                    &Ink::flat(Rgb::hex(random.one(&LIGHTS)).tinted(self.light.ambient), 1.0),
                );
            }
        }
    }

    pub(super) fn steering_wheel(&self, c: &mut Canvas, place: Area) {
        let at = |x: f32, y: f32| [place.left + x * (place.right - place.left), place.top + y * (place.bottom - place.top)];
        let yoke = Pen::default().line_through(&[at(0.06, 0.0), at(0.06, 0.5), at(0.5, 0.6), at(0.94, 0.5), at(0.94, 0.0)]);
        yoke.stroke(c, 0.034 * self.short, &self.paint(0x22262e));
        let stem = Pen::default().line_through(&[at(0.5, 0.6), at(0.5, 1.0)]);
        stem.stroke(c, 0.04 * self.short, &self.paint(0x3a404a));
    }

    pub(super) fn bars(&self, c: &mut Canvas, place: Area) {
        let (short, iron) = (self.short, self.wall(0x5a606c));
        for x in Self::steps_along(place, 0.095 * short) {
            let bar = area(x, -9.0, 0.020 * short, place.bottom + 9.0);
            c.rect(bar, &self.rounded(0x6a707c, bar));
        }
        for y in [0.10 * self.horizon, place.bottom - 0.09 * short] {
            c.rect(area(-9.0, y, self.width + 18.0, 0.024 * short), &Ink::flat(iron, 1.0));
        }
    }

    pub(super) fn pipes(&self, c: &mut Canvas, place: Area, hex: u32) {
        let short = self.short;
        for (j, (up, thick)) in [(0.25, 0.05), (0.72, 0.032)].into_iter().enumerate() {
            let y = place.top + up * (place.bottom - place.top);
            let pipe = area(-9.0, y - thick * short / 2.0, self.width + 18.0, thick * short);
            let colour = self.wall(if j == 0 { hex } else { 0xb8664a });
            let stops = [(colour.mix(Rgb::WHITE, 0.3), 1.0), (colour, 1.0), (colour.times(0.6), 1.0)];
            c.rect(pipe, &Ink::linear([0.0, pipe.top], [0.0, pipe.bottom], &stops));
            for x in Self::steps_along(place, 0.27 * short) {
                c.rect(
                    area(x + 0.08 * j as f32 * short, pipe.top - 0.008 * short, 0.03 * short, thick * short + 0.016 * short),
                    &Ink::flat(colour.times(0.72), 1.0),
                );
            }
        }
        for x in Self::steps_along(place, 0.62 * short) {
            let (x, y) = (x + 0.2 * short, place.top + 0.25 * (place.bottom - place.top));
            Pen::default().circle(x, y, 0.042 * short).stroke(c, 0.014 * short, &self.paint(0xd8434f));
            Pen::at(x - 0.04 * short, y).line(x + 0.04 * short, y).to(x, y - 0.04 * short).line(x, y + 0.04 * short).stroke(
                c,
                0.009 * short,
                &self.paint(0xd8434f),
            );
        }
    }

    /// A belt with boxes on rollers.
    pub(super) fn belt(&self, c: &mut Canvas, place: Area) {
        let (short, h) = (self.short, place.bottom - place.top);
        let top = place.top + 0.55 * h;
        for (j, x) in Self::steps_along(place, 0.26 * short).enumerate() {
            let name = ["package", "gear", "package", "canned-food"][(j + self.seed as usize) % 4];
            self.stamp(c, name, Stamp::at(x + 0.13 * short, top, 0.52 * h));
        }
        let legs = Self::steps_along(place, 0.3 * short).fold(Pen::default(), |pen, x| pen.rect(x, top, x + 0.03 * short, place.bottom));
        legs.fill(c, &self.paint(0x59616c));
        c.rect(area(-9.0, top, self.width + 18.0, 0.24 * h), &self.paint(0x2f343c));
        let rollers = Self::steps_along(place, 0.055 * short).fold(Pen::default(), |pen, x| pen.circle(x, top + 0.12 * h, 0.018 * short));
        rollers.fill(c, &self.paint(0xaab2bb));
        c.rect(area(-9.0, top - 0.006 * short, self.width + 18.0, 0.014 * short), &self.paint(0x4a515c));
    }

    pub(super) fn machine(&self, c: &mut Canvas, place: Area, hex: u32) {
        self.floor_shadow(c, place);
        let short = self.short;
        c.round_rect(share(place, 0.0, 0.22, 1.0, 0.78), 0.02 * short, &self.shaded(hex, place));
        let funnel = [[0.12, 0.0], [0.52, 0.0], [0.42, 0.24], [0.22, 0.24]]
            .map(|[x, y]| [place.left + x * (place.right - place.left), place.top + y * (place.bottom - place.top)]);
        Pen::default().polygon(&funnel).fill(c, &self.paint(0x8f98a3));
        let (x, y, r) = (
            place.left + 0.72 * (place.right - place.left),
            place.top + 0.40 * (place.bottom - place.top),
            0.14 * (place.right - place.left),
        );
        c.circle(x, y, r, &self.paint(0x3a404a));
        c.circle(x, y, 0.84 * r, &self.paint(0xfbfbf4));
        Pen::at(x, y).line(x + 0.5 * r, y - 0.5 * r).stroke(c, 0.14 * r, &self.paint(0xd8434f));
        self.stamp(
            c,
            "gear",
            Stamp::at(
                place.left + 0.30 * (place.right - place.left),
                place.bottom - 0.16 * (place.bottom - place.top),
                0.36 * (place.bottom - place.top),
            ),
        );
        for (j, glow) in LIGHTS.iter().take(3).enumerate() {
            c.circle(
                place.left + (0.62 + 0.11 * j as f32) * (place.right - place.left),
                place.top + 0.66 * (place.bottom - place.top),
                0.014 * short,
                &Ink::flat(Rgb::hex(*glow), 1.0),
            );
        }
        c.rect(share(place, 0.56, 0.78, 0.36, 0.10), &Ink::flat(self.wall(hex).times(0.6), 1.0));
    }

    /// An iron stove with a fire, or stones on it.
    pub(super) fn furnace(&self, c: &mut Canvas, place: Area) {
        self.floor_shadow(c, place);
        let (w, h, short) = (place.right - place.left, place.bottom - place.top, self.short);
        let pipe = area(place.left + 0.42 * w, -9.0, 0.16 * w, place.top + 0.5 * h + 9.0);
        c.rect(pipe, &self.rounded(0x4a4a52, pipe));
        let stones = [0.16, 0.36, 0.58, 0.8]
            .iter()
            .fold(Pen::default(), |pen, x| pen.oval(place.left + x * w, place.top + 0.36 * h, 0.14 * w, 0.09 * h));
        stones.fill(c, &self.paint(0x8d8a90));
        c.round_rect(share(place, 0.04, 0.40, 0.92, 0.60), 0.015 * short, &self.shaded(0x3a3a42, place));
        c.round_rect(share(place, 0.24, 0.54, 0.52, 0.34), 0.012 * short, &Ink::flat(Rgb::hex(0xff8a3a), 1.0));
        self.stamp(c, "fire", Stamp::at(place.left + 0.5 * w, place.top + 0.87 * h, 0.28 * h));
        self.lamp_light(c, place.left + 0.5 * w, place.top + 0.7 * h, 1.2 * w);
    }

    pub(super) fn washer(&self, c: &mut Canvas, place: Area) {
        self.floor_shadow(c, place);
        let (w, h) = (place.right - place.left, place.bottom - place.top);
        c.round_rect(place, 0.015 * self.short, &self.shaded(0xf4f7f9, place));
        c.rect(share(place, 0.05, 0.05, 0.9, 0.16), &self.paint(0xd3dbe2));
        c.rect(share(place, 0.10, 0.08, 0.26, 0.09), &self.paint(0x9fb2c0));
        c.circle(place.left + 0.82 * w, place.top + 0.13 * h, 0.055 * w, &self.paint(0x5a6a78));
        let (x, y, r) = (place.left + 0.5 * w, place.top + 0.60 * h, 0.33 * w.min(h));
        c.circle(x, y, r, &self.paint(0x98a6b2));
        c.circle(x, y, 0.84 * r, &Ink::flat(Rgb::hex(0x4f8fc0).tinted(self.light.ambient), 1.0));
        let mut random = Random::of(self.seed, 791 + place.left.max(0.0) as u64);
        for (turn, far) in [(0.4, 0.42), (1.9, 0.45), (3.5, 0.40), (5.0, 0.3)] {
            let hex = random.one(&[0xf2c23f, 0xe0564f, 0xfbfbf8, 0x8a5bd0, 0x5fc08a]);
            let turn: f32 = turn;
            c.circle(x + far * r * turn.cos(), y + far * r * turn.sin(), 0.3 * r, &self.paint(hex));
        }
        Pen::at(x - 0.5 * r, y - 0.2 * r).line(x - 0.1 * r, y - 0.6 * r).stroke(c, 0.1 * r, &Ink::flat(Rgb::WHITE, 0.6));
    }

    pub(super) fn arcade(&self, c: &mut Canvas, place: Area, hex: u32) {
        self.floor_shadow(c, place);
        let (w, h) = (place.right - place.left, place.bottom - place.top);
        let glow = Rgb::hex(hex);
        c.puff(place.left + 0.5 * w, place.top + 0.3 * h, 1.0 * w, 0.5 * h, glow, 0.28, Puff { add: true, firm: false });
        c.round_rect(place, 0.02 * self.short, &self.shaded(hex, place));
        c.rect(share(place, 0.08, 0.04, 0.84, 0.12), &Ink::flat(Rgb::hex(0xffe36a), 1.0));
        let screen = share(place, 0.12, 0.20, 0.76, 0.30);
        c.rect(screen, &Ink::flat(Rgb::hex(0x10122a), 1.0));
        let mut random = Random::of(self.seed, 793 + place.left.max(0.0) as u64);
        for _ in 0..9 {
            let dot = share(screen, random.within(0.05, 0.85), random.within(0.05, 0.8), 0.11, 0.12);
            c.rect(dot, &Ink::flat(Rgb::hex(random.one(&LIGHTS)), 1.0));
        }
        c.rect(share(place, -0.06, 0.54, 1.12, 0.10), &Ink::flat(self.wall(hex).times(0.55), 1.0));
        for (x, which) in [(0.25, 0), (0.6, 2), (0.75, 1)] {
            c.circle(place.left + x * w, place.top + 0.56 * h, 0.05 * w, &Ink::flat(Rgb::hex(LIGHTS[which]), 1.0));
        }
        c.rect(share(place, 0.3, 0.74, 0.4, 0.16), &Ink::flat(self.wall(hex).times(0.55), 1.0));
    }

    /// Glass from floor to ceiling with fish behind it.
    pub(super) fn tank(&self, c: &mut Canvas, place: Area) {
        let (w, h, short) = (place.right - place.left, place.bottom - place.top, self.short);
        c.rect(
            Area {
                left: place.left - 0.02 * short,
                top: place.top - 0.02 * short,
                right: place.right + 0.02 * short,
                bottom: place.bottom + 0.02 * short,
            },
            &self.paint(0x2a3040),
        );
        c.rect(place, &Ink::linear([0.0, place.top], [0.0, place.bottom], &[(Rgb::hex(0x5fd0f0), 1.0), (Rgb::hex(0x1f6fc0), 1.0)]));
        let mut random = Random::of(self.seed, 795 + place.left.max(0.0) as u64);
        c.clipped_to(place, |c| {
            let beams = (0..4).fold(Pen::default(), |pen, j| {
                let x = place.left + w * (0.1 + 0.27 * j as f32);
                pen.polygon(&[[x, place.top], [x + 0.06 * w, place.top], [x - 0.06 * w, place.bottom], [x - 0.2 * w, place.bottom]])
            });
            beams.fill(c, &Ink::flat(Rgb::WHITE, 0.14));
            let bed = (0..8).fold(Pen::default(), |pen, j| pen.circle(place.left + w * j as f32 / 7.0, place.bottom + 0.05 * h, 0.12 * h));
            bed.fill(c, &Ink::flat(Rgb::hex(0xe8cf8f).tinted(self.light.ambient), 1.0));
            for (x, name, size) in [(0.14, "coral", 0.30), (0.82, "coral", 0.24), (0.5, "herb", 0.26)] {
                self.stamp(c, name, Stamp::at(place.left + x * w, place.bottom - 0.03 * h, size * h));
            }
            let count = (w / (0.16 * short)).round().max(2.0) as usize;
            for j in 0..count {
                let (x, y) =
                    (place.left + w * (j as f32 + random.within(0.25, 0.75)) / count as f32, place.top + h * random.within(0.25, 0.75));
                self.stamp(
                    c,
                    FISH[(j + self.seed as usize) % 4],
                    Stamp { flip: random.chance(0.5), ..Stamp::at(x, y, h.min(0.4 * short) * random.within(0.16, 0.24)) },
                );
            }
            let bubbles = (0..14).fold(Pen::default(), |pen, _| {
                pen.circle(place.left + w * random.unit(), place.top + h * random.unit(), short * random.within(0.003, 0.008))
            });
            bubbles.fill(c, &Ink::flat(Rgb::WHITE, 0.5));
        });
        c.puff(place.left + 0.5 * w, place.bottom, 0.6 * w, 0.12 * short, Rgb([0.3, 0.7, 1.0]), 0.25, Puff { add: true, firm: false });
    }

    /// Bowling lanes that run to the pins at the wall.
    pub(super) fn lanes(&self, c: &mut Canvas) {
        let (short, top, middle) = (self.short, self.horizon, self.width / 2.0);
        let pit = area(-9.0, top - 0.15 * short, self.width + 18.0, 0.15 * short);
        c.rect(pit, &Ink::flat(Rgb::hex(0x1a1526), 1.0));
        let depth = self.height - top + 9.0;
        let (far, near) = (0.34 * short, 0.62 * short);
        for j in -4..=4 {
            let edge = |k: f32, spread: f32| middle + (k - 0.5) * spread;
            let (left, right) = (j as f32 + 0.08, j as f32 + 0.92);
            let lane = [[edge(left, far), top], [edge(right, far), top], [edge(right, near), top + depth], [edge(left, near), top + depth]];
            Pen::default().polygon(&lane).fill(c, &Ink::flat(self.light.lit(Rgb::hex(0xe0b070)), 1.0));
            let x = edge(j as f32 + 0.5, far);
            for (row, count) in [(0, 4), (1, 3), (2, 2)] {
                for pin in 0..count {
                    let (px, foot, high) = (
                        x + (pin as f32 - (count as f32 - 1.0) / 2.0) * 0.048 * short,
                        top - 0.022 * short + 0.012 * row as f32 * short,
                        0.085 * short,
                    );
                    c.oval(about(px, foot - 0.30 * high, 0.20 * high, 0.30 * high), &self.paint(0xfdfbf6));
                    c.oval(about(px, foot - 0.78 * high, 0.13 * high, 0.22 * high), &self.paint(0xfdfbf6));
                    c.rect(about(px, foot - 0.62 * high, 0.11 * high, 0.03 * high), &self.paint(0xd8434f));
                }
            }
        }
        c.rect(
            area(-9.0, pit.top - 0.12 * short, self.width + 18.0, 0.12 * short),
            &Ink::linear([0.0, 0.0], [self.width, 0.0], &[(Rgb::hex(0xf0467a), 1.0), (Rgb::hex(0x7a4af0), 1.0), (Rgb::hex(0x3ab0f0), 1.0)]),
        );
        for x in Self::steps_along(pit, 0.34 * short) {
            self.stamp(c, "star", Stamp::at(x + 0.17 * short, pit.top - 0.03 * short, 0.06 * short));
        }
    }
}
