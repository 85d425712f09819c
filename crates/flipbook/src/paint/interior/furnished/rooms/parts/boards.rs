//! What hangs on walls: boards that are written on, screens, clocks, mirrors, signs.

use super::super::share;
use super::What;
use crate::canvas::{Area, Canvas, Ink, Rgb};
use crate::paint::film::Film;
use crate::paint::shape::{Pen, about, area};
use crate::paint::things::Stamp;
use crate::random::Random;

impl Film {
    pub(super) fn written_board(&self, c: &mut Canvas, what: What, place: Area) {
        let (rim, ground, chalk) = match what {
            What::Blackboard => (0x9a6a42, 0x2f5f4c, 0xf4f6ee),
            What::Menu => (0x7a5032, 0x2d3436, 0xf4f1e6),
            What::Notices => (0x8a5f3a, 0xd2a56c, 0xffffff),
            _ => (0xb4bec8, 0xfafcfd, 0x3f6fb0),
        };
        let edge = 0.016 * self.short;
        c.rect(Area { top: place.top + edge, bottom: place.bottom + 0.6 * edge, ..place }, &Ink::flat(Rgb::BLACK, 0.12));
        c.rect(place, &self.paint(rim));
        let inner = Area { left: place.left + edge, top: place.top + edge, right: place.right - edge, bottom: place.bottom - edge };
        c.rect(inner, &self.shaded(ground, inner));
        let (w, h) = (inner.right - inner.left, inner.bottom - inner.top);
        let at = |x: f32, y: f32| [inner.left + x * w, inner.top + y * h];
        let ink = Ink::flat(self.wall(chalk), 0.92);
        match what {
            What::Notices => {
                let mut random = Random::of(self.seed, 750);
                for j in 0..6 {
                    let [x, y] = at(0.06 + 0.31 * (j % 3) as f32, 0.08 + 0.46 * (j / 3) as f32);
                    let sheet = area(x, y, w * random.within(0.2, 0.26), h * random.within(0.30, 0.40));
                    c.rect(sheet, &self.paint(random.one(&[0xffffff, 0xfdf2b0, 0xd6ecff, 0xffd9d0])));
                    c.circle((sheet.left + sheet.right) / 2.0, sheet.top + 0.03 * h, 0.022 * h, &self.paint(0xd8434f));
                    for line in 1..4 {
                        c.rect(share(sheet, 0.15, 0.2 * line as f32 + 0.08, 0.7, 0.06), &Ink::flat(self.wall(0x6a6a78), 0.6));
                    }
                }
            }
            What::Chart => {
                // Letters that grow smaller.
                for (line, count) in [1, 2, 3, 5].into_iter().enumerate() {
                    let high = h * (0.17 - 0.035 * line as f32);
                    for j in 0..count {
                        let [x, y] = at(0.5 + (j as f32 - (count as f32 - 1.0) / 2.0) * 0.17, 0.10 + 0.23 * line as f32);
                        let e = Pen::at(x + 0.35 * high, y)
                            .line(x - 0.35 * high, y)
                            .line(x - 0.35 * high, y + high)
                            .line(x + 0.35 * high, y + high);
                        e.to(x - 0.35 * high, y + 0.5 * high).line(x + 0.2 * high, y + 0.5 * high).stroke(
                            c,
                            0.16 * high,
                            &self.paint(0x2b2f3a),
                        );
                    }
                }
            }
            What::Menu => {
                let lines =
                    [(0.18, 0.42), (0.36, 0.34), (0.54, 0.46), (0.72, 0.30), (0.88, 0.38)].iter().fold(Pen::default(), |pen, (y, long)| {
                        let [left, right, price] = [at(0.1, *y), at(0.1 + long, *y), at(0.74, *y)];
                        pen.to(left[0], left[1]).line(right[0], right[1]).to(price[0], price[1]).line(price[0] + 0.14 * w, price[1])
                    });
                lines.stroke(c, 0.035 * h, &ink);
            }
            _ => {
                // A sum, some lines and a drawing.
                let line = |pen: Pen, points: &[[f32; 2]]| {
                    let placed: Vec<[f32; 2]> = points.iter().map(|[x, y]| at(*x, *y)).collect();
                    pen.line_through(&placed)
                };
                let mut pen = line(Pen::default(), &[[0.06, 0.50], [0.11, 0.16], [0.16, 0.50]]);
                pen = line(pen, &[[0.08, 0.38], [0.14, 0.38]]);
                pen = line(
                    pen,
                    &[[0.21, 0.16], [0.21, 0.50], [0.27, 0.46], [0.27, 0.36], [0.21, 0.33], [0.26, 0.29], [0.26, 0.20], [0.21, 0.16]],
                );
                pen = line(pen, &[[0.38, 0.22], [0.33, 0.18], [0.31, 0.33], [0.33, 0.48], [0.38, 0.44]]);
                for (y, long) in [(0.66, 0.34), (0.80, 0.27)] {
                    pen = line(pen, &[[0.06, y], [0.06 + long, y]]);
                }
                pen = line(pen, &[[0.56, 0.80], [0.56, 0.18]]);
                pen = line(pen, &[[0.54, 0.78], [0.94, 0.78]]);
                pen = line(pen, &[[0.58, 0.70], [0.68, 0.48], [0.78, 0.56], [0.92, 0.24]]);
                pen.stroke(c, 0.030 * h, &ink);
            }
        }
        if what == What::Blackboard {
            let y = place.bottom - 0.2 * edge;
            c.rect(area(place.left + 0.1 * w, y, 0.8 * w, 0.8 * edge), &self.paint(rim));
            for (x, hex) in [(0.3, 0xffffff), (0.36, 0xf2c23f), (0.6, 0xd8664f)] {
                c.rect(area(place.left + x * w, y - 0.5 * edge, 0.035 * w, 0.5 * edge), &self.paint(hex));
            }
        }
    }

