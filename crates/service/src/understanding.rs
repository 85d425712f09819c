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

/// Reads the word lists of English and of the drawings.
pub fn prepare() {
    let _ = words::understand("a cat on a mat");
}

/// Characters of a prompt that `model` reads; `None` where that is not known.
#[must_use]
pub const fn most_chars(model: &Model) -> Option<usize> {
    match &model.understands {
        Understands::Scenes => Some(words::MOST_CHARS),
        Understands::Words { .. } | Understands::Anything => None,
    }
}

/// The styles of pictures, each with what a prompt says to have it.
pub const STYLES: [(&str, &str); 5] =
    [("paper", "paper art"), ("neon", "neon art"), ("pencil", "pencil drawing"), ("pastel", "pastel colors"), ("pixel", "pixel art")];

/// The style that a prompt asks for: its name, and the word that says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedStyle {
    pub name: &'static str,
    /// As it was typed.
    pub word: String,
}

/// The style of the picture, where a word of the prompt names one that `model` has.
#[must_use]
pub fn named_style(model: &Model, prompt: &str) -> Option<NamedStyle> {
    if !model.has_styles() {
        return None;
    }
    let words::Understanding { story, terms, .. } = words::understand(prompt);
    terms.into_iter().rev().find_map(|term| match term.reading {
        words::Reading::Understood(words::Meaning::Style(style)) if story.style == Some(style) => {
            Some(NamedStyle { name: style.name(), word: term.text })
        }
        _ => None,
    })
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
    let is_known = |(place, word): (usize, &str)| known.contains(word) && place < most;
    let is_nothing = !words.clone().any(is_known);
    let term = |(place, word): (usize, &str)| {
        let is_known = is_known((place, word));
        let reading = if is_known { Reading::Understood } else { Reading::Ignored };
        (is_known || !fillers.contains(word)).then(|| Term { text: word.to_owned(), reading, meaning: None, is_added: false })
    };
    Understanding::new(words.filter_map(term), is_nothing)
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
        if let Some(guess) = prompt.guesses.iter().find(|guess| guess.at.contains(&term.at.start)) {
            return Some(Term { text: guess.typed.clone(), reading: Reading::Guess, meaning: meaning.or(Some(term.text)), is_added });
        }
        Some(Term { text: term.text, reading, meaning, is_added })
    });
    Understanding::new(terms, is_nothing)
}

/// What people read of a meaning: a drawing's name in words, `run`, `red`, the text of a caption.
fn called(meaning: &words::Meaning) -> String {
    match meaning {
        words::Meaning::Thing(_) => meaning.value().replace("-figure", "").replace('-', " "),
        words::Meaning::Setting(_) => meaning.value().replace('-', " "),
        words::Meaning::Aurora => "northern lights".to_owned(),
        words::Meaning::Shot => "next shot".to_owned(),
        words::Meaning::Absent => "left out".to_owned(),
        words::Meaning::Size(..0) => "small".to_owned(),
        words::Meaning::Size(_) => "large".to_owned(),
        _ => meaning.value(),
    }
}

/// Whether a word is but another form of what it means, such as "playing" of "play", or the same in quotes.
fn is_form_of(word: &str, meaning: &str) -> bool {
    if word.trim_matches(|letter| "\"“”„«»「」".contains(letter)) == meaning {
        return true;
    }
    let (word, stem) = (word.to_lowercase(), meaning.trim_end_matches('e'));
    if word.strip_suffix("ies").is_some_and(|start| meaning.strip_suffix('y') == Some(start)) {
        return true;
    }
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
    fn a_plural_is_but_another_form_of_its_word() {
        let forms = [("butterflies", "butterfly"), ("dogs", "dog"), ("playing", "play"), ("dancing", "dance"), ("“Hello”", "Hello")];
        assert!(forms.into_iter().all(|(word, meaning)| is_form_of(word, meaning)));
        assert!(!is_form_of("fairies", "ferry") && !is_form_of("skate", "sky"));
    }

    #[test]
    fn each_style_is_chosen_by_its_words_wherever_they_stand_and_by_others() {
        let scenes = Model { understands: Understands::Scenes, ..video_model() };
        let named = |prompt: &str| named_style(&scenes, prompt).map(|style| (style.name, style.word));
        assert_eq!(
            STYLES.map(|(name, _)| name).as_slice(),
            flipbook::codes::Style::ALL.iter().map(|style| style.name()).collect::<Vec<_>>()
        );
        for (name, words) in STYLES {
            let prompts =
                [format!("a cat on the beach, {words}"), format!("a cat sleeps, {words}. A dog barks."), format!("a {words} cat")];
            for prompt in prompts {
                assert_eq!(named(&prompt), Some((name, words.to_owned())), "{prompt}");
            }
        }
        assert_eq!(named("a cat, pixel art, voxel"), Some(("pixel", "voxel".to_owned())), "the last one counts");
        assert_eq!(named("a fox in the snow, Watercolour"), Some(("pastel", "Watercolour".to_owned())));
        assert_eq!([named("a cat beside a pencil"), named("")], [None, None]);
        assert_eq!(named_style(&model_of_words(), "a cat, pixel art"), None);
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
