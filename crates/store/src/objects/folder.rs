//! Objects as files below one folder.
//!
//! A put writes beside its target and renames: whoever reads sees the old object or the new one, and a
//! crash leaves at most a temporary file. Names that begin with a dot are never keys, so the temporaries
//! cannot be asked for. Links are not followed out of the folder, whoever put them there.

use super::{
    Listed, ObjectError, ObjectStore, ObjectStream, ObjectUpload, Room, checked_key,
    identity::{MARKER, Place},
    leftovers::{Search, temporary_name},
    room, span,
    walk::{LOST_AND_FOUND, walk},
};
use crate::clock;
use bytes::Bytes;
use futures::{StreamExt, TryStreamExt, stream::BoxStream};
use std::{
    io::{self, SeekFrom},
    ops::RangeInclusive,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};
use tokio::{
    fs,
    io::{AsyncReadExt, AsyncSeekExt, AsyncWriteExt},
};
use tokio_util::io::ReaderStream;

pub struct FolderObjects {
    /// Canonical: free of links.
    root: PathBuf,
    leftovers: Arc<Mutex<Search>>,
}

impl FolderObjects {
    /// Opens the folder, making it if need be.
    ///
    /// # Errors
    /// [`ObjectError::Unavailable`] when it cannot be made or is not a folder.
    pub async fn open(root: &Path) -> Result<Self, ObjectError> {
        fs::create_dir_all(root).await.map_err(failed)?;
        Ok(Self { root: fs::canonicalize(root).await.map_err(failed)?, leftovers: Arc::default() })
    }

    fn path(&self, key: &str) -> Result<PathBuf, ObjectError> {
        Ok(self.root.join(checked_key(key)?))
    }

