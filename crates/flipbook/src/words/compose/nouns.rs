//! Nouns: a thing with all that waited for it, or a place, the weather, an hour.

use crate::codes::{Act, Backdrop, Effect, Hour, Kind, Relation, Weather};
use crate::sprites::{SpriteId, atlas};
use crate::words::forms::Form;
use crate::words::lexicon::{Part, Sense};
use crate::words::scan::Hit;
use crate::words::text::Gap;

use super::{Composer, Draft, Fate, Link, MOST_THINGS, Modifiers, still};

impl Composer<'_> {
    pub(super) fn noun(&mut self, at: usize, hit: Hit) {
        let sense = hit.sense;
        if sense.written {
            self.write(at);
        }
        if self.negated {
            self.without(at, sense);
            return;
        }
        if sense.ignored || sense.filler {
            if sense.container {
                self.container = None;
            }
            if sense.ignored {
                self.link = None;
                self.lose_modifiers();
            }
            return;
        }
        let sprite = sense.sprite.filter(|_| !self.is_place(sense));
        self.scenery = sprite.is_none() && (self.link.is_none() || sense.effect.is_some());
        match sprite {
            Some(sprite) => self.thing(at, hit, sprite),
            None => self.scene(at, sense),
        }
    }

    /// A noun that is a thing and a place is a place after `in` and `at`.
    pub(super) fn is_place(&self, sense: &Sense) -> bool {
        let inside = matches!(&self.link, Some(Link::Preposition { relation: Relation::In | Relation::None, .. }));
        let place = sense.place.is_some() && inside;
        place && (sense.sprite.is_none() || !self.shot.things.is_empty() || self.orphan.is_some())
    }

    /// Place, weather, hour and the like.
    pub(super) fn scene(&mut self, at: usize, sense: &Sense) {
        let mut waiting = self.link.take();
        if let Some(place) = sense.place {
            self.name_of_place(at);
            let known = self.shot.place.filter(|_| self.placed);
            let better = matches!(
                (known, place),
                (None | Some(Backdrop::Sky), _) | (Some(Backdrop::Sea), Backdrop::Beach) | (Some(Backdrop::City), Backdrop::Street)
            );
            if better {
                self.shot.place = Some(place);
                self.placed = true;
            } else if known != Some(place) {
                self.fate(at, Fate::Lost);
            }
            if sense.sprite.is_some() {
                self.fate(at, Fate::Place);
            }
        }
        if let Some(weather) = sense.weather {
            // Petals in the wind are petals.
            let breeze = weather == Weather::Wind && self.shot.weather.is_some();
            self.shot.weather = if breeze { self.shot.weather } else { Some(weather) };
        }
        if let Some(hour) = sense.hour {
            self.shot.hour = Some(hour);
        }
        if sense.aurora {
            (self.shot.aurora, self.shot.hour) = (true, Some(Hour::Night));
        }
        if let Some(effect) = sense.effect {
            self.give(at, effect);
        } else {
            self.lose_modifiers();
        }
        if let Some(Link::Verb { sense: verb, .. }) = &mut waiting
            && verb.act == Some(Act::Climb)
        {
            self.link = None;
        }
    }

    /// `a candy store`: the noun before says which store. A field of flowers keeps its flowers.
    pub(super) fn name_of_place(&mut self, at: usize) {
        let glued = self.units.get(at).is_some_and(|unit| unit.gap < Gap::Comma);
        let one = self.units.get(at).is_some_and(|unit| unit.tokens.len() == 1) && self.part(at) == Some(Part::Noun);
        let Some(last) = self.last.filter(|last| *last + 1 == at && glued && one && !self.lexicon.verb_last && !self.lexicon.noun_first)
        else {
            return;
        };
        let single = self.hit(last).is_some_and(|hit| hit.form == Form::Base);
        let named = self.shot.things.iter().rposition(|thing| thing.unit == last && thing.kind() != Kind::Plant && !thing.alive());
        if let Some(named) = named.filter(|_| single && self.lexicon.language == "en") {
            self.drop_thing(named);
        }
    }

    pub(super) fn give(&mut self, at: usize, effect: Effect) {
        match self.shot.things.iter_mut().rev().find(|thing| !thing.landmark && !thing.dropped) {
            Some(thing) => thing.effect = Some(effect),
            None => self.modifiers.effect = Some((effect, at)),
        }
    }

    pub(super) fn without(&mut self, at: usize, sense: &Sense) {
        self.fate(at, Fate::Absent);
        self.shot.absent.extend(sense.sprite);
        self.negated = matches!(self.part(at + 1), Some(Part::Conjunction));
        self.modifiers = Modifiers::default();
        self.link = None;
    }

    pub(super) fn thing(&mut self, at: usize, hit: Hit, sprite: SpriteId) {
        let sense = hit.sense;
        if self.shot.things.len() >= MOST_THINGS {
            self.fate(at, Fate::Lost);
            self.lose_modifiers();
            self.link = None;
            return;
        }
        if let Some(known) = self.same(sprite, hit) {
            self.link = None;
            self.subjects = vec![known];
            self.naming = true;
            self.modifiers = Modifiers::default();
            return;
        }
        let twin = self.last.filter(|last| *last + 1 == at && self.units.get(at).is_some_and(|unit| unit.gap < Gap::Comma));
        if let Some(twin) = twin.and_then(|last| self.shot.things.iter().position(|thing| thing.unit == last && thing.sprite == sprite)) {
            // `a corgi puppy` is one dog.
            self.change(twin, |thing| {
                thing.unit = at;
                thing.size = sense.size.unwrap_or(thing.size);
                thing.count = if hit.form == Form::Plural && thing.count == 1 { 3 } else { thing.count };
            });
            return;
        }
        let modifiers = std::mem::take(&mut self.modifiers);
        let many = match atlas().get(sprite).kind {
            Kind::Flyer | Kind::Swimmer | Kind::Symbol | Kind::Sky => 4,
            _ => 3,
        };
        let plural = hit.form == Form::Plural || sense.many;
        let count = modifiers.count.map(|(count, _)| count).or(sense.count).unwrap_or(if plural { many } else { 1 });
        let draft = Draft {
            unit: at,
            sprite,
            motions: sense.motion.into_iter().collect(),
            act: sense.act,
            colour: modifiers.colour.map(|(colour, _)| colour).or(sense.colour),
            size: modifiers.size.map(|(size, _)| size).or(sense.size).unwrap_or(0),
            count,
            relation: Relation::None,
            parent: None,
            effect: modifiers.effect.map(|(effect, _)| effect).or(sense.effect),
            landmark: false,
            object: false,
            dropped: false,
        };
        if let Some(weather) = sense.weather {
            self.shot.weather = Some(weather);
        }
        if let Some(hour) = sense.hour {
            self.shot.hour = Some(hour);
        }
        if let Some(holder) = self.container.take() {
            self.replace(holder, draft);
            return;
        }
        self.shot.things.push(draft);
        let thing = self.shot.things.len() - 1;
        if let Some((verb, _)) = modifiers.motion {
            self.act(verb, &[thing]);
        }
        if sense.container {
            self.container =
                matches!(self.next_part(at), Some((Part::Preposition, of)) if of.relation == Some(Relation::None)).then_some(thing);
        }
        self.place(thing, at);
    }

    /// `the cat` is the cat that has been spoken of.
    pub(super) fn same(&mut self, sprite: SpriteId, hit: Hit) -> Option<usize> {
        if !self.modifiers.definite || hit.form == Form::Plural {
            return None;
        }
        if let Some(known) = self.shot.things.iter().position(|thing| thing.sprite == sprite && !thing.dropped) {
            return Some(known);
        }
        let known = self.earlier.iter().find(|thing| thing.sprite == sprite && !thing.dropped)?.clone();
        self.shot.things.push(still(known));
        Some(self.shot.things.len() - 1)
    }

    /// `a bowl of apples`: the apples are what counts.
    pub(super) fn replace(&mut self, holder: usize, draft: Draft) {
        if let Some(thing) = self.shot.things.get_mut(holder) {
            let (relation, parent) = (thing.relation, thing.parent);
            *thing = Draft { relation, parent, landmark: thing.landmark, object: thing.object, count: 1, ..draft };
        }
    }

    /// Binds a new thing to what was waiting for it.
    pub(super) fn place(&mut self, thing: usize, at: usize) {
        if let Some((relation, landmark)) = self.landmark.take() {
            self.stand(thing, landmark, relation, false);
            self.subjects = vec![thing];
            self.naming = true;
            return;
        }
        let joined = std::mem::take(&mut self.joined);
        if self.orphan.is_some() && matches!(self.link, Some(Link::Preposition { relation: Relation::None, .. })) {
            self.link = None;
        }
        match self.link.take() {
            Some(Link::Preposition { at: word, relation, worn, subjects }) => {
                self.fate(word, Fate::Said);
                for subject in &subjects {
                    self.stand(*subject, thing, relation, worn);
                }
                if subjects.is_empty() && !matches!(relation, Relation::None | Relation::Beside) {
                    if let Some(thing) = self.shot.things.get_mut(thing) {
                        thing.landmark = true;
                    }
                    self.landmark = Some((relation, thing));
                } else if subjects.is_empty() {
                    self.begin(thing);
                }
                if worn && relation == Relation::Beside && self.part(at + 1) == Some(Part::Verb) {
                    self.begin(thing);
                }
            }
            Some(Link::Verb { at: word, sense, subjects, reversed }) => {
                self.fate(word, Fate::Said);
                if subjects.is_empty() {
                    self.orphan = Some((sense, Some(thing)));
                } else {
                    for subject in &subjects {
                        self.meet(*subject, thing, sense, reversed);
                    }
                    if self.part(at + 1) == Some(Part::Conjunction) && self.part(at + 2) != Some(Part::Verb) && !reversed {
                        self.link = Some(Link::Verb { at: word, sense, subjects, reversed });
                    }
                }
            }
            None => {
                if self.naming && (joined || self.listed(at)) {
                    self.subjects.push(thing);
                } else {
                    self.begin(thing);
                }
                if let Some((sense, object)) = self.orphan.take() {
                    match object {
                        Some(object) => {
                            self.act(sense, &[thing]);
                            self.meet(thing, object, sense, false);
                        }
                        None => self.act(sense, &[thing]),
                    }
                }
            }
        }
    }

    pub(super) fn begin(&mut self, thing: usize) {
        self.subjects = vec![thing];
        self.naming = true;
    }

    /// It stands in a list of nouns: only determiners, numbers and adjectives since the noun before.
    pub(super) fn listed(&self, at: usize) -> bool {
        let mut place = at;
        while place > 0 {
            place -= 1;
            match self.part(place) {
                Some(Part::Determiner | Part::Number | Part::Adjective | Part::Conjunction) => {}
                Some(Part::Noun) => return true,
                _ => return false,
            }
        }
        false
    }
}
