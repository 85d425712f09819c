//! How a prompt is read by the model that is to make it, before anything is charged.

use crate::expansion::Expansion;
use domain::{
    Catalog, Model,
    catalog::{Reading, Term, Understanding, Understands},
};
use flipbook::words;
use std::collections::HashSet;

/// What `model` makes of the words of `prompt`; `None` where that is not known beforehand.
#[must_use]
pub fn understand(model: &Model, prompt: &str) -> Option<Understanding> {
    understand_expanded(model, &Expansion::none(prompt))
}

/// As [`understand`], of a prompt that was made richer.
#[must_use]
pub fn understand_expanded(model: &Model, prompt: &Expansion) -> Option<Understanding> {
    match &model.understands {
        Understands::Anything => None,
        Understands::Words { known, most } => Some(by_words(known, *most, &prompt.text)),
        Understands::Scenes => Some(by_scenes(prompt)),
    }
}

/// The other models that can make something of `prompt`, each with the words that it understands; the first of the catalog first.
#[must_use]
pub fn others_that_understand<'a>(catalog: &'a Catalog, model: &Model, prompt: &str) -> Vec<(&'a Model, Vec<String>)> {
    let others = catalog.models().iter().filter(|other| other.id != model.id);
    let told = others.filter_map(|other| {
        let understanding = understand(other, prompt)?;
        let words: Vec<String> = understanding.read_as(Reading::Understood).map(|term| term.text.clone()).collect();
        (!words.is_empty()).then_some((other, words))
    });
    told.collect()
}

/// Words that a model has learnt, each by itself; it reads so many at `most`. Those that say nothing of a picture, such as "the",
/// are left out.
fn by_words(known: &[String], most: usize, prompt: &str) -> Understanding {
    let read = words::understand(prompt).terms;
    let fillers = read.iter().filter(|term| term.reading == words::Reading::Filler).map(|term| term.text.to_lowercase());
    let fillers: HashSet<String> = fillers.collect();
    let lowered = prompt.to_lowercase();
    let words = lowered.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).enumerate();
    let known: HashSet<&str> = known.iter().map(String::as_str).collect();
    let term = |(place, word): (usize, &str)| {
        let is_known = known.contains(word) && place < most;
        let reading = if is_known { Reading::Understood } else { Reading::Ignored };
        (is_known || !fillers.contains(word)).then(|| Term { text: word.to_owned(), reading, meaning: None, is_added: false })
    };
    let terms: Vec<Term> = words.filter_map(term).collect();
    let is_nothing = terms.iter().all(|term| term.reading == Reading::Ignored);
    Understanding::new(terms, is_nothing)
}

fn by_scenes(prompt: &Expansion) -> Understanding {
    let read = words::understand(&prompt.text);
    let is_nothing = read.is_empty();
    let terms = read.terms.into_iter().filter_map(|term| {
        let (reading, meaning) = match &term.reading {
            words::Reading::Understood(meaning) => (Reading::Understood, Some(called(meaning))),
            words::Reading::Guess(meaning) => (Reading::Guess, Some(called(meaning))),
            words::Reading::Ignored => (Reading::Ignored, None),
            words::Reading::Filler => return None,
        };
        let meaning = meaning.filter(|meaning| !is_form_of(&term.text, meaning));
        let is_added = prompt.added.iter().any(|added| added.contains(&term.at.start));
        Some(Term { text: term.text, reading, meaning, is_added })
    });
    Understanding::new(terms, is_nothing)
}

/// What people read of a meaning: a drawing's name in words, `run`, `red`, the text of a caption.
fn called(meaning: &words::Meaning) -> String {
    match meaning {
        words::Meaning::Thing(_) => meaning.value().replace("-figure", "").replace('-', " "),
        words::Meaning::Aurora => "northern lights".to_owned(),
        words::Meaning::Shot => "next shot".to_owned(),
        words::Meaning::Absent => "left out".to_owned(),
        words::Meaning::Size(..0) => "small".to_owned(),
        words::Meaning::Size(_) => "large".to_owned(),
        _ => meaning.value(),
    }
}

/// Whether a word is but another form of what it means, such as "playing" of "play".
fn is_form_of(word: &str, meaning: &str) -> bool {
    let (word, stem) = (word.to_lowercase(), meaning.trim_end_matches('e'));
    !stem.is_empty() && word.starts_with(stem) && word.chars().count() <= stem.chars().count() + 4
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::catalog::testing::{image_model, video_model};

    fn model_of_words() -> Model {
        let words = ["balloon", "over", "sea", "moving"].map(ToOwned::to_owned);
        Model { understands: Understands::Words { known: words.into(), most: 24 }, ..video_model() }
    }

    fn read(understanding: &Understanding, reading: Reading) -> Vec<&str> {
        understanding.read_as(reading).map(|term| &*term.text).collect()
    }

    #[test]
    fn a_model_of_few_words_says_which_it_knows() {
        let understanding = understand(&model_of_words(), "A quantum BALLOON over the sea").unwrap();
        assert_eq!(read(&understanding, Reading::Understood), ["balloon", "over", "sea"]);
        assert_eq!(read(&understanding, Reading::Ignored), ["quantum"]);
        assert!(understand(&model_of_words(), "a cat plays the piano").unwrap().is_nothing());
    }

    #[test]
    fn words_behind_those_that_a_model_reads_are_not_understood() {
        let late = format!("{} balloon", "quantum ".repeat(24));
        assert!(understand(&model_of_words(), &late).unwrap().is_nothing());
    }

    #[test]
    fn a_model_that_says_nothing_of_its_words_is_not_asked() {
        assert_eq!(understand(&image_model(), "anything"), None);
    }

    #[test]
    fn a_model_of_scenes_says_what_it_draws_and_what_not() {
        let scenes = Model { understands: Understands::Scenes, ..video_model() };
        let understanding = understand(&scenes, "a cat playing piano, ontologically").unwrap();
        assert!(read(&understanding, Reading::Understood).contains(&"cat"));
        assert_eq!(read(&understanding, Reading::Ignored), ["ontologically"]);
    }

    #[test]
    fn where_one_model_knows_nothing_the_others_say_what_they_can_draw() {
        let scenes = Model { id: "flipbook-1".into(), name: "Flipbook 1".into(), understands: Understands::Scenes, ..video_model() };
        let catalog = Catalog::new(vec![model_of_words(), scenes, image_model()], [].into());
        let told = others_that_understand(&catalog, &model_of_words(), "a cat playing piano");
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].0.name, "Flipbook 1");
        assert!(told[0].1.contains(&"cat".to_owned()) && told[0].1.contains(&"piano".to_owned()), "{told:?}");
    }
}
