//! A person's queue, and what becomes of it.

use super::{EtaSeconds, WaitingFor};
use domain::JobView;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// More than a list shows of a prompt.
const PROMPT_CHARS: usize = 200;

/// A video that waits or is being made. The fields are those of the video.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct QueuedVideo {
    #[schema(example = "job_0190aaaabbbb7ccc8dddeeeeffff0001")]
    pub id: String,
    #[schema(example = "video")]
    pub object: &'static str,
    #[schema(example = "flipbook-1")]
    pub model: String,
    #[schema(example = "queued")]
    pub status: &'static str,
    #[schema(example = 0)]
    pub progress: u8,
    #[schema(example = 1_795_219_200)]
    pub created_at: i64,
    #[schema(example = "960x540")]
    pub size: String,
    #[schema(example = "4")]
    pub seconds: String,
    /// The first 200 characters.
    #[schema(example = "a red ball bouncing on a beach")]
    pub prompt: String,
    #[schema(example = "sampling")]
    pub stage: Option<&'static str>,
    #[schema(example = 0)]
    pub step: u32,
    #[schema(example = 16)]
    pub steps: u32,
    pub eta: Option<EtaSeconds>,
    pub queue_position: Option<u64>,
    pub waiting: Option<WaitingFor>,
}

impl From<&JobView> for QueuedVideo {
    fn from(view: &JobView) -> Self {
        Self {
            id: view.id.to_string(),
            object: "video",
            model: view.spec.model.clone(),
            status: view.status.as_str(),
            progress: view.progress,
            created_at: view.created_at.unix_seconds(),
            size: view.spec.size.to_string(),
            seconds: view.spec.duration.to_string(),
            prompt: view.spec.prompt.chars().take(PROMPT_CHARS).collect(),
            stage: view.stage.map(domain::Stage::as_str),
            step: view.step,
            steps: view.spec.steps,
            eta: view.eta.ok().map(EtaSeconds::from),
            queue_position: view.queue_position,
            waiting: view.waiting.clone().map(WaitingFor::from),
        }
    }
}

/// One page of what waits or is being made.
#[derive(Debug, Serialize, ToSchema)]
pub struct QueueList {
    #[schema(example = "list")]
    pub object: &'static str,
    pub data: Vec<QueuedVideo>,
    pub first_id: Option<String>,
    /// Pass it as `after` to get the next page.
    pub last_id: Option<String>,
    /// Whether there are videos behind this page.
    pub has_more: bool,
}

/// Where a video goes among the videos of the same person and model that wait: `to` or `before`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveVideo {
    /// `front`: in front of all of them; `up`: in front of the one before it.
    #[schema(example = "front")]
    pub to: Option<String>,
    /// The id of the video in front of which it goes.
    pub before: Option<String>,
}

/// Which videos are cancelled.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CancelQueue {
    /// Those of this model; all unless given.
    #[schema(example = "flipbook-1")]
    pub model: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct QueueCancelled {
    #[schema(example = "queue.cancelled")]
    pub object: &'static str,
    /// How many videos were cancelled.
    #[schema(example = 12)]
    pub cancelled: u64,
    /// Whether some still wait, for which there was no time: ask again.
    pub has_more: bool,
}
