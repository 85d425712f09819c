//! What is close to the lens: blades of grass, reeds at the water's edge, fireflies.

use std::f32::consts::TAU;

use crate::canvas::{Canvas, Ink, Puff, Rgb};
use crate::codes::{Backdrop, Setting, Weather};
use crate::paint::film::{Film, Moment};
use crate::paint::scenery::is_bare;
use crate::paint::shape::Pen;
use crate::pose::Pose;
use crate::random::Random;

/// Of the camera's way: nearer than the things, hence more than 1.
const NEAR: f32 = 1.35;

impl Film {
    pub(super) fn foreground(&self, c: &mut Canvas, m: &Moment) {
        use Backdrop::{Castle, Farm, Forest, Hills, Jungle, Lake, Meadow, Mountains, Park, River};
        let place = self.brief.backdrop;
        self.stirring_in_nature(c, m);
        if self.program.setting.is_some_and(is_bare) {
            return;
        }
        let paved = self.program.setting == Some(Setting::Courtyard);
        if !paved && matches!(place, Meadow | Hills | Forest | Jungle | Mountains | Castle | Farm | Park) {
            if self.light.white {
                self.drifts(c, m);
            } else {
                self.blades(c, m);
            }
        }
        if matches!(place, Lake | River) && self.program.setting.is_none_or(|setting| !setting.is_basin()) {
            self.reeds_before_the_lens(c, m);
        }
        if self.light.dark
            && matches!(place, Meadow | Hills | Forest | Park | Castle | Farm | Jungle | Lake | River)
            && self.brief.weather == Weather::Clear
        {
            self.fireflies(c, m);
        }
    }

    /// Where something `place` (0 to 1) along a repeating stretch is seen, in pixels; `None` outside of the frame.
    fn before_the_lens(&self, m: &Moment, place: f32) -> Option<f32> {
        let span = 2.0 * self.width;
        let x = (place * span - m.camera * NEAR).rem_euclid(span) - 0.3 * self.width;
        (-0.1 * self.width..1.1 * self.width).contains(&x).then_some(x)
    }

    fn blades(&self, c: &mut Canvas, m: &Moment) {
        let mut random = Random::of(self.seed, 33);
        let (short, foot) = (self.short, self.height + 0.03 * self.short);
        let green = self.light.lit(Rgb::hex(if self.brief.weather == Weather::Leaves { 0x6f7a35 } else { 0x2f7a35 }));
        let (mut far, mut near) = (Pen::default(), Pen::default());
        for j in 0..(62.0 * self.width / short) as usize {
            let (place, size, bow) = (random.unit(), short * random.within(0.03, 0.085), random.within(-0.35, 0.35));
            let Some(x) = self.before_the_lens(m, place) else { continue };
            // Feet are seen.
            let hides = |pose: &Pose| pose.y > 0.86 && (x - pose.x * self.width).abs() < 0.5 * pose.w * self.width + 0.03 * short;
            let size = if m.poses.iter().any(hides) { 0.4 * size } else { size };
            let size = size + 0.03 * short; // what is below the frame
            let lean = bow + 0.22 * (1.4 * m.t + 3.0 * x / short).sin() + 0.4 * self.layout.frame.wind;
            let half = 0.0085 * short;
            let blade = |pen: Pen| {
                pen.to(x - half, foot)
                    .quad([x - 0.3 * half, foot - 0.6 * size], x + lean * size, foot - size)
                    .quad([x + 1.2 * half, foot - 0.5 * size], x + half, foot)
                    .close()
            };
            if j % 2 == 0 { far = blade(far) } else { near = blade(near) }
        }
        let shade =
            |colour: Rgb, alpha: f32| Ink::linear([0.0, foot], [0.0, foot - 0.11 * short], &[(colour.times(0.55), alpha), (colour, alpha)]);
        far.fill(c, &shade(green.mix(Rgb::BLACK, 0.12).mix(self.light.haze, 0.10), 0.85));
        near.fill(c, &shade(green.mix(Rgb::BLACK, 0.28), 0.95));
    }

