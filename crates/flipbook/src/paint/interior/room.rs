//! A living room.

use super::Opening;
use crate::canvas::{Area, Canvas, Ink, Rgb};
use crate::paint::film::Film;
use crate::paint::shape::{Pen, about};

const WALLS: [u32; 4] = [0xf3dcc0, 0xbfdbe6, 0xdccff0, 0xcfe3c4];
const CURTAINS: [u32; 4] = [0xd97b66, 0xf2b45f, 0x8f7fd0, 0xe98f7f];
const RUGS: [[u32; 3]; 4] =
    [[0xb7566a, 0xd98a86, 0xf0c9b8], [0x3f7f9c, 0x6fb0c4, 0xd6ecf0], [0xc98a3f, 0xe8b86a, 0xf7e3b8], [0x6a5aa0, 0x9a8acb, 0xded6f2]];

impl Film {
    pub(super) fn room(&self, c: &mut Canvas) {
        let which = (self.seed % 4) as usize;
        let (width, rise, horizon) = (self.width, self.rise(), self.horizon);
        let wall = self.wall(WALLS[which]);
        let hole = self.opening();
        let left = hole.x + hole.width / 2.0 < width / 2.0;
        self.papered_wall(c, wall, hole);
        self.paint_opening(c, hole);
        self.curtains(c, [hole.x, hole.y], hole.width, hole.height, CURTAINS[which]);
        self.skirting(c, wall);
        self.boards(c);
        self.rug(c, RUGS[which]);
        let away = |share: f32| if left { width * (1.0 - share) } else { width * share };
        let foot = horizon + 0.035 * self.short;
        match self.seed / 4 % 3 {
            0 => {
                self.bookshelf(c, away(0.13), foot, 0.24 * self.short, 0.52 * rise);
                self.framed(c, away(0.38), hole.y + 0.40 * hole.height, 0.075 * self.short, which);
            }
            1 => {
                self.framed(c, away(0.30), hole.y + 0.42 * hole.height, 0.095 * self.short, which);
                self.framed(c, away(0.12), hole.y + 0.18 * hole.height, 0.06 * self.short, which + 1);
                self.floor_lamp(c, away(0.07), foot + 0.01 * self.short, 0.46 * rise);
            }
            _ => {
                self.sofa(c, away(0.17), foot + 0.02 * self.short, 0.40 * self.short, CURTAINS[(which + 1) % 4]);
                self.framed(c, away(0.19), hole.y + 0.45 * hole.height, 0.085 * self.short, which + 2);
            }
        }
        self.pot_plant(c, if left { 0.06 * width } else { 0.94 * width }, foot + 0.02 * self.short, 0.24 * self.short);
        self.pendant(c, width * 0.5, (hole.y * 0.85).max(0.03 * self.height), 0.13 * self.short, CURTAINS[(which + 2) % 4]);
        self.sunlight(c, hole);
    }

    pub(super) fn papered_wall(&self, c: &mut Canvas, wall: Rgb, hole: Opening) {
        let area = Area { bottom: self.horizon + 1.0, ..self.whole() };
        let from = [hole.x + hole.width / 2.0, hole.y + hole.height];
        let dim = wall.mix(Rgb([0.25, 0.16, 0.22]), 0.20);
        c.rect(
            area,
            &Ink::radial(
                from,
                1.1 * self.width.hypot(self.horizon),
                &[(0.0, wall.mix(Rgb::WHITE, 0.30), 1.0), (0.5, wall, 1.0), (1.0, dim, 1.0)],
            ),
        );
        let step = 0.075 * self.short;
        let mut stripes = Pen::default();
        let mut x = -9.0;
        while x < self.width + 9.0 {
            stripes = stripes.rect(x, -9.0, x + 0.5 * step, self.horizon);
            x += step;
        }
        stripes.fill(c, &Ink::flat(wall.mix(Rgb::WHITE, 0.5), 0.20));
    }

    pub(super) fn skirting(&self, c: &mut Canvas, wall: Rgb) {
        let board = wall.mix(Rgb::WHITE, 0.55);
        let high = 0.030 * self.short;
        c.rect(Area { top: self.horizon - high, bottom: self.horizon, ..self.whole() }, &Ink::flat(board, 1.0));
        c.rect(
            Area { top: self.horizon - high, bottom: self.horizon - 0.82 * high, ..self.whole() },
            &Ink::flat(board.mix(Rgb::BLACK, 0.12), 1.0),
        );
    }

    /// A floor of boards that run towards the wall.
    pub(super) fn boards(&self, c: &mut Canvas) {
        let wood = self.light.lit(Rgb::hex(0xcf9a66));
        let (top, bottom, middle) = (self.horizon, self.height, self.width / 2.0);
        c.rect(
            Area { top, ..self.whole() },
            &Ink::linear([0.0, top], [0.0, bottom], &[(wood.mix(Rgb([0.25, 0.12, 0.08]), 0.22), 1.0), (wood, 1.0)]),
        );
        let (near, far) = (0.17 * self.short, 0.075 * self.short);
        let count = (self.width / far) as i32 / 2 + 3;
        let (mut joints, mut dark) = (Pen::default(), Pen::default());
        for j in -count..=count {
            let edge = |j: i32, step: f32| middle + j as f32 * step;
            joints = joints.to(edge(j, far), top).line(edge(j, near), bottom + 9.0);
            if j.rem_euclid(3) == 1 {
                dark = dark.polygon(&[
                    [edge(j, far), top],
                    [edge(j + 1, far), top],
                    [edge(j + 1, near), bottom + 9.0],
                    [edge(j, near), bottom + 9.0],
                ]);
            }
            let share = 0.25 + 0.5 * ((j * 7).rem_euclid(10) as f32 / 10.0);
            let across = |j: i32| edge(j, far) + (edge(j, near) - edge(j, far)) * share;
            let y = top + (bottom + 9.0 - top) * share;
            joints = joints.to(across(j), y).line(across(j + 1), y);
        }
        dark.fill(c, &Ink::flat(Rgb([0.30, 0.14, 0.06]), 0.10));
        joints.stroke(c, 0.0025 * self.short, &Ink::flat(Rgb([0.25, 0.13, 0.06]), 0.28));
        let shade = Rgb([0.2, 0.1, 0.1]);
        c.rect(
            Area { top, bottom: top + 0.04 * self.short, ..self.whole() },
            &Ink::linear([0.0, top], [0.0, top + 0.04 * self.short], &[(shade, 0.25), (shade, 0.0)]),
        );
    }

    pub(super) fn rug(&self, c: &mut Canvas, hexes: [u32; 3]) {
        let [rim, field, line] = hexes.map(|hex| self.light.lit(Rgb::hex(hex)));
        let depth = self.height - self.horizon;
        let (x, y) = (self.width / 2.0, self.horizon + 0.60 * depth);
        let (rx, ry) = (0.46 * self.short.max(0.72 * self.width), 0.33 * depth);
        c.oval(about(x, y + 0.02 * depth, rx, ry), &Ink::flat(Rgb([0.15, 0.08, 0.06]), 0.25));
        for (share, colour) in [(1.0, rim), (0.90, line), (0.86, field), (0.55, line), (0.50, rim)] {
            c.oval(about(x, y, share * rx, share * ry), &Ink::flat(colour, 1.0));
        }
    }
}
