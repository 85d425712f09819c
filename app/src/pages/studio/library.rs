//! Everything one has made, newest first.

use super::video::DeleteVideo;
use crate::{
    components::{
        clip::Clip,
        confirm::{Ask, Confirm},
        frame::Frame,
        icon::{DELETE, DOWNLOAD, Icon},
        moment::Moment,
    },
    fault::Fault,
    http, media,
    pages::fault::page,
    session, words,
};
use domain::{JobId, JobSpec, JobView, NoEta, Permission, Size, Status};
use leptos::{prelude::*, server_fn::ServerFn};
use service::{Order, PageQuery, User, Waiting};

const PAGE: u64 = 24;

/// Which page of the library: it begins behind a video, ends before one, or is the newest.
#[derive(Clone, Copy)]
enum Place {
    Newest,
    After(JobId),
    Before(JobId),
}

/// Cancels whatever waits for its first step; what is being made goes on, and so do batches.
#[server(prefix = "/api", endpoint = "cancel-waiting")]
pub async fn cancel_waiting() -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form("/library").await? else { return Ok(()) };
    session::services().cancel_waiting(user.actor()).await?;
    leptos_axum::redirect("/library");
    Ok(())
}

#[component]
pub fn LibraryPage() -> impl IntoView {
    let (after, before) = (http::query().get("after"), http::query().get("before"));
    page(async move {
        let viewer = session::require_viewer().await?;
        let place = place(after, before);
        let (jobs, newer, older) = listed(&viewer, place).await?;
        if matches!(place, Place::Before(_)) && newer.is_none() {
            // The newest page, begun in its middle.
            http::lead("/library");
        }
        let waiting = session::services().waiting(viewer.actor()).await?;
        let is_stuck = (waiting.jobs > 0 || jobs.iter().any(|job| !job.status.is_final())) && !any_machine().await?;
        let actor = viewer.actor();
        let [may_submit, may_cancel, may_delete] =
            [Permission::SubmitJobs, Permission::CancelJobs, Permission::DeleteJobs].map(|permission| actor.may(permission));
        let (is_newest, is_empty) = (matches!(place, Place::Newest), jobs.is_empty());
        Ok(view! {
            <Frame title="Library" viewer=Some(viewer) class="page wide">
                <header class="page-head split" id="waiting">
                    <h1>"Library"</h1>
                    <div class="row">
                        {may_cancel.then(|| view! { <CancelAll waiting /> })}
                        {(may_submit && !(is_newest && is_empty)).then(|| view! { <a class="button" href="/create">"Create"</a> })}
                    </div>
                    {is_stuck.then(|| view! { <p class="page-note">"No machine is running at the moment. What waits keeps its place and goes on when one is back."</p> })}
                </header>
                {is_empty.then(|| view! { <Empty first_page=is_newest may_submit /> })}
                <ul class="grid" data-newest=is_newest>{jobs.into_iter().map(|job| view! { <Card job may_delete /> }).collect_view()}</ul>
                <nav class="row center" aria-label="Pages" id="pages">
                    {(!is_newest).then(|| view! { <a class="button quiet" href="/library">"Newest"</a> })}
                    {newer.map(|newer| view! { <a class="button quiet" href=newer rel="prev">"Newer"</a> })}
                    {older.map(|older| view! { <a class="button quiet" href=older rel="next">"Older"</a> })}
                </nav>
            </Frame>
        })
    })
}

/// What cannot be read was not asked for.
fn place(after: Option<String>, before: Option<String>) -> Place {
    let id = |text: Option<String>| text.and_then(|text| text.parse().ok());
    match (id(after), id(before)) {
        (Some(after), _) => Place::After(after),
        (None, Some(before)) => Place::Before(before),
        (None, None) => Place::Newest,
    }
}

/// The videos of a page, and the addresses of the newer and the older one, where there are such.
async fn listed(viewer: &User, place: Place) -> Result<(Vec<JobView>, Option<String>, Option<String>), Fault> {
    let (after, order) = match place {
        Place::Newest => (None, Order::NewestFirst),
        Place::After(id) => (Some(id), Order::NewestFirst),
        Place::Before(id) => (Some(id), Order::OldestFirst),
    };
    let (mut jobs, has_more) = session::services().jobs(viewer.actor(), PageQuery { after, limit: PAGE, order }).await?;
    let (has_newer, has_older) = match place {
        Place::Newest => (false, has_more),
        Place::After(_) => (true, has_more),
        Place::Before(_) => {
            jobs.reverse();
            (has_more, true)
        }
    };
    let newer = jobs.first().filter(|_| has_newer).map(|job| format!("/library?before={}", job.id));
    let older = jobs.last().filter(|_| has_older).map(|job| format!("/library?after={}", job.id));
    Ok((jobs, newer, older))
}

/// Whether a machine runs that can make a video, as far as that is known.
async fn any_machine() -> Result<bool, Fault> {
    let catalog = session::services().catalog().await?;
    let Some(model) = catalog.default_model() else { return Ok(true) };
    let time = session::services().expected_time(None, &model.id, model.shape_default(), model.steps.default).await;
    Ok(time != Err(NoEta::NoWorker))
}

