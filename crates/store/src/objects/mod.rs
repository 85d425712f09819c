//! Objects: videos, pictures and latents, in a local folder or in S3.

mod folder;
mod identity;
mod key;
mod leftovers;
mod room;
mod s3;
mod upload;
mod walk;

pub use identity::{OBJECT_STORE_SETTING, WrongStore};
pub use key::{KeyError, checked_key};
pub use room::Room;
pub use s3::S3Config;
pub use upload::ObjectUpload;

use crate::Store;
use bytes::Bytes;
use folder::FolderObjects;
use futures::stream::BoxStream;
use identity::Identified;
use s3::S3Objects;
use std::{io, ops::RangeInclusive, path::PathBuf, sync::Arc, time::SystemTime};

pub type Objects = Arc<dyn ObjectStore>;

/// Where objects are kept.
#[derive(Debug, Clone)]
pub enum ObjectsConfig {
    Folder(PathBuf),
    S3(S3Config),
}

/// Opens the object store of `store`, making its folder or bucket when missing. Whether it is the one that the
/// database knows is looked at with the first use.
///
/// # Errors
/// [`ObjectError::Unavailable`] when it cannot be reached or made, [`ObjectError::Denied`] when it refuses us.
pub async fn open(config: ObjectsConfig, store: &Store) -> Result<Objects, ObjectError> {
    Ok(match config {
        ObjectsConfig::Folder(root) => Arc::new(Identified::new(FolderObjects::open(&root).await?, store.clone())),
        ObjectsConfig::S3(config) => Arc::new(Identified::new(S3Objects::open(config).await?, store.clone())),
    })
}

/// Opens a place for the objects of a backup whose database knows its object store by `id`: one that holds nothing, or, with `keeps_objects`, that store
/// itself. `None`: something else lies there.
///
/// # Errors
/// As [`open`].
pub async fn open_for_restore(config: ObjectsConfig, id: &str, keeps_objects: bool) -> Result<Option<Objects>, ObjectError> {
    Ok(match config {
        ObjectsConfig::Folder(root) => {
            let place = FolderObjects::open(&root).await?;
            identity::for_restore(&place, id, keeps_objects).await?.then(|| Arc::new(place) as Objects)
        }
        ObjectsConfig::S3(config) => {
            let place = S3Objects::open(config).await?;
            identity::for_restore(&place, id, keeps_objects).await?.then(|| Arc::new(place) as Objects)
        }
    })
}

#[derive(Debug, thiserror::Error)]
pub enum ObjectError {
    #[error(transparent)]
    Key(#[from] KeyError),
    #[error("there is no object {key}")]
    NotFound { key: String },
    #[error("the range does not lie within the object's {bytes} bytes")]
    RangeNotSatisfiable { bytes: u64 },
    /// The disk is full or the quota used up: try later, nothing was stored.
    #[error("there is no room left in the object store")]
    Full,
    /// Larger than the store takes any object: it will not fit later either.
    #[error("the object is larger than the object store takes")]
    TooLarge,
    /// Wrong credentials, missing rights, no valid bucket: somebody has to change something.
    #[error("the object store refuses us")]
    Denied(#[source] Cause),
    /// Away for now, or not the store that this database knows.
    #[error("the object store did not answer")]
    Unavailable(#[source] Cause),
}

type Cause = Box<dyn std::error::Error + Send + Sync>;

impl ObjectError {
    /// Whether something answers that is not our store.
    #[must_use]
    pub fn is_of_wrong_store(&self) -> bool {
        matches!(self, Self::Unavailable(cause) if cause.is::<WrongStore>())
    }
}

/// An object's bytes on their way.
pub struct ObjectStream {
    /// Of the whole object.
    pub bytes_total: u64,
    pub body: BoxStream<'static, io::Result<Bytes>>,
}

/// Something that lies in the object store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// A key; or, below a folder, the path of a temporary file, which no key can be.
    pub key: String,
    pub bytes: u64,
    pub modified: SystemTime,
}

/// Whole objects, written once, read often. A put is atomic: nobody sees half an object.
#[async_trait::async_trait]
pub trait ObjectStore: Send + Sync {
    async fn put(&self, key: &str, content_type: &str, bytes: Bytes) -> Result<(), ObjectError>;

    /// Begins an object that is put piece by piece.
    async fn begin(&self, key: &str, content_type: &str) -> Result<Box<dyn ObjectUpload>, ObjectError>;

    /// The whole object, or the inclusive `range` of its bytes (its end is cut to the object's).
    async fn get(&self, key: &str, range: Option<RangeInclusive<u64>>) -> Result<ObjectStream, ObjectError>;

    /// Removes an object; one that is not there is no error.
    async fn delete(&self, key: &str) -> Result<(), ObjectError>;

    /// All that lies there, in no order; what comes or goes meanwhile may be missing.
    fn list(&self) -> BoxStream<'static, Result<Listed, ObjectError>>;

    /// Answers when the store does, and is ours (readiness).
    async fn ping(&self) -> Result<(), ObjectError>;

    /// How much room there is. `None`: it has none of its own, as in S3.
    async fn room(&self) -> Result<Option<Room>, ObjectError> {
        Ok(None)
    }

    /// Goes on with the search for what broken uploads left behind, a little at a time. Returns how many were
    /// removed. Where a put is one request that is kept or not, there is nothing to find.
    async fn sweep(&self) -> Result<u64, ObjectError> {
        Ok(0)
    }
}

/// First byte and number of bytes of `range` in an object of `bytes_total`.
fn span(range: Option<RangeInclusive<u64>>, bytes_total: u64) -> Result<(u64, u64), ObjectError> {
    let Some(range) = range else { return Ok((0, bytes_total)) };
    let (start, end) = range.into_inner();
    if start >= bytes_total || end < start {
        return Err(ObjectError::RangeNotSatisfiable { bytes: bytes_total });
    }
    Ok((start, end.min(bytes_total - 1) - start + 1))
}
