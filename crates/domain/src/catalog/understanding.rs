//! How the words of a prompt are read, before anything is charged: what the model knows, what it takes a word for, and what it
//! leaves out.

use serde::{Deserialize, Serialize};

/// Terms of a long prompt that are told.
const TERMS_MAX: usize = 200;
/// Of a term, and of its meaning.
const TERM_CHARS: usize = 200;

/// What a model makes of the words of a prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Understands {
    /// Not known beforehand: nothing is said of any word.
    #[default]
    Anything,
    /// Single words of English, so many of a prompt.
    Words { known: Vec<String>, most: usize },
    /// Scenes: things, what they do, where and when, in many languages.
    Scenes,
}

impl Understands {
    /// As [`Model::for_page`](super::Model::for_page) leaves it: browsers do without the code that reads all of it.
    #[cfg(target_family = "wasm")]
    pub(super) fn of_page<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from).map(|_| Self::Scenes)
    }

    /// Serde wants a reference.
    pub(super) const fn is_anything(&self) -> bool {
        matches!(self, Self::Anything)
    }
}

/// A part of a prompt and how it is read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Term {
    /// As it was typed.
    pub text: String,
    pub reading: Reading,
    /// What it is taken for, where that is another word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meaning: Option<String>,
    /// It was not typed: the prompt was made richer by it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_added: bool,
}

impl Term {
    fn shortened(self) -> Self {
        let short = |text: String| match text.char_indices().nth(TERM_CHARS) {
            Some((end, _)) => text[..end].to_owned(),
            None => text,
        };
        Self { text: short(self.text), meaning: self.meaning.map(short), ..self }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reading {
    Understood,
    /// Taken for something that it may not mean.
    Guess,
    Ignored,
}

/// How a prompt is read, in the order of its words. Words without a meaning of their own, such as "the", are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Understanding {
    terms: Vec<Term>,
    is_nothing: bool,
    /// Terms of a long prompt that are not told, and how many of those are read as something.
    #[serde(default, skip_serializing_if = "is_none")]
    more: usize,
    #[serde(default, skip_serializing_if = "is_none")]
    more_read: usize,
}

/// Serde wants a reference.
const fn is_none(count: &usize) -> bool {
    *count == 0
}

impl Understanding {
    /// `is_nothing`: nothing that was asked for can be made.
    #[must_use]
    pub fn new(terms: impl IntoIterator<Item = Term>, is_nothing: bool) -> Self {
        let mut terms = terms.into_iter();
        let told = terms.by_ref().take(TERMS_MAX).map(Term::shortened).collect();
        let count = |(more, read), term: Term| (more + 1, read + usize::from(term.reading != Reading::Ignored));
        let (more, more_read) = terms.fold((0, 0), count);
        Self { terms: told, is_nothing, more, more_read }
    }

    #[must_use]
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// The terms that are read like this.
    pub fn read_as(&self, reading: Reading) -> impl Iterator<Item = &Term> {
        self.terms.iter().filter(move |term| term.reading == reading)
    }

    /// How many terms the prompt has behind those that are told.
    #[must_use]
    pub const fn more(&self) -> usize {
        self.more
    }

    /// How many of those are understood or guessed.
    #[must_use]
    pub const fn more_read(&self) -> usize {
        self.more_read
    }

    /// The same, with nothing of it added: all of it was typed.
    #[must_use]
    pub fn as_typed(mut self) -> Self {
        self.terms.iter_mut().for_each(|term| term.is_added = false);
        self
    }

    /// Nothing that was asked for can be made.
    #[must_use]
    pub const fn is_nothing(&self) -> bool {
        self.is_nothing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(text: &str, reading: Reading) -> Term {
        Term { text: text.into(), reading, meaning: None, is_added: false }
    }

    #[test]
    fn a_long_prompt_is_told_in_part() {
        let words = (0..=TERMS_MAX).map(|_| term("quantum", Reading::Ignored)).chain([term("cat", Reading::Understood)]);
        let understanding = Understanding::new(words, false);
        assert_eq!((understanding.terms().len(), understanding.more(), understanding.more_read()), (TERMS_MAX, 2, 1));
        assert!(!understanding.is_nothing());
    }

    #[test]
    fn a_long_word_is_told_in_part() {
        let long = |character: &str| Term { meaning: Some(character.repeat(9000)), ..term(&character.repeat(9000), Reading::Guess) };
        let understanding = Understanding::new([long("a"), long("☂"), term("cat", Reading::Understood)], false);
        let [ascii, other, cat] = understanding.terms() else { panic!("{understanding:?}") };
        for term in [ascii, other] {
            assert!([Some(&term.text), term.meaning.as_ref()].into_iter().flatten().all(|text| text.chars().count() == TERM_CHARS));
        }
        assert_eq!(cat.text, "cat");
    }
}
