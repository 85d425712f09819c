//! The words of a prompt as a model reads them.

use crate::words;
use domain::{
    Catalog, JobRequest, Model, Seed,
    catalog::{Field, PROMPT_CHARS_MAX, Reading, TEXT_BYTES_MAX, Term, Understanding},
};
use leptos::prelude::*;
use service::{
    Services,
    expansion::{Expansion, expander},
    understanding::{NamedStyle, named_style, others_that_understand, understand_expanded},
    word_model::WHILE_TYPED,
};

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
    let style = style.map(marked).unwrap_or_default();
    let Some(understanding) = understand_expanded(model, read).filter(|understanding| !understanding.terms().is_empty()) else {
        return style;
    };
    let richer = is_richer.then(|| view! { <Richer expansion=prompt is_drawn /> });
    let is_nothing = understanding.is_nothing() && !is_typed;
    let others = if is_nothing { others_that_understand(catalog, model, &typed) } else { Vec::new() };
    let choose = others.first().map(|(other, _)| {
        view! { " "<button type="button" class="link" data-model=other.id.clone()>"Use "{other.name.clone()}</button> }
    });
    let nothing = is_nothing.then(|| view! { <p class="hint">{nothing(model, &others)}{choose}</p> });
    let words = view! {
        {nothing}
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
    guesses.map(|guesses| view! { <p class="hint">"Drawn as a guess: "<bdi>{guesses}</bdi></p> })
}

fn guesses(understanding: &Understanding) -> String {
    let guessed = understanding.read_as(Reading::Guess).take(WORDS_TOLD).map(|Term { text, meaning, .. }| {
        let text = words::shortened(text, WORD_CHARS);
        meaning.as_ref().map_or_else(|| text.clone(), |meaning| format!("{text} → {meaning}"))
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
        let meaning = meaning.map(|meaning| view! { <span class="meaning">{meaning}</span> });
        view! { <li class=class><bdi>{text}</bdi>{meaning}<span class="unseen">{said}</span></li> }
    };
    let terms = understanding.terms();
    let chips = terms.iter().take(CHIPS_MAX).map(chip).collect_view();
    let rest = terms.len().saturating_sub(CHIPS_MAX);
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
    fn the_style_of_a_prompt_is_told_while_its_word_is_typed() {
        for (prompt, is_typed) in [("neon", true), ("a cat, neon", true), ("a cat, neon", false)] {
            assert!(chips(prompt, is_typed).contains(r#"data-style="neon" data-word="neon""#), "{prompt:?}: {}", chips(prompt, is_typed));
        }
        assert!(!chips("a cat", false).contains("data-style"));
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
        assert_eq!(guesses(&Understanding::new(terms, false)), "nut → bolt, ducky");
        assert_eq!(guesses(&Understanding::new(vec![term("cat", Reading::Understood, None)], false)), "");
    }
}
