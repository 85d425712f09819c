//! Shelves, counters and cupboards with what is on them.

use super::super::share;
use crate::canvas::{Area, Canvas, Ink, Rgb};
use crate::paint::film::Film;
use crate::paint::shape::{Pen, area};
use crate::paint::things::Stamp;
use crate::random::Random;

impl Film {
    /// A tall open case, its boards full of sprites.
    pub(super) fn case(&self, c: &mut Canvas, place: Area, names: &[&str], hex: u32) {
        let (w, h, edge) = (place.right - place.left, place.bottom - place.top, 0.014 * self.short);
        self.floor_shadow(c, place);
        c.rect(place, &Ink::flat(self.wall(hex).times(0.62), 1.0));
        let levels = (h / (0.135 * self.short)).round().max(2.0);
        let step = (h - edge) / levels;
        for level in 0..levels as u32 {
            let y = place.bottom - edge - step * level as f32;
            self.row(
                c,
                names,
                [place.left + edge, y],
                w - 2.0 * edge,
                0.74 * step,
                760 + place.left.max(0.0) as u64 * 8 + u64::from(level),
            );
            c.rect(area(place.left, y, w, edge), &Ink::flat(self.wall(hex).mix(Rgb::WHITE, 0.15), 1.0));
        }
        for x in [place.left, place.right - edge] {
            c.rect(area(x, place.top - edge, edge, h + edge), &self.paint(hex));
        }
        c.rect(area(place.left - 0.5 * edge, place.top - edge, w + edge, edge), &Ink::flat(self.wall(hex).mix(Rgb::WHITE, 0.15), 1.0));
    }

    /// A counter of glass: sprites behind the panes and on top.
    pub(super) fn vitrine(&self, c: &mut Canvas, place: Area, names: &[&str], hex: u32) {
        let (w, h) = (place.right - place.left, place.bottom - place.top);
        self.floor_shadow(c, place);
        c.round_rect(place, 0.02 * self.short, &self.shaded(hex, place));
        let glass = share(place, 0.03, 0.10, 0.94, 0.58);
        c.rect(glass, &Ink::linear([0.0, glass.top], [0.0, glass.bottom], &[(self.wall(0xfdf6e2), 1.0), (self.wall(0xdfe9ea), 1.0)]));
        for (level, y) in [0.5, 1.0].into_iter().enumerate() {
            let foot = glass.top + y * (glass.bottom - glass.top);
            self.row(c, names, [glass.left, foot], glass.right - glass.left, 0.42 * (glass.bottom - glass.top), 770 + level as u64);
            c.rect(
                area(glass.left, foot - 0.006 * self.short, glass.right - glass.left, 0.008 * self.short),
                &Ink::flat(self.wall(0x9fb2b8), 1.0),
            );
        }
        let shine = (0..3).fold(Pen::default(), |pen, j| {
            let x = glass.left + w * (0.12 + 0.3 * j as f32);
            pen.polygon(&[[x, glass.top], [x + 0.03 * w, glass.top], [x - 0.05 * w, glass.bottom], [x - 0.08 * w, glass.bottom]])
        });
        shine.fill(c, &Ink::flat(Rgb::WHITE, 0.35));
        c.rect(area(place.left - 0.01 * w, place.top, 1.02 * w, 0.07 * h), &self.paint(0xf2ece0));
    }

    pub(super) fn rail_of(&self, c: &mut Canvas, place: Area, names: &[&str]) {
        let (w, h) = (place.right - place.left, place.bottom - place.top);
        let steel = self.paint(0x8f98a3);
        Pen::at(place.left, place.top).line(place.right, place.top).stroke(c, 0.012 * self.short, &steel);
        let mut random = Random::of(self.seed, 775);
        let count = (w / (0.13 * self.short)).round().max(2.0) as usize;
        for j in 0..count {
            let (x, size) = (place.left + w * (j as f32 + 0.5) / count as f32, 0.86 * h * random.within(0.82, 1.0));
            Pen::at(x - 0.04 * self.short, place.top + 0.13 * h)
                .line(x, place.top + 0.06 * h)
                .line(x + 0.04 * self.short, place.top + 0.13 * h)
                .stroke(c, 0.006 * self.short, &steel);
            Pen::at(x, place.top).line(x, place.top + 0.06 * h).stroke(c, 0.006 * self.short, &steel);
            let colour = Some(random.one(crate::codes::Colour::ALL));
            self.stamp(
                c,
                names[(j + self.seed as usize) % names.len().max(1)],
                Stamp { colour, ..Stamp::at(x, place.top + 0.10 * h + size, size) },
            );
        }
    }

