//! Words that stand in no list give way to names of what can be drawn, where somebody knows a name that is near to them.
//!
//! Every replacement is read back: one that is not drawn, or by which anything else that was said is lost, is not made.

use std::ops::Range;

use crate::codes::{Backdrop, Hour, Kind, Weather};
use crate::sprites::atlas;

use super::text::{Gap, Shape, Token};
use super::{Meaning, Reading, Term, Understanding, understand};

/// Unknown words that are one after the other are looked up together too, so many.
const LONGEST_PHRASE: usize = 3;
/// Words that are replaced in one prompt at most: after each the whole is read again.
const MOST: usize = 12;
/// Characters of the shortest word that is looked up.
const SHORTEST: usize = 3;

/// A prompt in which some words stand for others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replaced {
    pub text: String,
    /// In order.
    pub replacements: Vec<Replacement>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// Bytes of the prompt.
    pub typed: Range<usize>,
    /// Bytes of the text.
    pub at: Range<usize>,
}

/// Names by which things, places, weather and hours are understood, in English: what an unknown word may be taken for. Signs,
/// which say nothing of a scene, are left out.
pub fn names() -> Vec<String> {
    let things = atlas().ids().map(|id| atlas().get(id)).filter(|sprite| sprite.kind != Kind::Symbol);
    let things = things.map(|sprite| sprite.name.replace("-figure", ""));
    let places = Backdrop::ALL.iter().map(|place| place.name().to_owned());
    let weathers = Weather::ALL.iter().map(|weather| weather.name().to_owned());
    let hours = Hour::ALL.iter().map(|hour| hour.name().to_owned());
    let mut names: Vec<String> = things.chain(places).chain(weathers).chain(hours).map(|name| name.replace('-', " ")).collect();
    names.sort_unstable();
    names.dedup();
    names.retain(|name| is_drawn(name));
    names
}

fn is_drawn(name: &str) -> bool {
    let read = understand(name);
    matches!(read.terms.as_slice(), [Term { reading: Reading::Understood(meaning), .. }] if meaning.is_drawn())
}

/// The unknown words of the prompt, in bytes: those that stand together first, then each by itself.
pub fn unknown(prompt: &str) -> Vec<Range<usize>> {
    understand(prompt).unknown
}

/// The prompt with the names that are `nearest` to its unknown words in their place.
pub fn replaced<'a>(prompt: &str, nearest: impl Fn(&str) -> Option<&'a str>) -> Replaced {
    let before = understand(prompt);
    let mut replaced = Replaced { text: prompt.to_owned(), replacements: Vec::new() };
    let (mut names, mut tries): (Vec<(Range<usize>, &str)>, usize) = (Vec::new(), 0);
    for typed in &before.unknown {
        let Some(name) = prompt.get(typed.clone()).and_then(&nearest) else { continue };
        tries += 1;
        if tries > MOST {
            break;
        }
        if names.iter().any(|(other, _)| overlap(other, typed)) {
            continue;
        }
        let place = names.partition_point(|(other, _)| other.start < typed.start);
        names.insert(place, (typed.clone(), name));
        let longer = render(prompt, &names);
        if is_kept(&before, &longer) {
            replaced = longer;
        } else {
            names.remove(place);
        }
    }
    replaced
}

fn render(prompt: &str, names: &[(Range<usize>, &str)]) -> Replaced {
    let mut replaced = Replaced::default();
    let mut from = 0;
    for (typed, name) in names {
        replaced.text.push_str(prompt.get(from..typed.start).unwrap_or_default());
        let start = replaced.text.len();
        replaced.text.push_str(name);
        replaced.replacements.push(Replacement { typed: typed.clone(), at: start..replaced.text.len() });
        from = typed.end;
    }
    replaced.text.push_str(prompt.get(from..).unwrap_or_default());
    replaced
}

/// Everything that was read is read still, and every name is read as one.
fn is_kept(before: &Understanding, replaced: &Replaced) -> bool {
    let now = understand(&replaced.text);
    let is_read = |term: &&Term| matches!(term.reading, Reading::Understood(_) | Reading::Guess(_));
    let is_name = |term: &&Term| replaced.replacements.iter().any(|replacement| replacement.at == term.at);
    let mut typed = now.terms.iter().filter(|term| !is_name(term));
    let names = now.terms.iter().filter(is_name).filter(is_read).count();
    names == replaced.replacements.len()
        && before.story.shots.len() == now.story.shots.len()
        && before
            .terms
            .iter()
            .filter(is_read)
            .all(|term| typed.any(|now| now.text == term.text && says_as_much(&term.reading, &now.reading)))
}

/// What is done may be read otherwise when it is known to what: who plays, then, plays the flute.
fn says_as_much(before: &Reading, now: &Reading) -> bool {
    let is_done = |meaning: &Meaning| matches!(meaning, Meaning::Motion(_) | Meaning::Act(_) | Meaning::Relation(_));
    match (before, now) {
        (Reading::Understood(one) | Reading::Guess(one), Reading::Understood(other)) => one == other || is_done(one) && is_done(other),
        (Reading::Guess(one), Reading::Guess(other)) => one == other,
        _ => false,
    }
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// Of single words, in order, those that stand together and then each.
pub(super) fn phrases(unknown: &[&Token]) -> Vec<Range<usize>> {
    let mut phrases: Vec<Range<usize>> = Vec::new();
    for run in unknown.chunk_by(|one, next| next.gap == Gap::Space && one.at.end + 1 == next.at.start) {
        if let ([first, .., last], true) = (run, run.len() <= LONGEST_PHRASE) {
            phrases.push(first.at.start..last.at.end);
        }
    }
    let is_word = |token: &&&Token| {
        token.shape == Shape::Word && token.key.chars().nth(SHORTEST - 1).is_some() && !token.key.contains(char::is_numeric)
    };
    phrases.extend(unknown.iter().filter(is_word).map(|token| token.at.clone()));
    phrases
}
