//! Uploads to S3 piece by piece: parts of one size, of which one is in memory at a time. What fits into one part is a simple put.

use super::{
    super::{ObjectError, ObjectStore, ObjectUpload},
    S3Objects, failed, never_missing,
};
use crate::clock;
use aws_sdk_s3::{
    error::ProvideErrorMetadata,
    primitives::ByteStream,
    types::{CompletedMultipartUpload, CompletedPart, MultipartUpload},
};
use bytes::{Bytes, BytesMut};
use std::time::{Duration, SystemTime};

/// The least that S3 takes for a part that is not the last one.
const PART_BYTES: usize = 5 * 1024 * 1024;
/// No upload takes so long.
const OLD: Duration = Duration::from_secs(24 * 60 * 60);

pub struct S3Upload {
    store: S3Objects,
    key: String,
    content_type: String,
    /// Of the part that is being filled.
    buffer: BytesMut,
    /// `None`: no part was sent yet.
    begun: Option<Begun>,
}

/// Ended by the store when this is dropped before it is whole.
struct Begun {
    store: S3Objects,
    key: String,
    id: String,
    parts: Vec<CompletedPart>,
    is_whole: bool,
}

impl S3Upload {
    pub fn new(store: S3Objects, key: String, content_type: String) -> Self {
        Self { store, key, content_type, buffer: BytesMut::new(), begun: None }
    }

    async fn send(&mut self, part: Bytes) -> Result<(), ObjectError> {
        if self.begun.is_none() {
            let create = self.store.client.create_multipart_upload().bucket(&self.store.bucket).key(&self.key);
            let created = create.content_type(&self.content_type).send().await.map_err(|error| never_missing(&self.key, error))?;
            let id = created.upload_id().unwrap_or_default().to_owned();
            self.begun = Some(Begun { store: self.store.clone(), key: self.key.clone(), id, parts: Vec::new(), is_whole: false });
        }
        let Some(begun) = &mut self.begun else { return Ok(()) };
        let number = i32::try_from(begun.parts.len() + 1).map_err(|_| ObjectError::TooLarge)?;
        let upload = self.store.client.upload_part().bucket(&self.store.bucket).key(&self.key).upload_id(&begun.id).part_number(number);
        let sent = upload.body(ByteStream::from(part)).send().await.map_err(|error| never_missing(&self.key, error))?;
        begun.parts.push(CompletedPart::builder().part_number(number).set_e_tag(sent.e_tag().map(ToOwned::to_owned)).build());
        Ok(())
    }
}

#[async_trait::async_trait]
impl ObjectUpload for S3Upload {
    async fn write(&mut self, mut piece: Bytes) -> Result<(), ObjectError> {
        while !piece.is_empty() {
            // What fits into one part takes no more than it has; of the parts of a larger one each takes what it will.
            if self.begun.is_some() && self.buffer.capacity() == 0 {
                self.buffer.reserve(PART_BYTES);
            } else if self.buffer.len() + piece.len() > PART_BYTES / 4 && self.buffer.capacity() < PART_BYTES {
                self.buffer.reserve(PART_BYTES - self.buffer.len());
            }
            let room = PART_BYTES - self.buffer.len();
            self.buffer.extend_from_slice(&piece.split_to(room.min(piece.len())));
            if self.buffer.len() == PART_BYTES {
                let part = std::mem::take(&mut self.buffer).freeze();
                self.send(part).await?;
            }
        }
        Ok(())
    }

    async fn finish(mut self: Box<Self>) -> Result<(), ObjectError> {
        let last = std::mem::take(&mut self.buffer).freeze();
        if self.begun.is_none() {
            return self.store.put(&self.key, &self.content_type, last).await;
        }
        if !last.is_empty() {
            self.send(last).await?;
        }
        let Some(mut begun) = self.begun.take() else { return Ok(()) };
        let parts = CompletedMultipartUpload::builder().set_parts(Some(std::mem::take(&mut begun.parts))).build();
        let complete = self.store.client.complete_multipart_upload().bucket(&self.store.bucket).key(&self.key).upload_id(&begun.id);
        complete.multipart_upload(parts).send().await.map_err(|error| never_missing(&self.key, error))?;
        begun.is_whole = true;
        Ok(())
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        let (store, key, id) = (self.store.clone(), self.key.clone(), self.id.clone());
        if let (false, Ok(runtime)) = (self.is_whole, tokio::runtime::Handle::try_current()) {
            runtime.spawn(async move {
                if let Err(error) = store.abort(&key, &id).await {
                    tracing::warn!(object.key = key, error = &error as &dyn std::error::Error, "parts of a broken upload stay for now");
                }
            });
        }
    }
}

impl S3Objects {
    async fn abort(&self, key: &str, id: &str) -> Result<(), ObjectError> {
        let aborted = self.client.abort_multipart_upload().bucket(&self.bucket).key(key).upload_id(id).send().await;
        match aborted.map_err(|error| failed(key, error)) {
            Err(ObjectError::NotFound { .. }) | Ok(_) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Ends uploads that were begun long ago by processes that are gone, as many as one look shows. A store that keeps no list of them has
    /// rules of its own for what is left.
    pub async fn abort_old(&self) -> Result<u64, ObjectError> {
        let listed = match self.client.list_multipart_uploads().bucket(&self.bucket).send().await {
            Err(error) if error.code() == Some("NotImplemented") => return Ok(0),
            listed => listed.map_err(|error| never_missing(&self.bucket, error))?,
        };
        let mut aborted = 0;
        for upload in listed.uploads().iter().filter(|upload| is_old(upload)) {
            if let (Some(key), Some(id)) = (upload.key(), upload.upload_id()) {
                self.abort(key, id).await?;
                aborted += 1;
            }
        }
        Ok(aborted)
    }
}

fn is_old(upload: &MultipartUpload) -> bool {
    let begun = upload.initiated().and_then(|moment| SystemTime::try_from(*moment).ok());
    begun.is_some_and(|begun| clock::system_time().duration_since(begun).is_ok_and(|age| age > OLD))
}
