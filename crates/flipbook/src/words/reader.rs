//! What a prompt says beside the things in it: captions, where a shot begins, and what became of each word.

use std::ops::Range;

use crate::codes::{Motion, Relation};
use crate::sprites::SpriteId;

use super::compose::{Fate, LONGEST_CAPTION};
use super::lexicon::{Object, Part, Sense};
use super::scan::{Hit, Unit};
use super::text::{Gap, Shape, Token};
use super::{Meaning, Reading, Term};

/// For each unit the text that is written because of it; what follows `says` in the prompt is joined to one unit.
pub fn captions(prompt: &str, tokens: &[Token], units: &mut Vec<Unit>) -> Vec<String> {
    let text = |range: Range<usize>| -> String {
        let first = tokens.get(range.start).map_or(0, |token| token.at.start);
        let last = tokens.get(range.end.saturating_sub(1)).map_or(first, |token| token.at.end);
        prompt.get(first..last).unwrap_or_default().to_owned()
    };
    let mut captions: Vec<String> = Vec::new();
    let mut at = 0;
    while at < units.len() {
        let Some(unit) = units.get(at) else { break };
        let quotation = unit.shape == Shape::Quotation;
        let written = unit.hits.iter().any(|hit| hit.sense.written);
        let quotes = unit.hits.iter().any(|hit| hit.sense.quotes);
        if quotation {
            captions.push(tokens.get(unit.tokens.start).map(|token| token.key.clone()).unwrap_or_default());
        } else if written {
            captions.push(text(unit.tokens.clone()));
        } else {
            captions.push(String::new());
        }
        let next = at + 1;
        if quotes
            && units.get(next).is_some_and(|unit| unit.shape != Shape::Quotation && unit.gap < Gap::Stop)
            && !units.iter().skip(next).any(|unit| unit.shape == Shape::Quotation)
        {
            let end =
                (next + 1..units.len()).find(|place| units.get(*place).is_some_and(|unit| unit.gap >= Gap::Comma)).unwrap_or(units.len());
            let (Some(first), Some(last)) = (units.get(next), units.get(end - 1)) else { break };
            let joined = Unit { tokens: first.tokens.start..last.tokens.end, gap: first.gap, shape: Shape::Quotation, hits: Vec::new() };
            captions.push(text(joined.tokens.clone()));
            units.splice(next..end, [joined]);
            at = next;
        }
        at += 1;
    }
    captions.iter().map(|text| text.chars().take(LONGEST_CAPTION).collect()).collect()
}

pub struct Reader<'a> {
    pub prompt: &'a str,
    pub tokens: &'a [Token],
    pub units: &'a [Unit],
    pub picks: &'a [Option<usize>],
    pub captions: &'a [String],
}

