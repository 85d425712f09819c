//! Rooms: walls, floor and furniture are painted once with the sky; lights and rain move over them. Outdoors it draws
//! what moves in the scenery, for that lies in the same place between layers and cut-outs.

mod furnished;
mod furniture;
mod kitchen;
mod room;
mod stage;
mod window;

use crate::canvas::{Area, Canvas, Ink, Rgb};
use crate::codes::{Backdrop, Hour, Setting, Weather};
use crate::paint::film::{Film, Moment};
use crate::paint::shape::{Pen, area};
use crate::random::Random;

/// A window in a wall, in pixels.
#[derive(Clone, Copy, Debug)]
struct Opening {
    x: f32,
    y: f32,
    width: f32,
    height: f32,
}

impl Film {
    pub(super) fn interior(&self, c: &mut Canvas, m: &Moment) {
        match self.brief.backdrop {
            Backdrop::Room if self.program.setting == Some(Setting::Carriage) => self.land_going_by(c, m),
            Backdrop::Room | Backdrop::Kitchen if self.program.setting.is_none_or(Setting::shows_weather) => self.rain_behind_panes(c, m),
            Backdrop::Room | Backdrop::Kitchen => (),
            Backdrop::Stage => self.spotlights(c, m),
            Backdrop::Window => self.window_frame(c, m),
            _ => self.stirring_scenery(c, m),
        }
    }

    pub(super) fn paint_interior(&self, c: &mut Canvas) {
        match self.brief.backdrop {
            Backdrop::Room => match self.program.setting {
                Some(setting) => self.furnished(c, setting),
                None => self.room(c),
            },
            Backdrop::Kitchen => self.kitchen(c),
            Backdrop::Stage => self.stage(c),
            _ => self.view_from_window(c),
        }
    }

    /// A wall of this colour under the light of the hour.
    fn wall(&self, hex: u32) -> Rgb {
        let night = if self.brief.hour == Hour::Night { 0.60 } else { 1.0 };
        self.light.grade(Rgb::hex(hex)).tinted(self.light.ambient).times(night)
    }

    /// Away from the first thing.
    fn opening(&self) -> Opening {
        let rise = self.rise();
        let right = self.layout.objects.first().is_none_or(|thing| thing.x <= 0.4);
        let (width, height) = (0.27 * self.short, 0.30 * rise);
        let y = (self.horizon - 0.61 * rise).max(0.08 * self.height);
        Opening { x: self.width * if right { 0.66 } else { 0.34 } - width * if right { 0.35 } else { 0.65 }, y, width, height }
    }

    /// The window, what is seen through it, and its frame.
    fn paint_opening(&self, c: &mut Canvas, hole: Opening) {
        let Opening { x, y, width, height } = hole;
        let short = self.short;
        let frame = self.wall(0xfbf6ec);
        let edge = 0.014 * short;
        c.rect(area(x - edge, y - edge, width + 2.0 * edge, height + 2.0 * edge), &Ink::flat(frame, 1.0));
        c.rect(area(x, y, width, height), &Ink::linear([0.0, y], [0.0, y + height], &self.light.sky.map(|colour| (colour, 1.0))));
        let (near, far) =
            (self.light.lit(self.leaf_or_snow(0x7cc25f)), self.light.lit(self.leaf_or_snow(0x8fbf8a)).mix(self.light.haze, 0.45));
        c.clipped_to(area(x, y, width, height), |c| {
            if self.light.dark {
                let mut stars = Pen::default();
                let mut random = Random::of(self.seed, 61);
                for _ in 0..12 {
                    stars = stars.circle(x + width * random.unit(), y + 0.6 * height * random.unit(), 0.0022 * short);
                }
                stars.fill(c, &Ink::flat(Rgb::WHITE, 0.8));
                c.circle(x + 0.70 * width, y + 0.24 * height, 0.09 * width, &Ink::flat(Rgb([1.0, 1.0, 0.90]), 1.0));
            } else if self.brief.hour != Hour::Overcast && !self.raining() {
                let cloud = Ink::flat(Rgb::WHITE, 0.75);
                Pen::default()
                    .circle(x + 0.62 * width, y + 0.26 * height, 0.08 * width)
                    .circle(x + 0.72 * width, y + 0.23 * height, 0.11 * width)
                    .circle(x + 0.83 * width, y + 0.27 * height, 0.07 * width)
                    .fill(c, &cloud);
            }
            c.circle(x + 0.75 * width, y + 1.30 * height, 0.72 * width, &Ink::flat(far, 1.0));
            c.circle(x + 0.18 * width, y + 1.28 * height, 0.66 * width, &Ink::flat(near, 1.0));
            let (trunk, crown) = (self.light.lit(Rgb::hex(0x7a5a44)), self.light.lit(self.leaf_or_snow(0x4f9e45)));
            c.rect(area(x + 0.22 * width, y + 0.62 * height, 0.035 * width, 0.2 * height), &Ink::flat(trunk, 1.0));
            Pen::default()
                .circle(x + 0.24 * width, y + 0.56 * height, 0.11 * width)
                .circle(x + 0.16 * width, y + 0.62 * height, 0.08 * width)
                .circle(x + 0.32 * width, y + 0.62 * height, 0.08 * width)
                .fill(c, &Ink::flat(crown, 1.0));
        });
        let bar = 0.005 * short;
        c.rect(area(x + width / 2.0 - bar, y, 2.0 * bar, height), &Ink::flat(frame, 1.0));
        c.rect(area(x, y + 0.46 * height - bar, width, 2.0 * bar), &Ink::flat(frame, 1.0));
        let shade = Rgb([0.15, 0.10, 0.20]);
        c.rect(area(x, y, width, 0.03 * height), &Ink::linear([0.0, y], [0.0, y + 0.03 * height], &[(shade, 0.30), (shade, 0.0)]));
        c.rect(area(x - 2.2 * edge, y + height + edge * 0.6, width + 4.4 * edge, 1.2 * edge), &Ink::flat(frame.mix(Rgb::WHITE, 0.3), 1.0));
        c.rect(area(x - 2.0 * edge, y + height + edge * 1.8, width + 4.0 * edge, 0.5 * edge), &Ink::flat(shade, 0.18));
    }

