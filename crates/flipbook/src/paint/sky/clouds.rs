//! Clouds: two or three sheets of them, painted once, that drift with the wind.

use crate::canvas::{Canvas, Ink, Puff, Rgb};
use crate::codes::{Backdrop, Hour, Weather};
use crate::paint::film::{Film, Moment};
use crate::paint::kept::Drift;
use crate::paint::shape::Pen;
use crate::random::Random;
use resvg::tiny_skia::Transform;

impl Drift {
    pub(super) fn draw(&self, c: &mut Canvas, m: &Moment) {
        c.canvas(&self.canvas, self.left + self.speed * m.t - m.camera * self.parallax, self.top);
    }
}

/// The clouds of one sheet.
struct Sheet {
    /// 0 far to 1 near.
    near: f32,
    count: usize,
    /// Pixels from the middle of the first puff to that of the second but one.
    size: f32,
    /// Lowest lines of the highest and of the lowest cloud, in pixels.
    from: f32,
    to: f32,
    alpha: f32,
    /// The closed cover of a grey day, without outlines.
    cover: bool,
}

impl Film {
    pub(super) fn cloud_layers(&self) -> Vec<Drift> {
        let indoors = matches!(
            self.brief.backdrop,
            Backdrop::Plain
                | Backdrop::Room
                | Backdrop::Kitchen
                | Backdrop::Stage
                | Backdrop::Window
                | Backdrop::Space
                | Backdrop::Moon
                | Backdrop::Underwater
        );
        if indoors || self.program.aurora {
            return Vec::new();
        }
        self.sheets().into_iter().enumerate().map(|(index, sheet)| self.cloud_layer(index as u64, &sheet)).collect()
    }

    fn sheets(&self) -> Vec<Sheet> {
        let (wide, rise) = (self.width / self.short, self.rise());
        let heavy = matches!(self.brief.weather, Weather::Rain | Weather::Storm | Weather::Snow) || self.brief.hour == Hour::Overcast;
        let clouds = self.layout.frame.clouds.clamp(0.0, 1.0) * if self.light.dark && !heavy { 0.6 } else { 1.0 };
        let sky = if self.brief.backdrop == Backdrop::Sky { self.height } else { self.horizon.min(self.height) };
        let count = |few: f32, more: f32| ((few + more * clouds) * wide + if heavy { 4.0 * wide } else { 0.0 }).round() as usize;
        let big = if heavy { 1.4 } else { 1.0 };
        let mut sheets = vec![
            Sheet {
                near: 0.15,
                count: count(1.2, 2.4),
                size: 0.075 * rise * big,
                from: 0.42 * sky,
                to: 0.84 * sky,
                alpha: 0.62,
                cover: false,
            },
            Sheet {
                near: 0.75,
                count: count(0.8, 2.2),
                size: 0.135 * rise * big,
                from: 0.10 * sky,
                to: 0.46 * sky,
                alpha: 0.92,
                cover: false,
            },
        ];
        if heavy {
            sheets.insert(
                0,
                Sheet { near: 0.4, count: (7.0 * wide) as usize, size: 0.20 * rise, from: 0.0, to: 0.22 * sky, alpha: 0.8, cover: true },
            );
        }
        if self.brief.backdrop == Backdrop::Sky {
            sheets.push(Sheet {
                near: 0.5,
                count: (4.0 * wide) as usize,
                size: 0.16 * rise,
                from: 0.84 * sky,
                to: 0.96 * sky,
                alpha: 0.9,
                cover: false,
            });
            sheets.push(Sheet {
                near: 1.0,
                count: (4.0 * wide) as usize,
                size: 0.24 * rise,
                from: 1.02 * sky,
                to: 1.10 * sky,
                alpha: 1.0,
                cover: false,
            });
        }
        sheets
    }

    fn cloud_layer(&self, index: u64, sheet: &Sheet) -> Drift {
        let wind = self.layout.frame.wind;
        let pace = (0.012 + 0.030 * wind.abs()) * self.short * (0.4 + 0.8 * sheet.near);
        let speed = if wind < 0.0 { -pace } else { pace };
        let parallax = 0.02 + 0.04 * sheet.near;
        let seconds = self.frames as f32 / self.fps.max(1) as f32;
        let side = (pace * seconds + self.layout.frame.pan.abs() * self.width * parallax / 2.0).ceil() + 12.0;
        let (top, bottom) =
            ((sheet.from - 1.5 * sheet.size).max(-8.0).floor(), (sheet.to + 0.8 * sheet.size).min(self.height + 8.0).ceil());
        let mut canvas = Canvas::new((self.width + 2.0 * side) as usize, (bottom - top).max(1.0) as usize);
        let mut random = Random::of(self.seed, 90 + index);
        let anywhere = sheet.cover || sheet.from > 0.8 * self.height;
        canvas.within(Transform::from_translate(side, -top), |c| {
            let count = (sheet.count as f32 * (self.width + 2.0 * side) / self.width).ceil().max(1.0);
            let step = (self.width + 2.0 * side) / count;
            let mut places: Vec<[f32; 2]> = (0..count as usize)
                .map(|j| [-side + step * (j as f32 + random.within(0.05, 0.95)), random.within(sheet.from, sheet.to)])
                .collect();
            if !anywhere {
                places.retain(|place| !self.before_sun(*place, sheet.size));
            }
            places.sort_by(|one, other| one[1].total_cmp(&other[1]));
            for [x, y] in places {
                let size = sheet.size * random.within(0.65, 1.25);
                if sheet.cover {
                    self.cover(c, &mut random, [x, y], size, sheet.alpha);
                } else {
                    self.cloud(c, &mut random, [x, y], size, sheet.alpha);
                }
            }
        });
        Drift { canvas, left: -side, top, speed, parallax }
    }

