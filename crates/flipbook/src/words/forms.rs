//! English word forms: from `wolves` to `wolf`, from `running` to `run`.

use super::lexicon::{Irregular, Lexicon};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Base,
    Plural,
    /// `runs`.
    Third,
    /// `running`.
    Ing,
    /// `chased`, and participles.
    Past,
}

/// Singulars that a word may be the plural of, the likeliest first.
pub fn singulars(word: &str, lexicon: &Lexicon) -> Vec<String> {
    let mut found = Vec::new();
    if let Some((base, Irregular::Plural)) = lexicon.irregular.get(word) {
        found.push(base.clone());
    }
    if word.len() > 3 && word.is_ascii() && !word.ends_with("ss") {
        if let Some(stem) = word.strip_suffix("ies") {
            found.push(format!("{stem}y"));
        }
        if let Some(stem) = word.strip_suffix("ves") {
            found.push(format!("{stem}f"));
            found.push(format!("{stem}fe"));
        }
        if let Some(stem) = word.strip_suffix('s') {
            found.push(stem.to_owned());
        }
        if let Some(stem) = word.strip_suffix("es") {
            found.push(stem.to_owned());
        }
    }
    found
}

/// Verbs that a word may be a form of, the likeliest first.
pub fn verbs(word: &str, lexicon: &Lexicon) -> Vec<(String, Form)> {
    let mut found = Vec::new();
    if let Some((base, Irregular::Past)) = lexicon.irregular.get(word) {
        found.push((base.clone(), Form::Past));
    }
    if word.len() < 4 || !word.is_ascii() {
        return found;
    }
    // `takin a bath`: the g is left out where no other word is meant.
    let whole = format!("{word}g");
    let word = if word.len() > 4 && word.ends_with("in") && !lexicon.has(word) { whole.as_str() } else { word };
    for (end, form) in [("ing", Form::Ing), ("ed", Form::Past)] {
        let Some(stem) = word.strip_suffix(end).filter(|stem| stem.len() > 1) else { continue };
        found.push((stem.to_owned(), form));
        found.push((format!("{stem}e"), form));
        let mut letters = stem.chars().rev();
        if let (Some(last), Some(before)) = (letters.next(), letters.next())
            && last == before
        {
            found.push((letters.rev().chain([before]).collect(), form));
        }
        if let Some(short) = stem.strip_suffix('i').filter(|_| form == Form::Past) {
            found.push((format!("{short}y"), form));
        }
        if let Some(short) = stem.strip_suffix('y').filter(|_| form == Form::Ing) {
            found.push((format!("{short}ie"), form));
        }
    }
    if let Some(stem) = word.strip_suffix("ies") {
        found.push((format!("{stem}y"), Form::Third));
    }
    if let Some(stem) = word.strip_suffix('s').filter(|stem| !stem.ends_with('s')) {
        found.push((stem.to_owned(), Form::Third));
    }
    if let Some(stem) = word.strip_suffix("es") {
        found.push((stem.to_owned(), Form::Third));
    }
    found
}
