//! The words of a prompt as a model reads them.

use crate::words;
use domain::{
    Catalog, Model,
    catalog::{Reading, Term, Understanding},
};
use leptos::prelude::*;
use service::understanding::{others_that_understand, understand};

/// Words of another model that are told.
const WORDS_TOLD: usize = 4;
/// Chips that are shown.
const CHIPS_MAX: usize = 40;
/// Of one word, in characters.
const WORD_CHARS: usize = 40;

/// For who is typing it, as HTML: nothing where the model does not say what it reads, or nothing was typed.
pub fn of_prompt(catalog: &Catalog, model: &Model, prompt: &str) -> String {
    let Some(understanding) = understand(model, prompt).filter(|understanding| !understanding.terms().is_empty()) else {
        return String::new();
    };
    let others = if understanding.is_nothing() { others_that_understand(catalog, model, prompt) } else { Vec::new() };
    let choose = others.first().map(|(other, _)| {
        view! { " "<button type="button" class="link" data-model=other.id.clone()>"Use "{other.name.clone()}</button> }
    });
    let nothing = understanding.is_nothing().then(|| view! { <p class="hint">{nothing(model, &others)}{choose}</p> });
    view! {
        {nothing}
        <Words understanding />
    }
    .to_html()
}

fn nothing(model: &Model, others: &[(&Model, Vec<String>)]) -> String {
    let told = others.first().map(|(other, known)| {
        let known = known.iter().take(WORDS_TOLD).map(|word| words::shortened(word, WORD_CHARS)).collect::<Vec<_>>().join(", ");
        format!(": {} can draw {known}", other.name)
    });
    format!("Nothing here that {} can make{}.", model.name, told.unwrap_or_default())
}

/// Chips in the order of the prompt.
#[component]
pub fn Words(understanding: Understanding) -> impl IntoView {
    let chip = |term: &Term| {
        let Term { text, reading, meaning } = term.clone();
        let text = words::shortened(&text, WORD_CHARS);
        let (class, said) = match reading {
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
