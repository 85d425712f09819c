//! Whether a noun that may be a thing, a building or what is in it is the place, and what names a place.

use crate::codes::{Backdrop, Relation, Setting, Way};
use crate::words::lexicon::{Object, Part, Sense};
use crate::words::text::Gap;

use super::{Composer, Link};

impl Composer<'_> {
    /// A noun that is a thing and a place is a place after `in` and `at`, a bridge after `on`; a building is one unless it is seen
    /// from outside.
    pub(super) fn is_place(&self, at: usize, sense: &Sense) -> bool {
        let inside = match &self.link {
            Some(Link::Preposition { at: word, relation: Relation::In | Relation::None, way: Some(way), .. })
                if passes(*way) && !self.hit(*word).is_some_and(|hit| hit.sense.edge) =>
            {
                false
            }
            Some(Link::Preposition { at: word, relation: Relation::In | Relation::None, .. }) => {
                let outer = self.hit(*word).is_some_and(|hit| hit.sense.outer) || self.is_outdoors(at);
                !(outer && sense.setting.is_some_and(|setting| setting.backdrop() == Backdrop::Room))
            }
            Some(Link::Preposition { relation: Relation::On | Relation::Above, .. }) => self.is_trodden(at, sense),
            Some(Link::Verb { sense: verb, .. }) => verb.object == Some(Object::Subject(Relation::On)) && self.is_trodden(at, sense),
            _ => false,
        };
        let place = sense.place.is_some() && inside;
        place && (sense.sprite.is_none() || !self.shot.things.is_empty() || self.orphan.is_some())
    }

    /// Another word says that it is all outdoors: `a tent in the forest`.
    fn is_outdoors(&self, at: usize) -> bool {
        let indoors = |place| matches!(place, Backdrop::Room | Backdrop::Kitchen | Backdrop::Stage | Backdrop::Window);
        let others = (0..self.units.len()).filter(|other| *other != at).filter_map(|other| self.hit(other));
        others
            .filter(|hit| hit.sense.is(Part::Noun) && hit.sense.sprite.is_none())
            .any(|hit| hit.sense.place.is_some_and(|place| !indoors(place)))
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

/// What somebody moves past, over or out of is a thing.
fn passes(way: Way) -> bool {
    matches!(way, Way::Past | Way::Over | Way::Around | Way::Toward | Way::Up | Way::Down | Way::Out)
}
