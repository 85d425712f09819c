//! Water that things float on: the open sea, lake and river, and the sea at a beach. What floats is drawn between the
//! waves, from far to near.

mod bank;
mod beach;
mod calm;
mod sea;
mod settings;
mod surf;

use crate::canvas::{Canvas, Rgb};
use crate::codes::{Act, Backdrop, Hour, Kind, Motion, Setting, Weather};
use crate::layout::{Zone, zone};
use crate::paint::film::{Film, Medium, Moment};
use crate::paint::shape::SWIMMER;
use crate::sprites::atlas;

/// Things further away than this (0 near to 1 far) fly behind the waves.
const FAR: f32 = 0.3;

/// The colours of water under the light of a scene.
struct Water {
    deep: Rgb,
    pale: Rgb,
    /// Crests, spray, ripples.
    foam: Rgb,
}

impl Film {
    /// Draws the water below the horizon; but for a beach, the things of the scene with it.
    pub(super) fn water(&self, c: &mut Canvas, m: &Moment) {
        let water = self.tones_of_water();
        match self.brief.backdrop {
            _ if self.water_of_setting(c, m, &water) => {}
            Backdrop::Beach => self.beach(c, m, &water),
            Backdrop::Lake | Backdrop::River => self.calm_water(c, m, &water),
            _ => {
                let mut queue = Afloat::of(self, c, m);
                let waves = (5.0 + 4.5 * (self.height - self.horizon) / self.short).clamp(5.0, 12.0) as usize;
                self.sea(c, m, &water, self.height, waves, |c, y| queue.draw_above(self, c, m, y));
                queue.draw_rest(self, c, m);
            }
        }
    }

    /// The slot that carries this one, or it itself.
    pub(super) fn root(&self, slot: usize) -> usize {
        let mut root = slot;
        for _ in 0..self.brief.slots.len() {
            match self.brief.slots.get(root).filter(|slot| slot.relation.attached()).and_then(|slot| slot.parent) {
                Some(parent) if parent < self.brief.slots.len() => root = parent,
                _ => break,
            }
        }
        root
    }

    /// Where the water stands at a thing, in pixels from above: hulls dip in less than bodies.
    pub(super) fn waterline(&self, m: &Moment, slot: usize) -> f32 {
        let root = self.root(slot);
        let (Some(carrier), Some(pose)) = (self.brief.slots.get(root), m.poses.get(root)) else { return self.height };
        // Boards lie on the water.
        let sunk = match carrier.kind {
            _ if self.surfs(root) && self.cast.figure(root).is_some() => 0.03,
            // Who stands ashore is before the water.
            _ if self.is_ashore(root) => -0.05,
            // The drawing has waves of its own.
            Kind::Boat if atlas().get(carrier.sprite).name == "canoe" => 0.46,
            Kind::Boat => 0.12,
            // Bodies of swimmers lie in it to their middle.
            _ if self.bathes(root) => SWIMMER,
            _ if carrier.motion == Motion::Swim && self.cast.figure(root).is_some() => SWIMMER,
            _ => 0.24,
        };
        let sinks = carrier.kind == Kind::Boat && carrier.motion == Motion::Shrink || self.dives(root);
        let sinking = self.layout.objects.get(root).filter(|_| sinks);
        (sinking.map_or(pose.y, |object| object.y) - pose.h * sunk) * self.height
    }

    /// Who is in warm water, or washes in any, stands in it to the chest.
    fn bathes(&self, slot: usize) -> bool {
        let alive = self.brief.slots.get(slot).is_some_and(|slot| matches!(slot.kind, Kind::Animal | Kind::Person));
        self.act_of(slot) == Some(Act::Bathe) || alive && self.program.setting == Some(Setting::HotSpring)
    }

    /// About what the water looks like at `y` pixels from above; `None` where there is none.
    pub(super) fn water_at(&self, y: f32) -> Option<Rgb> {
        let near = (y - self.horizon) / (self.height - self.horizon).max(1.0);
        let water = self.tones_of_water();
        match self.medium {
            Medium::Water if near > 0.0 => Some(water.pale.mix(water.deep, (0.3 + near).min(1.0))),
            Medium::Ground if self.brief.backdrop == Backdrop::Beach && near > 0.3 => Some(self.light.lit(Rgb::hex(0xecd3a0))),
            Medium::Ground if self.brief.backdrop == Backdrop::Beach && near > 0.0 => Some(water.pale.mix(water.deep, 0.6)),
            _ => None,
        }
    }

