//! Scenes that nobody trained on, and their films.

use std::fmt;

use flipbook::codes::{Relation, Weather};
use flipbook::layout::{Settled, random_brief};
use flipbook::paint::film::Film;
use flipbook::random::Random;
use flipbook::scene::{Brief, Program, Slot, Thing};
use flipbook::sprites::atlas;

/// A stream of chance that training, which draws all from seed 0, has no part in.
const PURPOSE: u64 = 0x7175_616c;
const ASPECTS: [(&str, f32); 4] = [("9:16", 9.0 / 16.0), ("1:1", 1.0), ("4:3", 4.0 / 3.0), ("16:9", 16.0 / 9.0)];

/// One to six things in a place, in a light, a weather and a frame of one of four aspects.
pub struct Scene {
    pub seed: u64,
    pub brief: Brief,
    /// As people write it.
    pub aspect: &'static str,
}

impl Scene {
    pub fn of(seed: u64) -> Self {
        let mut brief = random_brief(&mut Random::of(seed, PURPOSE));
        let (name, aspect) = ASPECTS[seed as usize % ASPECTS.len()];
        brief.aspect = aspect;
        for (index, slot) in brief.slots.iter_mut().enumerate() {
            slot.thing = index;
        }
        Self { seed, brief, aspect: name }
    }

    /// Chance for what rules write.
    pub fn random(&self) -> Random {
        Random::of(self.seed, PURPOSE + 1)
    }

    /// Drawn with a longer side of `side` pixels.
    pub fn film(&self, settled: Settled, side: usize) -> Film {
        let shorter = (side as f32 * self.brief.aspect.min(1.0 / self.brief.aspect)).round() as usize;
        let (width, height) = if self.brief.aspect >= 1.0 { (side, shorter) } else { (shorter, side) };
        Film::new(self.program(), self.brief.clone(), settled, width, height, 24, self.seed)
    }

    /// Its kinds, motions, relations and its place, each once.
    pub fn traits(&self) -> Vec<String> {
        let of = |slot: &Slot| {
            [format!("kind {}", slot.kind.name()), format!("motion {}", slot.motion.name()), format!("relation {}", slot.relation.name())]
        };
        let place = format!("place {}", self.brief.backdrop.name());
        let mut traits: Vec<String> = self.brief.slots.iter().flat_map(of).chain([place]).collect();
        traits.sort_unstable();
        traits.dedup();
        traits
    }

    /// A program that has this brief: a thing for each slot.
    pub fn program(&self) -> Program {
        let thing = |slot: &Slot| Thing {
            course: None,
            sprite: slot.sprite,
            motion: slot.motion,
            colour: None,
            size: slot.size,
            count: 1,
            relation: slot.relation,
            parent: slot.parent,
            effect: None,
            act: None,
            added: false,
        };
        let Brief { backdrop, weather, hour, .. } = self.brief;
        Program {
            things: self.brief.slots.iter().map(thing).collect(),
            backdrop,
            weather,
            hour,
            setting: None,
            aurora: false,
            caption: None,
        }
    }
}

/// `cat (animal) runs, hat (prop) still wear 0; street, rain, day, 16:9`
impl fmt::Display for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, slot) in self.brief.slots.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}{} ({}) {}", atlas().get(slot.sprite).name, slot.kind.name(), slot.motion.name())?;
            if let Some(parent) = slot.parent.filter(|_| slot.relation != Relation::None) {
                write!(f, " {} {parent}", slot.relation.name())?;
            }
        }
        let Brief { backdrop, weather, hour, .. } = &self.brief;
        write!(f, "; {}", backdrop.name())?;
        if *weather != Weather::Clear {
            write!(f, ", {}", weather.name())?;
        }
        write!(f, ", {}, {}", hour.name(), self.aspect)
    }
}
