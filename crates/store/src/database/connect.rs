//! Opening the database, bringing its schema up to date, and where the present comes from.
//!
//! SQLite runs in WAL mode with two pools of writing connections per process, one of them for `group_commit`, and one of those
//! that read: readers never wait, and writers take turns, first come first served, instead of fighting for the file's lock.

use super::{
    PATIENCE,
    wall::{Door, Scope, TIMEOUTS},
};
use crate::clock::Instant;
use crate::{Signals, StoreError, clock::SystemClock, database::group_commit::GroupCommit};
use domain::{Clock, Timestamp};
use migration::{MigratorTrait, seaql_migrations};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, DbErr, EntityTrait, Statement};
use sqlx::{
    ConnectOptions, Connection,
    postgres::{PgConnectOptions, PgPoolOptions},
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous},
};
use std::{
    error::Error,
    fs::{self, OpenOptions, Permissions},
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};
use tokio::time::timeout;

const READERS: u32 = 4;
/// One writes at a time; the next begins on another while the library still asks the one that is given back how it is.
const WRITERS: u32 = 2;
const POSTGRES_CONNECTIONS: u32 = 10;
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// SQLite looks less and less often whether another process has let go of its lock, in the end ten times a second. Between the transactions of
/// one that writes all the time there is less than a millisecond, so a writer tries anew before that.
const WRITER_BUSY_TIMEOUT: Duration = Duration::from_millis(2);
const ANSWER_WITHIN: Duration = Duration::from_secs(5);
/// How long a start waits instead of [`PATIENCE`], which may come while another process brings the schema up to date.
const MIGRATION_TRIES: u32 = 10;
const MIGRATION_PAUSE: Duration = Duration::from_secs(1);
const START_PATIENCE: Duration = Duration::from_secs(600);
/// Between one try to open the file and the next.
const PAUSE: Duration = Duration::from_millis(50);
const OWNER_ONLY: u32 = 0o600;
const OTHERS: u32 = 0o077;
/// In seconds.
const KEEPALIVES: [(&str, &str); 3] = [("tcp_keepalives_idle", "15"), ("tcp_keepalives_interval", "5"), ("tcp_keepalives_count", "3")];
const SLOW: Duration = Duration::from_secs(1);
/// Names the advisory lock under which the schema is changed.
const MIGRATION_LOCK: i64 = 0x5265_656c_0001;

/// Where the database is.
#[derive(Debug, Clone, Copy)]
pub struct Addresses<'a> {
    pub url: &'a str,
    /// Of the same PostgreSQL database without anything between, where `url` leads to something that hands out connections by the
    /// transaction. What a transaction cannot do goes there: listening for changes, and changing the schema.
    pub direct_url: Option<&'a str>,
}

pub(crate) struct Connections {
    /// For single statements, and whatever only reads.
    pub door: Door,
    pub writer: DatabaseConnection,
    pub migrator: DatabaseConnection,
    /// On SQLite alone.
    pub group_commit: Option<GroupCommit>,
    pub signals: Signals,
}

pub(crate) async fn open(Addresses { url, direct_url }: Addresses<'_>, connections: Option<u32>) -> Result<Connections, StoreError> {
    let wrong = || StoreError::Address { url: without_secrets(url) };
    let is_postgres = |url: &str| url.starts_with("postgres://") || url.starts_with("postgresql://");
    if let Some(direct) = direct_url.filter(|direct| !is_postgres(direct) || !is_postgres(url)) {
        return Err(StoreError::Address { url: without_secrets(direct) });
    }
    if url.starts_with("sqlite:") && !url.contains(":memory:") {
        sqlite(url.parse().map_err(|_| wrong())?, connections.unwrap_or(READERS)).await
    } else if is_postgres(url) {
        let direct: Option<PgConnectOptions> = direct_url.map(str::parse).transpose().map_err(|_| wrong())?;
        postgres(url.parse().map_err(|_| wrong())?, direct, connections.unwrap_or(POSTGRES_CONNECTIONS)).await
    } else {
        Err(wrong())
    }
}

async fn sqlite(options: SqliteConnectOptions, readers: u32) -> Result<Connections, StoreError> {
    let options = options
        .create_if_missing(true)
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT)
        .synchronous(SqliteSynchronous::Normal)
        .log_statements(log_level())
        .log_slow_statements(log::LevelFilter::Warn, SLOW);
    own_files(options.get_filename());
    // The file remembers its journal mode. Only the first to open it changes it, and must be alone for that.
    let wal = options.clone().journal_mode(SqliteJournalMode::Wal);
    until_not_busy(START_PATIENCE, PAUSE, || async { Ok(wal.connect().await?.close().await?) }).await?;
    // What was acknowledged outlives a power cut.
    let writer = DatabaseConnection::from(writers(options.clone().synchronous(SqliteSynchronous::Full)).await?);
    let group_commit = GroupCommit::new(writers(options.clone()).await?.into()).await?;
    let db = sqlite_pool(readers).connect_with(options.clone()).await?;
    Ok(Connections {
        door: Door { db: db.into(), is_pooled: false },
        migrator: writer.clone(),
        writer,
        group_commit: Some(group_commit),
        signals: Signals::of_sqlite(options.read_only(true).create_if_missing(false)).await?,
    })
}

