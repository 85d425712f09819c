//! What can be seen through the walls of a room: a window, a row of them, coloured glass, portholes.

use super::super::Opening;
use super::share;
use crate::canvas::{Area, Canvas, Ink, Rgb};
use crate::paint::film::Film;
use crate::paint::shape::{Pen, area};
use crate::random::Random;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Panes {
    None,
    One,
    Curtained(u32),
    /// Glass from one end of the wall to the other: the sky, or hills under it.
    Wide(View),
    /// Tall and pointed, in all colours.
    Stained,
    /// Tall and arched.
    Arched,
    Round(View),
    /// Small and round at the top, one of them, with a frame of stones.
    Slit,
}

/// What is outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum View {
    Land,
    Clouds,
    Space,
    Deep,
}

const GLASS: [u32; 6] = [0xd8434f, 0x3f7fd0, 0xf2c23f, 0x4fae62, 0x8a5bd0, 0xf08a3c];

impl Panes {
    /// Weather is seen in it.
    pub(super) fn is_window(self) -> bool {
        matches!(self, Self::One | Self::Curtained(_))
    }

    /// What parts must keep free of.
    pub(super) fn blocks(self, hole: Opening) -> Option<Area> {
        let Opening { x, y, width, height } = hole;
        match self {
            Self::One => Some(area(x - 0.03 * width, y - 0.05 * height, 1.06 * width, 1.13 * height)),
            Self::Curtained(_) => Some(area(x - 0.30 * width, y - 0.12 * height, 1.60 * width, 1.36 * height)),
            Self::Slit => Some(area(x - 0.05 * width, y, 1.1 * width, 1.1 * height)),
            _ => None,
        }
    }
}

impl Film {
    pub(super) fn panes_of(&self, c: &mut Canvas, panes: Panes, hole: Opening) {
        match panes {
            Panes::None => (),
            Panes::One => self.paint_opening(c, hole),
            Panes::Curtained(hex) => {
                self.paint_opening(c, hole);
                self.curtains(c, [hole.x, hole.y], hole.width, hole.height, hex);
            }
            Panes::Wide(view) => self.wide_panes(c, view),
            Panes::Stained | Panes::Arched => self.tall_panes(c, panes == Panes::Stained),
            Panes::Round(view) => self.portholes(c, view),
            Panes::Slit => self.slit(c, hole),
        }
    }

    fn view(&self, c: &mut Canvas, place: Area, view: View) {
        let (w, h) = (place.right - place.left, place.bottom - place.top);
        let sky = self.light.sky.map(|colour| (colour, 1.0));
        let down = |stops: &[(Rgb, f32)]| Ink::linear([0.0, place.top], [0.0, place.bottom], stops);
        let mut random = Random::of(self.seed, 720);
        match view {
            View::Land => {
                c.rect(place, &down(&sky));
                let far = self.light.lit(self.leaf_or_snow(0x8fbf8a)).mix(self.light.haze, 0.4);
                let hills =
                    (0..5).fold(Pen::default(), |pen, j| pen.circle(place.left + w * j as f32 / 4.0, place.bottom + 0.30 * h, 0.55 * h));
                c.clipped_to(place, |c| hills.fill(c, &Ink::flat(far, 1.0)));
                let ground = self.light.lit(self.leaf_or_snow(0x9fae9a));
                c.rect(share(place, 0.0, 0.86, 1.0, 0.14), &Ink::flat(ground, 1.0));
            }
            View::Clouds => {
                c.rect(place, &down(&sky));
                let clouds = (0..(w / h * 5.0) as i32 + 3).fold(Pen::default(), |pen, _| {
                    let (x, y, r) =
                        (place.left + w * random.unit(), place.top + h * random.within(0.62, 1.0), h * random.within(0.12, 0.24));
                    pen.circle(x, y, r).circle(x + r, y + 0.2 * r, 0.7 * r).circle(x - r, y + 0.25 * r, 0.6 * r)
                });
                c.clipped_to(place, |c| clouds.fill(c, &Ink::flat(Rgb::WHITE.mix(self.light.haze, 0.2), 0.92)));
            }
            View::Space => {
                c.rect(place, &down(&[(Rgb::hex(0x05041a), 1.0), (Rgb::hex(0x241a52), 1.0)]));
                let stars = (0..(w / h * 26.0) as i32).fold(Pen::default(), |pen, _| {
                    pen.circle(place.left + w * random.unit(), place.top + h * random.unit(), h * random.within(0.004, 0.013))
                });
                stars.fill(c, &Ink::flat(Rgb::WHITE, 0.9));
            }
            View::Deep => {
                c.rect(place, &down(&[(Rgb::hex(0x2f9fd0), 1.0), (Rgb::hex(0x0f4f8f), 1.0)]));
                let bubbles = (0..(w / h * 8.0) as i32).fold(Pen::default(), |pen, _| {
                    pen.circle(place.left + w * random.unit(), place.top + h * random.unit(), h * random.within(0.012, 0.03))
                });
                bubbles.fill(c, &Ink::flat(Rgb::WHITE, 0.4));
            }
        }
    }

