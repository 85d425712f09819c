//! The queue for its operator: what waits, and what is done about it, by a key with the scope `operator`.

mod alert_wire;
pub mod alerts;
mod caller;

use super::ApiError;
use crate::context::Context;
use axum::{
    Json,
    body::Bytes,
    extract::{State, rejection::BytesRejection},
};
pub(in crate::api) use caller::OperatorCaller;
use caller::json;
use domain::{Permission, Timestamp, scheduling::QueueAct};
use serde::{Deserialize, Serialize};
use service::operator::{Part, QueueChangeError, QueueDesk, QueueNumbers};
use utoipa::ToSchema;

/// An act upon the queue.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeQueue {
    /// `pause`, `resume`, `drain`, `expedite`, `requeue`, `quarantine` or `lift`.
    #[schema(example = "pause")]
    pub act: String,
    /// Of `pause` and `resume`: `everything`, `model:ID`, `lane:interactive`, `lane:batch` or `tenant:ID`. Of `drain`: the id of a worker. Of the
    /// others: the id of a video.
    #[schema(example = "lane:batch")]
    pub subject: String,
    /// Why, at most 200 characters: who waits for what is paused reads it, and the owner of a video that is put into quarantine, for which
    /// it is needed. It stands in the log.
    #[schema(example = "A machine is being moved.")]
    #[serde(default)]
    pub reason: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct QueueChanged {
    #[schema(example = "queue.change")]
    pub object: &'static str,
    /// What was done, and what follows.
    #[schema(example = "Resumed: lane:batch.")]
    pub message: String,
}

/// The queue at one moment. What could not be read just now is `null`.
#[derive(Debug, Serialize, ToSchema)]
pub struct QueueObject {
    #[schema(example = "queue")]
    pub object: &'static str,
    pub lines: Option<Vec<QueueLine>>,
    pub tenants: Option<Vec<QueueTenant>>,
    pub throttled: Option<Vec<QueueThrottled>>,
    /// Whether more are throttled than were counted, maybe of other tenants.
    #[schema(example = false)]
    pub throttled_is_part: Option<bool>,
    pub paused: Option<Vec<QueuePause>>,
    pub quarantined: Option<Vec<QueueJob>>,
    /// Those that have waited longest.
    pub waiting: Option<Vec<QueueJob>>,
}

/// What waits of a model in a lane, and one kind of device that can make it. Where several can, it stands with each.
#[derive(Debug, Serialize, ToSchema)]
pub struct QueueLine {
    #[schema(example = "vignette-1")]
    pub model: String,
    /// `null`: no machine has the model.
    pub device: Option<String>,
    pub workers: usize,
    #[schema(example = "batch")]
    pub lane: &'static str,
    pub jobs: u64,
    pub video_seconds: f64,
    /// Unix seconds.
    pub oldest_at: i64,
    /// Whether more wait than were counted.
    #[schema(example = false)]
    pub is_part: bool,
}

/// A tenant that waits, or had something within the hour.
#[derive(Debug, Serialize, ToSchema)]
pub struct QueueTenant {
    pub tenant_id: String,
    pub name: String,
    pub weight: u32,
    /// By its weight among those that wait; `null`: it waits for nothing.
    #[schema(example = 0.25)]
    pub share_wanted: Option<f64>,
    /// Of all that was made within the hour or is being made.
    #[schema(example = 0.25)]
    pub share_had: f64,
    pub waiting_video_seconds: f64,
    /// Unix seconds.
    pub oldest_at: Option<i64>,
}

