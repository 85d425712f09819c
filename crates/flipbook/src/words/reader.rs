//! What a prompt says beside the things in it: captions, and where a shot begins.

use std::ops::Range;

use crate::sprites::SpriteId;

use super::compose::LONGEST_CAPTION;
use super::lexicon::Part;
use super::scan::{Hit, Unit};
use super::text::{Gap, Shape, Token};

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
    pub fn hit(&self, at: usize) -> Option<Hit> {
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
}
