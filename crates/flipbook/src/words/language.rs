//! Which language a prompt is written in, by its script and by the words that are known.

use std::collections::HashSet;
use std::sync::OnceLock;

use super::forms;
use super::lexicon::{self, Lexicon};
use super::names::names;
use super::text::{Shape, Token};

/// More words tell no more.
const WORDS_READ: usize = 80;
/// How much better than English another language must fit.
const LEAD: f32 = 0.35;

const LATIN: &[&str] = &["en", "es", "fr", "de", "it", "pt", "nl", "pl", "cs", "sv", "da", "no", "fi", "hu", "ro", "tr", "id", "vi"];
const CYRILLIC: &[&str] = &["ru", "uk"];
const ARABIC: &[&str] = &["ar", "fa"];

/// A BCP 47 tag; English when nothing tells.
pub fn of(tokens: &[Token]) -> &'static str {
    let own = without_styles(tokens);
    let tokens = own.as_slice();
    let letters = || tokens.iter().filter(|token| token.shape != Shape::Quotation).flat_map(|token| token.key.chars());
    let count = |low: char, high: char| letters().filter(|c| (low..=high).contains(c)).count();
    let latin = letters().filter(char::is_ascii_alphabetic).count();
    let kana = count('\u{3040}', '\u{30ff}');
    let han = count('\u{3400}', '\u{9fff}');
    let scripts: [(usize, &[&'static str]); 9] = [
        (count('\u{ac00}', '\u{d7af}') * 3, &["ko"]),
        (if kana > 0 { (kana + han) * 3 } else { 0 }, &["ja"]),
        (if kana == 0 { han * 3 } else { 0 }, &["zh"]),
        (count('\u{e00}', '\u{e7f}'), &["th"]),
        (count('\u{900}', '\u{97f}'), &["hi"]),
        (count('\u{980}', '\u{9ff}'), &["bn"]),
        (count('\u{590}', '\u{5ff}'), &["he"]),
        (count('\u{600}', '\u{6ff}'), ARABIC),
        (count('\u{400}', '\u{4ff}'), CYRILLIC),
    ];
    let greek = (count('\u{370}', '\u{3ff}'), &["el"] as &[&'static str]);
    match scripts.into_iter().chain([greek]).filter(|(letters, _)| *letters > latin).max_by_key(|(letters, _)| *letters) {
        Some((_, [one])) => one,
        Some((_, several)) => best(tokens, several),
        None if latin > 0 => best(tokens, LATIN),
        None => "en",
    }
}

/// What is not the English name of a style, which a choice of one writes behind any language; all, where there is nothing else.
fn without_styles(tokens: &[Token]) -> Vec<Token> {
    static STYLES: OnceLock<Vec<Vec<&str>>> = OnceLock::new();
    let styles = STYLES.get_or_init(|| lexicon::english().styles());
    let named = |at: usize| {
        let begins = |phrase: &&Vec<&str>| {
            tokens.get(at..at + phrase.len()).is_some_and(|rest| rest.iter().map(|token| token.key.as_str()).eq(phrase.iter().copied()))
        };
        styles.iter().filter(begins).map(Vec::len).max().unwrap_or(0)
    };
    let (mut own, mut at) = (Vec::new(), 0);
    while let Some(token) = tokens.get(at) {
        let length = named(at);
        if length == 0 {
            own.push(token.clone());
        }
        at += length.max(1);
    }
    if own.iter().any(|token| token.key.chars().any(char::is_alphabetic)) { own } else { tokens.to_vec() }
}

/// The language whose words fit best; the first of the list unless another leads.
fn best(tokens: &[Token], languages: &[&'static str]) -> &'static str {
    let mut seen = HashSet::new();
    let words: Vec<&str> = tokens
        .iter()
        .filter(|token| matches!(token.shape, Shape::Word | Shape::Possessive))
        .map(|token| token.key.as_str())
        .filter(|word| seen.insert(*word))
        .take(WORDS_READ)
        .collect();
    let Some(first) = languages.first() else { return "en" };
    let mut found = (*first, fit(&words, first) + LEAD);
    for language in languages.iter().skip(1) {
        let fit = fit(&words, language);
        if fit > found.1 {
            found = (language, fit);
        }
    }
    found.0
}

fn fit(words: &[&str], language: &str) -> f32 {
    let lexicon = lexicon::of(language);
    words.iter().map(|word| weight(word, language, lexicon)).sum()
}

/// How well one word speaks for a language, 0 to 1.
fn weight(word: &str, language: &str, lexicon: Option<&'static Lexicon>) -> f32 {
    if lexicon.is_some_and(|lexicon| lexicon.has(word) || knows_form(word, language, lexicon)) {
        return 1.0;
    }
    if word.chars().count() < 3 {
        return 0.0;
    }
    match names().find(language, word) {
        Some(named) if named.exact => 0.9,
        Some(_) => 0.4,
        None => 0.0,
    }
}

fn knows_form(word: &str, language: &str, lexicon: &Lexicon) -> bool {
    language == "en"
        && (forms::singulars(word, lexicon).iter().any(|form| lexicon.has(form))
            || forms::verbs(word, lexicon).iter().any(|(form, _)| lexicon.has(form)))
}
