//! The shapes of the public API's JSON, as clients of OpenAI's Videos API know them, with our own fields beside.

mod failures;
mod models;
mod queue;

use super::{cost::Cost, layout::Pin};
use domain::{
    Eta, JobUpdate, JobView, Status, Timestamp,
    catalog::{Arrangement, Reading},
    job::{WaitReason, Waiting},
};
use failures::{FailedAttempt, VideoError};
pub use models::{ModelList, ModelObject};
pub use queue::{CancelQueue, MoveVideo, QueueCancelled, QueueList, QueuedVideo};
use serde::Serialize;
use utoipa::ToSchema;

/// A video, finished or on its way; or an image, of a model that makes images.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Video {
    /// Names the video in every other call.
    #[schema(example = "job_0190aaaabbbb7ccc8dddeeeeffff0001")]
    pub id: String,
    #[schema(example = "video")]
    pub object: &'static str,
    /// Which model makes it, or made it.
    #[schema(example = "flipbook-1")]
    pub model: String,
    /// The other model that was allowed.
    pub fallback_model: Option<String>,
    /// The model that was asked for, where the other one makes it; `failed_attempts` says why.
    pub requested_model: Option<String>,
    /// `queued`, `in_progress`, `completed`, `failed` or `cancelled`; the last three are final.
    #[schema(example = "in_progress")]
    pub status: &'static str,
    /// 0 to 100.
    #[schema(example = 45)]
    pub progress: u8,
    /// Unix seconds, as all moments.
    #[schema(example = 1_795_219_200)]
    pub created_at: i64,
    pub completed_at: Option<i64>,
    /// When it is deleted, by the account's plan as it is now; null before it has ended, and where videos are kept until somebody deletes them.
    pub expires_at: Option<i64>,
    /// By when it is to have begun, and to have ended, as it was asked for.
    pub start_by: Option<i64>,
    pub finish_by: Option<i64>,
    #[schema(example = "960x540")]
    pub size: String,
    /// Its length; 0 of an image.
    #[schema(example = "4")]
    pub seconds: String,
    #[schema(example = "a red ball bouncing on a beach")]
    pub prompt: String,
    /// What the model gets in place of the prompt, where `enrich` was asked for and there was something to add.
    pub expanded_prompt: Option<String>,
    /// The video whose prompt this one varies.
    pub remixed_from_video_id: Option<String>,
    /// The project that it was made in: that of the key, or the default one.
    #[schema(example = "project_0190aaaabbbb7ccc8dddeeeeffff0001")]
    pub project_id: Option<String>,
    /// Why a failed video failed.
    pub error: Option<VideoError>,
    /// `sampling` or `decoding`: what runs, or ran last.
    #[schema(example = "sampling")]
    pub stage: Option<&'static str>,
    /// Denoising steps done.
    #[schema(example = 7)]
    pub step: u32,
    #[schema(example = 16)]
    pub steps: u32,
    #[schema(example = 1.5)]
    pub guidance: f64,
    pub negative_prompt: Option<String>,
    /// The same seed and settings make the same video.
    #[schema(example = 42)]
    pub seed: u64,
    /// Things that were put somewhere, as they were asked for.
    #[schema(example = json!([]))]
    pub arrangement: Vec<Pin>,
    /// Absent rather than guessed.
    pub eta: Option<EtaSeconds>,
    /// 1 is next; null unless queued. Others may come in front of it: teams share the queue by the work that they have had.
    pub queue_position: Option<u64>,
    /// Why it waits, also once more after it was begun; null unless it does.
    pub waiting: Option<WaitingFor>,
    /// How often it was tried.
    #[schema(example = 1)]
    pub attempts: u32,
    /// Tries that failed, the newest last: what happened, and what was decided.
    #[schema(example = json!([]))]
    pub failed_attempts: Vec<FailedAttempt>,
    pub cost: Cost,
    /// What the model took the words of the prompt for, the expanded one where there is one; empty where that is not known.
    pub understood: Vec<Word>,
    /// Words that it took for something which they may not mean.
    pub guessed: Vec<Word>,
    /// Words that have no part in the video.
    #[schema(example = json!(["quantum"]))]
    pub ignored: Vec<String>,
    /// Words that were not typed, but added by `enrich`; they stand in `understood` too.
    #[schema(example = json!([]))]
    pub added: Vec<String>,
}