    /// Refuses a path whose existing part has been linked out of the root.
    async fn check_inside(&self, path: &Path) -> io::Result<()> {
        for ancestor in path.ancestors().take_while(|ancestor| ancestor.starts_with(&self.root)) {
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
        let temporary = parent.join(temporary_name());
        for _ in 0..10 {
            self.check_inside(parent).await?;
            let making = async {
                self.make_folders(parent).await?;
                fs::File::create_new(&temporary).await
            };
            match making.await {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                made => return made.map(|_| temporary),
            }
        }
        Err(io::ErrorKind::NotFound.into())
    }

    /// New folders outlive a power cut as well.
    async fn make_folders(&self, folder: &Path) -> io::Result<()> {
        let mut changed = Vec::new();
        for ancestor in folder.ancestors().take_while(|ancestor| **ancestor != self.root) {
            if fs::try_exists(ancestor).await? {
                break;
            }
            changed.extend(ancestor.parent());
        }
        fs::create_dir_all(folder).await?;
        for parent in changed {
            sync_folder(parent).await?;
        }
        Ok(())
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

    async fn begin(&self, key: &str, _content_type: &str) -> Result<Box<dyn ObjectUpload>, ObjectError> {
        let path = self.path(key)?;
        let temporary = Temporary(self.temporary_beside(&path).await.map_err(failed)?);
        let file = fs::File::options().write(true).open(&temporary.0).await.map_err(failed)?;
        Ok(Box::new(FolderUpload { file, temporary, path }))
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

    fn list(&self) -> BoxStream<'static, Result<Listed, ObjectError>> {
        walk(self.root.clone()).map_err(failed).boxed()
    }

    async fn ping(&self) -> Result<(), ObjectError> {
        fs::metadata(&self.root).await.map(drop).map_err(failed)
    }

    async fn room(&self) -> Result<Option<Room>, ObjectError> {
        let root = self.root.clone();
        let room =
            tokio::task::spawn_blocking(move || room::of_folder(&root)).await.map_err(|error| ObjectError::Unavailable(Box::new(error)))?;
        room.map(Some).map_err(failed)
    }

    async fn sweep(&self) -> Result<u64, ObjectError> {
        let (leftovers, root) = (Arc::clone(&self.leftovers), self.root.clone());
        let search = move || leftovers.lock().unwrap_or_else(PoisonError::into_inner).go_on(&root, clock::system_time());
        let done = tokio::task::spawn_blocking(search).await.map_err(|error| ObjectError::Unavailable(Box::new(error)))?;
        done.map_err(failed)
    }
}

#[async_trait::async_trait]
impl Place for FolderObjects {
    fn address(&self) -> String {
        self.root.display().to_string()
    }

    /// Mounts come and go.
    fn can_be_swapped(&self) -> bool {
        true
    }

    async fn marker(&self) -> Result<Option<String>, ObjectError> {
        match fs::read_to_string(self.root.join(MARKER)).await {
            Ok(id) => Ok(Some(id.trim().to_owned()).filter(|id| !id.is_empty())),
            Err(error) if is_missing(&error) => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }

    async fn mark(&self, id: &str) -> Result<(), ObjectError> {
        let (marker, whole) = (self.root.join(MARKER), Temporary(self.root.join(temporary_name())));
        fs::File::create_new(&whole.0).await.map_err(failed)?;
        write_whole(&whole.0, id.as_bytes()).await.map_err(failed)?;
        // A marker that holds nothing is none. Nor do all file systems have links.
        if fs::hard_link(&whole.0, &marker).await.is_err() && self.marker().await?.is_none() {
            fs::rename(&whole.0, &marker).await.map_err(failed)?;
        }
        sync_folder(&self.root).await.map_err(failed)
    }

    async fn mark_anew(&self, id: &str) -> Result<(), ObjectError> {
        let whole = Temporary(self.root.join(temporary_name()));
        fs::File::create_new(&whole.0).await.map_err(failed)?;
        write_and_rename(&whole.0, &self.root.join(MARKER), id.as_bytes()).await.map_err(failed)
    }

    /// What a fresh file system brings along does not count.
    async fn is_empty(&self) -> Result<bool, ObjectError> {
        let mut entries = fs::read_dir(&self.root).await.map_err(failed)?;
        while let Some(entry) = entries.next_entry().await.map_err(failed)? {
            let name = entry.file_name();
            if name != LOST_AND_FOUND && !name.to_string_lossy().starts_with('.') {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// A file that is being written.
struct FolderUpload {
    file: fs::File,
    temporary: Temporary,
    path: PathBuf,
}

#[async_trait::async_trait]
impl ObjectUpload for FolderUpload {
    async fn write(&mut self, piece: Bytes) -> Result<(), ObjectError> {
        self.file.write_all(&piece).await.map_err(failed)
    }

    async fn finish(mut self: Box<Self>) -> Result<(), ObjectError> {
        self.file.flush().await.map_err(failed)?;
        self.file.sync_all().await.map_err(failed)?;
        rename(&self.temporary.0, &self.path).await.map_err(failed)
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
    write_whole(temporary, bytes).await?;
    rename(temporary, path).await
}

/// Of a file that is whole.
async fn rename(temporary: &Path, path: &Path) -> io::Result<()> {
    fs::rename(temporary, path).await?;
    match path.parent() {
        Some(parent) => sync_folder(parent).await,
        None => Ok(()),
    }
}

/// Into a file that is there.
async fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = fs::File::options().write(true).open(path).await?;
    file.write_all(bytes).await?;
    file.flush().await?;
    file.sync_all().await
}

/// A new name must outlive a power cut as well.
async fn sync_folder(folder: &Path) -> io::Result<()> {
    fs::File::open(folder).await?.sync_all().await
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
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => ObjectError::Full,
        io::ErrorKind::FileTooLarge => ObjectError::TooLarge,
        io::ErrorKind::PermissionDenied | io::ErrorKind::IsADirectory => ObjectError::Denied(Box::new(error)),
        _ => ObjectError::Unavailable(Box::new(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_will_not_pass_by_itself_is_told_from_what_may() {
        let kind = |kind: io::ErrorKind| failed(kind.into());
        assert!(matches!(kind(io::ErrorKind::FileTooLarge), ObjectError::TooLarge));
        assert!(matches!(kind(io::ErrorKind::PermissionDenied), ObjectError::Denied(_)));
        assert!(matches!(kind(io::ErrorKind::QuotaExceeded), ObjectError::Full));
        assert!(matches!(kind(io::ErrorKind::ReadOnlyFilesystem), ObjectError::Unavailable(_)));
    }
}
