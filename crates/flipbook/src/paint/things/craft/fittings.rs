//! What somebody works at who was given nothing to work at: a table, a basin, a counter, a washing line, a tree, a wheel, a stool.

use super::Piece::{Bar, Disc, Ring};
use super::site::Site;
use super::{BEYOND, Piece, Plane, Work};
use crate::canvas::{Canvas, Puff, Rgb};
use crate::figures::Figure;
use crate::paint::film::{Film, Moment};
use crate::paint::shape::{Pen, about, area};
use crate::paint::things::stamp::Stamp;
use crate::sprites::atlas;

/// Half of a table, in heights of who works.
const HALF: f32 = 0.37;
const CLOTHES: [(&str, f32); 4] = [("t-shirt", 0.24), ("socks", 0.16), ("dress", 0.32), ("jeans", 0.28)];

#[rustfmt::skip]
const WHEEL: &[Piece] = &[
    Bar(0x6b4226, [0.0, 0.0], [0.0, 0.30], 0.05), Ring(0x9a6a3c, [0.0, 0.42], 0.19, 0.022), Disc(0x7a4f2a, [0.0, 0.42], 0.045),
];

impl Film {
    /// The middle of the table's top, in pixels.
    pub(super) fn table_at(&self, m: &Moment, place: usize, work: &Work) -> Option<[f32; 2]> {
        let [x, _] = self.reach(m, place, work.craft.gesture)?;
        Some([x + self.way_of(m, place) * BEYOND * self.tall(m, place), self.table_top(m, place, work)])
    }

    /// Where what stands on the ground before the hands has its middle, in pixels.
    pub(super) fn ground_at(&self, m: &Moment, place: usize, work: &Work) -> Option<[f32; 2]> {
        let [x, _] = self.reach(m, place, work.craft.gesture)?;
        let (pose, tall, way) = (m.poses.get(place)?, self.tall(m, place), self.way_of(m, place));
        let near = ((x - pose.x * self.width) * way).max(0.22 * tall);
        let more = match work.site {
            Site::Tree => 0.55,
            Site::Line => 0.50,
            Site::Wall => 0.36,
            Site::Helm => 0.06,
            _ => 0.22,
        };
        Some([pose.x * self.width + way * (near + more * tall), (pose.y - pose.lift) * self.height])
    }

    pub(super) fn fitting(&self, c: &mut Canvas, m: &Moment, place: usize, work: &Work) {
        match work.site {
            Site::Table | Site::Eyes => self.table(c, m, place, work, HALF),
            Site::Basin => self.basin(c, m, place, work),
            Site::Till => self.till(c, m, place, work),
            Site::Line => self.washing_line(c, m, place, work),
            Site::Tree => self.fruit_tree(c, m, place, work),
            Site::Helm => self.helm(c, m, place, work),
            _ => {}
        }
    }

    /// A table is there already where one is named and bears what is worked on.
    fn has_a_table(&self, work: &Work) -> bool {
        const TABLES: [&str; 4] = ["table", "oven", "bench", "wood"];
        let carrier = work.object.and_then(|object| self.brief.slots.get(object)?.parent).and_then(|parent| self.brief.slots.get(parent));
        carrier.is_some_and(|slot| TABLES.contains(&atlas().get(slot.sprite).name.as_str())) && !self.is_table_replaced(work)
    }

    /// A named table gives way to the one that is as high as the hands.
    fn is_table_replaced(&self, work: &Work) -> bool {
        work.site == Site::Table
    }

    fn table(&self, c: &mut Canvas, m: &Moment, place: usize, work: &Work, half: f32) {
        if self.has_a_table(work) {
            return;
        }
        let (Some([x, top]), Some(pose)) = (self.table_at(m, place, work), m.poses.get(place)) else { return };
        let (tall, foot) = (self.tall(m, place), (pose.y - pose.lift) * self.height);
        c.puff(x, foot, 1.1 * half * tall, 0.05 * tall, Rgb([0.05, 0.04, 0.12]), 0.35, Puff::default());
        let half = half * tall;
        for side in [-1.0, 1.0] {
            c.rect(area(x + side * 0.84 * half - 0.028 * tall, top, 0.056 * tall, foot - top), &self.ink(0x8a5a34));
        }
        c.rect(area(x - 0.9 * half, top, 1.8 * half, 0.075 * tall), &self.ink(0x9c6a3e));
        c.round_rect(area(x - half, top - 0.012 * tall, 2.0 * half, 0.045 * tall), 0.018 * tall, &self.ink(0xc08a55));
        c.rect(area(x - 0.97 * half, top - 0.010 * tall, 1.94 * half, 0.012 * tall), &self.ink(0xd7a56e));
    }

