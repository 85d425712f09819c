//! The columns of a job that hold its lifecycle.

use crate::{
    StoreError,
    entity::{job as table, optional, signed, unsigned},
};
use domain::{Failure, JobState, Lease, Lifecycle, Stage, Timestamp, WorkerId, job::Avoided};
use sea_orm::ActiveValue::{self, NotSet, Set};

const TABLE: &str = "jobs";

/// The columns that hold a lifecycle; the inverse of [`parsed`].
pub(super) fn columns(lifecycle: &Lifecycle) -> Result<table::ActiveModel, StoreError> {
    let state = &lifecycle.state;
    let lease = state.lease().map(|(_, lease)| *lease);
    let failure = if let JobState::Failed(failure) = state { Some(failure) } else { None };
    let not_before =
        if let JobState::Retrying { not_before, .. } = state { Some(*not_before) } else { lifecycle.avoid.map(|avoid| avoid.from) };
    Ok(table::ActiveModel {
        state: Set(state.name().to_owned()),
        waits_for: Set(lifecycle.waits_for().map(|stage| stage.as_str().to_owned())),
        epoch: Set(signed(TABLE, "epoch", lifecycle.epoch)?),
        attempts: Set(signed(TABLE, "attempts", lifecycle.attempts)?),
        suspect: Set(lifecycle.suspect),
        lease_worker: Set(lease.map(|lease| lease.worker.uuid())),
        lease_expires_at_ms: Set(lease.map(|lease| lease.expires_at.ms())),
        not_before_ms: Set(not_before.map_or(0, Timestamp::ms)),
        avoid_worker: Set(lifecycle.avoid.map(|avoid| avoid.worker.uuid())),
        needs_memory_bytes: Set(lifecycle.needs_memory.map(|bytes| signed(TABLE, "needs_memory_bytes", bytes)).transpose()?),
        failure_code: Set(failure.map(|failure| failure.code.to_string())),
        failure_message: Set(failure.map(|failure| failure.message.clone())),
        // Whoever begins one says since when, and why.
        quarantined_since_ms: unless(lifecycle.quarantined),
        quarantine_reason: unless(lifecycle.quarantined),
        ..Default::default()
    })
}

/// A column that is emptied, or left as it is where it `stays`.
fn unless<T>(stays: bool) -> ActiveValue<Option<T>>
where
    Option<T>: Into<sea_orm::Value>,
{
    if stays { NotSet } else { Set(None) }
}

pub(super) fn parsed(row: &table::Model) -> Result<Lifecycle, StoreError> {
    let wrong = |column| StoreError::inconsistent(TABLE, column, &row.state);
    let lease = || match (row.lease_worker, row.lease_expires_at_ms) {
        (Some(worker), Some(ms)) => Ok(Lease { worker: WorkerId::from_uuid(worker), expires_at: Timestamp::from_ms(ms) }),
        _ => Err(wrong("lease_worker")),
    };
    let failure = || match (row.failure_code.as_deref().map(str::parse), &row.failure_message) {
        (Some(Ok(code)), Some(message)) => Ok(Failure { code, message: message.clone() }),
        _ => Err(wrong("failure_code")),
    };
    let retrying = |stage| JobState::Retrying { stage, not_before: Timestamp::from_ms(row.not_before_ms) };
    let state = match row.state.as_str() {
        "throttled" => JobState::Throttled,
        "ready" => JobState::Ready,
        "sampling" => JobState::Sampling(lease()?),
        "sampled" => JobState::Sampled,
        "decoding" => JobState::Decoding(lease()?),
        "retry_sampling" => retrying(Stage::Sampling),
        "retry_decoding" => retrying(Stage::Decoding),
        "succeeded" => JobState::Succeeded,
        "failed" => JobState::Failed(failure()?),
        "cancelled" => JobState::Cancelled,
        _ => return Err(wrong("state")),
    };
    let (epoch, attempts) = (unsigned(TABLE, "epoch", row.epoch)?, unsigned(TABLE, "attempts", row.attempts)?);
    let avoided = |id| Avoided { worker: WorkerId::from_uuid(id), from: Timestamp::from_ms(row.not_before_ms) };
    let needs_memory = optional(TABLE, "needs_memory_bytes", row.needs_memory_bytes)?;
    let (avoid, quarantined) = (row.avoid_worker.map(avoided), row.quarantined_since_ms.is_some());
    Ok(Lifecycle { state, epoch, attempts, suspect: row.suspect, avoid, needs_memory, quarantined })
}
