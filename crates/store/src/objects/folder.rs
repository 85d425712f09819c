//! Objects as files below one folder.
//!
//! A put writes beside its target and renames: whoever reads sees the old object or the new one, and a
//! crash leaves at most a temporary file. Names that begin with a dot are never keys, so the temporaries
//! cannot be asked for. Links are not followed out of the folder, whoever put them there.

use super::{ObjectError, ObjectStore, ObjectStream, checked_key, span};
use bytes::Bytes;
use futures::StreamExt;
use std::{
    io::{self, SeekFrom},
    ops::RangeInclusive,
    path::{Path, PathBuf},
};
use tokio::{
    fs,
    io::{AsyncReadExt, AsyncSeekExt, AsyncWriteExt},
};
use tokio_util::io::ReaderStream;
use uuid::Uuid;

pub struct FolderObjects {
    /// Canonical: free of links.
    root: PathBuf,
}

impl FolderObjects {
    /// Opens the folder, making it if need be.
    ///
    /// # Errors
    /// [`ObjectError::Unavailable`] when it cannot be made or is not a folder.
    pub async fn open(root: &Path) -> Result<Self, ObjectError> {
        fs::create_dir_all(root).await.map_err(failed)?;
        Ok(Self { root: fs::canonicalize(root).await.map_err(failed)? })
    }

    fn path(&self, key: &str) -> Result<PathBuf, ObjectError> {
        Ok(self.root.join(checked_key(key)?))
    }

    /// Refuses a path whose existing part has been linked out of the root.
    async fn check_inside(&self, path: &Path) -> io::Result<()> {
        for ancestor in path.ancestors() {
            match fs::canonicalize(ancestor).await {
                Ok(real) if real.starts_with(&self.root) => return Ok(()),
                Ok(_) => return Err(io::ErrorKind::PermissionDenied.into()),
                Err(error) if is_missing(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::NotFound.into())
    }

    async fn put_file(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let temporary = Temporary(self.temporary_beside(path).await?);
        write_and_rename(&temporary.0, path, bytes).await
    }

    /// Makes the folders on the way; a delete may be removing them as empty meanwhile, hence the trials.
    async fn temporary_beside(&self, path: &Path) -> io::Result<PathBuf> {
        let parent = path.parent().ok_or(io::ErrorKind::NotFound)?;
        let temporary = parent.join(format!(".{}", Uuid::new_v4().simple()));
        for _ in 0..10 {
            self.check_inside(parent).await?;
            fs::create_dir_all(parent).await?;
            match fs::File::create_new(&temporary).await {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                made => return made.map(|_| temporary),
            }
        }
        Err(io::ErrorKind::NotFound.into())
    }

    async fn open_file(&self, path: &Path) -> io::Result<(fs::File, u64)> {
        self.check_inside(path).await?;
        if !fs::symlink_metadata(path).await?.is_file() {
            return Err(io::ErrorKind::NotFound.into());
        }
        let file = fs::File::open(path).await?;
        let bytes = file.metadata().await?.len();
        Ok((file, bytes))
    }

    async fn remove_empty_parents(&self, path: &Path) {
        for folder in path.ancestors().skip(1).take_while(|folder| *folder != self.root) {
            if fs::remove_dir(folder).await.is_err() {
                return;
            }
        }
    }
}

#[async_trait::async_trait]
impl ObjectStore for FolderObjects {
    async fn put(&self, key: &str, _content_type: &str, bytes: Bytes) -> Result<(), ObjectError> {
        let path = self.path(key)?;
        self.put_file(&path, &bytes).await.map_err(failed)
    }

    async fn get(&self, key: &str, range: Option<RangeInclusive<u64>>) -> Result<ObjectStream, ObjectError> {
        let path = self.path(key)?;
        let (mut file, bytes_total) = self.open_file(&path).await.map_err(|error| missing_or_failed(key, error))?;
        let (start, length) = span(range, bytes_total)?;
        file.seek(SeekFrom::Start(start)).await.map_err(failed)?;
        Ok(ObjectStream { bytes_total, body: ReaderStream::with_capacity(file.take(length), 64 * 1024).boxed() })
    }

    async fn delete(&self, key: &str) -> Result<(), ObjectError> {
        let path = self.path(key)?;
        // A link itself may go; what it leads to may not.
        self.check_inside(path.parent().unwrap_or(&self.root)).await.map_err(failed)?;
        match fs::remove_file(&path).await {
            Err(error) if !is_missing(&error) => return Err(failed(error)),
            // What was put but broken off has left its folders.
            _ => self.remove_empty_parents(&path).await,
        }
        Ok(())
    }

    async fn ping(&self) -> Result<(), ObjectError> {
        fs::metadata(&self.root).await.map(drop).map_err(failed)
    }
}

/// A file that is renamed when it is whole, and removed if that does not come to pass.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

async fn write_and_rename(temporary: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = fs::File::options().write(true).open(temporary).await?;
    file.write_all(bytes).await?;
    file.flush().await?;
    file.sync_all().await?;
    fs::rename(temporary, path).await?;
    // The new name must outlive a power cut as well.
    match path.parent() {
        Some(parent) => fs::File::open(parent).await?.sync_all().await,
        None => Ok(()),
    }
}

/// No file, or a file where the key has a folder.
fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn missing_or_failed(key: &str, error: io::Error) -> ObjectError {
    if is_missing(&error) { ObjectError::NotFound { key: key.to_owned() } } else { failed(error) }
}

fn failed(error: io::Error) -> ObjectError {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => ObjectError::Full,
        _ => ObjectError::Unavailable(Box::new(error)),
    }
}
