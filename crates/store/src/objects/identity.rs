//! Which object store belongs to this database.
//!
//! A folder whose file system is not mounted looks like an empty store: everything in it would count as lost. So
//! each store carries a marker with an id that the database knows, and one without it is away, not empty.

use super::{Listed, ObjectError, ObjectStore, ObjectStream, ObjectUpload, Room};
use crate::{Store, StoreError, chance};
use bytes::Bytes;
use futures::stream::BoxStream;
use std::{
    ops::RangeInclusive,
    sync::atomic::{AtomicBool, Ordering},
};
use tokio::sync::OnceCell;

/// The marker's name; no object key begins with a dot.
pub(super) const MARKER: &str = ".reelmill-store";
/// The setting by which a database knows its object store.
pub const OBJECT_STORE_SETTING: &str = "object_store";

/// A place that may or may not be the store we know.
#[async_trait::async_trait]
pub(super) trait Place: ObjectStore {
    /// Where it is, for messages.
    fn address(&self) -> String;

    /// Whether another store can appear in this place while we run, as in a folder.
    fn can_be_swapped(&self) -> bool;

    async fn marker(&self) -> Result<Option<String>, ObjectError>;

    /// Only while there is no marker, and no other process of this database writes one.
    async fn mark(&self, id: &str) -> Result<(), ObjectError>;

    /// In place of the marker that is there.
    async fn mark_anew(&self, id: &str) -> Result<(), ObjectError>;

    async fn is_empty(&self) -> Result<bool, ObjectError>;
}

/// What lies in the place is not what this database's objects were put into.
#[derive(Debug, thiserror::Error)]
#[error(
    "{address} is not this database's object store: it should hold the id {expected} in {MARKER}, and {}. Is it \
     mounted? To go on with it all the same, write that id there", found.as_deref().map_or("holds none".into(), |id| format!("holds {id}"))
)]
pub struct WrongStore {
    pub address: String,
    pub expected: String,
    pub found: Option<String>,
}

/// An object store that is asked for its marker wherever a wrong one would do harm.
pub(super) struct Identified<P> {
    place: P,
    store: Store,
    expected: OnceCell<String>,
    is_right: AtomicBool,
}

impl<P: Place> Identified<P> {
    pub(super) fn new(place: P, store: Store) -> Self {
        Self { place, store, expected: OnceCell::new(), is_right: AtomicBool::new(false) }
    }

    async fn check(&self) -> Result<(), ObjectError> {
        if self.is_right.load(Ordering::Relaxed) && !self.place.can_be_swapped() {
            return Ok(());
        }
        let expected = self.expected.get_or_try_init(|| self.settle()).await?;
        // A mount point without its file system may be closed to us.
        let found = match self.place.marker().await {
            Err(ObjectError::Denied(cause)) if self.place.can_be_swapped() => return Err(ObjectError::Unavailable(cause)),
            found => found?,
        };
        if found.as_ref() == Some(&restoring(expected)) {
            // A database comes back after all of its objects: this is its first use.
            self.place.mark_anew(expected).await?;
        } else if found.as_ref() != Some(expected) {
            return Err(self.wrong(expected.clone(), found));
        }
        self.is_right.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// The id that the database knows. Where it knows none, it takes the store as it is found, and marks it if
    /// need be; but not an empty one while there are rows of objects.
    async fn settle(&self) -> Result<String, ObjectError> {
        let has_objects = self.store.has_objects().await?;
        let proposal = async {
            if let Some(marker) = self.place.marker().await? {
                return Ok(marker);
            }
            let fresh = chance::new_name().to_string();
            if !has_objects || !self.place.is_empty().await? {
                self.place.mark(&fresh).await?;
            }
            Ok(fresh)
        };
        self.store.settings().settle_alone(OBJECT_STORE_SETTING, proposal).await
    }

    fn wrong(&self, expected: String, found: Option<String>) -> ObjectError {
        ObjectError::Unavailable(Box::new(WrongStore { address: self.place.address(), expected, found }))
    }
}

/// Marks a place for the objects of a backup, whose database comes later: one that holds nothing, or what an earlier try has put there. With
/// `keeps_objects` also the store that the backup's database knew. `false`: it holds something else.
pub(super) async fn for_restore<P: Place>(place: &P, id: &str, keeps_objects: bool) -> Result<bool, ObjectError> {
    match place.marker().await? {
        // A store in use is not that of a drill, whose database knows it by the same id.
        Some(marker) => return Ok(marker == restoring(id) || (keeps_objects && marker == id)),
        None if !place.is_empty().await? => return Ok(false),
        None => place.mark(&restoring(id)).await?,
    }
    Ok(true)
}

/// The marker of a place whose objects are there, in part or as a whole, and whose database has not been used.
fn restoring(id: &str) -> String {
    format!("restoring-{id}")
}

impl From<StoreError> for ObjectError {
    fn from(error: StoreError) -> Self {
        Self::Unavailable(Box::new(error))
    }
}

#[async_trait::async_trait]
impl<P: Place> ObjectStore for Identified<P> {
    async fn put(&self, key: &str, content_type: &str, bytes: Bytes) -> Result<(), ObjectError> {
        super::checked_key(key)?;
        self.check().await?;
        self.place.put(key, content_type, bytes).await
    }

