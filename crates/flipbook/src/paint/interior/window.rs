//! A window seen from within: blurred lights or a garden behind it, drops on the glass, the frame and the sill before.

use crate::canvas::{Area, Canvas, Ink, Puff, Rgb};
use crate::codes::Weather;
use crate::paint::film::{Film, Moment};
use crate::paint::shape::{Pen, about, area};
use crate::random::Random;

impl Film {
    /// Out of focus: hills by day, lamps by night.
    pub(super) fn view_from_window(&self, c: &mut Canvas) {
        let (width, height, short) = (self.width, self.height, self.short);
        let [top, _, low] = self.light.sky;
        let wet = self.wet_glass();
        let top = if wet { top.mix(Rgb([0.2, 0.3, 0.4]), 0.3) } else { top };
        c.rect(self.whole(), &Ink::linear([0.0, 0.0], [0.0, 0.8 * height], &[(top, 1.0), (low, 1.0)]));
        let mist = if wet { 0.50 } else { 0.22 };
        let mut random = Random::of(self.seed, 66);
        for (row, hex) in [0x8fb8a0, 0x7fb07a, 0x5f9f58].into_iter().enumerate() {
            let near = row as f32 / 2.0;
            let green = self.light.lit(self.leaf_or_snow(hex)).mix(self.light.haze, mist * (1.4 - 0.6 * near));
            let line = height * (0.60 + 0.11 * row as f32);
            c.rect(
                Area { top: line + 0.06 * short, ..self.whole() },
                &Ink::linear([0.0, line], [0.0, line + 0.25 * short], &[(green, 0.75), (green.times(0.92), 1.0)]),
            );
            let count = (7.0 * width / short) as usize;
            for j in 0..count {
                let x = width * (j as f32 + random.within(0.1, 0.9)) / count as f32;
                let size = short * random.within(0.07, 0.13) * (1.0 + 0.5 * near);
                let shade = green.times(random.within(0.80, 1.06));
                c.puff(x, line + 0.05 * short, size, 1.15 * size, shade, 0.9, Puff { add: false, firm: true });
            }
        }
        let mut random = Random::of(self.seed, 67);
        for _ in 0..(18.0 * self.squares()) as usize {
            let hue = Rgb(random.one(&[[1.0, 0.8, 0.5], [0.6, 0.8, 1.0], [0.5, 0.85, 0.65], [1.0, 0.6, 0.5]]));
            let (x, y, size) = (width * random.unit(), height * random.within(0.40, 0.95), short * random.within(0.03, 0.09));
            if self.light.dark {
                c.circle(x, y, size, &Ink::flat(hue, 0.30).adding());
            } else if wet {
                c.puff(x, y, 1.8 * size, 1.8 * size, hue, 0.35, Puff::default());
            }
        }
        if wet {
            self.resting_drops(c);
        }
    }

    fn wet_glass(&self) -> bool {
        self.raining() || self.brief.weather == Weather::Fog || self.brief.hour == crate::codes::Hour::Overcast
    }

    fn resting_drops(&self, c: &mut Canvas) {
        let mut random = Random::of(self.seed, 68);
        for _ in 0..(64.0 * self.squares()) as usize {
            let (x, y, size) = (self.width * random.unit(), self.height * random.unit(), self.short * random.within(0.003, 0.011));
            drop(c, x, y, size);
        }
    }

    /// Drops that run down, or flakes that pass.
    pub(in crate::paint) fn drops_on_glass(&self, c: &mut Canvas, m: &Moment) {
        let mut random = Random::of(self.seed, 69);
        let (width, height, short) = (self.width, self.height, self.short);
        if self.brief.weather == Weather::Snow {
            let mut flakes = [Pen::default(), Pen::default()];
            for index in 0..(90.0 * self.squares()) as usize {
                let near = random.unit();
                let y = (random.unit() + m.t * (0.06 + 0.10 * near)).fract() * 1.06 * height - 0.03 * height;
                let x = width * random.unit() + 0.03 * short * (m.t * (0.7 + near) + index as f32).sin();
                let pen = &mut flakes[usize::from(near > 0.5)];
                *pen = std::mem::take(pen).circle(x, y, short * (0.003 + 0.008 * near * near));
            }
            for (pen, alpha) in flakes.into_iter().zip([0.65, 0.9]) {
                pen.fill(c, &Ink::flat(Rgb::WHITE, alpha));
            }
        }
        if !self.wet_glass() {
            return;
        }
        for index in 0..(26.0 * self.squares()) as usize {
            let (x, start, size, pace) =
                (width * random.unit(), random.unit(), short * random.within(0.006, 0.013), random.within(0.05, 0.20));
            let stutter = 0.02 * short * (3.0 * m.t + index as f32).sin().max(0.0);
            let y = (start * height + short * pace * m.t + stutter).rem_euclid(1.08 * height) - 0.02 * height;
            let trail = 10.0 * size;
            c.rect(
                Area { left: x - 0.35 * size, top: y - trail, right: x + 0.35 * size, bottom: y },
                &Ink::linear([0.0, y - trail], [0.0, y], &[(Rgb::WHITE, 0.0), (Rgb::WHITE, 0.28)]),
            );
            drop(c, x, y, size);
        }
    }

