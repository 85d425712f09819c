//! The parts that rooms are made of; each is painted into the box that was found for it.

mod boards;
mod cases;
mod feast;
mod machines;
mod seats;
mod sills;

use crate::canvas::{Area, Canvas, Ink, Rgb};
use crate::paint::film::Film;
use crate::paint::shape::{Pen, area};
use crate::paint::things::Stamp;
use crate::sprites::atlas;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum What {
    // On walls.
    Blackboard,
    /// What a cinema or a television shows.
    Screen,
    Menu,
    Notices,
    Chart,
    Clock,
    Mirror,
    Picture(usize),
    /// The middle one of these words stands on it.
    Sign(&'static str, u32),
    Cross(u32),
    Sprite(&'static str),
    /// On a board.
    Row(&'static [&'static str]),
    /// Clothes on a rail.
    Rail(&'static [&'static str]),
    Pans,
    Pigeonholes(u32),
    Flames,
    // On the floor.
    Books,
    Case(&'static [&'static str], u32),
    /// A glass counter.
    Vitrine(&'static [&'static str], u32),
    Bed(u32),
    Table(u32),
    Sofa(u32),
    Lamp,
    Plant,
    Fireplace,
    Column(u32),
    Altar,
    Barber,
    Dentist,
    Washer,
    Machine(u32),
    Furnace,
    Arcade(u32),
    Tank,
    Doors(u32),
    Door(u32),
    Hay,
    Desk(u32),
    Barrel,
    Wheel,
    // From one end to the other.
    Counter(u32, u32),
    Worktops(u32),
    Seats(u32),
    Pews(u32),
    Benches(u32),
    Lockers(u32),
    Stalls(u32),
    Console(u32),
    Bars,
    Pipes(u32),
    Belt,
    Lanes,
    Barre,
    Timbers,
    Beams(u32),
    Drapes(u32),
    Runner(u32),
    Rug([u32; 3]),
    Tubes,
    Pendants(u32),
    Bunting,
    Bulbs,
    Garland,
    Balloons,
    Leaves,
    Bins,
    Crops(&'static [&'static str]),
    Rails,
    Shelf(&'static [&'static str]),
    Benchtop(u32),
}

impl What {
    /// The drawing that a prompt which names it has.
    pub(super) fn stands_for(self) -> Option<&'static str> {
        Some(match self {
            Self::Blackboard => "blackboard",
            Self::Books => "bookcase",
            Self::Bed(_) => "bed",
            Self::Table(_) => "table",
            Self::Sofa(_) => "couch-and-lamp",
            Self::Sprite(name) => name,
            _ => return None,
        })
    }

    /// The drawings that it is made with.
    #[cfg(test)]
    pub(super) fn names(self) -> Vec<&'static str> {
        match self {
            Self::Row(names)
            | Self::Rail(names)
            | Self::Case(names, _)
            | Self::Vitrine(names, _)
            | Self::Crops(names)
            | Self::Shelf(names) => names.to_vec(),
            Self::Sprite(name) | Self::Sign(name, _) => vec![name],
            _ => Vec::new(),
        }
    }
}