    async fn begin(&self, key: &str, content_type: &str) -> Result<Box<dyn ObjectUpload>, ObjectError> {
        super::checked_key(key)?;
        self.check().await?;
        self.place.begin(key, content_type).await
    }

    /// What is missing from a wrong store may well be in the right one.
    async fn get(&self, key: &str, range: Option<RangeInclusive<u64>>) -> Result<ObjectStream, ObjectError> {
        match self.place.get(key, range).await {
            Err(missing @ (ObjectError::NotFound { .. } | ObjectError::Denied(_))) => {
                // Whoever answers in its place may say so as well.
                self.is_right.store(false, Ordering::Relaxed);
                self.check().await.and(Err(missing))
            }
            answer => answer,
        }
    }

    async fn delete(&self, key: &str) -> Result<(), ObjectError> {
        super::checked_key(key)?;
        self.check().await?;
        self.place.delete(key).await
    }

    fn list(&self) -> BoxStream<'static, Result<Listed, ObjectError>> {
        self.place.list()
    }

    async fn ping(&self) -> Result<(), ObjectError> {
        self.place.ping().await?;
        // Reading the marker anew also shows that objects can be read.
        self.is_right.store(false, Ordering::Relaxed);
        self.check().await
    }

    async fn room(&self) -> Result<Option<Room>, ObjectError> {
        self.place.room().await
    }

    async fn sweep(&self) -> Result<u64, ObjectError> {
        self.check().await?;
        self.place.sweep().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::{StreamExt, stream};

    /// As with credentials that were taken back, or at a mount point whose file system is gone.
    struct Closed {
        can_be_swapped: bool,
    }

    fn denied<T>() -> Result<T, ObjectError> {
        Err(ObjectError::Denied("no".into()))
    }

    #[async_trait::async_trait]
    impl ObjectStore for Closed {
        async fn put(&self, _: &str, _: &str, _: Bytes) -> Result<(), ObjectError> {
            denied()
        }

        async fn begin(&self, _: &str, _: &str) -> Result<Box<dyn ObjectUpload>, ObjectError> {
            denied()
        }

        async fn get(&self, _: &str, _: Option<RangeInclusive<u64>>) -> Result<ObjectStream, ObjectError> {
            denied()
        }

        async fn delete(&self, _: &str) -> Result<(), ObjectError> {
            denied()
        }

        fn list(&self) -> BoxStream<'static, Result<Listed, ObjectError>> {
            stream::empty().boxed()
        }

        async fn ping(&self) -> Result<(), ObjectError> {
            denied()
        }
    }

    #[async_trait::async_trait]
    impl Place for Closed {
        fn address(&self) -> String {
            "closed".into()
        }

        fn can_be_swapped(&self) -> bool {
            self.can_be_swapped
        }

        async fn marker(&self) -> Result<Option<String>, ObjectError> {
            denied()
        }

        async fn mark(&self, _: &str) -> Result<(), ObjectError> {
            denied()
        }

        async fn mark_anew(&self, _: &str) -> Result<(), ObjectError> {
            denied()
        }

        async fn is_empty(&self) -> Result<bool, ObjectError> {
            denied()
        }
    }

    #[tokio::test]
    async fn a_refusal_is_an_outage_only_where_the_store_may_come_back() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&format!("sqlite://{}", folder.path().join("db").display()), None).await.unwrap();
        store.migrate().await.unwrap();
        store.settings().settle(OBJECT_STORE_SETTING, "ours").await.unwrap();
        for can_be_swapped in [false, true] {
            let objects = Identified::new(Closed { can_be_swapped }, store.clone());
            let refused = [objects.get("a", None).await.map(drop), objects.put("a", "video/mp4", Bytes::new()).await];
            for refusal in refused {
                assert_eq!(matches!(refusal, Err(ObjectError::Denied(_))), !can_be_swapped, "{refusal:?}");
                assert_eq!(matches!(refusal, Err(ObjectError::Unavailable(_))), can_be_swapped, "{refusal:?}");
            }
        }
    }
}
