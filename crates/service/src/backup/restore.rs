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

/// Brings back the newest backup of `folder`, or the one that is named, to where `storage` says. The objects come first: a restore that was broken off is
/// simply begun again, and nothing starts with a database whose objects are not there.
///
/// # Errors
/// [`BackupError`] when there is something already, when the backup is damaged, or when something cannot be read or written.
pub async fn restore(storage: &Storage, folder: &Path, name: Option<&str>) -> Result<Restored, BackupError> {
    let backup = Backup::open(folder, name)?;
    let database = Database::of(storage);
    if backup.manifest.engine != database.engine() {
        let backup = if database.engine() == "SQLite" { "PostgreSQL" } else { "SQLite" };
        return Err(BackupError::OtherEngine { backup, target: database.engine() });
    }
    let copy = backup.database()?;
    refuse_unless_blank(&database).await?;
    let data = storage.made_folder().map_err(at(&storage.data))?;
    let opened = objects::open_for_restore(storage.objects(data), &backup.manifest.object_store).await?;
    let objects = opened.ok_or(BackupError::ObjectsNotEmpty)?;
    let restored = put_objects(&backup, &objects).await?;
    match &database {
        Database::Sqlite { file } => copy_file(&copy, file).map_err(at(file))?,
        Database::Postgres { url } => postgres::load(url, &copy).await?,
    }
    Ok(Restored { name: backup.name, made_at_ms: backup.manifest.made_at_ms, objects: restored })
}

async fn refuse_unless_blank(database: &Database) -> Result<(), BackupError> {
    let is_blank = match database {
        Database::Sqlite { file } => !fs::exists(file).map_err(at(file))?,
        Database::Postgres { url } => Store::open(url, Some(2)).await?.is_blank().await?,
    };
    if is_blank { Ok(()) } else { Err(BackupError::NotBlank) }
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

/// Whole, or not there.
fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    let parent = to.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent)?;
    let draft = to.with_extension("restoring");
    fs::copy(from, &draft)?;
    File::open(&draft)?.sync_all()?;
    fs::rename(&draft, to)?;
    File::open(parent)?.sync_all()
}
