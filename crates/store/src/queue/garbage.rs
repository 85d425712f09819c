//! Objects that nobody needs any more, and the rows of deleted jobs.

use crate::{
    Store, StoreError,
    rows::{artifacts, jobs},
};

pub(super) async fn garbage(store: &Store, grace_ms: i64, limit: u64) -> Result<Vec<String>, StoreError> {
    let ended_before_ms = store.now().await?.plus_ms(-grace_ms).ms();
    artifacts::garbage(&store.db, ended_before_ms, limit).await
}

/// Two transactions, so that no other can wait for the rows of one table while holding those of the other.
pub(super) async fn forget(store: &Store, object_keys: &[String]) -> Result<(), StoreError> {
    if !object_keys.is_empty() {
        let write = store.write().await?;
        artifacts::forget(&write, object_keys).await?;
        write.commit().await?;
    }
    jobs::forget_deleted(store).await
}
