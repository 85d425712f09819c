//! Whether a noun that may be a building or what is in it is a place.

use crate::codes::{Backdrop, Relation};
use crate::words::lexicon::{Part, Sense};

use super::{Composer, Link};

impl Composer<'_> {
    /// A noun that is a thing and a place is a place after `in` and `at`; a building is one unless it is seen from outside.
    pub(super) fn is_place(&self, at: usize, sense: &Sense) -> bool {
        let Some(Link::Preposition { at: word, relation: Relation::In | Relation::None, .. }) = &self.link else { return false };
        let outer = self.hit(*word).is_some_and(|hit| hit.sense.outer) || self.is_outdoors(at);
        let place = sense.place.is_some() && !(outer && sense.setting.is_some());
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
