//! The form that makes a video. It checks and prices with the server's own rules while one types, and
//! keeps everything typed when the server refuses or cannot be reached.

mod again;
mod choices;
mod controls;
pub mod draft;
mod fields;
mod form;
mod offer;
mod pins;
mod price;
mod reading;
mod room;
mod styles;
mod submit;

pub use again::{Source, model_of, price_again, remix_of, request_of};
pub use fields::{fields_of, name};
#[cfg(feature = "ssr")]
pub use offer::gone as choices_gone;
pub use offer::{as_shown, shape};
pub use price::Expected;
pub use reading::ReadPrompt;
pub use submit::{Draft, ExpectedTime, Noted, Refusal, SubmitVideo, expected_time, send, submit_video};

use super::browser;
use crate::words;
use choices::Shape;
use controls::{Advanced, Problem, Prompt, is_wrong};
use domain::{Catalog, Eta, JobId, Model, NoEta, UserId, billing::Balance, catalog::Field};
use form::Form;
use leptos::{
    ev::{KeyboardEvent, SubmitEvent},
    prelude::*,
    server_fn::ServerFn,
};
use price::{Notes, PriceAndTime};
use styles::Styles;

/// Nothing, where the catalog is empty. `kept_under`: the video under which the draft is kept; one that `draft` does not
/// remix is gone. `account`: for whom the form is drawn, and whose drafts these are. `source`: the video that is remixed. `balance`: what the account can use, where that can be had.
#[island]
pub fn CreateForm(
    catalog: Catalog,
    draft: Draft,
    kept_under: Option<JobId>,
    eta: Result<Eta, NoEta>,
    once: String,
    account: UserId,
    source: Option<Source>,
    balance: Option<Balance>,
) -> impl IntoView {
    let default = catalog.default_model().cloned()?;
    let source_is_gone = kept_under.is_some() && draft.remixed_from.is_none();
    // What has another model means another thing by it.
    let source_seed = source.filter(|source| source.is_on_offer).map(|source| source.seed);
    let form = Form::new(catalog, default, draft, kept_under, once.clone(), account);
    let request = form.request.get_untracked();
    let quoted_ms = form.priced.with_untracked(|priced| priced.as_ref().map_or(0, |(_, quote)| quote.billed.ms()));
    let (eta, balance) = (RwSignal::new(Some(eta)), StoredValue::new(balance));
    Effect::new(move |_| form.start());
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        // Only one of the buttons has a name.
        if event.submitter().is_some_and(|button| button.has_attribute("name")) {
            form.force.set_value(true);
        }
        form.submit();
    };
    let submit_by_key = move |event: KeyboardEvent| {
        if event.key() == "Enter" && (event.ctrl_key() || event.meta_key()) {
            event.prevent_default();
            form.submit();
        }
    };
    let sending = form.sending;
    let submit_text = move || match (sending.get(), form.model.with(Model::makes_images)) {
        (true, _) => "Sending…",
        (false, true) => "Make the image",
        (false, false) => "Make the video",
    };
    Some(view! {
        <Heading form source source_is_gone />
        <form
            class="create"
            method="post"
            action=SubmitVideo::url()
            novalidate
            node_ref=form.node
            on:input=move |_| form.change()
            on:change=move |_| form.change()
            on:keydown=submit_by_key
            on:submit=submit
        >
            {move || form.remixed_from.get().map(|id| view! { <input type="hidden" name="remixed_from" value=id.to_string() /> })}
            <input type="hidden" name="once" value=once />
            <input type="hidden" name="quoted_ms" value=quoted_ms />
            <input type="hidden" name="author" value=account.to_string() />
            <div class="create-fields stack">
                <Restored form />
                <Prompt form value=request.prompt.clone() richer=request.filled(Field::Enrich) == Some("true") />
                <Styles form />
                <KeptInPlace form />
                <Shape form />
                <Advanced form request source_seed />
                <Notes form eta balance />
            </div>
            <div class="create-side">
                <PriceAndTime form eta balance />
                <div role="alert"><Said form /></div>
                <button class="button wide large" aria-disabled=move || sending.get().to_string() aria-keyshortcuts="Control+Enter Meta+Enter">
                    {submit_text}
                </button>
                {move || may_force(form).then(|| view! { <button class="button quiet wide" name="force" value="true">"Make it anyway"</button> })}
                <p class="hint">{move || promise(form.noun())}</p>
            </div>
        </form>
    })
}

/// Of what was arranged and came back, at once or as a draft: where things were put. Unseen until there is such a thing.
#[component]
fn KeptInPlace(form: Form) -> impl IntoView {
    let pins = form.request.with_untracked(|request| request.arrangement.clone()).unwrap_or_default();
    let checked = !pins.is_empty();
    let has_been = Memo::new(move |was: Option<&bool>| {
        was == Some(&true) || form.request.with(|request| request.filled(Field::Arrangement).is_some())
    });
    view! {
        <label class="check" hidden=move || !has_been.get()>
            <input
                id="arrangement"
                type="checkbox"
                name=name(Field::Arrangement)
                value=pins
                checked=checked
                autocomplete="off"
                aria-invalid=is_wrong(form, Field::Arrangement)
                aria-describedby="arrangement-error"
            />
            "Things stay where they were put"
        </label>
        <Problem form field=Field::Arrangement />
    }
}

