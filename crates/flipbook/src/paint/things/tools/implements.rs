//! Rods, and household and garden implements, in a hand.

use super::{Grip, Tool};
use crate::canvas::{Canvas, Ink, Rgb};
use crate::paint::film::{Film, Moment};
use crate::paint::shape::Pen;

impl Film {
    pub(super) fn draw_implement(&self, c: &mut Canvas, grip: &Grip, tool: Tool) {
        let ink = |hex: u32| Ink::flat(Rgb::hex(hex).tinted(self.light.ambient), 1.0);
        match tool {
            Tool::Besom => {
                grip.bar(-0.34, 0.36, 0.014).fill(c, &ink(0x9a6a3c));
                grip.outline(&[[0.32, -0.03], [0.50, -0.095], [0.53, 0.0], [0.50, 0.095], [0.32, 0.03]]).fill(c, &ink(0xd9a648));
                grip.bar(0.315, 0.345, 0.034).fill(c, &ink(0x8c2f3c));
            }
            Tool::Spade => {
                grip.bar(-0.30, 0.30, 0.014).fill(c, &ink(0x9a6a3c));
                grip.bar(-0.33, -0.30, 0.05).fill(c, &ink(0x7a5230));
                let blade = [[0.27, -0.055], [0.40, -0.055], [0.48, 0.0], [0.40, 0.055], [0.27, 0.055]];
                grip.outline(&blade).fill(c, &ink(0xaab4c0));
                grip.outline(&[[0.27, 0.0], [0.48, 0.0], [0.40, 0.055], [0.27, 0.055]]).fill(c, &ink(0x8792a0));
            }
            Tool::Toothbrush => {
                grip.bar(-0.04, 0.13, 0.009).fill(c, &ink(0x2f8fe0));
                grip.outline(&[[0.08, -0.009], [0.13, -0.009], [0.13, -0.032], [0.08, -0.032]]).fill(c, &ink(0xffffff));
            }
            Tool::Ring => {
                grip.bar(-0.05, 0.08, 0.008).fill(c, &ink(0xe0457b));
                let [x, y] = grip.at(0.12, 0.0);
                Pen::default().circle(x, y, 0.04 * grip.size).stroke(c, 0.014 * grip.size, &ink(0xe0457b));
            }
            Tool::Stick => {
                grip.outline(&[[-0.12, -0.013], [0.40, -0.013], [0.44, 0.02], [0.52, 0.14], [0.46, 0.15], [0.38, 0.013], [-0.12, 0.013]])
                    .fill(c, &ink(0xc98a4b));
                grip.bar(-0.12, 0.0, 0.015).fill(c, &ink(0x3b3346));
            }
            Tool::Bat => grip
                .outline(&[[-0.06, -0.013], [0.18, -0.018], [0.40, -0.034], [0.42, 0.0], [0.40, 0.034], [0.18, 0.018], [-0.06, 0.013]])
                .fill(c, &ink(0xd7a061)),
            Tool::Broom => {
                grip.bar(-0.30, 0.42, 0.015).fill(c, &ink(0x9a6a3c));
                grip.outline(&[[-0.28, -0.03], [-0.52, -0.10], [-0.56, 0.0], [-0.52, 0.10], [-0.28, 0.03]]).fill(c, &ink(0xd9a648));
                grip.bar(-0.31, -0.28, 0.034).fill(c, &ink(0x8c2f3c));
            }
            Tool::Brush => {
                grip.bar(-0.07, 0.10, 0.010).fill(c, &ink(0x8a5a34));
                grip.bar(0.09, 0.12, 0.015).fill(c, &ink(0xc7ccd9));
                grip.outline(&[[0.12, -0.016], [0.165, 0.0], [0.12, 0.016]]).fill(c, &ink(0xe0457b));
            }
            Tool::Hammer => {
                grip.bar(-0.06, 0.20, 0.012).fill(c, &ink(0x9a6a3c));
                grip.outline(&[[0.17, -0.07], [0.23, -0.07], [0.23, 0.06], [0.17, 0.06]]).fill(c, &ink(0x5b6573));
            }
            Tool::Axe => {
                grip.bar(-0.08, 0.32, 0.013).fill(c, &ink(0x9a6a3c));
                grip.outline(&[[0.23, 0.0], [0.21, 0.10], [0.27, 0.12], [0.34, 0.10], [0.31, 0.0]]).fill(c, &ink(0xaab4c0));
            }
            Tool::Pole => {
                grip.bar(-0.04, 0.40, 0.009).fill(c, &ink(0x3b3f4c));
                grip.bar(0.345, 0.36, 0.035).fill(c, &ink(0x3b3f4c));
            }
            _ => {}
        }
    }

    /// A rod that gives, and a line down to a float that bobs.
    pub(super) fn draw_rod(&self, c: &mut Canvas, m: &Moment, grip: &Grip) {
        let size = grip.size;
        let (tip, wood) = (grip.at(0.75, 0.0), Rgb::hex(0x7a5230).tinted(self.light.ambient));
        let [x, y] = grip.at(-0.12, 0.0);
        let bow = grip.at(0.45, 0.015 * (2.0 * m.t).sin());
        Pen::at(x, y).quad(bow, tip[0], tip[1]).stroke(c, 0.022 * size, &Ink::flat(wood, 1.0));
        let way = if grip.along[0] < 0.0 { -1.0 } else { 1.0 };
        let [fx, fy] = [tip[0] + way * 0.10 * size, grip.hand[1] + 0.36 * size + 0.012 * size * (2.6 * m.t).sin()];
        Pen::at(tip[0], tip[1]).quad([tip[0] + way * 0.02 * size, 0.5 * (tip[1] + fy)], fx, fy).stroke(
            c,
            0.005 * size,
            &Ink::flat(Rgb::WHITE, 0.8),
        );
        let ring = 0.03 + 0.05 * (0.7 * m.t).fract();
        Pen::default().oval(fx, fy + 0.012 * size, ring * size, 0.3 * ring * size).stroke(
            c,
            0.006 * size,
            &Ink::flat(Rgb::WHITE, 0.6 * (1.0 - (0.7 * m.t).fract())),
        );
        c.circle(fx, fy, 0.022 * size, &Ink::flat(Rgb::hex(0xf04438).tinted(self.light.ambient), 1.0));
        c.circle(fx, fy - 0.012 * size, 0.012 * size, &Ink::flat(Rgb::WHITE, 1.0));
    }
}
