//! Puts the words of one shot together: which noun a colour, a verb or a preposition belongs to.

use crate::codes::{Act, Backdrop, Colour, Effect, Hour, Kind, Motion, Relation, Style, Weather};
use crate::sprites::{SpriteId, atlas};

use super::forms::Form;
use super::lexicon::{Lexicon, Object, Part, Sense, english};
use super::scan::{Hit, Unit};
use super::text::{Gap, Shape};
use super::traits::{base, traits};

/// Things that a shot is composed of before it is trimmed; what comes after them is ignored.
const MOST_THINGS: usize = 12;

/// A thing as far as the words have told.
#[derive(Clone, Debug)]
pub struct Draft {
    /// Of the unit that names it.
    pub unit: usize,
    pub sprite: SpriteId,
    pub motions: Vec<Motion>,
    pub act: Option<Act>,
    pub colour: Option<Colour>,
    pub size: i8,
    pub count: usize,
    pub relation: Relation,
    pub parent: Option<usize>,
    pub effect: Option<Effect>,
    /// It is where another thing is, and does nothing by itself.
    landmark: bool,
    /// Something is done to it.
    object: bool,
    /// Left out of the picture.
    pub dropped: bool,
}

impl Draft {
    fn kind(&self) -> Kind {
        atlas().get(self.sprite).kind
    }

    fn alive(&self) -> bool {
        matches!(self.kind(), Kind::Animal | Kind::Flyer | Kind::Swimmer | Kind::Person) || traits().has(self.sprite, "alive")
    }
}

/// What the words of a shot say.
#[derive(Clone, Debug, Default)]
pub struct Shot {
    pub things: Vec<Draft>,
    pub place: Option<Backdrop>,
    pub weather: Option<Weather>,
    pub hour: Option<Hour>,
    pub aurora: bool,
    pub caption: Option<String>,
    pub style: Option<Style>,
    /// Nothing of it is added by habit.
    pub absent: Vec<SpriteId>,
}

/// What became of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is in the picture as its sense says.
    Said,
    /// It was understood, and nothing in the picture shows it.
    Lost,
    /// It is kept out of the picture.
    Absent,
    /// It is written over the picture.
    Written,
    /// It is where the things are.
    Place,
    /// A new shot begins.
    Cut,
}

/// What is waiting for a noun.
#[derive(Clone, Debug)]
enum Link {
    Preposition { at: usize, relation: Relation, worn: bool, subjects: Vec<usize> },
    Verb { at: usize, sense: &'static Sense, subjects: Vec<usize>, reversed: bool },
}

/// What is waiting for the noun that it describes, with the units that said it.
#[derive(Clone, Debug, Default)]
struct Modifiers {
    colour: Option<(Colour, usize)>,
    size: Option<(i8, usize)>,
    count: Option<(usize, usize)>,
    effect: Option<(Effect, usize)>,
    motion: Option<(&'static Sense, usize)>,
    definite: bool,
}

pub struct Composer<'a> {
    units: &'a [Unit],
    picks: &'a [Option<usize>],
    captions: &'a [String],
    lexicon: &'static Lexicon,
    pub shot: Shot,
    /// What the shot before was about.
    earlier: Vec<Draft>,
    subjects: Vec<usize>,
    /// No verb has come since the subjects.
    naming: bool,
    modifiers: Modifiers,
    link: Option<Link>,
    /// A verb and its object that wait for a subject.
    orphan: Option<(&'static Sense, Option<usize>)>,
    /// A landmark that waits for the thing that is there.
    landmark: Option<(Relation, usize)>,
    negated: bool,
    joined: bool,
    container: Option<usize>,
    last: Option<usize>,
    /// The noun before was a place, the weather or an hour.
    scenery: bool,
    pub fates: Vec<Fate>,
}

impl<'a> Composer<'a> {
    pub fn new(units: &'a [Unit], picks: &'a [Option<usize>], captions: &'a [String], lexicon: &'static Lexicon) -> Self {
        Self {
            units,
            picks,
            captions,
            lexicon,
            shot: Shot::default(),
            earlier: Vec::new(),
            subjects: Vec::new(),
            naming: false,
            modifiers: Modifiers::default(),
            link: None,
            orphan: None,
            landmark: None,
            negated: false,
            joined: false,
            container: None,
            last: None,
            scenery: false,
            fates: vec![Fate::Said; units.len()],
        }
    }

