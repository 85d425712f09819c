//! The light of a scene: what hour, weather, place and the frame's token make of sky, ground and cut-outs.

mod settings;

use crate::canvas::{Rgb, Tint};
use crate::codes::{Backdrop, Hour, Weather};
use crate::paint::film::Light;
use crate::scene::{Brief, FrameToken};

/// The light of an hour under an open sky.
struct Tones {
    /// Top, middle, low.
    sky: [Rgb; 3],
    ambient: Rgb,
    haze: Rgb,
    sun: Rgb,
    level: f32,
}

impl Light {
    /// `aurora`: northern lights hang over the place.
    pub fn of(brief: &Brief, frame: &FrameToken, aurora: bool) -> Self {
        let Tones { sky, ambient, haze, sun, level } = weathered(brief, tones(brief.hour));
        let mut light = Self {
            sky,
            haze,
            sun,
            ambient,
            level,
            dark: brief.hour == Hour::Night || matches!(brief.backdrop, Backdrop::Space | Backdrop::Moon | Backdrop::Stage),
            white: brief.backdrop == Backdrop::Snowfield || brief.weather == Weather::Snow && snow_lies_in(brief.backdrop),
            dusk: brief.hour == Hour::Sunset,
            warm: 0.035 * frame.warmth.clamp(-1.5, 1.5),
            vivid: 1.0 + 0.10 * frame.saturation.clamp(-1.5, 1.5),
        };
        if aurora {
            light.sky = [Rgb::hex(0x050a26), Rgb::hex(0x0d2450), Rgb::hex(0x1c5566)];
        }
        light.sky = light.sky.map(|colour| light.grade(colour));
        light.haze = light.grade(light.haze);
        light.housed(brief);
        let shift = light.warm * 0.4;
        light.ambient = Rgb([light.ambient.0[0] + shift, light.ambient.0[1], light.ambient.0[2] - shift].map(|v| v.min(1.05)));
        light
    }

    /// A colour with the frame's warmth and saturation.
    pub fn grade(&self, colour: Rgb) -> Rgb {
        let mean = colour.0.iter().sum::<f32>() / 3.0;
        let [red, green, blue] = colour.0.map(|value| mean + (value - mean) * self.vivid);
        Rgb([red + self.warm, green + self.warm * 0.2, blue - self.warm].map(|value| value.clamp(0.0, 1.0)))
    }

    /// Ground and scenery of this colour, under this light.
    pub fn lit(&self, colour: Rgb) -> Rgb {
        self.lit_by(colour, 1.0)
    }

    /// As [`Light::lit`], `k` times as bright.
    pub fn lit_by(&self, colour: Rgb, k: f32) -> Rgb {
        // The low sun leaves the land in a cool shade, so that not everything has its colour.
        let colour = if self.dusk { colour.mix(Rgb::hex(0x544a8e), 0.26) } else { colour };
        let fall = Rgb::WHITE.mix(self.ambient, 0.8);
        let level = if self.level < 1.0 { fall.times(self.level) } else { Rgb::WHITE };
        self.grade(colour).tinted(level).times(k)
    }

    /// For cut-outs: `glow` keeps most of their own colour, `haze` (0 to 1) is how much the air takes, `dim` a factor.
    pub fn tint(&self, glow: bool, haze: f32, dim: f32) -> Tint {
        let fall = if glow { self.ambient.mix(Rgb::WHITE, 0.75) } else { self.ambient };
        Tint { scale: fall.times((1.0 - haze) * dim), offset: self.haze.times(haze) }
    }

    /// Places that have a light of their own.
    fn housed(&mut self, brief: &Brief) {
        match brief.backdrop {
            Backdrop::Space | Backdrop::Moon => {
                self.sky = [Rgb::hex(0x05061a), Rgb::hex(0x120f38), Rgb::hex(0x241a5c)];
                self.ambient = Rgb([0.96, 0.96, 1.0]);
                self.haze = Rgb::hex(0x241a5c);
                self.level = 0.9;
            }
            Backdrop::Underwater => {
                let day = match brief.hour {
                    Hour::Night => 0.35,
                    Hour::Sunset => 0.7,
                    _ => 1.0,
                };
                self.sky = [0x4fd8ee, 0x1b8fd0, 0x0b5398].map(|hex| Rgb::hex(hex).times(day));
                self.ambient = Rgb([0.80, 0.93, 1.0]).mix(Rgb([0.5, 0.6, 0.9]), 1.0 - day);
                self.haze = self.sky[1];
                self.level = 0.4 + 0.5 * day;
            }
            Backdrop::Room | Backdrop::Kitchen => {
                self.ambient = self.ambient.mix(Rgb([1.0, 0.95, 0.88]), 0.75);
                self.level = self.level.max(0.78);
            }
            Backdrop::Stage => {
                self.ambient = Rgb([1.0, 0.96, 0.98]);
                self.level = 0.6;
            }
            Backdrop::Plain => self.ambient = self.ambient.mix(Rgb::WHITE, 0.6),
            _ => {}
        }
    }
}

