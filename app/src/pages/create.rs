//! The page on which a video is asked for: empty, as a remix of an earlier one, or as a draft that was refused.

use super::fault::{Fault, page};
use crate::{
    components::frame::Frame,
    islands::create::{CreateForm, Draft, request_of},
    session,
};
use domain::{
    JobId, JobRequest, catalog,
    scheduling::{Eta, NoEta},
};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use service::User;

#[component]
pub fn CreatePage() -> impl IntoView {
    let from = use_query_map().read_untracked().get("from");
    page(async move {
        let viewer = session::require_viewer().await?;
        let draft = draft(&viewer, from).await?;
        let eta = expected(&draft.request).await;
        let once = service::job::new_idempotency_key();
        let source = draft.remixed_from;
        Ok(view! {
            <Frame title="Create" viewer=Some(viewer) class="page wide">
                <header class="page-head">
                    <h1>{if source.is_some() { "Remix" } else { "Create" }}</h1>
                    {source.map(|id| view! { <p class="lead">"The settings of "<a href=format!("/videos/{id}")>"this video"</a>". Change what you like."</p> })}
                </header>
                <CreateForm draft eta once />
            </Frame>
        })
    })
}

/// What the form starts from.
async fn draft(viewer: &User, from: Option<String>) -> Result<Draft, Fault> {
    if let Some(kept) = session::take("create").await?.or_else(|| session::noted("/create")) {
        return Ok(kept);
    }
    let Some(source) = from.filter(|from| !from.is_empty()) else { return Ok(Draft::default()) };
    let id: JobId = source.parse().map_err(|_| Fault::NotFound)?;
    let job = session::services().job(viewer.tenant, id).await?.ok_or(Fault::NotFound)?;
    Ok(Draft { request: request_of(&job), remixed_from: Some(id), refusal: None })
}

/// The first estimate, so that there is one without a script as well.
async fn expected(request: &JobRequest) -> Result<Eta, NoEta> {
    let request = JobRequest { prompt: "-".into(), ..request.clone() };
    let spec = request.parse(domain::Seed::ZERO).ok();
    let default = catalog::default_model();
    let (model, size, steps) =
        spec.map_or((default.id.into(), default.size_default, default.steps_default), |spec| (spec.model, spec.size, spec.steps));
    session::services().expected_time(&model, size, steps).await.unwrap_or(Err(NoEta::NotAsked))
}
