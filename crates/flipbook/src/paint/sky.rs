//! What lies behind the scenery: the sky with sun or moon, stars and clouds, and all that happens in it. What stands
//! still is painted once; a frame lays it down and adds what moves.

mod aurora;
mod clouds;
mod fireworks;
mod rainbow;
mod space;
mod storm;
mod studio;
mod water_light;

use std::f32::consts::TAU;

use resvg::tiny_skia::Transform;

use crate::canvas::{Area, Canvas, Ink, Puff, Rgb};
use crate::codes::{Backdrop, Hour, Setting, Weather};
use crate::paint::film::{Film, Moment};
use crate::paint::kept::Sky;
use crate::paint::shape::BLEED;
use crate::paint::shape::{Pen, about};
use crate::random::Random;

/// Whether there is a sky that something happens in: northern lights, fireworks, lightning.
pub const fn has_open_sky(backdrop: Backdrop) -> bool {
    use Backdrop::{Kitchen, Plain, Room, Space, Stage, Underwater, Window};
    !matches!(backdrop, Kitchen | Plain | Room | Space | Stage | Underwater | Window)
}

pub(super) const LIGHT: Puff = Puff { add: true, firm: false };

impl Film {
    /// The sky of the clip, painted.
    pub(super) fn painted_sky(&self) -> Sky {
        let mut still = Canvas::new((self.width + 2.0 * BLEED) as usize, (self.height + 2.0 * BLEED) as usize);
        still.within(Transform::from_translate(BLEED, BLEED), |c| self.paint_still(c));
        Sky { still: Some(still), clouds: self.cloud_layers() }
    }

    /// Draws sky, stars, clouds and what happens there, or the studio of a plain picture; gives the flash of lightning
    /// or fireworks, 0 to 1.
    pub(super) fn heavens(&self, c: &mut Canvas, m: &Moment) -> f32 {
        if let Some(still) = &self.sky.still {
            c.canvas(still, -BLEED, -BLEED);
        }
        match self.brief.backdrop {
            Backdrop::Plain => self.specks(c, m),
            Backdrop::Room | Backdrop::Kitchen | Backdrop::Stage => {}
            Backdrop::Window => self.drops_on_glass(c, m),
            Backdrop::Underwater => self.water_light(c, m),
            Backdrop::Space => {
                self.star_field(c, m);
                if self.brief.weather == Weather::Stars {
                    self.meteors(c, m);
                }
            }
            _ => return self.open_sky(c, m),
        }
        0.0
    }

    fn open_sky(&self, c: &mut Canvas, m: &Moment) -> f32 {
        if self.starry() {
            self.twinkle(c, m);
        }
        if self.program.aurora {
            self.aurora(c, m);
        }
        for layer in &self.sky.clouds {
            layer.draw(c, m);
        }
        match self.brief.weather {
            Weather::Fireworks => self.fireworks(c, m),
            Weather::Stars => {
                self.meteors(c, m);
                0.0
            }
            Weather::Storm => self.lightning(c, m),
            _ => 0.0,
        }
    }

    fn paint_still(&self, c: &mut Canvas) {
        match self.brief.backdrop {
            Backdrop::Plain => self.studio(c),
            Backdrop::Room | Backdrop::Kitchen | Backdrop::Stage | Backdrop::Window => self.paint_interior(c),
            Backdrop::Underwater => self.gradient(c, self.height),
            Backdrop::Space => self.nebula(c),
            _ => {
                self.gradient(c, if self.horizon < 0.99 * self.height { self.horizon } else { self.height });
                if self.starry() {
                    self.faint_stars(c);
                }
                self.sun_or_moon(c);
                self.rainbows(c);
            }
        }
    }

    /// Everything the frame shows and the bleed around it, in pixels.
    pub(super) fn whole(&self) -> Area {
        Area { left: -BLEED - 1.0, top: -BLEED - 1.0, right: self.width + BLEED + 1.0, bottom: self.height + BLEED + 1.0 }
    }

    fn gradient(&self, c: &mut Canvas, low: f32) {
        let stops = self.light.sky.map(|colour| (colour, 1.0));
        c.rect(self.whole(), &Ink::linear([0.0, 0.0], [0.0, low], &stops));
    }

    fn starry(&self) -> bool {
        let covered = matches!(self.brief.weather, Weather::Rain | Weather::Storm | Weather::Fog | Weather::Snow);
        (self.light.dark && !covered) || self.brief.weather == Weather::Stars
    }

    /// Frame area in squares of the short side.
    pub(super) fn squares(&self) -> f32 {
        self.width * self.height / (self.short * self.short)
    }

    fn faint_stars(&self, c: &mut Canvas) {
        let mut random = Random::of(self.seed, 5);
        let airless = self.brief.backdrop == Backdrop::Moon;
        let count = 150.0 * self.squares() * if airless { 1.8 } else { 1.0 };
        let bottom = self.horizon.min(self.height);
        for alpha in [0.30, 0.50, 0.75] {
            let mut stars = Pen::default();
            for _ in 0..(count / 3.0) as usize {
                let (x, y) = (self.width * random.unit(), bottom * random.unit().powf(1.15));
                stars = stars.circle(x, y, self.short * (0.0010 + 0.0014 * random.unit().powi(3)));
            }
            stars.fill(c, &Ink::flat(Rgb([1.0, 1.0, 0.95]), alpha));
        }
    }

