//! Looking at predictions, watching and cancelling them.

use super::wire::{Prediction, log_of, result, status};
use crate::{
    api::{
        caller::Caller,
        compatible::address::{Address, outputs},
    },
    context::Context,
    error::ApiError,
    live::{Resume, Watcher, comments, events},
    video_id::VideoId,
};
use axum::{
    Json,
    extract::{RawQuery, State},
    response::{Response, sse::Event},
};
use domain::{JobUpdate, Status, Timestamp};
use serde::Serialize;
use serde_json::{json, value::RawValue};
use store::{Order, PageQuery};

const PAGE_PREDICTIONS: u64 = 100;
/// A page ends early where it would be larger: it is made as a whole.
const PAGE_BYTES: usize = 256 * 1024;

/// `GET /replicate/v1/predictions/{id}`
pub async fn retrieve(
    State(context): State<Context>,
    caller: Caller,
    address: Address,
    VideoId(id): VideoId,
) -> Result<Json<Prediction>, ApiError> {
    let view = context.services.plain_job(caller.actor(), id).await?.ok_or(ApiError::VideoUnknown)?;
    Ok(Json(Prediction::new(&view, &address, outputs(&context, caller, &address).await?.as_ref())))
}

/// `POST /replicate/v1/predictions/{id}/cancel`: what has ended stays as it is.
pub async fn cancel(
    State(context): State<Context>,
    caller: Caller,
    address: Address,
    VideoId(id): VideoId,
) -> Result<Json<Prediction>, ApiError> {
    let view = context.services.cancel(caller.actor(), id).await?.ok_or(ApiError::VideoUnknown)?;
    Ok(Json(Prediction::new(&view, &address, outputs(&context, caller, &address).await?.as_ref())))
}

#[derive(Debug, Serialize)]
pub struct PredictionPage {
    /// Where the page behind this one is.
    next: Option<String>,
    /// Pages are read in one direction.
    previous: Option<String>,
    results: Vec<Box<RawValue>>,
}

/// `GET /replicate/v1/predictions`: the newest first.
pub async fn list(
    State(context): State<Context>,
    caller: Caller,
    address: Address,
    RawQuery(query): RawQuery,
) -> Result<Json<PredictionPage>, ApiError> {
    let after = cursor(query.as_deref().unwrap_or_default())?;
    let page = PageQuery { after, limit: PAGE_PREDICTIONS, order: Order::NewestFirst };
    let mut list = context.services.job_list(caller.actor(), page).await?;
    let outputs = outputs(&context, caller, &address).await?;
    let (mut results, mut bytes, mut last) = (Vec::new(), 0, None);
    'page: loop {
        let views = list.next().await?;
        if views.is_empty() {
            // Also behind those that are passed over there are more.
            last = list.last().filter(|_| list.has_more());
            break;
        }
        for view in &views {
            let prediction = Prediction::new(view, &address, outputs.as_ref());
            let written = serde_json::value::to_raw_value(&prediction).map_err(|error| ApiError::Internal(error.into()))?;
            if !results.is_empty() && bytes + written.get().len() > PAGE_BYTES {
                break 'page;
            }
            bytes += written.get().len();
            last = Some(view.id);
            results.push(written);
        }
    }
    let next = last.map(|last| format!("{}/v1/predictions?cursor={last}", address.api));
    Ok(Json(PredictionPage { next, previous: None, results }))
}

fn cursor(query: &str) -> Result<Option<domain::JobId>, ApiError> {
    let given = form_urlencoded::parse(query.as_bytes()).filter(|(name, value)| name == "cursor" && !value.is_empty()).last();
    let invalid = |_| ApiError::Invalid { param: None, message: "`cursor` must be that of a page's `next`.".to_owned() };
    given.map(|(_, value)| value.parse().map_err(invalid)).transpose()
}

/// `GET /replicate/v1/predictions/{id}/stream`: `logs` while it is made, then `output` or `error`, and `done`.
pub async fn stream(
    State(context): State<Context>,
    caller: Caller,
    address: Address,
    VideoId(id): VideoId,
    resume: Resume,
) -> Result<Response, ApiError> {
    let view = context.services.plain_job(caller.actor(), id).await?.ok_or(ApiError::VideoUnknown)?;
    let kind = result(&view);
    let outputs = outputs(&context, caller, &address).await?;
    // The stream may have begun long before the end.
    let output = move |ended_at: Option<Timestamp>| match (&outputs, ended_at) {
        (Some(outputs), Some(ended_at)) => outputs.good_from(ended_at).of(id, kind),
        (Some(outputs), None) => outputs.of(id, kind),
        (None, _) => String::new(),
    };
    events(&context, Watcher::Key(caller.0), id, resume, comments(), move |update| Ok(said(update, &output))).await
}

/// `output`: where is fetched what was made, of a job that has ended then.
fn said(update: &JobUpdate, output: impl Fn(Option<Timestamp>) -> String) -> Vec<Event> {
    let event = |name: &str, data: String| Event::default().event(name).data(data);
    let done = |reason: Option<&str>| event("done", reason.map_or_else(|| json!({}), |reason| json!({ "reason": reason })).to_string());
    match update.status {
        Status::Queued | Status::InProgress => log_of(update).map(|log| event("logs", log)).into_iter().collect(),
        Status::Completed => vec![event("output", output(update.ended_at)), done(None)],
        Status::Cancelled => vec![done(Some(status(Status::Cancelled)))],
        Status::Failed => {
            let message = update.failure.as_ref().map(|failure| failure.message.clone()).unwrap_or_default();
            vec![event("error", json!({ "detail": message }).to_string()), done(Some("error"))]
        }
    }
}