    fn basin(&self, c: &mut Canvas, m: &Moment, place: usize, work: &Work) {
        let (Some([x, top]), Some(pose)) = (self.table_at(m, place, work), m.poses.get(place)) else { return };
        let (tall, foot) = (self.tall(m, place), (pose.y - pose.lift) * self.height);
        let half = HALF * tall;
        c.puff(x, foot, 1.1 * half, 0.05 * tall, Rgb([0.05, 0.04, 0.12]), 0.35, Puff::default());
        c.rect(area(x - 0.92 * half, top + 0.1 * tall, 1.84 * half, foot - top - 0.1 * tall), &self.ink(0x7fb3c8));
        c.rect(area(x - 0.008 * tall, top + 0.14 * tall, 0.016 * tall, foot - top - 0.16 * tall), &self.ink(0x6699ae));
        c.round_rect(area(x - half, top, 2.0 * half, 0.14 * tall), 0.03 * tall, &self.ink(0xeef2f6));
        c.rect(area(x - half, top + 0.10 * tall, 2.0 * half, 0.025 * tall), &self.ink(0xcbd5df));
        let tap = self.way_of(m, place);
        let at = x + tap * 0.30 * tall;
        Pen::at(at, top).line(at, top - 0.16 * tall).quad([at, top - 0.24 * tall], at - tap * 0.09 * tall, top - 0.19 * tall).stroke(
            c,
            0.035 * tall,
            &self.ink(0x9aa7b5),
        );
    }

    fn till(&self, c: &mut Canvas, m: &Moment, place: usize, work: &Work) {
        let (Some([x, top]), Some(pose)) = (self.table_at(m, place, work), m.poses.get(place)) else { return };
        let (tall, foot) = (self.tall(m, place), (pose.y - pose.lift) * self.height);
        let way = self.way_of(m, place);
        let (left, wide) = (x - 0.5 * tall + way * 0.12 * tall, 1.0 * tall);
        c.puff(left + 0.5 * wide, foot, 0.55 * wide, 0.05 * tall, Rgb([0.05, 0.04, 0.12]), 0.35, Puff::default());
        c.round_rect(area(left, top, wide, foot - top), 0.03 * tall, &self.ink(0xd9dee6));
        c.rect(area(left, top + 0.12 * tall, wide, 0.05 * tall), &self.ink(0x3aa36b));
        c.round_rect(area(left - 0.02 * tall, top - 0.02 * tall, wide + 0.04 * tall, 0.055 * tall), 0.02 * tall, &self.ink(0x3b3f4c));
        let shift = (0.25 * m.t).fract();
        for j in 0..8 {
            let at = left + wide * (j as f32 + shift) / 8.0;
            c.rect(area(at, top - 0.012 * tall, 0.012 * tall, 0.03 * tall), &self.ink(0x5b6070));
        }
        // A screen that says what it costs.
        let at = x + way * 0.44 * tall;
        c.rect(area(at - 0.015 * tall, top - 0.22 * tall, 0.03 * tall, 0.21 * tall), &self.ink(0x6b7078));
        c.round_rect(area(at - 0.10 * tall, top - 0.36 * tall, 0.20 * tall, 0.15 * tall), 0.02 * tall, &self.ink(0x2d313b));
        c.round_rect(area(at - 0.085 * tall, top - 0.345 * tall, 0.17 * tall, 0.12 * tall), 0.01 * tall, &self.ink(0x8fe3b0));
    }

    /// A line between two posts, clothes on pegs that sway, and a basket below.
    fn washing_line(&self, c: &mut Canvas, m: &Moment, place: usize, work: &Work) {
        let Some([x, foot]) = self.ground_at(m, place, work) else { return };
        let (tall, way) = (self.tall(m, place), self.way_of(m, place));
        let (near, far) = (x - way * 0.72 * tall, x + way * 0.55 * tall);
        let high = foot - 1.12 * tall;
        for post in [near, far] {
            c.rect(area(post - 0.018 * tall, high - 0.05 * tall, 0.036 * tall, foot - high + 0.05 * tall), &self.ink(0x8a5a34));
            c.puff(post, foot, 0.1 * tall, 0.02 * tall, Rgb([0.05, 0.04, 0.12]), 0.3, Puff::default());
        }
        Pen::at(near, high).quad([0.5 * (near + far), high + 0.07 * tall], far, high).stroke(c, 0.010 * tall, &self.ink(0xf4f4f4));
        for (j, (name, size)) in CLOTHES.iter().enumerate() {
            let share = 0.20 + 0.24 * j as f32;
            let at = near + (far - near) * share;
            let line = high + 0.14 * tall * share * (1.0 - share);
            let turn = 0.022 * (1.7 * m.t + 1.3 * j as f32).sin();
            // It hangs from the line: the stamp turns about its foot.
            let lean = turn * std::f32::consts::TAU * size * tall;
            self.stamp(c, name, Stamp { turn, ..Stamp::at(at - lean, line + size * tall, size * tall) });
            for side in [-0.05, 0.05] {
                c.rect(area(at + side * tall - 0.008 * tall, line - 0.03 * tall, 0.016 * tall, 0.05 * tall), &self.ink(0xf7b82e));
            }
        }
        self.stamp(c, "basket", Stamp::at(x + way * 0.05 * tall, foot + 0.02 * tall, 0.20 * tall));
    }

