//! Which of its senses a word has where it stands: after `a` it is a noun, after a subject a verb.

use super::forms::Form;
use super::lexicon::{Part, Sense, english};
use super::scan::{Hit, Unit};
use super::text::Gap;
use super::traits::base;
use crate::codes::{Act, Kind, Motion};
use crate::sprites::atlas;

/// For each unit the place of the hit that is meant; `None` for unknown words.
///
/// `english`: verbs agree with their subjects.
pub fn choose(units: &[Unit], english: bool) -> Vec<Option<usize>> {
    let mut chosen: Vec<Option<usize>> = Vec::with_capacity(units.len());
    for (at, unit) in units.iter().enumerate() {
        let before = Before { english, ..Before::of(units, &chosen, at) };
        let after = After::of(units, at);
        let best = unit.hits.iter().enumerate().map(|(place, hit)| (place, score(hit, &before, &after))).reduce(|best, next| {
            // The first of equals.
            if next.1 > best.1 { next } else { best }
        });
        chosen.push(best.map(|(place, _)| place));
    }
    chosen
}

/// What is made and is no food.
const BUILT: [&str; 5] = ["snowman", "snowman-without-snow", "sandcastle", "igloo", "treehouse"];

/// Gives verbs the meaning that they have with their objects: a baby is rocked in the arms, nobody is hurt by running over a rainbow,
/// and a snowman is not cooked.
pub fn suit_objects(units: &mut [Unit], picks: &[Option<usize>], verb_last: bool) {
    for at in 0..units.len() {
        let named = if verb_last { object_before(units, picks, at) } else { object(units, picks, at) };
        let (Some(pick), Some(object)) = (picks.get(at).copied().flatten(), named.and_then(|object| object.sprite)) else { continue };
        let Some(hit) = units.get_mut(at).and_then(|unit| unit.hits.get_mut(pick)).filter(|hit| hit.sense.is(Part::Verb)) else { continue };
        let meant = match (hit.sense.motion, hit.sense.act) {
            (Some(Motion::Swing), None) if base(object) == "baby" => "cradle",
            (_, Some(Act::Crush)) if base(object) == "bridge" || atlas().get(object).kind == Kind::Sky => "run right over",
            (_, Some(Act::Cook)) if BUILT.contains(&base(object)) => "build",
            _ => continue,
        };
        if let Some(sense) = english().find(meant).next() {
            hit.sense = sense;
        }
    }
}

/// The noun before a verb that comes last, and before the particle between both.
fn object_before(units: &[Unit], picks: &[Option<usize>], at: usize) -> Option<&'static Sense> {
    let chosen = |place: usize| picks.get(place).copied().flatten().and_then(|pick| units.get(place)?.hits.get(pick)).map(|hit| hit.sense);
    let within = (0..at).rev().take_while(|place| units.get(place + 1).is_some_and(|next| next.gap < Gap::Comma));
    let mut senses = within.map(chosen);
    let is_particle = |sense: &Sense| matches!(sense.part, Some(Part::Preposition | Part::Postposition));
    senses.find(|sense| !sense.is_some_and(is_particle)).flatten().filter(|sense| sense.is(Part::Noun))
}

/// The noun that follows at once, with its article, numbers and adjectives.
pub fn object(units: &[Unit], picks: &[Option<usize>], at: usize) -> Option<&'static Sense> {
    let within = units.iter().zip(picks).skip(at + 1).take_while(|(unit, _)| unit.gap < Gap::Comma);
    let mut senses = within.map(|(unit, pick)| pick.and_then(|pick| unit.hits.get(pick)).map(|hit| hit.sense));
    let describes = |sense: &Sense| matches!(sense.part, Some(Part::Determiner | Part::Number | Part::Adjective));
    senses.find(|sense| !sense.is_some_and(describes)).flatten().filter(|sense| sense.is(Part::Noun))
}

/// What stands before a word in its clause.
struct Before {
    /// Adverbs passed over; `None` at the start of a clause.
    part: Option<Part>,
    plural: bool,
    verbal: bool,
    english: bool,
}

impl Before {
    fn of(units: &[Unit], chosen: &[Option<usize>], at: usize) -> Self {
        let none = Self { part: None, plural: false, verbal: false, english: true };
        let mut place = at;
        while units.get(place).is_some_and(|unit| unit.gap < Gap::Comma) && place > 0 {
            place -= 1;
            let Some(unit) = units.get(place) else { return none };
            let Some(hit) = chosen.get(place).copied().flatten().and_then(|pick| unit.hits.get(pick)) else {
                // An unknown word is most likely a noun.
                return Self { part: Some(Part::Noun), ..none };
            };
            if hit.sense.is(Part::Adverb) {
                continue;
            }
            // `a blooming rose`: the verb describes what follows.
            let describes =
                hit.sense.is(Part::Verb) && matches!(hit.form, Form::Ing | Form::Past) && place + 1 == at && unit.gap < Gap::Comma && {
                    let before = place
                        .checked_sub(1)
                        .and_then(|place| chosen.get(place).copied().flatten().and_then(|pick| units.get(place)?.hits.get(pick)));
                    before.is_some_and(|hit| matches!(hit.sense.part, Some(Part::Determiner | Part::Number | Part::Adjective)))
                };
            if describes {
                return Self { part: Some(Part::Adjective), ..none };
            }
            return Self {
                part: hit.sense.part,
                plural: hit.form == Form::Plural || hit.sense.many,
                verbal: hit.sense.is(Part::Verb) && hit.form != Form::Ing,
                ..none
            };
        }
        none
    }
}

