//! Objects that nobody needs any more: what jobs left, and files that were deleted.

use crate::{AccessError, Services};
use domain::{Actor, Permission};
use futures::{StreamExt, stream};
use std::error::Error;

const GARBAGE_AT_ONCE: u64 = 500;
const DELETES_AT_ONCE: usize = 16;

impl Services {
    /// Removes objects that nobody needs any more, until none is left that can be removed now.
    ///
    /// # Errors
    /// [`AccessError`] when this is not `actor`'s work, or the database does not answer; an object that cannot be removed is
    /// tried again later.
    pub async fn remove_garbage(&self, actor: Actor, grace_ms: i64) -> Result<(), AccessError> {
        actor.require(Permission::Maintain)?;
        self.remove_files(grace_ms).await?;
        let queue = self.store.queue();
        loop {
            let keys = queue.garbage(grace_ms, GARBAGE_AT_ONCE).await?;
            let found = keys.len() as u64;
            if self.garbage_waits().await? {
                return Ok(());
            }
            let (gone, stuck) = self.delete_objects(keys).await;
            if self.is_away(&gone, &stuck).await {
                break;
            }
            queue.postpone_garbage(&stuck).await?;
            queue.forget_garbage(&gone).await?;
            if found < GARBAGE_AT_ONCE {
                break;
            }
        }
        Ok(queue.forget_deleted().await?)
    }

    /// The same of files of tenants.
    async fn remove_files(&self, grace_ms: i64) -> Result<(), AccessError> {
        let files = self.store.file_rows();
        loop {
            let keys = files.garbage(grace_ms, GARBAGE_AT_ONCE).await?;
            let found = keys.len() as u64;
            if self.garbage_waits().await? {
                return Ok(());
            }
            let (gone, stuck) = self.delete_objects(keys).await;
            if self.is_away(&gone, &stuck).await {
                return Ok(());
            }
            files.postpone(&stuck).await?;
            files.forget(&gone).await?;
            if found < GARBAGE_AT_ONCE {
                return Ok(());
            }
        }
    }

    /// Whether none could be removed because the object store is away.
    async fn is_away(&self, gone: &[String], stuck: &[String]) -> bool {
        if gone.is_empty()
            && !stuck.is_empty()
            && let Err(error) = self.objects.ping().await
        {
            tracing::warn!(error = &error as &dyn Error, "garbage stays while the object store is away");
            return true;
        }
        false
    }

    /// Those that are gone, and those that could not be removed.
    async fn delete_objects(&self, keys: Vec<String>) -> (Vec<String>, Vec<String>) {
        let delete = |key: String| async move {
            let deleted = self.objects.delete(&key).await;
            deleted.map(|()| key.clone()).map_err(|error| {
                tracing::warn!(object.key = key, error = &error as &dyn Error, "object stays for now");
                key
            })
        };
        let tried: Vec<_> = stream::iter(keys).map(delete).buffer_unordered(DELETES_AT_ONCE).collect().await;
        let (mut gone, mut stuck) = (Vec::new(), Vec::new());
        for key in tried {
            match key {
                Ok(key) => gone.push(key),
                Err(key) => stuck.push(key),
            }
        }
        (gone, stuck)
    }
}
