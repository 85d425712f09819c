//! Everything one has made, newest first.

use super::{
    fault::{Fault, page},
    video::DeleteVideo,
};
use crate::{
    components::{
        clip::Clip,
        confirm::{Ask, Confirm},
        frame::Frame,
        icon::{DELETE, DOWNLOAD, Icon},
        moment::Moment,
    },
    session, words,
};
use domain::{JobId, JobView, Status};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_router::hooks::use_query_map;
use service::PageQuery;

const PAGE: u64 = 24;

#[component]
pub fn LibraryPage() -> impl IntoView {
    let after = use_query_map().read_untracked().get("after");
    page(async move {
        let viewer = session::require_viewer().await?;
        let after: Option<JobId> = after.map(|after| after.parse()).transpose().map_err(|_| Fault::NotFound)?;
        let query = PageQuery { after, limit: PAGE, order: Default::default() };
        let (jobs, has_more) = session::services().jobs(viewer.tenant, query).await?;
        let next = jobs.last().filter(|_| has_more).map(|job| format!("/library?after={}", job.id));
        let empty = jobs.is_empty();
        Ok(view! {
            <Frame title="Library" viewer=Some(viewer) class="page wide">
                <header class="page-head split">
                    <h1>"Library"</h1>
                    <a class="button" href="/create">"Create"</a>
                </header>
                {empty.then(|| view! { <Empty first_page=after.is_none() /> })}
                <ul class="grid">{jobs.into_iter().map(|job| view! { <Card job /> }).collect_view()}</ul>
                <nav class="row center" aria-label="Pages">
                    {after.map(|_| view! { <a class="button quiet" href="/library">"Newest"</a> })}
                    {next.map(|next| view! { <a class="button quiet" href=next rel="next">"Older videos"</a> })}
                </nav>
            </Frame>
        })
    })
}

#[component]
fn Empty(first_page: bool) -> impl IntoView {
    let text =
        if first_page { "Nothing here yet. Your first video takes a sentence and a few seconds." } else { "That was the last of them." };
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
            {first_page.then(|| view! { <a class="button" href="/create">"Make the first one"</a> })}
        </div>
    }
}

#[component]
fn Card(job: JobView) -> impl IntoView {
    let (id, done) = (job.id, job.status == Status::Completed);
    let dialog = format!("delete-{id}");
    let prompt = words::shortened(&job.spec.prompt, 120);
    let picture = if done {
        view! { <Clip poster=format!("/media/videos/{id}/thumbnail") video=format!("/media/videos/{id}/video") label="" /> }.into_any()
    } else {
        let preview = job.preview_step.filter(|_| !job.status.is_final());
        view! {
            <span class=format!("screen blank {}", job.status.as_str())>
                {preview.map(|step| view! { <img src=format!("/media/videos/{id}/preview?step={step}") alt="" width="384" height="384" /> })}
                <span class="badge">{words::status(job.status)}</span>
            </span>
        }
        .into_any()
    };
    view! {
        <li class="clip" id=format!("card-{id}") data-unfinished=(!job.status.is_final()).then_some(job.revision)>
            <a class="clip-link" href=format!("/videos/{id}")>
                {picture}
                <span class="clip-title" dir="auto">{prompt.clone()}</span>
            </a>
            <div class="clip-foot">
                <span class="hint"><Moment at=job.created_at day=true /></span>
                {done.then(|| view! {
                    <a class="icon-button" href=format!("/media/videos/{id}/video?download") download aria-label=format!("Download: {prompt}")><Icon path=DOWNLOAD /></a>
                })}
                <Ask id=dialog.clone() label=format!("Delete: {prompt}") class="icon-button"><Icon path=DELETE /></Ask>
            </div>
            <Confirm
                id=dialog
                question="Delete this video?"
                consequence=format!("“{}” will be deleted for good.", words::isolated(&prompt))
                yes="Delete"
                no="Keep it"
                action=DeleteVideo::url()
                fields=vec![("id", id.to_string())]
            />
        </li>
    }
}
