//! Words that add nothing of their own: what has been spoken of, moods, the weather said again, and whose hand it is.

use super::{Composer, Modifiers, still};
use crate::codes::Weather;
use crate::sprites::{SpriteId, atlas};
use crate::words::forms::Form;
use crate::words::lexicon::{Part, Sense};
use crate::words::scan::Hit;
use crate::words::text::{Gap, Shape};
use crate::words::traits::{base, traits};

/// Drawings of weather.
const WEATHERS: [(&str, Weather); 7] = [
    ("fireworks", Weather::Fireworks),
    ("sparkler", Weather::Fireworks),
    ("snowflake", Weather::Snow),
    ("cloud-with-rain", Weather::Rain),
    ("fallen-leaf", Weather::Leaves),
    ("confetti-ball", Weather::Confetti),
    ("party-popper", Weather::Confetti),
];

impl Composer<'_> {
    /// `the cat` is the cat that has been spoken of.
    pub(super) fn same(&mut self, sprite: SpriteId, hit: Hit) -> Option<usize> {
        if !self.modifiers.definite || hit.form == Form::Plural || !hit.sense.company.is_empty() {
            return None;
        }
        if let Some(known) = self.shot.things.iter().position(|thing| thing.sprite == sprite && !thing.dropped) {
            return Some(known);
        }
        // `the roof`, where there is a house.
        if traits().has(sprite, "of-a-house")
            && let Some(house) = self.shot.things.iter().rposition(|thing| !thing.dropped && traits().has(thing.sprite, "house"))
        {
            return Some(house);
        }
        let known = self.earlier.iter().find(|thing| thing.sprite == sprite && !thing.dropped)?.clone();
        self.shot.things.push(still(known));
        Some(self.shot.things.len() - 1)
    }

    /// `the red cat`: the cat that has been spoken of stays as it is, so that only what was known of it is said again.
    pub(super) fn described_again(&mut self, known: usize) {
        let Some(thing) = self.shot.things.get(known) else { return };
        let is_known = [
            self.modifiers.colour.map(|(colour, _)| thing.colour == Some(colour)),
            self.modifiers.size.map(|(size, _)| thing.size == size),
        ];
        if is_known.contains(&Some(false)) {
            self.lose_modifiers();
        }
        self.modifiers = Modifiers::default();
    }

    pub(super) fn is_emoji(&self, at: usize) -> bool {
        self.units.get(at).is_some_and(|unit| unit.shape == Shape::Emoji)
    }

    /// An emoji behind words that says how its writer feels, or once more what the weather is or what was named.
    pub(super) fn adds_nothing(&self, sense: &Sense) -> bool {
        let Some(sprite) = sense.sprite else { return false };
        let is_face = ["face-", "cat-face", "monkey-face"].iter().any(|group| atlas().get(sprite).group.starts_with(group));
        let is_mood = is_face && !self.shot.things.is_empty();
        let is_weather = WEATHERS.iter().any(|(name, weather)| *name == base(sprite) && self.shot.weather == Some(*weather));
        let is_named = self.shot.things.iter().any(|thing| thing.sprite == sprite && !thing.dropped && !self.is_emoji(thing.unit));
        is_mood || is_weather || is_named
    }

    /// `a pirates shoulder`, `the cats tail`: one, whose apostrophe is missing.
    pub(super) fn owns_what_follows(&self, at: usize) -> bool {
        let is_next = self.units.get(at + 1).is_some_and(|next| next.gap < Gap::Comma && next.shape == Shape::Word);
        let Some(next) = self.hit(at + 1).filter(|_| is_next && self.lexicon.language == "en") else { return false };
        let is_worn = next.sense.sprite.is_some_and(|sprite| traits().has(sprite, "hat") || traits().has(sprite, "clothes"));
        let is_of_a_body = next.sense.sprite.map_or(next.sense.ignored, |sprite| atlas().get(sprite).group == "body-parts");
        next.sense.is(Part::Noun) && (is_worn || is_of_a_body)
    }
}
