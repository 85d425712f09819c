//! The page on which a video is asked for: empty, as its address says, as a remix of an earlier one, or as a draft that was refused.

use crate::{
    components::frame::Frame,
    fault::Fault,
    http,
    islands::create::{CreateForm, Draft, Noted, Refusal, Source, as_shown, choices_gone, model_of, remix_of, shape},
    pages::fault::page,
    session, words,
};
use domain::{Catalog, Eta, JobId, JobRequest, NoEta, Permission, SpecError, TenantId, catalog::Field};
use leptos::prelude::*;
use leptos_meta::{Script, Stylesheet};
use service::User;

/// Of what a link says, in a sentence of ours.
const PART_CHARS: usize = 60;

#[component]
pub fn CreatePage() -> impl IntoView {
    let query = http::query();
    let (from, richer) = (query.get("from"), query.get("richer").is_some());
    let is_filled_in = http::here().contains('?');
    let given = JobRequest::of_fields(|field| query.get(field.name()));
    page(async move {
        let viewer = session::require_viewer().await?;
        if !viewer.actor().may(Permission::SubmitJobs) {
            if is_filled_in {
                return Err(Fault::Forbidden);
            }
            // Signing in leads here.
            http::lead("/library");
        }
        let catalog = session::services().catalog().await?;
        if catalog.default_model().is_none() {
            // What a refused form said stays where it is kept.
            return Ok(view! { <NothingOnOffer viewer /> }.into_any());
        }
        let not_taken = not_taken(&catalog, &given);
        let given = Given { request: given, richer };
        let Start { draft, kept_under } = start(&viewer, &catalog, from, given).await?;
        let eta = expected(viewer.tenant, &catalog, &draft.request).await;
        let once = draft.once.clone().unwrap_or_else(service::job::new_idempotency_key);
        let source = source_of(&viewer, &catalog, draft.remixed_from).await?;
        let title = if draft.remixed_from.is_some() { "Remix" } else { "Create" };
        let (account, catalog) = (viewer.id, catalog.for_form());
        // The form does without it.
        let balance = session::services().balance(viewer.actor()).await.ok();
        let came_back = came_back(&draft);
        Ok(view! {
            <Frame title viewer=Some(viewer) class="page wide">
                <Stylesheet href="/create.css" />
                <Script src="/style-choice.js" type_="module" />
                {came_back}
                {not_taken.map(|parts| view! { <p class="notice plain">{parts}</p> })}
                <CreateForm catalog draft kept_under eta once account source balance />
            </Frame>
        }
        .into_any())
    })
}

/// Which choices of a link are not on offer: the form begins with others. What is typed into fields is said there.
fn not_taken(catalog: &Catalog, given: &JobRequest) -> Option<String> {
    let mut parts = choices_gone(catalog, given);
    // Of a model that is not there, what the one that is shown instead does not have.
    if parts.iter().any(|(field, _)| *field == Field::Model) {
        parts.extend(choices_gone(catalog, &JobRequest { model: None, ..given.clone() }));
    }
    let said: Vec<_> = parts
        .iter()
        .map(|(field, value)| format!("{} {}", field.label().to_lowercase(), words::isolated(&words::shortened(value, PART_CHARS))))
        .collect();
    (!said.is_empty()).then(|| format!("Not taken from the link, as it is not on offer: {}.", said.join(", ")))
}

/// Of a form that was sent without a script: what is wrong in it, where one looks first.
fn came_back(draft: &Draft) -> Option<impl IntoView + use<>> {
    let Some(Refusal::Field { field, message, .. }) = draft.refusal.as_ref().filter(|_| draft.once.is_some()) else { return None };
    let (place, message) = (format!("#{field}"), words::mend(message));
    Some(view! { <p class="notice" role="alert">"Nothing was made, and nothing charged. "<a href=place>{message}</a></p> })
}

#[component]
fn NothingOnOffer(viewer: User) -> impl IntoView {
    view! {
        <Frame title="Create" viewer=Some(viewer) class="page wide">
            <header class="page-head">
                <h1>"Create"</h1>
            </header>
            <p class="notice plain">{SpecError::NoModel.to_string()}</p>
        </Frame>
    }
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

/// What the address says.
struct Given {
    request: JobRequest,
    /// Of the video that is remixed what its model got, as if it had been typed.
    richer: bool,
}

async fn start(viewer: &User, catalog: &Catalog, from: Option<String>, given: Given) -> Result<Start, Fault> {
    let noted = || session::noted_if("/create", |noted: &Noted| noted.author == viewer.id).map(|noted| noted.draft);
    // One after the other: what is not shown now stays for the next look.
    if let Some(kept) = session::take("create").await?.or_else(noted) {
        return Ok(kept.into());
    }
    let Some(id) = from.and_then(|from| from.parse::<JobId>().ok()) else {
        return Ok(Draft { request: given.request, ..Draft::default() }.into());
    };
    // What was typed for a video that is gone is still in the browser.
    let Some(job) = session::services().job(viewer.actor(), id).await? else {
        return Ok(Start { draft: Draft::default(), kept_under: Some(id) });
    };
    let mut request = remix_of(&job, model_of(catalog, &job.spec));
    if let Some(text) = job.spec.expanded_prompt.filter(|_| given.richer) {
        (request.prompt, request.enrich) = (text, None);
    }
    Ok(Draft { request, remixed_from: Some(id), ..Draft::default() }.into())
}

/// The video that is remixed, whose seed is kept on demand: with it, an unchanged remix is the same video again.
async fn source_of(viewer: &User, catalog: &Catalog, source: Option<JobId>) -> Result<Option<Source>, Fault> {
    let Some(id) = source else { return Ok(None) };
    let job = session::services().job(viewer.actor(), id).await?;
    Ok(job.map(|job| Source::of(&job, model_of(catalog, &job.spec))))
}

/// The first estimate, so that there is one without a script as well: of what the form shows, or of the default job where
/// that is wrong.
async fn expected(tenant: TenantId, catalog: &Catalog, request: &JobRequest) -> Result<Eta, NoEta> {
    let shown = shape(catalog, &as_shown(catalog, request)).or_else(|_| shape(catalog, &JobRequest::default()));
    let (spec, _) = shown.map_err(|_| NoEta::NotAsked)?;
    session::services().expected_time(Some(tenant), &spec.model, spec.shape(), spec.steps).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::catalog;

    #[test]
    fn what_of_a_link_is_not_on_offer_is_named() {
        let request = |model: &str, size: &str| JobRequest { model: Some(model.into()), size: Some(size.into()), ..JobRequest::default() };
        let said = |request| not_taken(&catalog(), &request).map(|said| said.replace(['\u{2068}', '\u{2069}'], ""));
        assert_eq!(said(request("foo", "333x77")).unwrap(), "Not taken from the link, as it is not on offer: model foo, size 333x77.");
        assert_eq!(said(request("tiny-1", "333x77")).unwrap(), "Not taken from the link, as it is not on offer: size 333x77.");
        assert_eq!([said(request("sora-2", "96x96")), said(JobRequest::default())], [None, None]);
    }
}
