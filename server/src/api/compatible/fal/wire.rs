//! A job in the words of fal: a request in a queue, and its result.

use crate::{
    api::compatible::{
        address::Address,
        moment::{progress_line, rfc3339, steps_done},
        submit::OWNER,
    },
    files::outputs::OutputAddresses,
};
use domain::{FailureCode, JobId, JobUpdate, JobView, Status};
use serde::Serialize;
use store::{Artifact, ArtifactKind};

/// The addresses of one request, below its application.
#[derive(Debug, Clone)]
pub struct Addresses {
    base: String,
}

impl Addresses {
    /// `model`: as the client named it.
    pub fn new(address: &Address, model: &str, id: JobId) -> Self {
        Self { base: format!("{}/{OWNER}/{model}/requests/{id}", address.api) }
    }
}

/// Where a request stands.
#[derive(Debug, Serialize)]
pub struct RequestStatus {
    status: &'static str,
    request_id: String,
    response_url: String,
    status_url: String,
    cancel_url: String,
    /// 0 is next.
    #[serde(skip_serializing_if = "Option::is_none")]
    queue_position: Option<u64>,
    /// Null unless asked for.
    logs: Option<Vec<Log>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metrics: Option<Metrics>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_type: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct Log {
    message: String,
    level: &'static str,
    source: &'static str,
    timestamp: String,
}

#[derive(Debug, Serialize)]
struct Metrics {
    /// In seconds.
    inference_time: f64,
}

impl RequestStatus {
    pub fn new(update: &JobUpdate, Addresses { base }: &Addresses, with_logs: bool) -> Self {
        let error = ended_badly(update);
        Self {
            status: match update.status {
                Status::Queued => "IN_QUEUE",
                Status::InProgress => "IN_PROGRESS",
                Status::Completed | Status::Failed | Status::Cancelled => "COMPLETED",
            },
            request_id: update.id.to_string(),
            response_url: base.clone(),
            status_url: format!("{base}/status"),
            cancel_url: format!("{base}/cancel"),
            queue_position: (update.status == Status::Queued).then(|| update.queue_position.unwrap_or(1).saturating_sub(1)),
            logs: with_logs.then(|| logs(update)),
            metrics: update.status.is_final().then(|| {
                let ms = update.times.map_or(0, |times| times.sampling_ms + times.decoding_ms);
                Metrics { inference_time: ms as f64 / 1000.0 }
            }),
            error: error.as_ref().map(|(_, message)| message.clone()),
            error_type: error.map(|(error_type, _)| error_type),
        }
    }
}

/// Why there is no result and never will be: its type, and in words.
pub fn ended_badly(update: &JobUpdate) -> Option<(&'static str, String)> {
    match (update.status, &update.failure) {
        (Status::Cancelled, _) => Some(("request_cancelled", "The request was cancelled.".to_owned())),
        (Status::Failed, Some(failure)) if failure.code == FailureCode::DeadlinePassed => {
            Some(("startup_timeout", failure.message.clone()))
        }
        (Status::Failed, Some(failure)) => Some((failure.code.as_str(), failure.message.clone())),
        (Status::Failed, None) => Some(("internal_error", "The request failed.".to_owned())),
        _ => None,
    }
}

fn logs(update: &JobUpdate) -> Vec<Log> {
    let step = steps_done(update.status, update.step, update.steps);
    let line = |at| Log { message: progress_line(step, update.steps), level: "INFO", source: "USER", timestamp: rfc3339(at) };
    update.started_at.map(line).into_iter().collect()
}

/// What came of a request.
#[derive(Debug, Serialize)]
pub struct Outcome {
    #[serde(skip_serializing_if = "Option::is_none")]
    video: Option<File>,
    #[serde(skip_serializing_if = "Option::is_none")]
    images: Option<Vec<File>>,
    seed: u64,
    prompt: String,
    timings: Timings,
}

#[derive(Debug, Serialize)]
struct File {
    url: String,
    content_type: String,
    file_name: &'static str,
    file_size: u64,
    width: u32,
    height: u32,
}

#[derive(Debug, Serialize)]
struct Timings {
    inference: f64,
}

/// A request that has ended, as its webhook tells it.
#[derive(Debug, Serialize)]
pub struct Ended {
    request_id: String,
    /// The same: no request is sent on under another id.
    gateway_request_id: String,
    status: &'static str,
    payload: Option<Payload>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Payload {
    Made(Box<Outcome>),
    Failed { detail: String, error_type: &'static str },
}

impl Ended {
    pub fn new(view: &JobView, artifact: Option<&Artifact>, outputs: &OutputAddresses) -> Self {
        let id = view.id.to_string();
        let made = artifact.map(|artifact| Payload::Made(Box::new(Outcome::new(view, artifact, outputs))));
        let failed = ended_badly(&JobUpdate::from(view.clone()));
        let (status, payload, error) = match failed {
            None => ("OK", made, None),
            Some((error_type, message)) => ("ERROR", Some(Payload::Failed { detail: message.clone(), error_type }), Some(message)),
        };
        Self { request_id: id.clone(), gateway_request_id: id, status, payload, error }
    }
}

impl Outcome {
    pub fn new(view: &JobView, artifact: &Artifact, outputs: &OutputAddresses) -> Self {
        let file = File {
            url: outputs.of(view.id, artifact.kind),
            content_type: artifact.content_type.clone(),
            file_name: artifact.kind.file_name(),
            file_size: artifact.bytes,
            width: view.spec.size.width,
            height: view.spec.size.height,
        };
        let ms = view.times.map_or(0, |times| times.sampling_ms + times.decoding_ms);
        let (video, images) = if artifact.kind == ArtifactKind::Image { (None, Some(vec![file])) } else { (Some(file), None) };
        let timings = Timings { inference: ms as f64 / 1000.0 };
        Self { video, images, seed: view.spec.seed.value(), prompt: view.spec.prompt.clone(), timings }
    }
}
