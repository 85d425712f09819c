//! From a prompt to a story: what its words mean, word by word, and the shots that they add up to.
//!
//! `prompt -> tokens (text) -> units (scan) -> one sense each (sense) -> shots (compose) -> programs (habits)`

mod compose;
mod forms;
mod habits;
mod language;
pub mod lexicon;
mod names;
mod scan;
mod sense;
mod spelling;
mod text;
pub mod traits;

use std::ops::Range;

use crate::codes::{Act, Backdrop, Colour, Effect, Hour, Motion, Relation, Style, Weather};
use crate::scene::Program;
use crate::sprites::{SpriteId, atlas};

use compose::{Composer, Fate};
use lexicon::{Part, Sense, english};
use scan::{Hit, Unit};
use text::{Gap, Shape, Token};

pub use text::phrase_key;

/// Shots that a story may have.
pub const MOST_SHOTS: usize = 3;
/// The longest text that is written over a picture, in characters.
const LONGEST_CAPTION: usize = 60;

/// A prompt as it was understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Understanding {
    pub story: Story,
    /// All of the prompt, in order.
    pub terms: Vec<Term>,
    /// BCP 47, a hint.
    pub language: String,
}

/// What happens, one shot after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Story {
    /// One to [`MOST_SHOTS`].
    pub shots: Vec<Program>,
    pub style: Option<Style>,
}

/// One or several words of the prompt and what was made of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    pub text: String,
    /// Bytes of the prompt.
    pub at: Range<usize>,
    pub reading: Reading,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    Understood(Meaning),
    /// Likely meant so.
    Guess(Meaning),
    /// It says nothing about a picture.
    Filler,
    /// Unknown, or known and nothing that could be drawn.
    Ignored,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Meaning {
    Thing(SpriteId),
    Motion(Motion),
    Act(Act),
    Relation(Relation),
    Backdrop(Backdrop),
    Weather(Weather),
    Hour(Hour),
    Count(usize),
    Size(i8),
    Colour(Colour),
    Effect(Effect),
    Style(Style),
    Aurora,
    /// Written over the picture.
    Caption(String),
    /// A new shot begins.
    Shot,
    /// Not to be in the picture, as in `no people`.
    Absent,
}

impl Meaning {
    /// What it is called: `thing`, `motion`...
    pub fn sort(&self) -> &'static str {
        match self {
            Self::Thing(_) => "thing",
            Self::Motion(_) => "motion",
            Self::Act(_) => "act",
            Self::Relation(_) => "relation",
            Self::Backdrop(_) => "backdrop",
            Self::Weather(_) => "weather",
            Self::Hour(_) => "hour",
            Self::Count(_) => "count",
            Self::Size(_) => "size",
            Self::Colour(_) => "colour",
            Self::Effect(_) => "effect",
            Self::Style(_) => "style",
            Self::Aurora => "aurora",
            Self::Caption(_) => "caption",
            Self::Shot => "shot",
            Self::Absent => "absent",
        }
    }

    /// Which one: a drawing's name, `run`, `red`, the text of a caption.
    pub fn value(&self) -> String {
        match self {
            Self::Thing(sprite) => atlas().get(*sprite).name.clone(),
            Self::Motion(motion) => motion.name().to_owned(),
            Self::Act(act) => act.name().to_owned(),
            Self::Relation(relation) => relation.name().to_owned(),
            Self::Backdrop(backdrop) => backdrop.name().to_owned(),
            Self::Weather(weather) => weather.name().to_owned(),
            Self::Hour(hour) => hour.name().to_owned(),
            Self::Count(count) => count.to_string(),
            Self::Size(size) => size.to_string(),
            Self::Colour(colour) => colour.name().to_owned(),
            Self::Effect(effect) => effect.name().to_owned(),
            Self::Style(style) => style.name().to_owned(),
            Self::Caption(text) => text.clone(),
            Self::Aurora | Self::Shot | Self::Absent => String::new(),
        }
    }

    /// It puts something into the picture by itself.
    fn is_drawn(&self) -> bool {
        matches!(self, Self::Thing(_) | Self::Backdrop(_) | Self::Weather(_) | Self::Hour(_) | Self::Aurora | Self::Caption(_))
    }
}

impl Understanding {
    /// Nothing that could be drawn was understood or guessed.
    pub fn is_empty(&self) -> bool {
        !self.terms.iter().any(|term| matches!(&term.reading, Reading::Understood(meaning) | Reading::Guess(meaning) if meaning.is_drawn()))
    }
}