    pub(super) fn screen(&self, c: &mut Canvas, place: Area) {
        let h = place.bottom - place.top;
        c.puff(
            (place.left + place.right) / 2.0,
            (place.top + place.bottom) / 2.0,
            0.75 * (place.right - place.left),
            0.9 * h,
            Rgb([0.6, 0.8, 1.0]),
            0.30,
            crate::canvas::Puff { add: true, firm: false },
        );
        c.rect(place, &Ink::flat(Rgb::hex(0x14141c), 1.0));
        let shown = share(place, 0.02, 0.035, 0.96, 0.93);
        // A film of a lighthouse in the evening: a screen shines by itself.
        c.rect(shown, &Ink::linear([0.0, shown.top], [0.0, shown.bottom], &[(Rgb::hex(0x4a62c8), 1.0), (Rgb::hex(0xf7a88a), 1.0)]));
        let at = |x: f32, y: f32| [shown.left + x * (shown.right - shown.left), shown.top + y * (shown.bottom - shown.top)];
        c.clipped_to(shown, |c| {
            let [x, y] = at(0.36, 0.64);
            c.circle(x, y, 0.16 * h, &Ink::flat(Rgb::hex(0xffe08a), 1.0));
            let hills = [(0.1, 0.30), (0.42, 0.24), (0.85, 0.34)].iter().fold(Pen::default(), |pen, (u, r)| {
                let [x, y] = at(*u, 1.02);
                pen.circle(x, y, r * h)
            });
            hills.fill(c, &Ink::flat(Rgb::hex(0x4b3f86), 1.0));
            c.rect(share(shown, 0.0, 0.84, 1.0, 0.16), &Ink::flat(Rgb::hex(0x2f2a5e), 1.0));
        });
        let [x, y] = at(0.72, 0.88);
        self.stamp(c, "locomotive", Stamp::at(x, y, 0.34 * h));
    }