    /// Mounds of snow along the lower edge.
    fn drifts(&self, c: &mut Canvas, m: &Moment) {
        let (short, foot) = (self.short, self.height + 0.03 * self.short);
        let white = self.light.lit(Rgb::WHITE);
        for (layer, [high, long, shade]) in [[0.050, 0.9, 0.18], [0.030, 0.6, 0.0]].into_iter().enumerate() {
            let line = |x: f32| {
                let at = (x + m.camera * NEAR) / short / long;
                self.height + 0.008 * short
                    - high * short * (0.5 + 0.35 * (TAU * at + 2.0 * layer as f32).sin() + 0.15 * (TAU * 2.3 * at).sin())
            };
            let step = short / 24.0;
            let mut pen = Pen::at(-12.0, foot);
            for j in 0..=((self.width + 24.0) / step) as usize + 1 {
                let x = -12.0 + step * j as f32;
                pen = pen.line(x, line(x));
            }
            let colour = white.mix(Rgb([0.60, 0.72, 0.90]), shade + 0.06);
            let inks = [(colour, 0.96), (colour.mix(Rgb([0.62, 0.74, 0.92]), 0.35), 0.98)];
            pen.line(self.width + 0.1 * short, foot).close().fill(c, &Ink::linear([0.0, self.height - high * short], [0.0, foot], &inks));
        }
    }

    /// Reeds and cattails at both lower corners.
    fn reeds_before_the_lens(&self, c: &mut Canvas, m: &Moment) {
        let mut random = Random::of(self.seed, 39);
        let (short, foot) = (self.short, self.height + 0.03 * self.short);
        let green = self.light.lit(Rgb::hex(0x4f7f3a));
        let (mut far, mut near, mut heads) = (Pen::default(), Pen::default(), Pen::default());
        for j in 0..34 {
            // Crowded at the corners: from there 0.24 of the width inwards.
            let (inwards, tall, bow) = (random.unit().powf(1.8), random.within(0.5, 1.0), random.within(-0.10, 0.10));
            let edge = 0.24 * inwards * self.width.min(1.6 * short);
            let x = if j % 2 == 0 { edge - 0.02 * short } else { self.width + 0.02 * short - edge }
                - 0.35 * m.camera.clamp(-0.3 * short, 0.3 * short);
            let size = short * (0.31 - 0.22 * inwards) * tall + 0.03 * short;
            let lean = bow + 0.035 * (1.1 * m.t + 2.0 * x / short + 0.4 * j as f32).sin() + 0.08 * self.layout.frame.wind;
            let (half, tip) = (short * 0.0060, [x + lean * size, foot - size]);
            let via = |side: f32| [x + side + 0.25 * lean * size, foot - 0.55 * size];
            let blade =
                |pen: Pen| pen.to(x - half, foot).quad(via(-0.9 * half), tip[0], tip[1]).quad(via(0.9 * half), x + half, foot).close();
            if j % 3 == 0 {
                near = blade(near)
            } else {
                far = blade(far)
            }
            if j % 4 < 2 && inwards < 0.7 {
                let (hx, hy) = (x + 0.80 * lean * size, foot - 0.90 * size);
                heads = heads.oval(hx, hy, 0.0080 * short, 0.034 * short);
            }
        }
        let shade = |colour: Rgb| Ink::linear([0.0, foot], [0.0, foot - 0.30 * short], &[(colour.times(0.5), 1.0), (colour, 1.0)]);
        far.fill(c, &shade(green.mix(self.light.haze, 0.12)));
        heads.fill(c, &Ink::flat(self.light.lit(Rgb::hex(0x7a4a26)), 1.0));
        near.fill(c, &shade(green.mix(Rgb::BLACK, 0.22)));
    }

    /// They wander, light up and go out, each in its own time.
    fn fireflies(&self, c: &mut Canvas, m: &Moment) {
        let mut random = Random::of(self.seed, 34);
        let glow = Puff { add: true, firm: false };
        for j in 0..(13.0 * self.squares()).min(40.0) as usize {
            let (phase, pace, place) = (random.within(0.0, TAU), random.within(0.5, 1.1), j as f32);
            let (home, height, near) = (random.unit(), 0.50 + 0.46 * random.unit(), random.within(0.5, 1.3));
            let x = (home * 1.2 * self.width - 0.6 * m.camera).rem_euclid(1.2 * self.width) - 0.1 * self.width
                + self.short * (0.045 * (0.7 * pace * m.t + phase).sin() + 0.015 * (2.3 * m.t + place).sin());
            let y =
                self.height * height + self.short * (0.022 * (1.1 * pace * m.t + 2.0 * phase).sin() + 0.010 * (2.9 * m.t + place).cos());
            let shine = (1.6 * pace * m.t + 1.9 * place).sin().max(0.0).powf(0.7);
            let size = 0.0042 * near * self.short;
            c.puff(x, y, 7.5 * size, 7.5 * size, Rgb([0.75, 0.95, 0.25]), 0.50 * shine, glow);
            c.puff(x, y, 3.0 * size, 3.0 * size, Rgb([0.95, 1.0, 0.45]), 0.75 * shine, glow);
            c.circle(x, y, 0.75 * size, &Ink::flat(Rgb([1.0, 1.0, 0.80]), shine));
        }
    }
}
