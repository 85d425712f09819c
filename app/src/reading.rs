//! The words of a prompt as a model reads them.

use crate::words;
use domain::{
    Catalog, JobRequest, Model, Seed,
    catalog::{Field, PROMPT_CHARS_MAX, Reading, TEXT_BYTES_MAX, Term, Understanding},
    grouped,
};
use leptos::prelude::*;
use service::{
    Services,
    expansion::{Expansion, expander},
    understanding::{NamedStyle, most_chars, named_style, others_that_understand, understand, understand_expanded},
    word_model::WHILE_TYPED,
};
use std::collections::BTreeSet;

/// Words of another model that are told.
const WORDS_TOLD: usize = 4;
/// Chips that are shown.
const CHIPS_MAX: usize = 40;
/// Of one word, in characters.
const WORD_CHARS: usize = 40;

/// For who is typing it, as HTML: nothing where the model does not say what it reads, or nothing was typed. `is_typed`: its last
/// word may not be finished, so nothing is said of that, or of the whole, unless it is made richer as a whole.
pub async fn of_request(services: &Services, catalog: &Catalog, model: &Model, request: &JobRequest, is_typed: bool) -> String {
    // Longer than can be submitted, it is refused below the field.
    let is_too_long =
        |field| request.filled(field).is_some_and(|text| text.len() > TEXT_BYTES_MAX || text.chars().count() > PROMPT_CHARS_MAX);
    if [Field::Prompt, Field::NegativePrompt].into_iter().any(is_too_long) {
        return String::new();
    }
    let asked = Asked::new(model, request, is_typed);
    let read = services.guess(model, asked.prompt.clone(), WHILE_TYPED).await;
    shown(catalog, model, asked, &read)
}

/// The words of a prompt that a model draws, also as a guess, and all of them. What is left out by every model is not counted.
#[derive(Clone, Copy)]
struct Drawn {
    words: usize,
    of: usize,
}

impl Drawn {
    fn count(understanding: &Understanding) -> Self {
        let words_of =
            |term: &Term| term.text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).count().max(1);
        let typed = || understanding.terms().iter().filter(|term| !term.is_added);
        let words = typed().filter(|term| term.reading != Reading::Ignored).map(words_of).sum::<usize>();
        Self { words: words + understanding.more_read(), of: typed().map(words_of).sum::<usize>() + understanding.more() }
    }

    const fn is_little(self) -> bool {
        self.words * 2 < self.of
    }
}

/// The other model that draws the most of these words, if that is more than this one does; of `drawn.of` at most.
fn best_other<'a>(catalog: &'a Catalog, model: &Model, prompt: &str, drawn: Drawn) -> Option<(&'a Model, usize)> {
    let others = catalog.models().iter().filter(|other| other.id != model.id);
    let counted = others.filter_map(|other| Some((other, Drawn::count(&understand(other, prompt)?).words.min(drawn.of))));
    // Of several the first of the catalog.
    counted.filter(|(_, words)| *words > drawn.words).rev().max_by_key(|(_, words)| *words)
}

fn little(model: &Model, drawn: Drawn, other: Option<(&Model, usize)>) -> String {
    let told = other.map(|(other, words)| format!("; {} can draw {words}", other.name)).unwrap_or_default();
    format!("{} can draw {} of these {} words{told}.", model.name, drawn.words, drawn.of)
}

/// From this share of what is read on it is said how much that is.
const NEARLY_ALL_PERCENT: usize = 80;

/// Of a long prompt, how much of it `model` reads.
fn room(model: &Model, prompt: &str) -> Option<String> {
    let (chars, most) = (prompt.chars().count(), most_chars(model)?);
    let [said, read] = [chars, most].map(|count| grouped(count as u64));
    if chars > most {
        Some(format!("{said} characters: {} reads the first {read}, and the rest is not drawn.", model.name))
    } else {
        (chars * 100 >= most * NEARLY_ALL_PERCENT).then(|| format!("{said} of {read} characters. {} reads no more than that.", model.name))
    }
}

