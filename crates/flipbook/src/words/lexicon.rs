//! The words that people have checked: `data/lexicon.txt` (English) and `data/grammar.txt` (other languages).
//!
//! A line is `meaning = words`. The meaning starts with a part of speech; what follows are sprites in order of preference
//! and `what:which` pairs. In words, `_` is a space and `stem/form` stands for a stem with each ending of `forms form`.

mod notation;

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::codes::{Act, Backdrop, Colour, Effect, Hour, Motion, Relation, Setting, Style, Way, Weather};
use crate::sprites::SpriteId;

use super::text::{is_unspaced, phrase_key};
use notation::sense;

/// What a word does in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    Noun,
    Verb,
    Adjective,
    Adverb,
    Determiner,
    Number,
    Pronoun,
    /// `that`, `which`, `who`.
    Relative,
    Auxiliary,
    Preposition,
    /// What stands behind its noun in languages that do so.
    Postposition,
    Conjunction,
    Negation,
    /// `then`, `suddenly`: a new shot.
    Then,
    Caption,
    /// Several words that stand for themselves: a style, a greeting.
    Phrase,
}

/// What a verb makes of its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Object {
    /// The subject stands to it as this says.
    Subject(Relation),
    /// It stands beside the subject.
    Beside,
    /// It is worn by the subject.
    Worn,
    /// It flies or bounces beside the subject.
    Tossed,
    /// An instrument is played, a ball bounces, what else is near.
    Played,
}

/// All that a word may say. What it leaves open is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sense {
    pub part: Option<Part>,
    pub sprite: Option<SpriteId>,
    /// Who is there as well: a family is several.
    pub company: Vec<SpriteId>,
    pub motion: Option<Motion>,
    /// What a verb puts its subject on: `surfing` needs a board.
    pub mount: Option<SpriteId>,
    pub act: Option<Act>,
    pub object: Option<Object>,
    pub place: Option<Backdrop>,
    /// What such a room is.
    pub setting: Option<Setting>,
    /// Where somebody is when nobody says so: a teacher in a classroom.
    pub home: Option<Setting>,
    pub weather: Option<Weather>,
    pub hour: Option<Hour>,
    pub colour: Option<Colour>,
    pub size: Option<i8>,
    pub count: Option<usize>,
    pub relation: Option<Relation>,
    /// Where somebody goes by what follows.
    pub way: Option<Way>,
    pub effect: Option<Effect>,
    pub style: Option<Style>,
    pub aurora: bool,
    /// What follows is written over the picture.
    pub quotes: bool,
    /// It is written over the picture.
    pub written: bool,
    /// `a bowl of`: what it holds is what counts.
    pub container: bool,
    /// Several without being a plural; of a number: it says no exact one.
    pub many: bool,
    /// What is drawn is only near to what the word means.
    pub guess: bool,
    /// Of a preposition: what stands so is at the edge of a place, not in it.
    pub edge: bool,
    /// It negates the word before it.
    pub after: bool,
    /// It does so where its clause ends with it.
    pub closing: bool,
    /// The building after it is seen from outside.
    pub outer: bool,
    /// A part of a body, or what covers one.
    pub body: bool,
    /// What covers a body: its colour is that of who has it.
    pub coat: bool,
    /// A determiner: of somebody who has been spoken of.
    pub owned: bool,
    /// Known, and nothing that could be drawn.
    pub ignored: bool,
    /// It says nothing about the picture.
    pub filler: bool,
}

impl Sense {
    pub fn is(&self, part: Part) -> bool {
        self.part == Some(part)
    }

    /// All that it draws.
    pub fn sprites(&self) -> impl Iterator<Item = SpriteId> {
        self.sprite.into_iter().chain(self.company.iter().copied())
    }

    /// It names a thing or a place, the weather or an hour.
    pub fn is_scene(&self) -> bool {
        self.sprite.is_some() || self.place.is_some() || self.weather.is_some() || self.hour.is_some() || self.aurora
    }
}

