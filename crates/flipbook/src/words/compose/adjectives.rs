//! Adjectives and numbers: which thing a colour, a size or a count belongs to.

use crate::words::lexicon::{Part, Sense};
use crate::words::text::Gap;
use crate::words::traits::is_natural;

use super::{Composer, Fate};

impl Composer<'_> {
    pub(super) fn adjective(&mut self, at: usize, sense: &Sense) {
        let near = self.last.filter(|last| *last + 1 == at).is_some_and(|last| self.part(last) == Some(Part::Noun));
        let next = self.next_part(at);
        let noun = matches!(next, Some((Part::Noun, _)));
        // `a blue dancing cat`
        let follows = noun || matches!(next, Some((Part::Verb, _))) && !near && !self.lexicon.verb_last;
        // `a car that is not red`, `no snowy trees`
        if self.negated && (!noun || sense.weather.is_some() || sense.hour.is_some() || sense.place.is_some()) {
            self.negated = noun;
            self.fate(at, Fate::Absent);
            return;
        }
        self.weather_of(sense);
        let back = self.lexicon.noun_first && near || !follows;
        if back && self.describes_another(at) {
            let place =
                (0..at).rev().filter_map(|place| self.hit(place)).find(|hit| hit.sense.is(Part::Noun)).and_then(|hit| hit.sense.place);
            let natural = sense.colour.zip(place).is_some_and(|(colour, place)| is_natural(place, colour));
            if sense.weather.is_none() && sense.hour.is_none() && !natural {
                self.fate(at, Fate::Lost);
            }
            return;
        }
        let target = if back { self.described() } else { None };
        let Some(target) = target else {
            if let (Some(_), Some((_, replaced))) = (sense.colour, self.modifiers.colour) {
                self.fate(replaced, Fate::Lost);
            }
            self.modifiers.colour = sense.colour.map(|colour| (colour, at)).or(self.modifiers.colour);
            self.modifiers.size = sense.size.map(|size| (size, at)).or(self.modifiers.size);
            self.modifiers.effect = sense.effect.map(|effect| (effect, at)).or(self.modifiers.effect);
            return;
        };
        self.change(target, |thing| {
            thing.act = sense.act.or(thing.act);
            thing.colour = sense.colour.or(thing.colour);
            thing.size = sense.size.unwrap_or(thing.size);
            thing.effect = sense.effect.or(thing.effect);
            thing.said.push(at);
        });
    }

    /// A number counts the next noun; where verbs come last, also the one before, as in `rabbits, two`.
    pub(super) fn number(&mut self, at: usize, sense: &Sense) {
        let glued = self.units.get(at + 1).is_some_and(|unit| unit.gap < Gap::Comma);
        let follows = glued && matches!(self.part(at + 1), Some(Part::Noun | Part::Preposition | Part::Adjective));
        let last = self.shot.things.iter().rposition(|thing| {
            let named = thing.unit < at && (thing.unit + 1..at).all(|unit| self.part(unit) == Some(Part::Preposition));
            named && !thing.dropped && thing.count == 1
        });
        match (last.filter(|_| self.lexicon.verb_last && !follows), sense.count) {
            (Some(thing), Some(count)) => self.change(thing, |thing| (thing.count, thing.counted) = (count, Some(at))),
            (_, count) => self.modifiers.count = count.map(|count| (count, at)),
        }
    }

    /// An adjective stands with an unknown word or with a place: no thing has what it says.
    fn describes_another(&self, at: usize) -> bool {
        let glued = |place: usize| self.units.get(place).is_some_and(|unit| unit.gap < Gap::Comma);
        let before = (0..at).rev().find(|place| !matches!(self.part(*place), Some(Part::Adjective | Part::Adverb | Part::Auxiliary)));
        let named = before.filter(|place| (place + 1..=at).all(glued) && self.part(*place) == Some(Part::Noun));
        let scenery = named.is_some_and(|noun| !self.shot.things.iter().any(|thing| thing.unit == noun));
        let behind = before.is_some_and(|place| (place + 1..=at).all(glued) && self.is_unknown(place));
        scenery || if self.lexicon.noun_first { behind } else { glued(at + 1) && self.is_unknown(at + 1) }
    }

    /// It means nothing that is known, or nothing that could be drawn.
    fn is_unknown(&self, at: usize) -> bool {
        self.hit(at).is_none_or(|hit| hit.sense.ignored && hit.sense.is(Part::Noun))
    }

    /// The thing that an adjective behind it describes.
    fn described(&self) -> Option<usize> {
        let last = self.last.and_then(|last| self.shot.things.iter().rposition(|thing| thing.unit == last && !thing.dropped));
        last.or_else(|| self.subjects.first().copied()).or_else(|| self.shot.things.iter().rposition(|thing| !thing.dropped))
    }
}
