//! The forms of the queue's page, and the one function that they all call.

use super::{super::section::empty, PAGE};
use crate::{
    components::{moment::Ago, table::Table},
    fault::Fault,
    http, session, words,
};
use domain::{
    Timestamp,
    scheduling::{Pause, QueueAct},
};
use leptos::{prelude::*, server_fn::ServerFn};
use service::{Asked, operator::QueueChangeError};

/// Does `act` upon what `subject` names: a scope, or the id of a video or worker.
#[server(prefix = "/api", endpoint = "change-queue")]
pub async fn change_queue(act: String, subject: String, #[server(default)] reason: String) -> Result<(), Fault> {
    let viewer = session::require_operator().await?;
    let outcome = match QueueAct::parse(&act, &subject) {
        Err(problem) => Err(refused(&problem)),
        Ok(queue_act) => {
            let address = http::visitor_address();
            let by = Asked { user: viewer.id, address: &address };
            let services = session::services();
            match Box::pin(services.change_queue(viewer.installation_actor(), Some(by), &queue_act, &reason)).await {
                Ok(()) => Ok(done(&queue_act)),
                Err(QueueChangeError::Forbidden(error)) => return Err(error.into()),
                Err(QueueChangeError::Store(error)) => return Err(error.into()),
                Err(error) => Err(refused(&error)),
            }
        }
    };
    session::say_of_fields(PAGE, Some(viewer.id), "queue", outcome, &[("act", &act), ("subject", &subject), ("reason", &reason)]);
    leptos_axum::redirect(PAGE);
    Ok(())
}

fn done(act: &QueueAct) -> String {
    match act {
        QueueAct::Pause(scope) | QueueAct::Resume(scope) => {
            let scope = scope.to_string();
            act.done().replacen(&scope, &words::pause_scope(&scope), 1)
        }
        _ => act.done(),
    }
}

fn refused(error: &impl ToString) -> String {
    format!("{}. Nothing was changed.", words::sentence(&error.to_string()))
}

/// A button that does one act upon one thing; `asks` for the words why.
#[component]
pub fn ActButton(
    act: &'static str,
    #[prop(into)] subject: String,
    label: &'static str,
    /// What it is about, for who does not see the row.
    #[prop(into)]
    about: String,
    #[prop(default = false)] asks: bool,
) -> impl IntoView {
    let reason = asks.then(|| {
        let needs = act == "quarantine";
        view! { <input name="reason" required=needs maxlength="200" placeholder="Why" aria-label=format!("Why: {about}") autocomplete="off" /> }
    });
    view! {
        <form class="in-cell" method="post" action=ChangeQueue::url() data-stays>
            <input type="hidden" name="act" value=act />
            <input type="hidden" name="subject" value=subject />
            {reason}
            <button class="button small quiet" aria-label=format!("{label}: {about}")>{label}</button>
        </form>
    }
}

/// What is paused, and resuming it.
#[component]
pub fn Pauses(pauses: Vec<Pause>, now: Timestamp) -> impl IntoView {
    if pauses.is_empty() {
        return empty("Nothing is paused.");
    }
    let rows = pauses.into_iter().map(move |pause| {
        let scope = pause.scope.to_string();
        let name = words::pause_scope(&scope);
        view! {
            <tr>
                <th scope="row">{words::sentence(&name)}</th>
                <td data-head="Paused" class="number"><Ago at=pause.since now /></td>
                <td data-head="Why" class="wraps" dir="auto">{pause.reason.unwrap_or_else(|| "not said".to_owned())}</td>
                <td><ActButton act="resume" subject=scope label="Resume" about=name /></td>
            </tr>
        }
    });
    view! { <Table label="List of pauses" heads=&["What", "Paused", "Why", "Resume"]>{rows.collect_view()}</Table> }.into_any()
}

/// Pausing everything, a lane or a model; tenants are paused where their shares are.
#[component]
pub fn PauseForm(models: Vec<String>, chosen: String, reason: String) -> impl IntoView {
    let lanes = [("everything", "Everything"), ("lane:interactive", "The interactive lane"), ("lane:batch", "The batch lane")];
    let lanes = lanes.map(|(scope, name)| (scope.to_owned(), name.to_owned()));
    let models = models.into_iter().map(|id| (format!("model:{id}"), format!("The model {id}")));
    let options = lanes.into_iter().chain(models).map(|(scope, name)| {
        let is_chosen = scope == chosen;
        view! { <option value=scope selected=is_chosen>{name}</option> }
    });
    let options = options.collect_view();
    let reason = if chosen.starts_with("job_") { String::new() } else { reason };
    let hint = "As those who wait read it. Empty: that it is paused, and no more.";
    view! {
        <ActForm id="why" reason hint button="Pause">
            <input type="hidden" name="act" value="pause" />
            <div class="field">
                <label for="scope">"Pause"</label>
                <select id="scope" name="subject" autocomplete="off" aria-describedby="scope-hint">{options}</select>
                <p class="hint" id="scope-hint">"No worker begins any of it, from now on. What runs already goes on, and new videos are taken in."</p>
            </div>
        </ActForm>
    }
}

/// An act upon one video, by its id.
#[component]
pub fn JobForm(job: String, act: String, reason: String) -> impl IntoView {
    let acts = [
        ("requeue", "Try a failed one once more"),
        ("expedite", "Move to the front of its line"),
        ("quarantine", "Put into quarantine"),
        ("lift", "Lift the quarantine"),
    ];
    let reason = if job.is_empty() { String::new() } else { reason };
    let options = acts.map(|(name, label)| {
        let is_chosen = name == act;
        view! { <option value=name selected=is_chosen>{label}</option> }
    });
    let hint = "It stands in the team’s log. For a quarantine it is needed: the owner reads it beside the video.";
    view! {
        <ActForm id="job-reason" reason hint button="Do it">
            <div class="field">
                <label for="job-id">"Id of a video"</label>
                <input id="job-id" name="subject" required value=job placeholder="job_…" autocomplete="off" />
            </div>
            <div class="field">
                <label for="job-act">"What to do"</label>
                <select id="job-act" name="act" autocomplete="off" aria-describedby="job-act-hint">{options.collect_view()}</select>
                <p class="hint" id="job-act-hint">"Trying it once more holds its price again, and keeps what failed before."</p>
            </div>
        </ActForm>
    }
}

/// The frame of a form that does one act, with the words why: `id` is that of their field.
#[component]
fn ActForm(id: &'static str, reason: String, hint: &'static str, button: &'static str, children: Children) -> impl IntoView {
    let hint_id = format!("{id}-hint");
    view! {
        <form class="card plan-form" method="post" action=ChangeQueue::url() data-stays>
            {children()}
            <div class="field">
                <label for=id>"Why"</label>
                <input id=id name="reason" maxlength="200" value=reason autocomplete="off" aria-describedby=hint_id.clone() />
                <p class="hint" id=hint_id>{hint}</p>
            </div>
            <p class="wide"><button class="button">{button}</button></p>
        </form>
    }
}