    /// Ends the shot and begins the next in the same place.
    pub fn cut(&mut self) -> Shot {
        self.settle();
        let next = Shot { place: self.shot.place, weather: self.shot.weather, hour: self.shot.hour, aurora: self.shot.aurora, style: self.shot.style, ..Shot::default() };
        let done = std::mem::replace(&mut self.shot, next);
        if !done.things.is_empty() {
            self.earlier.clone_from(&done.things);
        }
        self.subjects.clear();
        self.naming = false;
        self.modifiers = Modifiers::default();
        (self.link, self.orphan, self.landmark, self.container, self.last) = (None, None, None, None, None);
        (self.negated, self.joined) = (false, false);
        done
    }

    /// Gives a verb that waits for its subject to the object it has.
    pub fn settle(&mut self) {
        if let Some((sense, Some(object))) = self.orphan.take() {
            self.act(sense, &[object]);
        }
        self.lose_modifiers();
    }

    /// The thing is there, and nothing is known of what it does.
    pub fn awaits(&self, sprite: SpriteId) -> bool {
        self.shot.things.iter().any(|thing| thing.sprite == sprite && thing.motions.is_empty() && thing.act.is_none())
    }

    pub fn take(&mut self, at: usize) {
        let Some(unit) = self.units.get(at) else { return };
        if unit.gap >= Gap::Comma {
            self.comma(unit.gap);
        }
        if unit.shape == Shape::Quotation {
            self.write(at);
            return;
        }
        let Some(hit) = self.hit(at) else {
            // An unknown word may be the noun that was waited for.
            self.link = None;
            self.lose_modifiers();
            self.negated = false;
            return;
        };
        let sense = hit.sense;
        match sense.part {
            Some(Part::Noun | Part::Phrase | Part::Caption) => self.noun(at, hit),
            Some(Part::Adverb) if sense.place.is_some() => self.scene(at, sense),
            Some(Part::Verb) => self.verb(at, hit),
            Some(Part::Adjective) => self.adjective(at, sense),
            Some(Part::Number) => self.modifiers.count = sense.count.map(|count| (count, at)),
            Some(Part::Preposition) => self.preposition(at, sense),
            Some(Part::Postposition) => self.postposition(sense),
            Some(Part::Negation) => self.negated = true,
            Some(Part::Conjunction) => self.joined = true,
            Some(Part::Determiner) => self.modifiers.definite = sense.count.is_some(),
            Some(Part::Pronoun) => self.pronoun(),
            _ => {}
        }
        if let Some(style) = sense.style {
            self.shot.style = Some(style);
        }
        self.last = Some(at);
    }

    fn hit(&self, at: usize) -> Option<Hit> {
        let pick = self.picks.get(at).copied().flatten()?;
        self.units.get(at)?.hits.get(pick).copied()
    }

    fn part(&self, at: usize) -> Option<Part> {
        self.hit(at).and_then(|hit| hit.sense.part)
    }

    /// The next unit that is more than an adverb or an adjective, in the same clause.
    fn next_part(&self, at: usize) -> Option<(Part, &'static Sense)> {
        let mut place = at + 1;
        while self.units.get(place).is_some_and(|unit| unit.gap < Gap::Comma) {
            let sense = self.hit(place)?.sense;
            match sense.part {
                Some(Part::Adverb | Part::Adjective) => place += 1,
                part => return part.map(|part| (part, sense)),
            }
        }
        None
    }

    fn comma(&mut self, gap: Gap) {
        self.link = None;
        self.negated &= self.joined;
        self.container = None;
        self.lose_modifiers();
        if gap == Gap::Stop {
            self.naming = false;
            self.subjects.clear();
        }
    }

    fn write(&mut self, at: usize) {
        if let Some(text) = self.captions.get(at).filter(|text| !text.is_empty()) {
            let caption = self.shot.caption.get_or_insert_with(String::new);
            if !caption.is_empty() {
                caption.push(' ');
            }
            caption.push_str(text);
            self.fate(at, Fate::Written);
        }
    }

    fn fate(&mut self, at: usize, fate: Fate) {
        if let Some(place) = self.fates.get_mut(at) {
            *place = fate;
        }
    }