    /// Cupboards of steel with a stove, for a kitchen where many are cooked for.
    pub(super) fn worktops(&self, c: &mut Canvas, hex: u32) {
        let (short, top) = (self.short, self.counter(c, hex, 0xe6eaee));
        let place = area(0.0, top, self.width, 1.0);
        for (j, x) in Self::steps_along(place, 0.32 * short).enumerate() {
            let oven = area(x + 0.04 * short, top + 0.035 * short, 0.20 * short, 0.10 * short);
            c.round_rect(oven, 0.01 * short, &self.paint(0x3a404a));
            c.round_rect(share(oven, 0.1, 0.25, 0.8, 0.55), 0.008 * short, &Ink::flat(Rgb::hex(0xffa04a).tinted(self.light.ambient), 0.75));
            if j % 2 == 0 {
                self.stamp(c, "pot-of-food", Stamp::at(x + 0.14 * short, top, 0.085 * short));
            } else {
                let pot = area(x + 0.09 * short, top - 0.075 * short, 0.11 * short, 0.075 * short);
                c.round_rect(pot, 0.012 * short, &self.rounded(0xaab2bb, pot));
                c.rect(area(pot.left - 0.01 * short, pot.top, 0.13 * short, 0.012 * short), &self.paint(0x7d8690));
            }
        }
    }

    /// A hood over a stove is what `Bins` are over seats: boxes along the ceiling.
    pub(super) fn bins(&self, c: &mut Canvas, place: Area) {
        let short = self.short;
        let bottom = place.bottom.max(0.15 * self.horizon);
        c.rect(Area { top: -9.0, bottom, ..self.whole() }, &self.shaded(0xe9edf0, Area { top: 0.0, bottom, ..place }));
        for x in Self::steps_along(place, 0.30 * short) {
            c.round_rect(area(x + 0.01 * short, bottom - 0.11 * short, 0.28 * short, 0.10 * short), 0.02 * short, &self.paint(0xd6dce2));
            c.rect(area(x + 0.12 * short, bottom - 0.035 * short, 0.06 * short, 0.010 * short), &self.paint(0x9aa4ae));
        }
        c.rect(Area { top: bottom - 0.006 * short, bottom: bottom + 0.010 * short, ..self.whole() }, &self.paint(0xaeb8c2));
    }

    pub(super) fn lockers(&self, c: &mut Canvas, place: Area, hex: u32) {
        let (step, edge) = (0.12 * self.short, 0.008 * self.short);
        c.rect(Area { left: -9.0, right: self.width + 9.0, ..place }, &Ink::flat(self.wall(hex).times(0.55), 1.0));
        for (j, x) in Self::steps_along(place, step).enumerate() {
            let door = area(x + edge, place.top + edge, step - edge, place.bottom - place.top - 2.0 * edge);
            c.rect(door, &self.shaded(hex, door));
            for slit in 0..3 {
                c.rect(share(door, 0.22, 0.08 + 0.035 * slit as f32, 0.56, 0.015), &Ink::flat(self.wall(hex).times(0.55), 1.0));
            }
            c.rect(share(door, 0.78, 0.48, 0.08, 0.08), &self.paint(0xd9dee4));
            if (j as u64 + self.seed).is_multiple_of(4) {
                c.rect(share(door, 0.3, 0.24, 0.4, 0.12), &self.paint(0xf7f3e6));
            }
        }
    }

