//! Why a job waits, and what the operator keeps from being begun.

use domain::{
    Eta, JobState, JobView, NoEta, Stage, Timestamp,
    job::{WaitReason, Waiting},
};
use store::{Job, Store, StoreError, queue::Throttled};

/// `None`: nothing of the operator's keeps it. One that is decoded goes on to its end.
///
/// # Errors
/// [`StoreError`] when the database does not answer.
pub(super) async fn kept_by_operator(store: &Store, job: &Job) -> Result<Option<Waiting>, StoreError> {
    if job.lifecycle.quarantined {
        return Ok(in_quarantine(job));
    }
    if matches!(job.lifecycle.state, JobState::Decoding(_)) {
        return Ok(None);
    }
    let pauses = store.pauses().await?;
    let (line, _) = job.place();
    Ok(pauses.of(line, job.tenant).map(|pause| Waiting::by_operator(WaitReason::Paused, pause.reason.as_deref())))
}

pub(super) fn in_quarantine(job: &Job) -> Option<Waiting> {
    job.lifecycle.quarantined.then(|| Waiting::by_operator(WaitReason::Held, job.quarantine_reason.as_deref()))
}

/// Why one waits that is sampled. `None`: it is not, or is being decoded.
pub(super) fn for_decoder(job: &Job) -> Option<Waiting> {
    let waits = matches!(job.lifecycle.state, JobState::Sampled | JobState::Retrying { stage: Stage::Decoding, .. });
    waits.then(|| WaitReason::Decoder.into())
}

/// Of a job that is kept nothing is foretold, and that is why it waits.
pub(super) fn tell_kept(view: &mut JobView, job: &Job, kept: Waiting) {
    view.eta = Err(NoEta::Paused);
    view.waiting = job.lifecycle.state.lease().is_none().then_some(kept);
}

/// The one reason for which a job waits.
pub(super) fn waiting(
    job: &Job,
    (throttled, cold_load): (Option<Throttled>, Option<u32>),
    eta: Result<Eta, NoEta>,
    position: u64,
    now: Timestamp,
) -> WaitReason {
    match (throttled, &job.lifecycle.state) {
        (Some(Throttled::Until(enters_at)), _) => WaitReason::ReleaseRate { enters_at: Some(enters_at) },
        (Some(Throttled::Behind), _) => WaitReason::ReleaseRate { enters_at: None },
        (Some(Throttled::AtOnce(at_once)), _) => WaitReason::Quota { at_once },
        (None, _) if eta == Err(NoEta::NoWorker) => WaitReason::NoWorker,
        (None, JobState::Retrying { not_before, .. }) if *not_before > now => {
            WaitReason::Retry { again_at: *not_before, after: job.failed_attempts.last().map(|failed| (failed.class, failed.decision)) }
        }
        (None, JobState::Retrying { stage: Stage::Decoding, .. }) => WaitReason::Decoder,
        (None, _) => match cold_load {
            Some(permille) => WaitReason::ColdLoad { permille },
            None => WaitReason::Capacity { position: position.max(1) },
        },
    }
}