    fn wide_panes(&self, c: &mut Canvas, view: View) {
        let (short, step) = (self.short, 0.42 * self.short);
        let (top, bottom) = (0.14 * self.horizon, self.horizon - 0.13 * short);
        self.view(c, Area { left: -9.0, top, right: self.width + 9.0, bottom }, view);
        let frame = self.wall(if view == View::Space { 0x4a5468 } else { 0x9aa6b0 });
        if view == View::Space {
            let r = 0.11 * short;
            let x = self.opening().x + 0.5 * self.opening().width;
            self.stamp(c, "ringed-planet", crate::paint::things::Stamp::at(x, top + 0.2 * short + r, 1.6 * r));
        }
        let bars = (-4..=4).fold(Pen::default(), |pen, j| {
            let x = self.width / 2.0 + (j as f32 + 0.5) * step;
            if view == View::Space {
                pen.to(self.width / 2.0 + 0.7 * (x - self.width / 2.0), top).line(x, bottom)
            } else {
                pen.to(x, top).line(x, bottom)
            }
        });
        bars.stroke(c, 0.022 * short, &Ink::flat(frame, 1.0));
        for y in [top, bottom] {
            Pen::at(-9.0, y).line(self.width + 9.0, y).stroke(c, 0.03 * short, &Ink::flat(frame, 1.0));
        }
    }

    fn tall_panes(&self, c: &mut Canvas, stained: bool) {
        let (short, step) = (self.short, 0.34 * self.short);
        let (half, top, low) = (0.075 * short, self.horizon - 0.48 * self.rise(), self.horizon - 0.20 * self.rise());
        let count = (self.width / step) as i32 / 2 + 1;
        for j in -count..=count {
            let x = self.width / 2.0 + (j as f32 + 0.5) * step;
            let arch = |grow: f32| {
                let r = half * grow;
                let point = if stained { 2.0 } else { 1.25 };
                Pen::at(x - r, low + half * (grow - 1.0))
                    .line(x - r, top)
                    .cubic([x - r, top - 0.6 * point * r], [x - 0.3 * r, top - point * r], x, top - point * r)
                    .cubic([x + 0.3 * r, top - point * r], [x + r, top - 0.6 * point * r], x + r, top)
                    .line(x + r, low + half * (grow - 1.0))
                    .close()
            };
            arch(1.22).fill(c, &Ink::flat(self.wall(0x9c8a72), 1.0));
            let sky = Ink::linear([0.0, top - 2.0 * half], [0.0, low], &self.light.sky.map(|colour| (colour, 1.0)));
            arch(1.0).fill(c, &sky);
            let Some(path) = arch(1.0).path().filter(|_| stained) else { continue };
            let mut random = Random::of(self.seed, 730 + (j + 64) as u64);
            c.clipped(&path, |c| {
                let rows = ((low - top + 2.0 * half) / (0.7 * half)) as i32 + 1;
                for row in 0..rows {
                    for column in -2..2 {
                        let glow = Rgb::hex(random.one(&GLASS)).tinted(self.light.ambient).times(if self.light.dark { 0.7 } else { 1.0 });
                        let (left, bottom) = (x + column as f32 * half * 0.5, low - row as f32 * 0.7 * half);
                        c.rect(area(left, bottom - 0.7 * half, 0.5 * half, 0.7 * half), &Ink::flat(glow, 0.88));
                    }
                }
                let lead = (0..rows).fold(Pen::default().to(x, top - 2.0 * half).line(x, low), |pen, row| {
                    let y = low - row as f32 * 0.7 * half;
                    pen.to(x - half, y).line(x + half, y)
                });
                lead.stroke(c, 0.008 * short, &Ink::flat(self.wall(0x3a3440), 1.0));
            });
        }
    }

