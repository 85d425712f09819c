//! What people call the drawings in thirty languages: names and keywords of the Unicode CLDR, in `data/words.tsv.br`.
//!
//! The first line has the drawings' names. A line `@es` starts a language; below it is a line for each drawing in that order:
//! its names, a tab, and what are only keywords of it, with `|` between them. A word stands once in a language.

use std::collections::HashMap;
use std::io::Read;
use std::sync::OnceLock;

use crate::sprites::{SpriteId, atlas};

use super::lexicon::{Part, Sense, english};
use super::text::{emoji_key, is_unspaced, phrase_key};

pub struct Names {
    text: String,
    languages: Vec<Language>,
    /// What each drawing's name means.
    senses: Vec<Sense>,
    emoji: HashMap<String, usize>,
    /// Of languages without spaces: characters of the longest word that starts with a character.
    unspaced: HashMap<char, usize>,
}

struct Language {
    name: String,
    /// Bytes of its lines in the text.
    start: usize,
    end: usize,
    /// Sorted, when the language is first asked for.
    words: OnceLock<Vec<Word>>,
}

#[derive(Clone, Copy)]
struct Word {
    /// Bytes of the text.
    start: u32,
    end: u32,
    drawing: u16,
    exact: bool,
}

/// A word found in a language.
#[derive(Clone, Copy)]
pub struct Named {
    pub sense: &'static Sense,
    /// It is the drawing's name, and not a keyword of it.
    pub exact: bool,
}

pub fn names() -> &'static Names {
    static NAMES: OnceLock<Names> = OnceLock::new();
    NAMES.get_or_init(Names::unpack)
}

impl Names {
    fn unpack() -> Self {
        let packed: &[u8] = include_bytes!("../../data/words.tsv.br");
        let mut text = String::with_capacity(packed.len() * 6);
        if brotli_decompressor::Decompressor::new(packed, 1 << 16).read_to_string(&mut text).is_err() {
            text.clear();
        }
        let header = text.lines().next().unwrap_or_default();
        let mut senses: Vec<Sense> = header.split('\t').map(meaning).collect();
        let mut emoji = HashMap::new();
        for id in atlas().ids() {
            let sprite = atlas().get(id);
            if !sprite.emoji.is_empty() {
                emoji.insert(emoji_key(&sprite.emoji), senses.len());
                senses.push(drawn(&sprite.name));
            }
        }
        let (mut languages, mut unspaced): (Vec<Language>, HashMap<char, usize>) = (Vec::new(), HashMap::new());
        let mut start = header.len() + 1;
        for line in text.lines().skip(1) {
            let end = start + line.len() + 1;
            match (line.strip_prefix('@'), languages.last_mut()) {
                (Some(name), _) => languages.push(Language { name: name.to_owned(), start: end, end, words: OnceLock::new() }),
                (None, Some(language)) => language.end = end,
                (None, None) => {}
            }
            for word in line.split(['\t', '|']) {
                if let Some(first) = word.chars().next().filter(|first| is_unspaced(*first)) {
                    let longest = unspaced.entry(first).or_default();
                    *longest = word.chars().count().max(*longest);
                }
            }
            start = end;
        }
        Self { text, languages, senses, emoji, unspaced }
    }

    pub fn find(&'static self, language: &str, word: &str) -> Option<Named> {
        let words = self.words(language);
        let place = words.binary_search_by(|other| self.spelt(*other).cmp(word)).ok()?;
        let Word { drawing, exact, .. } = *words.get(place)?;
        let sense = self.senses.get(usize::from(drawing))?;
        (sense.is_scene() && (exact || !is_vague(sense))).then_some(Named { sense, exact })
    }

    /// The names of drawings in a language.
    pub fn exact(&self, language: &str) -> impl Iterator<Item = &str> {
        self.words(language).iter().filter(|word| word.exact).map(|word| self.spelt(*word))
    }

