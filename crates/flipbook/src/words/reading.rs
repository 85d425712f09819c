//! What is said of each word. Only what the story shows counts as understood: what was understood and then had no room, gave
//! way to another word or stands for something else is said to be ignored or a guess.

use std::collections::HashMap;

use crate::codes::{Act, Backdrop, Colour, Effect, Kind, Motion, Relation, Weather};
use crate::figures::figure;
use crate::paint::{has_open_sky, shows_weather, writes};
use crate::scene::{Program, Thing};
use crate::sprites::{SpriteId, atlas};

use super::compose::Fate;
use super::habits::Finished;
use super::lexicon::{Object, Part, Sense};
use super::reader::Reader;
use super::text::{Shape, Token};
use super::traits::{base, is_natural, traits};
use super::{Meaning, Reading, Story, Term};

/// What is in the picture, and which word brought it there.
pub struct Shown<'a> {
    story: &'a Story,
    /// Unit -> the drawings that it named, and how many of each.
    drawn: HashMap<usize, Vec<(SpriteId, usize)>>,
    /// Unit of a number -> how many things it counts.
    counts: HashMap<usize, usize>,
}

impl<'a> Shown<'a> {
    pub fn new(story: &'a Story, shots: &[Finished]) -> Self {
        let mut shown = Self { story, drawn: HashMap::new(), counts: HashMap::new() };
        for (shot, program) in shots.iter().zip(&story.shots) {
            for (source, thing) in shot.sources.iter().zip(&program.things) {
                shown.drawn.entry(source.unit).or_default().push((thing.sprite, thing.count));
                if let Some(number) = source.counted {
                    *shown.counts.entry(number).or_default() += thing.count;
                }
            }
        }
        shown
    }

    fn any_shot(&self, holds: impl Fn(&Program) -> bool) -> bool {
        self.story.shots.iter().any(holds)
    }

    fn any_thing(&self, holds: impl Fn(&Thing) -> bool) -> bool {
        self.any_shot(|shot| shot.things.iter().any(&holds))
    }

    /// How things move that cannot move so.
    fn instead_of(&self, motion: Motion) -> Option<Motion> {
        let others: &[Motion] = match motion {
            Motion::Walk | Motion::Run => &[Motion::Drive, Motion::Swim, Motion::Sail, Motion::Fly],
            Motion::Drive | Motion::Swim => &[Motion::Sail, Motion::Walk],
            Motion::Launch => &[Motion::Fly],
            Motion::Sail => &[Motion::Swim],
            Motion::Fly => &[Motion::Hover],
            _ => &[],
        };
        others.iter().copied().find(|other| self.any_thing(|thing| thing.motion == *other))
    }

    /// Something that a noun stands for is in the picture.
    fn shows_any_of(&self, sense: &Sense) -> bool {
        let snow_lies = sense.weather == Some(Weather::Snow) && self.any_shot(|shot| shot.backdrop == Backdrop::Snowfield);
        let weather = sense.weather.is_some_and(|weather| self.shows(&Meaning::Weather(weather)));
        let effect = sense.effect.is_some_and(|effect| self.shows(&Meaning::Effect(effect)));
        snow_lies || weather || effect || sense.sprites().any(|sprite| self.shows(&Meaning::Thing(sprite)))
    }

    /// What is done has joints to do it with, a cry or a mark.
    fn is_seen_doing(&self, meaning: &Meaning, sense: &Sense) -> bool {
        let Meaning::Act(act) = meaning else { return true };
        self.any_thing(|thing| {
            let is_marked = sense.effect.is_some() && thing.effect == sense.effect || act.shows_without_joints();
            // Legs that ride do nothing else.
            let by_legs = matches!(act, Act::Kneel | Act::Tumble | Act::Crawl | Act::Skip);
            let is_busy = by_legs && thing.relation == Relation::Ride;
            let is_carried = act.is_of_things() && thing.relation.attached() && !act.is_of_carried_things();
            thing.act == Some(*act) && !is_busy && !is_carried && (is_marked || figure(&atlas().get(thing.sprite).name).is_some())
        })
    }

