//! The page on which a video is asked for: empty, as a remix of an earlier one, or as a draft that was refused.

use crate::{
    components::frame::Frame,
    fault::Fault,
    islands::create::{CreateForm, Draft, Noted, request_of},
    pages::fault::page,
    session,
};
use domain::{Eta, JobId, JobRequest, NoEta, Seed, catalog};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use service::User;

#[component]
pub fn CreatePage() -> impl IntoView {
    let from = use_query_map().read_untracked().get("from");
    page(async move {
        let viewer = session::require_viewer().await?;
        let Start { draft, kept_under } = start(&viewer, from).await?;
        let eta = expected(&draft.request).await;
        let once = draft.once.clone().unwrap_or_else(service::job::new_idempotency_key);
        let source_seed = seed_of(&viewer, draft.remixed_from).await?;
        let title = if draft.remixed_from.is_some() { "Remix" } else { "Create" };
        let account = viewer.id;
        Ok(view! {
            <Frame title viewer=Some(viewer) class="page wide">
                <CreateForm draft kept_under eta once account source_seed />
            </Frame>
        })
    })
}

/// What the form starts from.
struct Start {
    draft: Draft,
    /// The video under which the browser keeps the form's draft, also when that video is gone.
    kept_under: Option<JobId>,
}

impl From<Draft> for Start {
    fn from(draft: Draft) -> Self {
        Self { kept_under: draft.remixed_from, draft }
    }
}

async fn start(viewer: &User, from: Option<String>) -> Result<Start, Fault> {
    // Read in any case, as that takes it out.
    let noted = session::noted("/create").filter(|noted: &Noted| noted.author == viewer.id).map(|noted| noted.draft);
    if let Some(kept) = session::take("create").await?.or(noted) {
        return Ok(kept.into());
    }
    let Some(source) = from.filter(|from| !from.is_empty()) else { return Ok(Draft::default().into()) };
    let id: JobId = source.parse().map_err(|_| Fault::NotFound)?;
    // What was typed for a video that is gone is still in the browser.
    let Some(job) = session::services().job(viewer.actor(), id).await? else {
        return Ok(Start { draft: Draft::default(), kept_under: Some(id) });
    };
    let request = JobRequest { seed: None, ..request_of(&job) };
    Ok(Draft { request, remixed_from: Some(id), ..Draft::default() }.into())
}

/// The seed of the video that is remixed, to be kept on demand: with it, an unchanged remix is the same video again.
async fn seed_of(viewer: &User, source: Option<JobId>) -> Result<Option<Seed>, Fault> {
    let Some(id) = source else { return Ok(None) };
    Ok(session::services().job(viewer.actor(), id).await?.map(|job| job.spec.seed))
}

/// The first estimate, so that there is one without a script as well.
async fn expected(request: &JobRequest) -> Result<Eta, NoEta> {
    let request = JobRequest { prompt: "-".into(), ..request.clone() };
    let spec = request.parse(Seed::ZERO).ok();
    let default = catalog::default_model();
    let (model, size, steps) =
        spec.map_or((default, default.size_default, default.steps_default), |spec| (spec.model, spec.size, spec.steps));
    session::services().expected_time(model.id, size, steps).await
}
