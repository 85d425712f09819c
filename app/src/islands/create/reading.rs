//! How the words of the prompt are read, shown while it is typed: what is understood, what is guessed and what is left out.

use super::{Form, fields_of, submit::Refusal};
use crate::islands::browser;
use domain::{
    JobRequest,
    catalog::{Field, Kind},
};
use leptos::{ev::MouseEvent, leptos_dom::helpers::TimeoutHandle, prelude::*, server_fn::ServerFn, task::spawn_local};
use std::time::Duration;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::Element;

/// Between the last key and the question.
const PAUSE: Duration = Duration::from_millis(90);
/// After which the word that was typed last counts as finished.
const WORD_PAUSE: Duration = Duration::from_millis(600);
/// One key changes a text by at most so many bytes; more come from somewhere else, and are finished.
const KEY_BYTES: usize = 4;

/// What is said of the words in the field.
#[derive(Clone, Copy)]
struct Said {
    html: RwSignal<String>,
    /// The request that it was said of.
    of: StoredValue<Option<JobRequest>>,
    /// Whether the last word of that counted as finished.
    is_finished: StoredValue<bool>,
}

impl Said {
    /// Shows an answer for this request; `None`: the server refused to give one. What was said of another text is not left there. What
    /// was said of the same one stays after a refusal, and is not replaced by an answer that takes its last word for unfinished.
    fn take(self, request: JobRequest, html: Option<String>, is_typed: bool) {
        let is_same = self.of.with_value(|of| of.as_ref() == Some(&request));
        if is_same && (html.is_none() || (is_typed && self.is_finished.get_value())) {
            return;
        }
        self.is_finished.set_value(html.is_some() && !is_typed);
        self.of.set_value(Some(request));
        self.html.set(html.unwrap_or_default());
    }
}

/// What the server says of the words in the field.
#[component]
pub fn ReadWords(form: Form) -> impl IntoView {
    let is_read = |field: &Field| matches!(field, Field::Model | Field::Enrich | Field::Seed) || field.kind() == Kind::Text;
    let asked = Memo::new(move |_| {
        form.request.with(|request| JobRequest::of_fields(|field| request.get(field).filter(|_| is_read(&field)).map(str::to_owned)))
    });
    let said = Said { html: RwSignal::new(String::new()), of: StoredValue::new(None), is_finished: StoredValue::new(false) };
    let waiting = StoredValue::new(Vec::<TimeoutHandle>::new());
    Effect::new(move |before: Option<(usize, Option<String>)>| {
        let (model, bytes) = asked.with(|request| (request.model.clone(), request.prompt.len()));
        let is_typed = before.is_some_and(|(before, of)| of == model && before.abs_diff(bytes) <= KEY_BYTES);
        waiting.update_value(|waiting| waiting.drain(..).for_each(|question| question.clear()));
        let questions: &[_] = if is_typed { &[(PAUSE, true), (WORD_PAUSE, false)] } else { &[(PAUSE, false)] };
        for &(pause, is_typed) in questions {
            let question = set_timeout_with_handle(move || ask(asked, is_typed, said), pause);
            waiting.update_value(|waiting| waiting.extend(question));
        }
        (bytes, model)
    });
    // What is said may name another model, with a button that chooses it.
    let choose = move |event: MouseEvent| {
        let button = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        if let Some(model) = button.and_then(|button| button.get_attribute("data-model")) {
            form.fill(Field::Model, &model);
            form.focus("#model");
        }
    };
    view! { <div class="read-words" id="prompt-words" role="status" inner_html=said.html on:click=choose></div> }
}

/// An answer that comes after something else was typed is dropped; where the server cannot be reached, what was said stays.
/// `is_typed`: its last word may not be finished.
fn ask(asked: Memo<JobRequest>, is_typed: bool, said: Said) {
    let request = asked.get_untracked();
    spawn_local(async move {
        let mut fields = fields_of(&request);
        fields.push(("is_typed".to_owned(), is_typed.to_string()));
        let Some(answer) = browser::post(ReadPrompt::url(), &fields).await else { return };
        let Ok(text) = answer.text().map(JsFuture::from) else { return };
        let json = text.await.ok().and_then(|text| text.as_string()).filter(|_| answer.ok());
        if asked.get_untracked() == request {
            said.take(request, json.and_then(|json| serde_json::from_str(&json).ok()), is_typed);
        }
    });
}

/// How the model of this request reads its prompt, and what is added to it where that is asked for, drawn. `is_typed`: its last
/// word may not be finished. `model` and `prompt`: what pages of before say in place of a request.
#[server(prefix = "/api", endpoint = "read-prompt")]
pub async fn read_prompt(
    #[server(default)] request: JobRequest,
    #[server(default)] is_typed: bool,
    #[server(default)] model: Option<String>,
    #[server(default)] prompt: String,
) -> Result<String, Refusal> {
    let request = if prompt.is_empty() { request } else { JobRequest { model, prompt, ..request } };
    super::submit::taking_in::require_viewer().await?;
    let catalog = super::submit::taking_in::catalog().await?;
    let services = crate::session::services();
    let Some(model) = super::offer::chosen(&catalog, &request) else { return Ok(String::new()) };
    Ok(crate::reading::of_request(&services, &catalog, model, &request, is_typed).await)
}
