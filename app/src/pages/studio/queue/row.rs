//! One video of the queue: what it is, where it stands, why it waits, and what can be done with it.

use super::changes::{CancelInQueue, FRONT, MoveInQueue, UP};
use crate::{islands::live, words};
use domain::{Catalog, JobId, JobView, Status};
use leptos::{prelude::*, server_fn::ServerFn};
use service::OwnJobView;

/// Of the prompt.
const TITLE_CHARS: usize = 120;
/// Of the prompt, to people who hear the buttons.
const LABEL_CHARS: usize = 60;

/// `after`: behind which the page begins. `may_cancel`: whether who looks may change anything.
#[component]
pub fn Row<'a>(own: OwnJobView, catalog: &'a Catalog, after: Option<JobId>, may_cancel: bool) -> impl IntoView {
    let OwnJobView { view: job, can_move, batch, .. } = own;
    let (id, label) = (job.id, words::shortened(&job.spec.prompt, LABEL_CHARS));
    let runs = job.status == Status::InProgress;
    let name = catalog.by_id(&job.spec.model).map_or_else(|| job.spec.model.clone(), |model| model.name.clone());
    let what = format!("{name} · {} · {}", words::size(job.spec.size), length(&job));
    let of_batch = batch.map(|batch| view! { " · "<a href=format!("/batches/{batch}")>"Its batch"</a> });
    let progress = job.progress;
    let price = words::video_seconds(job.quote.billed);
    let cancelling = words::cost_of_cancelling(&job).filter(|_| may_cancel).map(|cost| format!("{price}, {cost}."));
    view! {
        <li class="queued" id=format!("queued-{id}")>
            <div class="queued-what">
                <a class="queued-title" href=format!("/videos/{id}") dir="auto">{words::shortened(&job.spec.prompt, TITLE_CHARS)}</a>
                <p class="hint">{what}{of_batch}</p>
                {runs.then(|| view! { <progress max="100" value=progress aria-label=format!("Progress: {label}")></progress> })}
                <p>{standing(&job)}</p>
                {cancelling.map(|cost| view! { <p class="hint">{cost}</p> })}
            </div>
            {may_cancel.then(|| view! {
                <div class="row queued-acts">
                    {can_move.then(|| view! {
                        <MoveTo id after to=UP label=format!("Move up: {label}") text="Move up" />
                        <MoveTo id after to=FRONT label=format!("Move to the front: {label}") text="To the front" />
                    })}
                    <form method="post" action=CancelInQueue::url() data-stays>
                        <Which id after />
                        <button class="button quiet small" aria-label=format!("Cancel: {label}")>"Cancel"</button>
                    </form>
                </div>
            })}
        </li>
    }
}

#[component]
fn MoveTo(id: JobId, after: Option<JobId>, to: &'static str, label: String, text: &'static str) -> impl IntoView {
    view! {
        <form method="post" action=MoveInQueue::url() data-stays>
            <Which id after />
            <input type="hidden" name="to" value=to />
            <button class="button quiet small" aria-label=label>{text}</button>
        </form>
    }
}

/// The video of a form, and the page to come back to.
#[component]
fn Which(id: JobId, after: Option<JobId>) -> impl IntoView {
    view! {
        <input type="hidden" name="id" value=id.to_string() />
        {after.map(|after| view! { <input type="hidden" name="after" value=after.to_string() /> })}
    }
}

fn length(job: &JobView) -> String {
    if job.spec.is_image() { "image".to_owned() } else { format!("{} s", job.spec.duration) }
}

/// Why it waits or how far it is, and when it will be ready, where that is known.
fn standing(job: &JobView) -> String {
    let now = match (job.status, &job.waiting) {
        (Status::InProgress, Some(waiting)) if !waiting.is_for_decoder() => format!("{}. {}", live::work(job), waiting.sentence),
        (Status::InProgress, _) => format!("{}.", live::work(job)),
        (_, Some(waiting)) => waiting.sentence.clone(),
        (status, None) => format!("{}.", words::status(status)),
    };
    job.eta.map_or(now.clone(), |eta| format!("{now} {}", words::ready_in(eta, 0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use domain::{Eta, JobRequest, NoEta, Stage, job::WaitReason};

    fn job() -> JobView {
        testing::job(&JobRequest { prompt: "sea".into(), steps: Some("16".into()), ..JobRequest::default() })
    }

    #[test]
    fn a_waiting_video_says_why_and_when_and_nothing_that_is_not_known() {
        let waiting = Some(WaitReason::Capacity { position: 3 }.into());
        let eta = Ok(Eta { p50_ms: 3100, p90_ms: 7000 });
        assert_eq!(standing(&JobView { waiting: waiting.clone(), eta, ..job() }), "Number 3 in line. Ready in about 4 s, up to 7 s.");
        assert_eq!(standing(&JobView { waiting, eta: Err(NoEta::NotMeasured), ..job() }), "Number 3 in line.");
        assert_eq!(standing(&job()), "Waiting.");
    }

    #[test]
    fn one_that_is_made_says_how_far_it_is() {
        let begun = JobView { status: Status::InProgress, stage: Some(Stage::Sampling), step: 3, progress: 12, ..job() };
        assert_eq!(standing(&begun), "12 % done: step 3 of 16.");
        let sampled = JobView { step: 16, waiting: Some(WaitReason::Decoder.into()), ..begun };
        assert_eq!(standing(&sampled), "12 % done: waiting for a decoder.");
        let again = JobView { step: 3, waiting: Some(WaitReason::Capacity { position: 1 }.into()), ..sampled };
        assert_eq!(standing(&again), "12 % done: waiting. Next in line.");
    }
}