    /// Whether a cloud would hide sun or moon.
    fn before_sun(&self, [x, y]: [f32; 2], size: f32) -> bool {
        let frame = &self.layout.frame;
        let [dx, dy] = [x - self.width * frame.sun_x, y - 0.4 * size - self.height * frame.sun_y];
        dx.abs() < 2.0 * size && dy.abs() < 0.9 * size
    }

    /// White above, shaded below: what light the hour leaves.
    fn cloud_colours(&self) -> [Rgb; 3] {
        let sky = self.light.sky[1];
        let (bright, body) = match (self.brief.weather, self.brief.hour) {
            (Weather::Storm, _) => (Rgb([0.50, 0.56, 0.64]), Rgb([0.36, 0.42, 0.50])),
            (_, Hour::Night) => (Rgb([0.36, 0.43, 0.68]), Rgb([0.22, 0.28, 0.52])),
            (Weather::Rain, _) => (Rgb([0.84, 0.87, 0.90]), Rgb([0.70, 0.74, 0.79])),
            (_, Hour::Sunset) => (Rgb([1.0, 0.84, 0.66]), Rgb([0.98, 0.62, 0.58])),
            (_, Hour::Dawn) => (Rgb([1.0, 0.97, 0.90]), Rgb([1.0, 0.84, 0.84])),
            (_, Hour::Overcast) => (Rgb([0.92, 0.94, 0.95]), Rgb([0.80, 0.83, 0.86])),
            _ => (Rgb([1.0, 1.0, 1.0]), Rgb([0.95, 0.97, 1.0])),
        };
        let dim = if self.brief.weather == Weather::Storm && self.brief.hour == Hour::Night { 0.55 } else { 1.0 };
        [bright.times(dim), body.times(dim), body.times(dim).mix(sky, 0.55)]
    }

    /// A piece of a closed cover around (x, y).
    fn cover(&self, c: &mut Canvas, random: &mut Random, [x, y]: [f32; 2], k: f32, alpha: f32) {
        let [bright, body, under] = self.cloud_colours();
        let firm = Puff { add: false, firm: true };
        for (dx, dy, size, colour) in [(0.0, 0.10, 1.2, under), (-0.7, -0.10, 0.9, body), (0.6, -0.20, 0.8, bright)] {
            let size = k * size * random.within(0.8, 1.2);
            c.puff(x + dx * k, y + (dy - 0.4) * k, 1.5 * size, 0.62 * size, colour, alpha, firm);
        }
    }

    /// A cloud whose flat lower line has its middle at (x, y).
    fn cloud(&self, c: &mut Canvas, random: &mut Random, [x, y]: [f32; 2], k: f32, alpha: f32) {
        let [bright, body, under] = self.cloud_colours();
        let side = self.sun_side();
        let puffs: Vec<[f32; 3]> = (0..6)
            .map(|j| {
                let place = (j as f32 - 2.5) / 2.5;
                let radius = k * (0.54 - 0.27 * place.abs()) * random.within(0.85, 1.15);
                let lift = k * (0.20 * (1.0 - place * place)) * random.within(0.4, 1.15);
                [x + 1.25 * k * place + random.within(-0.08, 0.08) * k, y - radius - lift, radius]
            })
            .collect();
        let (left, right) = (x - 1.55 * k, x + 1.55 * k);
        let pill = |pen: Pen, top: f32| {
            let r = (y - top) / 2.0;
            pen.circle(left + r, y - r, r).circle(right - r, y - r, r).rect(left + r, top, right - r, y).oval(
                x,
                y - 0.30 * k,
                1.05 * k,
                0.29 * k,
            )
        };
        let back = puffs.iter().fold(Pen::default(), |pen, [px, py, r]| pen.circle(px - side * 0.30 * k, py + 0.02 * k, 0.92 * r));
        back.fill(c, &Ink::linear([0.0, y - 1.1 * k], [0.0, y - 0.05 * k], &[(body, 0.55 * alpha), (under, 0.20 * alpha)]));
        let whole = puffs.iter().fold(pill(Pen::default(), y - 0.26 * k), |pen, [px, py, r]| pen.circle(*px, *py, *r));
        whole.fill(c, &Ink::linear([0.0, y - 1.05 * k], [0.0, y], &[(bright, alpha), (body, alpha), (under, 0.92 * alpha)]));
        let lights =
            puffs.iter().skip(1).take(4).fold(Pen::default(), |pen, [px, py, r]| pen.circle(px + side * 0.16 * r, py - 0.14 * r, 0.74 * r));
        lights.fill(c, &Ink::linear([0.0, y - 1.05 * k], [0.0, y - 0.25 * k], &[(bright, 0.85 * alpha), (bright, 0.0)]));
    }
}
