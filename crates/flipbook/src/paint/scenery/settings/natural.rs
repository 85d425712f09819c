//! Places in nature, in the sky, under the sea and in tales: which painter has which, and where their horizon and ground lie.

mod close;
mod cold;
mod dry;
mod feasts;
mod flowers;
mod moving;
mod parts;
mod planets;
mod sea;
mod shores;
mod skies;
mod slope;
mod woods;

use super::{Layer, Layers};
use crate::codes::Setting;

impl Layers<'_> {
    /// Paints a place in nature; whether the setting is one.
    pub(super) fn set_in_nature(&mut self, setting: Setting) -> bool {
        match setting {
            Setting::Savanna => self.savanna(),
            Setting::Canyon => self.canyon(),
            Setting::Oasis => self.oasis(),
            Setting::LavaField => self.lava_field(),
            Setting::CliffTop => self.cliff_top(),
            Setting::Hilltop => self.hilltop(),
            Setting::Summit => self.summit(),
            Setting::Iceberg | Setting::IcySea => self.icebergs(),
            Setting::Ice => self.ice(),
            Setting::SkiSlope => self.ski_slope(),
            Setting::FlowerField | Setting::TulipField | Setting::LavenderField | Setting::SunflowerField | Setting::PoppyField => {
                self.field_of_flowers(setting);
            }
            Setting::RiceTerraces => self.rice_terraces(),
            Setting::HayField => self.hay_field(),
            Setting::Mud => self.mud(),
            Setting::BambooForest => self.bamboo_forest(),
            Setting::BirchForest => self.birch_forest(),
            Setting::EnchantedForest => self.enchanted_forest(),
            Setting::HauntedForest => self.haunted_forest(),
            Setting::BlossomPark => self.blossom_park(),
            Setting::Lakeside | Setting::Riverside | Setting::PondSide => self.waterside(setting),
            Setting::RockyShore => self.rocky_shore(),
            Setting::Island => self.open_water(),
            Setting::Swamp => self.swamp(),
            Setting::LilyPond => self.lily_pond(),
            Setting::HotSpring => self.hot_spring(),
            Setting::Lagoon => self.lagoon(),
            Setting::Rapids => self.rapids(),
            Setting::Reef => self.coral_reef(),
            Setting::Shipwreck => self.shipwreck(),
            Setting::SunkenCity => self.sunken_city(),
            Setting::DeepSea => self.deep_sea(),
            Setting::Mars => self.mars(),
            Setting::AlienPlanet => self.alien_planet(),
            Setting::Asteroids => self.asteroids(),
            Setting::BlackHole => self.black_hole(),
            Setting::AboveClouds => self.above_the_clouds(),
            Setting::RainbowLand => self.rainbow_land(),
            Setting::CandyLand => self.candy_land(),
            Setting::GrassBlades => self.grass_blades(),
            Setting::LeafTop => self.leaf_top(),
            Setting::Hive => self.hive(),
            Setting::Anthill => self.anthill(),
            Setting::EasterMeadow => self.easter_meadow(),
            Setting::HalloweenNight => self.halloween_night(),
            Setting::SantasWorkshop => self.santas_workshop(),
            _ => return false,
        }
        true
    }
}

/// Where the ground that things stand on begins, as the far line.
pub(in crate::paint) fn near_line(setting: Option<Setting>, horizon: f32) -> f32 {
    match setting {
        Some(Setting::RockyShore) => horizon + 0.36 * (1.0 - horizon),
        _ => horizon,
    }
}

/// Nothing grows here before the lens.
pub(in crate::paint) fn is_bare(setting: Setting) -> bool {
    matches!(
        setting,
        Setting::Savanna
            | Setting::CliffTop
            | Setting::Summit
            | Setting::AboveClouds
            | Setting::CandyLand
            | Setting::RainbowLand
            | Setting::LavenderField
            | Setting::TulipField
            | Setting::SunflowerField
            | Setting::PoppyField
            | Setting::HayField
            | Setting::Mud
            | Setting::GrassBlades
            | Setting::LeafTop
            | Setting::Hive
            | Setting::HauntedForest
            | Setting::HalloweenNight
            | Setting::HotSpring
            | Setting::Lagoon
            | Setting::Rapids
            | Setting::RiceTerraces
    )
}