/// Connections that look often whether they may write. Another process may have the file to itself when they are made, as whoever is the last to
/// close it has.
async fn writers(options: SqliteConnectOptions) -> Result<SqlitePool, StoreError> {
    let options = options.busy_timeout(WRITER_BUSY_TIMEOUT);
    until_not_busy(START_PATIENCE, Duration::ZERO, || async { Ok(sqlite_pool(WRITERS).connect_with(options.clone()).await?) }).await
}

fn sqlite_pool(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(PATIENCE)
        .idle_timeout(None)
        .max_lifetime(None)
        // The library asks them when they are given back; there is no line that may break meanwhile.
        .test_before_acquire(false)
        // SQLite ends a transaction by itself when the disk is full. The library goes on counting it, and would
        // make the next on that connection a part of it, which takes no lock when it begins.
        .before_acquire(|connection, _| Box::pin(async move { Ok(!connection.is_in_transaction()) }))
}

/// Makes the file, and what SQLite keeps beside it, readable to this user alone. SQLite gives the files beside it
/// the rights of the first.
fn own_files(file: &Path) {
    // A path on which nothing can be made is left to SQLite, which says better what is wrong with it.
    if OpenOptions::new().write(true).create_new(true).mode(OWNER_ONLY).open(file).is_ok() {
        return;
    }
    for beside in ["", "-wal", "-shm"] {
        let path = PathBuf::from(format!("{}{beside}", file.display()));
        if fs::metadata(&path).is_ok_and(|data| data.permissions().mode() & OTHERS != 0) {
            match fs::set_permissions(&path, Permissions::from_mode(OWNER_ONLY)) {
                Ok(()) => tracing::warn!("other users could read {}: closed to them now", path.display()),
                Err(error) => tracing::warn!(error = &error as &dyn Error, "other users can read {}", path.display()),
            }
        }
    }
}

async fn postgres(options: PgConnectOptions, direct: Option<PgConnectOptions>, connections: u32) -> Result<Connections, StoreError> {
    let named = |options: PgConnectOptions| {
        options.application_name("reelmill").log_statements(log_level()).log_slow_statements(log::LevelFilter::Warn, SLOW)
    };
    let whole = |options: PgConnectOptions| named(options).options(TIMEOUTS).options(KEEPALIVES);
    let Some(direct) = direct else {
        let options = whole(options);
        let db = DatabaseConnection::from(postgres_pool(connections).connect_with(options.clone()).await?);
        let door = Door { db: db.clone(), is_pooled: false };
        return Ok(Connections {
            door,
            migrator: db.clone(),
            writer: db,
            group_commit: None,
            signals: Signals::of_postgres(options).await?,
        });
    };
    // What is prepared on one of the server's connections is unknown on the next.
    let options = named(options).statement_cache_capacity(0);
    let db = DatabaseConnection::from(postgres_pool(connections).connect_with(options).await?);
    let direct = whole(direct);
    Ok(Connections {
        door: Door { db: db.clone(), is_pooled: true },
        migrator: postgres_pool(1).connect_lazy_with(direct.clone()).into(),
        writer: db,
        group_commit: None,
        signals: Signals::of_postgres(direct).await?,
    })
}

fn postgres_pool(connections: u32) -> PgPoolOptions {
    PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(PATIENCE)
        // The library asks a connection that is given back whether it is well, and waits for the answer without an
        // end: one that was cut off without a word would not be replaced. And whoever gave up while a transaction began has left it open.
        .after_release(|connection, _| {
            Box::pin(async move {
                let ended = sqlx::raw_sql("BEGIN; ROLLBACK").execute(connection);
                timeout(ANSWER_WITHIN, ended).await.unwrap_or(Err(sqlx::Error::PoolTimedOut)).map(|_| true)
            })
        })
}

const fn log_level() -> log::LevelFilter {
    log::LevelFilter::Trace
}

/// Brings the schema up to date. Programs of the version before may lock the same tables in another order: then all of it is
/// done again.
pub(crate) async fn migrate(writer: &DatabaseConnection) -> Result<(), StoreError> {
    for _ in 1..MIGRATION_TRIES {
        match step_up(writer).await {
            Err(error) if error.is_deadlock() => tokio::time::sleep(MIGRATION_PAUSE).await,
            outcome => return outcome,
        }
    }
    step_up(writer).await
}

/// One transaction for the whole way up, under a lock that other processes wait for.
async fn step_up(writer: &DatabaseConnection) -> Result<(), StoreError> {
    let transaction = begin_within(START_PATIENCE, writer).await?;
    if writer.get_database_backend() == DbBackend::Postgres {
        transaction.execute_unprepared("SET LOCAL statement_timeout = 0").await?;
        lock(&transaction, MIGRATION_LOCK).await?;
        // Steps may change the rows of all tenants.
        Door { db: writer.clone(), is_pooled: false }.enter(&transaction, Scope::System).await?;
    }
    migration::Migrator::up(&transaction, None).await?;
    Ok(transaction.commit().await?)
}

