//! What can be done with a video where it stands: cancel it, fetch it, make it again or otherwise.
//!
//! Decided here: each is a plain form or link; a script spares the reload after Cancel, makes no second video
//! after an answer that got lost, and leads the focus on when the button that had it goes.

use super::{CancelVideo, Live};
use crate::{
    islands::{
        browser,
        create::{
            Expected, Refusal, SubmitVideo,
            draft::{self, Kept},
            expected_time, fields_of, request_of, send,
        },
    },
    media, words,
};
use domain::{JobId, JobRequest, JobView, Model, NoEta, Status, UserId, VideoTime};
use leptos::{ev::SubmitEvent, html, prelude::*, server_fn::ServerFn, task::spawn_local};
use std::time::Duration;
use wasm_bindgen::JsCast;
use web_sys::HtmlFormElement;

const NOT_CANCELLED: &str = "It could not be cancelled: the server did not answer. Try again in a moment.";

/// What the buttons share.
#[derive(Clone, Copy)]
struct Press {
    id: JobId,
    author: UserId,
    /// Names the next submission: a new one only after the last was taken in.
    once: RwSignal<String>,
    sending: RwSignal<bool>,
    problem: RwSignal<Option<String>>,
}

impl Press {
    fn draft(self) -> String {
        draft::name_of_again(self.author, self.id)
    }

    /// What names the submission: as before a reload, when its answer was lost.
    fn name(self, request: &JobRequest) -> String {
        let name = self.draft();
        match draft::find(&name) {
            Some(kept) => self.once.set(kept.nonce),
            None => draft::keep(&name, &Kept::now(request.clone(), self.once.get_untracked())),
        }
        self.once.get_untracked()
    }

    /// The next click asks for another video.
    fn renew(self) {
        draft::forget(&self.draft());
        self.once.set(browser::random());
    }
}

/// The same job again.
#[derive(Clone)]
struct Same {
    request: JobRequest,
    price: VideoTime,
    /// It was made though nothing of its prompt was understood.
    force: bool,
}

/// `once`: a second click on a button that makes a video leads to the video of the first. `price`: of the same job again,
/// if its settings are still on offer. `force`: it was made though nothing of its prompt was understood.
#[component]
pub fn Actions(
    live: Live,
    once: String,
    author: UserId,
    model: Option<Model>,
    price: Option<VideoTime>,
    again: Expected,
    force: bool,
    may_submit: bool,
) -> impl IntoView {
    let row = NodeRef::<html::Div>::new();
    let id = live.job.with_untracked(|job| job.id);
    let press = Press { id, author, once: RwSignal::new(once), sending: RwSignal::new(false), problem: RwSignal::new(None) };
    let problem = press.problem;
    let status = Memo::new(move |_| live.status());
    let (noun, request) = live.job.with_untracked(|job| (words::noun(job.spec.is_image()), price.map(|_| request_of(job, model.as_ref()))));
    let same = StoredValue::new(request.zip(price).map(|(request, price)| Same { request, price, force }));
    let has_model = model.is_some();
    Effect::new(move |_| browser::on_return(move || press.sending.set(false)));
    keep_focus(row, status);
    let again = RwSignal::new(again);
    Effect::new(move |_| {
        if status.get().is_final() && price.is_some() && again.with_untracked(Option::is_none) {
            let (model, shape, steps) = live.job.with_untracked(|job| (job.spec.model.clone(), job.spec.shape(), job.spec.steps));
            spawn_local(async move {
                again.try_set(expected_time(model, shape.size.to_string(), Some(shape.duration.ms()), steps).await.ok());
            });
        }
    });
    let hint = move || match price {
        Some(price) => again_hint(noun, status.get(), price, again.get()),
        None if may_submit => Some(not_on_offer(noun, has_model)),
        None => None,
    };
    view! {
        <div class="actions">
            <div class="row" node_ref=row>{move || live.job.with_untracked(|job| buttons(job, status.get(), press, same.get_value(), may_submit))}</div>
            {move || hint().map(|hint| view! { <p class="hint">{hint}</p> })}
            <div role="alert">
                {move || problem.get().map(|problem| view! { <p class="notice">{problem}</p> })}
            </div>
        </div>
    }
}

/// Why it cannot be made again.
fn not_on_offer(noun: &str, has_model: bool) -> String {
    if has_model {
        format!("The settings of this {noun} are not on offer any more.")
    } else {
        format!("The model of this {noun} is not on offer any more.")
    }
}

/// What the button costs that makes it once more, and how long that takes.
fn again_hint(noun: &str, status: Status, price: VideoTime, again: Expected) -> Option<String> {
    let price = words::video_seconds(price);
    let time = match again {
        Some(Ok(eta)) => format!(", ready in {}", words::expected(&eta)),
        Some(Err(NoEta::NoWorker)) => ", as soon as a machine is back".to_owned(),
        Some(Err(_)) | None => String::new(),
    };
    match status {
        Status::Queued | Status::InProgress => None,
        Status::Completed => Some(format!("Vary makes it once more with another seed, for {price}{time}.")),
        Status::Failed | Status::Cancelled => Some(format!("Try again makes the same {noun}, for {price}{time}.")),
    }
}

