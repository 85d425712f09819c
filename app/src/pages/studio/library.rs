//! Everything one has made, newest first: what was asked for singly, unless lines of batches are asked for.

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
use domain::{BatchId, JobId, JobSpec, JobView, NoEta, Permission, Size, Status};
use leptos::{prelude::*, server_fn::ServerFn};
use service::{ListedJobs, Order, PageQuery, User, Waiting};

const PAGE: &str = "/library";
const SHOWN: u64 = 24;

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
    let Some(user) = session::viewer_of_form(PAGE).await? else { return Ok(()) };
    session::services().cancel_waiting(user.actor()).await?;
    leptos_axum::redirect(PAGE);
    Ok(())
}

#[component]
pub fn LibraryPage() -> impl IntoView {
    let query = http::query();
    page(async move {
        let viewer = session::require_viewer().await?;
        let services = session::services();
        let has_batches = services.has_batches(viewer.actor()).await?;
        let of = asked(query.get("of"), query.get("batch"))?;
        let place = place(query.get("after"), query.get("before"));
        let (jobs, newer, older) = listed(&viewer, of, has_batches, place).await?;
        if matches!(place, Place::Before(_)) && newer.is_none() {
            // The newest page, begun in its middle.
            http::lead(&address(of, None));
        }
        let batch = match of {
            ListedJobs::OfBatch(id) => Some((id, services.batch_name(viewer.actor(), id).await?)),
            _ => None,
        };
        if jobs.is_empty() && matches!(place, Place::Newest) && batch.as_ref().is_some_and(|(_, name)| name.is_none()) {
            return Err(Fault::NotFound);
        }
        let is_of_batch = batch.is_some();
        let waiting = services.waiting(viewer.actor()).await?;
        let is_stuck = (waiting.jobs > 0 || jobs.iter().any(|job| !job.status.is_final())) && !any_machine().await?;
        let actor = viewer.actor();
        let [may_submit, may_cancel, may_delete] =
            [Permission::SubmitJobs, Permission::CancelJobs, Permission::DeleteJobs].map(|permission| actor.may(permission));
        let (is_newest, is_empty) = (matches!(place, Place::Newest), jobs.is_empty());
        let begins = is_newest && is_empty && !is_of_batch;
        Ok(view! {
            <Frame title="Library" viewer=Some(viewer) class="page wide">
                <header class="page-head split" id="waiting">
                    <h1>"Library"</h1>
                    <div class="row">
                        {(may_cancel && !is_of_batch).then(|| view! { <CancelAll waiting /> })}
                        {(may_submit && !begins).then(|| view! { <a class="button" href="/create">"Create"</a> })}
                    </div>
                    {(has_batches || is_of_batch).then(|| view! { <Which of batch /> })}
                    {is_stuck.then(|| view! { <p class="page-note">"No machine is running at the moment. What waits keeps its place and goes on when one is back."</p> })}
                </header>
                {is_empty.then(|| view! { <Empty text=nothing(shown(of, has_batches), is_newest, may_submit) offers_first={begins && may_submit} /> })}
                <ul class="grid" data-newest=is_newest>{jobs.into_iter().map(|job| view! { <Card job may_delete /> }).collect_view()}</ul>
                <nav class="row center" aria-label="Pages" id="pages">
                    {(!is_newest).then(|| view! { <a class="button quiet" href=address(of, None)>"Newest"</a> })}
                    {newer.map(|newer| view! { <a class="button quiet" href=newer rel="prev">"Newer"</a> })}
                    {older.map(|older| view! { <a class="button quiet" href=older rel="next">"Older"</a> })}
                </nav>
            </Frame>
        })
    })
}

/// Which videos are asked for. What cannot be read was not, but a batch that is none is no page.
fn asked(of: Option<String>, batch: Option<String>) -> Result<ListedJobs, Fault> {
    match (batch, of.as_deref()) {
        (Some(id), _) => Ok(ListedJobs::OfBatch(id.parse().map_err(|_| Fault::NotFound)?)),
        (None, Some("all")) => Ok(ListedJobs::All),
        (None, _) => Ok(ListedJobs::Singles),
    }
}

/// Where there are no batches there is no choice, and nothing is left out: what one made may be there still.
fn shown(of: ListedJobs, has_batches: bool) -> ListedJobs {
    if of == ListedJobs::Singles && !has_batches { ListedJobs::All } else { of }
}

/// Where they are listed, from a place on that is named `after` or `before`.
fn address(of: ListedJobs, place: Option<(&str, JobId)>) -> String {
    let of = match of {
        ListedJobs::Singles => None,
        ListedJobs::All => Some("of=all".to_owned()),
        ListedJobs::OfBatch(id) => Some(format!("batch={id}")),
    };
    let query: Vec<_> = of.into_iter().chain(place.map(|(name, id)| format!("{name}={id}"))).collect();
    if query.is_empty() { PAGE.to_owned() } else { format!("{PAGE}?{}", query.join("&")) }
}