impl Reader<'_> {
    fn hit(&self, at: usize) -> Option<Hit> {
        let pick = self.picks.get(at).copied().flatten()?;
        self.units.get(at)?.hits.get(pick).copied()
    }

    pub fn is_then(&self, at: usize) -> bool {
        self.hit(at).is_some_and(|hit| hit.sense.is(Part::Then))
    }

    /// `then` and its like, or a sentence in which somebody does something.
    pub fn begins_shot(&self, at: usize) -> bool {
        if self.is_then(at) {
            return (at + 1..self.units.len()).any(|next| self.tells(next));
        }
        let Some(unit) = self.units.get(at).filter(|unit| unit.gap == Gap::Stop && at > 0) else { return false };
        debug_assert!(!unit.tokens.is_empty());
        let end = (at + 1..self.units.len())
            .find(|next| self.units.get(*next).is_some_and(|unit| unit.gap == Gap::Stop))
            .unwrap_or(self.units.len());
        let (mut named, mut moves, mut refers) = (false, false, false);
        for next in at..end {
            if let Some(hit) = self.hit(next) {
                let subject = hit.sense.sprite.is_some() || hit.sense.is(Part::Pronoun);
                refers |= named && hit.sense.is(Part::Pronoun);
                named |= subject && !moves;
                moves |= named && hit.sense.is(Part::Verb) && (hit.sense.motion.is_some() || hit.sense.act.is_some());
            }
        }
        moves && !refers
    }

    /// The first thing that is named from here on.
    pub fn subject(&self, at: usize) -> Option<SpriteId> {
        (at..self.units.len()).find_map(|place| self.hit(place)?.sense.sprite)
    }

    /// It names a thing or says what happens.
    fn tells(&self, at: usize) -> bool {
        self.hit(at).is_some_and(|hit| hit.sense.is_scene() || hit.sense.motion.is_some() || hit.sense.act.is_some())
    }

    pub fn terms(&self, fates: &[Fate]) -> Vec<Term> {
        (0..self.units.len()).filter_map(|at| self.term(at, fates.get(at).copied().unwrap_or(Fate::Lost))).collect()
    }

    fn term(&self, at: usize, fate: Fate) -> Option<Term> {
        let unit = self.units.get(at)?;
        let start = self.tokens.get(unit.tokens.start)?.at.start;
        let end = self.tokens.get(unit.tokens.end.checked_sub(1)?)?.at.end;
        let range = start..end;
        let text = self.prompt.get(range.clone())?.to_owned();
        Some(Term { text, at: range, reading: self.reading(at, fate) })
    }

    fn reading(&self, at: usize, fate: Fate) -> Reading {
        if fate == Fate::Written {
            return Reading::Understood(Meaning::Caption(self.captions.get(at).cloned().unwrap_or_default()));
        }
        let Some(hit) = self.hit(at) else { return Reading::Ignored };
        if fate == Fate::Cut {
            return Reading::Understood(Meaning::Shot);
        }
        if hit.sense.filler || hit.sense.is(Part::Preposition) && fate == Fate::Lost {
            return Reading::Filler;
        }
        if hit.sense.ignored || fate == Fate::Lost {
            return Reading::Ignored;
        }
        let meaning = if fate == Fate::Absent { Some(Meaning::Absent) } else { meaning(hit.sense, fate) };
        match meaning {
            Some(meaning) if hit.sure => Reading::Understood(meaning),
            Some(meaning) => Reading::Guess(meaning),
            None => Reading::Filler,
        }
    }
}

/// The foremost of what a sense says.
fn meaning(sense: &Sense, fate: Fate) -> Option<Meaning> {
    let place = sense.place.map(Meaning::Backdrop);
    if fate == Fate::Place && place.is_some() {
        return place;
    }
    let act = sense.act.map(Meaning::Act);
    let motion = sense.motion.map(Meaning::Motion);
    let idle = matches!(sense.motion, None | Some(Motion::Idle));
    let gives = sense.effect.map(Meaning::Effect);
    let played = (sense.object == Some(Object::Played)).then_some(Meaning::Relation(Relation::Play));
    let first =
        if sense.is(Part::Verb) { act.or(sense.mount.map(Meaning::Thing)).or(gives.filter(|_| idle)).or(played).or(motion) } else { None };
    let relation = sense.relation.filter(|relation| *relation != Relation::None).map(Meaning::Relation);
    let object = match sense.object {
        Some(Object::Subject(relation)) if sense.is(Part::Verb) => Some(Meaning::Relation(relation)),
        Some(Object::Worn) if sense.is(Part::Verb) => Some(Meaning::Relation(Relation::Wear)),
        Some(Object::Beside | Object::Tossed) if sense.is(Part::Verb) => Some(Meaning::Relation(Relation::Beside)),
        _ => None,
    };
    let aurora = sense.aurora.then_some(Meaning::Aurora);
    let count = sense.count.filter(|_| sense.is(Part::Number)).map(Meaning::Count);
    first
        .or(sense.sprite.map(Meaning::Thing))
        .or(aurora)
        .or(place)
        .or(sense.weather.map(Meaning::Weather))
        .or(sense.hour.map(Meaning::Hour))
        .or(sense.style.map(Meaning::Style))
        .or(object)
        .or(sense.effect.map(Meaning::Effect))
        .or(sense.colour.map(Meaning::Colour))
        .or(sense.size.map(Meaning::Size))
        .or(count)
        .or(relation)
}
