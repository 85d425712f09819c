//! The fields that are typed into, and the buttons that fill them.

use super::{Form, name, offer, reading::ReadWords, room::Room};
use crate::words;
use domain::{
    JobRequest, Model, Seed,
    catalog::{Bounds, Example, Field, Kind},
    grouped,
};
use leptos::prelude::*;
use std::fmt::Display;

#[component]
pub fn Prompt(form: Form, value: String, richer: bool) -> impl IntoView {
    // What was refused can be taken back, also without a script.
    let is_hidden = move || !richer && !form.model.with(Model::can_be_enriched);
    let first_example = move || form.model.with(|model| model.examples.first().map(|example| example.prompt.clone()));
    view! {
        <div class="field">
            <label for="prompt">{move || format!("What should the {} show?", form.noun())}</label>
            <textarea
                id="prompt"
                name=name(Field::Prompt)
                rows="4"
                dir="auto"
                placeholder=first_example
                aria-invalid=is_wrong(form, Field::Prompt)
                aria-describedby="model-about prompt-count prompt-error prompt-words"
            >
                {words::raw_text(value)}
            </textarea>
            <Room form field=Field::Prompt />
            <Problem form field=Field::Prompt />
            <label class="check" hidden=is_hidden>
                <input id="enrich" type="checkbox" name=name(Field::Enrich) value="true" checked=richer aria-describedby="enrich-error" />
                {Field::Enrich.label()}
            </label>
            <Problem form field=Field::Enrich />
            <ReadWords form />
            {move || form.model.with(|model| examples(form, &model.examples))}
        </div>
    }
}

/// Buttons for what the chosen model does well, if it names such.
fn examples(form: Form, examples: &[Example]) -> Option<impl IntoView + use<>> {
    let button = |example: &Example| {
        let Example { label, prompt } = example.clone();
        view! { <li><button type="button" class="chip" on:click=move |_| form.replace_prompt(&prompt)>{label}</button></li> }
    };
    let buttons = examples.iter().map(button).collect_view();
    (!examples.is_empty()).then(|| {
        view! {
            <div class="examples needs-script">
                <p class="hint" id="examples-label">"Scenes that come out well:"</p>
                <ul class="chips" aria-labelledby="examples-label">{buttons}</ul>
            </div>
        }
    })
}

/// What most people leave alone; open when something in it is set, or can be taken over from another video.
#[component]
pub fn Advanced(form: Form, request: JobRequest, source_seed: Option<Seed>) -> impl IntoView {
    let open = offer::sets_advanced(&request) || source_seed.is_some();
    let control = |field: Field| {
        let value = request.get(field).unwrap_or_default().to_owned();
        let source_seed = source_seed.filter(|_| field == Field::Seed);
        view! { <Small form field value source_seed /> }
    };
    let fields = Field::ALL.into_iter().filter(|field| offer::is_advanced(*field));
    let (texts, numbers): (Vec<_>, Vec<_>) = fields.partition(|field| field.kind() == Kind::Text);
    let controls = numbers.into_iter().chain(texts).map(control).collect_view();
    view! {
        <details class="advanced" id="advanced" open=open>
            <summary>"More settings"</summary>
            <div class="advanced-body">{controls}</div>
        </details>
    }
}

/// A one-line field; text, so that a number mistyped stays as it was typed.
#[component]
fn Small(form: Form, field: Field, value: String, source_seed: Option<Seed>) -> impl IntoView {
    let id = field.name();
    let inputmode = match field.kind() {
        Kind::Text => "text",
        Kind::Decimal => "decimal",
        _ => "numeric",
    };
    let is_text = field.kind() == Kind::Text;
    let count = if is_text { format!("{id}-count ") } else { String::new() };
    view! {
        <div class="field">
            <label for=id>{field.label()}</label>
            <div class="with-button">
                <input
                    id=id
                    name=name(field)
                    value=value
                    inputmode=inputmode
                    autocomplete="off"
                    aria-invalid=is_wrong(form, field)
                    aria-describedby=format!("{id}-hint {count}{id}-error")
                />
                {(field == Field::Seed).then(|| view! { <Roll form /> })}
            </div>
            <p class="hint" id=format!("{id}-hint")>{move || hint(form, field, source_seed)}</p>
            {source_seed.map(|seed| view! {
                <button type="button" class="chip needs-script" on:click=move |_| form.fill(field, &seed.value().to_string())>
                    {format!("Keep the seed {}", seed.value())}
                </button>
            })}
            {is_text.then(|| view! { <Room form field /> })}
            <Problem form field />
        </div>
    }
}

fn hint(form: Form, field: Field, source_seed: Option<Seed>) -> String {
    match field {
        Field::Steps => form.model.with(|model| range(model.steps, "More steps are finer and slower.")),
        Field::Guidance => form.model.with(|model| range(model.guidance, "How strictly the prompt is followed.")),
        Field::NegativePrompt => format!("What the {} should not show.", form.noun()),
        Field::Seed => {
            let more = match source_seed {
                Some(seed) => format!("The one you remix has the seed {}.", seed.value()),
                None => format!("From 0 to {}.", grouped(Seed::MAX)),
            };
            format!("The same seed makes the same {}; empty draws a new one. {more}", form.noun())
        }
        _ => field.about().to_owned(),
    }
}

fn range<T: Display>(bounds: Bounds<T>, about: &str) -> String {
    format!("{} to {}. {about} Default: {}.", bounds.min, bounds.max, bounds.default)
}

#[component]
fn Roll(form: Form) -> impl IntoView {
    let roll = move |_| form.fill(Field::Seed, &((js_sys::Math::random() * 4_294_967_296.0) as u64).to_string());
    view! {
        <button type="button" class="in-field needs-script" aria-label="Roll a seed" on:click=roll>
            <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
                <rect x="4" y="4" width="16" height="16" rx="3" />
                <path d="M9 9h.01M15 15h.01M15 9h.01M9 15h.01M12 12h.01" />
            </svg>
        </button>
    }
}

/// What a field says of itself while something is wrong with it.
pub fn is_wrong(form: Form, field: Field) -> impl Fn() -> Option<&'static str> + Copy + Send + 'static {
    move || form.error(field).map(|_| "true")
}

/// What is wrong with a field, where it is.
#[component]
pub fn Problem(form: Form, field: Field) -> impl IntoView {
    view! { <p class="error" id=format!("{}-error", field.name())>{move || form.error(field)}</p> }
}