/// Where what a batch makes is listed.
pub fn of_batch(id: BatchId) -> String {
    address(ListedJobs::OfBatch(id), None)
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
async fn listed(
    viewer: &User,
    of: ListedJobs,
    has_batches: bool,
    place: Place,
) -> Result<(Vec<JobView>, Option<String>, Option<String>), Fault> {
    let (after, order) = match place {
        Place::Newest => (None, Order::NewestFirst),
        Place::After(id) => (Some(id), Order::NewestFirst),
        Place::Before(id) => (Some(id), Order::OldestFirst),
    };
    let page = PageQuery { after, limit: SHOWN, order };
    let (mut jobs, has_more) = session::services().jobs_of(viewer.actor(), shown(of, has_batches), page).await?;
    let (has_newer, has_older) = match place {
        Place::Newest => (false, has_more),
        Place::After(_) => (true, has_more),
        Place::Before(_) => {
            jobs.reverse();
            (has_more, true)
        }
    };
    let newer = jobs.first().filter(|_| has_newer).map(|job| address(of, Some(("before", job.id))));
    let older = jobs.last().filter(|_| has_older).map(|job| address(of, Some(("after", job.id))));
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

/// The choice among what was made singly and what batches made. `batch`: the one that is looked at, with its name unless it is gone.
#[component]
fn Which(of: ListedJobs, batch: Option<(BatchId, Option<String>)>) -> impl IntoView {
    let links = [(ListedJobs::Singles, "Made singly"), (ListedJobs::All, "All")];
    let links = links.map(|(each, name)| {
        view! { <a href=address(each, None) aria-current=(each == of).then_some("true")>{name}</a> }
    });
    let told = match batch {
        Some((id, Some(name))) => {
            view! { <span class="hint">"Those of "<a href=format!("/batches/{id}")><bdi>{name}</bdi></a>" alone"</span> }.into_any()
        }
        Some((_, None)) => view! { <span class="hint">"Those of a batch that is gone"</span> }.into_any(),
        None if of == ListedJobs::Singles => view! { <span class="hint">"Without what batches made"</span> }.into_any(),
        None => ().into_any(),
    };
    view! { <nav class="row which" aria-label="Which videos">{links.into_iter().collect_view()}{told}</nav> }
}

/// What is said where there are none.
fn nothing(of: ListedJobs, first_page: bool, may_submit: bool) -> &'static str {
    match of {
        _ if !first_page => "That was the last of them.",
        ListedJobs::OfBatch(_) => "Nothing of this batch is here: no line of it was begun yet, or what was made is deleted.",
        ListedJobs::Singles => "Nothing was made singly yet. What batches made is under “All”.",
        _ if may_submit => "Nothing here yet. Your first video takes a sentence and a few seconds.",
        _ => "Nothing here yet. What the team makes is shown here.",
    }
}

#[component]
fn Empty(text: &'static str, offers_first: bool) -> impl IntoView {
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
            {offers_first.then(|| view! { <a class="button" href="/create">"Make the first one"</a> })}
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

    #[test]
    fn what_is_asked_for_survives_the_address() {
        let id: BatchId = "batch_0190aaaabbbb7ccc8dddeeeeffff0001".parse().unwrap();
        for of in [ListedJobs::Singles, ListedJobs::All, ListedJobs::OfBatch(id)] {
            let address = address(of, Some(("after", JobId::from_uuid(id.uuid()))));
            let field = |name: &str| {
                let (_, query) = address.split_once('?').unwrap();
                query.split('&').find_map(|pair| pair.strip_prefix(&format!("{name}="))).map(ToOwned::to_owned)
            };
            assert_eq!(asked(field("of"), field("batch")).ok(), Some(of));
            assert!(field("after").is_some_and(|after| after.starts_with("job_")), "{address}");
        }
        assert_eq!(address(ListedJobs::Singles, None), "/library");
        let odd = || Some("odd".to_owned());
        assert_eq!((asked(odd(), None).ok(), asked(None, odd()).is_err()), (Some(ListedJobs::Singles), true));
        assert_eq!([true, false].map(|has_batches| shown(ListedJobs::Singles, has_batches)), [ListedJobs::Singles, ListedJobs::All]);
    }

    #[test]
    fn an_empty_list_says_where_others_are() {
        assert!(nothing(ListedJobs::Singles, true, true).contains("“All”"));
        assert!(nothing(ListedJobs::All, true, true).starts_with("Nothing here yet."));
        assert_eq!(nothing(ListedJobs::Singles, false, true), "That was the last of them.");
    }
}
