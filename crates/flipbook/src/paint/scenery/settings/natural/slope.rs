//! A ski slope: the run, its lift, and how all that stands on it goes down with it.

use super::{Layer, Layers};
use crate::canvas::{Ink, Rgb};
use crate::codes::Setting;
use crate::layout::{Zone, zone};
use crate::paint::film::{Film, Moment};
use crate::paint::scenery::plants::Tree;
use crate::paint::shape::{BLEED, Pen};

/// Frame heights that a ski slope falls across the frame.
const FALL: f32 = 0.20;

impl Film {
    /// Frame heights down for each frame width to the right.
    pub(in crate::paint) fn slope(&self) -> f32 {
        let down = self.layout.objects.first().is_none_or(|object| object.dir >= 0.0);
        match self.program.setting {
            Some(Setting::SkiSlope) if down => FALL,
            Some(Setting::SkiSlope) => -FALL,
            _ => 0.0,
        }
    }

    /// What stands on a slope goes down it.
    pub(in crate::paint) fn follow_the_slope(&self, m: &mut Moment) {
        let slope = self.slope();
        if slope == 0.0 {
            return;
        }
        for place in 0..m.poses.len() {
            let root = self.root(place);
            let stands = self.brief.slots.get(root).is_some_and(|slot| zone(slot, self.brief.backdrop) == Zone::Ground);
            let Some(x) = m.poses.get(root).map(|pose| pose.x) else { continue };
            if let Some(pose) = m.poses.get_mut(place).filter(|_| stands) {
                pose.y = (pose.y + slope * (x - 0.5)).min(1.02);
                pose.turn += 0.35 * slope * self.height / self.width / std::f32::consts::TAU;
            }
        }
    }
}

impl Layers<'_> {
    pub(super) fn ski_slope(&mut self) {
        let (rise, horizon, short, width) = (self.film.rise(), self.film.horizon, self.film.short, self.film.width);
        self.peaks(0.03, 0.62, 0.66, 0x8fa5c6);
        self.peaks(0.07, 0.36, 0.44, 0x8097bd);
        let slope = self.film.slope() * self.film.height / width; // pixels down for each pixel to the right
        let line = move |x: f32| horizon + slope * (x - 0.5 * width);
        let reach = slope.abs() * 0.75 * width;
        self.add(0.30, 0.16, [horizon - reach - 0.34 * rise, horizon + reach + 0.10 * short], |l| {
            let places: Vec<f32> = l.along(6.0);
            for x in places {
                let size = rise * l.random.within(0.10, 0.20);
                l.tree(Tree::Fir, x, line(x) + 0.02 * short, size);
            }
            l.chair_lift(line, 0.26 * rise);
        });
        self.add(0.72, 0.0, [horizon - reach - 0.06 * short, self.film.height + BLEED], |l| l.piste(line));
    }
}

impl Layer<'_> {
    /// A ski run of trodden snow, with flags and tracks down the slope.
    fn piste(&mut self, line: impl Fn(f32) -> f32) {
        let short = self.film.short;
        let light = &self.film.light;
        let (high, low, shade) = (light.lit(Rgb::hex(0xf8fbff)), light.lit(Rgb::hex(0xcfe1f3)), light.lit(Rgb::hex(0x9fbfe2)));
        let points: Vec<[f32; 2]> = self.steps().into_iter().map(|x| [x, line(x)]).collect();
        self.under(&points, &Ink::linear([0.0, self.ground], [0.0, self.film.height], &[(high, 1.0), (low, 1.0)]));
        Pen::default().line_through(&points).stroke(self.c, 0.010 * short, &Ink::flat(shade, 0.6));
        let slope = line(1.0) - line(0.0);
        let mut tracks = Pen::default();
        for x in self.along(2.2) {
            let down = short * self.random.within(0.08, 0.5);
            let long = 0.7 * short;
            let y = |at: f32| line(at) + down;
            for gap in [0.0, 0.022 * short] {
                tracks = tracks.to(x, y(x) + gap).cubic(
                    [x + 0.3 * long, y(x + 0.3 * long) + gap - 0.05 * short],
                    [x + 0.6 * long, y(x + 0.6 * long) + gap + 0.05 * short],
                    x + long,
                    y(x + long) + gap,
                );
            }
        }
        tracks.stroke(self.c, 0.006 * short, &Ink::flat(shade, 0.75));
        for (index, x) in self.along(2.0).into_iter().enumerate() {
            let (y, high) = (line(x) + (0.03 + 0.10 * (index % 2) as f32) * short, 0.13 * short);
            let pole = self.tone(0x3f4a5c);
            Pen::at(x, y).line(x, y - high).stroke(self.c, 0.007 * short, &Ink::flat(pole, 1.0));
            let flag = self.tone(if index % 2 == 0 { 0xe0403a } else { 0x2f7de0 });
            let way = if slope < 0.0 { -1.0 } else { 1.0 };
            Pen::default()
                .polygon(&[[x, y - high], [x + way * 0.07 * short, y - 0.80 * high], [x, y - 0.58 * high]])
                .fill(self.c, &Ink::flat(flag, 1.0));
        }
    }

    /// Masts, a rope and chairs on it.
    fn chair_lift(&mut self, line: impl Fn(f32) -> f32, high: f32) {
        let short = self.film.short;
        let steel = self.tone(0x4d5a6d);
        let step = 0.62 * short;
        let rope = |x: f32| line(x) - high;
        Pen::at(self.a, rope(self.a)).line(self.b, rope(self.b)).stroke(self.c, 0.005 * short, &Ink::flat(steel, 1.0));
        let mut x = (self.a / step).floor() * step;
        let (mut masts, mut chairs, mut seats) = (Pen::default(), Pen::default(), Pen::default());
        while x < self.b {
            masts = masts.rect(x - 0.010 * short, rope(x) - 0.01 * short, x + 0.010 * short, line(x) + 0.03 * short).rect(
                x - 0.05 * short,
                rope(x) - 0.012 * short,
                x + 0.05 * short,
                rope(x) + 0.004 * short,
            );
            for at in [0.28, 0.70] {
                let (cx, cy) = (x + at * step, rope(x + at * step));
                chairs = chairs.to(cx, cy).line(cx, cy + 0.07 * short).line(cx + 0.035 * short, cy + 0.07 * short);
                seats = seats.rect(cx - 0.035 * short, cy + 0.072 * short, cx + 0.035 * short, cy + 0.088 * short);
            }
            x += step;
        }
        masts.fill(self.c, &Ink::flat(steel, 1.0));
        chairs.stroke(self.c, 0.005 * short, &Ink::flat(steel, 1.0));
        let red = self.tone(0xd8433c);
        seats.fill(self.c, &Ink::flat(red, 1.0));
    }
}
