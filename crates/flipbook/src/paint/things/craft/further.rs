//! The marks of glass, lenses, tills and machines: what glows, grows, sounds or hangs on a line.

use std::f32::consts::PI;

use super::marks::{GLITTER, Mark};
use super::{Plane, Work};
use crate::canvas::{Canvas, Ink, Puff, Rgb};
use crate::figures::Figure;
use crate::paint::film::{Film, Moment};
use crate::paint::shape::{Pen, about, area};
use crate::paint::things::stamp::Stamp;

impl Film {
    #[expect(clippy::too_many_lines)]
    pub(super) fn marked_further(&self, c: &mut Canvas, m: &Moment, place: usize, work: &Work) {
        let (tall, way) = (self.tall(m, place), self.way_of(m, place));
        let Some([x, y]) = self.tip(m, place, work, 0.16) else { return };
        let mouth = self.point(m, place, Figure::mouth).unwrap_or([x, y]);
        let table = self.table_at(m, place, work).unwrap_or([x, y]);
        let age_of = |j: usize, count: usize, rate: f32| (rate * m.t + j as f32 / count as f32).fract();
        let dot = |c: &mut Canvas, [x, y]: [f32; 2], radius: f32, hex: u32, alpha: f32| {
            c.circle(x, y, radius * tall, &Ink::flat(Rgb::hex(hex).tinted(self.light.ambient), alpha.clamp(0.0, 1.0)));
        };
        match work.craft.mark {
            Mark::Sparks => {
                let glow = 0.8 + 0.2 * (31.0 * m.t).sin();
                c.puff(x, y, 0.16 * tall, 0.16 * tall, Rgb([0.8, 0.9, 1.0]), 0.9 * glow, Puff { add: true, firm: false });
                for j in 0..16 {
                    let age = age_of(j, 16, 1.9);
                    let angle = 2.4 * j as f32;
                    let far = (0.10 + 0.30 * age) * tall;
                    let at = [x + far * angle.cos(), y + 0.6 * far * angle.sin() - 0.06 * tall + 0.25 * age * age * tall];
                    Pen::at(at[0], at[1]).line(at[0] + 0.03 * tall * angle.cos(), at[1] + 0.02 * tall * angle.sin()).stroke(
                        c,
                        0.010 * tall,
                        &Ink::flat(Rgb::hex(0xffd36b), 1.0 - age),
                    );
                }
            }
            Mark::GlassBall => {
                let [x, y] = self.tip(m, place, work, 0.44).unwrap_or([x, y]);
                let size = (0.06 + 0.07 * m.p + 0.006 * (4.0 * m.t).sin()) * tall;
                c.puff(x, y, 2.0 * size, 2.0 * size, Rgb([1.0, 0.6, 0.25]), 0.6, Puff { add: true, firm: false });
                c.circle(x, y, size, &Ink::flat(Rgb::hex(0xffa64a), 0.9));
                c.circle(x - 0.3 * size, y - 0.3 * size, 0.3 * size, &Ink::flat(Rgb::hex(0xfff1c9), 0.9));
            }
            Mark::Balloon => {
                let size = (0.05 + 0.11 * (1.2 * m.p + 0.1).min(1.0) + 0.004 * (5.0 * m.t).sin()) * tall;
                let at = [mouth[0] + way * (0.05 * tall + size), mouth[1] + 0.02 * tall];
                Pen::at(at[0] - way * size, at[1])
                    .line(at[0] - way * 1.25 * size, at[1] - 0.12 * size)
                    .line(at[0] - way * 1.25 * size, at[1] + 0.12 * size)
                    .close()
                    .fill(c, &self.ink(0xc22a2f));
                c.oval(about(at[0], at[1], size, 0.88 * size), &self.ink(0xe8353c));
                c.oval(about(at[0] - 0.3 * size, at[1] - 0.35 * size, 0.22 * size, 0.15 * size), &Ink::flat(Rgb::WHITE, 0.6));
            }
            Mark::Plaster => self.stamp(c, "adhesive-bandage", Stamp::at(x + way * 0.06 * tall, y + 0.06 * tall, 0.14 * tall)),
            Mark::Tube => {
                let ear = [mouth[0] - way * 0.10 * tall, mouth[1] - 0.10 * tall];
                let tube = Pen::at(ear[0], ear[1]).cubic(
                    [ear[0] + way * 0.02 * tall, ear[1] + 0.3 * tall],
                    [x - way * 0.1 * tall, y + 0.16 * tall],
                    x,
                    y,
                );
                tube.stroke(c, 0.018 * tall, &self.ink(0x2d313b));
                c.circle(x + way * 0.02 * tall, y, 0.035 * tall, &self.ink(0xb9c2cc));
            }
            Mark::Beam => {
                let flash = (5.0 * m.t).sin().max(0.0);
                let [sx, sy] = self.tip(m, place, work, 0.12).unwrap_or([x, y]);
                let beam = Pen::at(sx, sy)
                    .line(sx + way * 0.05 * tall, table[1] - 0.02 * tall)
                    .line(sx + way * 0.22 * tall, table[1] - 0.02 * tall);
                beam.close().fill(c, &Ink::flat(Rgb::hex(0xff3b3b), 0.25 + 0.5 * flash));
            }
            Mark::Surprise | Mark::Ribbon => {
                let at = work
                    .object
                    .and_then(|object| m.poses.get(object))
                    .map_or([x + way * 0.1 * tall, y], |pose| [pose.x * self.width, (pose.y - pose.lift - 0.9 * pose.h) * self.height]);
                if work.craft.mark == Mark::Ribbon {
                    let tail = Pen::at(x, y).cubic(
                        [x + way * 0.05 * tall, y + 0.15 * tall],
                        [x + way * 0.12 * tall, y - 0.1 * tall],
                        at[0],
                        at[1],
                    );
                    return tail.stroke(c, 0.022 * tall, &self.ink(0xe8313c));
                }
                for j in 0..14 {
                    let age = age_of(j, 14, 0.7);
                    let angle = -PI * (0.15 + 0.7 * (j as f32 / 14.0));
                    let far = 0.45 * age * tall;
                    let spot = [at[0] + far * angle.cos(), at[1] + far * angle.sin() + 0.2 * age * age * tall];
                    let size = 0.022 * tall;
                    c.rect(area(spot[0] - size, spot[1] - 0.5 * size, 2.0 * size, size), &Ink::flat(Rgb::hex(GLITTER[j % 5]), 1.0 - age));
                }
            }
            Mark::Sound | Mark::Notes => {
                let at = if work.craft.mark == Mark::Sound { [x + way * 0.08 * tall, y] } else { [x, y - 0.1 * tall] };
                if work.craft.mark == Mark::Notes {
                    for j in 0..3 {
                        let age = age_of(j, 3, 0.4);
                        let stamp = Stamp {
                            alpha: (PI * age).sin(),
                            ..Stamp::at(at[0] + way * (0.05 + 0.3 * age) * tall, at[1] - 0.2 * age * tall, 0.12 * tall)
                        };
                        self.stamp(c, "musical-note", stamp);
                    }
                    return;
                }
                for j in 0..3 {
                    let age = age_of(j, 3, 1.1);
                    let radius = (0.07 + 0.16 * age) * tall;
                    let arc = |angle: f32| [at[0] + way * radius * angle.cos(), at[1] + radius * angle.sin()];
                    let ([ax, ay], [bx, by]) = (arc(-0.7), arc(0.7));
                    let [vx, vy] = [at[0] + way * 1.3 * radius, at[1]];
                    Pen::at(ax, ay).quad([vx, vy], bx, by).stroke(c, 0.018 * tall, &Ink::flat(Rgb::hex(0xffb52e), 1.0 - age));
                }
            }
            Mark::Bubbles => {
                for j in 0..9 {
                    let age = age_of(j, 9, 0.5);
                    let from = [-0.14, 0.16, 0.25][j % 3];
                    let at = [table[0] + (way * from + 0.03 * (5.0 * age + j as f32).sin()) * tall, table[1] - (0.24 + 0.42 * age) * tall];
                    dot(c, at, 0.012 + 0.014 * age, [0x5fe08a, 0xa45be0, 0xff8a3c][j % 3], 1.0 - age);
                }
                let [sx, sy] = self.tip(m, place, work, 0.13).unwrap_or([x, y]);
                Pen::at(sx, sy).line(table[0] - way * 0.14 * tall, table[1] - 0.24 * tall).stroke(c, 0.014 * tall, &self.ink(0x5fe08a));
            }
            Mark::Line => {
                let Some(plane) = work.craft.tool.and_then(|tool| self.held_plane(m, place, tool)) else { return };
                let [sx, sy] = plane.at(0.62, 0.0);
                let object = work.object.and_then(|object| m.poses.get(object));
                let hand = self.reach(m, place, work.craft.gesture).unwrap_or([x, y]);
                let end = object.map_or([hand[0] + way * 0.62 * tall, hand[1] - (0.06 * m.p + 0.08) * tall], |pose| {
                    [pose.x * self.width, (pose.y - pose.lift - pose.h) * self.height]
                });
                Pen::at(sx, sy).line(end[0], end[1]).stroke(c, 0.006 * tall, &Ink::flat(Rgb::WHITE, 0.95));
                for j in 0..6 {
                    let age = age_of(j, 6, 1.0);
                    dot(c, [end[0] + 0.06 * tall * (2.0 * j as f32).sin(), end[1] + (0.2 + 0.35 * age) * tall], 0.016, 0x8fd3ff, 1.0 - age);
                }
            }
            Mark::Chalk => {
                let Some(sheet) = work.object.and_then(|object| m.poses.get(object)) else { return };
                let (left, wide) = ((sheet.x - 0.30 * sheet.w) * self.width, 0.60 * sheet.w * self.width);
                let board = self.chalk(work) == [0xf4f4ee; 3];
                for row in if board { 2..3 } else { 0..3 } {
                    let grown = (3.4 * m.p + 1.0 - row as f32).clamp(0.0, 1.0);
                    let v = (sheet.y - sheet.lift - (if board { 0.72 } else { 0.84 } - 0.13 * row as f32) * sheet.h) * self.height;
                    let line: Vec<[f32; 2]> = (0..=24)
                        .map(|step| step as f32 / 24.0)
                        .take_while(|share| *share <= grown)
                        .map(|share| [left + wide * share, v + 0.022 * tall * (38.0 * share + 2.0 * row as f32).sin()])
                        .collect();
                    Pen::default().line_through(&line).stroke(c, 0.016 * tall, &self.ink(self.chalk(work)[row]));
                }
            }
            Mark::Drone => self.drone(c, m, place, tall, way),
            _ => {}
        }
    }

