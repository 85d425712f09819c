//! Why the operator keeps a job from being begun, and why one that was begun waits.

use domain::{
    JobState, JobView, NoEta, Stage,
    job::{WaitReason, Waiting},
};
use store::{Job, Store, StoreError};

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
