//! What may be shown of a job: the one shape that pages, live events and the public API are made from.

#[cfg(not(target_family = "wasm"))]
use super::{Deadlines, ToldFailure};
use super::{Failure, Stage, Waiting};
#[cfg(not(target_family = "wasm"))]
use crate::VideoTime;
use crate::{Eta, JobId, JobSpec, NoEta, ProjectId, Quote, Timestamp, billing::Charge, catalog::Understanding};
use serde::{Deserialize, Serialize};

/// A job's state as its owner sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Queued,
    InProgress,
    Completed,
    Failed,
    Cancelled,
}

impl Status {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    #[must_use]
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }
}

/// How long a job waited and worked, in milliseconds: of one that has ended, together as long as it took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct StageTimes {
    /// For a worker, and in attempts that came to nothing.
    pub waited_ms: u64,
    pub sampling_ms: u64,
    /// For a decoder, once it was sampled; of one that has ended, and not while it was decoded.
    pub decoder_wait_ms: u64,
    pub decoding_ms: u64,
    /// For a decoder, and decoding since a moment that is not known: of one that ended unmade while it was decoded.
    #[serde(default)]
    pub at_decoder_ms: u64,
}

impl StageTimes {
    /// Of a job that took so long in all: what is neither work nor went by at a decoder was waited before. `None`: it goes on.
    #[must_use]
    pub fn of_total(self, total_ms: Option<u64>) -> Self {
        let Some(total_ms) = total_ms else { return self };
        let idle_ms = total_ms.saturating_sub(self.sampling_ms.saturating_add(self.decoding_ms));
        let decoder_wait_ms = self.decoder_wait_ms.min(idle_ms);
        let at_decoder_ms = self.at_decoder_ms.min(idle_ms - decoder_wait_ms);
        Self { waited_ms: idle_ms - decoder_wait_ms - at_decoder_ms, decoder_wait_ms, at_decoder_ms, ..self }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobView {
    pub id: JobId,
    /// Grows with every change; the id of its live events.
    pub revision: u64,
    pub spec: JobSpec,
    pub quote: Quote,
    /// In the browser no more than what it was charged, once that is known.
    #[cfg_attr(target_family = "wasm", serde(skip))]
    pub charge: Charge,
    pub status: Status,
    /// The stage that is running, or that ran last before the job waited again.
    pub stage: Option<Stage>,
    /// Denoising steps done, of `spec.steps`.
    pub step: u32,
    /// 0 to 100 over all stages, each as long as it takes.
    pub progress: u8,
    /// 1 is next; only while waiting.
    pub queue_position: Option<u64>,
    /// Why it waits; only while it does, and where that is known.
    pub waiting: Option<Waiting>,
    /// When it will be finished; absent rather than guessed.
    pub eta: Result<Eta, NoEta>,
    pub attempts: u32,
    /// The step that the newest preview shows.
    pub preview_step: Option<u32>,
    pub failure: Option<Failure>,
    /// What failed on the way, the newest last; the browser is not told.
    #[cfg(not(target_family = "wasm"))]
    #[serde(skip)]
    pub failed_attempts: Vec<ToldFailure>,
    pub remixed_from: Option<JobId>,
    /// In which it was made. `None`: in the browser, which is not told.
    #[cfg_attr(target_family = "wasm", serde(skip))]
    pub project: Option<ProjectId>,
    pub created_at: Timestamp,
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    /// When it is deleted, by the plan as it is now. `None`: never, or not before it has ended.
    #[cfg_attr(target_family = "wasm", serde(skip))]
    pub kept_until: Option<Timestamp>,
    /// The browser is not told.
    #[cfg(not(target_family = "wasm"))]
    #[serde(skip)]
    pub deadlines: Deadlines,
    /// The other model that its request allowed. The browser is not told.
    #[cfg(not(target_family = "wasm"))]
    #[serde(skip)]
    pub fallback_model: Option<String>,
    /// The model that was asked for, where the other one makes it. The browser is not told.
    #[cfg(not(target_family = "wasm"))]
    #[serde(skip)]
    pub requested_model: Option<String>,
    /// The most that it can cost: the dearer of the models that may make it. The browser is not told.
    #[cfg(not(target_family = "wasm"))]
    #[serde(skip)]
    pub held: VideoTime,
    pub times: Option<StageTimes>,
    /// How its prompt was read when it was taken in, where that is known.
    #[cfg_attr(target_family = "wasm", serde(skip))]
    pub understanding: Option<Understanding>,
}

impl JobView {
    /// Whether it was made though nothing of its prompt was understood.
    #[must_use]
    pub fn is_forced(&self) -> bool {
        self.understanding.as_ref().is_some_and(Understanding::is_nothing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_job_waited_and_worked_is_together_as_long_as_it_took() {
        let times = StageTimes { waited_ms: 0, sampling_ms: 400, decoder_wait_ms: 4600, decoding_ms: 1800, at_decoder_ms: 0 };
        let waits = |total_ms| {
            let StageTimes { waited_ms, decoder_wait_ms, .. } = times.of_total(total_ms);
            (waited_ms, decoder_wait_ms)
        };
        // It goes on; as it was; by a clock that was put back; in less than it worked.
        assert_eq!([None, Some(6900), Some(3000), Some(1000)].map(waits), [(0, 4600), (100, 4600), (0, 800), (0, 0)]);
        let broken_off = StageTimes { decoder_wait_ms: 0, decoding_ms: 0, at_decoder_ms: 2600, ..times };
        let told = [3100, 2000].map(|total_ms| broken_off.of_total(Some(total_ms))).map(|times| (times.waited_ms, times.at_decoder_ms));
        assert_eq!(told, [(100, 2600), (0, 1600)]);
    }
}