/// `same`: where it is not on offer any more, there are no buttons that ask for it.
fn buttons(job: &JobView, status: Status, press: Press, same: Option<Same>, may_cancel: bool) -> AnyView {
    let id = job.id;
    let remix = same.is_some().then(|| view! { <a class="button quiet" href=format!("/create?from={id}")>"Remix"</a> });
    match status {
        Status::Queued | Status::InProgress => {
            let cancel = may_cancel.then(|| view! { <Cancel id problem=press.problem /> });
            view! { {cancel} {remix} }.into_any()
        }
        Status::Completed => {
            let vary = same.map(|same| {
                let JobRequest { arrangement, enrich, .. } = same.request.clone();
                // With another seed other things are added, and pins would hold them.
                let arrangement = arrangement.filter(|_| enrich.is_none());
                let varied = Same { request: JobRequest { seed: None, arrangement, ..same.request }, ..same };
                view! { <Again same=varied of=id is_remix=true press label="Vary" class="button quiet" /> }
            });
            let file = format!("{}?download", media::main_file(id, job.spec.is_image()));
            view! { <a class="button" href=file download>"Download"</a> {vary} {remix} }.into_any()
        }
        Status::Failed | Status::Cancelled => {
            let again = same.map(|same| view! { <Again same of=id is_remix=false press label="Try again" class="button" /> });
            view! { {again} {remix} }.into_any()
        }
    }
}

/// Asks for `same` at one click, at the price that is shown: a remix of that job, or that job once more.
#[component]
fn Again(same: Same, of: JobId, is_remix: bool, press: Press, label: &'static str, class: &'static str) -> impl IntoView {
    let hidden = |(name, value): (String, String)| view! { <input type="hidden" name=name value=value /> };
    let Same { request: asked, price, force } = same;
    let quoted_ms = price.ms();
    let (remixed_from, repeats) = if is_remix { (Some(of), None) } else { (None, Some(of)) };
    let source = if is_remix { "remixed_from" } else { "repeats" };
    let fields = fields_of(&asked).into_iter().chain([(source.into(), of.to_string())]);
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let form = event.target().and_then(|target| target.dyn_into::<HtmlFormElement>().ok());
        if let Some(form) = form.filter(|_| !press.sending.get_untracked()) {
            let (once, author) = (press.name(&asked), Some(press.author));
            let asked = SubmitVideo { request: asked.clone(), remixed_from, repeats, once, quoted_ms: Some(quoted_ms), author, force };
            spawn_local(make_again(press, form, asked));
        }
    };
    view! {
        <form method="post" action=SubmitVideo::url() on:submit=submit>
            {fields.map(hidden).collect_view()}
            <input type="hidden" name="once" value=press.once />
            <input type="hidden" name="author" value=press.author.to_string() />
            <input type="hidden" name="quoted_ms" value=quoted_ms />
            {force.then(|| view! { <input type="hidden" name="force" value="true" /> })}
            <button class=class>{label}</button>
        </form>
    }
}

/// By the script, so that no answer, or another one, leaves the key as it was.
async fn make_again(press: Press, form: HtmlFormElement, asked: SubmitVideo) {
    press.sending.set(true);
    press.problem.set(None);
    match send(asked).await {
        Ok(id) => {
            press.renew();
            browser::go_to(&format!("/videos/{id}"));
        }
        Err(refusal) => {
            press.sending.set(false);
            match refusal {
                Refusal::Deleted => press.renew(),
                Refusal::Whole(_)
                | Refusal::Forbidden
                | Refusal::Busy
                | Refusal::Unreachable
                | Refusal::Unavailable
                | Refusal::Internal => {}
                // The plain form is led to where that can be mended.
                _ => {
                    draft::forget(&press.draft());
                    return drop(form.submit());
                }
            }
            press.problem.set(Some(refusal.to_string()));
        }
    }
}

#[component]
fn Cancel(id: JobId, problem: RwSignal<Option<String>>) -> impl IntoView {
    let cancel = move |event: SubmitEvent| {
        event.prevent_default();
        problem.set(None);
        spawn_local(async move {
            match browser::post(CancelVideo::url(), &[("id".into(), id.to_string())]).await {
                Some(answer) if browser::destination(&answer).is_some_and(|place| place.starts_with("/signin")) => browser::reload(),
                // The live events bring the news.
                Some(answer) if answer.ok() => {}
                _ => problem.set(Some(NOT_CANCELLED.into())),
            }
        });
    };
    view! {
        <form method="post" action=CancelVideo::url() on:submit=cancel>
            <input type="hidden" name="id" value=id.to_string() />
            <button class="button quiet">"Cancel"</button>
        </form>
    }
}

/// When the buttons change under somebody who is at them, the first of the new ones gets the focus.
fn keep_focus(row: NodeRef<html::Div>, status: Memo<Status>) {
    let here = StoredValue::new(false);
    Effect::new(move |_| {
        window_event_listener_untyped("focusin", move |_| {
            let inside = row.get_untracked().is_some_and(|row| row.matches(":focus-within").unwrap_or(false));
            here.try_set_value(inside);
        });
    });
    Effect::new(move |before: Option<Status>| {
        let now = status.get();
        if before.is_some_and(|before| before != now) && here.get_value() {
            let lead_on = move || {
                if let Some(row) = row.get_untracked().filter(|_| browser::focus_is_lost()) {
                    browser::focus(&row, "button, a");
                }
            };
            set_timeout(lead_on, Duration::ZERO);
        }
        now
    });
}
