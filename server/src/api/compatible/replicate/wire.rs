//! A job in the words of Replicate: a prediction.

use crate::{
    api::{
        compatible::{
            address::Address,
            moment::{progress_line, rfc3339, steps_done},
            submit::OWNER,
        },
        request::in_json,
    },
    files::outputs::OutputAddresses,
};
use domain::{JobUpdate, JobView, Status, catalog::Field};
use serde::Serialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use store::ArtifactKind;

#[derive(Debug, Serialize)]
pub struct Prediction {
    id: String,
    model: String,
    version: String,
    /// With every default filled in.
    input: Map<String, Value>,
    logs: String,
    /// Where what was made is fetched, for an hour.
    output: Option<String>,
    error: Option<String>,
    status: &'static str,
    created_at: String,
    started_at: Option<String>,
    completed_at: Option<String>,
    data_removed: bool,
    metrics: Metrics,
    urls: Urls,
}

/// In seconds.
#[derive(Debug, Default, Serialize)]
struct Metrics {
    #[serde(skip_serializing_if = "Option::is_none")]
    predict_time: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_time: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Urls {
    get: String,
    cancel: String,
    stream: String,
    web: String,
}

impl Prediction {
    /// `outputs`: `None` for whoever may not see what was made.
    pub fn new(view: &JobView, address: &Address, outputs: Option<&OutputAddresses>) -> Self {
        let at = |part: &str| format!("{}/v1/predictions/{}{part}", address.api, view.id);
        let made = outputs.filter(|_| view.status == Status::Completed);
        let seconds = |ms: u64| ms as f64 / 1000.0;
        Self {
            id: view.id.to_string(),
            model: format!("{OWNER}/{}", view.spec.model),
            version: version_of(&view.spec.model),
            input: input(view),
            logs: logs(view),
            output: made.map(|outputs| outputs.of(view.id, result(view))),
            error: view.failure.as_ref().map(|failure| failure.message.clone()),
            status: status(view.status),
            created_at: rfc3339(view.created_at),
            started_at: view.started_at.map(rfc3339),
            completed_at: view.ended_at.map(rfc3339),
            data_removed: false,
            metrics: Metrics {
                predict_time: view.times.filter(|_| view.status.is_final()).map(|times| seconds(times.sampling_ms + times.decoding_ms)),
                total_time: view.ended_at.map(|ended_at| seconds(ended_at.ms_since(view.created_at))),
            },
            urls: Urls { get: at(""), cancel: at("/cancel"), stream: at("/stream"), web: format!("{}/videos/{}", address.origin, view.id) },
        }
    }
}

/// What of a prediction is told before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfinished {
    WithOutput,
    WithoutOutput,
}

impl Prediction {
    /// As it stood before it had ended, whatever has become of it since.
    pub fn unfinished(self, so_far: Unfinished) -> Self {
        let output = self.output.filter(|_| so_far == Unfinished::WithOutput);
        let status = status(Status::InProgress);
        Self { status, output, error: None, completed_at: None, metrics: Metrics::default(), ..self }
    }

    /// As if no worker had begun it.
    pub fn not_begun(self) -> Self {
        Self { status: status(Status::Queued), ..self }
    }
}

/// Each model has one version, by its name: a model that is changed has another name.
pub fn version_of(model: &str) -> String {
    hex::encode(Sha256::digest(format!("{OWNER}/{model}")))
}

pub const fn status(status: Status) -> &'static str {
    match status {
        Status::Queued => "starting",
        Status::InProgress => "processing",
        Status::Completed => "succeeded",
        Status::Failed => "failed",
        Status::Cancelled => "canceled",
    }
}

/// The file that a job was asked for.
pub fn result(view: &JobView) -> ArtifactKind {
    ArtifactKind::results(&view.spec).first().copied().unwrap_or(ArtifactKind::Video)
}

fn input(view: &JobView) -> Map<String, Value> {
    let request = view.spec.request();
    let fields = Field::ALL.into_iter().filter(|field| *field != Field::Model);
    let filled = fields.filter_map(|field| Some((field, request.filled(field)?)));
    filled.map(|(field, text)| (field.name().to_owned(), in_json(field, text))).collect()
}

fn logs(view: &JobView) -> String {
    if view.started_at.is_none() {
        return String::new();
    }
    format!(
        "Using seed: {}\n{}\n",
        view.spec.seed.value(),
        progress_line(steps_done(view.status, view.step, view.spec.steps), view.spec.steps)
    )
}

/// The same while it is watched.
pub fn log_of(update: &JobUpdate) -> Option<String> {
    update.started_at.map(|_| format!("{}\n", progress_line(update.step, update.steps)))
}
