//! Batches as clients of OpenAI's API know them, with our own fields beside.

use domain::{
    Timestamp,
    batch::{BatchStatus, LineFault},
};
use serde::{Deserialize, Serialize};
use service::{Batch, BatchPage, BatchView};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// What to do with a file of requests.
#[derive(Debug, Deserialize, ToSchema)]
pub struct CreateBatch {
    /// A file with the purpose `batch`: at most 50,000 lines of JSON with `custom_id`, `method`, `url` and `body`.
    #[schema(example = "file_0190aaaabbbb7ccc8dddeeeeffff0001")]
    pub input_file_id: String,
    /// `/v1/videos`.
    #[schema(example = "/v1/videos")]
    pub endpoint: String,
    /// Within which time it is to be begun: minutes, hours or days, from 1 minute to 30 days. What is not begun by then is not made.
    #[schema(example = "24h")]
    pub completion_window: String,
    /// At most 16 pairs of texts.
    pub metadata: Option<BTreeMap<String, String>>,
    /// When the files of what came of it expire: after 30 days, unless this is given.
    pub output_expires_after: Option<ExpiresAfter>,
    /// Check and quote the lines, and make nothing.
    pub dry_run: Option<bool>,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct ExpiresAfter {
    /// `created_at`: that of the file.
    #[schema(example = "created_at")]
    pub anchor: String,
    /// 3,600 to 2,592,000.
    #[schema(example = 86_400)]
    pub seconds: u32,
}

/// A batch.
#[derive(Debug, Serialize, ToSchema)]
pub struct BatchObject {
    #[schema(example = "batch_0190aaaabbbb7ccc8dddeeeeffff0001")]
    pub id: String,
    #[schema(example = "batch")]
    pub object: &'static str,
    #[schema(example = "/v1/videos")]
    pub endpoint: String,
    /// That of all its lines, once the first is read.
    pub model: Option<String>,
    /// What is wrong with its input, where it failed.
    pub errors: Option<BatchErrors>,
    pub input_file_id: String,
    #[schema(example = "24h")]
    pub completion_window: String,
    /// `validating`, `failed`, `in_progress`, `finalizing`, `completed`, `expired`, `cancelling` or `cancelled`.
    #[schema(example = "in_progress")]
    pub status: &'static str,
    /// The lines that were made.
    pub output_file_id: Option<String>,
    /// The lines that were not.
    pub error_file_id: Option<String>,
    /// Unix seconds, as all moments.
    pub created_at: i64,
    pub in_progress_at: Option<i64>,
    pub expires_at: i64,
    pub finalizing_at: Option<i64>,
    pub completed_at: Option<i64>,
    pub failed_at: Option<i64>,
    pub expired_at: Option<i64>,
    pub cancelling_at: Option<i64>,
    pub cancelled_at: Option<i64>,
    pub request_counts: RequestCounts,
    pub metadata: Option<BTreeMap<String, String>>,
    /// Its lines are checked and quoted, and nothing is made.
    pub dry_run: bool,
    /// The batch of which it tries the failed lines again.
    pub retry_of: Option<String>,
    /// The project that it is in: that of the key, or the default one.
    pub project_id: String,
    pub price: BatchPrice,
    /// Lines with a field that no request has, such as a misspelled one: it changes nothing, as in a single request. Null: none so far.
    pub unknown_fields: Option<UnknownFields>,
    /// Why lines wait that are not videos yet.
    pub waiting: Option<BatchWaiting>,
    /// When it will have ended, or would if it were more than a dry run; null where that cannot be told.
    pub eta: Option<EtaObject>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BatchErrors {
    #[schema(example = "list")]
    pub object: &'static str,
    /// The first 1,000; its results have all of them.
    pub data: Vec<BatchFault>,
    /// How many lines cannot be made.
    pub total: u32,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BatchFault {
    /// A stable name for programs.
    #[schema(example = "duplicate_custom_id")]
    pub code: String,
    /// From 1; null: the file as a whole.
    pub line: Option<u32>,
    pub message: String,
    /// The part of the line that is wrong.
    pub param: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct RequestCounts {
    pub total: u32,
    pub completed: u32,
    /// Those that ended without success, cancelled and expired ones too.
    pub failed: u32,
    /// Videos that wait in the queue or are being made; null in lists.
    pub open: Option<u32>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct UnknownFields {
    /// How many lines have one.
    #[schema(example = 3)]
    pub lines: u32,
    /// The first of them, from 1.
    #[schema(example = 1)]
    pub line: u32,
    /// The first such field of that line, or the beginning of its name.
    #[schema(example = "body.sise")]
    pub param: String,
}

/// In video-seconds.
#[derive(Debug, Serialize, ToSchema)]
pub struct BatchPrice {
    /// What all lines cost together, by today's prices when they were read.
    #[schema(example = 400.0)]
    pub quoted_seconds: f64,
    /// What was charged so far: each line when it succeeded.
    #[schema(example = 120.0)]
    pub charged_seconds: f64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BatchWaiting {
    /// `pace`, `open_work`, `queue_full`, `insufficient_credits`, `spending_limit`, `storage` or `model`.
    #[schema(example = "insufficient_credits")]
    pub reason: &'static str,
    /// A sentence for people.
    pub message: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct EtaObject {
    /// Half of such batches have ended by then.
    pub p50_at: i64,
    /// Nine of ten have.
    pub p90_at: i64,
}

impl From<&BatchView> for BatchObject {
    fn from(view: &BatchView) -> Self {
        let batch = &view.batch;
        let is_faulty = batch.status == BatchStatus::Failed;
        let fault = |(line, fault): &(u32, LineFault)| BatchFault {
            code: fault.code.clone(),
            line: Some(*line).filter(|line| *line > 0),
            message: fault.text.clone(),
            param: fault.param.clone(),
        };
        let total = batch.invalid.max(u32::try_from(view.faults.len()).unwrap_or(u32::MAX));
        let errors = is_faulty.then(|| BatchErrors { object: "list", data: view.faults.iter().map(fault).collect(), total });
        let eta = view.eta.ok().map(|eta| EtaObject { p50_at: eta.p50_at.unix_seconds(), p90_at: eta.p90_at.unix_seconds() });
        Self { errors, eta, ..plain(batch, Some(view.open.lines)) }
    }
}

fn plain(batch: &Batch, open: Option<u32>) -> BatchObject {
    let moment = |at: Option<Timestamp>| at.map(Timestamp::unix_seconds);
    let ended = |status: BatchStatus| moment(batch.ended_at.filter(|_| batch.status == status));
    let waiting = batch.wait.as_ref().filter(|_| batch.status == BatchStatus::InProgress);
    let unknown = batch.first_unknown.as_ref();
    BatchObject {
        id: batch.id.to_string(),
        object: "batch",
        endpoint: batch.endpoint.clone(),
        model: batch.model.clone(),
        errors: None,
        input_file_id: batch.input.to_string(),
        completion_window: batch.window.to_string(),
        status: batch.status.as_str(),
        output_file_id: batch.output.map(|file| file.to_string()),
        error_file_id: batch.errors.map(|file| file.to_string()),
        created_at: batch.created_at.unix_seconds(),
        in_progress_at: moment(batch.in_progress_at),
        expires_at: batch.expires_at.unix_seconds(),
        finalizing_at: moment(batch.finalizing_at),
        completed_at: ended(BatchStatus::Completed),
        failed_at: ended(BatchStatus::Failed),
        expired_at: ended(BatchStatus::Expired),
        cancelling_at: moment(batch.cancelling_at),
        cancelled_at: ended(BatchStatus::Cancelled),
        request_counts: RequestCounts { total: batch.lines, completed: batch.completed, failed: batch.failed, open },
        metadata: batch.metadata.as_ref().map(|metadata| metadata.pairs().clone()),
        dry_run: batch.is_dry_run,
        retry_of: batch.retry_of.map(|batch| batch.to_string()),
        project_id: batch.project.to_string(),
        price: BatchPrice { quoted_seconds: batch.quoted.seconds(), charged_seconds: batch.charged.seconds() },
        unknown_fields: unknown.map(|(line, field)| {
            let param = format!("body.{field}");
            UnknownFields { lines: batch.unknown_lines, line: *line, param }
        }),
        waiting: waiting.map(|(wait, text)| BatchWaiting { reason: wait.as_str(), message: text.clone() }),
        eta: None,
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BatchList {
    #[schema(example = "list")]
    pub object: &'static str,
    pub data: Vec<BatchObject>,
    pub first_id: Option<String>,
    pub last_id: Option<String>,
    pub has_more: bool,
}

impl From<BatchPage> for BatchList {
    fn from(page: BatchPage) -> Self {
        let data: Vec<_> = page.batches.iter().map(|batch| plain(batch, None)).collect();
        let id = |batch: Option<&BatchObject>| batch.map(|batch| batch.id.clone());
        Self { object: "list", first_id: id(data.first()), last_id: id(data.last()), data, has_more: page.has_more }
    }
}