/// What the limits of a plan keep outside of the queue.
#[derive(Debug, Serialize, ToSchema)]
pub struct QueueThrottled {
    pub tenant_id: String,
    pub jobs: u64,
    pub video_seconds: f64,
    /// Unix seconds.
    pub oldest_at: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct QueuePause {
    #[schema(example = "lane:batch")]
    pub scope: String,
    pub reason: Option<String>,
    /// Unix seconds.
    pub since: i64,
}

/// A job, without what it was asked for.
#[derive(Debug, Serialize, ToSchema)]
pub struct QueueJob {
    pub id: String,
    pub tenant_id: String,
    pub model: String,
    #[schema(example = "batch")]
    pub lane: &'static str,
    #[schema(example = "ready")]
    pub state: String,
    pub video_seconds: f64,
    /// Unix seconds.
    pub created_at: i64,
    /// Why it is in quarantine, if it is.
    pub quarantine: Option<String>,
}

/// Look at the queue
#[utoipa::path(get, path = "/v1/operator/queue", tag = "operator", responses((status = 200, description = "The queue now", body = QueueObject)))]
pub async fn show_queue(State(context): State<Context>, operator: OperatorCaller) -> Result<Json<QueueObject>, ApiError> {
    let actor = operator.actor(&context, Permission::ManageQueue).await?;
    let QueueDesk { numbers, pauses, quarantined, longest, .. } = Box::pin(context.services.queue_desk(actor, None)).await?;
    let numbers = numbers.ok();
    Ok(Json(QueueObject {
        object: "queue",
        lines: numbers.as_ref().map(lines),
        tenants: numbers.as_ref().map(tenants),
        throttled: numbers.as_ref().map(throttled),
        throttled_is_part: numbers.as_ref().map(|numbers| numbers.throttled_is_part),
        paused: told(pauses, |pause| QueuePause {
            scope: pause.scope.to_string(),
            reason: pause.reason,
            since: pause.since.unix_seconds(),
        }),
        quarantined: told(quarantined, |job| queue_job(job.job)),
        waiting: told(longest.map(|longest| longest.jobs), |job| queue_job(job.job)),
    }))
}

/// Change the queue
///
/// Pauses and resumes parts of it, drains workers, moves a video to the front of its line, has a failed one tried once more, and puts one into
/// quarantine or lifts that.
#[utoipa::path(
    post, path = "/v1/operator/queue", tag = "operator",
    request_body(content((ChangeQueue = "application/json"))),
    responses((status = 200, description = "It is done", body = QueueChanged))
)]
pub async fn change_queue(
    State(context): State<Context>,
    operator: OperatorCaller,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<QueueChanged>, ApiError> {
    let actor = operator.actor(&context, Permission::ManageQueue).await?;
    let ChangeQueue { act, subject, reason } = json(body)?;
    let act = QueueAct::parse(&act, &subject).map_err(|error| invalid(Some("act"), &format!("`act` and `subject`: {error}.")))?;
    Box::pin(context.services.change_queue(actor, Some(operator.asked()), &act, &reason)).await.map_err(refusal)?;
    Ok(Json(QueueChanged { object: "queue.change", message: act.done() }))
}

fn refusal(error: QueueChangeError) -> ApiError {
    match error {
        QueueChangeError::Forbidden(error) => error.into(),
        QueueChangeError::Store(error) => error.into(),
        QueueChangeError::Reason | QueueChangeError::ReasonMissing => invalid(Some("reason"), &format!("`reason`: {error}.")),
        error => invalid(Some("subject"), &format!("Nothing was done: {error}.")),
    }
}

fn invalid(param: Option<&'static str>, message: &str) -> ApiError {
    ApiError::Invalid { param, message: message.to_owned() }
}

fn told<T, R>(part: Part<Vec<T>>, tell: impl Fn(T) -> R) -> Option<Vec<R>> {
    part.ok().map(|all| all.into_iter().map(tell).collect())
}

fn lines(numbers: &QueueNumbers) -> Vec<QueueLine> {
    let line = |line: &service::operator::LineDepth| QueueLine {
        model: line.model.clone(),
        device: line.device.clone(),
        workers: line.workers,
        lane: line.lane.as_str(),
        jobs: line.jobs,
        video_seconds: line.billed.seconds(),
        oldest_at: line.since.unix_seconds(),
        is_part: line.is_part,
    };
    numbers.lines.iter().map(line).collect()
}

fn tenants(numbers: &QueueNumbers) -> Vec<QueueTenant> {
    let tenant = |tenant: &service::operator::TenantOfQueue| QueueTenant {
        tenant_id: tenant.id.to_string(),
        name: tenant.name.clone(),
        weight: tenant.weight,
        share_wanted: tenant.share.wanted_permille.map(|permille| f64::from(permille) / 1000.0),
        share_had: f64::from(tenant.share.had_permille) / 1000.0,
        waiting_video_seconds: tenant.waiting.seconds(),
        oldest_at: tenant.since.map(Timestamp::unix_seconds),
    };
    numbers.tenants.iter().map(tenant).collect()
}

fn throttled(numbers: &QueueNumbers) -> Vec<QueueThrottled> {
    let work = |(_, work): &(String, service::ThrottledWork)| QueueThrottled {
        tenant_id: work.tenant.to_string(),
        jobs: work.jobs,
        video_seconds: work.billed.seconds(),
        oldest_at: work.since.unix_seconds(),
    };
    numbers.throttled.iter().map(work).collect()
}

fn queue_job(job: service::QueuedRow) -> QueueJob {
    QueueJob {
        id: job.id.to_string(),
        tenant_id: job.tenant.to_string(),
        model: job.model,
        lane: job.lane.as_str(),
        state: job.state,
        video_seconds: job.billed.seconds(),
        created_at: job.created_at.unix_seconds(),
        quarantine: job.quarantine.map(|(_, reason)| reason),
    }
}
