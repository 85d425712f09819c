//! The light of settings that have one of their own: the sky of Mars, the dark of the deep sea, the dusk of an enchanted wood.

use crate::canvas::Rgb;
use crate::codes::{Hour, Setting};
use crate::paint::film::Light;

impl Light {
    /// This light in a setting.
    pub(in crate::paint) fn in_setting(mut self, setting: Option<Setting>, hour: Hour) -> Self {
        let Some(setting) = setting else { return self };
        let night = hour == Hour::Night;
        let dim = if night { 0.42 } else { 1.0 };
        match setting {
            Setting::Mars => {
                self.heaven([0xb0603c, 0xdb9163, 0xf3c698], dim);
                (self.ambient, self.level, self.dark) = (Rgb([1.0, 0.90, 0.82]), if night { 0.55 } else { 0.95 }, night);
            }
            Setting::AlienPlanet => {
                self.heaven([0x2a1250, 0x7a3f9c, 0xe58fc0], dim);
                (self.ambient, self.level) = (Rgb([0.98, 0.90, 1.0]), if night { 0.6 } else { 0.92 });
            }
            Setting::DeepSea => {
                self.heaven([0x0d3a68, 0x061d40, 0x020b1f], 1.0);
                (self.ambient, self.level, self.dark) = (Rgb([0.66, 0.78, 1.0]), 0.42, true);
            }
            Setting::CandyLand | Setting::RainbowLand if hour == Hour::Day => self.heaven([0x8fcbff, 0xffc9e6, 0xfff1f6], 1.0),
            Setting::AboveClouds if hour == Hour::Day => self.heaven([0x4a98f0, 0xa6d6ff, 0xfff3dd], 1.0),
            Setting::LavaField => {
                self.heaven([0x2a1a2c, 0x7a2f2c, 0xe0703a], dim.max(0.7));
                (self.ambient, self.level) = (Rgb([1.0, 0.86, 0.78]), 0.72);
            }
            Setting::EnchantedForest if !night => {
                self.heaven([0x27497f, 0x4b93a6, 0xb5ecd0], 1.0);
                (self.ambient, self.level) = (Rgb([0.86, 0.93, 1.0]), 0.72);
            }
            Setting::HalloweenNight => {
                self.heaven([0x160b36, 0x3f1b60, 0xcc6a2e], 1.0);
            }
            Setting::HauntedForest => {
                self.heaven([0x0d1526, 0x22344a, 0x5d7a78], if night { 0.85 } else { 1.2 });
            }
            Setting::Swamp if hour == Hour::Day => self.heaven([0x8fb59a, 0xb7cfa6, 0xe2e6c0], 1.0),
            Setting::Savanna if hour == Hour::Day => self.heaven([0x5aa9ea, 0xbfdcec, 0xfff0c4], 1.0),
            _ => {}
        }
        self
    }

    /// Top, middle and low of the sky; the air takes the colour of the low one.
    fn heaven(&mut self, sky: [u32; 3], dim: f32) {
        self.sky = sky.map(|hex| self.grade(Rgb::hex(hex).times(dim)));
        self.haze = self.sky[2].mix(self.sky[1], 0.35);
    }
}
