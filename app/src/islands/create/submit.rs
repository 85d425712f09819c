//! What the form asks the server: how long a job would take, and to take it in.

#[cfg(feature = "ssr")]
pub(super) mod taking_in;

use super::fields::fields_of;
use crate::{islands::browser, words};
use domain::{Eta, JobId, JobRequest, NoEta, SpecError, UserId, VideoTime};
use leptos::{
    prelude::*,
    server_fn::{
        ServerFn,
        codec::{GetUrl, JsonEncoding},
        error::ServerFnErrorErr,
    },
};
use serde::{Deserialize, Serialize};
use wasm_bindgen_futures::JsFuture;

/// Why a job was not taken in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Refusal {
    #[error("{message}")]
    Field {
        field: String,
        message: String,
        /// Whether it can be made all the same.
        #[serde(default)]
        may_force: bool,
    },
    /// The queue holds too much of this account already.
    #[error("{0}")]
    Whole(String),
    /// What is left does not do for it.
    #[error(
        "This costs {}, and {} are left. What you typed is kept, and nothing has been charged: add credit or take a larger plan, or make something that costs less.",
        words::video_seconds(*asked),
        words::amount(*available)
    )]
    OutOfCredit { available: VideoTime, asked: VideoTime },
    #[error("You may not make videos here. Nothing has been charged.")]
    Forbidden,
    #[error("The video you remix is gone. Submit again to make this one on its own.")]
    SourceGone,
    #[error("This form has made a video already, and you deleted it. Submit once more to make another.")]
    Deleted,
    #[error("You have been signed out. What you typed is kept: sign in, and you come back to it.")]
    SignedOut,
    /// The form showed another price, or none.
    #[error("With these settings it costs {}. Nothing has been charged: press the button once more if that is fine.", words::video_seconds(*price))]
    PriceNotShown { price: VideoTime },
    #[error("Too many requests at this moment. What you typed is kept: wait a moment, then submit again.")]
    Busy,
    #[error(
        "The server cannot be reached. Check your connection, then submit again: what you typed is kept, and you are never charged twice."
    )]
    Unreachable,
    #[error(
        "The server cannot answer right now, which is not your fault. Submit again in a moment: what you typed is kept, and you are never charged twice."
    )]
    Unavailable,
    /// More was typed than is kept of a plain form.
    #[error("What you typed was longer than allowed and has been shortened. Look it over, then submit again: nothing has been charged.")]
    Shortened,
    #[error("The form was not understood. Load this page again, then submit once more: what you typed is kept.")]
    Malformed,
    #[error(
        "Something broke on our side, not in your form. Submit again in a moment: what you typed is kept, and you are never charged twice."
    )]
    Internal,
}

impl Refusal {
    pub fn at_field(error: &SpecError) -> Self {
        let may_force = matches!(error, SpecError::PromptNotUnderstood { .. });
        Self::Field { field: error.field().into(), message: error.to_string(), may_force }
    }

    /// What an answer means that is not ours: a proxy's, say, or one of a server that is starting.
    const fn of_status(status: u16) -> Self {
        match status {
            401 => Self::SignedOut,
            408 => Self::Unreachable,
            429 => Self::Busy,
            400..=499 => Self::Malformed,
            500 => Self::Internal,
            _ => Self::Unavailable,
        }
    }
}

/// Sends the form from a script. Not by the server function's own client, which calls every answer that is not
/// its own a form that was not understood.
///
/// # Errors
/// What the server said, or what its silence means.
pub async fn send(form: SubmitVideo) -> Result<JobId, Refusal> {
    let SubmitVideo { request, remixed_from, repeats, once, quoted_ms, author, force } = form;
    let mut fields = fields_of(&request);
    fields.extend(remixed_from.map(|id| ("remixed_from".into(), id.to_string())));
    fields.extend(repeats.map(|id| ("repeats".into(), id.to_string())));
    fields.extend(quoted_ms.map(|ms| ("quoted_ms".into(), ms.to_string())));
    fields.extend(author.map(|id| ("author".into(), id.to_string())));
    fields.push(("once".into(), once));
    fields.extend(force.then(|| ("force".into(), force.to_string())));
    let answer = browser::post(SubmitVideo::url(), &fields).await.ok_or(Refusal::Unreachable)?;
    let text = answer.text().map(JsFuture::from).map_err(|_| Refusal::Unreachable)?;
    let json = text.await.map_err(|_| Refusal::Unreachable)?.as_string().unwrap_or_default();
    if answer.ok() {
        serde_json::from_str(&json).map_err(|_| Refusal::Unavailable)
    } else {
        Err(serde_json::from_str(&json).unwrap_or_else(|_| Refusal::of_status(answer.status())))
    }
}

