//! Rooms that are something in particular: what a gym, a shop or a train has that a living room has not.

mod carriage;
mod castle;
mod caves;
mod home;
mod public;
mod rooms;
mod work;

use super::Opening;
use crate::canvas::{Area, Canvas, Ink, Rgb};
use crate::codes::Setting;
use crate::paint::film::Film;
use crate::paint::shape::{Pen, area};
use crate::paint::things::Stamp;
use crate::random::Random;

/// Height of a counter, in shorter sides of the frame.
const COUNTER: f32 = 0.16;

impl Film {
    pub(super) fn furnished(&self, c: &mut Canvas, setting: Setting) {
        match setting {
            Setting::Attic => self.attic(c),
            Setting::Cellar => self.cellar(c),
            Setting::Gym => self.gym(c),
            Setting::Carriage => self.carriage(c),
            Setting::Workshop => self.workshop(c),
            Setting::Office => self.office(c),
            Setting::Shop => self.shop(c),
            Setting::Cafe => self.cafe(c),
            Setting::Bathroom => self.bathroom(c),
            Setting::Ward => self.ward(c),
            Setting::Laboratory => self.laboratory(c),
            Setting::Hall => self.hall(c),
            Setting::Cave => self.cave(c),
            Setting::CrystalCave => self.crystal_cave(c),
            Setting::Burrow => self.burrow(c),
            _ if self.put_together(c, setting) => (),
            _ => self.room(c),
        }
    }

    /// A papered wall with a window; which part of the wall is free, as a function of the share from its far side.
    fn room_with_window(&self, c: &mut Canvas, hex: u32) -> (Opening, impl Fn(f32) -> f32 + use<>) {
        let hole = self.opening();
        let wall = self.wall(hex);
        self.papered_wall(c, wall, hole);
        self.paint_opening(c, hole);
        self.skirting(c, wall);
        let (left, width) = (hole.x + hole.width / 2.0 < self.width / 2.0, self.width);
        (hole, move |share: f32| if left { width * (1.0 - share) } else { width * share })
    }

    /// A height on the wall, in pixels from above: 0 is its foot, 1 the upper edge of the frame.
    fn up_the_wall(&self, share: f32) -> f32 {
        self.horizon * (1.0 - share)
    }

    fn plain_wall(&self, c: &mut Canvas, hex: u32) {
        let wall = self.wall(hex);
        let ink = Ink::linear([0.0, 0.0], [0.0, self.horizon], &[(wall.times(0.84), 1.0), (wall, 1.0)]);
        c.rect(Area { bottom: self.horizon + 1.0, ..self.whole() }, &ink);
    }

    /// A wall of blocks, as light as they are laid.
    fn stones(&self, c: &mut Canvas, hex: u32) {
        self.plain_wall(c, hex);
        let (wide, high) = (0.17 * self.short, 0.085 * self.short);
        let mut random = Random::of(self.seed, 670);
        let (mut joints, mut pale) = (Pen::default(), Pen::default());
        let rows = (self.horizon / high) as i32 + 2;
        for row in 0..rows {
            let (bottom, shift) = (self.horizon - row as f32 * high, if row % 2 == 0 { 0.0 } else { 0.5 * wide });
            joints = joints.to(-9.0, bottom).line(self.width + 9.0, bottom);
            let mut x = -wide - shift;
            while x < self.width + wide {
                joints = joints.to(x, bottom).line(x, bottom - high);
                if random.chance(0.3) {
                    pale = pale.rect(x, bottom - high, x + wide, bottom);
                }
                x += wide;
            }
        }
        pale.fill(c, &Ink::flat(self.wall(hex).mix(Rgb::WHITE, 0.3), 0.35));
        joints.stroke(c, 0.006 * self.short, &Ink::flat(self.wall(hex).times(0.62), 0.8));
    }

    /// A floor of square tiles that run towards the wall.
    fn tiled_floor(&self, c: &mut Canvas, light: u32, dark: u32) {
        let [light, dark] = [light, dark].map(|hex| self.light.lit(Rgb::hex(hex)));
        let (top, depth, middle) = (self.horizon, self.height - self.horizon + 9.0, self.width / 2.0);
        c.rect(Area { top, ..self.whole() }, &Ink::linear([0.0, top], [0.0, top + depth], &[(light.times(0.86), 1.0), (light, 1.0)]));
        let (far, near) = (0.14 * self.short, 0.34 * self.short);
        let (rows, columns) = (6, (self.width / far) as i32 / 2 + 2);
        let down = |row: i32| (row as f32 / rows as f32).powf(1.6);
        let corner = |column: i32, row: i32| [middle + column as f32 * (far + (near - far) * down(row)), top + depth * down(row)];
        let mut tiles = Pen::default();
        for row in 0..rows {
            for column in (-columns..columns).filter(|column| (column + row).rem_euclid(2) == 0) {
                let corners = [[column, row], [column + 1, row], [column + 1, row + 1], [column, row + 1]];
                tiles = tiles.polygon(&corners.map(|[column, row]| corner(column, row)));
            }
        }
        tiles.fill(c, &Ink::flat(dark, 1.0));
        let shade = Ink::linear([0.0, top], [0.0, top + 0.05 * self.short], &[(Rgb::BLACK, 0.22), (Rgb::BLACK, 0.0)]);
        c.rect(Area { top, bottom: top + 0.05 * self.short, ..self.whole() }, &shade);
    }

    /// A row of sprites that stand on (x, y), `step` pixels apart.
    fn row(&self, c: &mut Canvas, names: &[&str], [x, y]: [f32; 2], width: f32, size: f32, purpose: u64) {
        let mut random = Random::of(self.seed, purpose);
        let count = (width / (1.35 * size)).max(1.0) as usize;
        for j in 0..count {
            let at = x + (j as f32 + 0.5) * width / count as f32;
            self.stamp(c, random.one(names), Stamp::at(at, y, size * random.within(0.82, 1.0)));
        }
    }

    /// A board on a wall from `x` to `x + width`.
    fn wall_board(&self, c: &mut Canvas, [x, y]: [f32; 2], width: f32, hex: u32) {
        let (wood, high) = (self.wall(hex), 0.018 * self.short);
        c.rect(
            area(x, y, width, high),
            &Ink::linear([0.0, y], [0.0, y + high], &[(wood.mix(Rgb::WHITE, 0.2), 1.0), (wood.times(0.8), 1.0)]),
        );
        c.rect(area(x, y + high, width, 0.7 * high), &Ink::flat(Rgb::BLACK, 0.12));
    }

    /// A counter along the wall; the height of its top, in pixels from above.
    fn counter(&self, c: &mut Canvas, body: u32, slab: u32) -> f32 {
        let bottom = self.horizon + 0.012 * self.short;
        let top = bottom - COUNTER * self.short;
        let colour = self.wall(body);
        c.rect(Area { top, bottom, ..self.whole() }, &Ink::linear([0.0, top], [0.0, bottom], &[(colour, 1.0), (colour.times(0.8), 1.0)]));
        let step = 0.16 * self.short;
        let panels = (0..(self.width / step) as i32 + 2).fold(Pen::default(), |pen, j| {
            let x = (j as f32 - 0.5) * step;
            pen.rect(x, top + 0.04 * self.short, x + 0.86 * step, bottom - 0.02 * self.short)
        });
        panels.fill(c, &Ink::flat(colour.times(0.9), 1.0));
        c.rect(Area { top: top - 0.012 * self.short, bottom: top + 0.010 * self.short, ..self.whole() }, &Ink::flat(self.wall(slab), 1.0));
        top - 0.012 * self.short
    }
}
