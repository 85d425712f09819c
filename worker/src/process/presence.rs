//! Being seen: the row that says this process is alive, from the first job it could take to its exit.

use crate::options::Options;
use domain::WorkerId;
use std::time::Duration;
use store::{Store, StoreError};

const BEAT_EVERY: Duration = Duration::from_secs(3);
const RETIRE_WITHIN: Duration = Duration::from_secs(2);

/// Registers, then gives a sign of life again and again; runs until dropped.
pub async fn be_seen(store: &Store, id: WorkerId, options: &Options) {
    loop {
        if let Err(error) = beat(store, id, options).await {
            tracing::warn!(error = &error as &dyn std::error::Error, "no sign of life could be given");
        }
        tokio::time::sleep(BEAT_EVERY).await;
    }
}

/// A sign of life; registers a worker whose row is not there, be it new or long silent.
async fn beat(store: &Store, id: WorkerId, options: &Options) -> Result<(), StoreError> {
    if !store.workers().beat(id).await? {
        store.workers().register(id, options.role.into(), &options.device.to_string()).await?;
        tracing::info!(worker.id = %id, "registered");
    }
    Ok(())
}

/// Takes the row away, if the database answers soon.
pub async fn retire(store: &Store, id: WorkerId) {
    match tokio::time::timeout(RETIRE_WITHIN, store.workers().retire(id)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(error = &error as &dyn std::error::Error, "could not retire"),
        Err(_) => tracing::warn!("could not retire in time"),
    }
}