    pub(super) fn clock(&self, c: &mut Canvas, place: Area) {
        let (x, y, r) = ((place.left + place.right) / 2.0, (place.top + place.bottom) / 2.0, (place.right - place.left) / 2.0);
        c.circle(x, y, r, &self.paint(0x3a4150));
        c.circle(x, y, 0.86 * r, &self.paint(0xfbfbf8));
        let marks = (0..12).map(|j| j as f32 * std::f32::consts::TAU / 12.0).fold(Pen::default(), |pen, turn| {
            pen.to(x + 0.66 * r * turn.cos(), y + 0.66 * r * turn.sin()).line(x + 0.78 * r * turn.cos(), y + 0.78 * r * turn.sin())
        });
        marks.stroke(c, 0.07 * r, &self.paint(0x3a4150));
        Pen::at(x, y - 0.58 * r).line(x, y).line(x + 0.42 * r, y + 0.14 * r).stroke(c, 0.11 * r, &self.paint(0x3a4150));
    }

    pub(super) fn looking_glass(&self, c: &mut Canvas, place: Area) {
        let edge = 0.014 * self.short;
        c.round_rect(place, 1.5 * edge, &self.paint(0xc9a25a));
        let glass = Area { left: place.left + edge, top: place.top + edge, right: place.right - edge, bottom: place.bottom - edge };
        let ink =
            Ink::linear([glass.left, glass.top], [glass.right, glass.bottom], &[(self.wall(0xe8f6fb), 1.0), (self.wall(0x9cc3d4), 1.0)]);
        c.round_rect(glass, edge, &ink);
        let (w, h) = (glass.right - glass.left, glass.bottom - glass.top);
        for x in [0.2, 0.45] {
            Pen::at(glass.left + x * w, glass.top + 0.75 * h).line(glass.left + (x + 0.25) * w, glass.top + 0.25 * h).stroke(
                c,
                0.035 * h.min(w),
                &Ink::flat(Rgb::WHITE, 0.7),
            );
        }
    }

    /// A coloured board with a sprite on it.
    pub(super) fn sign(&self, c: &mut Canvas, place: Area, name: &str, hex: u32) {
        let h = place.bottom - place.top;
        c.round_rect(Area { top: place.top + 0.06 * h, bottom: place.bottom + 0.06 * h, ..place }, 0.2 * h, &Ink::flat(Rgb::BLACK, 0.16));
        c.round_rect(place, 0.2 * h, &self.paint(0xfbf6ec));
        c.round_rect(share(place, 0.03, 0.06, 0.94, 0.88), 0.16 * h, &self.paint(hex));
        let wide = (place.right - place.left) / h;
        let count = ((wide - 0.3) / 0.9).round().max(1.0) as usize;
        for j in 0..count {
            let x = place.left + (place.right - place.left) * (j as f32 + 0.5) / count as f32;
            self.stamp(c, name, Stamp::at(x, place.bottom - 0.17 * h, 0.66 * h));
        }
    }

    /// The sign of a hospital, or of a chemist's.
    pub(super) fn cross(&self, c: &mut Canvas, place: Area, hex: u32) {
        let side = (place.bottom - place.top).min(place.right - place.left);
        let (x, y) = ((place.left + place.right) / 2.0, (place.top + place.bottom) / 2.0);
        c.round_rect(about(x, y, 0.5 * side, 0.5 * side), 0.14 * side, &Ink::flat(Rgb::WHITE, 0.95));
        let bars = Pen::default().rect(x - 0.13 * side, y - 0.38 * side, x + 0.13 * side, y + 0.38 * side).rect(
            x - 0.38 * side,
            y - 0.13 * side,
            x + 0.38 * side,
            y + 0.13 * side,
        );
        bars.fill(c, &self.paint(hex));
    }

