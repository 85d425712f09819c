//! What may change in a job's view while it is watched: the whole of its state without what was asked for.
//!
//! The texts of a job are long and never change, so live events leave them out. An update is complete in
//! itself: whoever missed some needs only the last.

use super::{Failure, JobView, Stage, StageTimes, Status, Waiting};
use crate::{Eta, JobId, NoEta, Timestamp, VideoTime};
use serde::{Deserialize, Serialize};

/// The fields are those of [`JobView`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobUpdate {
    pub id: JobId,
    pub revision: u64,
    pub status: Status,
    pub stage: Option<Stage>,
    pub step: u32,
    /// Denoising steps in all.
    pub steps: u32,
    pub progress: u8,
    pub queue_position: Option<u64>,
    pub waiting: Option<Waiting>,
    pub eta: Result<Eta, NoEta>,
    pub attempts: u32,
    pub preview_step: Option<u32>,
    pub failure: Option<Failure>,
    pub created_at: Timestamp,
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    pub times: Option<StageTimes>,
    /// What it was charged.
    pub charged: Option<VideoTime>,
}

impl From<JobView> for JobUpdate {
    fn from(view: JobView) -> Self {
        Self {
            id: view.id,
            revision: view.revision,
            status: view.status,
            stage: view.stage,
            step: view.step,
            steps: view.spec.steps,
            progress: view.progress,
            queue_position: view.queue_position,
            waiting: view.waiting,
            eta: view.eta,
            attempts: view.attempts,
            preview_step: view.preview_step,
            failure: view.failure,
            created_at: view.created_at,
            started_at: view.started_at,
            ended_at: view.ended_at,
            times: view.times,
            charged: view.charge.charged,
        }
    }
}

impl JobView {
    /// Takes over an update of the same job; an older one, from a line that was slow to close, changes nothing.
    /// Says whether it was taken.
    pub fn take(&mut self, update: JobUpdate) -> bool {
        if update.id != self.id || update.revision < self.revision {
            return false;
        }
        self.revision = update.revision;
        self.status = update.status;
        self.stage = update.stage;
        self.step = update.step;
        self.progress = update.progress;
        self.queue_position = update.queue_position;
        self.waiting = update.waiting;
        self.eta = update.eta;
        self.attempts = update.attempts;
        self.preview_step = update.preview_step;
        self.failure = update.failure;
        self.started_at = update.started_at;
        self.ended_at = update.ended_at;
        self.times = update.times;
        self.charge.charged = update.charged;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{JobRequest, Seed, billing::Charge, catalog::testing, job::Deadlines};
    use uuid::Uuid;

    fn view(revision: u64, step: u32) -> JobView {
        let request = JobRequest { prompt: "the sea".repeat(1000), ..JobRequest::default() };
        let (spec, quote) = request.parse(&testing::catalog(), Seed::ZERO).unwrap();
        JobView {
            id: JobId::from_uuid(Uuid::from_u128(7)),
            revision,
            quote,
            charge: Charge::default(),
            spec,
            status: Status::InProgress,
            stage: Some(Stage::Sampling),
            step,
            progress: u8::try_from(step).unwrap(),
            queue_position: None,
            waiting: None,
            eta: Err(NoEta::NotMeasured),
            attempts: 1,
            preview_step: Some(step),
            failure: None,
            failed_attempts: Vec::new(),
            remixed_from: None,
            project: None,
            created_at: Timestamp::from_ms(1),
            started_at: Some(Timestamp::from_ms(2)),
            ended_at: None,
            kept_until: None,
            deadlines: Deadlines::default(),
            fallback_model: None,
            requested_model: None,
            held: VideoTime::default(),
            times: None,
            understanding: None,
        }
    }

    #[test]
    fn a_view_that_takes_an_update_equals_the_view_it_was_made_of() {
        let (mut old, new) = (view(3, 4), view(5, 9));
        assert!(old.take(new.clone().into()));
        assert_eq!(old, new);
    }

    #[test]
    fn an_older_update_and_that_of_another_job_change_nothing() {
        let mut current = view(5, 9);
        let other = JobUpdate { id: JobId::from_uuid(Uuid::from_u128(8)), ..view(6, 10).into() };
        assert!(!current.take(view(4, 8).into()) && !current.take(other));
        assert_eq!(current, view(5, 9));
    }

    #[test]
    fn an_update_holds_no_text_of_its_job() {
        let json = serde_json::to_string(&JobUpdate::from(view(1, 2))).unwrap();
        assert!(!json.contains("the sea") && json.len() < 500, "{json}");
    }
}