/// Reads a prompt of any language and length. Never fails: what is not understood is reported as ignored.
pub fn understand(prompt: &str) -> Understanding {
    let tokens = text::tokens(prompt);
    let language = language::of(&tokens);
    let lexicon = lexicon::of(language).unwrap_or(english());
    let mut units = scan::units(&tokens, language);
    let captions = captions(prompt, &tokens, &mut units);
    let picks = sense::choose(&units);
    let reader = Reader { prompt, tokens: &tokens, units: &units, picks: &picks, captions: &captions };
    let mut composer = Composer::new(&units, &picks, &captions, lexicon);
    let mut shots = Vec::new();
    for at in 0..units.len() {
        let goes_on = || !reader.is_then(at) && reader.subject(at).is_some_and(|sprite| composer.awaits(sprite));
        if shots.len() + 1 < MOST_SHOTS && reader.begins_shot(at) && !goes_on() && (!composer.shot.things.is_empty() || reader.is_then(at) && composer.shot.place.is_some()) {
            shots.push(composer.cut());
            if reader.is_then(at)
                && let Some(fate) = composer.fates.get_mut(at)
            {
                *fate = Fate::Cut;
            }
        }
        composer.take(at);
    }
    composer.settle();
    let mut fates = std::mem::take(&mut composer.fates);
    shots.push(std::mem::take(&mut composer.shot));
    let style = shots.iter().find_map(|shot| shot.style);
    let shots = shots.into_iter().map(|shot| {
        let (program, crowded) = habits::finish(shot);
        for unit in crowded {
            if let Some(fate) = fates.get_mut(unit) {
                *fate = Fate::Lost;
            }
        }
        program
    });
    let story = Story { shots: shots.collect(), style };
    Understanding { story, terms: reader.terms(&fates), language: language.to_owned() }
}

/// For each unit the text that is written because of it; what follows `says` in the prompt is joined to one unit.
fn captions(prompt: &str, tokens: &[Token], units: &mut Vec<Unit>) -> Vec<String> {
    let text = |range: Range<usize>| -> String {
        let first = tokens.get(range.start).map_or(0, |token| token.at.start);
        let last = tokens.get(range.end.saturating_sub(1)).map_or(first, |token| token.at.end);
        prompt.get(first..last).unwrap_or_default().to_owned()
    };
    let mut captions: Vec<String> = Vec::new();
    let mut at = 0;
    while at < units.len() {
        let Some(unit) = units.get(at) else { break };
        let quotation = unit.shape == Shape::Quotation;
        let written = unit.hits.iter().any(|hit| hit.sense.written);
        let quotes = unit.hits.iter().any(|hit| hit.sense.quotes);
        if quotation {
            captions.push(tokens.get(unit.tokens.start).map(|token| token.key.clone()).unwrap_or_default());
        } else if written {
            captions.push(text(unit.tokens.clone()));
        } else {
            captions.push(String::new());
        }
        let next = at + 1;
        if quotes && units.get(next).is_some_and(|unit| unit.shape != Shape::Quotation && unit.gap < Gap::Stop) && !units.iter().skip(next).any(|unit| unit.shape == Shape::Quotation) {
            let end = (next + 1..units.len()).find(|place| units.get(*place).is_some_and(|unit| unit.gap >= Gap::Comma)).unwrap_or(units.len());
            let (Some(first), Some(last)) = (units.get(next), units.get(end - 1)) else { break };
            let joined = Unit { tokens: first.tokens.start..last.tokens.end, gap: first.gap, shape: Shape::Quotation, hits: Vec::new() };
            captions.push(text(joined.tokens.clone()));
            units.splice(next..end, [joined]);
            at = next;
        }
        at += 1;
    }
    captions.iter().map(|text| text.chars().take(LONGEST_CAPTION).collect()).collect()
}

struct Reader<'a> {
    prompt: &'a str,
    tokens: &'a [Token],
    units: &'a [Unit],
    picks: &'a [Option<usize>],
    captions: &'a [String],
}