    /// White on a blackboard, of all colours on a wall.
    fn chalk(&self, work: &Work) -> [u32; 3] {
        let slot = work.object.and_then(|object| self.brief.slots.get(object));
        let board = slot.is_some_and(|slot| crate::sprites::atlas().get(slot.sprite).name == "blackboard");
        if board { [0xf4f4ee; 3] } else { [0xe8413c, 0x2f8fe0, 0x3fb46b] }
    }

    /// What is poured: the colour that was named, or of what was named.
    pub(super) fn poured_colour(&self) -> u32 {
        use crate::codes::Colour;
        let coloured = self.program.things.iter().find_map(|thing| thing.colour.filter(|_| thing.act.is_none()));
        let named = |part: &str| self.brief.slots.iter().any(|slot| crate::sprites::atlas().get(slot.sprite).name.contains(part));
        match coloured {
            Some(Colour::Green) => 0x5fe08a,
            Some(Colour::Red) => 0xe8413c,
            Some(Colour::Blue) => 0x4fa3e0,
            Some(Colour::Yellow | Colour::Gold) => 0xf7c948,
            Some(Colour::Purple) => 0xa45be0,
            Some(Colour::Pink) => 0xff8fc0,
            Some(Colour::White) => 0xfdfdfb,
            _ if named("milk") => 0xfdfdfb,
            _ if named("wine") => 0xa8324a,
            _ => 0x9a5a2c,
        }
    }

