//! Finds the words of a prompt in the lexica, the longest phrase first.

use std::ops::Range;

use crate::codes::Act;

use super::forms::{self, Form};
use super::lexicon::{self, Lexicon, Part, Sense, english};
use super::names::{Named, names};
use super::spelling::{self, Begun};
use super::text::{Gap, Shape, Token, is_unspaced, joined};

/// Words of the longest name that is looked for.
const LONGEST_NAME: usize = 5;
/// Characters of the longest word of a script without spaces.
const LONGEST_UNSPACED: usize = 12;

/// Words that a phrase may have among its own.
const SMALL: [&str; 13] = ["a", "an", "the", "his", "her", "their", "its", "my", "our", "your", "some", "all", "this"];

/// Languages that write compounds as one word, and the letters of their shortest part.
const COMPOUNDING: &[&str] = &["de", "nl", "sv", "da", "no", "fi", "hu"];
const SHORTEST_PART: usize = 3;

/// One way to read a unit.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    pub sense: &'static Sense,
    pub form: Form,
    /// A person has checked it; else it is a guess.
    pub sure: bool,
}

/// Tokens that are read as one.
#[derive(Clone, Debug)]
pub struct Unit {
    pub tokens: Range<usize>,
    pub gap: Gap,
    pub shape: Shape,
    /// None for unknown words.
    pub hits: Vec<Hit>,
}

/// `open`: nothing follows the last token, which may be half typed.
pub fn units(tokens: &[Token], language: &str, open: bool) -> Vec<Unit> {
    let lexicon = lexicon::of(language).unwrap_or(english());
    let meant = if language == "en" { tokens.iter().map(meant).collect() } else { Vec::new() };
    let finder = Finder { tokens, meant, language: language.to_owned(), lexicon, open };
    let mut units: Vec<Unit> = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let (length, hits) = finder.longest(at);
        let unknown = hits.is_empty() && token.shape == Shape::Glyph;
        match units.last_mut().filter(|last| unknown && last.hits.is_empty() && last.shape == Shape::Glyph && token.gap == Gap::None) {
            Some(last) => last.tokens.end = at + 1,
            None => units.push(Unit { tokens: at..at + length, gap: token.gap, shape: token.shape, hits }),
        }
        at += length;
    }
    units
}

struct Finder<'a> {
    tokens: &'a [Token],
    /// As those that are misspelt were likely meant; empty but in English.
    meant: Vec<Option<String>>,
    language: String,
    lexicon: &'static Lexicon,
    open: bool,
}

