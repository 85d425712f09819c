//! Objects: videos, pictures and latents, in a local folder or in S3.

mod folder;
mod key;
mod s3;

pub use folder::FolderObjects;
pub use key::{KeyError, checked_key};
pub use s3::{S3Config, S3Objects};

use bytes::Bytes;
use futures::stream::BoxStream;
use std::{io, ops::RangeInclusive, path::PathBuf, sync::Arc};

pub type Objects = Arc<dyn ObjectStore>;

/// Where objects are kept.
#[derive(Debug, Clone)]
pub enum ObjectsConfig {
    Folder(PathBuf),
    S3(S3Config),
}

/// Opens the object store, making its folder or bucket when missing.
///
/// # Errors
/// [`ObjectError::Unavailable`] when it cannot be reached or made.
pub async fn open(config: ObjectsConfig) -> Result<Objects, ObjectError> {
    Ok(match config {
        ObjectsConfig::Folder(root) => Arc::new(FolderObjects::open(&root).await?),
        ObjectsConfig::S3(config) => Arc::new(S3Objects::open(config).await?),
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
    #[error("the object store did not answer")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// An object's bytes on their way.
pub struct ObjectStream {
    /// Of the whole object.
    pub bytes_total: u64,
    pub body: BoxStream<'static, io::Result<Bytes>>,
}

/// Whole objects, written once, read often. A put is atomic: nobody sees half an object.
#[async_trait::async_trait]
pub trait ObjectStore: Send + Sync {
    async fn put(&self, key: &str, content_type: &str, bytes: Bytes) -> Result<(), ObjectError>;

    /// The whole object, or the inclusive `range` of its bytes (its end is cut to the object's).
    async fn get(&self, key: &str, range: Option<RangeInclusive<u64>>) -> Result<ObjectStream, ObjectError>;

    /// Removes an object; one that is not there is no error.
    async fn delete(&self, key: &str) -> Result<(), ObjectError>;

    /// Answers when the store does (readiness).
    async fn ping(&self) -> Result<(), ObjectError>;
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
