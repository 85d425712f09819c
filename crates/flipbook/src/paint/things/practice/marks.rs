//! What goes on between those who take part: ropes, balls that fly to and fro, claps, voices, thoughts.

use std::f32::consts::TAU;

use crate::canvas::{Canvas, Ink, Puff, Rgb};
use crate::figures::{Build, Figure};
use crate::paint::film::{Film, Moment, Spot};
use crate::paint::practices::{Company, Mark};
use crate::paint::shape::{Pen, about};
use crate::paint::things::effect::heart;
use crate::paint::things::stamp::Stamp;
use crate::random::Random;
use crate::sprites::atlas;

/// Of a throw from one to the other, in a second.
const FLIGHTS: f32 = 0.75;

/// How far the right end of a seesaw is up, in heights.
pub(super) fn seesaw(t: f32) -> f32 {
    0.16 * (2.6 * t + 0.5).sin()
}

impl Film {
    pub(super) fn mark(&self, c: &mut Canvas, m: &Moment, company: &Company, spot: Spot, mark: &Mark) {
        let size = spot.size;
        let hand = |place: usize| self.grasp(m, place);
        let ends = || company.members.first().zip(company.members.get(1)).map(|(one, other)| (*one, *other));
        match *mark {
            Mark::Rope(hex) => self.pulled(c, m, company, spot, hex),
            Mark::Leash(hex) => {
                let Some((one, other)) = ends() else { return };
                let (Some([x, y]), Some(neck)) = (hand(one), self.point(m, other, Figure::mouth)) else { return };
                let Some(pose) = m.poses.get(other) else { return };
                let [nx, ny] = [neck[0] + 0.5 * (pose.x * self.width - neck[0]), neck[1] + 0.02 * size];
                Pen::at(x, y).quad([(x + nx) / 2.0, y.max(ny) + 0.10 * size], nx, ny).stroke(c, 0.018 * size, &self.shone(hex));
            }
            Mark::Toss(name, large, high) => {
                let Some((one, other)) = ends() else { return };
                let (Some(from), Some(to)) = (hand(one), hand(other)) else { return };
                let beat = FLIGHTS * m.t + 0.15;
                let (from, to) = if (beat as usize).is_multiple_of(2) { (from, to) } else { (to, from) };
                let v = beat.fract();
                let at = [from[0] + (to[0] - from[0]) * v, from[1] + (to[1] - from[1]) * v - 4.0 * high * size * v * (1.0 - v)];
                self.ball(c, name, at, large * size, 3.0 * beat, [to[0] - from[0], (2.0 * v - 1.0) * high * size]);
            }
            Mark::Ball(name, large, times, way) => {
                for member in &company.members {
                    let Some(pose) = m.poses.get(*member) else { continue };
                    let u = (times * m.p).fract();
                    let Some((at, ahead)) = on_the_way(way, u) else { continue };
                    let look = self.look_of(m, *member);
                    let to = |[x, y]: [f32; 2]| [pose.x * self.width + look * x * size, pose.y * self.height - y * size];
                    let ([x, y], [nx, ny]) = (to(at), to(ahead));
                    self.ball(c, name, [x, y], large * size, 4.0 * u, [nx - x, ny - y]);
                }
            }
            Mark::Clap(up) => {
                for pair in company.members.chunks_exact(2) {
                    let &[one, other] = pair else { continue };
                    let (Some(a), Some(b)) = (m.poses.get(one), m.poses.get(other)) else { continue };
                    let low = a.h.min(b.h) * a.scale * self.height;
                    let at = [(a.x + b.x) / 2.0 * self.width, a.y.min(b.y) * self.height - up * low];
                    self.flash(c, at, size, 0.5 + 0.5 * (8.8 * m.t).sin());
                }
            }
            Mark::Feathers => {
                let mut random = Random::of(self.seed, 0xFEA7);
                for _ in 0..16 {
                    let (x, late, sway) = (random.within(-0.9, 0.9), random.within(0.0, 1.0), random.within(0.0, TAU));
                    let age = (0.35 * m.t + late).fract();
                    let at = [spot.x + size * (x + 0.10 * (3.0 * m.t + sway).sin()), spot.foot - size * (1.25 - 1.2 * age)];
                    let lean = 0.03 * size * (4.0 * m.t + sway).cos();
                    Pen::at(at[0] - lean, at[1] - 0.03 * size)
                        .quad([at[0] + 0.04 * size, at[1]], at[0] + lean, at[1] + 0.03 * size)
                        .stroke(c, 0.035 * size, &Ink::flat(Rgb::WHITE, 0.95));
                }
            }
            Mark::Thought(_) => self.thought(c, m, company, size),
            Mark::Voice(hex) => {
                for member in &company.members {
                    self.voiced(c, m, *member, size, hex);
                }
            }
            Mark::Speech => self.spoken(c, m, company, size),
            Mark::Burst => {
                const COLOURS: [u32; 5] = [0xe8413c, 0xf7b82e, 0x2f8fe0, 0x3fb46b, 0xd05bd6];
                let Some(first) = company.members.first() else { return };
                let [x, y] = hand(*first).unwrap_or_else(|| spot.at(0.3, 0.4));
                let mut random = Random::of(self.seed, 0xB557);
                for j in 0..34 {
                    let (angle, speed, late) = (random.within(-2.6, -0.5), random.within(0.5, 1.3), random.within(0.0, 0.25));
                    let age = (0.55 * m.t - late).rem_euclid(1.0);
                    let [dx, dy] = [speed * angle.cos() * age, speed * angle.sin() * age + 1.1 * age * age];
                    let at = [x + size * dx, y - 0.1 * size + size * dy];
                    let turn = 7.0 * age + j as f32;
                    let (sin, cos) = turn.sin_cos();
                    Pen::at(at[0] - 0.025 * size * cos, at[1] - 0.025 * size * sin)
                        .line(at[0] + 0.025 * size * cos, at[1] + 0.025 * size * sin)
                        .stroke(c, 0.022 * size, &Ink::flat(Rgb::hex(COLOURS[j % COLOURS.len()]), (4.0 * (1.0 - age)).min(1.0)));
                }
            }
            Mark::Flash => {
                let Some([x, y]) = company.members.first().and_then(|first| hand(*first)) else { return };
                let age = (0.7 * m.t).fract();
                let glow = (1.0 - 4.0 * (age - 0.5).abs()).max(0.0);
                c.puff(x, y, 0.35 * size, 0.35 * size, Rgb::WHITE, 0.9 * glow, Puff { add: true, firm: false });
            }
            Mark::Hung(half) => {
                for member in &company.members {
                    let Some([x, y]) = hand(*member) else { continue };
                    for side in [-half, half] {
                        Pen::at(x + side * size, y).line(spot.x + side * size, -0.05 * self.height).stroke(
                            c,
                            0.02 * size,
                            &self.shone(0xd9cfb8),
                        );
                    }
                }
            }
            Mark::Notes | Mark::Hearts => {
                for j in 0..6 {
                    let age = (0.4 * m.t + j as f32 / 6.0).fract();
                    let x = spot.x + size * (0.5 * (2.4 * j as f32).sin() + 0.04 * (3.0 * m.t + j as f32).sin());
                    let y = spot.foot - size * (0.95 + 0.5 * age);
                    let alpha = (5.0 * age).min(1.0) * (2.0 * (1.0 - age)).min(1.0);
                    if *mark == Mark::Notes {
                        let name = if j % 2 == 0 { "musical-note" } else { "musical-notes" };
                        self.stamp(c, name, Stamp { alpha, turn: 0.04 * (4.0 * m.t + j as f32).sin(), ..Stamp::at(x, y, 0.15 * size) });
                    } else {
                        let path = heart(Pen::default(), [x, y], 0.055 * size * (0.7 + 0.15 * (j % 3) as f32), 0.0);
                        path.fill(c, &Ink::flat(Rgb::hex(0xff4d6d), alpha));
                    }
                }
            }
        }
    }

