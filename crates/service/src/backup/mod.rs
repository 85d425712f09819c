//! Backups: the whole database as it was at one moment, and every object that it names.
//!
//! Objects never change under their keys, so all backups of a folder share them and each copies only what is new. While a backup is made nothing that
//! the database of that moment may name is removed: see [`garbage`].

mod folder;
mod garbage;
mod postgres;
mod restore;

pub use folder::Manifest;
pub use restore::{RestoreOptions, Restored, restore};

use crate::{AccessError, Services, StoreError, config::Storage};
use domain::{Actor, Permission, Timestamp};
use folder::{BackupFolder, Draft};
use futures::{StreamExt, TryStreamExt};
use garbage::Waiting;
use std::{
    io,
    path::{Path, PathBuf},
};
use store::{
    in_time,
    objects::{OBJECT_STORE_SETTING, ObjectError},
    sqlite_file,
};

const COPIES_AT_ONCE: usize = 8;
/// When the last backup was made, in unix milliseconds.
const MADE_AT: &str = "backup_made_at_ms";

#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error(transparent)]
    Access(#[from] AccessError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the object store does not answer as it should")]
    Objects(#[from] ObjectError),
    #[error("{path} cannot be read or written")]
    File {
        path: PathBuf,
        #[source]
        cause: io::Error,
    },
    #[error("another backup is being made in {0}")]
    Busy(PathBuf),
    /// The database did not answer for so long that servers could not know of it.
    #[error("objects may have been removed that the backup needs, as garbage did not wait for it all the time")]
    GarbageGone,
    #[error("there is no finished backup in {0}")]
    NoBackup(PathBuf),
    #[error("{file} of the backup is damaged")]
    Damaged { file: PathBuf },
    #[error("this is a backup of {backup}, which cannot be restored into {target}")]
    OtherEngine { backup: &'static str, target: &'static str },
    /// Or a file of a database that was there is left beside it.
    #[error(
        "there is something in the database already, or a -wal, -shm or -journal is left beside it: a backup is restored into an empty one"
    )]
    NotBlank,
    /// Or it is in use, be it that of this very backup.
    #[error("the object store holds something already: a backup is restored into an empty one, or with --keep-objects beside its own")]
    ObjectsNotEmpty,
    /// `pg_dump` or `pg_restore`.
    #[error("{program} cannot be started: it comes with PostgreSQL's client programs")]
    ProgramMissing {
        program: &'static str,
        #[source]
        cause: io::Error,
    },
    #[error("{program} has failed: {said}")]
    ProgramFailed { program: &'static str, said: String },
}

/// What was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackedUp {
    /// The name of its folder.
    pub name: String,
    /// All that belong to it.
    pub objects: u64,
    /// Those that no backup had before.
    pub copied: u64,
    /// The names of older backups that were removed.
    pub removed: Vec<String>,
}

/// Which database a backup is of.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Database {
    Sqlite { file: PathBuf },
    Postgres { url: String },
}

impl Database {
    /// Through nothing that hands out connections by the transaction.
    fn of(storage: &Storage) -> Self {
        let url = storage.url_in(&storage.data);
        match sqlite_file(&url) {
            Some(file) => Self::Sqlite { file },
            None => Self::Postgres { url: storage.database_direct_url.clone().unwrap_or(url) },
        }
    }

    const fn engine(&self) -> &'static str {
        match self {
            Self::Sqlite { .. } => "SQLite",
            Self::Postgres { .. } => "PostgreSQL",
        }
    }

    const fn file_name(&self) -> &'static str {
        match self {
            Self::Sqlite { .. } => "database.sqlite",
            Self::Postgres { .. } => "database.dump",
        }
    }
}

impl Services {
    /// Makes a backup of all that `storage` holds in `folder`, beside those that are there, of which the newest `keep` stay. Servers and workers may go
    /// on meanwhile. What is acknowledged before this begins is in it.
    ///
    /// # Errors
    /// [`BackupError`] says what cannot be read or written; older backups are as they were.
    pub async fn back_up(&self, actor: Actor, storage: &Storage, folder: &Path, keep: usize) -> Result<BackedUp, BackupError> {
        actor.require(Permission::InspectInstallation).map_err(AccessError::from)?;
        let folder = BackupFolder::lock(folder)?;
        let waiting = self.keep_garbage_waiting().await?;
        let database = Database::of(storage);
        let made = tokio::select! {
            made = self.make(&folder, &database, &waiting) => made,
            // Whoever reads a database that is silent may wait for good.
            () = waiting.lapsed() => Err(BackupError::GarbageGone),
        };
        waiting.end().await;
        let (made_at, name, objects, copied) = made?;
        in_time(self.store.settings().set(MADE_AT, &made_at.ms().to_string())).await?;
        let removed = folder.keep_newest(keep, &name);
        Ok(BackedUp { name, objects, copied, removed })
    }

    async fn make(
        &self,
        folder: &BackupFolder,
        database: &Database,
        waiting: &Waiting,
    ) -> Result<(Timestamp, String, u64, u64), BackupError> {
        let made_at = in_time(self.store.now()).await?;
        // The store is marked with its first use.
        self.objects.ping().await?;
        let draft = folder.draft(made_at)?;
        let file = draft.path(database.file_name());
        match database {
            Database::Sqlite { .. } => self.store.copy_into(&file).await?,
            Database::Postgres { url } => postgres::dump(url, &file).await?,
        }
        let (objects, copied) = self.copy_objects(folder, &draft).await?;
        let object_store = in_time(self.store.settings().find(OBJECT_STORE_SETTING)).await?.unwrap_or_default();
        if !waiting.has_held().await? {
            return Err(BackupError::GarbageGone);
        }
        let name = draft.finish(Manifest {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            engine: database.engine().to_owned(),
            made_at_ms: made_at.ms(),
            database: database.file_name().to_owned(),
            database_sha256: folder::sha256(&file)?,
            object_store,
            objects,
        })?;
        Ok((made_at, name, objects, copied))
    }

    /// All that lies there: more than the database names, as uploads come in, but nothing less.
    async fn copy_objects(&self, folder: &BackupFolder, draft: &Draft) -> Result<(u64, u64), BackupError> {
        let copies = self.objects.list().map_err(BackupError::from).map_ok(|listed| async move {
            // A temporary file is no object.
            if store::objects::checked_key(&listed.key).is_err() {
                return Ok(None);
            }
            if folder.has(&listed) {
                return Ok(Some((listed.key, false)));
            }
            match self.objects.get(&listed.key, None).await {
                Ok(object) => folder.keep(&listed.key, object).await.map(|()| Some((listed.key, true))),
                // It was garbage before this began.
                Err(ObjectError::NotFound { .. }) => Ok(None),
                Err(error) => Err(error.into()),
            }
        });
        let mut copies = std::pin::pin!(copies.try_buffer_unordered(COPIES_AT_ONCE));
        let (mut list, mut objects, mut copied) = (draft.list()?, 0, 0);
        while let Some(copy) = copies.next().await {
            let Some((key, is_new)) = copy? else { continue };
            list.add(&key)?;
            objects += 1;
            copied += u64::from(is_new);
        }
        list.finish()?;
        Ok((objects, copied))
    }
}
