//! What the form asks the server: how long a job would take, and to take it in.

use domain::{JobId, JobRequest, scheduling::Eta};
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
    /// The queue holds too much of this account already, or the remixed video is gone.
    #[error("{0}")]
    Whole(String),
    #[error("You have been signed out. Sign in again in another tab, then come back here and submit.")]
    SignedOut,
    #[error("The server could not be reached. Nothing was lost and nothing was charged; try again in a moment.")]
    Unreachable,
    #[error("The server could not do that. Nothing was charged; try again in a moment.")]
    Internal,
}

impl FromServerFnError for Refusal {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        if matches!(error, ServerFnErrorErr::Request(_)) { Self::Unreachable } else { Self::Internal }
    }
}

/// How long a job of this shape would take from now; `None` rather than a guess.
#[server(prefix = "/api", endpoint = "expected-time", input = GetUrl)]
pub async fn expected_time(model: String, size: String, steps: u32) -> Result<Option<Eta>, Refusal> {
    if !matches!(crate::session::viewer().await, Ok(Some(_))) {
        return Err(Refusal::SignedOut);
    }
    let (Some(model), Ok(size)) = (domain::catalog::find_model(&model), size.parse()) else { return Ok(None) };
    if model.size_option(size).is_none() || steps > model.steps_max {
        return Ok(None);
    }
    Ok(crate::session::services().expected_time(model.id, size, steps).await.unwrap_or_default())
}

/// Takes a job in. A plain form is led to the job's page, or back to its draft with what is to be mended.
#[server(prefix = "/api", endpoint = "submit-video")]
pub async fn submit_video(request: JobRequest, #[server(default)] remixed_from: Option<JobId>) -> Result<JobId, Refusal> {
    let outcome = taking_in::submit(request.clone(), remixed_from).await;
    match &outcome {
        Ok(id) => leptos_axum::redirect(&format!("/videos/{id}")),
        Err(refusal) => taking_in::lead_back(request, remixed_from, refusal).await,
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
    use axum::http::{header, request::Parts};
    use domain::{JobId, JobRequest};
    use leptos::prelude::use_context;
    use service::{Submission, SubmitError};

    pub(super) async fn submit(request: JobRequest, remixed_from: Option<JobId>) -> Result<JobId, Refusal> {
        let user = session::viewer().await.map_err(|_| Refusal::Internal)?.ok_or(Refusal::SignedOut)?;
        let submission = Submission { request, remixed_from, idempotency_key: None };
        match session::services().submit((&user).into(), submission).await {
            Ok((job, _)) => Ok(job.id),
            Err(error) => Err(refusal(error)),
        }
    }

    fn refusal(error: SubmitError) -> Refusal {
        match error {
            SubmitError::Spec(error) => Refusal::Field { field: error.field().into(), message: error.to_string() },
            SubmitError::RemixSourceUnknown(_) => {
                Refusal::Whole("The video you remix is gone. Submit again to make this one on its own.".into())
            }
            SubmitError::NotAdmitted(error) => Refusal::Whole(error.to_string()),
            error => {
                tracing::error!(error = &error as &dyn std::error::Error, "a video could not be submitted");
                Refusal::Internal
            }
        }
    }

    /// Keeps the draft of a plain form; a script still has its own.
    pub(super) async fn lead_back(request: JobRequest, remixed_from: Option<JobId>, refusal: &Refusal) {
        let accepts = use_context::<Parts>().and_then(|parts| parts.headers.get(header::ACCEPT).cloned());
        let plain_form = accepts.is_some_and(|accepts| accepts.to_str().is_ok_and(|accepts| accepts.contains("text/html")));
        if !plain_form {
            return;
        }
        let remixed_from = remixed_from.filter(|_| !matches!(refusal, Refusal::Whole(_)));
        let draft = Draft { request, remixed_from, refusal: Some(refusal.clone()) };
        let _ = session::keep("create", &draft).await;
        leptos_axum::redirect(if *refusal == Refusal::SignedOut { "/signin?next=/create" } else { "/create" });
    }
}
