//! One labelled text field with its hint and its error.

use leptos::prelude::*;

#[component]
pub fn Field(
    name: &'static str,
    label: &'static str,
    #[prop(default = "text")] kind: &'static str,
    #[prop(optional, into)] value: String,
    autocomplete: &'static str,
    #[prop(optional)] hint: &'static str,
    #[prop(default = None)] error: Option<String>,
    #[prop(optional)] focus: bool,
) -> impl IntoView {
    let described = [(!hint.is_empty()).then(|| format!("{name}-hint")), error.is_some().then(|| format!("{name}-error"))];
    let described = described.into_iter().flatten().collect::<Vec<_>>().join(" ");
    view! {
        <div class="field">
            <label for=name>{label}</label>
            <input
                id=name
                name=name
                type=kind
                value=value
                autocomplete=autocomplete
                required
                autofocus=focus || error.is_some()
                aria-invalid=error.is_some().then_some("true")
                aria-describedby=(!described.is_empty()).then_some(described)
            />
            {(!hint.is_empty()).then(|| view! { <p class="hint" id=format!("{name}-hint")>{hint}</p> })}
            {error.map(|error| view! { <p class="error" id=format!("{name}-error")>{error}</p> })}
        </div>
    }
}
