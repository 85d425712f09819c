//! The studio of a plain picture: a soft sweep whose colour flatters the subject.

use crate::canvas::{Area, Canvas, Ink, Rgb};
use crate::codes::{Hour, Kind};
use crate::paint::film::{Film, Moment};
use crate::random::Random;
use crate::sprites::asked;

const HUES: [u32; 6] = [0xffe3c2, 0xd9ecff, 0xe8defc, 0xdff5e1, 0xffe0e6, 0xfdf1c7];

impl Film {
    pub(super) fn studio(&self, c: &mut Canvas) {
        let mut base = self.studio_colour();
        if self.brief.hour == Hour::Night {
            base = base.times(0.32).mix(Rgb([0.10, 0.10, 0.30]), 0.35);
        }
        let (width, height) = (self.width, self.height);
        let violet = Rgb([0.3, 0.2, 0.4]);
        let reach = 0.72 * width.hypot(height);
        let stops = [(0.0, base.mix(Rgb::WHITE, 0.50), 1.0), (0.52, base, 1.0), (1.0, base.mix(violet, 0.20), 1.0)];
        c.rect(self.whole(), &Ink::radial([width / 2.0, 0.42 * height], reach, &stops));
        let stands = self.brief.slots.iter().any(|slot| slot.kind != Kind::Symbol);
        if stands && self.horizon < height {
            let floor = base.mix(Rgb([0.4, 0.3, 0.5]), 0.24);
            let sweep = 0.10 * self.short;
            let stops = [(0.0, base.mix(Rgb::WHITE, 0.25), 0.0), (0.30, base.mix(Rgb::WHITE, 0.22), 0.55), (1.0, floor, 0.85)];
            let area = Area { top: self.horizon - sweep, ..self.whole() };
            c.rect(area, &Ink::linear_at([0.0, self.horizon - sweep], [0.0, height], &stops));
        }
    }

    /// Across the wheel from a coloured subject, else by chance.
    fn studio_colour(&self) -> Rgb {
        if self.casts("heart") {
            return Rgb::hex(0xffd9e2);
        }
        match self.program.things.first().and_then(|thing| thing.colour) {
            Some(colour) => Rgb(asked(colour).map(|value| 1.0 - 0.5 * value)).mix(Rgb::WHITE, 0.45),
            None => Rgb::hex(HUES[(self.seed % 6) as usize]),
        }
    }

    /// Dust in the light.
    pub(super) fn specks(&self, c: &mut Canvas, m: &Moment) {
        let mut random = Random::of(self.seed, 53);
        for index in 0..14 {
            let (x, y, size) = (self.width * random.unit(), self.height * random.unit(), self.short * random.within(0.015, 0.05));
            let tall = self.height + 2.0 * size;
            let y = (y - m.t * 0.02 * self.short).rem_euclid(tall) - size;
            c.circle(x + 0.01 * self.short * (m.t + index as f32).sin(), y, size, &Ink::flat(Rgb::WHITE, 0.15));
        }
    }
}
