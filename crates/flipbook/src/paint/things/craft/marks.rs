//! What comes of work: crumbs, steam, sparks, foam, drops, chips, lines. All of it is a function of time.

use std::f32::consts::{PI, TAU};

use super::Work;
use super::site::Site;
use crate::canvas::{Canvas, Ink, Puff, Rgb};
use crate::figures::Figure;
use crate::paint::film::{Film, Moment};
use crate::paint::shape::{Pen, about};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::paint::things) enum Mark {
    None,
    Puffs(u32),
    Bits(u32),
    Chips(u32),
    Drops(u32),
    Peels,
    Swirl,
    Steam,
    Arc,
    Stream,
    Breath,
    Glow,
    Glitter,
    Tongue,
    Foam,
    Gleam,
    Wet,
    Strokes,
    Leaves,
    Burst,
    Laces,
    Sparks,
    GlassBall,
    Lather,
    Ticks,
    Plaster,
    Tube,
    Beam,
    Surprise,
    Ribbon,
    Glint,
    Sound,
    Bubbles,
    Sight,
    Notes,
    Line,
    Drone,
    Chalk,
    Balloon,
}

pub(super) const GLITTER: [u32; 5] = [0xffd93b, 0xff8fc0, 0x8fd3ff, 0xc9a0ff, 0xa6f0a0];

impl Film {
    /// The end of the tool, or the hand.
    pub(super) fn tip(&self, m: &Moment, place: usize, work: &Work, far: f32) -> Option<[f32; 2]> {
        let plane = work.craft.tool.and_then(|tool| self.held_plane(m, place, tool));
        plane.map(|plane| plane.at(far, 0.0)).or_else(|| self.point(m, place, Figure::hand))
    }

