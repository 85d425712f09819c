//! Objects that arrive piece by piece, in as much memory as a few pieces take.

use super::ObjectError;
use bytes::Bytes;

/// An object on its way. Nobody sees it before it is finished; dropped before that, it never was, and what was stored of it is removed.
#[async_trait::async_trait]
pub trait ObjectUpload: Send {
    /// # Errors
    /// [`ObjectError`]; the upload is to be dropped then.
    async fn write(&mut self, piece: Bytes) -> Result<(), ObjectError>;

    /// Makes the object whole. As with a put, it outlives a power cut then.
    ///
    /// # Errors
    /// [`ObjectError`]; nothing was stored.
    async fn finish(self: Box<Self>) -> Result<(), ObjectError>;
}