    fn portholes(&self, c: &mut Canvas, view: View) {
        let (short, step) = (self.short, 0.30 * self.short);
        let (ry, y) = (0.085 * short, self.horizon - 0.36 * self.rise().min(1.2 * short));
        let rx = if view == View::Clouds { 0.068 * short } else { ry };
        let count = (self.width / step) as i32 / 2 + 1;
        let steel = self.wall(if view == View::Deep { 0xb98a4a } else { 0xc9d0d8 });
        for j in -count..=count {
            let x = self.width / 2.0 + (j as f32 + 0.5) * step;
            let oval = |grow: f32| Pen::default().oval(x, y, rx * grow, ry * grow);
            oval(1.32).fill(c, &Ink::flat(steel.times(0.7), 1.0));
            oval(1.25).fill(c, &Ink::linear([0.0, y - ry], [0.0, y + ry], &[(steel.mix(Rgb::WHITE, 0.35), 1.0), (steel, 1.0)]));
            if let Some(path) = oval(1.0).path() {
                c.clipped(&path, |c| self.view(c, area(x - rx, y - ry, 2.0 * rx, 2.0 * ry), view));
            }
            if view == View::Deep {
                let bolts = (0..8)
                    .map(|k| k as f32 * std::f32::consts::TAU / 8.0)
                    .fold(Pen::default(), |pen, turn| pen.circle(x + 1.13 * rx * turn.cos(), y + 1.13 * ry * turn.sin(), 0.05 * ry));
                bolts.fill(c, &Ink::flat(steel.times(0.5), 1.0));
            }
            Pen::at(x - 0.4 * rx, y + 0.3 * ry).line(x + 0.1 * rx, y - 0.6 * ry).stroke(c, 0.1 * rx, &Ink::flat(Rgb::WHITE, 0.4));
        }
    }

    fn slit(&self, c: &mut Canvas, hole: Opening) {
        let (x, half) = (hole.x + hole.width / 2.0, 0.30 * hole.width);
        let (top, low) = (hole.y + 0.3 * hole.height, hole.y + hole.height);
        let arch = |r: f32| {
            Pen::at(x - r, low + r - half)
                .line(x - r, top)
                .cubic([x - r, top - 1.3 * r], [x + r, top - 1.3 * r], x + r, top)
                .line(x + r, low + r - half)
                .close()
        };
        arch(1.3 * half).fill(c, &Ink::flat(self.wall(0x6f6a72), 1.0));
        arch(half).fill(c, &Ink::linear([0.0, top - half], [0.0, low], &self.light.sky.map(|colour| (colour, 1.0))));
        if self.light.dark {
            c.circle(x + 0.2 * half, top, 0.34 * half, &Ink::flat(Rgb([1.0, 1.0, 0.88]), 1.0));
        }
        let bar = Pen::at(x, top - half).line(x, low).to(x - half, 0.5 * (top + low)).line(x + half, 0.5 * (top + low));
        bar.stroke(c, 0.008 * self.short, &Ink::flat(self.wall(0x4a4650), 1.0));
    }
}