    fn tones_of_water(&self) -> Water {
        let calm = matches!(self.brief.backdrop, Backdrop::Lake | Backdrop::River) || self.has_calm_water_behind();
        let (deep, pale) = match self.brief.hour {
            Hour::Night => (0x071a44, 0x24427e),
            Hour::Sunset => (0x3a2a66, 0xe0806f),
            Hour::Dawn => (0x3f6ea8, 0xf0b6b0),
            Hour::Day if self.program.setting == Some(Setting::Pool) => (0x1fa6d0, 0x86e2f2),
            Hour::Day | Hour::Overcast if self.brief.backdrop == Backdrop::River => (0x2f8f9c, 0x7cc9c4),
            Hour::Day | Hour::Overcast if calm => (0x2a7fb0, 0x6cbfe0),
            Hour::Day | Hour::Overcast => (0x0c4f94, 0x49b4e6),
        };
        let (mut deep, mut pale) = self.stained([Rgb::hex(deep), Rgb::hex(pale)]);
        if self.brief.hour == Hour::Overcast || self.raining() {
            let grey = if self.brief.hour == Hour::Night { [0x14202f, 0x3a4b62] } else { [0x2b3d4d, 0x7f929e] };
            (deep, pale) = (deep.mix(Rgb::hex(grey[0]), 0.65), pale.mix(Rgb::hex(grey[1]), 0.75));
        }
        if self.brief.weather == Weather::Storm {
            deep = deep.mix(Rgb::hex(0x16303a), 0.5);
        }
        let foam = if self.light.level > 0.5 { self.light.lit(Rgb::WHITE).mix(Rgb::WHITE, 0.5) } else { Rgb([0.60, 0.70, 0.95]) };
        Water { deep: self.light.grade(deep), pale: self.light.grade(pale).mix(self.light.sky[2], 0.3), foam }
    }

    /// Sun or moon are out and shine on the water.
    fn glitters(&self) -> bool {
        self.brief.hour != Hour::Overcast
            && !self.raining()
            && !matches!(self.brief.weather, Weather::Fog | Weather::Fireworks)
            && !self.program.aurora
    }
}

/// The things of a scene on water that are still to be drawn, far ones first.
struct Afloat {
    waiting: Vec<usize>,
}

impl Afloat {
    /// Draws at once what flies far away.
    fn of(film: &Film, c: &mut Canvas, m: &Moment) -> Self {
        let (far, waiting): (Vec<usize>, Vec<usize>) =
            m.order.iter().partition(|slot| film.flies(**slot) && film.layout.objects.get(**slot).is_some_and(|object| object.depth > FAR));
        film.cutouts(c, m, &far);
        Self { waiting }
    }

    /// What floats at `y` (pixels from above) or further away.
    fn draw_above(&mut self, film: &Film, c: &mut Canvas, m: &Moment, y: f32) {
        let (due, waiting): (Vec<usize>, Vec<usize>) =
            self.waiting.iter().copied().partition(|slot| !film.flies(*slot) && film.waterline(m, *slot) <= y);
        film.cutouts(c, m, &due);
        self.waiting = waiting;
    }

    fn draw_rest(self, film: &Film, c: &mut Canvas, m: &Moment) {
        film.cutouts(c, m, &self.waiting);
    }
}

impl Film {
    fn flies(&self, slot: usize) -> bool {
        self.brief.slots.get(self.root(slot)).is_some_and(|root| zone(root, self.brief.backdrop) != Zone::Surface)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout;
    use crate::random::Random;
    use crate::scene::Program;

    #[test]
    fn a_film_without_things_has_no_roots_to_follow() {
        let program = Program {
            things: Vec::new(),
            backdrop: Backdrop::Sea,
            weather: Weather::Clear,
            hour: Hour::Day,
            setting: None,
            aurora: false,
            caption: None,
        };
        let brief = layout::brief(&program, 1.0, 2.0);
        let layout = layout::write(&brief, &mut Random::of(1, 1));
        let film = Film::of_layout(program, brief, layout, 32, 32, 24, 1);
        assert_eq!(film.root(3), 3);
        assert_eq!(film.waterline(&Moment::at(&film, 0), 3), film.height);
    }
}