/// The words of one language.
#[derive(Debug, Default)]
pub struct Lexicon {
    pub language: String,
    pub senses: Vec<Sense>,
    pub(super) words: HashMap<String, Vec<u32>>,
    /// How many words the longest phrase has that starts with a word and has several; without spaces, how many characters.
    longest: HashMap<String, usize>,
    /// Irregular form -> base form.
    pub irregular: HashMap<String, (String, Irregular)>,
    /// Endings that may be taken off a word.
    pub suffixes: Vec<String>,
    /// Endings that may take their place.
    pub endings: Vec<String>,
    pub prefixes: Vec<String>,
    /// Endings of a verb in its forms, and what may stand before one.
    pub conjugation: Vec<String>,
    pub preverbs: Vec<String>,
    /// Meanings of verbs by what is left of them without an ending.
    pub(super) stems: OnceLock<HashMap<String, Vec<u32>>>,
    /// The verb follows its object.
    pub verb_last: bool,
    /// Adjectives follow their noun.
    pub noun_first: bool,
    /// What a sprite means when a name of its drawing is said: weather, a place, a better drawing.
    pub meant: HashMap<String, u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Irregular {
    Plural,
    Past,
}

impl Lexicon {
    pub fn find(&self, key: &str) -> impl Iterator<Item = &Sense> {
        self.words.get(key).into_iter().flatten().filter_map(|index| self.senses.get(*index as usize))
    }

    pub fn has(&self, key: &str) -> bool {
        self.words.contains_key(key)
    }

    /// Words of the longest phrase that begins so; 0: of several there is none.
    pub fn longest(&self, first: &str) -> usize {
        self.longest.get(first).copied().unwrap_or(0)
    }

    pub fn words(&self) -> impl Iterator<Item = (&str, impl Iterator<Item = &Sense>)> {
        self.words.iter().map(|(word, senses)| (word.as_str(), senses.iter().filter_map(|index| self.senses.get(*index as usize))))
    }

    /// The words of each phrase that names a style.
    pub fn styles(&self) -> Vec<Vec<&str>> {
        let named = self.words().filter_map(|(phrase, mut senses)| senses.any(|sense| sense.style.is_some()).then_some(phrase));
        named.map(|phrase| phrase.split(' ').collect()).collect()
    }

    /// Whether no other line gives the word another meaning of the same part of speech: one of both would never be meant.
    fn add(&mut self, word: &str, sense: u32) -> bool {
        let key = phrase_key(word);
        if key.is_empty() {
            return true;
        }
        let (first, count) = match key.chars().next().filter(|first| is_unspaced(*first)) {
            Some(first) => (first.to_string(), key.chars().count()),
            None => (key.split(' ').next().unwrap_or_default().to_owned(), key.split(' ').count()),
        };
        if count > 1 {
            let longest = self.longest.entry(first).or_default();
            *longest = (*longest).max(count);
        }
        let senses = self.words.entry(key).or_default();
        let of = |index: u32| self.senses.get(index as usize);
        let says_another = |other: &u32| of(*other) != of(sense) && of(*other).map(|other| other.part) == of(sense).map(|sense| sense.part);
        let alone = !senses.iter().any(says_another);
        if !senses.contains(&sense) {
            senses.push(sense);
        }
        alone
    }
}

/// The checked words of English.
pub fn english() -> &'static Lexicon {
    static ENGLISH: OnceLock<Lexicon> = OnceLock::new();
    ENGLISH.get_or_init(|| read(include_str!("../../data/lexicon.txt")).into_iter().next().unwrap_or_default())
}

/// The checked words of other languages.
pub fn others() -> &'static [Lexicon] {
    static OTHERS: OnceLock<Vec<Lexicon>> = OnceLock::new();
    OTHERS.get_or_init(|| read(include_str!("../../data/grammar.txt")))
}

/// What a number in digits means, up to 999.
pub fn number(digits: &str) -> Option<&'static Sense> {
    static NUMBERS: OnceLock<Vec<Sense>> = OnceLock::new();
    let count: usize = digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    let number = |count| Sense { part: Some(Part::Number), count: Some(count), ..Sense::default() };
    let numbers = NUMBERS.get_or_init(|| (0..1000).map(number).collect());
    numbers.get(count).filter(|_| count > 0)
}

pub fn of(language: &str) -> Option<&'static Lexicon> {
    if language == "en" { Some(english()) } else { others().iter().find(|lexicon| lexicon.language == language) }
}

