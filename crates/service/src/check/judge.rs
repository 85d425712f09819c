//! What may be wrong with one job, told from its row and the rows of its artifacts alone.

use super::Flaw;
use domain::{JobState, Timestamp};
use store::{ArtifactKind, CheckedArtifact, CheckedJob, Job};

/// Whoever looks for leases that ran out, looks more often than that.
const TAKEN_BACK_WITHIN_MS: i64 = 60_000;

/// Whether somebody may come and read the object: it must be there.
pub(super) const fn counts(artifact: &CheckedArtifact) -> bool {
    artifact.committed && !artifact.unneeded
}

/// Calls `found` for each flaw, with the words that name it.
pub(super) fn job(checked: &CheckedJob, now: Timestamp, mut found: impl FnMut(Flaw, String)) {
    match &checked.job {
        Err(error) => found(Flaw::RowContradictory, format!("{} ({error})", checked.id)),
        Ok(job) => {
            lease(job, now, &mut found);
            if !checked.deleted {
                results(checked, job, &mut found);
            }
            for artifact in checked.artifacts.iter().filter(|artifact| is_forgotten(artifact, checked, job)) {
                found(Flaw::GarbageForgotten, artifact.object_key.clone());
            }
        }
    }
}

fn lease(job: &Job, now: Timestamp, found: &mut impl FnMut(Flaw, String)) {
    let lease = job.lifecycle.state.lease().map(|(_, lease)| lease);
    if let Some(lease) = lease.filter(|lease| lease.expires_at.plus_ms(TAKEN_BACK_WITHIN_MS) <= now) {
        found(Flaw::LeaseForgotten, format!("{} ({})", job.id, lease.worker));
    }
}

/// A completed job has exactly one of each of its results and nothing of another kind, and any other job has none.
fn results(checked: &CheckedJob, job: &Job, found: &mut impl FnMut(Flaw, String)) {
    let completed = job.lifecycle.state == JobState::Succeeded;
    let results = ArtifactKind::results(&job.spec);
    for kind in ArtifactKind::ALL.into_iter().filter(|kind| *kind != ArtifactKind::Latents) {
        let expected = completed && results.contains(&kind);
        let committed = checked.artifacts.iter().filter(|artifact| artifact.committed && artifact.kind == kind.as_str()).count();
        let named = || format!("{} ({})", checked.id, kind.as_str());
        match committed {
            0 if expected => found(Flaw::FileMissing, named()),
            1.. if !expected => found(Flaw::ResultWithoutEnd, named()),
            2.. => found(Flaw::ResultTwice, named()),
            _ => {}
        }
    }
}

/// Nobody will read the object nor write it any more, and the garbage collection does not know.
fn is_forgotten(artifact: &CheckedArtifact, checked: &CheckedJob, job: &Job) -> bool {
    let state = &job.lifecycle.state;
    let under_way = state.lease().is_some() && i64::from(artifact.epoch) == i64::from(job.lifecycle.epoch);
    let wanted = match artifact.committed {
        true if artifact.kind == ArtifactKind::Latents.as_str() => !state.is_terminal(),
        true => true,
        false => under_way,
    };
    !artifact.unneeded && (checked.deleted || !wanted)
}
