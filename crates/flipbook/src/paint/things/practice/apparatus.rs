//! Draws what the practice of somebody needs around them: the pieces behind all who take part, and before them; what is held; marks.

use crate::canvas::{Canvas, Ink, Rgb};
use crate::figures::{Build, Figure};
use crate::paint::film::{Film, Moment, Spot};
use crate::paint::practices::{Company, Held, Piece};
use crate::paint::shape::{Pen, about, area};
use crate::paint::things::stamp::Stamp;
use crate::paint::things::warp::Lay;

impl Film {
    /// What belongs to a practice, once: behind the first of them that is drawn, before the last one.
    pub(in crate::paint::things) fn apparatus(&self, c: &mut Canvas, m: &Moment, place: usize, behind: bool) {
        let (Some(company), Some(spot)) = (self.company(place), self.spot_of(m, place)) else { return };
        if !behind {
            self.held_thing(c, m, place, company);
        }
        let turn = |slot: &usize| m.order.iter().position(|other| other == slot);
        let members = || company.members.iter().filter(|slot| turn(slot).is_some());
        let at_turn = if behind { members().min_by_key(|slot| turn(slot)) } else { members().max_by_key(|slot| turn(slot)) };
        if at_turn != Some(&place) {
            return;
        }
        let pieces = if behind { company.practice.behind } else { company.practice.before };
        for piece in pieces {
            self.piece(c, m, company, spot, piece);
        }
        if !behind {
            for mark in company.practice.marks {
                self.mark(c, m, company, spot, mark);
            }
        }
    }

    pub(super) fn shone(&self, hex: u32) -> Ink {
        Ink::flat(Rgb::hex(hex).tinted(self.light.ambient), 1.0)
    }

    fn piece(&self, c: &mut Canvas, m: &Moment, company: &Company, spot: Spot, piece: &Piece) {
        let size = spot.size;
        match *piece {
            Piece::Bar([ax, ay, bx, by], width, hex) => {
                let ([ax, ay], [bx, by]) = (spot.at(ax, ay), spot.at(bx, by));
                Pen::at(ax, ay).line(bx, by).stroke(c, width * size, &self.shone(hex));
            }
            Piece::Slab([left, foot, wide, high], round, hex) => {
                let ([ax, y], [bx, _]) = (spot.at(left, foot), spot.at(left + wide, foot));
                c.round_rect(area(ax.min(bx), y - high * size, (ax - bx).abs(), high * size), round * size, &self.shone(hex));
            }
            Piece::Oval([x, y, rx, ry], hex) => {
                let [x, y] = spot.at(x, y);
                c.oval(about(x, y, rx * size, ry * size), &self.shone(hex));
            }
            Piece::Drawing(name, [x, y], high) => {
                let [x, y] = spot.at(x, y);
                self.stamp(c, name, Stamp { flip: spot.way > 0.0, ..Stamp::at(x, y, high * size) });
            }
            Piece::Net([left, foot, wide, high], hex) => {
                let ([ax, y], [bx, _]) = (spot.at(left, foot), spot.at(left + wide, foot));
                let (x, wide, high) = (ax.min(bx), (ax - bx).abs(), high * size);
                let mut net = Pen::default();
                let step = 0.06 * size;
                for j in 0..=(wide / step) as usize {
                    net = net.to(x + step * j as f32, y).line(x + step * j as f32, y - high);
                }
                for j in 0..=(high / step) as usize {
                    net = net.to(x, y - step * j as f32).line(x + wide, y - step * j as f32);
                }
                net.stroke(c, 0.010 * size, &Ink::flat(Rgb::hex(hex), 0.75));
            }
            Piece::Sag([ax, ay, bx, by], sag, width, hex) => {
                let ([ax, ay], [bx, by]) = (spot.at(ax, ay), spot.at(bx, by));
                let low = [(ax + bx) / 2.0, (ay + by) / 2.0 + 2.0 * sag * size];
                Pen::at(ax, ay).quad(low, bx, by).stroke(c, width * size, &self.shone(hex));
            }
            Piece::Plank(half, hex) => self.plank(c, m, spot, half, hex),
            Piece::Hoop(radius, hex) => {
                let [x, y] =
                    self.point(m, company.members.first().copied().unwrap_or_default(), Figure::seat).unwrap_or_else(|| spot.at(0.0, 0.4));
                let (rx, ry) = (radius * size, 0.3 * radius * size);
                let shift = 0.10 * size * (7.5 * m.t).sin();
                let tilt = 0.10 * size * (7.5 * m.t).cos();
                // Only its near half: the far one is behind the body.
                let ring = Pen::at(x + shift - rx, y - tilt).cubic(
                    [x + shift - rx, y + 1.3 * ry],
                    [x + shift + rx, y + 1.3 * ry],
                    x + shift + rx,
                    y + tilt,
                );
                ring.stroke(c, 0.045 * size, &self.shone(hex));
                for side in [-1.0, 1.0] {
                    let far = Pen::at(x + shift + side * rx, y + side * tilt).quad(
                        [x + shift + side * rx, y - ry],
                        x + shift + side * 0.45 * rx,
                        y - ry,
                    );
                    far.stroke(c, 0.035 * size, &self.shone(hex));
                }
            }
            Piece::Stools(high, hex) => {
                for member in &company.members {
                    let (Some([x, y]), Some(pose)) = (self.seat_of(m, *member), m.poses.get(*member)) else { continue };
                    let foot = pose.y * self.height;
                    let top = (y + 0.05 * size).min(foot - 0.5 * high * size);
                    for leg in [-0.09, 0.09] {
                        Pen::at(x + 0.8 * leg * size, top).line(x + leg * size, foot).stroke(c, 0.035 * size, &self.shone(hex));
                    }
                    c.round_rect(area(x - 0.14 * size, top - 0.02 * size, 0.28 * size, 0.055 * size), 0.02 * size, &self.shone(0x9a6a3c));
                }
            }
            Piece::Each(name, [ahead, up], high) => {
                for member in &company.members {
                    let Some(pose) = m.poses.get(*member) else { continue };
                    let (x, y) = (pose.x * self.width + ahead * spot.way * size, (pose.y - pose.lift) * self.height - up * size);
                    self.stamp(c, name, Stamp { turn: pose.turn, ..Stamp::at(x, y, high * size) });
                }
            }
        }
    }