    #[expect(clippy::too_many_lines)]
    pub(super) fn marked(&self, c: &mut Canvas, m: &Moment, place: usize, work: &Work) {
        let (tall, way) = (self.tall(m, place), self.way_of(m, place));
        let Some([x, y]) = self.tip(m, place, work, 0.16) else { return };
        let foot = m.poses.get(place).map_or(y, |pose| pose.y * self.height);
        let mouth = self.point(m, place, Figure::mouth).unwrap_or([x, y]);
        let table = self.table_at(m, place, work).unwrap_or([x, y]);
        let age_of = |j: usize, count: usize, rate: f32| (rate * m.t + j as f32 / count as f32).fract();
        let dot = |c: &mut Canvas, [x, y]: [f32; 2], radius: f32, hex: u32, alpha: f32| {
            c.circle(x, y, radius * tall, &Ink::flat(Rgb::hex(hex).tinted(self.light.ambient), alpha.clamp(0.0, 1.0)));
        };
        match work.craft.mark {
            Mark::None => {}
            Mark::Puffs(hex) => {
                for j in 0..6 {
                    let age = age_of(j, 6, 0.7);
                    let (far, up) = ((2.4 * j as f32).sin() * 0.16 * (0.4 + age), 0.02 + 0.14 * age);
                    let radius = (0.03 + 0.05 * age) * tall;
                    c.puff(x + far * tall, y - up * tall, radius, radius, Rgb::hex(hex), 0.65 * (1.0 - age), Puff::default());
                }
            }
            Mark::Bits(hex) | Mark::Drops(hex) => {
                let drops = matches!(work.craft.mark, Mark::Drops(_));
                let deep = if work.site == Site::Table { (table[1] - y).max(0.08 * tall) } else { 0.35 * tall };
                for j in 0..9 {
                    let age = age_of(j, 9, 1.0);
                    let at = [x + 0.07 * tall * (2.3 * j as f32).sin() * (0.4 + age), y + deep * age * age];
                    dot(c, at, if drops { 0.020 } else { 0.013 + 0.006 * (1.7 * j as f32).sin() }, hex, 4.0 * (1.0 - age));
                }
            }
            Mark::Chips(hex) => {
                for j in 0..11 {
                    let age = age_of(j, 11, 1.3);
                    let far = way * (-0.05 - 0.30 * age * (0.5 + 0.5 * (2.1 * j as f32).sin().abs()));
                    let at = [x + far * tall, y - tall * (0.9 * age * (0.7 - age))];
                    dot(c, at, 0.014, hex, 4.0 * (1.0 - age));
                }
            }
            Mark::Peels => {
                for j in 0..3 {
                    let age = age_of(j, 3, 0.5);
                    let at = [x + way * (0.05 + 0.06 * (2.0 * j as f32).sin()) * tall, y + 0.10 * tall + 0.34 * tall * age * age];
                    let curl =
                        Pen::at(at[0] - 0.04 * tall, at[1]).quad([at[0], at[1] + 0.05 * tall], at[0] + 0.04 * tall, at[1] - 0.02 * tall);
                    curl.stroke(c, 0.020 * tall, &Ink::flat(Rgb::hex(0xf7d23b).tinted(self.light.ambient), (4.0 * (1.0 - age)).min(1.0)));
                }
            }
            Mark::Swirl => {
                for j in 0..3 {
                    let angle = 4.0 * m.t + TAU * j as f32 / 3.0;
                    let at = [table[0] + 0.10 * tall * angle.cos(), table[1] - (0.17 + 0.012 * angle.sin()) * tall];
                    dot(c, at, 0.014, 0xfff3c9, 0.9);
                }
            }
            Mark::Steam => {
                let vessel = work.object.and_then(|object| m.poses.get(object)).filter(|_| work.site != Site::None);
                let [sx, sy] = vessel.map_or([table[0], table[1] - 0.22 * tall], |pose| {
                    [pose.x * self.width, (pose.y - pose.lift - 0.92 * pose.h) * self.height]
                });
                for j in 0..6 {
                    let age = age_of(j, 6, 0.45);
                    let radius = (0.035 + 0.06 * age) * tall;
                    let sway = 0.05 * tall * (5.0 * age + 2.0 * j as f32).sin();
                    c.puff(
                        sx + sway,
                        sy - 0.40 * age * tall,
                        radius,
                        1.2 * radius,
                        Rgb::WHITE,
                        0.55 * (5.0 * age).min(1.0) * (1.0 - age),
                        Puff::default(),
                    );
                }
            }
            Mark::Arc => {
                for side in [-0.09, 0.09] {
                    let arc =
                        Pen::at(x + (way * 0.12 + side) * tall, y - 0.10 * tall).line(x + (way * 0.12 + side) * tall, y - 0.22 * tall);
                    arc.stroke(c, 0.010 * tall, &Ink::flat(Rgb::WHITE, 0.7));
                }
            }
            Mark::Stream => {
                let hex = self.poured_colour();
                let [sx, sy] = self.tip(m, place, work, 0.13).unwrap_or([x, y]);
                let end = [table[0], table[1] - 0.05 * tall];
                Pen::at(sx, sy - 0.03 * tall).quad([end[0], sy], end[0], end[1].max(sy)).stroke(c, 0.022 * tall, &self.ink(hex));
                dot(c, [end[0] - 0.02 * tall, end[1] - 0.02 * tall * (9.0 * m.t).sin()], 0.010, hex, 1.0);
            }
            Mark::Breath => {
                for j in 0..3 {
                    let age = age_of(j, 3, 0.9);
                    let at = [mouth[0] + way * (0.08 + 0.20 * age) * tall, mouth[1] + (0.03 * (j as f32 - 1.0) + 0.10 * age) * tall];
                    let line = Pen::at(at[0], at[1]).quad(
                        [at[0] + way * 0.05 * tall, at[1] - 0.02 * tall],
                        at[0] + way * 0.10 * tall,
                        at[1] + 0.01 * tall,
                    );
                    line.stroke(c, 0.012 * tall, &Ink::flat(Rgb::WHITE, 0.95 * (PI * age).sin()));
                }
            }
            Mark::Glow => {
                let shine = 0.8 + 0.2 * (7.0 * m.t).sin();
                c.puff(x, y, 0.20 * tall, 0.20 * tall, Rgb([1.0, 0.85, 0.45]), 0.55 * shine, Puff { add: true, firm: false });
            }
            Mark::Glitter => {
                for j in 0..22 {
                    let age = age_of(j, 22, 0.6);
                    let fan = (2.4 * j as f32).sin() * 0.22 * (0.2 + age);
                    let at = [x + (way * 0.06 + fan) * tall, y + (foot - y) * age * age];
                    let size = 0.030 + 0.016 * (9.0 * m.t + j as f32).sin().abs();
                    super::super::star(Pen::default(), at, size * tall, 0.3 * m.t + j as f32)
                        .fill(c, &Ink::flat(Rgb::hex(GLITTER[j % 5]), (4.0 * (1.0 - age)).min(1.0)));
                }
            }
            Mark::Tongue => {
                let out = (2.2 * m.t).sin().max(0.0);
                let at = [mouth[0] + way * 0.02 * tall, mouth[1] + 0.012 * tall];
                c.oval(about(at[0], at[1], (0.020 + 0.012 * out) * tall, 0.018 * tall), &self.ink(0xf06a7e));
            }
            Mark::Foam | Mark::Lather => {
                let (at, reach, rising) = if work.craft.mark == Mark::Foam {
                    ([table[0], table[1] - 0.01 * tall], 0.24, 6)
                } else {
                    ([mouth[0], mouth[1] + 0.03 * tall], 0.055, 0)
                };
                for j in 0..9 {
                    let along = -1.0 + j as f32 / 4.0;
                    let bob = 0.006 * (2.0 * m.t + j as f32).sin();
                    dot(
                        c,
                        [at[0] + along * reach * tall, at[1] + (bob + 0.02 * (2.1 * j as f32).sin()) * tall],
                        0.22 * reach + 0.012,
                        0xffffff,
                        0.95,
                    );
                }
                for j in 0..rising {
                    let age = age_of(j, rising, 0.4);
                    let at = [at[0] + reach * tall * (2.0 * j as f32).sin(), at[1] - 0.5 * age * tall];
                    Pen::default().circle(at[0], at[1], (0.014 + 0.010 * (j % 3) as f32) * tall).stroke(
                        c,
                        0.006 * tall,
                        &Ink::flat(Rgb::WHITE, 0.9 * (1.0 - age)),
                    );
                }
            }
            Mark::Gleam | Mark::Glint => {
                let at = if work.craft.mark == Mark::Glint { [table[0], table[1] - 0.12 * tall] } else { [x + way * 0.10 * tall, y] };
                for j in 0..4 {
                    let shine = (2.6 * m.t + 1.6 * j as f32).sin().max(0.0);
                    let spot = [at[0] + 0.15 * tall * (2.4 * j as f32).sin(), at[1] + 0.14 * tall * (1.7 * j as f32).cos()];
                    super::super::star(Pen::default(), spot, 0.05 * shine * tall, 0.0).fill(c, &Ink::flat(Rgb::hex(0xfffbe0), 0.95));
                }
            }
            Mark::Wet => {
                for (u, long) in [(0.30, 0.22), (0.46, 0.14), (0.14, 0.12)] {
                    c.oval(about(x + way * u * tall, foot + 0.02 * tall, long * tall, 0.022 * tall), &Ink::flat(Rgb::hex(0xbfe6ff), 0.55));
                }
                for j in 0..4 {
                    let age = age_of(j, 4, 0.8);
                    dot(c, [x + way * (0.2 + 0.1 * j as f32) * tall, foot - 0.12 * age * tall], 0.012, 0xd9f1ff, 1.0 - age);
                }
            }
            Mark::Strokes => {
                for j in 0..4 {
                    let grown = (1.4 * m.p + 0.35 - 0.22 * j as f32).clamp(0.0, 0.34);
                    let at = [x + way * (0.02 + 0.07 * j as f32) * tall, y + (0.16 - 0.05 * (j % 2) as f32) * tall];
                    Pen::at(at[0], at[1]).line(at[0], at[1] - grown * tall).stroke(
                        c,
                        0.06 * tall,
                        &Ink::flat(Rgb::hex(0xf9a826).tinted(self.light.ambient), 0.95),
                    );
                }
            }
            Mark::Leaves => {
                for j in 0..5 {
                    let age = age_of(j, 5, 0.8);
                    let at = [x + way * (0.10 + 0.2 * age) * tall, foot - 0.35 * tall * age * (1.0 - age)];
                    c.oval(about(at[0], at[1], 0.035 * tall, 0.02 * tall), &self.ink([0xe07b2e, 0xd8a02e, 0xc2482e][j % 3]));
                }
            }
            Mark::Burst => {
                let age = ((crate::figures::PACE * m.t + self.layout.objects.get(place).map_or(0.0, |object| object.phase))
                    .rem_euclid(1.0)
                    - 0.40)
                    / 0.25;
                if (0.0..1.0).contains(&age) {
                    let [x, y] = self.tip(m, place, work, 0.22).unwrap_or([x, y]);
                    for j in 0..7 {
                        let (sin, cos) = (TAU * j as f32 / 7.0).sin_cos();
                        let (near, far) = ((0.04 + 0.06 * age) * tall, (0.07 + 0.10 * age) * tall);
                        Pen::at(x + near * cos, y + near * sin).line(x + far * cos, y + far * sin).stroke(
                            c,
                            0.014 * tall,
                            &Ink::flat(Rgb::hex(0xffc23b), 1.0 - age),
                        );
                    }
                }
            }
            Mark::Laces => {
                let at = [m.poses.get(place).map_or(x, |pose| pose.x * self.width) + way * 0.20 * tall, foot - 0.05 * tall];
                for side in [-1.0, 1.0] {
                    let lace = Pen::at(at[0], at[1]).cubic(
                        [at[0] + side * 0.10 * tall, at[1] - 0.12 * tall],
                        [at[0] + side * 0.16 * tall, at[1] + 0.02 * tall],
                        at[0],
                        at[1],
                    );
                    lace.stroke(c, 0.013 * tall, &self.ink(0xfdf6e8));
                }
            }
            Mark::Ticks => {
                for j in 0..3 {
                    let shine = (3.0 * m.t + 2.0 * j as f32).sin().max(0.0);
                    let (sin, cos) = (-0.9 + 0.9 * j as f32).sin_cos();
                    let at = |far: f32| [x + way * far * cos * tall, y + far * sin * tall];
                    let ([ax, ay], [bx, by]) = (at(0.12), at(0.18));
                    Pen::at(ax, ay).line(bx, by).stroke(c, 0.013 * tall, &Ink::flat(Rgb::hex(0xffc23b), shine));
                }
            }
            Mark::Sight => {}
            _ => self.marked_further(c, m, place, work),
        }
    }
}
