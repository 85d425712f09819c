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
    islands::{
        create::{model_of, price_again},
        live::LiveVideo,
    },
    pages::{fault::page, snippets},
    reading::{Guesses, Words},
    session, words,
};
use domain::{JobId, JobView, Model, Permission, job::ToldFailure};
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
        let catalog = session::services().catalog().await?;
        let (spec, model) = (&job.spec, model_of(&catalog, &job.spec).cloned());
        let may_submit = viewer.actor().may(Permission::SubmitJobs);
        let may_delete = viewer.actor().may(Permission::DeleteJobs);
        let has_keys = viewer.actor().may(Permission::ManageKeys);
        let price = price_again(&catalog, spec).filter(|_| may_submit);
        let again = if unfinished || price.is_none() {
            None
        } else {
            Some(session::services().expected_time(Some(viewer.tenant), &spec.model, spec.shape(), spec.steps).await)
        };
        let has_source = match job.remixed_from {
            Some(source) => session::services().spec(viewer.actor(), source).await?.is_some(),
            None => false,
        };
        let projects = session::services().projects(viewer.actor()).await?;
        let project = projects.into_iter().find(|project| Some(project.id) == job.project).map(|project| project.name);
        let is_image = spec.is_image();
        let places_things = !is_image && price.is_some() && model.as_ref().is_some_and(Model::places_things);
        Ok(view! {
            <Frame title=words::tab_title(&job) viewer=Some(viewer) class="page wide">
                {unfinished.then(|| view! { <noscript><meta http-equiv="refresh" content="3" /></noscript> })}
                <header class="page-head">
                    <h1 class="prompt" dir="auto">{words::shortened(&job.spec.prompt, HEADING_CHARS)}</h1>
                    {(job.spec.prompt.chars().count() > HEADING_CHARS).then(|| view! { <Folded text=job.spec.prompt.clone() /> })}
                    <Guesses understanding=job.understanding.clone() />
                </header>
                <LiveVideo force=job.is_forced() job=job.clone() once=service::job::new_idempotency_key() author model=model.as_ref().map(Model::for_page) price again may_submit />
                {places_things.then(|| view! { <Arrange id /> })}
                <div class="below">
                    <Settings job=job.clone() model=model.clone() project has_source may_delete />
                    <Snippets job model=model.filter(|_| price.is_some()) has_keys />
                </div>
                {may_delete.then(|| view! { <ConfirmDelete id is_image unfinished /> })}
            </Frame>
        })
    })
}

/// Shown as soon as the picture is there.
#[component]
fn Arrange(id: JobId) -> impl IntoView {
    view! {
        <p class="arrange-link">
            <a class="button quiet" href=format!("/videos/{id}/arrange")>"Arrange"</a>
            <span class="hint">"Move a thing, keep the seed: the rest is arranged around it."</span>
        </p>
    }
}

/// `model`: the job's, if it is still on offer. `has_source`: whether the video that it was made from is still there.
#[component]
fn Settings(job: JobView, model: Option<Model>, project: Option<String>, has_source: bool, may_delete: bool) -> impl IntoView {
    let (id, spec) = (job.id, job.spec);
    let delete = if spec.is_image() { "Delete this image" } else { "Delete this video" };
    let made = if spec.is_image() {
        view! { <div><dt>"Kind"</dt><dd>"Image"</dd></div> }.into_any()
    } else {
        view! { <div><dt>"Length"</dt><dd>{spec.duration.to_string()}" s"</dd></div> }.into_any()
    };
    let model = model.map_or_else(|| spec.model.clone(), |model| model.name);
    let in_place_of = job.requested_model.map(|asked| {
        view! { <div class="facts-wide"><dt>"In place of"</dt><dd>{asked}", which was asked for and could not make it"</dd></div> }
    });
    let tries = (!job.failed_attempts.is_empty()).then(|| view! { <Tries failed=job.failed_attempts /> });
    let seed = spec.seed.value().to_string();
    let source = |id: JobId| {
        if has_source {
            view! { <a href=format!("/videos/{id}")>"an earlier video"</a> }.into_any()
        } else {
            "an earlier video, which was deleted".into_any()
        }
    };
    let from = job.remixed_from.map(|id| view! { <div><dt>"Made from"</dt><dd>{source(id)}</dd></div> });
    let negative =
        spec.negative_prompt.clone().map(|text| view! { <div class="facts-wide"><dt>"Left out"</dt><dd><MaybeFolded text /></dd></div> });
    let richer = spec.expanded_prompt.clone().filter(|text| *text != spec.prompt).map(|text| view! { <Richer id text /> });
    let paid_from = words::paid_from(&job.charge)
        .map(|from| view! { <div class="facts-wide"><dt>"Paid from"</dt><dd>{words::sentence(&from)}</dd></div> });
    let read = job.understanding.filter(|understanding| !understanding.terms().is_empty());
    let read = read.map(|understanding| view! { <div class="facts-wide"><dt>"Words"</dt><dd><Words understanding /></dd></div> });
    view! {
        <section class="stack" aria-labelledby="settings">
            <h2 id="settings">"Settings"</h2>
            <dl class="facts">
                <div><dt>"Model"</dt><dd>{model}</dd></div>
                {in_place_of}
                {tries}
                <div><dt>"Size"</dt><dd>{words::size(spec.size)}</dd></div>
                {made}
                <div><dt>"Steps"</dt><dd>{spec.steps}</dd></div>
                <div><dt>"Guidance"</dt><dd>{spec.guidance}</dd></div>
                <div><dt>"Seed"</dt><dd class="copied-fact">{seed.clone()}<Copy text=seed what="the seed" /></dd></div>
                {richer}
                {read}
                {negative}
                {from}
                {paid_from}
                {project.map(|name| view! { <div><dt>"Project"</dt><dd dir="auto">{name}</dd></div> })}
                <div class="facts-wide"><dt>"Asked for"</dt><dd><Moment at=job.created_at /></dd></div>
                {job.kept_until.map(|at| view! { <div class="facts-wide"><dt>"Kept until"</dt><dd><Moment at /></dd></div> })}
                <div class="facts-wide"><dt>"Id"</dt><dd class="copied-fact mono">{id.to_string()}<Copy text=id.to_string() what="the id" /></dd></div>
            </dl>
            <p class="row"><a class="button quiet small" href=format!("/requests?id={id}")>"Where its time went"</a></p>
            {may_delete.then(|| view! { <div class="row"><Ask id="delete" label=delete>"Delete"</Ask></div> })}
        </section>
    }
}

