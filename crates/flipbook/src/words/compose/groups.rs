//! Words that name several: families, herds, couples.

use crate::codes::Kind;
use crate::sprites::SpriteId;
use crate::words::lexicon::Sense;
use crate::words::text::Gap;

use super::{Composer, Draft, Modifiers};

impl Composer<'_> {
    /// `the family` is the family that has been spoken of.
    pub(super) fn is_known_group(&mut self, sense: &Sense) -> bool {
        let named = |thing: &Draft| !thing.dropped && self.hit(thing.unit).is_some_and(|hit| std::ptr::eq(hit.sense, sense));
        let known: Vec<usize> = (0..self.shot.things.len()).filter(|place| self.shot.things.get(*place).is_some_and(named)).collect();
        let is_known = self.modifiers.definite && !known.is_empty();
        if is_known {
            (self.link, self.subjects, self.naming) = (None, known, true);
            self.lose_modifiers();
            self.modifiers = Modifiers::default();
        }
        is_known
    }

    /// `a penguin family`: several penguins.
    pub(super) fn is_herd(&mut self, at: usize) -> bool {
        let glued = self.units.get(at).is_some_and(|unit| unit.gap < Gap::Comma) && self.lexicon.language == "en";
        let last = self.last.filter(|last| *last + 1 == at && glued);
        let herd = last.and_then(|last| self.shot.things.iter().rposition(|thing| thing.unit == last && thing.alive()));
        let Some(herd) = herd.filter(|herd| self.shot.things.get(*herd).is_some_and(|thing| thing.kind() != Kind::Person)) else {
            return false;
        };
        self.change(herd, |thing| {
            thing.count = thing.count.max(3);
            thing.counted = Some(at);
        });
        true
    }

    /// All of a family do what the first of them does.
    pub(super) fn join(&mut self, all: &[usize]) {
        let Some((first, rest)) = all.split_first() else { return };
        let Some(lead) = self.shot.things.get(*first).cloned() else { return };
        for other in rest {
            self.change(*other, |thing| {
                thing.motions.clone_from(&lead.motions);
                (thing.act, thing.effect, thing.object) = (lead.act, lead.effect, lead.object);
            });
        }
        if self.subjects.contains(first) {
            self.subjects.extend(rest);
        }
    }
}

/// The drawings of a word that names several, the copies shared out between them.
pub(super) fn members(draft: Draft, sense: &Sense) -> Vec<Draft> {
    let several = 1 + sense.company.len();
    if several == 1 {
        return vec![draft];
    }
    // `five people` are five, `two couples` are four.
    let total = match draft.counted {
        _ if sense.many => draft.count,
        Some(_) => draft.count * several,
        None => draft.count.max(several),
    };
    let member = |(place, sprite): (usize, SpriteId)| {
        let count = total / several + usize::from(place < total % several);
        let counted = draft.counted.filter(|_| sense.many || place == 0);
        (count > 0).then(|| Draft { sprite, count, counted, ..draft.clone() })
    };
    sense.sprites().enumerate().filter_map(member).collect()
}