pub(crate) async fn check_schema(db: &impl ConnectionTrait) -> Result<(), StoreError> {
    let taken: Vec<String> = seaql_migrations::Entity::find().all(db).await?.into_iter().map(|step| step.version).collect();
    let is_up_to_date = migration::Migrator::migrations().iter().all(|step| taken.iter().any(|version| version == step.name()));
    if is_up_to_date { Ok(()) } else { Err(StoreError::NotMigrated) }
}

/// Waits for the advisory lock `key` and holds it until the transaction ends.
pub(crate) async fn lock(transaction: &impl ConnectionTrait, key: i64) -> Result<(), DbErr> {
    let sql = Statement::from_sql_and_values(DbBackend::Postgres, "SELECT pg_advisory_xact_lock($1)", [key.into()]);
    transaction.query_one_raw(sql).await.map(drop)
}

/// Begins a transaction that will write. On SQLite it takes the write lock at once: a transaction that
/// asks for it later, having read, is refused when another has written meanwhile.
pub(crate) async fn begin(writer: &DatabaseConnection) -> Result<sea_orm::DatabaseTransaction, StoreError> {
    begin_within(PATIENCE, writer).await
}

async fn begin_within(patience: Duration, writer: &DatabaseConnection) -> Result<sea_orm::DatabaseTransaction, StoreError> {
    use sea_orm::{SqliteTransactionMode, TransactionOptions, TransactionTrait};
    let options =
        || TransactionOptions { sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate), ..TransactionOptions::default() };
    match writer.get_database_backend() {
        // It has paused already.
        DbBackend::Sqlite => until_not_busy(patience, Duration::ZERO, || async { Ok(writer.begin_with_options(options()).await?) }).await,
        _ => Ok(writer.begin().await?),
    }
}

/// Tries again while another process holds SQLite's lock; nothing has been done by then, so that is safe.
async fn until_not_busy<T, F>(patience: Duration, pause: Duration, attempt: impl Fn() -> F) -> Result<T, StoreError>
where
    F: Future<Output = Result<T, StoreError>>,
{
    let begun = Instant::now();
    loop {
        match attempt().await {
            Err(StoreError::Database(error)) if StoreError::is_busy(&error) && begun.elapsed() < patience => {
                tokio::time::sleep(pause).await
            }
            other => return other,
        }
    }
}

/// The address without what stands before an `@`, for messages.
fn without_secrets(url: &str) -> String {
    match (url.find("://"), url.rfind('@')) {
        (Some(scheme), Some(at)) if scheme + 3 <= at => format!("{}…{}", &url[..scheme + 3], &url[at..]),
        _ => url.to_owned(),
    }
}

/// Whose clock counts.
#[derive(Clone)]
pub(crate) enum TimeSource {
    /// The database server's.
    Database,
    Given(Arc<dyn Clock>),
}

impl TimeSource {
    pub(crate) fn local_now(&self) -> Timestamp {
        match self {
            Self::Given(clock) => clock.now(),
            Self::Database => SystemClock.now(),
        }
    }

    pub(crate) async fn now(&self, db: &impl ConnectionTrait) -> Result<Timestamp, StoreError> {
        match self {
            Self::Given(clock) => Ok(clock.now()),
            Self::Database => {
                let sql = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms";
                let row = db.query_one_raw(Statement::from_string(DbBackend::Postgres, sql)).await?;
                let row = row.ok_or_else(|| DbErr::RecordNotFound("the clock".to_owned()))?;
                Ok(Timestamp::from_ms(row.try_get("", "now_ms")?))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;
    use sqlx::{Executor, sqlite::SqliteLockingMode};
    use std::sync::atomic::{AtomicBool, Ordering};

    #[tokio::test]
    async fn who_is_to_write_waits_for_another_process_that_has_the_file_to_itself() {
        let database = TempDatabase::sqlite();
        let options: SqliteConnectOptions = database.url.parse().unwrap();
        let alone = options.clone().locking_mode(SqliteLockingMode::Exclusive).journal_mode(SqliteJournalMode::Wal);
        let mut alone = alone.connect().await.unwrap();
        alone.execute("CREATE TABLE written (n INTEGER)").await.unwrap();
        let has_closed = Arc::new(AtomicBool::new(false));
        let closes = Arc::clone(&has_closed);
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(200)).await;
            closes.store(true, Ordering::SeqCst);
            alone.close().await.unwrap();
        });
        let writers = writers(options.synchronous(SqliteSynchronous::Full)).await.unwrap();
        assert!(has_closed.load(Ordering::SeqCst));
        DatabaseConnection::from(writers).execute_unprepared("INSERT INTO written VALUES (1)").await.unwrap();
    }

    #[test]
    fn a_password_does_not_get_into_a_message() {
        assert_eq!(without_secrets("mysql://root:secret@host/db"), "mysql://…@host/db");
        assert_eq!(without_secrets("nonsense"), "nonsense");
    }
}