impl Finder<'_> {
    fn longest(&self, at: usize) -> (usize, Vec<Hit>) {
        let Some(token) = self.tokens.get(at) else { return (1, Vec::new()) };
        match token.shape {
            Shape::Quotation => return (1, Vec::new()),
            Shape::Emoji => {
                let hits = names().emoji(&token.key).map(|named| Hit { sense: named.sense, form: Form::Base, sure: named.exact });
                return (1, hits.into_iter().collect());
            }
            Shape::Glyph | Shape::Word | Shape::Possessive => {}
        }
        let most = if token.shape == Shape::Glyph {
            let first: String = token.key.chars().take(1).collect();
            names().longest(&first).max(self.lexicon.longest(&first)).min(LONGEST_UNSPACED)
        } else {
            let verb = forms::verbs(&token.key, english()).into_iter().map(|(verb, _)| english().longest(&verb)).max().unwrap_or(0);
            let first = self.lexicon.longest(&token.key).max(verb + 2);
            first.max(english().longest(&token.key) + 2).max(LONGEST_NAME)
        };
        let reach = 1 + self.tokens.iter().skip(at + 1).take(most.saturating_sub(1)).take_while(|next| self.joins(token, next)).count();
        // The longest that is sure, else the longest guess.
        let mut guess = (1, Vec::new());
        for length in (1..=reach).rev() {
            let Some(slice) = self.tokens.get(at..at + length) else { continue };
            if self.cuts_katakana(at, length) {
                continue;
            }
            let last = self.open && at + 1 == self.tokens.len();
            let hits = match length {
                1 if last => self.begun(&token.key, self.word(slice)),
                1 => self.word(slice),
                _ => match self.phrase(slice) {
                    hits if hits.is_empty() => self.misspelt_phrase(at, slice),
                    hits => hits,
                },
            };
            if hits.iter().any(|hit| hit.sure) {
                return (length, hits);
            }
            if guess.1.is_empty() && !hits.is_empty() {
                guess = (length, hits);
            }
        }
        guess
    }

    fn joins(&self, first: &Token, next: &Token) -> bool {
        let spaced = first.shape != Shape::Glyph;
        next.gap < Gap::Comma
            && if spaced {
                matches!(next.shape, Shape::Word | Shape::Possessive)
            } else {
                next.shape == Shape::Glyph && next.gap == Gap::None
            }
    }

    /// Two letters of a longer foreign word in Japanese are no word.
    fn cuts_katakana(&self, at: usize, length: usize) -> bool {
        let letter = |place: usize| {
            let token = self.tokens.get(place).filter(|token| token.shape == Shape::Glyph)?;
            token.key.chars().next().filter(|c| matches!(c, '\u{30a1}'..='\u{30fe}'))
        };
        let goes_on = |place: usize| letter(place).is_some() && self.tokens.get(place).is_some_and(|token| token.gap == Gap::None);
        length <= 2 && letter(at).is_some() && (goes_on(at + length) || goes_on(at) && at > 0 && letter(at - 1).is_some())
    }

    /// `hot air baloon`
    fn misspelt_phrase(&self, at: usize, tokens: &[Token]) -> Vec<Hit> {
        let Some(meant) = self.meant.get(at..at + tokens.len()).filter(|meant| meant.iter().any(Option::is_some)) else {
            return Vec::new();
        };
        let spelt = |(token, meant): (&Token, &Option<String>)| match meant {
            Some(word) => Token { key: word.clone(), ..token.clone() },
            None => token.clone(),
        };
        // One word of it is as it should be.
        let known = meant.iter().any(Option::is_none);
        if known { self.phrase(&tokens.iter().zip(meant).map(spelt).collect::<Vec<_>>()) } else { Vec::new() }
    }

    fn phrase(&self, tokens: &[Token]) -> Vec<Hit> {
        let key = joined(tokens);
        let mut hits = exact(self.lexicon, &key);
        if hits.is_empty() && self.language == "en" {
            hits = self.bent_phrase(tokens, &key);
        }
        if hits.is_empty() && self.language != "en" {
            // Styles are called so everywhere, and a choice of one is written so.
            hits = exact(english(), &key);
            hits.retain(|hit| hit.sense.style.is_some());
        }
        if hits.is_empty() {
            let long = tokens.first().is_some_and(|token| token.shape == Shape::Glyph) || tokens.len() <= LONGEST_NAME;
            // In English `a man walking` is a man who walks his dog.
            let fits = |named: &Named| long && (self.language != "en" || named.sense.motion.is_none());
            hits.extend(names().find(&self.language, &key).filter(fits).map(|named| Hit {
                sense: named.sense,
                form: Form::Base,
                sure: named.exact,
            }));
        }
        hits
    }

    /// `hot air balloons`, `blasting off`.
    fn bent_phrase(&self, tokens: &[Token], key: &str) -> Vec<Hit> {
        let mut hits = Vec::new();
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return hits };
        let head = key.strip_suffix(last.key.as_str()).unwrap_or_default();
        for single in forms::singulars(&last.key, self.lexicon) {
            let key = format!("{head}{single}");
            hits.extend(bent(self.lexicon, &key, Part::Noun, Form::Plural));
            // `a woman cooks` is no name.
            let verb =
                forms::verbs(&last.key, self.lexicon).iter().any(|(verb, _)| self.lexicon.find(verb).any(|sense| sense.is(Part::Verb)));
            if hits.is_empty() && !verb {
                hits.extend(names().find("en", &key).filter(|named| named.exact).map(|named| Hit {
                    sense: named.sense,
                    form: Form::Plural,
                    sure: true,
                }));
            }
        }
        let tail = key.strip_prefix(first.key.as_str()).unwrap_or_default();
        if tail.starts_with(" of ") {
            // `cups of tea`
            for single in forms::singulars(&first.key, self.lexicon) {
                hits.extend(bent(self.lexicon, &format!("{single}{tail}"), Part::Noun, Form::Plural));
            }
        }
        for (verb, form) in forms::verbs(&first.key, self.lexicon) {
            hits.extend(bent(self.lexicon, &format!("{verb}{tail}"), Part::Verb, form));
        }
        if hits.is_empty() { self.handed_phrase(tokens) } else { hits }
    }

    /// `washing all the dishes`, `ties his shoes`: what hands do is listed without articles and owners.
    fn handed_phrase(&self, tokens: &[Token]) -> Vec<Hit> {
        let Some((first, rest)) = tokens.split_first() else { return Vec::new() };
        let kept: Vec<&str> = rest.iter().map(|token| token.key.as_str()).filter(|word| !SMALL.contains(word)).collect();
        let ends = rest.last().is_some_and(|last| !SMALL.contains(&last.key.as_str()));
        if !ends || kept.len() == rest.len() {
            return Vec::new();
        }
        let verbs = forms::verbs(&first.key, self.lexicon).into_iter().chain([(first.key.clone(), Form::Base)]);
        let mut hits: Vec<Hit> =
            verbs.flat_map(|(verb, form)| bent(self.lexicon, &format!("{verb} {}", kept.join(" ")), Part::Verb, form)).collect();
        hits.retain(|hit| hit.sense.act.is_some_and(Act::is_manual));
        hits
    }

    /// A word that is not sure and may be half typed is a guess only where it can become one drawing.
    fn begun(&self, key: &str, hits: Vec<Hit>) -> Vec<Hit> {
        if hits.iter().any(|hit| hit.sure) || key.chars().any(is_unspaced) {
            return hits;
        }
        match spelling::begun(key, self.lexicon) {
            Begun::Nothing => hits,
            Begun::Word(word) => guesses(self.lexicon, word, Form::Base).into_iter().filter(|hit| hit.sense.sprite.is_some()).collect(),
            Begun::Several => Vec::new(),
        }
    }

    fn word(&self, tokens: &[Token]) -> Vec<Hit> {
        let key = joined(tokens);
        if let Some(sense) = lexicon::number(&key).filter(|_| !self.lexicon.has(&key)) {
            return vec![Hit { sense, form: Form::Base, sure: true }];
        }
        if self.language == "en" {
            english_word(&key)
        } else {
            self.foreign_word(&key, tokens.first().map_or(Shape::Word, |token| token.shape))
        }
    }

    fn foreign_word(&self, key: &str, shape: Shape) -> Vec<Hit> {
        let hits = exact(self.lexicon, key);
        if !hits.is_empty() {
            return hits;
        }
        let named = |word: &str, exact: bool| {
            let named = names().find(&self.language, word).filter(|named| named.exact == exact);
            named.map(|named| vec![Hit { sense: named.sense, form: Form::Base, sure: exact }]).unwrap_or_default()
        };
        let letters = key.chars().count();
        let mut found = if letters > 1 || !key.is_ascii() { named(key, true) } else { Vec::new() };
        if shape == Shape::Glyph {
            return found;
        }
        for stem in self.stems(key) {
            if !found.is_empty() {
                return found;
            }
            found = exact(self.lexicon, &stem);
            if found.is_empty() {
                found = named(&stem, true);
            }
        }
        if found.is_empty() {
            let other = named(key, false);
            let sure = other.is_empty();
            found = self.lexicon.conjugated(key).map(|sense| Hit { sense, form: Form::Base, sure }).collect();
            if !found.is_empty() {
                found.extend(other);
            }
        }
        if found.is_empty() && letters > 2 {
            found = english_word(key);
            found.retain(|hit| hit.sure && matches!(hit.sense.part, Some(Part::Noun | Part::Verb | Part::Number | Part::Phrase)));
        }
        if found.is_empty() && letters > 2 {
            found = named(key, false);
        }
        if found.is_empty() {
            found = self.compound(key);
        }
        if found.is_empty() {
            found = spelling::near(key, self.lexicon).map_or_else(Vec::new, |near| {
                let guessed = guesses(self.lexicon, near, Form::Base);
                let named = names().find(&self.language, near).filter(|_| !self.lexicon.has(near));
                guessed.into_iter().chain(named.map(|named| Hit { sense: named.sense, form: Form::Base, sure: false })).collect()
            });
        }
        found
    }

    /// `Straßenlaterne` is likely a `Laterne`.
    fn compound(&self, key: &str) -> Vec<Hit> {
        if !COMPOUNDING.contains(&self.language.as_str()) {
            return Vec::new();
        }
        let splits = key.char_indices().map(|(split, _)| split).skip(SHORTEST_PART);
        for head in splits.filter_map(|split| key.get(split..)).take_while(|head| head.chars().count() > SHORTEST_PART) {
            let mut hits = exact(self.lexicon, head);
            hits.retain(|hit| hit.sense.is(Part::Noun) && hit.sense.is_scene());
            let named = names().find(&self.language, head).filter(|named| named.exact);
            hits.extend(named.map(|named| Hit { sense: named.sense, form: Form::Base, sure: false }));
            if let Some(hit) = hits.first() {
                return vec![Hit { sure: false, ..*hit }];
            }
        }
        Vec::new()
    }

    /// The word without its endings, and with those of a dictionary form.
    fn stems(&self, key: &str) -> Vec<String> {
        let mut roots = vec![key.to_owned()];
        roots.extend(self.lexicon.prefixes.iter().filter_map(|prefix| key.strip_prefix(prefix.as_str()).map(str::to_owned)));
        let mut stems = Vec::new();
        let least = if key.chars().any(|c| matches!(c, '\u{ac00}'..='\u{d7af}')) { 1 } else { 3 };
        for root in &roots {
            if root != key {
                stems.push(root.clone());
            }
            for suffix in &self.lexicon.suffixes {
                let Some(stem) = root.strip_suffix(suffix.as_str()).filter(|stem| stem.chars().count() >= least) else { continue };
                stems.push(stem.to_owned());
                stems.extend(self.lexicon.endings.iter().map(|ending| format!("{stem}{ending}")));
            }
        }
        stems
    }
}