/// What failed on the way, and what was decided.
#[component]
fn Tries(failed: Vec<ToldFailure>) -> impl IntoView {
    let each = |told: ToldFailure| view! { <li value=told.attempt.to_string()>{told.message}</li> };
    view! {
        <div class="facts-wide">
            <dt>"Tries that failed"</dt>
            <dd><ol>{failed.into_iter().map(each).collect_view()}</ol></dd>
        </div>
    }
}

/// What the model got in place of the prompt, and the way to a form with it.
#[component]
fn Richer(id: JobId, text: String) -> impl IntoView {
    view! {
        <div class="facts-wide">
            <dt>"Made richer"</dt>
            <dd><span dir="auto">{text}</span>" "<a href=format!("/create?from={id}&richer")>"Use this text"</a></dd>
        </div>
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
fn ConfirmDelete(id: JobId, is_image: bool, unfinished: bool) -> impl IntoView {
    let (noun, question) = if is_image { ("image", "Delete this image?") } else { ("video", "Delete this video?") };
    let stopped = if unfinished { " If it is still being made, that is stopped, and costs what was done of it." } else { "" };
    view! {
        <Confirm
            id="delete"
            question
            consequence=format!("The {noun} and its settings are gone for good.{stopped}")
            yes="Delete"
            no="Keep it"
            action=DeleteVideo::url()
            fields=vec![("id", id.to_string())]
        />
    }
}

/// The same request for a program. `model`: the job's, if it can still be asked for.
#[component]
fn Snippets(job: JobView, model: Option<Model>, has_keys: bool) -> impl IntoView {
    let noun = words::noun(job.spec.is_image());
    let code = match model {
        Some(model) => view! { <Programs job model has_keys /> }.into_any(),
        None => view! { <p class="hint">"A program cannot ask for this "{noun}" again: it is not on offer any more."</p> }.into_any(),
    };
    view! {
        <section class="stack" aria-labelledby="code">
            <h2 id="code">"Code"</h2>
            {code}
        </section>
    }
}

#[component]
fn Programs(job: JobView, model: Model, has_keys: bool) -> impl IntoView {
    let (origin, noun) = (http::origin(), words::noun(job.spec.is_image()));
    let key = if has_keys {
        view! { "a key from "<a href="/keys">"Keys"</a>"." }.into_any()
    } else {
        view! { "a key that an admin of your team makes for you." }.into_any()
    };
    view! {
        <p class="hint">"The same "{noun}" again, by a program. First set REELMILL_API_KEY to "{key}</p>
        {snippets::leaves_out(&job).then(|| view! {
            <p class="hint">"A text of this "{noun}" is too long to be repeated here. Put it where “…” stands."</p>
        })}
        <Code label="Python, with the openai package" text=snippets::python(&origin, &job, &model) />
        <Code label="curl" text=snippets::curl(&origin, &job, &model) />
    }
}