/// What may stand behind a word in its clause.
struct After {
    end: bool,
    parts: Vec<(Part, Form)>,
    unknown: bool,
}

impl After {
    fn of(units: &[Unit], at: usize) -> Self {
        let next = units.get(at + 1).filter(|unit| unit.gap < Gap::Comma);
        let parts = next.map(|unit| unit.hits.iter().filter_map(|hit| hit.sense.part.map(|part| (part, hit.form))).collect());
        Self { end: next.is_none(), unknown: next.is_some_and(|unit| unit.hits.is_empty()), parts: parts.unwrap_or_default() }
    }

    fn may(&self, part: Part) -> bool {
        self.parts.iter().any(|(other, _)| *other == part)
    }

    fn noun(&self) -> bool {
        self.may(Part::Noun) || self.unknown
    }

    fn only_verb(&self) -> bool {
        self.parts.iter().any(|(part, _)| *part == Part::Verb) && !self.noun()
    }
}

fn score(hit: &Hit, before: &Before, after: &After) -> f32 {
    let Sense { part: Some(part), .. } = hit.sense else { return 0.0 };
    let score = match part {
        Part::Noun => noun(hit, before, after),
        Part::Verb => verb(hit, before, after),
        Part::Adjective => adjective(before, after),
        Part::Auxiliary | Part::Preposition | Part::Adverb | Part::Conjunction => match before.part {
            Some(Part::Determiner | Part::Adjective) => -0.5,
            _ => 1.6,
        },
        _ => 1.5,
    };
    // What can be drawn, before what cannot.
    score - if hit.sense.ignored { 0.2 } else { 0.0 } - if hit.sense.filler { 0.1 } else { 0.0 }
}

fn noun(hit: &Hit, before: &Before, after: &After) -> f32 {
    let place = match before.part {
        Some(Part::Determiner | Part::Number | Part::Adjective) => 3.0,
        Some(Part::Preposition | Part::Negation) => 2.0,
        Some(Part::Verb) => 1.2,
        Some(Part::Noun) => 0.0,
        Some(Part::Pronoun | Part::Auxiliary | Part::Relative) => -2.0,
        _ => 1.0,
    };
    let tail = if after.only_verb() { 1.0 } else { 0.0 };
    let doubtful = if hit.form == Form::Plural && before.part == Some(Part::Noun) { -0.3 } else { 0.0 };
    place + tail + doubtful
}

fn verb(hit: &Hit, before: &Before, after: &After) -> f32 {
    let goes_on = after.end
        || [Part::Determiner, Part::Preposition, Part::Adverb, Part::Pronoun, Part::Number, Part::Conjunction]
            .into_iter()
            .any(|part| after.may(part));
    match hit.form {
        Form::Ing => match before.part {
            Some(Part::Determiner | Part::Adjective) if after.noun() => 3.5,
            Some(Part::Determiner | Part::Adjective) => 0.5,
            Some(Part::Noun | Part::Pronoun | Part::Auxiliary | Part::Relative) => 2.5,
            _ => 1.6,
        },
        form => match before.part {
            Some(Part::Determiner | Part::Number | Part::Adjective) if form == Form::Past && after.noun() => 3.1,
            Some(Part::Determiner | Part::Number | Part::Adjective) => -2.0,
            Some(Part::Preposition) => -1.0,
            Some(Part::Auxiliary | Part::Pronoun | Part::Relative) => 3.0,
            Some(Part::Noun) => {
                let agrees = match form {
                    Form::Third => !before.plural,
                    Form::Base => before.plural || !before.english,
                    _ => true,
                };
                1.0 + if goes_on { 1.0 } else { 0.0 } + if agrees { 0.5 } else { -1.2 }
            }
            // `watch the stars`, `draw a cat`
            None if form == Form::Base && (after.may(Part::Determiner) || after.may(Part::Pronoun) || after.may(Part::Number)) => 2.0,
            Some(Part::Conjunction) if goes_on && form != Form::Base => 1.4,
            Some(Part::Then) => 2.0,
            _ if before.verbal => -1.0,
            _ => 0.4,
        },
    }
}

fn adjective(before: &Before, after: &After) -> f32 {
    let followed = after.noun() || after.may(Part::Adjective) && !after.may(Part::Verb);
    let described = after.parts.iter().any(|(part, form)| *part == Part::Verb && matches!(form, Form::Ing | Form::Past));
    match before.part {
        _ if described && !followed => 2.5,
        Some(Part::Auxiliary | Part::Adverb) => 2.5,
        _ if followed => 4.0,
        Some(Part::Determiner | Part::Number) => 0.8,
        _ => 1.2,
    }
}
