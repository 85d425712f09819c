//! A question before something that cannot be undone, or that costs something.
//!
//! A link opens the dialog: a script shows it as a modal, and without one the address' fragment shows it in place.

use leptos::prelude::*;

/// The link or button-like text that opens a [`Confirm`] of the same `id`.
#[component]
pub fn Ask(
    #[prop(into)] id: String,
    #[prop(into)] label: String,
    #[prop(default = "button quiet")] class: &'static str,
    children: Children,
) -> impl IntoView {
    view! { <a class=class href=format!("#{id}") data-opens=id role="button" aria-label=label>{children()}</a> }
}

/// Asks, and posts `fields` to `action` when the answer is yes.
#[component]
pub fn Confirm(
    #[prop(into)] id: String,
    question: &'static str,
    #[prop(into)] consequence: String,
    yes: &'static str,
    no: &'static str,
    action: &'static str,
    fields: Vec<(&'static str, String)>,
    /// The id of the card that goes with what the answer removes.
    #[prop(default = None)]
    removes: Option<String>,
    /// That of the button that says yes: what is lost by it looks like a danger.
    #[prop(default = "button danger")]
    yes_class: &'static str,
) -> impl IntoView {
    let heading = format!("{id}-question");
    let heading_id = heading.clone();
    let fields = fields.into_iter().map(|(name, value)| view! { <input type="hidden" name=name value=value /> }).collect_view();
    let stays = removes.is_none().then_some("");
    view! {
        <dialog class="dialog" id=id aria-labelledby=heading>
            <form class="dialog-body" method="post" action=action data-removes=removes data-stays=stays>
                {fields}
                <h2 id=heading_id>{question}</h2>
                <p>{consequence}</p>
                <div class="row end">
                    <a class="button quiet" href="#" role="button" data-closes>{no}</a>
                    <button class=yes_class>{yes}</button>
                </div>
            </form>
        </dialog>
    }
}