    /// The picture shows it.
    fn shows(&self, meaning: &Meaning) -> bool {
        match meaning {
            Meaning::Thing(sprite) => self.any_thing(|thing| thing.sprite == *sprite),
            Meaning::Things(sprites) => sprites.iter().all(|sprite| self.any_thing(|thing| thing.sprite == *sprite)),
            Meaning::Motion(motion) => self.any_thing(|thing| {
                let flown = *motion == Motion::Fly && thing.motion == Motion::Hover && traits().has(thing.sprite, "flown");
                thing.motion == *motion || flown
            }),
            Meaning::Act(act) => self.any_thing(|thing| thing.act == Some(*act)),
            Meaning::Relation(relation) => self.any_thing(|thing| stands(thing.relation, *relation)),
            Meaning::Backdrop(Backdrop::Sky) => self.any_shot(|shot| has_sky(shot.backdrop)),
            Meaning::Backdrop(place) => self.any_shot(|shot| shot.backdrop == *place),
            Meaning::Setting(setting) => {
                self.any_shot(|shot| shot.setting.is_some_and(|shown| shown == *setting || setting.afloat() == Some(shown)))
            }
            Meaning::Weather(weather) => self.any_shot(|shot| {
                let falls = matches!(weather, Weather::Rain | Weather::Snow | Weather::Storm);
                let shut_in = falls && shot.setting.is_some_and(|setting| !setting.shows_weather());
                shot.weather == *weather && shows_weather(shot.backdrop, *weather) && !shut_in
            }),
            Meaning::Hour(hour) => self.any_shot(|shot| shot.hour == *hour),
            Meaning::Size(size) => self.any_thing(|thing| thing.size.signum() == size.signum()),
            Meaning::Colour(colour) => {
                let in_it =
                    |shot: &Program| (0..shot.things.len()).any(|at| shot.things[at].colour == Some(*colour) && shows_its_colour(shot, at));
                let described = self.any_thing(|thing| thing.colour == Some(*colour));
                self.any_shot(in_it) || !described && self.any_shot(|shot| is_seen(shot.backdrop, *colour))
            }
            Meaning::Effect(effect) => {
                let gives = |shot: &Program, at: usize| shot.things[at].effect == Some(*effect) && !is_used(shot, at);
                self.any_shot(|shot| (0..shot.things.len()).any(|at| gives(shot, at)))
            }
            Meaning::Style(style) => self.story.style == Some(*style),
            Meaning::Aurora => self.any_shot(|shot| shot.aurora && has_open_sky(shot.backdrop)),
            Meaning::Count(_) | Meaning::Caption(_) | Meaning::Shot | Meaning::Absent => true,
        }
    }
}

/// What turns is painted as it is, and so is what somebody rides, swings or juggles.
fn shows_its_colour(shot: &Program, at: usize) -> bool {
    let Some(name) = shot.things.get(at).map(|thing| base(thing.sprite)) else { return false };
    let juggled = traits().has(shot.things[at].sprite, "ball") && shot.things.iter().any(|thing| thing.act == Some(Act::Juggle));
    !TURNED.contains(&name) && !is_used(shot, at) && !juggled
}

/// It is a tool or a mount that is painted with who uses it.
fn is_used(shot: &Program, at: usize) -> bool {
    let in_use = |other: &Thing| other.parent == Some(at) && matches!(other.relation, Relation::Ride | Relation::On | Relation::Play);
    shot.things.get(at).is_some_and(|thing| USED.contains(&base(thing.sprite))) && shot.things.iter().any(in_use)
}

/// A thing that stands so does what the word says: who is in a boat rides it.
fn stands(relation: Relation, said: Relation) -> bool {
    match said {
        Relation::On => matches!(relation, Relation::On | Relation::Ride),
        Relation::In => matches!(relation, Relation::In | Relation::On | Relation::Ride | Relation::Wear),
        Relation::Beside => matches!(relation, Relation::Beside | Relation::Play | Relation::Wear),
        said => relation == said,
    }
}

fn has_sky(place: Backdrop) -> bool {
    use Backdrop::{Kitchen, Moon, Plain, Room, Space, Stage, Underwater};
    !matches!(place, Kitchen | Moon | Plain | Room | Space | Stage | Underwater)
}

/// The picture of a place has this colour by itself.
fn is_seen(place: Backdrop, colour: Colour) -> bool {
    is_natural(place, colour) || has_sky(place) && is_natural(Backdrop::Sky, colour)
}