/// Whether the server refused only because nothing of the prompt is understood.
fn may_force(form: Form) -> bool {
    form.refusal.with(|refusal| matches!(refusal, Some(Refusal::Field { may_force: true, .. })))
}

/// What a failure costs.
fn promise(noun: &str) -> String {
    format!("A failed {noun} costs nothing, a cancelled one what was done of it. You can close the tab; the work goes on.")
}

/// What the form makes, and where its settings come from.
#[component]
fn Heading(form: Form, source: Option<Source>, source_is_gone: bool) -> impl IntoView {
    let remixed_from = form.remixed_from;
    let (taken, rest) = taken_over(source);
    let noun = words::noun(source.is_some_and(|source| source.is_image));
    let lead = move || match remixed_from.get() {
        Some(id) => Some(view! { <p class="lead">{taken}<a href=format!("/videos/{id}")>"this "{noun}</a>{rest}</p> }.into_any()),
        None if source_is_gone => Some(view! { <p class="lead">{move || gone(form.restored.get())}</p> }.into_any()),
        None => None,
    };
    view! {
        <header class="page-head">
            <h1>{move || if remixed_from.get().is_some() { "Remix" } else { "Create" }}</h1>
            {lead}
        </header>
    }
}

/// What a remix has of its source: the beginning and the end of a sentence that names it.
fn taken_over(source: Option<Source>) -> (&'static str, &'static str) {
    if source.is_none_or(|source| source.is_on_offer) {
        ("The settings of ", ", with a new seed unless you set one. Change what you like.")
    } else {
        ("The texts of ", ". Its model is not on offer any more, so look over what else is set.")
    }
}

const fn gone(has_draft: bool) -> &'static str {
    if has_draft {
        "The video you wanted to remix is gone. What you typed is kept, and makes a video on its own."
    } else {
        "The video you wanted to remix is gone. You can make one on its own."
    }
}

/// What the server said of the form as a whole.
#[component]
fn Said(form: Form) -> impl IntoView {
    let refusal = move || form.refusal.get().filter(|refusal| !matches!(refusal, Refusal::Field { .. }));
    move || {
        refusal().map(|refusal| {
            let sign_in = (refusal == Refusal::SignedOut).then(|| view! { " "<a href=browser::sign_in_and_return()>"Sign in"</a> });
            // That is a question, and nothing went wrong.
            let is_question = matches!(refusal, Refusal::PriceNotShown { .. });
            let more = matches!(refusal, Refusal::OutOfCredit { .. }).then(|| view! { " "<a href="/plan">"Plan and credit"</a> });
            view! { <p class="notice" class:plain=is_question>{refusal.to_string()}{sign_in}{more}</p> }
        })
    }
}

/// A sentence, and the buttons behind it: what each says, and does.
type Line = (&'static str, &'static [(&'static str, fn(Form))]);

const RESTORED: Line = ("This is what you had not sent yet. ", &[("Start afresh", Form::start_afresh)]);
const THROWN_AWAY: Line = ("What you had not sent is thrown away. ", &[("Undo", Form::undo)]);
const PUT_ASIDE: Line = ("Something else that you had not sent is put aside. ", &[("Show it", Form::bring_back)]);
const WITHOUT_PROMPT: Line =
    ("A draft without a prompt is put aside. ", &[("Show it", Form::bring_back), ("Throw it away", Form::throw_away_aside)]);

/// Says that the form holds a draft, and offers an empty one; or that one was thrown away or put aside, and offers it
/// again.
#[component]
fn Restored(form: Form) -> impl IntoView {
    let thrown_away = Memo::new(move |_| form.thrown_away.with(Option::is_some));
    let put_aside = Memo::new(move |_| form.put_aside.with(|aside| !aside.is_empty()));
    let has_prompt =
        Memo::new(move |_| form.put_aside.with(|aside| aside.last().is_some_and(|kept| !kept.request.prompt.trim().is_empty())));
    let restored = Memo::new(move |_| form.restored.get());
    // What is put aside comes first, so that nothing else comes to lie under a click for it.
    let said = move || {
        let here = if restored.get() { Some(RESTORED) } else { thrown_away.get().then_some(THROWN_AWAY) };
        let aside = put_aside.get().then(|| if has_prompt.get() { PUT_ASIDE } else { WITHOUT_PROMPT });
        let lines = [aside, here].into_iter().flatten().map(|(sentence, offers)| {
            let buttons = offers.iter().map(|&(offer, act)| {
                view! { <button type="button" class="link" on:click=move |_| act(form)>{offer}</button> }
            });
            view! { <p class="restored hint">{sentence}{buttons.collect_view()}</p> }
        });
        lines.collect_view()
    };
    view! { <div role="status">{said}</div> }
}
