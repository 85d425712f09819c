//! The marks of a feeling beside the head: what those without a face of their own have of it, and what makes the face of others
//! plain from afar.

use std::f32::consts::TAU;

use super::effect::Source;
use crate::canvas::{Canvas, Ink, Rgb};
use crate::codes::Effect;
use crate::figures::Figure;
use crate::paint::film::{Film, Moment};
use crate::paint::shape::{Pen, about};
use crate::paint::things::stamp::Stamp;

impl Film {
    /// Draws what shows that `s` feels something.
    pub(super) fn feeling(&self, c: &mut Canvas, m: &Moment, s: &Source, effect: Effect) {
        let size = s.height;
        let [hx, hy] = self.point(m, s.slot, Figure::head_top).unwrap_or([s.x, s.top]);
        let mouth = self.point(m, s.slot, Figure::mouth).unwrap_or([s.x + 0.3 * s.dir * s.width, s.top + 0.3 * s.height]);
        let look = self.look_of(m, s.slot);
        let unit = size.clamp(0.12 * self.short, 0.5 * self.short);
        let beside = [hx - 0.20 * look * unit, hy + 0.02 * unit];
        let beat = 0.5 + 0.5 * (6.0 * m.t).sin();
        match effect {
            Effect::Anger => {
                self.stamp(c, "anger-symbol", Stamp::at(beside[0], beside[1] + 0.06 * unit, (0.20 + 0.03 * beat) * unit));
                for side in [-1.0, 1.0] {
                    let age = (0.9 * m.t + 0.25 * side).fract();
                    let x = hx + side * (0.16 + 0.10 * age) * unit;
                    c.puff(
                        x,
                        hy + (0.02 - 0.16 * age) * unit,
                        (0.03 + 0.05 * age) * unit,
                        (0.03 + 0.05 * age) * unit,
                        Rgb::WHITE,
                        0.8 * (1.0 - age),
                        crate::canvas::Puff::default(),
                    );
                }
            }
            Effect::Joy => {
                for j in 0..5 {
                    let (sin, cos) = (-0.5 * std::f32::consts::PI + 0.5 * (j as f32 - 2.0)).sin_cos();
                    let (near, far) = ((0.12 + 0.02 * beat) * unit, (0.19 + 0.03 * beat) * unit);
                    Pen::at(hx + near * cos, hy + near * sin).line(hx + far * cos, hy + far * sin).stroke(
                        c,
                        0.022 * unit,
                        &Ink::flat(Rgb::hex(0xffc22e), 0.9),
                    );
                }
            }
            Effect::Sadness => {
                let [x, y] = [hx, hy - 0.20 * unit];
                let ink = Ink::flat(Rgb::hex(0x8fa0b8), 0.9);
                for (dx, radius) in [(-0.13, 0.07), (0.0, 0.10), (0.13, 0.075)] {
                    c.circle(x + dx * unit, y, radius * unit, &ink);
                }
                for j in 0..4 {
                    let age = (1.2 * m.t + 0.27 * j as f32).fract();
                    let dx = (j as f32 - 1.5) * 0.08 * unit;
                    let dy = (0.08 + 0.10 * age) * unit;
                    Pen::at(x + dx, y + dy).line(x + dx - 0.01 * unit, y + dy + 0.05 * unit).stroke(
                        c,
                        0.018 * unit,
                        &Ink::flat(Rgb::hex(0x4fb4f5), 1.0 - age),
                    );
                }
            }
            Effect::Fear => {
                for j in 0..3 {
                    let age = (0.9 * m.t + j as f32 / 3.0).fract();
                    let x = hx + (j as f32 - 1.0) * 0.19 * unit;
                    self.drop(c, [x, hy + (0.04 - 0.10 * age) * unit], 0.035 * unit, 1.0 - age);
                }
                let shake = 0.012 * unit * (40.0 * m.t).sin();
                for side in [-1.0, 1.0] {
                    for j in 0..2 {
                        let x = s.x + side * (0.5 * s.width + (0.05 + 0.06 * j as f32) * unit) + shake;
                        let y = s.top + 0.5 * s.height;
                        Pen::at(x, y - 0.10 * unit)
                            .quad([x + 0.03 * unit, y - 0.05 * unit], x, y)
                            .quad([x - 0.03 * unit, y + 0.05 * unit], x, y + 0.10 * unit)
                            .stroke(c, 0.016 * unit, &Ink::flat(Rgb::hex(0x6b7a90), 0.8));
                    }
                }
            }
            Effect::Surprise => {
                let high = (0.24 + 0.05 * beat) * unit;
                self.stamp(c, "red-exclamation-mark", Stamp::at(hx + 0.16 * look * unit, hy + 0.02 * unit, high));
            }
            Effect::Shyness => {
                for side in [-1.0, 1.0] {
                    c.oval(
                        about(mouth[0] - 0.06 * look * unit + side * 0.10 * unit, mouth[1] - 0.04 * unit, 0.045 * unit, 0.03 * unit),
                        &Ink::flat(Rgb::hex(0xff5c78), 0.55),
                    );
                }
                self.drop(c, [beside[0], beside[1] + 0.10 * unit], 0.035 * unit, 0.9);
            }
            Effect::Dizziness => {
                for j in 0..4 {
                    let angle = 2.6 * m.t + TAU * j as f32 / 4.0;
                    let [x, y] = [hx + 0.24 * unit * angle.cos(), hy - 0.02 * unit + 0.06 * unit * angle.sin()];
                    self.stamp(c, "star", Stamp::at(x, y + 0.05 * unit, 0.11 * unit));
                }
            }
            Effect::Tiredness => {
                for j in 0..2 {
                    let age = (0.5 * m.t + 0.5 * j as f32).fract();
                    self.drop(c, [hx + 0.2 * look * unit, hy + (0.1 - 0.15 * age) * unit], 0.025 * unit, 1.0 - age);
                }
            }
            Effect::Doubt => {
                self.stamp(
                    c,
                    "red-question-mark",
                    Stamp { turn: 0.03 * (4.0 * m.t).sin(), ..Stamp::at(hx + 0.15 * look * unit, hy + 0.01 * unit, 0.24 * unit) },
                );
            }
            _ => {}
        }
    }

    fn drop(&self, c: &mut Canvas, [x, y]: [f32; 2], radius: f32, alpha: f32) {
        let ink = Ink::flat(Rgb::hex(0x4fb4f5), alpha);
        Pen::at(x, y - 2.2 * radius).line(x - radius, y).line(x + radius, y).close().fill(c, &ink);
        c.circle(x, y, radius, &ink);
    }
}
