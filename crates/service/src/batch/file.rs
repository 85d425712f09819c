//! Files of a tenant: put piece by piece, listed, fetched and deleted.
//!
//! The row is there before the first byte. An upload that breaks off, wherever it does, is given up when it is dropped, or after an hour in which
//! nothing arrived; what was stored of it goes with the garbage.

use crate::{AccessError, Services};
use domain::{
    Actor, FileId, Forbidden, Permission, TenantId,
    batch::{self, FILE_BYTES_MAX, FileExpiry, FilePurpose, file_name},
};
use store::{
    File, FileDeletion, FileOwner, FilePage, FileQuery, FileTerms, StoreError, WrittenFile,
    objects::{ObjectError, ObjectStream, ObjectUpload},
};

/// The most files of one tenant.
pub const FILES_MAX: u64 = 10_000;
/// After so many bytes more it is noted how far an upload has come.
const NOTED_EVERY: u64 = 8 * 1024 * 1024;
const CONTENT_TYPE: &str = "application/octet-stream";

/// What is told of a file when all of it has arrived.
#[derive(Debug, Clone)]
pub struct NewFile {
    pub name: String,
    pub purpose: FilePurpose,
    pub expiry: FileExpiry,
}

/// A file and its bytes on their way.
pub struct FileContent {
    pub file: File,
    pub stream: ObjectStream,
}