    fn words(&self, language: &str) -> &[Word] {
        let Some(language) = self.languages.iter().find(|known| known.name == language) else { return &[] };
        language.words.get_or_init(|| self.sorted(language))
    }

    fn sorted(&self, language: &Language) -> Vec<Word> {
        let (mut words, mut start) = (Vec::new(), language.start);
        let lines = self.text.get(start..language.end).unwrap_or_default();
        for (drawing, line) in lines.lines().enumerate() {
            let names = line.split('\t').next().map_or(0, str::len);
            let mut at = 0;
            for word in line.split(['\t', '|']) {
                let place = (u32::try_from(start + at), u32::try_from(start + at + word.len()), u16::try_from(drawing));
                if let (Ok(start), Ok(end), Ok(drawing), false) = (place.0, place.1, place.2, word.is_empty()) {
                    words.push(Word { start, end, drawing, exact: at < names });
                }
                at += word.len() + 1;
            }
            start += line.len() + 1;
        }
        words.sort_unstable_by(|one, other| self.spelt(*one).cmp(self.spelt(*other)));
        words
    }

    /// Characters of the longest word that starts like this one, in scripts without spaces.
    pub fn longest(&self, word: &str) -> usize {
        word.chars().next().and_then(|first| self.unspaced.get(&first)).copied().unwrap_or(1)
    }

    /// The drawing that an emoji is, or the first of what is joined in it.
    pub fn emoji(&'static self, key: &str) -> Option<Named> {
        let of = |key: &str, exact| {
            let sense = self.senses.get(*self.emoji.get(key)?)?;
            Some(Named { sense, exact })
        };
        of(key, true).or_else(|| of(key.split('\u{200d}').next()?, false))
    }

    fn spelt(&self, word: Word) -> &str {
        self.text.get(word.start as usize..word.end as usize).unwrap_or_default()
    }
}

/// Keywords of this drawing tell of it: they are packed, and looked for.
pub fn has_keywords(name: &str) -> bool {
    !is_vague(&meaning(name))
}

fn is_vague(sense: &Sense) -> bool {
    sense.sprite.is_some_and(|sprite| is_sign(&atlas().get(sprite).group))
}

/// What the drawing's name means: what the lexicon says, else the drawing.
fn meaning(name: &str) -> Sense {
    let lexicon = english();
    match lexicon.meant.get(name).and_then(|index| lexicon.senses.get(*index as usize)) {
        Some(sense) => sense.clone(),
        // A nose by itself is drawn in no language.
        None if lexicon.find(&phrase_key(&name.replace('-', " "))).any(|sense| sense.ignored) => {
            Sense { part: Some(Part::Noun), ignored: true, ..Sense::default() }
        }
        None => thing(atlas().named(name)),
    }
}

/// The best drawing of what an emoji shows, never a place or the weather.
fn drawn(name: &str) -> Sense {
    let meant = meaning(name);
    if meant.sprite.is_some() && meant.motion.is_none() { meant } else { thing(atlas().named(name)) }
}

fn thing(sprite: Option<SpriteId>) -> Sense {
    Sense { part: Some(Part::Noun), sprite, ..Sense::default() }
}

/// Groups whose keywords are moods, gestures and abstractions.
fn is_sign(group: &str) -> bool {
    let starts = [
        "face-",
        "hand",
        "person-gesture",
        "person-symbol",
        "emotion",
        "cat-face",
        "monkey-face",
        "transport-sign",
        "place-map",
        "sound",
        "time",
        "office",
    ];
    let signs = [
        "alphanum",
        "keycap",
        "av-symbol",
        "arrow",
        "warning",
        "zodiac",
        "other-symbol",
        "geometric",
        "punctuation",
        "math",
        "currency",
        "gender",
        "religion",
        "body-parts",
    ];
    starts.iter().any(|start| group.starts_with(start)) || signs.contains(&group)
}