fn snow_lies_in(backdrop: Backdrop) -> bool {
    !matches!(
        backdrop,
        Backdrop::Room
            | Backdrop::Kitchen
            | Backdrop::Stage
            | Backdrop::Window
            | Backdrop::Plain
            | Backdrop::Beach
            | Backdrop::Underwater
            | Backdrop::Space
            | Backdrop::Sky
            | Backdrop::Moon
            | Backdrop::Volcano
    )
}

fn tones(hour: Hour) -> Tones {
    let (sky, ambient, haze, sun, level) = match hour {
        Hour::Day => ([0x3f9bf0, 0x8fcdfb, 0xe3f5ff], [1.0, 1.0, 1.0], 0xd3ebfa, 0xfff6cf, 1.0),
        Hour::Dawn => ([0x6f93dc, 0xf3b6c6, 0xffe3b5], [1.0, 0.93, 0.92], 0xf6cfca, 0xfff0c0, 0.95),
        Hour::Sunset => ([0x43307a, 0xdd5d78, 0xffb765], [1.0, 0.80, 0.72], 0xee9a7a, 0xffe08a, 0.78),
        Hour::Night => ([0x080d2c, 0x152459, 0x3a529a], [0.68, 0.73, 0.96], 0x2e437f, 0xf4f1dc, 0.50),
        Hour::Overcast => ([0x76889b, 0x9dabb8, 0xc6cfd5], [0.84, 0.88, 0.92], 0xb4c0c8, 0xe8eef2, 0.80),
    };
    Tones { sky: sky.map(Rgb::hex), ambient: Rgb(ambient), haze: Rgb::hex(haze), sun: Rgb::hex(sun), level }
}

/// Rain and fog draw a veil over the hour, a storm darkens it, snow pales it.
fn weathered(brief: &Brief, clear: Tones) -> Tones {
    let night = brief.hour == Hour::Night;
    let mut now = clear;
    if matches!(brief.weather, Weather::Rain | Weather::Storm | Weather::Fog) && brief.hour != Hour::Overcast {
        let grey = tones(Hour::Overcast);
        let (share, dim) = if night { (0.2, 0.8) } else { (0.6, 1.0) };
        now.sky = std::array::from_fn(|i| now.sky[i].mix(grey.sky[i], share).times(dim));
        now.haze = now.haze.mix(grey.haze, share).times(if night { 0.75 } else { 1.0 });
        if !night {
            now.ambient = now.ambient.mix(grey.ambient, 0.6);
            now.level *= 0.93;
        }
    }
    match brief.weather {
        Weather::Snow if brief.hour == Hour::Day => {
            now.sky = [0x86a9cf, 0xb5cfe6, 0xe6f0f8].map(Rgb::hex);
            now.haze = Rgb::hex(0xdbe8f3);
        }
        Weather::Storm => {
            let dim = if night { 0.5 } else { 1.0 };
            now.sky = [0x3a4556, 0x5f6c7c, 0x8b97a3].map(|hex| Rgb::hex(hex).times(dim));
            now.haze = Rgb::hex(0x7d8995).times(dim);
            now.level *= 0.85;
        }
        _ => {}
    }
    now
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brief(hour: Hour, weather: Weather, backdrop: Backdrop) -> Brief {
        Brief { slots: Vec::new(), backdrop, weather, hour, aspect: 1.0, seconds: 2.0 }
    }

    fn sum(colour: Rgb) -> f32 {
        colour.0.iter().sum()
    }

    #[test]
    fn night_is_darker_than_day_and_says_so() {
        let of = |hour| Light::of(&brief(hour, Weather::Clear, Backdrop::Meadow), &FrameToken::default(), false);
        let (day, night) = (of(Hour::Day), of(Hour::Night));
        assert!(night.dark && !day.dark);
        for index in 0..3 {
            assert!(sum(night.sky[index]) < sum(day.sky[index]));
        }
        assert!(sum(night.lit(Rgb::WHITE)) < sum(day.lit(Rgb::WHITE)));
    }

    #[test]
    fn snow_lies_outdoors_alone() {
        let of = |backdrop| Light::of(&brief(Hour::Day, Weather::Snow, backdrop), &FrameToken::default(), false).white;
        assert!(of(Backdrop::Forest) && of(Backdrop::City));
        assert!(!of(Backdrop::Kitchen) && !of(Backdrop::Space));
    }

    #[test]
    fn a_grade_of_nothing_changes_nothing() {
        let light = Light::of(&brief(Hour::Day, Weather::Clear, Backdrop::Meadow), &FrameToken::default(), false);
        let colour = Rgb([0.2, 0.5, 0.7]);
        assert!(light.grade(colour).0.iter().zip(colour.0).all(|(a, b)| (a - b).abs() < 1e-6));
    }
}