    pub(super) fn pigeonholes(&self, c: &mut Canvas, place: Area, hex: u32) {
        let (w, h) = (place.right - place.left, place.bottom - place.top);
        c.rect(place, &self.shaded(hex, place));
        let (columns, rows) = ((w / (0.075 * self.short)).round().max(2.0) as usize, (h / (0.065 * self.short)).round().max(2.0) as usize);
        let mut random = Random::of(self.seed, 752);
        for row in 0..rows {
            for column in 0..columns {
                let hole = share(
                    place,
                    (column as f32 + 0.1) / columns as f32,
                    (row as f32 + 0.12) / rows as f32,
                    0.8 / columns as f32,
                    0.8 / rows as f32,
                );
                c.rect(hole, &Ink::flat(self.wall(hex).times(0.5), 1.0));
                let holds = share(hole, random.within(0.08, 0.25), random.within(0.3, 0.5), 0.65, 0.5);
                if random.chance(0.75) {
                    c.rect(Area { bottom: hole.bottom, ..holds }, &self.paint(random.one(&[0xfdfaf2, 0xf6e3b4, 0xd6e6fa, 0xd9a06a])));
                }
            }
        }
    }

    /// A torch in a ring of iron.
    pub(super) fn torch(&self, c: &mut Canvas, place: Area) {
        let (x, h) = ((place.left + place.right) / 2.0, place.bottom - place.top);
        Pen::at(x, place.bottom - 0.5 * h).line(x, place.bottom).stroke(c, 0.16 * h, &self.paint(0x5a4030));
        Pen::at(x - 0.14 * h, place.bottom - 0.44 * h).line(x + 0.14 * h, place.bottom - 0.44 * h).stroke(
            c,
            0.08 * h,
            &self.paint(0x3b3640),
        );
        self.lamp_light(c, x, place.top + 0.3 * h, 2.2 * h);
        self.stamp(c, "fire", Stamp::at(x, place.bottom - 0.42 * h, 0.6 * h));
    }

    pub(super) fn sliding_doors(&self, c: &mut Canvas, place: Area, hex: u32) {
        let short = self.short;
        c.rect(
            Area { left: place.left - 0.03 * short, top: place.top - 0.03 * short, right: place.right + 0.03 * short, ..place },
            &self.paint(0x5d6470),
        );
        for (from, to) in [(0.0, 0.497), (0.503, 1.0)] {
            let leaf = share(place, from, 0.0, to - from, 1.0);
            c.rect(leaf, &self.rounded(hex, leaf));
        }
        let x = (place.left + place.right) / 2.0;
        Pen::at(x, place.top).line(x, place.bottom).stroke(c, 0.008 * short, &self.paint(0x3a4048));
        // Which floor it is, and the button.
        let sign = about(x, place.top - 0.075 * short, 0.075 * short, 0.030 * short);
        c.round_rect(sign, 0.01 * short, &Ink::flat(Rgb::hex(0x1e222a), 1.0));
        let up = [
            [x - 0.03 * short, sign.bottom - 0.014 * short],
            [x, sign.top + 0.014 * short],
            [x + 0.03 * short, sign.bottom - 0.014 * short],
        ];
        Pen::default().polygon(&up).fill(c, &Ink::flat(Rgb::hex(0xffb03a), 1.0));
        let [bx, by] = [place.right + 0.075 * short, place.bottom - 0.26 * short];
        c.round_rect(about(bx, by, 0.022 * short, 0.045 * short), 0.008 * short, &self.paint(0xc9ced4));
        c.circle(bx, by - 0.018 * short, 0.010 * short, &Ink::flat(Rgb::hex(0xffb03a), 1.0));
        c.circle(bx, by + 0.018 * short, 0.010 * short, &self.paint(0x8a9099));
    }

    pub(super) fn door(&self, c: &mut Canvas, place: Area, hex: u32) {
        c.rect(
            Area {
                left: place.left - 0.02 * self.short,
                top: place.top - 0.02 * self.short,
                right: place.right + 0.02 * self.short,
                ..place
            },
            &self.paint(0xf4efe6),
        );
        c.rect(place, &self.shaded(hex, place));
        for (y, high) in [(0.08, 0.36), (0.54, 0.36)] {
            for x in [0.12, 0.54] {
                c.rect(share(place, x, y, 0.34, high), &Ink::flat(self.wall(hex).times(0.86), 1.0));
            }
        }
        c.circle(
            place.left + 0.9 * (place.right - place.left),
            (place.top + place.bottom) / 2.0,
            0.012 * self.short,
            &self.paint(0xe8c04a),
        );
    }
}
