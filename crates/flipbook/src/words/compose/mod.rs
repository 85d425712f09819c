//! Puts the words of one shot together: which noun a colour, a verb or a preposition belongs to.

mod adjectives;
mod courses;
mod groups;
mod known;
mod negation;
mod nouns;
mod parts;
mod places;
mod relations;
mod suited;
mod verbs;

pub use negation::Absent;

use crate::codes::{Act, Backdrop, Colour, Effect, Hour, Kind, Motion, Relation, Setting, Style, Way, Weather};
use crate::scene::Course;
use crate::sprites::{SpriteId, atlas};

use crate::words::lexicon::{Lexicon, Part, Sense};
use crate::words::scan::{Hit, Unit};
use crate::words::text::{Gap, Shape};
use crate::words::traits::traits;

/// The longest text that is written over a picture, in characters.
pub(in crate::words) const LONGEST_CAPTION: usize = 60;
/// Things that a shot is composed of before it is trimmed; what comes after them is ignored.
const MOST_THINGS: usize = 12;

/// A thing as far as the words have told.
#[derive(Clone, Debug)]
pub struct Draft {
    /// Of the unit that names it.
    pub unit: usize,
    /// The units that describe it.
    pub said: Vec<usize>,
    pub sprite: SpriteId,
    pub motions: Vec<Motion>,
    pub act: Option<Act>,
    pub course: Option<Course>,
    pub colour: Option<Colour>,
    pub size: i8,
    pub count: usize,
    /// The unit of the number that counts it.
    pub counted: Option<usize>,
    pub relation: Relation,
    pub parent: Option<usize>,
    pub effect: Option<Effect>,
    /// A word of the prompt says so, and it is not what such things do.
    pub gives_as_said: bool,
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
    pub setting: Option<Setting>,
    /// Where somebody in it works.
    pub home: Option<Setting>,
    /// The things are said to be at the water, not in it.
    pub ashore: bool,
    /// What such a place is known by.
    pub furniture: Vec<SpriteId>,
    pub weather: Option<Weather>,
    pub hour: Option<Hour>,
    pub aurora: bool,
    pub caption: Option<String>,
    pub style: Option<Style>,
    pub absent: Absent,
    /// What habits do not add, though the prompt may say it.
    pub left_out: Absent,
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
    /// The weather or the place does so by itself.
    Natural,
    /// A new shot begins.
    Cut,
}

/// What is waiting for a noun.
#[derive(Clone, Debug)]
enum Link {
    Preposition { at: usize, relation: Relation, way: Option<Way>, worn: bool, subjects: Vec<usize> },
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

impl Modifiers {
    /// The units that said them.
    fn units(&self) -> impl Iterator<Item = usize> + use<> {
        let units = [
            self.colour.map(|it| it.1),
            self.size.map(|it| it.1),
            self.count.map(|it| it.1),
            self.effect.map(|it| it.1),
            self.motion.as_ref().map(|it| it.1),
        ];
        units.into_iter().flatten()
    }
}

/// Reads the units of a prompt one after the other.
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
    /// The place was said in this shot.
    placed: bool,
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
            placed: false,
            fates: vec![Fate::Said; units.len()],
        }
    }

    /// Ends the shot and begins the next in the same place.
    pub fn cut(&mut self) -> Shot {
        self.settle();
        let next = Shot {
            place: self.shot.place,
            setting: self.shot.setting,
            home: self.shot.home,
            furniture: self.shot.furniture.clone(),
            weather: self.shot.weather,
            hour: self.shot.hour,
            aurora: self.shot.aurora,
            style: self.shot.style,
            ..Shot::default()
        };
        let done = std::mem::replace(&mut self.shot, next);
        if !done.things.is_empty() {
            self.earlier.clone_from(&done.things);
        }
        self.subjects.clear();
        self.naming = false;
        self.modifiers = Modifiers::default();
        (self.link, self.orphan, self.landmark, self.container, self.last) = (None, None, None, None, None);
        (self.negated, self.joined, self.placed) = (false, false, false);
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

    /// Reads the next unit.
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
            // An unknown word may be the noun that was waited for, or describe it: `a eucalyptus tree`.
            let glued = self.units.get(at + 1).is_some_and(|unit| unit.gap < Gap::Comma) && self.lexicon.language == "en";
            if !glued || self.part(at + 1) != Some(Part::Noun) {
                self.link = None;
            }
            self.lose_modifiers();
            self.negated = false;
            return;
        };
        let sense = hit.sense;
        if unit.shape == Shape::Emoji && self.adds_nothing(sense) {
            self.fate(at, Fate::Lost);
            return;
        }
        let negated = self.negated;
        match sense.part {
            Some(Part::Noun | Part::Phrase | Part::Caption) => self.noun(at, hit),
            Some(Part::Adverb) if sense.place.is_some() => self.scene(at, sense),
            Some(Part::Adverb) if sense.act.is_some() => self.manner(sense),
            Some(Part::Verb) => self.verb(at, hit),
            Some(Part::Adjective) => self.adjective(at, sense),
            Some(Part::Number) => self.number(at, sense),
            Some(Part::Preposition) => self.preposition(at, sense),
            Some(Part::Postposition) => self.postposition(sense),
            Some(Part::Negation) => self.negation(at, sense),
            Some(Part::Conjunction) => {
                self.joined = true;
                self.negated &= !sense.after;
            }
            Some(Part::Determiner) => self.modifiers.definite = sense.count.is_some(),
            Some(Part::Pronoun) => self.pronoun(),
            _ => {}
        }
        if let Some(style) = sense.style.filter(|_| !negated) {
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
            let room = LONGEST_CAPTION.saturating_sub(caption.chars().count() + 1);
            if room < text.chars().count() && !caption.is_empty() {
                return;
            }
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

    fn change(&mut self, thing: usize, change: impl FnOnce(&mut Draft)) {
        if let Some(thing) = self.shot.things.get_mut(thing) {
            change(thing);
        }
    }

    /// What waited for a noun waited in vain.
    fn lose_modifiers(&mut self) {
        for unit in std::mem::take(&mut self.modifiers).units() {
            self.fate(unit, Fate::Lost);
        }
    }
}

/// The same thing in the next shot, before it is told what to do.
fn still(mut thing: Draft) -> Draft {
    thing.motions.clear();
    (thing.act, thing.effect, thing.parent, thing.relation) = (None, None, None, Relation::None);
    thing.course = None;
    (thing.landmark, thing.object, thing.counted) = (false, false, None);
    thing.said.clear();
    thing
}

/// Anything can do it: fall, spin, glow.
fn of_any_kind(motion: Motion) -> bool {
    matches!(
        motion,
        Motion::Fall
            | Motion::Rise
            | Motion::Spin
            | Motion::Roll
            | Motion::Grow
            | Motion::Shrink
            | Motion::Pulse
            | Motion::Orbit
            | Motion::Swing
            | Motion::Launch
            | Motion::Explode
            | Motion::Shake
            | Motion::Bounce
            | Motion::Hover
            | Motion::Approach
            | Motion::Fly
            | Motion::Dance
    )
}