    /// The brighter stars.
    fn twinkle(&self, c: &mut Canvas, m: &Moment) {
        let mut random = Random::of(self.seed, 6);
        let bottom = self.horizon.min(self.height);
        for _ in 0..(22.0 * self.squares()) as usize {
            let (x, y) = (self.width * random.unit(), bottom * random.unit().powf(1.3) * 0.95);
            let (size, phase, pace) = (self.short * random.within(0.0022, 0.0042), random.within(0.0, TAU), random.within(1.4, 3.0));
            let shine = 0.62 + 0.38 * (pace * m.t + phase).sin();
            let colour = Rgb(random.one(&[[1.0, 1.0, 0.93], [0.85, 0.92, 1.0], [1.0, 0.93, 0.80]]));
            c.puff(x - m.camera * 0.02, y, 2.6 * size, 2.6 * size, colour, 0.35 * shine, LIGHT);
            c.circle(x - m.camera * 0.02, y, 0.62 * size, &Ink::flat(colour, shine));
        }
    }

    fn sun_or_moon(&self, c: &mut Canvas) {
        let hidden = matches!(self.brief.weather, Weather::Rain | Weather::Storm | Weather::Fog | Weather::Fireworks);
        let none = self.brief.hour == Hour::Overcast
            || self.brief.backdrop == Backdrop::Moon
            || self.program.aurora
            || self.casts("sun-with")
            || self.casts("full-moon")
            || self.program.setting == Some(Setting::HalloweenNight);
        if hidden || none {
            return;
        }
        let [x, y] = [self.width * self.layout.frame.sun_x, self.height * self.layout.frame.sun_y];
        match self.brief.hour {
            Hour::Night => self.moon_disc(c, [x, y]),
            Hour::Sunset | Hour::Dawn => self.low_sun(c, [x, y]),
            _ => self.high_sun(c, [x, y]),
        }
    }

    fn halo(&self, c: &mut Canvas, [x, y]: [f32; 2], radius: f32, stops: &[(f32, Rgb, f32)]) {
        c.circle(x, y, radius, &Ink::radial([x, y], radius, stops));
    }

    fn high_sun(&self, c: &mut Canvas, at: [f32; 2]) {
        let (radius, warm) = (0.055 * self.short, Rgb([1.0, 0.97, 0.82]));
        self.halo(c, at, 8.5 * radius, &[(0.0, warm, 0.85), (0.14, warm, 0.62), (0.35, warm, 0.26), (0.65, warm, 0.08), (1.0, warm, 0.0)]);
        self.halo(c, at, radius, &[(0.0, Rgb([1.0, 0.99, 0.90]), 1.0), (0.97, Rgb([1.0, 0.95, 0.72]), 1.0), (1.0, warm, 1.0)]);
    }

    fn low_sun(&self, c: &mut Canvas, at: [f32; 2]) {
        let (radius, warm) = (0.088 * self.short, Rgb([1.0, 0.80, 0.45]));
        let band = 0.22 * self.rise();
        let glow = Rgb([1.0, 0.86, 0.55]);
        let low = self.horizon.min(self.height);
        c.rect(
            Area { top: low - band, bottom: low + 9.0, ..self.whole() },
            &Ink::linear([0.0, low - band], [0.0, low], &[(glow, 0.0), (glow, 0.40)]),
        );
        self.halo(c, at, 8.0 * radius, &[(0.0, warm, 0.85), (0.14, warm, 0.66), (0.35, warm, 0.30), (0.65, warm, 0.09), (1.0, warm, 0.0)]);
        let [x, y] = at;
        c.circle(
            x,
            y,
            radius,
            &Ink::linear([0.0, y - radius], [0.0, y + radius], &[(Rgb([1.0, 0.97, 0.80]), 1.0), (Rgb([1.0, 0.86, 0.50]), 1.0)]),
        );
    }

    fn moon_disc(&self, c: &mut Canvas, at: [f32; 2]) {
        let (radius, cool) = (0.054 * self.short, Rgb([0.72, 0.80, 1.0]));
        self.halo(c, at, 6.0 * radius, &[(0.0, cool, 0.55), (0.18, cool, 0.42), (0.40, cool, 0.18), (0.70, cool, 0.05), (1.0, cool, 0.0)]);
        let [x, y] = at;
        let pale = self.light.sun;
        c.circle(
            x,
            y,
            radius,
            &Ink::radial(
                [x - 0.3 * radius, y - 0.3 * radius],
                1.5 * radius,
                &[(0.0, pale.mix(Rgb::WHITE, 0.5), 1.0), (0.6, pale, 1.0), (1.0, pale.times(0.85), 1.0)],
            ),
        );
        for (dx, dy, size) in [(-0.30, -0.19, 0.22), (0.27, 0.32, 0.27), (0.38, -0.36, 0.15), (-0.38, 0.42, 0.12)] {
            c.oval(about(x + dx * radius, y + dy * radius, size * radius, 0.92 * size * radius), &Ink::flat(Rgb([0.84, 0.83, 0.76]), 0.9));
        }
    }
}
