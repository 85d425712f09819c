//! The word that a misspelt or half-typed one stands for.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::lexicon::{Lexicon, Part, english, others};
use super::names::names;

/// Shorter words are too near to each other.
const SHORTEST: usize = 3;
const LONGEST: usize = 24;
/// Letters from which a half-typed word tells what it is to become.
const BEGUN: usize = 3;

/// What a slip of the pen costs: two letters swapped, or one doubled.
const SLIP: usize = 2;
const OTHER_VOWEL: usize = 3;
const MISSING: usize = 3;
/// A letter more, or another.
const LETTER: usize = 4;

/// What all slips of a word may cost together.
const fn most(letters: usize) -> usize {
    match letters {
        ..=4 => SLIP,
        5..=6 => LETTER,
        7..=8 => LETTER + MISSING,
        _ => 2 * LETTER,
    }
}

/// The one known word that a misspelt one is nearest to, as the dictionary has it; none when there are more. A word that begins
/// with another letter is another word.
pub fn near(word: &str, lexicon: &'static Lexicon) -> Option<&'static str> {
    let letters: Vec<char> = word.chars().collect();
    if !(SHORTEST..=LONGEST).contains(&letters.len()) || !letters.iter().all(|letter| letter.is_alphabetic()) {
        return None;
    }
    let index = index(lexicon);
    let mut best = most(letters.len()) + 1;
    let mut found: Option<&'static str> = None;
    let mut seen = None;
    for place in ends(&letters).iter().filter_map(|end| index.ends.get(end)).flatten() {
        let Some(entry) = index.entries.get(*place) else { continue };
        if seen == Some(*place) || entry.letters.len().abs_diff(letters.len()) > 2 || !same_start(&letters, &entry.letters) {
            continue;
        }
        seen = Some(*place);
        let cost = slips(&letters, &entry.letters, best);
        if cost < best {
            (best, found) = (cost, Some(entry.word));
        } else if cost == best && found.is_some_and(|known| known != entry.word) {
            found = None;
        }
    }
    found
}

/// What a word becomes that is still being typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begun {
    /// No known word begins so.
    Nothing,
    /// One, of which all others that begin so are longer forms.
    Word(&'static str),
    Several,
}

pub fn begun(word: &str, lexicon: &'static Lexicon) -> Begun {
    if word.chars().count() < BEGUN {
        return Begun::Several;
    }
    let whole = lexicon.words().map(|(whole, _)| whole).filter(|whole| whole.starts_with(word) && !whole.contains(' '));
    let whole: Vec<&'static str> = whole.collect();
    match whole.iter().min_by_key(|whole| whole.len()) {
        None => Begun::Nothing,
        Some(least) if whole.iter().all(|whole| whole.starts_with(least)) => Begun::Word(least),
        Some(_) => Begun::Several,
    }
}

#[derive(Default)]
struct Index {
    entries: Vec<Entry>,
    /// Places of the words that have these two letters first or last.
    ends: HashMap<[char; 3], Vec<usize>>,
}

/// A word in one of its forms.
struct Entry {
    letters: Vec<char>,
    word: &'static str,
}

fn index(lexicon: &'static Lexicon) -> &'static Index {
    static INDICES: OnceLock<Vec<OnceLock<Index>>> = OnceLock::new();
    static NONE: OnceLock<Index> = OnceLock::new();
    let indices = INDICES.get_or_init(|| (0..=others().len()).map(|_| OnceLock::new()).collect());
    let place = others().iter().position(|other| other.language == lexicon.language).map_or(0, |place| place + 1);
    match indices.get(place) {
        Some(index) => index.get_or_init(|| Index::of(lexicon)),
        None => NONE.get_or_init(Index::default),
    }
}

impl Index {
    fn of(lexicon: &'static Lexicon) -> Self {
        let mut index = Self::default();
        for (word, senses) in lexicon.words() {
            let (mut verb, mut noun) = (false, false);
            for sense in senses {
                verb |= sense.is(Part::Verb);
                noun |= sense.is(Part::Noun);
            }
            index.add(word.to_owned(), word);
            if lexicon.language == english().language {
                forms(word, verb, noun).into_iter().for_each(|form| index.add(form, word));
            }
        }
        if lexicon.language != english().language {
            names().exact(&lexicon.language).for_each(|word| index.add(word.to_owned(), word));
        }
        index
    }

    fn add(&mut self, form: String, word: &'static str) {
        let letters: Vec<char> = form.chars().collect();
        if letters.len() + 1 < SHORTEST || letters.len() > LONGEST || !letters.iter().all(|letter| letter.is_alphabetic()) {
            return;
        }
        for end in ends(&letters) {
            self.ends.entry(end).or_default().push(self.entries.len());
        }
        self.entries.push(Entry { letters, word });
    }
}

/// What is said of an English word besides its dictionary form.
fn forms(word: &str, verb: bool, noun: bool) -> Vec<String> {
    let stem = word.strip_suffix('e').unwrap_or(word);
    let last = word.chars().next_back().unwrap_or_default();
    let mut forms = Vec::new();
    if verb {
        forms.extend([format!("{stem}ing"), format!("{word}{last}ing")]);
    }
    if verb || noun {
        forms.push(format!("{word}s"));
    }
    forms
}

/// The first two letters and the last two, in either order; the third letter of a key says which.
fn ends(letters: &[char]) -> Vec<[char; 3]> {
    let mut ends = Vec::new();
    if let [first, second, ..] = letters {
        ends.push([*first.min(second), *first.max(second), '<']);
    }
    if let [.., before, last] = letters {
        ends.push([*before.min(last), *before.max(last), '>']);
    }
    ends
}

fn same_start(one: &[char], other: &[char]) -> bool {
    match (one, other) {
        ([a, b, ..], [c, d, ..]) => a == c || a == d && b == c,
        _ => false,
    }
}

/// What it costs to make one word of the other: optimal string alignment. At least `enough` means no more than that.
fn slips(one: &[char], other: &[char], enough: usize) -> usize {
    let letter = |word: &[char], place: usize| place.checked_sub(1).and_then(|place| word.get(place)).copied();
    let doubled = |word: &[char], place: usize, else_cost| if letter(word, place) == letter(word, place - 1) { SLIP } else { else_cost };
    let mut above: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=other.len()).map(|place| place * MISSING).collect();
    for i in 1..=one.len() {
        let mut next = vec![i * LETTER];
        for j in 1..=other.len() {
            let (a, b) = (letter(one, i), letter(other, j));
            let at = |row: &[usize], place: usize| row.get(place).copied().unwrap_or(usize::MAX / 2);
            let changed = if a == b {
                0
            } else if [a, b].into_iter().flatten().all(|letter| "aeiouy".contains(letter)) {
                OTHER_VOWEL
            } else {
                LETTER
            };
            let mut least = at(&row, j - 1) + changed;
            least = least.min(at(&row, j) + doubled(one, i, LETTER)).min(at(&next, j - 1) + doubled(other, j, MISSING));
            if i > 1 && j > 1 && a != b && a == letter(other, j - 1) && b == letter(one, i - 1) {
                least = least.min(at(&above, j - 2) + SLIP);
            }
            next.push(least);
        }
        if next.iter().min().is_none_or(|least| *least > enough + SLIP) {
            return usize::MAX;
        }
        above = std::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(one: &str, other: &str) -> usize {
        slips(&one.chars().collect::<Vec<_>>(), &other.chars().collect::<Vec<_>>(), 99)
    }

    #[test]
    fn swapped_and_doubled_letters_cost_less_than_others() {
        assert_eq!(cost("elephant", "elephant"), 0);
        assert_eq!(cost("elephnat", "elephant"), SLIP);
        assert_eq!(cost("ballloon", "balloon"), SLIP);
        assert_eq!(cost("baloon", "balloon"), SLIP);
        assert_eq!(cost("elephent", "elephant"), OTHER_VOWEL);
        assert_eq!(cost("elephnt", "elephant"), MISSING);
        assert_eq!(cost("elefant", "elephant"), LETTER + MISSING);
    }

    #[test]
    fn a_half_typed_word_is_the_one_that_all_others_begin_with() {
        assert_eq!(begun("skateb", english()), Begun::Word("skateboard"));
        assert_eq!(begun("pian", english()), Begun::Several);
        assert_eq!(begun("xqz", english()), Begun::Nothing);
    }
}
