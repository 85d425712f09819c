//! What people call the drawings in thirty languages: names and keywords of the Unicode CLDR, in `data/words.tsv.br`.
//!
//! The first line has the drawings' names. A line `@es` starts a language; each line below it is a word, a tab and a
//! drawing's place in the first line, `~` before it when the word is only a keyword. Words of a language are sorted.

use std::collections::HashMap;
use std::io::Read;
use std::sync::OnceLock;

use crate::sprites::{SpriteId, atlas};

use super::lexicon::{Part, Sense, english};
use super::text::{emoji_key, is_unspaced, phrase_key};

pub struct Names {
    text: String,
    /// Of each language: where its lines start.
    languages: Vec<(String, Vec<u32>)>,
    /// What each drawing's name means.
    senses: Vec<Sense>,
    emoji: HashMap<String, usize>,
    /// Of languages without spaces: characters of the longest word that starts with a character.
    unspaced: HashMap<char, usize>,
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
        let mut languages: Vec<(String, Vec<u32>)> = Vec::new();
        let mut start = header.len() + 1;
        let mut unspaced: HashMap<char, usize> = HashMap::new();
        for line in text.lines().skip(1) {
            if let Some(first) = line.chars().next().filter(|first| is_unspaced(*first)) {
                let length = line.split('\t').next().unwrap_or_default().chars().count();
                let longest = unspaced.entry(first).or_default();
                *longest = length.max(*longest);
            }
            match line.strip_prefix('@') {
                Some(language) => languages.push((language.to_owned(), Vec::new())),
                None => {
                    if let (Some((_, lines)), Ok(start)) = (languages.last_mut(), u32::try_from(start)) {
                        lines.push(start);
                    }
                }
            }
            start += line.len() + 1;
        }
        Self { text, languages, senses, emoji, unspaced }
    }

    pub fn find(&'static self, language: &str, word: &str) -> Option<Named> {
        let (_, lines) = self.languages.iter().find(|(name, _)| name == language)?;
        let place = lines.binary_search_by(|start| self.word(*start).cmp(word)).ok()?;
        let line = self.line(*lines.get(place)?);
        let which = line.split('\t').nth(1)?;
        let sense = self.senses.get(which.trim_start_matches('~').parse::<usize>().ok()?)?;
        let exact = !which.starts_with('~');
        let vague = || sense.sprite.is_some_and(|sprite| is_sign(&atlas().get(sprite).group));
        (sense.is_scene() && (exact || !vague())).then_some(Named { sense, exact })
    }

    /// The names of drawings in a language.
    pub fn exact(&self, language: &str) -> impl Iterator<Item = &str> {
        let lines = self.languages.iter().find(|(name, _)| name == language).map(|(_, lines)| lines.as_slice()).unwrap_or_default();
        lines.iter().map(|start| self.line(*start)).filter(|line| !line.contains("\t~")).filter_map(|line| line.split('\t').next())
    }

    /// Characters of the longest word that starts like this one, in scripts without spaces.
    pub fn longest(&self, word: &str) -> usize {
        word.chars().next().and_then(|first| self.unspaced.get(&first)).copied().unwrap_or(1)
    }

    /// The drawing that an emoji is.
    pub fn emoji(&'static self, key: &str) -> Option<&'static Sense> {
        let whole = || self.emoji.get(key);
        let first = || key.split('\u{200d}').next().and_then(|first| self.emoji.get(first));
        self.senses.get(*whole().or_else(first)?)
    }

    fn line(&self, start: u32) -> &str {
        let rest = self.text.get(start as usize..).unwrap_or_default();
        rest.split('\n').next().unwrap_or_default()
    }

    fn word(&self, start: u32) -> &str {
        let rest = self.text.get(start as usize..).unwrap_or_default();
        rest.split('\t').next().unwrap_or_default()
    }
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
