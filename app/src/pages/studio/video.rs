//! One video: how it comes along, what it was made from, and the code that makes it.

use crate::{
    components::{
        code::{Code, Copy},
        confirm::{Ask, Confirm},
        frame::Frame,
        moment::Moment,
    },
    fault::Fault,
    http,
    islands::live::LiveVideo,
    pages::fault::page,
    session, words,
};
use domain::{JobId, JobView};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_router::hooks::use_params_map;

/// What is longer is folded.
const HEADING_CHARS: usize = 120;

/// Takes a video and all that belongs to it out of sight.
#[server(prefix = "/api", endpoint = "delete-video")]
pub async fn delete_video(id: JobId) -> Result<(), Fault> {
    let Some(user) = session::viewer_of_form("/library").await? else { return Ok(()) };
    session::services().delete(user.actor(), id).await?;
    leptos_axum::redirect("/library");
    Ok(())
}

#[component]
pub fn VideoPage() -> impl IntoView {
    let id = use_params_map().read_untracked().get("id").unwrap_or_default();
    page(async move {
        let viewer = session::require_viewer().await?;
        let id: JobId = id.parse().map_err(|_| Fault::NotFound)?;
        let job = session::services().job(viewer.actor(), id).await?.ok_or(Fault::NotFound)?;
        let (author, unfinished) = (viewer.id, !job.status.is_final());
        let spec = &job.spec;
        let again = if unfinished { None } else { Some(session::services().expected_time(spec.model.id, spec.size, spec.steps).await) };
        Ok(view! {
            <Frame title=words::tab_title(&job) viewer=Some(viewer) class="page wide">
                {unfinished.then(|| view! { <noscript><meta http-equiv="refresh" content="3" /></noscript> })}
                <header class="page-head">
                    <h1 class="prompt" dir="auto">{words::shortened(&job.spec.prompt, HEADING_CHARS)}</h1>
                    {(job.spec.prompt.chars().count() > HEADING_CHARS).then(|| view! { <Folded text=job.spec.prompt.clone() /> })}
                </header>
                <LiveVideo job=job.clone() once=service::job::new_idempotency_key() author again />
                <div class="below">
                    <Settings job=job.clone() />
                    <Snippets job />
                </div>
                <ConfirmDelete id unfinished />
            </Frame>
        })
    })
}

#[component]
fn Settings(job: JobView) -> impl IntoView {
    let (id, spec) = (job.id, job.spec);
    let seed = spec.seed.value().to_string();
    let from = job
        .remixed_from
        .map(|source| view! { <div><dt>"Remix of"</dt><dd><a href=format!("/videos/{source}")>"an earlier video"</a></dd></div> });
    let negative =
        spec.negative_prompt.clone().map(|text| view! { <div class="facts-wide"><dt>"Left out"</dt><dd><MaybeFolded text /></dd></div> });
    view! {
        <section class="stack" aria-labelledby="settings">
            <h2 id="settings">"Settings"</h2>
            <dl class="facts">
                <div><dt>"Model"</dt><dd>{spec.model.name}</dd></div>
                <div><dt>"Size"</dt><dd>{format!("{} × {}", spec.size.width, spec.size.height)}</dd></div>
                <div><dt>"Length"</dt><dd>{spec.duration.to_string()}" s"</dd></div>
                <div><dt>"Steps"</dt><dd>{spec.steps}</dd></div>
                <div><dt>"Guidance"</dt><dd>{spec.guidance}</dd></div>
                <div><dt>"Seed"</dt><dd class="copied-fact">{seed.clone()}<Copy text=seed what="the seed" /></dd></div>
                {negative}
                {from}
                <div class="facts-wide"><dt>"Asked for"</dt><dd><Moment at=job.created_at /></dd></div>
                <div class="facts-wide"><dt>"Id"</dt><dd class="copied-fact mono">{id.to_string()}<Copy text=id.to_string() what="the id" /></dd></div>
            </dl>
            <div class="row">
                <Ask id="delete" label="Delete this video">"Delete"</Ask>
            </div>
        </section>
    }
}

/// All of a text whose beginning stands before it.
#[component]
fn Folded(text: String) -> impl IntoView {
    view! {
        <details class="folded">
            <summary><span class="when-closed">"Show all"</span><span class="when-open">"Show less"</span></summary>
            <p class="whole" dir="auto" tabindex="0">{text}</p>
        </details>
    }
}

#[component]
fn MaybeFolded(text: String) -> impl IntoView {
    let is_long = text.chars().count() > HEADING_CHARS;
    view! {
        <p dir="auto">{words::shortened(&text, HEADING_CHARS)}</p>
        {is_long.then(|| view! { <Folded text /> })}
    }
}

#[component]
fn ConfirmDelete(id: JobId, unfinished: bool) -> impl IntoView {
    let stopped = if unfinished { " If it is still being made, that is stopped and costs nothing." } else { "" };
    view! {
        <Confirm
            id="delete"
            question="Delete this video?"
            consequence=format!("The video and its settings are gone for good.{stopped}")
            yes="Delete"
            no="Keep it"
            action=DeleteVideo::url()
            fields=vec![("id", id.to_string())]
        />
    }
}

/// The same request for a program.
#[component]
fn Snippets(job: JobView) -> impl IntoView {
    let origin = http::origin();
    view! {
        <section class="stack" aria-labelledby="code">
            <h2 id="code">"Code"</h2>
            <p class="hint">"The same video again, by a program. First set REELMILL_API_KEY to a key from "<a href="/keys">"Keys"</a>"."</p>
            {crate::pages::snippets::leaves_out(&job).then(|| view! {
                <p class="hint">"A text of this video is too long to be repeated here. Put it where “…” stands."</p>
            })}
            <Code label="Python, with the openai package" text=crate::pages::snippets::python(&origin, &job) />
            <Code label="curl" text=crate::pages::snippets::curl(&origin, &job) />
        </section>
    }
}
