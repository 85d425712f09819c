//! What is not to be in the picture: `no people`, `a dog that is not running`.

use crate::codes::{Effect, Motion, Relation, Weather};
use crate::sprites::SpriteId;
use crate::words::lexicon::{Object, Part, Sense};
use crate::words::text::Gap;

use super::{Composer, Fate};

/// What is kept out of a shot: nothing of it is added by habit.
#[derive(Clone, Debug, Default)]
pub struct Absent {
    pub sprites: Vec<SpriteId>,
    pub weathers: Vec<Weather>,
    pub effects: Vec<Effect>,
}

impl Absent {
    /// All that a sense could put into the picture.
    pub fn add(&mut self, sense: &Sense) {
        self.sprites.extend(sense.sprites());
        self.weathers.extend(sense.weather);
        self.effects.extend(sense.effect);
    }
}

impl Composer<'_> {
    pub(super) fn negation(&mut self, at: usize, sense: &Sense) {
        if sense.sprite.is_some() {
            // `nobody`
            self.without(at, sense);
            self.negated = false;
        } else if sense.after || sense.closing && self.last.is_some() && self.closes_clause(at) {
            self.unsay();
        } else {
            self.negated = true;
        }
    }

    /// `людей нет`: nothing follows that it could negate.
    fn closes_clause(&self, at: usize) -> bool {
        self.units.get(at + 1).is_none_or(|next| next.gap >= Gap::Comma)
    }

    /// What a negated noun names is kept out, with all that describes it.
    pub(super) fn without(&mut self, at: usize, sense: &Sense) {
        self.fate(at, Fate::Absent);
        self.shot.absent.add(sense);
        let modifiers = std::mem::take(&mut self.modifiers);
        for unit in modifiers.units() {
            self.fate(unit, Fate::Absent);
        }
        // `no cats and a dog`, but `without a hat and a coat`
        let own = at > 0 && self.part(at - 1) == Some(Part::Determiner);
        let turns = self.part(at + 2) == Some(Part::Determiner) && !own;
        self.negated = self.part(at + 1) == Some(Part::Conjunction) && !turns;
        self.link = None;
    }

    /// What a negated verb says is not done; who would do it by habit stands.
    pub(super) fn undone(&mut self, at: usize) {
        // `a dog that is not wearing a hat`
        let has = |object| matches!(object, Object::Worn | Object::Subject(Relation::Play | Relation::Ride));
        self.negated = self.hit(at).and_then(|hit| hit.sense.object).is_some_and(has) && self.object(at).is_some();
        self.fate(at, Fate::Absent);
        for subject in self.heads() {
            self.change(subject, |subject| {
                if subject.motions.is_empty() {
                    subject.motions.push(Motion::Idle);
                }
            });
        }
    }

    /// Takes back the word before, in languages that negate so.
    fn unsay(&mut self) {
        let Some((last, hit)) = self.last.and_then(|last| self.hit(last).map(|hit| (last, hit))) else { return };
        if hit.sense.is(Part::Verb) {
            return self.undone(last);
        }
        for thing in 0..self.shot.things.len() {
            if self.shot.things.get(thing).is_some_and(|thing| thing.unit == last) {
                self.drop_thing(thing);
            }
        }
        let (sense, shot) = (hit.sense, &mut self.shot);
        if sense.place.is_some() && shot.place == sense.place {
            (shot.place, shot.setting) = (None, None);
            shot.furniture.clear();
        }
        shot.style = shot.style.filter(|style| sense.style != Some(*style));
        shot.weather = shot.weather.filter(|weather| sense.weather != Some(*weather));
        shot.hour = shot.hour.filter(|hour| sense.hour != Some(*hour));
        shot.absent.add(sense);
        self.fate(last, Fate::Absent);
    }
}