impl Reader<'_> {
    pub fn terms(&self, fates: &[Fate], shown: &Shown) -> Vec<Term> {
        (0..self.units.len()).filter_map(|at| self.term(at, fates.get(at).copied().unwrap_or(Fate::Lost), shown)).collect()
    }

    /// Words that stand in no list, and are not written over the picture either.
    pub fn unknown(&self, fates: &[Fate]) -> impl Iterator<Item = &Token> {
        let unknown = self.units.iter().zip(fates).filter(|(unit, fate)| unit.hits.is_empty() && **fate != Fate::Written);
        unknown.filter(|(unit, _)| unit.shape == Shape::Word).filter_map(|(unit, _)| self.tokens.get(unit.tokens.start))
    }

    fn term(&self, at: usize, fate: Fate, shown: &Shown) -> Option<Term> {
        let unit = self.units.get(at)?;
        let start = self.tokens.get(unit.tokens.start)?.at.start;
        let end = self.tokens.get(unit.tokens.end.checked_sub(1)?)?.at.end;
        let range = start..end;
        let text = self.prompt.get(range.clone())?.to_owned();
        Some(Term { text, at: range, reading: self.reading(at, fate, shown) })
    }

    fn reading(&self, at: usize, fate: Fate, shown: &Shown) -> Reading {
        if fate == Fate::Written {
            // What the font has no letter of is not in the picture.
            if !self.captions.get(at).is_some_and(|text| writes(text)) {
                return Reading::Ignored;
            }
            return Reading::Understood(Meaning::Caption(self.captions.get(at).cloned().unwrap_or_default()));
        }
        let Some(hit) = self.hit(at) else { return Reading::Ignored };
        if fate == Fate::Cut {
            return Reading::Understood(Meaning::Shot);
        }
        let sense = hit.sense;
        if sense.filler || sense.is(Part::Preposition) && fate == Fate::Lost {
            return Reading::Filler;
        }
        if sense.ignored || fate == Fate::Lost {
            return Reading::Ignored;
        }
        // `grandpa's garden` may be without him.
        let owner = self.units.get(at).is_some_and(|unit| unit.shape == Shape::Possessive);
        let sure = hit.sure && !sense.guess && !owner;
        let told = |meaning, sure: bool| if sure { Reading::Understood(meaning) } else { Reading::Guess(meaning) };
        if fate == Fate::Absent {
            // The drawing may have the colour by itself.
            let is_out = sense.colour.is_none() && !is_scenery(sense) && !shown.shows_any_of(sense);
            // A library has its books, whatever is said.
            let furnished = sense.is(Part::Noun) && shown.any_shot(|shot| shot.setting.is_some());
            return told(Meaning::Absent, hit.sure && is_out && !furnished);
        }
        if sense.is(Part::Number) || !sense.company.is_empty() && shown.counts.contains_key(&at) {
            return number(sense, shown.counts.get(&at).copied());
        }
        let meanings = meanings(sense, fate);
        if fate == Fate::Natural {
            let falls = sense.motion == Some(Motion::Fall) || sense.weather.is_some();
            let told = |meaning: Meaning| {
                let holds = matches!(meaning, Meaning::Motion(_)) || shown.shows(&meaning);
                told(meaning, sure && falls && holds)
            };
            return meanings.into_iter().next().map_or(Reading::Filler, told);
        }
        if let Some(place) = meanings.iter().position(|meaning| shown.shows(meaning)) {
            let meaning = meanings.into_iter().nth(place);
            return meaning.map_or(Reading::Filler, |meaning| {
                let is_seen = shown.is_seen_doing(&meaning, sense);
                told(meaning, sure && place == 0 && is_seen)
            });
        }
        if let Some(other) = sense.motion.and_then(|motion| shown.instead_of(motion)) {
            return Reading::Guess(Meaning::Motion(other));
        }
        match shown.drawn.get(&at).and_then(|drawn| drawn.first()) {
            // The bowl of a fish is another bowl.
            Some((sprite, _)) => told(Meaning::Thing(*sprite), sure),
            None if meanings.is_empty() || sense.is(Part::Preposition) => Reading::Filler,
            None if sense.sprite.is_some_and(|sprite| base(sprite) == "fire") && shown.shows(&Meaning::Effect(Effect::Fire)) => {
                told(Meaning::Effect(Effect::Fire), sure)
            }
            None => Reading::Ignored,
        }
    }
}