    fn seat_of(&self, m: &Moment, place: usize) -> Option<[f32; 2]> {
        let pose = m.poses.get(place)?;
        self.cast
            .figure(place)
            .filter(|figure| figure.build == Build::Upright)
            .and_then(|_| self.point(m, place, Figure::seat))
            .or(Some([pose.x * self.width, (pose.y - pose.lift) * self.height]))
    }

    /// A plank on a trestle, under all who sit on it.
    fn plank(&self, c: &mut Canvas, m: &Moment, spot: Spot, half: f32, hex: u32) {
        let size = spot.size;
        let tilt = super::marks::seesaw(m.t);
        let end = |side: f32| [spot.x + side * half * size, spot.foot - (0.24 + side * tilt) * size];
        let ([ax, ay], [bx, by]) = (end(-1.0), end(1.0));
        let [x, y] = [spot.x, spot.foot];
        Pen::default().polygon(&[[x - 0.2 * size, y], [x, y - 0.30 * size], [x + 0.2 * size, y]]).fill(c, &self.shone(0x3f7fd0));
        Pen::at(ax, ay).line(bx, by).stroke(c, 0.075 * size, &self.shone(hex));
        for side in [-1.0, 1.0] {
            let at = 0.62 * half * side;
            let [hx, hy] = [spot.x + at * size, spot.foot - (0.24 + 0.62 * side * tilt) * size];
            Pen::at(hx, hy).line(hx, hy - 0.16 * size).stroke(c, 0.03 * size, &self.shone(0x5a5f6b));
        }
    }

