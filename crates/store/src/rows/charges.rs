//! What a job that ends is charged, and what it leaves in the books.

use crate::{
    Job,
    billing::{Ended, Outcome, UsageOf},
};
use domain::{
    JobState, VideoTime,
    billing::{End, Lane, charge},
    scheduling::Done,
};

/// Of a job that moves to `next`, which is an end. For one that was taken in before there was a ledger nothing is held.
pub(super) fn charged(job: &Job, next: &JobState) -> VideoTime {
    if job.charge.plan.is_none() {
        return VideoTime::default();
    }
    let end = match next {
        JobState::Succeeded => End::Succeeded,
        JobState::Cancelled => {
            let Done { step, steps, decoded_permille, .. } = job.done();
            End::Cancelled { step, steps, decoded_permille }
        }
        _ => End::Failed,
    };
    charge(job.quote.billed, end)
}

/// Of a job that has ended.
pub(super) fn ended(job: &Job, charged: VideoTime) -> Ended {
    let (outcome, note) = match &job.lifecycle.state {
        JobState::Failed(failure) => (Outcome::Failed, failure.code.to_string()),
        JobState::Cancelled => (Outcome::Cancelled, "cancelled".to_owned()),
        state => (Outcome::Succeeded, state.name().to_owned()),
    };
    let usage = UsageOf {
        model: job.spec.model.clone(),
        project: job.project,
        api_key: job.api_key,
        user: job.user,
        lane: job.charge.lane.unwrap_or(Lane::Interactive),
        outcome,
        cost: job.charge.money(),
    };
    Ended { job: job.id, billed: job.held, charged, note, usage }
}