impl Reader<'_> {
    fn hit(&self, at: usize) -> Option<Hit> {
        let pick = self.picks.get(at).copied().flatten()?;
        self.units.get(at)?.hits.get(pick).copied()
    }

    fn is_then(&self, at: usize) -> bool {
        self.hit(at).is_some_and(|hit| hit.sense.is(Part::Then))
    }

    /// `then` and its like, or a sentence in which somebody does something.
    fn begins_shot(&self, at: usize) -> bool {
        if self.is_then(at) {
            return (at + 1..self.units.len()).any(|next| self.tells(next));
        }
        let Some(unit) = self.units.get(at).filter(|unit| unit.gap == Gap::Stop && at > 0) else { return false };
        debug_assert!(!unit.tokens.is_empty());
        let end = (at + 1..self.units.len()).find(|next| self.units.get(*next).is_some_and(|unit| unit.gap == Gap::Stop)).unwrap_or(self.units.len());
        let (mut named, mut moves, mut refers) = (false, false, false);
        for next in at..end {
            if let Some(hit) = self.hit(next) {
                let subject = hit.sense.sprite.is_some() || hit.sense.is(Part::Pronoun);
                refers |= named && hit.sense.is(Part::Pronoun);
                named |= subject && !moves;
                moves |= named && hit.sense.is(Part::Verb) && (hit.sense.motion.is_some() || hit.sense.act.is_some());
            }
        }
        moves && !refers
    }

    /// The first thing that is named from here on.
    fn subject(&self, at: usize) -> Option<SpriteId> {
        (at..self.units.len()).find_map(|place| self.hit(place)?.sense.sprite)
    }

    /// It names a thing or says what happens.
    fn tells(&self, at: usize) -> bool {
        self.hit(at).is_some_and(|hit| hit.sense.is_scene() || hit.sense.motion.is_some() || hit.sense.act.is_some())
    }

    fn terms(&self, fates: &[Fate]) -> Vec<Term> {
        (0..self.units.len()).filter_map(|at| self.term(at, fates.get(at).copied().unwrap_or(Fate::Lost))).collect()
    }

    fn term(&self, at: usize, fate: Fate) -> Option<Term> {
        let unit = self.units.get(at)?;
        let start = self.tokens.get(unit.tokens.start)?.at.start;
        let end = self.tokens.get(unit.tokens.end.checked_sub(1)?)?.at.end;
        let range = start..end;
        let text = self.prompt.get(range.clone())?.to_owned();
        Some(Term { text, at: range, reading: self.reading(at, fate) })
    }

    fn reading(&self, at: usize, fate: Fate) -> Reading {
        if fate == Fate::Written {
            return Reading::Understood(Meaning::Caption(self.captions.get(at).cloned().unwrap_or_default()));
        }
        let Some(hit) = self.hit(at) else { return Reading::Ignored };
        if fate == Fate::Cut {
            return Reading::Understood(Meaning::Shot);
        }
        if hit.sense.filler || hit.sense.is(Part::Preposition) && fate == Fate::Lost {
            return Reading::Filler;
        }
        if hit.sense.ignored || fate == Fate::Lost {
            return Reading::Ignored;
        }
        let meaning = if fate == Fate::Absent { Some(Meaning::Absent) } else { meaning(hit.sense, fate) };
        match meaning {
            Some(meaning) if hit.sure => Reading::Understood(meaning),
            Some(meaning) => Reading::Guess(meaning),
            None => Reading::Filler,
        }
    }
}

/// The foremost of what a sense says.
fn meaning(sense: &Sense, fate: Fate) -> Option<Meaning> {
    let place = sense.place.map(Meaning::Backdrop);
    if fate == Fate::Place && place.is_some() {
        return place;
    }
    let act = sense.act.map(Meaning::Act);
    let motion = sense.motion.map(Meaning::Motion);
    let idle = matches!(sense.motion, None | Some(Motion::Idle));
    let gives = sense.effect.map(Meaning::Effect);
    let played = (sense.object == Some(lexicon::Object::Played)).then_some(Meaning::Relation(Relation::Play));
    let first = if sense.is(Part::Verb) { act.or(sense.mount.map(Meaning::Thing)).or(gives.filter(|_| idle)).or(played).or(motion) } else { None };
    let relation = sense.relation.filter(|relation| *relation != Relation::None).map(Meaning::Relation);
    let object = match sense.object {
        Some(lexicon::Object::Subject(relation)) if sense.is(Part::Verb) => Some(Meaning::Relation(relation)),
        Some(lexicon::Object::Worn) if sense.is(Part::Verb) => Some(Meaning::Relation(Relation::Wear)),
        Some(lexicon::Object::Beside | lexicon::Object::Tossed) if sense.is(Part::Verb) => Some(Meaning::Relation(Relation::Beside)),
        _ => None,
    };
    let aurora = sense.aurora.then_some(Meaning::Aurora);
    let count = sense.count.filter(|_| sense.is(Part::Number)).map(Meaning::Count);
    first
        .or(sense.sprite.map(Meaning::Thing))
        .or(aurora)
        .or(place)
        .or(sense.weather.map(Meaning::Weather))
        .or(sense.hour.map(Meaning::Hour))
        .or(sense.style.map(Meaning::Style))
        .or(object)
        .or(sense.effect.map(Meaning::Effect))
        .or(sense.colour.map(Meaning::Colour))
        .or(sense.size.map(Meaning::Size))
        .or(count)
        .or(relation)
}

impl Meaning {
    /// What people read of it: a drawing's name in words, `run`, `red`, the text of a caption.
    pub fn name(&self) -> String {
        match self {
            Self::Thing(_) => self.value().replace("-figure", "").replace('-', " "),
            Self::Aurora | Self::Shot | Self::Absent => self.sort().to_owned(),
            _ => self.value(),
        }
    }
}
