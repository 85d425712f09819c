//! Whether a noun that may be a thing or a place is the place, and what names a place.

use crate::codes::{Relation, Setting};
use crate::words::lexicon::{Object, Part, Sense};
use crate::words::text::Gap;

use super::{Composer, Link};

impl Composer<'_> {
    /// A noun that is a thing and a place is a place after `in` and `at`.
    pub(super) fn is_place(&self, at: usize, sense: &Sense) -> bool {
        let inside = match &self.link {
            Some(Link::Preposition { relation: Relation::In | Relation::None, .. }) => true,
            Some(Link::Preposition { relation: Relation::On | Relation::Above, .. }) => self.is_trodden(at, sense),
            Some(Link::Verb { sense: verb, .. }) => verb.object == Some(Object::Subject(Relation::On)) && self.is_trodden(at, sense),
            _ => false,
        };
        let place = sense.place.is_some() && inside;
        place && (sense.sprite.is_none() || !self.shot.things.is_empty() || self.orphan.is_some())
    }

    /// It is a place to who is on it, and the only one: a bridge in the mountains is a thing.
    fn is_trodden(&self, at: usize, sense: &Sense) -> bool {
        let elsewhere = (at + 1..self.units.len())
            .filter_map(|place| self.hit(place))
            .any(|hit| hit.sense.is(Part::Noun) && hit.sense.place.is_some() && hit.sense.sprite.is_none());
        !elsewhere && sense.setting.is_some_and(Setting::is_trodden)
    }

    pub(super) fn is_named_by_a_place(&self, at: usize) -> bool {
        let glued = self.units.get(at).is_some_and(|unit| unit.gap < Gap::Comma);
        let head_last = !self.lexicon.verb_last && !self.lexicon.noun_first;
        let last = self.last.filter(|last| *last + 1 == at && glued && head_last && self.part(at) == Some(Part::Noun));
        let last = last.filter(|last| self.shot.things.iter().all(|thing| thing.unit != *last || thing.dropped));
        last.and_then(|last| self.hit(last)).is_some_and(|hit| hit.sense.is(Part::Noun) && hit.sense.place.is_some())
    }
}
