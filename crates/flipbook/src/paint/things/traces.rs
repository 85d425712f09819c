//! What a thing leaves on what is around it: its shadow, its glow, its reflection and its wake.

use std::f32::consts::TAU;

use resvg::tiny_skia::{Path, PathBuilder, Rect};

use super::warp::Lay;
use crate::canvas::{Area, Canvas, Ink, Puff, Rgb, Tint};
use crate::codes::{Hour, Motion, Weather};
use crate::paint::film::{Film, Medium, Moment};
use crate::pose::Pose;
use crate::sprites;

impl Film {
    /// Where it touches the ground, and where the sun throws its shape.
    pub(super) fn shadow(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let (Some(slot), Some(object), Some(pose)) = (self.brief.slots.get(place), self.layout.objects.get(place), m.poses.get(place))
        else {
            return;
        };
        if !matches!(self.medium, Medium::Ground | Medium::Floor | Medium::Deep) {
            return;
        }
        let base = if slot.motion == Motion::Launch { object.y } else { pose.y } * self.height;
        let lift = (base - (pose.y - pose.lift) * self.height).max(0.0) / self.short;
        if slot.motion == Motion::Launch && lift >= 0.3 {
            return;
        }
        let near = 1.0 / (1.0 + 3.0 * lift);
        let sunny = matches!(self.brief.hour, Hour::Day | Hour::Dawn | Hour::Sunset)
            && matches!(self.brief.weather, Weather::Clear | Weather::Wind | Weather::Blossom | Weather::Leaves | Weather::Hearts);
        if sunny && self.medium == Medium::Ground {
            let side = if self.layout.frame.sun_x > 0.5 { 1.0 } else { -1.0 };
            let long = if self.brief.hour == Hour::Day { 0.77 } else { 1.32 };
            let pose = Pose { y: base / self.height, lift: 0.0, ..*pose };
            let shade = Tint::solid(Rgb([0.08, 0.06, 0.18]));
            self.draw(c, m, place, &pose, shade, 0.20 * near * pose.alpha, Lay::Shadow(side * long));
        }
        let half = pose.w * self.width * pose.scale / 2.0;
        let (rx, ry) = (half * (1.0 + lift) * 1.15, (half * 0.20).max(3.0));
        let alpha = 0.425 * near * pose.alpha;
        c.puff(pose.x * self.width, base - 0.004 * self.short, rx, ry, Rgb([0.05, 0.04, 0.12]), alpha, Puff::default());
    }

    /// Dust to both sides where a leap ends.
    pub(super) fn landing(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let (Some(slot), Some(object), Some(pose)) = (self.brief.slots.get(place), self.layout.objects.get(place), m.poses.get(place))
        else {
            return;
        };
        let leap = 0.9 * (object.rate.max(0.1) * m.t + object.phase);
        let age = (leap - leap.floor() - 0.8) / 0.2; // a leap lands at 0.8 of its cycle
        if slot.motion != Motion::Jump || age < 0.0 || self.medium != Medium::Ground {
            return;
        }
        let colour = self.light.lit(if self.light.white { Rgb::WHITE } else { Rgb([0.86, 0.80, 0.68]) }).mix(Rgb::WHITE, 0.25);
        let half = 0.5 * pose.w * self.width;
        for j in 0..10 {
            let (side, far) = (if j % 2 == 0 { 1.0 } else { -1.0 }, 0.35 + 0.65 * (j / 2) as f32 / 4.0);
            let x = pose.x * self.width + side * half * (0.6 + 0.9 * far * age);
            let y = pose.y * self.height - self.short * 0.03 * far * (std::f32::consts::PI * age).sin();
            let size = self.short * (0.012 + 0.022 * age * far);
            c.puff(x, y, 1.3 * size, size, colour, 0.55 * (1.0 - age) * pose.alpha, Puff::default());
        }
    }

    /// The light around what shines by itself.
    pub(super) fn glow(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let (Some(slot), Some(pose)) = (self.brief.slots.get(place), m.poses.get(place)) else { return };
        let sprite = sprites::atlas().get(slot.sprite);
        if !sprite.glows || !(self.light.dark || matches!(sprite.name.as_str(), "campfire" | "fire" | "sun")) {
            return;
        }
        let colour = Rgb(match sprite.name.as_str() {
            "jellyfish" => [0.4, 0.7, 1.0],
            "ghost" => [0.8, 0.85, 1.0],
            "flying-saucer" => [0.6, 1.0, 0.7],
            _ => [1.0, 0.65, 0.25],
        });
        let flicker = 1.0 + 0.08 * (11.0 * m.t).sin() + 0.05 * (17.0 * m.t).sin();
        let radius = pose.w * self.width * pose.scale / 2.0 * 3.4 * flicker;
        let y = (pose.y - pose.lift - pose.h * 0.5) * self.height;
        c.puff(pose.x * self.width, y, radius, radius, colour, 0.55 * pose.alpha, Puff { add: true, firm: false });
    }