/// Drawings that are painted anew as they turn, and those that are where somebody uses them.
const TURNED: [&str; 3] = ["windmill", "ferris-wheel", "swing"];
const USED: [&str; 20] = [
    "skateboard",
    "skis",
    "snowboard",
    "broom",
    "dagger",
    "crossed-swords",
    "magic-wand",
    "fishing-pole",
    "hammer",
    "axe",
    "kitchen-knife",
    "paintbrush",
    "crutch",
    "white-cane",
    "tennis",
    "badminton",
    "ping-pong",
    "ice-hockey",
    "field-hockey",
    "cricket-game",
];

/// What places have besides their plants and buildings.
const PAINTED: [&str; 6] = ["crab", "spiral-shell", "honeybee", "bench", "lamp", "lantern"];

/// It may be painted with the place, whatever is said.
fn is_scenery(sense: &Sense) -> bool {
    if sense.sprite.is_some_and(|sprite| PAINTED.contains(&base(sprite))) {
        return true;
    }
    let kind = sense.sprite.map(|sprite| atlas().get(sprite).kind);
    matches!(kind, Some(Kind::Sky | Kind::Plant | Kind::Building)) || kind.is_none() && sense.place.is_some()
}

/// `drawn`: how many things it counts.
fn number(sense: &Sense, drawn: Option<usize>) -> Reading {
    match drawn {
        // `a family of bears`, `a penguin family`
        Some(drawn) if (sense.many || sense.sprite.is_some()) && drawn > 1 || sense.count == Some(drawn) => {
            Reading::Understood(Meaning::Count(drawn))
        }
        Some(drawn) => Reading::Guess(Meaning::Count(drawn)),
        None if sense.many => Reading::Filler,
        None => Reading::Ignored,
    }
}

/// All that a sense says, the foremost first.
fn meanings(sense: &Sense, fate: Fate) -> Vec<Meaning> {
    let setting = sense.setting.map(Meaning::Setting);
    let place = sense.place.map(Meaning::Backdrop);
    if fate == Fate::Place && place.is_some() {
        return setting.into_iter().chain(place).collect();
    }
    let verb = sense.is(Part::Verb);
    let motion = sense.motion.map(Meaning::Motion);
    let gives = sense.effect.map(Meaning::Effect);
    let mut said: Vec<Option<Meaning>> = Vec::new();
    if verb {
        let idle = matches!(sense.motion, None | Some(Motion::Idle));
        let played = (sense.object == Some(Object::Played)).then_some(Meaning::Relation(Relation::Play));
        said.extend([sense.act.map(Meaning::Act), sense.mount.map(Meaning::Thing), gives.clone().filter(|_| idle), played, motion]);
    }
    if sense.is(Part::Adverb) {
        said.push(sense.act.map(Meaning::Act));
    }
    let thing = match sense.company.as_slice() {
        [] => sense.sprite.map(Meaning::Thing),
        // A place is more than what it is known by.
        _ if sense.sprite.is_none() => None,
        _ => Some(Meaning::Things(sense.sprites().collect())),
    };
    let relation = match sense.object {
        Some(Object::Subject(relation)) if verb => Some(relation),
        Some(Object::Worn) if verb => Some(Relation::Wear),
        Some(Object::Beside | Object::Tossed) if verb => Some(Relation::Beside),
        Some(Object::Played) if verb => Some(Relation::Beside),
        _ => sense.relation.filter(|relation| *relation != Relation::None),
    };
    said.extend([
        thing,
        sense.aurora.then_some(Meaning::Aurora),
        setting,
        place,
        sense.weather.map(Meaning::Weather),
        sense.hour.map(Meaning::Hour),
        sense.style.map(Meaning::Style),
        relation.map(Meaning::Relation).filter(|_| verb),
        gives,
        sense.colour.map(Meaning::Colour),
        sense.size.map(Meaning::Size),
        relation.map(Meaning::Relation).filter(|_| !verb),
    ]);
    said.into_iter().flatten().collect()
}
