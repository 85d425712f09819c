//! The fields themselves, and the buttons that fill them.

use super::{Form, name, room::Room};
use crate::words;
use domain::{JobRequest, Seed, catalog, grouped};
use leptos::prelude::*;

/// Scenes the shipped model draws well.
const EXAMPLES: [(&str, &str); 8] = [
    ("Sea", "the sea at sunset"),
    ("Campfire", "campfire at night"),
    ("Northern lights", "northern lights over the mountains"),
    ("Space", "flying through space"),
    ("Hills", "hills at dawn"),
    ("Desert", "the desert at sunset"),
    ("Underwater", "underwater"),
    ("City", "the city at night"),
];

#[component]
pub fn Prompt(form: Form, value: String) -> impl IntoView {
    let examples = EXAMPLES.map(|(label, prompt)| {
        view! { <li><button type="button" class="chip" on:click=move |_| form.add_to_prompt(prompt)>{label}</button></li> }
    });
    view! {
        <div class="field">
            <label for="prompt">"What should the video show?"</label>
            <textarea
                id="prompt"
                name=name("prompt")
                rows="4"
                dir="auto"
                placeholder="campfire at night"
                aria-invalid=move || form.error("prompt").map(|_| "true")
                aria-describedby="model-about prompt-count prompt-error"
            >
                {words::raw_text(value)}
            </textarea>
            <Room form field="prompt" />
            <Problem form field="prompt" />
            <div class="examples needs-script">
                <p class="hint" id="examples-label">"Scenes that come out well:"</p>
                <ul class="chips" aria-labelledby="examples-label">{examples.into_iter().collect_view()}</ul>
            </div>
        </div>
    }
}

/// Model, size and length.
#[component]
pub fn Shape(form: Form, request: JobRequest) -> impl IntoView {
    let first = request.model.as_deref().and_then(catalog::find_model).unwrap_or_else(catalog::default_model);
    let chosen = StoredValue::new((
        request.size.filter(|size| !size.is_empty()).unwrap_or_else(|| first.size_default.to_string()),
        request.seconds.filter(|seconds| !seconds.is_empty()).unwrap_or_else(|| first.duration_default.to_string()),
    ));
    let model_id = Memo::new(move |_| form.request.with(|request| request.model.clone()).unwrap_or_else(|| first.id.into()));
    let model = move || catalog::find_model(&model_id.get()).unwrap_or_else(catalog::default_model);
    let models = catalog::models().iter().map(|offer| view! { <option value=offer.id selected=offer.id == first.id>{offer.name}</option> });
    let sizes = move || {
        let option = |offer: &'static catalog::SizeOption| {
            let text = offer.size.to_string();
            let checked = chosen.with_value(|(size, _)| *size == text);
            view! { <Choice field="size" value=text.clone() label=format!("{} × {}", offer.size.width, offer.size.height) checked /> }
        };
        model().sizes.iter().map(option).collect_view()
    };
    let lengths = move || {
        let option = |length: &'static domain::VideoTime| {
            let text = length.to_string();
            let checked = chosen.with_value(|(_, seconds)| *seconds == text);
            view! { <Choice field="seconds" value=text.clone() label=format!("{text} s") checked /> }
        };
        model().durations.iter().map(option).collect_view()
    };
    let unit = move || {
        let (size, steps) = (model().size_default, model().steps_default);
        format!("The price counts in video-seconds. One is a second of video at {} × {} with {steps} steps.", size.width, size.height)
    };
    view! {
        <div class="shape">
            <div class="field">
                <label for="model">"Model"</label>
                <select id="model" name=name("model") aria-describedby="model-about model-error">{models.collect_view()}</select>
                <p class="hint" id="model-about">{move || model().description}</p>
                <Problem form field="model" />
            </div>
            <fieldset class="field">
                <legend>"Size, in pixels"</legend>
                <div class="choices">{sizes}</div>
                <Problem form field="size" />
            </fieldset>
            <fieldset class="field">
                <legend>"Length"</legend>
                <div class="choices">{lengths}</div>
                <p class="hint">{unit}</p>
                <Problem form field="seconds" />
            </fieldset>
        </div>
    }
}

