//! Bringing a backup back, into a database and an object store that hold nothing.

use super::{
    BackupError, Database,
    folder::{Backup, at},
    postgres,
};
use crate::config::Storage;
use bytes::BytesMut;
use futures::{TryStreamExt, stream};
use std::{
    fs::{self, File},
    io,
    path::Path,
};
use store::{
    Store,
    objects::{self, ObjectError, Objects},
};
use tokio::io::AsyncReadExt;

const COPIES_AT_ONCE: usize = 8;
const PIECE_BYTES: usize = 256 * 1024;

/// What was brought back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// The name of the backup's folder.
    pub name: String,
    /// When it was made, in unix milliseconds.
    pub made_at_ms: i64,
    pub objects: u64,
}

/// Which backup is brought back, and how.
#[derive(Debug, Clone, Copy, Default)]
pub struct RestoreOptions<'a> {
    /// The name of its folder. `None`: the newest.
    pub name: Option<&'a str>,
    /// The object store is there still, and only what it has lost is put. Otherwise it holds nothing.
    pub keeps_objects: bool,
}

/// Brings back a backup of `folder` to where `storage` says. The objects come first: a restore that was broken off is
/// simply begun again, and nothing starts with a database whose objects are not there.
///
/// # Errors
/// [`BackupError`] when there is something already, when the backup is damaged, or when something cannot be read or written.
pub async fn restore(storage: &Storage, folder: &Path, options: RestoreOptions<'_>) -> Result<Restored, BackupError> {
    let backup = Backup::open(folder, options.name)?;
    let database = Database::of(storage);
    if backup.manifest.engine != database.engine() {
        let backup = if database.engine() == "SQLite" { "PostgreSQL" } else { "SQLite" };
        return Err(BackupError::OtherEngine { backup, target: database.engine() });
    }
    let copy = backup.database()?;
    refuse_unless_blank(&database).await?;
    let data = storage.made_folder().map_err(at(&storage.data))?;
    let opened = objects::open_for_restore(storage.objects(data), &backup.manifest.object_store, options.keeps_objects).await?;
    let objects = opened.ok_or(BackupError::ObjectsNotEmpty)?;
    let restored = put_objects(&backup, &objects).await?;
    match &database {
        Database::Sqlite { file } => copy_database(&copy, file)?,
        Database::Postgres { url } => postgres::load(url, &copy).await?,
    }
    Ok(Restored { name: backup.name, made_at_ms: backup.manifest.made_at_ms, objects: restored })
}

async fn refuse_unless_blank(database: &Database) -> Result<(), BackupError> {
    let is_blank = match database {
        Database::Sqlite { file } => is_missing(file).map_err(at(file))?,
        Database::Postgres { url } => Store::open(url, Some(2)).await?.is_blank().await?,
    };
    if is_blank { Ok(()) } else { Err(BackupError::NotBlank) }
}

/// Also what SQLite keeps beside a database: it would become a part of the one that is put there.
fn is_missing(file: &Path) -> io::Result<bool> {
    for ending in ["", "-wal", "-shm", "-journal"] {
        let mut name = file.as_os_str().to_owned();
        name.push(ending);
        if fs::exists(name)? {
            return Ok(false);
        }
    }
    Ok(true)
}

async fn put_objects(backup: &Backup, objects: &Objects) -> Result<u64, BackupError> {
    let puts = stream::iter(backup.keys()?).map_ok(|key| async move {
        let path = backup.object(&key);
        let bytes = tokio::fs::metadata(&path).await.map_err(at(&path))?.len();
        if is_there(objects, &key, bytes).await? {
            return Ok(());
        }
        put(objects, &key, &path).await
    });
    puts.try_buffer_unordered(COPIES_AT_ONCE).try_fold(0, async |count, ()| Ok(count + 1)).await
}

/// A piece of it is in memory at a time, however large it is.
async fn put(objects: &Objects, key: &str, path: &Path) -> Result<(), BackupError> {
    let mut file = tokio::fs::File::open(path).await.map_err(at(path))?;
    let mut upload = objects.begin(key, content_type(key)).await?;
    loop {
        let mut piece = BytesMut::with_capacity(PIECE_BYTES);
        if file.read_buf(&mut piece).await.map_err(at(path))? == 0 {
            return Ok(upload.finish().await?);
        }
        upload.write(piece.freeze()).await?;
    }
}

/// Put before this restore was broken off.
async fn is_there(objects: &Objects, key: &str, bytes: u64) -> Result<bool, ObjectError> {
    match objects.get(key, Some(0..=0)).await {
        Ok(object) => Ok(object.bytes_total == bytes),
        Err(ObjectError::RangeNotSatisfiable { bytes: found }) => Ok(found == bytes),
        Err(ObjectError::NotFound { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

/// What was put with the object, which is not kept with it.
fn content_type(key: &str) -> &'static str {
    match Path::new(key).extension().and_then(|ending| ending.to_str()) {
        Some("mp4") => "video/mp4",
        Some("webp") => "image/webp",
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("jsonl") => "application/jsonl",
        _ => "application/octet-stream",
    }
}

/// Whole, or not there; never in the place of one that somebody has made meanwhile.
fn copy_database(from: &Path, to: &Path) -> Result<(), BackupError> {
    let parent = to.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let draft = to.with_extension("restoring");
    let written = fs::create_dir_all(parent).and_then(|()| fs::copy(from, &draft)).and_then(|_| File::open(&draft)?.sync_all());
    written.map_err(at(&draft))?;
    let placed = place(&draft, to);
    // Another name of it, or no use any more; renamed, it is not there.
    let _ = fs::remove_file(&draft);
    placed?;
    File::open(parent).and_then(|parent| parent.sync_all()).map_err(at(parent))
}

fn place(draft: &Path, to: &Path) -> Result<(), BackupError> {
    if !is_missing(to).map_err(at(to))? {
        return Err(BackupError::NotBlank);
    }
    match fs::hard_link(draft, to) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(BackupError::NotBlank),
        // Not all file systems have links.
        Err(_) => fs::rename(draft, to).map_err(at(to)),
        Ok(()) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_that_somebody_made_meanwhile_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let (backup, to) = (folder.path().join("backup"), folder.path().join("reelmill.db"));
        fs::write(&backup, "of the backup").unwrap();
        copy_database(&backup, &to).unwrap();
        assert_eq!(fs::read_to_string(&to).unwrap(), "of the backup");
        fs::write(&to, "of a server").unwrap();
        assert!(matches!(copy_database(&backup, &to), Err(BackupError::NotBlank)));
        assert_eq!((fs::read_to_string(&to).unwrap().as_str(), folder.path().join("reelmill.restoring").exists()), ("of a server", false));
    }
}
