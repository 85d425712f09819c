//! The page on which a video is asked for: empty, as a remix of an earlier one, or as a draft that was refused.

use super::fault::{Fault, page};
use crate::{
    components::frame::Frame,
    islands::create::{CreateForm, Draft, Noted, request_of},
    session,
};
use domain::{
    JobId, JobRequest, Seed, catalog,
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
        let source_seed = seed_of(&viewer, source).await?;
        let account = viewer.id;
        Ok(view! {
            <Frame title="Create" viewer=Some(viewer) class="page wide">
                <header class="page-head">
                    <h1>{if source.is_some() { "Remix" } else { "Create" }}</h1>
                    {source.map(|id| view! { <p class="lead">"The settings of "<a href=format!("/videos/{id}")>"this video"</a>", with a new seed. Change what you like."</p> })}
                </header>
                <CreateForm draft eta once account source_seed />
            </Frame>
        })
    })
}

/// What the form starts from.
async fn draft(viewer: &User, from: Option<String>) -> Result<Draft, Fault> {
    // Read in any case, as that takes it out.
    let noted = session::noted("/create").filter(|noted: &Noted| noted.author == viewer.id).map(|noted| noted.draft);
    if let Some(kept) = session::take("create").await?.or(noted) {
        return Ok(kept);
    }
    let Some(source) = from.filter(|from| !from.is_empty()) else { return Ok(Draft::default()) };
    let id: JobId = source.parse().map_err(|_| Fault::NotFound)?;
    let job = session::services().job(viewer.tenant, id).await?.ok_or(Fault::NotFound)?;
    let request = JobRequest { seed: None, ..request_of(&job) };
    Ok(Draft { request, remixed_from: Some(id), refusal: None })
}

/// The seed of the video that is remixed, to be kept on demand: with it, an unchanged remix is the same video again.
async fn seed_of(viewer: &User, source: Option<JobId>) -> Result<Option<Seed>, Fault> {
    let Some(id) = source else { return Ok(None) };
    Ok(session::services().job(viewer.tenant, id).await?.map(|job| job.spec.seed))
}

/// The first estimate, so that there is one without a script as well.
async fn expected(request: &JobRequest) -> Result<Eta, NoEta> {
    let request = JobRequest { prompt: "-".into(), ..request.clone() };
    let spec = request.parse(Seed::ZERO).ok();
    let default = catalog::default_model();
    let (model, size, steps) =
        spec.map_or((default.id.into(), default.size_default, default.steps_default), |spec| (spec.model, spec.size, spec.steps));
    session::services().expected_time(&model, size, steps).await
}
