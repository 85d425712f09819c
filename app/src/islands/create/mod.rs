//! The form that makes a video. It checks and prices with the server's own rules while one types, and
//! keeps everything typed when the server refuses or cannot be reached.

mod again;
mod controls;
mod fields;
mod submit;
mod ticket;

pub use again::{fields_of, request_of};
pub use fields::name;
pub use submit::{Draft, ExpectedTime, Refusal, SubmitVideo, expected_time, submit_video};

use super::browser;
use crate::words;
use controls::{Advanced, Prompt, Shape};
use domain::{
    JobId, JobRequest, SpecError,
    scheduling::{Eta, NoEta},
};
use leptos::{ev::SubmitEvent, html, prelude::*, server_fn::ServerFn, task::spawn_local};
use ticket::Ticket;

/// What the parts of the form share.
#[derive(Clone, Copy)]
struct Form {
    node: NodeRef<html::Form>,
    request: RwSignal<JobRequest>,
    refusal: RwSignal<Option<Refusal>>,
}

impl Form {
    /// Takes over what the fields say.
    fn reread(self) {
        if let Some(form) = self.node.get_untracked() {
            self.request.set(fields::read(&form));
        }
    }

    fn fill(self, field: &str, value: &str) {
        if let Some(form) = self.node.get_untracked() {
            fields::write(&form, field, value);
            self.reread();
        }
    }

    /// What is wrong with a field: what the server said last, else what the rules say of it now.
    fn error(self, field: &'static str) -> Option<String> {
        if let Some(Refusal::Field { field: refused, message }) = self.refusal.get()
            && refused == field
        {
            return Some(words::mend(&message));
        }
        let found = self.request.with(|request| fields::alone(request, field)).err()?;
        (found.field() == field).then(|| words::mend(&found.to_string()))
    }
}

#[island]
pub fn CreateForm(draft: Draft, eta: Result<Eta, NoEta>, once: String) -> impl IntoView {
    let Draft { request, remixed_from, refusal } = draft;
    let form = Form { node: NodeRef::new(), request: RwSignal::new(request.clone()), refusal: RwSignal::new(refusal) };
    let (remixed_from, once) = (RwSignal::new(remixed_from), RwSignal::new(once));
    let (sending, set_sending) = signal(false);
    Effect::new(move |_| {
        // What was typed before the script had arrived counts.
        form.reread();
        // Coming back to this page finds it ready again, for another video.
        window_event_listener_untyped("pageshow", move |_| {
            set_sending.set(false);
            once.set(browser::random());
        });
    });
    let changed = move |_| {
        form.refusal.set(None);
        form.reread();
    };
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        if !sending.get_untracked() {
            set_sending.set(true);
            form.reread();
            spawn_local(async move {
                if let Err(refusal) = send(form.request.get_untracked(), remixed_from.get_untracked(), once.get_untracked()).await {
                    if refusal == Refusal::SourceGone {
                        remixed_from.set(None);
                    }
                    show(form, refusal);
                    set_sending.set(false);
                }
            });
        }
    };
    let whole = move || form.refusal.get().filter(|refusal| !matches!(refusal, Refusal::Field { .. })).map(|refusal| refusal.to_string());
    view! {
        <form class="create" method="post" action=SubmitVideo::url() novalidate node_ref=form.node on:input=changed on:change=changed on:submit=submit>
            {move || remixed_from.get().map(|id| view! { <input type="hidden" name="remixed_from" value=id.to_string() /> })}
            <input type="hidden" name="once" value=once />
            <div class="create-fields stack">
                <Prompt form value=request.prompt.clone() />
                <Shape form request=request.clone() />
                <Advanced form request />
            </div>
            <div class="create-side">
                <Ticket request=form.request eta />
                <div role="alert">{move || whole().map(|text| view! { <p class="notice">{text}</p> })}</div>
                <button class="button wide large" aria-disabled=move || sending.get().to_string()>
                    {move || if sending.get() { "Sending…" } else { "Make the video" }}
                </button>
                <p class="hint">"A failed or cancelled video costs nothing. You can close the tab; the work goes on."</p>
            </div>
        </form>
    }
}

/// Checks by the server's own rules first; sends what passes them.
async fn send(request: JobRequest, remixed_from: Option<JobId>, once: String) -> Result<(), Refusal> {
    let at_field = |error: SpecError| Refusal::Field { field: error.field().into(), message: error.to_string() };
    request.parse(domain::Seed::ZERO).map_err(at_field)?;
    let id = submit_video(request, remixed_from, once).await?;
    browser::go_to(&format!("/videos/{id}"));
    Ok(())
}

/// Says what to mend and leads there.
fn show(form: Form, refusal: Refusal) {
    if let (Refusal::Field { field, .. }, Some(node)) = (&refusal, form.node.get_untracked()) {
        if matches!(field.as_str(), "steps" | "guidance" | "seed" | "negative_prompt") {
            browser::open("#advanced");
        }
        browser::focus(&node, &format!("[name='{}']", name(field)));
    }
    form.refusal.set(Some(refusal));
}