    fn leaf_or_snow(&self, hex: u32) -> Rgb {
        match self.brief.weather {
            Weather::Snow => Rgb::hex(0xeaf3fb),
            Weather::Leaves => Rgb::hex(hex).mix(Rgb::hex(0xe0902d), 0.6),
            _ => Rgb::hex(hex),
        }
    }

    /// Sun that falls through the window on the floor.
    fn sunlight(&self, c: &mut Canvas, hole: Opening) {
        let clear = !matches!(self.brief.weather, Weather::Rain | Weather::Storm | Weather::Fog | Weather::Snow);
        if self.light.dark || self.brief.hour == Hour::Overcast || !clear {
            return;
        }
        let Opening { x, y, width, height } = hole;
        let lean = if x + width / 2.0 < self.width / 2.0 { 1.0 } else { -1.0 };
        let (warm, low, short) = (self.light.sun.mix(Rgb([1.0, 0.93, 0.72]), 0.6), self.height + 9.0, self.short);
        let ink = Ink::linear([0.0, y + height], [0.0, low], &[(warm, 0.15), (warm, 0.05)]).adding();
        Pen::default()
            .polygon(&[
                [x, y + height],
                [x + width, y + height],
                [x + width + (0.12 + 0.11 * lean) * short + 0.12 * lean * short, low],
                [x - (0.12 - 0.11 * lean) * short + 0.12 * lean * short, low],
            ])
            .fill(c, &ink);
    }

    fn rain_behind_panes(&self, c: &mut Canvas, m: &Moment) {
        let Opening { x, y, width, height } = self.opening();
        let snow = self.brief.weather == Weather::Snow;
        if !snow && !self.raining() {
            return;
        }
        let gap = 0.006 * self.short;
        let panes = [
            (x, y, 0.5, 0.46),
            (x + 0.5 * width, y, 0.5, 0.46),
            (x, y + 0.46 * height, 0.5, 0.54),
            (x + 0.5 * width, y + 0.46 * height, 0.5, 0.54),
        ];
        let mut drops = Pen::default();
        let mut random = Random::of(self.seed, 62);
        for _ in 0..26 {
            let (u, v, pace) = (random.unit(), random.unit(), random.within(0.8, 1.2));
            let fall = (v + m.t * pace * if snow { 0.16 } else { 1.3 }).fract();
            let sway = if snow { 0.02 * (2.0 * m.t + 20.0 * u).sin() } else { 0.0 };
            let (px, py) = (x + width * (u + sway), y + height * fall);
            drops = if snow {
                drops.circle(px, py, 0.0035 * self.short)
            } else {
                drops.polygon(&[[px, py], [px + 1.2, py], [px - 0.006 * self.short, py + 0.035 * self.short]])
            };
        }
        let Some(path) = drops.path() else { return };
        for (left, top, w, h) in panes {
            let pane = Area { left: left + gap, top: top + gap, right: left + w * width - gap, bottom: top + h * height - gap };
            c.clipped_to(pane, |c| c.fill(&path, &Ink::flat(Rgb::WHITE, if snow { 0.9 } else { 0.55 })));
        }
    }
}
