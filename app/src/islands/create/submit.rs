//! What the form asks the server: how long a job would take, and to take it in.

use domain::{
    JobId, JobRequest,
    scheduling::{Eta, NoEta},
};
use leptos::{
    prelude::*,
    server_fn::{
        codec::{GetUrl, JsonEncoding},
        error::ServerFnErrorErr,
    },
};
use serde::{Deserialize, Serialize};

/// Why a job was not taken in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Refusal {
    #[error("{message}")]
    Field { field: String, message: String },
    /// The queue holds too much of this account already.
    #[error("{0}")]
    Whole(String),
    #[error("The video you remix is gone. Submit again to make this one on its own.")]
    SourceGone,
    #[error("You have been signed out. Sign in again in another tab, then come back here and submit.")]
    SignedOut,
    #[error("The server cannot be reached. What you typed is kept. Try again in a moment; you are never charged twice.")]
    Unreachable,
    #[error("The form was not understood. Load this page again, then submit once more.")]
    Malformed,
    #[error("The server could not do that. Nothing was charged; try again in a moment.")]
    Internal,
}

impl FromServerFnError for Refusal {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        match error {
            ServerFnErrorErr::Request(_) => Self::Unreachable,
            ServerFnErrorErr::Args(_) | ServerFnErrorErr::MissingArg(_) | ServerFnErrorErr::Deserialization(_) => {
                #[cfg(feature = "ssr")]
                crate::session::answer_with(axum::http::StatusCode::BAD_REQUEST);
                Self::Malformed
            }
            _ => Self::Internal,
        }
    }
}

/// How long a job of this shape would take from now.
#[server(prefix = "/api", endpoint = "expected-time", input = GetUrl)]
pub async fn expected_time(model: String, size: String, steps: u32) -> Result<Result<Eta, NoEta>, Refusal> {
    if !matches!(crate::session::viewer().await, Ok(Some(_))) {
        crate::session::answer_with(axum::http::StatusCode::UNAUTHORIZED);
        return Err(Refusal::SignedOut);
    }
    let (Some(model), Ok(size)) = (domain::catalog::find_model(&model), size.parse()) else { return Ok(Err(NoEta::NotAsked)) };
    if model.size_option(size).is_none() || steps > model.steps_max {
        return Ok(Err(NoEta::NotAsked));
    }
    Ok(crate::session::services().expected_time(model.id, size, steps).await.unwrap_or(Err(NoEta::NotAsked)))
}

/// Takes a job in. A plain form is led to the job's page, or back to its draft with what is to be mended.
/// `once` names this one submission: sent again, by a second click or after an answer that got lost, it
/// leads to the first job.
#[server(prefix = "/api", endpoint = "submit-video")]
pub async fn submit_video(
    request: JobRequest,
    #[server(default)] remixed_from: Option<JobId>,
    #[server(default)] once: String,
) -> Result<JobId, Refusal> {
    let outcome = taking_in::submit(request.clone(), remixed_from, &once).await;
    match &outcome {
        Ok(id) => leptos_axum::redirect(&format!("/videos/{id}")),
        Err(refusal) => {
            crate::session::answer_with(taking_in::status(refusal));
            taking_in::lead_back(request, remixed_from, refusal).await;
        }
    }
    outcome
}

/// What a refused plain form said, until the page shows it again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    pub request: JobRequest,
    pub remixed_from: Option<JobId>,
    pub refusal: Option<Refusal>,
}

/// The server's side.
#[cfg(feature = "ssr")]
mod taking_in {
    use super::{Draft, Refusal};
    use crate::session;
    use axum::http::StatusCode;
    use domain::{JobId, JobRequest};
    use service::{Submission, SubmitError};

    pub(super) async fn submit(request: JobRequest, remixed_from: Option<JobId>, once: &str) -> Result<JobId, Refusal> {
        let user = session::viewer().await.map_err(|_| Refusal::Internal)?.ok_or(Refusal::SignedOut)?;
        let is_key = (1..=64).contains(&once.len()) && once.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let idempotency_key = is_key.then(|| format!("page:{once}"));
        let submission = Submission { request, remixed_from, idempotency_key };
        let submitted = match session::services().submit((&user).into(), submission.clone()).await {
            // An old form, found again in the browser's history and filled in anew.
            Err(SubmitError::KeyReused) => {
                session::services().submit((&user).into(), Submission { idempotency_key: None, ..submission }).await
            }
            submitted => submitted,
        };
        submitted.map(|(job, _)| job.id).map_err(refusal)
    }

    fn refusal(error: SubmitError) -> Refusal {
        match error {
            SubmitError::Spec(error) => Refusal::Field { field: error.field().into(), message: error.to_string() },
            SubmitError::RemixSourceUnknown(_) => Refusal::SourceGone,
            SubmitError::NotAdmitted(error) => Refusal::Whole(error.to_string()),
            error => {
                tracing::error!(error = &error as &dyn std::error::Error, "a video could not be submitted");
                Refusal::Internal
            }
        }
    }

    pub(super) const fn status(refusal: &Refusal) -> StatusCode {
        match refusal {
            Refusal::Field { .. } | Refusal::Malformed => StatusCode::BAD_REQUEST,
            Refusal::SignedOut => StatusCode::UNAUTHORIZED,
            Refusal::SourceGone => StatusCode::NOT_FOUND,
            Refusal::Whole(_) => StatusCode::TOO_MANY_REQUESTS,
            Refusal::Unreachable | Refusal::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Keeps the draft of a plain form, a stranger's in their own browser; a script still has its own.
    pub(super) async fn lead_back(request: JobRequest, remixed_from: Option<JobId>, refusal: &Refusal) {
        if !session::is_plain_form() {
            return;
        }
        let remixed_from = remixed_from.filter(|_| *refusal != Refusal::SourceGone);
        if *refusal == Refusal::SignedOut {
            session::note("/create", &Draft { request, remixed_from, refusal: None });
            return leptos_axum::redirect("/signin?next=/create");
        }
        let _ = session::keep("create", &Draft { request, remixed_from, refusal: Some(refusal.clone()) }).await;
        leptos_axum::redirect("/create");
    }
}