    fn noun(&mut self, at: usize, hit: Hit) {
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
    fn is_place(&self, sense: &Sense) -> bool {
        let inside = matches!(&self.link, Some(Link::Preposition { relation: Relation::In | Relation::None, .. }));
        let place = sense.place.is_some() && inside;
        place && (sense.sprite.is_none() || !self.shot.things.is_empty() || self.orphan.is_some())
    }

    /// Place, weather, hour and the like.
    fn scene(&mut self, at: usize, sense: &Sense) {
        let mut waiting = self.link.take();
        if let Some(place) = sense.place {
            self.name_of_place(at);
            let known = self.shot.place;
            let better = matches!((known, place), (None | Some(Backdrop::Sky), _) | (Some(Backdrop::Sea), Backdrop::Beach) | (Some(Backdrop::City), Backdrop::Street));
            if better {
                self.shot.place = Some(place);
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
    fn name_of_place(&mut self, at: usize) {
        let glued = self.units.get(at).is_some_and(|unit| unit.gap < Gap::Comma);
        let one = self.units.get(at).is_some_and(|unit| unit.tokens.len() == 1) && self.part(at) == Some(Part::Noun);
        let Some(last) = self.last.filter(|last| *last + 1 == at && glued && one && !self.lexicon.verb_last && !self.lexicon.noun_first) else { return };
        let single = self.hit(last).is_some_and(|hit| hit.form == Form::Base);
        let named = self.shot.things.iter().rposition(|thing| thing.unit == last && thing.kind() != Kind::Plant && !thing.alive());
        if let Some(named) = named.filter(|_| single && self.lexicon.language == "en") {
            self.drop_thing(named);
        }
    }

    fn give(&mut self, at: usize, effect: Effect) {
        match self.shot.things.iter_mut().rev().find(|thing| !thing.landmark && !thing.dropped) {
            Some(thing) => thing.effect = Some(effect),
            None => self.modifiers.effect = Some((effect, at)),
        }
    }

    fn without(&mut self, at: usize, sense: &Sense) {
        self.fate(at, Fate::Absent);
        self.shot.absent.extend(sense.sprite);
        self.negated = matches!(self.part(at + 1), Some(Part::Conjunction));
        self.modifiers = Modifiers::default();
        self.link = None;
    }

    fn thing(&mut self, at: usize, hit: Hit, sprite: SpriteId) {
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
        let mut draft = Draft {
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
            self.container = matches!(self.next_part(at), Some((Part::Preposition, of)) if of.relation == Some(Relation::None)).then_some(thing);
        }
        self.place(thing, at);
    }

    /// `the cat` is the cat that has been spoken of.
    fn same(&mut self, sprite: SpriteId, hit: Hit) -> Option<usize> {
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
    fn replace(&mut self, holder: usize, draft: Draft) {
        if let Some(thing) = self.shot.things.get_mut(holder) {
            let (relation, parent) = (thing.relation, thing.parent);
            *thing = Draft { relation, parent, landmark: thing.landmark, object: thing.object, count: 1, ..draft };
        }
    }

    /// Binds a new thing to what was waiting for it.
    fn place(&mut self, thing: usize, at: usize) {
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
                if joined && self.naming || self.naming && self.units.get(at).is_some_and(|_| self.listed(at)) {
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

    fn begin(&mut self, thing: usize) {
        self.subjects = vec![thing];
        self.naming = true;
    }

    /// It stands in a list of nouns: only determiners, numbers and adjectives since the noun before.
    fn listed(&self, at: usize) -> bool {
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

    /// `subject` stands to `other` as a preposition says.
    fn stand(&mut self, subject: usize, other: usize, relation: Relation, worn: bool) {
        self.fill_bowl(subject, other, relation);
        let (Some(one), Some(two)) = (self.shot.things.get(subject), self.shot.things.get(other)) else { return };
        if subject == other || one.dropped {
            return;
        }
        let (sprite, kind) = (two.sprite, two.kind());
        let free = one.parent.is_none();
        let known = traits();
        if worn && known.has(sprite, "hat") {
            return self.wear(subject, other);
        }
        if worn && known.has(sprite, "clothes") && one.alive() {
            return self.drop_thing(other);
        }
        if worn && relation == Relation::Beside && known.has(sprite, "held") && one.alive() && free && one.count == 1 && two.count == 1 {
            return self.hold(subject, other);
        }
        if relation == Relation::None {
            return;
        }
        let beside = matches!(relation, Relation::Beside | Relation::Between) || kind == Kind::Sky && relation != Relation::On;
        let beside = beside || relation == Relation::In && two.alive();
        if beside {
            self.attach(other, subject, Relation::Beside);
        } else if free {
            let mounted = matches!(kind, Kind::Vehicle | Kind::Animal | Kind::Boat | Kind::Aircraft) || known.has(sprite, "mount");
            let relation = match relation {
                Relation::On if mounted => Relation::Ride,
                Relation::In if kind == Kind::Plant => Relation::On,
                Relation::In if matches!(kind, Kind::Boat | Kind::Vehicle) => Relation::Ride,
                _ => relation,
            };
            self.attach(subject, other, relation);
        }
        if !beside && let Some(other) = self.shot.things.get_mut(other) {
            other.landmark = true;
        }
    }

    /// The bowl of a fish is of glass.
    fn fill_bowl(&mut self, fish: usize, bowl: usize, relation: Relation) {
        let swims = self.shot.things.get(fish).is_some_and(|thing| thing.kind() == Kind::Swimmer);
        if relation == Relation::In && swims && let Some(glass) = atlas().named("fish-bowl") {
            self.change(bowl, |bowl| bowl.sprite = if base(bowl.sprite).starts_with("bowl") { glass } else { bowl.sprite });
        }
    }

    /// What a verb makes of its subject and object.
    fn meet(&mut self, subject: usize, object: usize, sense: &'static Sense, reversed: bool) {
        let (subject, object) = if reversed { (object, subject) } else { (subject, object) };
        let (Some(one), Some(two)) = (self.shot.things.get(subject), self.shot.things.get(object)) else { return };
        let Some(role) = sense.object.filter(|_| subject != object) else { return };
        let free = one.parent.is_none() && two.parent != Some(subject);
        let single = one.count == 1 && two.count == 1;
        let (sprite, known) = (two.sprite, traits());
        if reversed {
            self.act(sense, &[subject]);
        }
        if let Some(two) = self.shot.things.get_mut(object) {
            two.object = true;
        }
        match role {
            Object::Worn if known.has(sprite, "clothes") => self.drop_thing(object),
            Object::Worn => self.wear(subject, object),
            Object::Played if known.has(sprite, "instrument") && free => {
                self.attach(subject, object, Relation::Play);
                self.rest(object);
                self.change(subject, |subject| {
                    subject.motions.retain(|motion| *motion != Motion::Jump);
                    subject.effect = subject.effect.or(Some(Effect::Notes));
                });
            }
            Object::Played | Object::Tossed => {
                self.attach(object, subject, Relation::Beside);
                let ball = known.has(sprite, "ball") || role == Object::Tossed;
                self.change(object, |object| {
                    if ball && object.motions.is_empty() {
                        object.motions.push(Motion::Bounce);
                    }
                    object.size = if ball { (object.size - 1).max(-2) } else { object.size };
                });
                let game = known.has(sprite, "game");
                if role == Object::Played && (ball || game) {
                    self.change(subject, |subject| {
                        subject.motions.retain(|motion| *motion != Motion::Jump);
                        if subject.motions.is_empty() {
                            subject.motions.push(if ball { Motion::Run } else { Motion::Idle });
                        }
                    });
                }
            }
            Object::Subject(Relation::Play) if single && free => {
                self.attach(subject, object, Relation::Play);
                self.rest(object);
            }
            Object::Subject(Relation::Beside | Relation::Play) | Object::Beside => {
                self.attach(object, subject, Relation::Beside);
                if matches!(sense.act, Some(Act::Fight | Act::Hug)) {
                    self.change(object, |object| object.act = object.act.or(sense.act));
                } else if !self.shot.things.get(object).is_some_and(Draft::alive) {
                    self.rest(object);
                } else if let Some(motion @ (Motion::Walk | Motion::Run)) = sense.motion {
                    // `walking a dog`, `racing a turtle`
                    self.change(object, |object| object.motions.push(motion));
                }
            }
            Object::Subject(relation) if free => {
                self.attach(subject, object, relation);
                if matches!(relation, Relation::On | Relation::In | Relation::Under | Relation::Above) {
                    self.change(object, |object| object.landmark = true);
                }
            }
            Object::Subject(_) => self.attach(object, subject, Relation::Beside),
        }
    }

    fn attach(&mut self, child: usize, parent: usize, relation: Relation) {
        // No circles.
        let mut above = Some(parent);
        for _ in 0..=self.shot.things.len() {
            if above == Some(child) {
                return;
            }
            above = above.and_then(|thing| self.shot.things.get(thing)).and_then(|thing| thing.parent);
        }
        self.change(child, |child| {
            if child.parent.is_none() {
                (child.relation, child.parent) = (relation, Some(parent));
            }
        });
    }

    fn wear(&mut self, subject: usize, hat: usize) {
        self.attach(hat, subject, Relation::Wear);
        self.change(hat, |hat| hat.motions = vec![Motion::Still]);
    }

    fn hold(&mut self, subject: usize, held: usize) {
        self.attach(subject, held, Relation::Play);
        self.rest(held);
        self.change(subject, |subject| subject.act = subject.act.or(Some(Act::Hold)));
    }

    fn rest(&mut self, thing: usize) {
        self.change(thing, |thing| {
            if thing.motions.is_empty() {
                thing.motions.push(Motion::Still);
            }
        });
    }

    fn change(&mut self, thing: usize, change: impl FnOnce(&mut Draft)) {
        if let Some(thing) = self.shot.things.get_mut(thing) {
            change(thing);
        }
    }

    fn drop_thing(&mut self, thing: usize) {
        if let Some(unit) = self.shot.things.get(thing).map(|thing| thing.unit) {
            self.fate(unit, Fate::Lost);
        }
        self.change(thing, |thing| thing.dropped = true);
        self.subjects.retain(|subject| *subject != thing);
    }

    fn verb(&mut self, at: usize, hit: Hit) {
        let sense = hit.sense;
        if sense.quotes && self.captions.get(at).is_some_and(|text| !text.is_empty()) {
            self.write(at);
        }
        if self.negated {
            self.negated = false;
            self.fate(at, if sense.filler { Fate::Said } else { Fate::Absent });
            return;
        }
        if sense.filler {
            return;
        }
        if sense.ignored {
            self.naming = false;
            return;
        }
        self.weather_of(sense);
        if self.scenery && self.lively(at) {
            // `smoke coming out`, `rain falling`
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
    fn lively(&self, at: usize) -> bool {
        let before = (0..at).rev().find(|place| !matches!(self.part(*place), Some(Part::Auxiliary | Part::Adverb)));
        let noun = before.and_then(|place| self.hit(place)).filter(|hit| hit.sense.is(Part::Noun));
        noun.is_some_and(|hit| hit.sense.weather.is_some() || hit.sense.effect.is_some() || self.shot.things.is_empty())
    }

    /// `flying a kite` is holding it.
    fn flown(&self, sense: &Sense, at: usize) -> Option<&'static Sense> {
        let mut next = at + 1;
        while self.hit(next).is_some_and(|hit| matches!(hit.sense.part, Some(Part::Determiner | Part::Number | Part::Adjective))) {
            next += 1;
        }
        let flown = self.hit(next).and_then(|hit| hit.sense.sprite).is_some_and(|sprite| traits().has(sprite, "flown"));
        if sense.motion == Some(Motion::Fly) && flown { english().find("fly a toy").next() } else { None }
    }

    /// `it rains`, `the sun sets`.
    fn weather_of(&mut self, sense: &Sense) {
        self.shot.weather = sense.weather.or(self.shot.weather);
        self.shot.hour = sense.hour.or(self.shot.hour);
        self.shot.place = self.shot.place.or(sense.place);
    }

    /// Any thing is named later on.
    fn thing_follows(&self, at: usize) -> bool {
        (at + 1..self.units.len()).take(24).any(|place| self.hit(place).is_some_and(|hit| hit.sense.sprite.is_some()))
    }

    fn names_thing(&self, at: usize) -> bool {
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
    fn describes(&self, at: usize, hit: Hit) -> bool {
        if !matches!(hit.form, Form::Ing | Form::Past) {
            return false;
        }
        let before = self.last.filter(|last| *last + 1 == at && self.units.get(at).is_some_and(|unit| unit.gap < Gap::Comma)).and_then(|last| self.part(last));
        let noun = matches!(self.next_part(at), Some((Part::Noun, sense)) if sense.sprite.is_some());
        let starts = matches!(before, None | Some(Part::Preposition | Part::Conjunction | Part::Then));
        noun && (matches!(before, Some(Part::Determiner | Part::Number | Part::Adjective)) || starts && hit.sense.object.is_none() && hit.form == Form::Ing)
    }

    /// `with flashing lights`: what it describes is not drawn.
    fn describes_nothing(&self, at: usize, hit: Hit) -> bool {
        let before = self.last.filter(|last| *last + 1 == at).and_then(|last| self.part(last));
        let next = self.hit(at + 1).filter(|_| self.units.get(at + 1).is_some_and(|unit| unit.gap < Gap::Comma));
        hit.form == Form::Ing && before == Some(Part::Preposition) && next.is_some_and(|next| next.sense.is(Part::Noun) && next.sense.ignored)
    }

    fn passive(&self, at: usize) -> bool {
        matches!(self.next_part(at), Some((Part::Preposition, sense)) if sense.object == Some(Object::Beside))
    }

    /// The things that a verb is about: the nearest that can do so.
    fn who(&mut self, sense: &Sense, at: usize, joined: bool) -> Vec<usize> {
        let relative = at > 0 && self.part(at - 1) == Some(Part::Relative);
        let things = &self.shot.things;
        let any_kind = sense.act.is_none() && sense.object.is_none() && sense.motion.is_some_and(of_any_kind);
        let fits = |thing: &Draft| {
            !thing.dropped && (any_kind || thing.alive() || matches!(thing.kind(), Kind::Vehicle | Kind::Boat | Kind::Aircraft) && sense.act.is_none())
        };
        if relative && let Some(last) = things.len().checked_sub(1) {
            return vec![last];
        }
        let current = || self.subjects.iter().copied().filter(|subject| things.get(*subject).is_some_and(fits)).collect::<Vec<_>>();
        let object = things.iter().rposition(|thing| thing.object && fits(thing) && thing.alive());
        if let (Some(object), false) = (object, joined)
            && self.subjects.iter().all(|subject| *subject < object)
            && object + 1 == things.len()
            && things.get(object).is_some_and(|thing| thing.motions.is_empty() && things.iter().all(|other| other.parent != Some(object) || other.relation != Relation::Ride))
            && self.last.is_some_and(|last| things.get(object).is_some_and(|thing| thing.unit == last))
        {
            return vec![object];
        }
        let subjects = current();
        if !subjects.is_empty() {
            return subjects;
        }
        let near = things.iter().rposition(|thing| fits(thing) && !thing.landmark && !thing.object);
        let near = near.or_else(|| things.iter().rposition(|thing| !thing.dropped && !thing.landmark)).or_else(|| things.iter().rposition(|thing| !thing.dropped));
        match near {
            Some(near) => vec![near],
            None if self.shot.things.is_empty() => self.recall(),
            None => Vec::new(),
        }
    }

    /// Whom the shot before was about, in this one.
    fn recall(&mut self) -> Vec<usize> {
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

    fn pronoun(&mut self) {
        if self.shot.things.is_empty() {
            self.recall();
        }
        self.naming = false;
    }

    fn act(&mut self, sense: &Sense, subjects: &[usize]) {
        for subject in subjects {
            self.mount(sense, *subject);
            self.change(*subject, |subject| {
                if sense.mount.is_none() || subject.relation != Relation::Ride {
                    subject.motions.extend(sense.motion);
                }
                subject.act = sense.act.or(subject.act);
                subject.effect = sense.effect.or(subject.effect);
            });
        }
    }

    /// Puts a thing on the board or bicycle that its verb needs.
    fn mount(&mut self, sense: &Sense, rider: usize) {
        let Some((sprite, thing)) = sense.mount.zip(self.shot.things.get(rider)) else { return };
        let mounted = traits().has(thing.sprite, "mounted") || thing.parent.is_some() || !thing.alive();
        if mounted || self.shot.things.len() >= MOST_THINGS {
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
    fn verb_last(&mut self, at: usize, sense: &'static Sense, subjects: Vec<usize>) {
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

    fn adjective(&mut self, at: usize, sense: &Sense) {
        self.weather_of(sense);
        let near = self.last.filter(|last| *last + 1 == at).is_some_and(|last| self.part(last) == Some(Part::Noun));
        let follows = match self.next_part(at) {
            Some((Part::Noun, _)) => true,
            // `a blue dancing cat`
            Some((Part::Verb, _)) => !near && !self.lexicon.verb_last,
            _ => false,
        };
        let back = self.lexicon.noun_first && near || !follows;
        let target = if back { self.described() } else { None };
        let Some(target) = target else {
            if let (Some(_), Some((_, replaced))) = (sense.colour, self.modifiers.colour) {
                self.fate(replaced, Fate::Lost);
            }
            self.modifiers.colour = sense.colour.map(|colour| (colour, at)).or(self.modifiers.colour);
            self.modifiers.size = sense.size.map(|size| (size, at)).or(self.modifiers.size);
            self.modifiers.effect = sense.effect.map(|effect| (effect, at)).or(self.modifiers.effect);
            return;
        };
        self.change(target, |thing| {
            thing.act = sense.act.or(thing.act);
            thing.colour = sense.colour.or(thing.colour);
            thing.size = sense.size.unwrap_or(thing.size);
            thing.effect = sense.effect.or(thing.effect);
        });
    }

    /// The thing that an adjective behind it describes.
    fn described(&self) -> Option<usize> {
        let last = self.last.and_then(|last| self.shot.things.iter().rposition(|thing| thing.unit == last && !thing.dropped));
        last.or_else(|| self.subjects.first().copied()).or_else(|| self.shot.things.iter().rposition(|thing| !thing.dropped))
    }

    fn preposition(&mut self, at: usize, sense: &Sense) {
        self.fate(at, Fate::Lost);
        let relation = sense.relation.unwrap_or(Relation::None);
        if sense.object == Some(Object::Beside) && matches!(self.link, Some(Link::Verb { reversed: true, .. })) {
            return;
        }
        if relation == Relation::None && sense.object.is_none() {
            // `of`, `at`: a verb that waits for its object goes on waiting.
            if self.link.is_none() && self.container.is_none() {
                self.link = Some(Link::Preposition { at, relation, worn: false, subjects: self.heads() });
            }
            return;
        }
        if matches!(&self.link, Some(Link::Verb { sense, .. }) if sense.object == Some(Object::Subject(relation)) || sense.act == Some(Act::Climb)) {
            return;
        }
        self.container = None;
        self.naming = false;
        let subjects = self.heads();
        self.link = Some(Link::Preposition { at, relation, worn: sense.object == Some(Object::Worn), subjects });
    }

    /// The things that a preposition is about.
    fn heads(&self) -> Vec<usize> {
        let alive: Vec<usize> = self.subjects.iter().copied().filter(|subject| self.shot.things.get(*subject).is_some_and(|thing| !thing.dropped)).collect();
        if !alive.is_empty() {
            return alive;
        }
        self.shot.things.iter().rposition(|thing| !thing.dropped && !thing.landmark && !thing.object).into_iter().collect()
    }

    fn postposition(&mut self, sense: &Sense) {
        let Some(relation) = sense.relation.filter(|relation| *relation != Relation::None) else { return };
        let Some(last) = self.last.and_then(|last| self.shot.things.iter().rposition(|thing| thing.unit == last)) else { return };
        let subject = self.shot.things.iter().take(last).position(|thing| !thing.dropped && !thing.landmark);
        match subject {
            Some(subject) => {
                self.stand(subject, last, relation, false);
                self.subjects = vec![subject];
            }
            None => {
                self.change(last, |thing| thing.landmark = true);
                self.subjects.clear();
                self.landmark = Some((relation, last));
            }
        }
    }

    /// What waited for a noun waited in vain.
    fn lose_modifiers(&mut self) {
        let lost = std::mem::take(&mut self.modifiers);
        let units = [lost.colour.map(|it| it.1), lost.size.map(|it| it.1), lost.count.map(|it| it.1), lost.effect.map(|it| it.1), lost.motion.map(|it| it.1)];
        for unit in units.into_iter().flatten() {
            self.fate(unit, Fate::Lost);
        }
    }
}

/// The same thing in the next shot, before it is told what to do.
fn still(mut thing: Draft) -> Draft {
    thing.motions.clear();
    (thing.act, thing.effect, thing.parent, thing.relation) = (None, None, None, Relation::None);
    (thing.landmark, thing.object) = (false, false);
    thing
}

/// Anything can do it: fall, spin, glow.
fn of_any_kind(motion: Motion) -> bool {
    matches!(
        motion,
        Motion::Fall | Motion::Rise | Motion::Spin | Motion::Roll | Motion::Grow | Motion::Shrink | Motion::Pulse | Motion::Orbit | Motion::Swing | Motion::Launch | Motion::Explode | Motion::Shake | Motion::Bounce | Motion::Hover | Motion::Approach | Motion::Fly | Motion::Dance
    )
}