/// What is to be read.
struct Asked {
    typed: String,
    is_typed: bool,
    /// Made richer, where that is asked for.
    prompt: Expansion,
    is_richer: bool,
    /// The seed is drawn when it is made.
    is_drawn: bool,
    style: Option<NamedStyle>,
}

impl Asked {
    fn new(model: &Model, request: &JobRequest, is_typed: bool) -> Self {
        let expander = expander(model).filter(|_| request.filled(Field::Enrich) == Some("true"));
        let is_typed = is_typed && expander.is_none();
        let typed = if is_typed { finished(&request.prompt) } else { &request.prompt }.trim();
        let seed = request.filled(Field::Seed).and_then(|seed| seed.parse().ok()).and_then(Seed::new);
        let richer = expander.map(|expander| {
            let without = request.filled(Field::NegativePrompt).unwrap_or_default();
            expander.expand(typed, without, seed.unwrap_or(Seed::ZERO))
        });
        let is_richer = richer.is_some();
        let prompt = richer.unwrap_or_else(|| Expansion::none(typed));
        let style = named_style(model, &request.prompt);
        Self { typed: typed.to_owned(), is_typed, prompt, is_richer, is_drawn: seed.is_none(), style }
    }
}

/// `read`: what was asked, as the model reads it.
fn shown(catalog: &Catalog, model: &Model, asked: Asked, read: &Expansion) -> String {
    let Asked { typed, is_typed, prompt, is_richer, is_drawn, style } = asked;
    let room = room(model, &typed);
    let style = style.map(marked).unwrap_or_default();
    let Some(understanding) = understand_expanded(model, read).filter(|understanding| !understanding.terms().is_empty()) else {
        return style;
    };
    let richer = is_richer.then(|| view! { <Richer expansion=prompt is_drawn /> });
    let is_nothing = understanding.is_nothing() && !is_typed;
    let drawn = Drawn::count(&understanding);
    let said = if is_nothing {
        let others = others_that_understand(catalog, model, &typed);
        Some((nothing(model, &others), others.first().map(|(other, _)| *other)))
    } else if drawn.is_little() && !is_typed {
        let other = best_other(catalog, model, &typed, drawn);
        Some((little(model, drawn, other), other.map(|(other, _)| other)))
    } else {
        None
    };
    let said = said.map(|(said, other)| {
        let choose = other.map(|other| {
            view! { " "<button type="button" class="link" data-model=other.id.clone()>"Use "{other.name.clone()}</button> }
        });
        view! { <p class="hint">{said}{choose}</p> }
    });
    let words = view! {
        {room.map(|room| view! { <p class="hint">{room}</p> })}
        {said}
        {richer}
        <Words understanding />
    };
    style + &words.to_html()
}

/// For the choice of styles, which marks it: what the prompt asks for, and the word that says so.
fn marked(style: NamedStyle) -> String {
    view! { <span hidden data-style=style.name data-word=style.word></span> }.to_html()
}

/// Without the word at the end that nothing closes yet.
fn finished(prompt: &str) -> &str {
    prompt.trim_end_matches(|character: char| character.is_alphanumeric() || matches!(character, '\'' | '’' | '-' | '_'))
}

/// The prompt that the model gets; an example of it where the seed `is_drawn` only when it is made.
#[component]
fn Richer(expansion: Expansion, is_drawn: bool) -> impl IntoView {
    let Expansion { text, added, .. } = expansion;
    match (added.is_empty(), is_drawn) {
        (true, _) => view! { <p class="hint">"Nothing to add."</p> }.into_any(),
        (false, true) => view! { <p class="hint">"Richer, for example: "<q dir="auto">{text}</q></p> }.into_any(),
        (false, false) => view! { <p class="hint">"Richer: "<q dir="auto">{text}</q></p> }.into_any(),
    }
}

fn nothing(model: &Model, others: &[(&Model, Vec<String>)]) -> String {
    let told = others.first().map(|(other, known)| {
        let known = known.iter().take(WORDS_TOLD).map(|word| words::shortened(word, WORD_CHARS)).collect::<Vec<_>>().join(", ");
        format!(": {} can draw {known}", other.name)
    });
    format!("Nothing here that {} can make{}.", model.name, told.unwrap_or_default())
}