    /// What somebody has in the hand for it.
    fn held_thing(&self, c: &mut Canvas, m: &Moment, place: usize, company: &Company) {
        let Some(held) = company.posture().map(|posture| posture.held).filter(|held| *held != Held::Nothing) else { return };
        let (Some(figure), Some(pose)) = (self.cast.figure(place), m.poses.get(place)) else { return };
        let size = pose.h * self.height * pose.scale;
        let look = self.look_of(m, place);
        let stance = self.stance(m, place, figure);
        let warp = self.warp_box(m, place, pose, Lay::Upright);
        let four = figure.build == Build::FourLegged;
        let along = |lean: f32| {
            let (from, to) =
                if four { (figure.mouth(&stance), figure.mouth(&stance).map(|value| value - 0.1)) } else { figure.grip(&stance, lean) };
            let ([x, y], [fx, fy]) = (warp(from), warp(to));
            let long = (fx - x).hypot(fy - y).max(1e-3);
            ([x, y], [(fx - x) / long, (fy - y) / long])
        };
        let at = |[x, y]: [f32; 2], [ux, uy]: [f32; 2], far: f32, aside: f32| {
            [x + size * (far * ux - aside * uy), y + size * (far * uy + aside * ux)]
        };
        match held {
            Held::Nothing => {}
            Held::Drawing(name, high, turn) => {
                let ([x, y], _) = along(0.0);
                self.stamp(c, name, Stamp { flip: look > 0.0, turn: look * turn, ..Stamp::at(x, y + 0.45 * high * size, high * size) });
            }
            Held::Stick(long, width, hex, lean) => {
                let (hand, way) = along(lean);
                let ends = [at(hand, way, -0.04, 0.0), at(hand, way, long, 0.0)];
                let (thin, thick) = (0.35 * width, 0.5 * width);
                let points =
                    [at(hand, way, -0.04, -thin), at(hand, way, long, -thick), at(hand, way, long, thick), at(hand, way, -0.04, thin)];
                Pen::default().polygon(&points).fill(c, &self.shone(hex));
                c.circle(ends[1][0], ends[1][1], thick * size, &self.shone(hex));
                if width < 0.03 && long > 0.45 {
                    // The head of a club.
                    let [x, y] = ends[1];
                    c.oval(about(x + 0.03 * look * size, y, 0.065 * size, 0.035 * size), &self.shone(0x4a505c));
                }
            }
            Held::Racket => {
                let (hand, way) = along(0.2);
                let [tip, middle] = [at(hand, way, 0.16, 0.0), at(hand, way, 0.31, 0.0)];
                Pen::at(hand[0], hand[1]).line(tip[0], tip[1]).stroke(c, 0.035 * size, &self.shone(0x3a3f4b));
                c.circle(middle[0], middle[1], 0.155 * size, &self.shone(0xe0483e));
                c.circle(middle[0], middle[1], 0.125 * size, &self.shone(0xf4f1e2));
                for j in -2..=2 {
                    let off = 0.048 * j as f32;
                    let reach = (0.125f32.powi(2) - off * off).max(0.0).sqrt();
                    let lines =
                        Pen::at(middle[0] - reach * size, middle[1] + off * size).line(middle[0] + reach * size, middle[1] + off * size);
                    let lines =
                        lines.to(middle[0] + off * size, middle[1] - reach * size).line(middle[0] + off * size, middle[1] + reach * size);
                    lines.stroke(c, 0.007 * size, &Ink::flat(Rgb::hex(0x9aa4b5), 1.0));
                }
            }
            Held::Pillow => {
                let (hand, way) = along(0.35);
                let points = [[0.0, -0.11], [0.20, -0.15], [0.40, -0.13], [0.44, 0.0], [0.40, 0.13], [0.20, 0.15], [0.0, 0.11]];
                let points: Vec<[f32; 2]> = points.iter().map(|[u, v]| at(hand, way, *u, *v)).collect();
                Pen::default().polygon(&points).fill(c, &self.shone(0xf7f8fc));
                Pen::default().polygon(&points).stroke(c, 0.02 * size, &self.shone(0x9db8e6));
            }
            Held::Bow => {
                let ([x, y], _) = along(0.0);
                let top = [x - 0.10 * look * size, y - 0.42 * size];
                let low = [x - 0.10 * look * size, y + 0.42 * size];
                Pen::at(top[0], top[1]).quad([x + 0.14 * look * size, y], low[0], low[1]).stroke(c, 0.035 * size, &self.shone(0x8a5a34));
                let string = x - 0.30 * look * size;
                Pen::at(top[0], top[1]).line(string, y).line(low[0], low[1]).stroke(c, 0.010 * size, &self.shone(0xf4efe4));
            }
        }
    }
}