    /// Stalls with a half door, hay behind it.
    pub(super) fn stalls(&self, c: &mut Canvas, place: Area, hex: u32) {
        let (step, short) = (0.46 * self.short, self.short);
        let (wood, dark) = (self.wall(hex), self.wall(hex).times(0.32));
        for x in Self::steps_along(place, step) {
            let stall = area(x + 0.03 * short, place.top, step - 0.06 * short, place.bottom - place.top);
            c.rect(
                stall,
                &Ink::linear([0.0, stall.top], [0.0, stall.bottom], &[(dark.times(0.7), 1.0), (dark.mix(self.wall(0xc9a45e), 0.3), 1.0)]),
            );
            let hay = share(stall, 0.1, 0.42, 0.8, 0.3);
            c.oval(hay, &self.paint(0xd9b45f));
            let door = share(stall, 0.0, 0.52, 1.0, 0.48);
            c.rect(door, &self.shaded(hex, door));
            let boards = (1..5).fold(Pen::default(), |pen, j| {
                let at = door.left + (door.right - door.left) * j as f32 / 5.0;
                pen.to(at, door.top).line(at, door.bottom)
            });
            boards.stroke(c, 0.005 * short, &Ink::flat(wood.times(0.6), 1.0));
            let cross = Pen::default().rect(door.left, door.top, door.right, door.top + 0.022 * short).rect(
                door.left,
                door.bottom - 0.03 * short,
                door.right,
                door.bottom - 0.008 * short,
            );
            cross.fill(c, &Ink::flat(wood.mix(Rgb::WHITE, 0.2), 1.0));
            Pen::at(door.left, door.bottom).line(door.right, door.top).stroke(c, 0.022 * short, &Ink::flat(wood.mix(Rgb::WHITE, 0.2), 1.0));
            let post = area(x - 0.03 * short, -9.0, 0.06 * short, place.bottom + 9.0);
            c.rect(post, &self.rounded(hex, post));
        }
    }

    /// A board along the wall with sprites from end to end.
    pub(super) fn long_shelf(&self, c: &mut Canvas, place: Area, names: &[&str]) {
        let y = place.bottom - 0.018 * self.short;
        self.row(c, names, [-0.02 * self.width, y], 1.04 * self.width, y - place.top, 780 + (1000.0 * y / self.height) as u64);
        self.wall_board(c, [-9.0, y], self.width + 18.0, 0xb57d4e);
    }

    /// Beds of plants on a bench.
    pub(super) fn crops(&self, c: &mut Canvas, place: Area, names: &[&str]) {
        let (short, h) = (self.short, place.bottom - place.top);
        let top = place.bottom - 0.42 * h;
        let mut random = Random::of(self.seed, 781);
        let wide = 0.13 * short;
        for (j, x) in Self::steps_along(place, wide).enumerate() {
            self.stamp(
                c,
                names[j % names.len().max(1)],
                Stamp { flip: random.chance(0.5), ..Stamp::at(x + wide / 2.0, top + 0.01 * short, 0.60 * h * random.within(0.8, 1.05)) },
            );
        }
        c.rect(Area { top, ..place }, &self.shaded(0xa5734a, place));
        c.rect(Area { top, bottom: top + 0.03 * short, ..place }, &self.paint(0x5c4030));
        let legs = Self::steps_along(place, 0.3 * short).fold(Pen::default(), |pen, x| pen.rect(x, top, x + 0.025 * short, place.bottom));
        legs.fill(c, &self.paint(0x8a5f3c));
    }

    /// A table along the wall on legs.
    pub(super) fn benchtop(&self, c: &mut Canvas, place: Area, hex: u32) {
        let legs = Self::steps_along(place, 0.34 * self.short)
            .fold(Pen::default(), |pen, x| pen.rect(x, place.top, x + 0.024 * self.short, place.bottom));
        legs.fill(c, &Ink::flat(self.wall(hex).times(0.7), 1.0));
        let slab = Area { left: -9.0, right: self.width + 9.0, bottom: place.top + 0.028 * self.short, ..place };
        c.rect(slab, &self.shaded(hex, slab));
    }
}