#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error(transparent)]
    Terms(#[from] batch::FileError),
    #[error("A file has at most {} MiB.", FILE_BYTES_MAX >> 20)]
    TooLarge,
    #[error("Your files may take {} bytes together: there is no room for this one. Delete some.", domain::grouped(*.max))]
    NoRoom { max: u64 },
    #[error("You have {FILES_MAX} files already. Delete some.")]
    TooMany,
    /// Nothing of it arrived for long.
    #[error("The upload was given up because it took too long.")]
    GivenUp,
    #[error("A batch that has not ended reads this file. Wait for its end, or cancel it.")]
    InUse,
    #[error(transparent)]
    Object(#[from] ObjectError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A file on its way in. Dropped before it is finished, it never was.
pub struct FileUpload {
    services: Services,
    tenant: TenantId,
    id: FileId,
    upload: Option<Box<dyn ObjectUpload>>,
    bytes: u64,
    noted: u64,
    /// `None`: whatever it takes.
    bytes_max: Option<u64>,
}

impl Services {
    /// Begins a file; [`FileUpload::write`] takes its pieces.
    ///
    /// # Errors
    /// [`FileError`]; nothing was stored.
    pub async fn begin_file(&self, actor: Actor) -> Result<FileUpload, FileError> {
        let member = actor.require_membership(Permission::SubmitJobs)?;
        let used = self.store.tenant(member.tenant).files().used().await?;
        if used.files >= FILES_MAX {
            return Err(FileError::TooMany);
        }
        if used.bytes >= self.files_max {
            return Err(FileError::NoRoom { max: self.files_max });
        }
        let owner = FileOwner { user: member.user, api_key: actor.key(), project: actor.project() };
        FileUpload::begin(self, member.tenant, owner, Some(FILE_BYTES_MAX)).await
    }

    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn file(&self, actor: Actor, id: FileId) -> Result<Option<File>, AccessError> {
        Ok(self.tenant_of(actor, Permission::ReadJobs)?.files().get(id).await?)
    }

    /// # Errors
    /// [`AccessError`] when `actor` may not see them, or the database does not answer.
    pub async fn files(&self, actor: Actor, query: FileQuery) -> Result<FilePage, AccessError> {
        Ok(self.tenant_of(actor, Permission::ReadJobs)?.files().list(query).await?)
    }

    /// `None`: no such file.
    ///
    /// # Errors
    /// [`FileError`], also when the object store does not answer.
    pub async fn file_content(&self, actor: Actor, id: FileId) -> Result<Option<FileContent>, FileError> {
        let files = self.tenant_of(actor, Permission::ReadJobs)?.files();
        let Some(file) = files.get(id).await? else { return Ok(None) };
        match self.objects.get(&file.object_key, None).await {
            // It may have been deleted since.
            Err(ObjectError::NotFound { .. }) if files.get(id).await?.is_none() => Ok(None),
            stream => Ok(Some(FileContent { file, stream: stream? })),
        }
    }

    /// `false`: no such file.
    ///
    /// # Errors
    /// [`FileError::InUse`] while a batch reads it.
    pub async fn delete_file(&self, actor: Actor, id: FileId) -> Result<bool, FileError> {
        match self.tenant_of(actor, Permission::DeleteJobs)?.files().delete(id).await? {
            FileDeletion::Done => Ok(true),
            FileDeletion::Unknown => Ok(false),
            FileDeletion::InUse => Err(FileError::InUse),
        }
    }

    /// Has files removed that have expired, and uploads that broke off.
    ///
    /// # Errors
    /// [`AccessError`] when this is not `actor`'s work, or the database does not answer.
    pub async fn expire_files(&self, actor: Actor) -> Result<u64, AccessError> {
        actor.require(Permission::Maintain)?;
        Ok(self.store.file_rows().expire().await?)
    }
}

impl FileUpload {
    pub(super) async fn begin(services: &Services, tenant: TenantId, owner: FileOwner, bytes_max: Option<u64>) -> Result<Self, FileError> {
        let announced = services.store.tenant(tenant).files().announce(owner, "").await?;
        let mut begun = Self { services: services.clone(), tenant, id: announced.id, upload: None, bytes: 0, noted: 0, bytes_max };
        match services.objects.begin(&announced.object_key, CONTENT_TYPE).await {
            Ok(upload) => begun.upload = Some(upload),
            Err(error) => {
                begun.give_up();
                return Err(error.into());
            }
        }
        Ok(begun)
    }

    /// # Errors
    /// [`FileError`]; the upload is to be dropped then.
    pub async fn write(&mut self, piece: bytes::Bytes) -> Result<(), FileError> {
        self.bytes += piece.len() as u64;
        if self.bytes_max.is_some_and(|bytes_max| self.bytes > bytes_max) {
            return Err(FileError::TooLarge);
        }
        if self.bytes > self.noted {
            self.note().await?;
        }
        let Some(upload) = &mut self.upload else { return Err(FileError::GivenUp) };
        Ok(upload.write(piece).await?)
    }

    /// Counts what is about to arrive, so that several uploads at once do not take the room of one.
    async fn note(&mut self) -> Result<(), FileError> {
        self.noted = self.bytes + NOTED_EVERY;
        let files = self.services.store.tenant(self.tenant).files();
        if !files.touch(self.id, self.noted).await? {
            return Err(FileError::GivenUp);
        }
        let max = self.services.files_max;
        if self.bytes_max.is_some() && files.used().await?.bytes > max + NOTED_EVERY {
            return Err(FileError::NoRoom { max });
        }
        Ok(())
    }

    /// # Errors
    /// [`FileError`]; nothing was stored.
    pub async fn finish(mut self, new: NewFile) -> Result<File, FileError> {
        let terms = self.end(&file_name(&new.name), new.purpose, new.expiry).await?;
        let stored = self.services.store.tenant(self.tenant).files().store(self.id, terms).await?;
        stored.ok_or(FileError::GivenUp)
    }

    /// As [`Self::finish`], of a file that begins to count with something else.
    pub(super) async fn written(mut self, name: &str, purpose: FilePurpose, expiry: FileExpiry) -> Result<WrittenFile, FileError> {
        let terms = self.end(name, purpose, expiry).await?;
        Ok(WrittenFile { id: self.id, terms })
    }

    async fn end(&mut self, name: &str, purpose: FilePurpose, expiry: FileExpiry) -> Result<FileTerms, FileError> {
        let Some(upload) = self.upload.take() else { return Err(FileError::GivenUp) };
        if let Err(error) = upload.finish().await {
            self.give_up();
            return Err(error.into());
        }
        Ok(FileTerms { name: name.to_owned(), purpose, expiry, bytes: self.bytes })
    }

    fn give_up(&self) {
        let (store, tenant, id) = (self.services.store.clone(), self.tenant, self.id);
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                if let Err(error) = store.tenant(tenant).files().abandon(id).await {
                    tracing::debug!(file.id = %id, error = &error as &dyn std::error::Error, "an upload is given up later");
                }
            });
        }
    }
}

impl Drop for FileUpload {
    fn drop(&mut self) {
        if self.upload.is_some() {
            self.give_up();
        }
    }
}