    /// A thing upside down in the water.
    pub(super) fn reflect(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let Some(pose) = m.poses.get(place) else { return };
        let line = self.waterline(m, place);
        let below = Area { left: -9.0, top: line, right: self.width + 9.0, bottom: self.height + 9.0 };
        let tint = self.light.tint(false, 0.0, 0.8);
        c.clipped_to(below, |c| self.draw(c, m, place, pose, tint, 0.30 * pose.alpha, Lay::Mirrored(line)));
    }

    /// The air around a thing that floats, down to the waves at its hull; `None` where it has no extent.
    pub(super) fn above_water(&self, m: &Moment, place: usize) -> Option<Path> {
        let pose = m.poses.get(place)?;
        let base = self.waterline(m, place) + pose.h * self.height * 0.05;
        let (wide, high) = (pose.w * self.width * pose.scale, pose.h * self.height * pose.scale);
        let reach = wide.max(high) * 1.3 + 0.02 * self.short;
        let top = ((pose.y - pose.lift) * self.height - 2.0 * reach).min(base - reach);
        let (left, right) = (pose.x * self.width - reach, pose.x * self.width + reach);
        let wave = |x: f32| base + 0.006 * self.short * (x / self.short * 22.0 + 2.5 * m.t).sin();
        let steps = 48;
        let mut path = PathBuilder::new();
        path.move_to(left, top);
        for step in 0..=steps {
            let x = left + (right - left) * step as f32 / steps as f32;
            path.line_to(x, wave(x));
        }
        path.line_to(right, top);
        path.close();
        path.finish()
    }

    /// Water in front of a hull or a swimmer: rings of foam at the waterline, spray behind, a splash where one jumps in.
    pub(super) fn wake(&self, c: &mut Canvas, m: &Moment, place: usize) {
        let (Some(slot), Some(object), Some(pose)) = (self.brief.slots.get(place), self.layout.objects.get(place), m.poses.get(place))
        else {
            return;
        };
        let jumps = slot.motion == Motion::Jump;
        if jumps && pose.lift > 0.06 {
            return;
        }
        let (line, x, half, short, t) = (self.waterline(m, place), pose.x * self.width, pose.w * self.width / 2.0, self.short, m.t);
        let foam = if self.light.level > 0.5 { self.light.sky[2].mix(Rgb::WHITE, 0.6) } else { Rgb([0.55, 0.65, 0.9]) };
        let base = line + pose.h * self.height * 0.055;
        for ring in 0..3 {
            let ring = ring as f32;
            let wide = half * (1.05 + 0.16 * ring + 0.05 * (2.0 * t + ring).sin());
            let (top, bottom) = (base - 0.012 * short + ring * 0.008 * short, base + 0.012 * short + ring * 0.012 * short);
            if let Some(path) = Rect::from_ltrb(x - wide, top, x + wide, bottom).and_then(PathBuilder::from_oval) {
                c.stroke(&path, short * 0.005, &Ink::flat(foam, (0.30 - 0.07 * ring) * pose.alpha));
            }
        }
        for fleck in 0..9 {
            let way = if slot.motion.travels() {
                -object.dir
            } else if fleck % 2 == 1 {
                1.0
            } else {
                -1.0
            };
            let place = fleck as f32;
            let age = (place / 9.0 + t * 0.7).fract();
            let (fx, fy) = (x + way * half * (0.6 + age * 0.9), base + 0.006 * short * (place * 3.0).sin());
            c.puff(fx, fy, short * (0.012 + 0.02 * age), short * 0.007, foam, 0.55 * (1.0 - age) * pose.alpha, Puff::default());
        }
        if jumps && pose.lift > 0.0 && pose.lift < 0.05 {
            for drop in 0..14 {
                let (sin, cos) = (TAU * drop as f32 / 14.0).sin_cos();
                let far = (drop % 3 + 1) as f32 / 3.0;
                let high = short * 0.10 * sin.abs() * (1.0 - pose.lift / 0.05);
                c.puff(x + short * 0.16 * cos * far, line - high, short * 0.016, short * 0.016, Rgb::WHITE, 0.8, Puff::default());
            }
        }
    }
}