impl Film {
    pub(super) fn part(&self, c: &mut Canvas, what: What, place: Area) {
        let Area { left, top, right, bottom } = place;
        let (w, h, x) = (right - left, bottom - top, (left + right) / 2.0);
        match what {
            What::Blackboard | What::Menu | What::Notices | What::Chart => self.written_board(c, what, place),
            What::Screen => self.screen(c, place),
            What::Clock => self.clock(c, place),
            What::Mirror => self.looking_glass(c, place),
            What::Picture(which) => self.framed(c, x, (top + bottom) / 2.0, w / 2.0, which + (self.seed % 3) as usize),
            What::Sign(name, hex) => self.sign(c, place, name, hex),
            What::Cross(hex) => self.cross(c, place, hex),
            What::Leaves => self.hanging_leaves(c, place),
            What::Sprite(name) => self.stand_in(c, name, place),
            What::Row(names) => {
                self.row(c, names, [left, bottom - 0.018 * self.short], w, h - 0.018 * self.short, 740 + left as u64);
                self.wall_board(c, [left, bottom - 0.018 * self.short], w, 0xb57d4e);
            }
            What::Rail(names) => self.rail_of(c, place, names),
            What::Pans => self.rail(c, [left, top], w),
            What::Pigeonholes(hex) => self.pigeonholes(c, place, hex),
            What::Flames => self.torch(c, place),
            What::Books => self.bookshelf(c, x, bottom, w, h),
            What::Case(names, hex) => self.case(c, place, names, hex),
            What::Vitrine(names, hex) => self.vitrine(c, place, names, hex),
            What::Bed(hex) => self.bed(c, place, hex),
            What::Table(hex) => self.laid_table(c, place, hex),
            What::Sofa(hex) => self.sofa(c, x, bottom, w, hex),
            What::Lamp => self.floor_lamp(c, x, bottom, h),
            What::Plant => self.pot_plant(c, x, bottom, h),
            What::Fireplace => self.fireplace(c, place),
            What::Column(hex) => self.column(c, place, hex),
            What::Altar => self.altar(c, place),
            What::Barber => self.barber_chair(c, place),
            What::Dentist => self.dentist_chair(c, place),
            What::Washer => self.washer(c, place),
            What::Machine(hex) => self.machine(c, place, hex),
            What::Furnace => self.furnace(c, place),
            What::Arcade(hex) => self.arcade(c, place, hex),
            What::Tank => self.tank(c, place),
            What::Doors(hex) => self.sliding_doors(c, place, hex),
            What::Door(hex) => self.door(c, place, hex),
            What::Hay => self.hay(c, place),
            What::Desk(hex) => self.desk(c, place, hex),
            What::Barrel => self.barrel(c, place),
            What::Wheel => self.steering_wheel(c, place),
            What::Counter(body, slab) => drop(self.counter(c, body, slab)),
            What::Worktops(hex) => self.worktops(c, hex),
            What::Seats(hex) => self.seats(c, place, hex),
            What::Pews(hex) => self.pews(c, hex),
            What::Benches(hex) => self.benches(c, hex),
            What::Lockers(hex) => self.lockers(c, place, hex),
            What::Stalls(hex) => self.stalls(c, place, hex),
            What::Console(hex) => self.console(c, place, hex),
            What::Bars => self.bars(c, place),
            What::Pipes(hex) => self.pipes(c, place, hex),
            What::Belt => self.belt(c, place),
            What::Lanes => self.lanes(c),
            What::Barre => self.barre(c, place),
            What::Timbers => self.timbers(c),
            What::Beams(hex) => self.roof_beams(c, place, hex),
            What::Drapes(hex) => self.drapes(c, place, hex),
            What::Runner(hex) => self.runner(c, hex),
            What::Rug(hexes) => self.rug(c, hexes),
            What::Tubes => self.tubes(c),
            What::Pendants(hex) => self.pendants(c, hex),
            What::Bunting => self.bunting(c, place),
            What::Bulbs => self.bulbs(c, place, false),
            What::Garland => self.bulbs(c, place, true),
            What::Balloons => self.balloons(c, place),
            What::Bins => self.bins(c, place),
            What::Crops(names) => self.crops(c, place, names),
            What::Rails => self.mine_rails(c),
            What::Shelf(names) => self.long_shelf(c, place, names),
            What::Benchtop(hex) => self.benchtop(c, place, hex),
        }
    }

    /// A sprite that fits into a box and stands at its foot.
    fn stand_in(&self, c: &mut Canvas, name: &str, place: Area) {
        let Some(id) = atlas().named(name) else { return };
        let ink = atlas().get(id).ink;
        let wide = (ink.right - ink.left) / (ink.bottom - ink.top).max(1e-3);
        let size = (place.bottom - place.top).min((place.right - place.left) / wide.max(1e-3));
        self.stamp(c, name, Stamp { dim: 0.96, ..Stamp::at((place.left + place.right) / 2.0, place.bottom, size) });
    }

    /// A soft shadow on the floor under what stands there.
    fn floor_shadow(&self, c: &mut Canvas, place: Area) {
        let (x, half) = ((place.left + place.right) / 2.0, (place.right - place.left) / 2.0);
        c.oval(crate::paint::shape::about(x, place.bottom, 1.06 * half, 0.014 * self.short), &Ink::flat(Rgb([0.08, 0.05, 0.1]), 0.25));
    }