#[component]
fn Choice(field: &'static str, value: String, label: String, checked: bool) -> impl IntoView {
    view! {
        <label class="choice">
            <input type="radio" name=name(field) value=value checked=checked />
            <span>{label}</span>
        </label>
    }
}

/// What most people leave alone; open when something in it is set, or can be taken over from another video.
#[component]
pub fn Advanced(form: Form, request: JobRequest, source_seed: Option<Seed>) -> impl IntoView {
    let set = |text: &Option<String>| text.as_deref().is_some_and(|text| !text.trim().is_empty());
    let open = [&request.negative_prompt, &request.steps, &request.guidance, &request.seed].into_iter().any(set) || source_seed.is_some();
    let model = catalog::default_model();
    let steps = format!("{} to {}. More steps are finer and slower. Default: {}.", model.steps_min, model.steps_max, model.steps_default);
    let guidance = format!(
        "{} to {}. How strictly the prompt is followed. Default: {}.",
        model.guidance_min, model.guidance_max, model.guidance_default
    );
    let seed_hint = match source_seed {
        Some(seed) => {
            format!("The same seed makes the same video; empty draws a new one. The video you remix has the seed {}.", seed.value())
        }
        None => format!("The same seed makes the same video; empty draws a new one. From 0 to {}.", grouped(Seed::MAX)),
    };
    let roll = move |_| form.fill("seed", &((js_sys::Math::random() * 4_294_967_296.0) as u64).to_string());
    view! {
        <details class="advanced" id="advanced" open=open>
            <summary>"More settings"</summary>
            <div class="advanced-body">
                <Small form field="steps" label="Steps" value=request.steps hint=steps />
                <Small form field="guidance" label="Guidance" value=request.guidance hint=guidance />
                <Small form field="seed" label="Seed" value=request.seed hint=seed_hint source_seed>
                    <button type="button" class="in-field needs-script" aria-label="Roll a seed" on:click=roll>
                        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
                            <rect x="4" y="4" width="16" height="16" rx="3" />
                            <path d="M9 9h.01M15 15h.01M15 9h.01M9 15h.01M12 12h.01" />
                        </svg>
                    </button>
                </Small>
                <Small form field="negative_prompt" label="Leave out" value=request.negative_prompt hint="What the video should not show.".into() />
            </div>
        </details>
    }
}

/// A one-line field; text, so that a number mistyped stays as it was typed.
#[component]
fn Small(
    form: Form,
    field: &'static str,
    label: &'static str,
    value: Option<String>,
    hint: String,
    /// The seed that one click takes over.
    #[prop(default = None)]
    source_seed: Option<Seed>,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let inputmode = match field {
        "negative_prompt" => "text",
        "guidance" => "decimal",
        _ => "numeric",
    };
    let is_text = field == "negative_prompt";
    let described = format!("{field}-hint {}{field}-error", if is_text { "negative_prompt-count " } else { "" });
    view! {
        <div class="field">
            <label for=field>{label}</label>
            <div class="with-button">
                <input
                    id=field
                    name=name(field)
                    value=value.unwrap_or_default()
                    inputmode=inputmode
                    autocomplete="off"
                    aria-invalid=move || form.error(field).map(|_| "true")
                    aria-describedby=described
                />
                {children.map(|children| children())}
            </div>
            <p class="hint" id=format!("{field}-hint")>{hint}</p>
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

/// What is wrong with a field, where it is.
#[component]
fn Problem(form: Form, field: &'static str) -> impl IntoView {
    view! { <p class="error" id=format!("{field}-error")>{move || form.error(field)}</p> }
}
