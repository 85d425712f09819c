//! Houses of people: cottages, rows of town houses, a house from the front, walls and roofs.

use crate::canvas::{Ink, Rgb};
use crate::paint::scenery::Layer;
use crate::paint::shape::{Pen, area};

#[derive(Clone, Copy, PartialEq)]
pub(in crate::paint::scenery::settings::built) enum Roof {
    Flat,
    Gable,
    Slope,
    Mansard,
}

/// A row of town houses that stand wall to wall.
pub(in crate::paint::scenery::settings::built) struct Terrace<'a> {
    pub foot: f32,
    /// Pixels, from and to, as the next.
    pub high: [f32; 2],
    pub wide: [f32; 2],
    pub walls: &'a [u32],
    pub roof: Roof,
    pub tiles: u32,
    /// Windows with round tops.
    pub arched: bool,
}

impl Layer<'_> {
    pub(in crate::paint::scenery::settings::built) fn terrace(&mut self, row: &Terrace<'_>) {
        let mut x = self.a;
        while x < self.b {
            let wide = self.random.within(row.wide[0], row.wide[1]);
            let high = self.random.within(row.high[0], row.high[1]);
            let wall = self.random.one(row.walls);
            self.town_house(row, [x, wide, high], wall);
            x += wide;
        }
    }

    fn town_house(&mut self, row: &Terrace<'_>, [x, wide, high]: [f32; 3], wall: u32) {
        let (foot, top) = (row.foot, row.foot - high);
        self.block([x, top, x + wide, foot + 0.06 * self.film.short], wall);
        let cap = 0.30 * wide;
        match row.roof {
            Roof::Flat => self.block([x - 0.01 * wide, top - 0.03 * wide, x + 1.01 * wide, top + 0.05 * wide], row.tiles),
            Roof::Gable => self.shape(&[[x - 0.03 * wide, top], [x + 0.5 * wide, top - 1.6 * cap], [x + 1.03 * wide, top]], row.tiles),
            Roof::Slope => {
                self.shape(
                    &[[x - 0.03 * wide, top], [x + 0.08 * wide, top - cap], [x + 0.92 * wide, top - cap], [x + 1.03 * wide, top]],
                    row.tiles,
                );
                self.block([x + 0.68 * wide, top - 1.35 * cap, x + 0.80 * wide, top - 0.8 * cap], 0x9a6a58);
            }
            Roof::Mansard => {
                self.shape(&[[x, top], [x + 0.06 * wide, top - cap], [x + 0.94 * wide, top - cap], [x + wide, top]], row.tiles);
                for j in 0..3 {
                    let wx = x + wide * (0.2 + 0.3 * j as f32);
                    self.block([wx - 0.065 * wide, top - 0.82 * cap, wx + 0.065 * wide, top - 0.1 * cap], 0xf1eadb);
                    self.pane([wx - 0.045 * wide, top - 0.7 * cap, wx + 0.045 * wide, top - 0.1 * cap]);
                }
                self.block([x + 0.72 * wide, top - 1.3 * cap, x + 0.84 * wide, top - cap], 0xc98d6f);
            }
        }
        let rise = match row.roof {
            Roof::Flat => 0.03 * wide,
            Roof::Gable => 0.0,
            _ => cap,
        };
        if row.roof != Roof::Gable {
            self.snow_on(x + 0.06 * wide, x + 0.94 * wide, top - rise);
        } else if self.film.light.white {
            self.shape(
                &[
                    [x + 0.1 * wide, top - 0.4 * cap],
                    [x + 0.5 * wide, top - 1.6 * cap],
                    [x + 0.9 * wide, top - 0.4 * cap],
                    [x + 0.5 * wide, top - 1.1 * cap],
                ],
                0xf4f8fc,
            );
        }
        self.storeys(row, [x, top, wide, high], wall);
    }

    /// The windows and the door of a town house.
    fn storeys(&mut self, row: &Terrace<'_>, [x, top, wide, high]: [f32; 4], wall: u32) {
        let (columns, floor) = (3, (0.34 * wide).max(0.06 * self.film.short));
        let floors = (high / floor).max(1.0) as usize;
        let step = high / floors as f32;
        let frame = self.tone(wall).mix(self.film.light.lit(Rgb::WHITE), 0.55);
        for storey in 0..floors {
            let ground = storey + 1 == floors;
            for column in 0..columns {
                let (wx, wy) = (x + wide * (0.2 + 0.3 * column as f32), top + step * (storey as f32 + 0.22));
                let (half, tall) = (0.075 * wide, 0.58 * step);
                if ground && column == 1 {
                    let hex = self.random.one(&[0x7d4a3a, 0x3f6f6a, 0x9a3f3f, 0x4a5a8a]);
                    self.block([wx - 1.1 * half, wy - 0.02 * step, wx + 1.1 * half, row.foot + 0.02 * self.film.short], hex);
                    continue;
                }
                self.c.rect(area(wx - 1.35 * half, wy - 0.25 * half, 2.7 * half, tall + 0.5 * half), &Ink::flat(frame, 0.9));
                self.pane([wx - half, wy, wx + half, wy + tall]);
                if row.arched {
                    let ink = Ink::flat(frame, 1.0);
                    Pen::default().oval(wx, wy, 1.35 * half, 0.9 * half).fill(self.c, &ink);
                    self.oval([wx, wy + 0.15 * half], half, 0.7 * half, 0x7fa9c4);
                }
                let ink = Ink::flat(frame, 0.9);
                Pen::default().rect(wx - 0.08 * half, wy, wx + 0.08 * half, wy + tall).fill(self.c, &ink);
            }
        }
    }

    /// A small house of its own, `size` wide.
    pub(in crate::paint::scenery::settings::built) fn cottage(&mut self, [x, foot]: [f32; 2], size: f32, wall: u32, tiles: u32) {
        let (half, high, cap) = (0.5 * size, 0.46 * size, 0.36 * size);
        let (top, gable) = (foot - high, self.random.chance(0.4));
        self.block([x + 0.22 * size, top - 1.12 * cap, x + 0.33 * size, top - 0.2 * cap], 0xa86f5a);
        self.block([x - half, top, x + half, foot], wall);
        if gable {
            self.shape(&[[x - half, top + 1.0], [x, top - cap], [x + half, top + 1.0]], wall);
            let ink = Ink::flat(self.tone(if self.film.light.white { 0xf4f8fc } else { tiles }), 1.0);
            Pen::at(x - 1.12 * half, top + 0.04 * size).line(x, top - 1.04 * cap).line(x + 1.12 * half, top + 0.04 * size).stroke(
                self.c,
                0.07 * size,
                &ink,
            );
            self.pane([x - 0.05 * size, top - 0.45 * cap, x + 0.05 * size, top - 0.05 * cap]);
        } else {
            let colour = if self.film.light.white { 0xf4f8fc } else { tiles };
            self.shape(
                &[
                    [x - 1.12 * half, top + 0.02 * size],
                    [x - 0.80 * half, top - cap],
                    [x + 0.80 * half, top - cap],
                    [x + 1.12 * half, top + 0.02 * size],
                ],
                colour,
            );
            self.bar([x - 1.12 * half, top + 0.02 * size], [x + 1.12 * half, top + 0.02 * size], 0.02 * size, 0x6f4a40);
        }
        let door = self.random.one(&[0x8a4f3a, 0x3f6f8a, 0x9a4040, 0x4f7f4f]);
        self.block([x - 0.08 * size, foot - 0.30 * size, x + 0.08 * size, foot], door);
        for side in [-1.0, 1.0] {
            let wx = x + side * 0.29 * size;
            self.block([wx - 0.10 * size, foot - 0.34 * size, wx + 0.10 * size, foot - 0.13 * size], 0xfbf6ea);
            self.pane([wx - 0.08 * size, foot - 0.32 * size, wx + 0.08 * size, foot - 0.15 * size]);
            self.bar([wx, foot - 0.32 * size], [wx, foot - 0.15 * size], 0.014 * size, 0xfbf6ea);
        }
    }

    /// The front of a house, door and windows large: a porch, a yard. `x` is its middle, `wide` its width.
    pub(in crate::paint::scenery::settings::built) fn house_front(
        &mut self,
        [x, foot]: [f32; 2],
        wide: f32,
        high: f32,
        wall: u32,
        tiles: u32,
    ) {
        let (half, top) = (0.5 * wide, foot - high);
        self.block([x - half, top, x + half, foot], wall);
        let ink = Ink::flat(self.tone(wall).times(0.86), 0.6);
        let mut boards = Pen::default();
        for j in 1..14 {
            let y = top + high * j as f32 / 14.0;
            boards = boards.to(x - half, y).line(x + half, y);
        }
        boards.stroke(self.c, 0.006 * high, &ink);
        let colour = if self.film.light.white { 0xf4f8fc } else { tiles };
        self.shape(
            &[
                [x - 1.08 * half, top + 0.03 * high],
                [x - 0.84 * half, top - 0.42 * high],
                [x + 0.84 * half, top - 0.42 * high],
                [x + 1.08 * half, top + 0.03 * high],
            ],
            colour,
        );
        self.block([x - 1.08 * half, top, x + 1.08 * half, top + 0.05 * high], 0xfbf6ea);
        let door = 0.13 * high;
        self.block([x - 1.3 * door, foot - 0.74 * high, x + 1.3 * door, foot], 0xfbf6ea);
        self.block([x - door, foot - 0.68 * high, x + door, foot], 0xb8453f);
        self.pane([x - 0.55 * door, foot - 0.60 * high, x + 0.55 * door, foot - 0.40 * high]);
        self.bulb([x + 0.7 * door, foot - 0.32 * high], 0.016 * high, 0xffd36a);
        for side in [-1.0, 1.0] {
            let (wx, w) = (x + side * 0.56 * half, 0.17 * half);
            self.block([wx - 1.25 * w, foot - 0.72 * high, wx + 1.25 * w, foot - 0.24 * high], 0xfbf6ea);
            self.pane([wx - w, foot - 0.68 * high, wx + w, foot - 0.28 * high]);
            self.bar([wx, foot - 0.68 * high], [wx, foot - 0.28 * high], 0.05 * w, 0xfbf6ea);
            self.bar([wx - w, foot - 0.5 * high], [wx + w, foot - 0.5 * high], 0.05 * w, 0xfbf6ea);
            for shutter in [-1.0, 1.0] {
                self.block(
                    [wx + shutter * 1.45 * w - 0.2 * w, foot - 0.72 * high, wx + shutter * 1.45 * w + 0.2 * w, foot - 0.24 * high],
                    0x4f7f8a,
                );
            }
        }
    }

    /// A wall of courses of bricks or stones.
    pub(in crate::paint::scenery::settings::built) fn brick_wall(&mut self, [left, top, right, bottom]: [f32; 4], course: f32, hex: u32) {
        self.block([left, top, right, bottom], hex);
        let (mut joints, mut pale) = (Pen::default(), Pen::default());
        let rows = ((bottom - top) / course) as i32 + 1;
        for row in 0..rows {
            let y = bottom - row as f32 * course;
            joints = joints.to(left, y).line(right, y);
            let mut x = left + if row % 2 == 0 { 0.0 } else { -1.1 * course };
            while x < right {
                if x > left {
                    joints = joints.to(x, y).line(x, (y - course).max(top));
                }
                if self.random.chance(0.22) && x > left && x + 2.2 * course < right && y - course > top {
                    pale = pale.rect(x, y - course, x + 2.2 * course, y);
                }
                x += 2.2 * course;
            }
        }
        let colour = self.tone(hex);
        pale.fill(self.c, &Ink::flat(colour.mix(Rgb::WHITE, 0.3), 0.35));
        joints.stroke(self.c, 0.10 * course, &Ink::flat(colour.times(0.66), 0.7));
    }
}
