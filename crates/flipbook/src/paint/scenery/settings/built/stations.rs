//! What belongs to stations and airports: trains, cars and airliners that wait, clock, signal, terminal; arches of a bridge.

use crate::canvas::{Ink, Rgb};
use crate::paint::scenery::Layer;
use crate::paint::shape::{Pen, area};

impl Layer<'_> {
    /// A parked or passing car; which way it faces goes by its number.
    pub(super) fn car(&mut self, name: &str, at: [f32; 2], size: f32, number: i32) {
        let colours = [None, Some(crate::codes::Colour::Blue), Some(crate::codes::Colour::Yellow), Some(crate::codes::Colour::Green), None];
        let stamp = crate::paint::things::Stamp {
            colour: colours[number.rem_euclid(5) as usize],
            flip: number.rem_euclid(2) == 0,
            haze: 0.9 * self.haze,
            ..crate::paint::things::Stamp::at(at[0], at[1], size)
        };
        let film = self.film;
        self.pool_of_shade(at, 0.9 * size);
        film.stamp(self.c, name, stamp);
    }

    pub(super) fn pool_of_shade(&mut self, [x, y]: [f32; 2], half: f32) {
        Pen::default().oval(x, y, half, 0.12 * half).fill(self.c, &Ink::flat(Rgb([0.08, 0.08, 0.14]), 0.28));
    }

    pub(super) fn street_light(&mut self, [x, foot]: [f32; 2], high: f32) {
        self.bar([x, foot], [x, foot - high], 0.03 * high, 0x6f7782);
        self.bar([x, foot - high], [x + 0.22 * high, foot - 1.03 * high], 0.03 * high, 0x6f7782);
        self.bulb([x + 0.22 * high, foot - 1.01 * high], 0.03 * high, 0xffe6a8);
    }

    /// A train that waits, as long as the layer.
    pub(super) fn carriages(&mut self, foot: f32, high: f32) {
        let long = 2.9 * high;
        for (_, x) in self.every(long, 0.27) {
            let (left, right, top, low) = (x + 0.03 * long, x + 0.97 * long, foot - high, foot - 0.12 * high);
            let body = self.tone(0xf1f3f5);
            let ink = Ink::linear([0.0, top], [0.0, low], &[(body, 1.0), (body, 1.0), (body.times(0.84), 1.0)]);
            self.block([left, low - 0.1 * high, right, foot], 0x3a3f49);
            self.c.round_rect(area(left, top, right - left, low - top), 0.10 * high, &ink);
            self.block([left, foot - 0.42 * high, right, foot - 0.26 * high], 0xd9403c);
            self.block([left + 0.02 * long, foot - 0.84 * high, right - 0.02 * long, foot - 0.48 * high], 0x2d3f55);
            for j in 0..5 {
                let wx = left + (right - left) * (0.06 + 0.19 * j as f32);
                if j == 1 || j == 3 {
                    self.block([wx, foot - 0.88 * high, wx + 0.12 * long, foot - 0.14 * high], 0xd9dde2);
                    self.pane([wx + 0.015 * long, foot - 0.80 * high, wx + 0.055 * long, foot - 0.48 * high]);
                    self.pane([wx + 0.065 * long, foot - 0.80 * high, wx + 0.105 * long, foot - 0.48 * high]);
                } else {
                    self.pane([wx, foot - 0.80 * high, wx + 0.14 * long, foot - 0.52 * high]);
                }
            }
            self.snow_on(left + 0.03 * long, right - 0.03 * long, top);
        }
    }

    pub(super) fn clock(&mut self, [x, y]: [f32; 2], radius: f32) {
        self.bar([x, y - 2.0 * radius], [x, y], 0.14 * radius, 0x39424d);
        self.oval([x, y], 1.16 * radius, 1.16 * radius, 0x39424d);
        self.oval([x, y], radius, radius, 0xfdfbf2);
        self.bar([x, y], [x, y - 0.7 * radius], 0.13 * radius, 0x23262e);
        self.bar([x, y], [x + 0.5 * radius, y + 0.25 * radius], 0.13 * radius, 0x23262e);
    }

    pub(super) fn signal(&mut self, [x, foot]: [f32; 2], high: f32) {
        self.bar([x, foot], [x, foot - high], 0.04 * high, 0x5d6672);
        for turn in [-1.0, 1.0] {
            self.bar(
                [x - 0.22 * high, foot - (0.72 + 0.14 * turn) * high],
                [x + 0.22 * high, foot - (0.72 - 0.14 * turn) * high],
                0.08 * high,
                0xfafafa,
            );
        }
        for side in [-1.0, 1.0] {
            self.bulb([x + side * 0.12 * high, foot - 0.44 * high], 0.05 * high, 0xff4a3a);
        }
    }

    /// An airport's building and its tower.
    pub(super) fn terminal(&mut self, foot: f32, unit: f32) {
        let white = 0xe9eef3;
        self.block([self.a, foot - 0.17 * unit, self.b, foot], white);
        self.block([self.a, foot - 0.13 * unit, self.b, foot - 0.05 * unit], 0x6fa3c4);
        for (_, x) in self.every(0.07 * unit, 0.0) {
            self.bar([x, foot - 0.13 * unit], [x, foot - 0.05 * unit], 0.008 * unit, white);
        }
        self.snow_on(self.a, self.b, foot - 0.17 * unit);
        let x = self.aside(0.66);
        self.shape(
            &[
                [x - 0.04 * unit, foot],
                [x - 0.03 * unit, foot - 0.44 * unit],
                [x + 0.03 * unit, foot - 0.44 * unit],
                [x + 0.04 * unit, foot],
            ],
            0xd3dae2,
        );
        self.shape(
            &[
                [x - 0.07 * unit, foot - 0.44 * unit],
                [x - 0.11 * unit, foot - 0.55 * unit],
                [x + 0.11 * unit, foot - 0.55 * unit],
                [x + 0.07 * unit, foot - 0.44 * unit],
            ],
            0x4f86ac,
        );
        self.block([x - 0.12 * unit, foot - 0.59 * unit, x + 0.12 * unit, foot - 0.55 * unit], white);
        self.bar([x, foot - 0.59 * unit], [x, foot - 0.66 * unit], 0.012 * unit, 0x6f7782);
        self.bulb([x, foot - 0.66 * unit], 0.014 * unit, 0xff4a3a);
    }

    /// An airliner that stands, seen from the side.
    pub(super) fn airliner(&mut self, [x, foot]: [f32; 2], long: f32, hex: u32) {
        let (half, r, y) = (0.5 * long, 0.065 * long, foot - 0.12 * long);
        let white = self.tone(0xfafbfd);
        self.shape(
            &[
                [x + 0.66 * half, y - 0.5 * r],
                [x + 0.98 * half, y - 4.0 * r],
                [x + 1.08 * half, y - 4.0 * r],
                [x + 0.98 * half, y - 0.4 * r],
            ],
            hex,
        );
        Pen::at(x - half, y)
            .quad([x - 0.94 * half, y - r], x - 0.7 * half, y - r)
            .line(x + 0.7 * half, y - r)
            .line(x + half, y - 0.6 * r)
            .line(x + 0.72 * half, y + 0.8 * r)
            .line(x - 0.7 * half, y + r)
            .quad([x - half, y + 0.9 * r], x - half, y)
            .close()
            .fill(self.c, &Ink::linear([0.0, y - r], [0.0, y + r], &[(white, 1.0), (white.times(0.82), 1.0)]));
        for j in 0..11 {
            let wx = x - 0.66 * half + 1.2 * half * j as f32 / 10.0;
            self.pane([wx, y - 0.45 * r, wx + 0.02 * long, y + 0.1 * r]);
        }
        self.shape(
            &[
                [x - 0.22 * half, y + 0.5 * r],
                [x + 0.18 * half, y + 0.5 * r],
                [x + 0.62 * half, y + 1.7 * r],
                [x + 0.42 * half, y + 1.7 * r],
            ],
            0xc2cad3,
        );
        for wheel in [-0.7, 0.1, 0.2] {
            self.bar([x + wheel * half, y + 0.8 * r], [x + wheel * half, foot - 0.02 * long], 0.012 * long, 0x6f7782);
            self.oval([x + wheel * half, foot - 0.02 * long], 0.02 * long, 0.02 * long, 0x2b2f38);
        }
    }

    /// Arches of a bridge below its way.
    pub(super) fn arches(&mut self, [top, bottom]: [f32; 2], step: f32) {
        let stone = self.tone(0xa39a90);
        let mut wall = Pen::default().rect(self.a, top, self.b, top + 0.09 * step);
        let rim = Ink::flat(stone.times(0.8), 1.0);
        for (_, x) in self.every(step, 0.0) {
            wall = wall
                .to(x - 0.12 * step, bottom)
                .line(x - 0.12 * step, top + 0.34 * step)
                .quad([x - 0.2 * step, top + 0.1 * step], x - 0.5 * step, top + 0.06 * step)
                .line(x + 0.5 * step, top + 0.06 * step)
                .quad([x + 0.2 * step, top + 0.1 * step], x + 0.12 * step, top + 0.34 * step)
                .line(x + 0.12 * step, bottom)
                .close();
        }
        wall.fill(self.c, &Ink::flat(stone, 1.0));
        Pen::default().rect(self.a, top + 0.02 * step, self.b, top + 0.035 * step).fill(self.c, &rim);
    }

    /// The way over a bridge.
    pub(super) fn cobble_way(&mut self, [top, low]: [f32; 2]) {
        let short = self.film.short;
        self.block([self.a, top, self.b, low], if self.film.light.white { 0xe6eef5 } else { 0xb3a89a });
        let ink = Ink::flat(self.tone(0x8a8076), 0.4);
        let mut stones = Pen::default();
        for row in 0..7 {
            let t = ((row as f32 + 0.5) / 7.0).powf(1.3);
            let (y, wide) = (top + (low - top) * t, short * (0.05 + 0.05 * t));
            for (_, x) in self.every(wide, 0.5 * (row % 2) as f32) {
                stones = stones.oval(x, y, 0.42 * wide, 0.13 * wide);
            }
        }
        stones.stroke(self.c, 0.004 * short, &ink);
        self.block([self.a, low - 0.014 * short, self.b, low + 0.02 * short], 0xcfc6ba);
    }
}
