//! From a prompt to a story: what its words mean, word by word, and the shots that they add up to.
//!
//! `prompt -> tokens (text) -> units (scan) -> one sense each (sense) -> shots (compose) -> programs (habits)`

mod compose;
mod conjugation;
pub mod expand;
mod forms;
mod habits;
mod language;
pub mod lexicon;
mod names;
mod reader;
mod reading;
pub mod replace;
mod scan;
mod sense;
mod spelling;
mod text;
pub mod traits;

use std::ops::Range;

use crate::codes::{Act, Backdrop, Colour, Effect, Hour, Motion, Relation, Setting, Style, Weather};
use crate::scene::Program;
use crate::sprites::{SpriteId, atlas};

use compose::{Absent, Composer, Fate};
use habits::Finished;
use lexicon::english;
use reader::Reader;
use reading::Shown;

pub use names::has_keywords;
pub use text::phrase_key;

/// Shots that a story may have.
pub const MOST_SHOTS: usize = 3;
/// Characters of a prompt that are read: no scene needs more, and reading is to take a few milliseconds.
pub const MOST_CHARS: usize = 4000;

/// A prompt as it was understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Understanding {
    pub story: Story,
    /// All of the prompt, in order.
    pub terms: Vec<Term>,
    /// BCP 47, a hint.
    pub language: String,
    /// Words that stand in no list, in bytes of the prompt: those that stand together first, then each by itself.
    pub unknown: Vec<Range<usize>>,
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
    /// Several that one word names, as `family` does.
    Things(Vec<SpriteId>),
    Motion(Motion),
    Act(Act),
    Relation(Relation),
    Backdrop(Backdrop),
    Setting(Setting),
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
            Self::Things(_) => "things",
            Self::Motion(_) => "motion",
            Self::Act(_) => "act",
            Self::Relation(_) => "relation",
            Self::Backdrop(_) => "backdrop",
            Self::Setting(_) => "setting",
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
            Self::Things(sprites) => sprites.iter().map(|sprite| atlas().get(*sprite).name.as_str()).collect::<Vec<_>>().join(" "),
            Self::Motion(motion) => motion.name().to_owned(),
            Self::Act(act) => act.name().to_owned(),
            Self::Relation(relation) => relation.name().to_owned(),
            Self::Backdrop(backdrop) => backdrop.name().to_owned(),
            Self::Setting(setting) => setting.name().to_owned(),
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
        matches!(
            self,
            Self::Thing(_)
                | Self::Things(_)
                | Self::Backdrop(_)
                | Self::Setting(_)
                | Self::Weather(_)
                | Self::Hour(_)
                | Self::Aurora
                | Self::Caption(_)
        )
    }
}

impl Understanding {
    /// Nothing that could be drawn was understood or guessed.
    pub fn is_empty(&self) -> bool {
        !self.terms.iter().any(|term| matches!(&term.reading, Reading::Understood(meaning) | Reading::Guess(meaning) if meaning.is_drawn()))
    }
}

/// Reads a prompt of any language; of a long one the first [`MOST_CHARS`] characters. Never fails: what is not understood, and
/// what is not read, is reported as ignored.
pub fn understand(prompt: &str) -> Understanding {
    understand_without(prompt, "")
}

/// The same, where nothing is added by habit of what `left_out` names. What the prompt itself says is in the picture all the same.
pub fn understand_without(prompt: &str, left_out: &str) -> Understanding {
    let (read, rest) = prompt.split_at(end_of_what_is_read(prompt));
    let mut understanding = read_whole(read, &absent(left_out));
    if !rest.is_empty() {
        understanding.terms.push(Term { text: rest.to_owned(), at: read.len()..prompt.len(), reading: Reading::Ignored });
    }
    understanding
}

fn end_of_what_is_read(text: &str) -> usize {
    text.char_indices().nth(MOST_CHARS).map_or(text.len(), |(end, _)| end)
}

/// All that a text names.
fn absent(text: &str) -> Absent {
    let tokens = text::tokens(&text[..end_of_what_is_read(text)]);
    let language = language::of(&tokens);
    let units = scan::units(&tokens, language, false);
    let mut absent = Absent::default();
    for (unit, pick) in units.iter().zip(sense::choose(&units, language == "en")) {
        if let Some(hit) = pick.and_then(|pick| unit.hits.get(pick)) {
            absent.add(hit.sense);
        }
    }
    absent
}

fn read_whole(prompt: &str, absent: &Absent) -> Understanding {
    let tokens = text::tokens(prompt);
    let language = language::of(&tokens);
    let lexicon = lexicon::of(language).unwrap_or(english());
    let open = tokens.last().is_some_and(|last| last.at.end == prompt.len());
    let mut units = scan::units(&tokens, language, open);
    let captions = reader::captions(prompt, &tokens, &mut units);
    let picks = sense::choose(&units, lexicon.language == "en");
    sense::suit_objects(&mut units, &picks, lexicon.verb_last);
    let reader = Reader { prompt, tokens: &tokens, units: &units, picks: &picks, captions: &captions };
    let mut composer = Composer::new(&units, &picks, &captions, lexicon);
    let mut shots = Vec::new();
    for at in 0..units.len() {
        let goes_on = || !reader.is_then(at) && reader.subject(at).is_some_and(|sprite| composer.awaits(sprite));
        if shots.len() + 1 < MOST_SHOTS
            && reader.begins_shot(at)
            && !goes_on()
            && (!composer.shot.things.is_empty() || reader.is_then(at) && composer.shot.place.is_some())
        {
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
    for shot in &mut shots {
        shot.left_out = absent.clone();
    }
    let style = shots.iter().find_map(|shot| shot.style);
    let (programs, finished): (Vec<Program>, Vec<Finished>) = shots.into_iter().map(habits::finish).unzip();
    for unit in finished.iter().flat_map(|shot| &shot.crowded) {
        if let Some(fate) = fates.get_mut(*unit) {
            *fate = Fate::Lost;
        }
    }
    let story = Story { shots: programs, style };
    let unknown: Vec<&text::Token> = reader.unknown(&fates).collect();
    let terms = reader.terms(&fates, &Shown::new(&story, &finished));
    Understanding { story, terms, language: language.to_owned(), unknown: replace::phrases(&unknown) }
}