    pub(super) fn window_frame(&self, c: &mut Canvas, _m: &Moment) {
        let (width, height, short) = (self.width, self.height, self.short);
        let night = if self.light.dark { 0.55 } else { 1.0 };
        let frame = Rgb::hex(0xf4efe6).tinted(self.light.ambient).times(0.94 * night);
        let (shade, bright) = (frame.times(0.82), frame.mix(Rgb::WHITE, 0.4));
        let (edge, bar, cross, sill) = (0.05 * short, 0.018 * short, 0.015 * short, height - 0.10 * short);
        let bars = [
            Area { left: -9.0, top: -9.0, right: edge, bottom: height + 9.0 },
            Area { left: width - edge, top: -9.0, right: width + 9.0, bottom: height + 9.0 },
            Area { left: -9.0, top: -9.0, right: width + 9.0, bottom: 0.9 * edge },
            Area { left: width / 2.0 - bar, top: 0.0, right: width / 2.0 + bar, bottom: height },
            Area { left: 0.0, top: 0.5 * height - cross, right: width, bottom: 0.5 * height + cross },
        ];
        for area in bars {
            c.rect(area, &Ink::flat(frame, 1.0));
        }
        let line = 0.005 * short;
        for area in [
            Area { left: width / 2.0 + bar - line, ..bars[3] },
            Area { top: 0.5 * height + cross - line, ..bars[4] },
            Area { left: edge - line, ..bars[0] },
        ] {
            c.rect(area, &Ink::flat(shade, 1.0));
        }
        c.rect(
            Area { left: -9.0, top: sill, right: width + 9.0, bottom: height + 9.0 },
            &Ink::linear([0.0, sill], [0.0, height], &[(frame, 1.0), (shade, 1.0)]),
        );
        c.rect(Area { left: -9.0, top: sill, right: width + 9.0, bottom: sill + 0.012 * short }, &Ink::flat(bright, 1.0));
        self.pot_plant(c, 0.84 * width, height - 0.035 * short, 0.24 * short);
        self.books(c, 0.05 * width + 0.06 * short, height - 0.03 * short, 0.20 * short);
    }

    /// A pile of books.
    fn books(&self, c: &mut Canvas, x: f32, y: f32, width: f32) {
        for (rank, (hex, share)) in [(0x4f8fd0, 1.0), (0xe8b040, 0.86), (0xd9534f, 0.92)].into_iter().enumerate() {
            let (thick, cover) = (0.14 * width, self.wall(hex));
            let (left, top) = (x + 0.5 * (1.0 - share) * width, y - (rank as f32 + 1.0) * thick);
            c.round_rect(area(left, top, share * width, thick), 0.2 * thick, &Ink::flat(cover, 1.0));
            c.rect(
                area(left + 0.1 * width, top + 0.32 * thick, share * width - 0.1 * width, 0.36 * thick),
                &Ink::flat(self.wall(0xf7f1e2), 1.0),
            );
        }
    }
}

fn drop(c: &mut Canvas, x: f32, y: f32, size: f32) {
    let body = about(x, y, size, 1.18 * size);
    c.oval(body, &Ink::linear([0.0, y - size], [0.0, y + size], &[(Rgb([0.15, 0.20, 0.30]), 0.35), (Rgb::WHITE, 0.55)]));
    c.circle(x - 0.3 * size, y - 0.45 * size, 0.26 * size, &Ink::flat(Rgb::WHITE, 0.9));
}