/// Lines that cannot be read, as `line: what is wrong`. Empty for the files of this crate.
pub fn faults() -> Vec<String> {
    [include_str!("../../data/lexicon.txt"), include_str!("../../data/grammar.txt")]
        .iter()
        .flat_map(|text| {
            let mut reader = Reader::default();
            reader.read(text);
            reader.faults
        })
        .collect()
}

fn read(text: &str) -> Vec<Lexicon> {
    let mut reader = Reader::default();
    reader.read(text);
    reader.lexicons
}

#[derive(Default)]
struct Reader {
    lexicons: Vec<Lexicon>,
    forms: HashMap<String, Vec<String>>,
    faults: Vec<String>,
}

impl Reader {
    fn read(&mut self, text: &str) {
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            if let Some(header) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                self.begin(header);
            } else if let Err(fault) = self.line(line) {
                self.faults.push(format!("{}: {fault}", number + 1));
            }
        }
    }

    fn begin(&mut self, header: &str) {
        let mut parts = header.split_whitespace();
        let mut lexicon = Lexicon { language: parts.next().unwrap_or_default().to_owned(), ..Lexicon::default() };
        for flag in parts {
            lexicon.verb_last |= flag == "verb-last";
            lexicon.noun_first |= flag == "noun-first";
        }
        self.forms.clear();
        self.lexicons.push(lexicon);
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        let (meaning, words) = line.split_once('=').ok_or("no `=`")?;
        let lexicon = self.lexicons.last_mut().ok_or("no language")?;
        let mut spec = meaning.split_whitespace();
        let head = spec.next().ok_or("no meaning")?;
        let words = words.split_whitespace();
        let owned =
            |words: std::str::SplitWhitespace| words.map(|word| if word == "-" { String::new() } else { phrase_key(word) }).collect();
        match head {
            "forms" => {
                let name = spec.next().ok_or("forms without a name")?;
                self.forms.insert(name.to_owned(), words.map(|end| if end == "-" { String::new() } else { end.to_owned() }).collect());
            }
            "suffixes" => lexicon.suffixes = owned(words),
            "endings" => lexicon.endings = owned(words),
            "prefixes" => lexicon.prefixes = owned(words),
            "conjugation" => lexicon.conjugation = owned(words),
            "preverbs" => lexicon.preverbs = owned(words),
            "plural" | "past" => {
                let form = if head == "plural" { Irregular::Plural } else { Irregular::Past };
                let base = spec.next().ok_or("an irregular form of nothing")?;
                lexicon.irregular.extend(words.map(|word| (phrase_key(word), (phrase_key(base), form))));
            }
            "means" => {
                let index = keep(lexicon, sense("noun", spec)?)?;
                lexicon.meant.extend(words.map(|name| (name.to_owned(), index)));
            }
            _ => {
                let index = keep(lexicon, sense(head, spec)?)?;
                for word in words {
                    let spelled = match word.split_once('/') {
                        None => vec![word.to_owned()],
                        Some((stem, form)) => {
                            let ends = self.forms.get(form).ok_or_else(|| format!("no forms {form}"))?;
                            ends.iter().map(|end| format!("{stem}{end}")).collect()
                        }
                    };
                    if let Some(twice) = spelled.iter().find(|word| !lexicon.add(word, index)) {
                        return Err(format!("{twice} has another meaning in another line"));
                    }
                }
            }
        }
        Ok(())
    }
}

fn keep(lexicon: &mut Lexicon, sense: Sense) -> Result<u32, String> {
    lexicon.senses.push(sense);
    u32::try_from(lexicon.senses.len() - 1).map_err(|_| "too many meanings".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_words_those_alone_are_noted_that_begin_a_phrase() {
        let mut lexicon = Lexicon { senses: vec![Sense::default()], ..Lexicon::default() };
        for word in ["kite", "hot_air_balloon", "hot_dog", "\u{732b}", "\u{732b}\u{8349}"] {
            assert!(lexicon.add(word, 0), "{word}");
        }
        assert_eq!(["kite", "hot", "\u{732b}"].map(|first| lexicon.longest(first)), [0, 3, 2]);
        assert_eq!(lexicon.longest.len(), 2);
    }
}