    /// The hand of somebody, or the mouth of those without.
    fn grasp(&self, m: &Moment, place: usize) -> Option<[f32; 2]> {
        let four = self.cast.figure(place).is_some_and(|figure| figure.build == Build::FourLegged);
        self.point(m, place, if four { Figure::mouth } else { Figure::hand })
    }

    /// What flies: a drawing, or a plain ball.
    fn ball(&self, c: &mut Canvas, name: &str, [x, y]: [f32; 2], large: f32, turn: f32, [ux, uy]: [f32; 2]) {
        let half = 0.5 * large;
        match name {
            "arrow" => {
                let long = ux.hypot(uy).max(1e-3);
                let (ux, uy) = if long < 0.01 { (1.0, 0.0) } else { (ux / long, uy / long) };
                let shaft = Pen::at(x - ux * large, y - uy * large).line(x, y);
                shaft.stroke(c, (0.07 * large).max(1.2), &self.shone(0x5a3a20));
                let head = [
                    [x + 0.12 * large * ux, y + 0.12 * large * uy],
                    [x - 0.08 * large * uy, y + 0.08 * large * ux],
                    [x + 0.08 * large * uy, y - 0.08 * large * ux],
                ];
                Pen::default().polygon(&head).fill(c, &self.shone(0x8a929e));
                let tail = [x - ux * large, y - uy * large];
                Pen::at(tail[0] - 0.1 * large * uy, tail[1] + 0.1 * large * ux)
                    .line(tail[0] + 0.1 * large * uy, tail[1] - 0.1 * large * ux)
                    .stroke(c, 0.14 * large, &self.shone(0xe0483e));
            }
            "" | "bowl" | "tennis-ball" => {
                let hex = match name {
                    "bowl" => 0x3a3f6b,
                    "tennis-ball" => 0xd7f03c,
                    _ => 0xffffff,
                };
                c.circle(x, y, half, &self.shone(hex));
                c.circle(x - 0.3 * half, y - 0.35 * half, 0.28 * half, &Ink::flat(Rgb::WHITE, 0.7));
            }
            name => self.stamp(c, name, Stamp { turn: 0.5 * turn, ..Stamp::at(x, y + half, large) }),
        }
    }

