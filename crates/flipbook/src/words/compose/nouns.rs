//! Nouns: a thing with all that waited for it, or a place, the weather, an hour.

use crate::codes::{Act, Backdrop, Effect, Hour, Kind, Relation, Setting, Weather};
use crate::sprites::{SpriteId, atlas};
use crate::words::forms::Form;
use crate::words::lexicon::{Part, Sense};
use crate::words::scan::Hit;
use crate::words::text::Gap;
use crate::words::traits::{is_natural, traits};

use super::groups::members;
use super::{Composer, Draft, Fate, Link, MOST_THINGS};

/// Plants that are drawn of a field of them.
const A_FIELD_OF: usize = 6;

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
            if sense.body {
                self.part_of_a_body(at);
            }
            if sense.container {
                self.container = None;
            }
            if sense.ignored {
                // `with a long nose and a scarf`
                let goes_on = sense.body && self.part(at + 1) == Some(Part::Conjunction);
                self.link = self.link.take().filter(|_| goes_on);
                self.lose_modifiers();
            }
            return;
        }
        let sprite = sense.sprite.filter(|_| !self.is_place(at, sense));
        let with = matches!(self.link, Some(Link::Preposition { relation: Relation::Beside, worn: true, .. }));
        self.scenery = sprite.is_none() && (self.link.is_none() || with || sense.effect.is_some());
        match sprite {
            Some(sprite) => self.thing(at, hit, sprite),
            None => self.scene(at, sense),
        }
    }

    /// Place, weather, hour and the like.
    pub(super) fn scene(&mut self, at: usize, sense: &Sense) {
        let mut waiting = self.take_link_to(sense);
        self.goes_through_a_place(waiting.as_ref(), sense);
        if let Some(place) = sense.place {
            self.name_of_place(at);
            let known = self.shot.place.filter(|_| self.placed);
            let better = matches!(
                (known, place),
                (None | Some(Backdrop::Sky), _) | (Some(Backdrop::Sea), Backdrop::Beach) | (Some(Backdrop::City), Backdrop::Street)
            );
            // A street in Paris is in Paris.
            let in_town = matches!(known, Some(Backdrop::City | Backdrop::Street | Backdrop::Road | Backdrop::River));
            let better =
                better || in_town && sense.setting.is_some_and(Setting::is_city) && !self.shot.setting.is_some_and(Setting::is_city);
            // `a school garden`, `a castle kitchen`: the last is what it is, but for a floor or a path.
            let weak = place == Backdrop::Road || place == Backdrop::Room && sense.setting.is_none() && sense.company.is_empty();
            let names = !weak && self.is_named_by_a_place(at);
            if names && let Some(last) = self.last {
                self.fate(last, Fate::Lost);
            }
            if better || names {
                self.shot.place = Some(place);
                self.shot.setting = sense.setting;
                self.shot.furniture.clone_from(&sense.company);
                self.placed = true;
            } else if known == Some(place) && self.shot.setting.is_none() && self.shot.furniture.is_empty() {
                self.shot.setting = sense.setting;
                self.shot.furniture.clone_from(&sense.company);
            } else if known != Some(place) && place != Backdrop::Sky || sense.setting.is_some() && sense.setting != self.shot.setting {
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
        if let Some((colour, _)) = self.modifiers.colour
            && sense.place.is_some_and(|place| is_natural(place, colour))
        {
            self.modifiers.colour = None;
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
        // `a field of sunflowers`, `lavender fields`
        let grown = self.shot.things.iter().rposition(|thing| thing.unit == last && thing.kind() == Kind::Plant);
        if let Some(grown) = grown.filter(|_| single) {
            self.change(grown, |plant| plant.count = if plant.counted.is_none() { A_FIELD_OF } else { plant.count });
        }
    }

    pub(super) fn give(&mut self, at: usize, effect: Effect) {
        match self.shot.things.iter_mut().rev().find(|thing| !thing.landmark && !thing.dropped) {
            Some(thing) => (thing.effect, thing.gives_as_said) = (Some(effect), true),
            None => self.modifiers.effect = Some((effect, at)),
        }
    }

    pub(super) fn thing(&mut self, at: usize, hit: Hit, sprite: SpriteId) {
        let sense = hit.sense;
        let kin = self.kin(at, sprite);
        let sprite = kin.map_or(sprite, |(kin, _)| kin);
        if self.shot.things.len() >= MOST_THINGS || self.is_plumage(sprite) {
            self.fate(at, Fate::Lost);
            self.lose_modifiers();
            self.link = None;
            return;
        }
        if let Some(known) = self.same(sprite, hit) {
            self.link = None;
            self.subjects = vec![known];
            self.naming = true;
            self.described_again(known);
            return;
        }
        let twin = self.last.filter(|last| *last + 1 == at && self.units.get(at).is_some_and(|unit| unit.gap < Gap::Comma));
        if let Some(twin) = twin.and_then(|last| self.shot.things.iter().position(|thing| thing.unit == last && thing.sprite == sprite)) {
            let is_emoji = self.is_emoji(at - 1) && self.is_emoji(at);
            // `a corgi puppy` is one dog, and each emoji one more.
            self.change(twin, |thing| {
                thing.count += usize::from(is_emoji);
                thing.unit = at;
                thing.size = sense.size.unwrap_or(thing.size);
                thing.count = if hit.form == Form::Plural && thing.count == 1 { 3 } else { thing.count };
            });
            return;
        }
        if !sense.company.is_empty() && (self.is_herd(at) || self.is_known_group(sense)) {
            return;
        }
        let played = self.names_a_trade(at, sprite);
        let modifiers = std::mem::take(&mut self.modifiers);
        let several = 1 + sense.company.len();
        let many = match atlas().get(sprite).kind {
            Kind::Flyer | Kind::Swimmer | Kind::Symbol | Kind::Sky => 4,
            _ if several > 1 => several,
            _ => 3,
        };
        let plural = hit.form == Form::Plural && !self.owns_what_follows(at) || sense.many;
        let count = modifiers.count.map(|(count, _)| count).or(sense.count).unwrap_or(if plural { many } else { 1 });
        let draft = Draft {
            unit: at,
            said: modifiers.units().collect(),
            sprite,
            motions: sense.motion.into_iter().collect(),
            act: sense.act,
            course: None,
            colour: modifiers.colour.map(|(colour, _)| colour).or(sense.colour),
            size: modifiers.size.map(|(size, _)| size).or(kin.map(|(_, size)| size)).or(sense.size).unwrap_or(0),
            count,
            counted: modifiers.count.map(|(_, unit)| unit),
            relation: Relation::None,
            parent: None,
            effect: modifiers.effect.map(|(effect, _)| effect).or(sense.effect),
            gives_as_said: modifiers.effect.is_some(),
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
        self.shot.home = self.shot.home.or(sense.home);
        if let Some(holder) = self.container.take() {
            if !self.fill(holder, &draft) {
                self.replace(holder, draft);
            }
            return;
        }
        let thing = self.shot.things.len();
        let members = members(draft, sense);
        let room = MOST_THINGS - thing;
        self.shot.things.extend(members.into_iter().take(room));
        let all: Vec<usize> = (thing..self.shot.things.len()).collect();
        if let Some((verb, _)) = modifiers.motion {
            self.act(verb, &all);
        }
        if sense.container {
            self.container =
                matches!(self.next_part(at), Some((Part::Preposition, of)) if of.relation == Some(Relation::None)).then_some(thing);
        }
        self.place(thing, at);
        if let Some(instrument) = played {
            self.attach(thing, instrument, Relation::Play);
        }
        self.join(&all);
    }

    /// `a bowl of apples`: the apples are what counts.
    pub(super) fn replace(&mut self, holder: usize, draft: Draft) {
        self.lose(holder);
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
            Some(Link::Preposition { at: word, relation, way, worn, subjects }) => {
                self.fate(word, Fate::Said);
                let subjects = match self.stands_on(thing, relation) {
                    Some(object) => {
                        self.change(object, |object| (object.relation, object.parent) = (Relation::None, None));
                        vec![object]
                    }
                    None => subjects,
                };
                for subject in &subjects {
                    if !way.is_some_and(|way| self.goes(*subject, way, thing)) {
                        self.stand(*subject, thing, relation, worn);
                    }
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
                // `in a white shirt and black trousers`
                if worn && self.part(at + 1) == Some(Part::Conjunction) && self.is_worn_next(at + 2) {
                    self.link = Some(Link::Preposition { at: word, relation, way, worn, subjects });
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

    /// `a child blows out candles on a cake`: nobody stands on a cake, but what is done something to does.
    fn stands_on(&self, thing: usize, relation: Relation) -> Option<usize> {
        let under = self.shot.things.get(thing).filter(|under| relation == Relation::On && under.kind() == Kind::Prop)?;
        let bears = ["furniture", "mount", "vessel"].iter().any(|name| traits().has(under.sprite, name));
        let object = thing.checked_sub(1).filter(|_| !bears)?;
        self.shot.things.get(object).filter(|object| object.object && !object.dropped && !object.alive()).map(|_| object)
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
