//! The password field: can be shown, and says while typing what the sign-up would refuse.

use super::browser;
use domain::{Email, account::check_password};
use leptos::prelude::*;

/// `focus`: it is the one to type in next. `new`: a password someone wants to take, checked by the rule of `domain::account` against the mail
/// address in the field above.
#[island]
pub fn PasswordField(
    new: bool,
    error: Option<String>,
    focus: bool,
    /// Where there is another beside it.
    #[prop(optional)]
    label: Option<String>,
) -> impl IntoView {
    let (shown, set_shown) = signal(false);
    let (advice, set_advice) = signal(None::<(bool, String)>);
    let (error, set_error) = signal(error);
    let refused = error.get_untracked().is_some();
    let check = move |event| {
        let password = event_target_value(&event);
        set_advice.set((new && !password.is_empty()).then(|| judge(&password)));
        set_error.set(None);
    };
    let described = match (new, refused) {
        (true, true) => "password-advice password-error",
        (true, false) => "password-advice",
        (false, true) => "password-error",
        (false, false) => "",
    };
    view! {
        <div class="field">
            <label for="password">{label.unwrap_or_else(|| "Password".into())}</label>
            <div class="with-button">
                <input
                    id="password"
                    name="password"
                    type=move || if shown.get() { "text" } else { "password" }
                    autocomplete=if new { "new-password" } else { "current-password" }
                    required
                    autofocus=focus
                    aria-invalid=move || error.with(|error| error.is_some().then_some("true"))
                    aria-describedby=(!described.is_empty()).then_some(described)
                    on:input=check
                />
                <button type="button" class="in-field needs-script" aria-pressed=move || shown.get().to_string() on:click=move |_| set_shown.update(|shown| *shown = !*shown)>
                    {move || if shown.get() { "Hide" } else { "Show" }}
                    <span class="unseen">" password"</span>
                </button>
            </div>
            {move || error.get().map(|error| view! { <p class="error" id="password-error">{error}</p> })}
            {new.then(|| view! {
                <p class="hint" id="password-advice" aria-live="polite" class:good=move || advice.get().is_some_and(|(good, _)| good)>
                    {move || advice.get().map_or_else(|| hint(error.with(Option::is_some)).to_owned(), |(_, text)| text)}
                </p>
            })}
        </div>
    }
}

/// What to type, less what the message above it says already.
const fn hint(refused: bool) -> &'static str {
    if refused { "A few words in a row are fine." } else { "At least 8 characters. A few words in a row are fine." }
}

/// Whether the sign-up would take it, and the words for it.
fn judge(password: &str) -> (bool, String) {
    let typed = browser::value_of("#email");
    let nobody = "nobody@example.invalid";
    let email = typed.parse::<Email>().or_else(|_| nobody.parse());
    match email.map(|email| check_password(password, &email)) {
        Ok(Err(problem)) => (false, capitalised(&format!("{problem}."))),
        _ => (true, "Good.".into()),
    }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