#[component]
fn CancelAll(waiting: Waiting) -> impl IntoView {
    let Waiting { jobs, billed } = waiting;
    (jobs > 0).then(|| {
        let (videos, whose) = (words::count(jobs, "waiting video", "waiting videos"), if jobs == 1 { "its" } else { "their" });
        let consequence = format!(
            "This cancels {videos} for good. Nothing is charged for {whose} {}. Videos that are being made go on, and so do batches.",
            words::video_seconds(billed)
        );
        view! {
            <Ask id="cancel-waiting" label="Cancel all waiting videos">"Cancel all waiting videos"</Ask>
            <Confirm
                id="cancel-waiting"
                question="Cancel all waiting videos?"
                consequence
                yes="Cancel them"
                no="Keep them"
                action=CancelWaiting::url()
                fields=Vec::new()
            />
        }
    })
}

#[component]
fn Empty(first_page: bool, may_submit: bool) -> impl IntoView {
    let text = match (first_page, may_submit) {
        (true, true) => "Nothing here yet. Your first video takes a sentence and a few seconds.",
        (true, false) => "Nothing here yet. What the team makes is shown here.",
        (false, _) => "That was the last of them.",
    };
    view! {
        <div class="empty">
            <div class="leader still" aria-hidden="true">
                <svg viewBox="0 0 100 100">
                    <path d="M50 0v100M0 50h100" />
                    <circle cx="50" cy="50" r="36" />
                    <circle cx="50" cy="50" r="31" />
                </svg>
                <span class="leader-figure">"1"</span>
            </div>
            <p class="lead">{text}</p>
            {(first_page && may_submit).then(|| view! { <a class="button" href="/create">"Make the first one"</a> })}
        </div>
    }
}

#[component]
fn Card(job: JobView, may_delete: bool) -> impl IntoView {
    let (id, done) = (job.id, job.status == Status::Completed);
    let (card, dialog) = (format!("card-{id}"), format!("delete-{id}"));
    let removes = Some(card.clone());
    let prompt = words::shortened(&job.spec.prompt, 120);
    let is_image = job.spec.is_image();
    let question = if is_image { "Delete this image?" } else { "Delete this video?" };
    view! {
        <li class="clip" id=card data-unfinished=(!job.status.is_final()).then_some(job.revision)>
            <a class="clip-link" href=format!("/videos/{id}")>
                <Picture job=job.clone() />
                <span class="clip-kind">{kind(&job.spec)}</span>
                <span class="clip-title" dir="auto">{prompt.clone()}</span>
            </a>
            <div class="clip-foot">
                <span class="hint"><Moment at=job.created_at /></span>
                {done.then(|| view! {
                    <a class="icon-button" href=format!("{}?download", media::main_file(id, is_image)) download aria-label=format!("Download: {prompt}")><Icon path=DOWNLOAD /></a>
                })}
                {may_delete.then(|| view! { <Ask id=dialog.clone() label=format!("Delete: {prompt}") class="icon-button"><Icon path=DELETE /></Ask> })}
            </div>
            {may_delete.then(|| view! {
                <Confirm
                    id=dialog.clone()
                    question
                    consequence=format!("“{}” will be deleted for good.", words::isolated(&prompt))
                    yes="Delete"
                    no="Keep it"
                    action=DeleteVideo::url()
                    fields=vec![("id", id.to_string())]
                    removes
                />
            })}
        </li>
    }
}

/// What a card shows, in words: a video that does not play looks like an image.
fn kind(spec: &JobSpec) -> String {
    if spec.is_image() { "Image".to_owned() } else { format!("Video · {} s", spec.duration) }
}

/// The clip or the image, or where it stands.
#[component]
fn Picture(job: JobView) -> impl IntoView {
    let id = job.id;
    if job.status == Status::Completed {
        let video = (!job.spec.is_image()).then(|| media::main_file(id, false));
        return view! { <Clip poster=format!("/media/videos/{id}/thumbnail") video label="" size=job.spec.size /> }.into_any();
    }
    let Size { width, height } = job.spec.size;
    let preview = job.preview_step.filter(|_| !job.status.is_final());
    let status = words::status(job.status);
    let text = if job.status == Status::InProgress { format!("{status} · {} %", job.progress) } else { status.to_owned() };
    view! {
        <span class=format!("screen blank {} {}", words::shape(job.spec.size), job.status.as_str())>
            {preview.map(|step| view! { <img src=format!("/media/videos/{id}/preview?step={step}") alt="" width=width height=height /> })}
            <span class="badge">{text}</span>
        </span>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use domain::JobRequest;

    #[test]
    fn a_card_says_whether_it_is_an_image_and_how_long_a_video_is() {
        let [video, image] = ["vignette-1", "tiny-1"].map(|model| {
            let request = JobRequest { prompt: "sea".into(), model: Some(model.into()), ..JobRequest::default() };
            kind(&testing::job(&request).spec)
        });
        assert_eq!((&*video, &*image), ("Video · 2 s", "Image"));
    }
}