    /// A rope through the hands of all, with a flag in its middle.
    fn pulled(&self, c: &mut Canvas, m: &Moment, company: &Company, spot: Spot, hex: u32) {
        let hands = company.members.iter().filter_map(|member| {
            let at = self.grasp(m, *member)?;
            m.poses.get(*member).map(|pose| (at, pose.x * self.width))
        });
        let hands: Vec<([f32; 2], f32)> = hands.collect();
        let (Some(left), Some(right)) = (hands.iter().min_by(|a, b| a.1.total_cmp(&b.1)), hands.iter().max_by(|a, b| a.1.total_cmp(&b.1)))
        else {
            return;
        };
        let ends = if hands.len() > 1 {
            [left.1 - 0.3 * spot.size, right.1 + 0.3 * spot.size]
        } else {
            [left.0[0], spot.x + spot.way * 3.0 * spot.size]
        };
        let y = (left.0[1] + right.0[1]) / 2.0;
        Pen::at(ends[0], y + 0.02 * spot.size).line(ends[1], y + 0.02 * spot.size).stroke(c, 0.045 * spot.size, &self.shone(hex));
        let middle = spot.x + 0.05 * spot.size * (3.8 * m.t).sin();
        Pen::default()
            .polygon(&[[middle - 0.06 * spot.size, y], [middle + 0.06 * spot.size, y], [middle, y + 0.22 * spot.size]])
            .fill(c, &self.shone(0xe0343a));
    }

    fn flash(&self, c: &mut Canvas, [x, y]: [f32; 2], size: f32, shown: f32) {
        for j in 0..8 {
            let (sin, cos) = (TAU * (j as f32 + 0.5) / 8.0).sin_cos();
            let (near, far) = (size * 0.09, size * (0.12 + 0.06 * shown));
            let line = Pen::at(x + near * cos, y + near * sin).line(x + far * cos, y + far * sin);
            line.stroke(c, 0.022 * size, &Ink::flat(Rgb::hex(0xffb52e), 0.3 + 0.7 * shown));
        }
    }

    /// A cloud with what is thought of, over the head.
    fn thought(&self, c: &mut Canvas, m: &Moment, company: &Company, size: f32) {
        let Some(first) = company.members.first() else { return };
        let (Some([x, y]), Some(pose)) = (self.point(m, *first, Figure::head_top), m.poses.get(*first)) else { return };
        let side = if pose.x > 0.6 { -1.0 } else { 1.0 };
        let grown = (0.4 + 3.0 * m.p).min(1.0);
        let shown = Ink::flat(Rgb::WHITE, 0.96);
        for (far, up, radius) in [(0.16, 0.02, 0.035), (0.27, 0.10, 0.055)] {
            c.circle(x + side * far * size, y - up * size, radius * size, &shown);
        }
        let [bx, by] = [x + side * 0.66 * size, (y - 0.26 * size).max(0.26 * size)];
        for (dx, dy, radius) in
            [(0.0, 0.0, 0.24), (-0.22, 0.04, 0.17), (0.22, 0.05, 0.17), (-0.10, -0.12, 0.17), (0.12, -0.11, 0.18), (0.0, 0.11, 0.18)]
        {
            c.circle(bx + dx * grown * size, by + dy * grown * size, radius * grown * size, &shown);
        }
        match self.thing_of_thought(*first) {
            Some(name) => self.stamp(c, &name, Stamp::at(bx, by + 0.19 * grown * size, 0.38 * grown * size)),
            None => {
                for j in 0..3 {
                    let up = 0.03 * (5.0 * m.t - 0.9 * j as f32).sin().max(0.0);
                    c.circle(bx + (j as f32 - 1.0) * 0.13 * size, by - up * size, 0.04 * size, &Ink::flat(Rgb::hex(0x5a6270), 1.0));
                }
            }
        }
    }

