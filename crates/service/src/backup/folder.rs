//! The folder of backups: one folder for each, with its database, and the objects of all of them beside each other.
//!
//! What is being written has a name that begins with a dot, so that whatever is broken off is never taken for whole.

use super::BackupError;
use domain::Timestamp;
use futures::TryStreamExt;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::{
    collections::HashSet,
    error::Error,
    fs::{self, DirBuilder, File, TryLockError},
    io::{self, BufRead, BufReader, BufWriter, Write},
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
};
use store::objects::{Listed, ObjectStream};
use time::{OffsetDateTime, macros::format_description};
use tokio::io::AsyncWriteExt;

const LOCK: &str = ".lock";
const DRAFT: &str = ".unfinished";
/// What the names of backups begin with that are being removed.
const REMOVED: &str = ".removed-";
const MANIFEST: &str = "manifest.json";
const OBJECTS: &str = "objects";
const OBJECT_LIST: &str = "objects.txt";

/// What a backup says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Of the program that made it.
    pub version: String,
    /// `SQLite` or `PostgreSQL`.
    pub engine: String,
    /// All that was acknowledged before is in it.
    pub made_at_ms: i64,
    /// The file of the database.
    pub database: String,
    pub database_sha256: String,
    /// By which the database knows its object store.
    pub object_store: String,
    /// How many there are.
    pub objects: u64,
}

/// Nobody else makes a backup in it as long as this lives.
pub(super) struct BackupFolder {
    root: PathBuf,
    _lock: File,
}

impl BackupFolder {
    /// Makes the folder if need be; what was broken off before is removed.
    pub(super) fn lock(root: &Path) -> Result<Self, BackupError> {
        crate::config::own_folder(root).map_err(at(root))?;
        let path = root.join(LOCK);
        let lock = File::create(&path).map_err(at(&path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(BackupError::Busy(root.to_owned())),
            Err(TryLockError::Error(cause)) => return Err(at(&path)(cause)),
        }
        let folder = Self { root: root.to_owned(), _lock: lock };
        let draft = root.join(DRAFT);
        if draft.exists() {
            fs::remove_dir_all(&draft).map_err(at(&draft))?;
        }
        folder.remove_the_rest().unwrap_or_else(warn);
        let objects = root.join(OBJECTS);
        own_folders().recursive(true).create(&objects).map_err(at(&objects))?;
        Ok(folder)
    }

    pub(super) fn draft(&self, made_at: Timestamp) -> Result<Draft, BackupError> {
        let path = self.root.join(DRAFT);
        own_folders().create(&path).map_err(at(&path))?;
        Ok(Draft { root: self.root.clone(), path, name: name_of(made_at) })
    }

    /// Whole: what is shorter than what is listed was cut off.
    pub(super) fn has(&self, listed: &Listed) -> bool {
        fs::metadata(object(&self.root, &listed.key)).is_ok_and(|kept| kept.is_file() && kept.len() == listed.bytes)
    }

    /// Keeps a copy that outlives a power cut.
    pub(super) async fn keep(&self, key: &str, stream: ObjectStream) -> Result<(), BackupError> {
        let path = object(&self.root, key);
        write_object(&path, stream).await.map_err(at(&path))
    }

    /// Removes all backups but the newest, and the objects that none names any more; the names of those that are gone. `made`: the one that was made
    /// just now stays, whatever clocks said when others were. What cannot be removed is only told: that one is whole whatever becomes of others.
    pub(super) fn keep_newest(&self, keep: usize, made: &str) -> Vec<String> {
        let mut names = names(&self.root).unwrap_or_else(|error| {
            warn(error);
            Vec::new()
        });
        let of_the_future: Vec<_> = names.iter().filter(|name| name.as_str() > made).collect();
        if !of_the_future.is_empty() {
            tracing::warn!(backups = ?of_the_future, "backups have names of the future: `restore` takes them for the newest unless it is told another");
        }
        names.sort_by_key(|name| name != made);
        let mut gone = names.split_off(keep.max(1).min(names.len()));
        gone.retain(|name| self.remove(name).map_err(warn).is_ok());
        if !gone.is_empty() {
            self.remove_objects().unwrap_or_else(warn);
            self.remove_the_rest().unwrap_or_else(warn);
        }
        gone
    }

    /// Half removed it is no backup any more, and what is left of it has another name.
    fn remove(&self, name: &str) -> Result<(), BackupError> {
        let (path, removed) = (self.root.join(name), self.root.join(format!("{REMOVED}{name}")));
        fs::rename(&path, removed).and_then(|()| sync_folder(&self.root)).map_err(at(&path))
    }

    /// What is left of backups that were removed.
    fn remove_the_rest(&self) -> Result<(), BackupError> {
        for entry in fs::read_dir(&self.root).map_err(at(&self.root))? {
            let entry = entry.map_err(at(&self.root))?;
            if entry.file_name().to_string_lossy().starts_with(REMOVED) {
                let path = entry.path();
                fs::remove_dir_all(&path).map_err(at(&path))?;
            }
        }
        Ok(())
    }

    /// Those that no backup names. None, where one does not say which it needs.
    fn remove_objects(&self) -> Result<(), BackupError> {
        let mut wanted = HashSet::new();
        for name in names(&self.root)? {
            for key in Backup::open(&self.root, Some(&name))?.keys()? {
                wanted.insert(digest(key?.as_bytes()));
            }
        }
        let objects = self.root.join(OBJECTS);
        remove_others(&objects, &objects, &wanted).map_err(at(&objects))
    }
}

fn warn(error: BackupError) {
    tracing::warn!(error = &error as &dyn Error, "what older backups need no more cannot all be removed; trying again with the next");
}

/// A backup that is being made.
pub(super) struct Draft {
    root: PathBuf,
    path: PathBuf,
    name: String,
}

impl Draft {
    pub(super) fn path(&self, file: &str) -> PathBuf {
        self.path.join(file)
    }

