//! Places outdoors that people have made: where they play, travel, trade and live, and cities known by what stands in them.

mod bridges;
mod eerie;
mod fair;
mod fields;
mod homes;
mod landmarks;
mod parts;
mod shows;
mod sport;
mod stations;
mod town;
mod travel;
mod water;
mod waterside;
mod works;

use crate::codes::Setting;
use crate::paint::scenery::Layers;

impl Layers<'_> {
    /// Paints the setting; whether it is one of these.
    pub(super) fn built(&mut self, setting: Setting) -> bool {
        match setting {
            Setting::Playground => self.playground(),
            Setting::Pitch => self.pitch(),
            Setting::Stadium => self.stadium(),
            Setting::Ballpark => self.ballpark(),
            Setting::Hoops => self.basketball_court(),
            Setting::Tennis => self.tennis_court(),
            Setting::Golf => self.golf_course(),
            Setting::Racetrack => self.racetrack(),
            Setting::Lanes => self.running_lanes(),
            Setting::Skatepark => self.skatepark(),
            Setting::Poolside => self.poolside(false),
            Setting::WaterPark => self.poolside(true),
            Setting::Pool => self.pool(),
            Setting::Quay => self.quay(),
            Setting::Harbour => self.harbour(),
            Setting::Pier => self.pier(),
            Setting::Deck => self.deck(),
            Setting::Canal => self.canal(),
            Setting::Venice => self.venice(),
            Setting::Lighthouse => self.lighthouse(),
            Setting::Market => self.market(),
            Setting::ChristmasMarket => self.christmas_market(),
            Setting::Village => self.village(),
            Setting::BusStop => self.bus_stop(),
            Setting::Crossing => self.crossing(),
            Setting::Rooftop => self.rooftop(),
            Setting::Parade => self.parade(),
            Setting::Alley => self.alley(),
            Setting::Neon => self.neon_city(),
            Setting::Square => self.square(),
            Setting::Platform => self.platform(),
            Setting::Rails => self.rails(),
            Setting::Runway => self.runway(),
            Setting::CarPark => self.car_park(),
            Setting::PetrolStation => self.petrol_station(),
            Setting::Bridge => self.bridge(),
            Setting::Suspension => self.suspension_bridge(),
            Setting::Tunnel => self.tunnel(),
            Setting::Motorway => self.motorway(),
            Setting::Fairground => self.fairground(),
            Setting::Zoo => self.zoo(),
            Setting::Circus => self.circus(),
            Setting::Disco => self.disco(),
            Setting::Construction => self.construction_site(),
            Setting::Schoolyard => self.schoolyard(),
            Setting::Courtyard => self.courtyard(),
            Setting::HauntedHouse => self.haunted_house(),
            Setting::Graveyard => self.graveyard(),
            Setting::DuckPond => self.duck_pond(),
            Setting::Picnic => self.picnic_area(),
            Setting::Campsite => self.campsite(),
            Setting::Orchard => self.orchard(),
            Setting::Vineyard => self.vineyard(),
            Setting::Cornfield => self.cornfield(),
            Setting::WheatField => self.wheat_field(),
            Setting::PumpkinPatch => self.pumpkin_patch(),
            Setting::Glasshouse => self.glasshouse(),
            Setting::VegetableGarden => self.vegetable_garden(),
            Setting::Garden => self.garden(),
            Setting::Backyard => self.backyard(),
            Setting::Porch => self.porch(),
            Setting::FrontYard => self.front_yard(),
            Setting::Paris => self.paris(),
            Setting::London => self.london(),
            Setting::NewYork => self.new_york(),
            Setting::Pyramids => self.pyramids(),
            Setting::Tokyo => self.tokyo(),
            Setting::Rome => self.rome(),
            Setting::India => self.india(),
            Setting::Moscow => self.moscow(),
            _ => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::{Backdrop, Hour, Weather};
    use crate::layout;
    use crate::paint::film::Film;
    use crate::random::Random;
    use crate::scene::Program;

    fn film(setting: Option<Setting>, backdrop: Backdrop, [width, height]: [usize; 2], weather: Weather, hour: Hour) -> Film {
        let program = Program { things: Vec::new(), backdrop, weather, hour, setting, aurora: false, caption: None };
        let brief = layout::brief(&program, width as f32 / height as f32, 2.0);
        let arranged = layout::write(&brief, &mut Random::new(4));
        Film::of_layout(program, brief, arranged, width, height, 24, 4)
    }

    fn outdoors() -> impl Iterator<Item = Setting> {
        Setting::ALL.iter().copied().filter(|setting| setting.backdrop() != Backdrop::Room && *setting != Setting::IcySea)
    }

    #[test]
    fn no_setting_outdoors_looks_like_its_backdrop() {
        for setting in outdoors() {
            let paint = |setting: Option<Setting>, backdrop| film(setting, backdrop, [160, 90], Weather::Clear, Hour::Day).frame(3);
            let (own, bare) = (paint(Some(setting), setting.backdrop()), paint(None, setting.backdrop()));
            let differ = own.iter().zip(&bare).filter(|(one, other)| one.abs_diff(**other) > 24).count();
            assert!(differ * 12 > own.len(), "{setting:?}: {differ} of {}", own.len());
        }
    }

    #[test]
    fn every_setting_is_painted_in_every_format_by_night_and_in_snow_and_reaches_over_the_frame() {
        for (index, setting) in outdoors().enumerate() {
            let sides = [[96, 168], [120, 120], [224, 96]][index % 3];
            for (weather, hour) in [(Weather::Snow, Hour::Day), (Weather::Clear, Hour::Night)] {
                let film = film(Some(setting), setting.backdrop(), sides, weather, hour);
                assert_eq!(film.frame(5).len(), sides[0] * sides[1] * 3);
                for strip in &film.strips {
                    assert!(strip.left <= -4.0 && strip.left + strip.canvas.width() as f32 >= film.width + 3.0, "{setting:?}");
                }
            }
        }
    }
}