/// A part of a prompt, and what it is taken for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Word {
    #[schema(example = "kitten")]
    pub text: String,
    #[schema(example = "cat")]
    pub meaning: String,
}

/// Seconds from now until the video is finished: as likely as not, and in nine of ten cases.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
pub struct EtaSeconds {
    #[schema(example = 12.5)]
    pub p50_seconds: f64,
    #[schema(example = 20.0)]
    pub p90_seconds: f64,
}

/// Why a video waits: one reason at a time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct WaitingFor {
    /// `release_rate`, `quota`, `retry`, `no_worker`, `paused`, `held`, `cold_load`, `decoder` or `capacity`.
    #[schema(example = "capacity")]
    pub reason: &'static str,
    /// In words, with what would change it.
    #[schema(example = "Number 3 in line.")]
    pub message: String,
    /// When that ends, in Unix seconds, where it is known.
    pub until: Option<i64>,
}

impl From<Waiting> for WaitingFor {
    fn from(waiting: Waiting) -> Self {
        // Not before it is over.
        let until = waiting.reason.and_then(WaitReason::until).map(|until| until.plus_ms(999).unix_seconds());
        Self { reason: waiting.reason.map_or("capacity", WaitReason::code), message: waiting.sentence, until }
    }
}

impl From<&JobView> for Video {
    fn from(view: &JobView) -> Self {
        Self {
            id: view.id.to_string(),
            object: "video",
            model: view.spec.model.clone(),
            fallback_model: view.fallback_model.clone(),
            requested_model: view.requested_model.clone(),
            status: view.status.as_str(),
            progress: view.progress,
            created_at: view.created_at.unix_seconds(),
            completed_at: completed_at(view.status, view.ended_at),
            expires_at: view.kept_until.map(|at| at.unix_seconds()),
            start_by: view.deadlines.start_by.map(|at| at.unix_seconds()),
            finish_by: view.deadlines.finish_by.map(|at| at.unix_seconds()),
            size: view.spec.size.to_string(),
            seconds: view.spec.duration.to_string(),
            prompt: view.spec.prompt.clone(),
            expanded_prompt: view.spec.expanded_prompt.clone().filter(|text| *text != view.spec.prompt),
            remixed_from_video_id: view.remixed_from.map(|id| id.to_string()),
            project_id: view.project.map(|project| project.to_string()),
            error: view.failure.as_ref().map(VideoError::from),
            stage: view.stage.map(domain::Stage::as_str),
            step: view.step,
            steps: view.spec.steps,
            guidance: view.spec.guidance,
            negative_prompt: view.spec.negative_prompt.clone(),
            seed: view.spec.seed.value(),
            arrangement: view.spec.arrangement.iter().flat_map(Arrangement::pins).map(Pin::from).collect(),
            eta: view.eta.ok().map(EtaSeconds::from),
            queue_position: view.queue_position,
            waiting: view.waiting.clone().map(WaitingFor::from),
            attempts: view.attempts,
            failed_attempts: view.failed_attempts.iter().map(FailedAttempt::from).collect(),
            cost: Cost::from(view),
            understood: words(view, Reading::Understood).collect(),
            guessed: words(view, Reading::Guess).collect(),
            ignored: words(view, Reading::Ignored).map(|word| word.text).collect(),
            added: added(view),
        }
    }
}

