//! Verbs: whom they are about, and what they wait for.

use crate::codes::{Act, Kind, Motion, Relation};
use crate::words::forms::Form;
use crate::words::lexicon::{Object, Part, Sense, english};
use crate::words::scan::Hit;
use crate::words::sense;
use crate::words::text::Gap;
use crate::words::traits::traits;

use super::suited::suited;
use super::{Composer, Draft, Fate, Link, MOST_THINGS, of_any_kind, still};

impl Composer<'_> {
    pub(super) fn verb(&mut self, at: usize, hit: Hit) {
        let sense = hit.sense;
        if sense.quotes && self.captions.get(at).is_some_and(|text| !text.is_empty()) {
            self.write(at);
        }
        if sense.filler {
            return;
        }
        if self.negated {
            return self.undone(at);
        }
        if sense.ignored {
            self.naming = false;
            return;
        }
        self.weather_of(sense);
        if self.scenery && self.lively(at) {
            // `smoke coming out`, `rain falling`
            self.fate(at, Fate::Natural);
            self.link = None;
            return;
        }
        if self.describes(at, hit) {
            self.modifiers.motion = Some((sense, at));
            return;
        }
        if self.describes_nothing(at, hit) {
            self.fate(at, Fate::Lost);
            return;
        }
        let reversed = hit.form == Form::Past && self.passive(at);
        let sense = self.flown(sense, at).unwrap_or(sense);
        let joined = std::mem::take(&mut self.joined);
        let subjects = self.who(sense, at, joined);
        self.naming = false;
        if self.lexicon.verb_last {
            return self.verb_last(at, sense, subjects);
        }
        if subjects.is_empty() && sense.is_scene() && sense.motion.is_none() && sense.act.is_none() {
            return;
        }
        if subjects.is_empty() && (sense.object.is_none() || !self.names_thing(at)) {
            // `running through the snow, a dog`
            self.orphan = Some((sense, None));
            // `rain falling`: the weather does what it does.
            let scene = self.scenery || self.thing_follows(at);
            self.fate(at, if scene { Fate::Said } else { Fate::Lost });
        } else if !reversed {
            self.act(sense, &subjects);
        }
        if sense.object.is_some() {
            if !self.lexicon.verb_last && sense.motion.is_none() && sense.act.is_none() && sense.effect.is_none() && sense.mount.is_none() {
                // It says nothing without its object.
                self.fate(at, Fate::Lost);
            }
            self.link = Some(Link::Verb { at, sense, subjects: subjects.clone(), reversed });
        } else {
            self.link = None;
        }
        if !subjects.is_empty() {
            self.subjects = subjects;
        }
    }

    /// Weather, or what a thing gives off, stands right before: it moves by itself.
    pub(super) fn lively(&self, at: usize) -> bool {
        let before = (0..at).rev().find(|place| !matches!(self.part(*place), Some(Part::Auxiliary | Part::Adverb)));
        let Some((place, hit)) =
            before.and_then(|place| self.hit(place).map(|hit| (place, hit))).filter(|(_, hit)| hit.sense.is(Part::Noun))
        else {
            return false;
        };
        // `with waves crashing`
        let with = place.checked_sub(1).and_then(|place| self.hit(place)).is_some_and(|hit| {
            hit.sense.is(Part::Preposition) && hit.sense.relation == Some(Relation::Beside) && hit.sense.object == Some(Object::Worn)
        });
        with || hit.sense.weather.is_some() || hit.sense.effect.is_some() || self.shot.things.is_empty() || self.starts_clause(place)
    }

    /// Only determiners, numbers and adjectives stand before it in its clause.
    fn starts_clause(&self, at: usize) -> bool {
        let mut place = at;
        while self.units.get(place).is_some_and(|unit| unit.gap < Gap::Comma) && place > 0 {
            place -= 1;
            if !matches!(self.part(place), Some(Part::Determiner | Part::Number | Part::Adjective)) {
                return false;
            }
        }
        true
    }

    /// `flying a kite` is holding it.
    pub(super) fn flown(&self, sense: &Sense, at: usize) -> Option<&'static Sense> {
        let flown = self.object(at)?.sprite.is_some_and(|sprite| traits().has(sprite, "flown"));
        if sense.motion == Some(Motion::Fly) && flown { english().find("fly a toy").next() } else { None }
    }

    /// The noun that follows at once, with its article, numbers and adjectives.
    pub(super) fn object(&self, at: usize) -> Option<&'static Sense> {
        sense::object(self.units, self.picks, at)
    }

    /// `it rains`, `the sun sets`.
    pub(super) fn weather_of(&mut self, sense: &Sense) {
        self.shot.weather = sense.weather.or(self.shot.weather);
        self.shot.hour = sense.hour.or(self.shot.hour);
        if self.shot.place.is_none() {
            (self.shot.place, self.shot.setting) = (sense.place, sense.setting);
        }
    }

    /// Any thing is named later on.
    pub(super) fn thing_follows(&self, at: usize) -> bool {
        (at + 1..self.units.len()).take(24).any(|place| self.hit(place).is_some_and(|hit| hit.sense.sprite.is_some()))
    }

    pub(super) fn names_thing(&self, at: usize) -> bool {
        let mut place = at + 1;
        while let Some(sense) = self.hit(place).map(|hit| hit.sense) {
            match sense.part {
                Some(Part::Adverb | Part::Adjective | Part::Determiner | Part::Number | Part::Preposition) => place += 1,
                Some(Part::Noun) => return sense.sprite.is_some(),
                _ => return false,
            }
        }
        false
    }

    /// `a flying dragon`: the verb describes the noun that follows.
    pub(super) fn describes(&self, at: usize, hit: Hit) -> bool {
        if !matches!(hit.form, Form::Ing | Form::Past) {
            return false;
        }
        let before = self
            .last
            .filter(|last| *last + 1 == at && self.units.get(at).is_some_and(|unit| unit.gap < Gap::Comma))
            .and_then(|last| self.part(last));
        let noun = matches!(self.next_part(at), Some((Part::Noun, sense)) if sense.sprite.is_some());
        let starts = matches!(before, None | Some(Part::Preposition | Part::Conjunction | Part::Then));
        noun && (matches!(before, Some(Part::Determiner | Part::Number | Part::Adjective))
            || starts && hit.sense.object.is_none() && hit.form == Form::Ing)
    }

    /// `with flashing lights`: what it describes is not drawn.
    pub(super) fn describes_nothing(&self, at: usize, hit: Hit) -> bool {
        let before = self.last.filter(|last| *last + 1 == at).and_then(|last| self.part(last));
        let next = self.hit(at + 1).filter(|_| self.units.get(at + 1).is_some_and(|unit| unit.gap < Gap::Comma));
        hit.form == Form::Ing
            && before == Some(Part::Preposition)
            && next.is_some_and(|next| next.sense.is(Part::Noun) && next.sense.ignored)
    }

    pub(super) fn passive(&self, at: usize) -> bool {
        matches!(self.next_part(at), Some((Part::Preposition, sense)) if sense.object == Some(Object::Beside))
    }

    /// The things that a verb is about: the nearest that can do so.
    pub(super) fn who(&mut self, sense: &Sense, at: usize, joined: bool) -> Vec<usize> {
        let relative = at > 0 && self.part(at - 1) == Some(Part::Relative);
        let things = &self.shot.things;
        let any_kind = sense.act.is_none() && sense.object.is_none() && sense.motion.is_some_and(of_any_kind);
        let fits = |thing: &Draft| {
            !thing.dropped
                && (any_kind || thing.alive() || matches!(thing.kind(), Kind::Vehicle | Kind::Boat | Kind::Aircraft) && sense.act.is_none())
        };
        if relative && let Some(last) = things.len().checked_sub(1) {
            return vec![last];
        }
        let current = || self.subjects.iter().copied().filter(|subject| things.get(*subject).is_some_and(fits)).collect::<Vec<_>>();
        let object = things.iter().rposition(|thing| thing.object && fits(thing) && thing.alive());
        if let (Some(object), false) = (object, joined)
            && self.subjects.iter().all(|subject| *subject < object)
            && object + 1 == things.len()
            && things.get(object).is_some_and(|thing| {
                thing.motions.is_empty() && things.iter().all(|other| other.parent != Some(object) || other.relation != Relation::Ride)
            })
            && self.last.is_some_and(|last| things.get(object).is_some_and(|thing| thing.unit == last))
        {
            return vec![object];
        }
        let subjects = current();
        if !subjects.is_empty() {
            return subjects;
        }
        let near = things.iter().rposition(|thing| fits(thing) && !thing.landmark && !thing.object);
        let near = near
            .or_else(|| things.iter().rposition(|thing| !thing.dropped && !thing.landmark))
            .or_else(|| things.iter().rposition(|thing| !thing.dropped));
        match near {
            Some(near) => vec![near],
            None if self.shot.things.is_empty() => self.recall(),
            None => Vec::new(),
        }
    }

    /// Whom the shot before was about, in this one.
    pub(super) fn recall(&mut self) -> Vec<usize> {
        let Some(lead) = self.earlier.iter().find(|thing| !thing.dropped && !thing.landmark).cloned() else { return Vec::new() };
        let mount = lead.parent.filter(|_| lead.relation == Relation::Ride).and_then(|parent| self.earlier.get(parent)).cloned();
        self.shot.things.push(still(lead));
        if let Some(mount) = mount {
            self.shot.things.push(still(mount));
            self.attach(0, 1, Relation::Ride);
        }
        self.subjects = vec![0];
        vec![0]
    }

    pub(super) fn pronoun(&mut self) {
        if self.shot.things.is_empty() {
            self.recall();
        }
        self.naming = false;
    }

    pub(super) fn act(&mut self, sense: &Sense, subjects: &[usize]) {
        self.pair_up(sense, subjects);
        for subject in subjects {
            self.mount(sense, *subject);
            self.change(*subject, |subject| {
                let (motion, act) = suited(sense, subject);
                if sense.mount.is_none() || subject.relation != Relation::Ride {
                    subject.motions.extend(motion);
                }
                // Who drinks and laughs is seen to drink.
                let mood = matches!(sense.act, Some(Act::Laugh | Act::Cry));
                subject.act = if mood { subject.act.or(act) } else { act.or(subject.act) };
                subject.effect = sense.effect.or(subject.effect);
            });
        }
    }

    /// `hand in hand`, `on his shoulders`: how those do it whom the clause is about.
    pub(super) fn manner(&mut self, sense: &Sense) {
        for subject in self.heads() {
            self.change(subject, |subject| {
                subject.act = sense.act;
                subject.effect = subject.effect.or(sense.effect);
            });
        }
    }

    /// Who fights or hugs does so with somebody.
    fn pair_up(&mut self, sense: &Sense, subjects: &[usize]) {
        if let [first, second] = subjects
            && matches!(sense.act, Some(Act::Fight | Act::Hug))
        {
            self.attach(*second, *first, Relation::Beside);
        }
    }

    /// Puts a thing on the board or bicycle that its verb needs.
    pub(super) fn mount(&mut self, sense: &Sense, rider: usize) {
        let Some((sprite, thing)) = sense.mount.zip(self.shot.things.get(rider)) else { return };
        let mounted = traits().has(thing.sprite, "mounted") || thing.parent.is_some();
        let rides = !matches!(thing.kind(), Kind::Vehicle | Kind::Boat | Kind::Aircraft | Kind::Building | Kind::Sky);
        if mounted || !rides || self.shot.things.len() >= MOST_THINGS {
            return;
        }
        let mut mount = still(thing.clone());
        (mount.sprite, mount.count, mount.colour, mount.size) = (sprite, 1, None, 0);
        mount.motions.extend(sense.motion);
        mount.object = true;
        self.shot.things.push(mount);
        self.attach(rider, self.shot.things.len() - 1, Relation::Ride);
    }

    /// Verbs that follow their object.
    pub(super) fn verb_last(&mut self, at: usize, sense: &'static Sense, subjects: Vec<usize>) {
        let things = self.shot.things.len();
        if sense.object.is_none() {
            if things == 0 || subjects.is_empty() {
                self.modifiers.motion = Some((sense, at));
            } else {
                self.act(sense, &subjects);
            }
            return;
        }
        let object = things.checked_sub(1);
        let subject = self.shot.things.iter().position(|thing| !thing.dropped && !thing.landmark).filter(|first| Some(*first) != object);
        match (subject, object) {
            (Some(subject), Some(object)) => {
                self.act(sense, &[subject]);
                self.meet(subject, object, sense, false);
                self.subjects = vec![subject];
            }
            (None, object) => self.orphan = Some((sense, object)),
            (Some(_), None) => {}
        }
    }
}