    pub(super) fn list(&self) -> Result<ObjectList, BackupError> {
        let path = self.path(OBJECT_LIST);
        Ok(ObjectList { file: BufWriter::new(File::create(&path).map_err(at(&path))?), path })
    }

    /// From now on it counts; its name.
    pub(super) fn finish(self, manifest: Manifest) -> Result<String, BackupError> {
        let (database, about) = (self.path(&manifest.database), self.path(MANIFEST));
        File::open(&database).and_then(|file| file.sync_all()).map_err(at(&database))?;
        let text = serde_json::to_vec_pretty(&manifest).unwrap_or_default();
        let written = File::create(&about).and_then(|mut file| file.write_all(&text).and_then(|()| file.sync_all()));
        written.map_err(at(&about))?;
        let whole = self.root.join(&self.name);
        let named = sync_folder(&self.path).and_then(|()| fs::rename(&self.path, &whole)).and_then(|()| sync_folder(&self.root));
        named.map_err(at(&whole))?;
        Ok(self.name)
    }
}

/// The keys of a backup's objects, one a line.
pub(super) struct ObjectList {
    file: BufWriter<File>,
    path: PathBuf,
}

impl ObjectList {
    pub(super) fn add(&mut self, key: &str) -> Result<(), BackupError> {
        writeln!(self.file, "{key}").map_err(at(&self.path))
    }

    pub(super) fn finish(mut self) -> Result<(), BackupError> {
        self.file.flush().and_then(|()| self.file.get_ref().sync_all()).map_err(at(&self.path))
    }
}

/// A backup that is whole.
pub(super) struct Backup {
    root: PathBuf,
    pub path: PathBuf,
    pub name: String,
    pub manifest: Manifest,
}

impl Backup {
    /// The newest, unless one is named.
    pub(super) fn open(root: &Path, name: Option<&str>) -> Result<Self, BackupError> {
        let missing = || BackupError::NoBackup(root.to_owned());
        let name = match name {
            Some(name) => name.to_owned(),
            None => names(root)?.into_iter().next().ok_or_else(missing)?,
        };
        let path = root.join(&name);
        let about = path.join(MANIFEST);
        let text = match fs::read(&about) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(missing()),
            text => text.map_err(at(&about))?,
        };
        let manifest: Manifest = serde_json::from_slice(&text).map_err(|_| BackupError::Damaged { file: about })?;
        Ok(Self { root: root.to_owned(), path, name, manifest })
    }

    /// The database, whose content is compared with what the backup says of it.
    pub(super) fn database(&self) -> Result<PathBuf, BackupError> {
        let file = self.path.join(&self.manifest.database);
        if sha256(&file)? == self.manifest.database_sha256 { Ok(file) } else { Err(BackupError::Damaged { file }) }
    }

