//! A claimed job on its way to its handler.

use super::{Claimed, Permit};
use crate::{Store, in_time};

/// A claimed job and the slot it runs in, free again when this is dropped.
pub struct StageWork {
    pub claimed: Claimed,
    pub permit: Permit,
}

pub(super) async fn give_back(store: &Store, work: StageWork) {
    if let Err(error) = in_time(store.queue().give_back(&work.claimed.token)).await {
        tracing::warn!(job.id = %work.claimed.token.job, error = &error as &dyn std::error::Error, "cannot give a job back; its lease will run out");
    }
}
