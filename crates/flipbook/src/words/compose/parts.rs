//! Nouns that are no things of their own beside the one that has been spoken of: parts of its body, its young and its
//! mother, what fills a basket.

use crate::codes::{Act, Backdrop, Kind, Relation};
use crate::sprites::{SpriteId, atlas};
use crate::words::forms::Form;
use crate::words::lexicon::Part;
use crate::words::text::Gap;
use crate::words::traits::{base, traits};

use super::{Composer, Draft, Link};

/// People whom an animal has, too, and how large they are beside it.
const KIN: [(&str, i8); 5] = [("woman", 0), ("man", 0), ("baby", -1), ("boy", -1), ("girl", -1)];
/// What lies in a basket or a box when no number is said.
const A_BASKET_OF: usize = 3;

impl Composer<'_> {
    /// A nose, a shoulder, fur: what is said of it is said of who has it.
    pub(super) fn part_of_a_body(&mut self, at: usize) {
        let glued = self.units.get(at).is_some_and(|unit| unit.gap < Gap::Comma);
        let last = self.last.filter(|last| *last + 1 == at && glued);
        let named = last.and_then(|last| self.shot.things.iter().rposition(|thing| thing.unit == last && !thing.alive()));
        if let Some(named) = named {
            // `a carrot nose and a scarf`
            self.drop_thing(named);
            if self.part(at + 1) == Some(Part::Conjunction) && self.is_worn_next(at + 2) {
                let subjects = self.heads();
                self.link = Some(Link::Preposition { at, relation: Relation::Beside, worn: true, subjects });
            }
        }
        match self.link {
            Some(Link::Preposition { relation: Relation::On, .. }) => self.perch(),
            Some(Link::Preposition { relation: Relation::Beside, worn: true, .. }) if self.is_of_fur(at) => self.colour_subject(),
            _ => {}
        }
    }

    /// `a parrot on his shoulder`: on whoever it was beside.
    fn perch(&mut self) {
        let Some(last) = self.shot.things.iter().rposition(|thing| !thing.dropped) else { return };
        let carrier = self.shot.things.get(last).filter(|thing| thing.alive() && thing.relation == Relation::Beside);
        let carrier = carrier.and_then(|thing| self.shot.things.get(thing.parent?)).is_some_and(Draft::alive);
        if carrier {
            self.change(last, |thing| thing.relation = Relation::On);
        }
    }

    fn is_of_fur(&self, at: usize) -> bool {
        self.hit(at).is_some_and(|hit| hit.sense.coat)
    }

    /// `with white fur`: an animal has the colour of what covers it.
    fn colour_subject(&mut self) {
        let subject = self.heads().first().copied();
        let animal = |thing: &Draft| thing.alive() && thing.kind() != Kind::Person;
        let (Some((colour, unit)), Some(subject)) = (self.modifiers.colour, subject) else { return };
        if self.shot.things.get(subject).is_some_and(animal) {
            self.modifiers.colour = None;
            self.change(subject, |thing| {
                thing.colour = Some(colour);
                thing.said.push(unit);
            });
        }
    }

    /// `with blue feathers`: they are the bird's own.
    pub(super) fn is_plumage(&mut self, sprite: SpriteId) -> bool {
        let with = matches!(self.link, Some(Link::Preposition { relation: Relation::Beside, worn: true, .. }));
        let borne = self.heads().first().and_then(|subject| self.shot.things.get(*subject)).is_some_and(Draft::alive);
        let is_plumage = with && borne && base(sprite) == "feather";
        if is_plumage {
            self.colour_subject();
        }
        is_plumage
    }

    /// `a lamb and its mother`: of the same kind, and its size beside it.
    pub(super) fn kin(&self, at: usize, sprite: SpriteId) -> Option<(SpriteId, i8)> {
        let (_, size) = KIN.iter().find(|(name, _)| *name == base(sprite))?;
        let owner = (0..at).rev().find(|place| self.part(*place) != Some(Part::Adjective)).and_then(|place| self.hit(place))?;
        let subject = self.heads().first().copied().filter(|_| owner.sense.owned)?;
        let animal = self.shot.things.get(subject).filter(|thing| thing.alive() && thing.kind() != Kind::Person)?;
        Some((animal.sprite, *size))
    }

    /// `a newspaper boy` is a boy; `a cello player` plays what is returned.
    pub(super) fn names_a_trade(&mut self, at: usize, sprite: SpriteId) -> Option<usize> {
        let glued = self.units.get(at).is_some_and(|unit| unit.gap < Gap::Comma) && self.lexicon.language == "en";
        let last = self.last.filter(|last| *last + 1 == at && glued && self.hit(*last).is_some_and(|hit| hit.form == Form::Base))?;
        let thing = self.shot.things.iter().rposition(|thing| thing.unit == last && thing.kind() == Kind::Prop && !thing.dropped)?;
        if atlas().get(sprite).kind != Kind::Person || self.is_emoji(at) || self.is_emoji(last) {
            return None;
        }
        if traits().has(self.shot.things.get(thing)?.sprite, "instrument") {
            self.subjects.retain(|subject| *subject != thing);
            return Some(thing);
        }
        self.drop_thing(thing);
        None
    }

    /// `a basket of apples`: both are seen. False where what is held stands for the whole.
    pub(super) fn fill(&mut self, holder: usize, content: &Draft) -> bool {
        let open = |thing: &Draft| matches!(base(thing.sprite), "basket" | "bucket" | "package");
        if !self.shot.things.get(holder).is_some_and(open) || !(content.kind() == Kind::Prop || content.alive()) {
            return false;
        }
        let count = if content.counted.is_some() { content.count } else { content.count.max(A_BASKET_OF) };
        self.shot.things.push(Draft { count, relation: Relation::In, parent: Some(holder), ..content.clone() });
        self.change(holder, |holder| holder.landmark = true);
        true
    }

    /// What `on` means of some things: a phone is in a hand, a clock on the wall is in a room. True where that is all.
    pub(super) fn is_on_otherwise(&mut self, subject: usize, other: usize, relation: Relation) -> bool {
        let (Some(one), Some(two)) = (self.shot.things.get(subject), self.shot.things.get(other)) else { return false };
        let (single, free) = (one.count == 1 && two.count == 1, one.parent.is_none());
        if relation != Relation::On {
            return false;
        }
        match base(two.sprite) {
            "mobile-phone" | "telephone" if one.kind() == Kind::Person && single && free => {
                self.hold(subject, other);
                true
            }
            "stone-wall" if one.kind() == Kind::Prop && !one.alive() || one.act == Some(Act::Paint) => {
                self.drop_thing(other);
                self.shot.place = self.shot.place.or(Some(Backdrop::Room));
                true
            }
            _ => false,
        }
    }
}