    /// The drawing of what somebody dreams or thinks of.
    fn thing_of_thought(&self, place: usize) -> Option<String> {
        self.brief.slots.get(self.thought_of(place)?).map(|slot| atlas().get(slot.sprite).name.clone())
    }

    fn voiced(&self, c: &mut Canvas, m: &Moment, place: usize, size: f32, hex: u32) {
        let (Some([x, y]), Some(posture)) =
            (self.point(m, place, Figure::mouth), self.company(place).and_then(|company| company.posture()))
        else {
            return;
        };
        if posture.mouth != Some(true) {
            return;
        }
        let look = self.look_of(m, place);
        let age = (1.3 * m.t).fract();
        for j in [-1.0f32, 0.0, 1.0] {
            let angle = 0.5 * j;
            let at = |far: f32| [x + look * far * size * angle.cos(), y + far * size * angle.sin()];
            let (near, far) = (at(0.09 + 0.03 * age), at(0.17 + 0.05 * age));
            Pen::at(near[0], near[1]).line(far[0], far[1]).stroke(c, 0.022 * size, &Ink::flat(Rgb::hex(hex), 0.9));
        }
    }

    /// A balloon with lines for words, over each in turn.
    fn spoken(&self, c: &mut Canvas, m: &Moment, company: &Company, size: f32) {
        let turn = (0.8 * m.t) as usize % company.members.len().clamp(1, 2);
        let Some(place) = company.members.get(turn) else { return };
        let (Some([x, y]), Some(pose)) = (self.point(m, *place, Figure::head_top), m.poses.get(*place)) else { return };
        let side = if pose.x > 0.5 { -1.0 } else { 1.0 };
        let [bx, by] = [x + side * 0.36 * size, (y - 0.16 * size).max(0.16 * size)];
        let ink = Ink::flat(Rgb::WHITE, 0.96);
        c.oval(about(bx, by, 0.27 * size, 0.16 * size), &ink);
        Pen::default()
            .polygon(&[
                [bx - side * 0.16 * size, by + 0.08 * size],
                [bx - side * 0.02 * size, by + 0.13 * size],
                [x + side * 0.10 * size, by + 0.27 * size],
            ])
            .fill(c, &ink);
        for (row, long) in [(-0.06, 0.28), (0.0, 0.36), (0.06, 0.2)] {
            let shown = long * ((1.6 * m.t).fract() * 3.0 - 8.0 * (row + 0.06)).clamp(0.15, 1.0);
            Pen::at(bx - 0.18 * size, by + row * size).line(bx + (shown - 0.18) * size, by + row * size).stroke(
                c,
                0.022 * size,
                &Ink::flat(Rgb::hex(0x7d8696), 1.0),
            );
        }
    }
}

/// Where something is at a share of its way, and a little later.
fn on_the_way(way: &[[f32; 3]], u: f32) -> Option<([f32; 2], [f32; 2])> {
    let (first, last) = (way.first()?, way.last()?);
    let mut at = ([last[1], last[2]], [last[1] + 0.001, last[2]]);
    if u <= first[0] {
        return Some(([first[1], first[2]], [first[1] + 0.001, first[2]]));
    }
    for pair in way.windows(2) {
        if let &[from, to] = pair
            && (from[0]..to[0]).contains(&u)
        {
            let v = (u - from[0]) / (to[0] - from[0]).max(1e-4);
            // It rises slower and slower, and falls faster and faster.
            let rise = |v: f32| if to[2] > from[2] { 1.0 - (1.0 - v).powi(2) } else { v * v };
            let point = |v: f32| [from[1] + (to[1] - from[1]) * v, from[2] + (to[2] - from[2]) * rise(v)];
            at = (point(v), point((v + 0.05).min(1.05)));
        }
    }
    Some(at)
}