/// What was drawn instead of words that were guessed, in a sentence; nothing where none was.
#[component]
pub fn Guesses(understanding: Option<Understanding>) -> impl IntoView {
    let guesses = understanding.map(|understanding| guesses(&understanding)).filter(|guesses| !guesses.is_empty());
    guesses.map(|guesses| view! { <p class="hint">"Drawn as a guess: "{guesses}</p> })
}

/// Each word keeps its own direction, so that every pair is read from the word to what is drawn.
fn guesses(understanding: &Understanding) -> String {
    let guessed = understanding.read_as(Reading::Guess).take(WORDS_TOLD).map(|Term { text, meaning, .. }| {
        let text = words::isolated(&words::shortened(text, WORD_CHARS));
        meaning.as_ref().map_or_else(|| text.clone(), |meaning| format!("{text} → {}", words::isolated(meaning)))
    });
    guessed.collect::<Vec<_>>().join(", ")
}

/// Chips in the order of the prompt.
#[component]
pub fn Words(understanding: Understanding) -> impl IntoView {
    let chip = |term: &Term| {
        let Term { text, reading, meaning, is_added } = term.clone();
        let text = words::shortened(&text, WORD_CHARS);
        let (class, said) = match reading {
            Reading::Understood if is_added => ("word added", Some(" (added)")),
            Reading::Understood => ("word", None),
            Reading::Guess => ("word guess", Some(" (a guess)")),
            Reading::Ignored => ("word ignored", Some(" (not drawn)")),
        };
        let meaning = meaning.map(|meaning| view! { <bdi class="meaning">{meaning}</bdi> });
        view! { <li class=class><bdi>{text}</bdi>{meaning}<span class="unseen">{said}</span></li> }
    };
    let terms = understanding.terms();
    // A word that is not drawn says no more a second time.
    let mut left_out = BTreeSet::new();
    let told: Vec<_> = terms.iter().filter(|term| term.reading != Reading::Ignored || left_out.insert(term.text.to_lowercase())).collect();
    let chips = told.iter().take(CHIPS_MAX).copied().map(chip).collect_view();
    let rest = told.len().saturating_sub(CHIPS_MAX) + understanding.more();
    let rest = (rest > 0).then(|| view! { <li class="word">{format!("and {rest} more")}</li> });
    let has = |reading| terms.iter().any(|term| term.reading == reading);
    let legend = match (has(Reading::Guess), has(Reading::Ignored)) {
        (true, true) => Some("Dashed: a guess. Struck through: not drawn."),
        (true, false) => Some("Dashed: a guess."),
        (false, true) => Some("Struck through: not drawn."),
        (false, false) => None,
    };
    view! {
        <ul class="words-read" aria-label="How the words are read">{chips}{rest}</ul>
        {legend.map(|legend| view! { <p class="hint" aria-hidden="true">{legend}</p> })}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::catalog;
    use domain::catalog::{Understands, testing::video_model};

    fn chips(prompt: &str, is_typed: bool) -> String {
        let model = Model { understands: Understands::Scenes, ..video_model() };
        let request = JobRequest { prompt: prompt.to_owned(), ..JobRequest::default() };
        let asked = Asked::new(&model, &request, is_typed);
        let read = asked.prompt.clone();
        shown(&catalog(), &model, asked, &read)
    }

    #[test]
    fn of_a_word_that_is_being_typed_nothing_is_said_until_it_is_finished() {
        assert!(chips("a cat and a pian", true).contains("cat") && !chips("a cat and a pian", true).contains("pian"));
        for (prompt, is_typed) in [("a cat and a piano", false), ("a cat and a piano ", true), ("a cat and a piano,", true)] {
            assert!(chips(prompt, is_typed).contains("piano"), "{prompt:?}");
        }
        assert_eq!(["zxq", "zxqwv blorp"].map(|prompt| chips(prompt, true).contains("Nothing here")), [false, false]);
        assert!(chips("zxqwv blorp", false).contains("Nothing here that Vignette 1 can make"));
    }

    #[test]
    fn a_word_that_is_not_drawn_is_told_once_and_what_is_drawn_as_often_as_it_is() {
        let term = |text: &str, reading| Term { text: text.into(), reading, meaning: None, is_added: false };
        let (drawn, left_out) = (Reading::Understood, Reading::Ignored);
        let terms = vec![term("cat", drawn), term("very", left_out), term("cat", drawn), term("Very", left_out), term("very", left_out)];
        let html = view! { <Words understanding=Understanding::new(terms, false) /> }.to_html();
        assert_eq!(["cat", "very", "Very"].map(|word| html.matches(word).count()), [2, 1, 0], "{html}");
    }

    #[test]
    fn the_style_of_a_prompt_is_told_while_its_word_is_typed() {
        for (prompt, is_typed) in [("neon", true), ("a cat, neon", true), ("a cat, neon", false)] {
            assert!(chips(prompt, is_typed).contains(r#"data-style="neon" data-word="neon""#), "{prompt:?}: {}", chips(prompt, is_typed));
        }
        assert!(!chips("a cat", false).contains("data-style"));
    }

    #[test]
    fn of_a_prompt_of_which_most_is_not_drawn_it_is_said_how_much_and_who_draws_more() {
        let known = ["cat", "moon"].map(str::to_owned).into();
        let few = Model { understands: Understands::Words { known, most: 24 }, ..video_model() };
        let scenes = Model { id: "flipbook-1".into(), name: "Flipbook 1".into(), understands: Understands::Scenes, ..video_model() };
        let catalog = Catalog::new(vec![few.clone(), scenes.clone()], [].into());
        let said = |model: &Model, prompt: &str, is_typed| {
            let request = JobRequest { prompt: prompt.to_owned(), ..JobRequest::default() };
            let asked = Asked::new(model, &request, is_typed);
            let read = asked.prompt.clone();
            shown(&catalog, model, asked, &read)
        };
        let prompt = "a cat and a dog and a horse and the moon and a zxqwv ";
        let html = said(&few, prompt, false);
        assert!(html.contains("Vignette 1 can draw 2 of these 5 words; Flipbook 1 can draw 4."), "{html}");
        assert!(html.contains(r#"data-model="flipbook-1""#), "{html}");
        assert!(!said(&few, prompt, true).contains("can draw"), "not while it is typed");
        assert!(!said(&scenes, prompt, false).contains("can draw"), "most of it is drawn");
        let html = said(&scenes, "a cat zxqwv blorptang", false);
        assert!(html.contains("Flipbook 1 can draw 1 of these 3 words.") && !html.contains("data-model"), "{html}");
    }

    #[test]
    fn what_is_read_of_a_long_prompt_is_said_in_time() {
        let scenes = Model { understands: Understands::Scenes, ..video_model() };
        let said = |chars| room(&scenes, &"a".repeat(chars));
        assert_eq!(said(3199), None);
        assert_eq!(said(3200).unwrap(), "3,200 of 4,000 characters. Vignette 1 reads no more than that.");
        assert_eq!(said(4001).unwrap(), "4,001 characters: Vignette 1 reads the first 4,000, and the rest is not drawn.");
        assert_eq!(room(&video_model(), &"a".repeat(5000)), None, "what is not known is not said");
    }

    #[test]
    fn guesses_are_told_with_what_is_drawn() {
        let term = |text: &str, reading, meaning: Option<&str>| Term {
            text: text.into(),
            reading,
            meaning: meaning.map(Into::into),
            is_added: false,
        };
        let terms =
            vec![term("nut", Reading::Guess, Some("bolt")), term("cat", Reading::Understood, None), term("ducky", Reading::Guess, None)];
        assert_eq!(guesses(&Understanding::new(terms, false)), "\u{2068}nut\u{2069} → \u{2068}bolt\u{2069}, \u{2068}ducky\u{2069}");
        assert_eq!(guesses(&Understanding::new(vec![term("cat", Reading::Understood, None)], false)), "");
    }
}
