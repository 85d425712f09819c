//! Objects that nobody needs any more, and the rows of deleted jobs.

use crate::{Store, StoreError, batches, rows::artifacts};

impl Store {
    /// Whether any job has an object that is still needed, or any tenant a file.
    pub(crate) async fn has_objects(&self) -> Result<bool, StoreError> {
        Ok(artifacts::is_any_needed(&self.db).await? || batches::is_any_stored(self).await?)
    }
}

pub(super) async fn garbage(store: &Store, grace_ms: i64, limit: u64) -> Result<Vec<String>, StoreError> {
    let now = store.now().await?;
    artifacts::garbage(&store.db, now, now.plus_ms(-grace_ms).ms(), limit).await
}

pub(super) async fn postpone(store: &Store, object_keys: &[String]) -> Result<(), StoreError> {
    if object_keys.is_empty() {
        return Ok(());
    }
    let write = store.write().await?;
    artifacts::postpone(&write, object_keys).await?;
    write.commit().await
}

/// Not with the rows of jobs, so that no other can wait for the rows of one table while holding those of the other.
pub(super) async fn forget(store: &Store, object_keys: &[String]) -> Result<(), StoreError> {
    if object_keys.is_empty() {
        return Ok(());
    }
    let write = store.write().await?;
    artifacts::forget(&write, object_keys).await?;
    write.commit().await
}