/// What a misspelt English word was likely to be; `None` for words that are known.
fn meant(token: &Token) -> Option<String> {
    let is_word = matches!(token.shape, Shape::Word | Shape::Possessive) && token.key.is_ascii();
    let is_unknown = is_word && known_english_word(&token.key).is_empty();
    let near = is_unknown.then(|| spelling::near(&token.key, english())).flatten()?;
    let plural = token.key.ends_with('s') && !near.ends_with('s');
    Some(if plural { format!("{near}s") } else { near.to_owned() })
}

fn english_word(key: &str) -> Vec<Hit> {
    let known = known_english_word(key);
    if !known.is_empty() || key.len() < 2 {
        return known;
    }
    let Some(near) = spelling::near(key, english()) else { return Vec::new() };
    let end = if key.ends_with("ing") { Form::Ing } else { Form::Third };
    let plural = key.ends_with('s') && !near.ends_with('s');
    let bent = |part| match part {
        Some(Part::Noun) if plural => Form::Plural,
        Some(Part::Verb) if plural || key.ends_with("ing") && !near.ends_with("ing") => end,
        _ => Form::Base,
    };
    guesses(english(), near, Form::Base).into_iter().map(|hit| Hit { form: bent(hit.sense.part), ..hit }).collect()
}

fn known_english_word(key: &str) -> Vec<Hit> {
    let lexicon = english();
    let mut hits = exact(lexicon, key);
    let singulars = forms::singulars(key, lexicon);
    for single in &singulars {
        hits.extend(bent(lexicon, single, Part::Noun, Form::Plural));
    }
    for (verb, form) in forms::verbs(key, lexicon) {
        hits.extend(bent(lexicon, &verb, Part::Verb, form));
    }
    if !hits.is_empty() || key.len() < 2 {
        return hits;
    }
    let words = || std::iter::once((key, Form::Base)).chain(singulars.iter().map(|single| (single.as_str(), Form::Plural)));
    for exact in [true, false] {
        for (word, form) in words() {
            if let Some(named) = names().find("en", word).filter(|named| named.exact == exact && (exact || !word.ends_with("ing"))) {
                return vec![Hit { sense: named.sense, form, sure: exact }];
            }
        }
    }
    Vec::new()
}

fn guesses(lexicon: &'static Lexicon, word: &str, form: Form) -> Vec<Hit> {
    exact(lexicon, word)
        .into_iter()
        .filter(|hit| !hit.sense.ignored && !hit.sense.filler)
        .map(|hit| Hit { form, sure: false, ..hit })
        .collect()
}

fn exact(lexicon: &'static Lexicon, key: &str) -> Vec<Hit> {
    lexicon.find(key).map(|sense| Hit { sense, form: Form::Base, sure: true }).collect()
}

fn bent(lexicon: &'static Lexicon, key: &str, part: Part, form: Form) -> Vec<Hit> {
    lexicon.find(key).filter(|sense| sense.is(part)).map(|sense| Hit { sense, form, sure: true }).collect()
}