    /// A small aircraft with four rotors above who steers it.
    fn drone(&self, c: &mut Canvas, m: &Moment, place: usize, tall: f32, way: f32) {
        let Some(pose) = m.poses.get(place) else { return };
        let x = pose.x * self.width + way * (0.55 + 0.10 * (0.9 * m.t).sin()) * tall;
        let y = (pose.y * self.height - 1.25 * tall + 0.05 * tall * (1.7 * m.t).sin()).max(0.16 * tall);
        let plane = Plane::upright(x, y, tall, 1.0);
        use super::Piece::{Bar, Disc};
        self.pieces(
            c,
            &plane,
            &[
                Bar(0x3b3f4c, [-0.20, 0.0], [0.20, 0.0], 0.014),
                Bar(0x5b6573, [-0.07, 0.0], [0.07, 0.0], 0.040),
                Disc(0xe8413c, [0.0, -0.045], 0.016),
                Bar(0x3b3f4c, [-0.08, -0.05], [-0.11, -0.09], 0.007),
                Bar(0x3b3f4c, [0.08, -0.05], [0.11, -0.09], 0.007),
            ],
        );
        for side in [-0.20, 0.20] {
            let [rx, ry] = plane.at(side, 0.045);
            c.oval(about(rx, ry, (0.09 + 0.02 * (40.0 * m.t).sin()) * tall, 0.012 * tall), &Ink::flat(Rgb::hex(0x9aa7b5), 0.8));
        }
    }
}