    /// Equal steps along a box, the left end of each.
    fn steps_along(place: Area, step: f32) -> impl Iterator<Item = f32> {
        let count = ((place.right - place.left) / step).ceil() as i32 + 1;
        let first = (place.left + place.right) / 2.0 - 0.5 * count as f32 * step;
        (0..count).map(move |j| first + j as f32 * step)
    }

    fn tubes(&self, c: &mut Canvas) {
        let (short, y) = (self.short, 0.045 * self.horizon);
        for x in Self::steps_along(area(0.0, 0.0, self.width, 1.0), 0.52 * short) {
            let lamp = area(x + 0.1 * short, y, 0.32 * short, 0.022 * short);
            c.puff(
                x + 0.26 * short,
                y + 0.02 * short,
                0.34 * short,
                0.12 * short,
                Rgb([0.92, 0.98, 1.0]),
                0.22,
                crate::canvas::Puff { add: true, firm: false },
            );
            c.round_rect(lamp, 0.008 * short, &Ink::flat(Rgb([0.98, 1.0, 1.0]), 0.95));
        }
    }

    fn pendants(&self, c: &mut Canvas, hex: u32) {
        let count = (self.width / (0.5 * self.short)).round().max(2.0) as usize;
        for j in 0..count {
            let x = self.width * (j as f32 + 0.5) / count as f32;
            self.pendant(c, x, 0.13 * self.horizon.min(self.short), 0.10 * self.short, hex);
        }
    }

    fn column(&self, c: &mut Canvas, place: Area, hex: u32) {
        let edge = 0.18 * (place.right - place.left);
        c.rect(Area { left: place.left + edge, right: place.right - edge, top: -9.0, ..place }, &self.rounded(hex, place));
        for (top, bottom) in [(place.bottom - 0.05 * self.short, place.bottom), (place.top, place.top + 0.04 * self.short)] {
            c.rect(Area { top, bottom, ..place }, &self.shaded(hex, Area { top, bottom, ..place }));
        }
    }

    fn drapes(&self, c: &mut Canvas, place: Area, hex: u32) {
        let (cloth, step) = (self.wall(hex), 0.07 * self.short);
        let wing = (0.16 * self.width).min(0.32 * self.short);
        for from in [-0.2 * step, self.width - wing] {
            for x in Self::steps_along(area(from, 0.0, wing, 1.0), step).filter(|x| *x >= from - step && *x < from + wing) {
                let stops = [(cloth.times(0.6), 1.0), (cloth.mix(Rgb::WHITE, 0.12), 1.0), (cloth.times(0.7), 1.0)];
                c.rect(area(x, -9.0, step + 0.5, place.bottom + 9.0), &Ink::linear([x, 0.0], [x + step, 0.0], &stops));
            }
        }
        c.rect(Area { top: -9.0, bottom: place.top + 0.09 * self.short, ..self.whole() }, &Ink::flat(cloth.times(0.8), 1.0));
        Pen::at(-9.0, place.top + 0.09 * self.short).line(self.width + 9.0, place.top + 0.09 * self.short).stroke(
            c,
            0.012 * self.short,
            &self.paint(0xe8b84a),
        );
    }

    /// A carpet that runs towards the wall.
    fn runner(&self, c: &mut Canvas, hex: u32) {
        let (middle, top, depth, short) = (self.width / 2.0, self.horizon, self.height - self.horizon + 9.0, self.short);
        let strip = |far: f32, near: f32| {
            Pen::default().polygon(&[
                [middle - far * short, top],
                [middle + far * short, top],
                [middle + near * short, top + depth],
                [middle - near * short, top + depth],
            ])
        };
        let cloth = self.light.lit(Rgb::hex(hex));
        strip(0.13, 0.36).fill(c, &Ink::flat(cloth.mix(Rgb::hex(0xf0c24a), 0.6), 1.0));
        strip(0.118, 0.33).fill(c, &Ink::flat(cloth, 1.0));
    }
}
