//! What falls, drifts or flies before the things: rain, snow, confetti, petals, leaves, hearts, fog, bubbles, wind; and the
//! light of a flash on all of it.

mod air;
mod crown;
mod falling;
mod rain;
mod snow;

use crate::canvas::{Area, Canvas, Ink, Rgb};
use crate::codes::{Backdrop, Weather};
use crate::paint::film::{Film, Medium, Moment};
use crate::paint::sky::has_open_sky;

/// Nothing falls here, or only behind panes.
const fn is_sheltered(backdrop: Backdrop) -> bool {
    use Backdrop::{Kitchen, Moon, Room, Space, Stage, Underwater, Window};
    matches!(backdrop, Kitchen | Moon | Room | Space | Stage | Underwater | Window)
}

/// Whether the picture of a place shows this weather.
pub fn shows_weather(backdrop: Backdrop, weather: Weather) -> bool {
    let has_panes = matches!(backdrop, Backdrop::Kitchen | Backdrop::Room | Backdrop::Window);
    match weather {
        Weather::Rain | Weather::Storm | Weather::Snow => !is_sheltered(backdrop) || has_panes,
        Weather::Fog | Weather::Wind => !is_sheltered(backdrop),
        Weather::Fireworks => has_open_sky(backdrop),
        Weather::Stars => has_open_sky(backdrop) || backdrop == Backdrop::Space,
        _ => true,
    }
}

/// Room beside the frame that is painted too, in pixels.
const BLEED: f32 = 12.0;

impl Film {
    /// `flash` is how bright lightning or fireworks are at the moment, 0 to 1.
    pub(super) fn weather(&self, c: &mut Canvas, m: &Moment, flash: f32) {
        let weather = self.brief.weather;
        let roofed = self.program.setting.is_some_and(|setting| !setting.shows_weather());
        let sheltered = roofed || is_sheltered(self.brief.backdrop);
        match weather {
            Weather::Rain | Weather::Storm if !sheltered => self.rain(c, m),
            Weather::Snow if !sheltered => self.snow(c, m),
            Weather::Fog if !sheltered => self.fog(c, m),
            Weather::Wind if !sheltered => self.wind(c, m),
            Weather::Confetti => self.confetti(c, m),
            Weather::Blossom => self.petals(c, m),
            Weather::Leaves => self.leaves(c, m),
            Weather::Hearts => self.falling_hearts(c, m),
            Weather::Bubbles => self.bubbles(c, m),
            _ => {}
        }
        // Clear water is what somebody asked for.
        if self.medium == Medium::Deep && !matches!(weather, Weather::Bubbles | Weather::Clear) {
            self.bubbles(c, m);
        }
        if flash > 0.02 {
            let (colour, share) = if weather == Weather::Storm { (Rgb([0.85, 0.88, 1.0]), 0.35) } else { (Rgb([1.0, 0.9, 0.8]), 0.07) };
            c.rect(self.frame_area(), &Ink::flat(colour, flash * share).adding());
        }
    }

    /// The frame with some room around it, in pixels.
    fn frame_area(&self) -> Area {
        Area { left: -BLEED, top: -BLEED, right: self.width + BLEED, bottom: self.height + BLEED }
    }

    /// How many there are of something, given how many a square of the frame's short side has.
    fn crowd(&self, each: f32) -> u64 {
        (each * self.squares()).min(4.0 * each) as u64
    }

    /// `x` (pixels) brought into the frame and `margin` around it, as if the world repeated.
    fn wrapped(&self, x: f32, margin: f32) -> f32 {
        x.rem_euclid(self.width + 2.0 * margin) - margin
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::Hour;
    use crate::layout;
    use crate::random::Random;
    use crate::scene::Program;

    fn film(backdrop: Backdrop, weather: Weather, seed: u64) -> Film {
        let program =
            Program { things: Vec::new(), backdrop, weather, hour: Hour::Day, setting: None, aurora: false, caption: Some("Hello".into()) };
        let brief = layout::brief(&program, 1.5, 2.0);
        let layout = layout::write(&brief, &mut Random::of(seed, 1));
        Film::of_layout(program, brief, layout, 96, 64, 24, seed)
    }

    #[test]
    fn frames_depend_on_their_index_alone() {
        for weather in Weather::ALL {
            let film = film(Backdrop::Meadow, *weather, 5);
            let (early, late) = (film.frame(3), film.frame(30));
            assert!(early == film.frame(3) && late == film.frame(30), "{}", weather.name());
            assert_ne!(early, late, "{}", weather.name());
        }
    }

    #[test]
    fn weather_is_seen() {
        let clear = film(Backdrop::Meadow, Weather::Clear, 5).frame(20);
        for weather in [Weather::Confetti, Weather::Blossom, Weather::Leaves, Weather::Bubbles, Weather::Hearts, Weather::Wind] {
            assert_ne!(film(Backdrop::Meadow, weather, 5).frame(20), clear, "{}", weather.name());
        }
    }

    #[test]
    fn every_water_is_drawn_below_the_horizon() {
        for backdrop in [Backdrop::Sea, Backdrop::Lake, Backdrop::River, Backdrop::Beach] {
            for weather in [Weather::Clear, Weather::Storm, Weather::Rain] {
                let film = film(backdrop, weather, 7);
                let frame = film.frame(9);
                let row = |share: f32| (share * film.height) as usize * film.width as usize * 3;
                let (sky, water) = (&frame[row(0.1)..row(0.1) + 3], &frame[row(0.7)..row(0.7) + 3]);
                assert_ne!(sky, water, "{} {}", backdrop.name(), weather.name());
            }
        }
    }
}
