//! Whether a noun that may be a building or what is in it is a place.

use crate::codes::{Backdrop, Relation, Setting};
use crate::words::lexicon::{Object, Part, Sense};

use super::{Composer, Link};

impl Composer<'_> {
    /// A noun that is a thing and a place is a place after `in` and `at`, a bridge after `on`; a building is one unless it is seen
    /// from outside.
    pub(super) fn is_place(&self, at: usize, sense: &Sense) -> bool {
        let trodden = sense.setting.is_some_and(Setting::is_trodden);
        let inside = match &self.link {
            Some(Link::Preposition { at: word, relation: Relation::In | Relation::None, .. }) => {
                let outer = self.hit(*word).is_some_and(|hit| hit.sense.outer) || self.is_outdoors(at);
                !(outer && sense.setting.is_some_and(|setting| setting.backdrop() == Backdrop::Room))
            }
            Some(Link::Preposition { relation: Relation::On | Relation::Above, .. }) => trodden,
            Some(Link::Verb { sense: verb, .. }) => trodden && verb.object == Some(Object::Subject(Relation::On)),
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
}