    pub(super) fn keys(&self) -> Result<impl Iterator<Item = Result<String, BackupError>> + use<>, BackupError> {
        let path = self.path.join(OBJECT_LIST);
        let lines = BufReader::new(File::open(&path).map_err(at(&path))?).lines();
        Ok(lines.map(move |line| line.map_err(at(&path))))
    }

    pub(super) fn object(&self, key: &str) -> PathBuf {
        object(&self.root, key)
    }
}

/// Of the content, as hexadecimal digits.
pub(super) fn sha256(path: &Path) -> Result<String, BackupError> {
    let mut hash = Sha256::new();
    let mut file = File::open(path).map_err(at(path))?;
    let mut part = vec![0; 1 << 20];
    loop {
        match io::Read::read(&mut file, &mut part).map_err(at(path))? {
            0 => return Ok(hex::encode(hash.finalize())),
            read => hash.update(&part[..read]),
        }
    }
}

pub(super) fn at(path: &Path) -> impl Fn(io::Error) -> BackupError + use<> {
    let path = path.to_owned();
    move |cause| BackupError::File { path: path.clone(), cause }
}

/// Of those that are whole, the newest first.
fn names(root: &Path) -> Result<Vec<String>, BackupError> {
    let entries = fs::read_dir(root).map_err(at(root))?;
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(at(root))?.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') && root.join(&name).join(MANIFEST).is_file() {
            names.push(name);
        }
    }
    names.sort_unstable_by(|a, b| b.cmp(a));
    Ok(names)
}

/// Nobody but their owner looks into them, wherever they lie.
fn own_folders() -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    builder
}

fn object(root: &Path, key: &str) -> PathBuf {
    root.join(OBJECTS).join(key)
}

async fn write_object(path: &Path, mut stream: ObjectStream) -> io::Result<()> {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return Err(io::ErrorKind::InvalidFilename.into()) };
    tokio::fs::create_dir_all(parent).await?;
    let draft = parent.join(format!(".{}", name.to_string_lossy()));
    let mut file = tokio::fs::File::create(&draft).await?;
    let mut bytes = 0;
    while let Some(part) = stream.body.try_next().await? {
        file.write_all(&part).await?;
        bytes += part.len() as u64;
    }
    if bytes != stream.bytes_total {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    // What is being written may fail after it was taken in.
    file.flush().await?;
    file.sync_all().await?;
    tokio::fs::rename(&draft, path).await?;
    let parent = parent.to_owned();
    tokio::task::spawn_blocking(move || sync_folder(&parent)).await?
}

fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Also what was broken off, and folders that are empty then.
fn remove_others(root: &Path, folder: &Path, wanted: &HashSet<[u8; 16]>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            remove_others(root, &path, wanted)?;
            // Fails where something is left in it.
            let _ = fs::remove_dir(&path);
            continue;
        }
        let key = path.strip_prefix(root).unwrap_or(&path).to_string_lossy();
        if !wanted.contains(&digest(key.as_bytes())) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

/// Half a hash tells any number of keys apart, in little memory.
fn digest(key: &[u8]) -> [u8; 16] {
    let mut half = [0; 16];
    half.copy_from_slice(&Sha256::digest(key)[..16]);
    half
}

/// By which they sort.
fn name_of(moment: Timestamp) -> String {
    let moment = OffsetDateTime::from_unix_timestamp_nanos(i128::from(moment.ms()) * 1_000_000).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let format = format_description!("[year][month][day]T[hour][minute][second].[subsecond digits:3]Z");
    moment.format(format).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use futures::{StreamExt, stream};

    #[tokio::test]
    async fn a_disk_that_is_full_at_the_last_piece_is_said_and_nothing_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        // Whatever is written to it finds no room.
        std::os::unix::fs::symlink("/dev/full", folder.path().join(".video.mp4")).unwrap();
        let body = stream::iter([Ok(Bytes::from_static(b"all of it"))]).boxed();
        let written = write_object(&folder.path().join("video.mp4"), ObjectStream { bytes_total: 9, body }).await;
        assert_eq!(written.map_err(|error| error.kind()), Err(io::ErrorKind::StorageFull));
        assert!(!folder.path().join("video.mp4").exists());
    }
}