impl FromServerFnError for Refusal {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        match error {
            ServerFnErrorErr::Request(_) => Self::Unreachable,
            ServerFnErrorErr::Args(_) | ServerFnErrorErr::MissingArg(_) | ServerFnErrorErr::Deserialization(_) => {
                #[cfg(feature = "ssr")]
                crate::http::answer_with(axum::http::StatusCode::BAD_REQUEST);
                Self::Malformed
            }
            _ => Self::Internal,
        }
    }
}

/// How long a job of this shape would take from now; of a page of before, which does not say the length, of the usual one.
#[server(prefix = "/api", endpoint = "expected-time", input = GetUrl)]
pub async fn expected_time(
    model: String,
    size: String,
    #[server(default)] duration_ms: Option<u64>,
    steps: u32,
) -> Result<Result<Eta, NoEta>, Refusal> {
    let viewer = taking_in::require_viewer().await?;
    let catalog = taking_in::catalog().await?;
    let (Some(model), Ok(size)) = (catalog.find(&model), size.parse()) else { return Ok(Err(NoEta::NotAsked)) };
    let shape = domain::Shape { size, duration: duration_ms.map_or(model.duration_default(), VideoTime::from_ms) };
    if model.size_option(size).is_none() || !model.has_duration(shape.duration) || steps > model.steps.max {
        return Ok(Err(NoEta::NotAsked));
    }
    Ok(crate::session::services().expected_time(Some(viewer.tenant), &model.id, shape, steps).await)
}

/// Takes a job in. A plain form is led to the job's page, or back to its draft with what is to be mended.
/// `once` names the form: what it sends again, by a second click or after an answer that got lost, leads to the
/// first job; what was changed meanwhile makes another. `quoted_ms` is the price that the form showed, 0 when it
/// showed none: no other is charged before it was shown. `author` is for whom the form was drawn: no other account is
/// charged for it, or shown what was typed. `force`: it is to be made even where nothing of the prompt is understood. `repeats`: the
/// job that this one makes once more, read as it was.
#[server(prefix = "/api", endpoint = "submit-video")]
pub async fn submit_video(
    request: JobRequest,
    #[server(default)] remixed_from: Option<JobId>,
    #[server(default)] repeats: Option<JobId>,
    #[server(default)] once: String,
    #[server(default)] quoted_ms: Option<u64>,
    #[server(default)] author: Option<UserId>,
    #[server(default)] force: bool,
) -> Result<JobId, Refusal> {
    let request = super::again::with_plain_lines(&request);
    let outcome = taking_in::submit(request.clone(), [remixed_from, repeats], &once, quoted_ms, author, force).await;
    match &outcome {
        Ok(id) => leptos_axum::redirect(&format!("/videos/{id}")),
        Err(refusal) => {
            crate::http::answer_with(taking_in::status(refusal));
            if let Err(not_kept) =
                taking_in::lead_back(Draft { request, remixed_from, once: Some(once), refusal: None }, author, refusal).await
            {
                crate::http::answer_in_place(not_kept.status());
                // The browser shows it as it is.
                return Err(Refusal::Whole(not_kept.to_string()));
            }
        }
    }
    outcome
}

/// What a refused plain form said, until the page shows it again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    pub request: JobRequest,
    pub remixed_from: Option<JobId>,
    /// What named it when it was sent.
    #[serde(default)]
    pub once: Option<String>,
    pub refusal: Option<Refusal>,
}

/// A draft in the browser of somebody whose session has ended, for them alone.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Noted {
    pub author: UserId,
    pub draft: Draft,
}