    /// A crown with the fruit that was named, a trunk and a basket.
    fn fruit_tree(&self, c: &mut Canvas, m: &Moment, place: usize, work: &Work) {
        let Some([x, foot]) = self.ground_at(m, place, work) else { return };
        let tall = self.tall(m, place);
        let sway = 0.010 * tall * (1.1 * m.t).sin();
        c.puff(x, foot, 0.34 * tall, 0.05 * tall, Rgb([0.05, 0.04, 0.12]), 0.35, Puff::default());
        let trunk = Pen::at(x - 0.10 * tall, foot).quad([x - 0.05 * tall, foot - 0.4 * tall], x - 0.06 * tall, foot - 0.9 * tall);
        let trunk = trunk.line(x + 0.06 * tall, foot - 0.9 * tall).quad([x + 0.05 * tall, foot - 0.4 * tall], x + 0.10 * tall, foot);
        trunk.close().fill(c, &self.ink(0x7a5230));
        for (hex, lift) in [(0x3f8a3a, 0.0), (0x57a84b, 0.06)] {
            for (u, v, r) in
                [(-0.34, 0.98, 0.26), (0.34, 1.0, 0.26), (0.0, 0.90, 0.28), (-0.18, 1.22, 0.28), (0.2, 1.22, 0.27), (0.0, 1.36, 0.24)]
            {
                let r = (r - lift) * tall;
                c.circle(x + u * tall + sway, foot - (v + lift) * tall, r, &self.ink(hex));
            }
        }
        let name = self.fruit(work);
        for (u, v) in [(-0.36, 0.92), (-0.12, 1.08), (0.14, 0.88), (0.34, 1.06), (-0.2, 1.32), (0.12, 1.30), (-0.44, 1.08)] {
            self.stamp(c, &name, Stamp::at(x + u * tall + sway, foot - (v - 0.06) * tall, 0.11 * tall));
        }
    }

    /// What grows on a tree: what was named, or apples.
    pub(super) fn fruit(&self, work: &Work) -> String {
        let slot = work.object.and_then(|object| self.brief.slots.get(object));
        let small = slot.filter(|slot| slot.metres < 0.6);
        small.map_or_else(|| "red-apple".to_owned(), |slot| atlas().get(slot.sprite).name.clone())
    }

    fn helm(&self, c: &mut Canvas, m: &Moment, place: usize, work: &Work) {
        let Some([x, foot]) = self.ground_at(m, place, work) else { return };
        let tall = self.tall(m, place);
        let plane = Plane::upright(x, foot, tall, 1.0);
        self.pieces(c, &plane, WHEEL);
        let [x, y] = plane.at(0.0, 0.42);
        for j in 0..8 {
            let (sin, cos) = (std::f32::consts::TAU * j as f32 / 8.0 + 0.6 * (1.2 * m.t).sin()).sin_cos();
            let spoke = Pen::at(x, y).line(x + 0.27 * tall * cos, y + 0.27 * tall * sin);
            spoke.stroke(c, 0.024 * tall, &self.ink(0x9a6a3c));
        }
        c.oval(about(x, y, 0.04 * tall, 0.04 * tall), &self.ink(0xe0a93b));
    }

    /// Below who sits to be worked on.
    pub(super) fn stool(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let (Some([x, y]), Some(pose)) = (self.point(m, place, Figure::seat), m.poses.get(place)) else { return };
        let (tall, foot) = (self.tall(m, place), pose.y * self.height);
        if foot - y < 0.05 * tall {
            return;
        }
        let plane = Plane::upright(x, foot, tall, 1.0);
        let high = (foot - y) / tall;
        for side in [-0.12, 0.12] {
            let ends = [plane.at(0.6 * side, high), plane.at(side, 0.0)];
            Pen::default().line_through(&ends).stroke(c, 0.03 * tall, &self.ink(0x6b7078));
        }
        let [x, y] = plane.at(0.0, high);
        c.round_rect(area(x - 0.15 * tall, y - 0.01 * tall, 0.30 * tall, 0.06 * tall), 0.03 * tall, &self.ink(0xc23a34));
    }
}