fn words(view: &JobView, reading: Reading) -> impl Iterator<Item = Word> {
    let terms = view.understanding.iter().flat_map(move |understanding| understanding.read_as(reading));
    terms.map(|term| Word { text: term.text.clone(), meaning: term.meaning.as_ref().unwrap_or(&term.text).clone() })
}

fn added(view: &JobView) -> Vec<String> {
    let terms = view.understanding.iter().flat_map(|understanding| understanding.terms());
    terms.filter(|term| term.is_added).map(|term| term.text.clone()).collect()
}

impl From<Eta> for EtaSeconds {
    fn from(eta: Eta) -> Self {
        Self { p50_seconds: eta.p50_ms as f64 / 1000.0, p90_seconds: eta.p90_ms as f64 / 1000.0 }
    }
}

fn completed_at(status: Status, ended_at: Option<Timestamp>) -> Option<i64> {
    ended_at.filter(|_| status == Status::Completed).map(|at| at.unix_seconds())
}

/// What may change in a video while it is made. The fields are those of the video.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct VideoUpdate {
    #[schema(example = "job_0190aaaabbbb7ccc8dddeeeeffff0001")]
    pub id: String,
    #[schema(example = "video")]
    pub object: &'static str,
    #[schema(example = "in_progress")]
    pub status: &'static str,
    #[schema(example = 45)]
    pub progress: u8,
    #[schema(example = 1_795_219_200)]
    pub created_at: i64,
    pub completed_at: Option<i64>,
    pub error: Option<VideoError>,
    #[schema(example = "sampling")]
    pub stage: Option<&'static str>,
    #[schema(example = 7)]
    pub step: u32,
    #[schema(example = 16)]
    pub steps: u32,
    pub eta: Option<EtaSeconds>,
    pub queue_position: Option<u64>,
    pub waiting: Option<WaitingFor>,
    #[schema(example = 1)]
    pub attempts: u32,
}

impl From<&JobUpdate> for VideoUpdate {
    fn from(update: &JobUpdate) -> Self {
        Self {
            id: update.id.to_string(),
            object: "video",
            status: update.status.as_str(),
            progress: update.progress,
            created_at: update.created_at.unix_seconds(),
            completed_at: completed_at(update.status, update.ended_at),
            error: update.failure.as_ref().map(VideoError::from),
            stage: update.stage.map(domain::Stage::as_str),
            step: update.step,
            steps: update.steps,
            eta: update.eta.ok().map(EtaSeconds::from),
            queue_position: update.queue_position,
            waiting: update.waiting.clone().map(WaitingFor::from),
            attempts: update.attempts,
        }
    }
}

/// One page of videos.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "it exists for the document; `videos::list` writes it piece by piece")]
pub struct VideoList {
    #[schema(example = "list")]
    pub object: &'static str,
    pub data: Vec<Video>,
    pub first_id: Option<String>,
    /// Pass it as `after` to get the next page.
    pub last_id: Option<String>,
    /// Whether there are videos behind this page, which may have fewer than asked for.
    pub has_more: bool,
}

/// A video that was cancelled, or had ended before.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum CancelledVideo {
    /// For who may see videos.
    Read(Box<Video>),
    /// For who may only make them.
    Unread(VideoStatus),
}

/// All that is told of a video to who may not see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct VideoStatus {
    #[schema(example = "job_0190aaaabbbb7ccc8dddeeeeffff0001")]
    pub id: String,
    #[schema(example = "video")]
    pub object: &'static str,
    /// As of a video.
    #[schema(example = "cancelled")]
    pub status: &'static str,
}

impl From<&JobView> for VideoStatus {
    fn from(view: &JobView) -> Self {
        Self { id: view.id.to_string(), object: "video", status: view.status.as_str() }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct VideoDeleted {
    #[schema(example = "job_0190aaaabbbb7ccc8dddeeeeffff0001")]
    pub id: String,
    #[schema(example = "video.deleted")]
    pub object: &'static str,
    pub deleted: bool,
}
